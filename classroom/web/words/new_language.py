"""A language that a school adds itself: files to fill, and what is still missing in them.

A table of sentences begins as a copy of the English one with MARK before each line, so that the
pages show English until a line is translated and its mark is removed. The catalogue of adults'
pages begins empty, so that they show English too.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from classroom.web.words.phrases import FIRST, TABLES

MARK: Final = "#? "  # put before each line that is not translated
CATALOGUES: Final = TABLES.parent
PLURALS: Final = {"zero", "one", "two", "few", "many"}
HEAD: Final = """\
# What a child sees and hears in {name}. A line behind "#?" is not translated: translate its text,
# and take the mark away. What is in curly brackets stays. A sentence may have other forms here than
# in English: classroom/web/words/phrases.py says how a table is read.

locale = "{code}"  # whose rules choose the forms by number
voice = "device"  # the device's own voice says each sentence
"""

_LINE: Final = re.compile(r"[\w.-]+ = |[ \]\"]")  # the first line of an entry, or a later line
_SPOKEN: Final = re.compile(r'^([\w.-]+ = \["(?:[^"\\]|\\.)*"), "[^"]*"\]$', re.MULTILINE)
_SLOT: Final = re.compile(r"\{(\w)(\w*)")


def begin(code: str, folder: Path = CATALOGUES) -> list[Path]:
    """Write the files of a new language that do not exist yet; returns their paths."""
    locale, catalogue = Locale.parse(code), BytesIO()
    untranslated = Catalog(locale=locale)
    with (CATALOGUES / "messages.pot").open("rb") as file:
        for one in read_po(file):
            if one.id:
                empty = ("",) * untranslated.num_plurals if one.pluralizable else ""
                untranslated.add(one.id, empty, flags=one.flags)
    write_po(catalogue, untranslated, width=0, no_location=True)
    texts = {
        folder / "sentences" / f"{code}.toml": _empty_table(locale, code).encode(),
        folder / code / "LC_MESSAGES" / "messages.po": catalogue.getvalue(),
    }
    made = [path for path in texts if not path.exists()]
    for path in made:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(texts[path])
    return made


def _empty_table(locale: Locale, code: str) -> str:
    english = (TABLES / f"{FIRST}.toml").read_text("utf-8")
    body = english[english.index("[words]") :]
    marked = (
        MARK + line if _LINE.match(line) else line
        for line in _SPOKEN.sub(r"\1]", body).splitlines()
    )
    return HEAD.format(name=locale.english_name, code=code) + "\n" + "\n".join(marked) + "\n"


def missing(code: str, folder: Path = CATALOGUES) -> Iterator[str]:
    """What a table of sentences lacks or has by mistake, and how many texts of adults' pages are
    not translated. Raises OSError if there are no such files, ValueError if one cannot be read."""
    path = folder / "sentences" / f"{code}.toml"
    mine, first = (
        tomllib.loads(one.read_text("utf-8")) for one in (path, TABLES / f"{FIRST}.toml")
    )
    unused = PLURALS - Locale.parse(mine["locale"]).plural_form.tags
    for part, entries in first.items():
        for key, entry in entries.items() if isinstance(entries, dict) else ():
            wanted = entry if part == "words" else {"": entry}
            for name in wanted:
                where = f"{part}.{key}.{name}".rstrip(".")
                found = _at(mine, where.split("."))
                if found is None and key not in unused:
                    yield f"{where}: {_texts_of(wanted[name])[0]}"
                elif part != "words":
                    known, used = (_slots(one) for one in (entry, found))
                    yield from (f"{where}: there is no {{{slot}}}" for slot in used - known)
    with (folder / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        texts = [one for one in read_po(file, locale=code) if one.id]
    if left := sum(1 for one in texts if not one.string or not "".join(one.string)):
        yield f"messages.po: {left} of {len(texts)} texts of adults' pages"


def _at(found: Any, keys: list[str]) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _texts_of(entry: Any) -> list[str]:
    """All texts of an entry, including the texts of each of its ways."""
    if isinstance(entry, dict):
        return [text for way in entry.values() for text in _texts_of(way)]
    return [str(text) for text in entry[:1]] if isinstance(entry, list) else [str(entry)]


def _slots(entry: Any) -> set[str]:
    found = _SLOT.findall(" ".join(_texts_of(entry))) if entry else ()
    return {first.lower() + rest for first, rest in found}
