"""A catalog whose module, handler and child process write wherever they can."""

from __future__ import annotations

import logging
import subprocess
import sys

from fourfold import Catalog, Input, Output, Read

print("[db] Connected to ./x.db")  # noqa: T201  # what is tested
logging.basicConfig(stream=sys.stdout, level=logging.INFO)
logging.getLogger("noisy").info("ready")

catalog = Catalog("noisy", version="1")


class Nothing(Input):
    """No arguments."""


class Said(Output):
    """Whether it was said."""

    done: bool


@catalog.tool(
    name="noise_make",
    version="1.0",
    does="Write to standard output in three ways.",
    use_when="the transport is tested",
    not_for="anything else",
    effect=Read(),
)
def noise_make(request: Nothing) -> Said:
    """Print, log, and let a child write to descriptor 1."""
    print("hi from the handler")  # noqa: T201  # what is tested
    logging.getLogger("noisy").info("hi from the log")
    subprocess.run([sys.executable, "-c", "import os; os.write(1, b'hi from the child\\n')"], check=True)
    return Said(done=True)
