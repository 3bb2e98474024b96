"""`fourfold doctor`: versions, configuration, store and keys, and what is wrong with them. Shows no secret."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import click

from fourfold.bootstrap.configuration import find_configuration, read_configuration
from fourfold.bootstrap.maintenance import pending_migrations, store_exists
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.output import json_option, print_json
from fourfold.errors import ConfigError, FourfoldError

__all__ = ["command"]

_PACKAGES = ("fourfold", "mcp", "pydantic", "cryptography")


@dataclass(frozen=True, slots=True)
class _Check:
    """One line of the report; `fix` is set where something is wrong."""

    name: str
    found: str
    fix: str = ""


@click.command("doctor")
@store_option
@json_option
@config_option
def command(store_url: str | None, config_path: Path | None, *, as_json: bool) -> int:
    """Show what is installed and configured, and what is wrong. Exit code 1 if something is.

    \b
    Examples
      fourfold doctor
      fourfold doctor --store sqlite:///billing.db --json
    """
    checks = [*_versions(), *_configuration(config_path), *_store(store_url, config_path)]
    if as_json:
        print_json("doctor/v1", {"checks": [{"name": c.name, "found": c.found, "fix": c.fix} for c in checks]})
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            mark = click.style("wrong", fg="red") if check.fix else "ok   "
            click.echo(f"{mark}  {check.name.ljust(width)}  {check.found}")
            if check.fix:
                click.echo(f"       {' ' * width}  fix: {check.fix}")
    return 1 if any(check.fix for check in checks) else 0


def _versions() -> Iterator[_Check]:
    yield _Check("python", platform.python_version())
    for package in _PACKAGES:
        yield _Check(package, version(package))


def _configuration(config_path: Path | None) -> Iterator[_Check]:
    path = config_path or find_configuration(Path.cwd())
    if path is None:
        yield _Check("configuration", "none in this folder")
        return
    try:
        found = read_configuration(path)
    except ConfigError as error:
        yield _Check("configuration", path.name, fix=str(error))
        return
    names = ", ".join(entry.name for entry in found.caller) or "none"
    yield _Check("configuration", f"{path.name}; callers: {names}")


def _store(store_url: str | None, config_path: Path | None) -> Iterator[_Check]:
    try:
        url = find_store(store_url, config_path)
    except ConfigError as error:
        yield _Check("store", str(error))
        return
    try:
        if not store_exists(url):
            yield _Check("store", f"{url} is not made yet")
            return
        missing = pending_migrations(url)
    except FourfoldError as error:
        yield _Check("store", url, fix=str(error))
        return
    fix = f"run fourfold migrate --store {url}" if missing else ""
    yield _Check("store", f"{url}; {len(missing)} migrations pending", fix=fix)
