"""The test kit: call tools as a server would, in memory, with a fixed clock, and count what was written.

```python
answer = call(catalog, "quote_create", {"account_id": ACCOUNT, "currency": "EUR", "lines": []})
assert answer.paths == ["lines"]
assert answer.writes == 0
```

`open_kit` keeps the store for several calls: repeats, pages, two tenants. `assert_result` and `assert_fault` say, where
they fail, what was expected and what was answered instead.
"""

from __future__ import annotations

from fourfold.testing.answer import Answer
from fourfold.testing.clock import FixedClock
from fourfold.testing.expecting import assert_fault, assert_result
from fourfold.testing.kit import Kit, call, caller, open_kit, two_tenants
from fourfold.testing.store import StrayWrite

__all__ = [
    "Answer",
    "FixedClock",
    "Kit",
    "StrayWrite",
    "assert_fault",
    "assert_result",
    "call",
    "caller",
    "open_kit",
    "two_tenants",
]
