"""Four contracts for every MCP tool."""
