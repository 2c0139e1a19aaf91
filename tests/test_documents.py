"""The documents are complete: what is cited is defined, links work, examples are true."""

from __future__ import annotations

import ast
import json
import re
import shlex
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from classroom.engine.rules import DOMAINS, Rules
from classroom.games import GAMES
from classroom.learning.skills import SKILLS
from classroom.recorder import main
from tests.test_house import ROOT, tracked

DOCS = ROOT / "docs"
RULES, RECORD, GLOSSARY = (DOCS / name for name in ("rules.md", "record.md", "glossary.md"))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# ---- ids of rules

ID = r"[A-Z]{1,2}\d{1,2}b?(?:'{1,2}(?!\w))?"
DEFINED = re.compile(rf"^(?:#+ |- \*\*)({ID})\.", re.M)
"""A heading "### A6. The order" or a line "- **S15.** ..."."""

LISTED = ("engine/checks.py", "web/words/knob_words.py", "engine/test_checks.py")
"""Files in which a string that is only an id means the rule. Elsewhere, "F7" is a frog card."""


def definitions() -> list[str]:
    return [found for path in (RULES, RECORD) for found in DEFINED.findall(read(path))]


def families() -> str:
    letters = {re.sub(r"\d.*", "", id_) for id_ in definitions()}
    return "|".join(sorted(letters, key=len, reverse=True))


def plain(text: str) -> str:
    """The prose without code, where "R7" may be a card."""
    text = re.sub(r"^ *(`{3,}).*?^ *\1", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`]*`|# noqa.*|^ *>>> .*", "", text, flags=re.M)


def cited_in_prose(text: str, family: str) -> Iterator[str]:
    id_ = rf"(?<![\w'\"./+#%=-])((?:{family})\d{{1,2}}b?(?:'{{1,2}}(?!\w))?)(?!\w)"
    yield from re.findall(id_, plain(text))


def cited_in_python(path: Path, family: str) -> Iterator[str]:
    """Citations in comments, docstrings, names of tests and, in LISTED files, strings."""
    text = read(path)
    if not re.search(rf"(?:{family})\d", text):  # reading each token takes long
        return
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield from cited_in_prose(token.string, family)
    listed = path.as_posix().endswith(LISTED)
    for node in ast.walk(ast.parse(read(path))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield from cited_in_prose(text, family)
            case ast.Constant(value=str(text)) if listed and re.fullmatch(ID, text):
                yield text
            case ast.FunctionDef(name=name) if name.startswith("test_"):
                yield from re.findall(rf"(?<=_)((?:{family})\d+b?)(?=_)", name)


@cache
def citations() -> frozenset[tuple[str, str]]:
    """Each cited id with the file that cites it."""
    family, found = families(), set()
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py":
            found |= {(id_, name) for id_ in cited_in_python(path, family)}
        elif path.suffix in (".md", ".html", ".js", ".css") and "vendor" not in path.parts:
            found |= {(id_, name) for id_ in cited_in_prose(read(path), family)}
    return frozenset(found)


def test_every_rule_that_is_cited_is_defined() -> None:
    known = set(definitions())
    assert sorted(one for one in citations() if one[0] not in known) == []


def test_every_rule_is_defined_once() -> None:
    assert [id_ for id_, times in Counter(definitions()).items() if times > 1] == []


def test_citations_are_found_in_every_kind_of_file() -> None:
    """Otherwise the tests above could not fail."""
    found = citations()
    assert len({id_ for id_, _ in found}) > 200
    for one in (
        ("S15", "classroom/engine/scoring.py"),  # a docstring
        ("FA19", "tests/engine/test_fours.py"),  # a comment
        ("GA16", "tests/engine/test_guru.py"),  # the name of a test
        ("R20", "classroom/engine/checks.py"),  # a refusal
        ("R1", "classroom/web/words/knob_words.py"),  # its words
        ("G17", "docs/round-length.md"),  # a document
    ):
        assert one in found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Laid at once (S8, GA4): see D3'' and G6b.", ["S8", "GA4", "D3''", "G6b"]),
        ("`F7` is a frog, 'S1' quoted, RS1 red squares, `('RS.', 'R.1', '.S1')`", []),
        ("#F7F7F7 %C3%28 S104 SHA-1  # noqa: S10", []),
        ("```\nR7 L7\n```\nS9", ["S9"]),
    ],
)
def test_a_card_or_a_colour_is_not_a_citation(text: str, found: list[str]) -> None:
    assert list(cited_in_prose(text, "GA|D|F|G|R|S")) == found


# ---- rules as data

ROW = re.compile(r"^\| `([\w.]+)` \| (.+?) \| (.+) \|$", re.M)


def rows(title: str) -> dict[str, tuple[str, str]]:
    """The rows of the table after a title, by the code in their first cell."""
    after = read(RULES).partition(title)[2].lstrip("\n").partition("\n\n")
    table = after[0] if after[0].startswith("|") else after[2].partition("\n\n")[0]
    return {key: (second, third) for key, second, third in ROW.findall(table)}


