"""A piece of a voice as somebody read it, made ready to be heard: checked, cut, as loud as others.

It is done with PyAV (FFmpeg), which is loaded when the first piece comes.
"""

from __future__ import annotations

import io
import wave
from array import array
from dataclasses import dataclass
from functools import cache
from math import log10, sqrt
from pathlib import Path
from typing import Any, Final

from classroom.services.base.errors import Refused

RATE: Final = 24_000  # samples a second
LONGEST: Final = 10.0  # seconds of a recording, with the silence around it
LOUDNESS: Final = -16.0  # LUFS: usual for speech on tablets and phones
BITS: Final = 24_000  # a second

_LEAST: Final = 3.0  # seconds; the measure of R128 needs some, so a short piece is repeated
_ROUNDS: Final = 4  # an mp3 is softer than what it was made of, most where there are many hisses
_FRAME: Final = RATE // 100
_CLIPPED: Final = 4  # samples in a row at the end of the scale
_CLEAR: Final = 12.0  # dB that speech is louder than the room
_SOFT: Final = 0.003  # speech is louder than this share of the scale (root of the mean square)
_KNEE: Final = 0.6  # louder samples are rounded, so that a short peak does not keep a piece soft
_PEAK: Final = 0.84  # -1.5 dB
_BEFORE, _AFTER = 3, 6  # frames that are kept around what is loud: soft beginnings and ends


@dataclass(frozen=True, slots=True)
class Prepared:
    """A piece to be heard: an mp3 (24 kHz, mono), its loudness in LUFS, and how long it is."""

    sound: bytes
    loudness: float
    ms: int


