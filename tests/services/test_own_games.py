"""Games of a class: its shelf, its own rules, and matches over several rounds."""

from __future__ import annotations

import pytest

from classroom.database import db, write_unit
from classroom.engine.rules import Rules, RulesError
from classroom.games import GAMES
from classroom.models import AuditEntry, Match, OwnGame, Round
from classroom.services.access import sessions
from classroom.services.base.errors import NotFound, Refused
from classroom.services.lesson import gatherings, moments, open_tables, own_games
from classroom.services.table import matches, offers, rounds
from tests.playing import Classroom, settings
from tests.services.test_matches import play_out

QUICK = GAMES["guru_points"].rules.changed({"deck.ranks": "A234567", "match.target": 3})


def save(room: Classroom, name: str = "Our game", game: str = "classic", **changes: object) -> int:
    rules = GAMES[game].rules.changed(**changes)
    return own_games.save(room.class_id, game, name, rules, "both", by=None)


# ---- the shelf


def test_a_new_class_has_the_default_games(room: Classroom) -> None:
    assert offers.offered(room.class_id) == offers.DEFAULT


def test_a_teacher_chooses_the_games_on_the_shelf(room: Classroom) -> None:
    own = save(room)
    own_games.put_on_shelf(room.class_id, ["old_fish", "classic", "poker"], by=None)
    assert offers.offered(room.class_id) == ("classic", "old_fish")
    own_games.put_on_shelf(room.class_id, [f"own-{own}"], by=None)
    assert offers.offered(room.class_id) == (f"own-{own}",)
    assert db.session.query(AuditEntry).filter_by(action="shelf").count() == 2


@pytest.mark.parametrize("keys", [[], ["poker"], ["own-99"]])
def test_a_shelf_is_never_empty(room: Classroom, keys: list[str]) -> None:
    with pytest.raises(Refused, match="shelf_empty"):
        own_games.put_on_shelf(room.class_id, keys, by=None)
    assert offers.offered(room.class_id) == offers.DEFAULT


def test_a_mixed_game_is_only_on_the_shelf_of_its_class(room: Classroom) -> None:
    key = f"own-{save(room, 'Blue Monday', 'rank_pairs')}"
    offer = offers.find(room.class_id, key)
    assert (offer.name, offer.game.key) == ("Blue Monday", "rank_pairs")
    assert offers.offered(room.class_id)[-1] == key
    with pytest.raises(NotFound):
        offers.find(room.class_id + 1, key)


@pytest.mark.parametrize(
    ("changes", "pictures"),
    [
        ({}, "guru"),
        ({"miss": "draw_asked_hand"}, "guru_hand_fishing"),
        ({"ask_scope": "all", "turn_next": "clockwise", "tie": "shared"}, "guru_ask_all"),
        ({"tie": "shared"}, "guru"),
    ],
)
def test_a_mixed_game_is_explained_by_the_pictures_of_the_most_similar_game(
    room: Classroom, changes: dict[str, object], pictures: str
) -> None:
    key = f"own-{save(room, 'Ours', 'guru', **changes)}"
    assert offers.find(room.class_id, key).pictures == pictures


# ---- saving, renaming, removing


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (" ", "game_name_empty"),
        ("x" * 31, "game_name_long"),
        ("@", "game_name_odd"),
        ("OUR  game", "game_name_known"),
    ],
)
def test_an_unusable_name_is_refused(room: Classroom, name: str, code: str) -> None:
    own = save(room)
    other = save(room, "Another")
    with pytest.raises(Refused, match=code):
        save(room, name)
    with pytest.raises(Refused, match=code):
        own_games.rename(room.class_id, other, name, by=None)
    own_games.rename(room.class_id, own, "OUR game", by=None)  # its own name, spelt differently


def test_rules_that_make_no_game_are_not_saved(room: Classroom) -> None:
    with pytest.raises(RulesError, match="R1"):
        save(room, "No game", ask_scope="all", turn_next="refuser")
    assert db.session.query(OwnGame).count() == 0


