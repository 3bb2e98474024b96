"""Writes `docs/clients.md` from the facts in `peers.py`: `python -m tests.clients.page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.clients.peers import PEERS, Peer

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"

_INTRODUCTION = """\
# Clients

Which MCP clients were tried against the billing server, and what each of them hands to the model. This page is
generated: `python -m tests.clients.page` writes it from the facts that the tests check.

Every client lists the tools, creates a quote with a key, repeats it, names an account that does not exist, and sends
a malformed article. Each does so over stdio and over HTTP with a bearer token, without a model, through the layer that
would serve one. Each sees every tool that its caller may use, gets the same answer for the repeat, and finds the code
at the start of a fault's text and the path of the wrong argument in it.

| client | version | revision | transports | a success gives the model | a fault gives the model | seen |
| --- | --- | --- | --- | --- | --- | --- |
"""

_EXPLANATION = """
"The line" is the short text that the tool's `says=` makes. A success carries the object twice, as JSON text after the
line and as `structuredContent`, because some clients read only the one and some only the other. A fault carries its
code in the text, because most clients drop `_meta`.

"Every test" means that `scripts/test` runs the client. The others are installed and run by `scripts/soak clients`, on
the day that stands there.

What follows for an author: put what a model needs into the output model, not only into `says=`, because Pydantic AI
shows the object alone. Put what it should do next into the fault's `next_step`, because the text is all that it gets.
"""


def page() -> str:
    """The page."""
    return "".join([_INTRODUCTION, *(_row(peer) for peer in PEERS), _EXPLANATION])


def _row(peer: Peer) -> str:
    return f"| {' | '.join(_cells(peer))} |\n"


def _cells(peer: Peer) -> Iterator[str]:
    yield peer.name
    yield f"{peer.package} {peer.version}"
    yield ", ".join(dict.fromkeys(peer.modes.values()))
    yield "stdio, HTTP"
    yield peer.success
    yield peer.fault
    yield peer.dated or "every test"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
