"""Advice in words: what a teacher can do tomorrow, and what a family can do at home."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from classroom.learning.estimates import Share
from classroom.learning.levels import Level
from classroom.learning.outlines import Next, Sequence as Lessons
from classroom.learning.report import HomeSteps, at_home
from classroom.learning.skills import SKILLS, Strand
from classroom.learning.tomorrow import Suggestion
from classroom.services.reports.figures import HomeDays
from classroom.web.words import filters
from classroom.web.words.filters import GAME_NAMES, in_words, likely, together
from classroom.web.words.language import N_, gettext as _, ngettext
from classroom.web.words.level_words import STRAND_NAMES, taken_words

# ---- Suggestions for tomorrow in words: the suggestion, the reason, and the label of its button

WHAT: Final[dict[Strand, str]] = {  # what the questions of a strand are about
    "counting": N_("counting"),
    "comparing": N_("comparing"),
    "adding": N_("adding and taking away"),
    "sorting": N_("sorting"),
    "recall": N_("remembering"),
}
_IN: Final[dict[Strand, str]] = {
    "counting": N_("at about the same level in counting"),
    "comparing": N_("at about the same level in comparing"),
    "adding": N_("at about the same level in adding"),
    "sorting": N_("at about the same level in sorting"),
}
# Why a lesson comes next if one level is known, or several equal levels, or a range of levels.
_KNOWN: Final = {
    "one": N_(
        "%(strand)s: one child’s level is known, about %(low)s; %(right)s of %(n)s answers right."
    ),
    "same": N_(
        "%(strand)s: %(able)s of %(known)s children are certainly at or above what is "
        "expected for their age; each level is about %(low)s; %(right)s of %(n)s answers "
        "right."
    ),
    "range": N_(
        "%(strand)s: %(able)s of %(known)s children are certainly at or above what is "
        "expected for their age; levels range from about %(low)s to about %(high)s; "
        "%(right)s of %(n)s answers right."
    ),
}
_REMEMBERED: Final = {
    "one": N_(
        "%(strand)s: one child remembers %(what)s; in play the child used %(right)s of "
        "%(n)s chances to remember."
    ),
    "same": N_(
        "%(strand)s: %(known)s children each remember %(what)s; in play they used "
        "%(right)s of %(n)s chances to remember."
    ),
    "range": N_(
        "%(strand)s: %(known)s children remember what was asked from about %(low)s to "
        "about %(high)s asks ago; in play they used %(right)s of %(n)s chances to "
        "remember."
    ),
}


@dataclass(frozen=True, slots=True)
class Advice:
    """A suggestion (`it`) put into words. `button`: the label of its button, "" if it has none."""

    it: Suggestion
    line: str
    why: str
    button: str


def words(one: Suggestion, names: Sequence[str]) -> Advice:
    """Put a suggestion into words. `names`: the names of its children, in the same order."""
    return _DEEDS[one.deed](one, together(names))


def why_next(sequence: Lessons, found: Next) -> str:
    """Why this ready-made lesson comes next: its place, and what the children's answers show."""
    said = [
        _(
            "%(ages)s, lesson %(number)s of %(all)s.",
            ages=_(sequence.name),
            number=found.outline.number,
            all=len(sequence.lessons),
        )
    ]
    if found.passed:
        passed = together([_("“%(title)s”", title=_(one.title)) for one in found.passed])
        said.append(_("Most children can do %(passed)s already.", passed=passed))
    strand = _(STRAND_NAMES[found.outline.strand])
    if found.about is None:
        said.append(_("%(strand)s: no level is known yet.", strand=strand))
        return " ".join(said)
    low, high = found.about
    spread = "one" if found.known == 1 else "same" if low == high else "range"
    line = (_REMEMBERED if found.outline.strand == "recall" else _KNOWN)[spread]
    what = _("what was asked about %(n)s asks ago", n=low) if low > 1 else _("the latest ask")
    numbers = {"low": low, "high": high, "right": found.answers.right, "n": found.answers.n}
    said.append(_(line, strand=strand, able=found.able, known=found.known, what=what, **numbers))
    return " ".join(said)


def _play(one: Suggestion, who: str) -> Advice:
    game = _(GAME_NAMES[str(one.game)])
    why = _alike(one)
    if one.numbers:
        more = _("In this game two cards add up to %(top)s.", top=one.numbers[1])
    else:
        more = _("The questions in between adapt to each child automatically.")
    return Advice(
        one,
        _("%(who)s: play %(game)s together.", who=who, game=game),
        f"{why} {more}",
        _("Seat them at %(game)s", game=game),
    )


