"""`fourfold outbox`: messages that follow effects, sent or not, and sending them by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import cast, get_args

import anyio
import click

from fourfold.bootstrap.maintenance import store_exists
from fourfold.bootstrap.service import open_service
from fourfold.cli.context import Setting, config_option, find_store, read_setting, store_option
from fourfold.cli.deciding import Decider, Listed, audit_lines, deciding, fact_lines, listed, look, prove, say_if_cut
from fourfold.cli.flags import InOrder, StrictCommand
from fourfold.cli.output import json_option, print_json, table, when
from fourfold.errors import ConfigError
from fourfold.model.audit import AuditEntry
from fourfold.model.message import Message, MessageState
from fourfold.ports.store import Store
from fourfold.ports.units import Unit
from fourfold.stages.relay import Relay, Relayed

__all__ = ["command"]

_STATES: tuple[MessageState, ...] = get_args(MessageState)


@click.group("outbox", cls=InOrder)
def command() -> None:
    """Messages that follow effects: mails and webhooks, sent at least once after the commit.

    `fourfold serve` sends them. A `dead` one was refused, or tried as often as it may be.

    \b
    Examples
      fourfold outbox list --state dead
      fourfold outbox relay billing:catalog
    """


@command.command("list", cls=StrictCommand, short_help="Messages, newest first.")
@listed(*_STATES)
def list_(asked: Listed) -> None:
    """Messages, newest first.

    \b
    Examples
      fourfold outbox list --state dead
      fourfold outbox list --tenant acme --json
    """
    state = cast("MessageState | None", asked.state)  # click has checked it
    found = look(
        asked.store, lambda store, unit: store.messages.list(unit, state=state, tenant=asked.tenant, limit=asked.limit)
    )
    if asked.as_json:
        print_json("outbox-list/v1", {"messages": [_facts(message) for message in found]})
        return
    rows = [
        (when(each.created_ms), each.message_id, each.topic, each.state, each.attempts, each.tenant, each.error)
        for each in found
    ]
    table(("at", "message", "topic", "state", "attempts", "tenant", "error"), rows, empty="No messages.")
    say_if_cut(found, asked.limit)


@command.command("show", cls=StrictCommand, short_help="One message, without what it says.")
@click.argument("message_id", metavar="MESSAGE")
@store_option
@json_option
@config_option
def show(message_id: str, store_url: str | None, *, config_path: Path | None, as_json: bool) -> None:
    """One message, without what it says: that is sealed. Its operation leads to the run, and that to the account.

    \b
    Example
      fourfold outbox show msg_01a22a5902f77b1187acef124703b65e
    """
    message, audit = look(find_store(store_url, config_path), lambda store, unit: _found(store, unit, message_id))
    if as_json:
        print_json("outbox-show/v1", {"message": _facts(message), "audit": [asdict(entry) for entry in audit]})
        return
    for line in [*_lines(message), *audit_lines(audit)]:
        click.echo(line)


@command.command("retry", cls=StrictCommand, short_help="Have a dead message tried again.")
@click.argument("message_id", metavar="MESSAGE")
@click.option("--comment", default="", metavar="TEXT", help="Why; it is kept in the audit.")
@deciding
def retry(decider: Decider, message_id: str, *, comment: str) -> None:
    """Have a dead message tried again from its first attempt, with the same dedupe key.

    You are asked for your operator token; it needs the permission outbox.retry.

    \b
    Example
      fourfold outbox retry msg_01a22a5902f77b1187acef124703b65e --comment "the mailbox exists now"
    """
    message = prove(decider, lambda person, found: person.retry(found.unit, message_id, comment=comment))
    if decider.as_json:
        print_json("outbox-retry/v1", {"message": _facts(message)})
    else:
        click.echo(f"{message_id} is {message.state} and due now")


@command.command("relay", cls=StrictCommand, short_help="Send what is due, once, by hand.")
@click.argument("target")
@store_option
@json_option
@config_option
def relay(target: str, store_url: str | None, *, config_path: Path | None, as_json: bool) -> int:
    """Send what is due with the senders of the catalog TARGET (module:catalog), then end.

    A server does the same all the time, and may run beside it. Exit code 1 if a message died.

    \b
    Example
      fourfold outbox relay billing:catalog
    """
    setting = read_setting(target, config_path)
    url = setting.store(store_url)
    if not store_exists(url):
        raise ConfigError("there is no such store; a server makes it when it is first started")
    relayed = anyio.run(_relayed, setting, url)
    if as_json:
        print_json("outbox-relay/v1", asdict(relayed))
    else:
        click.echo(f"sent {relayed.sent}, waiting {relayed.waiting}, dead {relayed.dead}")
    return 1 if relayed.dead else 0


async def _relayed(setting: Setting, url: str) -> Relayed:
    async with open_service(setting.loaded.built, url) as service:
        return await Relay.over(service.ports).drain()


def _found(store: Store, unit: Unit, message_id: str) -> tuple[Message, Sequence[AuditEntry]]:
    message = store.messages.find(unit, message_id)
    if message is None:
        raise ConfigError(f"no message is {message_id!r} in this store")
    return message, store.audit.list(unit, tenant=None, about=message_id, limit=100)


def _facts(message: Message) -> dict[str, object]:
    """A message as JSON, without its sealed payload."""
    facts = asdict(message)
    del facts["payload"]
    return facts


def _lines(message: Message) -> list[str]:
    facts = _facts(message)
    for name in ("created_ms", "next_ms", "sent_ms"):
        at = facts.pop(name)
        facts[name.removesuffix("_ms")] = when(at) if isinstance(at, int) and at else None
    if message.state != "waiting":
        del facts["next"]
    return fact_lines(list(facts.items()))
