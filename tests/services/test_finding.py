"""Friends who tap the same game on the shelf within a few seconds find each other."""

from __future__ import annotations

from sqlalchemy import func, select

from classroom.database import db, write_unit
from classroom.models import ClassSettings, Gathering, Place, Player, Round
from classroom.services.base import clock
from classroom.services.lesson import gatherings, live_class, open_tables, seating
from classroom.services.table import matches, rounds
from tests.playing import Classroom, settings, teacher_of
from tests.services.test_gatherings import (
    Kids,
    at_once,
    go,
    kids,
    names_at,
    play_out,
    playing,
    room,
)

__all__ = ["kids", "room"]  # fixtures


def tap(kids: Kids, *names: str, game: str = "classic") -> list[int | None]:
    return [gatherings.tap_game(kids[name], game) for name in names]


def waits(kids: Kids, name: str) -> bool:
    mine = open_tables.friends(kids[name]).mine
    return mine is not None and mine.until is not None


def children_at(round_id: int) -> set[int | None]:
    return {p.child_id for p in rounds.table(round_id, rounds.WATCHER).players} - {None}


def begun(kids: Kids, name: str) -> int:
    """The page of this child says that the time is over."""
    round_id = gatherings.ready(kids[name])
    assert round_id is not None
    return round_id


def test_two_who_tap_the_same_game_get_one_table(kids: Kids) -> None:
    assert tap(kids, "Mia", "Ben") == [None, None]
    assert waits(kids, "Mia")
    assert waits(kids, "Ben")
    round_id = begun(kids, "Mia")
    assert children_at(round_id) == {kids["Mia"], kids["Ben"]}
    assert len(names_at(round_id)) == 3, "two opponents are the setting: a computer friend came"
    assert open_tables.friends(kids["Ben"]).round_id == round_id, "his page is led there"
    assert gatherings.ready(kids["Ben"]) == round_id, "his own page was later"


def test_a_full_table_begins_at_once(kids: Kids) -> None:
    first, second, third = tap(kids, "Mia", "Ben", "Ada")
    assert (first, second) == (None, None)
    assert third is not None
    assert children_at(third) == {kids[name] for name in ("Mia", "Ben", "Ada")}


def test_other_games_and_taps_that_come_later_make_tables_of_their_own(kids: Kids) -> None:
    tap(kids, "Mia")
    tap(kids, "Ben", game="rank_pairs")
    with clock.clock_at(clock.now() + gatherings.WAIT_FOR_FRIEND + gatherings.LATE + 1):
        tap(kids, "Ada")
    assert db.session.scalar(select(func.count(Gathering.id))) == 3


def test_a_child_whom_nobody_joins_plays_as_it_always_did(kids: Kids) -> None:
    settings(kids["Mia"], opponents=3, level="perch", deck="full")
    assert tap(kids, "Mia") == [None]
    round_id = begun(kids, "Mia")
    players = db.session.scalars(select(Player).order_by(Player.seat)).all()
    assert [p.level for p in players] == [None, "perch", "perch", "perch"]
    assert db.session.scalar(select(func.count(Gathering.id))) == 0
    assert open_tables.friends(kids["Mia"]).round_id is None, "nothing keeps it from friends"
    assert gatherings.ready(kids["Mia"]) == round_id, "a second tap"
    assert tap(kids, "Mia") == [round_id], "it goes on with its round"


def test_nobody_waits_where_no_friend_is_free(room: Classroom, kids: Kids) -> None:
    for name in kids:
        if name not in ("Mia", "Ben", "Ada"):
            go(kids[name])
    playing(kids, "Ben", "Ada")
    (round_id,) = tap(kids, "Mia")
    assert round_id is not None
    assert children_at(round_id) == {kids["Mia"]}


def test_the_last_free_friend_need_not_wait(kids: Kids) -> None:
    for name in kids:
        if name not in ("Mia", "Ben"):
            go(kids[name])
    first, second = tap(kids, "Mia", "Ben")
    assert first is None
    assert second is not None
    assert children_at(second) == {kids["Mia"], kids["Ben"]}


def test_who_has_closed_its_table_is_free_again(kids: Kids) -> None:
    for name in kids:
        if name not in ("Mia", "Ben"):
            go(kids[name])
    alone = matches.sit_down(kids["Ben"], "rank_pairs")
    assert tap(kids, "Mia") != [None], "Ben is playing"
    live_class.at_page(alone, 0, there=False)
    assert tap(kids, "Mia", game="old_fish") == [None]
    live_class.at_page(alone, 0, there=True)
    gatherings.leave(kids["Mia"])
    assert tap(kids, "Mia", game="make_ten") != [None]


def test_friends_who_sit_together_after_their_round_are_free(room: Classroom, kids: Kids) -> None:
    for name in kids:
        if name not in ("Mia", "Ben", "Ada"):
            go(kids[name])
    round_id = playing(kids, "Ben", "Ada")
    assert not gatherings.anybody_free(room.class_id, [kids["Mia"]])
    play_out(round_id)
    assert gatherings.anybody_free(room.class_id, [kids["Mia"]])


