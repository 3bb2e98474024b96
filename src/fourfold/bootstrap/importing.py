"""Joins what `fourfold select import` needs: the file that is read, and the suite that grows by it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from fourfold.contracts.case_file import case_line, read_cases
from fourfold.errors import ConfigError
from fourfold.model.case import Case
from fourfold.model.chosen import OfferedTool
from fourfold.model.listed import ListedCatalog
from fourfold.selection.importing.offered import offered_tools
from fourfold.selection.importing.records import bounded_lines

__all__ = ["growing", "ids_in", "lines_of", "stand_ins"]


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file, one at a time.

    Raises:
        ConfigError: it can't be read.
    """
    try:
        with path.open("rb") as file:
            yield from bounded_lines(file)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None


def stand_ins(catalog: ListedCatalog) -> tuple[OfferedTool, ...]:
    """The tools of a target, for records that tell of none; a saved list may be in a provider's form.

    Raises:
        ConfigError: there are none.
    """
    tools = offered_tools([tool.definition for tool in catalog.tools])
    if not tools:
        raise ConfigError(f"{catalog.target} offers no tools")
    return tools


def ids_in(suite: Path) -> frozenset[str]:
    """The ids of the cases in a suite; none if it isn't there yet.

    Raises:
        ConfigError: it can't be read, or a line of it is no case.
    """
    if not suite.exists():
        return frozenset()
    return frozenset(case.id for case in read_cases(lines_of(suite), name=str(suite)))


@contextmanager
def growing(suite: Path) -> Generator[Callable[[Case], None]]:
    """A function that adds a case to a suite. The suite has all of them when the block has ended well, or none.

    Raises:
        ConfigError: it can't be written.
    """
    beside = suite.with_name(f"{suite.name}.new")
    try:
        suite.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            _copy(suite, file)
            before = file.tell()
            yield lambda case: _add(file, case)
            grown = file.tell() > before
        if grown:
            beside.replace(suite)
    except OSError as error:
        raise ConfigError(f"{suite} cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):  # such as where the folder could not be made
            beside.unlink()


def _copy(suite: Path, file: BinaryIO) -> None:
    """Every line as it is, the last one with its end."""
    if suite.exists():
        file.writelines(line.removesuffix(b"\n") + b"\n" for line in lines_of(suite))


def _add(file: BinaryIO, case: Case) -> None:
    file.write(case_line(case).encode() + b"\n")
