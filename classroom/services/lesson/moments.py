"""Moments: situations from rounds, each dealt by a teacher to all children in a class at once.

A moment consists of a deck and the moves before a seat's ask. It is built by the teacher, or copied
from a finished round; such a copy is kept when the round is deleted. It names no child: its seats
have animals, as computer players do. Every child plays the seat whose turn it is, and sees what
that seat sees. No other hand leaves the server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import Any, Final

from sqlalchemy import bindparam, select, update

from classroom.database import db, run, write_unit
from classroom.engine import apply, deal as deal_round, events as ev, observe, record
from classroom.engine.actions import Action, Ask, IllegalAction, Lots, Target
from classroom.engine.cards import Card, Finder, deck_of, finder_of
from classroom.engine.observation import Observation
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.learning.evidence import Evidence, KnownFact, from_ask
from classroom.minds.memory.perfect_memory import Fact, Judgement, judge, lag_asks, remember
from classroom.models import Match, Moment, MomentAnswer, Move, Player, Round, SchoolClass
from classroom.models.table_rows import waiting_moment
from classroom.services.base import audit, clock, notices
from classroom.services.base.errors import NotFound, NotNow, Refused
from classroom.services.base.rows import held, in_class, is_there
from classroom.services.lesson import live_class
from classroom.services.table import choices, evidence_log, matches, offers, rounds, states
from classroom.services.table.offers import Offer, only_asks
from classroom.services.table.rounds import Seated, ViewedTable

MOST_MOMENTS: Final = 12  # the most moments that a class may have
TOLD: Final = 4  # how many asks a child is told about before answering
_WAITING = select(waiting_moment(bindparam("child"), bindparam("class")))


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer: asking `target` for `class_`. `number`: how many children gave it. `known`:
    whether the asks told to the children made it certain that the target had such a card."""

    target: Target
    class_: str
    number: int
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A moment as its teacher sees it. `table`: the view of the seat whose turn it is; None if
    today's rules refuse the moment. `since`: the children are told the moves after this move.
    `answers`: the answers to the last deal, most frequent first, then those that could be worked
    out for certain but that no child gave. `here`: how many children have answered or are signed
    in. `plays_on`: whether each child continues the round after answering."""

    moment_id: int
    made_at: float
    dealt_at: float | None
    open: bool
    shown: bool
    table: ViewedTable | None
    since: int
    answers: tuple[Answered, ...]
    here: int
    plays_on: bool

    @property
    def known(self) -> bool:
        """Whether any answer could be worked out for certain from the asks told to the children."""
        return any(one.known for one in self.answers)

    @property
    def answered(self) -> int:
        """How many children have answered the last deal."""
        return sum(one.number for one in self.answers)


# ---- the moments that a teacher keeps and deals


def keep(class_id: int, round_id: int, move: int, by: int | None) -> int:
    """Keep the moment after this move of a finished round, once for each class; returns its id.
    Raises EarlierRules, NotFound, and Refused: `moments_full`, `moment_game` if an ask is not
    answered at once, `moment_none` if no seat was about to ask or no seat had asked before."""
    if not rounds.is_over(round_id):
        raise NotFound("round")
    facts, state = states.folded_to(round_id, move)
    _check(state)
    logged = select(Move.action, Move.chance).where(Move.round_id == round_id, Move.seq <= move)
    row = Moment(
        round_id=round_id,
        header=record.header_to_json(facts.game, state, facts.deck),
        moves=[list(row) for row in db.session.execute(logged.order_by(Move.seq))],
        look=facts.look,
        faces=matches.faces(class_id, [], state.seats),
    )
    return _store(class_id, row, by)


def keep_built(
    class_id: int, game: str, hands: Sequence[str], asks: Sequence[str], by: int | None
) -> int:
    """Keep a moment made by `build`; returns its id, or that of an identical moment already kept.
    Raises Refused as `keep` does, or with a code of `Built.problem`, and NotFound for an
    unknown game."""
    offer = offers.find(class_id, game)
    made = build(offer, hands, asks)
    if made.problem:
        raise made.problem
    _check(made.state)
    row = Moment(
        header=record.header_to_json(offer.game.key, made.state, made.deck),
        moves=made.moves,
        look=offer.look,
        faces=matches.faces(class_id, [], len(hands), Random(class_id)),
    )
    return _store(class_id, row, by)


def _store(class_id: int, row: Moment, by: int | None) -> int:
    with write_unit():
        held(SchoolClass, class_id)
        rows = _rows(class_id)
        for one in rows:
            if (one.header, one.moves) == (row.header, row.moves):
                return one.id
        if len(rows) >= MOST_MOMENTS:
            raise Refused("moments_full", most=MOST_MOMENTS)
        row.class_id, row.made_at = class_id, clock.now()
        db.session.add(row)
        db.session.flush()
        audit.record(by, "moment_made", "class", class_id)
        return row.id


def of_class(class_id: int) -> tuple[Kept, ...]:
    """The moments of a class, newest first."""
    return tuple(_kept(row) for row in _rows(class_id))


def one(class_id: int, moment_id: int) -> Kept:
    """A moment of the class. Raises NotFound."""
    return _kept(in_class(Moment, moment_id, class_id))


def deal(class_id: int, moment_id: int, by: int | None, *, plays_on: bool = False) -> None:
    """Deal the moment to all children who are here; any other moment is taken back. `plays_on`:
    each child continues the round after answering. Raises NotFound, and Refused: `nobody_here`, or
    `moment_gone` if the moment can no longer be played."""
    if not live_class.here(class_id):
        raise Refused("nobody_here")
    with write_unit():
        held(SchoolClass, class_id)
        row = in_class(Moment, moment_id, class_id)
        _state(row)
        db.session.execute(update(Moment).where(Moment.class_id == class_id).values(open=False))
        row.open, row.dealt_at, row.shown_at = True, clock.now(), None
        row.plays_on = plays_on
        notices.changed(class_id)
        audit.record(by, "moment_dealt", "class", class_id)
    notices.tables(class_id)


def show(class_id: int, moment_id: int) -> None:
    """Show the answers to the class; answers given later are not evidence. Raises NotFound."""
    with write_unit():
        row = in_class(Moment, moment_id, class_id)
        row.shown_at = row.shown_at or clock.now()
    notices.moment(moment_id)


def take_back(class_id: int, moment_id: int) -> None:
    """Stop taking answers; the children go back to what they were doing. Raises NotFound."""
    with write_unit():
        in_class(Moment, moment_id, class_id).open = False
        notices.changed(class_id)
    notices.tables(class_id)
    notices.moment(moment_id)


def remove(class_id: int, moment_id: int, by: int | None) -> None:
    """Remove a moment and its answers; the evidence from the answers is kept. Raises NotFound."""
    with write_unit():
        db.session.delete(in_class(Moment, moment_id, class_id))
        notices.changed(class_id)
        audit.record(by, "moment_removed", "class", class_id)
    notices.tables(class_id)


# ---- a child's answer


def waiting_for(child_id: int, class_id: int) -> int | None:
    """The open moment of the class that this child has not answered, if any."""
    found: int | None = run(_WAITING, {"child": child_id, "class": class_id}).scalar()
    return found


def met_by(class_id: int, moment_id: int, child_id: int) -> tuple[ViewedTable, bool]:
    """The table of an open moment as this child sees it, and whether the child has answered; if it
    has, the table is shown after that ask. Raises NotFound if the moment is not open."""
    row = _open(class_id, moment_id)
    state, answer = _state(row), _answer(row, child_id)
    after = state if answer is None else _asked(row, state, record.action_from_json(answer.ask))
    table = _table(row, observe(after, _seat(state)), asks=answer is None)
    return replace(table, pace=choices.settings_of(child_id).pace), answer is not None


def before(class_id: int, moment_id: int) -> ViewedTable:
    """The table of an open moment, before the asks that a child is told about. Raises NotFound."""
    row = _open(class_id, moment_id)
    state = _state(row)
    seat = _seat(state)
    earlier = _state(row, _since(observe(state, seat)))
    return _table(row, observe(earlier, seat), asks=False)


def answer(class_id: int, moment_id: int, child_id: int, action: Action) -> int | None:
    """Play a child's answer, once for each deal; a second answer changes nothing. The first answer
    that a child ever gives to this moment is evidence, unless the answers have been shown already
    or the child sat in the round itself. Returns the round in which the child continues, with the
    answer as its first move, or None if there is none. Raises IllegalAction, and NotFound if
    the moment is not open."""
    round_id = None
    with write_unit():
        held(Moment, moment_id)
        row = _open(class_id, moment_id)
        if _answer(row, child_id) is not None:
            return None
        state, at = _state(row), clock.now()
        over = _asked(row, state, action).over
        ask = record.action_to_json(action)
        first = db.session.get(MomentAnswer, (child_id, moment_id)) is None
        db.session.merge(MomentAnswer(child_id=child_id, moment_id=moment_id, ask=ask, at=at))
        sat = select(Round.id).join(Player, Player.match_id == Round.match_id)
        sat = sat.where(Round.id == row.round_id, Player.child_id == child_id)
        if first and row.shown_at is None and not is_there(sat):
            evidence_log.append(child_id, _shown(row, state, action, at))
        if row.plays_on and not over:
            rounds.leave_off(Player.child_id == child_id, Match.moment.is_(True))
            each = accumulate(
                row.moves, lambda one, move: record.replayed(one, [move]), initial=_state(row, 0)
            )
            round_id = matches.go_on_from(child_id, row, [_seat(one) for one in each])
    notices.moment(moment_id)
    if round_id is not None:
        with suppress(NotNow):  # the class is paused: the child asks again after the pause
            rounds.play(round_id, _seat(state), action, "answer", state.seq)
    return round_id


def _shown(row: Moment, state: State, ask: Action, at: float) -> list[Evidence]:
    """The evidence about memory from this answer, only for facts that the child was told about."""
    if not isinstance(ask, Ask) or ask.target == "all":  # an ask to all shows no single fact
        return []
    view = observe(state, _seat(state))
    judgement, told = _judged(view)
    facts = [KnownFact(f.target, f.class_, f.since, lag_asks(view, f)) for f in told]
    rows = from_ask(
        int(ask.target),
        ask.class_,
        facts=facts,
        certain=judgement.certain,
        legal=judgement.asks,
        at=at,
        day=clock.day(at),
        source="moment",
    )
    return [replace(one, item={**one.item, "moment": row.id}) for one in rows]


# ---- Reading moments and answers from the database


def _rows(class_id: int) -> Sequence[Moment]:
    wanted = select(Moment).where(Moment.class_id == class_id)
    return db.session.scalars(wanted.order_by(Moment.id.desc())).all()


def _open(class_id: int, moment_id: int) -> Moment:
    row = in_class(Moment, moment_id, class_id)
    if not row.open:
        raise NotFound("moment")
    return row


def _answer(row: Moment, child_id: int) -> MomentAnswer | None:
    found = db.session.get(MomentAnswer, (child_id, row.id))
    return found if found is not None and found.at >= (row.dealt_at or 0.0) else None


def _kept(row: Moment) -> Kept:
    wanted = select(MomentAnswer).where(MomentAnswer.moment_id == row.id)
    given = db.session.scalars(wanted.where(MomentAnswer.at >= (row.dealt_at or 0.0))).all()
    table, since, known = None, 0, frozenset[tuple[int, str]]()
    with suppress(Refused):
        state = _state(row)
        view = observe(state, _seat(state))
        table, since = _table(row, view, asks=True), _since(view)
        known = frozenset((fact.target, fact.class_) for fact in _judged(view)[1])
    asked = Counter(dict.fromkeys(sorted(known), 0))
    asked.update((one.ask["target"], one.ask["class"]) for one in given)
    return Kept(
        moment_id=row.id,
        made_at=row.made_at,
        dealt_at=row.dealt_at,
        open=row.open,
        shown=row.shown_at is not None,
        table=table,
        since=since,
        answers=tuple(Answered(*ask, n, ask in known) for ask, n in asked.most_common()),
        here=len({one.child_id for one in given} | live_class.here(row.class_id).keys()),
        plays_on=row.plays_on,
    )


# ---- the round that belongs to a moment


def _check(state: State) -> None:
    """Refuse a moment in which no ask is possible or no ask was made before, or in which an ask is
    not answered at once, because a child should see the result of an answer immediately."""
    if state.turn is None or state.phase != "ask":
        raise Refused("moment_none")
    view = observe(state, state.turn)
    asks = [action for action in view.legal if isinstance(action, Ask)]
    if not asks or not _asks_of(view):
        raise Refused("moment_none")
    after = {apply(state, ask, Lots(Random(0)), seat=state.turn).state.phase for ask in asks}
    if not after <= {"ask", "over"}:
        raise Refused("moment_game")


def _state(row: Moment, moves: int | None = None) -> State:
    """The round after its first `moves` moves (None: all moves). Raises Refused("moment_gone") for
    cards or moves that today's rules do not allow."""
    header: dict[str, Any] = row.header
    try:
        rules = Rules.from_json(header["rules"])
        dealt = deal_round(rules, header["seats"], header["dealer"], header["deck"])
        return record.replayed(dealt.state, row.moves[:moves])
    except ValueError as error:
        raise Refused("moment_gone") from error


