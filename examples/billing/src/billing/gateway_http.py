"""The payment gateway over HTTP: what it is sent, and what its answers mean. Fourfold asks again where it may."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from ssl import SSLContext

import httpx2
from pydantic import BaseModel, ConfigDict, Field

from billing.gateway import GatewaySettings, Receipt, RefundDeclined, RefundOrder
from fourfold import Clock, UpstreamRejected
from fourfold.adapters.upstream import HttpUpstream, UpstreamTerms
from fourfold.effects import RequestBudget

__all__ = ["HttpGateway", "UnexpectedAnswer"]

_A_MINUTE = 100
"""Requests that the contract with the gateway allows, by all replicas together."""


class UnexpectedAnswer(Exception):
    """The gateway answered what nobody agreed on, or does not know us. A person has to look; repeating is safe."""


class _Refund(BaseModel):
    """The part of the gateway's answer that is needed. It may say more by now."""

    model_config = ConfigDict(extra="ignore", strict=True)

    refund_id: str = Field(min_length=1, max_length=64)
    fee_minor: int = Field(default=0, ge=0, le=1_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpGateway:
    """`PaymentGateway` at a URL. Its connections last for one refund: there are few, and each in a call of its own."""

    settings: GatewaySettings
    requests: RequestBudget
    clock: Clock

    async def refund(self, order: RefundOrder, *, key: str) -> Receipt:
        """Pay back; `PaymentGateway` says more.

        Raises:
            RefundDeclined, UpstreamRejected, UpstreamUnavailable: as `PaymentGateway` says.
            UnexpectedAnswer: the answer means nothing here.
        """
        settings = self.settings
        headers = {"Authorization": f"Bearer {settings.token.get_secret_value()}"}
        terms = UpstreamTerms(name="payment-gateway", most=_A_MINUTE, request_s=settings.timeout.total_seconds())
        async with httpx2.AsyncClient(base_url=settings.url, headers=headers, verify=_trust()) as http:
            upstream = HttpUpstream(http, terms, requests=self.requests, clock=self.clock)
            answer = await upstream.send("POST", "/v1/refunds", body=asdict(order), key=key)
        return _receipt(answer)


@cache
def _trust() -> SSLContext:
    """Whom to trust, made once: it takes longer than a request."""
    return httpx2.create_ssl_context()


def _receipt(answer: httpx2.Response) -> Receipt:
    match answer.status_code:
        case 200 | 201:
            told = _read(answer)
            return Receipt(told.refund_id, told.fee_minor)
        case 402:
            raise RefundDeclined
        case 400 | 404 | 422:
            raise UpstreamRejected(f"The payment gateway refused the request with {answer.status_code}")
        case other:
            raise UnexpectedAnswer(f"the payment gateway answered {other}")


def _read(answer: httpx2.Response) -> _Refund:
    try:
        return _Refund.model_validate_json(answer.content)
    except ValueError:
        raise UnexpectedAnswer("the payment gateway's answer has no refund_id") from None
