"""The wire: the only importer of `mcp` and `mcp_types`. No rule about a call lives here; the stages own those."""
