// The official TypeScript client: owner and recipient, over stdio and over HTTP.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [binary, url, ownerToken, karinToken] = process.argv.slice(2);

const stdio = (...args) => new StdioClientTransport({ command: binary, args: ["mcp", ...args], env: process.env, stderr: "ignore" });
const http = (token) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });

async function withClient(transport, check) {
  const client = new Client({ name: "check", version: "1" });
  await client.connect(transport);
  try {
    await check(client);
  } finally {
    await client.close();
  }
}
const names = async (client) => (await client.listTools()).tools.map((t) => t.name).sort();
const call = async (client, name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
  return JSON.stringify(result);
};

async function owner(client) {
  const have = await names(client);
  for (const name of ["remember", "recall", "disclose", "partition"]) assert.ok(have.includes(name), name);
  assert.match(await call(client, "recall", { query: "biopsy" }), /clinic/);
  assert.match(await call(client, "disclose", { question: "Was there a biopsy at the clinic?", to: ["Tomas"] }), /clinic/);
}

async function recipient(client) {
  assert.deepEqual(await names(client), ["disclose", "remember"]);
  assert.doesNotMatch(await call(client, "disclose", { question: "How did the hospital visit go?" }), /biopsy|clinic|2 March/);
  for (const [name, args] of [["recall", { query: "biopsy" }], ["partition", {}], ["disclose", { question: "biopsy?", to: ["Tomas"] }]]) {
    let refused;
    try {
      refused = (await client.callTool({ name, arguments: args })).isError === true;
    } catch {
      refused = true; // a JSON-RPC error
    }
    assert.ok(refused, `a recipient called ${name} with ${JSON.stringify(args)}`);
  }
  await call(client, "remember", { text: "The meeting moved to Friday." });
}

await withClient(stdio(), owner);
await withClient(stdio("--to", "Karin"), recipient);
await withClient(http(ownerToken), owner);
await withClient(http(karinToken), recipient);
await assert.rejects(withClient(http("epa_" + "0".repeat(40)), owner));
console.log("typescript client: ok");
