"""Frozen values of the domain, from the standard library alone. No I/O, no pydantic, no MCP."""
