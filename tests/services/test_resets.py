"""A forgotten password: a code on paper sets a new one, once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from classroom.app import create_app
from classroom.database import db, write_unit
from classroom.models import AuditEntry, FamilyLink, PasswordReset
from classroom.services.access import accounts, sessions, sign_in
from classroom.services.access.sessions import NOBODY
from classroom.services.base import budgets, clock
from classroom.services.base.errors import NotFound, Refused
from classroom.services.operation import copies, restored
from classroom.services.school import family_links
from tests.conftest import finish, make_app
from tests.world import PASSWORD, World

NOW = 1_790_000_000.0
NEW = "nine small otters dive"


@pytest.fixture
def school(world: World) -> Iterator[World]:
    with world.app.app_context():
        yield world
        db.session.rollback()


@pytest.fixture
def reed(school: World) -> int:
    return school.adults["reed"]


def refused(*values: str) -> str:
    with pytest.raises(Refused) as found:
        accounts.reset_password(*values)
    return found.value.code


def test_a_code_sets_the_password_and_signs_in_here_and_nowhere_else(reed: int) -> None:
    old = sign_in.adult("reed", PASSWORD, "d" * 32)
    token = accounts.reset_password(accounts.make_reset_code(reed, by=None), NEW, "e" * 32)
    assert sessions.find(old) is NOBODY
    assert sessions.find(token).adult_id == reed
    assert sign_in.adult("reed", NEW, "d" * 32)
    with pytest.raises(Refused, match="wrong_login"):
        sign_in.adult("reed", PASSWORD, "d" * 32)


def test_making_and_using_a_code_is_on_record(school: World, reed: int) -> None:
    accounts.reset_password(accounts.make_reset_code(reed, by=school.adults["lake"]), NEW)
    rows = db.session.execute(
        select(AuditEntry.adult_id, AuditEntry.action, AuditEntry.thing_id).order_by(AuditEntry.id)
    ).all()
    assert [tuple(row) for row in rows[-2:]] == [
        (school.adults["lake"], "reset_code", reed),
        (reed, "password", reed),
    ]


def test_a_code_can_be_typed_in_any_case_and_works_once(reed: int) -> None:
    code = accounts.make_reset_code(reed, by=None)
    assert accounts.reset_password(code.lower().replace("-", " "), NEW)
    assert refused(code, NEW) == "reset_used"


def test_a_code_ends_after_three_days(reed: int) -> None:
    with clock.clock_at(NOW):
        code = accounts.make_reset_code(reed, by=None)
    with clock.clock_at(NOW + 3 * 86_400):
        assert refused(code, NEW) == "reset_ended"
    with clock.clock_at(NOW + 3 * 86_400 - 1):
        assert accounts.reset_password(code, NEW)


def test_the_next_code_ends_the_one_before(reed: int) -> None:
    first, second = accounts.make_reset_code(reed, by=None), accounts.make_reset_code(reed, by=None)
    assert refused(first, NEW) == "reset_ended"
    assert accounts.reset_password(second, NEW)


def test_a_cancelled_code_has_ended(reed: int) -> None:
    code = accounts.make_reset_code(reed, by=None)
    assert accounts.open_resets([reed]).keys() == {reed}
    accounts.cancel_reset(reed, by=None)
    assert accounts.open_resets([reed]) == {}
    assert refused(code, NEW) == "reset_ended"
    with pytest.raises(NotFound):
        accounts.cancel_reset(reed, by=None)


def test_the_code_of_one_adult_ends_with_no_other_adults_code(school: World, reed: int) -> None:
    code, rush = accounts.make_reset_code(reed, by=None), school.adults["rush"]
    accounts.make_reset_code(rush, by=None)
    accounts.cancel_reset(rush, by=None)
    assert accounts.reset_password(code, NEW)


def test_an_easy_password_leaves_the_code_valid(reed: int) -> None:
    code = accounts.make_reset_code(reed, by=None)
    assert refused(code, "short") == "password_short"
    assert refused(code, "Reedqadult reed reed") == "password_easy"
    assert accounts.reset_password(code, NEW)


def test_without_a_code_nothing_is_said_of_the_password(reed: int) -> None:
    assert refused("AAAA-BBBB-CCCC", "short") == "reset_unknown"


def test_a_code_of_another_kind_resets_nothing(school: World, reed: int) -> None:
    family = family_links.make_code(school.children["Miaqua"])
    assert refused(family, NEW) == "reset_unknown"
    with pytest.raises(Refused, match="code_unknown"):
        family_links.link(reed, accounts.make_reset_code(school.adults["rush"], by=None))


def test_a_device_that_guesses_codes_has_to_wait(reed: int) -> None:
    code = accounts.make_reset_code(reed, by=None)
    for _ in range(budgets.CODE_TRIES):
        assert refused("AAAA-BBBB-CCCC", NEW, "d" * 32) == "reset_unknown"
    assert refused(code, NEW, "d" * 32) == "code_wait"
    assert accounts.reset_password(code, NEW, "e" * 32)


def test_the_database_does_not_hold_the_code(reed: int) -> None:
    code = accounts.make_reset_code(reed, by=None)
    row = db.session.scalars(select(PasswordReset)).one()
    assert code.replace("-", "") not in row.code_hash
    assert len(code.replace("-", "")) == 12


def test_a_teacher_gives_a_code_only_to_a_parent_of_that_child(school: World) -> None:
    mia, by = school.children["Miaqua"], school.adults["lake"]
    name, code = family_links.make_reset_code(mia, school.adults["reed"], by)
    assert name == "Reedqadult"
    assert accounts.reset_password(code, NEW)
    for login in ("rush", "brook", "admin"):
        with pytest.raises(NotFound):
            family_links.make_reset_code(mia, school.adults[login], by)


def test_a_link_to_a_child_gives_no_teacher_of_it_a_colleagues_account(school: World) -> None:
    with write_unit():
        ids = {"adult_id": school.adults["brook"], "child_id": school.children["Miaqua"]}
        db.session.add(FamilyLink(**ids, created_at=NOW))
    with pytest.raises(NotFound):
        family_links.make_reset_code(
            school.children["Miaqua"], school.adults["brook"], school.adults["lake"]
        )


def test_a_code_is_forgotten_thirty_days_after_it_ended(reed: int) -> None:
    with clock.clock_at(NOW):
        accounts.make_reset_code(reed, by=None)
    for days, left in ((3 + 30, 1), (3 + 30 + 1, 0)):
        with clock.clock_at(NOW + days * clock.SECONDS_A_DAY):
            sessions.sweep()
        assert len(db.session.scalars(select(PasswordReset)).all()) == left


@pytest.mark.sqlite
def test_a_backup_brings_back_no_code_that_ended_and_no_old_password(
    tmp_path: Path, peopled: Path
) -> None:
    app = make_app(tmp_path / "school", peopled)
    file = tmp_path / "school" / "school.db"
    with app.app_context():
        reed, rush = (World.of(app).adults[login] for login in ("reed", "rush"))
        used, cancelled = (accounts.make_reset_code(one, by=None) for one in (reed, rush))
        copies.backup(file, tmp_path / "backup.db")
        accounts.reset_password(used, NEW)
        accounts.cancel_reset(rush, by=None)
        db.session.remove()
    finish(app)
    shutil.copyfile(tmp_path / "backup.db", file)
    again = create_app({"INSTANCE": app.instance_path, "LOOK_AROUND": False})
    with again.app_context():
        assert [kind for kind, _ in restored.replay()] == ["reset", "password", "reset"]
        assert refused(used, NEW) == refused(cancelled, NEW) == "reset_unknown"
        with pytest.raises(Refused, match="wrong_login"):
            sign_in.adult("reed", PASSWORD, "d" * 32)
        db.session.rollback()
    finish(again)
