"""What several commands need: the configuration that applies, the store, and who calls."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from fourfold.adapters.sqlite.store import sqlite_path
from fourfold.adapters.store_url import is_postgres
from fourfold.bootstrap.configuration import Configuration, find_configuration, read_configuration
from fourfold.bootstrap.load import LoadedCatalog
from fourfold.bootstrap.service import default_store
from fourfold.cli.load import load_target
from fourfold.errors import ConfigError
from fourfold.model.caller import Caller
from fourfold.model.retention import Retention

__all__ = [
    "TOKEN_VARIABLE",
    "Setting",
    "caller_option",
    "config_option",
    "find_store",
    "found_stores",
    "read_setting",
    "store_option",
    "token_from_environment",
]

TOKEN_VARIABLE = "FOURFOLD_TOKEN"  # noqa: S105  # the name of a variable, not a token
"""Environment variable with the bearer token for a URL; an option would stand in the process list."""

_TOKEN = re.compile(r"[!-~]+")

config_option = click.option(
    "--config",
    "config_path",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration file; else ./fourfold.toml, [tool.fourfold] in ./pyproject.toml, or beside the catalog.",
)
store_option = click.option(
    "--store",
    "store_url",
    metavar="URL",
    help="Store, such as sqlite:///billing.db; else [serve] store, else ./.fourfold/NAME.db.",
)
caller_option = click.option(
    "--caller",
    "caller_name",
    metavar="NAME",
    help="The [[caller]] that calls; else [serve] caller, else the only one.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A loaded catalog with its name as it was given, and the configuration for it with the file that it came from."""

    target: str
    loaded: LoadedCatalog
    configuration: Configuration
    path: Path | None

    @property
    def retention(self) -> Retention:
        """How long outcomes are kept."""
        return self.configuration.retention.retention

    def store(self, given: str | None) -> str:
        """The store's URL: the option, the configuration, the default.

        Raises:
            ConfigError: it names no store of a known kind.
        """
        return _known_store(given or self.configuration.serve.store or default_store(self.loaded.built.name))

    def caller(self, given: str | None) -> Caller:
        """Who calls: the option, the configuration, the only one.

        Raises:
            ConfigError: nobody is configured, or several are and none is chosen.
        """
        name = given or self.configuration.serve.caller
        if name is not None:
            return self.configuration.named(name)
        entries = self.configuration.caller
        if len(entries) == 1:
            return entries[0].caller
        if not entries:
            raise ConfigError("no [[caller]] is configured: add one to fourfold.toml (name, tenant, principal, scopes)")
        raise ConfigError(f"choose who calls with --caller: {', '.join(entry.name for entry in entries)}")


def read_setting(target: str, config_path: Path | None) -> Setting:
    """Load the catalog of `target` and the configuration that applies to it.

    Raises:
        ConfigError: there is no such catalog, its module cannot be imported, or the configuration is wrong.
        ContractError: the catalog does not build.
    """
    loaded = load_target(target)
    path = config_path or find_configuration(Path.cwd(), beside=loaded.folder)
    return Setting(target=target, loaded=loaded, configuration=read_configuration(path), path=path)


def find_store(given: str | None, config_path: Path | None) -> str:
    """The store that a command without a target means: the option, the configuration, the only one there is.

    Raises:
        ConfigError: there is none, or more than one, or it is of no kind that stays.
    """
    found = found_stores(given, config_path)
    if len(found) == 1:
        return found[0]
    if not found:
        raise ConfigError("there is no store in ./.fourfold; name one with --store sqlite:///path/to/file.db")
    raise ConfigError(f"several stores: choose one with --store: {', '.join(found)}")


def found_stores(given: str | None, config_path: Path | None) -> Sequence[str]:
    """The store of the option or the configuration; without one, those in ./.fourfold.

    Raises:
        ConfigError: it is of no kind that stays, or the configuration cannot be read.
    """
    named = given or read_configuration(config_path or find_configuration(Path.cwd())).serve.store
    return [_kept_store(named)] if named else [f"sqlite:///{path}" for path in sorted(Path(".fourfold").glob("*.db"))]


def _known_store(url: str) -> str:
    """`url`, if it names a kind of store that there is. A wrong one may hold a password, so it is not repeated."""
    if url == "memory:" or (url.startswith("sqlite:///") and sqlite_path(url)):
        return url
    if is_postgres(url):
        return url
    kinds = "sqlite:///path/to/file.db, postgresql://user@host/database, or memory: for one that ends with its process"
    raise ConfigError(f"a store is named {kinds}")


def _kept_store(url: str) -> str:
    if url == "memory:":
        raise ConfigError("memory: keeps nothing after its process; name the store with --store sqlite:///path")
    return _known_store(url)


def token_from_environment() -> str | None:
    """The bearer token for a URL, if the environment has one.

    Raises:
        ConfigError: it cannot be one; the message never quotes it.
    """
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if token and not _TOKEN.fullmatch(token):
        raise ConfigError(f"{TOKEN_VARIABLE} holds a space or a character that no bearer token has")
    return token or None
