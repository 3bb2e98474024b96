"""Loads the catalog of a target. What its module prints and raises is the user's own, and is shown as that."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from traceback import TracebackException

from fourfold.bootstrap.load import LoadedCatalog, load_catalog
from fourfold.errors import ConfigError, FourfoldError

__all__ = ["load_target"]

_IMPORTING = "<frozen importlib"


def load_target(target: str) -> LoadedCatalog:
    """Import the module of `target` and build its catalog. Standard output is for results: prints go to stderr.

    Raises:
        ConfigError: there is no such catalog, or its module raised; the message ends with the module's own error.
        ContractError: the catalog does not build.
    """
    module = target.partition(":")[0]
    if module.endswith(".py"):
        raise ConfigError(f"{target!r} names a file; a target names a module: {target.replace('.py:', ':', 1)}")
    try:
        with redirect_stdout(sys.stderr):
            return load_catalog(target)
    except FourfoldError:
        raise
    # SystemExit too: a script without a main guard would end this command as if it had worked.
    except (Exception, SystemExit) as error:
        raised = _as_raised(error)
        if raised is None:
            raise
        raise ConfigError(f"{module!r} cannot be imported:\n{raised}") from error


def _as_raised(error: BaseException) -> str | None:
    """The traceback from the user's module on; `None` if no module was being imported, so that the fault is ours."""
    shown = TracebackException.from_exception(error)
    importing = [index for index, frame in enumerate(shown.stack) if frame.filename.startswith(_IMPORTING)]
    if not importing:
        return None
    theirs = [frame for frame in shown.stack[importing[0] :] if not frame.filename.startswith(_IMPORTING)]
    del shown.stack[:]
    shown.stack.extend(theirs)
    return "".join(shown.format(chain=False)).rstrip()
