"""The files of the voice, and the list of how each piece was recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tools.voice import sound
from tools.voice.speakers import Speaker

ROOT: Final = Path(__file__).parents[2]
VOICE: Final = ROOT / "static" / "voice"
LIST: Final = ROOT / "classroom" / "data" / "recorded.tsv"  # each piece: its name, voice and words
WORDS: Final = VOICE / "words.json"  # how many words each piece has: scripts/child/lit.js
WORD: Final = re.compile(r"\S*\w\S*")


def record(speaker: Speaker, todo: Mapping[str, str], done: dict[str, tuple[str, str]]) -> set[str]:
    """Record these pieces, and write each into the list at once; returns those that this voice
    does not have."""
    missing = set()
    for piece, words in todo.items():
        spoken = speaker.say(piece, words)
        if spoken is None:
            missing.add(piece)
            continue
        sound.finish(spoken, file_of(piece))
        done[piece] = (speaker.name, words)
        _write(done)
    return missing


def tidy(wanted: Mapping[str, str]) -> None:
    """Remove the pieces that are no longer listed."""
    for old in VOICE.glob("*.mp3"):
        if old.stem not in wanted:
            old.unlink()
    _write({name: how for name, how in recorded().items() if name in wanted})


def recorded() -> dict[str, tuple[str, str]]:
    """Each piece that was recorded: with which voice, and with which words."""
    lines = LIST.read_text("utf-8").splitlines() if LIST.exists() else []
    return {name: (voice, words) for name, voice, words in (line.split("\t") for line in lines)}


def _write(done: Mapping[str, tuple[str, str]]) -> None:
    lines = [f"{name}\t{voice}\t{words}\n" for name, (voice, words) in sorted(done.items())]
    LIST.write_text("".join(lines), "utf-8")
    counts = {name: words_in(name, words) for name, (_, words) in sorted(done.items())}
    WORDS.write_text(json.dumps(counts, indent=0) + "\n", "utf-8")


def words_in(name: str, words: str) -> int:
    """How many words of a caption this piece says. A number is one, as a caption writes 26."""
    number = re.fullmatch(r"n-\d+(\+left)?", name)
    return 1 + bool(number[1]) if number else len(WORD.findall(words))


def file_of(name: str) -> Path:
    return VOICE / f"{name}.mp3"
