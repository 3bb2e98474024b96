"""Customer accounts: how they are found, and the terms that quotes are priced under."""

from __future__ import annotations

import unicodedata
from typing import Annotated
from uuid import UUID

from pydantic import Field

from billing.catalog import catalog
from billing.money import Currency
from billing.pricing import Terms
from fourfold import Caller, Fault, Input, Output, Page, PageRequest, Read, Retry, Unit

__all__ = ["AccountSearch", "AccountSummary", "Accounts", "UnknownAccount", "account_find", "containing", "folded"]

# Part of a name but the whole of a reference: "ACC-1" would otherwise be a list of customers.
_FIND = r"""
SELECT account_id, account_reference, name FROM account
WHERE tenant = :tenant AND (account_reference = :reference OR name_folded LIKE :part ESCAPE '\')
  AND account_reference > :after
ORDER BY account_reference LIMIT :limit
"""

_TERMS = """
SELECT a.credit_limit_minor, a.floor_bps, a.hard_floor_bps, (
  SELECT COALESCE(SUM(CASE WHEN i.credited_minor < i.amount_minor THEN i.amount_minor - i.credited_minor ELSE 0 END), 0)
  FROM invoice AS i
  WHERE i.tenant = a.tenant AND i.account_id = a.account_id AND i.currency = :currency AND i.state = 'final'
    AND i.paid_on IS NULL
) AS unpaid_minor
FROM account AS a WHERE a.tenant = :tenant AND a.account_id = :account_id
"""


class UnknownAccount(Fault):
    """No account with that id is visible to you."""

    code, retry = "unknown_account", Retry.NEVER
    next_step = "Ask the user which account they mean, and look it up with account_find"


class AccountSearch(Input):
    """What to look for."""

    query: Annotated[
        str, Field(min_length=2, max_length=80, description="Part of the name, or a whole reference such as ACC-1001.")
    ]


class AccountSummary(Output):
    """An account as it is found."""

    account_id: UUID
    account_reference: Annotated[str, Field(pattern=r"^ACC-\d{4}$")]
    name: Annotated[str, Field(max_length=120)]


def folded(text: str) -> str:
    """`text` without case and accents, so that "cafe muller" finds "Café Müller"."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def containing(text: str) -> str:
    """A LIKE pattern for folded texts that contain `text` as it is, wildcards included."""
    plain = folded(text).replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"%{plain}%"


class Accounts:
    """The accounts of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller) -> None:
        self._unit = unit
        self._tenant = caller.tenant

    def find(self, text: str, page: PageRequest) -> list[AccountSummary]:
        """One page of matches and one more if there are any, by reference."""
        parameters = {
            "tenant": self._tenant,
            "reference": text.strip().upper(),
            "part": containing(text.strip()),
            "after": page.after[0] if page.after else "",
            "limit": page.limit + 1,
        }
        rows = self._unit.rows(_FIND, parameters)
        return [
            AccountSummary(
                account_id=UUID(row["account_id"]), account_reference=row["account_reference"], name=row["name"]
            )
            for row in rows
        ]

    def terms(self, account_id: UUID, currency: Currency) -> Terms | None:
        """What was agreed with the account and what it owes in `currency`; `None` if the tenant has no such account."""
        parameters = {"tenant": self._tenant, "account_id": str(account_id), "currency": currency}
        row = self._unit.row(_TERMS, parameters)
        return Terms(**row) if row is not None else None


catalog.provide(Accounts)


@catalog.tool(
    name="account_find",
    version="1.0",
    does="Find customer accounts by name or reference",
    use_when="the user names a customer and you need its account_id",
    not_for="what a customer was billed (invoice_list)",
    effect=Read(),
    needs={"accounts:read"},
    toolsets={"quotes", "invoices"},
    page_limit=20,
    returns="Returns account_id, account_reference and name, at most 20 a page",
    says="accounts on this page: {returned}",
)
def account_find(request: AccountSearch, *, accounts: Accounts, page: PageRequest) -> Page[AccountSummary]:
    """The accounts that match, by reference. None is an empty page, not a fault."""
    found = accounts.find(request.query, page)
    return Page[AccountSummary].of(found, page, position=lambda account: (account.account_reference,))
