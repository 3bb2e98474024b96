"""A catalog that tells a receiver about each letter; where it is, the environment says."""

from __future__ import annotations

import os
from typing import Annotated

from pydantic import Field

from fourfold import Catalog, Create, Input, Output
from fourfold.adapters.webhook import WebhookSender
from fourfold.ports.outbox import Outbox

catalog = Catalog("hook", version="1")
catalog.sender("webhook")(WebhookSender(url=os.environ.get("HOOK_URL", "http://127.0.0.1:9/")))


class LetterPost(Input):
    """A letter."""

    to: Annotated[str, Field(max_length=40)]


class LetterPosted(Output):
    """That it goes out."""

    to: Annotated[str, Field(max_length=40)]


@catalog.tool(
    name="letter_post",
    version="1.0",
    does="Posts a letter",
    use_when="the user wants to write to somebody",
    not_for="anything else",
    effect=Create(),
)
def letter_post(request: LetterPost, outbox: Outbox) -> LetterPosted:
    """Tell the receiver after the commit."""
    outbox.send("webhook", {"to": request.to})
    return LetterPosted(to=request.to)
