"""Tables of sentences: forms by number, gender and kind, and English where a table lacks one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from classroom.web.child.card_faces import CardFace, ClassFace
from classroom.web.words import new_language, phrases
from classroom.web.words.phrases import (
    FIRST,
    TABLES,
    SentenceTable,
    called,
    phrase,
    spoken_in,
    table,
)
from tests.web.test_captions import lines
from tests.web.test_voice import PIECES

TEMPLATES = Path(__file__).parents[2] / "templates"
USED = re.compile(r"phrase\(\s*\"([a-z_.]+)\"(?! ~)|phrase\(\s*\"([a-z_]+)\.\" ~")
NAMED = re.compile(r"\{(\w+)")
MARKED = re.compile(r"\b_\(\"|\{%-? trans\b|gettext\(")
PLAYED = (  # the components of a child's pages
    "asking avatars board buttons cards covers fans friends games how_words low panel path seats "
    "signs steps talk words"
).split()

# A made-up language: nouns have a gender, two of a thing are a dual, and numbers stand before a
# measure word of the noun. Slovenian has the same plural categories.
MADE_UP = SentenceTable(
    tomllib.loads(
        """
locale = "sl"
called.many = ["{thing:many}", "{thing:many}"]
own.other = "only here"
[words]
number.plain = ["nul", "un", "du", "tri"]
number.f = ["nula", "una", "dua", "tria"]
animal.owl = { plain = "uhu", gender = "f" }
animal.fox = { plain = "fuks", gender = "m" }
suit.frog = { plain = "rana", two = "ranat", many = "ranoj", measure = "kap", gender = "f" }
suit.rock = { plain = "rok", two = "rokat", many = "rokoj", measure = "ton", gender = "m" }
[thing.many]
family.f = ["la {suit:many}", "fam-{suit}"]
family.other = ["le {suit:many}", "fam-{suit}"]
[thing.two]
family = ["{suit:two}", "fam-{suit}"]
[thing.measured]
family = ["{suit:measure} {suit:many}", "fam-{suit}"]
[step.gave]
two.f = ["{Who} dona {thing:two}.", "x"]
two.other = ["{Who} donas {thing:two}.", "x"]
few.f = ["{Who} dona {n:f} {thing:measured}.", "x"]
few.other = ["{Who} donas {n} {thing:measured}.", "x"]
other = ["{Who} dona {n:digits} {thing:measured}.", "x"]
[step.retired]
who-f = ["{Who} pronta.", "x"]
other = ["{Who} pronto.", "x"]
[step.gofish]
other = ["{n:missing}", "x"]
[pond.cards]
one = "{n:f} kap kartoj"
two = "kartat"
few = "{n:f} kap kartoj"
other = "{n:digits} kap kartoj"
[friends.meet]
who-f = ["{name} esta la {who}.", "x"]
other = ["{name} esta le {who}.", "x"]
[notice]
over = ["Fina.", "x"]
other = ["Toka.", "x"]
"""
    )
)
MANY = {f"{{{slot}:many}}": f"{{{slot}:two}}" for slot in ("thing", "suit", "shape", "n")}
MANY["{told:many}"] = "{told:two}"
FROGS = ClassFace("F", 0, "family", "frog")
ROCKS = ClassFace("R", 0, "family", "rock")


def made_up(key: str, **slots: Any) -> str:
    return str(spoken_in(MADE_UP, key, (), slots).words)


def test_a_table_can_hold_a_gender_a_dual_and_measure_words() -> None:
    assert made_up("step.gave", thing=FROGS, n=2, who="owl") == "Uhu dona ranat."
    assert made_up("step.gave", thing=ROCKS, n=2, who="fox") == "Fuks donas rokat."
    assert made_up("step.gave", thing=FROGS, n=3, who="owl") == "Uhu dona tria kap ranoj."
    assert made_up("step.gave", thing=ROCKS, n=3, who="fox") == "Fuks donas tri ton rokoj."
    assert made_up("step.gave", thing=ROCKS, n=7, who="fox") == "Fuks dona 7 ton rokoj."
    assert made_up("step.retired", who="owl") == "Uhu pronta."
    assert made_up("step.retired", who="fox") == "Fuks pronto."
    assert made_up("called.many", thing=FROGS) == "la ranoj"


def test_a_table_can_hold_them_in_what_pages_say_too() -> None:
    said = [made_up("pond.cards", n=number) for number in (1, 2, 3, 9)]
    assert said == ["una kap kartoj", "kartat", "tria kap kartoj", "9 kap kartoj"]
    assert made_up("friends.meet", name="Mia", who="owl") == "Mia esta la uhu."
    assert made_up("friends.meet", name="Mia", who="fox") == "Mia esta le fuks."
    assert str(spoken_in(MADE_UP, "notice", ("paused",), {}).words) == "Toka."
    assert made_up("rest.paused") == "Eyes on your teacher!"


def test_every_sentence_of_every_game_can_have_a_gender_a_dual_and_a_measure_word(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A made-up language as large as English, in which each noun has a gender, each sentence a form
    for two things, and each number a measure word after it."""
    whole = whole_made_up()

    def strict(_table: object, key: str, tags: tuple[str, ...], slots: dict[str, Any]) -> object:
        return whole.phrase(key, tags, slots)

    monkeypatch.setattr(phrases, "spoken_in", strict)
    phrases._phrase.cache_clear()
    found = {words for _, words, _ in lines(app)}
    phrases._phrase.cache_clear()
    assert not [words for words in found if "{" in words.replace("{name}", "")]
    for mark in ("·f", "·m", "·2·f", "·who", "frogs-two", "two-kap "):
        assert [words for words in found if mark in words], mark
    assert "Yes! You get two-kap .·2" in found


