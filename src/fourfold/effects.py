"""What a write is made of that is planned first, reaches another system, or sends something after its commit.

```python
async def refund(request: RefundRequest, upstream: Keyed, *, gateway: Gateway) -> Receipt:
    return await gateway.refund(request, key=upstream.key("refund"))
```
"""

from __future__ import annotations

from fourfold.model.message import Delivery
from fourfold.model.plan import Approval, Impact, PlanTerms
from fourfold.model.upstream import CannotTell, DidNotHappen, Happened, Reconciled
from fourfold.ports.outbox import Outbox, Sender
from fourfold.ports.upstream import Blind, Keyed, Probe, RequestBudget

__all__ = [
    "Approval",
    "Blind",
    "CannotTell",
    "Delivery",
    "DidNotHappen",
    "Happened",
    "Impact",
    "Keyed",
    "Outbox",
    "PlanTerms",
    "Probe",
    "Reconciled",
    "RequestBudget",
    "Sender",
]
