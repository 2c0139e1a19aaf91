"""The table as one child sees it: one frozen value for the page, made from an Observation.

It holds numbers, keys and flags; every word and picture for them lives in templates. What can be
asked is what can be tapped: all of it comes from `Observation.legal` and from nowhere else.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.minds.board import ON_THE_LINE, PEEK_SECONDS, Support, asked_board
from classroom.services.table.tables import LATEST, Around
from classroom.web.child.asked import Line, Tag, lines, tags
from classroom.web.child.card_faces import CardFace, ClassFace, Faces, faces_of
from classroom.web.child.choices import Choices, choices
from classroom.web.child.choosing import Choosing, Chosen, Fan, choosing
from classroom.web.child.steps import Step, steps_since, with_thoughts
from classroom.web.words.wording import asking, ending, in_pots, pictured

if TYPE_CHECKING:
    from classroom.services.table.rounds import Seated, ViewedTable


@dataclass(frozen=True, slots=True)
class Book:
    """A book on a shelf: what it is made of, or None where it lies face down for this viewer."""

    asks: ClassFace | None
    new: bool
    cards: tuple[CardFace, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """How a seat's score is worked out: `laid` points, `minus` for `left` cards, not under the
    floor, make `total`. `fish`: what is left is the Old Fish; `points` of the match so far."""

    laid: int
    left: int
    minus: int
    total: int
    fish: bool
    points: int | None

    @property
    def taken(self) -> int:
        """How many books the Old Fish takes: of more than are there, all."""
        return min(self.minus, self.laid) if self.fish else 0

    @property
    def exact(self) -> bool:
        """Whether the total is just the difference: it is not where the floor held it up."""
        return self.laid - self.minus == self.total


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at the table. `place`: 0 is me, then clockwise. `can`: may be asked now.

    `thought`: the animal whose ask it thinks of aloud, and what that was for. `cards` in the hand,
    `boat` caught ones beside it (None where there are no boats); `open`: what this viewer sees of
    the hand, where it lies open; `pot`: cards won, where they go into a pot and not on a shelf.
    `out`: finished, or gone from the round.
    """

    seat: int
    place: int
    name: str
    animal: str
    pad: int
    cards: int
    boat: int | None
    open: tuple[CardFace, ...]
    books: tuple[Book, ...]
    pot: int | None
    singles: tuple[CardFace, ...]
    sum: Sum
    turn: bool
    away: bool
    thinking: bool
    thought: tuple[str, ClassFace] | None
    out: bool
    can: bool
    chosen: bool

    @property
    def heap(self) -> int:
        """How full the pot is drawn, 0 to 3; its number is exact."""
        return bisect(_HEAPS, self.pot or 0)


@dataclass(frozen=True, slots=True)
class TableView:
    """All that the table's page needs. `v`: number of the last move; `steps`: those to be shown.
    `game`: of the menu, whose pictures tell it; `name`: of the class's own game. `words`: the
    template of templates/games that it speaks with, and `counts` the one at the end.

    `seats` in seat order; `ring` the others, clockwise from me. `fans` in the order of the deck.
    `support`: how much of what was asked may be seen; `line`: of it the last asks, newest first;
    `board`: by player, where it was opened. `choose`: my ask; `do`: what
    else I may do. `next`: the one thing to do now: class, option, target, ask, name, show, answer,
    lay, claim, or "" when it is not my turn. `look`: how full the pond is drawn: many, some, few,
    one, none; `pond` is the true number. `lost`: cards set aside: None where there are none,
    empty while they lie face down. `goal`: points that end the match, `champion`: who has won it;
    `fours`: books that end the round. `around`: as in ViewedTable.
    """

    round_id: int
    game: str
    words: str
    counts: str
    name: str | None
    v: int
    me: Seat
    ring: tuple[Seat, ...]
    seats: tuple[Seat, ...]
    choose: Choosing
    do: Choices
    boat: tuple[CardFace, ...]
    pond: int
    look: str
    lost: tuple[CardFace, ...] | None
    goal: int | None
    champion: Seat | None
    fours: int | None
    my_turn: bool
    next: str
    target: Seat | None
    steps: tuple[Step, ...]
    line: tuple[Tag, ...]
    board: tuple[Line, ...]
    support: Support
    has_hints: bool
    practice: bool
    over: bool
    around: Around

    @property
    def animals(self) -> tuple[str, ...]:
        """Who sits where, as pages and voice call them."""
        return tuple(seat.animal for seat in self.seats)

    @property
    def fans(self) -> tuple[Fan, ...]:
        return self.choose.fans

    @property
    def shuts_after(self) -> int | None:
        """Seconds after which the open board shuts itself; None where it stays open."""
        return PEEK_SECONDS if self.support == "peek" else None

    @property
    def asks(self) -> ClassFace | None:
        """What I am about to ask for."""
        return self.choose.asks

    @property
    def wide(self) -> int:
        """How wide my hand lies, in half cards, rounded up: the page fits its cards to it."""
        return ceil(2 * sum(fan.width for fan in self.fans))


