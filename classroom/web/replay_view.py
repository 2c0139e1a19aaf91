"""A finished round, one move at a time: the picture after a move, what it was, and all moves.

Made from two Observations of the same viewer, at the move and at the end of the round; nothing
that this viewer could not see then is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from classroom.engine.cards import Card, deck_of
from classroom.engine.observation import Observation
from classroom.web.asked import Mark, marks
from classroom.web.faces import CardFace, ClassFace, card_faces, class_face
from classroom.web.steps import Step, steps_since
from classroom.web.table_view import Book

if TYPE_CHECKING:
    from classroom.services.figures import SureAsk
    from classroom.services.tables import Seated, Table

ALL: Final = "all"  # all hands: a deliberate choice

_NUMBERS: Final = (
    "zeros ones twos threes fours fives sixes sevens eights nines tens elevens twelves thirteens"
).split()
_KINDS: Final = {"rank": "", "warm": "warm ", "cool": "cool "}


@dataclass(frozen=True, slots=True)
class Fan:
    """The cards of one class in a hand."""

    asks: ClassFace
    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class ReplaySeat:
    """Who sits there after the move. `fans` is None where this viewer sees only backs.

    `acts`: asked in this move; `asked`: was asked; `turn`: is next.
    """

    seat: int
    name: str
    animal: str
    pad: int
    child: bool
    cards: int
    fans: tuple[Fan, ...] | None
    books: tuple[Book, ...]
    acts: bool
    asked: bool
    turn: bool


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened in the move: a sentence, and the cards the viewer saw in it."""

    kind: str
    words: str
    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class MoveLine:
    """One move in the list. `books`: laid in it; `sure`: whether a certain catch that was open was
    taken, None where none was (or nobody asked whose remembering is followed)."""

    move: int
    asker: ReplaySeat | None
    target: ReplaySeat | None
    asks: ClassFace | None
    came: int | None
    books: int
    words: str
    sure: bool | None
    now: bool
    later: bool


@dataclass(frozen=True, slots=True)
class ReplayView:
    """`view`: the seat looked from, as text, or "all". `back`, `next`: moves, None at the ends.

    `sure`: what was certain before this move, in words, for the asker's own seat and all hands.
    """

    round_id: int
    game: str
    move: int
    last: int
    view: str
    focus: ReplaySeat
    ring: tuple[ReplaySeat, ...]
    seats: tuple[ReplaySeat, ...]
    pond: int
    look: str
    told: tuple[Told, ...]
    asks: ClassFace | None
    sure: tuple[str, ...]
    moves: tuple[MoveLine, ...]
    back: int | None
    next: int | None


def replay_view(
    now: Table, end: Table, view: str, focus: int, sure: Mapping[int, SureAsk]
) -> ReplayView:
    """The page value. `focus`: the seat that sits nearest. `sure`: by move, the children's asks at
    which a catch was certain; shown only to a view that could know it."""
    seen, move, last = now.observation, now.seq, end.seq
    steps = steps_since(seen, move - 1) if move else ()
    seats = tuple(_seat(player, now, steps) for player in now.players)
    asked = next((step.asks for step in steps if step.kind == "asked"), None)
    around = [seats[(focus + at) % len(seats)] for at in range(1, len(seats))]
    return ReplayView(
        round_id=now.round_id,
        game=now.game,
        move=move,
        last=last,
        view=view,
        focus=seats[focus],
        ring=tuple(around),
        seats=seats,
        pond=seen.stock_size,
        look=_look(seen.stock_size),
        told=_deal(seen) if not move else tuple(_told(steps, seats)),
        asks=asked,
        sure=_certain(sure.get(move), steps, seats, view),
        moves=tuple(_moves(end, seats, move, _known_to(view, end, sure))),
        back=move - 1 if move else None,
        next=move + 1 if move < last else None,
    )


def class_words(asks: ClassFace) -> str:
    """A class as adults say it.

    >>> class_words(ClassFace("7", 7, "rank"))
    'sevens'
    """
    return _KINDS[asks.kind] + _NUMBERS[asks.number]


# ---- the picture


def _seat(player: Seated, table: Table, steps: tuple[Step, ...]) -> ReplaySeat:
    seen, seat = table.observation, player.seat
    hand = seen.hand if seen.viewer == seat else seen.hands[seat]
    return ReplaySeat(
        seat=seat,
        name=player.name,
        animal=player.animal,
        pad=player.pad,
        child=player.level is None,
        cards=seen.hand_sizes[seat],
        fans=None if hand is None else tuple(_fans(seen, hand)),
        books=tuple(_books(seen, seat)),
        acts=any(step.kind == "asked" and step.seat == seat for step in steps),
        asked=any(step.kind == "asked" and step.other == seat for step in steps),
        turn=seen.turn == seat,
    )


