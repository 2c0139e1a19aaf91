"""Adults change their own names, and download what is kept about them."""

from __future__ import annotations

import json

import pytest

from classroom.database import db
from classroom.models import Adult
from classroom.services.access import accounts, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base.errors import Refused
from tests.world import PASSWORD, World


def lake(world: World) -> Who:
    return Who(kind="teacher", adult_id=world.adults["lake"], device="a" * 32)


def test_a_new_sign_in_name_works_and_the_old_one_does_not(world: World) -> None:
    with world.app.app_context():
        accounts.change_names(lake(world), " Ms  Lake ", "Lakeside", PASSWORD)
        assert db.session.get_one(Adult, world.adults["lake"]).name == "Ms Lake"
        assert sign_in.adult("lakeside", PASSWORD, "b" * 32)
        with pytest.raises(Refused, match="wrong_login"):
            sign_in.adult("lake", PASSWORD, "b" * 32)


@pytest.mark.parametrize(
    ("name", "login", "password", "code"),
    [
        ("", "lakeside", PASSWORD, "adult_name"),
        ("Ms Lake", "la", PASSWORD, "login"),
        ("Ms Lake", "Brook", PASSWORD, "login_taken"),
        ("Ms Lake", "lakeside", "not my password", "wrong_password"),
    ],
)
def test_names_that_cannot_be_are_refused_and_nothing_changes(
    world: World, name: str, login: str, password: str, code: str
) -> None:
    before = world.rows(frozenset({"wrong_tries"}))
    with world.app.app_context(), pytest.raises(Refused, match=code):
        accounts.change_names(lake(world), name, login, password)
    assert world.rows(frozenset({"wrong_tries"})) == before


def test_the_sign_in_name_may_stay_or_change_its_case(world: World) -> None:
    with world.app.app_context():
        accounts.change_names(lake(world), "Ms Lake", "LAKE", PASSWORD)
        assert accounts.login_of(world.adults["lake"]) == "lake"


@pytest.mark.parametrize("who", ["lake", "reed", "admin"])
def test_the_file_holds_everything_about_this_adult_and_no_one_else(world: World, who: str) -> None:
    visitor = world.visitor(who)
    answer = visitor.get("/account/record.json")
    found = json.loads(answer.text)
    own = world.adults[who]
    (row,) = found["tables"]["adults"]
    assert (row["id"], row["login"]) == (own, who)
    assert "password_hash" not in row
    for name, rows in found["tables"].items():
        assert set(found["columns"][name]) >= {key for row in rows for key in row}
        assert all(row.get("adult_id", own) == own for row in rows)
    assert len(found["tables"]["sessions"]) == 1
    assert "token_hash" not in found["tables"]["sessions"][0]
    assert len(found["tables"]["class_teachers"]) == (0 if who == "reed" else 1)
    assert len(found["tables"]["family_links"]) == (1 if who == "reed" else 0)
    assert not [name for name in world.children if name in answer.text]


def test_the_file_says_what_it_is_in_the_readers_language(world: World) -> None:
    lake = world.visitor("lake")
    for language, words in (("es", "Todo lo que"), ("en", "Everything that")):
        lake.client.set_cookie("school-language", language)
        about = json.loads(lake.get("/account/record.json").text)["about"]
        assert about.startswith(f"{words} Fish School")
