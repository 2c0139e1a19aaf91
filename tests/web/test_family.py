"""A parent's pages: an account by a code, only their own children, settings that are obeyed."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import select

from classroom.database import db, write_unit
from classroom.models import Adult, FamilyLink, Player, Round
from classroom.services.base import budgets
from classroom.services.lesson import lessons
from classroom.services.school import family_links
from classroom.services.table import choices, matches
from tests.web.test_teach import INLINE
from tests.world import PASSWORD, Visitor, World

CHOSEN = {
    "opponents": "3",
    "level": "pike",
    "deck": "full",
    "board": "fading",
    "hints": "0",
    "pace": "calm",
    "voice": "1",
    "lit": "1",
    "switch": "off",
    "minutes_a_day": "20",
}


@pytest.fixture
def reed(world: World) -> Visitor:
    return world.visitor("reed")


def mia(world: World) -> str:
    return f"/family/children/{world.children['Miaqua']}"


def code(world: World, name: str = "Benquill") -> str:
    with world.app.app_context():
        return family_links.make_code(world.children[name])


def joined(world: World, **other: str) -> dict[str, str]:
    fields = {"name": "Ms Olsen", "login": "olsen", "password": PASSWORD}
    return {**fields, **({} if "code" in other else {"code": code(world)}), **other}


# ---- an account


def test_a_parent_makes_an_account_and_is_signed_in(world: World) -> None:
    visitor = world.visitor("nobody")
    answer = visitor.post("/family/join", joined(world))
    assert answer.status_code == 303
    text = visitor.get(answer.headers["Location"]).text
    assert "Benquill" in text
    assert "Miaqua" not in text
    assert "Ms Olsen" in text


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", " ", "name"),
        ("login", "ab", "3 to 80"),
        ("login", "lake", "already taken"),
        ("password", "too short", "at least 15"),
        ("password", "passwordpassword", "first that someone would guess"),
    ],
)
def test_a_mistake_is_shown_beside_its_field_and_the_rest_is_kept(
    world: World, field: str, value: str, words: str
) -> None:
    visitor = world.visitor("nobody")
    fields = joined(world, **{field: value})
    answer = visitor.post("/family/join", fields)
    assert answer.status_code == 400
    wrong = re.search(r'id="n-(\w+)"', answer.text.split("field__n")[1])
    assert wrong
    assert wrong[1] == field
    assert words in answer.text
    for kept in {"code", "name", "login"} - {field}:
        assert f'value="{fields[kept]}"' in answer.text
    assert fields["password"] not in answer.text
    with world.app.app_context():
        assert db.session.scalar(select(Adult.id).where(Adult.name == "Ms Olsen")) is None


def test_a_code_that_was_right_says_what_became_of_it(world: World) -> None:
    with world.app.app_context():
        used, ended = (family_links.make_code(world.children["Miaqua"]) for _ in range(2))
        family_links.link(world.adults["rush"], used)
        code = family_links.links_of_child(world.children["Miaqua"]).codes[0]
        family_links.cancel_code(world.children["Miaqua"], code.id)
    for typed, said in ((used, "has been used"), (ended, "This code no longer works")):
        answer = world.visitor("nobody").post("/family/join", joined(world, code=typed))
        assert answer.status_code == 422
        assert said in answer.text


@pytest.mark.parametrize("typed", ["AAAA-BBBB-CCCC", ""])
def test_an_invalid_code_is_shown_beside_its_field_too(world: World, typed: str) -> None:
    answer = world.visitor("nobody").post("/family/join", joined(world, code=typed))
    assert answer.status_code == 422
    assert 'id="n-code"' in answer.text
    assert "We do not know this code" in answer.text


def test_guessing_codes_is_slowed_down(world: World) -> None:
    visitor = world.visitor("nobody")
    for _ in range(budgets.CODE_TRIES):
        visitor.post("/family/join", joined(world, code="AAAA-BBBB-CCCC"))
    answer = visitor.post("/family/join", joined(world))
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "60"
    assert "Please wait 60 seconds" in answer.text


def test_a_field_of_ten_thousand_letters_is_refused_kindly(world: World) -> None:
    answer = world.visitor("nobody").post("/family/join", joined(world, name="x" * 10_000))
    assert answer.status_code == 400


def test_a_parent_links_another_child_from_their_own_page(world: World, reed: Visitor) -> None:
    assert reed.get("/family/join").status_code == 303
    answer = reed.post("/family/link", {"code": code(world).lower()})
    assert answer.headers["Location"].endswith("?done=linked")
    text = reed.get("/family/").text
    assert "Benquill" in text
    assert "Miaqua" in text
    with world.app.app_context():
        assert len(db.session.scalars(select(FamilyLink)).all()) == 4


@pytest.mark.parametrize("whose", ["Zedquorn", "Miaqua", None])
def test_a_code_that_links_no_child_is_shown_beside_its_field(
    world: World, reed: Visitor, whose: str | None
) -> None:
    typed = code(world, whose) if whose else "K7QP-4MXR-9TBD"
    answer = reed.post("/family/link", {"code": typed})
    assert answer.status_code == (400 if whose == "Miaqua" else 422)
    assert f'value="{typed}"' in answer.text
    assert ("already linked to you" in answer.text) == (whose == "Miaqua")
    assert "Zedquorn" not in answer.text


# ---- the parent's child


def test_a_parent_sees_only_their_own_child(world: World, reed: Visitor) -> None:
    for path in ("/family/", mia(world), mia(world) + "/progress", mia(world) + "/missed"):
        text = reed.get(path).text
        assert "Miaqua" in text
        assert not any(name in text for name in ("Benquill", "Adaquist", "Zedquorn"))
        assert not INLINE.search(text)
    assert reed.get(f"/family/children/{world.children['Benquill']}").status_code == 404


def test_another_child_at_the_table_is_a_classmate_to_a_parent(world: World) -> None:
    with world.app.app_context(), write_unit():
        match_id = db.session.get_one(Round, world.rounds["Miaqua"]).match_id
        seat = db.session.scalars(
            select(Player).where(Player.match_id == match_id, Player.level.is_not(None))
        ).first()
        assert seat is not None
        seat.level, seat.child_id, seat.name = None, world.children["Benquill"], "Benquill"
    text = world.visitor("reed").get(mia(world) + "/progress").text
    assert "a classmate" in text
    assert "Benquill" not in text


def test_a_parents_settings_are_shown_and_hold_for_the_next_round(
    world: World, reed: Visitor
) -> None:
    answer = reed.post(mia(world) + "/settings", CHOSEN)
    assert answer.headers["Location"].endswith("?done=play")
    text = reed.get(answer.headers["Location"]).text
    for name, value in CHOSEN.items():
        assert re.search(rf'name="{name}" value="{value}" checked', text)
    assert "Three computer friends at Pike level" in text
    assert "All the cards; a round of Go Fish lasts about 9 minutes" in text
    with world.app.app_context():
        set_up = matches.settings_for(world.children["Miaqua"])
        assert (set_up.opponents, set_up.level, set_up.deck) == (3, "pike", "full")
        assert set_up.board == "fading"
        assert not set_up.hints
        assert set_up.pace == "calm"
        assert family_links.settings(world.children["Miaqua"]).minutes_a_day == 20


def test_a_parent_reads_the_classs_limit_beside_their_own(world: World, reed: Visitor) -> None:
    assert "The class has no limit" in reed.get(mia(world)).text
    with world.app.app_context():
        times = lessons.Times(minutes_a_day=30)
        lessons.set_times(world.classes["sunfish"], times, world.adults["lake"])
    assert (
        "The class’s limit is 30 minutes a day. The smaller of the two limits applies."
        in reed.get(mia(world)).text
    )
    reed.post(mia(world) + "/settings", {**CHOSEN, "minutes_a_day": "0"})
    text = reed.get(mia(world)).text
    assert 'name="minutes_a_day" value="0" checked' in text
    assert "At most" not in text


def test_a_parent_can_let_the_strength_follow_the_child(world: World, reed: Visitor) -> None:
    reed.post(mia(world) + "/settings", {**CHOSEN, "level": "like_me"})
    text = reed.get(mia(world)).text
    assert 'name="level" value="like_me" checked' in text
    assert "playing about as well as the child" in text
    with world.app.app_context():
        assert matches.settings_for(world.children["Miaqua"]).level == "like_me 2"


@pytest.mark.walk(3)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("opponents", "-1"),
        ("opponents", "4"),
        ("opponents", "two"),
        ("level", "whale"),
        ("deck", "none"),
        ("board", "1"),
        ("hints", ""),
        ("pace", ""),
        ("pace", "hasty"),
        ("minutes_a_day", "-10"),
        ("minutes_a_day", "15"),
        ("minutes_a_day", ""),
    ],
)
def test_a_choice_that_is_not_offered_is_refused_and_changes_nothing(
    world: World, reed: Visitor, field: str, value: str
) -> None:
    assert reed.post(mia(world) + "/settings", {**CHOSEN, field: value}).status_code == 400
    missing = {name: kept for name, kept in CHOSEN.items() if name != field}
    assert reed.post(mia(world) + "/settings", missing).status_code == 400
    with world.app.app_context():
        assert choices.of_child(world.children["Miaqua"]).of("family").made == {}


def test_a_parent_cannot_change_another_childs_settings(world: World, reed: Visitor) -> None:
    other = f"/family/children/{world.children['Benquill']}/settings"
    assert reed.post(other, CHOSEN).status_code == 404
    with world.app.app_context():
        assert choices.of_child(world.children["Benquill"]).of("family").made == {}


def test_the_teacher_sees_the_familys_settings(world: World, reed: Visitor) -> None:
    reed.post(mia(world) + "/settings", CHOSEN)
    text = world.visitor("lake").get(f"/teach/children/{world.children['Miaqua']}").text
    assert "Three computer friends at Pike level" in text
    assert "The family chose three friends, Pike, " in text


def test_a_removed_child_is_gone_from_the_parents_pages(world: World, reed: Visitor) -> None:
    reed.post("/family/link", {"code": code(world)})
    world.visitor("lake").post(
        f"/teach/children/{world.children['Benquill']}/remove", {"when": "now"}
    )
    text = reed.get("/family/").text
    assert "Miaqua" in text
    assert "Benquill" not in text
