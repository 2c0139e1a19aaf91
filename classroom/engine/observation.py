"""What one viewer sees of a round, without the cards that are hidden from this viewer.

`observe` builds an Observation field by field, from an allow-list. No function starts from a
State and removes what is hidden. Pages, computer players, hints and questions get an Observation
and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain

from classroom.engine.actions import Action, Ask
from classroom.engine.asks import is_lit
from classroom.engine.cards import Card, Hand
from classroom.engine.events import ALL, Event
from classroom.engine.round import legal_actions
from classroom.engine.rules import Rules
from classroom.engine.scoring import scores, winners
from classroom.engine.state import LogEntry, Position


class Viewer(Enum):
    """A viewer without a seat."""

    WATCHER = "watcher"  # for the projector and classmates: sees public facts only
    TEACHER = "teacher"  # sees all hands, but never the order of the stock


WATCHER = Viewer.WATCHER
TEACHER = Viewer.TEACHER


@dataclass(frozen=True, slots=True)
class Seen:
    """An event that the viewer saw, with the number of the move that caused it (0: the deal)."""

    seq: int
    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Everything that one viewer was allowed to see in a round so far (an information state).

    `seq`: the number of moves so far. `hand`, `boat`: the viewer's own cards, sorted; empty for a
    viewer without a seat. `hands`, `boats`: the cards of each seat, or None if this viewer may not
    see them. `books`: the books of each seat; each is a sorted tuple of cards, or None if it is
    hidden from this viewer. `singles`: the cards that each seat laid off. `turn`: the seat that
    must act, or None. `phase`: ask, answer, name, show, claim or over. `pending`: (asker, ask)
    while an ask is open. `drawn`: in phase show, the card just fished, if the viewer fished it.
    `out`: the seats that left the round. `lost`: the cards set aside, or None until they are
    revealed. `legal`: the viewer's actions; empty when it is not the viewer's turn. `winners` is
    empty until the round is over (S25). `tide`: the steps of the tide that are left, None in a game
    without a tide; `lamp`: whether the lamp shines (T8).
    """

    viewer: int | Viewer
    rules: Rules
    seats: int
    dealer: int
    seq: int
    hand: tuple[Card, ...]
    boat: tuple[Card, ...]
    hands: tuple[tuple[Card, ...] | None, ...]
    boats: tuple[tuple[Card, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    boat_sizes: tuple[int, ...]
    stock_size: int
    lost_size: int
    books: tuple[tuple[tuple[Card, ...] | None, ...], ...]
    singles: tuple[tuple[Card, ...], ...]
    turn: int | None
    phase: str
    pending: tuple[int, Ask] | None
    drawn: Card | None
    out: tuple[int, ...]
    lost: tuple[Card, ...] | None
    over: bool
    ended_by: str | None
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    legal: tuple[Action, ...]
    history: tuple[Seen, ...]
    tide: int | None
    lamp: bool


def observe(p: Position, viewer: int | Viewer) -> Observation:
    """Build the Observation of `viewer`: a seat, WATCHER or TEACHER. Raises TypeError for None."""
    own = _seat(p, viewer)
    return Observation(
        viewer=viewer,
        rules=p.rules,
        seats=p.seats,
        dealer=p.dealer,
        seq=p.seq,
        hand=() if own is None else p.setup.deck.sorted(p.hands[own]),
        boat=() if own is None else p.setup.deck.sorted(p.boats[own]),
        hands=_piles(p, p.hands, viewer),
        boats=_piles(p, p.boats, viewer),
        hand_sizes=tuple(map(len, p.hands)),
        boat_sizes=tuple(map(len, p.boats)),
        stock_size=len(p.stock),
        lost_size=len(p.lost),
        books=_books(p, viewer),
        singles=tuple(map(p.setup.deck.sorted, p.singles)),
        turn=p.turn,
        phase=p.phase,
        pending=_pending(p, viewer),
        drawn=p.drawn if own == p.active else None,
        out=tuple(sorted(p.out)),
        lost=p.setup.deck.sorted(p.lost) if p.over else None,
        over=p.over,
        ended_by=p.ended_by,
        scores=scores(p),
        winners=winners(p),
        legal=legal_actions(p) if own is not None and own == p.turn else (),
        history=tuple(chain.from_iterable(_entries(page, viewer) for page in p.log)),
        tide=p.tide,
        lamp=p.tide is not None and is_lit(p),
    )


def may_see(event: Event, viewer: int | Viewer) -> bool:
    """Whether `viewer` may see the event; the teacher sees the events of every seat (S10)."""
    audience = event.audience
    return audience == ALL or viewer is TEACHER or viewer in audience


def _seat(p: Position, viewer: int | Viewer) -> int | None:
    """The viewer's seat, or None for a watcher or the teacher."""
    if isinstance(viewer, Viewer):
        return None
    if type(viewer) is not int:
        raise TypeError(f"a viewer is a seat, WATCHER or TEACHER, not {viewer!r}")
    if not 0 <= viewer < p.seats:
        raise ValueError(f"there is no seat {viewer}")
    return viewer


def _piles(
    p: Position, piles: Sequence[Hand], viewer: int | Viewer
) -> tuple[tuple[Card, ...] | None, ...]:
    """Hands or boats as `viewer` sees them; during claims everyone sees all cards (F17)."""
    is_open = viewer is TEACHER or p.phase == "claim"
    return tuple(
        p.setup.deck.sorted(pile) if is_open or seat == viewer else None
        for seat, pile in enumerate(piles)
    )


def _books(p: Position, viewer: int | Viewer) -> tuple[tuple[tuple[Card, ...] | None, ...], ...]:
    """Every seat's books. Until the end, only owner and teacher see books laid face down (R21)."""
    is_open = p.over or viewer is TEACHER or p.rules.visibility_books == "public"
    return tuple(
        books if is_open or seat == viewer else (None,) * len(books)
        for seat, books in enumerate(p.books)
    )


def _pending(p: Position, viewer: int | Viewer) -> tuple[int, Ask] | None:
    """The ask that is still open; its bait is hidden from viewers who did not see it (F7)."""
    ask = p.pending
    if ask is None:
        return None
    saw_bait = viewer in (p.active, ask.target, TEACHER)
    return p.active, Ask(ask.target, ask.class_, ask.bait if saw_bait else None)


def _entries(page: LogEntry, viewer: int | Viewer) -> tuple[Seen, ...]:
    """The events of one move that `viewer` saw; filtered once, then cached in `page.views`."""
    if viewer not in page.views:
        page.views[viewer] = tuple(
            Seen(page.seq, event) for event in page.events if may_see(event, viewer)
        )
    view: tuple[Seen, ...] = page.views[viewer]
    return view