def table_view(
    table: ViewedTable,
    since: int | None = None,
    chosen: tuple[object, ...] = (),
    *,
    opened: bool = False,
) -> TableView:
    """What one seat's page shows of a table.

    `since`: the last move that the page has shown; None: a first look, with nothing to replay.
    `chosen`: taken so far without scripts, as far as it can be. `opened`: the board lies open.
    """
    seen, look = table.observation, table.look
    faces = faces_of(seen.rules, look)
    steps = () if since is None else steps_since(seen, max(since, seen.seq - LATEST), look)
    steps = with_thoughts(steps, table.aloud, faces)
    taken = Chosen(*chosen)  # type: ignore[arg-type]
    choose = choosing(seen, faces, steps, taken)
    do = choices(seen, faces, taken.cards)
    seats = tuple(_seats(table, faces, choose, steps))
    asked = tags(seen, look, last=ON_THE_LINE[table.board])
    return TableView(
        round_id=table.round_id,
        game=pictured(table.game, seen.rules),
        words=asking(seen.rules),
        counts=ending(seen.rules),
        name=table.name,
        v=seen.seq,
        me=next(seat for seat in seats if seat.place == 0),
        ring=tuple(sorted((s for s in seats if s.place), key=lambda s: s.place)),
        seats=seats,
        choose=choose,
        do=do,
        boat=faces.cards(seen.boat),
        pond=seen.stock_size,
        look=_look(seen.stock_size),
        lost=faces.cards(seen.lost or ()) if seen.lost_size else None,
        goal=seen.rules.match_target,
        champion=next((seat for seat in seats if seat.seat == table.champion), None),
        fours=seen.rules.end_books_target,
        my_turn=bool(seen.legal),
        next=choose.next or _next(do),
        target=next((seat for seat in seats if seat.seat == choose.target), None),
        steps=steps,
        line=asked[::-1],
        board=lines(asked_board(seen, table.board), faces) if opened else (),
        support=table.board,
        has_hints=table.hints,
        practice=table.practice,
        over=seen.over,
        around=table.around,
    )


def _next(do: Choices) -> str:
    """The one thing to do where there is nothing to ask for."""
    kinds = (
        ("name", do.numbers),
        ("show", do.shows),
        ("answer", do.answers),
        ("claim", do.claim or do.can_pass),
        ("lay", do.lay or do.layoffs or do.declare),
    )
    return next((kind for kind, there in kinds if there), "")


def _seats(
    table: ViewedTable, faces: Faces, choose: Choosing, steps: tuple[Step, ...]
) -> Iterator[Seat]:
    seen = table.observation
    mine = next(player.seat for player in table.players if player.me)
    for player in table.players:
        seat = player.seat
        yield Seat(
            seat=seat,
            place=(seat - mine) % seen.seats,
            name=player.name,
            animal=player.animal,
            pad=player.pad,
            cards=seen.hand_sizes[seat],
            boat=seen.boat_sizes[seat] if seen.rules.catch_to == "boat" else None,
            open=_open(table, faces, player),
            books=tuple(_books(seen, faces, player, steps)),
            pot=_pot(seen, seat),
            singles=faces.cards(seen.singles[seat]),
            sum=_sum(table, seat),
            turn=seen.turn == seat,
            away=player.away,
            thinking=seat in table.thoughts,
            thought=_thought(table, faces, seat),
            out=seat in seen.out,
            can=choose.everybody or seat in choose.targets,
            chosen=seat == choose.target,
        )


def _thought(table: ViewedTable, faces: Faces, seat: int) -> tuple[str, ClassFace] | None:
    """Whose ask this seat thinks of now, as the page calls that player, and what it was for."""
    for one in table.aloud:
        if one.seat == seat and one.seq > table.seq:
            return table.players[one.asker].animal, faces.asks(one.class_)
    return None


def _open(table: ViewedTable, faces: Faces, player: Seated) -> tuple[CardFace, ...]:
    """The hand of another seat, where it lies open in a practice round."""
    hand = table.open_hands[player.seat] if table.open_hands and not player.me else None
    return faces.cards(hand or ())


def _books(
    seen: Observation, faces: Faces, player: Seated, steps: tuple[Step, ...]
) -> Iterator[Book]:
    new = {step.cards for step in steps if step.kind in ("book", "claimed")}
    for cards in seen.books[player.seat]:
        if cards is None:
            yield Book(None, False)
        else:
            shown = faces.cards(cards)
            yield Book(faces.book(cards), shown in new, shown)


def _pot(seen: Observation, seat: int) -> int | None:
    """Cards won, in games of pairs that count cards (P13)."""
    return 2 * len(seen.books[seat]) if in_pots(seen.rules) else None


def _sum(table: ViewedTable, seat: int) -> Sum:
    seen = table.observation
    books, rules = len(seen.books[seat]), seen.rules
    left = seen.hand_sizes[seat] + seen.boat_sizes[seat]
    laid = books * _cards_a_book(rules) if rules.score_per == "card" else books
    fish = bool(seen.over and left and rules.score_penalty)
    minus = rules.score_deduct * left if seen.over else 0
    if fish and seen.scores[seat] < laid - minus:
        minus += rules.score_penalty
    points = table.points[seat] if table.points else None
    return Sum(laid, left, minus, seen.scores[seat], fish, points)


def _cards_a_book(rules: Rules) -> int:
    return 4 if rules.book_kind == "four" else rules.book_size


def _look(stock: int) -> str:
    return next(look for more, look in _LOOKS if stock > more)


_HEAPS = (1, 7, 15)
_LOOKS = ((12, "many"), (5, "some"), (1, "few"), (0, "one"), (-1, "none"))
