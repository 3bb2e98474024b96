// Lists the tools and calls one, with the TypeScript SDK v2: node client_v2.mjs auto|legacy|2026-07-28 URL | COMMAND ARGS
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [mode, target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args });
const negotiation = mode === "auto" || mode === "legacy" ? mode : { pin: mode };
const client = new Client(
  { name: "typescript-v2", version: "1.0.0" },
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: negotiation } },
);
client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { name: "Ada" } }));
await client.connect(transport);
const { tools } = await client.listTools();
const simple = await client.callTool({ name: "test_simple_text", arguments: {} });
const asked =
  mode === "legacy" ? null : await client.callTool({ name: "test_input_required_result_elicitation", arguments: {} });
console.log(
  JSON.stringify({ tools: tools.length, simple: simple.content[0].text, asked: asked && asked.content[0].text }),
);
await client.close();