def test_a_friend_whose_time_is_up_is_not_waited_for(room: Classroom, kids: Kids) -> None:
    with write_unit():
        row = ClassSettings(class_id=room.class_id, minutes_a_day=0, set_at=clock.now())
        db.session.merge(row)
    assert not gatherings.anybody_free(room.class_id, [kids["Mia"]])


def test_the_table_suits_the_child_with_the_easier_settings(kids: Kids) -> None:
    settings(kids["Mia"], opponents=3, level="pike", deck="full", board="off")
    settings(kids["Ben"], opponents=1, level="minnow", deck="short", board="open")
    first, second = tap(kids, "Mia", "Ben")
    assert first is None
    assert second is not None, "Ben's table has two seats, and is full"
    assert len(names_at(second)) == 2
    mine = {p.child_id: p.board for p in db.session.scalars(select(Player))}
    assert mine == {kids["Mia"]: "off", kids["Ben"]: "open"}


def test_a_table_that_is_too_large_for_a_child_is_not_for_it(kids: Kids) -> None:
    settings(kids["Ada"], opponents=1)
    tap(kids, "Mia", "Ben")
    assert tap(kids, "Ada") == [None]
    tables = [t for t in open_tables.open_tables(table_class()) if t.until is not None]
    assert sorted(sum(f is not None for f in t.seats) for t in tables) == [1, 2]


def table_class() -> int:
    return db.session.scalars(select(Gathering.class_id)).first() or 0


def test_whoever_the_teacher_has_seated_keeps_its_place(room: Classroom, kids: Kids) -> None:
    seating.seat_together(
        room.class_id, "rank_pairs", [kids["Mia"], kids["Ben"]], by=teacher_of(room.class_id)
    )
    tap(kids, "Ada")
    (round_id,) = tap(kids, "Mia")
    assert round_id is not None
    assert children_at(round_id) == {kids["Mia"]}
    mine = open_tables.friends(kids["Mia"]).mine
    assert mine is not None
    assert mine.by_teacher


def test_a_second_tap_waits_and_another_game_moves_the_child(kids: Kids) -> None:
    assert tap(kids, "Mia", "Mia") == [None, None]
    assert db.session.scalar(select(func.count(Place.id))) == 1
    assert tap(kids, "Mia", game="rank_pairs") == [None]
    assert db.session.scalars(select(Gathering.game)).all() == ["rank_pairs"]


def test_who_leaves_the_table_is_not_counted(kids: Kids) -> None:
    tap(kids, "Mia", "Ben")
    gatherings.leave(kids["Mia"])
    assert children_at(begun(kids, "Ben")) == {kids["Ben"]}


def test_who_sits_down_from_the_page_of_friends_is_dealt_in(kids: Kids) -> None:
    tap(kids, "Mia")
    table = open_tables.friends(kids["Ben"]).waiting[0]
    gatherings.sit(kids["Ben"], table.gathering_id)
    assert children_at(begun(kids, "Mia")) == {kids["Mia"], kids["Ben"]}


def test_a_table_whose_pages_are_all_closed_begins_or_goes(kids: Kids) -> None:
    tap(kids, "Mia", "Ben")
    with clock.clock_at(clock.now() + gatherings.WAIT + 1):
        gatherings.start_overdue()
    round_id = open_tables.friends(kids["Mia"]).round_id
    assert round_id is not None
    assert children_at(round_id) == {kids["Mia"], kids["Ben"]}


def test_found_friends_play_again_like_other_friends(kids: Kids) -> None:
    *_, round_id = tap(kids, "Mia", "Ben", "Ada")
    assert round_id is not None
    play_out(round_id)
    assert [gatherings.again(round_id, kids[name]) for name in ("Mia", "Ben")] == [None, None]
    assert gatherings.again(round_id, kids["Ada"]) is not None


def test_taps_at_the_same_moment_find_each_other(room: Classroom, kids: Kids) -> None:
    three = [kids[name] for name in ("Mia", "Ben", "Ada")] * 2
    found = at_once(room, *(lambda c=c: gatherings.tap_game(c, "classic") for c in three))  # type: ignore[misc]
    assert all(one is None or isinstance(one, int) for one in found), found
    (round_id,) = db.session.scalars(select(Round.id)).all()
    assert children_at(round_id) == set(three)


def test_a_tap_and_the_end_of_the_wait_at_the_same_moment(room: Classroom, kids: Kids) -> None:
    """The second child gets to the first one's table, or to one of its own: never to none."""
    tap(kids, "Mia")
    found = at_once(
        room,
        lambda: gatherings.ready(kids["Mia"]),
        lambda: gatherings.tap_game(kids["Ben"], "classic"),
    )
    assert isinstance(found[0], int)
    together = children_at(found[0]) == {kids["Mia"], kids["Ben"]}
    assert together or waits(kids, "Ben")