def _fans(seen: Observation, hand: tuple[Card, ...]) -> Iterator[Fan]:
    deck = deck_of(seen.rules)
    held: dict[str, list[Card]] = {}
    for card in hand:
        held.setdefault(deck.class_of(card), []).append(card)
    found = [(class_face(class_), tuple(cards)) for class_, cards in held.items()]
    for asks, cards in sorted(found, key=lambda pair: (pair[0].number, pair[0].kind)):
        yield Fan(asks, card_faces(cards))


def _books(seen: Observation, seat: int) -> Iterator[Book]:
    for cards in seen.books[seat]:
        yield Book(class_face(deck_of(seen.rules).class_of(cards[0])) if cards else None, False)


def _look(stock: int) -> str:
    return next(look for more, look in _LOOKS if stock > more)


_LOOKS: Final = ((12, "many"), (5, "some"), (1, "few"), (0, "one"), (-1, "none"))


# ---- the words


def _deal(seen: Observation) -> tuple[Told, ...]:
    return (Told("deal", f"The cards are dealt; {seen.stock_size} lie in the pond.", ()),)


def _told(steps: tuple[Step, ...], seats: tuple[ReplaySeat, ...]) -> Iterator[Told]:
    for step in steps:
        yield Told(step.kind, sentence(step, [seat.name for seat in seats]), step.cards)


def sentence(step: Step, names: list[str]) -> str:
    """What happened, in one sentence for adults."""
    who = names[step.seat]
    other = "" if step.other is None else names[step.other]
    what = class_words(step.asks) if step.asks else ""
    match step.kind:
        case "asked":
            return f"{who} asks {other} for {what}."
        case "gave":
            return f"{who} gives {_cards(step.number)}."
        case "gofish":
            return f"{who} has none: go fish."
        case "fished":
            return f"{who} fishes a card."
        case "lucky":
            return f"Lucky: it is one of the {what}, and {who} shows it."
        case "book":
            return f"{who} lays the book of {what}." if what else f"{who} lays a book face down."
        case "refilled":
            return f"{who} has no cards left and takes {_cards(step.number)} from the pond."
        case "turn":
            return f"Next is {other}."
        case "over":
            return "The round is over."
    raise ValueError(f"no words for a step of kind {step.kind}")


def _cards(number: int) -> str:
    return "one card" if number == 1 else f"{number} cards"


def _certain(
    sure: SureAsk | None, steps: tuple[Step, ...], seats: tuple[ReplaySeat, ...], view: str
) -> tuple[str, ...]:
    asker = next((step.seat for step in steps if step.kind == "asked"), None)
    if sure is None or asker is None or view not in (ALL, str(asker)):
        return ()
    return tuple(
        f"{seats[target].name} must have {class_words(class_face(class_))}, as seen "
        f"{'in the ask before' if lag == 1 else f'{lag} asks ago'}"
        for target, class_, lag in sure.known
    )


# ---- the list


def _moves(
    end: Table, seats: tuple[ReplaySeat, ...], now: int, sure: Mapping[int, SureAsk]
) -> Iterator[MoveLine]:
    seen = end.observation
    steps = steps_since(seen, 0)
    asked = {mark.seq: mark for mark in marks(seen)}
    yield _line(0, None, (), seats, now, None)
    for move in range(1, end.seq + 1):
        mine = tuple(step for step in steps if step.seq == move)
        yield _line(move, asked.get(move), mine, seats, now, sure.get(move))


def _known_to(view: str, end: Table, sure: Mapping[int, SureAsk]) -> dict[int, SureAsk]:
    """What was certain to the seat looked from; everybody's with all hands."""
    asked = {mark.seq: mark.asker for mark in marks(end.observation)}
    return {move: ask for move, ask in sure.items() if view in (ALL, str(asked.get(move)))}


def _line(
    move: int,
    mark: Mark | None,
    steps: tuple[Step, ...],
    seats: tuple[ReplaySeat, ...],
    now: int,
    sure: SureAsk | None,
) -> MoveLine:
    names = [seat.name for seat in seats]
    return MoveLine(
        move=move,
        asker=seats[mark.asker] if mark else None,
        target=seats[mark.target] if mark else None,
        asks=mark.asks if mark else None,
        came=mark.came if mark else None,
        books=sum(step.kind == "book" for step in steps),
        words=" ".join(sentence(step, names) for step in steps) or "The deal",
        sure=sure.taken if sure else None,
        now=move == now,
        later=move > now,
    )
