"""The relay: at least once, with the same key, patiently, and never twice at a time."""

from __future__ import annotations

from random import Random
from typing import Any

import anyio
import pytest

from fourfold.errors import StoreError
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.stages.outbox import Bell
from fourfold.stages.relay import Relay, Relayed
from fourfold.testing import FixedClock
from tests.stages.post import Postman, inside, messages_in, office, relay_of
from tests.stages.serving import Failing, Served, eventually, serving

pytestmark = pytest.mark.anyio

SENT = Relayed(sent=1)
WAITING = Relayed(waiting=1)
DEAD = Relayed(dead=1)


async def post(served: Served, copies: int = 1) -> str:
    """Post a letter in so many copies; its operation."""
    answer = await served.call("letter_post", {"to": "ada@example.com", "copies": copies})
    assert answer.operation_id
    return answer.operation_id


def patient(clock: FixedClock, relay: Relay) -> None:
    """Let the longest wait pass."""
    clock.advance(relay.terms.cap_ms / 1000)


async def test_what_is_due_is_sent_once_with_its_key() -> None:
    """B4: the sender gets the payload open, the key and whose it is; nothing is left to do."""
    postman = Postman()
    async with serving(office(postman)) as served:
        operation = await post(served)
        relay = relay_of(served, postman)

        assert (await relay.once(), await relay.once()) == (SENT, Relayed())
        (delivery,) = postman.got
        assert (delivery.dedupe_key, delivery.payload) == (f"{operation}:1", {"to": "ada@example.com", "copy": 1})
        assert (delivery.tenant, delivery.topic, delivery.attempt) == ("acme", "mail", 1)
        (message,) = await messages_in(served)
        assert (message.state, message.attempts, message.sent_ms) == ("sent", 1, served.service.ports.clock.now_ms())


async def test_a_full_outbox_is_sent_in_bounded_batches() -> None:
    """B4: so many at a time, until none is due."""
    postman = Postman()
    async with serving(office(postman)) as served:
        for _ in range(3):
            await post(served, copies=5)
            FixedClock.advance(_clock_of(served), 601)
        relay = relay_of(served, postman, batch=4)

        assert await relay.once() == Relayed(sent=4)
        assert await relay.drain() == Relayed(sent=11)
        assert len(set(postman.keys)) == 15


async def test_a_failed_delivery_comes_again_with_the_same_key() -> None:
    """B4, C4: whatever was raised, but for the receiver's own no."""
    postman = Postman(
        moods=[UpstreamUnavailable("the receiver answered 503"), RuntimeError("ada@example.com"), OSError()]
    )
    async with serving(office(postman)) as served:
        await post(served)
        relay, clock = relay_of(served, postman), _clock_of(served)
        errors: list[str] = []
        for _ in range(3):
            assert await relay.once() == WAITING
            errors.append((await messages_in(served))[0].error)
            patient(clock, relay)

        assert await relay.once() == SENT
        assert errors == ["the receiver answered 503", "RuntimeError", "OSError"]
        assert ([delivery.attempt for delivery in postman.got], len(set(postman.keys))) == ([1, 2, 3, 4], 1)
        assert (await messages_in(served))[0].error == ""


async def test_a_receiver_that_refuses_is_not_asked_again() -> None:
    """B4, C4: dead at once, and told why; a person may have it tried again."""
    postman = Postman(moods=[UpstreamRejected("the receiver knows no such mailbox: ada@example.com")])
    async with serving(office(postman)) as served:
        await post(served)
        relay, clock = relay_of(served, postman), _clock_of(served)
        assert await relay.once() == DEAD
        patient(clock, relay)
        assert await relay.once() == Relayed()

        (message,) = await messages_in(served)
        assert (message.state, message.error) == ("dead", "the receiver knows no such mailbox: [redacted]")
        stored = served.service.ports.messages
        assert await inside(served, lambda at: stored.retry(at.unit, message.message_id, now_ms=clock.ms))
        assert await relay.once() == SENT