def _seat(state: State) -> int:
    """The seat whose turn it is. Every child plays this seat."""
    assert state.turn is not None, "a moment is kept before an ask"
    return state.turn


def _asked(row: Moment, state: State, action: Action) -> State:
    """The state after this answer; random results are the same for all. Raises IllegalAction."""
    return apply(state, action, Lots(Random(row.id)), seat=_seat(state)).state


def _asks_of(view: Observation) -> list[int]:
    """The numbers of the moves that were asks."""
    return [seen.seq for seen in view.history if isinstance(seen.event, ev.Asked)]


def _since(view: Observation) -> int:
    """The number of the move before the first ask that the children are told about."""
    return _asks_of(view)[-TOLD:][0] - 1


def _judged(view: Observation) -> tuple[Judgement, list[Fact]]:
    """The judgement of the seat's asks, and the facts in it that the child was told about."""
    judgement, since = judge(view, remember(view)), _since(view)
    return judgement, [fact for fact in judgement.heard if min(fact.moves) > since]


def _table(row: Moment, view: Observation, *, asks: bool) -> ViewedTable:
    """The table that this seat sees. `asks`: whether it may ask now."""
    return ViewedTable(
        round_id=0,  # a moment belongs to no round or match
        match_id=0,
        number=1,
        game=row.header["game"],
        observation=view if asks else replace(view, legal=()),
        players=tuple(
            Seated(
                seat=seat,
                name=animal.capitalize(),
                animal=animal,
                pad=pad,
                child_id=None,
                level="",  # so the page calls each seat by its animal, in its own language
                me=seat == view.viewer,
                away=False,
            )
            for seat, (animal, pad) in enumerate(row.faces)
        ),
        board="off",
        hints=False,
        thoughts=(),
        look=row.look,
    )


