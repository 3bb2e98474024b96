// Carries out an order with the TypeScript SDK v1 and prints what came back: node client_v1.mjs ORDER
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { url, headers, command, env, calls } = JSON.parse(process.argv[2]);
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  : new StdioClientTransport({ command: command[0], args: command.slice(1), env });
const client = new Client({ name: "typescript-v1", version: "1.0.0" });
// The client tells only its transport what was agreed on.
const told = transport.setProtocolVersion?.bind(transport);
let revision;
transport.setProtocolVersion = (agreed) => {
  revision = agreed;
  told?.(agreed);
};
await client.connect(transport);
const tools = (await client.listTools()).tools.map((tool) => tool.name);
const answers = [];
for (const [name, args] of calls) {
  const result = await client.callTool({ name, arguments: args });
  const texts = result.content.map((block) => block.text);
  answers.push({ texts, object: result.structuredContent ?? null, failed: result.isError ?? false });
}
const manifest = new URL("node_modules/@modelcontextprotocol/sdk/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
console.log(JSON.stringify({ version, revision, tools, answers }));
await client.close();
