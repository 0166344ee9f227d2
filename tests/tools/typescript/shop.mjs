// The official client of MCP for TypeScript calls the tools of a server, and prints its results as
// JSON: `node shop.mjs CALLS COMMAND...` starts the server; the calls are JSON.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [calls, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "judge", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
await client.ping();
const { tools } = await client.listTools();
const results = [];
for (const [name, given] of JSON.parse(calls)) {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
  results.push([isError ? content[0].text : null, structuredContent ?? null]);
}
process.stdout.write(JSON.stringify({ tools: tools.map(({ name }) => name), results }));
await client.close();