def _alike(one: Suggestion) -> str:
    return _(
        "They are %(level)s: %(right)s of %(n)s answers right between them.",
        level=_(_IN[one.strand]),
        right=one.right,
        n=one.n,
    )


def _group(one: Suggestion, who: str) -> Advice:
    game = _(GAME_NAMES[str(one.game)])
    why = _alike(one)
    if one.day is not None:
        line = N_(
            "This group was chosen on %(day)s, for a week. Between them, these children have "
            "recently got %(right)s of %(n)s answers right."
        )
        why = _(line, day=filters.short_date(one.day), right=one.right, n=one.n)
    skill = _("They practise: %(skill)s.", skill=_(SKILLS[one.skills[0]].name).rstrip("?"))
    return Advice(
        one,
        _("%(who)s: play %(game)s with them for ten minutes.", who=who, game=game),
        f"{why} {skill}",
        _("Seat them at %(game)s", game=game),
    )


def _paper(one: Suggestion, who: str) -> Advice:
    low, high = one.numbers or (1, 1)
    line = (
        N_("%(who)s: dots to count on paper, numbers %(low)s to %(high)s.")
        if one.strand == "counting"
        else N_("%(who)s: number bonds on paper, numbers to %(high)s.")
    )
    n = len(one.children)
    return Advice(
        one,
        _(line, who=who, low=low, high=high),
        _below(one),
        ngettext("Print the sheet", "Print %(count)s sheets", n, count=in_words(n)),
    )


def _below(one: Suggestion) -> str:
    return ngettext(
        "This child is likely below the level we expect at this age: %(right)s of %(n)s answers "
        "right.",
        "Each of them is likely below the level we expect at this age: %(right)s of %(n)s answers "
        "right between them.",
        len(one.children),
        right=one.right,
        n=one.n,
    )


def _things(one: Suggestion, who: str) -> Advice:
    line = (
        N_("%(who)s: lay out two rows of real things, side by side, and see which is longer.")
        if one.strand == "comparing"
        else N_("%(who)s: sort real things into two heaps, then into three.")
    )
    return Advice(one, _(line, who=who), _below(one), "")


def _open(one: Suggestion, who: str) -> Advice:
    line = N_("%(who)s: play with the board open, against fewer players, or %(game)s.")
    mine, others = Share(one.right, one.n), one.others or Share(0, 0)
    why = ngettext(
        "In play this child used %(right)s of %(n)s chances to remember (%(likely)s), and the "
        "others used %(more)s of %(all)s.",
        "In play they used %(right)s of %(n)s chances to remember (%(likely)s), and the others "
        "used %(more)s of %(all)s.",
        len(one.children),
        right=mine.right,
        n=mine.n,
        likely=likely(mine),
        more=others.right,
        all=others.n,
    )
    pairs = GAME_NAMES["wish_pairs"]  # outside `_`, where the key would be taken for a text
    return Advice(one, _(line, who=who, game=_(pairs)), why, "")


def _focus(one: Suggestion, _who: str) -> Advice:
    what = _(WHAT[one.strand])
    why = N_(
        "%(some)s of %(all)s children are still at an early stage for their age: %(right)s of "
        "%(n)s answers right."
    )
    skills = ", ".join(_(SKILLS[key].name).rstrip("?") for key in one.skills)
    return Advice(
        one,
        _("Ask the whole class more questions about %(what)s for a while.", what=what),
        _(why, some=one.some, all=one.all, right=one.right, n=one.n)
        + " "
        + _("These skills are asked about first: %(skills)s.", skills=skills),
        _("Ask more about %(what)s", what=what),
    )


_DEEDS: Final[dict[str, Callable[[Suggestion, str], Advice]]] = {
    "group": _group,
    "play": _play,
    "paper": _paper,
    "things": _things,
    "open": _open,
    "focus": _focus,
}


# ---- for a family
#
# First come three sentences about one strand: what the child can do, what comes next, and what to
# do at home. The sentences are kind, describe only this child, and never pass a verdict.

