"""Handles: issued in the transaction of their object, redeemed by one caller for one purpose, revoked for good."""

from __future__ import annotations

from collections.abc import Generator
from typing import Annotated, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, rule
from pydantic import Field

from fourfold import Caller, Catalog, Create, Input, Limits, Output, Read
from fourfold.handles import Handles, HandleText
from fourfold.testing import Answer, FixedClock, Kit, caller, open_kit
from tests.stages.serving import over, serving

CALLERS = [caller("ann"), caller("bob"), caller("ann", tenant="globex")]
PURPOSES = ["ticket_refund", "ticket_print"]


class Issue(Input):
    """For what a ticket's handle is good."""

    purpose: Annotated[str, Field(max_length=40)] = "ticket_refund"
    version: Annotated[str, Field(max_length=8)] = ""
    life: Annotated[int, Field(ge=0, le=10_000)] = 900
    fails: bool = False


class Ticket(Output):
    """A handle."""

    handle: HandleText


class Redeem(Input):
    """A handle, and the version of its ticket by now."""

    handle: HandleText
    purpose: Annotated[str, Field(max_length=40)] = "ticket_refund"
    version: Annotated[str, Field(max_length=8)] | None = None


class Redeemed(Output):
    """What it stands for."""

    resource: Annotated[str, Field(max_length=40)]


def issue(request: Issue, handles: Handles) -> Ticket:
    """Make one."""
    handle = handles.issue(request.purpose, "ticket/7", version=request.version, lifetime_s=request.life)
    if request.fails:
        raise RuntimeError(handle)
    return Ticket(handle=handle)


def redeem(request: Redeem, handles: Handles) -> Redeemed:
    """Look at one."""
    return Redeemed(resource=handles.redeem(request.handle, request.purpose, version=request.version).resource)


def revoke(request: Redeem, handles: Handles) -> Redeemed:
    """End one."""
    handles.revoke(request.handle)
    return Redeemed(resource="")


def tickets(name: str = "tickets") -> Catalog:
    """A catalog of the three."""
    catalog = Catalog(name)
    for action, handler, effect in (
        ("issue", issue, Create()),
        ("redeem", redeem, Read()),
        ("revoke", revoke, Create()),
    ):
        catalog.tool(
            name=f"ticket_{action}",
            version="1.0",
            does=f"Does the {action} of a handle",
            use_when=f"a test wants to {action}",
            not_for="anything but tests",
            effect=effect,
            limits=Limits(calls_per_minute=1_000_000),
        )(handler)
    return catalog


@pytest.fixture
def kit() -> Generator[Kit]:
    """The tickets."""
    with open_kit(tickets()) as opened:
        yield opened


def issued(kit: Kit, **arguments: Any) -> str:
    """A handle."""
    return kit.call("ticket_issue", arguments).structured["handle"]


def assert_invalid(answer: Answer) -> None:
    """Refused, and nobody learns why."""
    assert answer.fault is not None
    assert (answer.code, answer.fault.message) == ("handle_invalid", "This handle is not valid here.")


def test_a_handle_stands_for_its_object_as_often_as_it_is_redeemed(kit: Kit) -> None:
    """B10: until it expires or is revoked."""
    handle = issued(kit)
    assert {kit.call("ticket_redeem", {"handle": handle}).structured["resource"] for _ in range(3)} == {"ticket/7"}


@pytest.mark.parametrize("by", [caller("other"), caller(tenant="globex")])
def test_a_handle_of_somebody_else_is_invalid(kit: Kit, by: Caller) -> None:
    """B10, D1: principal and tenant are bound."""
    assert_invalid(kit.call("ticket_redeem", {"handle": issued(kit)}, by=by))


def test_a_handle_of_another_purpose_is_invalid(kit: Kit) -> None:
    """B10: what is for printing refunds nothing."""
    assert_invalid(kit.call("ticket_redeem", {"handle": issued(kit), "purpose": "ticket_print"}))


def test_a_handle_is_good_for_its_version(kit: Kit) -> None:
    """B10: and one without a version for all of them."""
    of_two, of_any = issued(kit, version="2"), issued(kit)
    assert kit.call("ticket_redeem", {"handle": of_two, "version": "2"}).ok
    assert kit.call("ticket_redeem", {"handle": of_two}).ok
    assert kit.call("ticket_redeem", {"handle": of_any, "version": "3"}).ok
    assert_invalid(kit.call("ticket_redeem", {"handle": of_two, "version": "3"}))