def test_every_dimension_is_in_the_table_with_its_values() -> None:
    dimensions = rows("Keys are written as in [the record](record.md).")
    assert list(dimensions) == list(DOMAINS)
    for key, (values, _) in dimensions.items():
        words = re.findall(r"`([a-z_]+)`", values)
        if key.startswith("refill.") or key in ("deal", "end") or words == ["null"]:
            continue
        plain_words = {"true": True, "false": False, "null": None}
        assert all(DOMAINS[key](plain_words.get(word, word)) for word in words), key


def test_the_menu_in_the_rules_matches_every_game() -> None:
    menu = rows("**The menu.**")
    assert list(menu) == list(GAMES)
    for key, (name, changes) in menu.items():
        as_ = re.match(r"as `(\w+)`, and ", changes)
        base = as_[1] if as_ else "guru" if key.startswith("guru_") else None
        rules = GAMES[base].rules if base else Rules()
        assert rules.changed(json.loads(changes[changes.index("{") : -1])) == GAMES[key].rules, key
        assert name == GAMES[key].name


# ---- the record of a round


def test_the_classic_game_is_written_as_the_program_writes_it() -> None:
    (block,) = re.findall(r"^```json classic\n(.*?)^```", read(RECORD), re.M | re.S)
    assert list(json.loads(block).items()) == list(Rules().to_json().items())


def test_the_example_of_a_record_is_what_the_program_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = read(RECORD).partition("## An example")[2]
    for name, block in re.findall(r"^```json (\w+\.json)\n(.*?)^```", text, re.M | re.S):
        (tmp_path / name).write_text(block, encoding="utf-8")
    (command,) = re.findall(r"^python3 run\.py record (.*)$", text, re.M)
    (shown,) = re.findall(r"^```\n(\{.*?)^```", text, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command)) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    in_force = json.dumps(json.loads(header)["rules"])
    assert in_force in header
    printed = [header.replace(in_force, "{...}"), *lines]
    assert re.sub(r"\n +", " ", shown).splitlines() == printed


# ---- versions


def test_the_newest_version_in_the_list_of_changes_is_that_of_the_project() -> None:
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    headings = re.findall(r"^## (.+)$", read(ROOT / "CHANGELOG.md"), re.M)
    assert headings[0] == "Unreleased"
    version, released = headings[1].split(" - ")
    assert version == project["version"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", released)


# ---- skills


def test_every_skill_is_in_the_table_with_its_standards() -> None:
    table = read(DOCS / "learning.md").partition("## What is practised\n")[2].lstrip("\n")
    cells = [row.strip("| ").split(" | ") for row in table.partition("\n\n")[0].splitlines()[2:]]
    assert [name for name, *_ in cells] == [skill.name for skill in SKILLS.values()]
    for (name, core, england, _), skill in zip(cells, SKILLS.values(), strict=True):
        assert core == (skill.common_core or "none"), name
        assert england == (skill.england or "none"), name


# ---- links


def documents() -> list[Path]:
    """Every document. The templates of papers do not count, but the papers made from them do."""
    return [path for path in tracked() if path.suffix == ".md" and "templates" not in path.parts]


def anchors(path: Path) -> set[str]:
    """The anchors of headings, as sites that host repositories make them."""
    titles = re.findall(r"^#+ (.+)$", plain_of_fences(read(path)), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def plain_of_fences(text: str) -> str:
    return re.sub(r"^ *(`{3,}).*?^ *\1", "", text, flags=re.M | re.S)


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(path: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", plain_of_fences(read(path)))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def test_every_document_that_the_code_names_is_there() -> None:
    named = {
        (name, path.relative_to(ROOT).as_posix())
        for path in tracked()
        if path.suffix in (".py", ".html", ".md")
        for name in re.findall(r"(?<![\w./*{-])((?:\w+/)*[\w-]+\.md)\b", read(path))
    }
    assert ("docs/rules.md", "classroom/engine/rules.py") in named
    lost = [
        (name, by)
        for name, by in sorted(named)
        if not any((ROOT / folder / name).is_file() for folder in ("", "docs", Path(by).parent))
    ]
    assert lost == []


def test_every_module_that_the_glossary_names_is_there() -> None:
    named = re.findall(r"`((?:\w+/)?(?:\w+\.py)?)`", read(GLOSSARY))
    places = [name for name in named if name.endswith((".py", "/"))]
    assert len(places) > 40
    assert [name for name in places if not (ROOT / "classroom" / name).exists()] == []


def test_every_name_that_the_glossary_gives_is_in_the_code() -> None:
    code = "\n".join(read(path) for path in (ROOT / "classroom").rglob("*.py"))
    used = set(re.findall(r"\w+", code))
    names = set(re.findall(r"`([A-Za-z]\w{2,}(?:\.\w+)*)`", read(GLOSSARY)))
    names = {name for name in names if not name.endswith(".py")}
    assert {"SchoolClass", "hand_at", "end.books_target"} <= names
    assert [name for name in sorted(names) if not used >= set(name.split("."))] == []


# ---- decisions


def test_every_decision_forbids_something_in_a_few_lines() -> None:
    _, *topics = re.split(r"^## ", read(DOCS / "decisions.md"), flags=re.M)
    for topic in topics:
        _, *entries = re.split(r"^### ", topic, flags=re.M)
        for entry in entries:
            title, *lines = [line for line in entry.splitlines() if line]
            assert re.match(r"No .*[^.]$", title), title
            assert len(" ".join(lines).split()) in range(6, 80), title
