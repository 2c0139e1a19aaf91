"""Earlier asks: public history as tags for the line and as rows for the board.

minds.board decides which history a child may see; this module adds the faces.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final

from classroom.engine.observation import Observation
from classroom.minds.board import Board, Mark, asked_rows
from classroom.web.child.card_faces import LOOKS, ClassFace, Faces, faces_of

PLAIN: Final = frozenset({"asked", "got", "fished"})
"""The kinds of sign that the youngest see."""


@dataclass(frozen=True, slots=True)
class Tag:
    """`asker` asked `target` (None: everybody) for a class.

    `came`: how many cards were given, None while the ask is still open.
    """

    seq: int
    asker: int
    target: int | None
    asks: ClassFace
    came: int | None


@dataclass(frozen=True, slots=True)
class BoardSign:
    """One thing a player did. `kind`: as in minds.board.Mark. `asks`: the class it was about, or
    that of a book; None if it is not public. `target`: who was asked, None for everybody."""

    kind: str
    asks: ClassFace | None
    number: int
    target: int | None = None


@dataclass(frozen=True, slots=True)
class BoardTurn:
    """What one player did in one move: asked, with the outcome and any books; gave; or had none."""

    seq: int
    signs: tuple[BoardSign, ...]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The turns of one player, oldest first."""

    seat: int
    turns: tuple[BoardTurn, ...]

    @property
    def asks(self) -> BoardRow:
        """Only this player's asks, each a bubble followed by a giving hand or a hook: for the
        youngest, who would get lost in all seven kinds of sign."""
        asks = tuple(_plain(turn) for turn in self.turns if turn.signs[0].kind == "asked")
        return BoardRow(self.seat, asks)


def _plain(turn: BoardTurn) -> BoardTurn:
    return BoardTurn(turn.seq, tuple(sign for sign in turn.signs if sign.kind in PLAIN))


def tags(
    observation: Observation, look: str = LOOKS[0], last: int | None = None
) -> tuple[Tag, ...]:
    """Every ask of the round with its outcome, oldest first; if `last` is given, only that many of
    the latest. This is history, never a deduction."""
    faces = faces_of(observation.rules, look)
    return tuple(
        Tag(
            row.seq,
            row.asker,
            None if row.target == "all" else row.target,
            faces.asks(row.class_),
            None if row.outcome == "waiting" else row.number if row.givers else 0,
        )
        for row in asked_rows(observation, last)
    )


def lines(board: Board, faces: Faces) -> tuple[BoardRow, ...]:
    """The board's rows with faces; the marks of one move are grouped into a turn."""
    return tuple(
        BoardRow(
            line.seat,
            tuple(
                BoardTurn(seq, tuple(_sign(mark, faces) for mark in marks))
                for seq, marks in groupby(line.marks, key=lambda mark: mark.seq)
            ),
        )
        for line in board.lines
    )


def _sign(mark: Mark, faces: Faces) -> BoardSign:
    if mark.cards:
        return BoardSign(mark.kind, faces.book(mark.cards), mark.number)
    target = None if mark.target == "all" else mark.target
    asks = faces.asks(mark.class_) if mark.class_ else None
    return BoardSign(mark.kind, asks, mark.number, target)
