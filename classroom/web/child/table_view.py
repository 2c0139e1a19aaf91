"""The table as one child sees it: one frozen value for the page, made from an Observation.

It holds numbers, keys and flags; their words and pictures are in templates. Only legal actions can
be tapped: they all come from `Observation.legal`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from classroom.engine.actions import Lamp
from classroom.engine.cards import Card, most_books
from classroom.engine.events import LaidBook
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.minds.board import ON_THE_LINE, OPEN, PEEK_SECONDS, asked_board
from classroom.services.table.rounds import LATEST, ViewedTable
from classroom.web.child.card_faces import CardFace, ClassFace, Faces, HandRow, faces_of, hand_rows
from classroom.web.child.choosing import (
    NOTHING_SELECTED,
    Choosing,
    OtherChoices,
    Selection,
    choosing,
    other_choices,
)
from classroom.web.child.helping import BoardRow, Tag, asked_lines, asked_tags
from classroom.web.child.steps import StepView, steps_since, talk_stem, with_thoughts
from classroom.web.http import pages
from classroom.web.words.phrases import animal
from classroom.web.words.rule_words import (
    asking_template,
    ending_template,
    in_pots,
    pictured_template,
)

# ---- a mark of everything that a page shows besides the moves


def beside(table: ViewedTable) -> str:
    """A mark of the page. Two pages of one viewer with the same mark differ only in the moves."""
    around = replace(table.around, pondering=frozenset())
    shown = (
        table.players, table.board, table.hints, table.pace, table.points, table.champion,
        table.name, table.look, table.practice, around, sorted(table.around.pondering),
    )  # fmt: skip
    return pages.mark_of(shown)[:8]


# ---- The numbered path: the score as a straight line from 0 on which each book is one step

WHOLE: Final = 16  # a path with no more steps than this is drawn in full from the start
STAGES: Final = (10, 20)  # the first lengths of a longer path, which grows when a score needs more


@dataclass(frozen=True, slots=True)
class Stone:
    """A place on the path, with its `number`. `seats`: the players who are standing on it."""

    number: int
    seats: tuple[int, ...]


def numbered_path(rules: Rules, steps: Sequence[int], me: int) -> tuple[Stone, ...]:
    """The path for a game with every seat on it; `steps`: how far each seat has come. The viewer
    comes last on a stone, so that its face lies on top. If a score counts cards, a pair is one step
    and the path counts in twos."""
    by_step: dict[int, list[int]] = {}
    for seat in sorted(range(len(steps)), key=lambda seat: seat == me):
        by_step.setdefault(steps[seat], []).append(seat)
    worth = 2 if in_pots(rules) else 1
    most, furthest = rules.end_books_target or most_books(rules), max(steps, default=0)
    length = max(most, furthest)
    if most > WHOLE:
        length = next((n for n in STAGES if furthest <= n < most), length)
    return tuple(Stone(n * worth, tuple(by_step.get(n, ()))) for n in range(length + 1))


MOST_PLACES: Final = 10  # a goal of points is drawn with at most this many places


@dataclass(frozen=True, slots=True)
class BookFace:
    """A book on a shelf. `asks`: its class, None if it is face down for this viewer."""

    asks: ClassFace | None
    new: bool
    cards: tuple[CardFace, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """How a seat's score is worked out: `total` is `laid` points minus `minus` for the `left`
    cards, but not below the floor. `fish`: whether the cards left are the Old Fish; `points`: the
    seat's points in the match."""

    laid: int
    left: int
    minus: int
    total: int
    fish: bool
    points: int | None

    @property
    def taken(self) -> int:
        """How many books the Old Fish takes, at most all of them."""
        return min(self.minus, self.laid) if self.fish else 0

    @property
    def exact(self) -> bool:
        """Whether the total is the plain difference, not raised to the floor."""
        return self.laid - self.minus == self.total


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table. `place`: 0 is the viewer, then clockwise. `friend`: whether it is a
    computer player; `can`: whether it may be asked now; `pondering`: whether it has a question to
    answer. `thought`: the animal whose ask it is thinking about aloud, and the class asked for.
    `cards`, `boat`: how many cards are in its hand and in its boat, None in games without boats;
    `open`: the cards of an open hand; `books`: None if all books go into one shell; `pot`: cards
    won, in games that count them in a pot. `out`: whether it is out of the round."""

    seat: int
    place: int
    friend: bool
    name: str
    animal: str
    pad: int
    cards: int
    boat: int | None
    open: tuple[CardFace, ...]
    books: tuple[BookFace, ...] | None
    pot: int | None
    singles: tuple[CardFace, ...]
    sum: Sum
    turn: bool
    away: bool
    thinking: bool
    pondering: bool
    thought: tuple[str, ClassFace] | None
    out: bool
    can: bool
    chosen: bool

    @property
    def heap(self) -> int:
        """How full the pot is drawn, 0 to 3; the number on it is exact."""
        return bisect((1, 7, 15), self.pot or 0)


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of the players: `number` points in a match or, if `books`, `number` books in a
    round. It is drawn as `steps` places, of which the viewer has filled `done`."""

    number: int
    books: bool
    steps: int
    done: int


