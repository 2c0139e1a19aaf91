"""Step through a finished round, as any seat saw it or with all hands open."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from flask import g, request
from werkzeug.wrappers import Response

from classroom.engine.cards import Card, deck_of
from classroom.engine.observation import TEACHER, Observation
from classroom.minds.hints import Hint
from classroom.services.base.names import ShownClass
from classroom.services.reports import overview
from classroom.services.reports.figures import SureAsk
from classroom.services.table import help, rounds
from classroom.services.table.help import Taken
from classroom.services.table.rounds import Seated, ViewedTable
from classroom.web.child.card_faces import CardFace, ClassFace, Faces, faces_of
from classroom.web.child.helping import Tag, asked_tags
from classroom.web.child.steps import StepView, steps_since
from classroom.web.child.table_view import BookFace, Tide, pond_look, tide_of
from classroom.web.http import forms
from classroom.web.http.pages import render, see_other
from classroom.web.reports.progress import Sure
from classroom.web.words import filters, phrases

# ---- A finished round, one move at a time: the table after a move, what happened, and all moves
#
# The page is made from two Observations of one viewer, at the move and at the end of the round, so
# it contains only what this viewer could see.

ALL: Final = "all"  # the view with all hands open, shown only if an adult asks for it
NOTHING_SHOWN: Final[Mapping[int, Any]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ReplayFan:
    """The cards of one class in a hand, or a single card in several classes (`asks` is None)."""

    asks: ClassFace | None
    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class ReplaySeat:
    """A seat after the move. `fans` is None if this viewer sees only the backs of its cards.

    `acts`, `asked`: whether it asked, or was asked, in this move. `turn`: whether it moves next.
    """

    seat: int
    name: str
    animal: str
    pad: int
    cards: int
    fans: tuple[ReplayFan, ...] | None
    books: tuple[BookFace, ...]
    acts: bool
    asked: bool
    turn: bool


@dataclass(frozen=True, slots=True)
class Helped:
    """Help that `seat` took before this move: the highest hint `step` (0 for none) and the number
    of `looks` at the board.

    The rest describes the hint, as in minds.hints.Hint. `why`: its kind. `who`: the player it names
    (None: everyone, or no player). `asks`: the class to ask for. `told`: the class in the event
    that proves the hint. `moves`: the moves that prove it. `percent`: the chance of a card."""

    seat: ReplaySeat
    step: int
    looks: int
    why: str
    who: ReplaySeat | None
    asks: ClassFace | None
    told: ClassFace | None
    moves: tuple[int, ...]
    percent: int | None


@dataclass(frozen=True, slots=True)
class MoveLine:
    """One move in the list. `tag`: its ask, None if it is not an ask. `steps`: what happened.
    `books`: how many books were laid. `sure`: whether a certain catch was taken (None: there was
    none, the asker is not a child, or this view cannot know). `help`: whether help was taken."""

    move: int
    tag: Tag | None
    steps: tuple[StepView, ...]
    books: int
    sure: bool | None
    help: bool


@dataclass(frozen=True, slots=True)
class ReplayView:
    """The page for one move. `view`: the seat whose view it is, as text, or "all". `back`, `next`:
    the moves before and after, None at the ends.

    `tide`: the tide if all play against the pond, with everybody's books; the seats then have no
    books. `dealable`: whether the moment may be dealt to a class: a seat is about to ask, and there
    were earlier asks. `steps`: what happened in this move. `sure`: what was certain before it,
    shown only in the asker's view or when all hands are open. `helped`: the help taken before it.
    """

    round_id: int
    move: int
    last: int
    view: str
    focus: ReplaySeat
    ring: tuple[ReplaySeat, ...]
    seats: tuple[ReplaySeat, ...]
    pond: int
    look: str
    tide: Tide | None
    steps: tuple[StepView, ...]
    asks: ClassFace | None
    sure: tuple[Sure, ...]
    helped: tuple[Helped, ...]
    moves: tuple[MoveLine, ...]
    back: int | None
    next: int | None
    dealable: bool


def replay_view(
    now: ViewedTable,
    end: ViewedTable,
    view: str,
    focus: int,
    sure: Mapping[int, SureAsk] = NOTHING_SHOWN,
    helped: Mapping[int, Sequence[Taken]] = NOTHING_SHOWN,
    why: Mapping[int, Hint] = NOTHING_SHOWN,
) -> ReplayView:
    """Return the page for the move `now`. `focus`: the seat drawn nearest. `sure`: by move, the
    children's asks with a certain catch, shown only in a view that could know it. `helped`: by
    move, the help that this view may show. `why`: by seat, the reason for the hint before `now`."""
    observation, move, last = now.observation, now.seq, end.seq
    steps = steps_since(observation, move - 1, now.look) if move else ()
    ask = next((step for step in steps if step.kind == "asked"), None)
    faces = faces_of(observation.rules, now.look)
    seats = tuple(_seat(player, now, ask, faces) for player in now.players)
    tags = {tag.seq: tag for tag in asked_tags(end.observation)}
    # What was certain is shown in the asker's view and, with all hands open, for every asker.
    shown = {
        seq: sure[seq] for seq, tag in tags.items() if seq in sure and view in (ALL, str(tag.asker))
    }
    certain = shown[move].known if move in shown else ()
    return ReplayView(
        round_id=now.round_id,
        move=move,
        last=last,
        view=view,
        focus=seats[focus],
        ring=(*seats[focus + 1 :], *seats[:focus]),
        seats=seats,
        pond=observation.stock_size,
        look=pond_look(observation.stock_size),
        tide=tide_of(observation, faces),
        steps=steps,
        asks=ask.asks if ask else None,
        sure=tuple(Sure(now.players[at], faces.asks(key), ago) for at, key, ago in certain),
        helped=tuple(_help(one, why.get(one[0]), seats, faces) for one in helped.get(move, ())),
        moves=tuple(_moves(end, tags, shown, helped)),
        back=move - 1 if move else None,
        next=move + 1 if move < last else None,
        dealable=observation.phase == "ask" and any(seq <= move for seq in tags),
    )


# ---- the table


def _seat(player: Seated, table: ViewedTable, ask: StepView | None, faces: Faces) -> ReplaySeat:
    observation, seat = table.observation, player.seat
    hand = observation.hand if observation.viewer == seat else observation.hands[seat]
    shared = observation.tide is not None  # the books are in the shared shell
    books = () if shared else observation.books[seat]
    return ReplaySeat(
        seat=seat,
        name=phrases.player(player),
        animal=player.animal,
        pad=player.pad,
        cards=observation.hand_sizes[seat],
        fans=None if hand is None else tuple(_fans(observation, hand, faces)),
        books=tuple(BookFace(faces.book(cards) if cards else None, False) for cards in books),
        acts=ask is not None and ask.seat == seat,
        asked=ask is not None and ask.other == seat,
        turn=observation.turn == seat,
    )


def _fans(observation: Observation, hand: tuple[Card, ...], faces: Faces) -> Iterator[ReplayFan]:
    """Yield the fans of a hand, in the order of the deck."""
    deck = deck_of(observation.rules)
    for class_, cards in faces.fans(deck.sorted(hand)).items():
        yield ReplayFan(faces.own(class_) if class_ in deck.members else None, faces.cards(cards))


def _help(taken: Taken, why: Hint | None, seats: tuple[ReplaySeat, ...], faces: Faces) -> Helped:
    (seat, step, looks), hint = taken, why or Hint(0, "")
    return Helped(
        seat=seats[seat],
        step=step,
        looks=looks,
        why=hint.kind,
        who=seats[hint.seat] if isinstance(hint.seat, int) else None,
        asks=faces.asks(hint.class_) if hint.class_ else None,
        told=faces.asks(hint.told) if hint.told else None,
        moves=tuple(move for move in hint.evidence if move),
        percent=None if hint.chance is None else round(100 * hint.chance),
    )


def _moves(
    end: ViewedTable,
    tags: Mapping[int, Tag],
    sure: Mapping[int, SureAsk],
    helped: Collection[int],
) -> Iterator[MoveLine]:
    """Yield the list of moves, which begins with the deal."""
    steps = steps_since(end.observation, 0)
    for move in range(end.seq + 1):
        mine = tuple(step for step in steps if step.seq == move)
        books = sum(step.kind == "book" for step in mine)
        taken = sure[move].taken if move in sure else None
        yield MoveLine(move, tags.get(move), mine, books, taken, move in helped)


# ---- the page

HANDS = "all_hands"  # the audit log's word for opening all hands
MOST_MOVES = 100_000


def replay_page(round_id: int) -> str | Response:
    """Show one move of the replay; htmx gets only the part that changes. A round in progress has no
    replay yet, so redirect to the page on which it can be watched."""
    if not rounds.is_over(round_id):
        return see_other("teach.watch", round_id=round_id)
    played = overview.round_page(round_id, g.who.adult_id)
    overview.looked(g.who.adult_id, "round", round_id)
    first = played.children[0][0] if played.children else 0
    view = request.args.get("view", "")
    if view not in (ALL, *map(str, range(played.seats))):
        view = str(first)
    asked = request.args.get("move", "")  # anything but a number means 0, the deal
    move = min(int(asked), MOST_MOVES) if asked.isascii() and asked.isdecimal() else 0
    if view == ALL and not overview.opened(g.who.adult_id, "round", round_id, HANDS):
        return see_other("teach.replay", round_id=round_id, move=move)
    focus = first if view == ALL else int(view)
    viewer = TEACHER if view == ALL else focus
    end = rounds.replay(round_id, viewer, rounds.seq(round_id))
    now = rounds.replay(round_id, viewer, min(move, end.seq))
    helped = _helped(round_id, view)
    why = {
        seat: help.grounds(round_id, now.seq, seat)
        for seat, step, _ in helped.get(now.seq, ())
        if step
    }
    shown = replay_view(now, end, view, focus, overview.sure_asks(round_id), helped, why)
    # The child whose page to go back to: the child of this view or, without one, the first.
    homes = [one for one in played.children if one[0] == focus] or played.children
    return render(
        "partials/teach/replay.html" if forms.by_htmx() else "pages/teach/replay.html",
        here="class",
        school_class=ShownClass(played.class_id, played.class_name),
        r=shown,
        play=request.args.get("play") == "1",
        game=filters.table_game(now),
        started_at=played.started_at,
        home=homes[0] if homes else None,
        has_sure=any(line.sure is not None for line in shown.moves),
        has_help=any(line.help for line in shown.moves),
        stood_in=overview.stood_in(round_id),
        begun=overview.before_moment(round_id),
    )


def all_hands(round_id: int) -> Response:
    """Open all hands of this round for one sitting of the adult, and record it in the audit log."""
    overview.looked(g.who.adult_id, "round", round_id, HANDS)
    move = forms.number("move", 0, MOST_MOVES, 0)
    return see_other("teach.replay", round_id=round_id, move=move, view=ALL)


def _helped(round_id: int, view: str) -> dict[int, tuple[Taken, ...]]:
    """Return, by move, the help taken by this view's seat; with all hands open, by any seat."""
    taken = help.taken(round_id).items()
    shown = {m: tuple(one for one in some if view in (ALL, str(one[0]))) for m, some in taken}
    return {move: some for move, some in shown.items() if some}
