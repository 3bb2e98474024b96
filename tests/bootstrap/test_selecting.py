"""Choosers by their names, prices, the tools that are offered, and verdicts in the file of a run."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from fourfold.bootstrap.sections import SelectSection
from fourfold.bootstrap.selecting import (
    ChooserSpec,
    Provider,
    add_verdicts,
    load_result,
    load_suite,
    offered_tools,
    opened_chooser,
    prices_of,
    sampling_of,
)
from fourfold.errors import ConfigError
from fourfold.model.chosen import Sampling
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.model.scored import Rule
from fourfold.selection.recorded import facts_line
from fourfold.selection.result import Result
from fourfold.selection.running import RunTerms, facts_of
from fourfold.selection.tally import Tally
from tests.selection.suites import TOOLS, case, replay_text, shop_suite

pytestmark = pytest.mark.anyio

BM25 = ChooserSpec("bm25")


@pytest.mark.parametrize(
    ("text", "name", "rule", "paid"),
    [
        ("bm25", "bm25", "tools", False),
        ("embed:models/mini", "embed:models/mini", "tools", False),
        ("replay:results/monday.jsonl", "replay:monday.jsonl", "exact", False),
        ("openai:org/model:free", "openai:org/model:free", "exact", True),
        ("anthropic:claude", "anthropic:claude", "exact", True),
        ("other:mistral/large", "other:mistral/large", "exact", True),
    ],
)
def test_a_chooser_is_named_by_its_kind_and_which(text: str, name: str, rule: str, paid: bool) -> None:
    """A8: a colon may stand in a model's name; a baseline has no arguments to score."""
    found = ChooserSpec.parse(text)

    assert (found.name, found.rule, found.is_paid) == (name, rule, paid)


@pytest.mark.parametrize("text", ["", "bm25:x", "openai", "openai:", "replay:", "gemini:pro", ":x"])
def test_a_name_of_no_chooser_is_refused_with_those_there_are(text: str) -> None:
    """With what is wrong."""
    with pytest.raises(ConfigError, match="there are bm25, embed:MODEL, replay:FILE, openai:MODEL, anthropic:MODEL"):
        ChooserSpec.parse(text)


