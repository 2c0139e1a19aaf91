"""Words for adults: counts, times and days as one says them, class lists, settings.

Registered as template filters by `register`, so that templates hold no arithmetic.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from jinja2 import Environment

from classroom.games import GAMES
from classroom.games.decks import DECKS
from classroom.learning.estimates import Share
from classroom.minds.playing.levels import LEVELS, LIKE_ME
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.school.families import NextRound
from classroom.services.school.rosters import RosterLine
from classroom.web.words.sentences import sentence

_EPOCH: Final = date(1970, 1, 1)
_SMALL: Final = "no one two three four five six seven eight nine ten eleven twelve thirteen".split()
GAME_NAMES: Final = {key: game.name for key, game in GAMES.items()}

# What is wrong with one line of a pasted list.
LINES: Final[dict[str, str]] = {
    "long": "is longer than 30 letters. A first name is enough.",
    "odd": "cannot be read as a name.",
    "more": "holds more than a first name and an age. Please leave the rest out: we keep as "
    "little about a child as we can.",
    "twice": "is in line {twin} too. If they are two children, add a letter, like “{name} B.”.",
    "known": "is in this class already. If it is another child, add a letter, like “{name} B.”.",
    "full": "does not fit any more: a class holds 48 children.",
}

# How much of what was asked a child can look up.
BOARDS: Final[dict[str, str]] = {
    "open": "The last asks hang on a line, and the board of all asks may be opened.",
    "peek": "The board of what was asked may be opened for five seconds at a time.",
    "fading": "The last three asks hang on a line; older ones have to be remembered.",
    "off": "What was asked has to be remembered.",
}


def roster(refused: Refused, wrong: int) -> str:
    """What is wrong with a pasted list as a whole."""
    if refused.code != "roster":
        return sentence(refused)
    return f"Nothing was added yet: please look at {count(wrong, 'line')}. Your list is as it was."


def of_line(line: RosterLine) -> str:
    """What is wrong with one line of it."""
    return LINES[line.trouble or ""].format(twin=line.twin, name=line.name)


def settings(chosen: NextRound) -> tuple[str, ...]:
    """How the next round is set up, one sentence each."""
    deck = DECKS[chosen.deck]
    who = (
        "One computer player"
        if chosen.opponents == 1
        else (f"{first_upper(in_words(chosen.opponents))} computer players")
    )
    limit = chosen.minutes_a_day
    return (
        f"{who} {_strength(chosen.level)}",
        f"{deck.name}; a round of Go Fish lasts about {deck.minutes} minutes.",
        BOARDS[chosen.board],
        f"Hints {'are there to be asked for' if chosen.hints else 'are off'}.",
        *([f"At most {limit} minutes a day."] if limit else []),
    )


def _strength(key: str) -> str:
    if key == LIKE_ME:
        return "of a strength that follows the child from round to round, so that all win as often."
    level = LEVELS[key]
    return f"of level {level.name}. A {level.name.lower()} {_lower(level.sentence)}"


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def count(n: int, one: str, many: str = "") -> str:
    """`1 round`, `3 rounds`, `no rounds`."""
    return f"{n or 'no'} {one if n == 1 else many or one + 's'}"


def in_words(n: int) -> str:
    """A small number as a word."""
    return _SMALL[n] if 0 <= n < len(_SMALL) else str(n)


def minutes(seconds: float) -> int:
    """Whole minutes; at least one where there was anything at all."""
    return max(1, round(seconds / 60)) if seconds > 0 else 0


def on_day(day: int) -> str:
    """`today`, `yesterday`, `Tue` within a week, else `Tue 3 Nov`, with the year when not ours."""
    then, now = _EPOCH + timedelta(days=day), _EPOCH + timedelta(days=clock.day())
    ago = (now - then).days
    if ago in (0, 1):
        return "yesterday" if ago else "today"
    if 1 < ago < 7:
        return f"{then:%a}"
    year = f" {then.year}" if then.year != now.year else ""
    return f"{then:%a} {then.day} {then:%b}{year}"


def short_date(day: int) -> str:
    """A day beside a drawing: `3 Nov`."""
    then = _EPOCH + timedelta(days=day)
    return f"{then.day} {then:%b}"


def at_time(at: float) -> str:
    """The time on the school's wall clock: `10:45`."""
    return f"{clock.local(at):%H:%M}"


def when(at: float) -> str:
    """`today 10:45`, `Tue 3 Nov 10:45`."""
    return f"{on_day(clock.day(at))} {at_time(at)}"


def date_of(at: float) -> str:
    """A date to be printed: `3 November 2026`."""
    moment = clock.local(at)
    return f"{moment.day} {moment:%B %Y}"


def ago(at: float) -> str:
    """How long ago, roughly: `just now`, `4 min ago`, else the time."""
    passed = int((clock.now() - at) // 60)
    return "just now" if passed < 1 else f"{passed} min ago" if passed < 60 else when(at)


def likely(share: Share) -> str:
    """What may be said about a count: `likely 55–91 %`, or that it is not enough yet."""
    if share.low is None or share.high is None:
        return "not enough yet"
    return f"likely {100 * share.low:.0f}–{100 * share.high:.0f} %"


def spaced(code: str) -> str:
    """A class code as it is read aloud: `4 7 2 9 1 0`."""
    return " ".join(code)


def first_upper(text: str) -> str:
    """Only the first letter changed."""
    return text[:1].upper() + text[1:]


def lasted(since: float | None) -> str:
    """How long it has been, on one line: `40 s`, `3 min`; nothing for what has no beginning."""
    if since is None:
        return ""
    passed = max(0, int(clock.now() - since))
    return f"{passed}\u00a0s" if passed < 120 else f"{passed // 60}\u00a0min"


FILTERS: Final = {
    "lasted": lasted,
    "count_of": count,
    "in_words": in_words,
    "minutes": minutes,
    "on_day": on_day,
    "at_time": at_time,
    "when": when,
    "date_of": date_of,
    "ago": ago,
    "likely": likely,
    "spaced": spaced,
    "first_upper": first_upper,
}


def register(environment: Environment) -> None:
    """Make the filters known to the templates."""
    environment.filters.update(FILTERS)
