"""`fourfold review`: the design review of any MCP server."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import anyio
import click

from fourfold.adapters.embedding import read_embedder
from fourfold.bootstrap.configuration import Configuration, find_configuration, read_configuration
from fourfold.bootstrap.targets import of_file, of_server
from fourfold.cli.context import config_option
from fourfold.cli.evidence import keep_evidence
from fourfold.cli.fixing import fixed_facts, fixed_text
from fourfold.cli.flags import TargetCommand
from fourfold.cli.output import as_json_text, plain, styled
from fourfold.cli.progress import Progress
from fourfold.cli.target import Target, list_target, live, read_target
from fourfold.contracts.lock import lock_of
from fourfold.errors import ConfigError
from fourfold.model.contract import JsonObject
from fourfold.model.finding import SEVERITIES, Finding, Reviewed, Severity
from fourfold.model.listed import ListedCatalog
from fourfold.model.portability import FixedSchema
from fourfold.ports.embedder import Embedder
from fourfold.report.facts import as_facts
from fourfold.report.html import as_html
from fourfold.report.markdown import as_markdown
from fourfold.report.sarif import as_sarif
from fourfold.report.survey import survey_chart, survey_csv, survey_facts, survey_text
from fourfold.report.text import as_text
from fourfold.review.engine import review
from fourfold.review.fix_schema import fix_schema
from fourfold.review.live import review_live
from fourfold.review.profile import chosen
from fourfold.review.registry import all_rules
from fourfold.review.settings import ReviewSettings
from fourfold.review.survey import count_all

__all__ = ["command"]

Format = Literal["text", "json", "sarif", "markdown", "html", "csv", "svg"]
_FORMATS: tuple[Format, ...] = ("text", "json", "sarif", "markdown", "html", "csv", "svg")


class _Options(TypedDict):
    form: Format
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fail_on: Severity | None
    server: str | None
    advice: bool
    live: bool
    fix_schema: bool
    client: tuple[str, ...]
    embeddings: str | None
    survey: Path | None
    config_path: Path | None


@click.command("review", cls=TargetCommand)
@click.argument("words", nargs=-1, metavar="TARGET")
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", help="What to print; text by default.")
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option("--select", multiple=True, metavar="RULE", help="Only these rules: an id, its beginning, or a symbol.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Not these rules.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="The least severe finding that exits with 1 (warning).")
@click.option("--server", metavar="NAME", help="The name under which clients know the server, for lengths of names.")
@click.option("--live", is_flag=True, help="Call the server's reads, too: only tools that say they only read.")
@click.option("--fix-schema", is_flag=True, help="Print input schemas in portable words that accept the same values.")
@click.option("--client", multiple=True, metavar="NAME", help="Clients that must take every tool; the common ones.")
@click.option(
    "--embeddings",
    metavar="MODEL",
    help="Compare meanings, too: a sentence embedding model, as a folder or an installed package.",
)
@click.option("--advice", is_flag=True, help="Show advice place by place, too; the text counts it by rule.")
@click.option(
    "--survey",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Count the same things over every saved tools/list in FOLDER; text, json, csv or svg, a chart.",
)
@config_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], **options: Unpack[_Options]) -> int:
    """Review the tools of TARGET, in any language: what will hurt, where, why, and the fix.

    TARGET may also be a saved tools/list (.json). For a catalog the effects are known, and the rules look deeper.
    What is set aside, and why, stands in [review] of fourfold.toml. Exits with 1 if there are findings.

    \b
    Examples
      fourfold review billing:catalog
      fourfold review http://127.0.0.1:8765/mcp --format markdown
      fourfold review --live -- npx -y some-server
      fourfold review tools.json --select FF2 --fail-on error
      fourfold review tools.json --embeddings models/all-MiniLM-L6-v2
      fourfold review --survey catalogs --format csv
    """
    if options["survey"] is not None:
        click.echo(_surveyed(options["survey"], options["form"]))
        return 0
    if options["form"] in ("csv", "svg"):
        raise click.UsageError(f"{options['form']} is for --survey; a review has text, json, sarif, markdown and html")
    target, rest = read_target(ctx, words, saved=True)
    if rest:
        raise click.UsageError(f"unexpected {rest[0]!r} after the target")
    configuration = read_configuration(options["config_path"] or find_configuration(Path.cwd()))
    settings = _settings(configuration, options)
    if options["live"] and (target.catalog or target.saved):
        raise click.UsageError("--live calls a server: use a URL, or -- and a command")
    catalog, answers = anyio.run(_listed_and_called if options["live"] else _listed, target, settings)
    catalog = replace(catalog, server=options["server"] or configuration.review.server or catalog.server)
    if options["fix_schema"]:
        click.echo(_fixed(catalog, settings, options["form"]))
        return 0
    model = options["embeddings"] or configuration.review.embeddings
    reviewed = _reviewed(catalog, settings, answers, embedder=_Embedding(read_embedder(model)) if model else None)
    click.echo(_shown(reviewed, options["form"], target=target, advice=options["advice"]))
    keep_evidence("review", digest=lock_of(catalog).digest, results=_evidence(reviewed))
    worst = SEVERITIES[: SEVERITIES.index(options["fail_on"] or configuration.review.fail_on) + 1]
    return int(any(finding.severity in worst for finding in reviewed.findings))


def _fixed(catalog: ListedCatalog, settings: ReviewSettings, form: Format) -> str:
    fixed: list[FixedSchema] = []
    with Progress(len(catalog.tools), doing="rewriting") as progress:
        for tool in catalog.tools:
            progress.tell(tool.name)
            fixed.append(fix_schema(tool, chosen(settings.clients)))
    match form:
        case "text":
            return "\n".join(fixed_text(fixed))
        case "json":
            return as_json_text({"schema": "fourfold/fixed-schemas/v1", **fixed_facts(fixed)})
        case _:
            raise click.UsageError("--fix-schema prints text or json")


def _evidence(reviewed: Reviewed) -> JsonObject:
    """What the checklist reads: which rules looked, and how many errors and warnings each found."""
    found = Counter(finding.id for finding in reviewed.findings if finding.severity != "advice")
    return {"rules": [rule.id for rule in reviewed.rules], "findings": dict(sorted(found.items()))}


def _surveyed(folder: Path, form: Format) -> str:
    """A survey of the saved catalogs in a folder.

    Raises:
        ConfigError: there is none.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise ConfigError(f"{folder} holds no saved tools/list (.json)")
    catalogs = [of_file(path) for path in paths]
    with Progress(len(catalogs), doing="counting") as progress:
        counted = count_all(catalogs, progress=progress.tell)
    tools = sum(len(catalog.tools) for catalog in catalogs)
    match form:
        case "text":
            return "\n".join(survey_text(counted, catalogs=len(catalogs), tools=tools))
        case "csv":
            return survey_csv(counted)
        case "json":
            facts = survey_facts(counted, catalogs=len(catalogs), tools=tools)
            return as_json_text({"schema": "fourfold/survey/v1", **facts})
        case "svg":
            return survey_chart(counted, catalogs=len(catalogs), tools=tools)
        case _:
            raise click.UsageError("a survey is printed as text, json, csv or svg")


