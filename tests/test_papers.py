"""The papers say what the register says, and leave nothing out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from classroom import privacy
from classroom.papers import (
    ACTIVITIES,
    ANY_SCHOOL,
    PUBLISHED,
    RISKS,
    Document,
    SchoolFacts,
    papers,
    texts,
)
from tests.world import World

ROOT = Path(__file__).resolve().parent.parent


def test_the_published_papers_come_from_the_register() -> None:
    for path, text in texts():
        assert (ROOT / path).read_text(encoding="utf-8") == text, "python3 run.py privacy"
    kept = {f"docs/folder/{path.name}" for path in (ROOT / "docs" / "folder").iterdir()}
    assert kept == {path for path in PUBLISHED.values() if path.startswith("docs/folder/")}


def test_each_paper_is_parsed_into_what_it_shows() -> None:
    """Whatever the Markdown says is on the page, and each row has a cell for each heading."""
    for one in papers(ANY_SCHOOL):
        shown = [one.title, one.about, *(head for head, _ in one.parts)]
        for block in (block for _, blocks in one.parts for block in blocks):
            assert block.rows, one.key
            if block.kind == "table":
                assert {len(row) for row in block.rows} == {len(block.rows[0])}, block.rows
            shown += [cell for row in block.rows for cell in row]
        words = re.sub(r"^(#+|-|\|)|\||---|\*\*|:(?= _)", " ", one.markdown, flags=re.M).split()
        pictures = {name for name, _ in privacy.FOR_CHILDREN} | {"i-hand"}
        said = [word for text in shown if text not in pictures for word in text.split()]
        assert Counter(said) == Counter(words), one.key


def test_no_paper_counts_the_facts_about_a_child_by_hand() -> None:
    """Two papers of one folder said six and seven; the register has the columns themselves."""
    counted = re.compile(r"\b(two|three|four|five|six|seven|eight|nine|ten|[0-9]+) facts\b", re.I)
    for name, text in [*texts(), *((one.key, one.markdown) for one in papers(ANY_SCHOOL))]:
        assert not counted.search(text), name


def test_each_table_belongs_to_one_activity() -> None:
    named = Counter(name for one in ACTIVITIES for name in one["tables"])
    assert named == dict.fromkeys(privacy.REGISTER, 1)


def test_a_risk_is_named_for_each_table_about_a_person() -> None:
    about = {name for name, table in privacy.REGISTER.items() if table.about}
    named = {name for one in RISKS for name in one["tables"]}
    assert about <= named <= privacy.REGISTER.keys()


def test_each_risk_names_tests_that_exist() -> None:
    for risk in RISKS:
        assert risk["tests"]
        for path in risk["tests"]:
            assert (ROOT / path).is_file(), path


def test_each_risk_is_judged_in_the_words_of_the_assessment() -> None:
    for risk in RISKS:
        assert risk["chance"] in ("remote", "possible", "probable"), risk["what"]
        assert risk["harm"] in ("slight", "serious", "severe"), risk["what"]
        assert risk["left"] in ("low", "medium", "high"), risk["what"]


def test_a_new_fact_about_a_child_changes_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {one.key: one.markdown for one in papers(ANY_SCHOOL)}
    children = privacy.REGISTER["children"]
    line = replace(children.first, purpose="the size of its shoes", personal=True)
    monkeypatch.setitem(children.columns, "shoes", line)
    after = {one.key: one.markdown for one in papers(ANY_SCHOOL)}
    changed = {key for key in before if before[key] != after[key]}
    assert changed == {"record-of-processing", "school-authorisation"}


def test_a_new_period_changes_the_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = privacy.REGISTER["moves"]
    monkeypatch.setitem(moves.columns, "id", replace(moves.first, keep="a hundred years"))
    wrong = {one.key for one in papers(ANY_SCHOOL) if "a hundred years" in one.markdown}
    assert wrong == {"record-of-processing", "retention-schedule"}


def rows_of(paper: Document) -> list[tuple[str, ...]]:
    """The rows of the first table of a paper, without its headings."""
    blocks = [block for _, blocks in paper.parts for block in blocks]
    return list(next(block for block in blocks if block.kind == "table").rows[1:])


def test_every_criterion_is_listed_once_and_in_order() -> None:
    criteria = rows_of(papers(ANY_SCHOOL)[-1])
    assert {met for _, met, _ in criteria} == {"met", "partly", "does not apply"}
    numbers = [re.findall(r"[0-9.]+", name)[0] for name, _, _ in criteria]
    keys = [tuple(map(int, number.strip(".").split("."))) for number in numbers]
    assert keys == sorted(set(keys))


def test_the_papers_name_the_school(world: World) -> None:
    visitor = world.visitor("admin")
    facts = SchoolFacts(school="Northpond")
    assert "Northpond" in visitor.get("/school/folder/notice-for-parents").text
    for one in papers(facts):
        page = visitor.get(f"/school/folder/{one.key}")
        assert page.status_code == 200
        assert all(head in page.text for head, _ in one.parts)
        taken = visitor.get(f"/school/folder/{one.key}?as=file")
        assert taken.text == one.markdown
        assert taken.headers["Content-Disposition"].startswith("attachment")
    assert visitor.get("/school/folder/nothing").status_code == 404


def test_the_list_of_components_is_a_file(world: World) -> None:
    found = world.visitor("admin").get("/school/folder/components.json")
    assert found.json is not None
    assert found.json["bomFormat"] == "CycloneDX"
