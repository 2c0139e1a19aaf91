"""Measures the voice: `python -m tools.voice.check [--whisper FOLDER]` (docs/voice.md).

It says how fast whole sentences are spoken, how even the loudness is and, with a recogniser, how
many words it gets wrong: in single pieces, and in sentences that are joined as the page joins them.
`--folder` measures other recordings of the same pieces.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tools import make_voice
from tools.voice import recording, sound
from tools.voice.sound import Spoken
from tools.voice.speakers import SHORT, words_in

GAP: Final = 0.12  # seconds between pieces; as in scripts/child/voice.js
_AROUND: Final = 0.4  # seconds of silence added before and after what a recogniser hears
_HEARD_AT: Final = 16_000
_RANKS: Final = range(1, 14)
Hear = Callable[[Spoken], str]


def sentences(rng: random.Random) -> Iterator[str]:
    """Sentences of the games that are asked by rank, endlessly: the pieces that a page names."""
    while True:
        one, other = rng.sample(make_voice.ANIMALS, 2)
        rank, number = rng.choice(_RANKS), rng.randint(1, 4)
        yield from (
            f"{one}-asks+{other} for-{rank}",
            f"{one}-asks+you for-{rank}",
            f"{one} do-{rank}",
            f"yes {one}-gets n-{number}",
            f"{one}-wish a-{rank}",
            f"look-at many-{rank}",
            f"ask-word+{one} for-{rank}",
            f"{one}-has many-{rank}",
            f"{one}-asked for-{rank} nobody-took",
            f"q-how-many many-{rank} q-have",
        )


def main(arguments: list[str]) -> int:
    chosen = _arguments(arguments)
    words = {
        name: said
        for name, said in make_voice.phrases()
        if (chosen.folder / f"{name}.mp3").exists()
    }
    pieces = {name: sound.read(chosen.folder / f"{name}.mp3") for name in words}
    print(f"{len(pieces)} pieces, {sum(map(seconds, pieces.values())) / 60:.1f} minutes")
    tell_speed(words, pieces)
    tell_loudness(pieces)
    if chosen.whisper:
        hear = whisper(chosen.whisper)
        names = sorted(name for name in words if "+" not in name)  # frames are heard in joins
        some = random.Random(chosen.seed).sample(names, chosen.pieces or len(names))
        tell_heard("pieces", [(words[name], pieces[name]) for name in some], hear)
        drawn = islice(sentences(random.Random(chosen.seed)), chosen.joins)
        tell_heard("joins", [_joined(line, words, pieces) for line in drawn], hear)
    return 0


def seconds(spoken: Spoken) -> float:
    return float(len(spoken.samples)) / spoken.rate


def tell_speed(words: Mapping[str, str], pieces: Mapping[str, Spoken]) -> None:
    """Print the words a minute of the pieces that are sentences by themselves."""
    rates = {
        name: 60 * words_in(said) / seconds(pieces[name])
        for name, said in words.items()
        if words_in(said) > SHORT
    }
    low, *_, high = statistics.quantiles(rates.values(), n=20)
    print(
        f"speed of {len(rates)} sentences: median {statistics.median(rates.values()):.0f} words a "
        f"minute, nine in ten from {low:.0f} to {high:.0f}; "
        f"fastest {max(rates, key=lambda name: rates[name])}"
    )


def tell_loudness(pieces: Mapping[str, Spoken]) -> None:
    """Print how loud the softest and the loudest piece are."""
    loud = {name: sound.loudness(spoken) for name, spoken in pieces.items()}
    low, high = min(loud, key=lambda name: loud[name]), max(loud, key=lambda name: loud[name])
    print(
        f"loudness: {loud[low]:.1f} ({low}) to {loud[high]:.1f} LUFS ({high}), "
        f"{loud[high] - loud[low]:.1f} LU apart"
    )


def tell_heard(what: str, said: Sequence[tuple[str, Spoken]], hear: Hear) -> None:
    """Print the share of wrong words, and what was misheard, the worst first."""
    wrong, of, worst = 0, 0, list[tuple[float, str, str]]()
    for words, spoken in said:
        meant, heard = plain(words), hear(spoken)
        missed = distance(meant, plain(heard))
        wrong, of = wrong + missed, of + len(meant)
        if missed:
            worst.append((missed / len(meant), words, heard))
    print(f"{what}: {len(said)}, of {of} words {100 * wrong / of:.1f} % misheard")
    for _share, words, heard in sorted(worst, reverse=True):
        print(f"    {words}  ->  {heard}")


def plain(text: str) -> list[str]:
    """The words in lower case and without punctuation, numbers as words."""
    text = re.sub(r"(\d+)[’']?([sz]?)\b", _number, text.lower().replace("’", "'"))
    return re.findall(r"[a-z']+", text)


def _number(found: re.Match[str]) -> str:
    number = int(found[1])
    if number >= 100:
        return found[0]
    word = make_voice.in_words(number)
    return word + ("es" if number == 6 else "s") if found[2] else word


def distance(meant: Sequence[str], heard: Sequence[str]) -> int:
    """How many words must be changed, added or left out."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(meant, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            least = min(row[j] + 1, row[j - 1] + 1, before + (word != other))
            before, row[j] = row[j], least
    return row[-1]


def whisper(folder: Path) -> Hear:
    """A recogniser with the model in this folder; it is not told which words to expect."""
    from faster_whisper import WhisperModel

    model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)

    def hear(spoken: Spoken) -> str:
        found, _ = model.transcribe(
            _for_hearing(spoken), language="en", without_timestamps=True,
            condition_on_previous_text=False,
        )  # fmt: skip
        return "".join(part.text for part in found).strip()

    return hear


def _for_hearing(spoken: Spoken) -> Any:
    import numpy as np

    length = int(seconds(spoken) * _HEARD_AT)
    at = np.arange(length) * spoken.rate / _HEARD_AT
    samples = np.interp(at, np.arange(len(spoken.samples)), spoken.samples)
    return np.pad(samples, int(_AROUND * _HEARD_AT)).astype(np.float32)


def _joined(
    line: str, words: Mapping[str, str], pieces: Mapping[str, Spoken]
) -> tuple[str, Spoken]:
    """The words of a sentence and its sound; a frame that is missing is joined from its parts."""
    import numpy as np

    names = [
        part for name in line.split() for part in ([name] if name in pieces else name.split("+"))
    ]
    rate = pieces[names[0]].rate
    quiet = np.zeros(int(GAP * rate))
    parts = [part for name in names for part in (pieces[name].samples, quiet)]
    return " ".join(words[name] for name in names), Spoken(np.concatenate(parts[:-1]), rate)


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the voice.")
    parser.add_argument("--folder", type=Path, default=recording.VOICE)
    parser.add_argument("--whisper", type=Path, help="a folder with a model of faster-whisper")
    parser.add_argument("--pieces", type=int, default=0, help="hear only so many; 0: all")
    parser.add_argument("--joins", type=int, default=100, help="hear so many sentences")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
