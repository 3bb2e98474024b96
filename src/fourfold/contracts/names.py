"""What a name means: identity, authority, secrets, consent, money, queries.

The tables are data. They match whole words of a name, whatever its spelling (`tenantId`, `tenant-id`, `TENANT_ID`).
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["alike", "is_currency", "is_money", "is_price", "is_query", "meaning", "words"]

_CAMEL = re.compile(r"([a-z0-9])([A-Z])")
_SPLIT = re.compile(r"[^A-Za-z0-9]+")

_MEANINGS: dict[str, tuple[str, ...]] = {
    "identity": (
        "principal", "principal id", "tenant", "tenant id", "user", "user id", "userid", "username", "user name",
        "org id", "organization id", "organisation id", "actor", "actor id", "acting user", "on behalf of",
        "caller", "caller id", "subject id", "impersonate", "run as", "session id", "owner id", "workspace id",
    ),
    "authority": (
        "role", "roles", "is admin", "admin", "is superuser", "superuser", "is owner", "permission", "permissions",
        "scope", "scopes", "privileges", "policy decision", "access level", "bypass", "skip checks", "skip validation",
        "skip auth", "override", "price override", "sudo", "elevated", "as admin", "write mode", "allow write",
    ),
    "secret": (
        "password", "passwd", "passphrase", "secret", "client secret", "credential", "credentials", "api key", "apikey",
        "access key", "private key", "token", "access token", "auth token", "bearer token", "refresh token", "id token",
        "api token", "session token", "authorization", "cookie", "cookies", "pin code", "cvv", "otp",
    ),
    "consent": (
        "confirm", "confirmed", "confirmation", "approve", "approved", "approval", "is approved", "user approved",
        "consent", "user confirmed", "i am sure", "are you sure", "yes really", "acknowledged", "force",
    ),
}  # fmt: skip
_MONEY = frozenset({"amount", "price", "total", "subtotal", "fee", "cost", "balance", "budget", "charge", "payment",
                    "refund", "discount", "salary", "revenue", "vat", "net", "gross", "minor", "payable"})  # fmt: skip
_NOT_MONEY = frozenset({"count", "rate", "percent", "bps", "ratio", "id", "reference", "number", "items", "pages",
                        "method", "type", "status", "date", "at", "currency", "by", "days", "weight"})  # fmt: skip
_QUERY = frozenset({"sql", "shell", "command", "cmd", "bash", "script", "statement", "powershell"})


def words(name: str) -> tuple[str, ...]:
    """The words of `name` in lower case: `unitPrice_minor` is `("unit", "price", "minor")`."""
    spaced = _CAMEL.sub(r"\1 \2", name)
    return tuple(word.lower() for word in _SPLIT.split(spaced) if word)


def meaning(name: str) -> str | None:
    """`identity`, `authority`, `secret` or `consent` if the model must not set such a value, else `None`.

    The name matches in full, or by its last words: `new_owner_user_id` ends in `user id`.
    """
    parts = words(name)
    joined = " ".join(parts)
    for kind, phrases in _MEANINGS.items():
        if any(joined == phrase or (" " in phrase and joined.endswith(" " + phrase)) for phrase in phrases):
            return kind
    return None


def is_money(name: str) -> bool:
    """Whether `name` stands for an amount of money; `total` alone may be a count."""
    parts = words(name)
    return parts != ("total",) and bool(_MONEY & set(parts)) and not (_NOT_MONEY & set(parts))


def is_price(name: str) -> bool:
    """Whether `name` stands for a price, which a model may offer but not set."""
    return "price" in words(name) and is_money(name)


def is_currency(name: str) -> bool:
    """Whether `name` stands for a currency."""
    return bool(words(name)) and words(name)[-1] == "currency"


def is_query(name: str) -> bool:
    """Whether `name` stands for code that something else would run."""
    return bool(_QUERY & set(words(name)))


_FOLDS = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "8": "b", "_": None, "-": None, ".": None})


def alike(name: str) -> str:
    """A form that is equal for names which people or models take for each other (`get_lnvoice`, `get_invoice`)."""
    plain = unicodedata.normalize("NFKC", name).lower()
    return plain.translate(_FOLDS).replace("rn", "m").replace("vv", "w")
