"""Which test files a change can break: `python3 run.py test --changed[=REF]`.

A Python module can break the tests that import it, directly or not. Any other file can break the
tests of the modules that name it or its folder. Files that matter everywhere (settings, locked
libraries, tests/conftest.py) can break every test.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
ROOMS: Final = ("classroom", "tools", "tests")
ALWAYS: Final = ("tests/test_house.py", "tests/test_imports.py")
EVERYTHING: Final = re.compile(
    r"requirements.*|pyproject\.toml|run\.py|tests/(conftest|sample)\.py|\.ci/.*"
)
PAGES: Final = "classroom/web/routes.py"  # stands for everything that pages are made of
DATABASE: Final = "classroom/app.py"  # stands for everything that has a database
DOCUMENTS: Final = ("tests/test_documents.py", "tests/test_papers.py")
# The app imports services and pages, so tests of services would reach all pages, too. But they
# request none, except where they name one of the words below.
NO_PAGES: Final = "tests/services/"
_BROWSER: Final = re.compile(r"client|visitor|browser|serving", re.I)


class UnknownReference(Exception):
    """Git knows no such commit."""


# ---- what has changed


def since(reference: str | None, root: Path = ROOT) -> tuple[str, set[str]]:
    """The reference, and every file that has changed since this branch left it, untracked ones too.

    Without a reference, main is used; on main itself, these are the uncommitted changes.
    """
    found = [reference] if reference else ["main", "origin/main", "HEAD"]
    known = [
        name for name in found if _git(root, "rev-parse", "-q", "--verify", name + "^{commit}")
    ]
    if not known:
        raise UnknownReference(f"Git knows no commit {reference!r}.")
    base = _git(root, "merge-base", known[0], "HEAD") or [known[0]]
    files = _git(root, "diff", "--name-only", "--no-renames", base[0])
    return known[0], {*files, *_git(root, "ls-files", "--others", "--exclude-standard")}


def _git(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


# ---- what it can break


def broken_by(changed: Iterable[str]) -> set[str]:
    """The test files that these files can break, and those that always run."""
    changed = set(changed)
    if any(EVERYTHING.fullmatch(name) for name in changed):
        return set(test_files())
    causes = {cause for name in changed for cause in _causes(name)}
    broken = {file for file in test_files() if causes & reach(file)}
    return broken | set(ALWAYS)


def _causes(name: str) -> Iterator[str]:
    """The files that behave differently when this one has changed."""
    path = Path(name)
    if name.startswith("classroom/migrations/"):
        yield DATABASE
    elif path.suffix == ".py":
        yield name
    else:
        top, words = path.parts[0], {path.name}
        if top in ("templates", "static"):
            yield PAGES
        if top in ("templates", "static", "docs", "tests"):
            words.add(path.parent.name if top == "tests" else top)
        document = path.suffix == ".md"  # the app reads no documents, it only mentions them
        yield from DOCUMENTS if document else ()
        readers = (file for file in modules() if not document or file.startswith("tests/"))
        yield from (file for file in readers if words & _texts(file))


@cache
def reach(file: str) -> set[str]:
    """A test file and every module that it uses, directly or not; pages only if it requests any."""
    pages = not file.startswith(NO_PAGES) or bool(_BROWSER.search(_text(file)))
    found, new = set[str](), [file, *(other for path in _used(file) for other in _runs(path))]
    while new:
        path = new.pop()
        if path not in found and (pages or not path.startswith("classroom/web/")):
            found.add(path)
            new += _used(path) | _conftests(path)
            new += _runs(path) if path.startswith("tests/") else ()
    return found


# ---- the modules


@cache
def modules() -> frozenset[str]:
    """Every Python file of ours."""
    found = (path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return frozenset(path.relative_to(ROOT).as_posix() for path in found)


@cache
def test_files() -> list[str]:
    return [path for path in sorted(modules()) if Path(path).name.startswith("test_")]


@cache
def _text(path: str) -> str:
    """The text of a file, or "" if it is gone."""
    return (ROOT / path).read_text(encoding="utf-8") if path in modules() else ""


@cache
def tree(path: str) -> ast.Module:
    """A module of ours as Python reads it, by its path from the root."""
    return ast.parse(_text(path))


def trees(folder: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module below this folder, with its path."""
    for path in sorted(modules()):
        if path.startswith(f"{folder}/"):
            yield path, tree(path)


@cache
def _texts(path: str) -> frozenset[str]:
    """The strings of a module, split at slashes. Names of files and folders are among them."""
    found = (node.value for node in ast.walk(tree(path)) if isinstance(node, ast.Constant))
    return frozenset(part for text in found if isinstance(text, str) for part in text.split("/"))


@cache
def _used(path: str) -> frozenset[str]:
    """The files that a module's imports may refer to, whether they exist or not."""
    asked = set[str]()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            asked |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            asked |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return _files(asked)


@cache
def _runs(path: str) -> frozenset[str]:
    """The files that a module runs as programs: [..., "-m", "classroom", ...]."""
    asked = set[str]()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.List):
            texts = [part.value if isinstance(part, ast.Constant) else None for part in node.elts]
            after = [str(name) for option, name in pairwise(texts) if option == "-m"]
            asked |= {part for name in after for part in (name, f"{name}.__main__")}
    return _files(asked)


def _files(names: Iterable[str]) -> frozenset[str]:
    return frozenset(
        name.replace(".", "/") + end
        for name in names
        if name.partition(".")[0] in ROOMS
        for end in (".py", "/__init__.py")
    )


@cache
def _conftests(file: str) -> frozenset[str]:
    """The conftests in the folders of a test file that define a fixture that the file uses."""
    if not file.startswith("tests/"):
        return frozenset()
    words = {node.arg for node in ast.walk(tree(file)) if isinstance(node, ast.arg)}
    above = (f"{folder.as_posix()}/conftest.py" for folder in Path(file).parents)
    return frozenset(path for path in above if path in modules() and words & _fixtures(path))


@cache
def _fixtures(conftest: str) -> frozenset[str]:
    return frozenset(
        node.name
        for node in ast.walk(tree(conftest))
        if isinstance(node, ast.FunctionDef)
        and any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
    )


# ---- in words


def left_out(chosen: set[str]) -> str:
    """A line that says how many test files run, and how many of each folder do not."""
    out = Counter(Path(file).parent.name for file in test_files() if file not in chosen)
    many = ", ".join(f"{count} of {folder}" for folder, count in sorted(out.items()))
    return f"{len(chosen)} of {len(test_files())} test files; left out: {many or 'none'}"
