"""`python3 run.py check` and `python3 run.py test`, once the environment is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests import changed, clusters

ROOT: Final = Path(__file__).resolve().parent.parent
PYTHON: Final = [sys.executable, "-m"]
STYLE: Final = [
    [*PYTHON, "ruff", "check", "."],
    [*PYTHON, "ruff", "format", "--check", "."],
    [*PYTHON, "mypy"],
]
# Many tests wait (for a browser, for a time to pass), so it takes two workers to keep a processor
# busy. The tests of a file stay together; tests/conftest.py begins with the longest files.
WORKERS: Final = min(2 * (os.cpu_count() or 1), 16)
SPREAD: Final = ["-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder"]

NO_TESTS: Final = 5  # how pytest says that a run had no test, for example because of -k
# These measure how soon a server answers while it is attacked, and how long a turn is told, so they
# run after all others, with the machine to themselves.
TIMED: Final = (
    "tests/browser/test_pace.py",
    "tests/faults/test_attacks.py",
    "tests/faults/test_floods.py",
)

PURE: Final = ("engine", "games", "learning", "minds")
QUICK: Final = 5.0  # seconds that a test file of a pure room may take to be in the quick check
# The tests that use a database, and two of the browser's files: whole rounds, alone and with
# friends. Left out: tests that start a PostgreSQL server anyway; the attacks, which measure how
# quickly a server with SQLite still answers; and tests of words, markup, headers and connections,
# which are the same with any database (test_permissions opens every page there).
STORED: Final = (
    *(f"tests/{room}" for room in ("faults", "live", "services", "web")),
    *(f"tests/browser/test_{file}.py" for file in ("round", "together")),
    *(f"tests/test_{file}.py" for file in ("database", "migrations", "privacy")),
    *(f"--ignore=tests/faults/test_{file}.py" for file in ("attacks", "processes", "upgrades")),
    *(f"--ignore=tests/live/test_{file}.py" for file in ("bounds", "headers", "relay", "server")),
    *(
        f"--ignore=tests/web/test_{file}.py"
        for file in ("escaping", "pages", "place", "record_words", "security", "wrong_fields")
    ),
)


def main(words: Sequence[str]) -> int:
    """Run the named command. Returns 0, or the first exit status that is not 0."""
    return check() if words[0] == "check" else test(list(words[1:]))


# ---- the quick check


def check() -> int:
    """Check style, types and words, and run the tests of the repository and the quick ones of the
    pure rooms."""
    files = quick_files()
    print(f"{len(files)} quick test files; everything: python3 run.py test", flush=True)
    halves = (files[::2], files[1::2])
    tests = [[*PYTHON, "pytest", "-q", "-p", "no:cacheprovider", *half] for half in halves]
    return together([*tests, *STYLE, *_words()])


def quick_files() -> list[str]:
    """The tests of the repository, and the quick ones of the pure rooms, longest first.

    The quickest file of each room is always among them.
    """
    seconds = json.loads((ROOT / "tests" / "seconds.json").read_text(encoding="utf-8"))
    pure = [file for file in changed.test_files() if Path(file).parent.name in PURE]
    pure.sort(key=lambda file: -seconds.get(file, 0.0))
    quickest = {Path(file).parent: file for file in pure}  # the last of each room stays
    kept = {file for file in pure if seconds.get(file, 0.0) <= QUICK} | {*quickest.values()}
    return sorted([*changed.ALWAYS, *kept], key=lambda file: -seconds.get(file, 0.0))


def _words() -> list[list[str]]:
    """The command that checks our words, if it is there."""
    return [[*PYTHON, "tests.words"]] if (ROOT / "tests" / "words.py").exists() else []


def together(commands: Sequence[Sequence[str]]) -> int:
    """Run these commands side by side. Print the last line of each, and everything that a failed
    one said."""
    failed = 0
    with ThreadPoolExecutor(len(commands)) as pool:
        for command, done in zip(commands, pool.map(_run, commands), strict=True):
            lines = done.stdout.strip().splitlines() or ["(no output)"]
            said = "\n".join(lines) if done.returncode else lines[-1]
            print(f"{_shown(command)}\n  {said}", flush=True)
            failed = failed or done.returncode
    return failed


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )


def _shown(command: Sequence[str]) -> str:
    words = ["python", *command[1:]]
    return "$ " + " ".join(words if len(words) < 12 else [*words[:8], f"({len(words) - 8} more)"])


# ---- the tests


def test(words: list[str]) -> int:
    """Check style, types and libraries, then run the tests: all, or those that a change can
    break. `--rest` and `--postgres` go on after such a run and check nothing again."""
    options = [word for word in words if word.startswith("--changed")]
    try:
        files = chosen(options[-1]) if options else []
    except changed.UnknownReference as error:
        print(error, file=sys.stderr)
        return 1
    rest = [word for word in words if word not in (*options, "--postgres")]
    goes_on = "--rest" in words or "--postgres" in words
    failed = 0 if goes_on else together(before(options != []))
    if failed:
        return failed
    if "--postgres" in words:
        return on_postgres([*rest, *files])
    if files or any(word.startswith("tests") for word in rest):
        return _ran(pytest_command([*rest, *files]), dict(os.environ))
    others = [*rest, *(f"--ignore={file}" for file in TIMED)]
    timed = ["-n0", *rest, *TIMED]
    ended = [_ran(pytest_command(one), dict(os.environ)) for one in (others, timed)]
    return max([code for code in ended if code != NO_TESTS], default=NO_TESTS)


def _ran(command: Sequence[str], surroundings: dict[str, str]) -> int:
    print(_shown(command), flush=True)
    return subprocess.run(command, cwd=ROOT, env=surroundings, check=False).returncode


def on_postgres(words: Sequence[str]) -> int:
    """Run the tests that use a database on a PostgreSQL server of their own, or say why not."""
    if not clusters.can_run():
        print("PostgreSQL: tests NOT RUN, because its programs or psycopg are missing", flush=True)
        return 1
    named = any(word.startswith("tests") for word in words)
    with clusters.throw_away() as server:
        print(f"PostgreSQL: tests run on {clusters.programs()}", flush=True)
        surroundings = {**os.environ, "FISH_TEST_POSTGRES": server.address}
        return _ran(pytest_command([*words, *(() if named else STORED)]), surroundings)


def chosen(option: str) -> list[str]:
    """The test files for `--changed` or `--changed=REF`. Prints in one line what is left out."""
    reference, files = changed.since(option.partition("=")[2] or None)
    found = changed.broken_by(files)
    print(f"{len(files)} files changed since {reference}: {changed.left_out(found)}", flush=True)
    return sorted(found)


def before(only_changed: bool) -> list[list[str]]:
    """The commands that run before the tests. Collecting all tests finds broken ones at once, and
    leaves them compiled for the workers."""
    collect = [*PYTHON, "pytest", "--collect-only", "-qq"]
    audit = [*PYTHON, "tests.dependencies"]
    return [*STYLE, *_words()] + ([] if only_changed else [audit, collect])


def pytest_command(words: list[str]) -> list[str]:
    """The command that runs pytest with `words`, in several workers unless they say -n or -x."""
    alone = any(word.startswith("-n") or word == "-x" for word in words)
    return [*PYTHON, "pytest", *([] if alone else SPREAD), *words]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
