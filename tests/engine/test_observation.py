"""What each viewer is allowed to see, line by line as in docs/rules.md A9."""

from __future__ import annotations

from dataclasses import fields

import pytest

from classroom.engine import events as happenings, legal_actions, observe
from classroom.engine.actions import Ask, Claim, Compensate, Declare, LayOff, Pass, Pick
from classroom.engine.events import ALL, Event, SeatEvent
from classroom.engine.observation import TEACHER, WATCHER, Viewer
from classroom.engine.state import State, Step
from classroom.games import GAMES
from tests.engine.tabletop import ask, do, rules_of, seats_of, steps, table

SEATS_AND_WATCHER = (0, 1, 2, WATCHER)


def sees(step: Step, viewer: int | Viewer) -> list[str]:
    """The kinds of events of the last move that the viewer saw."""
    seen = observe(step.state, viewer).history
    return [type(one.event).__name__ for one in seen if one.seq == step.state.seq]


def test_none_is_not_a_viewer() -> None:
    state = table("classic", "> 7H \n . 7C \n stock 5H 6H")
    for nobody in (None, True, "0", 1.0):
        with pytest.raises(TypeError):
            observe(state, nobody)  # type: ignore[arg-type]
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="no seat"):
            observe(state, seat)


def test_everyone_sees_the_sizes_and_only_their_own_hand() -> None:
    state = table("classic", "> 7H 2C \n . 9C 9D \n . KC / books 3C+3D+3H+3S \n stock 5H 6H")
    for viewer in SEATS_AND_WATCHER:
        view = observe(state, viewer)
        assert view.hand_sizes == (2, 2, 1)
        assert (view.stock_size, view.lost_size) == (2, 0)
        assert view.books == ((), (), (("3C", "3D", "3H", "3S"),))
        assert (view.turn, view.phase, view.scores) == (0, "ask", (0, 0, 1))
        own = [hand is not None for hand in view.hands]
        assert own == [seat == viewer for seat in range(3)]
    assert observe(state, 0).hand == observe(state, 0).hands[0] == ("2C", "7H")
    assert observe(state, WATCHER).hand == ()


def test_the_teacher_sees_all_hands_and_never_the_stock() -> None:
    state = table("classic_face_down", "> 7H \n . 9C / books 3C+3D+3H+3S \n stock 5H 6H")
    view = observe(state, TEACHER)
    assert view.hands == (("7H",), ("9C",))
    assert view.books[1] == (("3C", "3D", "3H", "3S"),)
    assert view.stock_size == 2
    assert "5H" not in str(view)
    assert view.legal == ()


def test_the_legal_actions_are_for_the_seat_to_act_alone() -> None:
    state = table("classic", "> 7H 2C \n . 9C 9D \n . KC \n stock 5H 6H")
    assert observe(state, 0).legal == legal_actions(state)
    for viewer in (1, 2, WATCHER, TEACHER):
        assert observe(state, viewer).legal == ()


def test_only_giver_and_taker_see_the_cards_of_a_catch() -> None:
    step = ask(table("classic", "> 7H 2C \n . 7C 7D 9D \n . 7S KC \n stock 5H"), 1, "7")
    for viewer in (0, 1):
        assert sees(step, viewer) == ["Asked", "Gave", "GaveCards"]
    for viewer in (2, WATCHER):
        assert sees(step, viewer) == ["Asked", "Gave"]


def test_only_its_owner_sees_an_unlucky_card() -> None:
    step = ask(table("classic", "> 7H 2C \n . 9D \n . KC \n stock 5H 6H"), 1, "7")
    assert sees(step, 0) == ["Asked", "SaidGoFish", "Fished", "Drew", "TurnPassed"]
    for viewer in (1, 2, WATCHER):
        assert sees(step, viewer) == ["Asked", "SaidGoFish", "Fished", "TurnPassed"]


def test_a_lucky_card_is_shown_to_all() -> None:
    step = ask(table("classic", "> 7H 2C \n . 9D \n . KC \n stock 7S 6H"), 1, "7")
    for viewer in (1, 2, WATCHER):
        assert sees(step, viewer) == ["Asked", "SaidGoFish", "Fished", "Lucky"]


def test_only_its_owner_sees_a_card_before_it_is_shown() -> None:
    state = table("guru", "> 7H 2C \n . 9D \n . KC \n stock 7S 6H", lucky="again_may_show")
    drawn = ask(state, 1, "7").state
    assert observe(drawn, 0).drawn == "7S"
    for viewer in (1, 2, WATCHER):
        view = observe(drawn, viewer)
        assert (view.drawn, view.phase, view.turn, view.legal) == (None, "show", 0, ())


def test_after_blind_fishing_both_seats_see_the_card_and_one_its_replacement() -> None:
    state = table("guru_hand_fishing", "> TH \n . 2C 6C 9C \n . 3C \n stock 5H 6H")
    step = do(state, Ask(1, "T"), Pick(1, "6C"))
    said = ["Asked", "SaidGoFish", "FishedFromHand"]
    assert sees(step, 0) == [*said, "Picked", "Replaced", "TurnPassed"]
    assert sees(step, 1) == [*said, "Picked", "Replaced", "ReplacedCard", "TurnPassed"]
    for viewer in (2, WATCHER):
        assert sees(step, viewer) == [*said, "Replaced", "TurnPassed"]


