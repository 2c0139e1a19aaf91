"""Names as people type them: tidied, compared, and refused only where nobody could read them."""

from __future__ import annotations

import unicodedata
from typing import Final

CHILD_NAME: Final = 30
ADULT_NAME: Final = 60
CLASS_NAME: Final = 60

_JOINERS: Final = "\u200c\u200d"  # inside names of some scripts
_NEVER: Final = "@\ufffd"  # an e-mail address; a letter that did not survive the copying


def tidy(text: str) -> str:
    """The name without spaces around it and with single spaces inside."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def same_as(name: str) -> str:
    """Two names are the same to a reader when this is equal."""
    return unicodedata.normalize("NFKC", name).casefold()


def trouble(name: str, longest: int, digits: bool = False) -> str | None:
    """Why this tidied name cannot stand: `empty`, `long`, `odd`; None when it can.

    `digits`: a name may do without letters ("Class 3" may be just "3").

    Deliberately mild: a child's real name must never be called wrong.

    >>> trouble("Zoë-Lou", 30), trouble("mia@home", 30), trouble("", 30)
    (None, 'odd', 'empty')
    """
    if not name:
        return "empty"
    if len(name) > longest:
        return "long"
    enough = str.isalnum if digits else str.isalpha
    if not any(map(enough, name)) or any(map(_unreadable, name)):
        return "odd"
    return None


def _unreadable(sign: str) -> bool:
    hidden = unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn") and sign not in _JOINERS
    return hidden or sign in _NEVER
