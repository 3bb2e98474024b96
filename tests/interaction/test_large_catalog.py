"""157 billing-like tools: built, listed, filtered and called over both transports by the official client."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from benchmarks.many_tools import RESOURCES, SCOPES, TOOLS, catalog
from tests.interaction.serving import ERAS, Served, serving

DRAFT = {
    "account_id": "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60",
    "title": "Spring",
    "currency": "EUR",
    "lines": [{"sku": "ABC-1234", "quantity": 3, "unit_price_minor": 2_500}],
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """The large catalog, with a caller who may do everything and one who may read invoices."""
    folder = tmp_path_factory.mktemp("large")
    with serving(
        "benchmarks.many_tools:catalog",
        folder,
        ("all", "acme", " ".join(sorted(SCOPES))),
        ("one", "acme", "invoice:read"),
    ) as served:
        yield served


def test_157_tools_build_without_a_warning() -> None:
    """C10: the whole catalog keeps its contracts."""
    built = catalog.build()
    made = [name for name in built.tools if name != "operation_status"]
    assert (len(made), len(RESOURCES), built.warnings) == (157, 32, ())


@pytest.mark.anyio
@pytest.mark.parametrize("transport", ["http", "stdio"])
@pytest.mark.parametrize("mode", ERAS)
async def test_157_tools_list_and_call(large: Served, transport: str, mode: str) -> None:
    """C10, B9, B11: all of them and `operation_status`, by name, and any of them can be called."""
    async with large.client("all", transport=transport, mode=mode) as client:
        listed = await client.list_tools()
        names = [tool.name for tool in listed.tools]
        key = f"{transport}-{mode}-of-the-large-one"
        saved = await client.call_tool("grant_create", {**DRAFT, "idempotency_key": key})
        assert saved.structured_content is not None
        number = saved.structured_content["number"]
        shown = await client.call_tool("grant_get", {"number": number})
        revision = client.protocol_version
    assert (revision, len(names), names == sorted(names)) == (ERAS[mode], TOOLS + 1, True)
    assert shown.structured_content == {
        "number": number,
        "title": "Spring",
        "currency": "EUR",
        "total_minor": 7_500,
        "version": "1",
    }


@pytest.mark.anyio
@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_a_caller_sees_and_calls_only_what_its_scopes_allow(large: Served, transport: str) -> None:
    """B11, B18, MP-098: what is not listed cannot be called, and looks like a name that does not exist."""
    async with large.client("one", transport=transport) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        refusals: list[str] = []
        for name in ("lease_get", "made_up"):
            with pytest.raises(Exception, match="Unknown tool") as refused:
                await client.call_tool(name, {"number": 1})
            refusals.append(repr(refused.value))
    assert names == ["invoice_get", "invoice_list", "invoice_preview", "operation_status"]
    assert refusals[0] == refusals[1]
