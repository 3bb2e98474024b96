"""A regression case from the record of a call that was refused or failed: the text of a test for pytest.

With kept arguments it runs as it is, unless something in them is never kept; then it fails and says what to fill in.
Without them its arguments are an example, made up from the schema.
"""

from __future__ import annotations

import json
import pprint
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject
from fourfold.model.kept import KeptCall, KeptPart
from fourfold.model.listed import ListedTool
from fourfold.model.redact import redact
from fourfold.model.run import Run
from fourfold.review.samples import minimal
from fourfold.review.view import ToolView

__all__ = ["RegressionCase", "makes_case", "regression_case"]

_ANSWERED = frozenset({"invalid", "rejected", "denied", "refused"})
"""Outcomes that are answers as they should be; a case holds on to them. `failed` should have been another one."""

_TOOL = re.compile(r"[a-zA-Z0-9_.-]{1,128}")
"""Other names are what a client made up; they would be code in the text of the case."""

_CASE = '''\
"""{tool} {version} was answered with {answered} on {day}: {run_id}."""

from __future__ import annotations

from typing import Any

import pytest

from {module} import {catalog}
from fourfold.testing import caller, open_kit

{about}
ARGUMENTS: dict[str, Any] = {arguments}
TO_FILL_IN: list[str] = {missing}

# The record names who called, which has no place in a test.
CALLER = caller({caller})


def test_{name}() -> None:
    """The regression case of that run."""
    if TO_FILL_IN:
        pytest.fail(f"fill in {{', '.join(TO_FILL_IN)}}; then empty TO_FILL_IN", pytrace=False)
    with open_kit({catalog}) as kit:
        # What was stored when it was called is arranged here: kit.arrange(…).
        answer = kit.call("{tool}", ARGUMENTS, by=CALLER{key})

    {assertion}
'''

_EXAMPLE = """\
# EXAMPLE, made up from the schema: nothing was kept of this call. Write what was sent, without what belongs to a person
# or is secret, and empty the list below. Until then the test fails."""
_AS_SENT = "# As they were sent."
_BUT_FOR = """\
# As they were sent, but for what is never kept, or was too long. Write something of the kind that belongs to nobody
# and opens nothing, and empty the list below. Until then the test fails."""
_LEFT_OUT = "\n# Of what no contract declares only the type is as it was: {places}."


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionCase:
    """A test as text. It passes or fails by itself if nothing is `missing`; else it fails and names that."""

    file_name: str
    text: str
    missing: tuple[str, ...]


def makes_case(run: Run) -> bool:
    """Whether `run` was refused or failed: nothing else makes a case."""
    return run.outcome in _ANSWERED or run.outcome == "failed"


def regression_case(
    run: Run, tool: ListedTool | None = None, *, target: str, kept: KeptCall | None = None
) -> RegressionCase:
    """The case of `run` for the catalog `target`, such as `billing:catalog`; `tool` is for an example if none is kept.

    Raises:
        ConfigError: the run makes no case, or `target` is no catalog.
    """
    if not makes_case(run):
        raise ConfigError(f"the outcome of {run.run_id} is {run.outcome}: only a refusal or a failure makes a case")
    if not _TOOL.fullmatch(run.tool):
        raise ConfigError(f"{run.run_id} named no tool that there could be")
    module, separator, catalog = target.partition(":")
    if not separator or not all(part.isidentifier() for part in (*module.split("."), catalog)):
        raise ConfigError("a case needs the catalog as module:name, such as billing:catalog")
    arguments, missing, about = _arguments(run, tool, kept)
    answer = f'assert (answer.kind, answer.code) == ("{run.outcome}", "{run.code}")\n    assert answer.writes == 0'
    text = _CASE.format(
        tool=run.tool,
        version=run.contract_version or "without a version",
        answered=run.code or run.outcome,
        day=f"{datetime.fromtimestamp(run.at_ms / 1000, tz=UTC):%Y-%m-%d %H:%M} UTC",
        run_id=run.run_id,
        module=module,
        catalog=catalog,
        about=about,
        arguments=pprint.pformat(dict(arguments), width=100, sort_dicts=False),
        missing=json.dumps(list(missing)),
        caller=_caller(run, kept),
        name=_name(run),
        key=f', key="case-{run.run_id}"' if kept is not None and kept.has_meta_key else "",
        assertion=answer if run.outcome in _ANSWERED else 'assert answer.code != "internal"',
    )
    return RegressionCase(file_name=f"test_{_name(run)}.py", text=text, missing=missing)


def _arguments(run: Run, tool: ListedTool | None, kept: KeptCall | None) -> tuple[JsonObject, tuple[str, ...], str]:
    """The arguments of the case, what is missing in them, and the comment above them."""
    sent = kept.arguments if kept is not None else None
    if sent is None:
        example = minimal(ToolView(tool)) if tool is not None else None
        return example or {}, ("ARGUMENTS, which are an example",), _EXAMPLE
    arguments = dict(sent.value)
    # Which key it was makes no difference, unless it was refused.
    own_key = "idempotency_key" in arguments and run.outcome != "invalid"
    if own_key:
        arguments["idempotency_key"] = f"case-{run.run_id}"
    missing = tuple(each for each in _missing(sent) if not (own_key and each == "/idempotency_key"))
    about = _BUT_FOR if missing else _AS_SENT
    left_out = _LEFT_OUT.format(places=", ".join(map(_one_line, sent.left_out))) if sent.left_out else ""
    return arguments, missing, f"{about}{left_out}"


def _missing(sent: KeptPart) -> Iterator[str]:
    yield from sent.redacted
    yield from (f"{place or 'the rest of ARGUMENTS'}, which is cut" for place in sent.cut)


def _one_line(text: str) -> str:
    """A pointer in a comment: a name that a client made up may hold a line break."""
    return text if text.isprintable() else json.dumps(text)


def _caller(run: Run, kept: KeptCall | None) -> str:
    tenant = f"tenant={json.dumps(redact(run.tenant))}"
    if kept is not None:
        return f"{tenant}, scopes={json.dumps(list(kept.scopes))}"
    return f"{tenant}, scopes=[]" if run.code == "not_permitted" else tenant


def _name(run: Run) -> str:
    return re.sub(r"[^a-z0-9]+", "_", f"{run.tool} {run.code or run.outcome}".lower())
