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


def test_every_named_value_is_used() -> None:
    styles = "".join(COMMENT.sub("", path.read_text("utf-8")) for path in STYLES)
    named = set(re.findall(r"(?<=[\s;])(--[\w-]+):", styles))
    assert named - set(re.findall(r"var\(\s*(--[\w-]+)", styles)) == set()


def test_no_style_changes_a_colour_of_a_drawing_by_its_name() -> None:
    """A drawing has colours of its own, unless a style names others: var(--pad, #c7506a). A style
    that used such a name for a size would make it black."""
    drawings = "".join(path.read_text("utf-8") for path in (ROOT / "static" / "art").glob("*.svg"))
    named = set(re.findall(r"var\((--[\w-]+)", drawings))
    assert "--pad" in named
    for path in STYLES:
        for name, value in re.findall(r"(--[\w-]+):\s*([^;]+);", path.read_text("utf-8")):
            is_colour = value.startswith(("#", "var("))
            assert name not in named or is_colour, f"{path.name}: {name}"


def animated(text: str) -> set[str]:
    """The properties that change in the keyframes and transitions of a style sheet."""
    plain = COMMENT.sub("", text)
    found = {
        name
        for frames in re.findall(r"@keyframes [\w-]+ \{(.*?)\n\}", plain, re.S)
        for name in re.findall(r"([\w-]+):", frames)
    }
    for value in re.findall(r"transition(?:-property)?:\s([^;]*);", plain):
        without_arguments = re.sub(r"\([^()]*\)", "", value)
        found |= {part.split()[0] for part in without_arguments.split(",")}
    return found


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_only_what_needs_no_new_picture_is_animated(path: Path) -> None:
    """A browser can move and fade what it has painted. It paints everything else again for each
    frame, which a cheap tablet cannot do in time."""
    assert animated(path.read_text("utf-8")) <= {"transform", "opacity", "none"}


def test_other_animations_are_found() -> None:
    frames = "@keyframes a {\n  50% {\n    box-shadow: none;\n    opacity: 1;\n  }\n}\n"
    assert animated(frames) == {"box-shadow", "opacity"}
    assert animated(".a {\n  transition:\n    top var(--quick),\n    all 1s;\n}\n") == {
        "top",
        "all",
    }


def slow_questions(text: str) -> list[str]:
    """The arguments of :has() that the browser checks again at each change of a page: all except
    names of classes and ids, and except those that are asked of the whole page."""
    plain = COMMENT.sub("", text)
    asked = re.findall(r"([\w.#(-]*):has\(([^()]*(?:\([^()]*\)[^()]*)*)\)", plain)
    return [
        f"{subject}:has({argument})"
        for subject, argument in asked
        if subject in ("", "body", "html")
        or any(
            re.sub(r"[.#][\w-]+|:is\(|[\s>)+~]", "", part)
            or not re.search(r"[.#][\w-]+$", part.rstrip(") "))
            for part in argument.split(",")
        )
    ]


@pytest.mark.parametrize("name", ["look", "child", *assets.JOINED["css/play.css"]])
def test_a_table_asks_has_only_for_classes_and_ids(name: str) -> None:
    """One other argument in a table's style sheets made the browser work out the styles of some
    eighty elements again for each card that flew, each word and each tap."""
    assert slow_questions((ROOT / "static" / "css" / f"{name}.css").read_text("utf-8")) == []


def test_slow_questions_are_found() -> None:
    for slow in ("body:has(#q)", ".a:has(:checked)", ".a:has(> .b:empty)", ".a:has(.b[open])"):
        assert slow_questions(f"{slow} .c {{\n}}\n") == [slow]
    for quick in (".a:has(> #q)", ".a:has(.b, .c)", ".a:not(:has(.b))"):
        assert slow_questions(f"{quick} .c {{\n}}\n") == [], quick


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
    """Printers leave about 6 mm white, and the second sheet of a page has no other margin. Three
    cards of 88 mm leave 7.7 mm of Letter, so the sheets of a game have the least margin."""
    margins = {
        (path.stem, name): re.findall(r"margin: (.*);", rule)
        for path in STYLES
        for name, rule in re.findall(r"@page ?(\w*) \{([^}]*)\}", path.read_text("utf-8"))
    }
    assert margins["adult", ""]
    for where, found in margins.items():
        widths = [float(width) for one in found for width in re.findall(r"([\d.]+)(?:mm)?", one)]
        assert all(width >= (6 if where[1] == "kit" else 8) for width in widths), where
