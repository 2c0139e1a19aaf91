"""The pages for play at home: the parent's button, the child's door and table, the teacher's
settings, and what teacher and parent read."""

from __future__ import annotations

import csv
import io

import pytest

from classroom.database import db, write_unit
from classroom.models import Child, SchoolClass
from classroom.services.access import sign_in
from classroom.services.base import clock
from classroom.services.lesson import lessons
from classroom.services.lesson.lessons import HomePlay
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import QuestionChoice
from classroom.services.school import classes
from classroom.services.table import evidence_log, matches
from classroom.services.table.choices import Hours
from tests.learning.rows import row
from tests.web.page_forms import forms_of
from tests.world import CHILDREN, Visitor, World

FIELDS = {"home_on": "1", "home_counts": "0", "home_from": "900", "home_until": "1140"}
FIELDS |= {"home_weekend": "same", "home_weekend_from": "600", "home_weekend_until": "1140"}


@pytest.fixture
def reed(world: World) -> Visitor:
    return world.visitor("reed")


@pytest.fixture
def lake(world: World) -> Visitor:
    return world.visitor("lake")


def opened(world: World, parent: Visitor, name: str = "Miaqua") -> None:
    answer = parent.post(f"/family/children/{world.children[name]}/at-home")
    assert answer.headers["Location"] == "/at-home"


def pictures(world: World, name: str) -> dict[str, str]:
    with world.app.app_context():
        four = sign_in.pictures_of(db.session.get_one(Child, world.children[name]))
        db.session.rollback()
    return {f"p{number}": picture for number, picture in enumerate(four, 1)}


def inside(world: World, parent: Visitor) -> Visitor:
    opened(world, parent)
    answer = parent.post("/at-home", pictures(world, "Miaqua"))
    assert answer.headers["Location"] == "/play/"
    return parent


def set_home(world: World, hours: Hours, counts: bool = False) -> None:
    with world.app.app_context():
        lessons.set_home_play(None, world.classes["sunfish"], HomePlay(hours, counts))


def closed_now(world: World) -> None:
    """Set hours that last half an hour, at another time of day than now."""
    with world.app.app_context():
        first = 360 if clock.local(clock.now()).hour >= 12 else 1230
    set_home(world, Hours(True, first, first + 30))


def shown_at_home(world: World) -> None:
    with world.app.app_context():
        matches.sit_down(world.children["Miaqua"], "classic", at_home=True)
    with world.app.app_context(), write_unit():
        some = [row(day=clock.day(), at=clock.now(), round_id=None, right=n > 0) for n in range(3)]
        evidence_log.append(world.children["Miaqua"], some, at_home=True)


# ---- a parent opens the device


@pytest.mark.parametrize("page", ["/family/", "/family/children/{}"])
def test_a_parent_has_a_button_for_each_child_who_may_play_now(
    world: World, reed: Visitor, page: str
) -> None:
    page = page.format(world.children["Miaqua"])
    assert "Let Miaqua play here" in reed.get(page).text
    closed_now(world)
    text = reed.get(page).text
    assert "Let Miaqua play here" not in text
    assert "may play at home from" in text
    set_home(world, Hours(False, 900, 1140))
    assert "may play at home" not in reed.get(page).text


def test_outside_of_the_hours_a_late_tap_says_so(world: World, reed: Visitor) -> None:
    closed_now(world)
    answer = reed.post(f"/family/children/{world.children['Miaqua']}/at-home")
    assert "Play at home is closed now." in reed.get(answer.headers["Location"]).text


def test_before_the_device_is_opened_a_page_says_what_happens(world: World, reed: Visitor) -> None:
    path = f"/family/children/{world.children['Miaqua']}/at-home"
    (form,) = (form for form in forms_of(reed.get(path).text) if form.action == path)
    page = reed.get(path).text
    assert "You will be signed out on this device" in page
    assert "Show the four pictures" in page
    assert reed.get("/family/").status_code == 200  # still signed in
    assert reed.client.post(path, data=form.sent()).headers["Location"] == "/at-home"


def test_a_parent_sees_the_pictures_of_the_own_child_where_it_may_play_at_home(
    world: World, reed: Visitor
) -> None:
    path = f"/family/children/{world.children['Miaqua']}/card"
    page = reed.get(path)
    assert page.status_code == 200
    with world.app.app_context():
        four = classes.sign_in_card(world.children["Miaqua"]).pictures
        code = db.session.get_one(SchoolClass, world.classes["sunfish"]).code
    shown = [page.text.index(f"#{picture}") for picture in four]
    assert shown == sorted(shown)
    assert code not in page.text
    other = f"/family/children/{world.children['Benquill']}/card"
    assert reed.get(other).status_code == 404
    set_home(world, Hours(False, 900, 1140))
    assert reed.get(path).status_code == 404


def test_opening_the_device_signs_the_parent_out_on_it(world: World, reed: Visitor) -> None:
    opened(world, reed)
    assert reed.get("/family/").status_code == 404
    assert reed.get("/").headers["Location"] == "/at-home"


