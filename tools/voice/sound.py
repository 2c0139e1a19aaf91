"""Sound files: cut at their edges, equally loud (EBU R128), small, and measured.

Needs numpy, soundfile and pyloudnorm (docs/voice.md), and ffmpeg.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

LOUDNESS: Final = -16.0  # LUFS: usual for speech on tablets and phones
RATE: Final = 24_000
_BITS: Final = "24k"
_PEAK: Final = 0.84  # -1.5 dB
_QUIET: Final = 0.004  # as a share of the loudest sample: what is softer at an edge is cut off
_KNEE: Final = 0.6  # louder samples are rounded, so that a short peak does not keep a piece soft
_LEAST: Final = 3.0  # seconds; the measure of R128 needs some, so a short piece is repeated
_ROUNDS: Final = 3  # an mp3 is softer than what it was made of, most where there are many hisses


class Spoken(NamedTuple):
    """Samples from -1 to 1 (an array of numpy), `rate` of them a second."""

    samples: Any
    rate: int


def finish(spoken: Spoken, target: Path) -> None:
    """Make the mp3 `target`: no silence around it, and as loud as all others when it is heard."""
    cut, goal = Spoken(trimmed(spoken), spoken.rate), LOUDNESS
    for _ in range(_ROUNDS):
        _encode(Spoken(evened(cut, goal), cut.rate), target)
        goal += LOUDNESS - loudness(read(target))


def _encode(spoken: Spoken, target: Path) -> None:
    import soundfile

    with tempfile.TemporaryDirectory() as folder:
        even = Path(folder) / "even.wav"
        soundfile.write(even, spoken.samples, spoken.rate, subtype="FLOAT")
        _ffmpeg("-i", even, "-b:a", _BITS, "-ar", RATE, "-bitexact", target)


def evened(spoken: Spoken, goal: float = LOUDNESS) -> Any:
    """The samples at this loudness, with rounded peaks."""
    import numpy as np

    samples, room = spoken.samples, _PEAK - _KNEE
    for _ in range(10):  # rounding makes it softer again
        samples = samples * 10 ** ((goal - loudness(Spoken(samples, spoken.rate))) / 20)
        over = np.maximum(np.abs(samples) - _KNEE, 0)
        samples = np.sign(samples) * (np.abs(samples) - over + room * np.tanh(over / room))
    return samples


def trimmed(spoken: Spoken) -> Any:
    """The samples without the silence around them, faded at both ends."""
    import numpy as np

    loud = np.flatnonzero(np.abs(spoken.samples) > _QUIET * np.abs(spoken.samples).max())
    edge = int(0.012 * spoken.rate)
    cut = np.array(spoken.samples[max(0, loud[0] - edge) : loud[-1] + 2 * edge], dtype=float)
    fade = np.linspace(0, 1, edge)
    cut[:edge] *= fade
    cut[-edge:] *= fade[::-1]
    return cut


def loudness(spoken: Spoken) -> float:
    """The integrated loudness (EBU R128), in LUFS."""
    import numpy as np
    import pyloudnorm

    times = 1 + int(_LEAST * spoken.rate / len(spoken.samples))
    repeated = np.tile(spoken.samples, times)
    return float(pyloudnorm.Meter(spoken.rate).integrated_loudness(repeated))


def read(path: Path) -> Spoken:
    """The samples of a file, without the silence around them."""
    import soundfile

    return Spoken(trimmed(Spoken(*soundfile.read(path))), soundfile.info(path).samplerate)


def _ffmpeg(*arguments: object) -> None:
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *map(str, arguments)]
    subprocess.run(command, check=True)  # noqa: S603
