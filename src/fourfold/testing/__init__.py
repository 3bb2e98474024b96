"""The test kit: call tools as a server would, in memory, with a fixed clock, and count what was written.

```python
with open_kit(catalog) as kit:
    answer = kit.call("quote_create", {"account_id": ACCOUNT, "currency": "EUR", "lines": []})
    assert answer.paths == ["lines"]
    assert kit.writes == 0
```
"""

from __future__ import annotations

from fourfold.testing.clock import FixedClock
from fourfold.testing.kit import Answer, Kit, caller, open_kit

__all__ = ["Answer", "FixedClock", "Kit", "caller", "open_kit"]
