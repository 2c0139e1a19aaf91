"""What a child sees and hears: whole sentences, one table for each language.

A table is `translations/sentences/<language>.toml`. A sentence has its words and the pieces of the
voice that speak them (static/voice). If the words depend on something, the entry is a table of ways
to say the sentence, and a way can be another such table. The first tag that has a way is used, else
`other`. The order of the tags is:

- tags from the caller, such as the game, or `i` if the viewer acts;
- then the tags of each slot, in the order of the call. A thing has its kind (`rank`, `family`; see
  `Said.tags`) and the gender of its words. A number has itself (`n2`) and its plural category in
  this language (`one`, `two`, `few`). A word has its gender.

Tags of the slots `thing`, `card` and `n` stand alone. Tags of any other slot begin with its name:
`m-one`, `who-f`. In a text, `{slot}` is filled with the word for the slot's value, `{slot:form}`
with another form of this word, such as a plural, a dual or a measure word, and `{Slot}` with the
word, capitalised. In pieces, a slot is filled with the key of its value. A form of a thing is a
sentence of its own: `{thing:many}` is `thing.many`.

In a language without recorded pieces (`voice = "device"`), the device's own voice speaks whole
sentences. It speaks only entries that are lists: the second text or, without one, the first. The
spoken text begins with "=", and PART follows each filled slot, so that scripts/child/packs.js can
play parts of the sentence that an adult has recorded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple

from babel import Locale
from markupsafe import Markup, escape

from classroom.config import ROOT
from classroom.web.words import language

TABLES: Final = ROOT / "translations" / "sentences"
FIRST: Final = "en"  # the language that has every sentence; it is used where another lacks one
SLOT: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
PART: Final = "|"  # added after each slot, to split a sentence for the device's voice into parts
_PLAIN: Final = ("thing", "card", "n")  # slots whose tags stand alone
_WORDS: Final = {
    "who": "animal",
    "other": "animal",
    "suit": "suit",
    "shape": "shape",
    "colour": "colour",
    "sign": "sign",
    "picture": "picture",
}


class Phrase(NamedTuple):
    """A sentence as words, and as the text to be spoken. A template shows the words."""

    words: Markup
    say: str

    def __html__(self) -> Markup:
        return self.words


class Said(NamedTuple):
    """The facts about a card or a class of cards that sentences need. `forms`: the name of the
    table's part with the forms of such a thing."""

    forms: str
    tags: tuple[str, ...]
    slots: Mapping[str, object]