@dataclass(frozen=True, slots=True)
class Tide:
    """The tide in a game of all against the pond: its `steps`, and how many are `left` before the
    fish sleep. `books`: everybody's books, which lie in one shell; `full`: whether the round ended
    with all books made. `dark`: whether the board is shut until its lamp is lit; `lights`: whether
    the viewer may light it now."""

    steps: int
    left: int
    books: tuple[BookFace, ...]
    full: bool
    dark: bool = False
    lights: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """All that the table's page needs. `table`: the table as its viewer may see it; everything else
    is made from it. `steps`: the steps to show, from the moves after `since`. `game`: the game on
    the menu whose pictures explain the rules; `words`: the game whose words fit the rules;
    `counts`: the game whose words fit the end of the round. `stem`: the question after the steps
    that asks how the viewer knew (components/talk.html).

    `seats` are in seat order; `ring`: the others, clockwise from the viewer. `line`: the last asks,
    newest first; `board`: everything that may be looked up, by player, once it is opened. `choose`:
    the viewer's ask; `do`: the viewer's other actions. `next`: what to do now: class, option,
    target, ask, name, show, answer, lay, claim, or "" if it is not the viewer's turn. `pond`: its
    number of cards; `look`: how full it is drawn (see pond_look). `path`: everybody's score on a
    numbered path; empty if all play against the `tide`. `lost`: cards set aside, None if there are
    none, empty while face down. `goal`: None if there is none; `champion`: the winner of the match.
    `friends`: the other children, to be introduced. `same`: a mark of everything but moves.
    """

    # The most cards that the pond shows as a number. Above that it says "many": children cannot
    # grasp more.
    most_counted: ClassVar = 50
    table: ViewedTable
    game: str
    words: str
    counts: str
    since: int
    me: Seat
    ring: tuple[Seat, ...]
    seats: tuple[Seat, ...]
    choose: Choosing
    do: OtherChoices
    boat: tuple[CardFace, ...]
    pond: int
    look: str
    path: tuple[Stone, ...]
    tide: Tide | None
    lost: tuple[CardFace, ...] | None
    goal: Goal | None
    champion: Seat | None
    my_turn: bool
    next: str
    target: Seat | None
    steps: tuple[StepView, ...]
    stem: str | None
    line: tuple[Tag, ...]
    board: tuple[BoardRow, ...]
    friends: tuple[Seat, ...]
    same: str

    @property
    def animals(self) -> tuple[str, ...]:
        """The animal of each seat. Pages and the voice call the players by their animals."""
        return tuple(seat.animal for seat in self.seats)

    @property
    def shuts_after(self) -> int | None:
        """Seconds after which an open board closes by itself; None if it stays open."""
        return PEEK_SECONDS if self.table.board == "peek" else None

    @property
    def rows(self) -> tuple[HandRow, ...]:
        """The widest row of the viewer's fans when they lie in one row, in two rows and in more."""
        return hand_rows(tuple(len(fan.cards) for fan in self.choose.fans))


