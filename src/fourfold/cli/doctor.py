"""`fourfold doctor`: versions, configuration, store and keys, and what is wrong with them. Shows no secret."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import click

from fourfold.adapters.sealing.keys import KeyRing, key_file
from fourfold.adapters.sqlite.store import sqlite_path
from fourfold.adapters.store_url import is_postgres, shown_url
from fourfold.bootstrap.configuration import Configuration, find_configuration, read_configuration
from fourfold.bootstrap.maintenance import pending_migrations, store_exists
from fourfold.bootstrap.service import KEYS_VARIABLE
from fourfold.cli.context import config_option, found_stores, store_option
from fourfold.cli.flags import StrictCommand
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


@click.command("doctor", cls=StrictCommand)
@store_option
@json_option
@config_option
def command(store_url: str | None, config_path: Path | None, *, as_json: bool) -> int:
    """Show what is installed and configured, and what is wrong. Exit code 1 if something is.

    It makes and changes nothing, and shows no secret.

    \b
    Examples
      fourfold doctor
      fourfold doctor --store sqlite:///billing.db --json
    """
    configuration = _configuration(config_path)
    checks = [*_versions(), configuration]
    if not configuration.fix:
        checks += _stores(store_url, config_path)
    if as_json:
        print_json("doctor/v1", {"checks": [asdict(check) for check in checks]})
    else:
        _show(checks)
    return 1 if any(check.fix for check in checks) else 0


def _show(checks: list[_Check]) -> None:
    width = max(len(check.name) for check in checks)
    for check in checks:
        mark = click.style("wrong", fg="red") if check.fix else "ok   "
        click.echo(f"{mark}  {check.name.ljust(width)}  {check.found}")
        if check.fix:
            indent = " " * (width + 9)
            click.echo(f"{indent}fix: {check.fix.replace(chr(10), chr(10) + indent)}")


def _versions() -> Iterator[_Check]:
    yield _Check("python", platform.python_version())
    for package in _PACKAGES:
        yield _Check(package, version(package))


def _configuration(config_path: Path | None) -> _Check:
    try:
        path = config_path or find_configuration(Path.cwd())
        if path is None:
            return _Check("configuration", "none in this folder")
        found = read_configuration(path)
        if found.serve.caller is not None:
            found.named(found.serve.caller)
    except ConfigError as error:
        return _Check("configuration", "cannot be used", fix=str(error))
    return _Check("configuration", f"{path.name}; callers: {_callers(found)}")


def _callers(found: Configuration) -> str:
    names = [entry.name if entry.token_sha256 is None else f"{entry.name} (has a token)" for entry in found.caller]
    return ", ".join(names) or "none"


def _stores(store_url: str | None, config_path: Path | None) -> Iterator[_Check]:
    """Each store, with its keys."""
    try:
        urls = found_stores(store_url, config_path)
    except ConfigError as error:
        yield _Check("store", "cannot be used", fix=str(error))
        return
    if not urls:
        yield _Check("store", "none in ./.fourfold; a server makes it when it is first started")
    for url in urls:
        yield _store(url)
        yield _keys(None if is_postgres(url) else sqlite_path(url).with_suffix(".keys"))


def _store(url: str) -> _Check:
    shown = shown_url(url)
    try:
        if not store_exists(url):
            return _Check("store", f"{shown} is not made yet")
        missing = pending_migrations(url)
    except FourfoldError as error:
        return _Check("store", shown, fix=str(error))
    fix = f"run fourfold migrate --store {shown}" if missing else ""
    return _Check("store", f"{shown}; {len(missing)} migrations pending", fix=fix)


def _keys(path: Path | None) -> _Check:
    """The key ring that a server would use: its ids, newest first. Without a `path`, only the environment has it."""
    text = os.environ.get(KEYS_VARIABLE)
    if not text and path is None:
        return _Check("keys", "none", fix=f"set {KEYS_VARIABLE}, the same for every server on this database")
    where = KEYS_VARIABLE if text else str(path)
    # Opening the file would make a missing one, and doctor makes nothing.
    if path is not None and not text and not path.exists():
        return _Check("keys", f"{where} is not made yet")
    try:
        ring = key_file(path) if path is not None and not text else KeyRing.from_text(text or "")
    except ConfigError as error:
        return _Check("keys", where, fix=str(error))
    return _Check("keys", f"{where}; ids, newest first: {', '.join(key.kid for key in ring.keys)}")
