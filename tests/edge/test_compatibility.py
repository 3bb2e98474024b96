"""Every cell of the compatibility page, probed, and the page itself."""

from __future__ import annotations

import pytest

from tests.edge.compatibility import BEHAVIOURS, PAGE, REVISIONS, Behaviour, Peer, page
from tests.edge.conftest import Connect


@pytest.mark.anyio
@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.name)
async def test_the_wire_does_what_the_page_says(connect: Connect, behaviour: Behaviour, revision: str) -> None:
    """B9: the compatibility profile has its own matrix of tests."""
    async with connect() as client:
        assert await behaviour.probe(Peer(client, revision)) == behaviour.cells[revision]


def test_the_committed_page_is_the_generated_one() -> None:
    """B9: `python -m tests.edge.compatibility` writes it."""
    assert PAGE.read_text() == page()
