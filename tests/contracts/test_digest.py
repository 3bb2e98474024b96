"""Digests: what changes them, what does not, and that equal intents have equal fingerprints everywhere."""

from __future__ import annotations

import hashlib
import json
import os
import string
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, cast
from uuid import UUID

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AwareDatetime, Field, SecretStr

from fourfold.catalog.tool import BuiltTool
from fourfold.contracts.base import Input
from fourfold.contracts.digest import fingerprint, is_plain, lock_digest, plain_json, secret_paths, wire_digest
from fourfold.contracts.markers import Secret
from fourfold.contracts.schema import canonical
from fourfold.model.contract import Limits, Selection, ToolContract, Waiver
from fourfold.model.effect import Create, Read
from fourfold.model.fault import FaultSpec, Retry
from tests.contracts.declaring import built

ROOT = Path(__file__).parents[2]
UNKNOWN = FaultSpec(code="unknown_account", retry=Retry.NEVER, message="No such account.", next_step="Ask.")
BASE = ToolContract(
    name="quote_create",
    version="1.0",
    selection=Selection(does="Creates a quote.", use_when="a quote is wanted", not_for="pricing (quote_preview)"),
    effect=Create(),
    input_schema={"type": "object", "properties": {}},
    output_schema={"type": "object", "properties": {}},
    description="Creates a quote.",
    faults=(UNKNOWN,),
    missing=UNKNOWN,
)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "quote_make"},
        {"effect": Read()},
        {"effect": Create(duplicates="refuse")},
        {"effect": Create(reach="outside")},
        {"effect": Create(window_s=60)},
        {"input_schema": {"type": "object", "properties": {"a": {"type": "boolean"}}}},
        {"output_schema": {"type": "object", "properties": {"a": {"type": "boolean"}}}},
        {"faults": ()},
        {"faults": (replace(UNKNOWN, code="no_account"),)},
        {"faults": (replace(UNKNOWN, retry=Retry.AFTER_FIX),)},
        {"missing": None},
    ],
)
def test_what_a_caller_depends_on_changes_both_digests(change: dict[str, Any]) -> None:
    """D4: seals and cursors made before are not valid after."""
    changed = replace(BASE, **change)

    assert wire_digest(changed) != wire_digest(BASE)
    assert lock_digest(changed) != lock_digest(BASE)


@pytest.mark.parametrize(
    "change",
    [
        {"version": "1.1"},
        {"title": "Create a quote"},
        {"description": "Makes a quote."},
        {"selection": replace(BASE.selection, inputs="account_id comes from account_find")},
        {"needs": frozenset({"quotes:write"})},
        {"step_up": True},
        {"toolsets": frozenset({"sales"})},
        {"limits": Limits(result_bytes=1)},
        {"limits": Limits(deadline_s=1.5)},
        {"waivers": (Waiver(rule="no_plan", where="quote_create", reason="it can be undone"),)},
        {"faults": (replace(UNKNOWN, message="Unknown account."),)},
        {"missing": replace(UNKNOWN, next_step="Ask the user.")},
        {"subject": "/account_id"},
        {"counted": ("flags",)},
    ],
)
def test_what_only_people_read_changes_the_lock_alone(change: dict[str, Any]) -> None:
    """D4: a typo fix kills nothing that is in flight, and the lock still shows it."""
    changed = replace(BASE, **change)

    assert wire_digest(changed) == wire_digest(BASE)
    assert lock_digest(changed) != lock_digest(BASE)


def test_digests_do_not_depend_on_the_order_of_sets_and_keys() -> None:
    """D4: RFC 8785 orders the keys, and we the sets."""
    one = replace(BASE, needs=frozenset({"a", "b", "c"}), input_schema={"type": "object", "properties": {}})
    other = replace(BASE, needs=frozenset({"c", "b", "a"}), input_schema={"properties": {}, "type": "object"})

    assert lock_digest(one) == lock_digest(other)
    assert len(wire_digest(one)) == 64
    assert wire_digest(one) != lock_digest(one)


class Sealing:
    """A sealer of which only the keyed digest is needed."""

    def tag(self, purpose: str, data: bytes) -> bytes:
        """A digest that needs the key."""
        return hashlib.sha256(b"key " + purpose.encode() + data).digest()


class Line(Input):
    """A line with a secret, behind an alias."""

    sku: Annotated[str, Field(max_length=9)]
    code: Annotated[str | None, Secret(), Field(max_length=9, alias="promoCode")] = None


class Order(Input):
    """An order of everything that has no order of its own."""

    labels: Annotated[frozenset[Literal["a", "b", "c", "d"]], Field(max_length=4)] = frozenset()
    lines: Annotated[tuple[Line, ...], Field(max_length=9)] = ()
    at: AwareDatetime | None = None
    voucher: Annotated[SecretStr | None, Field(max_length=9)] = None


