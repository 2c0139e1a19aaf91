"""Two tabs or two adults with the same form: the second save loses nothing."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException

from classroom.database import check_first, db, write_unit
from classroom.models import ClassSettings, ClassTeacher
from classroom.web.http.adult_forms import ADULT_FORMS
from classroom.web.http.both import FIELD
from classroom.web.replaced import REPLACED
from tests.web.page_forms import Form, form_to, forms_of
from tests.web.people import METHODS_OF, kinds
from tests.web.routes import addresses, rules
from tests.web.test_forms import BY_LOT
from tests.web.test_kept import end_sessions, give_own_game, shown, sign_in
from tests.world import Visitor, World

Changes = dict[str, str | list[str]]
REPLACING = [name for name, form in ADULT_FORMS.items() if form.kind == "replaces"]


@dataclass(frozen=True)
class Two:
    """Two different saves of one form. `stored`, `mine`: the words in which the page shows the
    first and the second."""

    first: Changes
    second: Changes
    stored: str
    mine: str


SAVES: dict[str, Two] = {
    "teach.times": Two({"nudge_after": "20"}, {"nudge_after": "25"}, "20", "25"),
    "teach.standards": Two(
        {"standards": "england"}, {"standards": "common_core"}, "England", "Common Core"
    ),
    "teach.talk": Two({"talk": "never"}, {"talk": "often"}, "Never", "Often"),
    "teach.games": Two(
        {"game": ["classic"]}, {"game": ["old_fish"]}, "on the shelf", "not on the shelf"
    ),
    "teach.change_game": Two({"name": "Otters"}, {"name": "Badgers"}, "Otters", "Badgers"),
    "teach.questions": Two({"questions": "rarely"}, {"questions": "off"}, "Rarely", "Off"),
    "teach.class_play": Two({"deck": "full"}, {"opponents": "3"}, "All the cards", "left open"),
    "teach.group_play": Two({"deck": "full"}, {"level": "pike"}, "All the cards", "Pike"),
    "teach.group_questions": Two({"questions": "rarely"}, {"leave": "1"}, "Rarely", "Sometimes"),
    "teach.home_play": Two(
        {"home_on": "0", "home_until": "1140"}, {"home_until": "1260"}, "Off", "21:00"
    ),
    "teach.child_play": Two({"deck": "full"}, {"level": "pike"}, "All the cards", "Pike"),
    "teach.child_questions": Two({"questions": "rarely"}, {"leave": "1"}, "Rarely", "Sometimes"),
    "teach.class_groups": Two({"name": "Owls"}, {"name": "Bats"}, "none", "Bats"),
    "teach.plan": Two({"game-1": "make_five"}, {"game-1": "old_fish"}, "Make Five", "Old Fish"),
    "teach.focus": Two({}, {}, "Which cards are the same", "Adding and taking away"),
    "teach.rename": Two({"name": "Mila"}, {"age_band": "6-7"}, "Mila", "6–7"),
    "family.settings": Two({"deck": "full"}, {"opponents": "3"}, "All the cards", "3"),
    "teach.rename_class": Two({"name": "Otters"}, {"name": "Badgers"}, "Otters", "Badgers"),
    "teach.class_end": Two(
        {"ends": "2027-03-01"}, {"ends": "2027-04-01"}, "2027-03-01", "2027-04-01"
    ),
    "school.keeping": Two({"keep_audit": "370"}, {"keep_audit": "380"}, "370", "380"),
    "school.settings": Two({"paper": "letter"}, {"words": "en_US"}, "Letter", "American English"),
    "school.play": Two({"deck": "full"}, {"opponents": "3"}, "All the cards", "3"),
    "school.questions": Two({"questions": "rarely"}, {"questions": "off"}, "Rarely", "Off"),
    "family.questions": Two(
        {"numbers": "0-5"}, {"skill": ["how_many"]}, "Up to 5", "not asked about"
    ),
}


def opened(world: World, endpoint: str) -> tuple[Visitor, str, Form]:
    """A browser of somebody who may send this form, its address, and the form on their page."""
    (_login, visitor), path, form = shown(world, endpoint)
    return visitor, path, form


def choose(world: World, **values: object) -> None:
    """Change the settings of the class, as a colleague would."""
    class_id = world.classes["sunfish"]
    with world.app.app_context(), write_unit():
        row = db.session.get(ClassSettings, class_id)
        row = row or ClassSettings(class_id=class_id, set_at=1.0, questions="sometimes")
        for name, value in values.items():
            setattr(row, name, value)
        db.session.add(row)


# ---- every form


def test_every_form_that_replaces_values_can_be_compared() -> None:
    assert set(REPLACED) == set(REPLACING) == set(SAVES)


def test_every_form_that_replaces_values_carries_their_version(world: World) -> None:
    give_own_game(world)
    seen = set()
    for login, kind in (("lake", "teacher"), ("reed", "parent"), ("admin", "admin")):
        visitor = world.visitor(login)
        for rule in rules(world.app):
            if "GET" not in METHODS_OF.get(rule.endpoint, ()) or kind not in kinds(rule.endpoint):
                continue
            for found in addresses(world, rule):
                if found.path.endswith(("/events", ".csv", ".json")):
                    continue
                for form in forms_of(visitor.get(found.path).text):
                    endpoint = endpoint_of(world.app, form)
                    if endpoint not in REPLACING or form.method != "post":
                        continue
                    if ("do", "remove") not in form.fields:
                        assert FIELD in form.hidden, (found.path, form.action)
                        seen.add(endpoint)
    assert seen == set(REPLACING) - {"teach.focus"}  # no suggestion in this school; see below


def endpoint_of(app: Flask, form: Form) -> str:
    try:
        endpoint, _address = app.url_map.bind("localhost").match(form.action, form.method.upper())
    except HTTPException:
        return ""
    return str(endpoint)


def test_the_button_of_a_suggestion_carries_the_version_of_the_focus(world: World) -> None:
    with world.app.test_request_context("/"):
        macro = world.app.jinja_env.get_template("components/tomorrow.html").module.button
        one = {"it": {"deed": "focus", "strand": "adding"}, "words": {"button": "More"}}
        world.app.preprocess_request()
        (form,) = forms_of(macro(world.classes["sunfish"], one, False))
    assert {FIELD, "strand"} <= form.hidden


# ---- the second save


@pytest.mark.walk(4)
@pytest.mark.parametrize("endpoint", [name for name in REPLACING if name != "teach.focus"])
def test_the_second_save_shows_both_and_loses_neither(world: World, endpoint: str) -> None:
    visitor, path, form = opened(world, endpoint)
    two = SAVES[endpoint]
    assert visitor.client.post(path, data=form.sent(**two.first)).status_code == 303
    saved = world.rows(BY_LOT)
    answer = visitor.client.post(path, data=form.sent(**two.second))
    assert answer.status_code == 409
    assert two.stored in answer.text
    assert two.mine in answer.text
    assert world.rows(BY_LOT) == saved, "nothing is saved yet"
    again = form_to(answer.text, path, FIELD)
    sent = form.sent(**two.second)
    kept = again.sent()
    assert {name: kept[name] for name in sent if name not in ("token", "by", FIELD)} == {
        name: values for name, values in sent.items() if name not in ("token", "by", FIELD)
    }
    assert visitor.client.post(path, data=kept).status_code == 303
    assert world.rows(BY_LOT) != saved
    assert visitor.client.post(path, data=kept).status_code in (303, 409)


def test_a_focus_that_a_colleague_chose_is_not_replaced_silently(world: World) -> None:
    visitor = world.visitor("lake")
    class_ = f"/teach/classes/{world.classes['sunfish']}"
    path = f"{class_}/focus"
    with world.app.test_request_context(path):
        world.app.preprocess_request()
        version = forms_of(
            f"<form>{world.app.jinja_env.globals['made_from']('teach.focus', class_id=1)}</form>"
        )
    fields = {"strand": "adding", FIELD: version[0].sent()[FIELD][0]}
    choose(world, focus=["how_many"])
    answer = visitor.post(path, fields)
    assert answer.status_code == 409
    assert "Adding and taking away" in answer.text
    again = form_to(answer.text, path, FIELD)
    assert visitor.client.post(path, data=again.sent()).status_code == 303


def test_two_teachers_who_save_different_shelves_both_see_it(world: World) -> None:
    with world.app.app_context(), write_unit():
        db.session.add(
            ClassTeacher(class_id=world.classes["sunfish"], adult_id=world.adults["brook"])
        )
    path = f"/teach/classes/{world.classes['sunfish']}/games"
    lake, brook = world.visitor("lake"), world.visitor("brook")
    mine, theirs = (form_to(one.get(path).text, path, "game") for one in (lake, brook))
    assert brook.client.post(path, data=theirs.sent(game=["classic"])).status_code == 303
    answer = lake.client.post(path, data=mine.sent(game=["classic", "old_fish"]))
    assert answer.status_code == 409
    (row,) = [line for line in answer.text.split("<tr>") if "Old Fish" in line]
    assert row.index("not on the shelf") < row.rindex("on the shelf")
    assert "Sunfishqroom" in answer.text


def test_the_same_save_twice_needs_no_choice(world: World) -> None:
    visitor, path, form = opened(world, "teach.times")
    for _ in range(2):
        assert visitor.client.post(path, data=form.sent(nudge_after="20")).status_code == 303


def test_a_third_save_in_between_is_shown_too(world: World) -> None:
    visitor, path, form = opened(world, "teach.times")
    visitor.client.post(path, data=form.sent(nudge_after="20"))
    answer = visitor.client.post(path, data=form.sent(nudge_after="25"))
    mine = form_to(answer.text, path, FIELD)
    third = form_to(visitor.get(path.replace("/times", "/settings")).text, path)
    assert visitor.client.post(path, data=third.sent(nudge_after="30")).status_code == 303
    answer = visitor.client.post(path, data=mine.sent())
    assert (answer.status_code, "30" in answer.text) == (409, True)


def test_a_page_with_an_error_keeps_the_version_of_the_form(world: World) -> None:
    visitor, path, form = opened(world, "teach.times")
    other = form_to(visitor.get(path.replace("/times", "/settings")).text, path)
    wrong = visitor.client.post(path, data=form.sent(nudge_after="0"))
    assert wrong.status_code == 400
    corrected = form_to(wrong.text, path, FIELD).sent(nudge_after="25")
    assert visitor.client.post(path, data=other.sent(nudge_after="20")).status_code == 303
    assert visitor.client.post(path, data=corrected).status_code == 409


def test_a_form_that_came_too_late_is_compared_as_well(world: World) -> None:
    visitor, path, form = opened(world, "teach.times")
    end_sessions(world)
    late = visitor.client.post(path, data=form.sent(nudge_after="25"))
    choose(world, nudge_after=20)
    again = form_to(sign_in(visitor, late.text).text, path)
    assert visitor.client.post(path, data=again.sent()).status_code == 409


def test_what_a_teacher_narrows_meanwhile_is_not_lost_by_a_parents_save(world: World) -> None:
    """Greyed-out choices cannot be ticked, so not ticking them says nothing."""
    visitor, path, form = opened(world, "family.questions")
    choose(world, questions="rarely", question_skills=["how_many", "give_n"])
    answer = visitor.client.post(path, data=form.sent(numbers="0-5"))
    assert answer.status_code == 409


def test_of_two_saves_at_the_same_time_one_is_asked(world: World) -> None:
    visitor, path, form = opened(world, "teach.times")
    other = world.visitor("lake")
    theirs = form_to(other.get(path.replace("/times", "/settings")).text, path)
    found: list[int] = []
    begin = threading.Barrier(2)

    def save(who: Visitor, fields: dict[str, list[str]]) -> None:
        begin.wait(10)
        found.append(who.client.post(path, data=fields).status_code)

    threads = [
        threading.Thread(target=save, args=(visitor, form.sent(nudge_after="20"))),
        threading.Thread(target=save, args=(other, theirs.sent(nudge_after="25"))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(found) == [303, 409]


# ---- the check at the start of a unit


def test_a_check_stops_the_next_unit_only_and_is_forgotten_after_a_request(world: World) -> None:
    def no() -> None:
        raise KeyError("no")

    with world.app.app_context():
        check_first(no)
        with pytest.raises(KeyError), write_unit():
            raise AssertionError("the unit has begun")
        with write_unit():
            pass
        check_first(no)
    world.visitor("nobody").get("/in")
    with world.app.app_context(), write_unit():
        pass
