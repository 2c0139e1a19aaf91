"""Levels in words: what adults read about a child in each strand, on every page and in print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from classroom.learning.levels import Evident, Growth, Level
from classroom.learning.skills import Strand
from classroom.web.words.filters import on_day
from classroom.web.words.language import N_, ngettext
from classroom.web.words.language import gettext as _

STRAND_NAMES: Final[dict[Strand, str]] = {
    "counting": N_("Counting how many"),
    "comparing": N_("Comparing"),
    "adding": N_("Adding and taking away"),
    "sorting": N_("Sorting"),
    "recall": N_("Remembering"),
}


def level_words(level: Level) -> str:
    """Say what the child can do surely, and what it can do sometimes."""
    return _SENTENCES[level.strand](level.sure, level.some)


def _counting(sure: int, some: int) -> str:
    if sure and some > sure:
        return _("Counts sets to %(sure)s surely, to %(some)s sometimes.", sure=sure, some=some)
    if sure:
        return _("Counts sets to %(sure)s surely.", sure=sure)
    if some:
        return _("Counts sets to %(some)s sometimes.", some=some)
    return _("Counting sets has just begun.")


def _adding(sure: int, some: int) -> str:
    if sure and some > sure:
        return _("Adds to %(sure)s surely, to %(some)s sometimes.", sure=sure, some=some)
    if sure:
        return _("Adds to %(sure)s surely.", sure=sure)
    if some:
        return _("Adds to %(some)s sometimes.", some=some)
    return _("Adding has just begun.")


def _sorting(sure: int, some: int) -> str:
    if sure and some > sure:
        return _("Sorts %(sure)s things surely, %(some)s sometimes.", sure=sure, some=some)
    if sure:
        return _("Sorts %(sure)s things surely.", sure=sure)
    if some:
        return _("Sorts %(some)s things sometimes.", some=some)
    return _("Sorting has just begun.")


def _comparing(sure: int, some: int) -> str:
    if sure and some > sure:
        return _("Compares sets to %(sure)s surely, to %(some)s sometimes.", sure=sure, some=some)
    if sure:
        return _("Compares sets to %(sure)s surely.", sure=sure)
    if some:
        return _("Compares sets to %(some)s sometimes.", some=some)
    return _("Comparing has just begun.")


def _recall(sure: int, some: int) -> str:
    if sure and some > sure:
        return ngettext(
            "Remembers the newest ask surely, what was asked up to %(some)s asks ago sometimes.",
            "Remembers what was asked up to %(num)s asks ago surely, up to %(some)s sometimes.",
            sure,
            some=some,
        )
    if sure:
        return ngettext(
            "Remembers the newest ask surely.",
            "Remembers what was asked up to %(num)s asks ago surely.",
            sure,
        )
    if some:
        return ngettext(
            "Remembers the newest ask sometimes.",
            "Remembers what was asked up to %(num)s asks ago sometimes.",
            some,
        )
    return _("Remembering who asked has just begun.")


_SENTENCES: Final[dict[Strand, Callable[[int, int], str]]] = {
    "counting": _counting,
    "comparing": _comparing,
    "adding": _adding,
    "sorting": _sorting,
    "recall": _recall,
}


def likely_words(level: Level) -> str:
    """The likely range of what the child can do surely, in steps of the strand's scale."""
    low, high = level.likely
    if low == high:
        return _("likely about %(low)s", low=low)
    return _("likely %(low)s to %(high)s", low=low, high=high)


def range_words(strand: Strand, name: str) -> str:
    """A range of a strand's scale in words: "6–10", "3–5 asks ago"."""
    numbers = name.replace("-", "–").replace(">", _("over "))
    return _("%(numbers)s asks ago", numbers=numbers) if strand == "recall" else numbers


def evident_words(strand: Strand, one: Evident) -> str:
    """The evidence in one range: "6–10: 7 of 10"."""
    name = range_words(strand, one.range)
    return _("%(name)s: %(right)s of %(n)s", name=name, right=one.right, n=one.n)


def growth_words(one: Growth) -> str:
    """How far the child has come since its first answers, with the likely range."""
    day = on_day(one.since)
    if not one.seen:
        return _("No growth seen yet since %(day)s.", day=day)
    return _(
        "About %(by)s up since %(day)s (likely %(low)s to %(high)s).",
        by=_levels(one.by),
        day=day,
        low=_amount(one.low),
        high=_amount(one.high),
    )


def _levels(by: float) -> str:
    return _("one level") if _amount(by) == "1" else _("%(by)s levels", by=_amount(by))


def _amount(by: float) -> str:
    """A number of levels, to the half: "½", "1½", "2"."""
    halves = round(2 * by)
    whole, half = divmod(max(0, halves), 2)
    return f"{whole or ''}{'½' if half else ''}" or "0"


def short_words(level: Level) -> str:
    """The level for a narrow cell: "to 7 · 8–10 sometimes", "3 asks ago"."""
    sure, some = level.sure, level.some
    if not some:
        return _("just begun")
    often = _to(level.strand, sure)
    if some == sure:
        return often
    if not sure:
        return _("%(step)s sometimes", step=_to(level.strand, some))
    more = str(some) if some == sure + 1 else f"{sure + 1}–{some}"
    return f"{often} · " + _("%(step)s sometimes", step=more)


def brief_words(level: Level) -> str:
    """The level for print, with what the child can do sometimes in brackets: "to 7 (8–10)"."""
    sure, some = level.sure, level.some
    if some <= sure:
        return _("to %(step)s", step=sure) if sure else _("just begun")
    if not sure:
        return "(" + _("to %(step)s", step=some) + ")"
    more = str(some) if some == sure + 1 else f"{sure + 1}–{some}"
    return _("to %(step)s", step=sure) + f" ({more})"


def _to(strand: Strand, step: int) -> str:
    if strand == "recall":
        return _("%(step)s asks ago", step=step) if step > 1 else _("1 ask ago")
    return _("to %(step)s", step=step)
