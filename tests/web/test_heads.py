"""HEAD is answered like GET, and is as harmless whatever fields and headers it carries."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from classroom import web
from classroom.database import db
from classroom.web.http.permissions import PERMISSIONS
from tests.web.routes import addresses, rules
from tests.web.test_forms import FORMS
from tests.world import World

# Reading a child's data is written to the audit log; a GET may write nothing else.
BY_READING = frozenset({"audit"})
SOURCES = sorted(Path(web.__file__).parent.rglob("*.py"))
BOTH = sorted(name for name in FORMS if {"GET", "POST"} <= PERMISSIONS[name].methods)


@pytest.mark.walk(4)
@pytest.mark.parametrize("endpoint", BOTH)
def test_a_head_request_never_submits_a_form(world: World, endpoint: str) -> None:
    who, thing, fields = FORMS[endpoint]
    with world.app.app_context():
        given = fields(world) if callable(fields) else fields
        db.session.rollback()
    paths = [
        address.path
        for rule in rules(world.app)
        if rule.endpoint == endpoint
        for address in addresses(world, rule)
        if address.thing == thing
    ]
    visitor, before = world.visitor(who), world.rows(BY_READING)
    for path in paths:
        page = visitor.get(path)
        assert visitor.client.head(path, data=given).status_code == page.status_code
    assert world.rows(BY_READING) == before


@pytest.mark.parametrize(
    "path", sorted(Path(web.__file__).parent.rglob("*.py")), ids=lambda p: p.stem
)
def test_no_page_checks_whether_a_request_is_a_get(path: Path) -> None:
    """Pages check for POST, so that HEAD and other methods change nothing."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare) and ast.unparse(node.left) == "request.method":
            asked = [ast.unparse(other) for other in node.comparators]
            assert "'GET'" not in asked, f"{path.name}:{node.lineno}"
