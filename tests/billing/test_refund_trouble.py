"""Refunds while the payment gateway makes trouble: it is asked again where that is safe, and pays once."""

from __future__ import annotations

import os

import pytest
from billing.gateway import GatewaySettings

from fourfold.model.cost import Charge
from fourfold.testing import Kit
from payment_gateway import Trouble
from tests.adapters.gateway import Gateway
from tests.billing.refunding import agreed_plan, execute, payment, plan


@pytest.mark.parametrize("trouble", ["lose_answer", "hang_up", "break", "busy"])
def test_trouble_that_passes_is_not_even_noticed(kit: Kit, gateway: Gateway, trouble: Trouble) -> None:
    """C4: asked again within the call, with the same key; one refund."""
    gateway.trouble(trouble)
    done = execute(kit, agreed_plan(kit))

    assert (done.structured["refund_id"], gateway.counts) == ("re_000001", (2, 1, 1))


def test_what_the_gateway_takes_for_a_refund_is_the_runs_cost(kit: Kit, gateway: Gateway) -> None:
    """A9: a real charge of another system, with the account it was for; a repeat is charged nothing."""
    made = agreed_plan(kit)
    execute(kit, made)
    execute(kit, made)
    again, run = kit.runs()[:2]

    assert (run.tool, run.charges) == (
        "payment_execute_refund",
        (Charge(what="gateway fee", amount_minor=25, currency="EUR"),),
    )
    assert (again.replayed, again.charges) == (True, ())


def test_too_many_requests_are_made_later(kit: Kit, gateway: Gateway) -> None:
    """C4: at once, if the gateway says so."""
    gateway.trouble("too_many", retry_after="0")

    assert execute(kit, agreed_plan(kit)).ok
    assert gateway.counts == (2, 1, 1)


def test_a_wait_that_is_too_long_is_the_callers(kit: Kit, gateway: Gateway) -> None:
    """C4, B7: the answer says how long; the same plan works after that, and what it needs stays set aside."""
    gateway.trouble("too_many", retry_after="3600")
    made = agreed_plan(kit)
    waiting = execute(kit, made)
    meanwhile = payment(kit)
    later = execute(kit, made)

    assert waiting.fault is not None
    assert (waiting.code, waiting.fault.retry_after_ms) == ("upstream_unavailable", 3_600_000)
    assert (meanwhile["refundable_minor"], meanwhile["pending_minor"]) == (51_690, 40_000)
    assert (later.structured["refund_id"], gateway.counts) == ("re_000001", (2, 1, 1))
    assert payment(kit)["pending_minor"] == 0


def test_answers_that_are_lost_again_and_again_are_one_refund(kit: Kit, gateway: Gateway) -> None:
    """C4, D1: five attempts, then a repeat of the call; the same key in all of them."""
    gateway.trouble("hang_up", times=5)
    made = agreed_plan(kit)
    lost = execute(kit, made)
    again = execute(kit, made)

    assert (lost.code, again.structured["refund_id"]) == ("upstream_unavailable", "re_000001")
    assert gateway.counts == (6, 1, 1)
    assert payment(kit)["refundable_minor"] == 51_690


def test_an_answer_that_nobody_can_read_is_no_refusal(kit: Kit, gateway: Gateway) -> None:
    """C4, D1: it was paid; what was set aside stays so, and the same plan finds out without paying again."""
    gateway.trouble("flood")
    made = agreed_plan(kit)
    flooded, between = execute(kit, made), payment(kit)
    again = execute(kit, made)

    assert (flooded.code, between["refundable_minor"] < 91_690, between["pending_minor"] > 0) == (
        "upstream_unavailable",
        True,
        True,
    )
    assert (again.ok, gateway.counts, payment(kit)["pending_minor"]) == (True, (2, 1, 1), 0)


def test_what_may_have_been_paid_cannot_be_planned_again(kit: Kit, gateway: Gateway) -> None:
    """C3, D1: the answer was lost; a new plan for the rest of what was paid does not fit."""
    gateway.trouble("hang_up", times=5)
    assert execute(kit, agreed_plan(kit, 91_690)).code == "upstream_unavailable"

    assert plan(kit, 1, version=payment(kit)["version"]).code == "refund_exceeds_payment"


