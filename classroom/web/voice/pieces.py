"""The pieces of a voice: the names and words of the short texts that somebody reads aloud, in each
language. The pieces that are heard most come first.

In English they are the pieces of the voice that comes with the program (docs/voice.md). In other
languages, which the device speaks, they are parts of sentences. A sentence is split after each of
its slots, and a part is named by its words (`name_of`; scripts/child/packs.js does the same).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from classroom.config import PACKAGE
from classroom.services.base.names import ANIMALS
from classroom.web.child.card_faces import CardFace, ClassFace
from classroom.web.words import language, phrases
from classroom.web.words.phrases import FIRST, SLOT, SentenceTable

RECORDED: Final = PACKAGE / "data" / "recorded.tsv"  # each piece: its name, voice and words
ENOUGH: Final = 200  # how many pieces are asked for first; they cover most of a round
NUMBERS: Final = range(1, 11)  # numbers to read in other languages; English has more
FAMILIES: Final = ("rock", "lizard", "frog", "shell", "weed")
_WORD: Final = re.compile(r"[^\W_]+")
_ORDER: Final = tuple(
    map(
        re.compile,
        (
            "your-turn|go-fish|yes|hello|well-played|you-won|tap-card|ask-friend|tap-pond",
            r"for-\d+",
            r"[a-z]+-asks",
            "|".join(ANIMALS),
            r"do-\d+",
            "you-get|you-fish|you-have|you-made|you|and|everybody|a-card",
            r"n-(1?\d|20)",
            r"many-\d+",
            r"[a-z]+-(gets|fishes|has)",
            r"who-\d+",
            r"book-\d+",
            "how-many|which-one|which-card|tap|ask-word|want-many|say-number|take-one",
            r"a-\d+",
            r"(wait|tap|count|new|show|keep|q)-[a-z-]+",
        ),
    )
)
# The sentences that come first in other languages; all sections follow.
_EARLY: Final = (
    *("step.gofish", "step.turn", "step.asked", "step.gave", "step.fished", "thing.who"),
    *("step.book", "todo.class", "todo.target", "ending", "won"),
)


class ToRead(NamedTuple):
    """A piece that somebody may read. `picture`: a symbol of the sprite, "" without one."""

    name: str
    words: str
    picture: str


@cache
def to_read(spoken: str) -> dict[str, ToRead]:
    """Return all pieces of a language by name, in the order of reading."""
    found: Iterable[tuple[str, str]]
    if spoken == FIRST:
        lines = (line.split("\t") for line in RECORDED.read_text("utf-8").splitlines())
        found = sorted(((name, words) for name, _voice, words in lines), key=_place)
    else:
        found = _parts_of(spoken)
    return {name: ToRead(name, words, _picture(words)) for name, words in found}


def name_of(words: str) -> str:
    """Return the name of a part of a sentence: its words, joined with hyphens."""
    return "-".join(_WORD.findall(words.lower()))


def _place(piece: tuple[str, str]) -> tuple[int, int, str]:
    """Return the sort key of a piece. Names with "+" come last: joined pieces can replace them."""
    name = piece[0]
    order = next((at for at, one in enumerate(_ORDER) if one.fullmatch(name)), len(_ORDER))
    number = re.search(r"\d+", name)
    return order + 100 * name.count("+"), int(number[0]) if number else 0, name


def _picture(words: str) -> str:
    """Return the picture of an animal that English words name; "" if they name none."""
    return next((f"a-{one}" for one in _WORD.findall(words.lower()) if one in ANIMALS), "")


# ---- the parts of sentences that the device speaks


def _parts_of(spoken: str) -> Iterator[tuple[str, str]]:
    table = phrases.table(spoken)
    assert table is not None
    seen = {""}
    sections = (key for key, entry in table.entries.items() if key != "words")
    for path in (*_EARLY, *sections):
        entry: Any = table.entries
        for part in path.split("."):
            entry = entry[part]
        for text in _said(entry):
            for words in _filled(table, text):
                if (name := name_of(words)) not in seen:
                    seen.add(name)
                    yield name, _alone(words)


def _alone(words: str) -> str:
    """Return part of a sentence as it would be spoken on its own, without punctuation that belongs
    to the rest of the sentence."""
    for begin, end in ("¡!", "¿?"):
        if words.count(begin) != words.count(end):
            words = words.replace(begin, "").replace(end, "")
    return words.strip(" ,:;").removesuffix(".")


def _said(entry: Any) -> Iterator[str]:
    if isinstance(entry, dict):
        for one in entry.values():
            yield from _said(one)
    elif isinstance(entry, list):
        yield entry[-1]


def _filled(table: SentenceTable, text: str) -> Iterator[str]:
    """Yield the parts of a text, each once for every value that its slot can have."""
    at = 0
    for slot in SLOT.finditer(text):
        before, at = text[at : slot.start()], slot.end()
        name = slot[1][:1].lower() + slot[1][1:]
        for value in _values(name):
            try:
                word = before + table.word(slot, {name: value})
            except (LookupError, TypeError):
                continue  # not a word that this slot can have
            yield language.sounded(table.entries["locale"], word)
    yield text[at:]


def _values(slot: str) -> Iterator[Any]:
    if slot in ("who", "other"):
        yield from ANIMALS
    elif slot in ("thing", "told"):
        yield from (ClassFace(str(n), n, "rank") for n in NUMBERS)
        yield from (ClassFace(family, 0, "family", suit=family) for family in FAMILIES)
    elif slot in ("card", "double"):
        yield from (CardFace(n) for n in NUMBERS)
        yield from (CardFace(0, family, "fish") for family in FAMILIES)
    elif slot != "name":
        yield from NUMBERS