async def test_waits_grow_and_are_drawn_below_their_bound() -> None:
    """C4: exponential backoff with full jitter, up to a cap."""
    postman = Postman(moods=[OSError() for _ in range(12)])
    async with serving(office(postman)) as served:
        await post(served)
        relay, clock = relay_of(served, postman, cap_ms=60_000), _clock_of(served)
        waits: list[int] = []
        for _ in range(12):
            assert await relay.once() == WAITING
            waits.append((await messages_in(served))[0].next_ms - clock.ms)
            patient(clock, relay)

        bounds = [min(60_000, 1_000 * 2**number) for number in range(12)]
        assert all(0 <= wait <= bound for wait, bound in zip(waits, bounds, strict=True))
        assert len(set(waits)) > 6


async def test_the_same_draw_makes_the_same_waits() -> None:
    """C4: nothing but the given source of chance decides."""
    postman = Postman(moods=[OSError() for _ in range(2)])
    async with serving(office(postman)) as served:
        await post(served, copies=2)
        ports = served.service.ports
        relay = Relay(
            units=ports.units,
            messages=ports.messages,
            sealer=ports.sealer,
            clock=ports.clock,
            senders={"mail": postman.send},
            random=_chance(),
        )
        await relay.once()

        expected = [round(_chance().uniform(0, 1_000)) + ports.clock.now_ms()]
        assert {message.next_ms for message in await messages_in(served)} & {*expected}


@pytest.mark.parametrize(
    ("asked_ms", "least_ms", "most_ms"), [(120_000, 120_000, 120_000), (10**12, 3_600_000, 3_600_000), (1, 1, 1_000)]
)
async def test_a_receiver_that_names_a_time_is_not_asked_before(asked_ms: int, least_ms: int, most_ms: int) -> None:
    """C4: Retry-After is honoured, within the cap."""
    postman = Postman(moods=[UpstreamUnavailable(retry_after_ms=asked_ms)])
    async with serving(office(postman)) as served:
        await post(served)
        await relay_of(served, postman).once()

        (message,) = await messages_in(served)
        assert least_ms <= message.next_ms - _clock_of(served).ms <= most_ms


async def test_a_message_is_dead_after_its_last_attempt() -> None:
    """B4: as often as it may be, and no more."""
    postman = Postman(moods=[OSError() for _ in range(9)])
    async with serving(office(postman)) as served:
        await post(served)
        relay, clock = relay_of(served, postman, attempts=3), _clock_of(served)
        relayed: list[Relayed] = []
        for _ in range(4):
            relayed.append(await relay.once())
            patient(clock, relay)

        assert relayed == [WAITING, WAITING, DEAD, Relayed()]
        assert len(postman.got) == 3


async def test_two_relays_do_not_send_the_same_message() -> None:
    """B4: while one sends it, the other has nothing to do; if the first is gone, the second sends it again."""
    postman = Postman(gate=anyio.Event())
    async with serving(office(postman)) as served:
        await post(served)
        slow, other, clock = relay_of(served, postman), relay_of(served, Postman()), _clock_of(served)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(slow.once)
            await eventually(lambda: len(postman.got) == 1)
            assert await other.once() == Relayed()
            clock.advance(slow.terms.keep_ms / 1000)
            assert await other.once() == SENT
            assert postman.gate is not None
            postman.gate.set()

        assert [(message.state, message.attempts) for message in await messages_in(served)] == [("sent", 2)]


async def test_a_sender_that_hangs_is_given_up() -> None:
    """C4: an attempt has its time, shorter than the message is kept for."""
    postman = Postman(gate=anyio.Event())
    async with serving(office(postman)) as served:
        await post(served)
        relay = relay_of(served, postman, send_s=0.01)

        assert await relay.once() == WAITING
        assert (await messages_in(served))[0].error == "no answer in 0.01 seconds"
        assert relay_of(served, postman).terms.send_s * 1000 < relay.terms.keep_ms


async def test_a_process_without_the_sender_leaves_it_to_another() -> None:
    """B4: as during a deployment, when the old process does not know the new topic."""
    postman = Postman()
    async with serving(office(postman)) as served:
        await post(served)
        relay = relay_of(served, None)
        assert await relay.once() == WAITING
        assert (await messages_in(served))[0].error == "no sender is declared for its topic here"
        patient(_clock_of(served), relay)

        assert await relay_of(served, postman).once() == SENT


