"""What has happened since the page was drawn, as a list of steps, and the voice's question."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import Final

from classroom.engine import events as e
from classroom.engine.cards import Card
from classroom.engine.observation import Observation, Seen
from classroom.minds.playing.forgetting import Thought
from classroom.services.table.choices import EVERY
from classroom.services.table.rounds import ViewedTable
from classroom.web.child.card_faces import LOOKS, CardFace, ClassFace, Faces, faces_of

# ---- What has happened since the page was drawn, as steps to show one by one
#
# A step is data: the seats, the number, the cards this viewer saw, and the counts after it. The
# words and pictures of a step are in templates, its pace and motion in the script.

STEP_KINDS = (
    "thought asked bait gave gofish howmany named fished picked replaced lucky hidden book layoff "
    "refilled baited lamp tide retired declared claimed passed paid left turn lost over"
).split()
"""Every kind of step; each has its sentences, and the page script handles each of them."""


@dataclass(frozen=True, slots=True)
class TableCounts:
    """What everyone can count: the cards in the pond, and each seat's cards and books. `hands` is
    empty if a public event does not say whether cards left the hand or the boat."""

    pond: int
    hands: tuple[int, ...]
    books: tuple[int, ...]

    def plus(self, pond: int = 0, seat: int = 0, cards: int = 0, books: int = 0) -> TableCounts:
        """These counts with `pond` more cards in the pond, and more cards or books at a seat."""
        return TableCounts(
            self.pond + pond,
            tuple(n + cards * (i == seat) for i, n in enumerate(self.hands)),
            tuple(n + books * (i == seat) for i, n in enumerate(self.books)),
        )


NO_COUNTS: Final = TableCounts(0, (), ())


@dataclass(frozen=True, slots=True)
class StepView:
    """One thing to show. `seq`: the number of its move; `id`: that number and the step's place in
    the move; `kind`: see STEP_KINDS. `seat` acts. `other` is asked, gets the cards, is fished from
    or moves next; None if everyone is asked or there is no other. `cards`: the faces that this
    viewer saw, else empty. `counts`: the counts after the step."""

    id: str
    seq: int
    kind: str
    seat: int
    other: int | None
    asks: ClassFace | None
    number: int
    cards: tuple[CardFace, ...]
    counts: TableCounts

    @property
    def receiver(self) -> int | None:
        """The seat that ends up with the cards or the book."""
        return self.other if self.kind == "gave" else self.seat

    @property
    def any_time(self) -> StepView:
        """The step without its number and counts, so that equal steps are drawn only once."""
        return replace(self, id="", seq=0, counts=NO_COUNTS)

    def about(self, me: int) -> int | None:
        """`me` if the step names that seat; the step's words are the same for all other seats."""
        return me if me in (self.seat, self.other) else None


_FROM_SOME_PILE = (e.Gave, e.LaidBook, e.Claimed, e.Compensated, e.Baited)


def counts_now(observation: Observation) -> TableCounts:
    return TableCounts(
        observation.stock_size, observation.hand_sizes, tuple(map(len, observation.books))
    )


def steps_since(observation: Observation, since: int, look: str = LOOKS[0]) -> tuple[StepView, ...]:
    """The steps of the moves after number `since`, from this viewer's history."""
    history = observation.history
    news = history[bisect_right(history, since, key=attrgetter("seq")) :]
    faces = faces_of(observation.rules, look)
    told = [  # the private half of an event comes right after its public half
        (item, _step(item, _private(item.event, after), faces))
        for item, after in zip_longest(news, news[1:])
    ]
    steps: list[StepView] = []
    counts = counts_now(observation)
    for item, step in reversed(told):  # only the counts at the end are known, so go backwards
        if step is not None:
            steps.append(replace(step, counts=counts))
        counts = _before(item.event, counts, observation.rules.book_size)
        if observation.rules.catch_to == "boat" and isinstance(item.event, _FROM_SOME_PILE):
            counts = replace(counts, hands=())
    by_move = groupby(reversed(steps), key=lambda step: step.seq)
    return tuple(
        replace(step, id=f"s{seq}-{place}")
        for seq, found in by_move
        for place, step in enumerate(found, 1)
    )


