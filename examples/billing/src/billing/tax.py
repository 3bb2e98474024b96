"""Which tax an invoice bears, by where the customer is and what is supplied. A table; it computes nothing.

It holds for a seller established in the Spanish peninsula or the Balearic Islands who invoices a business, that is,
somebody who acts as an entrepreneur or professional. It covers:

- IVA in the peninsula: Ley 37/1992 arts. 90 and 91 (21, 10 and 4 %), 20 (exempt), 84.Uno.2.º (reverse charge).
- Goods that leave: art. 25 to another member state, art. 21 to elsewhere. The Canary Islands, Ceuta and Melilla lie
  outside the territory of IVA (art. 3.Dos), so that goods sent there are exported.
- Services to businesses elsewhere: not subject to IVA (art. 69.Uno.1.º). The customer accounts for the tax of its
  place: VAT in the EU (Directive 2006/112/EC art. 196), IGIC in the Canary Islands (Ley 20/1991 art. 19.1.2.º a). Only
  the first has the code of a reverse charge of VAT, AE; the others have O, which allows no VAT numbers (BR-O-02).
- IGIC, where the seller supplies from an establishment that it has in the Canary Islands (`origin="canarias"`) to a
  customer there: Ley 20/1991 art. 17; rates by Decreto Legislativo 1/2025 of the Canary Islands, before by Ley 4/2012.

It does not cover, and a person has to decide about: consumers; services with a place of their own (art. 70: land,
transport, events, meals); zero rates of IVA and rates that were lowered for a time; IGIC at other rates than 7, 3 and
0 %; IPSI, whose rates the two cities set: it is charged by sellers established there, and no row gives it; special
regimes (equivalence surcharge, cash accounting, travel agencies, used goods, small businesses in the Canary Islands);
other exemptions than those of art. 20; customers in the EU without a valid VAT number, to whom goods bear IVA.
An invoice must not mix what is not subject with anything else (BR-O-11): services and goods to the same customer
outside the EU are two invoices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Literal

from billing.arithmetic import Category, Vat

__all__ = ["Operation", "Origin", "Rate", "Treatment", "Zone", "may_withhold", "treatment_of"]

Zone = Literal["peninsula", "canarias", "ceuta_melilla", "eu", "world"]
"""Where the customer is established. `peninsula` includes the Balearic Islands; `eu` is the rest of the EU."""

Operation = Literal["service", "goods"]
"""What is supplied. Goods are sent to where the customer is."""

Origin = Literal["peninsula", "canarias"]
"""From which establishment of the seller it is supplied."""

Rate = Literal["general", "reduced", "super_reduced", "zero", "exempt", "reverse_charge"]
"""How the law of the seller's place treats what is supplied. It makes no difference elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """How something is taxed.

    Attributes:
        vat: category and rate for the arithmetic.
        law: the articles that say so.
        mention: what the invoice has to say in place of a tax (RD 1619/2012 art. 6.1 j and m; BR-E-10 and its like), in
            Spanish, or `None`.
    """

    vat: Vat
    law: str
    mention: str | None


_Row = tuple[Category, str | None, str, str | None]
"""Category, percent, law and mention."""

_IGIC = "Ley 20/1991; Decreto Legislativo 1/2025 (Canarias)"
_NO_IVA = "No sujeta a IVA, art. 69.Uno.1.º Ley 37/1992"

_EXPORTED: _Row = (Category.EXPORT, "0", "Ley 37/1992 arts. 3.Dos and 21", "Exenta de IVA, art. 21 Ley 37/1992")
_NOT_SUBJECT: _Row = (Category.NOT_SUBJECT, None, "Ley 37/1992 arts. 3.Dos and 69.Uno.1.º", _NO_IVA)

_WITHIN: Mapping[tuple[Origin, Rate], _Row] = MappingProxyType(
    {
        ("peninsula", "general"): (Category.STANDARD, "21", "Ley 37/1992 art. 90", None),
        ("peninsula", "reduced"): (Category.STANDARD, "10", "Ley 37/1992 art. 91.Uno", None),
        ("peninsula", "super_reduced"): (Category.STANDARD, "4", "Ley 37/1992 art. 91.Dos", None),
        ("peninsula", "exempt"): (
            Category.EXEMPT,
            "0",
            "Ley 37/1992 art. 20",
            "Exenta de IVA, art. 20 Ley 37/1992",
        ),
        ("peninsula", "reverse_charge"): (
            Category.REVERSE_CHARGE,
            "0",
            "Ley 37/1992 art. 84.Uno.2.º",
            "Inversión del sujeto pasivo, art. 84.Uno.2.º Ley 37/1992",
        ),
        ("canarias", "general"): (Category.IGIC, "7", _IGIC, None),
        ("canarias", "reduced"): (Category.IGIC, "3", _IGIC, None),
        ("canarias", "zero"): (Category.IGIC, "0", _IGIC, None),
        ("canarias", "exempt"): (
            Category.EXEMPT,
            "0",
            _IGIC,
            "Exenta de IGIC, Decreto Legislativo 1/2025 de Canarias",
        ),
    }
)

_ACROSS: Mapping[tuple[Zone, Operation], _Row] = MappingProxyType(
    {
        ("canarias", "service"): (
            Category.NOT_SUBJECT,
            None,
            "Ley 37/1992 arts. 3.Dos and 69.Uno.1.º; Ley 20/1991 art. 19.1.2.º a)",
            f"{_NO_IVA}. Inversión del sujeto pasivo de IGIC, art. 19.1.2.º a) Ley 20/1991",
        ),
        ("canarias", "goods"): _EXPORTED,
        ("ceuta_melilla", "service"): _NOT_SUBJECT,
        ("ceuta_melilla", "goods"): _EXPORTED,
        ("eu", "service"): (
            Category.REVERSE_CHARGE,
            "0",
            "Ley 37/1992 art. 69.Uno.1.º; Directive 2006/112/EC art. 196",
            f"{_NO_IVA}. Inversión del sujeto pasivo, art. 196 Directiva 2006/112/CE",
        ),
        ("eu", "goods"): (
            Category.INTRA_COMMUNITY,
            "0",
            "Ley 37/1992 art. 25",
            "Exenta de IVA, art. 25 Ley 37/1992",
        ),
        ("world", "service"): _NOT_SUBJECT,
        ("world", "goods"): _EXPORTED,
    }
)


def treatment_of(
    zone: Zone, operation: Operation, *, rate: Rate = "general", origin: Origin = "peninsula"
) -> Treatment:
    """How the supply is taxed.

    Args:
        zone: where the customer is.
        operation: what is supplied. Where both are in the same place it makes no difference.
        rate: how the seller's place treats it.
        origin: from where the seller supplies it.

    Raises:
        ValueError: for a rate that the place doesn't know, and for supplies out of the Canary Islands.
    """
    category, percent, law, mention = _row(zone, operation, rate=rate, origin=origin)
    vat = Vat(category=category, percent=None if percent is None else Decimal(percent))
    return Treatment(vat=vat, law=law, mention=mention)


def may_withhold(zone: Zone, operation: Operation) -> bool:
    """Whether the customer may have to withhold income tax (IRPF) from the seller.

    It does when it is a business in Spain and the seller a professional who is a natural person: Ley 35/2006 art. 99,
    RD 439/2007 arts. 75, 76 and 95 (15 %, or 7 % in the first years). Not covered: farming and the like, where
    goods are withheld on too, and customers abroad that have a branch in Spain.
    """
    return operation == "service" and zone in {"peninsula", "canarias", "ceuta_melilla"}


def _row(zone: Zone, operation: Operation, *, rate: Rate, origin: Origin) -> _Row:
    if zone == origin:
        return _within(origin, rate)
    if origin != "peninsula":
        raise ValueError("origin: must be peninsula unless the customer is in the same zone")
    return _ACROSS[zone, operation]


def _within(origin: Origin, rate: Rate) -> _Row:
    if (origin, rate) not in _WITHIN:
        known = ", ".join(name for place, name in _WITHIN if place == origin)
        raise ValueError(f"rate: must be one of {known} in {origin}")
    return _WITHIN[origin, rate]
