"""People who decide by hand in the tests of the command line, and their tokens."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["OPERATORS", "token_of"]


def token_of(name: str) -> str:
    """The token of that person, as long as a real one."""
    return f"operator-token-of-{name}-0123456789abcdef"


_EVERYTHING = '["claims.settle", "plans.approve", "outbox.retry"]'


def _operator(
    name: str, principal: str, *, tenants: str = '["acme"]', permissions: str = _EVERYTHING, agents: str = "[]"
) -> str:
    return f"""
[[operator]]
name = "{name}"
principal = "{principal}"
tenants = {tenants}
permissions = {permissions}
agents = {agents}
token_sha256 = "{sha256(token_of(name).encode()).hexdigest()}"
"""


OPERATORS = "".join(
    [
        _operator("ana", "ana@acme"),
        _operator("cleo", "clerk@acme"),
        _operator("boss", "boss@acme", agents='["clerk@acme"]'),
        _operator("gus", "gus@globex", tenants='["globex"]'),
        _operator("mel", "mel@acme", permissions='["outbox.retry"]'),
        _operator("root", "root@hq", tenants='"*"'),
    ]
)
"""Ana may everything in acme; cleo is the clerk; the clerk is an agent of boss; gus is of another tenant."""
