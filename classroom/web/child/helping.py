"""Help as the page shows it: the fish's hints, and earlier asks on the line and on the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from classroom.engine.actions import Answer, Show, Target
from classroom.engine.observation import Observation
from classroom.minds.board import Board, Mark, asked_rows
from classroom.minds.hints import EVIDENCE, Hint
from classroom.web.child.card_faces import CardFace, ClassFace, Faces, faces_of

# ---- Earlier asks: public history as tags for the line and as rows for the board
#
# minds.board decides which history a child may see; this module adds the faces.

PLAIN: Final = frozenset({"asked", "got", "fished"})
"""The kinds of sign on the youngest children's board."""


@dataclass(frozen=True, slots=True)
class Tag:
    """An earlier ask of `asker` for the class `asks`. `target`: the seat that was asked, None for
    everybody. `came`: how many cards were given, None while the ask waits for an answer."""

    seq: int
    asker: int
    target: int | None
    asks: ClassFace
    came: int | None


@dataclass(frozen=True, slots=True)
class BoardSign:
    """One thing that a player did. `kind`: as in minds.board.Mark. `asks`: the class of the ask,
    the answer or the book; None if that is not public. `target`: the seat that was asked, None for
    everybody."""

    kind: str
    asks: ClassFace | None
    number: int
    target: int | None = None


@dataclass(frozen=True, slots=True)
class BoardTurn:
    """One player's part in a move: an ask with its outcome and books, or an answer to an ask."""

    seq: int
    signs: tuple[BoardSign, ...]


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The turns of one player, oldest first."""

    seat: int
    turns: tuple[BoardTurn, ...]

    @property
    def asks(self) -> BoardRow:
        """This player's asks alone, each a bubble followed by a giving hand or a hook. The youngest
        children would get lost in all seven kinds of sign."""
        asks = tuple(
            BoardTurn(turn.seq, tuple(sign for sign in turn.signs if sign.kind in PLAIN))
            for turn in self.turns
            if turn.signs[0].kind == "asked"
        )
        return BoardRow(self.seat, asks)


def asked_tags(observation: Observation, last: int | None = None) -> tuple[Tag, ...]:
    """The asks in the round with their outcomes, oldest first; only the latest `last` asks if
    `last` is given. This is history, never a deduction."""
    faces = faces_of(observation.rules)
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


def asked_lines(board: Board, faces: Faces) -> tuple[BoardRow, ...]:
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


# ---- A hint step as the page shows it: what the fish says, and what lights up on the table

SHOWN: Final = 3  # how many asks of a proof are drawn at most; a child cannot take in more


@dataclass(frozen=True, slots=True)
class Help:
    """One hint. `kind`, `who` (None: everyone), `asks` and `told`: as `kind`, `seat`, `class_` and
    `told` in minds.hints.Hint, but with faces. `tags`: the asks that prove it, newest last.
    `choices`: two (who, asks) pairs. `cards`: the card fished, or the cards to lay. `show`: whether
    to show the card fished. `lit`: the ids of the elements that light up."""

    kind: str
    who: int | None
    asks: ClassFace | None
    told: ClassFace | None
    tags: tuple[Tag, ...]
    choices: tuple[tuple[int | None, ClassFace], ...]
    numbers: tuple[int, ...]
    cards: tuple[CardFace, ...]
    show: bool
    lit: tuple[str, ...]


def help_view(hint: Hint, observation: Observation, look: str) -> Help:
    """The hint, with faces from this deck. `look`: how the numbers in Make Ten are shown."""
    faces = faces_of(observation.rules, look)
    proof = [tag for tag in asked_tags(observation) if tag.seq in hint.evidence]
    return Help(
        kind=hint.kind,
        who=_who(hint.seat),
        asks=faces.asks(hint.class_) if hint.class_ else None,
        told=faces.asks(hint.told) if hint.told else None,
        tags=tuple(proof[-SHOWN:]) if hint.step == EVIDENCE else (),
        choices=tuple((_who(seat), faces.asks(class_)) for seat, class_ in hint.choices),
        numbers=hint.numbers,
        cards=faces.cards(hint.cards) if hint.class_ is None else (),
        show=isinstance(hint.action, Show) and hint.action.show,
        lit=tuple(dict.fromkeys(_lit(hint, faces))),
    )


def _who(seat: Target | None) -> int | None:
    return seat if isinstance(seat, int) else None


def _lit(hint: Hint, faces: Faces) -> Iterator[str]:
    yield from (f"fan-{faces.fan(card)}" for card in hint.cards)
    seats = [seat for seat, _ in hint.choices] if hint.choices else [hint.seat]
    if hint.step >= EVIDENCE:
        yield from (f"seat-{seat}" for seat in seats if isinstance(seat, int))
    yield from (f"name-{number}" for number in hint.numbers)
    match hint.action:
        case Show(show=show):
            yield "show-yes" if show else "show-no"
        case Answer(answer=answer):
            yield f"answer-{answer}"
