"""What happened since the page last looked, as steps to be shown one after the other.

A step is data: who, to whom, which number, which cards this viewer saw, and the counts that are
true once it is over. Words and pictures for it live in templates, pace and motion in the script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from classroom.engine import events as e
from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Seen
from classroom.web.faces import CardFace, ClassFace, card_faces, class_face


@dataclass(frozen=True, slots=True)
class Counts:
    """What can be counted by everybody: cards in the pond, cards and books of each seat."""

    pond: int
    hands: tuple[int, ...]
    books: tuple[int, ...]

    def plus(self, pond: int = 0, seat: int = 0, cards: int = 0, books: int = 0) -> Counts:
        """These counts with so many more in the pond, or with a seat."""
        return Counts(
            self.pond + pond,
            tuple(n + cards * (i == seat) for i, n in enumerate(self.hands)),
            tuple(n + books * (i == seat) for i, n in enumerate(self.books)),
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to show. `id`: number of the move and place in it; `seq`: number of the move.

    `kind`: asked, gave, gofish, fished, lucky, book, refilled, turn, over. `seat` does it, `other`
    is the one asked, given to or next. `cards`: the faces this viewer saw, else empty.
    `counts`: after the step.
    """

    id: str
    seq: int
    kind: str
    seat: int
    other: int | None
    asks: ClassFace | None
    number: int
    cards: tuple[CardFace, ...]
    counts: Counts


def counts_now(seen: Observation) -> Counts:
    return Counts(seen.stock_size, seen.hand_sizes, tuple(map(len, seen.books)))


def steps_since(seen: Observation, since: int) -> tuple[Step, ...]:
    """The steps of the moves after number `since`, from the viewer's own history only."""
    news = [item for item in seen.history if item.seq > since]
    told = [(item, _step(item, _private(item, news))) for item in news]
    steps: list[Step] = []
    counts = counts_now(seen)
    for item, step in reversed(told):  # the counts are known for the end, so go back from there
        if step is not None:
            steps.append(replace(step, counts=counts))
        counts = _before(item.event, counts, seen.rules.book_size)
    return tuple(replace(step, id=f"s{step.seq}-{i}") for i, step in _placed(reversed(steps)))


def _placed(steps: Iterator[Step]) -> Iterator[tuple[int, Step]]:
    place, last = 0, -1
    for step in steps:
        place, last = (place + 1 if step.seq == last else 1), step.seq
        yield place, step


def _step(item: Seen, cards: tuple[Card, ...]) -> Step | None:
    found = _told(item.event)
    if found is None:
        return None
    kind, seat, other, class_, number = found
    asks = class_face(class_) if class_ else None
    return Step("", item.seq, kind, seat, other, asks, number, card_faces(cards), Counts(0, (), ()))


_Told = tuple[str, int, int | None, str | None, int]


def _told(event: e.Event) -> _Told | None:
    """Kind, seat, other seat, class and number of a public event; None: nothing to show."""
    match event:
        case e.Asked(seat=seat, target=int(target), class_=class_):
            return "asked", seat, target, class_, 0
        case e.Gave(giver=giver, taker=taker, class_=class_, number=number):
            return "gave", giver, taker, class_, number
        case e.SaidGoFish(seat=seat, asker=asker, class_=class_):
            return "gofish", seat, asker, class_, 0
        case e.Fished(seat=seat):
            return "fished", seat, None, None, 1
        case e.Lucky(seat=seat, class_=class_):
            return "lucky", seat, None, class_, 1
        case e.LaidBook(seat=seat, class_=class_, cards=cards):
            return "book", seat, None, class_, len(cards)
        case e.LaidFaceDown(seat=seat):
            return "book", seat, None, None, 0
        case e.Refilled(seat=seat, number=number):
            return "refilled", seat, None, None, number
        case e.TurnPassed(seat=seat, to=to):
            return "turn", seat, to, None, 0
        case e.RoundOver():
            return "over", 0, None, None, 0
    return None


def _private(item: Seen, news: list[Seen]) -> tuple[Card, ...]:
    """The cards behind a public event, where this viewer saw them too."""
    match item.event:
        case e.LaidBook(cards=cards):
            return cards
        case e.Lucky(card=card):
            return (card,)
    for other in news:
        if other.seq == item.seq and (cards := _behind(item.event, other.event)):
            return cards
    return ()


def _behind(public: e.Event, private: e.Event) -> tuple[Card, ...]:
    match public, private:
        case e.Gave(giver=giver, taker=taker), e.GaveCards(giver=g, taker=t, cards=cards):
            return cards if (g, t) == (giver, taker) else ()
        case e.Fished(seat=seat), e.Drew(seat=drawer, card=card):
            return (card,) if drawer == seat else ()
        case e.Refilled(seat=seat), e.RefilledCards(seat=owner, cards=cards):
            return cards if owner == seat else ()
        case e.LaidFaceDown(seat=seat), e.LaidFaceDownCards(seat=owner, cards=cards):
            return cards if owner == seat else ()
    return ()


def _before(event: e.Event, counts: Counts, book: int) -> Counts:
    """The counts before an event, from those after it."""
    match event:
        case e.Gave(giver=giver, taker=taker, number=number):
            return counts.plus(seat=giver, cards=number).plus(seat=taker, cards=-number)
        case e.Fished(seat=seat):
            return counts.plus(pond=1, seat=seat, cards=-1)
        case e.Refilled(seat=seat, number=number):
            return counts.plus(pond=number, seat=seat, cards=-number)
        case e.LaidBook(seat=seat, cards=cards):
            return counts.plus(seat=seat, cards=len(cards), books=-1)
        case e.LaidFaceDown(seat=seat):
            return counts.plus(seat=seat, cards=book, books=-1)
    return counts