def _print_of(arguments: str, *, version: str | None = None, model: type[Input] = Order, **declared: Any) -> str:
    tool = built(model, effect=Create(), **declared)
    request = model.model_validate_json(arguments)
    sealer: Any = Sealing()
    return fingerprint(
        tool.contract, request, expected_version=version, secrets=tool.secrets, plain=tool.plain, sealer=sealer
    ).hex()


def test_equal_intents_have_equal_fingerprints() -> None:
    """D1: a default sent and a default left out, a set in another order, another description."""
    assert _print_of("{}") == _print_of('{"lines":[],"labels":[]}')
    assert _print_of('{"labels":["a","b"]}') == _print_of('{"labels":["b","a"]}')
    assert _print_of("{}") == _print_of("{}", version=None, does="Gets another thing.")


@pytest.mark.parametrize(
    "other",
    [
        '{"labels":["b"]}',
        '{"lines":[{"sku":"a"}]}',
        '{"voucher":"t1"}',
        '{"lines":[{"sku":"a","promoCode":"p1"}]}',
        '{"at":"2026-01-31T00:00:00Z"}',
    ],
)
def test_another_value_is_another_intent(other: str) -> None:
    """D1: also where the value is a secret, at any depth and behind an alias."""
    changed = other.replace("t1", "t2").replace("p1", "p2").replace("00Z", "01Z").replace('"b"', '"c"')
    changed = changed.replace('{"sku":"a"}', '{"sku":"b"}')

    assert len({_print_of("{}"), _print_of(other), _print_of(changed)}) == 3


def test_another_tool_major_or_version_is_another_intent() -> None:
    """D1: the same arguments for another tool, or on another state of the resource."""
    prints = [
        _print_of("{}"),
        _print_of("{}", version="3"),
        _print_of("{}", version="4"),
        _print_of("{}", name="other_get"),
    ]

    assert len(set(prints)) == 4


def test_a_secret_enters_as_a_keyed_digest_only() -> None:
    """D1: nobody who sees fingerprints can guess it; the paths are those of the schema."""
    assert secret_paths(canonical(Order)) == frozenset({("voucher",), ("lines", "*", "promoCode")})
    assert _print_of('{"voucher":"a"}') == _print_of('{"voucher":"a"}')


_PROGRAM = 'from tests.contracts.test_digest import _print_of\nprint(_print_of(\'{"labels":["a","b","c","d"]}\'))\n'


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    """D1: a retry may reach another replica, where sets iterate in another order."""
    prints = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(prints) == 1


class Plain(Input):
    """Everything that has one JSON text."""

    id: UUID
    when: AwareDatetime
    kind: Literal["a", "b"] = "a"
    many: Annotated[list[Annotated[int, Field(ge=-(2**53) + 1, le=2**53 - 1)]], Field(max_length=9)]
    text: Annotated[str, Field(max_length=99, alias="theText")] = ""


JSON_WITHOUT_FLOATS = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(string.ascii_letters + string.digits + "_"), inner),
)


@given(st.dictionaries(st.text(string.ascii_letters + "_"), JSON_WITHOUT_FLOATS))
def test_the_fast_text_is_the_canonical_one_where_it_is_used(facts: dict[str, Any]) -> None:
    """D1: RFC 8785, byte for byte, as long as there are no floats and names are ASCII."""
    assert plain_json(facts) == rfc8785.dumps(facts)


@given(st.text(max_size=99), st.lists(st.integers(-(2**53) + 1, 2**53 - 1), max_size=9), st.uuids())
def test_both_ways_to_a_fingerprint_lead_to_the_same(text: str, many: list[int], number: UUID) -> None:
    """D1: which way is taken is decided when the catalog is built, and must not be seen in a key's history."""
    arguments = json.dumps({"id": str(number), "when": "2026-11-30T09:00:00+01:00", "many": many, "theText": text})
    request = Plain.model_validate_json(arguments)
    tool, sealer = _plain_tool(), cast("Any", Sealing())
    first, second = [
        fingerprint(tool.contract, request, expected_version="3", secrets=frozenset(), plain=plain, sealer=sealer)
        for plain in (True, False)
    ]
    assert first == second


@cache
def _plain_tool() -> BuiltTool:
    return built(Plain, effect=Create())


@pytest.mark.parametrize(("model", "plain"), [(Plain, True), (Order, False), (Line, False)])
def test_secrets_sets_and_floats_need_more_care(model: type[Input], plain: bool) -> None:
    """D1, B3: the fast way is only for what needs none."""
    assert is_plain(canonical(model)) is plain
