"""The design review of any MCP server: rules, what they look at, and how their findings are collected."""
