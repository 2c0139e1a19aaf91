"""Text for adults: counts, times, days, lines of a class list, a child's settings.

`register` makes the functions template filters, so that templates hold no arithmetic.
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
from classroom.services.school.families import Settings
from classroom.services.school.rosters import RosterLine
from classroom.web.words.sentences import sentence

_EPOCH: Final = date(1970, 1, 1)
_SMALL: Final = "no one two three four five six seven eight nine ten eleven twelve thirteen".split()
GAME_NAMES: Final = {key: game.name for key, game in GAMES.items()}

# What is wrong with one line of a pasted class list; the page prints the line before it.
LINES: Final[dict[str, str]] = {
    "long": "is longer than 30 letters. A first name is enough.",
    "odd": "cannot be read as a name.",
    "more": "has more than a first name and an age. Please leave the rest out: we keep as "
    "little about a child as we can.",
    "twice": "is on line {twin} too. If they are two children, add a letter, like “{name} B.”.",
    "known": "is already in this class. If this is another child, add a letter, like “{name} B.”.",
    "full": "does not fit: a class holds 48 children.",
}

# How much of the earlier asks a child can look up.
BOARDS: Final[dict[str, str]] = {
    "open": "Recent asks stay in view, and the board of all asks can be opened.",
    "peek": "The board of all asks can be opened for five seconds at a time.",
    "fading": "The last three asks stay in view; older ones must be remembered.",
    "off": "Earlier asks must be remembered.",
}


def roster(refused: Refused, wrong: int) -> str:
    """Say what is wrong with a pasted list; `wrong` is the number of lines to correct."""
    if refused.code != "roster":
        return sentence(refused)
    return f"Nothing was added yet: please check {count(wrong, 'line')}. Your list is unchanged."


def of_line(line: RosterLine) -> str:
    """Say what is wrong with one line of a pasted list."""
    return LINES[line.trouble or ""].format(twin=line.twin, name=line.name)


def settings(chosen: Settings) -> tuple[str, ...]:
    """The settings of a child's next round, one sentence each."""
    deck = DECKS[chosen.deck]
    who = first_upper(in_words(chosen.opponents))
    friends = "computer friend" if chosen.opponents == 1 else "computer friends"
    limit = chosen.minutes_a_day
    return (
        f"{who} {friends} {_strength(chosen.level)}",
        f"{deck.name}; a round of Go Fish lasts about {deck.minutes} minutes.",
        BOARDS[chosen.board],
        f"Hints are {'on' if chosen.hints else 'off'}.",
        *([f"At most {limit} minutes a day."] if limit else []),
    )


def _strength(key: str) -> str:
    if key == LIKE_ME:
        return "playing about as well as the child, adjusted after each round."
    level = LEVELS[key]
    return f"at level {level.name}. A {level.name.lower()} {_lower(level.sentence)}"


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def count(n: int, one: str, many: str = "") -> str:
    """`1 round`, `3 rounds`, `no rounds`. `many`: the plural where it is not `one` with an s."""
    return f"{n or 'no'} {one if n == 1 else many or one + 's'}"


def in_words(n: int) -> str:
    """A number up to thirteen as a word, a larger one in digits."""
    return _SMALL[n] if 0 <= n < len(_SMALL) else str(n)


def minutes(seconds: float) -> int:
    """Whole minutes, at least 1 for any time above 0."""
    return max(1, round(seconds / 60)) if seconds > 0 else 0


def on_day(day: int) -> str:
    """`today`, `yesterday`, `Tue` within a week, else `Tue 3 Nov`, with any other year."""
    then, now = _EPOCH + timedelta(days=day), _EPOCH + timedelta(days=clock.day())
    ago = (now - then).days
    if ago in (0, 1):
        return "yesterday" if ago else "today"
    if 1 < ago < 7:
        return f"{then:%a}"
    year = f" {then.year}" if then.year != now.year else ""
    return f"{then:%a} {then.day} {then:%b}{year}"


def short_date(day: int) -> str:
    """A day as a short label: `3 Nov`."""
    then = _EPOCH + timedelta(days=day)
    return f"{then.day} {then:%b}"


def at_time(at: float) -> str:
    """A moment as local time: `10:45`."""
    return f"{clock.local(at):%H:%M}"


def when(at: float) -> str:
    """`today 10:45`, `Tue 3 Nov 10:45`."""
    return f"{on_day(clock.day(at))} {at_time(at)}"


def date_of(at: float) -> str:
    """A moment as a full date: `3 November 2026`."""
    moment = clock.local(at)
    return f"{moment.day} {moment:%B %Y}"


def ago(at: float) -> str:
    """How long ago, roughly: `just now`, `4 min ago`, else the time."""
    passed = int((clock.now() - at) // 60)
    return "just now" if passed < 1 else f"{passed} min ago" if passed < 60 else when(at)


def likely(share: Share) -> str:
    """The likely range of a share: `likely 55–91%`, or `not enough yet`."""
    if share.low is None or share.high is None:
        return "not enough yet"
    return f"likely {100 * share.low:.0f}–{100 * share.high:.0f}%"


def spaced(code: str) -> str:
    """A class code in single digits: `4 7 2 9 1 0`."""
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
    """Add the filters to the templates."""
    environment.filters.update(FILTERS)
