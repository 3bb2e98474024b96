"""A real PostgreSQL for the tests: started for the first test that needs it, in a folder of its own.

It listens on a socket in that folder alone. Nothing is synced to disk: tests kill processes and restart the server,
which the page cache of the operating system outlives.
"""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg

from fourfold.adapters.postgres.address import read_address

__all__ = ["DURABLE", "HANDLERS", "ROLE", "Cluster", "as_server"]

ROLE = "app"
"""The role that servers under test log in as: it owns its databases and is nothing else."""

HANDLERS = "app_handlers"
"""The role that handlers run as where a test says so."""

OLDEST = 15

_NEW = ("--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "200",
    "max_prepared_transactions": "0",
}
DURABLE = {"fsync": "on", "full_page_writes": "on"}
"""Settings of a server whose commits are measured: as PostgreSQL comes."""

_PATIENCE = 600
"""Looks, a twentieth of a second each, until a server that does not start fails the test."""


class Cluster:
    """One running server."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.folder = folder
        self._settings = {**_SETTINGS, "unix_socket_directories": str(folder), **settings}
        self._process = _started(folder, self._settings)
        self._numbers = count(1)

    @classmethod
    def make(cls, settings: Mapping[str, str] | None = None) -> Cluster:
        """Make the files of a server and start it, with `settings` over those of the tests."""
        folder = Path(tempfile.mkdtemp(prefix="fourfold-pg-"))
        shutil.chown(folder, _user())
        subprocess.run(
            [*as_server(), _binary("initdb"), "-D", folder / "data", *_NEW],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
        )
        cluster = cls(folder, settings or {})
        cluster.execute(f"CREATE ROLE {ROLE} LOGIN; CREATE ROLE {HANDLERS} NOLOGIN; GRANT {HANDLERS} TO {ROLE}")
        return cluster

    def store(self, **options: str) -> str:
        """The URL of a new, empty store: a schema of its own, which takes a hundredth of the time of a database."""
        schema = f"s{next(self._numbers)}"
        self.execute(f"CREATE SCHEMA {schema} AUTHORIZATION {ROLE}; GRANT USAGE ON SCHEMA {schema} TO {HANDLERS}")
        return self.url(ROLE, schema=schema, **options)

    def url(self, role: str, *, schema: str, **options: str) -> str:
        """The URL of a store as `role` reaches it."""
        where = {"host": str(self.folder), "options": f"-csearch_path={schema}", **options}
        return f"postgresql://{role}@/postgres?{urlencode(where)}"

    def execute(self, sql: str, *values: Any, url: str = "") -> list[tuple[Any, ...]]:
        """Run `sql` as a superuser, in the schema of `url`; the rows of its last statement, if it has any."""
        where = read_address(url or self.url(ROLE, schema="public")).reveal()
        with psycopg.connect(where, user="postgres", autocommit=True) as connection:
            cursor = connection.execute(sql.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def dump(self, url: str) -> bytes:
        """What `pg_dump` makes of the schema of `url`."""
        schema = self.execute("SELECT current_schema()", url=url)[0][0]
        command = [_binary("pg_dump"), "--dbname", f"host={self.folder} user=postgres", "--schema", schema]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def restart(self) -> None:
        """End every process of the server at once, as `pg_ctl restart -m immediate` does, and start it again.

        In the main thread: the kernel ends the server with the thread that started it.
        """
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()
        self._process = _started(self.folder, self._settings)

    def stop(self) -> None:
        """End the server and remove its files."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait()
        shutil.rmtree(self.folder)

    @property
    def socket(self) -> Path:
        """The Unix socket that it listens on."""
        return self.folder / ".s.PGSQL.5432"


def _started(folder: Path, settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
    command = [*as_server(), _binary("postgres"), "-D", folder / "data"]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [*command, *(f"--{name}={value}" for name, value in settings.items())],
            stdout=log,
            stderr=log,
            cwd=folder,
        )
    for _ in range(_PATIENCE):
        if _answers(folder):
            return process
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        break
    raise AssertionError(f"PostgreSQL did not start: {(folder / 'log').read_text()[-2_000:]}")


def _answers(folder: Path) -> bool:
    try:
        psycopg.connect(f"host={folder} user=postgres dbname=postgres").close()
    except psycopg.OperationalError:
        return False
    return True


def as_server() -> list[str]:
    """What a command of the server is prefixed with: it never runs as root, and ends when the tests do."""
    command = ["setpriv", "--pdeathsig", "QUIT"]
    if os.geteuid() == 0:
        entry = pwd.getpwnam(_user())
        command += [f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    return command if shutil.which("setpriv") else []


def _user() -> str:
    return "postgres" if os.geteuid() == 0 else getpass.getuser()


def _binary(name: str) -> str:
    """The newest installed program of that name; Debian keeps them out of PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    found = shutil.which(name, path=str(folders[-1])) if folders else shutil.which(name)
    if found is None:
        raise AssertionError(f"no PostgreSQL {OLDEST} or newer is installed: scripts/setup-postgres installs it")
    return found
