"""Levels in words: what adults read about a child in each strand, on every page and in print."""

from __future__ import annotations

from typing import Final

from classroom.learning.levels import Evident, Growth, Level
from classroom.learning.skills import Strand
from classroom.web.words.filters import on_day
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

STRAND_NAMES: Final[dict[Strand, str]] = {
    "counting": N_("Counting how many"),
    "comparing": N_("Comparing"),
    "adding": N_("Adding and taking away"),
    "sorting": N_("Sorting"),
    "recall": N_("Remembering"),
}


def level_words(level: Level) -> str:
    """Say how far the child can do it, with the likely range: "Counts sets to about 7; between 5
    and 10." While luck may explain the answers, only how far at most."""
    about, most, begun = _SAYS[level.strand]
    low, high = level.between
    if not level.about:
        return _(most, high=high) if high > 1 else _(begun)
    said = _(about, about=level.about)
    if level.strand == "recall" and level.about == 1:
        said = _("Remembers who asked for what: the newest ask")
    if low != high:
        said = _("%(said)s; between %(low)s and %(high)s", said=said, low=low, high=high)
    return said + "."


_SAYS: Final[dict[Strand, tuple[str, str, str]]] = {
    "counting": (
        N_("Counts sets to about %(about)s"),
        N_("Counts sets to %(high)s at most."),
        N_("Counting sets has just begun."),
    ),
    "comparing": (
        N_("Compares sets to about %(about)s"),
        N_("Compares sets to %(high)s at most."),
        N_("Comparing has just begun."),
    ),
    "adding": (
        N_("Adds to about %(about)s"),
        N_("Adds to %(high)s at most."),
        N_("Adding has just begun."),
    ),
    "sorting": (
        N_("Sorts about %(about)s things"),
        N_("Sorts %(high)s things at most."),
        N_("Sorting has just begun."),
    ),
    "recall": (
        N_("Remembers who asked for what, up to about %(about)s asks ago"),
        N_("Remembers who asked for what, up to %(high)s asks ago at most."),
        N_("Remembering who asked has just begun."),
    ),
}


def taken_words(level: Level) -> tuple[str, ...]:
    """What was taken in play at the first chance: "20 of 20 within five asks", "3 of 6 later"."""
    soon, later = level.taken
    said = (
        _("%(right)s of %(n)s within five asks", right=soon.right, n=soon.n),
        _("%(right)s of %(n)s later", right=later.right, n=later.n),
    )
    return tuple(words for words, one in zip(said, level.taken, strict=True) if one.n)


def short_words(level: Level) -> str:
    """The same for a narrow cell and for print: "about 7 (5–10)"."""
    low, high = level.between
    if not level.about:
        return _("%(high)s at most", high=high) if high > 1 else _("just begun")
    said = _("about %(about)s", about=level.about)
    return said if low == high else f"{said} ({low}–{high})"


def range_words(strand: Strand, name: str) -> str:
    """A range of a strand's scale in words: "6–10", "3–5 asks ago"."""
    numbers = name.replace("-", "–").replace(">", _("over "))
    return _("%(numbers)s asks ago", numbers=numbers) if strand == "recall" else numbers


def evident_words(strand: Strand, one: Evident) -> str:
    """The evidence in one range: "6–10: 7 of 10"."""
    name = range_words(strand, one.range)
    return _("%(name)s: %(right)s of %(n)s", name=name, right=one.right, n=one.n)


def growth_words(one: Growth) -> str:
    """How far the child has come since its earlier answers, with the likely range."""
    day = on_day(one.since)
    if not one.seen:
        return _("No growth that is certain since %(day)s.", day=day)
    return _(
        "About %(by)s up since %(day)s (likely %(low)s to %(high)s).",
        by=levels(one.by),
        day=day,
        low=_amount(one.low),
        high=_amount(one.high),
    )


def levels(by: float) -> str:
    """A number of levels, the ranges of a scale: "one level", "1½ levels"."""
    return _("one level") if _amount(by) == "1" else _("%(by)s levels", by=_amount(by))


def _amount(by: float) -> str:
    """A number of levels, to the half: "½", "1½", "2"."""
    halves = round(2 * by)
    whole, half = divmod(max(0, halves), 2)
    return f"{whole or ''}{'½' if half else ''}" or "0"
