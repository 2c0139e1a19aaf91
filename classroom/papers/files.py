"""The privacy page and the papers as files of this repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from classroom import privacy
from classroom.papers import ANY_SCHOOL, markdown, papers


def texts() -> Iterator[tuple[str, str]]:
    """Yield the path of each file below the root, and its text."""
    yield "PRIVACY.md", privacy.page()
    for paper in papers(ANY_SCHOOL):
        yield f"docs/folder/{paper.key}.md", markdown(paper)


def write(root: Path) -> None:
    """Write all these files below `root`."""
    for path, text in texts():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")
