"""Writes what the code knows of the documentation: commands, codes, prices, telemetry, rules, the schema of a case.

Usage: python scripts/generate_docs.py [FOLDER]    FOLDER is docs by default.

A part stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`; what stands around it is written by hand.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from fourfold.budget.prices import prices
from fourfold.cli.main import cli
from fourfold.contracts.case_file import case_schema
from fourfold.model.conventions import METRICS, SPAN
from fourfold.model.fault import FRAMEWORK_CODES
from fourfold.model.finding import QUESTIONS
from fourfold.review.profile import Demand, all_profiles
from fourfold.review.registry import all_rules, rule_named
from fourfold.review.rule import HEADINGS, Rule

_WIDTH = 96
_FAMILIES = {
    "1": "Selection",
    "2": "Input",
    "3": "Output, in definitions and in answers",
    "4": "Effect",
    "5": "Budget",
    "6": "Portability",
    "7": "Integrity",
}
_EVIDENCE = {"measured": "a measured effect", "report": "public reports", "judgement": "judgement"}


def main(folder: Path) -> None:
    """Write the generated parts, the pages of the rules and the schema of a case in `folder`."""
    _write_rules(folder / "rules")
    _write_case_schema(folder / "schemas/case.json")
    _replace(folder / "cli.md", "commands", "\n".join(_commands(cli, "fourfold")))
    _replace(folder / "errors.md", "codes", "\n".join(_codes()))
    _replace(folder / "budget.md", "prices", "\n".join(_prices()))
    _replace(folder / "portability.md", "clients", "\n".join(_clients()))
    _replace(folder / "telemetry.md", "span", "\n".join(_span()))
    _replace(folder / "telemetry.md", "metrics", "\n".join(_metrics()))


def _write_rules(folder: Path) -> None:
    """A page for each rule, and the index."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in folder.glob("FF*.md"):
        page.unlink()
    for rule in all_rules():
        (folder / f"{rule.id}.md").write_text("\n".join(_rule_page(rule)), "utf-8")
    (folder / "index.md").write_text("\n".join(_rule_index()), "utf-8")


def _write_case_schema(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(case_schema(), indent=2, ensure_ascii=False) + "\n", "utf-8")


def _rule_page(rule: Rule) -> Iterator[str]:
    yield f"# {rule.id} {rule.symbol}\n"
    yield f"{rule.page.summary}\n"
    yield "| severity | answers | stands on | since |"
    yield "|---|---|---|---|"
    yield f"| {rule.severity} | {QUESTIONS[rule.question]} | {_EVIDENCE[rule.evidence]} | {rule.since} |"
    for heading in HEADINGS:
        yield f"\n## {heading}\n\n{rule.page.sections[heading]}"
        if heading == "Why it hurts" and rule.sources:
            yield f"\n{'; '.join(f'[{_short(source)}]({source})' for source in rule.sources)}"
    yield ""


def _short(source: str) -> str:
    """A source as a reader recognises it."""
    return source.removeprefix("https://").removeprefix("github.com/").rstrip("/")


def _rule_index() -> Iterator[str]:
    yield "# Rules\n"
    yield f"`fourfold review` looks for {len(all_rules())} things. An id is never given to another rule.\n"
    yield "| severity | means |"
    yield "|---|---|"
    yield "| error | will break or leak |"
    yield "| warning | will be misused |"
    yield "| advice | could be better |"
    yield "\nBehind each rule stands a measured effect, a public report of the harm, or judgement; its page says which."
    for digit, family in _FAMILIES.items():
        yield f"\n## {family}\n"
        yield "| rule | finds | severity | stands on |"
        yield "|---|---|---|---|"
        for rule in all_rules():
            if rule.id[2] == digit:
                name = f"[{rule.id} {rule.symbol}]({rule.id}.md)"
                yield f"| {name} | {rule.page.summary} | {rule.severity} | {_EVIDENCE[rule.evidence]} |"
    yield ""


def _replace(page: Path, name: str, content: str) -> None:
    part = re.compile(rf"(<!-- generated: {name} -->\n).*?(\n<!-- end of {name} -->)", re.DOTALL)
    text, count = part.subn(lambda found: f"{found[1]}\n{content}{found[2]}", page.read_text("utf-8"))
    if count != 1:
        raise SystemExit(f"{page.name} has no part {name}")
    page.write_text(text, "utf-8")


def _commands(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[str]:
    """The help of a command, then of those in it."""
    context = command.make_context(name.rpartition(" ")[2], [], parent, resilient_parsing=True, terminal_width=_WIDTH)
    yield f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if found is not None:
                yield from _commands(found, f"{name} {each}", context)


def _codes() -> Iterator[str]:
    yield "| code | retry | means | next step |"
    yield "|---|---|---|---|"
    for spec in FRAMEWORK_CODES.values():
        yield f"| `{spec.code}` | `{spec.retry.value}` | {spec.message} | {spec.next_step} |"
    yield ""


def _prices() -> Iterator[str]:
    yield "| model | fresh | cached | cache write | window | as of | sources |"
    yield "|---|---|---|---|---|---|---|"
    for price in prices():
        sources = ", ".join(f"[{number}]({source})" for number, source in enumerate(price.sources, 1))
        note = f" ({price.note})" if price.note else ""
        yield (
            f"| `{price.model}`{note} | {price.input} | {price.cached or '-'} | {price.cache_write} "
            f"| {price.context_tokens:,} | {price.as_of} | {sources} |"
        )
    yield ""


def _span() -> Iterator[str]:
    yield "| attribute | says | set by |"
    yield "|---|---|---|"
    for attribute, origin in SPAN:
        yield f"| `{attribute.name}` | {attribute.says} | {origin} |"
    yield ""


def _metrics() -> Iterator[str]:
    yield "| metric | kind | unit | says | attributes |"
    yield "|---|---|---|---|---|"
    for metric in METRICS:
        names = ", ".join(f"`{attribute.name}`" for attribute in metric.attributes)
        yield f"| `{metric.name}` | {metric.kind} | `{metric.unit}` | {metric.says} | {names or '-'} |"
    yield ""


def _clients() -> Iterator[str]:
    """Every client profile: the list of them, then what each demands."""
    yield "| client | name | as of | expected | demands |"
    yield "|---|---|---|---|---|"
    for profile in all_profiles():
        expected = "yes" if profile.expected else "no"
        yield f"| {profile.title} | `{profile.name}` | {profile.as_of} | {expected} | {len(profile.demands)} |"
    yield ""
    for profile in all_profiles():
        yield f"### {profile.title}\n"
        yield "| demand | if not | lost | what happens | sources |"
        yield "|---|---|---|---|---|"
        yield from (_demand(demand) for demand in profile.demands)
        yield ""


def _demand(demand: Demand) -> str:
    rule = rule_named(demand.rule)
    name = f"[{demand.rule}](rules/{rule.id}.md)" if rule else demand.rule
    sources = ", ".join(f"[{number}]({source})" for number, source in enumerate(demand.sources, start=1))
    lost = demand.blast_radius if demand.outcome == "refused" else ""
    return f"| {name} | {demand.outcome} | {lost} | {demand.note} | {sources} |"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
