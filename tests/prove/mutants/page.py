"""docs/proving-mutants.md: which check caught which broken variant, with the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tests.prove.mutants.bench import UNBROKEN, Found
from tests.prove.mutants.mutant import Mutant

__all__ = ["caught_by", "page_of"]

_HEAD = """# Broken variants

A suite that passes says little until it is known to fail. `scripts/soak mutants` breaks the billing server of
`examples/billing` in one place at a time, in its own handlers or in what serves them, and runs every check of
`fourfold prove billing:catalog --writes` on each variant. One is caught if a check fails on it that passes on the
server as it is. No check knows the billing server: each asks for what any server of its kind has to have.

The checks were mended until they caught all that were written first, so their number says little. When the others were
written, the checks and generators were finished. How many of those were caught then is what to expect of faults that
nobody has thought of: 5 of 15. Three of the missed ones were of kinds that any server
can have, and were mended afterwards: a query that reads what all tenants have, a page that calls itself complete before
another one, and a failure that says nothing about what to do. The table below is from after that.

This page is generated: `python -m tests.prove.mutants.run --write` writes it.
"""

_BLIND = """
## What these checks cannot see

They look at one server from outside, for as long as a run takes. So they see nothing of:

- a fault that shows only after minutes or days: a plan or a cursor that never expires, a lease that is not renewed, a
  row that is never purged;
- a fault between two processes or two stores: a claim that another replica does not see, a message that leaves twice;
- a fault of the database itself: a commit that is not on the disk when the power goes;
- a rule of the business that no contract says: a wrong tax rate, a wrong rounding that is wrong everywhere alike, a
  due date that is a day late. That needs [known figures](mutation.md);
- what is recorded and not told: a run without its subject, a log with a secret in it;
- one of two guards: a used plan is stopped by its row and by its key, an unapproved one in three places, so that
  nothing shows when one of them is gone;
- a guard against what no handler here does: a result that is too large, an exception whose text would be told.

The first three are what [the fault tests](faults.md) are for.
"""


_NEARLY = 0.9
"""Share of the verdicts that a run of everything has at least; one that ends a server has fewer."""


def caught_by(found: Found, unbroken: Found) -> list[str]:
    """The checks that fail on a variant and not on the server as it is."""
    return sorted({each.split(" ")[0] for each in set(found["failed"]) - set(unbroken["failed"])})


def page_of(mutants: Sequence[Mutant], found: Mapping[str, Found]) -> Iterator[str]:
    """The lines of the page."""
    unbroken = found[UNBROKEN.name]
    caught = {each.name: caught_by(found[each.name], unbroken) for each in mutants}
    yield _HEAD
    yield from _counted(mutants, caught, unbroken)
    yield from _in_part({name: found[name] for name in (UNBROKEN.name, *caught)})
    yield from _table([each for each in mutants if not each.last], caught)
    if any(each.last for each in mutants):
        yield "\n## Written last\n"
        yield from _table([each for each in mutants if each.last], caught)
    yield from _by_check(caught)
    yield _BLIND.rstrip()


def _counted(mutants: Sequence[Mutant], caught: Mapping[str, Sequence[str]], unbroken: Found) -> Iterator[str]:
    yield "| variants | in kinds | caught |"
    yield "|---|---|---|"
    for name, some in (
        ("written first", [each for each in mutants if not each.last]),
        ("written last", [each for each in mutants if each.last]),
        ("all", list(mutants)),
    ):
        if some:
            number = sum(bool(caught[each.name]) for each in some)
            yield f"| {len(some)} {name} | {len({each.family for each in some})} | {number} |"
    passed, open_now = len(unbroken["passed"]), len(unbroken["not_tested"])
    yield f"\nThe server as it is: {passed} passed, {len(unbroken['failed'])} failed, {open_now} not tested.\n"


def _in_part(found: Mapping[str, Found]) -> Iterator[str]:
    """Says so if some were not proved with everything: then more checks may catch them than stand here."""
    all_of_it = _size(found[UNBROKEN.name])
    part = sum(_size(each) < _NEARLY * all_of_it for each in found.values())
    if part:
        yield f"{part} of them were proved with the tools that the change is about, the others with all tools.\n"


def _size(found: Found) -> int:
    return sum(map(len, found.values()))


def _table(mutants: Sequence[Mutant], caught: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield "| kind | what is broken | where | caught by |"
    yield "|---|---|---|---|"
    for each in sorted(mutants, key=lambda mutant: mutant.family):
        checks = ", ".join(f"`{check}`" for check in caught[each.name]) or "**nothing**"
        yield f"| {each.family} | {each.name} | `{each.file.rpartition('src/')[2]}` | {checks} |"


def _by_check(caught: Mapping[str, Sequence[str]]) -> Iterator[str]:
    every = Counter(check for checks in caught.values() for check in checks)
    alone = Counter(checks[0] for checks in caught.values() if len(checks) == 1)
    yield "\n## By check\n"
    yield "Variants that a check catches, and those that no other check catches.\n"
    yield "| check | catches | alone |"
    yield "|---|---|---|"
    for check, count in sorted(every.items(), key=lambda each: (-each[1], each[0])):
        yield f"| `{check}` | {count} | {alone[check]} |"
