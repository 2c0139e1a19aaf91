"""All against the pond on the pages: the tide on its track, one shell for all, and both ends."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from flask import g

from classroom.database import db, write_unit
from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import Ask, Lots
from classroom.engine.observation import TEACHER, WATCHER
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.games import GAMES, variants
from classroom.games.variants import low_tide
from classroom.learning.drafts import Scene
from classroom.learning.skills import AGE_BANDS
from classroom.models import Child, PlaySettings
from classroom.services.access import sessions
from classroom.services.lesson import live_class, own_games
from classroom.services.operation import background
from classroom.services.quiz import posing
from classroom.services.reports import overview
from classroom.services.table import choices, matches, offers, rounds
from classroom.web.child.play import told_parts
from classroom.web.http import pages
from classroom.web.reports.replay import ALL, replay_view
from classroom.web.words import filters, knob_words, rule_words
from tests.playing import Browser, Classroom, settings
from tests.questioning import put_here, tables
from tests.web.test_table_view import table, view
from tests.world import World


def tidal(steps: int) -> Rules:
    few = {"deck.ranks": "A2345", "deal": {"default": 4}}
    return variants.turned(GAMES["classic"].rules.changed(few), {"tide": str(steps)})


def played(steps: int, seed: int = 1) -> list[State]:
    """Every position of a round of three in which all ask at random."""
    rng, rules = random.Random(seed), tidal(steps)
    states = [deal(rules, 3, 0, shuffled(rules, rng), Lots(rng)).state]
    while not states[-1].over:
        asks = [action for action in legal_actions(states[-1]) if isinstance(action, Ask)]
        states.append(apply(states[-1], rng.choice(asks), Lots(rng)).state)
    return states


def a_fall(states: list[State]) -> int:
    """The number of a move by which the tide fell, and the round went on."""
    return next(
        move for move in range(4, len(states) - 1) if states[move].tide != states[move - 1].tide
    )


def test_the_mixer_makes_a_game_of_three_or_four() -> None:
    rules = tidal(8)
    assert (rules.end_tide, rules.seats) == (8, (3, 4))
    words = " ".join(rule_words.rule_sentences(rules))
    assert "or the tide has fallen 8 steps" in words
    assert "Nobody wins alone" in words
    assert "most points" not in words


def test_the_mixer_says_how_many_steps_suit_the_cards() -> None:
    game = GAMES["classic"].rules
    few = variants.turned(game, {"kinds": "7", "deal": "5", "tide": "20"})
    [note] = knob_words.tide_note(few)
    assert "10 to 11 steps suit three players" in note
    [note] = knob_words.tide_note(variants.turned(game, {"kinds": "6", "tide": "20"}))
    assert "not been tried" in note
    assert not [*knob_words.tide_note(game)]


def test_all_books_lie_in_one_shell_in_the_order_in_which_they_were_laid() -> None:
    states = played(32)
    for state in states:
        shown = view(observe(state, 1))
        assert shown.tide is not None
        assert len(shown.tide.books) == sum(map(len, state.books))
        assert {who.books for who in shown.seats} == {None}
        assert shown.path == ()
    made = [view(observe(state, 0)).tide for state in states]
    assert all(a and b and b.books[: len(a.books)] == a.books for a, b in pairwise(made))


def test_a_miss_is_a_step_that_tells_what_is_left() -> None:
    states = played(8)
    move = a_fall(states)
    shown = view(observe(states[move], 2), move - 1)
    [step] = [step for step in shown.steps if step.kind == "tide"]
    assert step.number == states[move].tide == (states[move - 1].tide or 0) - 1


def test_news_of_a_miss_bring_the_track_anew() -> None:
    states = played(8)
    move = a_fall(states)
    waits = next(seat for seat in range(3) if seat != states[move].turn)
    seen = observe(states[move], waits)
    told = told_parts(table(seen), view(seen, move - 1))
    assert told is not None
    assert told.path


def test_nobody_is_asked_who_made_more() -> None:
    states = played(32)
    assert not any(Scene(observe(states[-1], 0)).books)


def test_the_replay_shows_one_shell_and_the_steps_left() -> None:
    states = played(8)
    now, end = table(observe(states[-2], TEACHER)), table(observe(states[-1], TEACHER))
    shown = replay_view(now, end, ALL, 0)
    assert shown.tide is not None
    assert (shown.tide.steps, shown.tide.left) == (8, states[-2].tide)
    assert not any(seat.books for seat in shown.seats)


# ---- over HTTP


def test_the_list_of_rounds_names_a_game_with_a_tide_low_tide(room: Classroom) -> None:
    begun(room, 8)
    with room.app.app_context():
        matches.start_match(room.children["Mia"], "classic")
        listed = overview.child_page(room.children["Mia"]).rounds
    assert [one.game for one in listed] == ["classic", "low_tide"]


def begun(room: Classroom, steps: int) -> int:
    with room.app.app_context():
        settings(room.children["Mia"], opponents=1)
        own = own_games.save(room.class_id, "classic", "Low tide", tidal(steps), "both", by=None)
        return matches.start_match(room.children["Mia"], offers.own_key(own))


def play_out(room: Classroom, round_id: int) -> None:
    with room.app.app_context():
        while True:
            background.play_now(round_id)
            shown = rounds.table(round_id, 0)
            if shown.over:
                return
            action = next(one for one in shown.observation.legal if isinstance(one, Ask))
            rounds.play(round_id, 0, action, f"k{shown.seq}", shown.seq)


def test_the_teacher_sees_how_many_books_lie_in_the_shell(room: Classroom) -> None:
    round_id = begun(room, 20)
    with room.app.app_context(), write_unit():
        sessions.start("d", class_id=room.class_id, child_id=room.children["Mia"])
    with room.app.app_context():
        shown = rounds.table(round_id, 0)
        while not any(shown.observation.books[1:]):
            ask = next(one for one in shown.observation.legal if isinstance(one, Ask))
            rounds.play(round_id, 0, ask, f"k{shown.seq}", shown.seq)
            background.play_now(round_id)
            shown = rounds.table(round_id, 0)
        (kid,) = (one for one in live_class.live_class(room.class_id).kids if one.name == "Mia")
    assert kid.books == sum(map(len, shown.observation.books))


def test_a_child_who_plays_alone_gets_a_table_of_three(room: Classroom, mia: Browser) -> None:
    page = mia.get(f"/play/rounds/{begun(room, 8)}").text
    assert len(re.findall(r'id="seat-\d"', page)) == 2
    assert re.findall(r"path__step[^>]*><b>(\d+)", page) == [str(n) for n in range(9)]
    assert "Low tide: " in page
    assert 'id="shell"' in page
    assert 'id="shelf"' not in page


@pytest.mark.parametrize(
    ("steps", "said"), [(32, "The pond is full!"), (5, "The fish are asleep until tomorrow.")]
)
def test_a_round_ends_for_all_alike(room: Classroom, mia: Browser, steps: int, said: str) -> None:
    for _ in range(20):  # computer friends and cards are drawn by lot
        round_id = begun_again(room, steps)
        play_out(room, round_id)
        page = mia.get(f"/play/rounds/{round_id}").text
        if said in page:
            break
    assert said in page
    assert page.count('<li class="endrow') == 1
    assert page.count("crew__one") == 3
    assert "won" not in re.sub("<[^>]*>", "", page)


def begun_again(room: Classroom, steps: int) -> int:
    with room.app.app_context():
        for own in offers.own_games(room.class_id):
            own_games.remove(room.class_id, own.id, by=None)
    return begun(room, steps)


def test_how_it_is_played_ends_with_the_shell_of_all(room: Classroom, mia: Browser) -> None:
    round_id = begun(room, 8)
    page = mia.get(f"/play/games/classic?round={round_id}").text
    assert page.count('class="scene"') == 7
    assert page.count("See it again") == 1
    assert page.index("scene-7") < page.index("tide-rule")


def test_the_question_at_a_catch_shows_the_shell_with_what_is_made(
    room: Classroom, mia: Browser
) -> None:
    child_id = room.children["Mia"]
    with room.app.app_context():
        own = own_games.save(room.class_id, "classic", "Tide", tidal(30), "both", by=None)
        for table in tables(child_id, offers.own_key(own), seed=1):
            if sum(map(len, table.observation.books)) > 1 and put_here(
                child_id, table, "books_missing"
            ):
                break
        made, seq = sum(map(len, table.observation.books)), table.seq
        place = posing.in_full(table.round_id, child_id, seq).right
    path = f"/play/rounds/{table.round_id}"
    page = mia.get(path).text
    shell = page[page.index('class="q__shell"') : page.index("q__plus")]
    assert shell.count("book--shut") == made
    assert f"q-there-are n-5 books we-made n-{made} q-missing" in page
    assert "There are five books." in page
    found = mia.post(f"{path}/questions/{seq}/answers", place=place, key="k").text
    assert "data-found" in found


# ---- the menu's low tide


@pytest.mark.parametrize("band", AGE_BANDS)
@pytest.mark.parametrize("friends", [1, 2, 3])
def test_the_tile_deals_the_steps_that_suit_the_age(
    room: Classroom, band: str, friends: int
) -> None:
    child_id = room.children["Mia"]
    seats = 3 if friends == 2 and band in ("6-7", "7-9") else 4
    deck = choices.for_age(PlaySettings(), band).deck
    with room.app.app_context():
        settings(child_id, opponents=friends, deck=deck)
        with write_unit():
            db.session.get_one(Child, child_id).age_band = band
        shown = rounds.table(matches.start_match(child_id, "low_tide"), 0)
    rules = shown.observation.rules
    assert rules == low_tide(GAMES["low_tide"], seats, deck, band)
    assert rules == low_tide(GAMES["classic"], seats, deck, band)
    assert (shown.observation.seats, shown.game, shown.name) == (seats, "low_tide", None)


def test_a_table_of_children_has_the_steps_of_the_youngest(room: Classroom) -> None:
    with room.app.app_context():
        for name, band in (("Mia", "7-9"), ("Ben", "4-5")):
            settings(room.children[name], deck="five")
            with write_unit():
                db.session.get_one(Child, room.children[name]).age_band = band
        ids = [room.children[name] for name in ("Mia", "Ben")]
        with write_unit():
            round_id = matches.together(room.class_id, "low_tide", [*ids, None])
        rules = rounds.table(round_id, 0).observation.rules
    assert rules == low_tide(GAMES["low_tide"], 3, "five", "4-5")


def test_the_tile_is_on_the_shelf_with_its_picture_and_its_name(
    room: Classroom, mia: Browser
) -> None:
    page = mia.get("/play/").text
    tile = page[page.index('id="play-low_tide"') :].partition("</form>")[0]
    assert 'data-say="game-low_tide"' in tile
    assert "#x-low" in tile
    how = mia.get("/play/games/low_tide").text
    assert how.count('class="scene"') == 6
    assert "tide-rule" in how


def test_an_own_low_tide_is_tried_with_its_tide(room: Classroom, mia: Browser) -> None:
    for rules, steps in ((tidal(8), 8), (None, GAMES["low_tide"].rules.end_tide)):
        with room.app.app_context():
            key = "low_tide"
            if rules:
                own = own_games.save(room.class_id, "classic", "Tide", rules, "both", by=None)
                key = offers.own_key(own)
            shown = rounds.table(matches.start_practice(room.children["Mia"], key), 0)
            assert (shown.observation.seats, shown.observation.tide) == (3, steps)
            assert shown.practice
            path = f"/play/rounds/{shown.round_id}"
            db.session.rollback()
        assert 'id="shell"' in mia.get(path).text


# ---- the lamp


def my_turn(room: Classroom, board: str) -> int:
    """A round of three in which it is Mia's turn, with this help of the board."""
    while True:
        with room.app.app_context():
            settings(room.children["Mia"], board=board)
        round_id = begun_again(room, 24)
        with room.app.app_context():
            background.play_now(round_id)
            shown = rounds.table(round_id, 0)
            db.session.rollback()
        if shown.my_turn and not shown.over:
            return round_id


