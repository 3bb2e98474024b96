"""`pytest --fourfold-select SUITE`: a test of each reviewed case, asked of a chooser when it runs.

`fourfold.pytest_plugin` loads it into every pytest run, so that it imports nothing before it is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from fourfold.bootstrap.configuration import Configuration
    from fourfold.bootstrap.selecting import ChooserSpec
    from fourfold.model.case import Case
    from fourfold.model.chosen import OfferedTool, Sampling
    from fourfold.model.scored import Rule, SampleVerdict
    from fourfold.ports.chooser import Chooser

__all__ = ["WrongChoice"]

_N = TypeVar("_N", bound="pytest.Item | pytest.Collector")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("fourfold-select", "score what a model chooses")
    group.addoption(
        "--fourfold-select",
        metavar="SUITE",
        help="add a test for each reviewed case of SUITE, a file of cases (.jsonl)",
    )
    group.addoption(
        "--fourfold-chooser", metavar="SPEC", help="what chooses: bm25, replay:FILE, openai:MODEL and others"
    )
    group.addoption(
        "--fourfold-target",
        dest="fourfold_select_target",
        metavar="TARGET",
        help="whose tools are offered: module:catalog, a URL, a saved tools/list (.json), or a command in quotes; "
        "that of --fourfold by default",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The mark that all of these tests have."""
    config.addinivalue_line("markers", "fourfold_select: one case of a selection suite, made by --fourfold-select")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the cases of the suite, before anybody selects among the items."""
    suite: str | None = session.config.getoption("fourfold_select")
    if suite is not None:
        items.extend(_node(_Suite, session, name="select", nodeid="select").of_cases(suite))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Close the chooser."""
    bench = session.config.stash.get(_BENCH, None)
    if bench is not None:
        bench.close()


class WrongChoice(Exception):
    """Most samples of a case are wrong, or there is none. Its text is the whole of the report."""


class _Suite(pytest.Collector):
    """Every reviewed case of one suite."""

    def collect(self) -> Iterable[pytest.Item]:
        """Nothing: `of_cases` makes the tests."""
        return ()

    def of_cases(self, suite: str) -> list[pytest.Item]:
        """A test for each reviewed case, in the order of the suite.

        Raises:
            pytest.UsageError: an option is missing, or suite, target or chooser can't be read.
        """
        from fourfold.errors import FourfoldError

        try:
            bench, cases = _bench(suite, self.config)
        except (FourfoldError, ImportError) as error:
            raise pytest.UsageError(f"--fourfold-select {suite}: {error}") from None
        self.config.stash[_BENCH] = bench
        return [self._item(case, bench) for case in cases]

    def _item(self, case: Case, bench: _Bench) -> pytest.Item:
        item = _node(_Item, self, name=f"{case.case_class}[{case.id}]")
        item.part = case, bench
        item.add_marker("fourfold_select")
        return item


class _Item(pytest.Item):
    """One case."""

    part: tuple[Case, _Bench]

    def runtest(self) -> None:
        """Ask, and score what was chosen."""
        case, bench = self.part
        verdicts = bench.verdicts(case)
        counted = [verdict for verdict in verdicts if verdict.counts]
        said = ", ".join(verdict.said or "right" for verdict in verdicts)
        # What a person has to read is no failure, and an answer that never came is no pass.
        if not counted and any(verdict.reason == "needs_review" for verdict in verdicts):
            pytest.skip("no rule can tell; a person has to read the answer")
        if not counted or 2 * sum(not verdict.passed for verdict in counted) > len(counted):
            chosen = ", ".join(verdict.chosen or "(none)" for verdict in verdicts)
            wanted = verdicts[0].expected or "(none)"
            raise WrongChoice(f"{case.id}: {said}; wanted {wanted}, chosen {chosen}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What went wrong, without a traceback: that would be Fourfold's own."""
        from fourfold.errors import FourfoldError

        if isinstance(excinfo.value, WrongChoice | FourfoldError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it stands in reports."""
        return self.path, None, f"select: {self.name}"


@dataclass(slots=True)
class _Bench:
    """A chooser that is opened by the first case which needs it, once in each process."""

    spec: ChooserSpec
    tools: Sequence[OfferedTool]
    configuration: Configuration
    sampling: Sampling
    rule: Rule
    _stack: ExitStack = field(default_factory=ExitStack)
    _opened: tuple[Chooser, BlockingPortal] | None = None

    def verdicts(self, case: Case) -> Sequence[SampleVerdict]:
        """The verdicts on the samples of one case.

        Raises:
            ConfigError: the chooser can't be opened.
        """
        from fourfold.bootstrap.measuring import ask_case

        chooser, portal = self._open()
        samples = self.configuration.select.samples or 1
        ask = partial(
            ask_case, case, self.tools, chooser=chooser, samples=samples, sampling=self.sampling, rule=self.rule
        )
        return portal.call(ask)

    def close(self) -> None:
        """Close what is open."""
        self._opened = None
        self._stack.close()

    def _open(self) -> tuple[Chooser, BlockingPortal]:
        if self._opened is None:
            from anyio.from_thread import start_blocking_portal

            from fourfold.bootstrap.selecting import Provider, opened_chooser

            section = self.configuration.select
            provider = Provider(base_url=section.base_url, key_env=section.api_key_env)
            portal = self._stack.enter_context(start_blocking_portal())
            opening = portal.wrap_async_context_manager(opened_chooser(self.spec, provider))
            self._opened = self._stack.enter_context(opening), portal
        return self._opened


_BENCH = pytest.StashKey[_Bench]()


def _bench(suite: str, config: pytest.Config) -> tuple[_Bench, Sequence[Case]]:
    import anyio

    from fourfold.bootstrap.configuration import find_configuration, read_configuration
    from fourfold.bootstrap.selecting import ChooserSpec, load_suite, offered_tools, sampling_of
    from fourfold.bootstrap.targets import of_named

    target: str | None = config.getoption("fourfold_select_target") or config.getoption("fourfold_target")
    configuration = read_configuration(find_configuration(config.rootpath))
    chooser: str | None = config.getoption("fourfold_chooser") or configuration.select.chooser
    if target is None or chooser is None:
        raise pytest.UsageError("--fourfold-select needs --fourfold-target TARGET and --fourfold-chooser SPEC")
    spec = ChooserSpec.parse(chooser)
    cases = [case for case in load_suite(Path(suite)) if case.reviewed]
    if not cases:
        raise pytest.UsageError(f"no case of {suite} is reviewed; fourfold select review walks through them")
    token = os.environ.get("FOURFOLD_TOKEN", "").strip() or None
    bench = _Bench(
        spec=spec,
        tools=offered_tools(anyio.run(partial(of_named, target, token=token))),
        configuration=configuration,
        sampling=sampling_of(configuration.select),
        rule=spec.rule if spec.rule == "tools" else configuration.select.rule or spec.rule,
    )
    return bench, cases


def _node(kind: type[_N], parent: pytest.Session | pytest.Collector, **more: str) -> _N:
    return kind.from_parent(parent, **more)  # pyright: ignore[reportUnknownMemberType]  # pytest types no keywords
