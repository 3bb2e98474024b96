r"""Markers for fields: what a value *is*, beside its type. Read at build time, enforced by the stages.

```python
class QuoteLine(Input):
    sku: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d{4}$", max_length=8)]
    unit_price_minor: Offer[Minor]
```
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, cast

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import PydanticCustomError, core_schema

from fourfold.contracts.strict_json import MAX_SAFE_INTEGER

__all__ = [
    "MARKS",
    "HandleText",
    "Marker",
    "Minor",
    "MinorUnits",
    "NullCell",
    "Nullable",
    "Offer",
    "Offered",
    "PathUnder",
    "Personal",
    "Sandbox",
    "Secret",
    "Subject",
    "Waived",
]

T = TypeVar("T")


MARKS = "x-fourfold"
"""The keyword under which markers stand in a schema while a catalog is built; it is never published."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker puts itself into the field's JSON Schema, so that one walk over the schema finds all of them."""

    word: ClassVar[str]

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """The field's schema with this marker added."""
        published = handler(schema)
        return {**published, MARKS: [*published.get(MARKS, []), {"mark": self.word, **asdict(self)}]}


@dataclass(frozen=True, slots=True)
class Secret(Marker):
    """The value is stored nowhere in the clear, enters fingerprints as a keyed digest, and is masked in results."""

    word: ClassVar[str] = "secret"


@dataclass(frozen=True, slots=True)
class Personal(Marker):
    """The value is personal data: stored nowhere, masked in results unless the caller holds `unmask`."""

    word: ClassVar[str] = "personal"

    unmask: str = ""


@dataclass(frozen=True, slots=True)
class Subject(Marker):
    """The value names the run's Subject: the account (or other thing) that the call is about."""

    word: ClassVar[str] = "subject"


@dataclass(frozen=True, slots=True)
class Nullable(Marker):
    """`null` is a value of its own here ("clear the field"), not another way to leave the argument out."""

    word: ClassVar[str] = "nullable"


@dataclass(frozen=True, slots=True)
class NullCell(Marker):
    """`null` is SQL's NULL here: a cell of a query's result, the one output where it is a value of its own."""

    word: ClassVar[str] = "null_cell"


@dataclass(frozen=True, slots=True)
class MinorUnits(Marker):
    """An integer amount of money in minor units (cents).

    The currency stands in a `currency` field of the same object or of an object around it, or is fixed here
    (ISO 4217, such as `EUR`).
    """

    word: ClassVar[str] = "minor_units"

    currency: str = ""


Minor = Annotated[int, MinorUnits(), Field(ge=0, le=MAX_SAFE_INTEGER)]
"""A non-negative amount in minor units; give it a tighter bound where the domain has one."""


@dataclass(frozen=True, slots=True)
class Offered(Marker):
    """The price is an offer of the caller, which the handler checks against its own list price and floor."""

    word: ClassVar[str] = "offered"


Offer = Annotated[T, Offered()]
"""`Offer[Minor]`: the one honest way for a price to be an argument."""


HandleText = Annotated[
    str, Field(min_length=32, max_length=256, description="A handle, passed on unchanged as it was returned.")
]
"""A handle that `Handles.issue` made, in an input or an output."""


@dataclass(frozen=True, slots=True)
class Sandbox(Marker):
    """The text is a query that runs in a typed sandbox: readable views, a row limit and a time limit.

    Attributes:
        readable: the views that may be read; nothing else can be named.
        max_rows: rows that one query may return.
        timeout_s: seconds that one query may take.
    """

    word: ClassVar[str] = "sandbox"

    readable: tuple[str, ...]
    max_rows: int
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Waived(Marker):
    """Sets one rule aside for one field, with the reason in writing; shown by `fourfold tools`."""

    word: ClassVar[str] = "waived"

    rule: str
    reason: str

    def __post_init__(self) -> None:
        if len(self.reason.split()) < 3:
            raise ValueError(f"the waiver of {self.rule!r} needs a reason in a few words")


@dataclass(frozen=True, slots=True)
class PathUnder(Marker):
    """A relative path that must stay under `root` after symlinks are resolved, on the server (requirement B2).

    Published as a bounded string; the root stays on the server. The handler gets the resolved `Path`. Use it at
    once: a link that somebody changes later is not seen.
    """

    word: ClassVar[str] = "path_under"

    root: str | Path

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """A bounded string that is resolved and checked; bounds given before this marker are kept."""
        text = core_schema.str_schema(min_length=1, max_length=4096, strict=True)
        if source is str:
            text = cast("core_schema.StringSchema", {**text, **handler(source)})
        return core_schema.no_info_after_validator_function(self.resolve, text)

    def resolve(self, text: str) -> Path:
        """The resolved path.

        Raises:
            PydanticCustomError: it is absolute, has a NUL, or leads out of the root.
        """
        root = Path(self.root).resolve()
        if "\0" in text or Path(text).is_absolute():
            raise _outside()
        try:
            resolved = (root / text).resolve()
        except (OSError, RuntimeError):  # a loop of symlinks, or a name that the file system refuses
            raise _outside() from None
        if not resolved.is_relative_to(root):
            raise _outside()
        return resolved


def _outside() -> PydanticCustomError:
    return PydanticCustomError("path_outside_root", "a relative path inside the allowed folder")
