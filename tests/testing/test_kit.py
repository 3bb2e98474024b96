"""The test kit, used as a team's own tests would use it."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

import fourfold.testing
from fourfold import Caller, Catalog, ContractError, Create, Fault, Input, Minor, Offer, Output, Retry, Subject, Unit
from fourfold.model.outcome import NeedsInput
from fourfold.model.run import RunFilter
from fourfold.testing import Answer, FixedClock, Kit, call, caller, open_kit, two_tenants

ACCOUNT = "8f14e45f-ceea-467a-9a2f-1b2c3d4e5f60"
KEY = "a-key-of-16-signs"


class Line(Input):
    """One line of a quote."""

    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-[0-9]{4}$", max_length=8)]
    unit_price_minor: Offer[Annotated[Minor, Field(le=1_000_000)]]


class QuoteRequest(Input):
    """A quote to be made."""

    account_id: Annotated[str, Field(max_length=36), Subject()]
    currency: Literal["EUR", "USD"]
    lines: Annotated[list[Line], Field(min_length=1, max_length=200)]


class Quote(Output):
    """The quote that was made."""

    total_minor: Annotated[Minor, Field(le=1_000_000_000)]
    currency: Literal["EUR", "USD"]


class PriceTooLow(Fault):
    """The price is below the floor."""

    code, retry, next_step = "price_too_low", Retry.NEVER, "Ask the user for another price"


def quote_create(request: QuoteRequest, unit: Unit) -> Quote:
    """Write a quote, unless its price is too low."""
    total = sum(line.unit_price_minor for line in request.lines)
    unit.execute("INSERT INTO quote (total) VALUES (?)", (total,))
    if total < 100:
        raise PriceTooLow
    return Quote(total_minor=total, currency=request.currency)


def prepare(unit: Unit) -> None:
    """The table of quotes."""
    unit.execute("CREATE TABLE IF NOT EXISTS quote (total INTEGER)")


def quotes() -> Catalog:
    """A team's catalog."""
    catalog = Catalog("quotes")
    catalog.prepare(prepare)
    catalog.tool(
        name="quote_create",
        version="1.0",
        does="Creates a priced quote from line items",
        use_when="the user wants a saved quote",
        not_for="pricing without saving",
        effect=Create(),
        faults=[PriceTooLow],
        needs={"quotes:write"},
    )(quote_create)
    return catalog


def arguments(price: Any = 2_500) -> dict[str, Any]:
    """A quote of one line."""
    return {"account_id": ACCOUNT, "currency": "EUR", "lines": [{"sku": "ABC-1234", "unit_price_minor": price}]}


def test_the_example_of_the_documentation_runs() -> None:
    """A7: as it stands in the docstring of the kit."""
    (example,) = re.findall(r"```python\n(.*?)```", fourfold.testing.__doc__ or "", re.DOTALL)

    exec(compile(example, "example", "exec"), {"call": call, "catalog": quotes(), "ACCOUNT": ACCOUNT})  # noqa: S102  # our own docstring


def test_a_good_call_writes_once() -> None:
    """A7: layer 2, with the store that counts."""
    with open_kit(quotes()) as kit:
        answer = kit.call("quote_create", arguments())

        assert answer.ok
        assert answer.structured == {"total_minor": 2_500, "currency": "EUR"}
        assert kit.writes == 1


@pytest.mark.parametrize(
    ("price", "code"), [("2500", "wrong_type"), (1.5, "wrong_type"), (-1, "out_of_bounds"), (math.inf, "not_finite")]
)
def test_a_wrong_argument_is_seen_as_on_a_server(price: Any, code: str) -> None:
    """A7, A2: layer 1, through the same strict reader; zero writes."""
    with open_kit(quotes()) as kit:
        answer = kit.call("quote_create", arguments(price))

        assert (answer.kind, answer.code, answer.paths) == (
            "invalid",
            "invalid_arguments",
            ["lines.0.unit_price_minor"],
        )
        assert answer.problems[0].code == code
        assert kit.writes == 0