def whole_made_up() -> SentenceTable:
    made = tables_of(TABLES / f"{FIRST}.toml") | {"locale": "sl", "voice": "device"}
    for group, words in made["words"].items():
        if group == "number":
            words["two"] = [f"{word}-two" for word in words["plain"]]
            words["kap"] = [f"{word}-kap " for word in words["plain"]]
            continue
        for number, (key, word) in enumerate(words.items()):
            forms = {"plain": word} if isinstance(word, str) else word
            two = forms.get("many", forms["plain"]) + "-two"
            words[key] = forms | {"two": two, "gender": "fm"[number % 2]}
    made["thing"]["two"] = spread(made["thing"]["many"], lambda text: in_two(text[0]))
    for part, entries in made.items():
        if isinstance(entries, dict) and part not in ("words", "thing", "card", "called", "how"):
            for key, entry in entries.items():
                entries[key] = spread(entry, inflected)
    return SentenceTable(made)


def spread(entry: Any, form: Callable[[list[str]], Any]) -> Any:
    """An entry with each of its ways in another form."""
    if isinstance(entry, dict):
        return {tag: spread(way, form) for tag, way in entry.items()}
    return form(entry if isinstance(entry, list) else [entry])


def in_two(text: str) -> str:
    return re.sub(r"\{(thing|told|suit|shape):many\}|\{n:many\}", lambda m: MANY[m[0]], text)


def inflected(entry: list[str]) -> Any:
    """Ways for two things and for each gender; a number stands before a measure word."""
    text = entry[0]
    if not text:
        return ""
    counted = re.sub(r"\{([nm])\}", r"{\1:kap}", text)
    two = in_two(counted) + "·2"
    genders = {tag: {"two": [two + f"·{tag}"], "other": [counted + f"·{tag}"]} for tag in "fm"}
    return {"who-f": [counted + "·who"], **genders, "two": [two], "other": [counted]}


def test_a_new_language_begins_as_english_and_is_asked_for_line_by_line(tmp_path: Path) -> None:
    made = new_language.begin("sl", tmp_path)
    assert [path.name for path in made] == ["sl.toml", "messages.po"]
    assert new_language.begin("sl", tmp_path) == []  # what is filled in already stays
    text = made[0].read_text("utf-8")
    empty = SentenceTable(tomllib.loads(text))
    assert spoken_in(empty, "step.gofish", (), {}).words == "Go fish!"
    whole = text.replace(new_language.MARK, "")
    filled = whole.replace('gofish = ["Go fish!"]', 'gofish = ["Lovi!"]')
    assert spoken_in(SentenceTable(tomllib.loads(filled)), "step.gofish", (), {}).say == "=Lovi!"
    found = list(new_language.missing("sl", tmp_path))
    assert "step.gofish: Go fish!" in found
    assert "words.animal.fox: fox" in found
    assert found[-1].startswith("messages.po: ")
    made[0].write_text(filled.replace("{m}", "{pond}"), "utf-8")
    found = list(new_language.missing("sl", tmp_path))
    assert "question.between: there is no {pond}" in found
    made[0].write_text(whole, "utf-8")
    assert len(list(new_language.missing("sl", tmp_path))) == 1  # the catalogue


