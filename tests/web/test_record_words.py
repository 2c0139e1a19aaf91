"""Whatever goes on record has words that an adult can read."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from flask import Flask

from classroom.services.reports.looks import ENDED, PROGRAM, Entry, Look, Looker
from classroom.web.words import record_words
from classroom.web.words.record_words import WORDS
from tests.changed import trees
from tests.services import test_audit as acts_of_services
from tests.web import test_on_record as acts_of_pages

ROOT = Path(__file__).resolve().parents[2]
LOGGED = ("child", "class", "round", "adult", "school")


def written_in_the_code() -> set[tuple[str, str]]:
    """The action and the thing of each `audit.record` that names both."""
    found = set()
    for _path, module in trees("classroom"):
        for node in ast.walk(module):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr == "record" and ast.unparse(node.func) == "audit.record":
                action, thing = node.args[1:3]
                if isinstance(action, ast.Constant) and isinstance(thing, ast.Constant):
                    found.add((str(action.value), str(thing.value)))
    return found


def tried_in_tests() -> set[tuple[str, str]]:
    """The action and the thing of each act that the tests of the audit log know; these tests fail
    for a service or a page that they do not know."""
    kinds = dict.fromkeys(("parent", "teacher", "colleague", "other", "substitute"), "adult")
    services = {
        (action, kinds.get(what.split()[0], re.sub("^(new|gone) ", "", what).split()[0]))
        for action, what, _ in acts_of_services.ACTS.values()
    }
    pages = [*acts_of_pages.JUDGED.values(), *acts_of_pages.ACTS.values()]
    return services | {one for one in pages if one}


def test_every_act_has_words() -> None:
    written = written_in_the_code()
    assert len(written) > 20
    assert len(tried_in_tests()) > 30
    assert (written | tried_in_tests()) - WORDS.keys() == set()
    # recorded with a constant, or by one function for a class and for the school
    hidden = {("new_key", "school"), *((act, "school") for act in ("invite", "revoke", "join"))}
    assert WORDS.keys() - written - tried_in_tests() <= hidden


@pytest.mark.walk(4)
@pytest.mark.parametrize(("action", "thing"), sorted(WORDS))
def test_each_act_is_a_sentence_without_a_gap(app: Flask, action: str, thing: str) -> None:
    with app.test_request_context():
        for name in ("Sunfish 1B", ""):
            entry = Entry(
                at=0.0,
                who=PROGRAM,
                action=action,
                thing=thing,
                rooms=((name, 1),),
                adult=ENDED if thing == "adult" else None,
                times=1,
            )
            said = record_words.entry(entry)
            assert said.startswith("The program ")
            assert "%" not in said
            assert "  " not in said
        assert record_words.kind(action, thing).startswith("Someone ")
        if thing in ("child", "class", "round"):
            look = Look(who=ENDED, action=action, thing=thing, class_name="", times=2)
            told = record_words.look(look, "Mia")
            assert told.startswith("An account that has been closed ")
            assert told.endswith(" (2 times)")


def test_an_act_of_another_version_is_told_too(app: Flask) -> None:
    with app.test_request_context():
        entry = Entry(
            at=0.0,
            who=PROGRAM,
            action="danced",
            thing="ball",
            rooms=(("", 1),),
            adult=None,
            times=1,
        )
        assert record_words.entry(entry) == "The program did something with something"


@pytest.mark.parametrize(
    ("rooms", "said", "parts"),
    [
        ((("1A", 120),), "You moved 120 children of 1A to another class", ()),
        (
            (("1A", 2), ("1B", 1), ("", 1)),
            "You moved 4 children to another class",
            ("2 children of 1A", "1 child of 1B", "1 child who has left"),
        ),
    ],
)
def test_many_children_of_one_minute_are_one_sentence_that_opens(
    app: Flask, rooms: tuple[tuple[str, int], ...], said: str, parts: tuple[str, ...]
) -> None:
    with app.test_request_context():
        entry = Entry(
            at=0.0,
            who=Looker("Ms Ortiz", "admin", you=True),
            action="move",
            thing="child",
            rooms=rooms,
            adult=None,
            times=sum(times for _, times in rooms),
        )
        assert record_words.entry(entry) == said
        assert record_words.parts(entry) == parts


@pytest.mark.parametrize(
    ("who", "said"),
    [
        (Looker("Ms Ortiz", "teacher"), "Ms Ortiz"),
        (Looker("Ms Ortiz", "teacher", you=True), "You"),
        (Looker("", "parent"), "Another parent"),
        (Looker("", "cook"), "Someone else at the school"),
    ],
)
def test_adults_are_called_as_the_reader_may_know_them(app: Flask, who: Looker, said: str) -> None:
    with app.test_request_context():
        look = Look(who=who, action="export", thing="child", class_name="", times=1)
        told = record_words.look(look, "Mia")
        assert told == f"{said} downloaded the answers of Mia"
