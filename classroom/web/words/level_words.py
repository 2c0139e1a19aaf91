"""Levels, signals and standards in words, the same on every page and in print."""

from __future__ import annotations

from typing import Any, Final

from classroom.learning.levels import Evident, Growth, Level
from classroom.learning.report import Signal, Trouble
from classroom.learning.skills import SKILLS, Skill, Strand
from classroom.services.reports.skill_reports import System
from classroom.web.words.filters import on_day, short_date
from classroom.web.words.language import N_, gettext as _

# ---- Levels in words: what adults read about a child in each strand, on every page and in print

STRAND_NAMES: Final[dict[Strand, str]] = {
    "counting": N_("Counting how many"),
    "comparing": N_("Comparing"),
    "adding": N_("Adding and taking away"),
    "sorting": N_("Sorting"),
    "recall": N_("Remembering"),
}


def level_words(level: Level) -> str:
    """Say how far the child has come, with the likely range: "Counts up to about 7 (somewhere
    between 5 and 10)." If the answers may be luck, the sentence gives only an upper limit."""
    about, most, begun = _SAYS[level.strand]
    low, high = level.between
    if not level.about:
        return _(most, high=high) if high > 1 else _(begun)
    said = _(about, about=level.about)
    if level.strand == "recall" and level.about == 1:
        said = _("Remembers the latest ask")
    if low != high:
        said = _("%(said)s (somewhere between %(low)s and %(high)s)", said=said, low=low, high=high)
    return said + "."


_SAYS: Final[dict[Strand, tuple[str, str, str]]] = {
    "counting": (
        N_("Counts up to about %(about)s"),
        N_("Counts up to %(high)s at most."),
        N_("Is just beginning to count sets."),
    ),
    "comparing": (
        N_("Compares sets up to about %(about)s"),
        N_("Compares sets up to %(high)s at most."),
        N_("Is just beginning to compare."),
    ),
    "adding": (
        N_("Adds with totals up to about %(about)s"),
        N_("Adds with totals up to %(high)s at most."),
        N_("Is just beginning to add."),
    ),
    "sorting": (
        N_("Can sort about %(about)s things"),
        N_("Can sort %(high)s things at most."),
        N_("Is just beginning to sort."),
    ),
    "recall": (
        N_("Remembers who asked for what, up to about %(about)s asks ago"),
        N_("Remembers who asked for what, up to %(high)s asks ago at most."),
        N_("Is just beginning to remember who asked."),
    ),
}


def taken_words(level: Level) -> tuple[str, ...]:
    """How many facts the child used in play at the first chance, newly heard facts first: "20 of 20
    within five asks", "3 of 6 later"."""
    soon, later = level.taken
    said = (
        _("%(right)s of %(n)s within five asks", right=soon.right, n=soon.n),
        _("%(right)s of %(n)s later", right=later.right, n=later.n),
    )
    return tuple(words for words, one in zip(said, level.taken, strict=True) if one.n)


def short_words(level: Level) -> str:
    """State the level briefly, for a narrow cell and for print: "about 7 (5–10)"."""
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
    """How far the child has come since the earlier answers, with the likely range."""
    day = on_day(one.since)
    if not one.seen:
        return _("No clear progress since %(day)s.", day=day)
    return _(
        "Up by about %(by)s since %(day)s (likely %(low)s to %(high)s).",
        by=levels(one.by),
        day=day,
        low=_amount(one.low),
        high=_amount(one.high),
    )


def levels(by: float) -> str:
    """A number of levels (ranges of a scale) in words: "one level", "1½ levels"."""
    return _("one level") if _amount(by) == "1" else _("%(by)s levels", by=_amount(by))


def _amount(by: float) -> str:
    """A number of levels, rounded to halves: "½", "1½", "2"."""
    whole, half = divmod(max(0, round(2 * by)), 2)
    return f"{whole or ''}{'½' if half else ''}" or "0"


# ---- Why an adult should look at a child, one line for each signal: the same on every page

# Advice for a child who is behind. Remembering has none, because no child counts as behind in it.
_TRY: Final[dict[Strand, str]] = {
    "counting": N_("Count real things together: touch each one and say its number."),
    "comparing": N_("Lay out two rows, one thing beside the other, and see which is longer."),
    "adding": N_("Show the same sums with dots, fingers or a ten frame."),
    "sorting": N_("Sort real things into two heaps first, then into three."),
}


# A sentence for each trouble: with a strand, with a skill ("leaning") or on one day (the last two).
_REASONS: Final[dict[Trouble, str]] = {
    "behind": N_(
        "%(strand)s: likely below the level we expect at ages %(band)s (which is %(step)s, with "
        "half of the answers right), judged on %(days)s. %(right)s of %(n)s recent answers were "
        "right. %(try)s"
    ),
    "fallen": N_(
        "%(strand)s: lower than before. Since about %(day)s, the newest %(n)s answers have been "
        "about %(by)s below the earlier ones."
    ),
    "leaning": N_(
        "%(skill)s: %(helped)s of %(n)s answers were given with help, so little can be said about "
        "working without it."
    ),
    "guessing": N_(
        "Fast guessing on %(day)s: %(fast)s of the last %(n)s answers came within %(seconds)s s, "
        "%(right)s of them right. Answers from that day do not count towards any level."
    ),
    "idle": N_(
        "Idle on %(day)s: on %(still)s of %(n)s turns nothing was touched for %(seconds)s s or "
        "longer."
    ),
}


def reason(signal: Signal) -> str:
    """Why an adult should look at a child, in one line with the numbers."""
    about: Any = signal.skill  # a skill or, for "behind" and "fallen", a strand
    facts = dict(signal.facts)
    match signal.trouble:
        case "behind":
            band, step = facts["line"]
            days = _(" and ").join(map(short_date, facts["days"]))
            facts |= {
                "strand": _(STRAND_NAMES[about]),
                "band": band.replace("-", "–"),
                "step": step,
                "days": days,
                "try": _(_TRY[about]),
            }
        case "fallen":
            facts["strand"] = _(STRAND_NAMES[about])
            facts["by"] = levels(facts["by"])
            facts["day"] = short_date(facts["since"])
        case "leaning":
            facts["skill"] = _(SKILLS[about].name).rstrip("?")
        case "guessing":
            facts["day"] = short_date(facts["day"])
            facts["seconds"] = f"{facts['usual_ms'] / 1000:.1f}"
        case "idle":
            facts["day"] = short_date(facts["day"])
    said = _(_REASONS[signal.trouble], **facts)
    if facts.get("played_for"):  # only "idle" has it
        said += " " + _("A computer friend played %(n)s of them.", n=facts["played_for"])
    return said


# ---- The standard of a skill, in the system that a class has chosen

SYSTEM_NAMES: Final[dict[System, tuple[str, str]]] = {
    "common_core": (N_("Common Core"), N_("United States: codes such as K.CC.B.5")),
    "england": (N_("England"), N_("Early years, years 1 and 2")),
}


def standard(skill: Skill, system: System) -> str:
    """The standard of a skill; for remembering, words saying that there is none."""
    if skill.strand == "recall":
        return _("memory, no maths standard")
    return (skill.common_core if system == "common_core" else skill.england) or ""
