// The official client of MCP for TypeScript, as its users have it, calls the tools of a server, and
// prints its objections as JSON: `node client.mjs COMMAND...` starts the server.
//
// The tool "calls" lists the calls, each with the name of a tool and its arguments.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const AT_ONCE = 50; // so that neither process waits for the other after each call

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "judge", version: "1" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));

async function objection(name, given) {
  try {
    const { isError, content } = await client.callTool({ name, arguments: given });
    return isError ? `an error: ${content[0].text}` : "";
  } catch (problem) {
    return problem.message;
  }
}

await client.listTools(); // from now on, results have to match the output schemas
const { structuredContent } = await client.callTool({ name: "calls" });
const calls = structuredContent.result;
const objections = [];
for (let start = 0; start < calls.length; start += AT_ONCE) {
  const some = calls.slice(start, start + AT_ONCE);
  objections.push(...(await Promise.all(some.map((call) => objection(...call)))));
}
const named = calls.map(([name, { at }], number) => [name, at, objections[number]]);
process.stdout.write(JSON.stringify(named));
await client.close();
