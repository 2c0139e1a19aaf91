"""A ten-frame that shows a family what its child can do: the three sentences as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from classroom.learning.home import at_home
from classroom.learning.levels import Level
from classroom.learning.skills import Strand
from classroom.web.words.language import gettext as _

SIDE: Final = 54  # of a place
GAP: Final = 16  # between two frames
ROW, TEN, TWENTY = 5, 10, 20

Look = Literal["sure", "some", "next", ""]


@dataclass(frozen=True, slots=True)
class TenFrame:
    """One ten-frame, or two for numbers over ten. `places`: the left upper corner of each place,
    and what is in it: a solid dot (the child surely can do this number), a pale one (it probably
    can), a ring (this comes next) or nothing. `words`: the same."""

    strand: Strand
    places: tuple[tuple[int, int, Look], ...]
    words: str


def ten_frame(levels: Mapping[Strand, Level]) -> TenFrame | None:
    """The picture of what a family is told first. None while nothing is known, and for remembering,
    which is told in asks."""
    told = at_home(levels)
    level, steps = told.level, told.next
    if level is None or level.strand == "recall":
        return None
    sure, some = level.between[0], level.about
    last = some if steps.beyond else steps.last
    size = TEN if last <= TEN else TWENTY
    return TenFrame(
        strand=level.strand,
        places=tuple(
            (_left(at), at // ROW % 2 * SIDE, _look(at + 1, sure, some, last)) for at in range(size)
        ),
        words=_("Surely to %(sure)s, probably to %(some)s.", sure=sure, some=some),
    )


def _look(number: int, sure: int, some: int, last: int) -> Look:
    if number > last:
        return ""
    return "sure" if number <= sure else "some" if number <= some else "next"


def _left(at: int) -> int:
    return at % ROW * SIDE + at // TEN * (ROW * SIDE + GAP)
