"""No float comes in, goes out or is made on the way, and the thread's decimal context does not matter."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from decimal import (
    ROUND_DOWN,
    Context,
    Decimal,
    FloatOperation,
    Inexact,
    InvalidOperation,
    Overflow,
    Rounded,
    Subnormal,
    localcontext,
)
from types import ModuleType
from typing import cast

import pytest
from billing.arithmetic import (
    DECIMAL_PLACES,
    Adjustment,
    Category,
    Invoice,
    Line,
    Vat,
    currency,
    entry,
    exact,
    from_minor,
    invoice,
    recompute,
    to_minor,
    totals,
)

from billing import arithmetic, tax
from tests.billing.golden import en16931, peppol

_MODULES = (arithmetic, currency, entry, exact, invoice, tax)
_HOSTILE = Context(
    prec=3,
    rounding=ROUND_DOWN,
    Emin=-3,
    Emax=3,
    traps=[FloatOperation, Inexact, InvalidOperation, Overflow, Rounded, Subnormal],
)
_S21 = Vat(category=Category.STANDARD, percent=Decimal(21))


def _floats_in(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=float() | complex()):
                yield node.lineno
            case ast.Name(id="float" | "complex" | "round" | "math" | "sum"):
                yield node.lineno
            case ast.BinOp(op=ast.Div(), lineno=line) | ast.AugAssign(op=ast.Div(), lineno=line):
                yield line
            case _:
                pass


@pytest.mark.parametrize("module", _MODULES, ids=lambda module: module.__name__)
def test_no_source_makes_a_float_or_divides_with_a_slash(module: ModuleType) -> None:
    """A15, A1: no float literal, no `float` or `round`, no `/`, and no `sum`, which would use the ambient context."""
    assert list(_floats_in(ast.parse(inspect.getsource(module)))) == []


@pytest.mark.parametrize(
    "source", ["a = 0.1", "a = 1 / 3", "a /= 3", "a = float(b)", "a = round(b, 2)", "import math\na = math.floor(b)"]
)
def test_the_search_for_floats_finds_them(source: str) -> None:
    """A15: a search that finds nothing anywhere proves nothing."""
    assert list(_floats_in(ast.parse(source))) != []


def _parts(value: object) -> Iterator[object]:
    yield value
    match value:
        case dict():
            yield from (part for each in cast("dict[str, object]", value).values() for part in _parts(each))
        case list():
            yield from (part for each in cast("list[object]", value) for part in _parts(each))
        case _:
            pass


def test_every_part_of_a_result_is_text_or_absent() -> None:
    """A15, A1: nothing that a JSON writer would make a float of."""
    for published in (*en16931.INVOICES, *peppol.INVOICES):
        kinds = {type(part) for part in _parts(recompute(published.given))}
        assert kinds <= {dict, list, str, type(None)}


def test_a_hostile_ambient_context_changes_nothing() -> None:
    """A15: three digits, rounding down, and a trap for every inexact, rounded or mixed operation."""
    invoices = (*en16931.INVOICES, *peppol.INVOICES)
    calm = [recompute(each.given) for each in invoices]

    with localcontext(_HOSTILE):
        assert [recompute(each.given) for each in invoices] == calm


def test_a_hostile_ambient_context_changes_no_withholding_and_no_conversion() -> None:
    """A15: 123456.78 at 21 %, less 15 %, to minor units and back."""
    with localcontext(_HOSTILE):
        line = Line(quantity=Decimal(1), net_price=Decimal("123456.78"), vat=_S21)
        result = totals(Invoice(lines=(line,), withholding_percent=Decimal(15)))
        minor = to_minor(result.payable, "EUR")

        assert (str(result.withheld), minor, str(from_minor(minor, "EUR"))) == ("18518.52", 13086418, "130864.18")


def test_the_ambient_context_is_left_as_it_was() -> None:
    """A15: neither its settings nor its flags."""
    with localcontext() as context:
        context.clear_flags()
        before = str(context)
        recompute(en16931.INVOICES[0].given)

        assert str(context) == before


def test_a_quotient_just_below_the_middle_of_two_cents_is_not_lifted_over_it() -> None:
    """A15: 0.00499... with 160 nines; cut to fewer digits half-up it were 0.005, and then 0.01."""
    assert str(exact.quotient(Decimal(5 * 10**160 - 1), Decimal(10**163))) == "0.00"
    assert str(exact.quotient(Decimal(5 * 10**160), Decimal(10**163))) == "0.01"


def test_what_does_not_fit_is_an_error_and_never_rounded() -> None:
    """A15: a product, a sum or a quotient of more than a hundred digits; exactly a hundred are fine."""
    large = Decimal(10**99 + 1)

    assert exact.product(large, Decimal(1)) == large
    assert str(exact.quotient(Decimal(10**97 + 1), Decimal(1))) == f"1{'0' * 96}1.00"
    assert str(exact.quotient(Decimal(10**100 + 1), Decimal(1000))) == f"1{'0' * 97}.00"
    with pytest.raises(Inexact):
        exact.product(large, Decimal(11))
    with pytest.raises(Inexact):
        exact.total([large, Decimal("0.01")])
    with pytest.raises(InvalidOperation):
        exact.quotient(Decimal(10**98), Decimal(1))


@pytest.mark.parametrize(("dividend", "divisor"), [("1", "0"), ("0", "0"), ("1E+999999", "1E-9")])
def test_a_quotient_without_a_value_is_an_error(dividend: str, divisor: str) -> None:
    """A15: no infinity and no NaN goes on into a total."""
    with pytest.raises(InvalidOperation):
        exact.quotient(Decimal(dividend), Decimal(divisor))


def test_the_largest_figures_of_an_entry_are_computed_to_the_cent() -> None:
    """A15: n = 10^15 - 10^-10 of them at n for each 10^-10: n^2 is 10^30 - 2 x 10^5 + 10^-20, times 10^10.

    The last term is then under a cent. The tax at 99.9999999999 % is the net less 10^-12 of it, which is 10^28 - 2000.
    """
    largest = "999999999999999.9999999999"
    line: dict[str, object] = {
        "quantity": largest,
        "net_price": largest,
        "price_base_quantity": "0.0000000001",
        "allowances_charges": [],
        "vat_category": "S",
        "vat_percent": "99.9999999999",
    }
    result = recompute(
        {"currency": "EUR", "lines": [line], "document_allowances_charges": [], "prepaid": None, "rounding": None}
    )

    assert result["line_nets"] == ["9999999999999999999999998000000000000000.00"]
    assert result["vat_total"] == "9999999999989999999999998000000000002000.00"


@pytest.mark.parametrize("wrong", [1.5, 1, "1", True, Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity")])
def test_only_finite_decimals_are_figures(wrong: object) -> None:
    """A15, A1: a float is refused where it comes in, by name, and so is all that is no figure."""
    one = Decimal(1)
    value: Decimal = wrong  # pyright: ignore[reportAssignmentType]  # refusing it is what is tested

    with pytest.raises(ValueError, match=r"^quantity: must be a finite Decimal$"):
        Line(quantity=value, net_price=one, vat=_S21)
    with pytest.raises(ValueError, match=r"^net_price: must be a finite Decimal$"):
        Line(quantity=one, net_price=value, vat=_S21)
    with pytest.raises(ValueError, match=r"^price_base_quantity: must be a finite Decimal$"):
        Line(quantity=one, net_price=one, base_quantity=value, vat=_S21)
    with pytest.raises(ValueError, match=r"^vat_percent: must be a finite Decimal$"):
        Vat(category=Category.STANDARD, percent=value)
    with pytest.raises(ValueError, match=r"^amount: must be a finite Decimal$"):
        Adjustment(charge=True, amount=value)
    with pytest.raises(ValueError, match=r"^amount: must be a finite Decimal$"):
        to_minor(value, "EUR")


@pytest.mark.parametrize("wrong", [1.5, "1", Decimal("NaN")])
def test_only_finite_decimals_are_what_was_paid_or_withheld(wrong: object) -> None:
    """A15, A1: by name."""
    lines = (Line(quantity=Decimal(1), net_price=Decimal(1), vat=_S21),)
    value: Decimal = wrong  # pyright: ignore[reportAssignmentType]  # refusing it is what is tested

    with pytest.raises(ValueError, match=r"^prepaid: must be a finite Decimal$"):
        Invoice(lines=lines, prepaid=value)
    with pytest.raises(ValueError, match=r"^rounding: must be a finite Decimal$"):
        Invoice(lines=lines, rounding=value)
    with pytest.raises(ValueError, match=r"^withholding_percent: must be a finite Decimal$"):
        Invoice(lines=lines, withholding_percent=value)


@pytest.mark.parametrize("code", ["EUR", "USD", "GBP", "DKK", "SEK", "NOK", "CNY"])
def test_every_currency_of_the_server_has_two_places(code: str) -> None:
    """A1: ISO 4217."""
    assert (DECIMAL_PLACES[code], to_minor(Decimal("12.5"), code), str(from_minor(1250, code))) == (2, 1250, "12.50")


def test_the_table_has_no_other_currency() -> None:
    """C1: yen have no minor unit, so the arithmetic would be wrong for them."""
    assert len(DECIMAL_PLACES) == 7
    with pytest.raises(ValueError, match=r"^currency: must be one of EUR, USD, GBP, DKK, SEK, NOK, CNY$"):
        to_minor(Decimal(1), "JPY")
    with pytest.raises(ValueError, match=r"^currency: must be one of EUR, USD, GBP, DKK, SEK, NOK, CNY$"):
        from_minor(1, "eur")


@pytest.mark.parametrize(
    ("amount", "minor"),
    [
        ("0", 0),
        ("-0.00", 0),
        ("-0.01", -1),
        ("1.230", 123),
        ("1E+2", 10_000),
        ("90071992547409.91", 2**53 - 1),
        ("-90071992547409.91", 1 - 2**53),
    ],
)
def test_amounts_become_minor_units_exactly(amount: str, minor: int) -> None:
    """A1: up to what JSON carries exactly."""
    assert to_minor(Decimal(amount), "EUR") == minor
    assert from_minor(minor, "EUR") == Decimal(amount)


def test_a_part_of_a_minor_unit_is_refused() -> None:
    """A1: nothing is rounded on the way out."""
    for amount in ("0.001", "-0.001", "12.505"):
        with pytest.raises(ValueError, match=r"^amount: has a part of a minor unit of EUR$"):
            to_minor(Decimal(amount), "EUR")


def test_more_than_json_carries_exactly_is_refused() -> None:
    """A1: 2^53 - 1, in both directions and with both signs."""
    for sign in (1, -1):
        with pytest.raises(ValueError, match=r"^amount: must be within 2\^53 - 1 minor units$"):
            to_minor(sign * Decimal("90071992547409.92"), "EUR")
        with pytest.raises(ValueError, match=r"^amount: must be within 2\^53 - 1 minor units$"):
            from_minor(sign * 2**53, "EUR")


@pytest.mark.parametrize("wrong", [12.0, True, "12", Decimal(12)])
def test_minor_units_are_integers(wrong: object) -> None:
    """A1: no float, no flag, no text."""
    value: int = wrong  # pyright: ignore[reportAssignmentType]  # refusing it is what is tested

    with pytest.raises(ValueError, match=r"^minor: must be an integer$"):
        from_minor(value, "EUR")