@pytest.mark.parametrize(
    ("spec", "provider", "said"),
    [
        ("openai:m", Provider(), "OPENAI_API_KEY is not set"),
        ("anthropic:m", Provider(), "ANTHROPIC_API_KEY is not set"),
        ("openai:m", Provider(base_url="http://127.0.0.1:1/v1", key_env="MY_KEY"), "MY_KEY is not set"),
        ("openai:m", Provider(base_url="127.0.0.1:1"), "a base URL is http or https"),
        ("other:deepseek/m", Provider(key_env="MY_KEY"), "MY_KEY is not set"),
        ("other:deepseek", Provider(), "'deepseek' is no PROVIDER/MODEL"),
        ("replay:none.jsonl", Provider(), "none.jsonl cannot be read"),
        ("embed:none", Provider(), "none is neither a folder nor an installed package"),
    ],
)
async def test_what_cannot_be_opened_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, spec: str, provider: Provider, said: str
) -> None:
    """Before anything is asked."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MY_KEY"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(ConfigError, match=said):
        async with opened_chooser(ChooserSpec.parse(spec), provider):
            pass


async def test_a_server_of_ones_own_is_sent_no_key_that_nobody_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual variable is for the usual provider."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")

    async with opened_chooser(ChooserSpec.parse("openai:m"), Provider(base_url="http://127.0.0.1:1/v1")) as own:
        assert own.name == "openai:m"
        assert "sk-0123456789abcdef" not in repr(own)


async def test_a_baseline_and_a_replay_need_nothing(tmp_path: Path) -> None:
    """A8: no network and no key."""
    (tmp_path / "a.jsonl").write_text(replay_text([case("a", "Rain?", case_class="abstain")]), "utf-8")

    for text in ("bm25", f"replay:{tmp_path}/a.jsonl"):
        spec = ChooserSpec.parse(text)
        async with opened_chooser(spec, Provider()) as chooser:
            assert chooser.name == spec.name


def test_prices_are_those_of_the_table_unless_one_is_named() -> None:
    """A8: an output price is always named, since the table has none."""
    table = prices_of(ChooserSpec.parse("openai:gpt-4o"), most=None, input_price=None, output_price="10")
    other = prices_of(ChooserSpec.parse("other:azureopenai/gpt-4o"), most=None, input_price=None, output_price="10")
    own = prices_of(ChooserSpec.parse("openai:x"), most="2.50", input_price="3", output_price="10")

    assert table is not None
    assert other == table
    assert own is not None
    assert (table.price.input, table.output, table.most) == (Decimal("2.50"), Decimal(10), Decimal("Infinity"))
    assert (own.price.input, own.most) == (Decimal(3), Decimal("2.50"))
    assert prices_of(BM25, most=None, input_price=None, output_price=None) is None


@pytest.mark.parametrize(
    ("most", "output_price", "said"),
    [
        ("1", None, "--max-cost needs --output-price"),
        ("x", "10", "--max-cost is an amount of US dollars, such as 2.50; 'x' is none"),
        ("-1", "10", "'-1' is none"),
        ("NaN", "10", "'NaN' is none"),
        ("1", "x", "a price is an amount of US dollars per million tokens"),
    ],
)
def test_an_amount_that_is_none_is_refused(most: str, output_price: str | None, said: str) -> None:
    """With what is wrong."""
    with pytest.raises(ConfigError, match=said):
        prices_of(ChooserSpec.parse("openai:x"), most=most, input_price="1", output_price=output_price)


def test_a_foreign_server_has_no_toolsets() -> None:
    """What nobody knows of cannot be chosen; without any all its tools are offered."""
    definition = {"name": "a", "description": "Does a.", "inputSchema": {"type": "object"}}
    foreign = ListedCatalog(target="x", tools=(ListedTool(definition=definition),))

    (found,) = offered_tools(foreign)

    assert (found.name, found.description, found.input_schema) == ("a", "Does a.", {"type": "object"})
    with pytest.raises(ConfigError, match=r"x tells of no toolsets; only a catalog \(module:catalog\) has them"):
        offered_tools(foreign, toolsets=["stock"])
    with pytest.raises(ConfigError, match="x offers no tools"):
        offered_tools(ListedCatalog(target="x", tools=()))


def test_how_a_model_is_asked_is_configured_and_an_option_wins(tmp_path: Path) -> None:
    """Instructions, temperature and bound, each by itself."""
    (tmp_path / "one.txt").write_text("Be brief.", "utf-8")
    (tmp_path / "two.txt").write_text("Be kind.", "utf-8")
    section = SelectSection(system=str(tmp_path / "one.txt"), temperature="0.5", max_tokens=200)

    assert sampling_of(SelectSection()) == Sampling()
    assert sampling_of(section) == Sampling(temperature=Decimal("0.5"), max_tokens=200, system="Be brief.")
    assert sampling_of(section, system=tmp_path / "two.txt", temperature=0.0) == Sampling(
        temperature=Decimal("0.0"), max_tokens=200, system="Be kind."
    )


@pytest.mark.parametrize(("text", "said"), [("", "holds no cases"), ("{", "line 1: is no JSON")])
def test_a_suite_that_is_none_is_named(tmp_path: Path, text: str, said: str) -> None:
    """As is one that is not there."""
    path = tmp_path / "suite.jsonl"
    path.write_text(text, "utf-8")

    with pytest.raises(ConfigError, match=said):
        load_suite(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_suite(tmp_path / "none.jsonl")


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[], Path]:
    """Makes the file of a run with facts and no answers."""

    def make() -> Path:
        facts = facts_of(shop_suite(), TOOLS, chooser="bm25", terms=RunTerms(samples=1))
        path = tmp_path / "run.jsonl"
        path.write_text(f"{facts_line(facts)}\n", "utf-8")
        return path

    return make


def _result(rule: Rule, *, at: str) -> Result:
    facts = facts_of(shop_suite(), TOOLS, chooser="bm25", terms=RunTerms(samples=1))
    return Result(name="x", at=at, rule=rule, facts=facts, models=(), tally=Tally(shop_suite(), []))


def test_the_same_verdicts_are_added_once(kept: Callable[[], Path]) -> None:
    """B14: those of another rule are others."""
    path = kept()
    rules: tuple[Rule, ...] = ("tools", "tools", "exact", "tools")
    for day, rule in enumerate(rules, 1):
        add_verdicts(path, _result(rule, at=f"2026-11-{day:02}T10:00:00Z"))

    assert len(path.read_bytes().splitlines()) == 4
    assert (load_result(path).rule, load_result(path).at) == ("tools", "2026-11-04T10:00:00Z")


def test_verdicts_that_cannot_be_written_are_a_fault_of_the_file(tmp_path: Path) -> None:
    """Exit code 2, with what is wrong."""
    with pytest.raises(ConfigError, match=r"none\.jsonl cannot be written: No such file"):
        add_verdicts(tmp_path / "none.jsonl", _result("exact", at="2026-11-30T10:00:00Z"))
