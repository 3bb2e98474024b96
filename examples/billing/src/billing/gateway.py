"""What the billing server knows of the payment gateway: how to ask for a refund, and where the gateway is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from typing import Protocol
from urllib.parse import urlsplit

from pydantic import SecretStr

from billing.catalog import catalog
from billing.money import InvoiceCurrency
from fourfold import Clock, Fault, Retry
from fourfold.effects import RequestBudget

__all__ = [
    "TIMEOUT_VARIABLE",
    "TOKEN_VARIABLE",
    "URL_VARIABLE",
    "GatewaySettings",
    "PaymentGateway",
    "Receipt",
    "RefundDeclined",
    "RefundOrder",
    "gateway_of",
]

URL_VARIABLE = "BILLING_GATEWAY_URL"
"""Environment variable with the gateway's base URL; without it, that of `examples/payment_gateway`."""

TOKEN_VARIABLE = "BILLING_GATEWAY_TOKEN"  # noqa: S105  the name of the variable
"""Environment variable with the gateway's bearer token; without it, the public one of the demo."""

TIMEOUT_VARIABLE = "BILLING_GATEWAY_TIMEOUT_MS"
"""Environment variable with the milliseconds that one request to the gateway may take; 5,000 without it."""

_DEMO_URL, _DEMO_TOKEN = "http://127.0.0.1:8766", "demo-gateway-token"


class RefundDeclined(Fault):
    """The payment gateway declined the refund; no money was moved."""

    code, retry = "refund_declined", Retry.NEVER
    next_step = "Tell the user; the money has to be paid back in another way"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefundOrder:
    """What the gateway is asked to pay back."""

    payment_reference: str
    currency: InvoiceCurrency
    amount_minor: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the gateway says once it has paid back; its fee is in minor units of the refund's currency."""

    refund_id: str
    fee_minor: int = 0


class PaymentGateway(Protocol):
    """Pays back."""

    async def refund(self, order: RefundOrder, *, key: str) -> Receipt:
        """Pay back, once for each `key`, however often it is asked for.

        Raises:
            RefundDeclined, UpstreamRejected: it did not, and will not.
            UpstreamUnavailable: it may or may not have; ask again with the same key.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewaySettings:
    """Where the gateway is. The token is in no text that is made of this."""

    url: str
    token: SecretStr
    timeout: timedelta

    @classmethod
    def from_environment(cls) -> GatewaySettings:
        """What the environment says, or the demo's.

        Raises:
            ValueError: the token would travel unencrypted to another machine, or the timeout is out of range.
        """
        url = os.environ.get(URL_VARIABLE, _DEMO_URL)
        if not _is_private(url):
            raise ValueError(f"{URL_VARIABLE} must be an https URL; http is for a gateway on this machine")
        timeout = timedelta(milliseconds=int(os.environ.get(TIMEOUT_VARIABLE, "5000")))
        if not timedelta() < timeout <= timedelta(minutes=1):
            raise ValueError(f"{TIMEOUT_VARIABLE} must be from 1 to 60000")
        return cls(url=url, token=SecretStr(os.environ.get(TOKEN_VARIABLE, _DEMO_TOKEN)), timeout=timeout)


def _is_private(url: str) -> bool:
    """Whether nobody on the way can read what is sent to `url`."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme == "https" or host == "localhost":
        return bool(host)
    try:
        return parts.scheme == "http" and ip_address(host).is_loopback
    except ValueError:
        return False


@catalog.provide
def gateway_of(requests: RequestBudget, clock: Clock) -> PaymentGateway:
    """The gateway over HTTP, loaded with the first refund, so that handlers are tested without it."""
    from billing.gateway_http import HttpGateway

    return HttpGateway(settings=GatewaySettings.from_environment(), requests=requests, clock=clock)
