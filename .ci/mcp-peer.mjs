// This server beside the official memory server, over the same stdio client, in one
// run: searching 10,000 entries, and four processes that write at once. The peer
// searches for a substring, so both are asked for the same words that stand together in
// an entry.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [binary, peer, work] = process.argv.slice(2);
const ENTRIES = 10_000, ROUNDS = 50, WRITERS = 4, EACH = 1_000;

mkdirSync(work, { recursive: true });
// Entries as people write them: of many words, twenty a day.
const things = (
  "anchor apron axe bagel balloon banjo basket bathtub beanie bell bench biscuit blanket blender book bottle bowl bracelet brick broom bucket cable camera candle canvas cap carpet cart cello chair chalk cheese cherry chisel clock coat comb compass cookie cork couch crayon cup curtain cushion desk dish doll door drill drum duvet easel engine envelope eraser fan feather fern fiddle flag flask flute fork frame fridge funnel gate globe glove goggles grape guitar hammer hammock harp hat helmet hinge hose jar jacket jug kayak kettle key kite knife ladder lamp lantern leash lemon lens lid locket magnet map marble mask mat medal melon mirror mitten mug nail napkin necklace needle notebook oar oboe onion oven paddle pan parka peach pear pedal pen piano pillow pin plate plum pot puzzle quilt radio rake razor ribbon ring robe rope rug ruler saddle saw scarf scissors shawl shelf shovel sieve skate sketch sled soap sofa spade sponge spoon stamp stool stove sweater table tape teapot tent tile toaster towel tray tripod trophy trumpet turnip tweezers umbrella vase vest viola violin wallet wheel whistle window wrench yarn"
).split(" ");
const acts = "bought sold found lost borrowed lent painted repaired wrapped cleaned packed returned ordered carried sketched measured stored moved dropped framed".split(" ");
const places = "attic bakery barn basement beach bridge cabin cafe canteen castle cellar church cinema clinic corridor cottage courtyard dock farm ferry forest garage garden gym harbour hostel hotel island kitchen lake library lobby market meadow museum office orchard park pharmacy pier plaza pub school shed station street studio tavern temple theatre tower tunnel valley village warehouse workshop yard zoo".split(" ");
const of = (list, i) => list[i % list.length];
const key = (i) => `${of(things, i * 31)} ${ENTRIES + i}`; // no number that could be a year
const sentence = (i) => `I ${of(acts, i * 3 + Math.floor(i / 17))} ${key(i)} and a ${of(things, i * 57 + 11)} near the ${of(places, i * 13 + Math.floor(i / 59))}.`;
const kept = /I \w+ \w+ (\d+) and a/g;

async function connect(command, args, env) {
  const client = new Client({ name: "peer", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: "ignore" }));
  return client;
}
async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 600_000 });
  assert.ok(!result.isError, `${name}: ${JSON.stringify(result).slice(0, 300)}`);
  return JSON.stringify(result);
}
const ours = (home) => connect(binary, ["mcp"], { EPAGENT_HOME: home });
const theirs = (file) => connect(process.execPath, [peer], { MEMORY_FILE_PATH: file });
const newHome = (name) => {
  const home = `${work}/${name}`;
  execFileSync(binary, ["init", "--yes", "--name", "Ines Falk"], { env: { ...process.env, EPAGENT_HOME: home } });
  return home;
};
const entity = (i) => ({ name: `entry ${i}`, entityType: "note", observations: [sentence(i)] });
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

// Searching.
const home = newHome("search"), file = `${work}/search.jsonl`;
const day = (i) => new Date(Date.UTC(2025, 0, 1 + Math.floor(i / 20))).toISOString().slice(0, 10);
const lines = Array.from({ length: ENTRIES }, (_, i) => `[${day(i)} 18:${String(i % 20).padStart(2, "0")}] Ines Falk: ${sentence(i)}`);
writeFileSync(`${work}/chat.txt`, `${lines.join("\n")}\n`);
execFileSync(binary, ["import", "--tz", "Europe/Berlin", `${work}/chat.txt`], { env: { ...process.env, EPAGENT_HOME: home }, stdio: "ignore" });
writeFileSync(file, Array.from({ length: ENTRIES }, (_, i) => JSON.stringify({ type: "entity", ...entity(i) })).join("\n"));

const a = await ours(home), b = await theirs(file);
const took = { ours: [], theirs: [] };
for (let n = 0; n < ROUNDS + 3; n++) {
  const i = (n * 7919 + 1001) % ENTRIES; // in turn, so that the load of the machine is the same for both
  const wanted = key(i);
  const one = await timed(async () => assert.ok((await call(a, "recall", { query: wanted })).includes(`${wanted} `), "not found")),
    other = await timed(async () => assert.ok((await call(b, "search_nodes", { query: wanted })).includes(`${wanted} `), "not found"));
  if (n < 3) continue; // the first one loads
  took.ours.push(one);
  took.theirs.push(other);
}
await a.close();
await b.close();
const ratio = median(took.theirs) / median(took.ours);
console.log(`search, ${ENTRIES} entries, p50: ours ${median(took.ours).toFixed(2)} ms, theirs ${median(took.theirs).toFixed(2)} ms: ${ratio.toFixed(1)} times as fast`);

// Writing at once.
async function write(open, one) {
  const clients = await Promise.all(Array.from({ length: WRITERS }, open));
  let failed = 0;
  const ms = await timed(() =>
    Promise.all(clients.map(async (client, w) => {
      for (let i = 0; i < EACH; i++) await one(client, w * EACH + i).catch(() => failed++);
    })),
  );
  await Promise.all(clients.map((c) => c.close()));
  return { failed, ms };
}
const shared = newHome("write");
const wrote = await write(() => ours(shared), (client, i) => call(client, "remember", { text: sentence(i) }));
const ourKept = new Set();
for (const line of execFileSync(binary, ["export"], { env: { ...process.env, EPAGENT_HOME: shared }, maxBuffer: 1 << 30 }).toString().matchAll(kept)) ourKept.add(line[1]);

const sharedFile = `${work}/write.jsonl`;
const peerWrote = await write(() => theirs(sharedFile), (client, i) => call(client, "create_entities", { entities: [entity(i)] }));
const peerKept = new Set();
for (const line of readFileSync(sharedFile, "utf8").matchAll(kept)) peerKept.add(line[1]);

const all = WRITERS * EACH;
console.log(`writing, ${WRITERS} processes, ${all} entries: ours lost ${all - ourKept.size} (${wrote.failed} calls failed, ${(wrote.ms / 1000).toFixed(1)} s), theirs lost ${all - peerKept.size} (${peerWrote.failed} calls failed, ${(peerWrote.ms / 1000).toFixed(1)} s)`);
assert.equal(ourKept.size, all, "entries were lost");
