"""Runs or tests a school on a fresh machine. Uses only the standard library.

Makes .venv, installs the locked requirements with their hashes if they or the Python version have
changed, and continues in .venv. If something is missing, prints what to do and exits with status 1.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
WINDOWS = sys.platform == "win32"
STOPPED: Final = 130  # the exit status after Ctrl-C


class Command(NamedTuple):
    """A command: the arguments that may follow it, and what it does. Commands are listed here,
    because cli.py cannot be imported before the virtual environment exists."""

    arguments: str
    does: str


_SERVING: Final = "[--host HOST] [--port PORT] [--tls-cert FILE --tls-key FILE]"
COMMANDS: Final = {
    "serve": Command(
        f"{_SERVING} [--processes N] [--demo]", "serve the school (also without a command)"
    ),
    "demo": Command(_SERVING, "serve the demo school alone"),
    "backup": Command("[FILE]", "copy the database, even while it is served"),
    "restore": Command("[FILE] [--without-list]", "replace the database with a backup"),
    "newkey": Command("", "make a new key if the old one is lost"),
    "password": Command("LOGIN [--code]", "give an adult a new password, or a code for one"),
    "administrator": Command("LOGIN", "make a teacher an administrator, if the last one has gone"),
    "recount": Command("", "count again what children showed"),
    "audit": Command("", "check that the audit log was not tampered with"),
    "privacy": Command("", "write PRIVACY.md and the papers from the register"),
    "language": Command(
        "ACT CODE", "begin a language (new vi), or list what it lacks (missing vi)"
    ),
    "health": Command("[--port PORT] [--processes N]", "ask the server on this machine how it is"),
    "sbom": Command("", "list third-party software, as CycloneDX (JSON)"),
    "record": Command("...", "write a round as text, or check one (see --help)"),
}
TESTING: Final = {
    "check": Command("", "check what takes less than a minute"),
    "test": Command(
        "[--changed[=REF]] [--rest] [--whole] [--no-browser] [--long] [--postgres] [...]",
        "run every test, or those that a change can break (the rest goes to pytest)",
    ),
    "mutants": Command(
        "[--all] [--minutes N] [--only ROOM]",
        "change the program on purpose, for half an hour, and see whether tests notice",
    ),
}


HELP: Final = (["-h"], ["--help"], ["help"])


def usage(program: str, commands: Mapping[str, Command]) -> str:
    """Return two lines for each command: how it is written, and what it does."""
    return "\n".join(
        f"{program} {name} {command.arguments}".rstrip() + f"\n    {command.does}"
        for name, command in commands.items()
    )


def in_full(words: Sequence[str], known: Collection[str], usage: str) -> list[str]:
    """Return the words, with `serve` in front if they do not begin with a command. Raises Missing
    for an unknown command."""
    if not words or words[0].startswith("-"):
        return ["serve", *words]
    if words[0] not in known:
        raise Missing(f"There is no command {words[0]!r}.\n{usage}")
    return list(words)


class Missing(Exception):
    """Something that the program needs is missing. The message says what to do about it."""


def quietly(run: Callable[[], int]) -> int:
    """Run a command; returns its exit status. Ends it without a message on Ctrl-C, or when the
    reader of its output closes the pipe, as `head` does."""
    try:
        status = run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so the flush at exit works
        return 0
    return status


def main(arguments: Sequence[str]) -> int:
    return quietly(lambda: _main(arguments))


def _main(arguments: Sequence[str]) -> int:
    words, help_text = list(arguments), usage("python3 run.py", COMMANDS | TESTING)
    if words[:1] in HELP:
        print(help_text)
        return 0
    if words[:1] and words[0] in TESTING and {"-h", "--help"} & {*words}:
        print(usage("python3 run.py", {words[0]: TESTING[words[0]]}))
        return 0
    try:
        if words[:1] and words[0] in TESTING:
            return test(words)
        command = in_full(words, COMMANDS, help_text)
        python = environment("requirements.txt")
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Start again to go on.", file=sys.stderr)
        return STOPPED
    return go_on([str(python), "-P", "-m", "classroom", *command])


# ---- the environment


def environment(*locks: str) -> Path:
    """Return the Python of .venv, after installing these locked requirements if necessary."""
    folder = ROOT / ".venv"
    python = folder / ("Scripts/python.exe" if WINDOWS else "bin/python")
    stamps = {lock: (folder / f"{lock}.stamp", _stamp(ROOT / lock)) for lock in locks}
    if python.is_file() and all(_read(file) == text for file, text in stamps.values()):
        return python
    make_environment(folder, python)
    for lock, (file, text) in stamps.items():
        install(python, ROOT / lock)
        file.write_text(text, encoding="ascii")
    return python


def make_environment(folder: Path, python: Path) -> None:
    """Make a virtual environment with this Python, replacing one that another Python made."""
    if find_spec("venv") is None or find_spec("ensurepip") is None:
        raise Missing(
            "This Python cannot make a virtual environment: install its venv module "
            "(Debian and Ubuntu: apt-get install python3-venv), then start again."
        )
    if python.is_file() and _version_of(python) == sys.version.strip():
        return
    print("Making .venv ...", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    # Show the errors from venv only if it fails: on Ctrl-C it would print a traceback too.
    done = _ran([sys.executable, "-m", "venv", str(folder)], stderr=subprocess.PIPE)
    if done.returncode != 0:
        print(done.stderr, end="", file=sys.stderr)
        raise Missing(
            f"The virtual environment {folder} could not be made: see above; often the folder "
            "cannot be written to, or python3-venv is not installed."
        )


def _version_of(python: Path) -> str:
    """Return the version of an environment's Python, if it has pip; otherwise ""."""
    ask = [str(python), "-c", "import pip, sys; print(sys.version)"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def install(python: Path, lock: Path) -> None:
    """Install exactly the locked versions, and check each file against its hash."""
    print(f"Installing {lock.name} (once; half a minute or so) ...", flush=True)
    pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    if _ran([*pip, "-q", "--require-hashes", "-r", str(lock)]).returncode != 0:
        raise Missing(
            "The libraries could not be installed: see above; is this machine on the internet, "
            "and is there room on the disk?"
        )


def _ran(command: list[str], stderr: int | None = None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, stderr=stderr, text=True, check=False)
    except OSError as error:
        raise Missing(
            f"The folder {ROOT} cannot be written to ({error.strerror}): give this user write "
            "access, or copy the project to a folder of yours."
        ) from error


def _stamp(lock: Path) -> str:
    try:
        return hashlib.sha256(lock.read_bytes() + sys.version.encode()).hexdigest()
    except OSError as error:
        raise Missing(f"The file {lock} is missing: get the whole project again.") from error


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""


def go_on(command: list[str]) -> int:
    """Replace this process with the command, or on Windows run it and wait, so that Ctrl-C ends it
    gracefully. Python may write .pyc files: without them each start takes half as long again."""
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    if WINDOWS:
        process = subprocess.Popen(command, env=surroundings)
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the server receives Ctrl-C too, and stops gracefully
    sys.stdout.flush()
    os.execve(command[0], command, surroundings)


# ---- testing


def test(words: Sequence[str]) -> int:
    """Install what the tests need, then run them (tests/runner.py, tests/mutants). `words` begins
    with check, test or mutants."""
    if words[0] == "mutants":
        python = environment(
            "requirements.txt", "requirements-test.txt", "requirements-mutants.txt"
        )
        return go_on([str(python), "-P", "-m", "tests.mutants", *words[1:]])
    browser = words[0] == "test" and "--no-browser" not in words
    if "--no-browser" in words and os.environ.get("CI"):
        raise Missing("--no-browser is refused where CI is set: the browser tests must run there.")
    python = environment("requirements.txt", "requirements-test.txt")
    if browser:
        os.environ["FISH_CHROMIUM"] = chromium()
    elif words[0] == "test":
        print("browser tests NOT RUN", flush=True)
    return go_on([str(python), "-P", "-m", "tests.runner", *words])


SHELL = "chromium-headless-shell"  # needs a quarter less processor time than full Chromium
CHROMIUM = (SHELL, "chromium", "chromium-browser", "google-chrome", "chrome")


def chromium() -> str:
    """Find Chromium; as root, install it with apt-get. Raises Missing if there is none."""
    found = os.environ.get("FISH_CHROMIUM") or _which_chromium()
    if found:
        return found
    if not WINDOWS and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium ...", flush=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        # older releases of Debian have only the package chromium
        for step in (["update"], ["install", "-y", SHELL], ["install", "-y", "chromium"]):
            if not found:
                subprocess.run(
                    ["apt-get", "-qq", *step], env=quiet, check=False, stdout=subprocess.DEVNULL
                )
                found = _which_chromium()
    if not found:
        raise Missing(
            "Chromium is missing: apt-get install chromium (or say where it is in FISH_CHROMIUM); "
            "without it run: python3 run.py test --no-browser"
        )
    return found


def _which_chromium() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM)), None)
