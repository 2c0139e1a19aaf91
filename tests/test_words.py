"""The rules about words find what they should, and leave plain English alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import words

WRONG = {
    "Who asks everyone sees every hand.": "Who",
    "It is full. Whoever comes late waits.": "Who",
    '"The end." Whose turn it is follows.': "Who",
    "Sorted by the own hand.": "own",
    "An own game of the class.": "own",
    "The environment is made anew.": "anew",
    "Waits so many seconds.": "so many",
    "One thread, so that nobody waits.": "nobody",
    "The behavior of a seat.": "American",
    "A skill that is practiced.": "American",
}
RIGHT = (
    "Who asked for sevens?",
    "A seat that asks everyone sees every hand.",
    "The class knows who asks.",
    "Sorted by its own hand.",
    "There are not so many cards, and so many asks that the pond is empty.",
    "Nobody is here, nobody can come, and nobody else plays.",
    "The colours of `color-scheme`, and a child that practises; in practice both.",
)


def rules(folder: Path, suffix: str, text: str) -> list[tuple[int, str]]:
    path = folder / f"file{suffix}"
    path.write_text(text, encoding="utf-8")
    return [(line, rule) for line, rule, _ in words.hits(path)]


@pytest.mark.parametrize(
    ("suffix", "before", "after"),
    [
        (".py", 'def ask():\n    """First.\n\n    ', '\n    """\n'),
        (".py", "a = 1  # one\n# first\n\n# ", "\n"),
        (".py", "# First.\n# Second,\n# third.\n# ", "\n"),
        (".md", "# A title\n\nFirst.\n\n- ", "\n"),
        (".md", "| a | b |\n| --- | --- |\n| one | two |\n| ", " |\n"),
        (".html", "<h1>\nA title</h1>{% if a\n   %}<p>", "</p>\n"),
        (".html", "<p>\n\n\n{#- ", " #}\n"),
        (".js", "let a\n\n\n// ", "\n"),
        (".css", ".a {\n}\n\n/* ", " */\n"),
    ],
)
def test_a_planted_sentence_is_found_on_its_line(
    tmp_path: Path, suffix: str, before: str, after: str
) -> None:
    for sentence, rule in WRONG.items():
        found = rules(tmp_path, suffix, before + sentence + after)
        assert [line for line, said in found if rule in said] == [1 + before.count("\n")], sentence
    for sentence in RIGHT:
        assert rules(tmp_path, suffix, before + sentence + after) == [], sentence


def test_code_and_titles_are_not_read_as_sentences(tmp_path: Path) -> None:
    assert rules(tmp_path, ".py", 'a = "Who asks waits."\ncolor = gray\n') == []
    assert rules(tmp_path, ".md", "## Who may what\n\n```\ncolor anew\n```\n") == []
    assert rules(tmp_path, ".md", "- **Who sees it.** The teacher.\n") == []
    assert rules(tmp_path, ".html", '<b class="gray">Who plays</b>{{ color }}\n') == []
    assert rules(tmp_path, ".css", ".a { color: gray }\n") == []


def test_hits_and_misspellings_are_printed_with_their_place_and_fail(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.html", tmp_path / "bad.html"
    good.write_text("Its own hand.\n", encoding="utf-8")
    bad.write_text("The own hand,\nre" + "cieved.\n", encoding="utf-8")
    assert words.main([str(good)]) == 0
    assert capfd.readouterr().out == ""
    assert words.main([str(good), str(bad)]) == 1
    own, spelled = capfd.readouterr().out.splitlines()
    assert own.startswith(f"{bad.as_posix()}:1: ")
    assert f"{bad}:2: " in spelled


def test_files_of_others_are_not_read(tmp_path: Path) -> None:
    vendor = tmp_path / "vendor"
    vendor.mkdir()
    (vendor / "theirs.js").write_text("// made anew\n", encoding="utf-8")
    assert words.main([str(vendor / "theirs.js")]) == 0
