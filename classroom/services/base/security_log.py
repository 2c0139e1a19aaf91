"""The security log: who signed in or was refused, and changes to accounts, classes and children.

Each event is one JSON line in instance/security, kept for seven days. A line contains fixed words,
row ids, the network address, and a signed name of the browser, but never a person's name, a login,
a code, a password or a card. docs/security-log.md explains how to read it.
"""

from __future__ import annotations

import inspect
import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial, wraps
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar
from weakref import WeakSet

from sqlalchemy.engine import Engine

from classroom.database import after_commit, db
from classroom.services.base import clock, secrets_
from classroom.services.base.errors import Refused

# ---- A log with one file for each day (UTC), deleted after seven days
#
# The file is opened and closed for each line, and never renamed. So a command can write to it while
# the server runs, on Windows too, and a full disk costs only the lines that do not fit.

DAYS: Final = 7
# The maximum size of a day's file in bytes. Warnings are written only until it is half full, so
# that even very many of them leave room for the other lines.
MOST_A_DAY: Final = 16_000_000

_log = logging.getLogger("classroom")


def moment(at: float) -> str:
    """A point in time in ISO 8601 format, in UTC."""
    text = datetime.fromtimestamp(at, tz=UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


class DayFiles(logging.Handler):
    """Writes each record into today's file. Never raises; a failure is logged once a day."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._swept = ""  # the day on which old files were last deleted
        self._said = ("", "")

    def emit(self, record: logging.LogRecord) -> None:
        today = moment(clock.now())[:10]
        most = MOST_A_DAY // 2 if record.levelno >= logging.WARNING else MOST_A_DAY
        try:
            if today != self._swept:
                self.forget_old()
            self._folder.mkdir(exist_ok=True, mode=0o700)
            with open(
                self._of(today), "a", encoding="ascii", newline="\n", opener=_private
            ) as file:
                if file.tell() >= most:
                    return self._say(today, "it is full for today")
                file.write(self.format(record) + "\n")
        except OSError as error:
            self._say(today, error.strerror or type(error).__name__)

    def forget_old(self) -> None:
        """Delete each file that may contain a line more than seven days old."""
        now = clock.now()
        self._swept = moment(now)[:10]
        oldest = self._of(moment(now - (DAYS - 1) * clock.SECONDS_A_DAY)[:10]).name
        for old in self._folder.glob("????-??-??.log"):
            if old.name < oldest:
                with suppress(OSError):
                    old.unlink()

    def _of(self, day: str) -> Path:
        return self._folder / f"{day}.log"

    def _say(self, today: str, trouble: str) -> None:
        if self._said != (today, trouble):
            self._said = today, trouble
            _log.warning("%s cannot be written: %s", self._of(today), trouble)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


P = ParamSpec("P")
T = TypeVar("T")
Ids = int | None

EVENTS: Final = frozenset(
    """server_started server_stopped adult_in adult_out device_in device_out child_in child_let_in
    child_out lock_out home_opened form page thing password_changed password_reset school_made
    account_made account_changed account_ended
    family_code_made child_linked child_unlinked family_code_cancelled
    reset_code_made reset_code_cancelled invitation_made class_joined class_left role_changed
    class_made class_opened class_closed class_code_made
    class_renamed class_archived class_restored class_removed year_moved_on year_undone
    answers_erased
    new_devices_forgiven pictures_reset child_moved child_left child_came_back children_merged
    child_removed all_hands live_hands export
    demo_made""".split()
)
IDS: Final = tuple(
    "adult_id child_id class_id group_id round_id moment_id pack_id school_id".split()
)
KIND_OF_ID: Final = {"adult_id": "adult", "child_id": "child", "class_id": "device"}
DONE: Final = "done"
FOLDER: Final = "security"

_security = logging.getLogger("classroom.security")
_security.setLevel(logging.INFO)
_security.propagate = False  # because a console's output may be kept for more than seven days
_kept: WeakSet[Engine] = WeakSet()
_asker: ContextVar[tuple[str, str, str]] = ContextVar("asker", default=("", "", ""))


def note(event: str, outcome: str = DONE, /, **ids: Ids) -> None:
    """Log an event: a success after the commit, a refusal at once. `outcome`: DONE, or the code of
    the refusal. `ids`: the ids of the rows concerned, named as in IDS. Nothing is written for a
    database without a log, such as the demo school's."""
    if event not in EVENTS or not set(ids) <= set(IDS):
        raise ValueError(f"the security log has no {event} of {sorted(ids)}")
    if db.engine not in _kept:
        return
    write = partial(_write, _line(event, outcome, ids))
    if outcome == DONE:
        after_commit(write)
    else:
        write()


def refusals(event: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a service so that each of its refusals is logged as this event. The ids are those
    named in IDS, taken from the service's arguments and from the facts of the refusal."""

    def noted(service: Callable[P, T]) -> Callable[P, T]:
        names = inspect.signature(service)

        @wraps(service)
        def noting(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return service(*args, **kwargs)
            except Refused as refused:
                given: dict[str, Any] = {**names.bind(*args, **kwargs).arguments, **refused.facts}
                note(event, refused.code, **{name: given[name] for name in IDS if name in given})
                raise

        return noting

    return noted


def came_in(**whose: Ids) -> None:
    """Log that an adult, a child or a class device has signed in."""
    note(f"{_who(whose)[0]}_in", **whose)


def went_out(**whose: Ids) -> None:
    """Log that an adult, a child or a class device has signed out; do nothing if no id is given."""
    if any(whose.values()):
        note(f"{_who(whose)[0]}_out", **whose)


def asked_by(address: str, device: str, **whose: Ids) -> None:
    """Set who sent the current request, for the log; pass two empty strings for no request."""
    kind, number = _who(whose)
    _asker.set((address, device, f"{kind}:{number}" if kind else ""))


def _who(whose: Mapping[str, Ids]) -> tuple[str, Ids]:
    """The kind (adult, child or device) and the id that was given; "" and None if none was."""
    found = ((kind, whose.get(name)) for name, kind in KIND_OF_ID.items())
    return next((one for one in found if one[1] is not None), ("", None))


@contextmanager
def kept(engine: Engine, instance: Path, serving: bool = False) -> Iterator[None]:
    """While the block runs, log the events in this database to this instance folder. `serving`:
    also log when the server starts and stops."""
    files = DayFiles(instance / FOLDER)
    files.forget_old()
    _security.addHandler(files)
    _kept.add(engine)
    try:
        if serving:
            _write(_line("server_started", DONE, {}))
        yield
    finally:
        if serving:
            _write(_line("server_stopped", DONE, {}))
        _kept.discard(engine)
        _security.removeHandler(files)


def forget_old() -> None:
    """Delete old files. This must also happen on days without an event."""
    for files in _security.handlers:
        if isinstance(files, DayFiles):
            files.forget_old()


def _line(event: str, outcome: str, ids: dict[str, Ids]) -> dict[str, str | int]:
    address, device, by = _asker.get()
    line: dict[str, str | int] = {"time": moment(clock.now()), "event": event, "outcome": outcome}
    line |= {name: int(number) for name, number in ids.items() if number is not None}
    # The browser's name is signed, so that a reader of the log cannot pose as that browser.
    said = {
        "by": by,
        "address": _address(address),
        "device": secrets_.sign("device in the log", device).hex()[:12] if device else "",
    }
    return line | {name: text for name, text in said.items() if text}


def _write(line: dict[str, str | int]) -> None:
    _security.log(logging.INFO if line["outcome"] == DONE else logging.WARNING, json.dumps(line))


def _address(said: str) -> str:
    """The IP address in its normal form; "" if the text is not an IP address."""
    try:
        return str(ip_address(said.partition("%")[0]))
    except ValueError:
        return ""
