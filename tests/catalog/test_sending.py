"""Who may take the outbox, and who sends what is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from fourfold import Catalog, Create, Read, Resource, Update
from fourfold.effects import Outside
from fourfold.errors import ConfigError, ContractError
from fourfold.model.contract import Waiver
from fourfold.model.effect import Destroy
from fourfold.model.message import Delivery
from fourfold.model.plan import Impact, PlanTerms
from fourfold.ports.outbox import Outbox
from fourfold.ports.upstream import Keyed
from tests.catalog.test_declaration_rules import UnknownAccount
from tests.contracts.declaring import Nothing, Ok, catalog_of


@dataclass(frozen=True)
class Letters:
    """What is provided from an outbox."""

    outbox: Outbox


async def post(delivery: Delivery) -> None:
    """Send nothing."""


def writing(request: Nothing, outbox: Outbox) -> Ok:
    """Sends one."""
    outbox.send("mail", {})
    return Ok(done=True)


def deeper(request: Nothing, letters: Letters) -> Ok:
    """Sends one through what is provided."""
    letters.outbox.send("mail", {})
    return Ok(done=True)


def plain(request: Nothing) -> Ok:
    """Sends nothing."""
    return Ok(done=True)


async def reaching(request: Nothing, upstream: Keyed) -> Ok:
    """Reaches outside."""
    return Ok(done=bool(upstream.key()))


async def reaching_and_sending(request: Nothing, upstream: Keyed, outbox: Outbox) -> Ok:
    """Has no transaction to send in."""
    return Ok(done=bool(upstream.key()))


def noted(request: Nothing, result: Ok, outbox: Outbox) -> Ok:
    """Sends one when the effect is recorded."""
    outbox.send("mail", {})
    return result


def found(request: Nothing, outbox: Outbox) -> Resource | None:
    """Looks for an object, and should not send."""
    return None


def found_quietly(request: Nothing) -> Resource | None:
    """Looks for an object."""
    return None


def told(request: Nothing, outbox: Outbox) -> Impact:
    """Tells what would happen, and should not send."""
    return Impact(summary="nothing")


NO_PLAN = [Waiver(rule="no_plan", where="", reason="a letter can be written again")]
OUTSIDE: dict[str, Any] = {"effect": Create(reach="outside"), "handler": reaching, "waivers": NO_PLAN}
OBJECT: dict[str, Any] = {"missing": UnknownAccount, "resource": found_quietly}


def with_letters(**declared: Any) -> Catalog:
    """A catalog of one tool in which letters are provided."""
    catalog = catalog_of(**declared)
    catalog.provide(Letters)
    return catalog


def rules_in(catalog: Catalog) -> list[str]:
    """The rules that the build of `catalog` breaks."""
    try:
        catalog.build()
    except ContractError as error:
        return [problem.rule for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("declared", "rules"),
    [
        ({"effect": Create(), "handler": writing}, []),
        ({"effect": Create(), "handler": deeper}, []),
        ({**OUTSIDE, "outside": Outside(record=noted)}, []),
        ({"effect": Read(), "handler": writing}, ["outbox_in_read"]),
        ({"effect": Read(), "handler": deeper}, ["outbox_in_read"]),
        ({**OUTSIDE, "handler": reaching_and_sending}, ["async_with_unit"]),
        ({"effect": Update(), "handler": plain, **OBJECT, "resource": found}, ["outbox_in_read"]),
        ({"effect": Destroy(plan=PlanTerms(impact=told)), "handler": plain, **OBJECT}, ["outbox_in_read"]),
    ],
)
def test_only_a_write_in_a_transaction_may_send(declared: dict[str, Any], rules: list[str]) -> None:
    """B4: a message commits with an effect; where there is none, the catalog does not build."""
    catalog = with_letters(**declared)
    catalog.sender("mail")(post)

    assert rules_in(catalog) == rules


def test_a_catalog_that_sends_says_who_sends() -> None:
    """B4: it is seen when the catalog is built, not when a customer misses a mail."""
    assert rules_in(with_letters(effect=Create(), handler=writing)) == ["no_sender"]


def test_a_tool_knows_whether_it_sends() -> None:
    """B4: the relay is woken after those only."""
    catalog = catalog_of(effect=Create(), handler=writing)
    catalog.sender("mail")(post)

    assert [tool.sends for name, tool in catalog.build().tools.items() if name == "thing_get"] == [True]
    assert [tool.sends for name, tool in catalog_of(effect=Create()).build().tools.items() if name == "thing_get"] == [
        False
    ]


class Postman:
    """Sends as an object."""

    async def send(self, delivery: Delivery) -> None:
        """Send nothing."""


class Slow:
    """Would hold everybody else."""

    def send(self, delivery: Delivery) -> None:
        """Send nothing."""


def test_a_sender_is_an_async_function_or_an_object() -> None:
    """B4: and comes back as it was."""
    catalog, postman = Catalog("shop"), Postman()

    assert catalog.sender("mail")(post) is post
    assert catalog.sender("webhook")(postman) is postman
    assert catalog.senders == {"mail": post, "webhook": postman.send}


@pytest.mark.parametrize(
    ("topic", "sender", "message"),
    [
        ("Mail", post, "a topic is a lower-case word such as mail, not 'Mail'"),
        ("", post, "a topic is a lower-case word"),
        ("taken", post, "topic 'taken' has two senders in catalog 'shop'"),
        ("mail", Slow(), "the sender of 'mail' is not async"),
        ("mail", plain, "the sender of 'mail' is not async"),
    ],
)
def test_what_cannot_send_is_refused_at_once(topic: str, sender: Any, message: str) -> None:
    """B4: one sender a topic, and none that blocks the loop."""
    catalog = Catalog("shop")
    catalog.sender("taken")(post)

    with pytest.raises(ConfigError, match=message):
        catalog.sender(topic)(sender)


def test_a_new_sender_is_in_the_next_build() -> None:
    """B4: a catalog that was built before is built again."""
    catalog = catalog_of(effect=Create(), handler=writing)
    assert rules_in(catalog) == ["no_sender"]

    catalog.sender("mail")(post)

    assert rules_in(catalog) == []