def test_the_door_at_home_shows_its_child_and_nobody_else(world: World, reed: Visitor) -> None:
    opened(world, reed)
    door = reed.get("/at-home").text
    assert "Miaqua" in door
    assert not [name for name in CHILDREN if name != "Miaqua" and name in door]
    assert "auth/animals" not in door
    assert door.count('id="sound"') == 1
    assert reed.get("/animals").status_code == 404


# ---- the child


def test_the_same_pictures_open_the_door_at_home(world: World, reed: Visitor) -> None:
    opened(world, reed)
    assert reed.post("/at-home", pictures(world, "Benquill")).status_code == 422
    home = inside(world, world.visitor("reed")).get("/play/").text
    assert "Hello, Miaqua!" in home


def test_a_browser_without_scripts_taps_one_picture_at_a_time(world: World, reed: Visitor) -> None:
    opened(world, reed)
    four = pictures(world, "Miaqua")
    for number in range(1, 4):
        some = {name: four[name] for name in [f"p{n}" for n in range(1, number + 1)]}
        page = reed.post("/at-home", some)
        assert page.status_code == 200
        assert f'name="p{number + 1}"' in page.text
    assert reed.post("/at-home", four).status_code == 303


def test_after_too_many_wrong_pictures_a_grown_up_is_needed(world: World, reed: Visitor) -> None:
    opened(world, reed)
    start = clock.now()
    for number in range(sign_in.HOME_TRIES):
        with clock.clock_at(start + number * 40):
            reed.post("/at-home", pictures(world, "Benquill"))
    with clock.clock_at(start + 400):
        page = reed.get("/at-home")
        assert "fetch a grown-up" in page.text
        assert 'data-say="fetch-grown-up"' in page.text
        assert 'href="/in"' in page.text
        assert reed.post("/at-home", pictures(world, "Miaqua")).status_code == 429


def test_news_of_friends_are_drawn_as_the_page_that_asks_draws_them(world: World) -> None:
    mia, path = world.visitor("Miaqua"), f"/play/classes/{world.classes['sunfish']}/friends"
    assert 'id="with-friends"' in mia.get(f"{path}?page=home").text
    assert 'id="with-friends"' not in mia.get(path).text


def test_news_of_friends_come_when_there_are_any(world: World) -> None:
    mia, path = world.visitor("Miaqua"), f"/play/classes/{world.classes['sunfish']}/friends"
    known = {"If-None-Match": mia.get(path).headers["ETag"]}
    assert mia.get(path, headers=known).status_code == 304
    world.visitor("Benquill").post("/play/tables", {"game": "classic"})
    assert mia.get(path, headers=known).status_code == 200


def test_a_child_at_home_has_no_friends_and_no_hand_to_raise(world: World, reed: Visitor) -> None:
    child = inside(world, reed)
    home = child.get("/play/").text
    assert "With friends" not in home
    assert "friends/events" not in home
    table = child.get(child.post("/play/rounds", {"game": "classic"}).headers["Location"])
    assert table.status_code == 200
    assert 'id="raise"' not in table.text
    assert child.get("/play/friends").status_code == 404
    assert (
        'id="raise"' in world.visitor("Miaqua").get(f"/play/rounds/{world.rounds['Miaqua']}").text
    )


def test_a_table_asks_questions_where_the_settings_of_that_place_have_any(
    world: World, reed: Visitor
) -> None:
    room, mia = world.classes["sunfish"], world.children["Miaqua"]
    with world.app.app_context():
        question_settings.write(None, "class", room, QuestionChoice("off"))
        question_settings.write(None, "family", mia, QuestionChoice("every_turn"))
    child = inside(world, reed)
    there = child.post("/play/rounds", {"game": "classic"}).headers["Location"]
    assert 'id="wonder"' in child.get(there).text
    lesson = world.visitor("Miaqua").get(f"/play/rounds/{world.rounds['Miaqua']}").text
    assert 'id="wonder"' not in lesson


def test_a_child_plays_and_leaves_to_its_door(world: World, reed: Visitor) -> None:
    child = inside(world, reed)
    answer = child.post("/play/rounds", {"game": "old_fish", "new": "1"})
    assert child.get(answer.headers["Location"]).status_code == 200
    assert child.get("/play/").text.count("Go on playing") == 1
    child.post("/bye")
    assert child.get("/").headers["Location"] == "/at-home"
    child.post("/bye")
    assert child.get("/").status_code == 200  # the page for class codes
    assert child.get("/at-home").status_code == 303


def test_when_the_hours_end_the_child_sees_that_its_time_is_over(
    world: World, reed: Visitor
) -> None:
    with world.app.app_context():
        now = clock.local(clock.now())
    six = clock.now() - now.hour * 3600 - now.minute * 60 - now.second + 18 * 3600
    set_home(world, Hours(True, 900, 1110))
    with clock.clock_at(six):
        child = inside(world, world.visitor("reed"))
        table = child.post("/play/rounds", {"game": "classic", "new": "1"}).headers["Location"]
    with clock.clock_at(six + 40 * 60):
        goodbye = child.get("/play/").headers["Location"]
        assert "That was your time for today." in child.get(goodbye).text
        assert child.post("/play/rounds", {"game": "old_fish"}).headers["Location"] == "/play/"
        assert child.get(table).status_code == 200
    with clock.clock_at(six + 50 * 60):
        assert child.get("/play/").headers["Location"] == "/"