# ---- Building a moment: the hands and asks that a teacher chooses become a deck and moves, which
# the engine deals and plays
#
# The teacher never chooses the result of an ask. It follows from the cards, so no seat can keep a
# card that it had to give. Every seat is dealt the same number of cards: smaller hands are filled
# up with kinds that are not mentioned. Fished cards are of such kinds too, while there are any.


BUILT_DECK: Final = "short"  # the size of a built moment's deck
BUILT_SEATS: Final = range(2, 5)
FEWEST: Final = 3  # the fewest cards in a hand; a child learns too little from fewer cards
MOST_CARDS: Final = 7  # the most cards that can be chosen for a hand
MOST_ASKS: Final = 8


@dataclass(frozen=True, slots=True)
class Built:
    """The result of `build`. `hands`: the cards that each seat is dealt, the chosen cards first;
    `state`: the round after `moves`. `problem`: why the moment cannot be kept (`moment_many`,
    `moment_book`, `moment_unheld` or `moment_ask`); `moves` then end just before the wrong ask."""

    deck: tuple[Card, ...]
    hands: list[list[Card]]
    moves: list[Any]
    state: State
    problem: Refused | None

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self.state.active

    @property
    def view(self) -> Observation:
        """The observation of the seat whose turn it is."""
        return observe(self.state, self.turn)


