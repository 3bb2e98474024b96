"""The `HOST:PORT` of commands that listen."""

from __future__ import annotations

import click

__all__ = ["address"]


def address(value: str) -> tuple[str, int]:
    """The host and the port of an option; port 0 takes any that is free.

    Raises:
        BadParameter: it is no such thing.
    """
    host, separator, port = value.rpartition(":")
    if not separator or not host or not port.isdecimal() or int(port) > 65_535:
        raise click.BadParameter("use HOST:PORT, such as 127.0.0.1:8765; port 0 takes a free one")
    return host.strip("[]"), int(port)
