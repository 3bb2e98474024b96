"""Templates, and how times, counts, money and durations are written in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from fourfold.errors import ConfigError
from fourfold.report.plain import plain

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["day", "templates"]

_SPARK_HEIGHT = 28
_SPARK_WIDTH = 120


def templates() -> Environment:
    """What renders the pages. Everything foreign is escaped, and what a browser would obey is shown as it is written.

    Raises:
        ConfigError: the library for templates is not installed.
    """
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ModuleNotFoundError:
        raise ConfigError("the console needs Jinja: pip install 'fourfold[console]'") from None
    environment = Environment(
        loader=PackageLoader("fourfold.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters.update(_FILTERS)
    return environment


def _shown(value: Any) -> Any:
    # A subclass of str is markup that a template made; it has been through here in its parts.
    return plain(value) if type(value) is str else value


def when(milliseconds: int) -> str:
    """A time in UTC: `2026-11-30 09:00:00`. Every page says that its times are UTC."""
    return f"{datetime.fromtimestamp(milliseconds // 1000, UTC):%Y-%m-%d %H:%M:%S}"


def day(milliseconds: int) -> str:
    """A day in UTC: `2026-11-30`, for people and for `<time datetime>` alike."""
    return f"{datetime.fromtimestamp(milliseconds // 1000, UTC):%Y-%m-%d}"


def machine_time(milliseconds: int) -> str:
    """A time for `<time datetime>` (RFC 3339)."""
    return f"{datetime.fromtimestamp(milliseconds // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def number(value: int) -> str:
    """An integer with thousands apart: `1,234,567`."""
    return f"{value:,}"


def share(value: float | None) -> str:
    """A share between 0 and 1 in percent: `4.2 %`; a dash where there is nothing to share."""
    return "–" if value is None else f"{value:.1%}".replace("%", " %")


def duration(microseconds: float | None) -> str:
    """A duration with three digits: `840 µs`, `12.3 ms`, `1.25 s`; a dash where it is not known."""
    if microseconds is None:
        return "–"
    for size, unit in ((1_000_000, "s"), (1_000, "ms")):
        if microseconds >= size:
            value = microseconds / size
            return f"{value:,.{max(0, 2 - len(str(int(value))) + 1)}f} {unit}"
    return f"{microseconds:.0f} µs"


def money(minor: int, currency: str) -> str:
    """An amount in minor units as it is stored, so that no table of currencies has to be right: `1,234 EUR minor`."""
    return f"{minor:,} {currency} minor"


def dollars(value: Decimal | None) -> str:
    """An estimated price: `$0.0042`, `$1,234.50`; a dash without a price."""
    if value is None:
        return "–"
    return f"${value:,.2f}" if value >= 1 else f"${value:.4f}"


def spark(values: Sequence[float | None]) -> str:
    """Points of a line through `values`, oldest first, in a box of 120 by 28; a gap counts as 0."""
    heights = [value or 0 for value in values]
    most = max(heights, default=0) or 1
    step = _SPARK_WIDTH / max(1, len(heights) - 1)
    return " ".join(
        f"{index * step:.1f},{1 + (_SPARK_HEIGHT - 2) * (1 - height / most):.1f}"
        for index, height in enumerate(heights)
    )


def json_text(value: object) -> str:
    """A value as JSON over several lines, in the letters that it has."""
    return json.dumps(value, indent=2, ensure_ascii=False)


_FILTERS: Mapping[str, Callable[..., Any]] = {
    "day": day,
    "dollars": dollars,
    "duration": duration,
    "json": json_text,
    "machine_time": machine_time,
    "money": money,
    "number": number,
    "share": share,
    "spark": spark,
    "when": when,
}
