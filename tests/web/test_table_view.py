"""The child's table as a value: true numbers at every step, and only legal asks."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import TypeGuard

import pytest

from classroom.config import ROOT
from classroom.engine import apply, deal, events, legal_actions, observe, shuffled
from classroom.engine.actions import Answer, Ask, Lots, Show
from classroom.engine.observation import WATCHER, Observation
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.board import ON_THE_LINE, SUPPORTS, Support
from classroom.minds.hints import Hint
from classroom.minds.playing.forgetting import Thought
from classroom.services.table.rounds import Seated, ViewedTable
from classroom.web.child.card_faces import LOOKS, faces_of
from classroom.web.child.choosing import Selection
from classroom.web.child.helping import asked_tags, help_view
from classroom.web.child.steps import STEP_KINDS, counts_now, steps_since
from classroom.web.child.table_view import LATEST, Goal, TableView, table_view

FAMILY = ("classic", "classic_face_down", "colour_pairs", "rank_pairs")
ANIMALS = ("fox", "owl", "bear", "rabbit")


def played(game: str, seats: int, seed: int) -> list[State]:
    """Every position of a randomly played round."""
    rng, rules = random.Random(seed), GAMES[game].rules
    states = [deal(rules, seats, rng.randrange(seats), shuffled(rules, rng), Lots(rng)).state]
    while not states[-1].over:
        action = rng.choice(legal_actions(states[-1]))
        states.append(apply(states[-1], action, Lots(rng)).state)
    return states


def table(seen: Observation, game: str = "classic") -> ViewedTable:
    people = tuple(
        Seated(
            seat=seat,
            name=ANIMALS[seat].title(),
            animal=ANIMALS[seat],
            pad=1,
            child_id=None,
            level=None,
            me=seat == seen.viewer,
            away=False,
        )
        for seat in range(seen.seats)
    )
    return ViewedTable(
        round_id=7,
        match_id=3,
        number=1,
        game=game,
        observation=seen,
        players=people,
        board="open",
        hints=True,
        thoughts=(),
    )


SHOWN = {  # what pages show of a table as it is; the rest goes through a TableView
    "around", "begun", "board", "hints", "name", "over", "pace", "practice", "round_id", "seq",
}  # fmt: skip


def view(seen: Observation, since: int | None = None, **more: object) -> TableView:
    return table_view(table(seen), since, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", FAMILY)
def test_each_step_has_the_counts_of_the_table_at_its_move(game: str) -> None:
    for seed in range(6):
        states = played(game, 2 + seed % 3, seed)
        for viewer in range(states[0].seats):
            steps = steps_since(observe(states[-1], viewer), 0)
            last_of = {step.seq: step for step in steps}
            for move, step in last_of.items():
                assert step.counts == counts_now(observe(states[move], viewer)), (seed, step)


def test_every_move_has_its_steps_and_each_step_its_own_name() -> None:
    states = played("classic", 3, 5)
    steps = steps_since(observe(states[-1], 1), 0)
    assert {step.seq for step in steps} == set(range(1, len(states)))
    assert len({step.id for step in steps}) == len(steps)
    assert {step.kind for step in steps} <= set(STEP_KINDS)
    assert next(step.kind for step in steps if step.seq == 1) == "asked"
    assert steps[-1].kind == "over"


def test_a_four_that_is_claimed_is_shown_with_its_class() -> None:
    claimed = [
        step
        for seed in range(10)
        for step in steps_since(observe(played("fours", 3, seed)[-1], 0), 0)
        if step.kind == "claimed"
    ]
    assert claimed
    assert all(step.asks for step in claimed)


def test_friends_are_named_at_the_start_of_a_match_and_never_again() -> None:
    states = played("classic", 3, 5)

    def named(move: int, number: int = 1) -> list[str]:
        shown = table(observe(states[move], 0))
        people = [
            replace(one, child_id=None if one.seat == 2 else 10 + one.seat) for one in shown.players
        ]
        seen = table_view(replace(shown, players=tuple(people), number=number))
        return [friend.animal for friend in seen.friends]

    assert named(0) == [ANIMALS[1]]  # a computer player and I are left out
    assert named(2) == [ANIMALS[1]]
    assert named(3) == named(0, number=2) == []


def test_steps_begin_after_the_move_the_page_has_shown() -> None:
    states = played("classic", 3, 5)
    seen = observe(states[9], 1)
    assert view(seen).steps == ()
    assert {step.seq for step in view(seen, 7).steps} == {8, 9}
    assert view(seen, 9).steps == ()


def test_a_page_that_was_away_for_long_gets_only_the_last_moves() -> None:
    states = played("classic", 3, 5)
    seen = observe(states[-1], 0)
    assert min(step.seq for step in view(seen, 0).steps) == seen.seq - LATEST + 1


def test_no_template_reads_of_a_table_what_its_viewer_may_not_see() -> None:
    """A child may not look up all asks of its observation, nor see the ids of the others."""
    read = set()
    for path in (ROOT / "templates").rglob("*.html"):
        read |= set(re.findall(r"\b(?:t|hand)\.table\b\.?(\w*)", path.read_text("utf-8")))
    assert read == SHOWN


def test_a_viewer_sees_only_the_cards_that_passed_through_its_hand() -> None:
    for seed in range(8):
        states = played("classic", 3, seed)
        for viewer in range(3):
            for step in steps_since(observe(states[-1], viewer), 0):
                mine = viewer in (step.seat, step.other)
                if step.kind in ("gave", "fished", "refilled"):
                    assert bool(step.cards) == mine, step


def test_exactly_the_legal_asks_can_be_tapped() -> None:
    for seed in range(4):
        for state in played("classic", 4, seed):
            for viewer in range(4):
                seen = observe(state, viewer)
                shown = view(seen)
                asks = {(a.class_, a.target) for a in seen.legal if isinstance(a, Ask)}
                fans = {fan.key for fan in shown.choose.fans if fan.options}
                seats = {seat.seat for seat in shown.seats if seat.can}
                assert {(fan, seat) for fan in fans for seat in seats} == asks
                assert shown.my_turn == bool(asks)
                assert (shown.next == "") == (not asks)


def test_a_choice_that_cannot_be_asked_is_dropped() -> None:
    state = next(s for s in played("classic", 3, 2) if s.turn == 0)
    seen = observe(state, 0)
    good = next(a for a in seen.legal if isinstance(a, Ask))
    shown = view(seen, chosen=Selection(good.class_, str(good.target)))
    assert (shown.next, shown.target and shown.target.seat) == ("ask", good.target)
    for wrong in [("Z", "1"), ("", ""), (good.class_, "0"), (good.class_, "99"), (None, "x")]:
        assert view(seen, chosen=Selection(*wrong)).next in ("class", "target")


def test_the_only_other_player_is_chosen_at_once() -> None:
    state = next(s for s in played("classic", 2, 2) if s.turn == 0)
    shown = view(observe(state, 0))
    assert shown.target is not None
    assert (shown.target.seat, shown.next) == (1, "class")


def test_the_others_sit_clockwise_from_me() -> None:
    state = played("classic", 4, 1)[0]
    assert [seat.seat for seat in view(observe(state, 2)).ring] == [3, 0, 1]


@pytest.mark.parametrize("support", SUPPORTS)
def test_the_line_and_the_board_show_no_more_than_allowed(support: Support) -> None:
    seen = observe(played("classic", 3, 1)[12], 0)
    allowed = replace(table(seen), board=support)
    shown = table_view(allowed)
    assert len(shown.line) == ON_THE_LINE[support]
    assert [tag.seq for tag in shown.line] == list(range(12, 12 - ON_THE_LINE[support], -1))
    assert shown.board == ()
    moves = {turn.seq for line in table_view(allowed, opened=True).board for turn in line.turns}
    assert (
        moves
        == {
            "open": set(range(1, 13)),
            "peek": set(range(1, 13)),
            "fading": {10, 11, 12},
            "off": set(),
        }[support]
    )
    assert (table_view(allowed).shuts_after is not None) == (support == "peek")


def test_the_open_board_has_every_action_of_the_others_in_every_game() -> None:
    for game in GAMES:
        states = played(game, GAMES[game].rules.seats[0], 3)
        seen = observe(states[-1], 0)
        shown = table_view(table(seen, game), opened=True)
        assert [line.seat for line in shown.board] == [seat.seat for seat in shown.ring]
        for line in shown.board:
            signs = [sign for turn in line.turns for sign in turn.signs]
            asks = [e.event.class_ for e in seen.history if is_ask(e.event, line.seat)]
            assert [s.asks.key for s in signs if s.kind == "asked" and s.asks] == asks
            seqs = [turn.seq for turn in line.turns]
            assert seqs == sorted(set(seqs))


def is_ask(event: object, seat: int) -> TypeGuard[events.Asked]:
    return isinstance(event, events.Asked) and event.seat == seat


def test_the_tags_show_every_ask_and_its_result() -> None:
    states = played("classic", 3, 3)
    marks = asked_tags(observe(states[-1], 0))
    assert [mark.seq for mark in marks] == list(range(1, len(states)))
    gave = {s.seq: s.number for s in steps_since(observe(states[-1], 0), 0) if s.kind == "gave"}
    assert {m.seq: m.came for m in marks} == {m.seq: gave.get(m.seq, 0) for m in marks}


@pytest.mark.parametrize("game", ["classic", "guru_ask_all", "guru_exact_card"])
def test_a_tag_says_who_asked_whom_for_what(game: str) -> None:
    seen = observe(played(game, 3, 3)[-1], 0)
    asked = [one.event for one in seen.history if isinstance(one.event, events.Asked)]
    assert [(tag.asker, tag.target, tag.asks) for tag in asked_tags(seen)] == [
        (
            one.seat,
            None if one.target == "all" else one.target,
            faces_of(seen.rules).asks(one.class_),
        )
        for one in asked
    ]


def test_the_tag_of_an_ask_that_waits_for_its_answer_says_nothing_came_yet() -> None:
    waits = next(one for one in played("guru_how_many", 2, 3) if one.phase == "name")
    assert asked_tags(observe(waits, 0))[-1].came is None


@pytest.mark.parametrize(
    ("step", "lit"),
    [
        (Hint(2, "look_at_cards", class_="7", cards=("7C", "7D")), "fan-7"),
        (Hint(3, "asked_for", seat=1, class_="7", cards=("7C",)), "fan-7 seat-1"),
        (Hint(2, "answer", seat=1, class_="7", cards=("7C",)), "fan-7"),
        (
            Hint(4, "one_of_two", seat=1, cards=("7C", "2C"), choices=((2, "2"), (1, "7"))),
            "fan-7 fan-2 seat-2 seat-1",
        ),
        (Hint(5, "do", seat="all", class_="7", cards=("7C",)), "fan-7"),
        (Hint(4, "one_of_two", numbers=(2, 3)), "name-2 name-3"),
        (Hint(5, "do_show", action=Show(True)), "show-yes"),
        (Hint(5, "do_show", action=Show(False)), "show-no"),
        (Hint(5, "do_answer", action=Answer("challenge")), "answer-challenge"),
    ],
)
def test_the_table_lights_up_what_help_speaks_of(step: Hint, lit: str) -> None:
    seen = observe(played("classic", 3, 3)[5], 0)
    assert " ".join(help_view(step, seen, LOOKS[0]).lit) == lit


def test_a_computer_player_thinks_aloud_before_its_ask_and_not_after() -> None:
    thought = Thought(seq=6, seat=1, about=2, asker=2, class_="7")
    for move, thinks in ((5, True), (6, False)):
        shown = table(observe(played("classic", 3, 3)[move], 0))
        seats = table_view(replace(shown, aloud=(thought,))).seats
        thoughts = [None if one.thought is None else one.thought[0] for one in seats]
        assert thoughts == [None, ANIMALS[2] if thinks else None, None]


def test_it_is_the_turn_of_the_viewer_whose_seat_it_is() -> None:
    for state in played("classic", 3, 5)[:12]:
        turns = {who: table(observe(state, who)).my_turn for who in (0, 1, 2, WATCHER)}
        assert turns == {who: who == state.turn for who in turns}


@pytest.mark.parametrize(("points", "done"), [(-2, 0), (3, 1), (19, 9), (23, 10)])
def test_the_way_to_the_points_of_a_match_is_filled_step_by_step(points: int, done: int) -> None:
    seen = observe(played("guru_points", 3, 3)[0], 0)
    goal = table_view(replace(table(seen, "guru_points"), points=(points, 99, 0))).goal
    assert goal == Goal(number=20, books=False, steps=10, done=done)


def test_the_way_to_the_books_of_a_round_is_filled_book_by_book() -> None:
    for state in played("fours_wild", 3, 3)[::5]:
        goal = table_view(table(observe(state, 1), "fours_wild")).goal
        assert goal == Goal(number=4, books=True, steps=4, done=len(state.books[1]))