def test_a_language_without_a_singular_is_not_asked_for_one(tmp_path: Path) -> None:
    path = new_language.begin("vi", tmp_path)[0]
    whole = path.read_text("utf-8").replace(new_language.MARK, "")
    path.write_text(re.sub(r"^one = .*points?.*\n", "", whole, flags=re.M), "utf-8")
    assert not [line for line in new_language.missing("vi", tmp_path) if ".one" in line]
    assert not [line for line in new_language.missing("es") if not line.startswith("messages")]


def test_what_a_table_lacks_is_said_in_english_as_a_whole() -> None:
    assert made_up("step.refilled", who="owl") == "New cards for Owl."
    assert made_up("step.retired", who="bear") == "Bear is done."  # it has no bear
    assert made_up("step.gofish", n=1) == "Go fish!"
    assert made_up("called.many", thing=ClassFace("7", 7, "rank")) == "sevens"
    assert table("xx") is None
    with pytest.raises(LookupError):
        phrase("no.such")


def test_a_name_is_escaped() -> None:
    assert phrase("called.somebody", name="<b>", who="owl").words == "&lt;b&gt;, owl"


def test_things_and_cards_are_called_by_what_they_are() -> None:
    assert called(ClassFace("8", 8, "need", has=2)) == "an eight"
    assert called(CardFace(2, "", "traits", "coral", "heart"), "card") == "two red hearts"
    exact = ClassFace("7H", 7, "exact", "shell", card=CardFace(7, "shell"))
    assert phrase("todo.ask", thing=exact, name="Owl").say == "Owl do-the n-7 of-shell"


def tables_of(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def entries(found: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, entry in found.items():
        yield before + key, entry
        if isinstance(entry, dict):
            yield from entries(entry, f"{before}{key}.")


def test_american_english_has_only_what_differs() -> None:
    mine, first = (dict(entries(tables_of(TABLES / f"{name}.toml"))) for name in ("en_US", FIRST))
    assert mine.keys() <= first.keys()
    assert str(spoken_in(table("en_US"), "part.colour", (), {}).words) == "color"
    assert str(spoken_in(table("en_US"), "part.shape", (), {}).words) == "shape"


@pytest.mark.parametrize(
    "file", [file for file in sorted(TABLES.glob("*.toml")) if "_" not in file.stem], ids=str
)
def test_a_table_has_every_sentence_and_word(file: Path) -> None:
    mine, first = (tables_of(path) for path in (file, TABLES / "en.toml"))
    for part, sentences in first.items():
        if isinstance(sentences, dict):
            assert sentences.keys() <= mine[part].keys(), part
    for group, words in first["words"].items():
        assert words.keys() <= mine["words"][group].keys(), group


def test_ways_to_say_a_sentence_end_with_one_for_all_else() -> None:
    first = tables_of(TABLES / f"{FIRST}.toml")
    whole = "fan mark ending won row help rest notice oops".split()  # the others are groups
    for key, entry in entries(first):
        group = "." not in key and key not in whole
        if isinstance(entry, dict) and not key.startswith("words.") and not group:
            assert "other" in entry or key == "thing.many", key


def test_every_sentence_that_a_template_names_is_there() -> None:
    first = tables_of(TABLES / f"{FIRST}.toml")
    known = {key for key, _ in entries(first)}
    for path in TEMPLATES.rglob("*.html"):
        named = {one or group for one, group in USED.findall(path.read_text("utf-8"))}
        assert named <= known, path.name


def test_a_page_of_a_child_has_its_texts_from_the_table() -> None:
    paths = [*TEMPLATES.glob("p*/child/*.html"), TEMPLATES / "layouts" / "child.html"]
    paths += [TEMPLATES / "components" / f"{name}.html" for name in PLAYED]
    assert len(paths) > 60
    for path in paths:
        assert not MARKED.search(path.read_text("utf-8")), path.name


def test_every_piece_that_needs_nothing_is_recorded() -> None:
    first = tables_of(TABLES / f"{FIRST}.toml")
    said = {
        name
        for _, entry in entries(first)
        if isinstance(entry, list)
        for name in (entry[1].split() if len(entry) == 2 else ())
        if not NAMED.search(name)
    }
    assert said
    assert said <= PIECES
