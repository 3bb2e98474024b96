"""`python -m billing.demo`: the billing server, driven by the official MCP client, told step by step."""
