"""The style sheets are readable: a line holds one thing, so that a diff shows what changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from classroom.web.http import assets

ROOT = Path(__file__).resolve().parent.parent
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
WRITTEN = [
    *(ROOT / "templates").rglob("*.html"),
    *(ROOT / "scripts" / "child").glob("*.js"),
    *(ROOT / "scripts" / "adult").glob("*.js"),
    *(ROOT / "classroom" / "web").rglob("*.py"),
]
COMMENT, QUOTED = re.compile(r"/\*.*?\*/", re.S), re.compile(r"\"[^\"]*\"|url\([^)]*\)")
LONGEST = 120


def faults(text: str) -> list[str]:
    """The lines that hold more than a rule's head, a declaration or an end, or are too long."""
    plain = QUOTED.sub("-", COMMENT.sub("", text))
    lines = [line.rstrip() for line in plain.splitlines()]
    crowded = re.compile(r";.*\S|\{.*\S|\S.*\}")
    return [line for line in lines if crowded.search(line)] + [
        line for line in text.splitlines() if len(line) > LONGEST
    ]


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_a_rule_has_a_line_for_each_declaration(path: Path) -> None:
    text = path.read_text("utf-8")
    assert faults(text) == []
    assert text.count("\n") > text.count("{") * 2


def test_a_crowded_line_is_found() -> None:
    assert faults(".a {\n  color: red;\n}\n") == []
    assert faults(".a { color: red; }\n")
    assert faults(".a {\n  color: red; margin: 0;\n}\n")
    assert faults(f"/* {'long ' * 30} */\n")


def test_every_class_in_the_style_sheets_is_used() -> None:
    """A class is used by its name, or by a prefix that a template completes (`card--` and a
    kind)."""
    words = set(re.findall(r"[\w-]+", "\n".join(path.read_text("utf-8") for path in WRITTEN)))
    begun = tuple(word for word in words if word.endswith("-") and len(word) > 1)
    dead = []
    for path in STYLES:
        plain = QUOTED.sub("", COMMENT.sub("", path.read_text("utf-8")))
        heads = re.findall(r"[^{}]+(?=\{)", plain)
        for name in {name for head in heads for name in re.findall(r"\.([a-zA-Z][\w-]*)", head)}:
            if name not in words and not name.startswith(begun):
                dead.append(f"{path.name}: {name}")
    assert dead == []


def test_style_sheets_are_sent_without_spaces() -> None:
    small = len(assets.made("css/table.css"))
    assert small < (ROOT / "static" / "css" / "table.css").stat().st_size * 0.8
    assert b"/*" not in assets.made("css/table.css")


def test_the_styles_of_a_table_are_sent_as_one_in_their_order() -> None:
    whole = assets.content("css/play.css")
    parts = [assets.content(f"css/{name}.css") for name in assets.JOINED["css/play.css"]]
    assert parts == sorted(parts, key=whole.index)
    assert len(whole) == sum(map(len, parts)) + len(parts) - 1


def test_no_page_is_printed_up_to_the_edge_of_the_paper() -> None:
    """Printers leave about 6 mm white, and the second sheet of a page has no other margin."""
    margins = {
        (path.stem, name): re.findall(r"margin: (.*);", rule)
        for path in STYLES
        for name, rule in re.findall(r"@page ?(\w*) \{([^}]*)\}", path.read_text("utf-8"))
    }
    assert margins["adult", ""]
    for where, found in margins.items():
        widths = [float(width) for one in found for width in re.findall(r"([\d.]+)(?:mm)?", one)]
        assert all(width >= 8 for width in widths), where
