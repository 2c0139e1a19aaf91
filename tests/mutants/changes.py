"""Small changes to a module, each of which some test ought to notice.

Cosmic Ray makes most of them. It does not change strings, so the lines of the permission table are
changed here. Changes that cannot be noticed are not made: those in annotations, in decorators such
as `dataclass` and `cache`, in what is only for the type checker, and in the `strict` of `zip`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec

TABLE: Final = "permissions.py"
KINDS: Final = (
    "nobody", "device", "child", "home_device", "home_child", "teacher", "parent", "admin",
    "substitute",
)  # fmt: skip
# Replacing + by each of eleven others says little more than replacing it by -.
ARITHMETIC: Final = {"Add_Sub", "Sub_Add", "Mul_Add", "Div_Mul", "FloorDiv_Mul", "Mod_Add"}
SETS: Final = {"BitOr_BitAnd", "BitAnd_BitOr", "Sub_BitAnd", "RShift_LShift", "LShift_RShift"}
UNNOTICED: Final = ("core/VariableInserter", "core/VariableReplacer", "core/AddNot")
CACHES: Final = ("cache", "lru_cache", "dataclass", "overload", "total_ordering", "contextmanager")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change. `what` names it: the path, and the line before and after."""

    path: Path
    line: int
    source: str
    what: str


def places(path: Path, scratch: Path) -> list[list[MutationSpec]]:
    """The changes to this module that are worth trying, in a list for each place in the source."""
    with use_db(str(scratch)) as work:
        init([path], work, {})
        specs = [spec for item in work.work_items for spec in item.mutations]
    hidden = _unseen(ast.parse(path.read_text(encoding="utf-8")))
    found: dict[tuple[int, int], list[MutationSpec]] = {}
    for spec in specs:
        if _says_something(spec.operator_name) and spec.start_pos not in _Within(hidden):
            found.setdefault(spec.start_pos, []).append(spec)
    return [found[place] for place in sorted(found)]


def mutant(path: Path, spec: MutationSpec) -> Mutant | None:
    """The module with this change, or None if it then means the same or cannot be parsed."""
    source = path.read_text(encoding="utf-8")
    changed = mutate_code(source, get_operator(spec.operator_name)(), spec.occurrence)
    if changed is None or changed == source:
        return None
    try:
        if ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source)):
            return None
    except SyntaxError:
        return None
    line = spec.start_pos[0]
    before, after = source.splitlines()[line - 1], _line(changed, line)
    return Mutant(path, line, changed, f"{path}: `{before.strip()}` -> `{after.strip()}`")


def table_mutants(path: Path, rng: Random) -> Iterator[Mutant]:
    """Yield without end the permission table with one line widened, narrowed or without its
    owner."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines(keepends=True)
    rows = [number for number, line in enumerate(lines) if _is_row(line)]
    while True:
        number = rng.choice(rows)
        changed = _other_row(lines[number], rng)
        if changed != lines[number]:
            text = "".join([*lines[:number], changed, *lines[number + 1 :]])
            yield Mutant(
                path, number + 1, text, f"{path}: `{lines[number].strip()}` -> `{changed.strip()}`"
            )


def _is_row(line: str) -> bool:
    return line.startswith('    "') and "_may(" in line


def _other_row(row: str, rng: Random) -> str:
    """The row with a method or kind of person added or removed, or without its owner."""
    name, _, call = row.partition(": _may(")
    given = [part.strip() for part in call.rstrip().removesuffix("),").split(",")]
    part = rng.randrange(len(given))
    if part == 2:
        given.pop()
    elif given[part].startswith('"'):
        words = set(given[part].strip('"').split())
        words ^= {rng.choice(("GET", "POST") if part == 0 else KINDS)}
        given[part] = '"' + " ".join(sorted(words)) + '"'
    return f"{name}: _may({', '.join(given)}),\n"


def _says_something(operator: str) -> bool:
    change = operator.partition("ReplaceBinaryOperator_")[2]
    if change:
        return change in ARITHMETIC | SETS
    return not operator.startswith(UNNOTICED)


def _line(text: str, number: int) -> str:
    lines = text.splitlines()
    return lines[number - 1] if number <= len(lines) else ""


class _Within:
    """The places inside these nodes."""

    def __init__(self, nodes: list[ast.AST]) -> None:
        self._spans = [
            ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))  # type: ignore[attr-defined]
            for node in nodes
        ]

    def __contains__(self, place: tuple[int, int]) -> bool:
        return any(begin <= place < end for begin, end in self._spans)


def _unseen(tree: ast.Module) -> list[ast.AST]:
    """Nodes in which no test can notice a change: annotations, decorators such as `cache`, what is
    only for the type checker, and `strict`, which stops our own faults."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            found.append(node.annotation)
        if isinstance(node, ast.FunctionDef):
            found += [node.returns] if node.returns is not None else []
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found += [one for one in node.decorator_list if _named(one) in CACHES]
        if isinstance(node, ast.If) and _named(node.test) == "TYPE_CHECKING":
            found += node.body
        if isinstance(node, ast.Call) and _named(node.func) in ("TypeVar", "cast"):
            found.append(node)
        if isinstance(node, ast.keyword) and node.arg == "strict":
            found.append(node)
    return found


def _named(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
