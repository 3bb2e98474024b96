"""What a tool with a typed sandbox is made of, beside `fourfold.Sandbox`.

```python
def ledger_query(request: LedgerQuery, query: SandboxedQuery) -> QueryResult:
    return QueryResult.of(query.run(request.sql))
```
"""

from __future__ import annotations

from fourfold.contracts.query_result import QueryColumn, QueryResult
from fourfold.model.sandbox import Column, QueryRefused, QueryTooCostly, Table
from fourfold.ports.sandbox import SandboxedQuery

__all__ = ["Column", "QueryColumn", "QueryRefused", "QueryResult", "QueryTooCostly", "SandboxedQuery", "Table"]