async def test_a_message_whose_key_is_gone_is_dead() -> None:
    """B10: it cannot be sent, and is not sent as something else."""
    postman = Postman()
    async with serving(office(postman)) as served, serving(office(postman)) as stranger:
        await post(served)
        ports = served.service.ports
        relay = Relay(
            units=ports.units,
            messages=ports.messages,
            sealer=stranger.service.ports.sealer,
            clock=ports.clock,
            senders={"mail": postman.send},
        )

        assert (await relay.once(), postman.got) == (DEAD, [])
        assert "does not open" in (await messages_in(served))[0].error


async def test_what_was_sent_and_not_noted_is_sent_again() -> None:
    """B4: at least once; the receiver tells by the key."""
    postman = Postman()
    async with serving(office(postman)) as served:
        await post(served)
        ports, clock = served.service.ports, _clock_of(served)
        forgetful = _Forgetful(ports.units)
        relay = Relay(
            units=forgetful,
            messages=ports.messages,
            sealer=ports.sealer,
            clock=ports.clock,
            senders={"mail": postman.send},
        )
        assert await relay.once() == WAITING
        clock.advance(relay.terms.keep_ms / 1000)

        assert await relay_of(served, postman).once() == SENT
        assert (len(postman.got), len(set(postman.keys))) == (2, 1)


async def test_the_relay_is_woken_by_a_commit() -> None:
    """B4: a message goes out at once, long before it would be looked for."""
    postman = Postman()
    async with serving(office(postman)) as served:
        relay = relay_of(served, postman, idle_s=3_600)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(relay.run, served.service.ports.bell)
            await post(served)
            await eventually(lambda: len(postman.got) == 1)
            await served.call("letter_post", {"to": "bob@example.com"})
            await eventually(lambda: len(postman.got) == 2)
            tasks.cancel_scope.cancel()


async def test_a_store_that_fails_for_a_while_does_not_end_the_relay() -> None:
    """B4: it is asked again."""
    postman = Postman()
    async with serving(office(postman)) as served:
        await post(served)
        ports = served.service.ports
        broken = Failing(ports.units, StoreError("the disk is full"))
        units = _Recovering(broken, ports.units)
        relay = Relay(
            units=units,
            messages=ports.messages,
            sealer=ports.sealer,
            clock=_clock_of(served),
            senders={"mail": postman.send},
        )
        bell = Bell()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(relay.run, bell)
            await eventually(lambda: units.failed)
            _clock_of(served).advance(3_600)
            bell.ring()
            await eventually(lambda: len(postman.got) == 1)
            tasks.cancel_scope.cancel()


async def test_a_bell_that_rang_before_is_still_heard() -> None:
    """B4: a commit between looking and waiting is not missed."""
    bell = Bell()
    bell.ring()
    with anyio.fail_after(5):
        await bell.wait(3_600)
        await bell.wait(0.001)


def _chance() -> Random:
    return Random(7)  # noqa: S311  # the same draws each time


def _clock_of(served: Served) -> FixedClock:
    clock = served.service.ports.clock
    assert isinstance(clock, FixedClock)
    return clock


class _Forgetful:
    """Units that take a batch and then lose every note."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self._taken = False

    async def read(self, *arguments: Any, **more: Any) -> Any:
        """As the real ones."""
        return await self._real.read(*arguments, **more)

    async def write(self, *arguments: Any, **more: Any) -> Any:
        """The first one is real."""
        if self._taken:
            raise StoreError("the database is gone")
        self._taken = True
        return await self._real.write(*arguments, **more)

    async def aclose(self) -> None:
        """Nothing to close."""


class _Recovering(_Forgetful):
    """Units whose first write fails after its commit, and that are well from then on."""

    def __init__(self, broken: Failing, real: Any) -> None:
        super().__init__(real)
        self._broken = broken
        self.failed = False

    async def write(self, *arguments: Any, **more: Any) -> Any:
        """Broken once."""
        if self.failed:
            return await self._real.write(*arguments, **more)
        self.failed = True
        return await self._broken.write(*arguments, **more)