def light(mia: Browser, round_id: int, page: str) -> str:
    seen = re.findall(r'data-v="(\d+)"', page)[0]
    mia.post(f"/play/rounds/{round_id}/actions", type="lamp", key="lamp-1", seen=seen)
    return mia.get(f"/play/rounds/{round_id}").text


def left(page: str) -> int:
    return int(re.findall(r"Low tide: (\d+)", page)[0])


def test_the_board_opens_for_a_step_of_the_tide(room: Classroom, mia: Browser) -> None:
    round_id = my_turn(room, "peek")
    page = mia.get(f"/play/rounds/{round_id}").text
    assert "line__form--lamp" in page
    assert mia.post(f"/play/rounds/{round_id}/board", seen="0").status_code == 409
    lit = light(mia, round_id, page)
    assert left(lit) == left(page) - 1
    assert "line__form--lamp" not in lit
    assert mia.post(f"/play/rounds/{round_id}/board", seen="0").status_code == 200


def test_without_a_board_there_is_nothing_to_light(room: Classroom, mia: Browser) -> None:
    round_id = my_turn(room, "off")
    assert "line__form--lamp" not in mia.get(f"/play/rounds/{round_id}").text


def test_the_gentle_board_costs_nothing(room: Classroom, mia: Browser) -> None:
    round_id = my_turn(room, "open")
    assert "line__form--lamp" not in mia.get(f"/play/rounds/{round_id}").text
    assert mia.post(f"/play/rounds/{round_id}/board", seen="0").status_code == 200


