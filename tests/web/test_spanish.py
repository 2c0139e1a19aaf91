"""Spanish: all that a child reads and hears, whole and in no other language beside it."""

from __future__ import annotations

import random
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from flask import Flask

from classroom.database import db, write_unit
from classroom.games import GAMES
from classroom.models import Child
from classroom.services.base import clock
from classroom.services.school import family_links
from classroom.services.table import matches
from classroom.web.words import filters, language, phrases
from tests.playing import Classroom
from tests.web.test_captions import GOLDEN, lines
from tests.web.test_news import room, same, table_of  # noqa: F401 the fixture
from tests.world import PASSWORD, Visitor, World

TRANSLATIONS = Path(__file__).parents[2] / "translations"
# Words that both languages have, names and measures.
ALIKE = {"No", "Demo", "Oh", "App", "Animal", "Fish School", "English", "Common Core"}
ALIKE |= {"210 × 297 mm", "<b>%(minutes)s min</b>"}
FILLED = re.compile(r"%\(\w+\)s|\{\w*\}|%%|<[^>]+>")
READ = ("aria-label", "title", "alt", "data-on", "data-off")
NUMBERS = {"number": {"plain": ["siete", "ocho"]}}
PAGES = (
    *("", "friends", "together", "rest", "games/fours", "games/make_ten", "games/old_fish"),
    *(f"games/{key}" for key in GAMES),
)


def texts_of(file: str) -> dict[str, str]:
    """The texts of a catalogue in English, with what they are in its language."""
    with (TRANSLATIONS / file).open("rb") as opened:
        found: dict[str, str] = {}
        for message in read_po(opened):
            if message.id:
                texts = [message.id] if isinstance(message.id, str) else message.id
                said = [message.string] if isinstance(message.string, str) else message.string
                found |= dict(zip(texts, said, strict=False))
    return found


ENGLISH = texts_of("messages.pot")
SPANISH = texts_of("es/LC_MESSAGES/messages.po")


