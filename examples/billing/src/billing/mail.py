"""Who sends the mails of the outbox: an SMTP server, named by the environment of whoever serves the catalog."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from billing.catalog import catalog
from fourfold.effects import Delivery

if TYPE_CHECKING:
    from fourfold.adapters.smtp import SmtpSender

__all__ = ["MAIL_VARIABLE", "send_mail"]

MAIL_VARIABLE = "BILLING_SMTP"
"""Environment variable with `host:port` of a mail server on this machine or beside it, which takes mails as they are.

Without it there is none at the usual place of a test sink, and mails wait in the outbox.
"""

_DEFAULT = "127.0.0.1:1025"
_SENDER = "invoices@billing.example"


@catalog.sender("mail")
async def send_mail(delivery: Delivery) -> None:
    """Hand one mail to the server."""
    await _server(os.environ.get(MAIL_VARIABLE, _DEFAULT)).send(delivery)


@cache
def _server(address: str) -> SmtpSender:
    from fourfold.adapters.smtp import SmtpSender

    host, _, port = address.rpartition(":")
    return SmtpSender(host=host, port=int(port), sender=_SENDER, security="none")
