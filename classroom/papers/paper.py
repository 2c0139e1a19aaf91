"""A paper: a document made of plain parts, which is shown as a page or written as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    kind: ClassVar = "text"
    words: str


@dataclass(frozen=True, slots=True)
class Points:
    """A list of sentences."""

    kind: ClassVar = "points"
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """Questions or headings, each with its answer."""

    kind: ClassVar = "answers"
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below their headings."""

    kind: ClassVar = "table"
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Blank:
    """Something that only the school can say, with lines to write it on."""

    kind: ClassVar = "blank"
    label: str
    lines: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture from the sprite sheet with a sentence, for those who cannot read yet."""

    kind: ClassVar = "picture"
    name: str
    words: str


Item = Text | Points | Answers | Table | Blank | Picture


@dataclass(frozen=True, slots=True)
class Part:
    """A heading and what stands below it."""

    head: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A document. `key`: its name in addresses and files. `about`: what it is for, and for whom."""

    key: str
    title: str
    about: str
    parts: tuple[Part, ...]


def markdown(paper: Paper) -> str:
    """The text of a paper as Markdown."""
    lines = [f"# {paper.title}", "", paper.about, ""]
    for part in paper.parts:
        lines += [f"## {part.head}", ""]
        for item in part.items:
            lines += [*_lines(item), ""]
    return "\n".join(lines).rstrip() + "\n"


def _lines(item: Item) -> Iterator[str]:
    match item:
        case Text(words):
            yield words
        case Points(lines):
            yield from (f"- {line}" for line in lines)
        case Answers(pairs):
            yield from (f"- **{head}** {words}" for head, words in pairs)
        case Table(heads, rows):
            yield from (_row(row) for row in (heads, ("---",) * len(heads), *rows))
        case Blank(label, lines):
            yield f"{label}:" + " ______________________" * lines
        case Picture(_, words):
            yield f"- {words}"


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
