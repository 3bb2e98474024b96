"""Customers: who invoices are made out to, by the reference that users know. Terms and quotes belong to accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import Field, model_validator

from billing.accounts import containing, folded
from billing.catalog import catalog
from billing.series import Series
from billing.tax import Zone
from fourfold import Caller, Create, Fault, Input, Output, Page, PageRequest, Read, Retry, Row, Subject, Unit, reject

__all__ = [
    "Billed",
    "Customer",
    "CustomerExists",
    "CustomerReference",
    "CustomerRequest",
    "CustomerSearch",
    "Customers",
    "MailAddress",
    "UnknownCustomer",
    "customer_create",
    "customer_find",
]

CustomerReference = Annotated[str, Field(pattern=r"^C-\d{6,9}$", examples=["C-000123"])]

MailAddress = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,180}$", examples=["invoices@example.com"])
]
"""A mail address of the usual kind. It has no space and no line break, so that it is one recipient in one header."""

_Name = Annotated[str, Field(min_length=1, max_length=120)]
_TaxNumber = Annotated[str, Field(pattern=r"^[A-Z0-9]{4,20}$", examples=["ESB12345674"])]

_INSERT = """
INSERT INTO customer (tenant, customer_reference, name, name_folded, tax_number, client_location, email)
VALUES (:tenant, :customer_reference, :name, :name_folded, :tax_number, :client_location, :email)
"""

_ONE = """
SELECT customer_reference, name, client_location, email, account_id FROM customer
WHERE tenant = :tenant AND customer_reference = :reference
"""

_FIND = r"""
SELECT customer_reference, name, client_location FROM customer
WHERE tenant = :tenant AND (customer_reference = :exact OR tax_number = :exact OR name_folded LIKE :part ESCAPE '\')
  AND customer_reference > :after
ORDER BY customer_reference LIMIT :limit
"""


class UnknownCustomer(Fault):
    """No customer with that reference is visible to you."""

    code, retry = "unknown_customer", Retry.NEVER
    next_step = "Look the customer up with customer_find; if it is new, ask the user and use customer_create"


class CustomerExists(Fault):
    """A customer with that tax number is in the books."""

    code, retry = "customer_exists", Retry.NEVER
    next_step = "Use the customer that exists, and ask the user if the name differs"


class CustomerRequest(Input):
    """Somebody to invoice."""

    name: _Name
    client_location: Annotated[Zone, Field(description="Where it is established; peninsula includes the Balearics.")]
    tax_number: Annotated[
        _TaxNumber | None, Field(description="Without spaces or dashes. Needed unless client_location is world.")
    ] = None
    email: Annotated[MailAddress | None, Field(description="Where invoices are sent.")] = None

    @model_validator(mode="after")
    def _has_its_tax_number(self) -> Self:
        # In the EU what is charged depends on it (tax.py), and a Spanish invoice has to show it.
        if self.tax_number is None and self.client_location != "world":
            raise reject("tax_number", "a tax number, or client_location world", code="missing_argument")
        return self


class CustomerSearch(Input):
    """Whom to look for."""

    query: Annotated[
        str, Field(min_length=2, max_length=120, description="Part of the name, a whole reference or a tax number.")
    ]


class Customer(Output):
    """A customer as it is found."""

    customer_reference: Annotated[CustomerReference, Subject()]
    name: _Name
    client_location: Zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Billed:
    """What an invoice takes from its customer. `account_id` is the account whose credit it uses up, if it has one."""

    customer_reference: str
    name: str
    client_location: Zone
    email: str | None
    account_id: str | None


class Customers:
    """The customers of the caller's tenant."""

    def __init__(self, unit: Unit, caller: Caller, *, series: Series) -> None:
        self._unit = unit
        self._tenant = caller.tenant
        self._series = series

    def add(self, request: CustomerRequest) -> str:
        """Save a customer under the tenant's next number, and return its reference."""
        reference = f"C-{self._series.take('customer'):06}"
        row = {
            "tenant": self._tenant,
            "customer_reference": reference,
            "name": request.name,
            "name_folded": folded(request.name),
            "tax_number": request.tax_number,
            "client_location": request.client_location,
            "email": request.email,
        }
        self._unit.execute(_INSERT, row)
        return reference

    def get(self, reference: str) -> Billed:
        """The customer with that reference.

        Raises:
            UnknownCustomer: the tenant has none; the message names the reference.
        """
        row = self._unit.row(_ONE, {"tenant": self._tenant, "reference": reference})
        if row is None:
            raise UnknownCustomer(
                f"No customer {reference} is visible to you",
                at="/customer_reference",
                expected="another reference",
            )
        return Billed(**row)

    def with_tax_number(self, tax_number: str) -> str | None:
        """The reference of the customer with that tax number, or `None`."""
        sql = "SELECT customer_reference FROM customer WHERE tenant = ? AND tax_number = ?"
        row = self._unit.row(sql, (self._tenant, tax_number))
        return row["customer_reference"] if row is not None else None

    def find(self, text: str, page: PageRequest) -> list[Customer]:
        """One page of matches and one more if there are any, by reference."""
        parameters = {
            "tenant": self._tenant,
            "exact": text.strip().upper(),
            "part": containing(text.strip()),
            "after": page.after[0] if page.after else "",
            "limit": page.limit + 1,
        }
        return [_found(row) for row in self._unit.rows(_FIND, parameters)]


def _found(row: Row) -> Customer:
    return Customer(
        customer_reference=row["customer_reference"], name=row["name"], client_location=row["client_location"]
    )


catalog.provide(Customers)


@catalog.tool(
    name="customer_find",
    version="1.0",
    does="Find who can be invoiced, by name, reference or tax number",
    use_when="you need a customer_reference",
    not_for="prices and credit (account_find) or new customers (customer_create)",
    effect=Read(),
    needs={"customers:read"},
    toolsets={"invoices"},
    page_limit=20,
    returns="Returns customer_reference, name and client_location, at most 20 a page",
    says="customers on this page: {returned}",
)
def customer_find(request: CustomerSearch, *, customers: Customers, page: PageRequest) -> Page[Customer]:
    """The customers that match, by reference. None is an empty page, not a fault."""
    found = customers.find(request.query, page)
    return Page[Customer].of(found, page, position=lambda customer: (customer.customer_reference,))


@catalog.tool(
    name="customer_create",
    version="1.0",
    does="Register somebody who can be invoiced",
    use_when="the user names a new customer and where it is established",
    not_for="customers that exist (customer_find); it agrees no prices or credit",
    effect=Create(),
    faults=[CustomerExists],
    needs={"customers:write"},
    toolsets={"invoices"},
    inputs="client_location decides the tax",
    returns="Returns customer_reference for invoice_create",
    says="customer {customer_reference} created: {name}",
)
def customer_create(request: CustomerRequest, customers: Customers) -> Customer:
    """Save the customer. One tax number is one customer."""
    existing = customers.with_tax_number(request.tax_number) if request.tax_number else None
    if existing is not None:
        raise CustomerExists(f"The customer with that tax number is {existing}")
    reference = customers.add(request)
    return Customer(customer_reference=reference, name=request.name, client_location=request.client_location)
