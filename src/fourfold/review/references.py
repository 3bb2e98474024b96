"""Where the references of a schema lead: into the schema, round in a circle, or out of it.

Every reference is a JSON Pointer (RFC 6901) or leads out; names of `$defs` have no part in it, so that a circle that
is written as `#/properties/nodes/items` is found like any other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from fourfold.review.place import Place

__all__ = ["Reference", "references"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One `$ref`.

    Attributes:
        place: the subschema that it stands in.
        text: the reference as written.
        target: pointer of the place that it means; `None` if it leads out of the schema or nowhere.
        recursive: whether following it never ends: its target contains itself, or leads into one that does.
    """

    place: Place
    text: str
    target: str | None
    recursive: bool = False


def references(places: Sequence[Place]) -> tuple[Reference, ...]:
    """The references of one schema, all of whose places are in `places`, the root first."""
    found = [place for place in places if isinstance(place.schema.get("$ref"), str)]
    if not found:
        return ()
    known = {place.pointer for place in places}
    targets = {place.pointer: _target(place.schema["$ref"], root=places[0].pointer) for place in found}
    endless = _endless({place: target for place, target in targets.items() if target in known})
    return tuple(
        Reference(
            place=place,
            text=place.schema["$ref"],
            target=target if target in known else None,
            recursive=target in endless,
        )
        for place in found
        for target in (targets[place.pointer],)
    )


def _target(reference: str, *, root: str) -> str:
    """The pointer that a local reference means; text that is no pointer of the schema for any other."""
    path = unquote(reference.removeprefix("#")) if reference.startswith("#") else "?"
    return f"{root}{path}" if path == "" or path.startswith("/") else "?"


def _endless(targets: dict[str, str]) -> frozenset[str]:
    """The targets from which a circle can be reached. `targets` are those of each place with a reference."""
    ordered = sorted(targets)
    leads = {target: {targets[place] for place in _under(target, ordered)} for target in set(targets.values())}
    into: dict[str, list[str]] = {target: [] for target in leads}
    for target, nexts in leads.items():
        for each in nexts:
            into[each].append(target)
    # Whoever leads only to ends is an end; what is left when those are gone goes round.
    ends = [target for target, nexts in leads.items() if not nexts]
    while ends:
        end = ends.pop()
        for before in into[end]:
            leads[before].discard(end)
            if not leads[before]:
                ends.append(before)
    return frozenset(target for target, nexts in leads.items() if nexts)


def _under(pointer: str, ordered: Sequence[str]) -> Iterable[str]:
    """Those of `ordered` that are `pointer` or below it. `0` is the character after `/`."""
    low, high = bisect_left(ordered, f"{pointer}/"), bisect_left(ordered, f"{pointer}0")
    at = bisect_left(ordered, pointer)
    yield from ordered[at : at + 1] if ordered[at : at + 1] == [pointer] else ()
    yield from ordered[low:high]
