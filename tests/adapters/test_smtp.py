"""Mails from the outbox, handed to a real server on a socket."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_string
from pathlib import Path
from typing import Any

import pytest

from fourfold.adapters.smtp import SmtpLogin, SmtpSender
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.model.message import Delivery
from tests.adapters.receiving import Mailbox, certificate, mailbox

pytestmark = pytest.mark.anyio

DELIVERY = Delivery(
    message_id="msg_1",
    tenant="acme",
    operation_id="op_1",
    topic="mail",
    dedupe_key="op_1:1",
    payload={"to": "ada@example.com", "subject": "Your invoice INV-1", "text": "It is due.\n"},
    created_ms=1_793_491_200_000,
    attempt=1,
)


def sender_to(box: Mailbox, **changes: Any) -> SmtpSender:
    """A sender to that server."""
    given: dict[str, Any] = {"security": "none", "timeout_s": 5.0, **changes}
    return SmtpSender(host="127.0.0.1", port=box.port, sender="billing@acme.example", **given)


def with_payload(**changes: Any) -> Delivery:
    """The delivery with another payload."""
    return replace(DELIVERY, payload={**DELIVERY.payload, **changes})


async def test_a_mail_arrives_as_it_was_meant() -> None:
    """B4: from, to, subject, text and the date of the operation."""
    async with mailbox() as box:
        await sender_to(box).send(DELIVERY)
    (mail,) = [message_from_string(text) for text in box.mails]

    assert (mail["From"], mail["To"]) == ("billing@acme.example", "ada@example.com")
    assert (mail["Subject"], mail["Date"]) == ("Your invoice INV-1", "Sun, 01 Nov 2026 00:00:00 -0000")
    assert str(mail.get_payload()).startswith("It is due.")


async def test_the_message_id_is_that_of_the_dedupe_key() -> None:
    """B4: the same in each attempt, another for another key or tenant; the key itself is not told to the mailbox."""
    async with mailbox() as box:
        sender = sender_to(box)
        for delivery in (
            DELIVERY,
            replace(DELIVERY, attempt=2, message_id="msg_2"),
            replace(DELIVERY, dedupe_key="op_1:2"),
            replace(DELIVERY, tenant="globex"),
        ):
            await sender.send(delivery)
    first, again, other_key, other_tenant = (message_from_string(text)["Message-ID"] for text in box.mails)

    assert first == again
    assert len({first, other_key, other_tenant}) == 3
    assert first.endswith("@acme.example>")
    assert "op_1" not in first


@pytest.mark.parametrize(
    "payload",
    [
        {"to": "ada@example.com, bob@example.com"},
        {"to": ["ada@example.com"]},
        {"to": "nobody"},
        {"to": "ada@example.com\r\nBcc: all@example.com"},
        {"subject": "hello\nBcc: all@example.com"},
        {"text": 7},
        {"html": "<b>more</b>"},
    ],
)
async def test_what_is_no_mail_is_dead_at_once(payload: dict[str, Any]) -> None:
    """B4, A5: no header can be smuggled in, nothing is half sent, and the error does not repeat the payload."""
    async with mailbox() as box:
        with pytest.raises(UpstreamRejected) as refused:
            await sender_to(box).send(with_payload(**payload))

    assert box.mails == []
    assert "example.com" not in refused.value.message


@pytest.mark.parametrize(
    ("replies", "error", "message"),
    [
        ({"RCPT": "550 no such mailbox"}, UpstreamRejected, "the mail server answered 550"),
        ({"RCPT": "450 try later"}, UpstreamUnavailable, "the mail server answered 450"),
        ({"MAIL": "553 not from you"}, UpstreamRejected, "the mail server answered 553"),
        ({"DATA": "451 busy"}, UpstreamUnavailable, "the mail server answered 451"),
        ({"ACCEPTED": "554 spam"}, UpstreamRejected, "the mail server answered 554"),
        ({"GREETING": "554 go away"}, UpstreamUnavailable, "the mail server cannot be used: SMTPConnectError"),
        ({"ACCEPTED": ""}, UpstreamUnavailable, "the mail server cannot be used: SMTPServerDisconnected"),
        ({"EHLO": "", "HELO": ""}, UpstreamUnavailable, "the mail server cannot be used: SMTPServerDisconnected"),
    ],
)
async def test_the_server_decides_whether_it_comes_again(
    replies: dict[str, str], error: type[Exception], message: str
) -> None:
    """B4, C4: 5xx about the mail is for good; all else is tried again."""
    async with mailbox(None, **replies) as box:
        with pytest.raises(error, match=f"^{message}$"):
            await sender_to(box).send(DELIVERY)


async def test_a_mail_that_was_taken_is_not_lost_to_a_bad_farewell() -> None:
    """B4: the server has it, so it is not sent again."""
    async with mailbox(QUIT="421 too late") as box:
        await sender_to(box).send(DELIVERY)

    assert len(box.mails) == 1


async def test_a_server_that_is_not_there_is_tried_again() -> None:
    """C4: nothing was sent."""
    async with mailbox() as box:
        pass
    with pytest.raises(UpstreamUnavailable, match="cannot be used: ConnectionRefusedError"):
        await sender_to(box).send(DELIVERY)


async def test_tls_is_spoken_with_a_server_that_is_known(tmp_path: Path) -> None:
    """B18: with the password over it, and not with a server whose certificate nobody vouches for."""
    for_server, for_client = certificate(tmp_path)
    login = SmtpLogin("billing", "correct horse")
    async with mailbox(for_server) as box:
        await sender_to(box, security="tls", context=for_client, login=login).send(DELIVERY)
        with pytest.raises(UpstreamUnavailable, match="SSLCertVerificationError"):
            await sender_to(box, security="tls").send(DELIVERY)

    assert len(box.mails) == 1


async def test_a_wrong_password_leaves_the_mail_waiting(tmp_path: Path) -> None:
    """B4: it is our fault and not the mail's."""
    for_server, for_client = certificate(tmp_path)
    async with mailbox(for_server, AUTH="535 wrong") as box:
        sender = sender_to(box, security="tls", context=for_client, login=SmtpLogin("billing", "wrong"))
        with pytest.raises(UpstreamUnavailable, match="SMTPAuthenticationError"):
            await sender.send(DELIVERY)


async def test_a_server_without_tls_gets_nothing() -> None:
    """B18: `starttls` is not skipped when it is not offered."""
    async with mailbox() as box:
        with pytest.raises(UpstreamUnavailable, match="SMTPNotSupportedError"):
            await sender_to(box, security="starttls").send(DELIVERY)

    assert box.recipients == []


def test_a_password_is_neither_sent_nor_shown_in_the_clear() -> None:
    """A5, B18: refused when the sender is made; no `repr` has it."""
    login = SmtpLogin("billing", "correct horse")

    with pytest.raises(ValueError, match="over TLS only"):
        SmtpSender(host="mail.example.com", port=25, sender="a@example.com", security="none", login=login)
    assert "horse" not in repr(SmtpSender(host="mail.example.com", port=587, sender="a@example.com", login=login))
