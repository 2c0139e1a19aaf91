"""The papers that a school needs before it may use the program, PRIVACY.md, and the list of
components.

Each paper is a template in Markdown (templates/papers), filled in from the privacy register,
data/papers.toml and the facts about one school. The app's pages are made from that Markdown.
"""

from __future__ import annotations

import gettext
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
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
    "notice-for-parents-es",
    "page-for-children-es",
    "school-authorisation",
    "processor-terms",
    "accessibility",
)
PUBLISHED: Final = {
    "PRIVACY": "PRIVACY.md",
    "privacy-columns": "docs/privacy-columns.md",
    "impact-assessment": "docs/folder/impact-assessment.md",
    "retention-schedule": "docs/folder/retention-schedule.md",
    "notice-for-parents": "docs/folder/notice-for-parents.md",
}
"""The templates whose papers are also kept as files, because a district reads them before it
installs the program. The other papers exist only in the app, with the name of the school."""

SPANISH: Final = "es"  # papers for families exist in Spanish too
_DATA: Final = tomllib.loads((PACKAGE / "data" / "papers.toml").read_text(encoding="utf-8"))
ACTIVITIES: Final[list[dict[str, Any]]] = _DATA["activities"]
RISKS: Final[list[dict[str, Any]]] = _DATA["risks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchoolFacts:
    """The facts about a school. `contact`: the person to ask about privacy, "" if the settings name
    nobody. `https`: whether this server speaks https itself. `database`: "SQLite" or
    "PostgreSQL"."""

    school: str = "the school"
    contact: str = ""
    https: bool = False
    database: str = "SQLite"


ANY_SCHOOL: Final = SchoolFacts()
"""The facts for the papers that come with the program."""


@dataclass(frozen=True, slots=True)
class Block:
    """The text between two empty lines of a paper. Its rows depend on its `kind`. `text`: one row,
    the words. `points`: a row for each point, with its picture, heading and words. `table`: the row
    of headings, then the other rows. `blank`: one row, the label and the lines to fill in."""

    kind: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document. `key`: its name in URLs and files. `about`: what it is for, and for whom.
    `parts`: each heading, and the blocks below it. `markdown`: its whole text."""

    key: str
    title: str
    about: str
    parts: tuple[tuple[str, tuple[Block, ...]], ...]
    markdown: str

    @property
    def language(self) -> str:
        """The language of the document; the page around it may be in another language."""
        return SPANISH if self.key.endswith(f"-{SPANISH}") else "en"


def papers(facts: SchoolFacts) -> tuple[Document, ...]:
    """Return all the papers in the folder, filled in with the facts about one school."""
    return tuple(_paper(key, _text(key, facts)) for key in KEYS)


def texts() -> Iterator[tuple[str, str]]:
    """Yield the path below the root of each file that is made from the register, and its text."""
    for key, path in PUBLISHED.items():
        yield path, _PICTURE.sub("", _text(key, ANY_SCHOOL))


def write(root: Path) -> None:
    """Write all files of `texts` below `root`."""
    for path, text in texts():
        (root / path).write_text(text, encoding="utf-8", newline="\n")


def _how_long(activity: Mapping[str, Any]) -> str:
    """Return how long the data of an activity is kept; each period is named once."""
    tables = [privacy.REGISTER[name] for name in activity["tables"]]
    return "; ".join(dict.fromkeys(line.keep for one in tables for line in one.columns.values()))


_PICTURE: Final = re.compile(r"(?<=^- )!\[\]\([\w-]+\) ", re.M)
_POINT: Final = re.compile(r"- (?:!\[\]\((.+?)\) )?(?:\*\*(.+?)\*\* )?(.+)")
_BLANK: Final = re.compile(r"(.+):((?: _+)+)")
_TEMPLATES: Final = Environment(  # noqa: S701 - this is not HTML; the pages escape it
    loader=FileSystemLoader(ROOT / "templates"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
# In the templates, values have the same names as in privacy.toml and papers.toml.
_TEMPLATES.globals |= {
    name.lower(): found for name, found in vars(privacy).items() if name.isupper()
}
_TEMPLATES.globals |= _DATA
_TEMPLATES.globals |= {
    "how_long": _how_long,
    "noted": privacy.noted,
    "in_record": privacy.in_record,
    SPANISH: gettext.translation("messages", ROOT / "translations", [SPANISH]).gettext,
}


def _text(key: str, facts: SchoolFacts) -> str:
    template = _TEMPLATES.get_template(f"papers/{key}.md")
    more = {"School": facts.school[:1].upper() + facts.school[1:]}
    text = template.render(asdict(facts), whom=facts.contact or facts.school, **more)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _paper(key: str, text: str) -> Document:
    first, *rest = text.split("\n## ")
    title, about = first.removeprefix("# ").strip().split("\n\n")
    parts = []
    for part in rest:
        head, *blocks = part.strip().split("\n\n")
        parts.append((head, tuple(_block(block.splitlines()) for block in blocks)))
    plain = _PICTURE.sub("", text)
    return Document(key=key, title=title, about=about, parts=tuple(parts), markdown=plain)


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


# ---- the list of components

LOCKS: Final = {"requirements.txt": "required", "requirements-postgres.txt": "optional"}
TAKEN_OVER: Final = (
    ("htmx", "4.0.1", "0BSD", "scripts/vendor/htmx.min.js"),
    ("hx-sse", "4.0.1", "0BSD", "scripts/vendor/hx-sse.min.js"),
    ("andika-regular", "", "OFL-1.1", "static/fonts/andika-latin-400-normal.woff2"),
    ("andika-bold", "", "OFL-1.1", "static/fonts/andika-latin-700-normal.woff2"),
    ("fredoka", "", "OFL-1.1", "static/fonts/fredoka-latin-wght-normal.woff2"),
)
_LOCKED: Final = re.compile(r"^([a-z0-9._-]+)==([^\s;]+)((?:.|\n(?!\S))*)", re.M)
_HASH: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
Component = dict[str, Any]


def _licensed(licence: str) -> list[Component]:
    return [{"license": {"id": licence}}]


# The program that made the recordings is not shipped with Fish School; see docs/voice.md.
VOICE: Final[Component] = {
    "type": "data",
    "bom-ref": "static/voice",
    "name": "voice",
    "description": "Recordings of a synthetic voice, made with hibari-tts 0.2.1 (heart)",
    "licenses": _licensed("Apache-2.0"),
}


def components() -> str:
    """Return the list of third-party software that a school runs, in CycloneDX format (JSON). Each
    call makes it from the locks and the vendored files, so it is never out of date. The same locks
    and files always give the same list."""
    found = {one["bom-ref"]: one for one in (*_files(), VOICE, *_libraries())}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    school = {
        "type": "application",
        "bom-ref": "fish-school",
        **{name: project[name] for name in ("name", "version", "description")},
        "licenses": _licensed(project["license"]),
    }
    listed = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": school},
        "components": [found[name] for name in sorted(found)],
        "dependencies": [{"ref": "fish-school", "dependsOn": sorted(found)}],
    }
    return json.dumps(listed, indent=2) + "\n"


def _libraries() -> Iterator[Component]:
    """Yield the libraries in the locks. The first lock that names a library decides its scope."""
    listed = set()
    for lock, scope in LOCKS.items():
        for name, version, rest in _LOCKED.findall((ROOT / lock).read_text(encoding="utf-8")):
            if name in listed:
                continue
            listed.add(name)
            purl, hashes = f"pkg:pypi/{name}@{version}", list(map(_hash, _HASH.findall(rest)))
            yield {
                "type": "library",
                "bom-ref": purl,
                "name": name,
                "version": version,
                "scope": scope,
                "purl": purl,
                "externalReferences": [{"type": "distribution", "url": purl, "hashes": hashes}],
            }


def _files() -> Iterator[Component]:
    for name, version, licence, path in TAKEN_OVER:
        found = {
            "type": "file" if path.endswith("woff2") else "library",
            "bom-ref": path,
            "name": name,
            "hashes": [_hash(sha256((ROOT / path).read_bytes()).hexdigest())],
            "licenses": _licensed(licence),
        }
        yield found | ({"version": version} if version else {})


def _hash(digest: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": digest}
