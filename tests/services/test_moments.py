"""Moments: a place in a finished round that is kept with a class and dealt to all its children."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import delete

from classroom.database import db, write_unit
from classroom.engine import deal, observe
from classroom.engine.actions import Ask, IllegalAction
from classroom.engine.record import replayed
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.learning.estimates import recalled
from classroom.learning.outlines import OUTLINES
from classroom.learning.skills import IN_PLAY
from classroom.models import (
    ChildRound,
    EvidenceRow,
    Gathering,
    Match,
    Moment,
    MomentAnswer,
    Move,
    QuestionRow,
    Round,
)
from classroom.services.access import sessions
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import gatherings, lessons, live_class, moments, open_tables
from classroom.services.quiz import posing
from classroom.services.school import objections
from classroom.services.table import evidence_log, matches, offers, rounds, stand_ins, states
from tests.conftest import Rooms, finish
from tests.playing import Classroom, settings
from tests.randomness import drawn_from


@pytest.fixture
def room(tmp_path: Path, rooms: Rooms) -> Iterator[Classroom]:
    """A class of three: Ada has played, and all are dealt the moment."""
    room = rooms.copy(tmp_path / "instance", 3)
    with room.app.app_context():
        yield room
        db.session.rollback()
    finish(room.app)


def finished(room: Classroom, game: str = "classic", seed: int = 1, child: str = "Ada") -> int:
    """A round of a child and two computer players, played to its end at random."""
    rng = Random(seed)
    sitters = [room.children[child], None, None]
    with drawn_from(rng):
        with write_unit():
            round_id = matches.together(room.class_id, game, sitters)
        while (turn := states.read(round_id).state.turn) is not None:
            seen = observe(states.read(round_id).state, turn)
            action = rng.choice(seen.legal)
            by = "child" if sitters[turn] else "computer"
            rounds.play(round_id, turn, action, f"m{seen.seq}", seen.seq, played_by=by)
    return round_id


def kept(room: Classroom, *, known: bool = True, child: str = "Ada") -> int:
    """A moment in which something can be known from what is told, or nothing can."""
    round_id = finished(room, child=child)
    for move in range(2, rounds.seq(round_id)):
        try:
            moment_id = moments.keep(room.class_id, round_id, move, None)
        except Refused:
            continue
        if moments.one(room.class_id, moment_id).known is known:
            return moment_id
        moments.remove(room.class_id, moment_id, None)
    raise AssertionError("there is no such moment")


def come(room: Classroom) -> None:
    """Mia and Ben sign in."""
    for name in ("Mia", "Ben"):
        with write_unit():
            sessions.start(name[0] * 32, class_id=room.class_id, child_id=room.children[name])


def dealt(room: Classroom, *, known: bool = True, child: str = "Ada") -> int:
    moment_id = kept(room, known=known, child=child)
    come(room)
    moments.deal(room.class_id, moment_id, None)
    return moment_id


def asks(room: Classroom, moment_id: int) -> tuple[list[Ask], list[Ask]]:
    """The asks that were certain from what is told, and the others."""
    row = db.session.get_one(Moment, moment_id)
    state = moments._state(row)
    view = observe(state, moments._seat(state))
    judgement, told = moments._judged(view)
    known = {(fact.target, fact.class_) for fact in told}
    legal = [ask for ask in view.legal if isinstance(ask, Ask)]
    sure = [ask for ask in legal if (ask.target, ask.class_) in known]
    return sure, [ask for ask in legal if (ask.target, ask.class_) not in judgement.certain]


def answer(room: Classroom, moment_id: int, name: str, ask: Ask) -> None:
    moments.answer(room.class_id, moment_id, room.children[name], ask)


def evidence() -> list[EvidenceRow]:
    return db.session.query(EvidenceRow).filter_by(source="moment").order_by("id").all()


# ---- keeping


def test_a_moment_is_kept_once_and_stays_when_its_round_is_deleted(room: Classroom) -> None:
    round_id = finished(room)
    first = moments.keep(room.class_id, round_id, 6, None)
    assert moments.keep(room.class_id, round_id, 6, None) == first
    with write_unit():
        db.session.execute(delete(Match))
    assert db.session.query(Round).count() == 0
    (one,) = moments.of_class(room.class_id)
    assert one.table is not None
    assert one.table.seq == 6


def test_nobody_who_played_is_named_in_a_moment(room: Classroom) -> None:
    row = db.session.get_one(Moment, kept(room, child="Mia"))
    text = json.dumps([row.header, row.moves, row.faces])
    assert not any(name in text for name in room.children)
    assert not {"fox", "bear"} & {animal for animal, _ in row.faces}, "those of Mia and Ben"
    table = moments.one(room.class_id, row.id).table
    assert table is not None
    assert all(one.child_id is None for one in table.players)


@pytest.mark.parametrize("move", [0, 100_000])
def test_a_moment_needs_an_ask_before_it_and_one_to_come(room: Classroom, move: int) -> None:
    with pytest.raises(Refused, match="moment_none"):
        moments.keep(room.class_id, finished(room), move, None)
    assert moments.of_class(room.class_id) == ()


def test_a_round_in_progress_has_no_moments(room: Classroom, mia: int) -> None:
    with pytest.raises(NotFound):
        moments.keep(room.class_id, matches.sit_down(mia, "classic"), 1, None)


def test_a_moment_in_which_an_ask_takes_two_moves_is_refused(room: Classroom) -> None:
    round_id, refused = finished(room, "guru_how_many"), set()
    for move in range(2, rounds.seq(round_id)):
        try:
            moments.keep(room.class_id, round_id, move, None)
        except Refused as error:
            refused.add(error.code)
    assert "moment_game" in refused


def test_a_class_keeps_so_many_moments(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "MOST_MOMENTS", 1)
    round_id = finished(room)
    moments.keep(room.class_id, round_id, 6, None)
    with pytest.raises(Refused, match="moments_full"):
        moments.keep(room.class_id, round_id, 7, None)


# ---- building


def built(room: Classroom, hands: list[str], asks: list[str], game: str = "classic") -> Moment:
    moment_id = moments.keep_built(room.class_id, game, hands, asks, None)
    return db.session.get_one(Moment, moment_id)


def kinds(state: State) -> list[str]:
    deck = state.setup.deck
    return [".".join(map(deck.class_of, deck.sorted(hand))) for hand in state.hands]


@pytest.mark.walk(4)
@pytest.mark.parametrize("game", GAMES)
def test_moments_of_every_simple_game_are_built(room: Classroom, game: str) -> None:
    offer = offers.of_menu(game)
    for seats in moments.sizes(offer):
        made = moments.build(offer, [""] * seats, [])
        assert made.problem is None
        ask = next(one for one in observe(made.state, 0).legal if isinstance(one, Ask))
        row = built(room, [""] * seats, [f"{ask.target}-{ask.class_}"], game)
        assert moments._state(row).seq == 1, "the engine deals and plays it again"
        moments.remove(room.class_id, row.id, None)


def test_what_came_of_an_ask_follows_from_the_cards(room: Classroom) -> None:
    row = built(room, ["2.7", "7.7.5", "9"], ["2-7", "0-5"])
    state = moments._state(row)
    assert state.turn == 2
    assert kinds(state)[1].count("7") == 2
    gave = moments._state(built(room, ["2.7", "7.7.5", "9"], ["1-7"]))
    assert gave.turn == 0
    assert [hand.count("7") for hand in kinds(gave)] == [3, 0, 0], "what was given is gone"


def test_hands_are_filled_up_with_what_the_moment_is_not_about(room: Classroom) -> None:
    made = moments.build(offers.of_menu("make_ten"), ["3.4.2.1", "7", ""], ["2-7"])
    assert {len(hand) for hand in made.hands} == {4}
    filled = {card.partition("-")[0] for hand in made.hands[1:] for card in hand[1:]}
    assert not filled & {"3", "7", "4", "6", "8", "9"}


def test_the_same_moment_is_built_once_and_has_the_same_pond(room: Classroom) -> None:
    first, again = (built(room, ["7", "5", "9"], ["1-7"]) for _ in range(2))
    assert first.id == again.id
    assert first.round_id is None


@pytest.mark.parametrize(
    ("hands", "asks", "code"),
    [
        (["7.7.7", "7.7", ""], ["1-7"], "moment_many"),
        (["X", "", ""], [], "moment_many"),
        (["7.7.7.7", "", ""], ["1-7"], "moment_book"),
        (["7.2", "5", "9"], ["1-5"], "moment_unheld"),
        (["7.2", "5", "9"], ["2-2", "0-9"], "moment_unheld"),
        (["7.2", "5", "9"], ["0-7"], "moment_ask"),
        (["7.2", "5", "9"], ["3-7"], "moment_ask"),
        (["7.2", "5", "9"], ["x"], "moment_ask"),
        (["7.2", "5", "9"], [], "moment_none"),
    ],
)
def test_an_impossible_moment_is_refused_and_nothing_is_kept(
    room: Classroom, hands: list[str], asks: list[str], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        built(room, hands, asks)
    assert refused.value.code == code
    assert moments.of_class(room.class_id) == ()


@pytest.mark.parametrize("key", [key for key, one in OUTLINES.items() if one.moment])
def test_in_the_moment_of_a_lesson_somebody_must_have_a_card(room: Classroom, key: str) -> None:
    lesson = OUTLINES[key]
    hands, asks = (part.split() for part in lesson.moment.split("/"))
    row = built(room, hands, asks, lesson.game)
    known = [one for one in moments.one(room.class_id, row.id).answers if one.known]
    legal = observe(moments._state(row), moments._seat(moments._state(row))).legal
    assert known
    assert {(one.target, one.class_) for one in known} & {
        (ask.target, ask.class_) for ask in legal if isinstance(ask, Ask)
    }


def test_a_moment_after_the_end_of_its_round_is_refused(room: Classroom) -> None:
    with pytest.raises(Refused, match="moment_none"):
        built(room, ["7.2.3", "7.7.7", "9"], ["1-7"], "guru")


def test_children_answer_a_built_moment(room: Classroom, mia: int) -> None:
    row = built(room, ["7.2", "7.5", "9"], ["2-2", "0-5"])
    come(room)
    moments.deal(room.class_id, row.id, None)
    table, _ = moments.met_by(room.class_id, row.id, mia)
    assert table.seat == 2
    ask = next(each for each in table.observation.legal if isinstance(each, Ask))
    answer(room, row.id, "Mia", ask)
    assert moments.met_by(room.class_id, row.id, mia)[1]


# ---- dealing


def test_a_moment_is_dealt_to_every_child_at_its_table_or_at_none(
    room: Classroom, mia: int, ben: int
) -> None:
    moment_id = dealt(room)
    assert open_tables.friends(ben).moment == moment_id
    at_table = rounds.table(matches.sit_down(mia, "classic"), 0)
    assert at_table.around.moment == moment_id
    at_home = rounds.table(matches.sit_down(mia, "classic", at_home=True), 0)
    assert at_home.around.moment is None


def test_a_moment_is_not_dealt_while_nobody_is_here(room: Classroom) -> None:
    moment_id = kept(room)
    with pytest.raises(Refused, match="nobody_here"):
        moments.deal(room.class_id, moment_id, None)


def test_another_moment_takes_the_place_of_the_one_that_is_dealt(room: Classroom, mia: int) -> None:
    first = dealt(room)
    second = moments.keep(room.class_id, finished(room, seed=2), 6, None)
    moments.deal(room.class_id, second, None)
    assert moments.waiting_for(mia, room.class_id) == second
    with pytest.raises(NotFound):
        moments.met_by(room.class_id, first, mia)


def test_a_new_lesson_takes_a_moment_back(room: Classroom, mia: int) -> None:
    dealt(room)
    with write_unit():
        lessons.put_away(room.class_id)
    assert moments.waiting_for(mia, room.class_id) is None


def test_a_moment_with_impossible_cards_is_refused_and_nothing_is_lost(room: Classroom) -> None:
    moment_id = kept(room)
    come(room)
    with write_unit():
        row = db.session.get_one(Moment, moment_id)
        row.header = row.header | {"deck": [row.header["deck"][0]] * len(row.header["deck"])}
    with pytest.raises(Refused, match="moment_gone"):
        moments.deal(room.class_id, moment_id, None)
    (one,) = moments.of_class(room.class_id)
    assert (one.moment_id, one.table, one.open) == (moment_id, None, False)
    moments.remove(room.class_id, moment_id, None)
    assert moments.of_class(room.class_id) == ()


# ---- meeting it


def test_a_child_sees_the_hand_of_the_seat_that_it_plays_and_no_other(
    room: Classroom, mia: int
) -> None:
    moment_id = dealt(room)
    before = moments.before(room.class_id, moment_id)
    now, answered = moments.met_by(room.class_id, moment_id, mia)
    answer(room, moment_id, "Mia", asks(room, moment_id)[0][0])
    after, answered_then = moments.met_by(room.class_id, moment_id, mia)
    assert (answered, answered_then) == (False, True)
    for table in (before, now, after):
        view = table.observation
        assert [seat for seat, hand in enumerate(view.hands) if hand] == [now.seat]
        assert table.open_hands == ()
        assert [player.seat for player in table.players if player.me] == [now.seat]
    assert now.my_turn
    assert before.observation.legal == after.observation.legal == ()
    assert before.seq < now.seq < after.seq


def test_a_child_answers_once_and_the_answer_cannot_be_changed(room: Classroom, mia: int) -> None:
    moment_id = dealt(room)
    sure, others = asks(room, moment_id)
    answer(room, moment_id, "Mia", sure[0])
    answer(room, moment_id, "Mia", others[0])
    answer(room, moment_id, "Ben", others[0])
    one = moments.one(room.class_id, moment_id)
    assert one.answered == one.here == 2
    given = {(a.target, a.class_, a.number, a.known) for a in one.answers if a.number}
    assert given == {
        (sure[0].target, sure[0].class_, 1, True),
        (others[0].target, others[0].class_, 1, False),
    }
    assert moments.waiting_for(mia, room.class_id) is None


def test_an_ask_that_the_rules_refuse_is_no_answer(room: Classroom, mia: int) -> None:
    moment_id = dealt(room)
    now = moments.met_by(room.class_id, moment_id, mia)[0]
    with pytest.raises(IllegalAction):
        answer(room, moment_id, "Mia", Ask(now.seat or 0, asks(room, moment_id)[0][0].class_))
    assert moments.waiting_for(mia, room.class_id) == moment_id


def test_every_child_who_asks_the_same_gets_the_same(room: Classroom, mia: int, ben: int) -> None:
    moment_id = dealt(room, known=False)
    ask = asks(room, moment_id)[1][-1]
    answer(room, moment_id, "Mia", ask)
    answer(room, moment_id, "Ben", ask)
    mine, yours = (moments.met_by(room.class_id, moment_id, child)[0] for child in (mia, ben))
    assert mine.observation == yours.observation


def test_a_moment_that_was_taken_back_takes_no_answer(room: Classroom) -> None:
    moment_id = dealt(room)
    ask = asks(room, moment_id)[0][0]
    moments.take_back(room.class_id, moment_id)
    with pytest.raises(NotFound):
        answer(room, moment_id, "Mia", ask)


def test_a_moment_of_another_class_is_not_there(room: Classroom, mia: int) -> None:
    moment_id = dealt(room)
    with pytest.raises(NotFound):
        moments.met_by(room.class_id + 1, moment_id, mia)
    with pytest.raises(NotFound):
        moments.one(room.class_id + 1, moment_id)


def test_dealt_again_a_moment_waits_for_everybody_again(room: Classroom, mia: int) -> None:
    moment_id = dealt(room)
    ask = asks(room, moment_id)[0][0]
    answer(room, moment_id, "Mia", ask)
    moments.show(room.class_id, moment_id)
    with clock.clock_at(clock.now() + 60):
        moments.deal(room.class_id, moment_id, None)
        assert not moments.one(room.class_id, moment_id).shown
        assert moments.one(room.class_id, moment_id).answered == 0
        assert moments.waiting_for(mia, room.class_id) == moment_id
        answer(room, moment_id, "Mia", ask)
        assert moments.one(room.class_id, moment_id).answered == 1


# ---- what it shows


def test_an_answer_from_memory_is_evidence_marked_as_a_moment(room: Classroom) -> None:
    moment_id = dealt(room)
    sure, others = asks(room, moment_id)
    answer(room, moment_id, "Mia", sure[0])
    answer(room, moment_id, "Ben", others[0])
    rows = {row.child_id: row for row in evidence()}
    right, wrong = rows[room.children["Mia"]], rows[room.children["Ben"]]
    assert (right.right, wrong.right) == (True, False)
    assert right.item["moment"] == moment_id
    assert right.skill == IN_PLAY
    assert not right.aided
    assert (right.round_id, right.lag_seconds) == (None, None)
    told = recalled(evidence_log.evidence_of(right))
    assert told is not None
    assert (told.play, told.right, told.lag) == (True, True, right.lag_asks)


def test_where_nothing_could_be_known_an_answer_shows_nothing(room: Classroom) -> None:
    moment_id = dealt(room, known=False)
    answer(room, moment_id, "Mia", asks(room, moment_id)[1][0])
    assert evidence() == []
    assert moments.one(room.class_id, moment_id).answered == 1


def test_an_answer_that_others_were_shown_is_only_counted(room: Classroom) -> None:
    moment_id = dealt(room)
    moments.show(room.class_id, moment_id)
    answer(room, moment_id, "Mia", asks(room, moment_id)[0][0])
    assert evidence() == []
    assert moments.one(room.class_id, moment_id).answered == 1


def test_a_child_who_sat_in_the_round_is_only_counted(room: Classroom) -> None:
    moment_id = dealt(room, child="Mia")
    for name in ("Mia", "Ben"):
        answer(room, moment_id, name, asks(room, moment_id)[0][0])
    assert [row.child_id for row in evidence()] == [room.children["Ben"]]
    assert moments.one(room.class_id, moment_id).answered == 2


def test_nothing_is_worked_out_about_a_child_whose_family_objects(
    room: Classroom, mia: int
) -> None:
    objections.begin(mia, "family", "object")
    moment_id = dealt(room)
    answer(room, moment_id, "Mia", asks(room, moment_id)[0][0])
    assert evidence() == []


def test_answers_go_with_their_child_and_moments_with_their_class(room: Classroom) -> None:
    moment_id = dealt(room)
    answer(room, moment_id, "Mia", asks(room, moment_id)[0][0])
    moments.remove(room.class_id, moment_id, None)
    assert db.session.query(MomentAnswer).count() == 0


@pytest.mark.walk(8)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_dealt_or_refused_in_words(room: Classroom, mia: int, game: str) -> None:
    settings(mia, deck="small")
    low, high = GAMES[game].rules.seats
    if not low <= 3 <= high:
        pytest.skip("it is not played by three")
    round_id, codes = finished(room, game), set()
    come(room)
    for move in range(2, rounds.seq(round_id)):
        try:
            moment_id = moments.keep(room.class_id, round_id, move, None)
            break
        except Refused as refused:
            codes.add(refused.code)
    else:
        assert codes <= {"moment_none", "moment_game"}
        return
    moments.deal(room.class_id, moment_id, None)
    table, _ = moments.met_by(room.class_id, moment_id, mia)
    ask = next(each for each in table.observation.legal if isinstance(each, Ask))
    answer(room, moment_id, "Mia", ask)
    assert moments.met_by(room.class_id, moment_id, mia)[1]


# ---- playing on from it


def dealt_to_play_on(room: Classroom, game: str = "classic") -> int:
    round_id = finished(room, game)
    come(room)
    for move in range(2, rounds.seq(round_id)):
        with suppress(Refused):
            moment_id = moments.keep(room.class_id, round_id, move, None)
            moments.deal(room.class_id, moment_id, None, plays_on=True)
            return moment_id
    raise AssertionError("there is no such moment")


def goes_on(room: Classroom, moment_id: int, name: str = "Mia", nth: int = 0) -> int:
    view = moments.met_by(room.class_id, moment_id, room.children[name])[0].observation
    ask = [one for one in view.legal if isinstance(one, Ask)][nth]
    round_id = moments.answer(room.class_id, moment_id, room.children[name], ask)
    assert round_id is not None
    return round_id


def play_to_the_end(round_id: int) -> None:
    rng = Random(1)
    while (turn := (live := states.read(round_id)).state.turn) is not None:
        action = rng.choice(observe(live.state, turn).legal)
        by = "child" if turn in live.facts.children else "computer"
        rounds.play(round_id, turn, action, f"m{live.seq}", live.seq, played_by=by)


@pytest.mark.walk(3)
@pytest.mark.parametrize("game", ["classic", "make_ten", "fours", "old_fish", "guru"])
def test_a_round_goes_on_from_a_moment_with_the_answer_as_its_first_move(
    room: Classroom, mia: int, game: str
) -> None:
    moment_id = dealt_to_play_on(room, game)
    row = db.session.get_one(Moment, moment_id)
    before = moments._state(row)
    round_id = goes_on(room, moment_id)
    live = states.read(round_id)
    assert rounds.seat_of(round_id, mia) == before.turn
    assert live.seq == before.seq + 1
    assert states.folded_to(round_id, before.seq)[1] == before, "it is the same position"
    made = [one.played_by for one in db.session.query(Move).filter_by(round_id=round_id)]
    assert made == ["moment"] * before.seq + ["child"]
    animals = [(one.animal, one.pad) for one in live.facts.players]
    assert animals == [tuple(face) for face in row.faces], "everybody is who it was"
    play_to_the_end(round_id)
    assert rounds.replay(round_id, 0, before.seq).seq == before.seq
    rules, deck = live.facts.rules, list(live.facts.deck)
    log = db.session.query(Move).filter_by(round_id=round_id)
    moves = [[one.action, one.chance] for one in log]
    dealt = deal(rules, live.state.seats, live.facts.dealer, deck)
    assert replayed(dealt.state, moves) == states.read(round_id).state, "its record tells all of it"


def test_only_the_first_answer_is_evidence_and_only_what_the_child_did_is_counted(
    room: Classroom, mia: int
) -> None:
    moment_id = kept(room)
    come(room)
    moments.deal(room.class_id, moment_id, None, plays_on=True)
    sure = asks(room, moment_id)[0][0]
    round_id = moments.answer(room.class_id, moment_id, mia, sure)
    assert round_id is not None
    seat = rounds.seat_of(round_id, mia)
    assert seat is not None
    play_to_the_end(round_id)
    rows = db.session.query(EvidenceRow).filter_by(child_id=mia).all()
    assert {row.source for row in rows} == {"moment"}
    one = db.session.query(ChildRound).filter_by(round_id=round_id).one()
    mine = db.session.query(Move).filter_by(round_id=round_id, played_by="child").all()
    assert one.asks == sum(move.action["type"] == "ask" for move in mine)
    assert one.over
    assert posing.put(round_id, mia, seat, rounds.seq(round_id)) is None


def test_no_question_is_put_and_no_level_moves(room: Classroom, mia: int) -> None:
    settings(mia, level="like_me", questions="often")
    start = matches.settings_for(mia).level
    round_id = goes_on(room, dealt_to_play_on(room))
    play_to_the_end(round_id)
    assert matches.settings_for(mia).level == start
    assert db.session.query(QuestionRow).count() == 0


def test_the_childs_own_table_waits_and_is_gone_back_to(room: Classroom, mia: int) -> None:
    own = matches.sit_down(mia, "classic")
    round_id = goes_on(room, dealt_to_play_on(room))
    assert matches.current_round(mia) == round_id, "it can be found again"
    assert matches.current_round(mia, "classic") == own, "a tap on its game leads to its table"
    play_to_the_end(round_id)
    assert matches.current_round(mia) == own


def test_a_table_of_friends_waits_while_none_of_them_looks(
    room: Classroom, mia: int, ben: int
) -> None:
    with write_unit():
        own = matches.together(room.class_id, "classic", [mia, ben])
    turn = states.read(own).state.turn
    assert turn is not None
    with clock.clock_at(clock.now() + 300):
        assert stand_ins.wait_for(states.read(own), turn, clock.now()) == 0
        for seat in (0, 1):
            live_class.at_page(own, seat, there=False)
        assert stand_ins.wait_for(states.read(own), turn, clock.now()) is None
        live_class.at_page(own, 1 - turn, there=True)
        assert stand_ins.wait_for(states.read(own), turn, clock.now()) == 0, "a friend is back"


def test_a_table_of_friends_calls_nobody_back_but_a_new_one_does(
    room: Classroom, mia: int, ben: int
) -> None:
    moment_id = dealt_to_play_on(room)
    gatherings.make(mia, "classic")
    gatherings.sit(ben, db.session.query(Gathering.id).scalar())
    for child in (mia, ben):
        own = gatherings.ready(child)
    round_id = goes_on(room, moment_id)
    seat = rounds.seat_of(round_id, mia)
    assert seat is not None
    assert own is not None
    assert rounds.table(round_id, seat).around.called is None
    rounds.end_earlier(own)
    later = [gatherings.again(own, child) for child in (mia, ben)][-1]
    assert rounds.table(round_id, seat).around.called == later


def test_what_went_on_from_a_moment_ends_with_the_next_one_and_with_the_lesson(
    room: Classroom,
) -> None:
    moment_id = dealt_to_play_on(room)
    first = goes_on(room, moment_id)
    with clock.clock_at(clock.now() + 60):
        moments.deal(room.class_id, moment_id, None, plays_on=True)
        second = goes_on(room, moment_id, nth=1)
    assert [rounds.is_over(one) for one in (first, second)] == [True, False]
    with write_unit():
        lessons.put_away(room.class_id)
    assert rounds.is_over(second)


def test_the_live_page_shows_where_the_child_is(room: Classroom, mia: int) -> None:
    own = matches.sit_down(mia, "classic")
    round_id = goes_on(room, dealt_to_play_on(room))
    (table,) = live_class.live_class(room.class_id).tables
    assert table.round_id == round_id
    seat = rounds.seat_of(round_id, mia)
    assert seat is not None
    live_class.at_page(round_id, seat, there=False)
    (table,) = live_class.live_class(room.class_id).tables
    assert table.round_id == own


def test_in_a_pause_the_child_comes_to_its_round_and_asks_when_it_goes_on(
    room: Classroom, mia: int
) -> None:
    moment_id = dealt_to_play_on(room)
    lessons.pause(room.class_id)
    round_id = goes_on(room, moment_id)
    seat = rounds.seat_of(round_id, mia)
    assert states.read(round_id).state.turn == seat
    lessons.go_on(room.class_id)
    play_to_the_end(round_id)


def test_a_moment_dealt_as_always_leads_to_no_round(room: Classroom, mia: int) -> None:
    moment_id = dealt(room)
    ask = asks(room, moment_id)[0][0]
    assert moments.answer(room.class_id, moment_id, mia, ask) is None
    assert matches.current_round(mia) is None
