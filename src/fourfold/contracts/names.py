"""What a name means: identity, authority, secrets, consent, money, queries.

The tables are data. They match whole words of a name, whatever its spelling (`tenantId`, `tenant-id`, `TENANT_ID`,
`ten4nt_1d`).

- A phrase of several words matches the end of a name (`new_owner_user_id`); the words of `_SECRET_ENDS` do so alone
  (`db_password`), a token unless it continues a list (`page_token`). A single word matches only alone: `user_agent`,
  `role_name`, `token_count` and `account_id` mean something else.
- Plain words stay in the tables where a model that sets them would decide about itself: `role`, `scope`, `owner_id`,
  `username`, `force`, `statement`. A tool that administers users, or a statement that is a bank's, needs them: waive
  the rule for that field, with the reason.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["alike", "is_currency", "is_money", "is_price", "is_query", "meaning", "words"]

_CAMEL = re.compile(r"([a-z0-9])([A-Z])")
_SPLIT = re.compile(r"[^A-Za-z0-9]+")

_MEANINGS: dict[str, tuple[str, ...]] = {
    "identity": (
        "principal", "principal id", "tenant", "tenant id", "tenant key", "tenant slug", "tenant uuid", "user",
        "user id", "user uuid", "userid", "username", "user name", "org id", "organization id", "organisation id",
        "actor", "actor id", "acting user", "acting as", "on behalf of", "caller", "caller id", "subject id",
        "impersonate", "run as", "session id", "owner id", "workspace id", "approved by", "approver", "approver id",
    ),
    "authority": (
        "role", "roles", "is admin", "admin", "is superuser", "superuser", "is owner", "permission", "permissions",
        "scope", "scopes", "privileges", "policy decision", "access level", "bypass", "skip checks", "skip validation",
        "skip auth", "override", "price override", "sudo", "elevated", "as admin", "write mode", "allow write",
    ),
    "secret": (
        "passwords", "secrets", "client secret", "api key", "apikey", "access key", "private key", "secret key",
        "signing key", "authorization", "cookie", "cookies", "pin code", "cvv", "otp",
    ),
    "consent": (
        "confirm", "confirmed", "confirmation", "approve", "approved", "approval", "is approved", "user approved",
        "consent", "user confirmed", "i am sure", "are you sure", "yes really", "acknowledged", "force",
    ),
}  # fmt: skip
_SECRET_ENDS = frozenset({"password", "passwd", "passphrase", "secret", "credential", "credentials", "token"})
_CONTINUES = frozenset({"page", "next", "continuation", "pagination", "sync", "resume", "delta", "cancel"})
"""What a token may be that is no secret: a place in a list, or the name of something running."""

_ASKS = frozenset({"is", "has", "needs"})
"""Words that begin a name of a question: `has_password` is not the password."""

_MONEY = frozenset({"amount", "price", "total", "subtotal", "fee", "cost", "balance", "budget", "charge", "payment",
                    "refund", "discount", "salary", "revenue", "vat", "net", "gross", "minor", "payable"})  # fmt: skip
_NOT_MONEY = frozenset({"count", "rate", "percent", "bps", "ratio", "id", "reference", "number", "items", "pages",
                        "method", "type", "status", "date", "at", "currency", "by", "days", "weight", "version",
                        "code", "year", "month", "level", "units"})  # fmt: skip
_QUERY = frozenset({"sql", "bash", "powershell"})
_QUERY_ENDS = frozenset({"shell", "command", "cmd", "script", "statement"})


def words(name: str) -> tuple[str, ...]:
    """The words of `name` in lower case: `unitPrice_minor` is `("unit", "price", "minor")`."""
    spaced = _CAMEL.sub(r"\1 \2", name)
    return tuple(word.lower() for word in _SPLIT.split(spaced) if word)


def meaning(name: str) -> str | None:
    """`identity`, `authority`, `secret` or `consent` if the model must not set such a value, else `None`."""
    parts = words(name)
    if not parts:
        return None
    if _is_secret(parts):
        return "secret"
    joined = " ".join(parts)
    for kind, phrases in _MEANINGS.items():
        if any(_matches(joined, phrase) for phrase in phrases):
            return kind
    return _LOOK_ALIKES.get(alike(name))


def _is_secret(parts: tuple[str, ...]) -> bool:
    continues = parts[-1] == "token" and bool(_CONTINUES & set(parts))
    return parts[-1] in _SECRET_ENDS and parts[0] not in _ASKS and not continues


def _matches(joined: str, phrase: str) -> bool:
    several = " " in phrase and (joined.endswith(" " + phrase) or joined.removesuffix("s").endswith(" " + phrase))
    return joined == phrase or several or (" " in phrase and joined.removesuffix("s") == phrase)


def is_money(name: str) -> bool:
    """Whether `name` stands for an amount of money; `total` alone may be a count."""
    parts = words(name)
    return parts != ("total",) and bool(_MONEY & set(parts)) and not (_NOT_MONEY & set(parts))


def is_price(name: str) -> bool:
    """Whether `name` stands for a price, which a model may offer but not set."""
    return "price" in words(name) and is_money(name)


def is_currency(name: str) -> bool:
    """Whether `name` stands for a currency."""
    parts = words(name)
    return parts[-1:] == ("currency",) or parts[-2:] == ("currency", "code")


def is_query(name: str) -> bool:
    """Whether `name` stands for code that something else would run."""
    parts = words(name)
    return bool(_QUERY & set(parts)) or bool(_QUERY_ENDS & set(parts[-1:]))


_FOLDS = str.maketrans(
    {"0": "o", "1": "l", "i": "l", "3": "e", "4": "a", "5": "s", "8": "b", "_": None, "-": None, ".": None}
)


def alike(name: str) -> str:
    """A form that is equal for names which people or models take for each other (`get_lnvoice`, `get_invoice`)."""
    plain = unicodedata.normalize("NFKC", name).lower()
    return plain.translate(_FOLDS).replace("rn", "m").replace("vv", "w")


_LOOK_ALIKES = {
    alike(phrase.replace(" ", "_")): kind
    for kind, phrases in (*_MEANINGS.items(), ("secret", tuple(_SECRET_ENDS)))
    for phrase in phrases
    if len(phrase) > 3
}
