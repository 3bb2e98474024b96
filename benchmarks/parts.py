"""Where the time of a call goes, piece by piece and in one process: what the contract costs beside the protocol."""

from __future__ import annotations

import json
import secrets
from itertools import count
from pathlib import Path

import anyio

from benchmarks.fourfold_contender import CALLER, IDENTITY, catalog
from benchmarks.posting import posting
from benchmarks.quote import QuoteRequest, price
from benchmarks.report import Part
from benchmarks.rounds import Plan
from benchmarks.sdk_contender import app as sdk_app
from benchmarks.serve import HAS_UVLOOP
from benchmarks.stopwatch import Stopwatch
from benchmarks.wire import http_request
from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.sealer import AesGcmSealer
from fourfold.bootstrap.service import open_service
from fourfold.contracts.digest import fingerprint
from fourfold.contracts.strict_json import parse
from fourfold.edge.asgi import build_app
from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.contract import JsonObject, ToolContract
from fourfold.model.outcome import Done, Outcome
from fourfold.stages.listing import Listing
from fourfold.stages.service import Service

__all__ = ["measure_parts"]

_REQUEST = http_request("quote_preview", mcp=True)
_BODY = _REQUEST.partition(b"\r\n\r\n")[2]
_QUOTE: JsonObject = json.loads(_BODY)["params"]["arguments"]
_ACCOUNT: JsonObject = {"account_id": _QUOTE["account_id"]}


def measure_parts(folder: Path, plan: Plan) -> list[Part]:
    """Every part, cheapest first."""
    watch = Stopwatch(rounds=plan.rounds, seconds=plan.part_seconds)
    return [*_pieces(watch), *anyio.run(_calls, watch, folder, backend_options={"use_uvloop": HAS_UVLOOP})]


def _pieces(watch: Stopwatch) -> list[Part]:
    """What a call goes through that needs no event loop."""
    tool = catalog.build().tools["quote_create"]
    sealer = AesGcmSealer(KeyRing.of(("bench", secrets.token_bytes(32))))
    request = QuoteRequest.model_validate_json(json.dumps(_QUOTE))
    result = price(request)
    shown = catalog.build().tools["quote_preview"].output
    outcome = shown.serialize(result)
    sealed = sealer.seal("outcome", outcome, bind=("op",))

    def intent() -> bytes:
        return fingerprint(
            tool.contract, request, expected_version=None, secrets=tool.secrets, plain=tool.plain, sealer=sealer
        )

    return [
        watch.plain("the handler alone: price three lines", lambda: price(request)),
        watch.plain(f"strict JSON of a request ({len(_BODY):,} bytes)", lambda: parse(_BODY)),
        watch.plain("input contract: check the arguments", lambda: tool.input.check(_QUOTE)),
        watch.plain(f"output contract: check and serialize ({len(outcome)} bytes)", lambda: shown.serialize(result)),
        watch.plain("fingerprint: canonical JSON and SHA-256 (writes only)", intent),
        watch.plain("seal an outcome (writes only)", lambda: sealer.seal("outcome", outcome, bind=("op",))),
        watch.plain("open it again (replays only)", lambda: sealer.open("outcome", sealed, bind=("op",), now_ms=0)),
    ]


async def _calls(watch: Stopwatch, folder: Path) -> list[Part]:
    """Whole calls: through the stages alone, and through the edge without sockets."""
    parts: list[Part] = []
    for store in ("memory:", f"sqlite:///{folder / 'parts.db'}"):
        async with open_service(catalog.build(), store) as service:
            parts += await _through_stages(watch, service, store.partition(":")[0])
    async with open_service(catalog.build(), f"sqlite:///{folder / 'edge.db'}") as service:
        parts += await _through_edge(watch, service, folder)
    return parts


async def _through_stages(watch: Stopwatch, service: Service, store: str) -> list[Part]:
    caller = _Calling(service)
    parts = [
        await watch.each(f"Service.call, {store}: quote_preview (async)", caller.preview),
        await watch.each(f"Service.call, {store}: quote_estimate (plain, in a thread)", caller.estimate),
        await watch.each(f"Service.call, {store}: invoice_list", caller.invoices),
        await watch.each(f"Service.call, {store}: quote_create", caller.create),
    ]
    if store == "sqlite":
        parts += [
            await watch.each(f"Service.call, {store}: quote_create, {width} at once", caller.create, at_once=width)
            for width in (8, 32)
        ]
    return parts


class _Calling:
    """Makes calls as the edge would, each write with another key and price."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._numbers = count(1)

    async def preview(self) -> None:
        """A preview whose handler is async."""
        await self._done("quote_preview", _QUOTE)

    async def estimate(self) -> None:
        """A preview whose handler is a plain function."""
        await self._done("quote_estimate", _QUOTE)

    async def invoices(self) -> None:
        """A read with a store."""
        await self._done("invoice_list", _ACCOUNT)

    async def create(self) -> None:
        """A write."""
        number = next(self._numbers)
        lines = [*_QUOTE["lines"][:2], {**_QUOTE["lines"][2], "unit_price_minor": number}]
        await self._done("quote_create", {**_QUOTE, "lines": lines}, key=f"{number:032}")

    async def _done(self, tool: str, arguments: JsonObject, *, key: str | None = None) -> None:
        outcome = await self._service.call(Call(tool=tool, arguments=arguments, caller=CALLER, meta_key=key))
        assert isinstance(outcome, Done), outcome


async def _through_edge(watch: Stopwatch, service: Service, folder: Path) -> list[Part]:
    whole, hollow = build_app(service, IDENTITY), build_app(_Hollow(service), IDENTITY)
    bare = sdk_app(folder)
    async with bare.router.lifespan_context(bare), whole.running(), hollow.running():
        return [
            await watch.each("ASGI: bare SDK, quote_preview", posting(bare, _REQUEST)),
            await watch.each("ASGI: gate and SDK before a service that does nothing", posting(hollow, _REQUEST)),
            await watch.each("ASGI: gate, SDK and Service, quote_preview", posting(whole, _REQUEST)),
        ]


class _Hollow:
    """A service that knows its tools and answers every call with the same outcome: what is left is the edge."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._done = Done(structured=json.dumps(_QUOTE).encode(), text="done", run_id="run_0")
        self.name, self.version, self.instructions = service.name, service.version, service.instructions
        self.telemetry = service.telemetry

    async def call(self, call: Call) -> Outcome:  # noqa: ARG002  # the port's signature
        """The same outcome, whatever was asked."""
        return self._done

    def list_tools(self, caller: Caller, cursor: str | None) -> Listing:
        """As the real one."""
        return self._service.list_tools(caller, cursor)

    def find(self, caller: Caller, name: str) -> ToolContract | None:
        """As the real one."""
        return self._service.find(caller, name)

    def step_up(self, caller: Caller, name: str) -> frozenset[str]:
        """As the real one."""
        return self._service.step_up(caller, name)
