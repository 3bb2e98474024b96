"""The frozen values of the domain: what they refuse, and what follows from them."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args

import pytest

from fourfold.model.call import Call
from fourfold.model.caller import Caller
from fourfold.model.claim import Claim, ClaimScope
from fourfold.model.contract import Limits, Selection, ToolContract, Waiver
from fourfold.model.effect import Create, Destroy, Effect, Hints, ObservableRead, Preview, Read, Update
from fourfold.model.fault import (
    CODE_PATTERN,
    FRAMEWORK_CODES,
    Fault,
    FaultDetail,
    Problem,
    Retry,
    StaleVersion,
    UpstreamRejected,
    UpstreamUnavailable,
    WrongState,
)
from fourfold.model.outcome import (
    Denied,
    Done,
    Failed,
    Invalid,
    NeedsInput,
    Outcome,
    Refused,
    Rejected,
    Unknown,
    kind_of,
)
from fourfold.model.page import PageRequest
from fourfold.model.policy import Decision, PolicyQuestion, Resource
from fourfold.model.run import UNKNOWN_SUBJECT, Closing, Run, RunDraft, RunFilter

CALLER = Caller(principal="ada", tenant="acme", scopes=frozenset({"quotes:read", "quotes:write"}))
DETAIL = FaultDetail(code="internal", retry=Retry.NEVER, message="It broke", next_step="Report it")


@pytest.mark.parametrize("who", [{"principal": "", "tenant": "acme"}, {"principal": "ada", "tenant": ""}])
def test_there_is_no_anonymous_caller(who: dict[str, Any]) -> None:
    """B18: refused where it is made, with the reason."""
    with pytest.raises(ValueError, match="an anonymous caller is refused, not guessed"):
        Caller(**who)


def test_a_caller_holds_all_the_scopes_or_not() -> None:
    """B18: some of them are not enough."""
    assert CALLER.holds(frozenset())
    assert CALLER.holds(frozenset({"quotes:read"}))
    assert not CALLER.holds(frozenset({"quotes:read", "admin"}))


@pytest.mark.parametrize("name", ["arguments_bytes", "result_bytes", "deadline_s", "concurrency", "calls_per_minute"])
@pytest.mark.parametrize("bound", [0, -1])
def test_a_limit_is_above_zero(name: str, bound: int) -> None:
    """B19: a bound that nothing can keep is a slip."""
    limits: dict[str, Any] = {name: bound}

    with pytest.raises(ValueError, match=f"Limits.{name} must be above 0"):
        Limits(**limits)


@pytest.mark.parametrize(
    ("effect", "hints"),
    [
        (Read(), Hints(read_only=True, destructive=False, idempotent=True, open_world=False)),
        (ObservableRead(), Hints(read_only=True, destructive=False, idempotent=True, open_world=True)),
        (Preview(), Hints(read_only=True, destructive=False, idempotent=True, open_world=False)),
        (Create(), Hints(read_only=False, destructive=False, idempotent=False, open_world=False)),
        (Create(reach="outside"), Hints(read_only=False, destructive=False, idempotent=False, open_world=True)),
        (Update(), Hints(read_only=False, destructive=False, idempotent=True, open_world=False)),
        (Destroy(), Hints(read_only=False, destructive=True, idempotent=True, open_world=False)),
        (Destroy(reach="outside"), Hints(read_only=False, destructive=True, idempotent=True, open_world=True)),
    ],
)
def test_annotations_follow_from_the_effect(effect: Effect, hints: Hints) -> None:
    """B5: derived, never written by hand."""
    assert effect.hints == hints


@pytest.mark.parametrize(
    ("effect", "key", "version", "plan"),
    [
        (Read(), False, False, False),
        (ObservableRead(), False, False, False),
        (Preview(), False, False, False),
        (Create(), True, False, False),
        (Update(), True, True, False),
        (Destroy(), True, True, True),
    ],
)
def test_what_a_call_takes_follows_from_the_effect(effect: Effect, key: bool, version: bool, plan: bool) -> None:
    """B4: the key, the version, the plan."""
    assert (effect.takes_key, effect.takes_version, effect.needs_plan, effect.writes) == (key, version, plan, key)


class LimitReached(Fault):
    """The credit limit is reached.

    More than the first paragraph is for people who read the code.
    """

    code, retry, next_step = "limit_reached", Retry.AFTER, "Wait for the payment"


def test_the_docstring_of_a_fault_is_its_message() -> None:
    """B7: its first paragraph; another message replaces it, and the text says what to do."""
    detail = LimitReached(at="/amount_minor", retry_after_ms=500, current_version="7").detail()

    assert LimitReached.spec().message == "The credit limit is reached."
    assert detail.text == "limit_reached: The credit limit is reached. Wait for the payment."
    assert detail.problems == (Problem(pointer="/amount_minor", code="limit_reached", expected="another value"),)
    assert (detail.retry_after_ms, detail.current_version) == (500, "7")
    assert LimitReached("Only 3 are left!").detail().text == "limit_reached: Only 3 are left! Wait for the payment."
    assert LimitReached().detail().problems == ()


def test_a_fault_says_what_its_argument_accepts() -> None:
    """A2, B7: beside the next step, which is about the call as a whole."""
    (problem,) = LimitReached(at="/amount_minor", expected="at most 500").detail().problems

    assert problem.expected == "at most 500"


def test_a_text_without_a_next_step_ends_with_its_message() -> None:
    """A5: no dangling space, one full stop."""
    assert dataclasses.replace(DETAIL, next_step="").text == "internal: It broke."


def test_only_a_fault_that_never_helps_to_repeat_is_final() -> None:
    """D1: it settles the claim; every other verb lets the same key try again."""
    assert [verb for verb in Retry if verb.settles] == [Retry.NEVER]


def test_every_code_of_the_framework_is_a_word_with_a_verb_and_a_next_step() -> None:
    """B7, B19: closed, unchangeable, and each says what to do."""
    assert len(FRAMEWORK_CODES) == 28
    for code, spec in FRAMEWORK_CODES.items():
        assert CODE_PATTERN.fullmatch(code)
        assert spec.message
        assert spec.next_step
    with pytest.raises(TypeError):
        FRAMEWORK_CODES["mine"] = FRAMEWORK_CODES["internal"]  # type: ignore[index]  # pyright: ignore[reportIndexIssue]  # which is what is tested


@pytest.mark.parametrize("fault", [StaleVersion, WrongState, UpstreamUnavailable, UpstreamRejected])
def test_the_faults_that_authors_may_raise_carry_the_frameworks_meaning(fault: type[Fault]) -> None:
    """C5, C8: one meaning each."""
    assert fault.spec().retry is FRAMEWORK_CODES[fault.code].retry
    assert fault.spec().next_step == FRAMEWORK_CODES[fault.code].next_step


@pytest.mark.parametrize(
    ("pointer", "path"),
    [("", ""), ("/lines/0/sku", "lines.0.sku"), ("/a~1b/~0c", "a/b.~c"), ("/~01", "~1")],
)
def test_a_pointer_reads_as_a_path(pointer: str, path: str) -> None:
    """A2: unescaped in the right order (RFC 6901, section 4)."""
    assert Problem(pointer=pointer, code="wrong_type", expected="x").path == path


OUTCOMES: list[tuple[Outcome, str]] = [
    (Done(structured=b"{}", text="", run_id="r"), "done"),
    (Invalid(fault=DETAIL, run_id="r"), "invalid"),
    (Rejected(fault=DETAIL, run_id="r"), "rejected"),
    (Denied(fault=DETAIL, run_id="r"), "denied"),
    (Refused(reason="unknown_tool", run_id="r"), "refused"),
    (NeedsInput(questions=(), state="s", run_id="r"), "needs_input"),
    (Failed(fault=DETAIL, run_id="r"), "failed"),
    (Unknown(fault=DETAIL, run_id="r"), "unknown"),
]


def test_the_union_of_outcomes_is_closed_and_each_has_its_word() -> None:
    """B6: a new one must be given a word before anything can return it."""
    assert {type(outcome) for outcome, _ in OUTCOMES} == set(get_args(Outcome))
    assert [kind_of(outcome) for outcome, _ in OUTCOMES] == [word for _, word in OUTCOMES]


VALUES: list[Any] = [
    CALLER,
    Call(tool="t", arguments={}, caller=CALLER),
    ClaimScope(tenant="a", principal="b", tool="t", key="k"),
    Limits(),
    Selection(does="a", use_when="b", not_for="c"),
    Waiver(rule="r", where="w", reason="x"),
    Create(),
    DETAIL,
    PageRequest(limit=1),
    Resource(id="1"),
    Decision(verdict="allow"),
    RunFilter(),
    Closing(run_id="r", total_us=1, delivered=True),
    OUTCOMES[0][0],
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_cannot_be_changed(value: Any) -> None:
    """B18: what was decided about a call is not decided again by accident."""
    name = dataclasses.fields(value)[0].name

    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, name, "other")


def test_the_major_step_of_a_contract_is_a_number() -> None:
    """D4: a change of it starts new fingerprints."""
    contract = ToolContract(
        name="a_b",
        version="12.3",
        selection=VALUES[4],
        effect=Read(),
        input_schema={},
        output_schema={},
        description="",
    )

    assert contract.major == 12
    assert PolicyQuestion(caller=CALLER, contract=contract).arguments is None


def test_a_run_that_nobody_named_is_counted_under_a_word() -> None:
    """A9: unknown is not hidden."""
    draft = RunDraft(run_id="r", call=Call(tool="t", arguments={}, caller=CALLER), at_ms=1)
    run = Run(
        run_id="r",
        at_ms=1,
        tenant="a",
        principal="b",
        caller="",
        tool="t",
        contract_version="1.0",
        wire_digest="",
        lock_digest="",
        subject=draft.subject,
        outcome="done",
        code="",
    )
    claim = Claim(
        operation_id="o", scope=VALUES[2], fingerprint=b"", state="running", run_id="r", created_ms=1, purge_after_ms=2
    )

    assert run.subject == UNKNOWN_SUBJECT == "unknown"
    assert (draft.notes, draft.stored, claim.outcome) == ([], False, None)