def _settings(configuration: Configuration, options: _Options) -> ReviewSettings:
    """What the options and the configuration say together; options win.

    Raises:
        ConfigError: a name stands for no rule, or for no client.
    """
    section = configuration.review
    settings = ReviewSettings(
        select=options["select"] or tuple(section.select),
        ignore=options["ignore"] or tuple(section.ignore),
        waivers=section.waivers,
        clients=options["client"] or tuple(section.clients),
    )
    chosen(settings.clients)
    known = {name for rule in all_rules() for name in (rule.id, rule.symbol)}
    for name in (*settings.select, *settings.ignore, *(waiver.rule for waiver in settings.waivers)):
        if not any(each == name or (name.startswith("FF") and each.startswith(name)) for each in known):
            raise ConfigError(f"no rule is called {name!r}; docs/rules lists them")
    return settings


async def _listed(target: Target, _: ReviewSettings) -> tuple[ListedCatalog, Sequence[Finding]]:
    return await list_target(target), ()


async def _listed_and_called(target: Target, settings: ReviewSettings) -> tuple[ListedCatalog, Sequence[Finding]]:
    """What the server lists, and what the answers of its reads show.

    Raises:
        TargetError: it ended, hung, or broke the protocol.
    """
    async with live(target) as server:
        catalog = await of_server(server)
        with Progress(len(catalog.tools), doing="calling") as progress:
            return catalog, await review_live(server, catalog, settings=settings, progress=progress.tell)


@dataclass(frozen=True, slots=True)
class _Embedding:
    """An embedder that shows how far it is: a large catalog takes it some seconds."""

    embedder: Embedder

    @property
    def name(self) -> str:
        return self.embedder.name

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        vectors: list[Sequence[float]] = []
        with Progress(len(texts), doing="embedding") as progress:
            for text in texts:
                progress.tell(text.partition(":")[0])
                vectors += self.embedder.embed([text])
        return vectors


def _reviewed(
    catalog: ListedCatalog, settings: ReviewSettings, answers: Sequence[Finding], *, embedder: Embedder | None
) -> Reviewed:
    today = datetime.fromtimestamp(time.time(), UTC).date()
    with Progress(len(catalog.tools), doing="reviewing") as progress:
        return review(catalog, today=today, settings=settings, more=answers, embedder=embedder, progress=progress.tell)


def _shown(reviewed: Reviewed, form: Format, *, target: Target, advice: bool) -> str:
    match form:
        case "text":
            return "\n".join(as_text(_printable(reviewed), style=styled, advice=advice))
        case "json":
            return as_json_text({"schema": "fourfold/review/v1", **as_facts(reviewed)})
        case "sarif":
            artifact = str(target.saved) if target.saved else None
            return as_json_text(as_sarif(reviewed, version=metadata.version("fourfold"), artifact=artifact))
        case "markdown":
            return "\n".join(as_markdown(_printable(reviewed)))
        case "html":
            return as_html(reviewed)
        case "csv" | "svg":
            raise AssertionError("refused before anything is reviewed")


def _printable(reviewed: Reviewed) -> Reviewed:
    """The review with what no terminal should be sent as escapes: names and messages hold foreign text."""
    findings = tuple(
        replace(
            it,
            tool=plain(it.tool),
            pointer=plain(it.pointer),
            message=plain(it.message),
            fix=plain(it.fix),
            evidence=plain(it.evidence),
            pair=None if it.pair is None else plain(it.pair),
            also=tuple(map(plain, it.also)),
        )
        for it in reviewed.findings
    )
    return replace(
        reviewed,
        target=plain(reviewed.target),
        tools=tuple(map(plain, reviewed.tools)),
        findings=findings,
        order=tuple(replace(step, tool=plain(step.tool)) for step in reviewed.order),
    )