# ---- at one tablet, and on paper


def test_a_shared_tablet_shows_one_shell_and_the_steps_left(room: Classroom) -> None:
    state = played(8)[-2]
    with room.app.test_request_context():
        g.token = g.device = "0"
        page = pages.render(
            "partials/child/shared.html",
            recall=None,
            notice=None,
            t=view(observe(state, WATCHER)),
            sides="swe",
            line=(),
        )
    assert page.count("pool__shell") == 1
    assert f"Low tide: {state.tide}" in page


def test_the_sheets_of_an_own_game_have_a_track(world: World) -> None:
    sunfish = world.classes["sunfish"]
    with world.app.app_context():
        own = own_games.save(sunfish, "classic", "Our tide", tidal(12), "both", by=None)
    path = f"/teach/classes/{sunfish}/print?game={offers.own_key(own)}&sheet=path"
    page = world.visitor("lake").get(path).text
    assert "<h2>The tide</h2>" in page
    track = page[page.index("<h2>The tide") : page.index("<h2>Number paths")]
    assert re.findall(r"<li[^>]*>(\d+)</li>", track) == [str(n) for n in range(13)]


def test_the_replay_and_the_page_of_a_table_call_low_tide_by_its_own_name(world: World) -> None:
    sunfish = world.classes["sunfish"]
    with world.app.app_context():
        own = own_games.save(sunfish, "classic", "Our tide", tidal(2), "both", by=None)
        with write_unit():
            ids = [world.children["Miaqua"], None, None]
            round_id = matches.together(sunfish, offers.own_key(own), ids)
        teacher, path = world.visitor("lake"), f"/teach/rounds/{round_id}"
        watched = teacher.get(f"{path}/watch").text
        assert "Our tide" in watched
        while not (shown := rounds.table(round_id, 0)).over:
            background.play_now(round_id)
            shown = rounds.table(round_id, 0)
            if shown.my_turn:
                ask = next(one for one in shown.observation.legal if isinstance(one, Ask))
                rounds.play(round_id, 0, ask, f"k{shown.seq}", shown.seq)
        db.session.rollback()
    assert "Our tide, step by step" in teacher.get(path).text
    with world.app.test_request_context():  # once the class's own game is gone
        nameless = table(observe(played(8)[0], TEACHER))
        assert filters.table_game(nameless) == "Low tide"


def test_the_projector_shows_the_steps_left_and_nothing_hidden(world: World) -> None:
    with world.app.app_context(), write_unit():
        ids = [world.children["Miaqua"], None, None]
        round_id = matches.together(world.classes["sunfish"], "low_tide", ids)
    with world.app.app_context():
        background.play_now(round_id)
        shown = rounds.table(round_id, 0)
    page = world.visitor("lake").get(f"/teach/classes/{world.classes['sunfish']}/board").text
    left, steps = shown.observation.tide, shown.observation.rules.end_tide
    track = page[page.index('class="room__tide"') :].partition("</p>")[0]
    assert f"Low tide: {left} of {steps} steps left" in " ".join(track.split())
    assert track.count("is-wet") == left
    assert track.count("<i") == steps
    assert "card--" not in page
