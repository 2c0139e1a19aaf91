"""Makes the voice: `python static/voice/make_voice.py` writes a small mp3 for each piece of speech.

Needs the Debian packages flite (its voice slt), sox and libsox-fmt-mp3; the app itself needs none
of them, the files are checked in. The voice is set higher, livelier and slower than it comes, and
questions rise at their end. Pages name pieces in data-say and the page script joins them:
`data-say="owl do-7"` is "Owl, do you have any sevens?". mp3, because every browser plays it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
ANIMALS = "fox owl bear rabbit turtle whale frog duck cat mouse hedgehog penguin".split()
ONE = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split()
MANY = [word + ("es" if word.endswith("x") else "s") for word in ONE]
PIECES = {
    "a": "a",
    "a-book": "A book!",
    "ask-cards": "Ask someone who has cards.",
    "ask-friend": "Ask a friend.",
    "ask-word": "Ask",
    "book-one": "book!",
    "books": "books!",
    "come-in": "Come in again.",
    "cool": "watery",
    "count-books": "Let us count the books!",
    "do-any": "do you have any",
    "for": "for",
    "go-fish": "Go fish!",
    "hello": "Hello!",
    "look-at": "Look at your",
    "make-book": "make a book!",
    "moved-on": "The table moved on.",
    "new-cards": "New cards for you!",
    "nothing-here": "Nothing is here. Tap to go on.",
    "one-of-two": "One of these two!",
    "pond-rest": "The pond needs a rest.",
    "tap-animal": "Tap your animal.",
    "tap-card": "Tap a card.",
    "tap-card-friend": "Tap a card. Then tap a friend.",
    "tap-pictures": "Tap your four pictures.",
    "tap-pond": "Tap the pond!",
    "teacher-in": "Your teacher can let you in.",
    "try": "Try",
    "try-again": "Try again.",
    "two": "Two",
    "type-code": "Tap your class code.",
    "wait-little": "Wait a little.",
    "wait-turn": "Wait for your turn.",
    "warm": "sunny",
    "well-played": "Well played!",
    "which-one": "Which one do you want?",
    "who-has": "Who has",
    "yes": "Yes!",
    "you": "you",
    "you-fish": "You fish",
    "you-get": "You get",
    "you-made": "You made",
    "your-turn": "Your turn!",
    "your-wish": "Your wish:",
}


def phrases() -> Iterator[tuple[str, str]]:
    """Every piece: its name and its words."""
    yield from PIECES.items()
    for animal in ANIMALS:
        name = animal.capitalize()
        yield animal, f"{name},"
        for verb in ("asks", "asked", "fishes", "gets", "has"):
            yield f"{animal}-{verb}", f"{name} {verb}"
        yield f"{animal}-wish", f"{name}'s wish:"
        yield f"{animal}-new", f"New cards for {animal}."
    for number, (one, many) in enumerate(zip(ONE, MANY, strict=True)):
        yield f"n-{number}", f"{one}."
        if number:
            article = "an" if number in (8, 11) else "a"
            yield f"a-{number}", f"{article} {one}."
            yield f"many-{number}", f"{many}."
            yield f"for-{number}", f"for {many}."
            yield f"do-{number}", f"do you have any {many}?"
            yield f"who-{number}", f"Who has {many}?"
            yield f"book-{number}", f"Four {many} make a book!"


def speak(words: str, target: Path, folder: Path) -> None:
    """Say `words` into the file `target`."""
    raw, cut = folder / "raw.wav", folder / "cut.wav"
    voice = {"duration_stretch": "1.14", "int_f0_target_mean": "208", "int_f0_target_stddev": "27"}
    settings = [part for item in voice.items() for part in ("--setf", "=".join(item))]
    run("flite", "-voice", "slt", *settings, "-t", words, "-o", str(raw))
    edge = "silence 1 0.01 0.3%".split()
    run("sox", str(raw), str(cut), *edge, "reverse", *edge, "reverse")
    length = float(run("soxi", "-D", str(cut)))
    rise = ["bend", f"{max(length - 0.45, 0.05):.2f},240,0.3"] if words.endswith("?") else []
    warm = "bass 2 treble -2 gain -n -2 fade 0.008 -0 0.03 pad 0 0.02".split()
    run("sox", str(cut), "-C", "24", str(target), *rise, *warm)


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def main() -> int:
    made = dict(phrases())
    for old in HERE.glob("*.mp3"):
        if old.stem not in made:
            old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        for name, words in made.items():
            speak(words, HERE / f"{name}.mp3", Path(folder))
    size = sum(path.stat().st_size for path in HERE.glob("*.mp3"))
    print(f"{len(made)} pieces, {size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
