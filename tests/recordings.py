"""Recordings for tests: pieces of the shipped voice, as a microphone in a room would hear them."""

from __future__ import annotations

import io
import random
import wave
from array import array

from classroom.config import ROOT
from classroom.services.school import voice_packs
from classroom.services.school.voice_packs import RATE

VOICE = ROOT / "static" / "voice"


def spoken(name: str, gain: float = 0.5, noise: float = 20.0, seed: int = 1) -> bytes:
    """A wave file of a piece with half a second of the room before and after it. `noise`: how loud
    the room is (standard deviation of its samples)."""
    rng = random.Random(seed)
    silence = [0] * (RATE // 2)
    samples = [*silence, *voice_packs.decoded(VOICE / f"{name}.mp3"), *silence]
    return wave_of([int(one * gain + rng.gauss(0, noise)) for one in samples])


def wave_of(samples: list[int]) -> bytes:
    """A wave file: 16 bits, mono, 24 kHz; louder samples are clipped."""
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE)
        written.writeframes(array("h", (max(-32767, min(32767, one)) for one in samples)).tobytes())
    return file.getvalue()