def test_all_see_the_number_that_was_named_and_its_result() -> None:
    state = table("guru_how_many", "> TH 3D \n . TS TC 2C \n . 3C \n stock 5H 6H")
    asked = ask(state, 1, "T")
    for viewer in SEATS_AND_WATCHER:
        view = observe(asked.state, viewer)
        assert view.pending == (0, Ask(1, "T"))
        assert "AskedHowMany" in sees(asked, viewer)


def test_a_bait_is_seen_by_the_two_seats_concerned() -> None:
    state = table("fours", "> RS1 RT1 \n . GT3 \n . BH1 \n stock YC4 YC3", response="challenge")
    missed = ask(state, 1, "R.1", "RT1")
    assert "SawBait" in sees(missed, 0)
    assert "SawBait" in sees(missed, 1)
    for viewer in (2, WATCHER):
        assert "SawBait" not in sees(missed, viewer)
        assert "RT1" not in str(observe(missed.state, viewer))
    state = table("fours", "> RS1 RT1 \n . RH1 \n . BH1 \n stock YC4 YC3", response="challenge")
    open_ask = ask(state, 1, "R.1", "RT1").state
    assert observe(open_ask, 1).pending == (0, Ask(1, "R.1", "RT1"))
    assert observe(open_ask, 2).pending == (0, Ask(1, "R.1"))


def test_only_the_number_of_cards_in_a_boat_is_public() -> None:
    state = table("fours", "> RS1 / boat GT1 GT2 \n . GT3 / boat BC1 \n . BH1 \n stock YC4")
    view = observe(state, 1)
    assert view.boat_sizes == (2, 1, 0)
    assert view.boats == (None, ("BC1",), None)
    assert observe(state, WATCHER).boats == (None, None, None)


def test_a_declaration_shows_all_cards_until_the_claims_are_over() -> None:
    text = "> RS1 BH4 \n . RS2 GT1 / boat GT2 \n . RS3 GT3 \n . RS4 YC1 GT4"
    claiming = do(table("fours", text), Declare()).state
    view = observe(claiming, WATCHER)
    assert view.hands[1] == ("RS2", "GT1")
    assert view.boats[1] == ("GT2",)
    step = do(claiming, Claim(("RS1", "RS2", "RS3", "RS4")), Compensate(2, "BH4"))
    later = observe(step.state, WATCHER)
    assert later.phase == "ask"
    assert later.hands == (None,) * 4
    assert later.out == (0,)
    assert {"Claimed", "Compensated", "LeftRound"} <= set(sees(step, WATCHER))
    for _ in range(3):
        claiming = do(claiming, Pass()).state
    assert observe(claiming, 2).hands[1] is None


def test_a_seat_may_lay_off_only_to_a_book_that_it_can_see() -> None:
    """Otherwise its list of legal actions would reveal face-down books."""
    text = "> 3D TD \n . 2C 3H / books TC+TH+TS \n . 4C \n stock 5H 6H"
    face_up = table("guru_threes", text, book_layoff="choice")
    face_down = table("guru_threes", text, book_layoff="choice", visibility_books="face_down")
    assert LayOff("TD") in legal_actions(face_up)
    assert LayOff("TD") not in legal_actions(face_down)
    own = "> 3D TD / books TC+TH+TS \n . 2C 3H \n . 4C \n stock 5H 6H"
    own_book = table("guru_threes", own, book_layoff="choice", visibility_books="face_down")
    assert LayOff("TD") in legal_actions(own_book)


@pytest.mark.parametrize("key", GAMES)
def test_S10_an_audience_is_all_or_some_seats_and_watchers_see_what_all_see(key: str) -> None:
    rules = rules_of(key)
    seats = seats_of(rules)[-1]
    *_, (_, last) = steps(rules, seats, 5)
    events = [event for page in last.state.log for event in page.events]
    for event in events:
        assert event.audience == ALL or all(seat in range(seats) for seat in event.audience)
        assert event.audience != ()
    watched = [seen.event for seen in observe(last.state, WATCHER).history]
    assert watched == [event for event in events if event.audience == ALL]
    shown = [seen.event for seen in observe(last.state, TEACHER).history]
    assert shown == events


def test_the_history_is_told_move_by_move() -> None:
    *_, (_, last) = steps(rules_of("classic"), 3, 5)
    history = observe(last.state, 1).history
    assert [seen.seq for seen in history] == sorted(seen.seq for seen in history)
    assert {seen.seq for seen in history} == set(range(last.state.seq + 1))


def test_every_kind_of_event_has_an_audience() -> None:
    kinds = [
        kind
        for kind in vars(happenings).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind not in (Event, SeatEvent)
    ]
    assert len(kinds) == 39
    for kind in kinds:
        audience = kind.__dataclass_fields__["audience"]
        assert audience.default is audience.default_factory  # both are MISSING: no default


def test_a_view_holds_nothing_with_hidden_cards() -> None:
    """No State, Setup or deck can be reached from an Observation."""
    state = table("classic", "> 7H 2C \n . 9C 9D \n . KC \n stock 5H 6H")
    seen: list[object] = [observe(state, 0)]
    while seen:
        value = seen.pop()
        assert not isinstance(value, (State, Step, type(state.setup)))
        if isinstance(value, tuple):
            seen.extend(value)
        elif hasattr(value, "__dataclass_fields__"):
            seen.extend(getattr(value, field.name) for field in fields(value))  # type: ignore[arg-type]
