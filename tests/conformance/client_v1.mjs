// Lists the tools and calls one, with the TypeScript SDK v1: node client_v1.mjs URL | COMMAND ARGS
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [target, ...args] = process.argv.slice(2);
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args });
const client = new Client({ name: "typescript-v1", version: "1.0.0" });
await client.connect(transport);
const { tools } = await client.listTools();
const simple = await client.callTool({ name: "test_simple_text", arguments: {} });
console.log(JSON.stringify({ tools: tools.length, simple: simple.content[0].text }));
await client.close();