def prepared(recorded: bytes) -> Prepared:
    """Make a piece of a wave file (16 bits, mono, 24 kHz).

    Raises Refused: "voice_no_sound" if it is not such a file, "voice_long", "voice_clipped", or
    "voice_quiet" if there is nothing clearly louder than the room.
    """
    samples = _read(recorded)
    if len(samples) > LONGEST * RATE:
        raise Refused("voice_long")
    if _is_clipped(samples):
        raise Refused("voice_clipped")
    cut = _faded(_trimmed(samples))
    goal, sound, heard = LOUDNESS, b"", 0.0
    for _ in range(_ROUNDS):
        sound = _encoded(_evened(cut, goal))
        heard = loudness(decoded(io.BytesIO(sound)))
        goal += LOUDNESS - heard
    return Prepared(sound, round(heard, 2), len(cut) * 1000 // RATE)


def checked(sound: bytes) -> Prepared:
    """A piece that was made before, as in a pack from a file. Raises Refused as `prepared` does."""
    import av

    try:
        samples = decoded(io.BytesIO(sound))
    except (av.error.FFmpegError, IndexError, ValueError) as error:
        raise Refused("voice_no_sound") from error
    if not RATE // 10 < len(samples) <= LONGEST * RATE:
        raise Refused("voice_no_sound")
    return Prepared(sound, round(loudness(samples), 2), len(samples) * 1000 // RATE)


@cache
def length(file: Path) -> int:
    """How long a recording of ours is, in ms, without the silence around it."""
    return len(_trimmed(decoded(file))) * 1000 // RATE


def loudness(samples: array[int]) -> float:
    """The integrated loudness (EBU R128) of a short sound, repeated until it can be measured."""
    from av.filter import Graph

    graph = Graph()
    source = graph.add_abuffer(format="s16", sample_rate=RATE, layout="mono")
    meter, sink = graph.add("ebur128", "metadata=1"), graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    source.push(_frame(samples * (1 + int(_LEAST * RATE / len(samples)))))
    source.push(None)
    found = float("-inf")
    for frame in _pulled(sink):
        found = float(frame.metadata.get("lavfi.r128.I", found))
    return found


def _read(recorded: bytes) -> array[int]:
    try:
        with wave.open(io.BytesIO(recorded)) as file:
            if (file.getnchannels(), file.getsampwidth(), file.getframerate()) != (1, 2, RATE):
                raise Refused("voice_no_sound")
            samples = array("h", file.readframes(int(LONGEST * RATE) + 1))
    except (wave.Error, EOFError, ValueError) as error:
        raise Refused("voice_no_sound") from error
    if len(samples) < RATE // 10:
        raise Refused("voice_no_sound")
    return samples


def _is_clipped(samples: array[int]) -> bool:
    run = 0
    for sample in samples:
        run = run + 1 if abs(sample) >= 32_700 else 0
        if run == _CLIPPED:
            return True
    return False


def _levels(samples: array[int]) -> list[float]:
    """How loud each hundredth of a second is: the root of the mean square, of 1."""
    found = []
    for at in range(0, len(samples) - _FRAME + 1, _FRAME):
        part = samples[at : at + _FRAME]
        mean = sum(part) / _FRAME
        found.append(sqrt(sum((one - mean) ** 2 for one in part) / _FRAME) / 32_768)
    return found


def _trimmed(samples: array[int]) -> array[int]:
    """The samples without the silence around them. Raises Refused("voice_quiet")."""
    levels = _levels(samples)
    loud, room = max(levels), sorted(levels)[len(levels) // 10]
    if loud < _SOFT or 20 * log10(loud / max(room, 1e-6)) < _CLEAR:
        raise Refused("voice_quiet")
    least = max(0.02 * loud, 2.5 * room)
    heard = [at for at, level in enumerate(levels) if level > least]
    begin, end = max(0, heard[0] - _BEFORE), heard[-1] + 1 + _AFTER
    return samples[begin * _FRAME : end * _FRAME]


def _faded(samples: array[int]) -> array[int]:
    faded, edge = samples[:], min(int(0.012 * RATE), len(samples) // 2)
    for at in range(edge):
        faded[at] = faded[at] * at // edge
        faded[-1 - at] = faded[-1 - at] * at // edge
    return faded


def _evened(samples: array[int], goal: float) -> array[int]:
    """The samples at this loudness, with rounded peaks."""
    room, even = _PEAK - _KNEE, samples
    for _ in range(3):  # rounding makes it softer again
        gain = 10 ** ((goal - loudness(even)) / 20) / 32_768
        even = array("h", (_rounded(one * gain, room) for one in even))
    return even


def _rounded(value: float, room: float) -> int:
    over = abs(value) - _KNEE
    if over > 0:
        value = (1 if value > 0 else -1) * (_KNEE + room * over / (room + over))
    return int(value * 32_767)


# ---- PyAV


def _pulled(sink: Any) -> Any:
    import av

    while True:
        try:
            yield sink.pull()
        except (av.error.EOFError, av.error.BlockingIOError):
            return


def _frame(samples: array[int]) -> Any:
    import av

    frame = av.AudioFrame(format="s16", layout="mono", samples=len(samples))
    plane = frame.planes[0]
    plane.update(samples.tobytes().ljust(plane.buffer_size, b"\0"))
    frame.rate, frame.pts = RATE, 0
    return frame


def _encoded(samples: array[int]) -> bytes:
    import av

    file = io.BytesIO()
    plain = {"write_xing": "0", "id3v2_version": "0"}
    with av.open(file, "w", format="mp3", options=plain) as target:
        stream = target.add_stream("libmp3lame", rate=RATE, layout="mono", bit_rate=BITS)
        resampler = av.AudioResampler(format=stream.format, layout="mono", rate=RATE)
        for frame in resampler.resample(_frame(samples)):
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    return file.getvalue()


def decoded(file: Path | io.BytesIO) -> array[int]:
    """The samples of a sound file, from -32768 to 32767, of LONGEST seconds at most or a little
    more."""
    import av

    samples = array("h")
    with av.open(str(file) if isinstance(file, Path) else file, "r") as source:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        for frame in (*source.decode(audio=0), None):
            for part in resampler.resample(frame):
                samples.frombytes(bytes(part.planes[0])[: 2 * part.samples])
            if len(samples) > LONGEST * RATE:
                break
    return samples
