"""Voices that can speak a piece: Hibari, Flite, or a folder of recordings of a person.

Hibari needs the packages of docs/voice.md, in an environment of their own; Flite the Debian
package flite. The app itself needs none of them.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final, Protocol

from tools.voice.sound import Spoken, trimmed

PER_MINUTE: Final = 132  # the words a minute that a sentence aims at
SHORT: Final = 3  # words: a piece this short is part of a sentence, and has no pace of its own
_FIRST: Final = 0.74  # the speed of a short piece; 1 is as fast as adults talk
_SLOWEST, _FASTEST = 0.53, 0.8


class Speaker(Protocol):
    """`name`: what the list of recordings calls this voice."""

    name: str

    def say(self, piece: str, words: str) -> Spoken | None:
        """Speak the piece with these words; None if this voice does not have it."""


class Hibari:
    """A small neural voice, that of a woman."""

    def __init__(self) -> None:
        from hibari import Hibari as Engine

        self.name = "hibari heart"
        self._engine = Engine()

    def say(self, piece: str, words: str) -> Spoken:
        speed = _FIRST
        count = words_in(words)
        if count > SHORT:
            usual = self._at(words, speed)
            wanted = count * 60 / PER_MINUTE
            longer = wanted * usual.rate / len(trimmed(usual))
            speed = min(_FASTEST, max(_SLOWEST, speed / longer**0.85))  # 0.85 was measured
        return self._at(words, speed)

    def _at(self, words: str, speed: float) -> Spoken:
        samples = self._engine(words, speed=speed, seed=1)
        return Spoken(samples, self._engine.sample_rate)


class Flite:
    """A voice of the 2000s, slt, made higher and livelier than it is by default."""

    name = "flite slt"

    def say(self, piece: str, words: str) -> Spoken:
        import soundfile

        manner = {"duration_stretch": 1.5, "int_f0_target_mean": 208, "int_f0_target_stddev": 27}
        settings = [part for item in manner.items() for part in ("--setf", f"{item[0]}={item[1]}")]
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "spoken.wav"
            command = ["flite", "-voice", "slt", *settings, "-t", words, "-o", str(target)]
            subprocess.run(command, check=True, capture_output=True)  # noqa: S603
            return Spoken(*soundfile.read(target))


class Recordings:
    """A person: `folder` has a wave file NAME.wav, in mono, for each piece that was recorded."""

    name = "a person"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def say(self, piece: str, words: str) -> Spoken | None:
        import soundfile

        recorded = self._folder / f"{piece}.wav"
        return Spoken(*soundfile.read(recorded)) if recorded.exists() else None


def words_in(text: str) -> int:
    return len(re.findall(r"[\w’']+", text))
