"""The table as one child sees it: one frozen value for the page, made from an Observation.

It holds numbers, keys and flags; every word and picture for them lives in templates. What can be
asked is what can be tapped: both come from `Observation.legal` and from nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from classroom.engine.actions import Ask
from classroom.engine.cards import Card, deck_of
from classroom.engine.observation import Observation
from classroom.web.asked import Mark, marks
from classroom.web.faces import CardFace, ClassFace, card_faces, class_face
from classroom.web.steps import Step, steps_since

if TYPE_CHECKING:
    from classroom.services.rounds import Seated, Table

SHOWN = ("classic", "classic_face_down", "colour_pairs", "rank_pairs")
"""The games that have words and pictures for children (templates/games): these can be started."""

TAGS = 6
"""Asks on the line at the top; the board has them all."""

LATEST = 12
"""Moves whose steps are sent at most: who was away longer is shown the present."""

Chosen = tuple[str | None, str | int | None]


@dataclass(frozen=True, slots=True)
class Book:
    """A book on a shelf: what it is made of, or None where it lies face down for this viewer."""

    asks: ClassFace | None
    new: bool


@dataclass(frozen=True, slots=True)
class Fan:
    """All my cards of one class. `can`: may be asked for now; `new`: a card of it has just come."""

    asks: ClassFace
    cards: tuple[CardFace, ...]
    can: bool
    chosen: bool
    new: bool

    @property
    def width(self) -> float:
        """How wide it lies, in cards: each further card shows a third of itself."""
        return 1 + 0.34 * (len(self.cards) - 1)


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at the table. `place`: 0 is me, then clockwise. `can`: may be asked now."""

    seat: int
    place: int
    name: str
    animal: str
    pad: int
    cards: int
    books: tuple[Book, ...]
    turn: bool
    away: bool
    thinking: bool
    can: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """All that the table's page needs. `v`: number of the last move; `steps`: those to be shown.

    `seats` in seat order; `ring` the others, clockwise from me. `fans` by number. `line` the last
    asks, newest first; `board` all asks, by asker. `next`: the one thing to do now: class, target,
    ask, or "" when it is not my turn. `look`: how full the pond is drawn: many, some, few, one,
    none; `pond` is the true number. `best`: most books, for the round's end.
    """

    round_id: int
    game: str
    v: int
    me: Seat
    ring: tuple[Seat, ...]
    seats: tuple[Seat, ...]
    fans: tuple[Fan, ...]
    pond: int
    look: str
    my_turn: bool
    next: str
    asks: ClassFace | None
    target: Seat | None
    steps: tuple[Step, ...]
    line: tuple[Mark, ...]
    board: tuple[tuple[Seat, tuple[Mark, ...]], ...]
    has_board: bool
    has_hints: bool
    over: bool

    @property
    def wide(self) -> int:
        """How wide my hand lies, in half cards, rounded up: the page fits its cards to it."""
        return ceil(2 * sum(fan.width for fan in self.fans))


def table_view(table: Table, since: int | None = None, chosen: Chosen = (None, None)) -> TableView:
    """What one seat's page shows of a table.

    `since`: the last move that the page has shown; None: a first look, with nothing to replay.
    `chosen`: class and target taken so far (without scripts); what cannot be asked is not chosen.
    """
    seen = table.observation
    asks = tuple(action for action in seen.legal if isinstance(action, Ask))
    class_, target = _chosen(asks, chosen)
    steps = () if since is None else steps_since(seen, max(since, seen.seq - LATEST))
    seats = tuple(_seats(table, asks, target, steps))
    me = next(seat for seat in seats if seat.place == 0)
    asked = marks(seen)
    return TableView(
        round_id=table.round_id,
        game=table.game,
        v=seen.seq,
        me=me,
        ring=tuple(sorted((s for s in seats if s.place), key=lambda s: s.place)),
        seats=seats,
        fans=tuple(_fans(seen, asks, class_, steps)),
        pond=seen.stock_size,
        look=_look(seen.stock_size),
        my_turn=bool(asks),
        next=_next(asks, class_, target),
        asks=class_face(class_) if class_ else None,
        target=next((seat for seat in seats if seat.seat == target), None),
        steps=steps,
        line=asked[: -TAGS - 1 : -1] if table.board else (),
        board=_board(seats, asked) if table.board else (),
        has_board=table.board,
        has_hints=table.hints,
        over=seen.over,
    )


