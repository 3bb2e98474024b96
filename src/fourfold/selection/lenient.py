"""The lenient rule, in the shape of BFCL's: a list of accepted values for each argument, strings compared loosely.

Berkeley Function Calling Leaderboard, "AST evaluation" (Yan et al. 2024; Patil et al. 2025). An argument that is not
among the accepted ones fails, and so does one that is missing unless its list allows that. Strings are equal without
case and without any of ` ,./-_*^`, and a single quote is a double one: which makes `2024-01-05` and `20240105` one
text, and the rule unfit for ids, dates and versions. Where a value is an object, the accepted one holds a list for
each of its keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from fourfold.model.case import Case, ExpectedCall, Matcher
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool
from fourfold.model.contract import JsonObject
from fourfold.model.scored import SampleVerdict
from fourfold.selection.exact import Fault, judged_by
from fourfold.selection.match import matches, same
from fourfold.selection.wire.values import list_of, object_of

__all__ = ["score_lenient"]

_LOOSE = re.compile(r"[ ,./\-_*^]")
_TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


def score_lenient(case: Case, choice: Choice, *, tools: Mapping[str, OfferedTool], sample: int = 0) -> SampleVerdict:
    """The verdict of the lenient rule on one answer; the arguments are those of `score_exact`."""
    return judged_by(_arguments, case, choice=choice, tools=tools, sample=sample)


def _arguments(want: ExpectedCall, call: ChosenCall, tool: OfferedTool | None) -> Fault | None:
    given: JsonObject = call.arguments or {}
    schema: JsonObject = tool.input_schema if tool else {}
    known, required = object_of(schema.get("properties")), list_of(schema.get("required"))
    for name in required:
        if name not in given:
            return Fault("missing_required", str(name))
    for name, value in given.items():
        if name not in known or name not in want.args:
            return Fault("unknown_argument", name)
        if want.args[name].kind == "items":  # which BFCL has no word for
            if not matches(want.args[name], value):
                return Fault("value", name)
            continue
        fault = _value(name, value, accepted=_accepted(want.args[name]), schema=object_of(known[name]))
        if fault is not None:
            return fault
    absent = (name for name in want.args if name not in given and want.args[name].kind != "absent_or")
    return next((Fault("missing_required", name) for name in absent), None)


def _accepted(matcher: Matcher) -> Sequence[object] | None:
    """The values that are accepted; `None` if all are."""
    if matcher.kind == "absent_or":
        return [*cast("Sequence[object]", matcher.value), ""]  # an empty text is taken for an absent one
    if matcher.kind == "one_of":
        return cast("Sequence[object]", matcher.value)
    return None if matcher.kind == "any" else [matcher.value]


def _value(name: str, value: object, *, accepted: Sequence[object] | None, schema: JsonObject) -> Fault | None:
    """What is wrong with one argument."""
    wanted = _type(schema)
    # The rule takes an integer for a number here, and not inside a list.
    if wanted is float and type(value) is int:
        value = float(value)
    if accepted is None or wanted is None:
        return None
    if not _typed(value, wanted, accepted, inner=_type(object_of(schema.get("items"))) if wanted is list else None):
        return Fault("type", name)
    return None if _is_accepted(value, accepted) else Fault("value", name)


def _typed(value: object, wanted: type, accepted: Sequence[object], *, inner: type | None) -> bool:
    """Whether a value has the type of the schema, or that of the first accepted one."""
    if type(value) is wanted:
        return inner is None or _members_typed(cast("Sequence[object]", value), inner, accepted)
    return bool(accepted) and type(value) is type(accepted[0])


def _members_typed(values: Sequence[object], inner: type, accepted: Sequence[object]) -> bool:
    """An integer is no member of a list of numbers unless an accepted list begins with one: a quirk of the rule."""
    lists = [cast("Sequence[object]", each) for each in accepted if isinstance(each, list)]
    return len(lists) < len(accepted) or any(
        all(type(value) is inner or (each and type(value) is type(each[0])) for value in values) for each in lists
    )


def _is_accepted(value: object, accepted: Sequence[object]) -> bool:
    if any(same(each, value) for each in accepted):  # an object may be accepted as it is, too, with no lists in it
        return True
    if isinstance(value, dict):
        return any(_object_fits(cast("JsonObject", value), each) for each in accepted)
    if isinstance(value, list) and any(isinstance(each, dict) for each in cast("list[object]", value)):
        return any(_objects_fit(cast("list[object]", value), each) for each in accepted)
    return _loose(cast("object", value)) in [_loose(each) for each in accepted]


def _object_fits(value: JsonObject, accepted: object) -> bool:
    if not isinstance(accepted, Mapping):
        return False
    lists = cast("Mapping[str, object]", accepted)
    for key, inner in value.items():
        if key not in lists or _loose(inner) not in [_loose(each) for each in list_of(lists[key])]:
            return False
    return all(key in value or "" in list_of(each) for key, each in lists.items())


def _objects_fit(values: Sequence[object], accepted: object) -> bool:
    wanted = list_of(accepted)
    return len(values) == len(wanted) and all(
        isinstance(value, Mapping) and _object_fits(cast("JsonObject", value), each)
        for value, each in zip(values, wanted, strict=True)
    )


def _loose(value: object) -> object:
    """What is compared: of a text what is left of it, of a list its members' texts; true and 1 differ."""
    if isinstance(value, str):
        return _LOOSE.sub("", value).lower().replace("'", '"')
    if isinstance(value, list | tuple):
        return [_loose(each) for each in cast("Sequence[object]", value)]
    return ("bool", value) if isinstance(value, bool) else value


def _type(schema: JsonObject) -> type | None:
    return _TYPES.get(str(schema.get("type")))
