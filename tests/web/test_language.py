"""Every text that a page shows can be translated, and the catalogue has all of them."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from flask import Flask
from jinja2 import Environment, nodes

from classroom.games.variants import DECKS
from classroom.learning.skills import SKILLS
from classroom.minds.playing.forgetting import LEVELS, like_me
from classroom.web.http import pages
from classroom.web.words import language

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATES = ROOT / "templates"
CATALOGUE = ROOT / "translations" / "messages.pot"
EXTRACT = (
    "-m babel.messages.frontend --quiet extract --mapping babel.cfg --omit-header --sort-by-file "
    "--add-location file --no-wrap"
).split()
NAMES = {"Fish", "School", "min", "python3", "run", "py", "host", "tls", "cert", "school", "crt"}
NAMES |= set("key doctype html data spoken fc fs".split())  # of markup and of style sheets
SHOWN = re.compile(r"\s(?:aria-label|title|alt|placeholder|data-l|data-words)=\"([^\"]*)\"")
KEYS = {"Home", "ArrowLeft", "ArrowRight", "End"}  # of a keyboard
MARKS = ("_", "gettext", "ngettext")
environment = Environment(
    trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"], autoescape=True
)


def marked() -> list[Path]:
    """The templates whose texts can be translated."""
    return sorted(TEMPLATES.rglob("*.html"))


def text_of(path: Path) -> str:
    """The text of a template, without marked texts, statements and expressions."""
    source = re.sub(r"\{%-?\s*trans\b.*?endtrans\s*-?%\}", "", path.read_text("utf-8"), flags=re.S)
    return re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", source, flags=re.S)


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_][\w’]+", text)) - NAMES


def test_the_templates_to_look_at_are_found() -> None:
    assert len(marked()) > 60


@pytest.mark.parametrize("path", marked(), ids=lambda path: path.stem)
def test_no_template_shows_a_text_that_is_not_marked(path: Path) -> None:
    text = text_of(path)
    bare = words(re.sub(r"<[^>]*>|&\w+;", " ", text))
    assert not bare, "mark it: {{ _('...') }} or {% trans %}"
    assert not words(" ".join(SHOWN.findall(text)))


@pytest.mark.parametrize("path", marked(), ids=lambda path: path.stem)
def test_every_text_of_an_expression_is_marked_and_only_constants_are(path: Path) -> None:
    """A name that is translated would be taken for markup."""
    tree = environment.parse(path.read_text("utf-8"))
    inside = {id(const) for call in calls(tree) for const in call.find_all(nodes.Const)}
    for const in tree.find_all(nodes.Const):
        if isinstance(const.value, str) and re.match("[A-Z][a-z]", const.value):
            assert const.value in KEYS or id(const) in inside, const.value
    for call in calls(tree):
        several = 2 if getattr(call.node, "name", "") == "ngettext" else 1
        assert all(isinstance(text, nodes.Const) for text in call.args[:several])


def calls(tree: nodes.Node) -> Iterator[nodes.Call]:
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in MARKS:
            yield call


@pytest.mark.parametrize("path", sorted((TEMPLATES / "components").glob("*.html")), ids=str)
def test_a_component_translates_in_its_macros_for_it_is_loaded_only_once(path: Path) -> None:
    tree = environment.parse(path.read_text("utf-8"))
    in_macros = {id(call) for macro in tree.find_all(nodes.Macro) for call in calls(macro)}
    assert all(id(call) in in_macros for call in calls(tree))


def test_the_catalogue_has_the_texts_of_today(tmp_path: Path) -> None:
    """If this fails, write the catalogue again with the command in CONTRIBUTING.md."""
    found = tmp_path / "found.pot"
    subprocess.run([sys.executable, *EXTRACT, "-o", str(found), "."], cwd=ROOT, check=True)
    assert found.read_text("utf-8") == CATALOGUE.read_text("utf-8")
    assert " ".join(EXTRACT[1:]) in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_catalogue_has_the_names_of_skills_decks_and_levels() -> None:
    with CATALOGUE.open("rb") as file:
        found = {message.id for message in read_po(file)}
    assert {skill.name for skill in SKILLS.values()} <= found
    assert {deck.name for deck in DECKS.values()} <= found
    levels = [*LEVELS.values(), like_me()]
    assert {text for level in levels for text in (level.name, level.sentence)} <= found


# ---- another language


@pytest.fixture
def german(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The pages in German, with a catalogue that translates a few texts."""
    with CATALOGUE.open("rb") as file:
        catalogue = read_po(file, locale="de")
    for text, translated in {
        "Your sign-in name": "Ihr Anmeldename",
        "Back to %(name)s": "Zurück zu %(name)s",
        "today": "heute",
    }.items():
        catalogue[text].string = translated  # type: ignore[union-attr]
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    made = BytesIO()
    write_mo(made, catalogue)
    (folder / "messages.mo").write_bytes(made.getvalue())
    app.extensions["babel"].translation_directories = [str(tmp_path)]
    monkeypatch.setattr(language, "language", lambda: "de")
    with app.test_request_context():
        yield app


def test_a_page_is_shown_in_the_language_of_its_catalogue(german: Flask) -> None:
    page = german.test_client().get("/in").text
    assert "Ihr Anmeldename" in page
    assert '<html lang="de">' in page
    assert "Your password" in page  # not translated yet


def test_a_name_in_a_translated_text_is_escaped(german: Flask) -> None:
    page = german.jinja_env.from_string("{{ _('Back to %(name)s', name='<b>') }}")
    assert page.render() == "Zurück zu &lt;b&gt;"


def test_a_kept_piece_is_not_shown_in_another_language(
    german: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "{% macro say(it) %}{{ _('Back to %(name)s', name=it) }}{% endmacro %}"
    say = german.jinja_env.from_string(source).module.say  # type: ignore[attr-defined]
    assert pages.once(say, "Mia") == "Zurück zu Mia"
    monkeypatch.setattr(language, "language", lambda: language.ENGLISH)
    assert pages.once(say, "Mia") == "Back to Mia"