def _chosen(asks: tuple[Ask, ...], chosen: Chosen) -> tuple[str | None, int | None]:
    """Class and target where they may be asked for; the only target there is chooses itself."""
    class_, wanted = chosen
    targets = {str(ask.target): ask.target for ask in asks}
    target = targets.get(str(wanted)) if len(targets) > 1 else next(iter(targets.values()), None)
    known = any(ask.class_ == class_ for ask in asks)
    return class_ if known else None, target if isinstance(target, int) else None


def _next(asks: tuple[Ask, ...], class_: str | None, target: int | None) -> str:
    if not asks:
        return ""
    if class_ is None:
        return "class"
    return "target" if target is None else "ask"


def _seats(
    table: Table, asks: tuple[Ask, ...], chosen: int | None, steps: tuple[Step, ...]
) -> Iterator[Seat]:
    seen = table.observation
    mine = next(player.seat for player in table.players if player.me)
    for player in table.players:
        yield Seat(
            seat=player.seat,
            place=(player.seat - mine) % seen.seats,
            name=player.name,
            animal=player.animal,
            pad=player.pad,
            cards=seen.hand_sizes[player.seat],
            books=tuple(_books(seen, player, steps)),
            turn=seen.turn == player.seat,
            away=player.away,
            thinking=player.seat in table.thoughts,
            can=any(ask.target == player.seat for ask in asks),
            chosen=player.seat == chosen,
        )


def _books(seen: Observation, player: Seated, steps: tuple[Step, ...]) -> Iterator[Book]:
    new = {step.asks for step in steps if step.kind == "book" and step.seat == player.seat}
    for cards in seen.books[player.seat]:
        asks = class_face(deck_of(seen.rules).class_of(cards[0])) if cards else None
        yield Book(asks, asks in new)


def _fans(
    seen: Observation, asks: tuple[Ask, ...], chosen: str | None, steps: tuple[Step, ...]
) -> Iterator[Fan]:
    deck = deck_of(seen.rules)
    held: dict[str, list[Card]] = {}
    for card in seen.hand:
        held.setdefault(deck.class_of(card), []).append(card)
    can = {ask.class_ for ask in asks}
    came = _came(seen, steps)
    for face, cards in sorted(
        ((class_face(class_), tuple(cards)) for class_, cards in held.items()),
        key=lambda pair: (pair[0].number, pair[0].kind),
    ):
        faces = card_faces(cards)
        yield Fan(face, faces, face.key in can, face.key == chosen, bool(came & set(faces)))


def _came(seen: Observation, steps: tuple[Step, ...]) -> set[CardFace]:
    """The cards that these steps brought to my hand."""
    return {
        card
        for step in steps
        for card in step.cards
        if (step.kind in ("fished", "refilled") and step.seat == seen.viewer)
        or (step.kind == "gave" and step.other == seen.viewer)
    }


def _look(stock: int) -> str:
    return next(look for more, look in _LOOKS if stock > more)


_LOOKS = ((12, "many"), (5, "some"), (1, "few"), (0, "one"), (-1, "none"))


def _board(
    seats: tuple[Seat, ...], asked: tuple[Mark, ...]
) -> tuple[tuple[Seat, tuple[Mark, ...]], ...]:
    """Who asked for what: the others clockwise, me last, each in the order of time."""
    order = sorted(seats, key=lambda seat: seat.place or len(seats))
    return tuple((seat, tuple(m for m in asked if m.asker == seat.seat)) for seat in order)
