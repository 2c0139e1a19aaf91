"""An archived class offers nothing that it refuses."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select

from classroom.database import db
from classroom.learning.outlines import OUTLINES
from classroom.models import ChildGroup
from classroom.services.school import class_life, family_links
from classroom.web.http.guards import PERMISSIONS
from classroom.web.http.permissions import NOT_WHILE_ARCHIVED, WHILE_ARCHIVED
from tests.web.page_forms import forms_of
from tests.world import World

HERE = re.compile(r"/teach/(classes|children|groups|rounds)/[0-9]+")
LINK = re.compile(r'(?:href|hx-get)="([^"#]+)')


@pytest.fixture
def archived(world: World) -> World:
    """The class of Miaqua in the archive, with a family code, a parent and a group."""
    with world.app.app_context():
        family_links.make_code(world.children["Miaqua"])
        class_life.archive(world.classes["sunfish"])
    return world


def endpoint(world: World, path: str, method: str) -> str:
    found: str = world.app.url_map.bind("").match(urlsplit(path).path, method)[0]
    return found


def test_every_link_and_form_of_an_archived_class_works(archived: World) -> None:
    lake = archived.visitor("lake")
    to_see = ["/teach/", f"/teach/classes/{archived.classes['sunfish']}"]
    seen, offered = set(to_see), set()
    while to_see:
        path = to_see.pop()
        answer = lake.get(path)
        assert answer.status_code in (200, 303), path
        if answer.mimetype != "text/html":
            continue
        for form in forms_of(answer.text):
            if form.method == "post" and HERE.match(form.action):
                name = endpoint(archived, form.action, "POST")
                offered.add(name)
                owned = PERMISSIONS[name].owns != "taught_round"
                assert not owned or name in WHILE_ARCHIVED, (path, name)
        links = [link.replace("&amp;", "&") for link in LINK.findall(answer.text)]
        found = {link.partition("?")[0] for link in links if HERE.match(link)} - seen
        seen |= found
        to_see += sorted(found)
    assert len(seen) > 15
    assert {"teach.restore_class", "teach.delete_class", "teach.cancel_code"} <= offered
    assert {"teach.remove", "teach.unlink"} <= offered


def test_pages_that_only_change_something_say_that_the_class_is_in_the_archive(
    archived: World,
) -> None:
    lake = archived.visitor("lake")
    with archived.app.app_context():
        group = db.session.scalars(
            select(ChildGroup.id).where(ChildGroup.class_id == archived.classes["sunfish"])
        ).first()
    values = {
        "class_id": archived.classes["sunfish"],
        "child_id": archived.children["Miaqua"],
        "group_id": group,
        "outline": next(iter(OUTLINES)),
    }
    adapter = archived.app.url_map.bind("")
    for name in sorted(NOT_WHILE_ARCHIVED):
        (rule,) = (
            rule for rule in archived.app.url_map.iter_rules(name) if "GET" in (rule.methods or ())
        )
        path = adapter.build(name, {key: values[key] for key in rule.arguments})
        answer = lake.get(path)
        assert answer.status_code == 409, name
        assert "This class is in the archive" in answer.text