def test_a_fault_undoes_its_write() -> None:
    """A7, A4: a domain rejection, and the count that proves it."""
    with open_kit(quotes()) as kit:
        answer = kit.call("quote_create", arguments(99))

        assert (answer.kind, answer.code, answer.ok, answer.structured) == ("rejected", "price_too_low", False, {})
        assert answer.fault is not None
        assert answer.fault.text == "price_too_low: The price is below the floor. Ask the user for another price."
        assert kit.writes == 0


def test_a_handler_is_tested_without_a_kit() -> None:
    """A3, A7: a plain function with whatever stands in for its unit."""

    class Counting:
        """A unit that counts."""

        statements = 0

        def execute(self, sql: str, parameters: Any = ()) -> int:
            """One more."""
            self.statements += 1
            return 1

        def row(self, sql: str, parameters: Any = ()) -> None:
            """Nothing."""

        def rows(self, sql: str, parameters: Any = ()) -> list[Any]:
            """Nothing."""
            return []

        def subject(self, value: str) -> None:
            """Nobody asks."""

    unit = Counting()
    request = QuoteRequest.model_validate(arguments(), strict=False)

    assert quote_create(request, unit) == Quote(total_minor=2_500, currency="EUR")
    assert unit.statements == 1


def test_the_kits_caller_holds_every_scope() -> None:
    """A7: unless a test says which."""
    with open_kit(quotes()) as kit:
        assert kit.call("quote_create", arguments()).ok
        assert kit.call("quote_create", arguments(), by=caller(scopes=["quotes:read"])).code == "unknown_tool"
        assert kit.call("quote_create", arguments(200), by=caller(scopes=["quotes:write"])).ok


def test_one_call_needs_no_kit_and_says_what_it_wrote() -> None:
    """A7: catalog, tool, arguments, caller; each on a store of its own."""
    written = call(quotes(), "quote_create", arguments(), caller("mara", tenant="globex"), key=KEY)
    refused = call(quotes(), "quote_create", arguments("free"))
    undone = call(quotes(), "quote_create", arguments(50))
    denied = call(quotes(), "quote_create", arguments(), caller(scopes=[]))

    assert (written.ok, written.replayed, written.writes) == (True, False, 1)
    assert (refused.paths, refused.writes) == (["lines.0.unit_price_minor"], 0)
    assert (undone.code, undone.writes) == ("price_too_low", 0)
    assert (denied.kind, denied.writes) == ("refused", 0)
    assert call(quotes(), "quote_create", arguments(), key=KEY).replayed is False


def test_an_answer_counts_the_writes_of_its_own_call() -> None:
    """A7: the kit counts all of them; calls that are made together can't be told apart."""
    with open_kit(quotes()) as kit:
        counts = [kit.call("quote_create", arguments(), key=f"key-number-{n}-of-3").writes for n in (1, 2, 2)]
        together = kit.together([("quote_create", arguments(300)), ("quote_create", arguments(400))])

        assert (counts, kit.writes) == ([1, 1, 0], 4)
    assert [answer.writes for answer in together] == [None, None]


def test_two_tenants_differ_in_nothing_else() -> None:
    """A7, B18: so that an answer that differs differs by the tenant."""
    mine, theirs = two_tenants(scopes=["quotes:write"])

    assert (mine.tenant, theirs.tenant) == ("acme", "globex")
    assert (mine.principal, mine.scopes, mine.name) == (theirs.principal, theirs.scopes, theirs.name)
    assert [each.tenant for each in two_tenants("a", "b")] == ["a", "b"]


def test_callers_are_made_with_a_name_and_a_tenant() -> None:
    """A7: the factory."""
    assert caller("ann", tenant="globex", scopes=["a", "b"], name="ann-1") == Caller(
        principal="ann", tenant="globex", scopes=frozenset({"a", "b"}), name="ann-1"
    )


