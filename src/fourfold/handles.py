"""What a tool that gives out handles, or takes them back, is made of.

```python
def export_fetch(request: Fetch, handles: Handles, exports: Exports) -> Fetched:
    return exports.rows(handles.redeem(request.handle, "export_fetch").resource)
```
"""

from __future__ import annotations

from fourfold.contracts.markers import HandleText
from fourfold.model.fault import HandleInvalid
from fourfold.model.handle import Handle
from fourfold.ports.handles import Handles

__all__ = ["Handle", "HandleInvalid", "HandleText", "Handles"]