def sizes(offer: Offer) -> list[int]:
    """The numbers of seats for which moments in this game can be built. There are none unless each
    card is of one kind, and each ask goes to one seat and is answered at once."""
    fewest, most = offer.seats
    return [
        n for n in BUILT_SEATS if fewest <= n <= most and _simple(offer.rules_for(n, BUILT_DECK), n)
    ]


def _simple(rules: Rules, seats: int) -> bool:
    kinds = deck_of(rules).classes_of.values()
    return only_asks(rules) and all(len(one) == 1 for one in kinds) and len(kinds) > seats * FEWEST


def build(offer: Offer, hands: Sequence[str], asks: Sequence[str]) -> Built:
    """Deal and play a moment; seat 0 begins. `hands`: the kinds of each seat's cards, as in
    `7.7.2`; `asks`: for each ask, the seat that is asked and the kind, as in `1-7`."""
    seats, problem = len(hands), None
    rules = offer.rules_for(seats, BUILT_DECK)
    deck, finder = deck_of(rules), finder_of(rules)
    chosen = [hand.split(".") if hand else [] for hand in hands]
    size = max(FEWEST, *map(len, chosen))
    wanted = Counter(kind for hand in chosen for kind in hand)
    enough = all(n <= len(deck.members.get(kind, ())) for kind, n in wanted.items())
    if not enough or size * seats > len(deck.cards):
        return replace(build(offer, [""] * seats, ()), problem=Refused("moment_many"))
    about = {*wanted, *(deck.class_of(card) for kind in wanted for card in deck.entitling[kind])}
    rng = Random("/".join((offer.key, *hands)))  # the same hands get the same pond
    left = sorted(deck.cards, key=lambda card: rng.random())
    dealt = [[_taken(left, deck.members[kind]) for kind in hand] for hand in chosen]
    for hand in dealt:
        while len(hand) < size:
            held = {deck.class_of(card) for one in dealt for card in one}
            hand.append(_taken(left, _dull(finder, left, hand, about | held)))
    order = [card for turn in zip(*dealt, strict=True) for card in turn]
    rules = rules.changed(deal={"default": size})
    state = deal_round(rules, seats, seats - 1, (*order, *left)).state
    if any(state.books):
        problem = Refused("moment_book")
    order += state.lost
    moves: list[Any] = []
    for number, text in enumerate(() if problem else asks, 1):
        whom, _, kind = text.partition("-")
        ask = Ask(next((n for n in range(seats) if whom == str(n)), seats), kind)
        first = _dull(finder, state.stock, state.hands[state.active], about | {kind})
        pond = sorted(state.stock, key=lambda card, first=first: card not in first)  # type: ignore[misc]
        try:
            step = apply(replace(state, stock=tuple(pond)), ask, Lots(rng), seat=state.turn)
        except IllegalAction as error:
            unheld = error.reason == "rank_not_held"
            problem = Refused("moment_unheld" if unheld else "moment_ask", number=number)
            break
        order += pond[: len(pond) - len(step.state.stock)]
        shuffled = tuple(card for card in state.stock if card in step.state.stock)
        state = replace(step.state, stock=shuffled)
        moves.append([record.action_to_json(ask), [*map(record.chance_to_json, step.chance)]])
    return Built((*order, *state.stock), dealt, moves, state, problem)


def _taken(left: list[Card], cards: Collection[Card]) -> Card:
    card = min(one for one in left if one in cards)
    left.remove(card)
    return card


def _dull(
    finder: Finder, left: Sequence[Card], hand: Collection[Card], useful: Collection[str]
) -> Collection[Card]:
    """The cards in `left` that make no book with the hand and are not of a useful kind. If there
    are none, those that make no book; if there are none of these either, all of `left`."""
    no_book = [card for card in left if not finder.possible(frozenset((*hand, card)))]
    return [card for card in no_book if finder.deck.class_of(card) not in useful] or no_book or left
