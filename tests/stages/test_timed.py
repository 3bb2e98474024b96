"""Units that tell how long the store took, and what is told of what waits for a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from fourfold.bootstrap.service import open_service
from fourfold.bootstrap.upkeep import looked_after
from fourfold.errors import StoreBusy
from fourfold.ports.telemetry import Waiting
from fourfold.ports.units import Units
from fourfold.stages.timed import TimedUnits
from fourfold.stages.waiting import tell_what_waits
from fourfold.testing import FixedClock
from tests.stages.bank import PAYMENT, Bank, banking
from tests.stages.desk import ACCOUNT, desk
from tests.stages.listening import Heard
from tests.stages.serving import Failing, Served, eventually, serving

pytestmark = pytest.mark.anyio

NOTE: dict[str, Any] = {"account_id": ACCOUNT, "text": "hi"}


async def test_reads_writes_and_commits_are_told(tmp_path: Path) -> None:
    """B16: a read by itself, a write with the commit that it waits for."""
    heard = Heard()
    async with open_service(desk().build(), f"sqlite:///{tmp_path / 'desk.db'}", telemetry=heard) as service:
        served = Served(service)
        heard.store.clear()
        await served.call("note_count")
        assert heard.store == [("read", "")]
        await served.call("note_add", NOTE)
        assert heard.store == [("read", ""), ("commit", ""), ("write", "")]


async def test_the_class_of_a_stores_error_is_told_and_no_fault_of_the_authors() -> None:
    """B16: a fault is an answer, and the store did its part."""
    heard = Heard()
    async with serving(desk()) as served:
        units = served.service.ports.units

        def refuse(_unit: object) -> None:
            raise LookupError("the author's own")

        busy = TimedUnits(cast("Units", Failing(units, StoreBusy("held"))), telemetry=heard, clock=FixedClock())
        with pytest.raises(StoreBusy):
            await busy.write(lambda _: None, deadline=float("inf"))
        with pytest.raises(LookupError):
            await TimedUnits(units, telemetry=heard, clock=FixedClock()).read(
                refuse, deadline=float("inf"), subject=lambda _: None
            )

    assert heard.store == [("write", "StoreBusy"), ("read", "")]


async def test_what_waits_is_told_while_a_server_is_up() -> None:
    """B16: at once, and again when it has changed."""
    heard, bank = Heard(), Bank(mood="loses answers")
    async with banking(bank, kind="blind") as served, anyio.create_task_group() as tasks:
        ports = served.service.ports
        tasks.start_soon(lambda: tell_what_waits(ports, heard, clock=ports.clock, period_s=0.01))
        await eventually(lambda: bool(heard.waiting))
        await served.call("refund_create", {"payment_id": PAYMENT}, key="a-key-of-16-signs")
        await eventually(lambda: heard.waiting[-1].unknown_claims == 1)
        tasks.cancel_scope.cancel()

    assert (heard.waiting[0], heard.waiting[-1]) == (
        Waiting(unknown_claims=0, approvals=0),
        Waiting(unknown_claims=1, approvals=0),
    )


async def test_a_server_that_somebody_listens_to_tells_it_by_itself() -> None:
    """B16: from the start."""
    heard = Heard()
    async with (
        open_service(desk().build(), "memory:", telemetry=heard) as service,
        looked_after(service),
    ):
        await eventually(lambda: bool(heard.waiting))

    assert heard.waiting == [Waiting(unknown_claims=0, approvals=0)]
