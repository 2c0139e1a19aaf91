"""`--changed` runs the tests that a change can break, and says which it leaves out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests import changed
from tests.changed import ALWAYS, UnknownReference, broken_by, left_out, since

# It reads all our modules, which takes seconds; every day one test file is followed.
follows_all = pytest.mark.whole
PURE = ("tests/engine/", "tests/games/", "tests/learning/", "tests/minds/")


def test_a_test_reaches_what_it_imports_and_what_that_imports_and_no_more() -> None:
    found = changed.reach("tests/engine/test_position.py")
    assert {"classroom/engine/cards.py", "tests/engine/positions.py"} <= found
    assert not [name for name in found if name.startswith("classroom/web/")]


@follows_all
def test_a_card_reaches_its_own_tests_those_of_memory_and_those_of_pages() -> None:
    broken = broken_by(["classroom/engine/cards.py"])
    wanted = {"tests/engine/test_cards.py", "tests/minds/test_board.py", "tests/web/test_play.py"}
    assert wanted <= broken


@follows_all
@pytest.mark.parametrize(
    "name", ["classroom/web/teacher/teach.py", "templates/pages/child/table.html", "static/x.css"]
)
def test_a_page_reaches_all_that_ask_pages_and_no_rule_of_a_game(name: str) -> None:
    broken = broken_by([name])
    pages = {"tests/web/test_teach.py", "tests/browser/test_round.py"}
    pages |= {"tests/faults/test_hidden_cards.py", "tests/faults/test_model.py"}
    assert pages <= broken
    assert "tests/engine/test_cards.py" not in broken
    assert "tests/learning/test_schedule.py" not in broken


@follows_all
def test_a_page_does_not_reach_a_service_but_those_of_its_tests_that_ask_pages() -> None:
    broken = broken_by(["classroom/web/teacher/teach.py"])
    assert "tests/services/test_class_lists.py" not in broken
    assert "tests/services/test_security_log.py" in broken


@follows_all
def test_a_service_reaches_its_tests_through_the_app_that_joins_them() -> None:
    broken = broken_by(["classroom/services/access/accounts.py"])
    assert {"tests/services/test_class_lists.py", "tests/web/test_first_visit.py"} <= broken
    assert not [name for name in broken if name.startswith(PURE[:2])]


@follows_all
def test_a_program_reaches_the_tests_that_start_it() -> None:
    started = {"tests/test_run.py", "tests/faults/test_attacks.py"}
    assert started <= broken_by(["classroom/cli.py"])
    assert "tests/faults/test_attacks.py" in broken_by(["tests/faults/attackers.py"])


@follows_all
@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("docs/rules.md", "tests/test_documents.py"),
        ("PRIVACY.md", "tests/test_papers.py"),
        ("classroom/data/privacy.toml", "tests/test_privacy.py"),
        ("tests/games/golden/fours-3.txt", "tests/games/test_golden.py"),
        ("tests/fixtures/school_0003.sql", "tests/test_migrations.py"),
        ("classroom/migrations/versions/0001_begin.py", "tests/test_migrations.py"),
        ("classroom/data/phrases.txt", "tests/services/test_password_rules.py"),
        ("tests/minds/arena.py", "tests/minds/test_levels.py"),
    ],
)
def test_a_file_reaches_the_tests_that_read_it(name: str, broken: str) -> None:
    assert broken in broken_by([name])


@follows_all
def test_a_document_reaches_few() -> None:
    assert len(broken_by(["README.md", "docs/rules.md"])) < len(changed.test_files()) / 5


@follows_all
def test_a_module_that_is_gone_reaches_who_still_asks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = changed.modules() - {"classroom/engine/cards.py"}
    monkeypatch.setattr(changed, "modules", lambda: there)
    monkeypatch.setattr(changed, "reach", changed.reach.__wrapped__)  # nothing is remembered
    assert "tests/engine/test_cards.py" in broken_by(["classroom/engine/cards.py"])


@follows_all
def test_a_fixture_reaches_the_tests_that_name_it() -> None:
    broken = broken_by(["tests/services/conftest.py"])
    assert "tests/services/test_rounds.py" in broken
    assert "tests/services/test_password_rules.py" not in broken


@follows_all
@pytest.mark.parametrize("name", ["pyproject.toml", "requirements-test.txt", "tests/conftest.py"])
def test_what_cannot_be_followed_breaks_everything(name: str) -> None:
    broken = broken_by([name])
    assert broken == set(changed.test_files())
    assert left_out(broken).endswith("left out: none")


@follows_all
def test_the_house_is_always_looked_at() -> None:
    assert broken_by([]) == set(ALWAYS)
    assert left_out(set(ALWAYS)).startswith(f"2 of {len(changed.test_files())} test files")
    assert all((changed.ROOT / name).is_file() for name in ALWAYS)


# ---- what git says


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-b", "main")
    (tmp_path / ".gitignore").write_text("*.pyc\n")
    (tmp_path / "one.py").write_text("1")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "Begin")
    return tmp_path


def test_what_is_edited_and_what_is_new_has_changed(repository: Path) -> None:
    assert since(None, repository) == ("main", set())
    (repository / "one.py").write_text("2")
    (repository / "two.py").write_text("2")
    (repository / "two.pyc").write_text("2")
    assert since(None, repository) == ("main", {"one.py", "two.py"})


def test_on_a_branch_all_counts_that_it_did_since_it_left_main(repository: Path) -> None:
    git(repository, "checkout", "-b", "branch")
    (repository / "two.py").write_text("2")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "Add two")
    git(repository, "checkout", "main")
    (repository / "three.py").write_text("3")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "Add three")
    git(repository, "checkout", "branch")
    (repository / "one.py").unlink()
    assert since(None, repository) == ("main", {"one.py", "two.py"})
    assert since("HEAD", repository) == ("HEAD", {"one.py"})


def test_a_commit_that_git_does_not_know_is_refused(repository: Path) -> None:
    with pytest.raises(UnknownReference, match="nowhere"):
        since("nowhere", repository)