def with_thoughts(
    steps: tuple[StepView, ...], thoughts: Iterable[Thought], faces: Faces
) -> tuple[StepView, ...]:
    """The steps, with each thought right before the ask in the same move."""
    by_move = {thought.seq: thought for thought in thoughts}
    found: list[StepView] = []
    for step in steps:
        if step.kind == "asked" and step.seq in by_move:
            one, name = by_move[step.seq], f"s{step.seq}-0"
            told = replace(step, id=name, kind="thought", seat=one.seat, other=one.asker, cards=())
            found.append(replace(told, asks=faces.asks(one.class_)))
        found.append(step)
    return tuple(found)


def _step(item: Seen, cards: tuple[Card, ...], faces: Faces) -> StepView | None:
    found = _told(item.event)
    if found is None:
        return None
    kind, seat, other, class_, number = found
    asks = faces.asks(class_) if class_ else None
    if kind in ("book", "claimed"):
        asks = faces.book(cards) if cards else None
    return StepView(
        id="",
        seq=item.seq,
        kind=kind,
        seat=seat,
        other=other,
        asks=asks,
        number=number,
        cards=faces.cards(cards),
        counts=NO_COUNTS,
    )


def _told(event: e.Event) -> tuple[str, int, int | None, str | None, int] | None:
    """Kind, seat, other seat, class and number of an event's step; None if it is not shown."""
    match event:
        case e.Asked(seat=seat, target=target, class_=class_):
            return "asked", seat, None if target == "all" else target, class_, 0
        case e.ShowedBait(seat=seat, target=target):
            return "bait", seat, target, None, 0
        case e.Gave(giver=giver, taker=taker, class_=class_, number=number):
            return "gave", giver, taker, class_, number
        case e.SaidGoFish(seat=seat, asker=asker, class_=class_):
            return "gofish", seat, asker, class_, 0
        case e.AskedHowMany(seat=seat, asker=asker, class_=class_):
            return "howmany", seat, asker, class_, 0
        case e.Named(seat=seat, number=number):
            return "named", seat, None, None, number
        case e.Fished(seat=seat):
            return "fished", seat, None, None, 1
        case e.FishedFromHand(seat=seat, source=source):
            return "picked", seat, source, None, 1
        case e.Replaced(seat=seat):
            return "replaced", seat, None, None, 1
        case e.Lucky(seat=seat, class_=class_):
            return "lucky", seat, None, class_, 1
        case e.KeptHidden(seat=seat):
            return "hidden", seat, None, None, 1
        case e.Refilled(seat=seat, number=number):
            return "refilled", seat, None, None, number
        case e.Baited(seat=seat, number=number):
            return "baited", seat, None, None, number
        case e.TideFell(seat=seat, left=left):
            return "tide", seat, None, None, left
        case e.LampLit(seat=seat):
            return "lamp", seat, None, None, 0
        case e.LaidBook(seat=seat, cards=cards):
            return "book", seat, None, None, len(cards)
        case e.LaidFaceDown(seat=seat):
            return "book", seat, None, None, 0
        case e.LaidOff(seat=seat):
            return "layoff", seat, None, None, 1
        case e.Retired(seat=seat):
            return "retired", seat, None, None, 0
        case e.Declared(seat=seat):
            return "declared", seat, None, None, 0
        case e.Claimed(seat=seat, cards=cards):
            return "claimed", seat, None, None, len(cards)
        case e.ClaimPassed(seat=seat):
            return "passed", seat, None, None, 0
        case e.Compensated(seat=seat):
            return "paid", seat, None, None, 1
        case e.LeftRound(seat=seat):
            return "left", seat, None, None, 0
        case e.TurnPassed(seat=seat, to=to):
            return "turn", seat, to, None, 0
        case e.RevealedLost(cards=cards):
            return "lost", 0, None, None, len(cards)
        case e.RoundOver():
            return "over", 0, None, None, 0
    return None


