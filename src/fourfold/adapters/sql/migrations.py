"""Numbered SQL files, applied once and in order: what every database needs of them, but for running them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from fourfold.errors import StoreError

__all__ = ["Migration", "load", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One numbered step of the schema; once released, its text never changes."""

    number: int
    name: str
    script: str

    @property
    def sha256(self) -> str:
        """Digest (hex) of the text, as recorded when it is applied."""
        return hashlib.sha256(self.script.encode()).hexdigest()


def load(package: str) -> Sequence[Migration]:
    """All migrations in the folder `migrations` of `package`, in order."""
    folder = files(package).joinpath("migrations")
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return [
        Migration(number=int(file.name[:4]), name=file.name.removesuffix(".sql"), script=file.read_text("utf-8"))
        for file in found
    ]


def missing(known: Sequence[Migration], applied: Mapping[int, str]) -> Sequence[Migration]:
    """Those of `known` that are not applied. `applied` has the digest of each that is, by its number.

    Raises:
        StoreError: the database is newer than this code, or was made from other migrations.
    """
    newest = known[-1].number
    if any(number > newest for number in applied):
        raise StoreError(
            f"the database has migration {max(applied)}, this Fourfold knows up to {newest}; use the newer Fourfold"
        )
    for migration in known:
        if applied.get(migration.number, migration.sha256) != migration.sha256:
            raise StoreError(f"migration {migration.name} differs from the one that this database was made with")
    return [migration for migration in known if migration.number not in applied]
