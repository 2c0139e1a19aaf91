"""Questions in play: when they come, what answers record, and that the game is not changed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.engine import observe
from classroom.engine.events import Asked, LaidBook
from classroom.games import GAMES
from classroom.learning.schedule import NATURAL
from classroom.learning.skills import answered_by
from classroom.models import Child, ChildHistory, EvidenceRow, Move, QuestionRow, Round
from classroom.services.base import clock
from classroom.services.base.errors import NotFound, NotNow, OutOfDate, Refused
from classroom.services.lesson import lessons, own_games
from classroom.services.operation import background
from classroom.services.quiz import posing, question_settings
from classroom.services.quiz.posing import Put
from classroom.services.table import help, matches, offers, rounds, states
from classroom.services.table.rounds import LONGEST_WONDER, ViewedTable
from tests.playing import Classroom, settings
from tests.questioning import chosen_for, one_round, put_kind, put_question

AT = 1_790_000_000.0


@pytest.fixture
def eager(room: Classroom) -> Classroom:
    """A class where a question comes every turn."""
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("every_turn")
    )
    return room


def walk(child_id: int, seed: int = 1, game: str = "classic") -> Iterator[ViewedTable]:
    return one_round(child_id, game, Random(seed))


def first(child_id: int) -> Put:
    """Play until this child gets a question, and return it."""
    for table in walk(child_id):
        found = posing.put(table.round_id, child_id, 0, table.seq)
        if found is not None:
            return found
    raise AssertionError("no question came")


def shown(child_id: int) -> list[EvidenceRow]:
    db.session.rollback()
    rows = select(EvidenceRow).where(
        EvidenceRow.child_id == child_id, EvidenceRow.source == "question"
    )
    return list(db.session.scalars(rows.order_by(EvidenceRow.id)))


def open_at_three(child_id: int) -> tuple[int, int, int]:
    """Open a question with places 0 to 2, the right one in the middle. Returns round, child and
    seq."""
    round_id = matches.start_match(child_id)
    put_question(child_id, round_id, 3)
    return round_id, child_id, 3


# ---- when


def test_a_question_comes_once_in_each_turn_of_the_child_and_at_the_end(
    eager: Classroom, mia: int
) -> None:
    turns: list[int] = []
    for table in walk(mia):
        for _ in range(2):  # asking again must not draw lots again
            found = posing.put(table.round_id, mia, 0, table.seq)
        if found is not None and not found.tried:
            posing.leave(table.round_id, mia, found.seq)
            if not table.over:
                turns.append(posing.own_turns(table.observation))
    assert len(turns) == len(set(turns)) >= 3
    db.session.rollback()
    last = db.session.scalars(select(QuestionRow).order_by(QuestionRow.id.desc())).first()
    ended = db.session.scalars(select(Round)).one()
    assert last is not None
    assert last.seq == ended.moves


@pytest.mark.parametrize(
    ("often", "least", "most"), [("off", 0, 0), ("rarely", 1, 8), ("sometimes", 8, 20)]
)
def test_questions_come_as_often_as_set(
    room: Classroom, mia: int, often: Any, least: int, most: int
) -> None:
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("every_turn")
    )
    question_settings.write(None, "family", mia, question_settings.QuestionChoice(often))
    assert question_settings.asks(mia) == (often != "off")
    came = 0
    for seed in range(2):
        for table in walk(mia, seed):
            found = posing.put(table.round_id, mia, 0, table.seq)
            if found is not None:
                came += 1
                posing.leave(table.round_id, mia, found.seq)
    assert least <= came <= most


def test_a_question_changes_nothing_in_the_round(eager: Classroom, mia: int) -> None:
    for table in walk(mia):
        before = rounds.table(table.round_id, 0)
        found = posing.put(table.round_id, mia, 0, table.seq)
        if found is not None and not found.tried:
            posing.answer(table.round_id, mia, found.seq, found.offered[0], "k")
        assert rounds.table(table.round_id, 0) == before
    db.session.rollback()
    assert {row.played_by for row in db.session.scalars(select(Move))} == {"child", "computer"}


def test_it_is_made_only_from_what_the_page_has_shown(eager: Classroom, mia: int) -> None:
    checked = 0
    for seed in range(2):
        seen: list[ViewedTable] = []
        for table in walk(mia, seed):
            seen.append(table)
            page = seen[-3] if len(seen) > 2 else table  # the page lags two moves behind
            found = posing.put(page.round_id, mia, 0, page.seq)
            if found is None:
                continue
            row = posing.in_full(page.round_id, mia, found.seq)
            assert row.seq == page.seq
            assert row.fact_seq is None or row.fact_seq <= page.seq
            assert {*found.stem.cards} <= known_cards(page)
            checked += 1
            posing.leave(page.round_id, mia, found.seq)
    assert checked > 3


def known_cards(table: ViewedTable) -> set[str]:
    seen = table.observation
    return {*seen.hand, *(card for seat in seen.books for book in seat for card in book or ())}


def test_a_computer_players_move_meanwhile_does_not_remove_the_question(
    eager: Classroom, mia: int
) -> None:
    for table in walk(mia):
        found = posing.put(table.round_id, mia, 0, table.seq)
        if found is not None and not table.my_turn and not table.over:
            background.play_now(table.round_id)
            again = posing.open_now(table.round_id, mia, 0)
            assert again == found
            return
        if found is not None:
            posing.leave(table.round_id, mia, found.seq)


def test_no_question_comes_while_the_lesson_is_paused(eager: Classroom, mia: int) -> None:
    for table in walk(mia):
        lessons.pause(eager.class_id, None)
        assert posing.put(table.round_id, mia, 0, table.seq) is None
        lessons.go_on(eager.class_id, None)
        if table.seq > 6:
            return


def test_playing_on_leaves_the_question_alone(eager: Classroom, mia: int) -> None:
    came = []
    for table in walk(mia):
        found = posing.put(table.round_id, mia, 0, table.seq)
        if found is not None and found.seq == table.seq and not table.over:
            came.append(found)
    rows = shown(mia)
    assert len(rows) >= len(came) - 1
    assert {row.first_answer for row in rows} == {None}
    assert not any(row.right for row in rows)


def test_the_first_in_each_way_of_answering_is_practice(
    eager: Classroom, mia: int, whole: bool
) -> None:
    met: dict[str, list[bool]] = {}
    for seed in range(3 if whole else 1):
        for table in walk(mia, seed):
            found = posing.put(table.round_id, mia, 0, table.seq)
            if found is not None and not found.tried:
                whole = posing.in_full(table.round_id, mia, found.seq)
                posing.answer(table.round_id, mia, found.seq, whole.right, "k")
                met.setdefault(answered_by(whole.face, len(whole.options)), []).append(
                    whole.practice
                )
    assert max(map(len, met.values())) > 1
    for practised in met.values():
        assert practised == [True] + [False] * (len(practised) - 1)


def test_no_question_comes_before_the_first_ask_of_a_round(eager: Classroom, mia: int) -> None:
    for seed in range(12):
        for table in walk(mia, seed):
            if asks_of(table):
                break
            assert posing.put(table.round_id, mia, 0, table.seq) is None


def asks_of(table: ViewedTable) -> int:
    return sum(isinstance(item.event, Asked) for item in table.observation.history)


def shared_tables(room: Classroom, lots: Random) -> Iterator[ViewedTable]:
    """Mia's table in a round with Ben and a computer player, after each move."""
    with write_unit():
        round_id = matches.together(room.class_id, "classic", [*room.children.values(), None])
    while True:
        table = rounds.table(round_id, 0)
        yield table
        if table.over:
            return
        turn = table.observation.turn or 0
        action = lots.choice(observe(states.read(round_id).state, turn).legal)
        by = "computer" if turn == 2 else "child"
        rounds.play(round_id, turn, action, f"s{table.seq}", table.seq, by)


