"""What adults chose for a child, in sentences: how the child plays, and a stop to all analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from classroom.minds.playing.forgetting import LEVELS, LIKE_ME
from classroom.models import Restriction
from classroom.services.base import clock
from classroom.services.table.choices import Often, ToldChoice
from classroom.web.words import filters
from classroom.web.words.language import N_, gettext as _, ngettext

# ---- How a child plays, one sentence for each level of settings: who chose what, for whom, when

BOARDS: Final = {  # short forms of the choices, for use within a sentence
    "open": N_("all asks to look up"),
    "peek": N_("a peek at the asks"),
    "fading": N_("the last three asks in view"),
    "off": N_("nothing to look up"),
}
DECK_NAMES: Final = {
    "age": N_("a deck for the child’s age"),
    "five": N_("numbers to five"),
    "small": N_("few kinds of card"),
    "short": N_("a short round"),
    "full": N_("all the cards"),
}

PACES: Final = {
    "age": N_("a pace for the child’s age"),
    "calm": N_("a calm pace"),
    "usual": N_("the usual pace"),
    "quick": N_("a quick pace"),
}

SWITCHES: Final = {
    "off": N_("no switch"),
    "slow": N_("one switch with a light that moves slowly"),
    "usual": N_("one switch"),
    "quick": N_("one switch with a light that moves quickly"),
}


def _friends(number: int, _child: str) -> str:
    if not number:
        return _("as many friends as suit the child’s age")
    return ngettext("%(n)s friend", "%(n)s friends", number, n=filters.in_words(number))


def _level(key: str, child: str) -> str:
    return _("“like %(name)s”", name=child) if key == LIKE_ME else _(LEVELS[key].name)


_WORDS: Final[Mapping[str, Callable[[Any, str], str]]] = {
    "opponents": _friends,
    "level": _level,
    "deck": lambda key, _child: _(DECK_NAMES[key]),
    "board": lambda key, _child: _(BOARDS[key]),
    "hints": lambda on, _child: _("hints") if on else _("no hints"),
    "pace": lambda key, _child: _(PACES[key]),
    "voice": lambda on, _child: _("the voice on") if on else _("the voice off"),
    "lit": lambda on, _child: _("words that light up") if on else _("words that do not light up"),
    "switch": lambda key, _child: _(SWITCHES[key]),
}


def sentences(told: Sequence[ToldChoice], name: str, room: str) -> tuple[str, ...]:
    """One sentence for each level of settings, for the child and the class with these names."""
    return tuple(_sentence(one, name, room) for one in told)


def questions(told: ToldChoice, name: str, room: str) -> str:
    """Say who chose the questions in play (how often they come, and their subjects), and when."""
    if told.whose in ("child", "group", "class"):
        facts = _facts(told, name, room)
        return _("%(who)s chose the questions for %(name)s%(day)s.", **facts)
    return _("The questions are the school’s usual ones.")


def _sentence(told: ToldChoice, name: str, room: str) -> str:
    what = filters.together([_WORDS[thing](value, name) for thing, value in told.made.items()])
    if told.whose == "family":
        return _("The family chose %(what)s.", what=what)
    if told.whose in (None, "school"):
        return _("The school’s usual settings: %(what)s.", what=what)
    return ngettext(
        "%(who)s chose %(what)s for %(name)s%(day)s; this applies in lessons.",
        "%(who)s chose %(what)s for %(name)s%(day)s; these apply in lessons.",
        len(told.made),
        what=what,
        **_facts(told, name, room),
    )


def _facts(told: ToldChoice, name: str, room: str) -> dict[str, str]:
    """In words: the adult who chose, for which child, group or class, and on which day."""
    group = _("the group “%(name)s”", name=told.name)
    whom = {"child": name, "group": group}.get(str(told.whose), room)
    day = ""
    if told.at is not None:
        day = " " + _("on %(day)s", day=filters.short_date(clock.day(told.at)))
    return {"who": told.who or _("A teacher"), "name": whom, "day": day}


# ---- Sentences about a stop to all analysis of a child: who wants it, why, and since when

# The reasons that each side may give.
RESTRICTION_REASONS: Final[Mapping[str, Mapping[str, str]]] = {
    "family": {
        "object": N_("I object to the analysis."),
        "wrong": N_("I think the results are wrong. Please look into it."),
    },
    "school": {
        "asked": N_("The family asked us to stop."),
        "wrong": N_("We are checking whether the results are right."),
        "unneeded": N_("We do not need the analysis for this child."),
    },
}
_WHY: Final[Mapping[tuple[str, str], str]] = {
    ("family", "object"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the family objects to "
        "the analysis."
    ),
    ("family", "wrong"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the family thinks the "
        "results are wrong."
    ),
    ("school", "asked"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the family asked the school to "
        "stop."
    ),
    ("school", "wrong"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the school is checking "
        "whether the results are right."
    ),
    ("school", "unneeded"): N_(
        "Nothing has been worked out about %(name)s since %(day)s: the school does not "
        "need the analysis."
    ),
}
_ANY: Final = N_("Nothing has been worked out about %(name)s since %(day)s.")


def restriction_sentences(restrictions: Iterable[Restriction], name: str) -> tuple[str, ...]:
    """One sentence for each restriction: whether family or school stopped the analysis, and why."""
    return tuple(
        _(_WHY.get((one.whose, one.reason), _ANY), name=name, day=filters.date_of(one.since))
        for one in restrictions
    )


# ---- How often the voice asks how a child knew: names and sentences for adults

OFTEN_NAMES: Final[Mapping[Often, tuple[str, str]]] = {
    "never": (N_("Never"), N_("The voice does not ask.")),
    "now": (N_("Now and then"), N_("After about one in four of the child’s catches and books.")),
    "often": (N_("Often"), N_("After about half of the child’s catches and books.")),
}
