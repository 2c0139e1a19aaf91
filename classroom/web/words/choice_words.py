"""One sentence for each level that decides how a child plays: who chose what, for whom, when."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from classroom.games.decks import DECKS
from classroom.minds.playing.player_levels import LEVELS, LIKE_ME
from classroom.services.base import clock
from classroom.services.table.choices import Told
from classroom.web.words import filters
from classroom.web.words.language import N_, ngettext
from classroom.web.words.language import gettext as _

BOARDS: Final = {  # short forms of the choices, as they stand within a sentence
    "open": N_("all asks to look up"),
    "peek": N_("a peek at the asks"),
    "fading": N_("the last three asks in view"),
    "off": N_("no asks to look up"),
}
KINDS: Final = {
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


def _friends(number: int, _child: str) -> str:
    words = filters.in_words(number)
    return ngettext("%(n)s friend", "%(n)s friends", number, n=words)


def _level(key: str, child: str) -> str:
    return _("“like %(name)s”", name=child) if key == LIKE_ME else _(LEVELS[key].name)


_WORDS: Final[Mapping[str, Callable[[Any, str], str]]] = {
    "opponents": _friends,
    "level": _level,
    "deck": lambda key, _child: _(KINDS[DECKS[key].key]),
    "board": lambda key, _child: _(BOARDS[key]),
    "hints": lambda on, _child: _("hints") if on else _("no hints"),
    "pace": lambda key, _child: _(PACES[key]),
    "voice": lambda on, _child: _("the voice on") if on else _("the voice off"),
}


def sentences(told: Sequence[Told], name: str, room: str) -> tuple[str, ...]:
    """One sentence for each level, for the child of this name in the class of this name."""
    return tuple(_sentence(one, name, room) for one in told)


def questions(told: Told, name: str, room: str) -> str:
    """Say who chose the questions in play (how often they come, and what about), and when."""
    if told.whose == "child":
        return _("%(who)s chose the questions for %(name)s%(day)s.", **_facts(told, name))
    if told.whose in ("class", "group"):
        return _(
            "%(who)s chose the questions for %(name)s%(day)s.", **_facts(told, _place(told, room))
        )
    return _("The questions are the school’s usual ones.")


def _sentence(told: Told, name: str, room: str) -> str:
    what = _and([_WORDS[thing](value, name) for thing, value in told.made.items()])
    if told.whose == "family":
        return _("The family chose %(what)s.", what=what)
    if told.whose in (None, "school"):
        return _("The school’s usual: %(what)s.", what=what)
    return ngettext(
        "%(who)s chose %(what)s for %(name)s%(day)s; it applies in lessons.",
        "%(who)s chose %(what)s for %(name)s%(day)s; they apply in lessons.",
        len(told.made),
        what=what,
        **_facts(told, name if told.whose == "child" else _place(told, room)),
    )


def _place(told: Told, room: str) -> str:
    """The group or the class that the choice is for."""
    return _("the group “%(name)s”", name=told.name) if told.whose == "group" else room


def _facts(told: Told, name: str) -> dict[str, str]:
    day = "" if told.at is None else " " + _on(clock.day(told.at))
    return {"who": told.who or _("A teacher"), "name": name, "day": day}


def _on(day: int) -> str:
    return _("on %(day)s", day=filters.short_date(day))


def _and(words: Sequence[str]) -> str:
    """A list in words: `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return _("%(some)s and %(last)s", some=", ".join(words[:-1]), last=words[-1])