def test_at_a_shared_table_a_question_comes_only_while_others_move(
    eager: Classroom, mia: int
) -> None:
    came = 0
    for table in shared_tables(eager, Random(1)):
        found = posing.put(table.round_id, mia, 0, table.seq)
        if found is not None and not found.tried:
            came += 1
            assert not table.my_turn
            posing.leave(table.round_id, mia, found.seq)
    assert came > 3


def test_right_after_a_catch_the_question_is_one_that_the_game_itself_asks(
    eager: Classroom, mia: int, whole: bool
) -> None:
    kinds = set()
    for seed in range(6 if whole else 2):
        for table in walk(mia, seed):
            found = posing.put(table.round_id, mia, 0, table.seq)
            if found is None or found.tried:
                continue
            if posing.moment_of(table.observation) == "caught":
                kinds.add(found.kind)
            posing.leave(table.round_id, mia, found.seq)
    assert len(kinds) > 1
    assert kinds <= set(NATURAL)


# ---- against the pond


@pytest.fixture
def tide(room: Classroom) -> str:
    """A game of four against the pond, with more steps than a round needs."""
    few = {"seats": [4, 4], "deck.ranks": "A234567", "deal": {"default": 5}, "end.tide": 90}
    rules = GAMES["classic"].rules.changed(few)
    own = own_games.save(room.class_id, "classic", "All", rules, "both", by=None)
    return offers.own_key(own)


