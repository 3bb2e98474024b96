"""Secrets that came with calls are on no page, whoever looks."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from fourfold import Catalog, Create, Fault, Input, Output, Personal, Retry, Secret, Subject, Unit
from tests.console.desk import Browser, open_desk

SECRET, PERSON, KEY = "cnry-secret-5b1f", "cnry-person-77c0", "cnry-key-of-the-call"
MADE_UP = "cnry-made-up-31aa"

_PAGES = (
    "/",
    "/runs",
    "/failures",
    "/cost",
    "/tools",
    "/tool?name=box_open",
    "/approvals",
    "/claims?state=all",
    "/diff",
)

catalog = Catalog("boxes", version="1")


class BoxStuck(Fault):
    """The box does not open."""

    code, retry, next_step = "box_stuck", Retry.NEVER, "Ask the user for another box."


class Opening(Input):
    """Which box, with whose code."""

    box: Annotated[str, Field(max_length=20), Subject()]
    pin: Annotated[str, Field(max_length=40), Secret()]
    owner: Annotated[str, Field(max_length=40), Personal()]


class Opened(Output):
    """That it is open."""

    owner: Annotated[str, Field(max_length=40), Personal()]


@catalog.tool(
    name="box_open",
    version="1.0",
    does="Open a box",
    use_when="the user gives a box and its code",
    not_for="anything else that can be done with a box",
    effect=Create(),
    faults=[BoxStuck],
    keep={"arguments", "results"},
)
def box_open(request: Opening, unit: Unit) -> Opened:
    """Open it, refuse it, or break with everything in the error."""
    if request.box == "stuck":
        raise BoxStuck
    if request.box == "broken":
        raise RuntimeError(f"{request!r} {request.model_dump_json()}")
    return Opened(owner=request.owner)


def everything(browser: Browser) -> str:
    """The text of every page, and of each page that the lists lead to."""
    pages = [browser.get(path).text for path in _PAGES]
    runs = sorted(set(re.findall(r"/runs/(run_[0-9a-f]+)", pages[1])))
    assert len(runs) == 4
    claims = sorted(set(re.findall(r"/claims/(op_[0-9a-f]+)", pages[7])))
    assert len(claims) == 2
    more = [f"/runs/{run}{part}" for run in runs for part in ("", "/case", "/case.py")]
    return "".join([*pages, *(browser.get(path).text for path in (*more, *(f"/claims/{each}" for each in claims)))])


def test_no_secret_and_no_personal_text_is_on_any_page() -> None:
    """D5, B16, B18: not in what is kept, not in a note, not in a regression case; and neither is an idempotency key."""
    with open_desk(catalog) as desk:
        for number, box in enumerate(("open", "stuck", "broken")):
            sent = {"box": box, "pin": SECRET, "owner": PERSON}
            desk.kit.call("box_open", sent, key=f"{KEY}-{number}")
        desk.kit.call("box_open", {"box": "open", "pin": SECRET, "owner": PERSON, MADE_UP: SECRET, "extra": MADE_UP})
        desk.settle()
        text = everything(desk.signed_in()) + everything(desk.tenant("acme"))

    assert "[redacted]" in text
    assert [canary for canary in (SECRET, PERSON, KEY) if canary in text] == []
