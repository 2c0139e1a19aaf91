"""Text for adults: numbers, times, days, the names of games, a child's settings.

`register` makes the functions template filters, so that templates need no arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from babel import dates
from jinja2 import Environment

from classroom.games import GAMES
from classroom.games.variants import DECKS
from classroom.learning.estimates import Share
from classroom.minds.playing.forgetting import LEVELS, LIKE_ME
from classroom.services.base import clock
from classroom.services.lesson.live_class import Kid
from classroom.services.school.family_links import NextRound
from classroom.services.table.offers import Offer
from classroom.services.table.rounds import ViewedTable
from classroom.web.words.language import N_, gettext as _, language, ngettext

_EPOCH: Final = date(1970, 1, 1)
# The ways in which a school can write dates, as patterns of the Unicode locale data.
FORMS: Final[dict[str, dict[str, str]]] = {
    "day_first": {
        "short": "d MMM", "in_year": "EEE d MMM", "with_year": "EEE d MMM y", "full": "d MMMM y",
    },
    "month_first": {
        "short": "MMM d", "in_year": "EEE, MMM d", "with_year": "EEE, MMM d, y",
        "full": "MMMM d, y",
    },
    "year_first": {
        "short": "MM-dd", "in_year": "EEE y-MM-dd", "with_year": "EEE y-MM-dd", "full": "y-MM-dd",
    },
}  # fmt: skip
_SPANISH: Final = FORMS["day_first"] | {"full": "d 'de' MMMM 'de' y"}  # unless the year is first
_HALVES: Final = {"es": ("a.\u00a0m.", "p.\u00a0m.")}
_SMALL: Final = (
    N_("no"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"),
    N_("eight"), N_("nine"), N_("ten"), N_("eleven"), N_("twelve"), N_("thirteen"),
)  # fmt: skip
GAME_NAMES: Final = {key: game.name for key, game in GAMES.items()}
EARLIER_GAME: Final = N_("Earlier game")

# How many of the earlier asks a child can look up.
BOARDS: Final[dict[str, str]] = {
    "open": N_(
        "Recent asks stay in view, and the board of all asks can be opened. So we cannot "
        "tell what the child remembers."
    ),
    "peek": N_("The board of all asks can be opened for five seconds at a time."),
    "fading": N_("The last three asks stay in view, so we cannot tell what the child remembers."),
    "off": N_("Earlier asks must be remembered."),
}

TOLD_AT: Final[dict[str, str]] = {
    "calm": N_("The game announces each step slowly and calmly."),
    "usual": N_("The game announces each step at the usual pace."),
    "quick": N_("The game announces each step quickly."),
}


def settings(chosen: NextRound) -> tuple[str, ...]:
    """The settings of a child's next round, one sentence each."""
    deck, limit = DECKS[chosen.deck], chosen.minutes_a_day
    lasts = _(
        "%(deck)s; a round of Go Fish lasts about %(minutes)s minutes.",
        deck=_(deck.name),
        minutes=deck.minutes,
    )
    return (
        _strength(chosen.opponents, chosen.level),
        lasts,
        _(BOARDS[chosen.board]),
        _("Hints are on.") if chosen.hints else _("Hints are off."),
        _(TOLD_AT[chosen.pace]),
        _("The voice is on.") if chosen.voice else _("The voice is off until the ear is tapped."),
        *([_("The game is played with one switch.")] if chosen.switch != "off" else []),
        *([_("At most %(minutes)s minutes a day.", minutes=limit)] if limit else []),
    )


def _strength(friends: int, key: str) -> str:
    """How many computer friends play, and how well."""
    number = first_upper(in_words(friends))
    if key == LIKE_ME:
        return ngettext(
            "%(friends)s computer friend playing about as well as the child, adjusted after each "
            "round.",
            "%(friends)s computer friends playing about as well as the child, adjusted after each "
            "round.",
            friends,
            friends=number,
        )
    level = LEVELS[key]
    who = ngettext(
        "%(friends)s computer friend at %(level)s level.",
        "%(friends)s computer friends at %(level)s level.",
        friends,
        friends=number,
        level=_(level.name),
    )
    does = _lower(_(level.sentence))
    return who + " " + _("A %(level)s %(does)s", level=_lower(_(level.name)), does=does)


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def in_words(n: int) -> str:
    """A number up to thirteen as a word, a larger one in digits."""
    return _(_SMALL[n]) if 0 <= n < len(_SMALL) else str(n)


def together(names: Sequence[str]) -> str:
    """Join names or other words: "Mia", "Mia and Ben", "Mia, Ben and Ada"."""
    *first, last = names or ("",)
    return _("%(some)s and %(last)s", some=", ".join(first), last=last) if first else last


