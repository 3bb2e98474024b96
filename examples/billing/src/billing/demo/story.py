"""The story: one function a step. Each tells what it does and goes on only if the answer is the right one."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable

import anyio
import httpx2

from billing.demo.desk import Reply, open_desk
from billing.demo.refunding import agreeing, planning
from billing.demo.scene import Scene, output_of
from billing.demo.server import Server
from billing.demo.telling import Telling, Unexpected, expect, in_short

__all__ = ["tell"]

_KEY = "demo-order-4711-a"
_RECORDED_WITHIN_S = 10


async def tell(server: Server, telling: Telling) -> str | None:
    """Tell the whole story; what was not as it should be, or `None`."""
    async with open_desk(server.url) as desk:
        scene = Scene(desk=desk, telling=telling, server=server)
        try:
            for step in _STEPS:
                await step(scene)
        except Unexpected as wrong:
            return str(wrong)
    return None


async def _listing(scene: Scene) -> None:
    scene.telling.title("Who sees which tools")
    shown = {who: await scene.desk.tools(who) for who in ("acme's clerk", "acme's reader")}
    scene.telling.sent(f"acme's clerk: tools/list, in MCP {scene.desk.revision}")
    for tool in shown["acme's clerk"]:
        reads = tool.annotations is not None and tool.annotations.read_only_hint
        scene.telling.came(
            f"{tool.name:<28} {'reads ' if reads else 'writes'}  {(tool.description or '').split('.')[0]}"
        )
    names = {who: {tool.name for tool in tools} for who, tools in shown.items()}
    expect(len(names["acme's clerk"]) == 22, "the clerk is shown 22 tools")
    reads = {"account_find", "customer_find", "invoice_get", "invoice_list", "ledger_query", "operation_status"}
    reads |= {"payment_list", "quote_preview", "revenue_report", "thread_summarize"}
    expect(names["acme's reader"] == reads, "a reader is shown no tool that writes or plans to")
    scene.telling.why("A caller is shown what it may do: a reader of acme gets this list without those that write.")


async def _finding(scene: Scene) -> None:
    scene.telling.title("From a name to an account")
    reply = await scene.call("account_find", {"query": "nordic"})
    items = reply.structured.get("items", [])
    expect([item["name"] for item in items] == ["Nordic Outfitters"], "one account is found by part of its name")
    scene.telling.came(in_short(items[0]))
    scene.telling.why("Structured data beside the text, checked against the published schema before it leaves.")
    line = {"sku": "ABC-1234", "quantity": 3, "unit_price_minor": 2_500}
    scene.order = {"account_id": items[0]["account_id"], "currency": "EUR", "lines": [line]}


async def _quoting(scene: Scene) -> None:
    scene.telling.title("A quote")
    reply = await scene.call("quote_create", {**scene.order, "idempotency_key": _KEY})
    scene.telling.came(in_short(reply.structured))
    expect(reply.structured.get("total_minor") == 7_500, "three pieces at 2,500 make 7,500")
    expect(reply.structured.get("flags") == ["below_floor"], "a price under the floor is flagged")
    scene.telling.why("List price is 3,000 and the floor 12 % under it: flagged, not refused. Cents are integers.")
    scene.quote = reply


async def _repeating(scene: Scene) -> None:
    scene.telling.title("The same call with the same key, as after a lost answer")
    reply = await scene.call("quote_create", {**scene.order, "idempotency_key": _KEY})
    first = scene.quote
    expect(first is not None and reply.structured == first.structured, "a repeat gets the first answer")
    expect(reply.meta.get("fourfold/replayed") is True, "a repeat says that it is one")
    scene.telling.why("Nothing ran: quote, key and run record were committed together, and the answer was kept.")


async def _doubling(scene: Scene) -> None:
    scene.telling.title("The same call without a key, as by a model that forgot")
    reply = await scene.call("quote_create", scene.order)
    first = scene.quote
    expect(reply.code == "possible_duplicate", "a keyless twin is asked about")
    named = reply.fault.get("operation_id")
    expect(first is not None and named == first.meta.get("fourfold/operation"), "it names the earlier operation")
    scene.telling.why("No second quote by accident; one that is meant takes a new key.")


async def _misspelling(scene: Scene) -> None:
    scene.telling.title("A wrong argument")
    line = {"sku": "ab-1", "quantity": 1, "unit_price_minor": 100}
    reply = await scene.call("quote_create", {**scene.order, "lines": [line]})
    paths = [problem["path"] for problem in reply.fault.get("problems", [])]
    expect(reply.code == "invalid_arguments" and paths == ["lines.0.sku"], "the wrong argument is named by its path")
    expect("ab-1" not in reply.wire, "the rejected value is not echoed")
    scene.telling.why("The path and what is accepted are enough to correct it once. Nothing was written.")


async def _undercutting(scene: Scene) -> None:
    scene.telling.title("A rule of the business")
    line = {"sku": "ABC-1234", "quantity": 3, "unit_price_minor": 2_249}
    reply = await scene.call("quote_create", {**scene.order, "lines": [line]})
    expect(reply.code == "price_below_hard_floor", "a price under the hard floor is refused")
    expect(reply.fault.get("retry") == "never", "a domain fault is final")
    scene.telling.why("Another class of failure: its code says stop and report, where the one before said correct it.")


async def _prying(scene: Scene) -> None:
    scene.telling.title("Another company's invoice, and one that does not exist")
    theirs = await scene.call("invoice_get", {"invoice_reference": "INV-2026-0001"}, who="globex's clerk")
    nobodys = await scene.call("invoice_get", {"invoice_reference": "INV-2026-0000"}, who="globex's clerk")
    expect(theirs.code == "unknown_invoice", "another company's invoice is unknown")
    expect(theirs.wire == nobodys.wire, "a foreign and a made-up reference get the same bytes")
    scene.telling.why("The two answers are equal byte for byte: the tenant stands in the query, not in an argument.")


async def _paging(scene: Scene) -> None:
    scene.telling.title("A list in pages")
    first = await scene.call("invoice_list", {"status": "overdue", "limit": 2})
    scene.telling.came(_references(first))
    following = {"status": "overdue", "limit": 2, "cursor": first.structured.get("next_cursor", "")}
    second = await scene.call("invoice_list", following)
    scene.telling.came(_references(second))
    stolen = await scene.call("invoice_list", following, who="globex's clerk")
    expect(_references(first) == "INV-2026-0031, INV-2026-0032", "the first page has the two that were due first")
    expect(_references(second) == "INV-2026-0033, INV-2026-0034", "the second page goes on where the first ended")
    expect(stolen.code == "cursor_invalid", "a cursor is good for its caller alone")
    scene.telling.why("A cursor is sealed and bound to its caller and filter; in other hands it opens nothing.")


def _references(reply: Reply) -> str:
    return ", ".join(item["invoice_reference"] for item in reply.structured.get("items", []))


async def _invoicing(scene: Scene) -> None:
    scene.telling.title("An invoice, from a draft to its number")
    line = {"description": "Support in October", "quantity": "7.5", "unit_price": "64.90", "tax_rate": "general"}
    order: dict[str, object] = {
        "customer_reference": "C-000006",
        "operation_type": "service",
        "currency": "EUR",
        "due_on": "2099-12-31",
        "lines": [line],
        "idempotency_key": "demo-draft-4711-a",
    }
    draft = await scene.call("invoice_create", order)
    expect(draft.structured.get("amount_minor") == 58_897, "486.75 and 21 % of it are payable")
    issue = {"invoice_reference": draft.structured["invoice_reference"], "expected_version": "1"}
    issued = await scene.call("invoice_finalize", {**issue, "idempotency_key": "demo-issue-4711-a"})
    expect(issued.structured.get("state") == "final", "the draft is issued")
    again = await scene.call("invoice_finalize", {**issue, "expected_version": issued.structured["version"]})
    expect(again.code == "wrong_state", "an invoice is issued once")
    scene.telling.why("State moves by its own tool and names the version that was read; numbers have no gaps.")


async def _reporting(scene: Scene) -> None:
    scene.telling.title("Revenue of a quarter, by weeks")
    quarter = {"first_day": "2026-07-01", "before": "2026-10-01", "time_zone": "Europe/Madrid", "group_by": "iso_week"}
    reply = await scene.call("revenue_report", quarter)
    scene.telling.came(", ".join(f"{each['revenue_minor']} {each['currency']}" for each in reply.structured["totals"]))
    weeks = reply.structured["items"]
    expect(
        len(weeks) == 14 and reply.structured["complete"] is True, "a quarter meets fourteen weeks, all of them here"
    )
    expect((weeks[-1]["period"], weeks[-1]["is_whole"]) == ("2026-W40", False), "the last week goes on after it")
    scene.telling.why("One total for each currency and none for all; a week that the quarter cuts says so.")


async def _knocking(scene: Scene) -> None:
    scene.telling.title("No token")
    scene.telling.sent("nobody: tools/list")
    async with httpx2.AsyncClient() as http:
        reply = await http.post(scene.desk.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    scene.telling.came(f"HTTP {reply.status_code}")
    expect(reply.status_code == 401, "a request without a token is refused")
    scene.telling.why("Who calls is decided before anything else is read, and never by an argument.")


async def _recording(scene: Scene) -> None:
    scene.telling.title("What stays: a record of every call")
    command = ("runs", "list", "--store", scene.server.store)
    recorded = await _recorded(command, at_least=scene.calls)
    expect(recorded == scene.calls, f"each of {scene.calls} calls left one record; there are {recorded}")
    scene.telling.sent(f"fourfold {' '.join(command)}")
    scene.telling.table(output_of(command))
    scene.telling.why(
        "Refused and repeated calls too, with account and outcome. A write's record is in its transaction."
    )


async def _accounting(scene: Scene) -> None:
    scene.telling.title("Which account saw which failure")
    command = ("runs", "failures", "--store", scene.server.store)
    scene.telling.sent(f"fourfold {' '.join(command)}")
    shown = output_of(command)
    scene.telling.table(shown)
    expect("price_below_hard_floor" in shown, "the failures are counted by account, tool and code")
    scene.telling.why("The account comes from the contract, so it is there although the call failed.")


async def _recorded(command: tuple[str, ...], *, at_least: int) -> int:
    """How many runs are stored; those of reads come in batches, so wait for them for a while."""
    give_up = time.monotonic() + _RECORDED_WITHIN_S
    while True:
        found = len(json.loads(output_of((*command, "--json")))["runs"])
        if found >= at_least or time.monotonic() > give_up:
            return found
        await anyio.sleep(0.1)


_STEPS: tuple[Callable[[Scene], Awaitable[None]], ...] = (
    _listing,
    _finding,
    _quoting,
    _repeating,
    _doubling,
    _misspelling,
    _undercutting,
    _prying,
    _paging,
    _invoicing,
    _reporting,
    _knocking,
    _recording,
    _accounting,
    planning,
    agreeing,
)