# The ideas for each strand, one for each range of its scale, easiest first. If there are more
# ranges than ideas, the last idea is used for the rest.
IDEAS: Final[dict[Strand, tuple[str, ...]]] = {
    "counting": (
        N_("count the stairs aloud together, one number for each step."),
        N_("lay the table and ask how many spoons there are, and how many more are needed."),
        N_("tip out a bag of beans, make heaps of ten, and count how many there are."),
        N_("read the house numbers on your way, and say which one comes next."),
    ),
    "comparing": (
        N_("put grapes on two plates and ask which has more; then count to see."),
        N_("pair up socks and shoes: are there more of one than of the other, and how many more?"),
        N_("build two towers that differ by one brick, and ask which is taller and by how much."),
    ),
    "adding": (
        N_("hide some of five buttons under a cup and ask how many are hidden."),
        N_("roll two dice and say together how many dots there are."),
        N_(
            "play shop with coins: this costs eight and that costs five, so how much is that "
            "together?"
        ),
        N_("keep the score of a game together, and add it up after every turn."),
    ),
    "sorting": (
        N_("sort the clean socks by colour, and say how you did it."),
        N_("sort the cutlery, then mix it up and sort it in another way."),
        N_("collect leaves, sort them into three heaps, and count each heap."),
    ),
    "recall": (
        N_("look at three things on a tray, cover them, and ask which ones were there."),
        N_("take turns to say “I packed my bag and I took …”, and add one thing each time."),
    ),
}


def family_sentences(name: str, levels: Mapping[Strand, Level]) -> tuple[str, ...]:
    """The three sentences about a child; only two while no level is known."""
    told = at_home(levels)
    ideas = IDEAS[told.next.strand]
    idea = _("At home: %(idea)s", idea=_(ideas[min(told.idea, len(ideas) - 1)]))
    if told.level is None:
        begun = _(
            "%(name)s has just begun. After a few rounds there will be more to say.", name=name
        )
        return begun, idea
    return _can(name, told.level), _next(told.next), idea


def _can(name: str, level: Level) -> str:
    if level.strand == "recall" and level.about == 1:
        said = _("%(name)s remembers the latest ask: who asked, and for what.", name=name)
    else:
        said = _(_CAN[level.strand], name=name, n=filters.in_words(level.about))
    taken = ", ".join(taken_words(level)) if level.strand == "recall" else ""
    return said + " " + _("Remembered in play: %(taken)s.", taken=taken) if taken else said


_CAN: Final[dict[Strand, str]] = {
    "counting": N_("%(name)s counts up to about %(n)s."),
    "comparing": N_("%(name)s sees which of two sets is bigger, up to about %(n)s."),
    "adding": N_("%(name)s can add numbers up to about %(n)s."),
    "sorting": N_("%(name)s can sort about %(n)s things."),
    "recall": N_("%(name)s remembers who asked for what, up to about %(n)s asks ago."),
}


def _next(steps: HomeSteps) -> str:
    if steps.beyond:
        return _(_BEYOND[steps.strand])
    one, some = _NEXT[steps.strand]
    last = filters.in_words(steps.last)
    first = str(steps.first) if last.isdigit() else filters.in_words(steps.first)
    return _(one, n=last) if steps.first == steps.last else _(some, first=first, last=last)


_NEXT: Final[dict[Strand, tuple[str, str]]] = {
    "counting": (
        N_("What comes next: counting %(n)s things."),
        N_("What comes next: counting %(first)s to %(last)s things."),
    ),
    "comparing": (
        N_("What comes next: comparing sets of %(n)s."),
        N_("What comes next: comparing sets of %(first)s to %(last)s."),
    ),
    "adding": (
        N_("What comes next: sums of %(n)s."),
        N_("What comes next: sums of %(first)s to %(last)s."),
    ),
    "sorting": (
        N_("What comes next: sorting %(n)s things."),
        N_("What comes next: sorting %(first)s to %(last)s things."),
    ),
    "recall": (
        N_("What comes next: remembering what was asked %(n)s asks ago."),
        N_("What comes next: remembering what was asked %(first)s to %(last)s asks ago."),
    ),
}
_BEYOND: Final[dict[Strand, str]] = {
    "counting": N_("What comes next: numbers over twenty."),
    "comparing": N_("What comes next: comparing numbers over twenty."),
    "adding": N_("What comes next: sums over twenty."),
    "sorting": N_("What comes next: sorting more than twenty things."),
    "recall": N_("What comes next: remembering what was asked even longer ago."),
}


def at_home_lines(home: HomeDays | None) -> tuple[str, ...]:
    """How many of a child's answers at home were right, one line for each strand."""
    return tuple(
        _(
            "%(strand)s: %(right)s of %(answers)s",
            strand=_(STRAND_NAMES[strand]),
            right=right,
            answers=answers,
        )
        for strand, answers, right in (home.strands if home else ())
    )
