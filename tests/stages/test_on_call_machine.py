"""Any order of plans, people, time and purges; and of messages, failures, relays and people. Models in a few lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from fourfold.errors import DecisionError
from fourfold.model.fault import UpstreamRejected, UpstreamUnavailable
from fourfold.model.message import Delivery
from fourfold.model.operator import Operator
from fourfold.model.retention import Retention
from fourfold.stages.purge import purge
from fourfold.stages.relay import Relay, RelayTerms
from fourfold.testing import Kit, open_kit
from tests.stages.behind import inside
from tests.stages.post import office
from tests.stages.test_on_call import BOSS, decide, planned, seen
from tests.stages.vault import Delete, Deleted, Documents, vault

KEPT_MS = Retention().outcome_ms
SELF = Operator(name="self", principal="tester", tenants=frozenset({"acme"}), permissions=BOSS.permissions)
STRANGER = Operator(name="gus", principal="gus", tenants=frozenset({"globex"}), permissions=BOSS.permissions)


def touch(request: Delete, documents: Documents) -> Deleted:
    """An effect that leaves the document as it was, so that every plan may be executed."""
    documents.unit.execute("UPDATE document SET copies = copies WHERE id = ?", (request.document_id,))
    return Deleted(document_id=request.document_id, copies=0)


@dataclass(slots=True)
class Expected:
    """A plan as it should be."""

    digest: str
    expires_ms: int
    state: str = "open"
    claimed_ms: int = 0
    forgotten: bool = False


class Plans(RuleBasedStateMachine):
    """A plan is executed once, after a person who may has agreed, within its time."""

    made = Bundle("made")

    def __init__(self) -> None:
        super().__init__()
        self.opened = open_kit(vault(touch, approval="second_person"))
        self.kit: Kit = self.opened.__enter__()
        self.plans: dict[str, Expected] = {}

    def teardown(self) -> None:
        """Close the store."""
        self.opened.__exit__(None, None, None)

    @rule(target=made)
    def plan(self) -> str:
        """An agent plans."""
        plan_id = planned(self.kit)
        self.plans[plan_id] = Expected(seen(self.kit, plan_id).plan.digest, self.kit.clock.ms + 900_000)
        return plan_id

    @rule(plan_id=made, verdict=st.sampled_from(["approved", "denied", "revoked"]))
    def decide(self, plan_id: str, verdict: Any) -> None:
        """Somebody who may says something to it."""
        expected = self.plans[plan_id]
        is_open = expected.state == "open" and self.kit.clock.ms < expected.expires_ms
        could = expected.state in ("open", "approved") if verdict == "revoked" else is_open
        if could and not self._is_gone(expected):
            self._say(plan_id, verdict, BOSS)
            expected.state = verdict
        else:
            self._refused(plan_id, verdict, BOSS)

    @rule(plan_id=made, by=st.sampled_from([SELF, STRANGER]))
    def overreach(self, plan_id: str, by: Operator) -> None:
        """Who asked for it, and who is of another tenant, never approve."""
        self._refused(plan_id, "approved", by)

    @rule(plan_id=made)
    def execute(self, plan_id: str) -> None:
        """The agent executes, as often as it likes."""
        expected = self.plans[plan_id]
        answer = self.kit.call("document_execute_delete", {"plan_id": plan_id, "digest": expected.digest})
        code = self._code(expected)
        assert answer.code == code
        assert answer.writes == (1 if not code and expected.state == "approved" else 0)
        if not code and expected.state == "approved":
            expected.state, expected.claimed_ms = "used", self.kit.clock.ms

    @rule(seconds=st.sampled_from([1, 899, 900, 3_600, 72 * 3_600, 40 * 86_400]))
    def wait(self, seconds: int) -> None:
        """Time passes."""
        self.kit.clock.advance(seconds)

    @rule()
    def drop(self) -> None:
        """What is past its time goes."""
        store, portal = self.kit._store, self.kit._portal  # pyright: ignore[reportPrivateUsage]  # what a kit hides

        async def work() -> None:
            await purge(store, clock=self.kit.clock, retention=Retention(), batch=2)

        portal.call(work)
        for expected in self.plans.values():
            if expected.claimed_ms and self.kit.clock.ms >= expected.claimed_ms + KEPT_MS:
                expected.forgotten = True
            # Of a used plan its claim is left, which says that it was done and not that another should be made.
            if expected.state != "used" and expected.expires_ms < self.kit.clock.ms - KEPT_MS:
                expected.state = "gone"

    def _code(self, expected: Expected) -> str:
        if expected.state == "used":
            return "idempotency_expired" if expected.forgotten else ""
        fallen = {"gone": "plan_mismatch", "denied": "approval_denied", "revoked": "approval_revoked"}
        if expected.state in fallen:
            return fallen[expected.state]
        if self.kit.clock.ms >= expected.expires_ms:
            return "plan_expired"
        return "" if expected.state == "approved" else "approval_required"

    def _is_gone(self, expected: Expected) -> bool:
        return expected.state == "gone"

    def _say(self, plan_id: str, verdict: str, by: Operator) -> None:
        if verdict == "approved":
            shown = seen(self.kit, plan_id)
            decide(self.kit, lambda person, unit: person.approve(unit, shown, comment=""), by=by)
        elif verdict == "denied":
            decide(self.kit, lambda person, unit: person.deny(unit, plan_id, comment=""), by=by)
        else:
            decide(self.kit, lambda person, unit: person.revoke(unit, plan_id, comment=""), by=by)

    def _refused(self, plan_id: str, verdict: str, by: Operator) -> None:
        try:
            self._say(plan_id, verdict, by)
        except (DecisionError, AssertionError):  # `seen` finds no plan that is gone
            return
        raise RuntimeError(f"{by.name} has {verdict} a plan that is {self.plans[plan_id]}")


@dataclass(slots=True)
class Moody:
    """Takes messages, or refuses as the next mood says."""

    moods: list[str] = field(default_factory=list[str])
    taken: list[str] = field(default_factory=list[str])

    async def send(self, delivery: Delivery) -> None:
        """Take it, refuse it, or have it come again."""
        mood = self.moods.pop(0) if self.moods else "calm"
        if mood == "refuses":
            raise UpstreamRejected
        if mood == "down":
            raise UpstreamUnavailable
        self.taken.append(delivery.dedupe_key)


class Mail(RuleBasedStateMachine):
    """Whatever fails in whatever order: a message is taken once, or waits, or is dead; none is lost."""

    def __init__(self) -> None:
        super().__init__()
        self.postman = Moody()
        self.opened = open_kit(office(self.postman))  # pyright: ignore[reportArgumentType]  # it sends as well
        self.kit: Kit = self.opened.__enter__()
        self.posted: set[str] = set()
        self.purged = 0
        self.ports = self.kit.service.ports
        self.portal = self.kit._portal  # pyright: ignore[reportPrivateUsage]  # what a kit hides

    def teardown(self) -> None:
        """Close the store."""
        self.opened.__exit__(None, None, None)

    @rule(copies=st.integers(0, 3), key=st.sampled_from(["key-of-one-letter", "key-of-another-letter"]))
    def post(self, copies: int, key: str) -> None:
        """A letter with its mails, or the same one again."""
        answer = self.kit.call("letter_post", {"to": "ada", "copies": copies}, key=key)
        if answer.ok and not answer.replayed:
            self.posted |= {f"{answer.operation_id}:{number + 1}" for number in range(copies)}

    @rule(moods=st.lists(st.sampled_from(["calm", "down", "refuses"]), max_size=4))
    def relay(self, moods: list[str]) -> None:
        """One batch, as the receiver fares."""
        self.postman.moods = moods
        terms = RelayTerms(batch=4, attempts=3)
        self.portal.call(Relay.over(self.ports, terms=terms).once)

    @rule(seconds=st.sampled_from([1, 60, 3_600, 31 * 86_400]))
    def wait(self, seconds: int) -> None:
        """Time passes."""
        self.kit.clock.advance(seconds)

    @precondition(lambda self: self._in("dead"))
    @rule()
    def retry(self) -> None:
        """Somebody has a dead one tried again."""
        message_id = min(self._in("dead"))
        decide(self.kit, lambda person, unit: person.retry(unit, message_id, comment=""))

    @rule()
    def drop(self) -> None:
        """What was sent long ago goes."""
        store = self.kit._store  # pyright: ignore[reportPrivateUsage]  # what a kit hides

        async def work() -> int:
            return (await purge(store, clock=self.kit.clock, retention=Retention(), batch=2)).messages

        self.purged += self.portal.call(work)

    @invariant()
    def none_is_lost_and_none_is_taken_twice(self) -> None:
        """A message that was taken is sent or purged; every other one still waits, or is dead."""
        kept = {message.dedupe_key for message in self._all()}
        sent = {message.dedupe_key for message in self._all() if message.state == "sent"}
        taken = self.postman.taken
        assert len(taken) == len(set(taken))
        assert {*taken} | (kept - sent) == self.posted
        assert len(self.posted) == len(kept) + self.purged

    def _all(self) -> list[Any]:
        messages = self.ports.messages
        return list(inside(self.kit, lambda found: messages.list(found.unit, state=None, tenant=None, limit=100)))

    def _in(self, state: str) -> list[str]:
        return [message.message_id for message in self._all() if message.state == state]


_OFTEN = settings(max_examples=100, stateful_step_count=25, deadline=None)
TestPlans = Plans.TestCase
TestPlans.settings = _OFTEN
TestMail = Mail.TestCase
TestMail.settings = _OFTEN