def table_view(
    table: ViewedTable,
    since: int | None = None,
    chosen: Selection = NOTHING_SELECTED,
    *,
    opened: bool = False,
) -> TableView:
    """What one seat's page shows of a table. `since`: the last move that the page has shown; None
    for a first look, which replays nothing. `chosen`: the taps so far, unchecked. `opened`: whether
    the board is open. A watcher sees the table from seat 0, without the cards of that seat."""
    observation, rules = table.observation, table.observation.rules
    faces = faces_of(rules, table.look)
    # A first look replays no moves, and a page that has missed many replays only the latest.
    told_to = observation.seq if since is None else max(since, observation.seq - LATEST)
    steps = with_thoughts(steps_since(observation, told_to, table.look), table.aloud, faces)
    choose = choosing(observation, faces, steps, chosen)
    do = other_choices(observation, faces, chosen.cards)
    seats = tuple(_seats(table, faces, choose, steps))
    me = next(seat for seat in seats if seat.place == 0)
    tide = tide_of(observation, faces, steps)
    if tide is not None:  # its lamp can be dark only if there is a board for it to open
        dark = table.board not in (OPEN, "off") and not observation.lamp
        tide = replace(tide, dark=dark, lights=Lamp() in observation.legal)
    return TableView(
        table=table,
        game=pictured_template(table.game, rules),
        words=asking_template(rules),
        counts=ending_template(rules),
        since=since or 0,
        me=me,
        ring=tuple(sorted((s for s in seats if s.place), key=lambda s: s.place)),
        seats=seats,
        choose=choose,
        do=do,
        boat=faces.cards(observation.boat),
        pond=observation.stock_size,
        look=pond_look(observation.stock_size),
        path=() if tide else _path(rules, seats, me.seat),
        tide=tide,
        lost=faces.cards(observation.lost or ()) if observation.lost_size else None,
        goal=_goal(rules, me),
        champion=next((seat for seat in seats if seat.seat == table.champion), None),
        my_turn=bool(observation.legal),
        next=choose.next or _next(do),
        target=next((seat for seat in seats if seat.seat == choose.target), None),
        steps=steps,
        stem=talk_stem(table, steps),
        line=asked_tags(observation, last=ON_THE_LINE[table.board])[::-1],
        board=asked_lines(asked_board(observation, table.board), faces) if opened else (),
        friends=_met(table, seats),
        same=beside(table),
    )


