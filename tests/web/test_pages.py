"""Every page is a value with typed fields, and they are exactly what its template uses."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from flask import Flask
from jinja2 import DictLoader, Environment, meta, nodes

from classroom.web.http.pages import Page

ROOT: Final = Path(__file__).parents[2]
RENDERING: Final = {"render_template", "render_template_string", "stream_template"}


def page_classes() -> list[type[Page]]:
    """Every page class that has a template, once. Classes for layouts have none."""
    return [kind for kind in dict.fromkeys(below(Page)) if hasattr(kind, "template")]


def below(kind: type[Page]) -> Iterator[type[Page]]:
    for page in kind.__subclasses__():
        yield page
        yield from below(page)


def fields(page: type[Page]) -> set[str]:
    return {field.name for field in dataclasses.fields(page)}


# ---- what a template uses


def needs(pages: Environment, name: str) -> set[str]:
    """The names that a template takes from its page, with the templates that it extends, includes
    and imports with context. The environment's globals are not among them."""
    tree = parsed(pages, name)
    own = set_here(tree.find_all(nodes.Node))
    found = meta.find_undeclared_variables(tree) - own
    for node in tree.find_all((nodes.Extends, nodes.Import, nodes.FromImport)):
        if getattr(node, "with_context", True):
            found |= needs_of_any(pages, node.template)
    for include, nearby in included(tree):
        found |= needs_of_any(pages, include.template) - own - nearby
    return found


def needs_of_any(pages: Environment, template: nodes.Expr) -> set[str]:
    return set().union(*(needs(pages, name) for name in named(pages, template)))


def named(pages: Environment, template: nodes.Expr) -> list[str]:
    """The templates that this expression can name: all that fit, if a value is part of the name."""
    parts = template.nodes if isinstance(template, nodes.Concat) else [template]
    pattern = "".join(part.value if isinstance(part, nodes.Const) else "*" for part in parts)
    found = [name for name in pages.list_templates() if fnmatchcase(name, pattern)]
    assert found, pattern
    return found


def parsed(pages: Environment, name: str) -> nodes.Template:
    assert pages.loader
    return pages.parse(pages.loader.get_source(pages, name)[0])


def set_here(found: Iterator[nodes.Node] | list[nodes.Node]) -> set[str]:
    """The names that these nodes themselves set, import or define as macros."""
    names: set[str] = set()
    for node in found:
        if isinstance(node, nodes.FromImport):
            names |= {name if isinstance(name, str) else name[1] for name in node.names}
        elif isinstance(node, nodes.Import):
            names.add(node.target)
        elif isinstance(node, nodes.Macro):
            names.add(node.name)
        elif isinstance(node, nodes.Assign | nodes.AssignBlock):
            names |= targets(node.target)
    return names


def targets(*found: nodes.Node) -> set[str]:
    whole = [*found, *(name for node in found for name in node.find_all(nodes.Name))]
    return {node.name for node in whole if isinstance(node, nodes.Name)}


def included(
    node: nodes.Node, nearby: frozenset[str] = frozenset()
) -> Iterator[tuple[nodes.Include, frozenset[str]]]:
    """Each include, with the names that the loops and `with` blocks around it set."""
    if isinstance(node, nodes.Include):
        yield node, nearby
    if isinstance(node, nodes.For):
        nearby |= targets(node.target)
    elif isinstance(node, nodes.With):
        nearby |= targets(*node.targets)
    for inner in node.iter_child_nodes():
        yield from included(inner, nearby)


def test_what_a_template_needs_is_found_in_all_that_belongs_to_it() -> None:
    pages = Environment(
        loader=DictLoader(
            {
                "layouts/a.html": "{{ here }}{% block main %}{% endblock %}",
                "layouts/b.html": "{{ there }}{% block main %}{% endblock %}",
                "part.html": "{{ back }}{{ pic }}{{ child }}{{ shown }}",
                "days.html": "{% macro days(n) %}{{ n }}{{ games }}{% endmacro %}",
                "alone.html": "{% macro pic(n) %}{{ n }}{{ never }}{% endmacro %}",
                "page.html": "{% extends 'layouts/' ~ room ~ '.html' %}"
                "{% from 'alone.html' import pic %}{% from 'days.html' import days with context %}"
                "{% block main %}{{ pic(1) }}{% for child in own %}{{ child }}{% with back = 1 %}"
                "{% include 'part.html' %}{% endwith %}{% endfor %}{% endblock %}",
            }
        )
    )
    assert needs(pages, "page.html") == {"room", "here", "there", "games", "own", "shown"}


# ---- pages and templates


def test_a_page_has_exactly_the_fields_that_its_template_uses(app: Flask) -> None:
    for_every_page: dict[str, object] = {}
    with app.test_request_context("/"):
        app.update_template_context(for_every_page)
    pages = page_classes()
    assert len(pages) > 45
    for page in pages:
        assert fields(page) == needs(app.jinja_env, page.template) - set(for_every_page), page


def test_the_fields_of_a_page_are_typed_and_named_when_it_is_made(app: Flask) -> None:
    for page in page_classes():
        assert "__dataclass_fields__" in vars(page), page
        for field in dataclasses.fields(page):
            assert field.kw_only, (page, field.name)
            assert not re.search(r"\b(Any|object)\b", str(field.type)), (page, field.name)


def test_a_broken_line_of_a_template_makes_a_page_no_longer(app: Flask) -> None:
    broken = (
        '<a href="/"\n  class="lnk"\n  {%- if look %} aria-current="page"{% endif %}>\n'
        "  {{- look }}</a>{% if look %}\n  <b>!</b>{% endif %}\n"
        "<p>{% trans %}Two words,\n  and two more.{% endtrans %}</p>\n"
    )
    with app.test_request_context():
        text = app.jinja_env.from_string(broken).render(look="low")
    assert text == (
        '<a href="/" class="lnk" aria-current="page">low</a><b>!</b><p>Two words, and two more.</p>'
    )


def test_every_template_that_is_rendered_belongs_to_one_page(app: Flask) -> None:
    rendered = Counter(page.template for page in page_classes())
    assert set(rendered.values()) == {1}
    names = app.jinja_env.list_templates()
    assert set(rendered) <= set(names)
    trees = [parsed(app.jinja_env, name) for name in names]
    parts = {
        name
        for tree in trees
        for node, _ in included(tree)
        for name in named(app.jinja_env, node.template)
    }
    for name in names:
        if name.startswith(("pages/", "errors/")):
            assert name in rendered, name
        if name.startswith("partials/"):
            assert name in rendered or name in parts, name


def test_only_pages_are_rendered_and_only_in_one_place() -> None:
    places = []
    for path in sorted((ROOT / "classroom").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "id", None) or getattr(node, "attr", None)
            if isinstance(node, ast.Name | ast.Attribute) and name in RENDERING:
                places.append(path.relative_to(ROOT).as_posix())
    assert places == ["classroom/web/http/pages.py"]


def test_a_template_never_hides_a_value_that_its_layout_uses(app: Flask) -> None:
    """A layout sees what a template sets at its top in place of the page's field of that name."""
    for page in page_classes():
        tree = parsed(app.jinja_env, page.template)
        for node in tree.find_all(nodes.Extends):
            hidden = set_here(tree.body) & needs_of_any(app.jinja_env, node.template)
            assert not hidden, (page.template, hidden)
