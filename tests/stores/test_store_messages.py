"""The contract of `ports.Messages`, for every adapter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fourfold.model.message import Message, MessageState
from tests.stores.domain import Store, own_write, read
from tests.stores.records import NOON_MS, message_of

pytestmark = pytest.mark.anyio


async def added(store: Store, *messages: Message) -> list[bool]:
    """Store `messages`, and say which of them were new."""
    return await own_write(store, lambda unit: [store.messages.add(unit, message) for message in messages])


async def due(store: Store, at_ms: int, *, limit: int = 10) -> list[str]:
    """The ids of messages that a relay takes for a minute."""
    taken = await own_write(
        store, lambda unit: store.messages.due(unit, now_ms=at_ms, until_ms=at_ms + 60_000, limit=limit)
    )
    return [message.message_id for message in taken]


async def listed(
    store: Store, *, state: MessageState | None = None, tenant: str | None = None, limit: int = 10
) -> Sequence[Message]:
    """What an operator sees."""
    return await read(store.units, lambda unit: store.messages.list(unit, state=state, tenant=tenant, limit=limit))


async def test_a_message_is_stored_once_for_each_dedupe_key_of_a_tenant(store: Store) -> None:
    """D1: a retry of an operation sends nothing twice."""
    first = message_of("msg-1", dedupe_key="op-1/0")
    again = message_of("msg-2", dedupe_key="op-1/0")
    elsewhere = message_of("msg-3", dedupe_key="op-1/0", tenant="globex", created_ms=NOON_MS + 1)

    assert await added(store, first, again, elsewhere) == [True, False, True]
    assert await listed(store) == [elsewhere, first]


async def test_due_messages_are_taken_oldest_first_and_kept_from_others(store: Store) -> None:
    """D1: one that a relay took and lost is due again after its time."""
    await added(
        store,
        message_of("msg-2", next_ms=NOON_MS + 2),
        message_of("msg-1", next_ms=NOON_MS + 1),
        message_of("msg-3", next_ms=NOON_MS + 9),
    )

    assert await due(store, NOON_MS + 5, limit=1) == ["msg-1"]
    assert await due(store, NOON_MS + 5) == ["msg-2"]
    assert await due(store, NOON_MS + 5) == []
    assert await due(store, NOON_MS + 60_005) == ["msg-3", "msg-1", "msg-2"]


async def test_a_message_that_was_sent_is_never_due_again(store: Store) -> None:
    """D1: nor does a late failure bring it back."""
    await added(store, message_of("msg-1"))
    await due(store, NOON_MS)
    await own_write(store, lambda unit: store.messages.sent(unit, "msg-1", sent_ms=NOON_MS + 5))
    await own_write(store, lambda unit: store.messages.failed(unit, "msg-1", next_ms=NOON_MS + 6, error="late"))

    assert await due(store, NOON_MS + 999_999) == []
    (message,) = await listed(store, state="sent")
    assert (message.attempts, message.sent_ms, message.error) == (1, NOON_MS + 5, "")


async def test_a_delivery_that_failed_is_due_when_its_pause_is_over(store: Store) -> None:
    """D1: with what the last failure was."""
    await added(store, message_of("msg-1"))
    await due(store, NOON_MS)
    await own_write(
        store, lambda unit: store.messages.failed(unit, "msg-1", next_ms=NOON_MS + 5_000, error="450 mailbox busy")
    )

    assert await due(store, NOON_MS + 4_999) == []
    assert await due(store, NOON_MS + 5_000) == ["msg-1"]
    (message,) = await listed(store, state="waiting")
    assert (message.attempts, message.error) == (2, "450 mailbox busy")


async def test_a_dead_message_waits_for_a_person(store: Store) -> None:
    """D1: who can make it due again, from its first attempt on."""
    await added(store, message_of("msg-1"))
    await due(store, NOON_MS)
    await own_write(store, lambda unit: store.messages.failed(unit, "msg-1", next_ms=None, error="550 no such user"))

    assert await due(store, NOON_MS + 999_999) == []
    assert [message.message_id for message in await listed(store, state="dead")] == ["msg-1"]
    assert await own_write(store, lambda unit: store.messages.retry(unit, "msg-1", now_ms=NOON_MS + 7))
    assert not await own_write(store, lambda unit: store.messages.retry(unit, "msg-1", now_ms=NOON_MS + 8))
    assert await due(store, NOON_MS + 7) == ["msg-1"]
    assert [message.attempts for message in await listed(store)] == [1]


async def test_messages_are_listed_newest_first_by_state_and_tenant(store: Store) -> None:
    """D1: with every field."""
    first = message_of("msg-1", created_ms=NOON_MS + 1)
    second = message_of("msg-2", created_ms=NOON_MS + 2, tenant="globex", topic="webhook")
    await added(store, first, second)

    assert await listed(store) == [second, first]
    assert await listed(store, tenant="acme") == [first]
    assert await listed(store, state="dead") == []
    assert await listed(store, limit=1) == [second]


async def test_only_messages_that_were_sent_are_dropped(store: Store) -> None:
    """D1: the oldest first, so many at a time."""
    await added(store, *(message_of(f"msg-{number}") for number in range(4)))
    for number in (1, 2, 3):
        sent_ms = NOON_MS + number
        await own_write(
            store, lambda unit, number=number, at=sent_ms: store.messages.sent(unit, f"msg-{number}", sent_ms=at)
        )

    async def purged(before_ms: int, limit: int) -> int:
        return await own_write(store, lambda unit: store.messages.purge(unit, before_ms=before_ms, limit=limit))

    assert await purged(NOON_MS + 3, 1) == 1
    assert await purged(NOON_MS + 3, 9) == 1
    assert sorted(message.message_id for message in await listed(store)) == ["msg-0", "msg-3"]
    assert replace(message_of("msg-0")) in await listed(store)


async def test_a_message_is_found_by_its_id(store: Store) -> None:
    """D1: whoever asks looks at its tenant."""
    await added(store, message_of("msg-1", tenant="globex"))

    found = await read(store.units, lambda unit: store.messages.find(unit, "msg-1"))
    assert found == message_of("msg-1", tenant="globex")
    assert await read(store.units, lambda unit: store.messages.find(unit, "msg-2")) is None
