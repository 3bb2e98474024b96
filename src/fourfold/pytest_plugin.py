"""The pytest plugin: `pytest --fourfold TARGET` makes a test of each check and tool; fixtures over the test kit.

It is loaded into every pytest run of an environment that has Fourfold, so it imports nothing before it is asked.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from fourfold.bootstrap.proof import Proving
    from fourfold.catalog.declare import Catalog
    from fourfold.model.caller import Caller
    from fourfold.model.proof import Verdict
    from fourfold.prove.check import Check
    from fourfold.prove.desk import Desk
    from fourfold.testing import Answer, FixedClock, Kit

__all__ = ["call", "caller", "catalog", "counting_store", "fixed_clock", "two_tenants"]

pytest_plugins = ["fourfold.pytest_select"]
"""`--fourfold-select` is a part of its own, and loaded with this one."""

_N = TypeVar("_N", bound="pytest.Item | pytest.Collector")

_OPTIONS: Mapping[str, str] = {
    "--writes": "--fourfold-writes",
    "--callers FILE": "callers in [prove] of fourfold.toml",
    "--max-calls": "max_calls in [prove] of fourfold.toml",
}
"""What the options of `fourfold prove` are called here."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("fourfold", "prove an MCP server")
    group.addoption(
        "--fourfold",
        dest="fourfold_target",
        metavar="TARGET",
        help="add a test for each check and tool of TARGET: module:catalog, a URL, or a command in quotes",
    )
    group.addoption("--fourfold-writes", action="store_true", help="call tools that write, too")
    group.addoption("--fourfold-seed", type=int, metavar="N", help="the same seed makes the same calls")


