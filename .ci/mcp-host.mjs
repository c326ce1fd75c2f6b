// The official memory server as native host: its own client fills it, epagent reads it.
// What the server is asked goes through a recorder between the two, so that it shows
// that nobody but the owner reaches it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [binary, peer, work] = process.argv.slice(2);
mkdirSync(work, { recursive: true });
const file = `${work}/memory.jsonl`, asked = `${work}/asked.txt`, home = `${work}/home`, recorder = `${work}/recorder.mjs`;

// Filling, by the server's own protocol.
const client = new Client({ name: "host", version: "1" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [peer], env: { ...process.env, MEMORY_FILE_PATH: file }, stderr: "ignore" }));
const fill = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
};
await fill("create_entities", { entities: [
  { name: "Ines_Falk", entityType: "person", observations: ["Has an appointment for a colonoscopy at the clinic", "Bought a cello in Ghent"] },
  { name: "Tomas_Falk", entityType: "person", observations: ["Likes rhubarb cake"] },
  { name: "Hillside_School", entityType: "organization", observations: [] },
] });
await fill("create_relations", { relations: [{ from: "Tomas_Falk", to: "Hillside_School", relationType: "teaches_at" }] });
await fill("add_observations", { observations: [{ entityName: "Ines_Falk", contents: ["Wants to hand in her notice at work"] }] });
await client.close();
const before = readFileSync(file);
assert.ok(before.length > 0, "the server has written nothing");

// The recorder: hands on what the server is told, and writes it down.
writeFileSync(recorder, `
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
const server = spawn(process.execPath, [${JSON.stringify(peer)}], { env: { ...process.env, MEMORY_FILE_PATH: ${JSON.stringify(file)} }, stdio: ["pipe", "inherit", "inherit"] });
process.stdin.on("data", (bytes) => { appendFileSync(${JSON.stringify(asked)}, bytes); server.stdin.write(bytes); });
process.stdin.on("end", () => server.stdin.end());
server.on("exit", (code) => process.exit(code ?? 1));
`);
const host = (...command) => writeFileSync(`${home}/config.yaml`, `host: mcp\nhost_mcp: ${JSON.stringify(command)}\n`);
const ep = (...args) => {
  const started = performance.now();
  const run = spawnSync(binary, args, { env: { ...process.env, EPAGENT_HOME: home }, encoding: "utf8", timeout: 120_000 });
  return { code: run.status, out: run.stdout, err: run.stderr, seconds: (performance.now() - started) / 1000 };
};
const done = (...args) => {
  const run = ep(...args);
  assert.equal(run.code, 0, `${args.join(" ")}: ${run.out}${run.err}`);
  return run;
};
const calls = () => {
  const tools = existsSync(asked) ? [...readFileSync(asked, "utf8").matchAll(/"method":"tools\/call".*?"name":"(\w+)"|"name":"(\w+)".*?"method":"tools\/call"/g)].map((m) => m[1] ?? m[2]) : [];
  rmSync(asked, { force: true });
  return tools;
};

done("init", "--yes", "--name", "Ines Falk", "--alias", "Ines", "--person", "Tomas Falk=partner", "--person", "Karin Vogel=boss");
host(process.execPath, recorder);
assert.match(done("doctor").out, /host/);
calls();

// The server's statements are facts of the sidecar, once, with marks beside them.
assert.match(done("import", "--host").out, /5 new/);
assert.deepEqual(calls(), ["read_graph"]);
assert.match(done("import", "--host").out, /\b0 new/);
calls();
const facts = JSON.parse(done("recall", "--json", "colonoscopy").out).facts;
assert.match(facts[0].text, /colonoscopy/);
assert.deepEqual(facts[0].categories, ["health"], JSON.stringify(facts[0]));
assert.ok(calls().every((tool) => tool === "search_nodes"), "a question does more than search");
for (const [question, want] of [["Who teaches at Hillside School?", /teaches at Hillside School/], ["rhubarb cake", /rhubarb/], ["Who bought a cello?", /cello in Ghent/]]) {
  const run = done("recall", question);
  assert.match(run.out, want);
  assert.equal(run.err, "", "nothing is said of a host that works");
  assert.ok(calls().length > 0, "the owner's question does not reach the server");
}

