"""The service: refunds under `/v1`, and `/control`, where tests and demos say what goes wrong and read what came in.

| request | answer |
|---|---|
| `POST /v1/refunds` with `Idempotency-Key` | 201; 200 a repeat; 400 unreadable; 422 the key of another order |
| `GET /v1/refunds/{key}` | 200 or 404 |
| `POST /control/troubles` `{"trouble", "times", "retry_after"}` | 204 |
| `GET /control` | 200 `{"requests", "keys", "refunds"}` |
| `DELETE /control` | 204: no trouble, no refunds, nothing counted |

`/v1` takes a bearer token; `/control` takes none and is why this service belongs on a loopback address.
"""

from __future__ import annotations

import hmac
import json
from dataclasses import asdict, dataclass, field
from typing import Any, cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from payment_gateway.ledger import Conflict, Ledger, Refund, RefundOrder
from payment_gateway.trouble import AFTER_PAYING, TROUBLES, Troubles, answer_to

__all__ = ["DEMO_TOKEN", "application"]

DEMO_TOKEN = "demo-gateway-token"  # noqa: S105  for demonstration, and public
"""What the gateway takes when it is told of no other token."""

FEE_MINOR = 25
"""What the gateway keeps of a refund, in minor units of its currency."""


@dataclass(slots=True)
class _Gateway:
    """The endpoints, over a ledger."""

    ledger: Ledger
    token: str
    troubles: Troubles = field(default_factory=Troubles)
    keys: list[str] = field(default_factory=list[str])

    async def pay_back(self, request: Request) -> Response:
        """`POST /v1/refunds`."""
        if not self._knows(request):
            return _error(401, "unknown_token")
        key = request.headers.get("idempotency-key", "")
        self.keys.append(key)
        order = _order_in(await request.body())
        if order is None or not 16 <= len(key) <= 128:
            return _error(400, "bad_request")
        trouble = self.troubles.next()
        if trouble is not None and trouble[0] not in AFTER_PAYING:
            return answer_to(*trouble)
        try:
            refund = self.ledger.pay_back(key, order)
        except Conflict:
            return _error(422, "key_of_another_order")
        return answer_to(*trouble) if trouble is not None else _told(refund, status=201 if refund.is_new else 200)

    async def find(self, request: Request) -> Response:
        """`GET /v1/refunds/{key}`."""
        if not self._knows(request):
            return _error(401, "unknown_token")
        found = self.ledger.find(request.path_params["key"])
        return _told(found, status=200) if found is not None else _error(404, "unknown_key")

    async def ask_for_trouble(self, request: Request) -> Response:
        """`POST /control/troubles`."""
        wanted: dict[str, Any] = await request.json()
        if wanted.get("trouble") not in TROUBLES:
            return _error(400, "unknown_trouble")
        retry_after = wanted.get("retry_after")
        self.troubles.ask(wanted["trouble"], times=int(wanted.get("times", 1)), retry_after=retry_after)
        return Response(status_code=204)

    async def seen(self, request: Request) -> Response:
        """`GET /control`."""
        return JSONResponse({"requests": len(self.keys), "keys": self.keys, "refunds": self.ledger.count()})

    async def forget(self, request: Request) -> Response:
        """`DELETE /control`."""
        self.keys.clear()
        self.troubles.waiting.clear()
        self.ledger.forget()
        return Response(status_code=204)

    def _knows(self, request: Request) -> bool:
        given = request.headers.get("authorization", "")
        return hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode())


def application(ledger: Ledger, *, token: str = DEMO_TOKEN) -> Starlette:
    """The service over `ledger`; whoever calls it needs `token`."""
    gateway = _Gateway(ledger, token)
    return Starlette(
        routes=[
            Route("/v1/refunds", gateway.pay_back, methods=["POST"]),
            Route("/v1/refunds/{key}", gateway.find, methods=["GET"]),
            Route("/control/troubles", gateway.ask_for_trouble, methods=["POST"]),
            Route("/control", gateway.seen, methods=["GET"]),
            Route("/control", gateway.forget, methods=["DELETE"]),
        ]
    )


def _order_in(body: bytes) -> RefundOrder | None:
    """The order in a request's body, or `None` if there is none in it."""
    try:
        given = json.loads(body)
    except ValueError:
        return None
    match given:
        case {"payment_reference": str() as reference, "currency": str() as currency, "amount_minor": int() as amount}:
            order = RefundOrder(payment_reference=reference, currency=currency, amount_minor=amount)
            return order if amount > 0 and len(cast("dict[str, Any]", given)) == 3 else None
        case _:
            return None


def _told(refund: Refund, *, status: int) -> Response:
    told = {"refund_id": refund.refund_id, **asdict(refund.order), "fee_minor": FEE_MINOR}
    return JSONResponse(told, status_code=status)


def _error(status: int, code: str) -> Response:
    return JSONResponse({"error": code}, status_code=status)