def _private(event: e.Event, after: Seen | None) -> tuple[Card, ...]:
    """The cards of a public event, as far as this viewer saw them."""
    match event, after and after.event:
        case ((e.LaidBook(cards=cards) | e.Claimed(cards=cards) | e.RevealedLost(cards=cards)), _):
            return cards
        case ((e.Lucky(card=card) | e.LaidOff(card=card) | e.Compensated(card=card)), _):
            return (card,)
        case e.Gave(giver=giver, taker=taker), e.GaveCards(giver=g, taker=t, cards=cards):
            return cards if (g, t) == (giver, taker) else ()
        case (
            (e.Fished(seat=seat), e.Drew(seat=owner, card=card))
            | (e.FishedFromHand(seat=seat), e.Picked(seat=owner, card=card))
            | (e.Replaced(seat=seat), e.ReplacedCard(seat=owner, card=card))
            | (e.ShowedBait(seat=seat), e.SawBait(seat=owner, card=card))
        ):
            return (card,) if owner == seat else ()
        case (
            (e.Refilled(seat=seat), e.RefilledCards(seat=owner, cards=cards))
            | (e.Baited(seat=seat), e.BaitedCards(seat=owner, cards=cards))
            | (e.LaidFaceDown(seat=seat), e.LaidFaceDownCards(seat=owner, cards=cards))
        ):
            return cards if owner == seat else ()
    return ()


def _before(event: e.Event, counts: TableCounts, book: int) -> TableCounts:
    """The counts before an event, given those after it."""
    match event:
        case e.Gave(giver=giver, taker=taker, number=number):
            return counts.plus(seat=giver, cards=number).plus(seat=taker, cards=-number)
        case e.Fished(seat=seat) | e.Replaced(seat=seat):
            return counts.plus(pond=1, seat=seat, cards=-1)
        case e.FishedFromHand(seat=seat, source=source):
            return counts.plus(seat=seat, cards=-1).plus(seat=source, cards=1)
        case e.Refilled(seat=seat, number=number):
            return counts.plus(pond=number, seat=seat, cards=-number)
        case e.LaidBook(seat=seat, cards=cards):
            return counts.plus(seat=seat, cards=len(cards), books=-1)
        case e.LaidFaceDown(seat=seat):
            return counts.plus(seat=seat, cards=book, books=-1)
        case e.LaidOff(seat=seat):
            return counts.plus(seat=seat, cards=1)
        case e.Claimed(seat=seat):
            return counts.plus(seat=seat, books=-1)
    return counts


# ---- When the voice asks how the child knew, and with which words

CAUGHT: Final = ("know", "find")  # the questions after a catch, used in turn
MADE: Final = "do"  # the question after a book


def talk_stem(table: ViewedTable, steps: tuple[StepView, ...]) -> str | None:
    """The question to say after these new steps; None if there is none. It follows a catch or a
    book that the viewer made, but only if it is the viewer's turn again: then there is nothing else
    to announce, and nobody is held up. Only every second or fourth of these chances is used. In a
    practice round all cards are open, so there is nothing to tell."""
    every = EVERY[table.around.talk]
    good = {
        step.seq: step.kind
        for step in steps
        if step.kind in ("gave", "book", "claimed") and step.receiver == table.seat
    }
    if not every or not good or table.practice or not table.my_turn:
        return None
    history = table.observation.history
    nth = len({item.seq for item in history if _caught_or_made(item.event, table.seat)})
    if (nth + table.round_id) % every:
        return None
    return MADE if good[max(good)] != "gave" else CAUGHT[nth // every % len(CAUGHT)]


def _caught_or_made(event: e.Event, me: int | None) -> bool:
    match event:
        case e.Gave(taker=seat) | e.LaidBook(seat=seat) | e.LaidFaceDown(seat=seat):
            return seat == me
        case e.Claimed(seat=seat):
            return seat == me
    return False
