"""From declarations to contracts: what a build gives, and what it says when it fails."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast
from uuid import UUID

import pytest
from pydantic import Field

from fourfold.catalog.declare import Catalog
from fourfold.catalog.places import Masked
from fourfold.contracts.base import Input, Output, Page
from fourfold.contracts.markers import Personal, Secret, Subject
from fourfold.errors import BuildProblem, ContractError
from fourfold.model.contract import Limits
from fourfold.model.effect import Create, Read, Update
from fourfold.model.fault import Fault, Retry
from fourfold.model.policy import Resource
from tests.contracts.declaring import Nothing, Ok, add_tool, built, catalog_of, input_with, output_with, rules_of

if TYPE_CHECKING:
    from collections import OrderedDict

Text = Annotated[str, Field(max_length=9)]


class UnknownAccount(Fault):
    """No account with that id is visible to you."""

    code, retry, next_step = "unknown_account", Retry.NEVER, "Ask the user which account they mean."


class Row(Output):
    """An item of a page."""

    name: Text


class Answer(Output):
    """A result with something to mask and something to count."""

    account_id: Annotated[UUID, Subject()]
    email: Annotated[Text, Personal(unmask="people:read")]
    keys: Annotated[list[Annotated[Text, Secret()]], Field(max_length=3)]
    flags: Annotated[list[Literal["a", "b"]], Field(max_length=2)]
    state: Literal["open", "paid"]


class Request(Input):
    """An input that names its subject."""

    account_id: Annotated[UUID, Subject()]
    code: Annotated[Text | None, Secret()] = None


def find(request: Nothing) -> Resource | None:
    """Finds nothing."""
    return None


def test_a_build_makes_one_contract_with_everything_in_it() -> None:
    """A1, B3, B5: what the server, the review and the runs read."""
    tool = built(Request, Answer, title="A thing", needs={"b", "a"}, step_up=True, limits=Limits(deadline_s=1))

    assert tool.contract.subject == "/account_id"
    assert tool.contract.counted == ("flags", "state")
    assert tool.contract.title == "A thing"
    assert (tool.subject, tool.output_subject) == (("account_id",), ("account_id",))
    assert tool.secrets == frozenset({("code",)})
    assert set(tool.masked) == {Masked(steps=("keys", "*")), Masked(steps=("email",), unmask="people:read")}
    assert "x-fourfold" not in str(tool.contract.input_schema) + str(tool.contract.output_schema)


@pytest.mark.parametrize(
    ("declared", "names"),
    [
        ({"effect": Read()}, []),
        ({"effect": Create()}, ["idempotency_key"]),
        ({"effect": Update(), "resource": find, "missing": UnknownAccount}, ["expected_version", "idempotency_key"]),
    ],
)
def test_framework_arguments_stand_at_the_end_in_one_line_each(declared: Any, names: list[str]) -> None:
    """B2, D1: beside the author's, and not in the model that the handler gets."""
    contract = built(Nothing, **declared).contract
    properties = contract.input_schema["properties"]

    assert list(properties) == names
    assert list(contract.framework_arguments) == names
    assert all(len(schema["description"]) < 80 for schema in properties.values())
    assert contract.input_schema["required"] == [name for name in names if name == "expected_version"]


def test_the_schema_of_a_page_tool_is_published_literally() -> None:
    """B2, B3, B17: the author's arguments first."""
    contract = built(input_with(status=Literal["open"]), Page[Row], page_limit=20, effect=Read()).contract

    assert dict(contract.input_schema) == {
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["open"]},
            "cursor": {
                "type": "string",
                "description": "next_cursor of the page before; leave out at first.",
                "minLength": 1,
                "maxLength": 2048,
            },
            "limit": {
                "type": "integer",
                "description": "Items a page.",
                "minimum": 1,
                "maximum": 20,
                "default": 20,
            },
        },
        "required": ["status"],
        "additionalProperties": False,
    }


def test_the_handler_gets_its_own_arguments_and_the_framework_the_rest() -> None:
    """B2: one set on the wire, two behind it."""
    tool = built(Nothing, Page[Row], page_limit=20)
    checked = cast("Any", tool.input.check({"limit": 5}))

    assert checked.request == Nothing()
    assert dict(checked.framework) == {"limit": 5}
    assert dict(cast("Any", tool.input.check({})).framework) == {"limit": 20}


@pytest.mark.parametrize("name", ["idempotency_key", "expected_version", "plan_id", "digest", "cursor", "limit"])
def test_an_author_cannot_take_a_name_of_the_framework(name: str) -> None:
    """B2: by field or by alias, whether the tool takes that argument or not; behind an alias the name is free."""
    assert [rule for rule, _ in rules_of(input_with(**{name: bool}))] == ["framework_name"]
    assert [rule for rule, _ in rules_of(input_with(x=(bool, Field(alias=name))))] == ["framework_name"]
    assert rules_of(input_with(**{name: (bool, Field(alias="other"))})) == []


def test_a_recursive_input_takes_framework_arguments_too() -> None:
    """B2: MP-010. Its root is joined with them, its definition is not."""
    schema = built(Chain, effect=Create()).contract.input_schema

    assert list(schema["properties"]) == ["next", "idempotency_key"]
    assert list(schema["$defs"]["Chain"]["properties"]) == ["next"]


