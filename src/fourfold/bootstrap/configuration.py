"""The configuration file: `fourfold.toml`, or `[tool.fourfold]` in `pyproject.toml`.

```toml
[serve]
caller = "clerk"                     # who calls over stdio, unless --caller says otherwise
store = "sqlite:///billing.db"
public_hosts = ["mcp.example.com"]   # needed to serve beyond loopback

[[caller]]
name = "clerk"
tenant = "acme"
principal = "clerk@acme"
scopes = ["quotes:write"]
token_sha256 = "…"                   # hex SHA-256 of the bearer token, for HTTP
```
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fourfold.errors import ConfigError
from fourfold.model.caller import Caller

__all__ = ["CallerEntry", "Configuration", "ServeSection", "find_configuration", "read_configuration"]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CallerEntry(_Section):
    """One `[[caller]]`: an identity, and how it is recognised."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$")]
    tenant: Annotated[str, Field(min_length=1, max_length=128)]
    principal: Annotated[str, Field(min_length=1, max_length=256)]
    scopes: list[Annotated[str, Field(min_length=1, max_length=128)]] = []
    token_sha256: Annotated[str | None, Field(pattern=r"^[0-9a-f]{64}$")] = None

    @property
    def caller(self) -> Caller:
        """The caller that this entry stands for."""
        return Caller(principal=self.principal, tenant=self.tenant, scopes=frozenset(self.scopes), name=self.name)


class ServeSection(_Section):
    """`[serve]`: the defaults of `fourfold serve`."""

    caller: str | None = None
    store: str | None = None
    public_hosts: list[str] = []
    allowed_origins: list[str] = []
    toolsets: list[str] = []
    modern_only: bool = False


class Configuration(_Section):
    """All of the file. `[[caller]]` entries have different names and different tokens."""

    serve: ServeSection = ServeSection()
    caller: list[CallerEntry] = []

    def named(self, name: str) -> Caller:
        """The caller of that name.

        Raises:
            ConfigError: there is none; the message names those that there are.
        """
        for entry in self.caller:
            if entry.name == name:
                return entry.caller
        known = ", ".join(entry.name for entry in self.caller) or "none"
        raise ConfigError(f"no [[caller]] is named {name!r}; configured: {known}. Add one to fourfold.toml.")


def find_configuration(folder: Path, *, beside: Path | None = None) -> Path | None:
    """The file that applies, or `None`.

    `fourfold.toml` in `folder`, else a `pyproject.toml` there with `[tool.fourfold]`, else the `fourfold.toml` in
    `beside`, the folder of the target's module.
    """
    candidate = folder / "fourfold.toml"
    if candidate.is_file():
        return candidate
    project = folder / "pyproject.toml"
    if project.is_file() and _in_project(_toml(project)) is not None:
        return project
    shipped = beside / "fourfold.toml" if beside is not None else None
    return shipped if shipped is not None and shipped.is_file() else None


def read_configuration(path: Path | None) -> Configuration:
    """The configuration in `path`; an empty one for `None`.

    Raises:
        ConfigError: the file cannot be read or has an entry that is wrong; the message names each place.
    """
    if path is None:
        return Configuration()
    content = _toml(path)
    section = _in_project(content) or {} if path.name == "pyproject.toml" else content
    try:
        found = Configuration.model_validate(section)
    except ValidationError as error:
        raise ConfigError(f"{path.name} is not right:\n{_places(error)}") from None
    _refuse_twins(found, path)
    return found


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path.name} cannot be read: {error}") from None


def _in_project(content: dict[str, Any]) -> Any:
    """`[tool.fourfold]` of a `pyproject.toml`, or `None`."""
    tools = content.get("tool")
    return cast("dict[str, Any]", tools).get("fourfold") if isinstance(tools, dict) else None


def _places(error: ValidationError) -> str:
    details = error.errors(include_url=False, include_input=False, include_context=False)
    return "\n".join(f"  {'.'.join(map(str, detail['loc'])) or 'all of it'}: {detail['msg']}" for detail in details)


def _refuse_twins(found: Configuration, path: Path) -> None:
    """Two entries of one name, or of one token, would make it a matter of order who calls."""
    for what in ("name", "token_sha256"):
        values = cast("list[str]", [getattr(entry, what) for entry in found.caller if getattr(entry, what)])
        twins = sorted({value for value in values if values.count(value) > 1})
        if twins:
            shown = ", ".join(twins) if what == "name" else "the same token"
            raise ConfigError(f"{path.name} has [[caller]] entries with one {what}: {shown}. Give each its own.")
