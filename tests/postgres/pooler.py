"""A real PgBouncer in front of the cluster: few server connections, handed to another client after each transaction."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager

import psycopg

from tests.postgres.cluster import ROLE, Cluster, as_server

__all__ = ["pooled"]

_PATIENCE = 200

_CONFIGURATION = """
[databases]
postgres = host={folder} dbname=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {size}
logfile = {folder}/pgbouncer.log
pidfile = {folder}/pgbouncer.pid
ignore_startup_parameters = options
"""


@contextmanager
def pooled(cluster: Cluster, *, size: int) -> Generator[str]:
    """The URL of the database `postgres` through a pooler with `size` server connections."""
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")
    assert program, "no PgBouncer is installed: scripts/setup-postgres installs it"
    port = _free_port()
    (cluster.folder / "users").write_text(f'"{ROLE}" ""\n')
    configuration = cluster.folder / "pgbouncer.ini"
    configuration.write_text(_CONFIGURATION.format(folder=cluster.folder, port=port, size=size))
    for file in (configuration, cluster.folder / "users"):
        file.chmod(0o644)
    process = subprocess.Popen([*as_server(), program, "-q", configuration], cwd=cluster.folder)
    try:
        _wait(process, port)
        yield f"postgresql://{ROLE}@127.0.0.1:{port}/postgres"
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it at once; what does not listen to that is killed, since its clients are gone."""
    process.send_signal(signal.SIGQUIT)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    for _ in range(_PATIENCE):
        try:
            psycopg.connect(f"host=127.0.0.1 port={port} user={ROLE} dbname=postgres").close()
        except psycopg.OperationalError:
            assert process.poll() is None, "PgBouncer ended"
        else:
            return
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("PgBouncer did not start")
