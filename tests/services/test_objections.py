"""Nothing is worked out about a child whose family objects, or for whom the school stopped it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import pytest
from sqlalchemy import func, select

from classroom.database import db, write_unit
from classroom.learning.history import History
from classroom.models import (
    AuditEntry,
    Child,
    ChildHistory,
    ChildRound,
    EvidenceRow,
    FamilyLink,
    Move,
    QuestionRow,
    Restriction,
    Round,
    SkillWindow,
    StrandTrack,
)
from classroom.services.base import clock
from classroom.services.base.errors import Refused
from classroom.services.lesson import seating
from classroom.services.operation import restored
from classroom.services.quiz import posing, question_settings
from classroom.services.quiz.question_settings import QuestionChoice
from classroom.services.reports import figures, overview, skill_reports
from classroom.services.school import child_moves, exports, objections, undoing
from classroom.services.table import evidence_log, matches
from tests.learning.rows import row
from tests.playing import Classroom
from tests.questioning import chosen_for, one_round
from tests.world import World, count_all, play_out

FOUND = (EvidenceRow, SkillWindow, StrandTrack)


@pytest.fixture
def school(world: World) -> Iterator[World]:
    """Miaqua and Benquill have answered forty questions each, some not counted yet."""
    with world.app.app_context():
        for name in ("Miaqua", "Benquill"):
            answered(world.children[name], 35)
        count_all()
        for name in ("Miaqua", "Benquill"):
            answered(world.children[name], 5)
        yield world
        db.session.rollback()


def answered(child_id: int, many: int) -> None:
    rows = [row(skill="how_many", day=clock.day(), at=clock.now(), round_id=None)] * many
    with write_unit():
        evidence_log.append(child_id, rows)


def kept(child_id: int) -> int:
    rows = select(func.count(EvidenceRow.id)).where(EvidenceRow.child_id == child_id)
    return db.session.scalar(rows) or 0


def history_of(child_id: int) -> History:
    return History.from_json(db.session.get_one(ChildHistory, child_id).history)


# ---- every door


def test_nothing_is_read_from_what_was_written_before(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    assert skill_reports.levels_of([mia])[mia]
    objections.begin(mia, "family", "object")
    assert kept(mia) == 40, "the evidence stays"
    assert evidence_log.progress_of([mia, ben])[mia] == evidence_log.Progress()
    assert evidence_log.progress_of([mia, ben])[ben].windows
    assert skill_reports.levels_of([mia]) == {mia: {}}
    found = skill_reports.of_child(mia)
    assert not any(one.counts.n for one in found.estimates.values())
    assert not any(one.n for one in found.levels.values())
    assert not found.signals
    assert skill_reports.of_child(ben).estimates["how_many"].counts.n


def test_the_class_shows_the_child_without_numbers_and_suggests_nothing_for_it(
    school: World,
) -> None:
    mia, room = school.children["Miaqua"], school.classes["sunfish"]
    before = {one.child_id: one for one in skill_reports.of_class(room).children}
    assert before[mia].levels
    assert not before[mia].restricted
    objections.begin(mia, "school", "unneeded")
    page = skill_reports.of_class(room)
    after = {one.child_id: one for one in page.children}
    assert after[mia].restricted
    assert (after[mia].levels, after[mia].estimates(), after[mia].signals) == ({}, {}, ())
    assert after.keys() == before.keys()
    named = {child for line in skill_reports.suggested(page) for child in line.children}
    assert mia not in named


def test_the_child_is_in_no_small_group_that_was_made_from_its_answers(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    room = school.classes["sunfish"]
    seating.seat_together(room, "classic", [mia, ben], strand="counting")
    objections.begin(mia, "family", "object")
    chosen = {one.child_id: one.chosen for one in skill_reports.of_class(room).children}
    assert chosen[ben] is not None
    assert chosen[mia] is None


def test_no_alarm_comes_from_silence(school: World) -> None:
    ben, room, today = school.children["Benquill"], school.classes["sunfish"], clock.day()
    with write_unit():
        db.session.query(ChildRound).update({"day": today})
        began = select(Round.started_at).where(Round.id == Move.round_id).scalar_subquery()
        db.session.query(Move).update({"at": began + 100 * Move.seq})
    assert ben in figures.idle_children(room, today)
    objections.begin(ben, "family", "object")
    assert ben not in figures.idle_children(room, today)
    assert figures.idle_children(room, today, ben) == {}


def test_the_child_is_seated_as_one_in_the_middle(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    wrong = [row(skill="how_many", right=False, day=clock.day(), round_id=None)] * 40
    with write_unit():
        evidence_log.append(ben, wrong)
    first = seating.by_level(school.classes["sunfish"], [mia, ben])
    assert first == [ben, mia]
    objections.begin(mia, "family", "object")
    assert seating.by_level(school.classes["sunfish"], [mia, ben]) == sorted([mia, ben])


def test_playing_writes_no_evidence_and_the_round_is_counted_as_ever(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object")
    play_out(mia)
    assert kept(mia) == 40
    assert db.session.scalar(select(ChildRound.asks).where(ChildRound.child_id == mia))
    objections.end(mia, "family", by_family=True)
    answered(mia, 1)
    assert kept(mia) == 41


def test_an_answer_that_crosses_the_objection_is_not_written(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object")
    answered(mia, 1)
    assert kept(mia) == 40


def test_no_question_comes_and_an_open_one_closes_without_being_counted(
    room: Classroom, mia: int
) -> None:
    question_settings.write(None, "class", room.class_id, QuestionChoice("every_turn"))
    put = None
    for table in one_round(mia, "classic", Random(1)):
        put = posing.put(table.round_id, mia, 0, table.seq)
        if put is not None:
            break
    assert put is not None
    round_id, seat = table.round_id, 0
    before = kept(mia)
    objections.begin(mia, "family", "wrong")
    assert posing.put(round_id, mia, seat, put.seq) is None
    assert question_settings.asking(mia).frequency == "off"
    assert not question_settings.asks(mia)
    assert chosen_for(mia).now.frequency == "every_turn", "the choice is kept"
    assert kept(mia) == before
    assert db.session.get(ChildHistory, mia) is None
    objections.end(mia, "family", by_family=True)
    assert question_settings.asking(mia).frequency == "every_turn"


def test_a_friend_like_the_child_does_not_use_its_memory(school: World) -> None:
    mia = school.children["Miaqua"]
    known = matches.like_me(half=9.0, low=8.0).key
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matches, "measured", lambda _: SimpleNamespace(half=9.0, low=8.0))
        patch.setattr(matches, "_last_like_me", lambda _: None)
        assert matches.level_for(mia, "like_me") == known
        objections.begin(mia, "family", "object")
        assert matches.level_for(mia, "like_me") == matches.like_me().key
        assert matches.level_for(mia, "pike") == "pike"


def test_the_worker_counts_nothing_of_the_child_until_it_ends(school: World) -> None:
    mia = school.children["Miaqua"]
    assert mia in evidence_log.behind()
    objections.begin(mia, "family", "object")
    assert mia not in evidence_log.behind()
    objections.end(mia, "family", by_family=True)
    assert mia in evidence_log.behind()
    assert skill_reports.of_child(mia).estimates["how_many"].counts.n == 40, (
        "all of it is there again"
    )


def test_missed_items_and_sure_asks_are_not_shown(school: World) -> None:
    ben = school.children["Benquill"]
    round_id = school.rounds["Benquill"]
    with write_unit():
        wrong = row(right=False, day=clock.day() - 1, round_id=round_id)
        evidence_log.append(ben, [wrong])
    assert skill_reports.missed(ben)
    objections.begin(ben, "school", "wrong")
    assert not skill_reports.missed(ben)
    assert overview.sure_asks(round_id) == {}


def test_the_record_has_the_restriction_and_still_every_answer(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object", school.adults["reed"])
    found = {name: list(rows) for name, rows in exports.record(mia, school.adults["reed"])}
    (one,) = found["restrictions"]
    assert (one["whose"], one["reason"], one["by"]) == ("family", "object", "you")
    assert len(found["evidence"]) == 40


# ---- who begins and ends it


def test_each_side_ends_its_own_and_it_holds_while_either_wants_it(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object")
    objections.begin(mia, "school", "asked")
    assert [one.whose for one in evidence_log.restriction_of(mia)] == ["family", "school"]
    with pytest.raises(Refused, match="not_yours_to_end"):
        objections.end(mia, "family", by_family=False)
    with pytest.raises(Refused, match="not_yours_to_end"):
        objections.end(mia, "school", by_family=True)
    objections.end(mia, "school", by_family=False)
    assert evidence_log.is_restricted(mia)
    objections.end(mia, "family", by_family=True)
    assert not evidence_log.is_restricted(mia)


def test_the_school_ends_the_familys_once_no_parent_is_linked(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object")
    with write_unit():
        db.session.query(FamilyLink).delete()
    objections.end(mia, "family", by_family=False)
    assert not evidence_log.is_restricted(mia)


@pytest.mark.parametrize(
    ("whose", "reason"), [("family", "asked"), ("school", "object"), ("family", "")]
)
def test_a_reason_is_one_of_those_offered(school: World, whose: str, reason: str) -> None:
    with pytest.raises(Refused, match="reason"):
        objections.begin(school.children["Miaqua"], whose, reason)


def wishes(child_id: int) -> list[tuple[str, str, float]]:
    found = evidence_log.restriction_of(child_id)
    return [(one.whose, one.reason, one.since) for one in found]


def test_asking_twice_keeps_the_first_day_and_reason(school: World) -> None:
    mia = school.children["Miaqua"]
    with clock.clock_at(1_795_000_000.0):
        objections.begin(mia, "family", "object")
    objections.begin(mia, "family", "wrong")
    assert wishes(mia) == [("family", "object", 1_795_000_000.0)]


def test_of_a_merged_child_nothing_is_worked_out_if_one_of_the_two_was_restricted(
    school: World,
) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    objections.begin(ben, "family", "object")
    objections.begin(ben, "school", "asked")
    objections.begin(mia, "school", "wrong")
    child_moves.merge(mia, ben)
    found = {one.whose: one.reason for one in evidence_log.restriction_of(mia)}
    assert found == {"family": "object", "school": "wrong"}


def test_when_a_merge_is_undone_each_child_has_its_own_objections_again(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    room, lake = school.classes["sunfish"], school.adults["lake"]
    objections.begin(ben, "family", "object")
    objections.begin(mia, "school", "wrong")
    child_moves.merge(mia, ben, lake)
    (merged,) = undoing.of_class(room)
    undoing.undo(room, merged.change_id, lake)
    assert [one.whose for one in evidence_log.restriction_of(ben)] == ["family"]
    assert [one.whose for one in evidence_log.restriction_of(mia)] == ["school"]


# ---- deleting the answers


def test_answers_are_deleted_only_while_nothing_is_worked_out(school: World) -> None:
    mia, ben = school.children["Miaqua"], school.children["Benquill"]
    others, played = kept(ben), db.session.scalar(select(func.count(ChildRound.id)))
    with pytest.raises(Refused, match="not_restricted"):
        objections.erase(mia)
    objections.begin(mia, "family", "object")
    assert objections.answers_of(mia) == 40
    objections.erase(mia)
    for model in FOUND:
        assert not db.session.scalars(select(model).filter_by(child_id=mia)).all(), model
    assert not db.session.scalars(select(QuestionRow).filter_by(child_id=mia)).all()
    assert kept(ben) == others
    assert db.session.scalar(select(func.count(ChildRound.id))) == played, "the rounds stay"
    objections.end(mia, "family", by_family=True)
    assert not skill_reports.levels_of([mia])[mia]


# ---- after a restored backup


def test_a_restored_backup_brings_back_neither_the_profile_nor_the_answers(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object", school.adults["reed"])
    objections.erase(mia)
    since = evidence_log.restriction_of(mia)[0].since
    with write_unit():  # as the backup has it
        db.session.query(Restriction).delete()
        db.session.expire_all()
    with clock.clock_at(since - 60):
        answered(mia, 10)
    answered(mia, 1)  # after the restriction began
    changed = restored.replay()
    assert {kind for kind, _ in changed} == {"restricted", "erased"}
    assert history_of(mia).standing("how_many").own.answers == 1, "and keeps the newer answer"
    assert wishes(mia) == [("family", "object", since)]
    assert restored.replay() == []


def test_what_has_ended_does_not_begin_again_with_a_backup(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object")
    row_of = db.session.get_one(Restriction, (mia, "family"))
    since = row_of.since
    objections.end(mia, "family", by_family=True)
    assert restored.replay() == []
    with write_unit():  # a backup made before it was ended
        again = {"child_id": mia, "whose": "family", "reason": "object", "since": since}
        db.session.add(Restriction(**again))
    assert [kind for kind, _ in restored.replay()] == ["released"]
    assert not evidence_log.is_restricted(mia)


def test_an_objection_begun_again_outlives_the_lines_of_the_first(school: World) -> None:
    mia = school.children["Miaqua"]
    for day in (1, 2):
        with clock.clock_at(1_795_000_000.0 + day * clock.SECONDS_A_DAY):
            objections.begin(mia, "family", "object")
        if day == 1:
            objections.end(mia, "family", by_family=True)
    second = wishes(mia)
    assert restored.replay() == []
    assert wishes(mia) == second != []
    with write_unit():  # a backup from before it was begun again
        db.session.query(Restriction).delete()
        db.session.expire_all()
    assert restored.replay() == [("restricted", mia)]
    assert wishes(mia) == second
    last = db.session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc())).first()
    assert last is not None
    assert (last.adult_id, last.action, last.thing_id) == (None, "restrict", mia)


def test_a_restored_backup_restricts_no_other_child_with_the_same_number(school: World) -> None:
    mia = school.children["Miaqua"]
    objections.begin(mia, "family", "object")
    with write_unit():  # a backup in which the number is another child's
        db.session.query(Restriction).delete()
        db.session.get_one(Child, mia).created_at += 1
    assert restored.replay() == []
    assert not evidence_log.is_restricted(mia)
