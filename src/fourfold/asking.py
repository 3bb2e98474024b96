"""What a tool that asks a person is made of.

```python
def ask_for_fewer(request: Order, stock: Stock) -> Ask[Fewer] | None:
    left = stock.left(request.sku)
    return Ask(Fewer, f"Only {left} are left.") if request.pieces > left else None
```
"""

from __future__ import annotations

from fourfold.contracts.base import Form
from fourfold.contracts.forms import Ask, Visit

__all__ = ["Ask", "Form", "Visit"]