class Shown(HTMLParser):
    """All the texts that a page shows or says, without names of children."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: set[str] = set()
        self.aloud: set[str] = set()
        self._skips = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skips = tag in ("script", "style", "title")
        for name, value in attrs:
            if name in READ and value:
                self.texts.add(" ".join(value.split()))

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._skips:
            self.texts.add(" ".join(data.split()))


def give_spanish(world: World, name: str) -> None:
    with world.app.app_context(), write_unit():
        db.session.get_one(Child, world.children[name]).language = "es"


@pytest.fixture
def mia(world: World) -> Visitor:
    give_spanish(world, "Miaqua")
    return world.visitor("Miaqua")


def test_every_sentence_of_every_game_and_question_is_in_the_table(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = {line.split("\t")[0] for line in GOLDEN.read_text("utf-8").splitlines()}
    spanish = phrases.table("es")
    assert spanish is not None

    def strict(_table: object, key: str, tags: tuple[str, ...], slots: dict[str, object]) -> object:
        return spanish.phrase(key, tags, slots)

    monkeypatch.setattr(phrases, "spoken_in", strict)
    monkeypatch.setattr(language, "language", lambda: "es")
    phrases._phrase.cache_clear()
    found = list(lines(app))
    phrases._phrase.cache_clear()
    assert len(found) > 5000
    kept = {words for _, words, _ in found if words in english and words.strip("0123456789")}
    assert kept - ALIKE == set()
    assert not any("{" in words + say for _, words, say in found if "{name}" not in words + say)
    for _, words, say in found:
        assert not say or say.startswith("=")
        for opens, closes in ("¿?", "¡!"):
            assert words.count(opens) == words.count(closes), words


def test_the_catalogue_is_whole_and_has_no_text_that_is_gone() -> None:
    """A text without words of its own, such as `%(name)s: %(children)s`, may stay as it is."""
    assert SPANISH.keys() == ENGLISH.keys()
    assert all(SPANISH.values())
    same = {text for text, said in SPANISH.items() if said == text}
    assert {text for text in same if re.search("[A-Za-z]{2}", FILLED.sub("", text))} <= ALIKE


def test_the_catalogue_keeps_what_is_filled_in_and_the_markup() -> None:
    with (TRANSLATIONS / "es/LC_MESSAGES/messages.po").open("rb") as opened:
        for message in (one for one in read_po(opened) if one.id):
            assert not message.fuzzy
            several = message.pluralizable
            english, spanish = (message.id, message.string)
            pairs = zip(english, spanish, strict=True) if several else [(english, spanish)]
            for text, said in pairs:
                wanted, found = sorted(FILLED.findall(text)), sorted(FILLED.findall(said))
                without = several and text == english[0] and set(found) <= set(wanted)
                assert wanted == found or without, text  # "un amigo" needs no number


@pytest.mark.walk(4)
@pytest.mark.parametrize("page", dict.fromkeys(PAGES))
def test_a_page_of_a_child_who_plays_in_spanish_has_no_english(
    world: World, mia: Visitor, page: str
) -> None:
    no_english(mia.get(f"/play/{page}").text)


@pytest.mark.walk(5)
@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_in_spanish(world: World, mia: Visitor, game: str) -> None:
    with world.app.app_context():
        round_id = matches.start_match(world.children["Miaqua"], game)
    text = mia.get(f"/play/rounds/{round_id}").text
    no_english(text)


def no_english(text: str) -> None:
    assert '<html lang="es">' in text
    texts = Shown(text).texts
    left = {one for one in texts if one in ENGLISH and SPANISH.get(one) != one}
    assert left - ALIKE == set()
    words = set(re.findall(r"[a-z]+", " ".join(texts - ALIKE).lower()))
    assert not words & {"the", "you", "your", "card", "cards", "and", "friend", "book", "ask"}


def test_english_is_one_tap_away_and_spanish_is_one_tap_back(world: World, mia: Visitor) -> None:
    home = mia.get("/play/").text
    assert "¡Hola, Miaqua!" in home
    assert 'name="language" value="en"' in home
    mia.post("/play/language", {"language": "en"})
    home = mia.get("/play/").text
    assert "Hello, Miaqua!" in home
    assert '<html lang="en-GB">' in home
    mia.post("/play/language", {"language": "es"})
    assert "¡Hola, Miaqua!" in mia.get("/play/").text
    mia.post("/play/language", {"language": "xx"})
    assert "¡Hola, Miaqua!" in mia.get("/play/").text


def test_a_child_without_a_second_language_has_no_choice(world: World) -> None:
    child = world.visitor("Miaqua")
    child.post("/play/language", {"language": "es"})
    home = child.get("/play/").text
    assert "Hello, Miaqua!" in home
    assert 'name="language"' not in home


def test_a_teacher_gives_a_child_a_second_language(world: World) -> None:
    lake, page = world.visitor("lake"), f"/teach/children/{world.children['Miaqua']}"
    fields = {"name": "Miaqua", "age_band": "5-6", "animal": "fox"}
    assert lake.post(page + "/rename", fields | {"second": "xx"}).status_code == 400
    lake.post(page + "/rename", fields | {"second": "es"})
    assert '<option value="es" selected>' in " ".join(lake.get(page).text.split())
    assert "¡Hola, Miaqua!" in world.visitor("Miaqua").get("/play/").text
    lake.post(page + "/rename", fields | {"second": ""})
    assert "Hello, Miaqua!" in world.visitor("Miaqua").get("/play/").text


def test_each_child_at_a_table_is_told_in_its_own_language(room: Classroom) -> None:  # noqa: F811
    with room.app.app_context(), write_unit():
        db.session.get_one(Child, room.children["Ben"]).language = "es"
    table, lots = table_of(room, "classic", 3, "told=1"), random.Random(2)
    for _ in range(6):
        table.move(lots)
        for name, made, one in zip(room.children, table.messages(), table.streams, strict=False):
            answered = one.route().body
            assert same(made, answered)
            assert ("¡" in answered.decode()) == (name == "Ben")
            assert ("Go fish!" in answered.decode() or "Yes!" in answered.decode()) == (
                name != "Ben"
            )
            one.environ["HTTP_LAST_EVENT_ID"] = answered.partition(b"\n")[0][4:].decode()


# ---- adults


def test_before_the_sign_in_spanish_is_one_tap_away_and_english_one_tap_back(world: World) -> None:
    stranger = world.visitor("nobody")
    for path in ("/", "/in?wanted=%2Fteach%2F", "/reset", "/family/join", "/privacy"):
        page = stranger.get(path).text
        assert '<html lang="en-GB">' in page
        assert 'name="language" value="es"' in page
        there = {"Referer": f"http://localhost{path}"}
        answer = stranger.post("/language", {"language": "es"}, headers=there)
        assert (answer.status_code, answer.headers["Location"]) == (303, path)
        page = stranger.get(path).text
        assert '<html lang="es">' in page
        assert 'name="language" value="en"' in page
        stranger.post("/language", {"language": "en"}, headers=there)
    assert stranger.post("/language", {"language": "xx"}).status_code == 400


def test_a_tap_leads_back_to_no_other_address(world: World) -> None:
    stranger = world.visitor("nobody")
    for sent in ("http://elsewhere.example/in", "http://localhost//elsewhere.example", "", "x"):
        answer = stranger.post("/language", {"language": "es"}, headers={"Referer": sent})
        assert answer.headers["Location"] == "/"


@pytest.mark.parametrize("login", ["lake", "reed", "head", "eddy"])
def test_an_adult_chooses_for_itself_and_finds_it_in_every_browser(
    world: World, login: str
) -> None:
    here, there, other = world.visitor(login), world.visitor(login), world.visitor("mere")
    assert '<html lang="en-GB">' in here.get("/account").text
    here.post("/language", {"language": "es"})
    assert "Su cuenta" in there.get("/account").text
    assert '<html lang="es">' in there.get("/", follow_redirects=True).text
    assert '<html lang="en-GB">' in other.get("/account").text
    there.post("/language", {"language": "en"})
    assert '<html lang="en-GB">' in here.get("/account").text


def test_a_child_plays_in_its_own_language_where_a_grown_up_chose_another(world: World) -> None:
    child = world.visitor("Miaqua")
    child.client.set_cookie("school-language", "es")
    assert "Hello, Miaqua!" in child.get("/play/").text
    assert 'action="/language"' not in child.get("/privacy").text
    give_spanish(world, "Miaqua")
    child.client.set_cookie("school-language", "en")
    assert "¡Hola, Miaqua!" in child.get("/play/").text


def test_dates_and_times_are_written_as_in_spanish(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context(), clock.clock_at(1_793_700_000.0):
        monkeypatch.setattr(filters, "language", lambda: "es")
        monkeypatch.setattr(language, "language", lambda: "es")
        assert filters.full_day(20_760) == "3 de noviembre de 2026"
        assert filters.short_date(20_760) == "3 nov"
        place = clock.SchoolPlace(dates="month_first")
        monkeypatch.setattr(clock, "here", lambda: place)
        assert filters.full_day(20_760) == "3 de noviembre de 2026"
        assert filters.clock_time(14 * 60 + 5) == "2:05\u00a0p.\u00a0m."
        place = clock.SchoolPlace(dates="year_first")
        assert filters.full_day(20_760) == "2026-11-03"


def test_small_words_change_before_a_sound(monkeypatch: pytest.MonkeyPatch, app: Flask) -> None:
    monkeypatch.setattr(language, "language", lambda: "es")
    with app.test_request_context():
        for last, said in {
            "Irene": "Ada e Irene",
            "Hilda": "Ada e Hilda",
            "Iago": "Ada y Iago",
            "Hierro": "Ada y Hierro",
            "Yara": "Ada y Yara",
        }.items():
            assert language.gettext("%(some)s and %(last)s", some="Ada", last=last) == said
        shown = app.jinja_env.from_string(
            "{{ _('%(some)s and %(last)s', some='<b>', last='Ian') }}"
        )
        assert shown.render() == "&lt;b&gt; y Ian"
    table = phrases.SentenceTable(
        {"locale": "es", "either": {"other": "{n} o {m}"}, "words": NUMBERS}
    )
    assert str(table.phrase("either", (), {"n": 0, "m": 1}).words) == "siete u ocho"
    assert str(table.phrase("either", (), {"n": 1, "m": 0}).words) == "ocho o siete"


# ---- a family


def test_a_parent_chooses_the_language_of_its_own_child(world: World) -> None:
    parent, page = world.visitor("reed"), f"/family/children/{world.children['Miaqua']}"
    assert "Spanish, with English one tap away" in parent.get(page).text
    parent.post(page + "/language", {"second": "es"})
    assert "¡Hola, Miaqua!" in world.visitor("Miaqua").get("/play/").text
    assert "English only" in parent.get(page).text
    other = f"/family/children/{world.children['Benquill']}"
    assert parent.post(other + "/language", {"second": "es"}).status_code == 404
    assert parent.post(page + "/language", {"second": "xx"}).status_code == 400
    parent.post(page + "/language", {"second": ""})
    assert "Hello, Miaqua!" in world.visitor("Miaqua").get("/play/").text


def letters(world: World, lake: Visitor) -> dict[str, str]:
    """What a teacher prints for a child and its family: the whole page, or all of a class."""
    sunfish, mia = world.classes["sunfish"], world.children["Miaqua"]
    sent = {
        "code": lake.post(f"/teach/children/{mia}/family-code"),
        "codes": lake.post(f"/teach/classes/{sunfish}/families/sheets", {"which": "all"}),
    }
    read = {
        "card": f"/teach/children/{mia}/card",
        "cards": f"/teach/classes/{sunfish}/cards",
        "report": f"/teach/children/{mia}/sheet",
        "week": f"/teach/classes/{sunfish}/week",
        "weeks": f"/teach/classes/{sunfish}/week?whose=child",
        "worksheets": f"/teach/classes/{sunfish}/paper",
    }
    return {name: one.text for name, one in sent.items()} | {
        name: lake.get(path).text for name, path in read.items()
    }


def parts_in(page: str, spoken: str) -> str:
    """The parts of a page in this language."""
    parts = re.split(r'lang="([\w-]+)"', page)
    found = zip(parts[3::2], parts[4::2], strict=True)  # after <html lang>
    return " ".join(text for of, text in found if of == spoken)


def test_a_family_gets_what_is_on_paper_in_the_language_of_its_child(world: World) -> None:
    lake = world.visitor("lake")
    for text in letters(world, lake).values():
        assert not parts_in(text, "es").strip() or "Español" in parts_in(text, "es")
    give_spanish(world, "Miaqua")
    for reader in ("en", "es"):
        lake.post("/language", {"language": reader})
        found = letters(world, lake)
        for name, text in found.items():
            assert f'<html lang="{ {"en": "en-GB"}.get(reader, reader) }">' in text
            assert "Miaqua" in parts_in(text, "es") or name == "week", name
            if name in ("codes", "cards", "weeks", "worksheets"):
                assert "Benquill" in parts_in(text, "en-GB")
                assert "Benquill" not in parts_in(text, "es")
        assert "Para la familia de <b>Miaqua</b>" in found["code"]
        assert "For the family of <b>Benquill</b>" in found["codes"]
        assert "Esta semana jugamos" in found["week"]
        assert "This week we play" in found["week"]
        assert "Qué practica Miaqua" in found["weeks"]
        assert "What Benquill practises" in found["weeks"]
        assert "Qué significa esto." in found["report"]


def test_a_parent_who_is_linked_to_a_child_with_spanish_begins_in_spanish(world: World) -> None:
    give_spanish(world, "Miaqua")
    with world.app.app_context():
        code = family_links.make_code(world.children["Miaqua"])
    fields = {"code": code, "name": "New Parent", "login": "parent", "password": PASSWORD}
    parent = world.visitor("nobody")
    page = parent.post("/family/join", fields, follow_redirects=True).text
    assert '<html lang="es">' in page
    parent.post("/language", {"language": "en"})
    assert '<html lang="en-GB">' in parent.get("/family/").text