def on_day(day: int) -> str:
    """A day in words: `today`, `yesterday`, `Tue` within a week, else `Tue 3 Nov`, with the year if
    it is not this year. Dates are written as the school writes them."""
    now = clock.day()
    if now - 1 <= day <= now:
        return _("today") if day == now else _("yesterday")
    if now - 7 < day < now:
        return weekday(day)
    this_year = (_EPOCH + timedelta(days=day)).year == (_EPOCH + timedelta(days=now)).year
    return _date(day, "in_year" if this_year else "with_year")


def weekday(day: int) -> str:
    """The abbreviated weekday of a date: `Tue`."""
    return _date(day, "weekday")


def full_day(day: int) -> str:
    """A day as a full date: `31 July 2027`."""
    return _date(day, "full")


def month_names() -> tuple[str, ...]:
    """The twelve months in words."""
    names = dates.get_month_names("wide", context="stand-alone", locale=language())
    return tuple(names[month] for month in range(1, 13))


def short_date(day: int) -> str:
    """A day as a short label: `3 Nov`."""
    return _date(day, "short")


def _date(day: int, form: str) -> str:
    forms = FORMS[chosen := clock.here().dates]
    if language() == "es" and chosen != "year_first":
        forms = _SPANISH
    return _formatted(_EPOCH + timedelta(days=day), forms.get(form, "EEE"), language())


@lru_cache(maxsize=1024)
def _formatted(day: date, form: str, words: str) -> str:
    return dates.format_date(day, form, locale=words)


def at_time(at: float) -> str:
    """A moment as local time: `10:45`, or `10:45 AM` for schools that write dates month
    first."""
    local = clock.local(at)
    return clock_time(60 * local.hour + local.minute)


def clock_time(minutes: int) -> str:
    """A time of the day as the school writes it, from the minutes since midnight."""
    hour, minute = divmod(minutes, 60)
    if clock.here().dates != "month_first":
        return f"{hour:02}:{minute:02}"
    before_noon, after = _HALVES.get(language(), ("AM", "PM"))
    return f"{hour % 12 or 12}:{minute:02}\u00a0{before_noon if hour < 12 else after}"


def when(at: float) -> str:
    """A moment as day and time: `today 10:45`, `Tue 3 Nov 10:45`."""
    return f"{on_day(clock.day(at))} {at_time(at)}"


def date_of(at: float) -> str:
    """A moment as a full date: `3 November 2026`."""
    return full_day(clock.day(at))


def last_day(at: float) -> str:
    """The date of the day that ends at this moment, or else of the day that contains it."""
    return date_of(at - 1)


def likely(share: Share) -> str:
    """The likely range of a share: `likely 55–91%`, or `not enough yet`."""
    if share.low is None or share.high is None:
        return _("not enough yet")
    low, high = f"{100 * share.low:.0f}", f"{100 * share.high:.0f}"
    return _("likely %(low)s–%(high)s%%", low=low, high=high)


def game_names() -> dict[str, str]:
    """The names of the menu's games, by key, in the language of the page."""
    return {key: _(name) for key, name in GAME_NAMES.items()}


def game_title(offer: Offer) -> str:
    """The name of a game on the shelf; a class's own game keeps the name that it was given."""
    return offer.name if offer.own_id else _(offer.name)


def table_game(table: ViewedTable) -> str:
    """The name of the game at a table. A class's own game keeps its name while the game exists."""
    game = "low_tide" if table.observation.tide is not None else table.game
    return table.name or game_names().get(game, game)


def spaced(code: str) -> str:
    """A class code with its digits spaced out: `4 7 2 9 1 0`."""
    return " ".join(code)


def first_upper(text: str) -> str:
    """Upper-case the first letter and leave the rest alone."""
    return text[:1].upper() + text[1:]


def lasted(since: float | None) -> str:
    """The time since a moment, without a line break: `40 s`, `3 min`; `""` for None."""
    if since is None:
        return ""
    passed = max(0, int(clock.now() - since))
    return f"{passed}\u00a0s" if passed < 120 else f"{passed // 60}\u00a0min"


def all_lasted(kids: Iterable[Kid]) -> tuple[str, ...]:
    """How long these children have each been in their present state, in words."""
    return tuple(lasted(kid.since) for kid in kids)


FILTERS: Final = {
    "lasted": lasted,
    "all_lasted": all_lasted,
    "in_words": in_words,
    "game_name": lambda key: _(GAME_NAMES.get(key, EARLIER_GAME)),
    "game_title": game_title,
    "spelled": lambda text: _(text),
    "on_day": on_day,
    "at_time": at_time,
    "clock_time": clock_time,
    "when": when,
    "date_of": date_of,
    "last_day": last_day,
    "full_day": full_day,
    "weekday": weekday,
    "spaced": spaced,
    "first_upper": first_upper,
}


def register(environment: Environment) -> None:
    """Add the filters to the templates, and `paper`, which returns the school's paper size."""
    environment.filters.update(FILTERS)
    environment.globals["paper"] = lambda: clock.here().paper
