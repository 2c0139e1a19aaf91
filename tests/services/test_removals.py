"""Removing a child: nothing of it is left, and nothing of other people is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, update

from classroom.database import Base, db, write_unit
from classroom.models import (
    Adult,
    AuditEntry,
    Child,
    ChildRound,
    EvidenceRow,
    FamilyLink,
    Match,
    Move,
    Player,
    Round,
    WrongTry,
)
from classroom.services.access import sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base import budgets, clock
from classroom.services.base.rows import count_rows, is_there
from classroom.services.operation import background
from classroom.services.school import child_notes, family_links, removals
from classroom.services.table import choices, rounds
from tests.playing import family_chooses
from tests.world import World

CANARY = "Quillcanary"


@pytest.fixture
def school(world: World) -> Iterator[World]:
    """The world with more rows about Miaqua: a move, evidence, settings, a family code, a knock and
    a session."""
    with world.app.app_context():
        mia = world.children["Miaqua"]
        _play(world, mia)
        family_chooses(world.adults["reed"], mia, 2, "perch", "short", "open", True, None)
        choices.write(world.adults["lake"], "child", mia, {"hints": True})
        family_links.make_code(mia)
        who = Who(kind="device", class_id=world.classes["sunfish"], device=CANARY + "device")
        sign_in.knock(who, mia)
        with write_unit():
            sessions.start(CANARY + "session", class_id=who.class_id, child_id=mia)
        yield world
        db.session.rollback()


def _play(world: World, mia: int) -> None:
    round_id = world.rounds["Miaqua"]
    background.play_now(round_id)
    seat = rounds.seat_of(round_id, mia)
    assert seat is not None
    table = rounds.table(round_id, seat)
    rounds.play(round_id, seat, table.observation.legal[0], CANARY + "key", table.seq)
    with write_unit():
        db.session.add(
            EvidenceRow(
                child_id=mia,
                round_id=round_id,
                source="play",
                skill="recall_ask",
                item={"kind": CANARY + "item"},
                options=[],
                first_answer=0,
                later_answers=[],
                right=True,
                aided=False,
                guess_rate=0.1,
                day=clock.day(),
                at=clock.now(),
            )
        )


def bytes_of(world: World) -> bytes:
    folder = Path(world.app.instance_path)
    return b"".join(path.read_bytes() for path in folder.glob("school.db*"))


def with_ben(world: World) -> int:
    """Seat Benquill at Miaqua's table in place of a computer player. Returns the match."""
    with write_unit():
        match_id = db.session.get_one(Round, world.rounds["Miaqua"]).match_id
        seat = update(Player).where(Player.match_id == match_id, Player.level.is_not(None))
        first = select(Player.id).where(Player.match_id == match_id, Player.level.is_not(None))
        db.session.execute(
            seat.where(Player.id == db.session.scalars(first).first()).values(
                child_id=world.children["Benquill"], level=None, name="Benquill"
            )
        )
    return match_id


@pytest.mark.sqlite
def test_no_byte_of_a_removed_child_is_left_in_the_database_or_its_log(school: World) -> None:
    before = bytes_of(school)
    child_notes.write(school.children["Miaqua"], f"{CANARY}note", by=school.adults["lake"])
    for text in ("Miaqua", "Reedqadult", *(CANARY + at for at in ("key", "item", "device"))):
        assert text.encode() in before
    removals.remove_child(school.children["Miaqua"], by=school.adults["lake"])
    db.session.remove()
    left = bytes_of(school)
    assert b"Miaqua" not in left
    assert CANARY.encode() not in left
    assert b"Reedqadult" not in left, "a parent with no other child here is nobody's any more"
    assert b"Benquill" in left


def test_every_row_that_names_the_child_is_gone(school: World) -> None:
    mia = school.children["Miaqua"]
    removals.remove_child(mia)
    for table in Base.metadata.sorted_tables:
        if "child_id" in table.c:
            found = db.session.execute(select(table).where(table.c.child_id == mia)).all()
            assert found == [], table.name
    assert db.session.get(Round, school.rounds["Miaqua"]) is None


