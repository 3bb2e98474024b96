"""What is laid out for a server that is started: found where it lets itself be led to it, and gone afterwards."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import anyio
import pytest
from pydantic import Field

from fourfold import Catalog, Input, Limits, Output, Read
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.proving import Address, Terms, proving_catalog, proving_server, two_callers
from fourfold.bootstrap.targets import of_catalog
from fourfold.model.proof import Verdict
from fourfold.prove.engine import Selection, prove

pytestmark = pytest.mark.anyio

LINK = "link-stays-inside"


async def about(folder: Path, check: str, *faults: str, writes: bool = True) -> Verdict:
    """What a check says about the server of the folder."""
    (folder / "a.txt").write_text("a file")
    command = [sys.executable, str(Path(__file__).with_name("folder_server.py")), str(folder), *faults]
    async with proving_server([Address(target=command)], Terms(seed=1, max_calls=500, writes=writes)) as desk:
        (found,) = (await prove(desk, revision="", selection=Selection(only=(check,)))).verdicts
    return found


async def test_a_link_out_of_the_folder_is_no_way_out(tmp_path: Path) -> None:
    """D2, B12: the link is there for the run only."""
    found, sound = await about(tmp_path, LINK, "follows-links"), await about(tmp_path, LINK)
    assert (found.status, found.detail) == ("failed", "path led out of the tool's folder to /etc")
    assert found.calls[0].arguments["path"].endswith("fourfold-prove-link/passwd")
    assert sound.status == "passed"
    assert os.listdir(tmp_path) == ["a.txt"]  # noqa: PTH208  # nothing else waits for it


async def test_nothing_is_laid_into_a_folder_without_leave(tmp_path: Path) -> None:
    """B12: what was not tested says what would let it be."""
    found = await about(tmp_path, LINK, "follows-links", writes=False)
    assert (found.status, found.next_step) == ("not_tested", "allow it with --writes, on data that may be lost")


async def test_an_answer_with_the_environment_is_named(tmp_path: Path) -> None:
    """A5, B12: by a secret that is nowhere else; afterwards it is gone."""
    found, sound = await about(tmp_path, "nothing-leaks", "shows-environment"), await about(tmp_path, "nothing-leaks")
    detail = "the answer holds a secret of the environment that the server was started in"
    assert (found.status, found.detail, sound.status) == ("failed", detail, "passed")
    assert not [name for name in os.environ if "CANARY" in name]


class Nothing(Input):
    """Nothing."""


class Done(Output):
    """How often."""

    times: Annotated[int, Field(ge=0, le=9)]


async def wait_long(request: Nothing) -> Done:
    """Be slow."""
    with anyio.move_on_after(1.5):
        await anyio.sleep_forever()
    return Done(times=len(request.model_fields_set))


def slow(deadline_s: float) -> LoadedCatalog:
    """A catalog with one tool that is slow, and may take so long."""
    catalog = Catalog("slow")
    catalog.tool(
        name="wait_long",
        version="1.0",
        does="Waits for long",
        use_when="the user has time",
        not_for="anything else",
        effect=Read(),
        limits=Limits(deadline_s=deadline_s),
    )(wait_long)
    return LoadedCatalog(catalog.build(), None)


@pytest.mark.parametrize(("served", "status"), [(30.0, "failed"), (0.2, "passed")])
async def test_a_call_that_takes_longer_than_its_contract_says_is_named(served: float, status: str) -> None:
    """B12: what is served waits for its handler, or ends the call with a fault, as it should."""
    terms = Terms(seed=1, max_calls=100, writes=True)
    async with proving_catalog(slow(served), two_callers((), frozenset()), terms=terms, target="slow") as desk:
        desk.catalog = of_catalog(slow(0.2), target="slow")
        (found,) = (await prove(desk, revision="", selection=Selection(only=("time-limit-kept",)))).verdicts
    assert found.status == status, found.detail