class Chain(Input):
    """A model that holds itself."""

    next: Chain | None = None


def two_inputs(first: Nothing, second: Request) -> Ok:
    """Takes two inputs."""
    return Ok(done=True)


def no_input() -> Ok:
    """Takes none."""
    return Ok(done=True)


def no_output(request: Nothing) -> dict[str, bool]:
    """Returns a plain dictionary."""
    return {}


def no_annotation(request: Nothing):  # the fault that is looked for
    """Does not say what it returns."""
    return Ok(done=True)


def unreadable(request: Nothing, cache: OrderedDict[str, str]) -> Ok:
    """Names a type that is there for the type checker alone."""
    return Ok(done=True)


def unfilled(request: Nothing, quotes: datetime) -> Ok:
    """Asks for what nothing provides."""
    return Ok(done=True)


def starred(request: Nothing, *rest: int) -> Ok:
    """Takes whatever comes."""
    return Ok(done=True)


@pytest.mark.parametrize(
    ("handler", "rule", "what"),
    [
        (two_inputs, "no_input", "2 parameters are an Input"),
        (no_input, "no_input", "0 parameters are an Input"),
        (no_output, "no_output", "the return type is not an Output"),
        (no_annotation, "no_output", "the return type is not an Output"),
        (unreadable, "unreadable_types", "name 'OrderedDict' is not defined"),
        (unfilled, "unfilled_parameter", "nothing provides datetime for parameter quotes"),
        (starred, "unfilled_parameter", "nothing provides a variadic positional parameter for parameter rest"),
        (print, "no_input", "0 parameters are an Input"),
    ],
)
def test_a_handler_that_cannot_be_called_is_a_problem_with_a_fix(handler: Any, rule: str, what: str) -> None:
    """A3: found when the catalog is built, not when a model calls."""
    catalog = Catalog("shop")
    add_tool(catalog, handler)

    with pytest.raises(ContractError) as caught:
        catalog.build()
    first = caught.value.problems[0]
    assert (first.rule, first.what, first.where) == (rule, what, "thing_get")
    assert len(first.fix.split()) > 2


def test_a_type_that_cannot_be_published_is_a_problem_and_no_traceback() -> None:
    """B2: MP-007. Both sides are looked at, though one has no schema at all."""
    found = rules_of(input_with(call=Callable[[], None]), output_with(value=str))

    assert found == [("unpublishable_type", ""), ("unbounded_string", "output /value")]


def test_a_resource_is_bound_as_a_handler_is() -> None:
    """A3: its parameters are filled by type, and found wanting at the same time."""
    declared: dict[str, Any] = {"missing": UnknownAccount}

    assert rules_of(resource=unfilled, **declared) == [("unfilled_parameter", "")]
    assert rules_of(resource=unreadable, **declared) == [("unreadable_types", "")]
    assert built(resource=find, **declared).resource is not None


def test_a_build_is_kept_until_something_is_declared() -> None:
    """A3: built once, however often it is asked for."""
    catalog = catalog_of()
    first = catalog.build()

    assert catalog.build() is first
    add_tool(catalog, find_all, name="other_get", does="Does something else.", use_when="it is wanted")
    assert list(catalog.build().tools) == ["other_get", "thing_get"]


def find_all(request: Nothing) -> Ok:
    """A plain handler."""
    return Ok(done=True)


def test_the_error_of_a_build_reads_as_a_list_of_things_to_do() -> None:
    """A1, B1: the whole text, once."""
    catalog = catalog_of(input_with(tenant_id=UUID), version="1")

    with pytest.raises(ContractError) as caught:
        catalog.build()
    assert str(caught.value) == (
        "catalog 'shop' does not build: 2 problems\n"
        "  thing_get: input /tenant_id: tenant_id is identity, and the model would set it\n"
        "    why: a model fills every argument that it sees; what it fills is not proof of anything\n"
        "    fix: take it from Caller; the transport knows who calls  [identity_argument]\n"
        "  thing_get: the version '1' is not MAJOR.MINOR\n"
        "    why: callers and the lock tell a breaking change from a harmless one by it\n"
        '    fix: start at version="1.0"  [contract_version]'
    )


def test_the_error_of_a_build_survives_a_process_pool() -> None:
    """A3: test runners and workers send errors around."""
    problem = BuildProblem(rule="r", where="w", what="a", why="b", fix="c")
    error = ContractError("shop", [problem])

    assert str(error).startswith("catalog 'shop' does not build: 1 problem\n")
    assert pickle.loads(pickle.dumps(error)).problems == (problem,)  # noqa: S301  # our own bytes


def test_a_catalog_of_many_faults_lists_each_of_them() -> None:
    """B1, B2: ten tools, ten problems, in the order of the tools."""
    catalog = Catalog("shop")
    for number in range(10):
        words = f"number{number} apple{number} pear{number}"
        add_tool(catalog, find_all, name=f"thing{number}_get", version="1", does=words, use_when=words)

    with pytest.raises(ContractError) as caught:
        catalog.build()
    assert [problem.where for problem in caught.value.problems] == [f"thing{number}_get" for number in range(10)]