def against(room: Classroom, game: str, children: int) -> Iterator[tuple[ViewedTable, int]]:
    """A table with this many children after each move, and how many books it has."""
    with write_unit():
        ids = [*room.children.values()][:children]
        round_id = matches.together(room.class_id, game, [*ids, *[None] * (4 - children)])
    lots = Random(children)
    while True:
        table = rounds.table(round_id, 0)
        yield table, sum(map(len, table.observation.books))
        if table.over:
            return
        turn = table.observation.turn or 0
        action = lots.choice(observe(states.read(round_id).state, turn).legal)
        by = "child" if turn < children else "computer"
        rounds.play(round_id, turn, action, f"p{table.seq}", table.seq, by)


@pytest.mark.parametrize("children", [1, 2])
def test_at_a_catch_the_next_child_is_asked_how_many_books_are_missing(
    eager: Classroom, tide: str, children: int
) -> None:
    ids = [*eager.children.values()][:children]
    for child_id in ids:
        with write_unit():
            db.session.get_one(Child, child_id).age_band = "6-7"
    asked = 0
    for table, books in against(eager, tide, children):
        catcher = caught_by(table)
        for seat, child_id in enumerate(ids):
            found = posing.put(table.round_id, child_id, seat, table.seq)
            if found is None:
                continue
            if found.kind == "books_missing" and catcher is not None:
                whole = posing.in_full(table.round_id, child_id, found.seq)
                assert whole.answer == 7 - books
                asked += 1
                order = [(catcher + step) % 4 for step in range(1, 5)]
                assert seat == next(one for one in order if one < children)
                assert children == 1 or table.observation.turn != seat, "nobody waits for it"
                posing.answer(table.round_id, child_id, found.seq, whole.right, "k")
            else:
                posing.leave(table.round_id, child_id, found.seq)
    assert asked
    db.session.rollback()
    rows = db.session.scalars(select(EvidenceRow).where(EvidenceRow.skill == "take_away")).all()
    missing = [row for row in rows if (row.item or {}).get("kind") == "books_missing"]
    assert {row.child_id for row in missing} <= set(ids)
    assert sum(bool(row.right) for row in missing) == asked


def caught_by(table: ViewedTable) -> int | None:
    newest = (item.event for item in table.observation.history if item.seq == table.seq)
    return next((one.seat for one in newest if isinstance(one, LaidBook)), None)