def test_a_handle_expires_to_the_millisecond(kit: Kit) -> None:
    """B10: after its own lifetime."""
    handle = issued(kit, life=60)
    kit.clock.ms += 59_999
    assert kit.call("ticket_redeem", {"handle": handle}).ok
    kit.clock.ms += 1
    assert_invalid(kit.call("ticket_redeem", {"handle": handle}))


def test_a_revoked_handle_is_invalid(kit: Kit) -> None:
    """B10: at once, and revoking it again says nothing."""
    handle = issued(kit)
    assert kit.call("ticket_revoke", {"handle": handle}).ok
    assert_invalid(kit.call("ticket_redeem", {"handle": handle}))
    assert kit.call("ticket_revoke", {"handle": handle}, key="again-key-0000000001").ok


def test_nobody_revokes_the_handle_of_somebody_else(kit: Kit) -> None:
    """B10, D1: it is as if it did not exist."""
    handle = issued(kit)
    assert kit.call("ticket_revoke", {"handle": handle}, by=caller("other")).ok
    assert kit.call("ticket_redeem", {"handle": handle}).ok


@pytest.mark.parametrize("handle", ["x" * 40, "v1." + "A" * 100, "handle_" + "0" * 32])
def test_an_invented_handle_is_invalid(kit: Kit, handle: str) -> None:
    """B10: even an id of the right form."""
    assert_invalid(kit.call("ticket_redeem", {"handle": handle}))


def test_a_handle_goes_back_with_its_transaction(kit: Kit) -> None:
    """B10: what was not committed cannot be redeemed, though somebody has seen it."""
    kit.call("ticket_issue", {"fails": True})
    (run,) = kit.runs()
    seen = next(word for word in run.note.replace(chr(10), " ").split() if word.startswith("v1."))
    assert_invalid(kit.call("ticket_redeem", {"handle": seen.rstrip(";")}))


def test_a_handle_for_nothing_or_for_no_time_is_our_fault(kit: Kit) -> None:
    """B10: it is refused when it is issued."""
    assert kit.call("ticket_issue", {"life": 0}).code == "internal"
    assert kit.call("ticket_issue", {"purpose": ""}).code == "internal"


@pytest.mark.anyio
async def test_a_handle_of_another_catalog_is_invalid() -> None:
    """B10: though both have the store and the keys."""
    async with serving(tickets()) as first, serving(tickets("other")) as second:
        handle = (await first.call("ticket_issue")).structured["handle"]
        elsewhere = over(first, catalog=second.service.ports.catalog)
        assert_invalid(await elsewhere.call("ticket_redeem", {"handle": handle}))


class Tickets(RuleBasedStateMachine):
    """Every handle is valid exactly as long, and for whom, a plain dictionary says."""

    handles = Bundle("handles")

    def __init__(self) -> None:
        super().__init__()
        self.clock = FixedClock()
        self.opened = open_kit(tickets(), clock=self.clock)
        self.kit = self.opened.__enter__()
        self.known: dict[str, dict[str, Any]] = {}

    def teardown(self) -> None:
        """Close the store."""
        self.opened.__exit__(None, None, None)

    @rule(
        target=handles, by=st.sampled_from(CALLERS), purpose=st.sampled_from(PURPOSES), life=st.sampled_from([60, 600])
    )
    def issue(self, by: Caller, purpose: str, life: int) -> str:
        """A new one."""
        self.clock.advance(601)  # past the window in which an equal call without a key is a repeat
        answer = self.kit.call("ticket_issue", {"purpose": purpose, "life": life}, by=by)
        handle = answer.structured["handle"]
        until = self.clock.ms + life * 1000
        self.known[handle] = {"by": by, "purpose": purpose, "until": until, "revoked": False}
        return handle

    @rule(handle=handles, by=st.sampled_from(CALLERS), purpose=st.sampled_from(PURPOSES))
    def redeem(self, handle: str, by: Caller, purpose: str) -> None:
        """As the model says."""
        known = self.known[handle]
        stands = by == known["by"] and purpose == known["purpose"] and not known["revoked"]
        answer = self.kit.call("ticket_redeem", {"handle": handle, "purpose": purpose}, by=by)
        assert answer.ok == (stands and self.clock.ms < known["until"])

    @rule(handle=handles, by=st.sampled_from(CALLERS))
    def revoke(self, handle: str, by: Caller) -> None:
        """Of one's own, and only of those."""
        self.clock.advance(1)
        self.kit.call("ticket_revoke", {"handle": handle}, by=by)
        self.known[handle]["revoked"] |= by == self.known[handle]["by"]

    @rule(seconds=st.sampled_from([1, 59, 60, 599]))
    def wait(self, seconds: int) -> None:
        """Time passes."""
        self.clock.advance(seconds)


TestTickets = Tickets.TestCase
TestTickets.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
