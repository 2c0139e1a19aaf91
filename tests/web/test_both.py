"""Two tabs or two adults with the same form: the second save loses nothing."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest
from flask import Flask
from sqlalchemy import select, update
from werkzeug.exceptions import HTTPException

from classroom.database import db, write_unit
from classroom.models import ChildGroup, SchoolClass
from classroom.services.lesson import lessons, seating
from classroom.services.quiz import question_settings
from classroom.services.table import choices
from classroom.web.http.forms import FIELD
from classroom.web.http.permissions import ADULT_FORMS
from classroom.web.routes import REPLACED
from tests.web.page_forms import Form, form_to, forms_of
from tests.web.test_forms import BY_LOT
from tests.web.test_kept import end_sessions, give_own_game, pages_of, sign_in
from tests.web.test_wrong_fields import opened
from tests.world import Visitor, World

Changes = dict[str, str | list[str]]
REPLACING = [name for name, form in ADULT_FORMS.items() if form.kind == "replaces"]


@dataclass(frozen=True)
class Two:
    """Two saves of one form that change the same field. `stored`: how the page shows the first."""

    first: Changes
    second: Changes
    stored: str


MARK = '<span class="pill pill--wait">saved now</span>'
DECKS = Two(
    {"deck": "full"}, {"deck": "small"}, "All the cards</b><br>about 9 minutes</span>" + MARK
)
NAMES = Two({"name": "Otters"}, {"name": "Badgers"}, "It now says: Otters")
OFTEN = Two(
    {"questions": "rarely"}, {"questions": "off"}, "About two questions in a round.</span>" + MARK
)
SAVES: dict[str, Two] = {
    "teach.times": Two({"nudge_after": "20"}, {"nudge_after": "25"}, "It now says: 20"),
    "teach.standards": Two({"standards": "england"}, {"standards": "common_core"}, MARK),
    "teach.talk": Two({"talk": "never"}, {"talk": "often"}, MARK),
    "teach.change_game": NAMES,
    "teach.questions": OFTEN,
    "teach.class_play": DECKS,
    "teach.group_play": DECKS,
    "teach.group_questions": OFTEN,
    "teach.home_play": Two({"home_until": "1080"}, {"home_until": "1260"}, "It now says: 18:00"),
    "teach.child_play": DECKS,
    "teach.child_questions": OFTEN,
    "teach.plan": Two({"game-1": "make_five"}, {"game-1": "old_fish"}, "It now says: Make Five"),
    "teach.rename": Two({"name": "Mila"}, {"name": "Milo"}, "It now says: Mila"),
    "family.settings": DECKS,
    "teach.rename_class": NAMES,
    "teach.class_end": Two(
        {"ends": "2027-03-01"}, {"ends": "2027-04-01"}, "It now says: 2027-03-01"
    ),
    "school.keeping": Two({"keep_audit": "370"}, {"keep_audit": "380"}, "It now says: 370"),
    "school.settings": Two(
        {"dates": "month_first"}, {"dates": "year_first"}, "Nov 3, 2026, 2:45 PM</span>" + MARK
    ),
    "school.play": DECKS,
    "school.questions": OFTEN,
    "family.questions": Two({"numbers": "0-5"}, {"numbers": "0-10"}, "Up to 5</b></span>" + MARK),
}
# Two saves that change different fields.
APART: dict[str, tuple[Changes, Changes]] = {
    "teach.times": ({"nudge_after": "20"}, {"minutes_a_day": "25"}),
    "teach.questions": ({"questions": "rarely"}, {"numbers": "0-5"}),
    "teach.class_play": ({"deck": "full"}, {"opponents": "3"}),
    "teach.group_play": ({"deck": "full"}, {"level": "pike"}),
    "teach.child_play": ({"deck": "full"}, {"level": "pike"}),
    "teach.class_groups": ({"name": "Owls"}, {"name": "Bats"}),
    "teach.rename": ({"name": "Mila"}, {"age_band": "6-7"}),
    "family.settings": ({"deck": "full"}, {"minutes_a_day": "20"}),
    "family.questions": ({"numbers": "0-5"}, {"skill": ["how_many"]}),
    "school.settings": ({"paper": "letter"}, {"words": "en_US"}),
    "school.keeping": ({"keep_audit": "370"}, {"keep_moves": "80"}),
}


def choose(world: World, **values: object) -> None:
    """Change the choices for the class, as a colleague would."""
    with world.app.app_context():
        choices.write(None, "class", world.classes["sunfish"], values)


# ---- every form


def test_every_form_that_replaces_values_can_be_compared() -> None:
    assert (
        set(REPLACED)
        == set(REPLACING)
        == {
            *SAVES,
            *APART,
            "teach.games",
            "teach.focus",
        }
    )


def test_every_form_that_replaces_values_carries_their_version(world: World) -> None:
    give_own_game(world)
    seen = set()
    for login in ("lake", "reed", "admin"):
        visitor = world.visitor(login)
        for path in pages_of(world, login):
            for form in forms_of(visitor.get(path).text):
                endpoint = endpoint_of(world.app, form)
                if endpoint not in REPLACING or form.method != "post":
                    continue
                if ("do", "remove") not in form.fields:
                    assert FIELD in form.hidden, (path, form.action)
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
        one = {"it": {"deed": "focus", "strand": "adding"}, "button": "More"}
        world.app.preprocess_request()
        (form,) = forms_of(macro(world.classes["sunfish"], one, False))
    assert {FIELD, "strand"} <= form.hidden


# ---- the second save


@pytest.mark.walk(7)
@pytest.mark.parametrize("endpoint", SAVES)
def test_the_second_save_of_a_field_shows_both_and_loses_neither(
    world: World, endpoint: str
) -> None:
    visitor, path, form = opened(world, endpoint)
    two = SAVES[endpoint]
    assert visitor.client.post(path, data=form.sent(**two.first)).status_code == 303
    saved = world.rows(BY_LOT)
    answer = visitor.client.post(path, data=form.sent(**two.second))
    assert answer.status_code == 409
    assert "The changes on this page are not saved yet" in answer.text
    assert two.stored in answer.text
    assert world.rows(BY_LOT) == saved, "nothing is saved yet"
    kept = form_to(answer.text, path, FIELD).sent()
    typed = form.sent(**two.second)
    assert {name: kept[name] for name in typed if name not in ("token", "by", FIELD)} == {
        name: values for name, values in typed.items() if name not in ("token", "by", FIELD)
    }
    assert visitor.client.post(path, data=kept).status_code == 303
    assert world.rows(BY_LOT) != saved
    assert visitor.client.post(path, data=kept).status_code in (303, 409)


@pytest.mark.walk(4)
@pytest.mark.parametrize("endpoint", APART)
def test_two_saves_of_different_fields_are_both_kept(world: World, endpoint: str) -> None:
    visitor, path, form = opened(world, endpoint)
    first, second = APART[endpoint]
    for changes in (first, second):
        assert visitor.client.post(path, data=form.sent(**changes)).status_code == 303
    _visitor, _path, fresh = opened(world, endpoint)
    if endpoint == "teach.class_groups":
        with world.app.app_context():
            assert {"Owls", "Bats"} <= {row.name for row in db.session.scalars(select(ChildGroup))}
    else:
        for name, value in (first | second).items():
            assert fresh.sent()[name] == ([value] if isinstance(value, str) else value)


def test_two_games_that_two_teachers_take_off_the_shelf_are_both_off(world: World) -> None:
    visitor, path, form = opened(world, "teach.games")
    shelf = form.sent()["game"]
    for gone in shelf[:2]:
        kept = [game for game in shelf if game != gone]
        assert visitor.client.post(path, data=form.sent(game=kept)).status_code == 303
    assert set(opened(world, "teach.games")[2].sent()["game"]) == set(shelf[2:])


def test_a_form_that_leaves_all_to_others_asks_first(world: World) -> None:
    visitor, path, form = opened(world, "teach.group_questions")
    visitor.client.post(path, data=form.sent(questions="rarely"))
    saved = world.rows(BY_LOT)
    answer = visitor.client.post(path, data=form.sent(leave="1"))
    assert (answer.status_code, world.rows(BY_LOT) == saved) == (409, True)
    again = form_to(answer.text, path, FIELD)
    assert visitor.client.post(path, data=again.sent(leave="1")).status_code == 303


def test_a_focus_that_a_colleague_chose_is_not_replaced_silently(world: World) -> None:
    visitor = world.visitor("lake")
    path = f"/teach/classes/{world.classes['sunfish']}/focus"

    def version() -> str:
        with world.app.test_request_context(path):
            world.app.preprocess_request()
            hidden = world.app.jinja_env.globals["made_from"](
                "teach.focus", class_id=world.classes["sunfish"]
            )
        return forms_of(f"<form>{hidden}</form>")[0].sent()[FIELD][0]

    fields = {"strand": "adding", FIELD: version()}
    choose(world, focus=["how_many"])
    answer = visitor.post(path, fields)
    assert "has just changed the focus" in visitor.get(answer.location).text
    assert focus(world) == {"how_many"}
    visitor.post(path, fields | {FIELD: version()})
    assert focus(world) not in (set(), {"how_many"})


def focus(world: World) -> set[str]:
    with world.app.app_context():
        return set(question_settings.of("class", world.classes["sunfish"]).focus)


def test_two_children_moved_by_two_teachers_are_both_moved(world: World) -> None:
    visitor, path, form = opened(world, "teach.class_groups")
    mia, ben = world.children["Miaqua"], world.children["Benquill"]
    group = world.groups["sunfish"]
    visitor.client.post(path, data=form.sent(**{f"group-{mia}": "0"}))
    visitor.client.post(path, data=form.sent(**{f"group-{ben}": str(group)}))
    with world.app.app_context():
        assert seating.group(group).children == (ben,)
    answer = visitor.client.post(
        path, data=form.sent(**{f"group-{mia}": "new", f"group-{ben}": "0", "name": "Bats"})
    )
    assert answer.status_code == 409
    assert "It now says: No group" in answer.text
    kept = form_to(answer.text, path, FIELD).sent()
    assert (kept[f"group-{mia}"], kept[f"group-{ben}"]) == (["new"], [str(group)])


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
    with world.app.app_context():
        lessons.set_times(world.classes["sunfish"], lessons.Times(nudge_after=20), by=1)
    again = form_to(sign_in(visitor, late.text).text, path)
    assert visitor.client.post(path, data=again.sent()).status_code == 409


def test_what_a_teacher_narrows_meanwhile_is_not_lost_by_a_parents_save(world: World) -> None:
    """Greyed-out choices cannot be ticked, so not ticking them says nothing."""
    with world.app.app_context(), write_unit():  # at home nothing is greyed out
        db.session.execute(update(SchoolClass).values(home_on=False))
    visitor, path, form = opened(world, "family.questions")
    choose(world, questions="rarely", question_skills=["how_many", "give_n"])
    assert visitor.client.post(path, data=form.sent(numbers="0-5")).status_code == 303
    with world.app.app_context():
        made = choices.of_child(world.children["Miaqua"]).of("family").made
    assert "question_skills" not in made, "all skills stay ticked"
    assert (made["questions"], made["number_high"]) == ("rarely", 5)


def test_a_parent_is_not_asked_about_what_a_teacher_decides(world: World) -> None:
    with world.app.app_context(), write_unit():  # at home nothing is greyed out
        db.session.execute(update(SchoolClass).values(home_on=False))
    choose(world, deck="full")
    visitor, path, form = opened(world, "family.settings")
    choose(world, deck="small")
    sent = form.sent(minutes_a_day="20")
    assert "deck" not in sent, "it is greyed out, so a browser does not send it"
    assert visitor.client.post(path, data=sent).status_code == 303


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


@pytest.mark.parametrize(
    "fields",
    ["", "{", "[]", "7", "null", '{"nudge_after": 1}', '{"nudge_after": [[]]}', "[" * 9_000],
)
def test_a_form_whose_fields_were_changed_by_hand_asks_about_all(world: World, fields: str) -> None:
    visitor, path, form = opened(world, "teach.times")
    sent = form.sent(nudge_after="25") | {FIELD: f"{'0' * 32} {fields}"}
    answer = visitor.client.post(path, data=sent)
    assert (answer.status_code, "It now says: 30" in answer.text) == (409, True)
