"""The players of a match, the settings of a new round, and two taps that make one round."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from classroom.database import db
from classroom.engine.cards import deck_of
from classroom.engine.events import Asked, Gave
from classroom.engine.observation import TEACHER
from classroom.games import GAMES
from classroom.games.variants import DECKS, deck_rules
from classroom.hub import ANY, Topic, hub_of
from classroom.models import ChildRound, Match, Player, Round
from classroom.services.base import clock, names
from classroom.services.base.errors import NotFound
from classroom.services.operation import background
from classroom.services.school import classes
from classroom.services.table import matches, rounds
from tests.conftest import finish, make_app
from tests.playing import Classroom, fill, settings


def play_out(round_id: int) -> None:
    """Play legal moves until the round is over."""
    while True:
        background.play_now(round_id)
        table = rounds.table(round_id, 0)
        if table.over:
            return
        rounds.play(round_id, 0, table.observation.legal[0], f"k{table.seq}", table.seq)


def players(round_id: int) -> list[Player]:
    match = db.session.get_one(Match, db.session.get_one(Round, round_id).match_id)
    return list(match.players)


# ---- starting


@pytest.mark.parametrize("opponents", [1, 2, 3])
@pytest.mark.parametrize("level", ["minnow", "perch", "pike"])
def test_a_new_match_obeys_the_childs_settings(mia: int, opponents: int, level: str) -> None:
    settings(mia, opponents=opponents, level=level, board="fading", hints=True)
    round_id = matches.start_match(mia)
    table = rounds.table(round_id, 0)
    assert len(table.players) == opponents + 1
    assert {player.level for player in table.players if not player.me} == {level}
    assert (table.board, table.hints) == ("fading", True)


@pytest.mark.walk(4)
@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("game", ["classic", "classic_face_down", "colour_pairs", "rank_pairs"])
def test_a_round_is_dealt_from_the_chosen_deck(mia: int, game: str, deck: str) -> None:
    settings(mia, deck=deck)
    row = db.session.get_one(Round, matches.start_match(mia, game))
    wanted = deck_rules(GAMES[game], len(players(row.id)), deck)
    assert sorted(row.deck) == sorted(deck_of(wanted).cards)


@pytest.mark.parametrize(
    ("band", "seats", "kinds"), [("4-5", 2, 5), ("5-6", 2, 7), ("6-7", 3, 10), ("7-9", 3, 10)]
)
def test_what_nobody_chose_is_as_suits_the_age(mia: int, band: str, seats: int, kinds: int) -> None:
    classes.rename_child(mia, "Mia", age_band=band)
    settings(mia, opponents=0, deck="age")
    seen = rounds.table(matches.start_match(mia), 0)
    assert (len(seen.players), len(seen.observation.rules.deck_ranks)) == (seats, kinds)


@pytest.mark.parametrize(
    ("band", "chosen", "told"),
    [
        ("4-5", "age", "calm"),
        ("5-6", "age", "calm"),
        ("6-7", "age", "usual"),
        ("7-9", "age", "quick"),
        ("7-9", "calm", "calm"),
        ("4-5", "quick", "quick"),
    ],
)
def test_a_table_tells_at_the_chosen_pace_or_as_suits_the_age(
    mia: int, band: str, chosen: str, told: str
) -> None:
    classes.rename_child(mia, "Mia", age_band=band)
    settings(mia, pace=chosen)
    assert rounds.table(matches.start_match(mia), 0).pace == told


def test_a_child_without_settings_plays_with_two_minnows(mia: int) -> None:
    table = rounds.table(matches.start_match(mia), 0)
    assert [player.level for player in table.players] == [None, "minnow", "minnow"]
    assert (table.board, table.hints) == ("peek", True)


def test_no_more_friends_sit_down_than_a_game_has_seats(mia: int) -> None:
    settings(mia, opponents=3)
    assert len(players(matches.start_match(mia, "wish_pairs"))) == 2


def test_no_friend_at_the_table_can_be_mistaken_for_a_child_of_the_class(room: Classroom) -> None:
    children = {"fox", "bear"}
    settings(room.children["Mia"], opponents=3)
    for _ in range(12):
        seated = players(matches.start_match(room.children["Mia"]))
        friends = [player for player in seated if player.level]
        assert len({player.animal for player in seated}) == 4
        assert not children & {friend.animal for friend in friends}
        assert [friend.name.lower() for friend in friends] == [f.animal for f in friends]


def test_friends_have_their_own_faces_even_in_a_full_class(tmp_path: Path, migrated: Path) -> None:
    app = make_app(tmp_path / "full", migrated)
    room = fill(app, children=30)
    with app.app_context():
        mia = room.children["Mia"]
        settings(mia, opponents=3)
        for _ in range(10):
            seated = players(matches.start_match(mia))
            assert len({player.animal for player in seated}) == 4
            assert all((f.animal in names.ANIMALS and f.pad in names.PADS) for f in seated)
    finish(app)


def test_the_first_dealer_and_the_deck_are_random(mia: int) -> None:
    dealt = [db.session.get_one(Round, matches.start_match(mia)) for _ in range(40)]
    assert set(Counter(row.dealer for row in dealt)) == {0, 1, 2}
    assert len({tuple(row.deck) for row in dealt}) == 40
    assert all(row.dealer in range(3) for row in dealt)


def test_a_deal_uses_only_the_systems_randomness(mia: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # with the randomness of live play
    assert type(matches._random) is random.SystemRandom

    def never(*_: object) -> float:
        raise AssertionError("a deal came from a generator that can be predicted")

    for name in ("random", "getrandbits"):
        monkeypatch.setattr(random.Random, name, never)
    matches.start_match(mia)


def test_number_games_can_be_played(mia: int) -> None:
    round_id = matches.start_match(mia)
    row = db.session.query(ChildRound).filter_by(round_id=round_id).one()
    assert (row.child_id, row.seat, row.asks, row.over) == (mia, 0, 0, False)


def test_a_childs_asks_catches_and_books_are_counted_as_the_round_shows_them(mia: int) -> None:
    round_id = matches.start_match(mia)
    play_out(round_id)
    table = rounds.table(round_id, 0)
    told = [seen.event for seen in table.observation.history]
    row = db.session.query(ChildRound).filter_by(round_id=round_id).one()
    assert row.asks == sum(isinstance(event, Asked) and event.seat == 0 for event in told)
    assert row.catches == sum(isinstance(event, Gave) and event.taker == 0 for event in told) > 0
    assert row.books == len(table.observation.books[0]) > 0
    assert row.over


@pytest.mark.parametrize(("child", "game"), [(999, "classic"), (None, "no_such_game")])
def test_an_unknown_child_or_game_is_not_found(mia: int, child: int | None, game: str) -> None:
    with pytest.raises(NotFound):
        matches.start_match(child or mia, game)
    assert db.session.query(Match).count() == 0


# ---- coming back


def test_a_child_goes_back_to_its_unfinished_round(mia: int, ben: int) -> None:
    assert matches.current_round(mia) is None
    round_id = matches.start_match(mia)
    assert matches.current_round(mia) == round_id
    assert matches.current_round(ben) is None
    play_out(round_id)
    assert matches.current_round(mia) is None


def test_two_taps_on_a_game_are_one_round(mia: int) -> None:
    first = matches.sit_down(mia, "classic")
    assert matches.sit_down(mia, "classic") == first
    assert matches.sit_down(mia, "rank_pairs") != first
    assert db.session.query(Match).count() == 2


def test_a_child_can_start_a_new_round_in_the_middle_of_one(mia: int) -> None:
    with clock.clock_at(1_000_000.0):
        first = matches.sit_down(mia, "classic")
    with clock.clock_at(1_000_100.0):
        second = matches.sit_down(mia, "classic", new=True)
        assert second != first
        assert matches.sit_down(mia, "classic", new=True) == second  # a second tap
        assert matches.current_round(mia) == second


# ---- again


def test_playing_again_is_the_next_round_with_the_same_friends(mia: int) -> None:
    settings(mia, deck="small", opponents=2)  # too few cards for more friends
    first = matches.start_match(mia)
    play_out(first)
    table = rounds.table(first, 0)
    second = matches.next_round(table.match_id, mia)
    again = rounds.table(second, 0)
    assert (again.match_id, again.number, again.players) == (table.match_id, 2, table.players)
    rows = [db.session.get_one(Round, number) for number in (first, second)]
    assert rows[1].dealer == (rows[0].dealer + 1) % 3


def test_a_new_round_is_announced_once_as_having_no_moves(mia: int) -> None:
    told: list[tuple[Topic, int]] = []
    leave = hub_of(db.engine).subscribe(ANY, lambda topic, seq: told.append((topic, seq)))
    first = matches.sit_down(mia, "classic")
    trial = matches.start_practice(mia, "classic")
    assert matches.start_practice(mia, "classic") == trial  # a second tap
    leave()
    play_out(first)
    leave = hub_of(db.engine).subscribe(ANY, lambda topic, seq: told.append((topic, seq)))
    second = matches.next_round(rounds.table(first, 0).match_id, mia, after=1)
    matches.next_round(rounds.table(first, 0).match_id, mia, after=1)
    leave()
    assert told == [(first, 0), (trial, 0), (second, 0)]


def test_two_taps_on_again_are_one_round(mia: int) -> None:
    first = matches.start_match(mia)
    play_out(first)
    match_id = rounds.table(first, 0).match_id
    second = matches.next_round(match_id, mia, after=1)
    assert matches.next_round(match_id, mia, after=1) == second
    play_out(second)
    assert matches.next_round(match_id, mia, after=1) == second
    assert matches.next_round(match_id, mia, after=2) != second


def test_again_leads_back_to_an_unfinished_round(mia: int) -> None:
    round_id = matches.start_match(mia)
    assert matches.next_round(rounds.table(round_id, 0).match_id, mia) == round_id


@pytest.mark.walk(2)
@pytest.mark.parametrize(
    "change", [{"opponents": 1}, {"level": "pike"}, {"deck": "full"}, {"board": "open"}]
)
def test_an_adults_settings_hold_from_the_next_round_on(
    mia: int, change: dict[str, object]
) -> None:
    settings(mia)
    first = matches.start_match(mia)
    before = rounds.table(first, 0)
    settings(mia, **change)
    assert rounds.table(first, 0) == before
    play_out(first)
    second = rounds.table(matches.next_round(before.match_id, mia, after=1), 0)
    assert second.match_id != before.match_id
    seated = [player for player in second.players if not player.me]
    wanted = {"opponents": 2, "level": "minnow", "deck": "short", "board": "peek"} | change
    assert len(seated) == wanted["opponents"]
    assert {player.level for player in seated} == {wanted["level"]}
    assert second.board == wanted["board"]
    kinds = DECKS[str(wanted["deck"])].kinds
    assert len(second.observation.rules.deck_ranks) == kinds


def test_a_child_plays_again_only_where_it_sat(mia: int, ben: int) -> None:
    match_id = rounds.table(matches.start_match(mia), 0).match_id
    with pytest.raises(NotFound):
        matches.next_round(match_id, ben)
    with pytest.raises(NotFound):
        matches.next_round(999, mia)


def test_every_card_is_dealt_once(mia: int) -> None:
    for deck in DECKS:
        settings(mia, deck=deck)
        seen = rounds.table(matches.start_match(mia), TEACHER).observation
        hands = [card for hand in seen.hands for card in hand or ()]
        books = [card for books in seen.books for book in books for card in book or ()]
        assert len(set(hands + books)) == len(hands + books)
        assert len(hands + books) + seen.stock_size == 4 * DECKS[deck].kinds
