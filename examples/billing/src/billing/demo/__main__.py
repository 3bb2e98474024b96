"""The command: tells the story, then leaves the server up, unless `--once`.

Exit code 0: every answer was what it should be. 1: one was not, or the server failed. 130: interrupted before the end.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys

import anyio

from billing.demo.desk import TOKENS
from billing.demo.server import Server, ServerFailed, serving
from billing.demo.story import tell
from billing.demo.telling import Telling

__all__ = ["main"]

_CONNECT = """
The server stays up until Ctrl-C. An MCP client connects with
   {{"mcpServers": {{"billing": {{"type": "http", "url": "{url}",
      "headers": {{"Authorization": "Bearer {token}"}}}}}}}}
or, from another terminal,
   FOURFOLD_TOKEN={token} .venv/bin/fourfold call {url} invoice_list '{{"status": "overdue"}}'
   .venv/bin/fourfold runs list --store {store}
or look at all of it in a browser, by the link that this prints, or as the manager with the token in {token_file}
   .venv/bin/fourfold console billing:catalog --store {store} --config {operators}
"""


def main() -> int:
    """Run the demo."""
    parser = argparse.ArgumentParser(prog="scripts/demo", description="The billing server, driven by an MCP client.")
    parser.add_argument("--once", action="store_true", help="end after the story")
    once = parser.parse_args().once
    telling = Telling(sys.stdout, colour=sys.stdout.isatty() and "NO_COLOR" not in os.environ)
    # A terminated demo ends its server and removes its folder as an interrupted one does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with serving() as server:
            telling.plain(f"The billing server answers at {server.url}, on a new SQLite store.")
            wrong = anyio.run(tell, server, telling)
            if wrong is not None:
                telling.plain(f"\nNot as it should be in step {telling.steps}: {wrong}.")
                return 1
            telling.plain(f"\nAll {telling.steps} steps were answered as they should be.")
            return 0 if once else _stay(server, telling)
    except ServerFailed as error:
        telling.plain(f"\n{error}")
        return 1
    except KeyboardInterrupt:
        return 130


def _stay(server: Server, telling: Telling) -> int:
    token = TOKENS["acme's clerk"]
    places = {"store": server.store, "operators": server.operators, "token_file": server.manager_token}
    telling.plain(_CONNECT.format(url=server.url, token=token, **places))
    try:
        return server.process.wait()
    except KeyboardInterrupt:
        telling.plain("\nEnded.")
        return 0


if __name__ == "__main__":
    sys.exit(main())
