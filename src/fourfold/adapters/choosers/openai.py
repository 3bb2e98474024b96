"""Models behind OpenAI Chat Completions: OpenAI's own, and every server that copies the format."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from urllib.parse import urlsplit

from fourfold.adapters.choosers.http import HttpChooser, ProviderTerms, opened
from fourfold.adapters.choosers.key import ApiKey
from fourfold.model.chosen import OfferedTool, Sampling
from fourfold.model.contract import JsonObject
from fourfold.selection.wire.openai_chat import OPENAI_CHAT

__all__ = ["OPENAI_URL", "openai_chooser"]

OPENAI_URL = "https://api.openai.com/v1"


def openai_chooser(terms: ProviderTerms, key: ApiKey) -> AbstractAsyncContextManager[HttpChooser]:
    """A chooser that asks `terms.model` at `terms.base_url`; without a key it sends none, as local servers want it."""
    is_original = urlsplit(terms.base_url).hostname == urlsplit(OPENAI_URL).hostname
    wire = replace(OPENAI_CHAT, write=_original) if is_original else OPENAI_CHAT
    headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
    return opened(wire, terms, key=key, headers=headers)


def _original(
    messages: Sequence[JsonObject], tools: Sequence[OfferedTool], *, model: str, sampling: Sampling
) -> JsonObject:
    """OpenAI's newer models refuse the old name of the bound, which the servers that copy it know alone."""
    body = {**OPENAI_CHAT.write(messages, tools, model=model, sampling=sampling)}
    bound = body.pop("max_tokens")
    return {**body, "max_completion_tokens": bound}