def test_the_wrong_tries_at_the_childs_pictures_are_gone_and_no_others(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    with write_unit():
        for child in (mia, ben):
            budgets.wrong_pictures(school.classes["sunfish"], child, CANARY + "guesser")
    removals.remove_child(mia)
    left = set(db.session.scalars(select(WrongTry.what)))
    assert left == {f"child:{ben}", f"class:{school.classes['sunfish']}"}


def test_the_announced_numbers_of_removed_things_are_right(school: World) -> None:
    mia = school.children["Miaqua"]
    told = removals.what_goes(mia)
    rounds = count_rows(select(Round.id))
    answers = len(db.session.scalars(select(EvidenceRow).where(EvidenceRow.child_id == mia)).all())
    assert (told.name, told.rounds, told.shared, told.parents) == ("Miaqua", 2, 0, 1)
    assert told.answers == answers > 0
    removals.remove_child(mia)
    assert count_rows(select(Round.id)) == rounds - told.rounds
    assert not is_there(select(EvidenceRow.id).where(EvidenceRow.child_id == mia))


def test_other_children_and_their_parents_lose_nothing(school: World) -> None:
    def of_others() -> list[tuple[object, ...]]:
        mia = school.children["Miaqua"]
        kept: list[tuple[object, ...]] = []
        for model in (Child, ChildRound, EvidenceRow, FamilyLink):
            key = model.id if model is Child else model.child_id
            rows = db.session.execute(select(*model.__table__.c).where(key != mia)).all()
            kept += [tuple(map(str, row)) for row in rows]
        return kept

    before = of_others()
    removals.remove_child(school.children["Miaqua"])
    assert of_others() == before
    assert db.session.get(Round, school.rounds["Benquill"]) is not None


def test_a_parent_with_another_child_here_stays(school: World) -> None:
    code = family_links.make_code(school.children["Benquill"])
    family_links.link(school.adults["reed"], code)
    assert removals.what_goes(school.children["Miaqua"]).parents == 0
    removals.remove_child(school.children["Miaqua"])
    (left,) = family_links.children_of(school.adults["reed"])
    assert left.name == "Benquill"


def test_a_round_with_another_child_stays_with_a_friend_without_a_name(school: World) -> None:
    match_id = with_ben(school)
    mia, round_id = school.children["Miaqua"], school.rounds["Miaqua"]
    seat = rounds.seat_of(round_id, mia)
    assert seat is not None
    assert removals.what_goes(mia).shared == 1
    removals.remove_child(mia)
    friend = db.session.scalars(
        select(Player).where(Player.match_id == match_id, Player.seat == seat)
    ).one()
    assert (friend.child_id, friend.level, friend.name) == (None, None, "Friend")
    assert friend.animal != "fox"
    others = select(Player.animal).where(Player.match_id == match_id, Player.seat != seat)
    assert friend.animal not in db.session.scalars(others).all()
    table = rounds.table(round_id, (seat + 1) % len(rounds.table(round_id, 0).players))
    assert table.players[seat].name == "Friend"
    assert db.session.scalars(select(Move).where(Move.round_id == round_id)).all() != []
    db.session.remove()
    assert b"Miaqua" not in bytes_of(school)


def test_a_shared_round_is_removed_with_its_last_child(school: World) -> None:
    match_id = with_ben(school)
    removals.remove_child(school.children["Miaqua"])
    removals.remove_child(school.children["Benquill"])
    assert db.session.get(Match, match_id) is None


def test_the_record_keeps_who_removed_a_child(school: World) -> None:
    mia = school.children["Miaqua"]
    removals.remove_child(mia, by=school.adults["lake"])
    row = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert row is not None
    assert (row.adult_id, row.action, row.thing, row.thing_id) == (
        school.adults["lake"],
        "remove",
        "child",
        mia,
    )
    assert db.session.get(Adult, school.adults["lake"]) is not None
