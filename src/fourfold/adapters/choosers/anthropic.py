"""Models behind Anthropic Messages, over the same HTTP client: no SDK of a provider."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from fourfold.adapters.choosers.http import HttpChooser, ProviderTerms, opened
from fourfold.adapters.choosers.key import ApiKey
from fourfold.selection.wire.anthropic_messages import ANTHROPIC_MESSAGES

__all__ = ["ANTHROPIC_URL", "anthropic_chooser"]

ANTHROPIC_URL = "https://api.anthropic.com/v1"
_VERSION = "2023-06-01"
"""Of the API; the only one that there has been since."""


def anthropic_chooser(terms: ProviderTerms, key: ApiKey) -> AbstractAsyncContextManager[HttpChooser]:
    """A chooser that asks `terms.model` at `terms.base_url`."""
    headers = {"anthropic-version": _VERSION, **({"x-api-key": key.reveal()} if key else {})}
    return opened(ANTHROPIC_MESSAGES, terms, key=key, headers=headers)
