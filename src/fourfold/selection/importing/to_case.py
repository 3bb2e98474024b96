"""From a recorded decision to a case: what was chosen is what is expected, until a person has reviewed it."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from fourfold.contracts.case_file import case_line, read_cases
from fourfold.errors import ConfigError
from fourfold.model.case import Case, Expectation, ExpectedCall, Matcher
from fourfold.model.chosen import ChosenCall, OfferedTool
from fourfold.selection.importing.decision import Decision, Format, Hindrance
from fourfold.selection.importing.messages import Hindered, exact_arguments, kept_messages, last_user_text
from fourfold.selection.importing.offered import OfferedSet, are_told
from fourfold.selection.importing.redaction import MASK, Redaction

__all__ = ["CaseMaker", "is_taken"]

_KEPT_SETS = 64


@dataclass(slots=True)
class CaseMaker:
    """Makes cases; `tools` stand in for those that a record does not tell of."""

    tools: Sequence[OfferedTool] = ()
    sets: OrderedDict[str, OfferedSet] = field(default_factory=OrderedDict[str, OfferedSet], init=False)

    def case_of(self, decision: Decision, *, form: Format) -> Case | Hindrance:
        """The case of a decision, or why there is none. Decisions of one kind give one id (see `_key`)."""
        offered = self._offered(decision.tools)
        if offered is None:
            return "no_schemas"
        try:
            return _case(decision, offered, form=form)
        except Hindered as hindered:
            return hindered.reason

    def _offered(self, recorded: Sequence[OfferedTool]) -> OfferedSet | None:
        """What was offered, with what a model is told of it."""
        if are_told(recorded):
            return self._known(recorded)
        if not self.tools:
            return None
        stand_in = self._known(self.tools)
        return self._known(stand_in.among(frozenset(tool.name for tool in recorded)).tools) if recorded else stand_in

    def _known(self, tools: Sequence[OfferedTool]) -> OfferedSet:
        """One object for the same tools, since a log offers them again and again and a digest takes its time."""
        key = json.dumps([[tool.name, tool.description, tool.input_schema] for tool in tools])
        found = self.sets.setdefault(key, OfferedSet(tools))
        if len(self.sets) > _KEPT_SETS:
            self.sets.popitem(last=False)
        return found


def _case(decision: Decision, offered: OfferedSet, *, form: Format) -> Case | Hindrance:
    redaction = Redaction()
    messages = kept_messages(decision.messages, offered=offered, redaction=redaction)
    asked = last_user_text(messages)
    if asked is None:
        return "no_conversation"
    calls = tuple(_expected(call, offered, redaction) for call in decision.calls)
    return Case(
        id=f"imported-{_key(offered, asked, calls)}",
        case_class="positive",
        messages=tuple(messages),
        expect=Expectation(decisions=("call",) if calls else ("ask", "abstain"), calls=calls),
        source={"format": form, **decision.ids},
        tools_ref=offered.digest,
    )


def _expected(call: ChosenCall, offered: OfferedSet, redaction: Redaction) -> ExpectedCall:
    name = offered.named(call.name)
    if not name:
        raise Hindered("unknown_tool")
    arguments = exact_arguments(call.raw) if call.raw else call.arguments
    if arguments is None:
        raise Hindered("bad_arguments")
    given = {key: redaction.member(key, value) for key, value in arguments.items()}
    return ExpectedCall(name=name, args={key: _matcher(value) for key, value in given.items()})


def _matcher(value: object) -> Matcher:
    """Equality; an argument that held a secret only has to be there, since nobody can say it again."""
    is_masked = MASK in json.dumps(value)
    return Matcher(kind="any", value=True) if is_masked else Matcher(kind="eq", value=value)


def _key(offered: OfferedSet, asked: str, calls: Sequence[ExpectedCall]) -> str:
    """Names what is decided: the tools, what the user said last, and the calls. The same twice is one case."""
    chosen = [[call.name, {name: [each.kind, each.value] for name, each in call.args.items()}] for call in calls]
    # Sorted, since the order of arguments is nobody's decision; the order of calls stays.
    text = json.dumps([offered.digest, asked, chosen], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_taken(case: Case) -> bool:
    """Whether the reader of suites takes the case: it looks for secrets once more, and for what a line may hold."""
    try:
        return len([*read_cases([case_line(case).encode("utf-8", "replace")], name="")]) == 1
    except ConfigError:
        return False
