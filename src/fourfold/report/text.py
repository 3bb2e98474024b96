"""A review for the terminal: the questions of a design review for each tool, then what is behind each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from fourfold.model.finding import QUESTIONS, SEVERITIES, Finding, Question, Reviewed, Severity
from fourfold.model.portability import Matrix

__all__ = ["Style", "as_text", "verdict"]

Style = Callable[[str, str], str]
"""Colours a text in the way of a word: `error`, `warning`, `advice`, `pass`, `heading`."""

_COLUMNS: Mapping[Question, str] = {
    "wrong_tool": "tool",
    "wrong_argument": "argument",
    "autonomy": "autonomy",
    "recoverable": "recovery",
    "fits": "fits",
}


def as_text(reviewed: Reviewed, *, style: Style, advice: bool) -> Iterator[str]:
    """The lines of the report. Without `advice`, it is counted by rule instead of shown place by place."""
    shown = [finding for finding in reviewed.findings if advice or finding.severity != "advice"]
    yield from _questions(reviewed, style)
    yield from _findings(reviewed, shown, style)
    if not advice:
        yield from _advice(reviewed, style)
    yield from _catalog(reviewed, style)
    yield from _order(reviewed, style)
    for waiver in reviewed.unused_waivers:
        yield style("warning", f"unused waiver: {waiver}")
    yield verdict(reviewed)


def verdict(reviewed: Reviewed) -> str:
    """The last line: how many findings, in how many tools."""
    counts = [_counted(reviewed.count(severity), severity) for severity in SEVERITIES]
    waived = f", {len(reviewed.waived)} waived" if reviewed.waived else ""
    return f"{', '.join(counts)}{waived} in {len(reviewed.tools)} tools, by {len(reviewed.rules)} rules"


def _counted(number: int, severity: Severity) -> str:
    return f"{number} advice" if severity == "advice" else f"{number} {severity}{'' if number == 1 else 's'}"


def _questions(reviewed: Reviewed, style: Style) -> Iterator[str]:
    """One line for each question, then one for each tool."""
    for question, text in QUESTIONS.items():
        yield f"{_COLUMNS[question]:9} {text}"
    yield ""
    width = max([len("tool"), *map(len, reviewed.tools)])
    yield style("heading", f"{'':{width}}  " + "  ".join(f"{name:9}" for name in _COLUMNS.values()).rstrip())
    for tool in dict.fromkeys(reviewed.tools):
        cells = [_cell(reviewed, tool, question) for question in QUESTIONS]
        # The last one is not padded: a colour behind it would hide the blanks from whoever strips them.
        shown = [style(word, f"{text:9}") for word, text in cells[:-1]] + [style(*cells[-1])]
        yield f"{tool:{width}}  {'  '.join(shown)}"
    yield ""


def _cell(reviewed: Reviewed, tool: str, question: Question) -> tuple[str, str]:
    """The style and the text of an answer."""
    found = [finding for finding in reviewed.of_tool(tool) if reviewed.question_of(finding) == question]
    for severity in SEVERITIES[:2]:
        number = sum(finding.severity == severity for finding in found)
        if number:
            return severity, _counted(number, severity)
    return "pass", "pass"


def _advice(reviewed: Reviewed, style: Style) -> Iterator[str]:
    """A line for each rule that has advice."""
    counts = Counter(finding.id for finding in reviewed.findings if finding.severity == "advice")
    if counts:
        yield style("heading", "Advice, place by place with --advice")
    for rule in reviewed.rules:
        if rule.id in counts:
            times = "once" if counts[rule.id] == 1 else f"{counts[rule.id]} times"
            yield f"  {style('advice', rule.id)} {rule.symbol}, {times}: {rule.summary}"
    if counts:
        yield ""


def _findings(reviewed: Reviewed, shown: Sequence[Finding], style: Style) -> Iterator[str]:
    for tool in ("", *dict.fromkeys(reviewed.tools)):
        found = [finding for finding in shown if finding.tool == tool]
        if found:
            yield style("heading", tool or "the catalog as a whole")
            for question in QUESTIONS:
                yield from _of_question(question, [it for it in found if reviewed.question_of(it) == question], style)
            yield ""


def _of_question(question: Question, found: Sequence[Finding], style: Style) -> Iterator[str]:
    if found:
        yield f"  {QUESTIONS[question]}"
    for finding in sorted(found, key=lambda each: SEVERITIES.index(each.severity)):
        place = f" at {finding.pointer}" if finding.pointer else ""
        beside = f" (beside {finding.pair})" if finding.pair else ""
        yield f"    {style(finding.severity, finding.severity)} {finding.id} {finding.symbol}{place}{beside}"
        yield f"      {finding.message}"
        yield f"      fix: {finding.fix}"


def _catalog(reviewed: Reviewed, style: Style) -> Iterator[str]:
    """The catalog as a whole: which tools are alike, what they cost, who takes them."""
    if not reviewed.tools:
        return
    yield style("heading", "The catalog")
    for finding in reviewed.findings:
        if finding.pair is not None:
            yield f"  alike    {finding.tool} and {finding.pair}: {finding.evidence}"
    dear = sorted(zip(reviewed.tokens, reviewed.tools, strict=True), key=lambda each: -each[0])[:3]
    most = ", ".join(f"{tool} {tokens:,}" for tokens, tool in dear)
    yield f"  tokens   about {sum(reviewed.tokens):,} in each request; most of them: {most}"
    yield from _clients(reviewed.matrix)
    yield ""


def _clients(matrix: Matrix) -> Iterator[str]:
    """The clients that take every tool in one line, each of the others in its own."""
    said = {client.title: _taken(matrix, client.name) for client in matrix.clients}
    everything = f"{len(matrix.rows)} accepted"
    glad = [title for title, taken in said.items() if taken == everything]
    if glad:
        yield f"  clients  take everything: {', '.join(glad)}"
    for title, taken in said.items():
        if taken != everything:
            yield f"  clients  {title}: {taken}"


def _taken(matrix: Matrix, client: str) -> str:
    """What a client makes of the tools."""
    outcomes = Counter(cell.outcome for row in matrix.rows for cell in row.cells if cell.client == client)
    said = [f"{outcomes[outcome]} {outcome}" for outcome in ("accepted", "degraded", "refused") if outcomes[outcome]]
    lost = matrix.lost(client)
    return ", ".join(said) + (f"; {len(lost)} of them take others with them" if lost else "")


def _order(reviewed: Reviewed, style: Style) -> Iterator[str]:
    if reviewed.order:
        yield style("heading", "Mend in this order")
        for number, step in enumerate(reviewed.order, 1):
            yield f"  {number}. {step.tool}: {step.why}"
        yield ""
