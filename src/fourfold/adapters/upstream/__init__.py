"""Requests to other systems over HTTP, as requirement C4 asks for them. Needs the extra `fourfold[upstream]`.

| what comes back | what happens |
|---|---|
| nothing in time, a broken connection | sent again with the same key; without one, only if it cannot have arrived |
| 408, 409, 425, 429, 500, 502, 503, 504 | sent again with the same key, not before `Retry-After` |
| anything else, a refusal among it | returned: what it means is the caller's to say |
| a body over `response_bytes` | `upstream_unavailable`, not sent again: nobody has read whether it happened |

```python
async with httpx2.AsyncClient(base_url=url) as http:
    upstream = HttpUpstream(http, UpstreamTerms(name="payment-gateway"), requests=requests, clock=clock)
    answer = await upstream.send("POST", "/v1/refunds", body=order, key=keyed.key("refund"))
```

`requests` is the `RequestBudget` of the call; a handler, or a factory of the catalog, takes it by its type.
"""

from __future__ import annotations

from fourfold.adapters.upstream.client import HttpUpstream, UpstreamTerms
from fourfold.adapters.upstream.retry_after import retry_after_s

__all__ = ["HttpUpstream", "UpstreamTerms", "retry_after_s"]
