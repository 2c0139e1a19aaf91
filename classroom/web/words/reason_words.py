"""Why an adult should look at a child, one line for each signal: the same on every page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from classroom.learning.alerts import Signal, Trouble
from classroom.learning.skills import SKILLS, Strand
from classroom.web.words import filters
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.level_words import STRAND_NAMES, levels

# What helps a child that is behind. Memory raises no alarm, so it has no line.
_TRY: Final[dict[Strand, str]] = {
    "counting": N_("Count real things together: touch each one and say its number."),
    "comparing": N_("Lay out two rows, one thing beside the other, and see which is longer."),
    "adding": N_("Show the same sums with dots, fingers or a ten frame."),
    "sorting": N_("Sort real things into two heaps first, then into three."),
}


def reason(signal: Signal) -> str:
    """Why a teacher should look at a child, in one line with the numbers."""
    return _REASONS[signal.trouble](signal.skill or "", signal.facts)


def _behind(strand: str, facts: Mapping[str, Any]) -> str:
    band, step = facts["line"]
    return _(
        "%(strand)s: likely below our line for ages %(band)s (%(step)s, right half the time), "
        "as it seemed on %(days)s. %(right)s of %(n)s recent answers were right. %(try)s",
        strand=_(STRAND_NAMES[strand]),  # type: ignore[index]
        band=band.replace("-", "–"),
        step=step,
        days=_(" and ").join(map(filters.short_date, facts["days"])),
        right=facts["right"],
        n=facts["n"],
        **{"try": _(_TRY[strand])},  # type: ignore[index]
    )


def _fallen(strand: str, facts: Mapping[str, Any]) -> str:
    return _(
        "%(strand)s: less than before. The newest %(n)s answers are about %(by)s below the earlier "
        "ones, of about %(day)s.",
        strand=_(STRAND_NAMES[strand]),  # type: ignore[index]
        n=facts["n"],
        by=levels(facts["by"]),
        day=filters.short_date(facts["since"]),
    )


def _leaning(skill: str, facts: Mapping[str, Any]) -> str:
    return _(
        "%(skill)s: %(helped)s of %(n)s answers were with help, so there is little to say about "
        "working without it.",
        skill=_(SKILLS[skill].name).rstrip("?"),
        helped=facts["helped"],
        n=facts["n"],
    )


def _guessing(_skill: str, facts: Mapping[str, Any]) -> str:
    return _(
        "Fast guessing on %(day)s: %(fast)s of the last %(n)s answers came within %(seconds)s s, "
        "%(right)s of them right. Answers of that day count for no level.",
        day=filters.short_date(facts["day"]),
        fast=facts["fast"],
        n=facts["n"],
        seconds=f"{facts['usual_ms'] / 1000:.1f}",
        right=facts["right"],
    )


def _idle(_skill: str, facts: Mapping[str, Any]) -> str:
    said = _(
        "Idle on %(day)s: on %(still)s of %(n)s turns nothing was touched for %(seconds)s s or "
        "longer.",
        day=filters.short_date(facts["day"]),
        still=facts["still"],
        n=facts["n"],
        seconds=facts["seconds"],
    )
    if facts["played_for"]:
        said += " " + _("A computer friend played %(n)s of them.", n=facts["played_for"])
    return said


_REASONS: Final[dict[Trouble, Callable[[str, Mapping[str, Any]], str]]] = {
    "behind": _behind,
    "fallen": _fallen,
    "leaning": _leaning,
    "guessing": _guessing,
    "idle": _idle,
}
