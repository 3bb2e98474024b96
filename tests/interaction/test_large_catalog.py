"""157 tools: built, listed, filtered and called over both transports by the official client."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.interaction.large_catalog import TOOLS, catalog
from tests.interaction.serving import ERAS, Served, serving

RESOURCES = sorted({name.split("_")[0] for name in catalog.build().tools})
ALL = " ".join(f"{resource}:read" for resource in RESOURCES)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The large catalog, with a caller who may read all of it and one who may read invoices."""
    folder = tmp_path_factory.mktemp("large")
    with serving(
        "tests.interaction.large_catalog:catalog", folder, ("all", "acme", ALL), ("one", "acme", "invoice:read")
    ) as served:
        yield served


def test_157_tools_build_without_a_warning() -> None:
    """C10: the whole catalog keeps its contracts."""
    built = catalog.build()
    assert (len(built.tools), built.warnings) == (157, ())


@pytest.mark.anyio
@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize("mode", ERAS)
async def test_157_tools_list_and_call(large: Served, transport: str, mode: str) -> None:
    """C10, B9, B11: all of them in the order of their names, and any of them can be called."""
    async with large.client("all", transport=transport, mode=mode) as client:
        listed = await client.list_tools()
        names = [tool.name for tool in listed.tools]
        answer = await client.call_tool("vehicle_search", {"reference": "V-1"})
        revision = client.protocol_version
    assert (revision, len(names), names == sorted(names)) == (ERAS[mode], TOOLS, True)
    assert answer.structured_content == {"tool": "vehicle_search", "tenant": "acme"}


@pytest.mark.anyio
@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_a_caller_sees_and_calls_only_what_its_scopes_allow(large: Served, transport: str) -> None:
    """B11, B18, MP-098: what is not listed cannot be called, and looks like a name that does not exist."""
    async with large.client("one", transport=transport) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        refusals: list[str] = []
        for name in ("vehicle_search", "made_up"):
            with pytest.raises(Exception, match="Unknown tool") as refused:
                await client.call_tool(name, {"reference": "V-1"})
            refusals.append(repr(refused.value))
    assert (len(names), {name.split("_")[0] for name in names}) == (10, {"invoice"})
    assert refusals[0] == refusals[1]