def test_a_mixed_game_has_no_more_seats_than_its_deck_serves(room: Classroom) -> None:
    own = db.session.get_one(OwnGame, save(room, deck_ranks="A234", deal={"default": 5}))
    assert own.rules["seats"] == [2, 3]


def test_a_mixed_game_is_offered_only_while_it_can_be_dealt_to_all_its_seats(
    room: Classroom,
) -> None:
    own = save(room, deck_ranks="A234", deal={"default": 5})
    assert offers.find(room.class_id, f"own-{own}").seats == (2, 3)
    with write_unit():
        row = db.session.get_one(OwnGame, own)
        row.rules = row.rules | {"seats": [2, 4]}
    with pytest.raises(NotFound):
        offers.find(room.class_id, f"own-{own}")


@pytest.mark.parametrize(
    "more",
    [
        {"ask_what": "card"},
        {"ask_scope": "all", "turn_next": "clockwise", "tie": "shared"},
        {"response": "challenge_optional"},
        {"lucky": "again_may_show"},
        {"book_lay": "choice"},
    ],
)
def test_a_game_with_more_to_decide_than_an_ask_has_no_moments(
    room: Classroom, more: dict[str, object]
) -> None:
    plain, other = save(room, "Plain", "guru"), save(room, "More", "guru", **more)
    assert moments.sizes(offers.find(room.class_id, f"own-{plain}"))
    assert not moments.sizes(offers.find(room.class_id, f"own-{other}"))


def test_a_class_keeps_no_more_games_than_it_can_tell_apart(room: Classroom) -> None:
    for number in range(own_games.MOST_OWN_GAMES):
        save(room, f"Game {number}")
    with pytest.raises(Refused, match="games_full"):
        save(room, "One more")


def test_games_of_another_class_are_not_found(room: Classroom) -> None:
    own = save(room)
    for do in (
        lambda: own_games.rename(room.class_id + 1, own, "Mine", by=None),
        lambda: own_games.remove(room.class_id + 1, own, by=None),
    ):
        with pytest.raises(NotFound):
            do()


# ---- playing


def test_a_mixed_game_is_played_as_it_was_mixed(room: Classroom, mia: int) -> None:
    settings(mia, deck="small", opponents=1)
    own = save(room, "Exact", deck_ranks="A23456789", ask_what="card")
    table = rounds.table(matches.sit_down(mia, f"own-{own}"), 0)
    assert (table.game, table.name) == ("classic", "Exact")
    assert table.observation.rules.deck_ranks == "A23456789"
    assert table.observation.rules.ask_what == "card"
    assert matches.sit_down(mia, "classic") != table.round_id, "another game than classic"
    assert matches.sit_down(mia, f"own-{own}") == table.round_id


def test_a_running_round_goes_on_when_its_game_is_renamed_or_removed(
    room: Classroom, mia: int
) -> None:
    own = save(room, "Old name", deck_ranks="A234567")
    round_id = matches.sit_down(mia, f"own-{own}")
    own_games.rename(room.class_id, own, "New name", by=None)
    assert rounds.table(round_id, 0).name == "New name"
    own_games.remove(room.class_id, own, by=None)
    table = rounds.table(round_id, 0)
    assert (table.name, table.observation.rules.deck_ranks) == (None, "A234567")
    play_out(round_id)
    again = rounds.table(matches.next_round(table.match_id, mia, after=1), 0)
    assert again.observation.rules != table.observation.rules, "the class has these no more"
    with pytest.raises(NotFound):
        matches.sit_down(mia, f"own-{own}")


def test_a_table_that_waits_for_a_removed_game_is_removed_too(room: Classroom, mia: int) -> None:
    own = save(room, "Old name", deck_ranks="A234567")
    gatherings.make(mia, f"own-{own}")
    own_games.remove(room.class_id, own, by=None)
    seen = open_tables.friends(mia)
    assert (seen.mine, seen.tables) == (None, ())


