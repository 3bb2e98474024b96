"""What a target lists, wherever it is: a catalog in a module, a live server, a saved `tools/list`."""

from __future__ import annotations

import shlex
from pathlib import Path

from fourfold.bootstrap.load import LoadedCatalog, is_catalog_target, load_catalog
from fourfold.edge.target import LiveTarget, connect
from fourfold.edge.translate import listed_tool
from fourfold.errors import TargetError
from fourfold.model.listed import ListedCatalog, ListedTool
from fourfold.review.saved import listed, read_saved

__all__ = ["MAX_SAVED_BYTES", "of_catalog", "of_file", "of_named", "of_server"]

MAX_SAVED_BYTES = 64 * 1024 * 1024
"""Size of a saved catalog; the largest published one known has half a megabyte."""


def of_catalog(loaded: LoadedCatalog, *, target: str) -> ListedCatalog:
    """The tools of a catalog as a client would see them, each with the contract behind it."""
    built = loaded.built
    tools = tuple(
        ListedTool(
            definition=listed_tool(tool.contract).model_dump(mode="json", by_alias=True, exclude_none=True),
            contract=tool.contract,
        )
        for tool in built.tools.values()
    )
    return ListedCatalog(target=target, tools=tools, server=built.name, instructions=built.instructions)


async def of_server(server: LiveTarget) -> ListedCatalog:
    """The tools that a live server lists.

    Raises:
        TargetError: the server failed, or its list does not end.
    """
    facts = {"serverInfo": {"name": server.server}, "instructions": server.instructions}
    return listed(list(await server.tools()), target=server.name, facts=facts)


async def of_named(target: str, *, token: str | None) -> ListedCatalog:
    """The tools of a target that is named by one text: module:catalog, a URL, a file (.json), or a whole command.

    Raises:
        ConfigError, ContractError, TargetError: there is no such catalog, or the target can't be listed.
    """
    if is_catalog_target(target):
        return of_catalog(load_catalog(target), target=target)
    is_url = target.startswith(("http://", "https://"))
    if target.endswith(".json") and not is_url:
        return of_file(Path(target))
    async with connect(target if is_url else shlex.split(target), token=token) as server:
        return await of_server(server)


def of_file(path: Path) -> ListedCatalog:
    """The tools of a saved `tools/list`.

    Raises:
        TargetError: the file cannot be read, is too large, or holds no list of tools.
    """
    try:
        if path.stat().st_size > MAX_SAVED_BYTES:
            raise TargetError(f"{path} has more than {MAX_SAVED_BYTES // 2**20} MiB; it cannot be a list of tools")
        raw = path.read_bytes()
    except OSError as error:
        raise TargetError(f"{path} cannot be read: {error.strerror}") from None
    return read_saved(raw, target=str(path))
