"""Who a person is: the operator whose token it is, by a configuration that nobody else could have written."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from pathlib import Path

from fourfold.bootstrap.configuration import Configuration, read_configuration
from fourfold.errors import ConfigError
from fourfold.model.operator import Operator

__all__ = ["MIN_TOKEN", "operator_of", "read_operators"]

MIN_TOKEN = 32
"""Characters of an operator's token: its digest stands in a file, so it must be too long to be found by trying."""


def read_operators(path: Path | None) -> Configuration:
    """The configuration in `path`, if only this user could have written it and it has operators.

    Raises:
        ConfigError: it has none, it is wrong, or somebody else may have made themselves one.
    """
    if path is None:
        raise ConfigError("there is no fourfold.toml here, so nobody is an operator; go to its folder or give --config")
    _require_own(path)
    configuration = read_configuration(path)
    if not configuration.operator:
        raise ConfigError(f"{path.name} has no [[operator]]; fourfold operators new writes one")
    return configuration


def operator_of(token: str, configuration: Configuration) -> Operator:
    """The person whose token this is.

    Raises:
        ConfigError: it is nobody's; what a caller has is none.
    """
    if len(token) < MIN_TOKEN:
        raise ConfigError(f"an operator's token has at least {MIN_TOKEN} characters; fourfold operators new makes one")
    digest = hashlib.sha256(token.encode()).hexdigest()
    # All of them are compared, so that the time tells nothing about which it is.
    found = [entry for entry in configuration.operator if hmac.compare_digest(entry.token_sha256, digest)]
    if not found:
        raise ConfigError("no [[operator]] has this token")
    return found[0].operator


def _require_own(path: Path) -> None:
    """Refuse a file that somebody else may have written, or may have put there.

    Raises:
        ConfigError: it, or a folder that it is found through, can be written by others, or it is another user's.
    """
    status = path.stat()
    if status.st_uid not in (0, os.geteuid()):
        raise ConfigError(f"{path.name} belongs to another user, who could make themselves an operator")
    if _is_open(status):
        raise ConfigError(
            f"{path.name} can be written by others, who could make themselves operators: run chmod go-w on it"
        )
    for folder in {path.absolute().parent, path.resolve().parent}:
        found = folder.stat()
        # With the sticky bit, nobody can replace a file of somebody else.
        if _is_open(found) and not found.st_mode & stat.S_ISVTX:
            raise ConfigError(
                f"the folder of {path.name} can be written by others, who could replace it: run chmod go-w on it"
            )


def _is_open(status: os.stat_result) -> bool:
    return bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