# ---- the teacher


def test_a_teacher_switches_it_on_with_hours(world: World, lake: Visitor) -> None:
    page = f"/teach/classes/{world.classes['sunfish']}"
    answer = lake.post(page + "/home", FIELDS)
    assert answer.status_code == 303
    text = lake.get(answer.headers["Location"]).text
    assert "On from 15:00 to 19:00." in text
    assert '<option value="1140" selected>19:00' in text
    lake.post(page + "/home", FIELDS | {"home_on": "0"})
    assert "children play in lessons only" in lake.get(page + "/settings").text


def test_weekends_can_have_hours_of_their_own_and_both_pages_say_so(
    world: World, lake: Visitor, reed: Visitor
) -> None:
    page = f"/teach/classes/{world.classes['sunfish']}"
    first, *times = (6, 7, 8, 9) if clock.local(clock.now()).hour > 10 else (17, 18, 19, 20)
    names = ("home_from", "home_until", "home_weekend_from", "home_weekend_until")
    closed = {name: str(60 * hour) for name, hour in zip(names, (first, *times), strict=True)}
    until, early, late = (f"{hour:02}:00" for hour in times)
    lake.post(page + "/home", FIELDS | closed | {"home_weekend": "other"})
    text = lake.get(page + "/settings").text
    assert f"On from {first:02}:00 to {until}, at weekends from {early} to {late}." in text
    assert f"At weekends: from {early} to {late}." in reed.get("/family/").text
    lake.post(page + "/home", FIELDS | closed | {"home_weekend": "none"})
    text = lake.get(page + "/settings").text
    assert f"On from {first:02}:00 to {until}, not at weekends." in text
    assert "Not at weekends." in reed.get("/family/").text


@pytest.mark.parametrize(
    ("wrong", "beside"),
    [
        ({"home_until": "900"}, "Please choose an end time that is later than the start time."),
        ({"home_from": "300"}, "Please choose one of these."),
        ({"home_on": "maybe"}, "Please choose one of these."),
        ({"home_weekend": "never"}, "Please choose one of these."),
        (
            {"home_weekend": "other", "home_weekend_until": "600"},
            "Please choose an end time that is later than the start time.",
        ),
    ],
)
def test_a_wrong_choice_is_answered_beside_its_field(
    world: World, lake: Visitor, wrong: dict[str, str], beside: str
) -> None:
    page = f"/teach/classes/{world.classes['sunfish']}/home"
    answer = lake.post(page, FIELDS | {"home_counts": "1"} | wrong)
    assert answer.status_code == 400
    assert beside in answer.text
    assert 'name="home_counts" value="1" checked' in answer.text


def test_a_round_at_home_cannot_be_watched(world: World, lake: Visitor) -> None:
    assert lake.get(f"/teach/rounds/{world.rounds['Miaqua']}/watch").status_code == 200
    assert lake.get(f"/teach/rounds/{world.rounds['Miaqua at home']}/watch").status_code == 404


@pytest.mark.parametrize("who", ["lake", "reed"])
def test_what_a_child_did_at_home_stands_apart_for_both_readers(world: World, who: str) -> None:
    shown_at_home(world)
    child = world.children["Miaqua"]
    page = f"/teach/children/{child}" if who == "lake" else f"/family/children/{child}/progress"
    text = world.visitor(who).get(page).text
    assert "1 round on 1 day" in text
    assert "2 of 3 first answers without help were right." in text
    assert "Play at home is not included in the other numbers." in text
    set_home(world, Hours(True, 900, 1140), counts=True)
    assert "Play at home is included in the other numbers too." in world.visitor(who).get(page).text


def test_the_csv_says_where_each_answer_was_given(world: World, lake: Visitor) -> None:
    shown_at_home(world)
    text = lake.get(f"/teach/classes/{world.classes['sunfish']}/answers.csv").text
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    mine = {one["place"] for one in rows if one["child"] == "Miaqua"}
    assert mine == {"home"}
    assert {one["place"] for one in rows if one["child"] == "Benquill"} == {"school"}


# ---- the family's choices


def test_at_home_a_family_chooses_what_the_teacher_chose_for_lessons(
    world: World, reed: Visitor, lake: Visitor
) -> None:
    room, child = world.classes["sunfish"], world.children["Miaqua"]
    lake.post(f"/teach/classes/{room}/play", {
        "opponents": "3", "level": "pike", "deck": "full", "board": "off", "hints": "0",
        "pace": "usual",
        "voice": "1",
        "lit": "1",
        "switch": "off",
    })  # fmt: skip
    page = reed.get(f"/family/children/{child}").text
    assert "The teacher chose this for lessons." not in page
    assert "At home all of your choices below apply." in page
    set_home(world, Hours(False, 900, 1140))
    assert "The teacher chose this for lessons." in reed.get(f"/family/children/{child}").text
