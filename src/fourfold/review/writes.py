"""What a write takes to be safe: a key, a version, a plan; and which writes need which.

The tables are data. A phrase matches the end of an argument's name, in any spelling and at any depth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from fourfold.contracts.names import is_money, words
from fourfold.review.verbs import WEAK, verb_of
from fourfold.review.view import CatalogView, ToolView

__all__ = [
    "READS",
    "WRITES",
    "adds",
    "destroys",
    "edits_by_difference",
    "has_plan_beside",
    "hides_fields",
    "moves_money",
    "reaches_people",
    "repeats_safely",
    "replaces",
    "subject",
    "sure_verb",
    "takes_key",
    "takes_plan",
    "takes_version",
]

_Phrases = frozenset[tuple[str, ...]]


def _phrases(text: str) -> _Phrases:
    return frozenset(tuple(phrase.split()) for phrase in text.split(","))


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEYS = _phrases(
    "idempotency key,idempotency token,idempotency id,idempotence key,idempotencykey,request id,request token,"
    "client token,client id token,client request token,client order id,client reference,client mutation id,"
    "dedupe key,dedup key,dedupe id,deduplication id,deduplication key,nonce,operation key,transaction key,"
    "unique request id,external id,external reference"
)
_VERSIONS = _phrases(
    "version,etag,if match,revision,rev,sha,expected hash,config hash,content hash,resource version,last commit id,"
    "if unmodified since,lock version,generation,updated at,last modified,hash,old text,old string,old content,"
    "old str,needle,find text,version number,fingerprint,checksum,revision id,commit id"
)
_PLANS = _phrases(
    "plan id,plan token,preview id,preview token,approval id,approval token,confirmation token,confirmation id,digest,"
    "change set id,draft id,confirm cost id"
)
_REHEARSALS = _phrases("dry run,dryrun,validate only,simulate,preview,preview only,what if,check only")

_ADDS = _names(
    """
    create add insert append send post submit pay charge transfer refund reply comment book issue grant place register
    copy duplicate clone invite schedule buy order purchase withdraw
    """
)
_NAMED = _names(
    """
    branch tag tags label labels queue topic bucket table index database schema directory namespace repository
    variable sheet user account watcher watchers reaction permission permissions member members role group project
    association associations link links relation relations column workbook worksheet rule policy key style file
    document collection property milestone wiki release watchlist entities tracking
    """
)
"""Things with a name of their own, which the second request would be refused for."""

_NATURAL = _phrases(
    "path,file path,filepath,filename,file name,directory,branch,slug,key,sku,doi,uuid,destination,target path,"
    "source path,range,cell,position,index,anchor,workbook,emoji,name or path"
)
_MONEY_VERBS = _names("pay charge refund withdraw purchase buy payout")
_MONEY_NOUNS = _names("payment payments refund payout charge withdrawal purchase transfer")
READS = _names("get list search find read fetch show describe query lookup retrieve")
"""Verbs that nobody uses for a write."""

WRITES = _names("replace create update delete set add manage feedback upload write")
"""Words beside such a verb that make it no read."""

_REPLACES = _names("update edit patch modify change overwrite rewrite")
_DESTROYS = _names("delete drop destroy purge wipe truncate erase remove revoke terminate uninstall expunge del kill")
_MEMBERSHIP = _names("permission permissions member members watcher role label labels tag tags reaction emoji")
_PEOPLE = _names("send pay charge refund transfer invite publish tweet buy purchase withdraw")
_POSTED = _names("message tweet comment status story")
_PLANNING = _names("plan preview draft propose prepare simulate estimate quote validate check")
_SAYS_SAFE = re.compile(
    r"\bidempoten|\bupsert|\bif (?:it|one|they) (?:does|do)(?: not|n't) (?:already )?exist|overwrit", re.IGNORECASE
)
_FILLERS = _names("a an the to of by for from in on with and or id new all api mcp")


def takes_key(tool: ToolView) -> bool:
    """Whether an argument tells a repeat from a second request."""
    return _takes(tool, _KEYS)


def takes_version(tool: ToolView) -> bool:
    """Whether an argument says which state of a resource the caller has seen."""
    return _takes(tool, _VERSIONS)


def takes_plan(tool: ToolView) -> bool:
    """Whether it executes a plan or an approval that was made before, or can rehearse."""
    return _takes(tool, _PLANS | _REHEARSALS)


def sure_verb(tool: ToolView) -> str | None:
    """The verb of its name, unless that may be a noun or be said of a read as well."""
    verb = verb_of(tool.name)
    return None if verb in WEAK else verb


def adds(tool: ToolView) -> str | None:
    """The verb of a tool that adds something each time it runs; `None` for other tools."""
    verb = verb_of(tool.name)
    if tool.action == "read":
        return None
    # issue_refund and slack_post_message have verbs that are nouns elsewhere; a purchase-analyzer has none.
    if verb is None or verb in WEAK:
        return next((word for word in tool.words[: 1 if verb is None else 2] if word in _ADDS), None)
    is_membership = verb == "add" and "to" in tool.words
    return verb if verb in _ADDS and not is_membership and not _or_replaces(tool) else None


def _or_replaces(tool: ToolView) -> bool:
    """Whether its name joins a change to its verb, as `create_or_update_file`."""
    return any(word in ("or", "and") and after in _REPLACES for word, after in pairwise(tool.words))


def repeats_safely(tool: ToolView) -> bool:
    """Whether something about it makes a repeat harmless: what it adds has a name, or its description says so."""
    is_named = bool(_NAMED & set(tool.words)) or _takes(tool, _NATURAL)
    return is_named or _SAYS_SAFE.search(tool.description) is not None


def hides_fields(tool: ToolView) -> bool:
    """Whether it wants a list of entries whose fields the schema doesn't name, such as a key or a version."""
    required = (place for place in tool.arguments if place.required and "array" in place.types)
    return any(place.resolved.get("items") == {} for place in required)


