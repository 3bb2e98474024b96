"""Arguments that a tool may take well: what is said to work, what has worked, what answers held, what is made up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from fourfold.contracts.conform import misfits
from fourfold.contracts.names import is_currency
from fourfold.model.contract import JsonObject
from fourfold.model.effect import Create
from fourfold.prove.arguments import valid_arguments
from fourfold.prove.desk import FIRST, Desk
from fourfold.prove.ids import id_arguments, is_id
from fourfold.prove.keys import executes, key_argument, version_argument, with_new_key
from fourfold.review.view import ToolView

__all__ = ["about", "candidates", "fitted", "makers", "needs_state"]

_OPERATION = "operation_id"
_SAMPLES = 6
_RECORDS = 6
_FITTED = 3
_LATER = "2099-12-31"
"""A day that is not past, for what must not be due yet."""


def about(desk: Desk, tool: ToolView, *, record: JsonObject, check: str) -> list[JsonObject]:
    """A few arguments about the object of a record, under a new key each, the likeliest first.

    What else the record names may not go with what worked, so that the last ones have only its own id and version.
    """
    dice = desk.dice(check, tool.name)
    samples = [*islice(chain(_known(desk, tool), _made_up(desk, tool, check=check)), _FITTED)]
    own = next((name for name in record if is_id(name)), "")
    itself = {name: record[name] for name in (own, "version") if name in record}
    found = [fitted(tool, sample, record=each) for each in (record, itself) for sample in samples]
    return [with_new_key(tool, arguments, desk=desk, dice=dice) for arguments in found]


def candidates(desk: Desk, tool: ToolView, *, check: str, by: str = FIRST) -> Iterator[JsonObject]:
    """Arguments to try, the likeliest first. What changes something is tried on the newest of its kind.

    Raises:
        NotTested: no arguments can be made up; what is known comes before.
    """
    known, made = [*_known(desk, tool)], _made_up(desk, tool, check=check)
    named = {place.name for place in id_arguments(tool)}
    records = [record for record in reversed(desk.records(by=by)) if named & record.keys()][:_RECORDS]
    # What worked was the first caller's: others have to ask for what is theirs.
    if by == FIRST and not needs_state(tool):
        yield from known
    first = [*islice(chain(known, made), _FITTED)] if records or not known else []
    yield from (fitted(tool, sample, record=record) for record in records for sample in first)
    yield from chain(known, first, made)


def makers(desk: Desk, tool: ToolView) -> list[ToolView]:
    """For each id that a tool takes, the tool that answers with a new one; none for a tool that adds something."""
    if not needs_state(tool) or tool.tool.contract is None:
        return []
    found = [_maker(desk, tool, place.name) for place in id_arguments(tool)]
    return [*{maker.name: maker for maker in found if maker is not None}.values()]


def _maker(desk: Desk, tool: ToolView, wanted: str) -> ToolView | None:
    for other in desk.view.tools:
        contract = other.tool.contract
        adds = contract is not None and isinstance(contract.effect, Create) and other.name != tool.name
        is_taken = any(place.name == wanted for place in other.arguments)
        # Every write answers with its operation, beside its result.
        gives = {_OPERATION, *(place.name for place in other.fields if len(place.parents) == 1)}
        if adds and not is_taken and not executes(other) and wanted in gives:
            return other
    return None


def needs_state(tool: ToolView) -> bool:
    """Whether it takes a thing in the right state: an update, a plan of one, or what previews one."""
    contract = tool.tool.contract
    return contract is None or not isinstance(contract.effect, Create)


def _known(desk: Desk, tool: ToolView) -> Iterator[JsonObject]:
    """What is said to work, and what has worked, each without its key."""
    key, worked = key_argument(tool), desk.worked.get(tool.name)
    found = [*desk.examples.get(tool.name, ()), *([_later(tool, worked), worked] if worked is not None else [])]
    yield from ({name: value for name, value in each.items() if name != key} for each in found)


def _made_up(desk: Desk, tool: ToolView, *, check: str) -> Iterator[JsonObject]:
    """What other tools took under the same names, and what is made up, with days that have not passed."""
    key = key_argument(tool)
    others = [*(each for said in desk.examples.values() for each in said), *desk.worked.values()]
    for sample in valid_arguments(desk, tool, check=check, most=_SAMPLES):
        plain = {name: value for name, value in sample.value.items() if name != key}
        later = _later(tool, plain)
        yield from _as_others(tool, later, others) if sample.kind == "minimal" else ()
        yield from (later, plain)


def _as_others(tool: ToolView, sample: JsonObject, others: list[JsonObject]) -> Iterator[JsonObject]:
    """The sample with the parts that another tool took under the same names, where there are such."""
    for other in others:
        lent = {name: other[name] for name, value in sample.items() if isinstance(value, list | dict) and name in other}
        if lent and not misfits({**sample, **lent}, tool.tool.input_schema):
            yield {**sample, **{name: other.get(name, value) for name, value in sample.items()}}


def _later(tool: ToolView, arguments: JsonObject) -> JsonObject:
    """The arguments with days that have not passed; as they are, if the schema takes no such day."""
    days = {
        place.name for place in tool.arguments if place.resolved.get("format") == "date" and len(place.parents) == 1
    }
    later = {name: _LATER if name in days else value for name, value in arguments.items()}
    return arguments if misfits(later, tool.tool.input_schema) else later


def fitted(tool: ToolView, sample: JsonObject, *, record: JsonObject) -> JsonObject:
    """The sample about the object of a record: its ids, its currency, its version."""
    version = version_argument(tool)
    fitting = {name: record[name] for name in sample if name in record and (is_id(name) or is_currency(name))}
    if version is not None and "version" in record:
        fitting[version] = record["version"]
    changed = dict(sample)
    for name, value in fitting.items():
        if not misfits({**changed, name: value}, tool.tool.input_schema):
            changed[name] = value
    return changed