def test_friends_who_play_a_removed_game_stay_together_and_finish_it(
    room: Classroom, mia: int, ben: int
) -> None:
    with write_unit():
        for child_id in (mia, ben):
            sessions.start(f"{child_id:032}", class_id=room.class_id, child_id=child_id)
    own = save(room, "Old name", deck_ranks="A234567")
    gatherings.make(mia, f"own-{own}")
    gatherings.sit(ben, open_tables.friends(ben).tables[0].gathering_id)
    assert gatherings.ready(mia) is None
    round_id = gatherings.ready(ben)
    assert round_id is not None
    own_games.remove(room.class_id, own, by=None)
    assert open_tables.round_of(mia) == open_tables.round_of(ben) == round_id
    played_together(round_id)
    assert gatherings.again(round_id, mia) is None  # the table waits for Ben
    assert open_tables.friends(ben).mine is not None
    again = gatherings.again(round_id, ben)
    assert again is not None
    rules = rounds.table(round_id, 0).observation.rules
    assert rounds.table(again, 0).observation.rules == rules


def played_together(round_id: int) -> None:
    """Play legal moves, by the seat whose turn it is, until the round is over."""
    while (turn := rounds.table(round_id, 0).observation.turn) is not None:
        table = rounds.table(round_id, turn)
        rounds.play(round_id, turn, table.observation.legal[0], f"k{table.seq}", table.seq)


def test_chosen_faces_of_numbers_reach_the_table(room: Classroom, mia: int) -> None:
    rules = GAMES["make_ten"].rules
    own = own_games.save(room.class_id, "make_ten", "Tallies", rules, "tally", by=None)
    assert rounds.table(matches.sit_down(mia, f"own-{own}"), 0).look == "tally"


# ---- matches to a number of points


def points(room: Classroom, rules: Rules = QUICK) -> str:
    return f"own-{own_games.save(room.class_id, 'guru_points', 'To three', rules, 'both', None)}"


def test_a_match_goes_on_until_one_player_has_the_points_and_the_lead(
    room: Classroom, mia: int
) -> None:
    round_id, sums, dealers = matches.sit_down(mia, points(room)), (0, 0, 0), []
    while True:
        dealers.append(db.session.get_one(Round, round_id).dealer)
        assert rounds.table(round_id, 0).points == sums
        play_out(round_id)
        table = rounds.table(round_id, 0)
        sums = tuple(map(sum, zip(sums, table.observation.scores, strict=True)))
        assert table.points == sums
        best = max(sums)
        won = best >= 3 and sums.count(best) == 1
        assert table.champion == (sums.index(best) if won else None)
        following = matches.next_round(table.match_id, mia, after=table.number)
        if won:
            break
        assert rounds.table(following, 0).match_id == table.match_id
        round_id = following
    fresh = rounds.table(following, 0)
    assert (fresh.number, fresh.points) == (1, (0, 0, 0))
    assert fresh.match_id != table.match_id
    assert dealers == [(dealers[0] + i) % 3 for i in range(len(dealers))], "clockwise"
    assert db.session.query(Match).count() == 2


def test_a_tie_at_the_top_means_another_round(room: Classroom, mia: int) -> None:
    round_id = matches.sit_down(mia, points(room))
    play_out(round_id)
    match_id = rounds.table(round_id, 0).match_id
    with write_unit():
        db.session.get_one(Round, round_id).scores = [5, 5, 0]
    following = rounds.table(matches.next_round(match_id, mia, after=1), 0)
    assert (following.match_id, following.number) == (match_id, 2)
    assert following.points == (5, 5, 0)


def test_games_without_a_target_have_no_points(mia: int) -> None:
    round_id = matches.start_match(mia)
    play_out(round_id)
    table = rounds.table(round_id, 0)
    assert (table.points, table.champion) == ((), None)
