// Carries out an order with the TypeScript SDK v2 and prints what came back: node client_v2.mjs ORDER
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { mode, url, headers, command, env, calls } = JSON.parse(process.argv[2]);
const transport = url
  ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  : new StdioClientTransport({ command: command[0], args: command.slice(1), env });
const negotiation = mode === "auto" || mode === "legacy" ? mode : { pin: mode };
const client = new Client(
  { name: "typescript-v2", version: "1.0.0" },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: negotiation } },
);
client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { name: "Ada" } }));
await client.connect(transport);
const tools = (await client.listTools()).tools.map((tool) => tool.name);
const answers = [];
for (const [name, args] of calls) {
  const result = await client.callTool({ name, arguments: args });
  const texts = result.content.map((block) => block.text);
  answers.push({ texts, object: result.structuredContent ?? null, failed: result.isError ?? false });
}
const manifest = new URL("node_modules/@modelcontextprotocol/client/package.json", import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8"));
console.log(JSON.stringify({ version, revision: client.getNegotiatedProtocolVersion(), tools, answers }));
await client.close();
