"""Pages show names as text: no name ever becomes markup."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from jinja2 import nodes
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.models import Adult, Child, OwnGame, Player, School, SchoolClass
from classroom.services.access import sessions, sign_in
from classroom.services.access.sessions import Who
from classroom.services.base import clock
from classroom.services.lesson import gatherings, live_class, own_games, seating
from classroom.services.quiz import question_settings
from classroom.services.school import classes
from classroom.services.table import matches, offers
from tests.conftest import finish, make_app
from tests.web.people import whose
from tests.web.routes import addresses, is_own, rules
from tests.web.test_forms import FORMS, START, prepared
from tests.world import World

ROOT = Path(__file__).resolve().parent.parent.parent
NASTY = "<b>&\"'"  # at the end of each name, since a page may have its own <b> just before a name
ESCAPED = "&lt;b&gt;&amp;&#34;&#39;"
RAW = ("<b>&", "&\"'", "\"'&lt;", "&amp;lt;b")  # not escaped, escaped in part, or twice
NAMED = (School, SchoolClass, Child, Adult, OwnGame, Player)


# ---- a school in which everything has such a name


@pytest.fixture(scope="session")
def nasty(tmp_path_factory: pytest.TempPathFactory, peopled: Path) -> tuple[Path, World]:
    """A folder with the renamed world of tests/world.py, and the ids of its people."""
    folder = tmp_path_factory.mktemp("nasty")
    app = make_app(folder, peopled)
    world = World.of(app)
    with clock.clock_at(START), app.app_context():
        _begin_a_lesson(world)
        _rename()
    finish(app)
    return folder, world


def _begin_a_lesson(world: World) -> None:
    """Begin everything at once: rounds of the class's own game, an open table, the teacher's
    seating, a device at a door, a raised hand."""
    room, (mia, ben) = world.classes["sunfish"], (world.children[n] for n in ("Miaqua", "Benquill"))
    classes.open_class(room)
    with write_unit():
        for child in (mia, ben):
            sessions.start("e" * 32, class_id=room, child_id=child)
    rules = GAMES["classic"].rules
    own = offers.own_key(own_games.save(room, "classic", "Ours" + NASTY, rules, "both", by=None))
    question_settings.write(None, "class", room, question_settings.QuestionChoice("every_turn"))
    seating.seat_class(room, own, 2, "mixed", world.adults["lake"])
    third = classes.add_child(room, "Nia")
    with write_unit():
        sessions.start("f" * 32, class_id=room, child_id=third)
    matches.start_match(third, own)
    gatherings.make(third, own)
    live_class.hand(ben, True)
    sign_in.knock(Who("device", class_id=room, device="d" * 32), mia)


def _rename() -> None:
    """Rename everybody in the database: for a child the service refuses such a name."""
    with write_unit():
        db.session.execute(update(Child).values(name=Child.name + NASTY))
        for model in (School, SchoolClass, Adult, Player):
            db.session.execute(update(model).values(name=f"{model.__name__}{NASTY}"))
        but_lake = update(Adult).where(Adult.login != "lake")  # who signs in here
        db.session.execute(but_lake.values(login=Adult.login + NASTY))


@pytest.fixture
def school(tmp_path: Path, nasty: tuple[Path, World]) -> Iterator[World]:
    folder, world = nasty
    app = make_app(tmp_path / "school", folder)
    with clock.clock_at(START):
        yield replace(world, app=app)
    finish(app)


def test_each_kind_of_name_is_nasty_in_this_school(school: World) -> None:
    with school.app.app_context():
        for model in NAMED:
            names = db.session.scalars(select(model.name)).all()
            assert names
            assert all(NASTY in name for name in names), model
        assert db.session.scalar(select(func.count()).where(Adult.login.contains(NASTY))) == 10


# ---- what is sent


def is_text(answer: TestResponse, where: object) -> bool:
    """Check that no name in this answer is markup. Returns whether it has a name at all."""
    assert not [part for part in RAW for value in answer.headers.values() if part in value], where
    if answer.mimetype in ("text/csv", "application/json"):  # for a program, not for a browser
        assert answer.headers["Content-Disposition"].startswith("attachment;"), where
        assert answer.headers["X-Content-Type-Options"] == "nosniff", where
        return False
    assert not [part for part in RAW if part in answer.text], where
    return ESCAPED in answer.text


ACCOUNT = {"auth.account", "auth.second_factors", "auth.again"}
PARENTS = {*ACCOUNT, "family.home", "voice.home"} | {
    f"family.{name}"
    for name in (
        "child",
        "progress",
        "missed",
        "child_sheet",
        "looks",
        "restrict",
        "open_home",
        "card",
        "leave_child",
        "leave",
    )
}
FRIENDS = {"play.friends", "play.friends_part", "play.friends_events", "play.together"}
OWN = {"play.home", "play.rest"}
TABLE = OWN | {"play.table", "play.table_part", "play.events"}
LESSON = "seats code live live_events watch watch_events board board_events outlines"
OF_CHILD = (
    "child child_settings child_sheet missed card remove replay unlink looks change_class merge "
    "restrict"
)
OF_CLASS = (
    "school_class settings now skills class_report class_sheets paper games mix cards families add "
    "class_list class_groups group_settings plan about_class delete_class kit week moments "
    "build_moment voices"
)
TEACHERS = f"home colleagues {OF_CLASS} {LESSON} {OF_CHILD}".split()
SUBSTITUTES = f"home school_class now cards moments {LESSON}".split()
STAFF = {*ACCOUNT, "auth.colleague", "voice.home"}
OF_SCHOOL = "home people end classes settings record folder server lists year keeping change_class"
SCHOOL = {f"school.{name}" for name in OF_SCHOOL.split()}
SHOWN = {  # pages on which each visitor reads a name
    "lake": STAFF | {f"teach.{name}" for name in TEACHERS} | {"voice.studio"},
    "nobody": set(),
    "device": {"auth.animals", "auth.pictures", "auth.wait"},
    "Miaqua": TABLE | FRIENDS,
    "Benquill": OWN | FRIENDS,  # his round is over
    "Adaquist": TABLE | {"play.together"},
    "tablet": {"play.shared", "play.shared_part", "play.shared_events"},
    "eddy": STAFF - {"voice.home"} | {f"teach.{name}" for name in SUBSTITUTES},
    "reed": PARENTS,
    "rush": PARENTS,
    "admin": STAFF | {f"teach.{name}" for name in TEACHERS} | SCHOOL,
    "head": STAFF | SCHOOL | {"teach.home"},
}


@pytest.mark.walk(12)
@pytest.mark.parametrize("who", SHOWN)
def test_no_page_or_stream_shows_a_name_as_markup(school: World, who: str, whole: bool) -> None:
    visitor, shown = school.visitor(who), set()
    for rule in rules(school.app):
        if "GET" not in (rule.methods or ()):
            continue
        for address in addresses(school, rule):
            if not whole and not is_own(whose(rule.endpoint), who, address.thing):
                continue
            for query in ("", "?view=all", f"?child={school.children['Miaqua']}&done=nothing"):
                if is_text(visitor.get(address.path + query), (who, address.path + query)):
                    shown.add(rule.endpoint)
    assert shown == SHOWN[who]


def test_the_door_of_a_demo_school_shows_no_name_as_markup(school: World) -> None:
    school.app.config["DEMO"] = True
    school.app.extensions["look_around"] = SimpleNamespace(ready=True)
    assert is_text(school.visitor("nobody").get("/look-around"), "the demo school")


@pytest.mark.walk(40)
@pytest.mark.parametrize("endpoint", FORMS)
def test_no_answer_to_a_form_shows_a_name_as_markup(school: World, endpoint: str) -> None:
    visitor, path, fields = prepared(school, endpoint)
    echo = {name: f"{value}{NASTY}" for name, value in fields.items() if name != "password"}
    by_htmx = {"HX-Request": "true"} if endpoint.startswith("play.") else {}
    for sent in ({}, echo, fields):
        is_text(visitor.post(path, sent, headers=by_htmx, follow_redirects=True), (endpoint, sent))
    is_text(visitor.post(path, fields, follow_redirects=True), endpoint)


# ---- what is written

# Texts that we mark as markup, each with the reason why no name can get into it.
MARKUP = {
    "classroom/web/http/security.py": "the hidden field of a form; format escapes it",
    "classroom/web/http/pages.py": "a picture of ours, or a link to a style sheet; each part of it "
    "is escaped there",
    "classroom/web/reports/charts.py": "the squares of a QR code, drawn from its modules",
    "classroom/web/words/language.py": "a constant of a template; names come in escaped",
    "classroom/web/words/phrases.py": "a sentence of our table; what is put in is escaped there",
}
TRUSTING = ("Markup", "render_template_string", "from_string", "Template")


def test_python_marks_no_other_text_as_markup() -> None:
    found: Counter[str] = Counter()
    for path in sorted((ROOT / "classroom").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _called(node) in TRUSTING:
                found[path.relative_to(ROOT).as_posix()] += 1
    assert found == dict.fromkeys(MARKUP, 1) | {"classroom/web/http/pages.py": 2}


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", None) or getattr(node.func, "id", "")


def test_every_template_escapes_text(app: Flask) -> None:
    # a paper is Markdown: the page escapes each of its pieces
    names = [one for one in app.jinja_env.list_templates() if not one.startswith("papers/")]
    assert len(names) > 100
    for name in names:
        assert app.select_jinja_autoescape(name), name
        tree = app.jinja_env.parse((ROOT / "templates" / name).read_text(encoding="utf-8"))
        filters = {node.name for node in tree.find_all(nodes.Filter)}
        assert not filters & {"safe", "tojson", "xmlattr"}, name
        assert not list(tree.find_all(nodes.EvalContextModifier)), name
