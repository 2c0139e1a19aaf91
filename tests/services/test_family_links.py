"""Adults linked to a child and codes that can still be used, and how both end for good."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from classroom import cli
from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.models import Adult, AuditEntry, Child, FamilyCode, FamilyLink
from classroom.services.access import sessions, sign_in
from classroom.services.access.sessions import NOBODY
from classroom.services.base import audit, clock, limits
from classroom.services.base.errors import NotFound, Refused
from classroom.services.operation import copies, restored
from classroom.services.school import family_links
from tests.conftest import finish, make_app
from tests.world import PASSWORD, World

NOW = 1_790_000_000.0
DAY = 86_400.0


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context(), clock.clock_at(NOW):
        yield world
        db.session.rollback()


@pytest.fixture
def mia(school: World) -> int:
    return school.children["Miaqua"]


def link(world: World, login: str, child: str) -> None:
    with write_unit():
        ids = {"adult_id": world.adults[login], "child_id": world.children[child]}
        db.session.add(FamilyLink(**ids, created_at=clock.now()))


def refused(call: Callable[..., object], *values: object, **more: object) -> str:
    with pytest.raises(Refused) as found:
        call(*values, **more)
    return found.value.code


def actions() -> list[tuple[str, str]]:
    rows = db.session.execute(select(AuditEntry.action, AuditEntry.thing).order_by(AuditEntry.id))
    return [(row.action, row.thing) for row in rows]


# ---- what there is


def test_a_family_lists_its_adults_with_the_day_they_last_signed_in(
    school: World, mia: int
) -> None:
    sign_in.adult("reed", PASSWORD, "d" * 32)
    with clock.clock_at(NOW + 3 * DAY):
        sign_in.adult("reed", PASSWORD, "e" * 32)
        last = clock.day()
    (reed,) = family_links.links_of_child(mia).adults
    assert (reed.name, reed.last_day) == ("Reedqadult", last)
    (rush,) = family_links.links_of_child(school.children["Benquill"]).adults
    assert rush.last_day is None


def test_a_family_lists_only_codes_that_can_still_be_used(school: World, mia: int) -> None:
    used = family_links.make_code(mia)
    family_links.register(used, "Nan", "nanreed", PASSWORD)
    family_links.make_code(mia)
    with clock.clock_at(NOW + DAY):
        family_links.make_code(mia)
        codes = family_links.links_of_child(mia).codes
        assert [code.created_at for code in codes] == [NOW, NOW + DAY]
    with clock.clock_at(NOW + 14 * DAY):
        assert [code.created_at for code in family_links.links_of_child(mia).codes] == [NOW + DAY]


def test_the_families_of_a_class_are_those_of_its_children(school: World) -> None:
    found = family_links.links_of_class(school.classes["sunfish"])
    assert [one.name for one in found] == ["Benquill", "Miaqua"]
    assert [one.missing for one in family_links.links_of_class(school.classes["perch"])] == [True]


# ---- codes for a whole class


def grow(world: World, children: int) -> None:
    with write_unit():
        for number in range(children):
            row = Child(
                class_id=world.classes["sunfish"],
                name=f"Kid {number}",
                animal=f"fox{number}",
                pad=1,
                created_at=clock.now(),
            )
            db.session.add(row)


def test_the_codes_of_a_class_are_made_in_one_write_unit(
    school: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(school, 29)
    room = school.classes["sunfish"]
    sheets = family_links.make_sheets(room, "all", by=school.adults["lake"])
    assert len({sheet.code for sheet in sheets}) == 31
    assert actions()[-1] == ("family_code", "class")
    for sheet in sheets[:2]:
        family_links.register(sheet.code, "Nan", f"login{sheet.child_id}", PASSWORD)
    before = db.session.scalar(select(func.count(FamilyCode.id)))
    monkeypatch.setattr(audit, "record", _fails)
    with pytest.raises(KeyError):
        family_links.make_sheets(room, "all", by=school.adults["lake"])
    assert db.session.scalar(select(func.count(FamilyCode.id))) == before


def _fails(*_: object) -> None:
    raise KeyError


def test_missing_means_without_an_adult_and_without_a_code(school: World) -> None:
    grow(school, 3)
    room = school.classes["sunfish"]
    first = family_links.links_of_class(room)[1]
    family_links.make_code(first.child_id)
    sheets = family_links.make_sheets(room, "missing")
    assert [sheet.name for sheet in sheets] == ["Kid 1", "Kid 2"]
    before = actions()
    assert family_links.make_sheets(room, "missing") == ()
    assert actions() == before


def test_no_code_is_made_when_not_all_of_them_fit(
    school: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits.use(db.engine, limits.DEMO)
    grow(school, 40)
    code = refused(family_links.make_sheets, school.classes["sunfish"], "all")
    limits.use(db.engine, limits.SCHOOL)
    assert code == "demo_full"
    assert db.session.scalar(select(func.count(FamilyCode.id))) == 0


# ---- cancelling a code


def test_a_cancelled_code_links_no_one_and_says_that_it_has_ended(school: World, mia: int) -> None:
    code = family_links.make_code(mia)
    (paper,) = family_links.links_of_child(mia).codes
    family_links.cancel_code(mia, paper.id, by=school.adults["lake"])
    assert family_links.links_of_child(mia).codes == ()
    assert refused(family_links.register, code, "Nan", "nanreed", PASSWORD) == "code_ended"
    assert actions()[-1] == ("cancel_code", "child")


def test_only_an_unused_code_of_that_child_can_be_cancelled(school: World, mia: int) -> None:
    ben = school.children["Benquill"]
    family_links.make_code(mia)
    (paper,) = family_links.links_of_child(mia).codes
    with pytest.raises(NotFound):
        family_links.cancel_code(ben, paper.id)
    family_links.cancel_code(mia, paper.id)
    with pytest.raises(NotFound):
        family_links.cancel_code(mia, paper.id)


# ---- unlinking


def test_an_unlinked_parent_has_no_access_from_that_moment(school: World, mia: int) -> None:
    link(school, "reed", "Benquill")
    reed = school.adults["reed"]
    token = sign_in.adult("reed", PASSWORD, "d" * 32)
    ending = family_links.ending(mia, reed)
    assert (ending.child, ending.adult, ending.last) == ("Miaqua", "Reedqadult", False)
    assert not family_links.unlink(mia, reed, by=school.adults["lake"])
    assert not sessions.is_parent_of(reed, mia)
    assert sessions.is_parent_of(reed, school.children["Benquill"])
    assert sessions.find(token) is NOBODY
    assert actions()[-1] == ("unlink", "child")
    assert sign_in.adult("reed", PASSWORD, "d" * 32)


def test_the_account_of_a_parent_without_another_child_ends(school: World, mia: int) -> None:
    reed = school.adults["reed"]
    token = sign_in.adult("reed", PASSWORD, "d" * 32)
    assert family_links.ending(mia, reed).last
    assert family_links.unlink(mia, reed, by=school.adults["lake"])
    assert sessions.find(token) is NOBODY
    assert db.session.get(Adult, reed) is None
    assert actions()[-2:] == [("unlink", "child"), ("remove", "adult")]


@pytest.mark.sqlite
def test_no_byte_of_an_ended_account_is_left(school: World, mia: int) -> None:
    family_links.unlink(mia, school.adults["reed"])
    db.session.remove()
    for path in Path(school.app.instance_path).rglob("school.db*"):
        assert b"Reedqadult" not in path.read_bytes()


def test_unlinking_cancels_the_childs_unused_codes_only_if_asked(school: World, mia: int) -> None:
    link(school, "rush", "Miaqua")
    family_links.make_code(mia)
    assert family_links.ending(mia, school.adults["reed"]).codes == 1
    family_links.unlink(mia, school.adults["rush"])
    assert len(family_links.links_of_child(mia).codes) == 1
    family_links.unlink(mia, school.adults["reed"], codes=True)
    assert family_links.links_of_child(mia).codes == ()


def test_someone_who_is_not_linked_cannot_be_unlinked(school: World, mia: int) -> None:
    for adult in ("rush", "lake"):
        with pytest.raises(NotFound):
            family_links.ending(mia, school.adults[adult])
        with pytest.raises(NotFound):
            family_links.unlink(mia, school.adults[adult])


def test_a_parent_who_leaves_one_child_stays_signed_in(school: World, mia: int) -> None:
    link(school, "reed", "Benquill")
    reed = school.adults["reed"]
    token = sign_in.adult("reed", PASSWORD, "d" * 32)
    family_links.unlink(mia, reed, by=reed)
    assert sessions.find(token).adult_id == reed


def test_a_parent_ends_the_own_account_with_all_links(school: World, mia: int) -> None:
    link(school, "reed", "Benquill")
    reed = school.adults["reed"]
    token = sign_in.adult("reed", PASSWORD, "d" * 32)
    family_links.end_account(reed)
    assert sessions.find(token) is NOBODY
    assert db.session.get(Adult, reed) is None
    assert actions()[-3:] == [("unlink", "child"), ("unlink", "child"), ("remove", "adult")]
    assert db.session.get(Child, mia) is not None


def test_only_a_parents_account_ends_this_way(school: World) -> None:
    for login in ("lake", "admin"):
        with pytest.raises(NotFound):
            family_links.end_account(school.adults[login])


# ---- backups


def from_backup(
    tmp_path: Path, peopled: Path, act: Callable[[World], None], restore: bool
) -> World:
    """Make a backup, run `act`, and bring the backup back: with the restore command, or by copying
    it by hand. Returns the school after its next start."""
    app = make_app(tmp_path / "school", peopled)
    world, file = World.of(app), tmp_path / "school" / "school.db"
    with app.app_context():
        code = family_links.make_code(world.children["Miaqua"])
        family_links.make_code(world.children["Benquill"])
        copies.backup(file, tmp_path / "backup.db")
        family_links.register(code, "Nan", "nanreed", PASSWORD)
        act(world)
        db.session.remove()
    finish(app)
    if restore:
        assert cli.main(["restore", str(tmp_path / "backup.db")]) == 0
    else:
        shutil.copyfile(tmp_path / "backup.db", file)
    again = create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False})
    with again.app_context():
        restored.replay()
        db.session.rollback()
    return World.of(again)


@pytest.mark.sqlite
@pytest.mark.parametrize("restore", [True, False])
def test_a_backup_links_no_one_again(
    tmp_path: Path, peopled: Path, monkeypatch: pytest.MonkeyPatch, restore: bool
) -> None:
    monkeypatch.setenv("FISH_INSTANCE", str(tmp_path / "school"))
    codes = []

    def act(world: World) -> None:
        mia, ben = world.children["Miaqua"], world.children["Benquill"]
        link(world, "rush", "Miaqua")
        codes.append(family_links.make_code(mia))
        family_links.unlink(mia, world.adults["rush"], codes=True)
        (paper,) = family_links.links_of_child(ben).codes
        family_links.cancel_code(ben, paper.id)

    again = from_backup(tmp_path, peopled, act, restore)
    with again.app.app_context():
        mia, ben = again.children["Miaqua"], again.children["Benquill"]
        assert not sessions.is_parent_of(again.adults["rush"], mia)
        assert sessions.is_parent_of(again.adults["rush"], ben)
        assert family_links.links_of_child(ben).codes == ()
        assert family_links.links_of_child(mia).codes == ()  # nor does the used code come back
        db.session.rollback()
    finish(again.app)


@pytest.mark.sqlite
def test_a_link_made_again_after_the_end_stays(tmp_path: Path, peopled: Path) -> None:
    app = make_app(tmp_path / "school", peopled)
    world = World.of(app)
    mia, reed = world.children["Miaqua"], world.adults["reed"]
    with app.app_context():
        link(world, "reed", "Benquill")
        family_links.unlink(mia, reed)
        family_links.link(reed, family_links.make_code(mia))
        assert restored.replay() == []
        assert sessions.is_parent_of(reed, mia)
        db.session.rollback()
    finish(app)
