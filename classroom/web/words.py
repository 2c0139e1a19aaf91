"""Words for adults: counts, times and days as one says them, and kind sentences for refusals.

Registered as template filters by `register`, so that templates hold no arithmetic.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from flask import Flask

from classroom.services import clock
from classroom.services.errors import Refused

_EPOCH: Final = date(1970, 1, 1)
_SMALL: Final = ("no", "one", "two", "three", "four", "five", "six")

# What went wrong, by the code of the refusal: said once, kindly, with the way on.
SENTENCES: Final[dict[str, str]] = {
    "child_name_empty": "Please type a first name or nickname.",
    "child_name_long": "That is longer than 30 letters. A first name is enough.",
    "child_name_odd": "That cannot be read as a name. A first name or nickname is enough.",
    "child_name_known": "{name} is in this class already. Is it another child? Add a letter, "
    "like “{name} B.”.",
    "age_band": "Please choose an age from the list.",
    "animal_full": "All four of these animals are taken. Please choose another one.",
    "class_full": "A class holds 48 children, and this one is full.",
    "class_name_empty": "Please type a name for the class.",
    "class_name_long": "That is longer than 60 letters. A short name reads better on the board.",
    "class_name_odd": "That cannot be read as a name.",
    "roster_empty": "There is no name in it yet. Write or paste one child on each line.",
    "roster_long": "That is too much for one class list. Nothing was added.",
    "code_unknown": "This code is not good any more, or has a slip in it. It is 12 letters and "
    "numbers, good for 14 days and for one person.",
    "code_empty": "Please type the code that the teacher gave you.",
    "slow_down": "Too many wrong codes just now. Please try again in {minutes} minutes.",
    "already_linked": "This child is yours already.",
    "adult_name_empty": "Please type your name as the teacher should see it.",
    "adult_name_long": "That is longer than 60 letters.",
    "adult_name_odd": "That cannot be read as a name.",
    "login_short": "At least three letters, please.",
    "login_long": "At most 80 letters, please.",
    "login_taken": "Somebody has this sign-in name already. Please choose another one.",
    "password_short": "At least {shortest} signs, please. Four or five words in a row are easy to "
    "remember and hard to guess.",
    "password_long": "At most {longest} signs, please.",
    "password_easy": "This one is easy to guess. Four or five words that do not belong together "
    "are better.",
    "password_wrong": "This is not your password of today.",
    "password_twice": "The two are not the same.",
    "opponents": "Please choose one, two or three.",
    "level": "Please choose one of these.",
    "deck": "Please choose one of these.",
    "board": "Please choose one of these.",
    "hints": "Please choose one of these.",
}

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


def sentence(refused: Refused) -> str:
    """The refusal in one kind sentence."""
    return SENTENCES[refused.code].format(**refused.facts)


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


def spaced(code: str) -> str:
    """A class code as it is read aloud: `4 7 2 9 1 0`."""
    return " ".join(code)


def first_upper(text: str) -> str:
    """Only the first letter changed."""
    return text[:1].upper() + text[1:]


FILTERS: Final = {
    "count_of": count,
    "in_words": in_words,
    "minutes": minutes,
    "on_day": on_day,
    "at_time": at_time,
    "when": when,
    "date_of": date_of,
    "ago": ago,
    "spaced": spaced,
    "first_upper": first_upper,
}


def register(app: Flask) -> None:
    """Make the filters known to this app's templates."""
    app.jinja_env.filters.update(FILTERS)
