"""Every bad value in a form of adults is answered beside its field, and nothing typed is lost."""

from __future__ import annotations

import re

import pytest

from classroom.web.http import forms
from classroom.web.http.error_pages import ADULT_WORDS
from classroom.web.http.permissions import ADULT_FORMS
from tests import sample
from tests.web.page_forms import Form, forms_of
from tests.web.test_kept import shown
from tests.world import Visitor, World

ODD = ("", " ", "-5", "1.5", "9999999999", "nonsense", "x" * 3000, "９", "\u202e", "<b>")
# Fields without a label, which our pages fill in: a wrong value is not an adult's slip.
NOT_TYPED = {"token", "by", "made_from", "what", "own", "do", "game of mix"}
NOT_TYPED |= set("kind word challenge made".split())  # of a second factor
LONG_NAME = "Otters are the very best of all animals"
SIGNED_OUT = {"auth.adult_in": "/in", "family.join": "/family/join"}


def opened(world: World, endpoint: str) -> tuple[Visitor, str, Form]:
    if endpoint not in SIGNED_OUT:
        (_login, visitor), path, form = shown(world, endpoint)
        return visitor, path, form
    visitor, path = world.visitor("nobody"), SIGNED_OUT[endpoint]
    (form,) = (one for one in forms_of(visitor.get(path).text) if one.action == path)
    return visitor, path, form


CHOSEN = {"teach.class_list", "school.lists", "school.year"}  # lists of choices, nothing to type
TYPED_FORMS = [
    *(
        name
        for name, form in ADULT_FORMS.items()
        if form.kind != "acts" and form.kept and name not in CHOSEN
    ),
    *("teach.seats", *SIGNED_OUT),
]


def test_ids_are_taken_once_each_and_all_else_is_left_out() -> None:
    sent = [
        "3",
        "12",
        "3",
        "0",
        "-3",
        "x",
        "",
        "1.5",
        str(forms.MAX_ID),
        str(forms.MAX_ID + 1),
        "12",
    ]
    assert forms.ids(sent) == (3, 12, forms.MAX_ID)


@pytest.mark.walk(10)
@pytest.mark.parametrize("endpoint", TYPED_FORMS)
def test_a_wrong_field_is_answered_on_the_page_and_the_others_are_kept(
    world: World, endpoint: str, whole: bool
) -> None:
    visitor, path, form = opened(world, endpoint)
    for name in dict.fromkeys(name for name, _ in form.fields):
        if {name, f"{name} of {endpoint.split('.')[1]}"} & NOT_TYPED:
            continue
        for bad in sample.part(ODD, 4, whole):
            others = {
                other: f"Typed {other}"
                for other, given in form.inputs.items()
                if other != name and given.get("type", "") == "text"
            }
            if endpoint == "teach.mix":
                others["save"] = "1"
            answer = visitor.client.post(path, data=form.sent(**{**others, name: bad}))
            assert ADULT_WORDS[400] not in answer.text, (name, bad[:20])
            assert answer.status_code in (303, 400, 401, 409, 422, 429), (name, bad[:20])
            if answer.status_code == 400:
                assert beside(answer.text), (name, bad[:20])
                for other in others.keys() - {"save"}:
                    assert f"Typed {other}" in answer.text, (name, bad[:20])
            elif answer.status_code == 303:
                break  # a fine value after all: it is saved, and the form is another one now


def beside(page: str) -> bool:
    """Whether something on the page says what is wrong, to eyes and to screen readers."""
    return bool(re.search(r'class="field__n" id="n-|role="alert"', page))


def test_numbers_that_are_wrong_are_told_their_bounds(world: World) -> None:
    (_login, visitor), path, form = shown(world, "teach.times")
    typed = {"nudge_after": "2", "stand_in_after": "seven", "minutes_a_day": "30"}
    answer = visitor.client.post(path, data=form.sent(**typed))
    assert answer.status_code == 400
    assert answer.text.count("Please type a whole number from 10 to 600.") == 2
    again = next(one for one in forms_of(answer.text) if one.action == path)
    assert {name: again.sent()[name] for name in typed} == {n: [v] for n, v in typed.items()}
    order = form.sent(nudge_after="50", stand_in_after="40")
    answer = visitor.client.post(path, data=order)
    assert 'aria-describedby="n-stand_in_after"' in answer.text


def test_every_field_for_a_number_has_its_bounds(world: World, whole: bool) -> None:
    found = set()
    for endpoint in {*sample.part(TYPED_FORMS, 5, whole), "teach.times"}:
        _visitor, _path, form = opened(world, endpoint)
        for name, given in form.inputs.items():
            if given.get("type") == "number":
                assert int(given["min"]) < int(given["max"]), (endpoint, name)
                assert (given["step"], given["inputmode"]) == ("1", "numeric"), (endpoint, name)
                found.add(name)
    assert {"nudge_after", "stand_in_after", "minutes_a_day"} <= found


def test_a_game_that_left_the_shelf_meanwhile_is_said_beside_its_field(world: World) -> None:
    (_login, visitor), path, form = shown(world, "teach.seats")
    answer = visitor.client.post(path, data=form.sent(game="own-77", size="3", how="similar"))
    assert answer.status_code == 400
    assert '<span class="field__n" id="n-game">Please choose one of these.</span>' in answer.text
    again = next(one for one in forms_of(answer.text) if one.action == path)
    assert (again.sent()["size"], again.sent()["how"]) == (["3"], ["similar"])


def test_an_empty_shelf_is_refused_as_it_was_ticked(world: World) -> None:
    (_login, visitor), path, form = shown(world, "teach.games")
    answer = visitor.client.post(path, data=form.sent(game=[]))
    assert answer.status_code == 400
    again = next(one for one in forms_of(answer.text) if one.action == path)
    assert "game" not in again.sent()


def test_a_wrong_new_name_of_a_game_is_kept_beside_its_field(world: World) -> None:
    (_login, visitor), path, form = shown(world, "teach.change_game")
    answer = visitor.client.post(
        path, data=form.sent(name="Otters are the very best of all animals")
    )
    assert answer.status_code == 400
    assert "longer than 30 letters" in answer.text
    again = next(one for one in forms_of(answer.text) if one.action == path)
    assert again.sent()["name"] == [LONG_NAME]
    assert 'aria-describedby="n-own-' in answer.text
