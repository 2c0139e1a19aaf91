"""How to say that someone wants nothing worked out about a child: who, why and since when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from classroom.services.table.restrictions import Held
from classroom.web.words import filters
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

CHOICES: Final[Mapping[str, Mapping[str, str]]] = {  # the reasons that each side chooses from
    "family": {
        "object": N_("I object to it."),
        "wrong": N_("I think it is wrong. Please look into it."),
    },
    "school": {
        "asked": N_("The family asked for it."),
        "wrong": N_("We are looking into whether it is right."),
        "unneeded": N_("We do not need it for this child."),
    },
}
_WHY: Final[Mapping[tuple[str, str], str]] = {
    ("family", "object"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the family objects to it."
    ),
    ("family", "wrong"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the family thinks it is wrong."
    ),
    ("school", "asked"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the family asked the school for "
        "it."
    ),
    ("school", "wrong"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the school is looking into "
        "whether it is right."
    ),
    ("school", "unneeded"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the school does not need it."
    ),
}
_ANY: Final = N_("Nothing has been worked out about %(name)s since %(day)s.")


def sentences(held: Iterable[Held], name: str) -> tuple[str, ...]:
    """One sentence for each side that wants nothing to be worked out about the child."""
    return tuple(
        _(_WHY.get((one.whose, one.reason), _ANY), name=name, day=_day(one)) for one in held
    )


def _day(one: Held) -> str:
    return filters.date_of(one.since)