def pytest_configure(config: pytest.Config) -> None:
    """The mark that all of these tests have."""
    config.addinivalue_line("markers", "fourfold: one check of one tool, made by --fourfold")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """Add the tests of the target, before anybody selects among the items."""
    target: str | None = session.config.getoption("fourfold_target")
    if target is not None:
        items.extend(_node(_Suite, session, name="fourfold", nodeid="fourfold").of_target(target))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Close the target, while a worker of xdist still has time: after this, it is ended."""
    bench = session.config.stash.get(_BENCH, None)
    if bench is not None:
        bench.close()


class NotProved(Exception):
    """A check failed, or was not tested where it must be. Its text is the whole of the report."""


class _Suite(pytest.Collector):
    """Every check of one target. It stands in no path, so nothing is collected from it by name."""

    def collect(self) -> Iterable[pytest.Item]:
        """Nothing: `of_target` makes the tests."""
        return ()

    def of_target(self, target: str) -> list[pytest.Item]:
        """A test for each check and tool, in the order in which they run.

        Raises:
            pytest.UsageError: the target cannot be loaded or reached.
        """
        from fourfold.errors import FourfoldError

        try:
            bench = _bench(target, self.config)
            self.config.stash[_BENCH] = bench
            pairs = bench.pairs()
        except (FourfoldError, ImportError) as error:
            raise pytest.UsageError(f"--fourfold {target}: {error}") from None
        return [self._item(check, tool, bench) for check, tool in pairs]

    def _item(self, check: Check, tool: str, bench: _Bench) -> pytest.Item:
        item = _node(_Item, self, name=check.name if check.whole else f"{check.name}[{tool}]")
        item.part = _Part(check=check, tool=tool, bench=bench)
        item.add_marker("fourfold")
        return item


class _Item(pytest.Item):
    """One check of one tool."""

    part: _Part

    def runtest(self) -> None:
        """Run the check."""
        check, bench = self.part.check, self.part.bench
        verdict = bench.verdict(check, self.part.tool)
        if verdict.status in ("failed", "warned"):
            said = "\n".join([verdict.detail, f"should hold: {check.proves}", *bench.commands(verdict)])
            if verdict.status == "warned" and not bench.proving.warnings_count:
                pytest.xfail(said)
            raise NotProved(said)
        if verdict.status == "not_tested":
            reason = f"not tested: {verdict.detail}; to test it: {_here(verdict.next_step)}"
            if bench.must_test(verdict):
                raise NotProved(f"{reason}; or name it in allow_untested in [prove] of fourfold.toml")
            pytest.skip(reason)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What went wrong, without a traceback: that would be Fourfold's own."""
        from fourfold.errors import TargetError

        if isinstance(excinfo.value, NotProved | TargetError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it stands in reports."""
        return self.path, None, f"fourfold: {self.name}"


@dataclass(frozen=True, slots=True)
class _Part:
    """What a test is about."""

    check: Check
    tool: str
    bench: _Bench


@dataclass(slots=True)
class _Bench:
    """A target that is opened by the first test which needs it, once in each process."""

    proving: Proving
    where: str | Sequence[str]
    _stack: ExitStack = field(default_factory=ExitStack)
    _opened: tuple[Desk, BlockingPortal] | None = None

    def pairs(self) -> list[tuple[Check, str]]:
        """Every check with the name of the tool that it is about.

        Raises:
            ConfigError, TargetError: a server cannot be reached, or what may go untested is a name of nothing.
        """
        from fourfold.bootstrap.proof import check_examples, known_names
        from fourfold.bootstrap.targets import of_catalog
        from fourfold.prove.desk import Desk
        from fourfold.prove.engine import items

        loaded = self.proving.loaded
        catalog = of_catalog(loaded, target=self.proving.target) if loaded else self._open()[0].catalog
        known_names(catalog, self.proving.allowed)
        check_examples(catalog, self.proving.terms.examples)
        listed = Desk(catalog=catalog, seats={}, seed=0, max_calls=0)
        return [(check, tool.name) for check, tool in items(listed)]

    def verdict(self, check: Check, tool: str) -> Verdict:
        """Run one check.

        Raises:
            TargetError: the server ended; the next test starts it again.
        """
        from fourfold.errors import TargetError
        from fourfold.prove.engine import run_check

        try:
            desk, portal = self._open()
            view = next(each for each in desk.view.tools if each.name == tool)
            return portal.call(partial(run_check, check, desk, tool=view))
        except TargetError:
            self.close()
            raise

    def must_test(self, verdict: Verdict) -> bool:
        """Whether a check that was not tested counts as failed: for a catalog of ours, unless somebody allows it."""
        return self.proving.loaded is not None and not verdict.is_one_of(self.proving.allowed)

    def commands(self, verdict: Verdict) -> Iterable[str]:
        """The lines that make the calls of a failure again."""
        from fourfold.prove.command import as_command
        from fourfold.report.proof_text import shortened

        return (shortened(as_command(call, target=self.where)) for call in verdict.calls)

    def close(self) -> None:
        """Close what is open."""
        from fourfold.errors import TargetError

        self._opened = None
        # A server that has ended cannot be taken leave of.
        with suppress(TargetError):
            self._stack.close()

    def _open(self) -> tuple[Desk, BlockingPortal]:
        if self._opened is None:
            from anyio.from_thread import start_blocking_portal

            from fourfold.prove.learn import learn

            portal = self._stack.enter_context(start_blocking_portal())
            desk = self._stack.enter_context(portal.wrap_async_context_manager(self.proving.open()))
            portal.call(learn, desk)
            self._opened = desk, portal
        return self._opened


_BENCH = pytest.StashKey[_Bench]()


def _bench(target: str, config: pytest.Config) -> _Bench:
    from fourfold.bootstrap.configuration import find_configuration, read_configuration
    from fourfold.bootstrap.load import is_catalog_target, load_catalog
    from fourfold.bootstrap.proof import Wishes, proving_of

    loaded = load_catalog(target) if is_catalog_target(target) else None
    where = target if loaded or target.startswith(("http://", "https://")) else shlex.split(target)
    path = find_configuration(config.rootpath, beside=loaded.folder if loaded else None)
    wishes = Wishes(writes=bool(config.getoption("fourfold_writes")), seed=config.getoption("fourfold_seed"))
    proving = proving_of(
        target,
        loaded or where,
        configuration=read_configuration(path),
        wishes=wishes,
        token=os.environ.get("FOURFOLD_TOKEN", "").strip() or None,
    )
    return _Bench(proving=proving, where=where)


def _node(kind: type[_N], parent: pytest.Session | pytest.Collector, **more: str) -> _N:
    return kind.from_parent(parent, **more)  # pyright: ignore[reportUnknownMemberType]  # pytest types no keywords


def _here(step: str) -> str:
    """What would make something testable, in the words of this plugin."""
    for option, here in _OPTIONS.items():
        step = step.replace(option, here)
    return step


@pytest.fixture
def catalog(request: pytest.FixtureRequest) -> Catalog:
    """The catalog of `--fourfold module:catalog`; a project whose tests always want one defines its own."""
    from fourfold.bootstrap.load import is_catalog_target, load_catalog

    target: str | None = request.config.getoption("fourfold_target")
    if target is None or not is_catalog_target(target):
        raise pytest.UsageError("name the catalog with --fourfold module:catalog, or define a fixture called catalog")
    return cast("Catalog", load_catalog(target).built.source)


@pytest.fixture
def fixed_clock() -> FixedClock:
    """The clock of `counting_store` and `call`; it stands still until a test moves it."""
    from fourfold.testing import FixedClock

    return FixedClock()


@pytest.fixture
def counting_store(catalog: Catalog, fixed_clock: FixedClock) -> Generator[Kit]:
    """The catalog on a store in memory, which counts in `writes` what handlers have written."""
    from fourfold.testing import open_kit

    with open_kit(catalog, clock=fixed_clock) as kit:
        yield kit


@pytest.fixture
def call(counting_store: Kit) -> Callable[..., Answer]:
    """Calls a tool as a server would, stage by stage: `call("stock_get", {"sku": "ABC-1234"})`."""
    return counting_store.call


@pytest.fixture
def caller() -> Callable[..., Caller]:
    """Makes callers: `caller("ana", tenant="acme", scopes=["orders:write"])`."""
    from fourfold.testing import caller

    return caller


@pytest.fixture
def two_tenants() -> tuple[Caller, Caller]:
    """Two callers who differ in nothing but the tenant."""
    from fourfold.testing import two_tenants

    return two_tenants()