@pytest.mark.walk(2)
@pytest.mark.parametrize("often", ["off", "rarely", "sometimes", "every_turn"])
def test_the_catch_asks_no_more_often_than_is_set(
    room: Classroom, mia: int, tide: str, often: Any
) -> None:
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("every_turn")
    )
    question_settings.write(None, "family", mia, question_settings.QuestionChoice(often))
    turns: list[int] = []
    for table, _ in against(room, tide, 1):
        found = posing.put(table.round_id, mia, 0, table.seq)
        if found is not None and not table.over:
            turns.append(posing.own_turns(table.observation))
            posing.leave(table.round_id, mia, found.seq)
    assert len(turns) == len(set(turns)), "at most one in a turn"
    assert bool(turns) == (often in ("sometimes", "every_turn")) or often == "rarely"


def test_the_other_children_see_who_is_thinking_and_nothing_else(
    eager: Classroom, mia: int, ben: int
) -> None:
    for table in shared_tables(eager, Random(2)):
        before = rounds.table(table.round_id, 1).around
        assert before.pondering == frozenset()
        found = posing.put(table.round_id, mia, 0, table.seq)
        if found is None:
            continue
        after = rounds.table(table.round_id, 1).around
        assert after.pondering == {0}
        assert after.changes == before.changes + 1  # so that open pages ask again
        assert rounds.table(table.round_id, 0).around.pondering == frozenset()
        with clock.clock_at(clock.now() + LONGEST_WONDER + 1):
            assert rounds.table(table.round_id, 1).around.pondering == frozenset()
        posing.leave(table.round_id, mia, found.seq)
        gone = rounds.table(table.round_id, 1).around
        assert (gone.pondering, gone.changes) == (frozenset(), after.changes + 1)
        return
    raise AssertionError("no question came")


def test_a_question_at_a_table_of_ones_own_changes_nothing_for_other_pages(
    eager: Classroom, mia: int
) -> None:
    for table in walk(mia):
        changes = rounds.table(table.round_id, 0).around.changes
        if posing.put(table.round_id, mia, 0, table.seq) is not None:
            assert rounds.table(table.round_id, 0).around.changes == changes
            return


# ---- answers


def test_a_right_answer_is_recorded_in_full(mia: int) -> None:
    here = open_at_three(mia)
    with clock.clock_at(clock.now() + 60):
        done = posing.answer(*here, 1, "k", took=2300)
    assert (done.found, done.offered, done.right) == (True, (), 1)
    (row,) = shown(mia)
    assert (row.first_answer, row.later_answers, row.right) == (1, [], True)
    assert (row.options, row.guess_rate, row.latency_ms) == ([2, 3, 4], pytest.approx(1 / 3), 2300)
    assert (row.round_id, row.seq, row.skill, row.source) == (here[0], 3, "how_many", "question")
    assert row.item["kind"] == "count_hand"
    assert db.session.get_one(ChildHistory, mia).history["last_skill"] == "how_many"


def test_only_the_first_answer_counts_and_later_ones_are_kept(mia: int) -> None:
    here = open_at_three(mia)
    wrong = posing.answer(*here, 0, "a")
    assert (wrong.found, wrong.tried, wrong.offered, wrong.step) == (False, (0,), (1, 2), 2)
    posing.answer(*here, 2, "b")
    done = posing.answer(*here, 1, "c")
    assert done.found
    (row,) = shown(mia)
    assert (row.first_answer, row.later_answers, row.right) == (0, [2, 1], False)
    assert (row.hint_step, row.aided) == (0, False)


def test_one_tap_is_one_answer_however_often_it_is_sent(mia: int) -> None:
    here = open_at_three(mia)
    assert posing.answer(*here, 0, "a") == posing.answer(*here, 0, "a")
    posing.answer(*here, 1, "b")
    assert posing.answer(*here, 1, "b").found
    with pytest.raises(OutOfDate):
        posing.answer(*here, 2, "c")
    assert len(shown(mia)) == 1


def test_an_answer_that_is_not_offered_is_refused(mia: int) -> None:
    here = open_at_three(mia)
    posing.answer(*here, 0, "a")
    for place in (-1, 0, 3):
        with pytest.raises(NotNow):
            posing.answer(*here, place, f"b{place}")
    assert shown(mia)[0].later_answers == []


