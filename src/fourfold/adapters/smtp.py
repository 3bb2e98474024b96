"""`SmtpSender`: sends mails from the outbox over SMTP (RFC 5321), one recipient each."""

from __future__ import annotations

import hashlib
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from typing import Literal

import anyio.to_thread

from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.model.message import Delivery

__all__ = ["SmtpLogin", "SmtpSender"]

Security = Literal["starttls", "tls", "none"]

_FIELDS = ["subject", "text", "to"]


@dataclass(frozen=True, slots=True)
class SmtpLogin:
    """User and password. No `repr` shows the password."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpSender:
    """Sends `{"to": …, "subject": …, "text": …}` as a mail (ports.outbox.Sender).

    There is one recipient to a message: with two, one could have got it when the other was refused. `Message-ID` is
    made from the dedupe key, so that mailboxes which drop duplicates see that a second delivery is one.

    Attributes:
        sender: address that mails come from; its domain stands in the `Message-ID`.
        security: `starttls` (port 587), `tls` from the first byte (port 465), or `none` for a relay on this machine.
        timeout_s: seconds for the connection and for each answer of the server; less than an attempt of the relay has.
    """

    host: str
    port: int
    sender: str
    security: Security = "starttls"
    login: SmtpLogin | None = None
    timeout_s: float = 10.0
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context, repr=False)

    def __post_init__(self) -> None:
        if self.login is not None and self.security == "none":
            raise ValueError("a password is sent over TLS only: give security='starttls' or 'tls'")

    async def send(self, delivery: Delivery) -> None:
        """Hand one mail to the server.

        Raises:
            UpstreamRejected: the payload is no mail, or the server refuses it for good (5xx).
            UpstreamUnavailable: the server cannot be reached, says later (4xx), or does not let us in.
        """
        mail = self._written(delivery)
        await anyio.to_thread.run_sync(self._handed_over, mail)

    def _written(self, delivery: Delivery) -> EmailMessage:
        payload = delivery.payload
        mail = EmailMessage(policy=SMTP)
        try:
            headers = _headers(payload)
            mail["From"] = self.sender
            for name, value in headers.items():
                mail[name] = value
            mail["Date"] = formatdate(delivery.created_ms / 1000)
            mail["Message-ID"] = _message_id(delivery, self.sender)
            mail.set_content(payload["text"])
        except (KeyError, ValueError):  # a line break in a header is a ValueError of the library
            raise UpstreamRejected(
                "the payload is no mail: give to (one address), subject and text, headers in one line"
            ) from None
        return mail

    def _handed_over(self, mail: EmailMessage) -> None:
        try:
            server = self._connected()
            try:
                server.send_message(mail)
                # The mail is the server's by now, whatever it says to our farewell.
                with suppress(OSError):
                    server.quit()
            finally:
                server.close()
        except smtplib.SMTPRecipientsRefused as refused:
            ((code, _),) = refused.recipients.values()
            raise _refusal(code) from None
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
            raise _refusal(error.smtp_code) from None
        except OSError as error:  # every other SMTPException as well: a wrong password is about us, not about the mail
            raise UpstreamUnavailable(f"the mail server cannot be used: {type(error).__name__}") from None

    def _connected(self) -> smtplib.SMTP:
        if self.security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=self.timeout_s, context=self.context)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=self.timeout_s)
        try:
            if self.security == "starttls":
                server.starttls(context=self.context)
            if self.login is not None:
                server.login(self.login.user, self.login.password)
        except BaseException:
            server.close()
            raise
        return server


def _headers(payload: Mapping[str, object]) -> dict[str, str]:
    """`To` and `Subject`.

    Raises:
        ValueError: something else is in the payload, or `to` is more than one address.
    """
    to, subject, text = payload["to"], payload["subject"], payload["text"]
    if sorted(payload) != _FIELDS or not (isinstance(to, str) and isinstance(subject, str) and isinstance(text, str)):
        raise ValueError("the fields of a mail are to, subject and text")
    if to.count("@") != 1 or any(char in to for char in ",;"):
        raise ValueError("one address")
    return {"To": to, "Subject": subject}


def _message_id(delivery: Delivery, sender: str) -> str:
    """The same for every attempt; the tenant is in it, since dedupe keys are unique in theirs."""
    digest = hashlib.sha256(f"fourfold/mail/v1\0{delivery.tenant}\0{delivery.dedupe_key}".encode()).hexdigest()
    return f"<{digest[:40]}@{sender.rpartition('@')[2]}>"


def _refusal(code: int) -> UpstreamRejected | UpstreamUnavailable:
    """What an SMTP reply code means (RFC 5321, section 4.2.1): 5yz is for good, 4yz for now."""
    said = f"the mail server answered {code}"
    return UpstreamRejected(said) if 500 <= code <= 599 else UpstreamUnavailable(said)