def moves_money(tool: ToolView) -> bool:
    """Whether it is named as what moves money, and takes an amount or is named after a payment."""
    names = set(tool.words)
    if not tool.is_known_write or tool.named_action == "destroy" or sure_verb(tool) in _REPLACES:
        return False
    if tool.words and tool.words[0] in _MONEY_VERBS:
        return True
    # A payment that is created takes its amount along; one that is listed is a read.
    is_paid = any(is_money(place.name) for place in tool.arguments)
    return bool(names & (_MONEY_NOUNS | _MONEY_VERBS)) and (adds(tool) is not None or is_paid)


def destroys(tool: ToolView) -> str | None:
    """The verb of a tool that makes something go away for good; `None` for one that ends a membership."""
    verb = verb_of(tool.name)
    if tool.action != "destroy" or verb not in _DESTROYS:
        return None
    # What is dropped at the end of a name is dropped with the mouse.
    is_dragged = verb == "drop" and tool.words[-1] == "drop"
    ends_membership = verb in ("remove", "revoke") and ("from" in tool.words or bool(_MEMBERSHIP & set(tool.words)))
    return None if is_dragged or ends_membership else verb


def replaces(tool: ToolView) -> bool:
    """Whether it changes what is already there."""
    return sure_verb(tool) in _REPLACES and tool.action != "read"


def edits_by_difference(tool: ToolView) -> bool:
    """Whether it takes what to add and what to remove, so that two such changes don't overwrite each other."""
    return any(words(place.name)[:1] == ("remove",) for place in tool.arguments if len(place.parents) == 1)


def reaches_people(tool: ToolView) -> str | None:
    """The verb of a tool whose effect has left the house once it ran: a mail, a payment."""
    verb = verb_of(tool.name)
    if tool.action == "read" or verb not in _PEOPLE | {"post"}:
        return None
    return verb if verb != "post" or _POSTED & set(tool.words) else None


def subject(tool: ToolView) -> frozenset[str]:
    """The words of its name that say what it is about, in the singular."""
    return _subject(tool.name)


@lru_cache(maxsize=1024)
def _subject(name: str) -> frozenset[str]:
    verb = verb_of(name)
    return frozenset(word.removesuffix("s") for word in words(name) if word != verb and word not in _FILLERS)


def has_plan_beside(tool: ToolView, catalog: CatalogView) -> bool:
    """Whether another tool of the catalog plans or previews what this one does."""
    about = subject(tool)
    return any(
        _PLANNING & set(other.words) and (subject(other) - _PLANNING) & about
        for other in catalog.tools
        if other is not tool
    )


def _takes(tool: ToolView, phrases: Iterable[tuple[str, ...]]) -> bool:
    known = phrases if isinstance(phrases, frozenset) else frozenset(phrases)
    return any(_ends(words(place.name), known) for place in tool.arguments)


def _ends(parts: tuple[str, ...], phrases: frozenset[tuple[str, ...]]) -> bool:
    return any(parts[-length:] in phrases for length in (1, 2, 3, 4) if len(parts) >= length)
