"""The papers that a school needs before it may use the program, and PRIVACY.md.

Each is a template in Markdown (templates/papers), filled in from the privacy register, from
data/papers.toml and with the facts about one school. A page shows what the Markdown says.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from classroom import privacy
from classroom.config import PACKAGE, ROOT

KEYS: Final = (
    "impact-assessment",
    "record-of-processing",
    "retention-schedule",
    "notice-for-parents",
    "page-for-children",
    "school-authorisation",
    "processor-terms",
    "accessibility",
)
PUBLISHED: Final = {"PRIVACY": "PRIVACY.md", "privacy-columns": "docs/privacy-columns.md"} | {
    key: f"docs/folder/{key}.md" for key in KEYS
}  # each template, and the file that is made from it

_DATA: Final = tomllib.loads((PACKAGE / "data" / "papers.toml").read_text(encoding="utf-8"))
ACTIVITIES: Final[list[dict[str, Any]]] = _DATA["activities"]
RISKS: Final[list[dict[str, Any]]] = _DATA["risks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the settings say about a school. `contact`: whom to ask about privacy, "" if the
    settings name no one. `https`: whether this server speaks https itself. `database`: "SQLite" or
    "PostgreSQL"."""

    school: str = "the school"
    contact: str = ""
    https: bool = False
    database: str = "SQLite"


ANY_SCHOOL: Final = Facts()
"""The facts for the papers that come with the program."""


@dataclass(frozen=True, slots=True)
class Block:
    """What stands between two empty lines of a paper.

    `kind` says what its rows are: the words of a `text`; picture, heading and words of each of the
    `points`; the headings and then the rows of a `table`; the label and each line of a `blank`.
    """

    kind: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A document. `key`: its name in addresses and files. `about`: what it is for, and for whom.
    `parts`: headings, and what stands below each. `markdown`: its whole text."""

    key: str
    title: str
    about: str
    parts: tuple[tuple[str, tuple[Block, ...]], ...]
    markdown: str


def papers(facts: Facts) -> tuple[Paper, ...]:
    """All papers of the folder, filled in with the facts about one school."""
    return tuple(_paper(key, _text(key, facts)) for key in KEYS)


def texts() -> Iterator[tuple[str, str]]:
    """Yield the path below the root of each file that is made from the register, and its text."""
    for key, path in PUBLISHED.items():
        yield path, _PICTURE.sub("", _text(key, ANY_SCHOOL))


def write(root: Path) -> None:
    """Write all these files below `root`."""
    for path, text in texts():
        (root / path).write_text(text, encoding="utf-8", newline="\n")


def _how_long(activity: Mapping[str, Any]) -> str:
    """How long the data of an activity is kept, each time once."""
    tables = [privacy.REGISTER[name] for name in activity["tables"]]
    return "; ".join(dict.fromkeys(line.keep for one in tables for line in one.columns.values()))


_PICTURE: Final = re.compile(r"(?<=^- )!\[\]\([\w-]+\) ", re.M)
_POINT: Final = re.compile(r"- (?:!\[\]\((.+?)\) )?(?:\*\*(.+?)\*\* )?(.+)")
_BLANK: Final = re.compile(r"(.+):((?: _+)+)")
_TEMPLATES: Final = Environment(  # noqa: S701 - it is no HTML; the pages escape what they show
    loader=FileSystemLoader(ROOT / "templates"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
# Templates call what they are filled in with as the two files do.
_TEMPLATES.globals |= {
    name.lower(): found for name, found in vars(privacy).items() if name.isupper()
}
_TEMPLATES.globals |= _DATA
_TEMPLATES.globals |= {
    "how_long": _how_long,
    "note": privacy.note,
    "in_record": privacy.in_record,
}


def _text(key: str, facts: Facts) -> str:
    template = _TEMPLATES.get_template(f"papers/{key}.md")
    more = {"School": facts.school[:1].upper() + facts.school[1:]}
    text = template.render(asdict(facts), whom=facts.contact or facts.school, **more)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _paper(key: str, text: str) -> Paper:
    first, *rest = text.split("\n## ")
    title, about = first.removeprefix("# ").strip().split("\n\n")
    parts = []
    for part in rest:
        head, *blocks = part.strip().split("\n\n")
        parts.append((head, tuple(_block(block.splitlines()) for block in blocks)))
    plain = _PICTURE.sub("", text)
    return Paper(key=key, title=title, about=about, parts=tuple(parts), markdown=plain)


def _block(lines: list[str]) -> Block:
    if lines[0].startswith("| "):
        rows = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in lines]
        return Block("table", tuple(map(tuple, [rows[0], *rows[2:]])))
    if lines[0].startswith("- "):
        points = (_POINT.fullmatch(line) for line in lines)
        return Block("points", tuple(point.groups("") for point in points if point))
    if blank := _BLANK.fullmatch(lines[0]):
        return Block("blank", ((blank[1], *blank[2].split()),))
    return Block("text", ((" ".join(lines),),))