def _met(table: ViewedTable, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The other children, to be introduced during the first moves of a match; none later."""
    if table.number > 1 or table.seq >= len(seats):
        return ()
    others = (one for one in table.players if one.child_id is not None and not one.me)
    return tuple(seats[one.seat] for one in others)


def _next(do: OtherChoices) -> str:
    """What to do when the viewer cannot ask."""
    kinds = (
        ("name", do.numbers),
        ("show", do.shows),
        ("answer", do.answers),
        ("claim", do.claim or do.can_pass),
        ("lay", do.lay or do.layoffs or do.declare),
    )
    return next((kind for kind, there in kinds if there), "")


def _seats(
    table: ViewedTable, faces: Faces, choose: Choosing, steps: tuple[StepView, ...]
) -> Iterator[Seat]:
    observation = table.observation
    mine = table.seat or 0
    for player in table.players:
        seat = player.seat  # the hands of others are open in a practice round
        hand = table.open_hands[seat] if table.open_hands and not player.me else None
        yield Seat(
            seat=seat,
            place=(seat - mine) % observation.seats,
            friend=player.level is not None,
            name=player.name if player.level is None else animal(player.animal),
            animal=player.animal,
            pad=player.pad,
            cards=observation.hand_sizes[seat],
            boat=observation.boat_sizes[seat] if observation.rules.catch_to == "boat" else None,
            open=faces.cards(hand or ()),
            books=None
            if observation.tide is not None
            else tuple(_books(observation.books[seat], faces, steps)),
            pot=2 * len(observation.books[seat]) if in_pots(observation.rules) else None,
            singles=faces.cards(observation.singles[seat]),
            sum=_sum(table, seat),
            turn=observation.turn == seat,
            away=player.away,
            thinking=table.thinks(player),
            pondering=seat in table.around.pondering,
            thought=_thought(table, faces, seat),
            out=seat in observation.out,
            can=choose.everybody or seat in choose.targets,
            chosen=seat == choose.target,
        )


def _path(rules: Rules, seats: tuple[Seat, ...], me: int) -> tuple[Stone, ...]:
    """The numbered path. If books are points, each book taken away at the end is a step back."""
    by_book = rules.score_per == "book"
    steps = [max(0, len(who.books or ()) - who.sum.minus * by_book) for who in seats]
    return numbered_path(rules, steps, me)


def _thought(table: ViewedTable, faces: Faces, seat: int) -> tuple[str, ClassFace] | None:
    """The animal whose ask this seat is thinking about now, and the class asked for."""
    for one in table.aloud:
        if one.seat == seat and one.seq > table.seq:
            return table.players[one.asker].animal, faces.asks(one.class_)
    return None


def _books(
    laid: Iterable[tuple[Card, ...] | None], faces: Faces, steps: tuple[StepView, ...]
) -> Iterator[BookFace]:
    new = {step.cards for step in steps if step.kind in ("book", "claimed")}
    for cards in laid:
        if cards is None:
            yield BookFace(None, False)
        else:
            shown = faces.cards(cards)
            yield BookFace(faces.book(cards), shown in new, shown)


def tide_of(
    observation: Observation, faces: Faces, steps: tuple[StepView, ...] = ()
) -> Tide | None:
    """The tide, and the shared shell with the books in the order in which they were made."""
    if observation.tide is None:
        return None
    events = (item.event for item in observation.history)
    laid = [event.cards for event in events if isinstance(event, LaidBook)]
    return Tide(
        steps=observation.rules.end_tide or 0,
        left=observation.tide,
        books=tuple(_books(laid, faces, steps)),
        full=observation.ended_by == "all_booked",
    )


def _sum(table: ViewedTable, seat: int) -> Sum:
    observation = table.observation
    books, rules = len(observation.books[seat]), observation.rules
    left = observation.hand_sizes[seat] + observation.boat_sizes[seat]
    a_book = 4 if rules.book_kind == "four" else rules.book_size
    laid = books * a_book if rules.score_per == "card" else books
    fish = bool(observation.over and left and rules.score_penalty)
    minus = rules.score_deduct * left if observation.over else 0
    if fish and observation.scores[seat] < laid - minus:
        minus += rules.score_penalty
    points = table.points[seat] if table.points else None
    return Sum(laid, left, minus, observation.scores[seat], fish, points)


def _goal(rules: Rules, me: Seat) -> Goal | None:
    """The points of the match if it has a target, else the books of the round if it has one."""
    if rules.match_target is not None:
        steps = min(rules.match_target, MOST_PLACES)
        done = (me.sum.points or 0) * steps // rules.match_target
        return Goal(rules.match_target, False, steps, max(0, min(done, steps)))
    if rules.end_books_target is not None:
        number = rules.end_books_target
        return Goal(number, True, number, min(len(me.books or ()), number))
    return None


def pond_look(stock: int) -> str:
    """How full the pond looks with this many cards."""
    return ("none", "one", "few", "some", "many")[bisect((1, 2, 6, 13), stock)]