class SentenceTable:
    """The sentences of one language. A missing sentence, word or form raises LookupError."""

    def __init__(self, entries: dict[str, Any]) -> None:
        self.entries = entries
        self._plural = Locale.parse(entries["locale"]).plural_form
        self._by_device = entries.get("voice") == "device"

    def phrase(self, key: str, tags: tuple[str, ...], slots: Mapping[str, Any]) -> Phrase:
        entry: Any = self.entries
        for part in key.split("."):
            entry = entry[part]
        known = (*tags, *self._tags(slots), "other")
        while isinstance(entry, dict):
            entry = next((entry[tag] for tag in known if tag in entry), None)
        if entry is None:
            raise LookupError(key)
        words, *say = entry if isinstance(entry, list) else (entry, "")
        return self._filled(words, say[0] if say else words, slots)

    def _filled(self, words: str, say: str, slots: Mapping[str, Any]) -> Phrase:
        shown = self._in_full(words, slots)
        if self._by_device:
            return Phrase(shown, say and "=" + self._in_full(say, slots, PART).unescape())
        return Phrase(shown, SLOT.sub(lambda found: self._piece(found, slots), say))

    def _in_full(self, text: str, slots: Mapping[str, Any], end: str = "") -> Markup:
        filled = SLOT.sub(lambda found: self.word(found, slots) + end, text)
        return Markup(  # noqa: S704 all values in it are escaped
            language.sounded(self.entries["locale"], filled) if slots else filled
        )

    def _tags(self, slots: Mapping[str, Any]) -> Iterator[str]:
        for slot, value in slots.items():
            before = "" if slot in _PLAIN else f"{slot}-"
            if isinstance(value, int):
                yield f"{slot}{value}"
                if (category := self._plural(value)) != "other":  # `other` is tried last anyway
                    yield before + category
            elif hasattr(value, "said"):
                genders = (self._forms(*one).get("gender") for one in value.said.slots.items())
                yield from (before + tag for tag in (*value.said.tags, *genders) if tag)
            elif gender := self._forms(slot, value).get("gender"):
                yield before + gender

    def _forms(self, slot: str, value: object) -> dict[str, str]:
        """The forms of a word; empty for a number or a name."""
        word = self.entries["words"][_WORDS[slot]][value] if value and slot in _WORDS else {}
        return word if isinstance(word, dict) else {"plain": word}

    def word(self, found: re.Match[str], slots: Mapping[str, Any]) -> str:
        """The text that fills a slot found by SLOT."""
        name, form = found.groups()
        slot = name[:1].lower() + name[1:]
        text = self._in_words(slot, form, slots[slot])
        return text if name == slot else text[:1].upper() + text[1:]

    def _in_words(self, slot: str, form: str | None, value: Any) -> str:
        if hasattr(value, "said"):
            return self._part(value, form).words
        if isinstance(value, int):
            known = self.entries["words"]["number"]
            numbers: list[str] = known[form or "plain"] if form != "digits" else []
            return numbers[value] if 0 <= value < len(numbers) else str(value)
        return self._forms(slot, value)[form or "plain"] if slot in _WORDS else str(escape(value))

    def _piece(self, found: re.Match[str], slots: Mapping[str, Any]) -> str:
        slot, form = found.groups()
        value = slots[slot]
        return self._part(value, form).say if hasattr(value, "said") else str(value)

    def _part(self, value: Any, form: str | None) -> Phrase:
        """A thing in this form, or one of its numbers: `{thing:n}`."""
        said: Said = value.said
        if form is not None and form in said.slots:
            number = f"{{{form}}}"
            return self._filled(number, number, said.slots)
        return self.phrase(f"{said.forms}.{form}", said.tags, said.slots)


@cache
def table(spoken: str) -> SentenceTable | None:
    """The table of a language, such as `es` or `en_GB`; None if there is none."""
    for name in (spoken, spoken.partition("_")[0]):
        if (file := TABLES / f"{name}.toml").exists():
            return SentenceTable(tomllib.loads(file.read_text("utf-8")))
    return None


def phrase(key: str, /, *tags: str | Literal[False] | None, **slots: Any) -> Phrase:
    """A sentence in the page's language. False tags, and slots that are None, are left out."""
    given = tuple((slot, value) for slot, value in slots.items() if value is not None)
    return _phrase(language.language(), key, tuple(tag for tag in tags if tag), given)


def called(thing: Any, form: str = "many") -> Markup:
    """The name of a card or a class of cards, in words without pieces of the voice."""
    return phrase(f"called.{form}", **{thing.said.forms: thing}).words


def animal(name: str) -> str:
    """The name of an animal, or of a computer friend, in the language of the page."""
    return str(phrase("called.animal", who=name).words)


def player(one: Any) -> str:
    """The name of a player. A computer friend has the name of its animal."""
    return animal(one.animal) if one.name.lower() == one.animal else str(one.name)


@lru_cache(maxsize=8192, typed=True)
def _phrase(
    spoken: str, key: str, tags: tuple[str, ...], slots: tuple[tuple[str, Any], ...]
) -> Phrase:
    return spoken_in(table(spoken), key, tags, dict(slots))


def spoken_in(
    chosen: SentenceTable | None, key: str, tags: tuple[str, ...], slots: Mapping[str, Any]
) -> Phrase:
    """A sentence of this table, or in English if the table lacks any part of it."""
    if chosen is not None:
        with suppress(LookupError):
            return chosen.phrase(key, tags, slots)
    first = table(FIRST)
    assert first is not None
    return first.phrase(key, tags, slots)
