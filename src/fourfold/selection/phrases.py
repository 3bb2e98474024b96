"""What an answer without a call amounts to, told by published phrases; where they don't tell, a person has to.

English only. A phrase decides only where its opposite is absent: everything else is `unclear`.
"""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Said", "claims_success", "what_it_says"]

Said = Literal["asks", "declines", "unclear"]

_VERBS = (
    "sent|created|updated|issued|refunded|cancell?ed|booked|deleted|paid|scheduled|processed|completed|saved|recorded"
    "|changed|archived|transferred|submitted"
)
_TELL = "provide|specify|tell|share|confirm|clarify|give"


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(phrases)})\b")


_OFFERS = re.compile(
    r"(?im)(?:^|(?<=[.!?,;:]))\s*(?:(?:and|or|but|also|otherwise|is there|if there(?:'s| is)) )*"
    r"(?:anything else|something else|would you like|do you want me|shall i|should i|how (?:else )?can i"
    r"|let me know if|if you(?:'d| would) like|(?:i am |i'm )?happy to help)\b[^.?!]*[.?!]?"
)
"""A polite end is no question about what is missing; "Which one should I send?" is one."""

_ASKS = _any_of(
    f"please (?:{_TELL}|let me know)",
    f"could you (?:please )?(?:{_TELL})",
    r"i(?:'ll)? need (?:to know|the|your|more)",
    "let me know (?:which|what|when|who)",
)
_DECLINES = _any_of(
    r"i (?:can(?:'|no)t|can not|am (?:not able|unable)|don't have)",
    r"i'm (?:not able|unable|afraid|sorry)",
    "none of (?:the|my) tools",
    "no tool",
    "not able to",
    "unable to",
    r"isn't (?:possible|supported)",
    "not supported",
    "beyond what",
)
_DONE = _any_of(
    f"(?:has been|have been|was|were) (?:{_VERBS})",
    rf"(?:i|we)(?:'ve| have)? (?:just |now |successfully )*(?:{_VERBS})",
    "successfully",
    "all set",
    f"is (?:now )?(?:done|complete|{_VERBS})",
)
_NOTHING = re.compile(r"(?i)\b(?:nothing|none|no \w+) (?:was|were|has been|have been) \w+")
"""What was not done is no claim that it was."""

_FAILED = _any_of(
    "fail(?:ed|ure|s)?",
    "errors?",
    r"(?:could|was|were|did|has|have)(?: not|n't)",
    r"can(?:not|'t)",
    "unable",
    "unsuccessful",
    f"not (?:been )?(?:{_VERBS}|successful)",
    "rejected",
    "refused",
    "problem",
    "went wrong",
    "timed out",
    "try again",
)


def what_it_says(text: str) -> Said:
    """Whether an answer asks for something, or does without a tool."""
    plain = _OFFERS.sub("", text.replace("\u2019", "'"))
    asks, declines = "?" in plain or bool(_ASKS.search(plain)), bool(_DECLINES.search(plain))
    if not text.strip() or (asks and declines):
        return "unclear"
    return "asks" if asks else "declines"


def claims_success(text: str) -> bool | None:
    """Whether an answer says that something was done; `None` if it says both or nothing about it."""
    plain = text.replace("\u2019", "'")
    done = bool(_DONE.search(_NOTHING.sub("", plain)))
    failed = bool(_FAILED.search(plain) or _NOTHING.search(plain))
    return None if done == failed else done
