"""Counts are kept up to date with the evidence, and equal what counting all rows gives."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from sqlalchemy import Update, func, select, update

from classroom.app import create_app
from classroom.cli import main
from classroom.database import at_one_moment, db, write_unit
from classroom.learning.estimates import Window
from classroom.learning.evidence import Evidence
from classroom.learning.skills import Strand
from classroom.learning.tracks import Track, tracks_of
from classroom.models import EvidenceRow, Recount, SkillWindow, StrandTrack
from classroom.services.base import clock
from classroom.services.reports import skill_reports
from classroom.services.school import removals
from classroom.services.table import choices, evidence_log
from tests.conftest import finish
from tests.learning.rows import answers_on, row, rows, windows_of
from tests.playing import Classroom, settings
from tests.world import World, count_all, play_out

DAY = 86_400.0


def mixture(seed: int, n: int = 200) -> list[Evidence]:
    """Answers and asks of every sort, on days scattered over years, with several on some days."""
    rng = Random(seed)
    found, day = [], 0
    for number in range(n):
        day += rng.choice((0, 0, 0, 0, 1, 3, 30))
        skill = rng.choice(("how_many", "make_book", "who_asked", "recall_ask"))
        trial = rng.choice(("old", "new")) if skill == "who_asked" else None
        found.append(
            row(
                skill,
                rng.random() < 0.6,
                day=day,
                at=day * DAY + number,
                source="play" if skill == "recall_ask" else "question",
                options=rng.choice((2, 3, 4)),
                board=rng.choice(("off", "closed", "open")),
                hint_step=rng.choice((0, 0, 1, 3)),
                lag=rng.randint(1, 40) if skill in ("who_asked", "recall_ask") else None,
                overlap=rng.random() < 0.2,
                trial=trial,
                practice=rng.random() < 0.1,
                answered=rng.random() < 0.9,
                latency_ms=rng.choice((None, 400, 5000)),
                round_id=None,
            )
        )
    return found


def kept(child_id: int) -> tuple[dict[str, Window], dict[str, Track]]:
    windows = db.session.scalars(select(SkillWindow).where(SkillWindow.child_id == child_id))
    tracks = db.session.scalars(select(StrandTrack).where(StrandTrack.child_id == child_id))
    return (
        {one.skill: Window.from_json(one.skill, one.window) for one in windows},
        {one.strand: Track.from_json(one.strand, one.track) for one in tracks},
    )


def made(found: list[Evidence]) -> tuple[dict[str, Window], dict[Strand, Track]]:
    return windows_of(found), tracks_of(found)


@contextmanager
def counted_elsewhere(room: Classroom, child_id: int) -> Iterator[None]:
    """During the block, count in another app of the same school, as another process would."""
    settings = {"INSTANCE": room.app.instance_path, "LOOK_AROUND": False, "UPGRADE": False}
    other = create_app(settings)

    def count() -> None:
        with other.app_context():
            evidence_log.count_new(child_id)

    thread = threading.Thread(target=count)
    thread.start()
    yield
    thread.join()
    finish(other)


def test_a_child_who_plays_by_switch_only_at_home_has_no_times_only_there(mia: int) -> None:
    """The teacher chose that she plays without it in lessons; her family chose it."""
    choices.write(None, "child", mia, {"switch": "off"})
    settings(mia, switch="slow")
    with write_unit():
        for at_home in (True, False):
            evidence_log.append(mia, [row(latency_ms=400, round_id=None)], at_home=at_home)
    found = [one.latency_ms for _, one in evidence_log.rows_of(EvidenceRow.child_id == mia)]
    assert found == [None, 400]


@pytest.mark.walk(3)
@pytest.mark.parametrize("seed", range(5))
def test_kept_counts_equal_those_of_all_rows(
    room: Classroom, mia: int, ben: int, seed: int
) -> None:
    found, rng = mixture(seed), Random(seed)
    for at in range(0, len(found), 3):
        with write_unit():
            evidence_log.append(mia, found[at : at + 3])
            evidence_log.append(ben, found[at : at + 1])
        if rng.random() < 0.3 and mia in evidence_log.behind(many=at % 7):
            evidence_log.count_new(mia)
    count_all()
    assert [one for _, one in evidence_log.rows_of(EvidenceRow.child_id == mia)] == found
    assert kept(mia) == made(found)
    assert set(kept(mia)[0]) == {one.skill for one in found}


def test_counted_rows_are_not_counted_again(room: Classroom, mia: int, ben: int) -> None:
    with write_unit():
        evidence_log.append(mia, mixture(3))
    count_all()
    once = kept(mia)
    count_all()
    assert once[0]
    assert kept(mia) == once


def test_what_is_shown_does_not_depend_on_how_many_are_counted_at_once(
    room: Classroom, mia: int
) -> None:
    lots = Random(1)
    found = [
        row("recall_ask", n % 3 > 0, source="play", lag=3, luck=luck, at=n, round_id=None)
        for n, luck in enumerate(1 / lots.choice((3.7, 4.5, 6, 7, 11)) for _ in range(60))
    ]
    for at in range(0, 60, 4):
        with write_unit():
            evidence_log.append(mia, found[at : at + 4])
        before = skill_reports.of_child(mia)
        if at % 3:
            evidence_log.count_new(mia)
        assert skill_reports.of_child(mia) == before
    count_all()
    assert not any(differed for _, differed in evidence_log.recount())


def test_two_workers_that_count_at_once_count_each_row_once(
    room: Classroom, mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with write_unit():
        evidence_log.append(mia, mixture(4))
    keep = evidence_log._keep

    def slowly(*what: Any) -> None:
        time.sleep(0.3)
        keep(*what)

    monkeypatch.setattr(evidence_log, "_keep", slowly)
    with counted_elsewhere(room, mia):
        evidence_log.count_new(mia)
    assert kept(mia) == made(mixture(4))


def test_a_page_shows_one_moment_even_if_its_rows_are_counted_meanwhile(
    room: Classroom, mia: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with write_unit():
        evidence_log.append(mia, mixture(5))
    report, rows_of = skill_reports.of_child(mia), evidence_log.rows_of

    def counted_meanwhile(*where: Any) -> Any:
        with counted_elsewhere(room, mia):
            pass
        return rows_of(*where)

    with monkeypatch.context() as patch:
        patch.setattr(evidence_log, "rows_of", counted_meanwhile)
        assert skill_reports.of_child(mia) == report
    db.session.rollback()
    assert kept(mia)[0]


def test_a_snapshot_is_refused_within_a_write(room: Classroom) -> None:
    with write_unit(), pytest.raises(RuntimeError):
        at_one_moment()


def test_reports_include_counted_and_uncounted_evidence(
    room: Classroom, mia: int, ben: int
) -> None:
    found = mixture(6)
    with write_unit():
        evidence_log.append(mia, found[:120])
    count_all(evidence_log.MANY)
    with write_unit():
        evidence_log.append(mia, found[120:])
        evidence_log.append(ben, found[:4])
    before = kept(mia)
    progress = evidence_log.progress_of([mia, ben])
    assert kept(mia) == before
    assert (progress[ben].windows, progress[ben].tracks) == made(found[:4])
    assert (progress[mia].windows, progress[mia].tracks) == made(found)
    count_all(evidence_log.MANY)
    assert kept(mia) == made(found)
    assert kept(ben) == ({}, {})


def test_a_recount_equals_the_kept_counts(room: Classroom, mia: int, ben: int) -> None:
    for child_id, seed in ((mia, 7), (ben, 8)):
        with write_unit():
            evidence_log.append(child_id, mixture(seed))
    count_all()
    before = kept(mia), kept(ben)
    assert [differed for _, differed in evidence_log.recount()] == [False, False]
    assert (kept(mia), kept(ben)) == before


@pytest.mark.parametrize(
    "spoil",
    [
        update(StrandTrack).values(track=Track(strand="counting").to_json()),
        update(SkillWindow).values(window=Window("how_many").to_json()),
        update(SkillWindow).values(window={}),  # not even readable
    ],
)
def test_wrong_counts_are_found_and_mended(room: Classroom, mia: int, spoil: Update) -> None:
    with write_unit():
        evidence_log.append(mia, rows(7, 9, round_id=None))
    count_all()
    right = kept(mia)
    with write_unit():
        db.session.execute(spoil)
    assert [child for child, differed in evidence_log.recount() if differed] == [mia]
    assert kept(mia) == right


def test_a_move_writes_its_evidence_and_counts_nothing(world: World) -> None:
    with world.app.app_context():
        play_out(world.children["Miaqua"])
        written = db.session.scalar(select(func.count(EvidenceRow.id)))
        assert written
        assert kept(world.children["Miaqua"]) == ({}, {})
        report = skill_reports.of_child(world.children["Miaqua"])
        count_all()
        windows = [one for child in world.children.values() for one in kept(child)[0].values()]
        assert sum(answers_on(day) for one in windows for day in one.days) == written
        assert skill_reports.of_child(world.children["Miaqua"]) == report
        assert not any(differed for _, differed in evidence_log.recount())
        db.session.rollback()


def test_a_failed_move_writes_no_evidence(room: Classroom, mia: int) -> None:
    with pytest.raises(KeyError), write_unit():
        evidence_log.append(mia, rows(3, 3, round_id=None))
        raise KeyError
    count_all()
    assert kept(mia) == ({}, {})


def test_counts_are_removed_with_the_child(room: Classroom, mia: int, ben: int) -> None:
    for child_id in (mia, ben):
        with write_unit():
            evidence_log.append(child_id, rows(3, 3, round_id=None))
    count_all()
    removals.remove_child(mia)
    assert kept(mia) == ({}, {})
    assert kept(ben)[0]


def test_the_command_says_how_many_counts_differed(
    room: Classroom, mia: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with write_unit():
        evidence_log.append(mia, [row(day=clock.day(), at=clock.now(), round_id=None)])
    count_all()
    with write_unit():
        db.session.execute(update(SkillWindow).values(window={}))
    db.session.remove()
    monkeypatch.setattr("classroom.app.create_app", lambda _config: room.app)
    assert main(["recount"]) == 0
    assert "2 children; the counts of 1 have changed" in capsys.readouterr().out


def test_a_batch_of_children_is_counted_again_and_the_others_keep_waiting(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = sorted(world.children.values())
    monkeypatch.setattr(evidence_log, "AT_ONCE", 2)
    with world.app.app_context():
        with write_unit():
            db.session.add_all(Recount(child_id=child_id) for child_id in waiting)
        evidence_log.count_waiting()
        assert list(db.session.scalars(select(Recount.child_id))) == waiting[2:] != []