def test_a_child_cannot_answer_for_another(mia: int, ben: int) -> None:
    round_id, _, seq = open_at_three(mia)
    with pytest.raises(NotFound):
        posing.answer(round_id, ben, seq, 1, "k")
    with pytest.raises(NotFound):
        posing.leave(round_id, ben, seq)
    assert not shown(mia)


def test_the_pages_own_timing_counts_as_far_as_it_is_possible(mia: int) -> None:
    here = open_at_three(mia)
    posing.answer(*here, 1, "k", took=9_000_000)
    assert 0 <= (shown(mia)[0].latency_ms or 0) < 60_000


def test_an_answer_by_switch_has_no_time(mia: int) -> None:
    """The child waits for the light, so its answer is never one that came too fast."""
    here = open_at_three(mia)
    settings(mia, switch="slow")
    posing.answer(*here, 1, "k", took=300)
    (row,) = shown(mia)
    assert (row.right, row.latency_ms) == (True, None)


def test_a_question_left_alone_is_kept_and_is_not_wrong(mia: int) -> None:
    here = open_at_three(mia)
    posing.leave(*here)
    posing.leave(*here)
    (row,) = shown(mia)
    assert (row.first_answer, row.right, row.latency_ms) == (None, False, None)
    with pytest.raises(OutOfDate):
        posing.answer(*here, 1, "k")


# ---- help


def test_help_comes_step_by_step_and_shows_the_answer_only_after_a_first_try(mia: int) -> None:
    here = open_at_three(mia)
    for number, step in enumerate((1, 2, 3, 4, 4)):
        with clock.clock_at(AT + 10 * number):
            put = posing.hint(*here)
            assert (put.step, put.right) == (step, None)
    assert len(put.offered) == 2
    posing.answer(*here, next(place for place in put.offered if place != 1), "a")
    assert posing.open_now(here[0], mia, 0) is not None
    with clock.clock_at(AT + 100):
        assert posing.hint(*here).right == 1
    (row,) = shown(mia)
    assert (row.hint_step, row.aided) == (4, True)


def test_two_fast_taps_on_the_fish_are_one_step(mia: int) -> None:
    here = open_at_three(mia)
    for moment, step in ((0.0, 1), (1.0, 1), (3.0, 2)):
        with clock.clock_at(AT + moment):
            assert posing.hint(*here).step == step


def test_repeating_the_question_is_not_help(mia: int) -> None:
    here = open_at_three(mia)
    posing.hint(*here)
    posing.answer(*here, 1, "k")
    assert (shown(mia)[0].hint_step, shown(mia)[0].aided) == (1, False)


def test_help_that_narrows_takes_nothing_back(mia: int) -> None:
    for kind in ("who_asked", "next", "what_asked"):
        table = put_kind(mia, kind)
        here, before = (table.round_id, mia, table.seq), set(range(20))
        for number in range(4):
            with clock.clock_at(AT + 10 * number):
                offered = set(posing.hint(*here).offered)
            assert offered <= before
            before = offered
        assert len(before) == 2
        assert posing.in_full(*here).right in before


def test_looking_at_the_board_meanwhile_counts_as_help_in_remembering(mia: int) -> None:
    settings(mia, board="peek")
    table = put_kind(mia, "what_asked")
    help.opened_board(table.round_id, 0)
    whole = posing.in_full(table.round_id, mia, table.seq)
    posing.answer(table.round_id, mia, table.seq, whole.right, "k")
    (row,) = shown(mia)
    assert (row.board, row.aided, row.right) == ("peek", True, True)


@pytest.mark.walk(2)
@pytest.mark.parametrize(("board", "asked"), [("open", 0), ("fading", 0), ("peek", 1), ("off", 1)])
def test_nothing_is_asked_about_what_stays_in_view(
    eager: Classroom, mia: int, board: str, asked: int
) -> None:
    settings(mia, board=board)
    recall = question_settings.QuestionChoice("every_turn", frozenset({"what_asked", "who_asked"}))
    question_settings.write(None, "class", eager.class_id, recall)
    came = 0
    for table in walk(mia):
        found = posing.put(table.round_id, mia, 0, table.seq)
        if found is not None and not found.tried:
            posing.answer(*_here(found, mia), found.offered[0], "k")
            came += 1
    assert min(came, 1) == asked
    assert {row.aided for row in shown(mia)} <= {False}


