"""The last chapter: money that leaves is planned, agreed to by somebody else, and paid once whatever is lost."""

from __future__ import annotations

import subprocess

import httpx2

from billing.demo.scene import Scene, output_of
from billing.demo.server import Server, fourfold
from billing.demo.telling import expect

__all__ = ["agreeing", "planning"]

_INVOICE, _AMOUNT = "INV-2026-0010", 90_000


async def planning(scene: Scene) -> None:
    """Plan a refund, and try to execute it alone."""
    scene.telling.title("Money that leaves is planned first")
    listed = await scene.call("payment_list", {"invoice_reference": _INVOICE})
    (payment,) = listed.structured["items"]
    refund: dict[str, object] = {
        "payment_id": payment["payment_id"],
        "currency": payment["currency"],
        "amount_minor": _AMOUNT,
        "reason": "Returned goods",
        "expected_version": payment["version"],
    }
    planned = await scene.call("payment_plan_refund", refund)
    scene.telling.came(planned.structured["impact"])
    expect(planned.structured["approval"] == "second_person", "a second person has to agree to that much")
    scene.plan = {name: planned.structured[name] for name in ("plan_id", "digest")}
    alone = await scene.call("payment_execute_refund", scene.plan)
    expect(alone.code == "approval_required", "nothing is paid back before somebody agreed")
    scene.telling.why(
        "No argument of any tool says yes. The plan is fixed to the byte, and what it does is the server's own words."
    )


async def agreeing(scene: Scene) -> None:
    """Let a manager agree, and the gateway hang up after it paid."""
    scene.telling.title("Somebody else agrees, and the gateway hangs up after it paid")
    token = _manager(scene.server)
    command = ("plans", "approve", str(scene.plan["plan_id"]), "--token-stdin")
    scene.telling.sent(f"a manager: fourfold {' '.join(command)}")
    paths = ("--store", scene.server.store, "--config", str(scene.server.operators))
    output_of((*command, *paths), given=token)
    trouble = httpx2.post(f"{scene.server.gateway}/control/troubles", json={"trouble": "hang_up"})
    expect(trouble.status_code == 204, "the gateway can be told to hang up")
    paid = await scene.call("payment_execute_refund", scene.plan)
    seen = httpx2.get(f"{scene.server.gateway}/control").json()
    scene.telling.came(f"the gateway: {seen['requests']} requests, {seen['refunds']} refund")
    expect(paid.structured.get("refundable_minor") == 1_690, "the refund is in the books")
    expect((seen["requests"], seen["refunds"]) == (2, 1), "it was asked for twice, and paid once")
    again = await scene.call("payment_execute_refund", scene.plan)
    expect(again.structured == paid.structured, "the plan is the key: a repeat gets the first answer")
    scene.telling.why(
        "The same key in both requests. The amount was set aside before the first, so that no other plan could have it."
    )


def _manager(server: Server) -> str:
    """Make a manager an operator, in a file that the server is not told of; the token, which is shown once.

    It is kept in the demo's folder, so that whoever watches the demo can sign in to the console as the manager.
    """
    command = fourfold("operators", "new", "manager", "--tenant", "acme")
    made = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    server.operators.write_text(made.stdout, encoding="utf-8")
    server.operators.chmod(0o600)
    token = made.stderr.split()[-1]
    server.manager_token.write_text(f"{token}\n", encoding="utf-8")
    server.manager_token.chmod(0o600)
    return token