// Others get nothing of it before the owner has confirmed it (nobody said it), then
// what they may know, and never reach the server.
assert.doesNotMatch(done("disclose", "--to", "Tomas Falk", "Is there an appointment at the clinic?").out, /colonoscopy/);
const idOf = (word) => JSON.parse(done("recall", "--json", word).out).facts.find((fact) => fact.text.includes(word)).id;
for (const [word, ...how] of [["colonoscopy", "--category", "health"], ["cello", "--label", "2/life"], ["notice", "--category", "job-hunt"], ["rhubarb", "--label", "2/life"]])
  done("review", "set", "--yes", "--confirm", idOf(word), ...how);
calls();
const told = {};
for (const [who, question] of [["Tomas Falk", "Is there an appointment at the clinic?"], ["Karin Vogel", "Is there an appointment at the clinic?"], ["A Stranger", "Who bought a cello?"], ["Karin Vogel", "Does Ines want to hand in her notice?"]])
  told[`${who}: ${question}`] = done("disclose", "--to", who, question).out;
assert.match(told["Tomas Falk: Is there an appointment at the clinic?"], /colonoscopy/);
for (const [key, answer] of Object.entries(told))
  if (!key.startsWith("Tomas")) assert.doesNotMatch(answer, /colonoscopy|clinic|cello|Ghent|hand in/, key);
done("recall", "--as", "Karin Vogel", "clinic");
done("partition", "clinic");
assert.deepEqual(calls(), [], "somebody else's question reaches the server");

// What is remembered and forgotten here changes nothing there.
done("remember", "The colonoscopy is on 24 March 2026.");
assert.equal(done("forget", "--yes", facts[0].id).code, 0);
assert.doesNotMatch(done("recall", "colonoscopy").out, /appointment for a colonoscopy/);
assert.match(done("import", "--host").out, /\b0 new/);
assert.ok(before.equals(readFileSync(file)), "the server's file has changed");

// A server that is gone, dies or hangs: the owner's recall goes on and says so; others see nothing of it.
const answer = done("disclose", "--to", "Tomas Falk", "Who likes rhubarb cake?").out;
for (const [name, ...command] of [
  ["missing", `${work}/no-such-server`],
  ["dying at once", process.execPath, "-e", "process.exit(3)"],
  ["dying when asked", process.execPath, "-e", `import("node:child_process").then(({ spawn }) => { const s = spawn(process.execPath, [${JSON.stringify(peer)}], { env: { ...process.env, MEMORY_FILE_PATH: ${JSON.stringify(file)} }, stdio: ["pipe", "inherit", "inherit"] }); process.stdin.on("data", (b) => String(b).includes("tools/call") ? (s.kill("SIGKILL"), process.exit(1)) : s.stdin.write(b)); })`],
  ["hanging", process.execPath, "-e", "setInterval(() => {}, 1000); process.stdin.on('end', () => process.exit()).resume()"],
]) {
  host(...command);
  const run = done("recall", "rhubarb cake");
  assert.match(run.out, /rhubarb/, name);
  assert.match(run.err, /ranked without the native host/, name);
  assert.ok(run.seconds < 60, `${name}: ${run.seconds} s`);
  assert.deepEqual(JSON.parse(done("recall", "--json", "rhubarb cake").out).degraded, ["host"], name);
  const other = done("disclose", "--to", "Tomas Falk", "Who likes rhubarb cake?");
  assert.equal(other.out, answer, name);
  assert.doesNotMatch(other.err, /host|server/, name);
  assert.notEqual(ep("import", "--host").code, 0, `${name}: an import from it succeeds`);
  assert.notEqual(ep("doctor").code, 0, `${name}: the doctor finds nothing`);
}
assert.ok(before.equals(readFileSync(file)), "the server's file has changed");
console.log("memory server as native host: ok");