def _here(put: Put, child_id: int) -> tuple[int, int, int]:
    return put.round_id, child_id, put.seq


# ---- settings


def test_a_parent_chooses_within_the_teachers_bounds(room: Classroom, mia: int) -> None:
    few = frozenset({"how_many", "give_n"})
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("sometimes", few, 0, 10)
    )
    assert chosen_for(mia).now == question_settings.of("class", room.class_id)
    question_settings.write(
        None,
        "family",
        mia,
        question_settings.QuestionChoice("every_turn", frozenset({"give_n", "make_ten"}), 0, 20),
    )
    chosen = chosen_for(mia)
    assert chosen.own
    assert chosen.now == question_settings.QuestionChoice("sometimes", frozenset({"give_n"}), 0, 10)
    wish = question_settings.asking(mia)
    assert (wish.frequency, wish.bounds.skills, wish.bounds.high) == (
        "sometimes",
        frozenset({"give_n"}),
        10,
    )
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice("every_turn")
    )
    assert chosen_for(mia).now.frequency == "every_turn"


def test_the_teachers_bounds_win_where_a_choice_is_outside_them(room: Classroom, mia: int) -> None:
    question_settings.write(
        None,
        "family",
        mia,
        question_settings.QuestionChoice("rarely", frozenset({"make_ten"}), 11, 20),
    )
    question_settings.write(
        None,
        "class",
        room.class_id,
        question_settings.QuestionChoice("every_turn", frozenset({"how_many"}), 0, 5),
    )
    now = chosen_for(mia).now
    assert (now.frequency, now.skills, now.numbers) == ("rarely", frozenset({"how_many"}), (0, 5))


def test_the_teachers_focus_holds_for_every_child_of_the_class(room: Classroom, mia: int) -> None:
    focus = frozenset({"make_ten", "count_on"})
    question_settings.write(
        None, "class", room.class_id, question_settings.QuestionChoice(focus=focus)
    )
    question_settings.write(None, "family", mia, question_settings.QuestionChoice("rarely"))
    assert question_settings.of("class", room.class_id).focus == focus
    assert question_settings.asking(mia).focus == focus
    question_settings.write(None, "class", room.class_id, question_settings.QuestionChoice())
    assert question_settings.asking(mia).focus == frozenset()


@pytest.mark.parametrize(
    "choice",
    [
        question_settings.QuestionChoice(
            focus=frozenset({"give_n", "how_many", "make_ten", "bonds"})
        ),
        question_settings.QuestionChoice(focus=frozenset({"chess"})),
        question_settings.QuestionChoice(
            skills=frozenset({"give_n"}), focus=frozenset({"how_many"})
        ),
    ],
)
def test_a_focus_of_too_many_or_other_skills_is_refused(
    room: Classroom, choice: question_settings.QuestionChoice
) -> None:
    with pytest.raises(Refused, match="focus"):
        question_settings.write(None, "class", room.class_id, choice)
    assert question_settings.of("class", room.class_id).focus == frozenset()


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        (question_settings.QuestionChoice("always"), "questions"),  # type: ignore[arg-type]
        (question_settings.QuestionChoice("rarely", frozenset()), "skills"),
        (question_settings.QuestionChoice("rarely", frozenset({"recall_ask"})), "skills"),
        (question_settings.QuestionChoice("rarely", low=3, high=4), "numbers"),
    ],
)
def test_a_setting_that_is_not_offered_is_refused(
    room: Classroom, mia: int, choice: question_settings.QuestionChoice, code: str
) -> None:
    with pytest.raises(Refused) as refused:
        question_settings.write(None, "class", room.class_id, choice)
    assert refused.value.code == code
    with pytest.raises(Refused) as refused:
        question_settings.write(None, "family", mia, choice)
    assert refused.value.code == code
