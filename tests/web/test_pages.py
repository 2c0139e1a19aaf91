"""Each template is given exactly the names that it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

from flask import Flask
from jinja2 import DictLoader, Environment, meta, nodes

from tests.world import World

ROOT: Final = Path(__file__).parents[2]
RENDERING: Final = {"render_template", "render_template_string", "stream_template"}


@dataclass(frozen=True)
class Rendering:
    """A call of `render`: the templates that it can name, and the names that it gives them.
    `more`: there are others, in a dictionary."""

    where: str
    templates: set[str]
    names: set[str]
    more: bool


def renderings() -> Iterator[Rendering]:
    for path in sorted((ROOT / "classroom" / "web").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for call in calls(function, "render"):
                    yield Rendering(
                        f"{path.name}:{call.lineno}",
                        rendered(tree, function, call),
                        {word.arg for word in call.keywords if word.arg},
                        any(word.arg is None for word in call.keywords),
                    )


def calls(within: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(within):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == name:
            yield node


def rendered(tree: ast.Module, function: ast.FunctionDef, call: ast.Call) -> set[str]:
    """The templates that this call can name: itself, by a constant of the module, or by the first
    argument of its function."""
    first = function.args.args[0].arg if function.args.args else ""
    if isinstance(call.args[0], ast.Name) and call.args[0].id == first:
        return set().union(*(texts(tree, one.args[0]) for one in calls(tree, function.name)))
    return texts(tree, call.args[0])


def texts(tree: ast.Module, value: ast.expr) -> set[str]:
    constants = {
        node.target.id: node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value
    }
    found: set[str] = set()
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Name) and node.id in constants:
            found |= texts(tree, constants[node.id])
    return found


# ---- what a template uses


@cache
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


@cache
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


def test_a_template_is_given_exactly_the_names_that_it_uses(first_world: World) -> None:
    for_every_page: dict[str, object] = {}
    with first_world.app.test_request_context("/"):
        first_world.app.update_template_context(for_every_page)
    found = list(renderings())
    assert len(found) > 120
    for one in found:
        used = set().union(*(needs(first_world.app.jinja_env, name) for name in one.templates))
        used -= set(for_every_page)
        assert one.templates, one
        assert one.names <= used if one.more else one.names == used, one


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


def test_every_template_is_rendered_or_part_of_one_that_is(first_world: World) -> None:
    shown = set().union(*(one.templates for one in renderings()))
    names = first_world.app.jinja_env.list_templates()
    assert shown <= set(names)
    trees = [parsed(first_world.app.jinja_env, name) for name in names]
    parts = {
        name
        for tree in trees
        for node, _ in included(tree)
        for name in named(first_world.app.jinja_env, node.template)
    }
    for name in names:
        if name.startswith(("pages/", "errors/")):
            assert name in shown, name
        if name.startswith("partials/"):
            assert name in shown or name in parts, name


def test_templates_are_rendered_in_only_one_place() -> None:
    places = []
    for path in sorted((ROOT / "classroom").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node, "id", None) or getattr(node, "attr", None)
            if isinstance(node, ast.Name | ast.Attribute) and name in RENDERING:
                places.append(path.relative_to(ROOT).as_posix())
    assert places == ["classroom/web/http/pages.py"]


def test_a_template_never_hides_a_value_that_its_layout_uses(first_world: World) -> None:
    """A layout sees what a template sets at its top in place of the page's value of that name."""
    for name in set().union(*(one.templates for one in renderings())):
        tree = parsed(first_world.app.jinja_env, name)
        for node in tree.find_all(nodes.Extends):
            hidden = set_here(tree.body) & needs_of_any(first_world.app.jinja_env, node.template)
            assert not hidden, (name, hidden)
