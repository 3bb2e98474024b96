"""For people who write agent loops: a caller that repeats what may be repeated, and stops at the rest.

```python
rules = Rules(allow=("quote_*",), lock=lock, consent={"create": ask_the_user})
async with connect("https://billing.example/mcp", token=token) as session:
    caller = ToolCaller(session, rules, correct=ask_the_model)
    outcome = await caller.call("quote_create", arguments)
```

Works on any MCP server. Each name is loaded when it is first used. `fourfold.agent.pydantic_ai` and
`fourfold.agent.openai_agents` make a caller's tools into those of these packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fourfold.agent.caller import ToolCaller as ToolCaller
    from fourfold.agent.hooks import Correction as Correction
    from fourfold.agent.hooks import Intent as Intent
    from fourfold.agent.listing import OfferedTool as OfferedTool
    from fourfold.agent.outcome import Done as Done
    from fourfold.agent.outcome import Invalid as Invalid
    from fourfold.agent.outcome import Refused as Refused
    from fourfold.agent.outcome import Rejected as Rejected
    from fourfold.agent.outcome import Stopped as Stopped
    from fourfold.agent.outcome import ToolOutcome as ToolOutcome
    from fourfold.agent.outcome import Unknown as Unknown
    from fourfold.agent.patience import Patience as Patience
    from fourfold.agent.rules import Rules as Rules
    from fourfold.contracts.lock import read_lock as read_lock
    from fourfold.edge.target import connect as connect
    from fourfold.edge.target import over as over
    from fourfold.model.asking import InputResponse as InputResponse
    from fourfold.model.outcome import Question as Question

_HOME = {
    "agent.caller": ("ToolCaller",),
    "agent.hooks": ("Correction", "Intent"),
    "agent.listing": ("OfferedTool",),
    "agent.outcome": ("Done", "Invalid", "Refused", "Rejected", "Stopped", "ToolOutcome", "Unknown"),
    "agent.patience": ("Patience",),
    "agent.rules": ("Rules",),
    "contracts.lock": ("read_lock",),
    "edge.target": ("connect", "over"),
    "model.asking": ("InputResponse",),
    "model.outcome": ("Question",),
}
_MODULES = {name: f"fourfold.{home}" for home, names in _HOME.items() for name in names}

__all__ = [
    "Correction",
    "Done",
    "InputResponse",
    "Intent",
    "Invalid",
    "OfferedTool",
    "Patience",
    "Question",
    "Refused",
    "Rejected",
    "Rules",
    "Stopped",
    "ToolCaller",
    "ToolOutcome",
    "Unknown",
    "connect",
    "over",
    "read_lock",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module 'fourfold.agent' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
