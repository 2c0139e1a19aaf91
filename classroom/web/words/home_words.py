"""What a family is told first, in three sentences about one strand: what the child can do, what
comes next, what to do at home; and what a child showed at home.

The sentences are kind, speak of this child alone, and never pass a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from classroom.learning.home import Steps, at_home
from classroom.learning.levels import Level
from classroom.learning.skills import Strand
from classroom.services.reports.figures import AtHome
from classroom.web.words import filters
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.level_words import STRAND_NAMES, taken_words

# For each strand, an idea for each range of its scale, the easiest first. Where there are more
# ranges than ideas, the last idea serves for the rest.
IDEAS: Final[dict[Strand, tuple[str, ...]]] = {
    "counting": (
        N_("count the stairs aloud together, one number for each step."),
        N_("lay the table and ask how many spoons are there, and how many more are needed."),
        N_("tip out a bag of beans, make heaps of ten, and count how many there are."),
        N_("read the numbers of the houses on your way, and say which one comes next."),
    ),
    "comparing": (
        N_("put grapes on two plates and ask which has more; then count to see."),
        N_("pair up socks and shoes: of which are there more, and how many more?"),
        N_("build two towers that differ by one brick, and ask which is taller and by how much."),
    ),
    "adding": (
        N_("hide some of five buttons under a cup and ask how many are hidden."),
        N_("roll two dice and say together how many dots there are."),
        N_("play shop with coins: this costs eight and that costs five, how much together?"),
        N_("keep the score of a game together, and add it up after every turn."),
    ),
    "sorting": (
        N_("sort the clean socks by colour, and say how you did it."),
        N_("sort the cutlery, then mix it and sort it in another way."),
        N_("collect leaves, sort them into three heaps, and count each heap."),
    ),
    "recall": (
        N_("look at three things on a tray, cover them, and ask which ones were there."),
        N_("say “I packed my bag and took …” in turns, and add one thing each time."),
    ),
}


def sentences(name: str, levels: Mapping[Strand, Level]) -> tuple[str, ...]:
    """The three sentences about a child; two while nothing is known."""
    told = at_home(levels)
    ideas = IDEAS[told.next.strand]
    idea = _("At home: %(idea)s", idea=_(ideas[min(told.idea, len(ideas) - 1)]))
    if told.level is None:
        begun = _("%(name)s has just begun; after a few rounds there is more to tell.", name=name)
        return begun, idea
    return _can(name, told.level), _next(told.next), idea


def _can(name: str, level: Level) -> str:
    if level.strand == "recall" and level.about == 1:
        said = _("%(name)s remembers who asked for what: the newest ask.", name=name)
    else:
        said = _(_CAN[level.strand], name=name, n=filters.in_words(level.about))
    taken = ", ".join(taken_words(level)) if level.strand == "recall" else ""
    return f"{said} {_('In play: %(taken)s.', taken=taken)}" if taken else said


_CAN: Final[dict[Strand, str]] = {
    "counting": N_("%(name)s counts to about %(n)s."),
    "comparing": N_("%(name)s sees which of two sets is greater, up to about %(n)s."),
    "adding": N_("%(name)s adds to about %(n)s."),
    "sorting": N_("%(name)s sorts about %(n)s things."),
    "recall": N_("%(name)s remembers who asked for what, up to about %(n)s asks back."),
}


def _next(steps: Steps) -> str:
    if steps.beyond:
        return _(_BEYOND[steps.strand])
    one, some = _NEXT[steps.strand]
    last = filters.in_words(steps.last)
    first = str(steps.first) if last.isdigit() else filters.in_words(steps.first)
    return _(one, n=last) if steps.first == steps.last else _(some, first=first, last=last)


_NEXT: Final[dict[Strand, tuple[str, str]]] = {
    "counting": (
        N_("What comes next: counting %(n)s."),
        N_("What comes next: counting %(first)s to %(last)s."),
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
        N_("What comes next: what was asked %(n)s asks back."),
        N_("What comes next: what was asked %(first)s to %(last)s asks back."),
    ),
}
_BEYOND: Final[dict[Strand, str]] = {
    "counting": N_("What comes next: numbers over twenty."),
    "comparing": N_("What comes next: comparing numbers over twenty."),
    "adding": N_("What comes next: sums over twenty."),
    "sorting": N_("What comes next: sorting more than twenty things."),
    "recall": N_("What comes next: what was asked still longer ago."),
}


def at_home_lines(home: AtHome | None) -> tuple[str, ...]:
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
