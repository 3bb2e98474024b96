"""What several commands need: the configuration that applies, the store, and who calls."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import click

from fourfold.bootstrap.configuration import Configuration, find_configuration, read_configuration
from fourfold.bootstrap.load import LoadedCatalog, load_catalog
from fourfold.bootstrap.service import default_store
from fourfold.errors import ConfigError
from fourfold.model.caller import Caller

__all__ = [
    "TOKEN_VARIABLE",
    "Setting",
    "caller_option",
    "config_option",
    "find_store",
    "read_setting",
    "store_option",
    "token_from_environment",
]

TOKEN_VARIABLE = "FOURFOLD_TOKEN"  # noqa: S105  # the name of a variable, not a token
"""Environment variable with the bearer token for a URL; an option would stand in the process list."""

config_option = click.option(
    "--config",
    "config_path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration file; else ./fourfold.toml, [tool.fourfold] in ./pyproject.toml, or beside the catalog.",
)
store_option = click.option(
    "--store", "store_url", help="Store, such as sqlite:///billing.db; else [serve] store, else ./.fourfold/NAME.db."
)
caller_option = click.option(
    "--caller", "caller_name", help="The [[caller]] that calls; else [serve] caller, else the only one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A loaded catalog, the configuration for it, and where that came from."""

    loaded: LoadedCatalog
    configuration: Configuration
    path: Path | None

    def store(self, given: str | None) -> str:
        """The store's URL: the option, the configuration, the default."""
        return given or self.configuration.serve.store or default_store(self.loaded.built.name)

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
    """Load the catalog of `target` and the configuration that applies to it."""
    loaded = load_catalog(target)
    path = config_path or find_configuration(Path.cwd(), beside=loaded.folder)
    return Setting(loaded=loaded, configuration=read_configuration(path), path=path)


def find_store(given: str | None, config_path: Path | None) -> str:
    """The store that a command without a target means: the option, the configuration, the only one there is.

    Raises:
        ConfigError: there is none, or more than one.
    """
    configured = read_configuration(config_path or find_configuration(Path.cwd())).serve.store
    if given or configured:
        return given or str(configured)
    found = sorted(Path(".fourfold").glob("*.db"))
    if len(found) == 1:
        return f"sqlite:///{found[0]}"
    if not found:
        raise ConfigError("there is no store in ./.fourfold; name one with --store sqlite:///path/to/file.db")
    raise ConfigError(f"several stores: choose one with --store: {', '.join(f'sqlite:///{path}' for path in found)}")


def token_from_environment() -> str | None:
    """The bearer token for a URL, if the environment has one."""
    return os.environ.get(TOKEN_VARIABLE) or None
