"""Check that the project's words are plain English: `python -m tests.words [FILE ...]`.

Reads comments, docstrings, Markdown and the text of templates, in the named files or in all tracked
ones, and prints file:line for each hit. codespell then looks for misspellings, also in settings."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.test_house import ROOT, tracked

READ: Final = {".py", ".md", ".html", ".js", ".css"}
SPELLED: Final = READ | {".toml", ".yml", ".in"}

RULES: Final = {
    'a statement that begins with "Who": name the subject': re.compile(
        r"(?:\A|(?<=[.!?]\s)|(?<=[.!?]['\")*]\s))[\W_]*(?:Who|Whoever|Whose|Whom)\b[^.!?]*[.!]"
    ),
    '"own" without an owner: its own, their own': re.compile(r"\b(?:the|an) own\b", re.I),
    '"anew": again': re.compile(r"\banew\b", re.I),
    '"so many": this many, some': re.compile(
        r"(?<!not )(?<!not\n)\bso\s+many\b(?![^.!?;:]*\bthat\b)", re.I
    ),
    'a subject "nobody" with a present verb: say what is not done': re.compile(
        r"\bnobody\s+(?!is\b|has\b|was\b|else\b)[a-z]+s\b", re.I
    ),
    "American spelling": re.compile(
        r"\b(?:(?:behavior|color|favor|flavor|honor|neighbor|rumor|center|gray|jewelry|analyz)\w*"
        r"|catalogs?|(?:cancel|label|model|travel|signal)(?:ed|ing)|fulfills?|defense|offense"
        r"|practic(?:ed|ing)|to practice)\b",
        re.I,
    ),
}


def hits(path: Path) -> Iterator[tuple[int, str, str]]:
    """The line, the rule and the words of each place in a file that breaks a rule."""
    for line, text in pieces(path):
        for rule, pattern in RULES.items():
            for found in pattern.finditer(text):
                start = line + text.count("\n", 0, found.end() - len(found[0].lstrip()))
                yield start, rule, " ".join(found[0].split())


def pieces(path: Path) -> Iterator[tuple[int, str]]:
    """The prose of a file without code in backticks, and the line on which each piece begins."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        found = _of_python(source)
    elif path.suffix == ".md":  # a bold label is a heading, not a statement
        found = _parts(re.sub(r"(?ms)^ *(`{3,}).*?^ *\1|\*[^*\n]+\.\*", _blank, source))
    elif path.suffix == ".html":
        text = re.sub(r"(?s)\{\{.*?\}\}", _blank, source)
        found = _parts(re.sub(r"(?s)\{%.*?%\}|\{#-?|-?#\}|<[^>]*>", _bar, text))
    else:
        comments = re.finditer(r"(?s)/\*.*?\*/|(?<![:'\"])//[^\n]*", source)
        found = iter([(source.count("\n", 0, one.start()) + 1, one[0]) for one in comments])
    for line, text in found:
        yield line, re.sub(r"`[^`]*`", _blank, text)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "_", found[0])


def _bar(found: re.Match[str]) -> str:
    return "|" + "\n" * found[0].count("\n")


def _of_python(source: str) -> Iterator[tuple[int, str]]:
    """Docstrings, and comments joined with those on the lines above. Each is a statement and gets
    a full stop."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text + "."
    blocks: list[tuple[int, list[str]]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, words = token.start[0], token.string.lstrip("# ")
            follows = token.line.lstrip().startswith("#") and blocks
            if follows and line == blocks[-1][0] + len(blocks[-1][1]):
                blocks[-1][1].append(words)
            else:
                blocks.append((line, [words]))
    yield from ((line, "\n".join(block) + ".") for line, block in blocks)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs, list items and cells. Only what ends in a full stop is read as a statement."""
    line = 1
    for part in re.split(r"(\n\s*\n|\n\s*(?=[-*#>] |\d+\. )|\|)", text):
        yield line, part
        line += part.count("\n")


def main(names: Sequence[str] = ()) -> int:
    """Print each hit of these files, or of all. Returns 1 if there is one, or a misspelling."""
    paths = [Path(name) for name in names] or [path.relative_to(ROOT) for path in tracked()]
    ours = [
        path
        for path in paths
        if path.suffix in SPELLED and not {"vendor", "es"} & {*path.parts, *path.stem.split("-")}
    ]
    count = 0
    for path in ours:
        for line, rule, words in hits(path) if path.suffix in READ else ():
            print(f"{path.as_posix()}:{line}: {rule} ({words[:60]})", flush=True)
            count += 1
    spelling = [sys.executable, "-m", "codespell_lib", *map(str, ours)]
    misspelt = subprocess.run(spelling, check=False).returncode if ours else 0
    return 1 if count or misspelt else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
