"""What the console knows of a catalog when it opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold import Catalog, Input, Output, Read
from fourfold.adapters.clock import SystemClock
from fourfold.adapters.memory.store import open_memory
from fourfold.adapters.sealing.signer import Ed25519Verifier
from fourfold.bootstrap.console import ConsoleTerms, console_over
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.console.known import KnownCatalog

pytestmark = pytest.mark.anyio

_WAIVER = """\
[[review.waiver]]
rule = "vague-name"
tool = "thing_get"
reason = "the users call it that"
"""


class Nothing(Input):
    """No arguments."""


class Seen(Output):
    """Whether it is there."""

    there: bool


def get(request: Nothing) -> Seen:
    """Look at it."""
    return Seen(there=True)


def things() -> LoadedCatalog:
    """A catalog whose tool has a name that says little."""
    catalog = Catalog("things", version="1")
    catalog.tool(
        name="thing_get",
        version="1.0",
        does="Looks whether it is there",
        use_when="the user asks about it",
        not_for="anything else",
        effect=Read(),
    )(get)
    return LoadedCatalog(catalog.build(), None)


async def known(folder: Path, configuration: str) -> KnownCatalog:
    """What a console says of the things, with such a configuration."""
    path = folder / "fourfold.toml"
    path.write_text(configuration, "utf-8")
    store = open_memory(clock=SystemClock())
    terms = ConsoleTerms(configuration=path, loaded=things(), target="things:catalog")
    found = console_over(store, sealer=None, verifier=Ed25519Verifier({}), terms=terms).known
    await store.aclose()
    assert found is not None
    return found


async def test_the_catalog_is_reviewed_and_weighed_once(tmp_path: Path) -> None:
    """D5: contracts, lock, findings and tokens, all of the same tools."""
    found = await known(tmp_path, "")
    assert [*found.contracts] == ["thing_get"]
    assert [tool.name for tool in found.lock.tools] == ["thing_get"]
    assert [(each.symbol, each.tool) for each in found.reviewed.findings] == [("vague-name", "thing_get")]
    assert found.tokens["thing_get"].total > found.tokens["thing_get"].description > 0


async def test_the_review_is_the_one_that_the_project_has_settled_on(tmp_path: Path) -> None:
    """D5: what was set aside stands apart, with its reason; what is ignored is not looked for."""
    waived = await known(tmp_path, _WAIVER)
    assert waived.reviewed.findings == ()
    assert [each.reason for each in waived.reviewed.waived] == ["the users call it that"]
    ignored = await known(tmp_path, '[review]\nignore = ["vague-name"]\n')
    assert (ignored.reviewed.findings, ignored.reviewed.waived) == ((), ())


async def test_without_a_catalog_nothing_is_known(tmp_path: Path) -> None:
    """D5: the console of a store alone."""
    store = open_memory(clock=SystemClock())
    console = console_over(store, sealer=None, verifier=Ed25519Verifier({}), terms=ConsoleTerms(configuration=None))
    await store.aclose()
    assert (console.known, console.locked) == (None, None)
