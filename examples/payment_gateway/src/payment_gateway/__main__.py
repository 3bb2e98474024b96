"""`python -m payment_gateway`: the gateway on a loopback address. It writes where it answers, then stays up.

Exit code 0: interrupted. 2: an argument is wrong.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import uvicorn

from payment_gateway.app import DEMO_TOKEN, application
from payment_gateway.ledger import Ledger

__all__ = ["main"]

TOKEN_VARIABLE = "PAYMENT_GATEWAY_TOKEN"  # noqa: S105  the name of the variable
"""Environment variable with the token that clients need; the public one of the demo when it is not set."""


def main() -> int:
    """Run the gateway."""
    parser = argparse.ArgumentParser(prog="payment_gateway", description="A payment gateway to try clients on.")
    parser.add_argument("--port", type=int, default=8766, help="on 127.0.0.1; 0 takes any that is free")
    parser.add_argument("--ledger", type=Path, default=Path("payment-gateway.db"), help="SQLite file of its refunds")
    options = parser.parse_args()
    app = application(Ledger(options.ledger), token=os.environ.get(TOKEN_VARIABLE, DEMO_TOKEN))
    config = uvicorn.Config(
        app, host="127.0.0.1", port=options.port, log_level="critical", lifespan="off", timeout_graceful_shutdown=1
    )
    # Bound first, so that what is printed is true and a client that reads it is served.
    socket = config.bind_socket()
    sys.stderr.write(f"payment gateway at http://127.0.0.1:{socket.getsockname()[1]}\n")
    sys.stderr.flush()
    try:
        uvicorn.Server(config).run(sockets=[socket])
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