def test_a_key_and_a_clock_make_retries_testable() -> None:
    """A7, D1: the same key, a twin, and a twin after the window."""
    with open_kit(quotes()) as kit:
        first = kit.call("quote_create", arguments(), key=KEY)
        assert kit.call("quote_create", arguments(), key=KEY).replayed
        assert kit.call("quote_create", arguments()).operation_id == first.operation_id
        kit.clock.advance(600)
        assert kit.call("quote_create", arguments()).ok
        assert kit.writes == 2


def test_calls_can_be_made_at_once() -> None:
    """A7: answered in the order in which they were given."""
    with open_kit(quotes()) as kit:
        answers = kit.together([("quote_create", arguments(price)) for price in (300, 50, 400)])

        assert [answer.structured.get("total_minor") or answer.code for answer in answers] == [
            300,
            "price_too_low",
            400,
        ]
        assert kit.writes == 2


def test_runs_can_be_asked_for() -> None:
    """A7, A9: the newest first, all or some of them."""
    with open_kit(quotes()) as kit:
        kit.call("quote_create", arguments())
        kit.call("quote_create", {})

        assert [(run.outcome, run.subject) for run in kit.runs()] == [("invalid", "unknown"), ("done", ACCOUNT)]
        assert [run.code for run in kit.runs(RunFilter(failed=True))] == ["invalid_arguments"]
        assert kit.runs(RunFilter(tenant="globex")) == []


def test_two_kits_have_nothing_in_common() -> None:
    """A7: each test starts with an empty store and a full budget."""
    with open_kit(quotes()) as one, open_kit(quotes()) as two:
        one.call("quote_create", arguments(), key=KEY)

        assert not two.call("quote_create", arguments(), key=KEY).replayed
        assert (one.writes, two.writes) == (1, 1)


def test_the_tests_own_clock_is_used() -> None:
    """A7: time that the test sets is the time of runs and handlers."""
    with open_kit(quotes(), clock=FixedClock(ms=1_000)) as kit:
        kit.call("quote_create", arguments())

        assert kit.runs()[0].at_ms == 1_000


def test_a_broken_catalog_opens_no_kit() -> None:
    """A7, B2: the first test of a team finds it."""
    with pytest.raises(ContractError, match="empty_catalog"), open_kit(Catalog("nothing")):
        raise AssertionError


def test_a_kit_ends_with_its_block() -> None:
    """A7: nothing runs on."""
    with open_kit(quotes()) as kit:
        kept: Kit = kit

    with pytest.raises(RuntimeError):
        kept.call("quote_create", arguments())


def test_what_is_no_json_is_the_tests_own_mistake() -> None:
    """A7: an argument that no client could send is no finding about the tool."""
    with open_kit(quotes()) as kit, pytest.raises(TypeError):
        kit.call("quote_create", {"account_id": object()})


def test_an_answer_is_read_by_kind() -> None:
    """A7, B6: a refusal has a reason, a question neither code nor fault."""
    with open_kit(quotes()) as kit:
        refused = kit.call("quote_burn")
    asked = Answer(NeedsInput(questions=(), state="sealed", run_id="run-1"))

    assert (refused.kind, refused.code, refused.fault, refused.problems) == ("refused", "unknown_tool", None, ())
    assert (asked.kind, asked.code, asked.fault, asked.operation_id, asked.replayed) == (
        "needs_input",
        "",
        None,
        None,
        False,
    )


def test_the_clock_stands_until_it_is_moved() -> None:
    """A7: both hands together, to the millisecond."""
    clock = FixedClock()
    before = (clock.now_ms(), clock.ticks())
    clock.advance(1.5)

    assert before == (1_793_491_200_000, 1_793_491_200.0)
    assert (clock.now_ms(), clock.ticks()) == (1_793_491_201_500, 1_793_491_201.5)
