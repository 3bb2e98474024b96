"""What a chooser decided about a case, and what it took."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from fourfold.model.contract import JsonObject

__all__ = ["Choice", "ChosenCall", "OfferedTool", "Sampling", "Usage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool as a model is told of it."""

    name: str
    description: str
    input_schema: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a model is asked. `temperature` as in production; `None` leaves what the provider does by itself."""

    temperature: Decimal | None = None
    max_tokens: int = 1_024
    system: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenCall:
    """A call that a model wants to make. `arguments` is `None` if what it sent is no JSON object; then see `raw`."""

    name: str
    arguments: JsonObject | None
    raw: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the provider counted them; `None` where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer.

    Attributes:
        calls: in the order of the answer; empty if it called nothing.
        text: what it said beside, or instead.
        model: the model and version that the provider says has answered.
        first_token_s: seconds until the first part of the answer came; `None` if it came as one.
        seconds: until the whole answer was there.
        failure: why there is no answer: a code such as `rate_limited`, `timeout`, `http_500`, `malformed`. Such an
            answer is never right and never wrong.
    """

    calls: tuple[ChosenCall, ...] = ()
    text: str = ""
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    first_token_s: float | None = None
    seconds: float = 0.0
    failure: str = ""
