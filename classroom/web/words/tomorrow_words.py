"""What to do tomorrow, in words: the line, why, and what its button says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from classroom.learning.estimates import Share
from classroom.learning.skills import SKILLS, Strand
from classroom.learning.tomorrow import Suggestion
from classroom.web.words.filters import GAME_NAMES, in_words, likely
from classroom.web.words.language import N_, ngettext
from classroom.web.words.language import gettext as _

_WHAT: Final[dict[Strand, str]] = {  # what the questions are about
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


@dataclass(frozen=True, slots=True)
class Words:
    """A suggestion in words. `button`: the label of the button that carries it out."""

    line: str
    why: str
    button: str


def words(one: Suggestion, names: Sequence[str]) -> Words:
    """Put a suggestion into words. `names`: the names of its children, in its order."""
    return _DEEDS[one.deed](one, together(names))


def what(strand: Strand) -> str:
    """What a strand's questions are about, to be translated."""
    return _WHAT[strand]


def together(names: Sequence[str]) -> str:
    """Join names: "Mia", "Mia and Ben", "Mia, Ben and Ada"."""
    *first, last = names or ("",)
    return _("%(some)s and %(last)s", some=", ".join(first), last=last) if first else last


def _play(one: Suggestion, who: str) -> Words:
    game = _(GAME_NAMES[str(one.game)])
    why = _(
        "They are %(level)s: %(right)s of %(n)s right between them.",
        level=_(_IN[one.strand]),
        right=one.right,
        n=one.n,
    )
    if one.numbers:
        more = _("The game makes sums of %(top)s.", top=one.numbers[1])
    else:
        more = _("The questions in between suit each child by themselves.")
    return Words(
        _("%(who)s: play %(game)s together.", who=who, game=game),
        f"{why} {more}",
        _("Seat them at %(game)s", game=game),
    )


def _paper(one: Suggestion, who: str) -> Words:
    low, high = one.numbers or (1, 1)
    line = (
        N_("%(who)s: dots to count on paper, numbers %(low)s to %(high)s.")
        if one.strand == "counting"
        else N_("%(who)s: number bonds on paper, numbers to %(high)s.")
    )
    n = len(one.children)
    return Words(
        _(line, who=who, low=low, high=high),
        _below(one),
        ngettext("Print the sheet", "Print %(count)s sheets", n, count=in_words(n)),
    )


def _below(one: Suggestion) -> str:
    return ngettext(
        "Likely below our line for the age: %(right)s of %(n)s right.",
        "Each is likely below our line for the age: %(right)s of %(n)s right between them.",
        len(one.children),
        right=one.right,
        n=one.n,
    )


def _things(one: Suggestion, who: str) -> Words:
    line = (
        N_("%(who)s: lay out two rows of real things, side by side, and see which is longer.")
        if one.strand == "comparing"
        else N_("%(who)s: sort real things into two heaps, then into three.")
    )
    return Words(_(line, who=who), _below(one), "")


def _open(one: Suggestion, who: str) -> Words:
    line = N_("%(who)s: play with the board open, against fewer players, or %(game)s.")
    mine, others = Share(one.right, one.n), one.others or Share(0, 0)
    why = ngettext(
        "Of what it could remember in play, it took %(right)s of %(n)s (%(likely)s) at the first "
        "chance, and the others %(more)s of %(all)s.",
        "Of what they could remember in play, they took %(right)s of %(n)s (%(likely)s) at the "
        "first chance, and the others %(more)s of %(all)s.",
        len(one.children),
        right=mine.right,
        n=mine.n,
        likely=likely(mine),
        more=others.right,
        all=others.n,
    )
    return Words(_(line, who=who, game=_(GAME_NAMES["wish_pairs"])), why, "")


def _focus(one: Suggestion, _who: str) -> Words:
    what = _(_WHAT[one.strand])
    why = N_(
        "%(some)s of %(all)s children are at the start for their age: %(right)s of %(n)s right."
    )
    skills = ", ".join(_(SKILLS[key].name).rstrip("?") for key in one.skills)
    return Words(
        _("The class: more questions about %(what)s for a while.", what=what),
        _(why, some=one.some, all=one.all, right=one.right, n=one.n)
        + " "
        + _("First: %(skills)s.", skills=skills),
        _("Ask more about %(what)s", what=what),
    )


_DEEDS: Final[dict[str, Callable[[Suggestion, str], Words]]] = {
    "play": _play,
    "paper": _paper,
    "things": _things,
    "open": _open,
    "focus": _focus,
}
