"""What was asked: public history as tags for the line and as lines for the board.

Which history a child may see is decided by minds.board; here it is given faces.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from classroom.engine.observation import Observation
from classroom.minds.board import Board, Mark, asked_rows
from classroom.web.child.card_faces import LOOKS, ClassFace, Faces, faces_of


@dataclass(frozen=True, slots=True)
class Tag:
    """`asker` asked `target` (None: everybody) for a class.

    `came`: cards given, 0 for none, None: still open.
    """

    seq: int
    asker: int
    target: int | None
    asks: ClassFace
    came: int | None


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing a player did. `kind`: as in minds.board.Mark. `asks`: the class, or what a book is
    made of; None where it is not public."""

    kind: str
    asks: ClassFace | None
    number: int


@dataclass(frozen=True, slots=True)
class Turn:
    """What one player did in one move: asked and what came of it, or gave, or had none."""

    seq: int
    signs: tuple[Sign, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """What one player did, oldest first."""

    seat: int
    turns: tuple[Turn, ...]


def tags(seen: Observation, look: str = LOOKS[0], last: int | None = None) -> tuple[Tag, ...]:
    """Every ask of the round with what came of it, oldest first, or the `last` ones. History, never
    a deduction."""
    faces = faces_of(seen.rules, look)
    return tuple(
        Tag(
            row.seq,
            row.asker,
            None if row.target == "all" else row.target,
            faces.asks(row.class_),
            None if row.outcome == "waiting" else row.number if row.givers else 0,
        )
        for row in asked_rows(seen, last)
    )


def lines(board: Board, faces: Faces) -> tuple[Line, ...]:
    """The board's lines with faces, the marks of one move together."""
    return tuple(
        Line(
            line.seat,
            tuple(
                Turn(seq, tuple(_sign(mark, faces) for mark in marks))
                for seq, marks in groupby(line.marks, key=lambda mark: mark.seq)
            ),
        )
        for line in board.lines
    )


def _sign(mark: Mark, faces: Faces) -> Sign:
    if mark.cards:
        return Sign(mark.kind, faces.book(mark.cards), mark.number)
    return Sign(mark.kind, faces.asks(mark.class_) if mark.class_ else None, mark.number)
