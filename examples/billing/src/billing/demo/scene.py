"""What the steps of the story share: who calls, who writes it down, and what earlier steps found out."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field

from billing.demo.desk import Desk, Reply
from billing.demo.server import Server, fourfold
from billing.demo.telling import Telling, expect, in_short

__all__ = ["Scene", "output_of"]


@dataclass(slots=True, kw_only=True)
class Scene:
    """The stage that each step is told on."""

    desk: Desk
    telling: Telling
    server: Server
    calls: int = 0
    order: dict[str, object] = field(default_factory=dict[str, object])
    quote: Reply | None = None
    plan: Mapping[str, object] = field(default_factory=dict[str, object])

    async def call(self, tool: str, arguments: Mapping[str, object], *, who: str = "acme's clerk") -> Reply:
        """Call a tool and tell both sides of it."""
        self.calls += 1
        self.telling.sent(f"{who}: {tool} {in_short(arguments)}")
        reply = await self.desk.call(tool, arguments, who=who)
        self.telling.came(reply.text)
        return reply


def output_of(command: tuple[str, ...], *, given: str = "") -> str:
    """What a `fourfold` command prints; `given` is what it reads."""
    done = subprocess.run(fourfold(*command), capture_output=True, text=True, check=False, input=given)  # noqa: S603
    expect(done.returncode == 0, f"fourfold {' '.join(command)} succeeds; it wrote: {done.stderr}")
    return done.stdout.rstrip()