@pytest.mark.parametrize(("trouble", "code"), [("refuse", "refund_declined"), ("invalid", "upstream_rejected")])
def test_a_refusal_is_final_and_gives_back_what_was_set_aside(
    kit: Kit, gateway: Gateway, trouble: Trouble, code: str
) -> None:
    """C4, A4: one request; a repeat of the call is answered without another; a new plan is possible."""
    gateway.trouble(trouble)
    made = agreed_plan(kit)
    first, again = execute(kit, made), execute(kit, made)
    stands = payment(kit)

    assert [(answer.code, answer.replayed) for answer in (first, again)] == [(code, False), (code, True)]
    assert (gateway.counts, stands["refundable_minor"], stands["pending_minor"]) == ((1, 1, 0), 91_690, 0)
    assert execute(kit, agreed_plan(kit, version=stands["version"])).ok


def test_a_gateway_that_is_not_there_costs_nothing_but_time(
    kit: Kit, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C4: the same plan works once it is back."""
    made = agreed_plan(kit)
    with monkeypatch.context() as away:
        away.setitem(os.environ, "BILLING_GATEWAY_URL", "http://127.0.0.1:9")
        assert execute(kit, made).code == "upstream_unavailable"

    assert execute(kit, made).ok
    assert gateway.counts == (1, 1, 1)


def test_a_wrong_token_is_our_own_mistake_and_burns_no_plan(
    kit: Kit, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A4, B16: the text stays in the run, without the token; the plan works once the token is right."""
    made = agreed_plan(kit)
    with monkeypatch.context() as mistaken:
        mistaken.setitem(os.environ, "BILLING_GATEWAY_TOKEN", "a-secret-that-is-wrong")
        broken = execute(kit, made)

    assert (broken.code, gateway.counts) == ("internal", (0, 0, 0))
    assert "a-secret-that-is-wrong" not in f"{broken} {kit.runs()}"
    assert execute(kit, made).ok


def test_more_requests_than_the_contract_allows_are_not_made(kit: Kit, gateway: Gateway) -> None:
    """C4: a hundred a minute, of which other replicas took 99; in the next minute there are more."""
    now, budgets = kit.clock.ms, kit.service.ports.requests.budgets
    taken: list[int] = []
    kit.arrange(
        lambda unit: taken.append(
            budgets.lease(unit, "payment-gateway", want=99, most=100, window_ms=60_000, now_ms=now)
        )
    )
    gateway.trouble("break")
    made = agreed_plan(kit)
    cut = execute(kit, made)
    kit.clock.advance(60)

    assert (taken, gateway.counts, cut.code) == ([99], (1, 1, 0), "upstream_unavailable")
    assert cut.fault is not None
    assert cut.fault.retry_after_ms == 60_000
    assert (execute(kit, made).ok, gateway.counts) == (True, (2, 1, 1))


def test_no_text_that_is_made_of_the_settings_has_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """B16, B18: neither how it prints nor how it is put into a message."""
    monkeypatch.setitem(os.environ, "BILLING_GATEWAY_TOKEN", "a-secret")
    settings = GatewaySettings.from_environment()

    assert "a-secret" not in f"{settings} {settings!r} {settings.token}"
    assert settings.token.get_secret_value() == "a-secret"


@pytest.mark.parametrize(
    ("url", "is_good"),
    [
        ("https://gateway.example", True),
        ("http://127.0.0.1:8766", True),
        ("http://[::1]:8766", True),
        ("http://localhost:8766", True),
        ("http://gateway.example", False),
        ("http://10.0.0.1", False),
        ("gateway.example", False),
        ("https://", False),
        ("", False),
    ],
)
def test_a_token_travels_encrypted_or_not_at_all(monkeypatch: pytest.MonkeyPatch, url: str, is_good: bool) -> None:
    """B18: http is for this machine."""
    monkeypatch.setitem(os.environ, "BILLING_GATEWAY_URL", url)
    if is_good:
        assert GatewaySettings.from_environment().url == url
        return
    with pytest.raises(ValueError, match="BILLING_GATEWAY_URL must be an https URL"):
        GatewaySettings.from_environment()


@pytest.mark.parametrize("timeout", ["0", "-1", "60001"])
def test_a_timeout_out_of_range_is_refused(monkeypatch: pytest.MonkeyPatch, timeout: str) -> None:
    """C4: in milliseconds."""
    monkeypatch.setitem(os.environ, "BILLING_GATEWAY_TIMEOUT_MS", timeout)
    with pytest.raises(ValueError, match="BILLING_GATEWAY_TIMEOUT_MS must be from 1 to 60000"):
        GatewaySettings.from_environment()
