"""How the server is doing, in plain words, for administrators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from flask import current_app

from classroom.services.operation.checkup import GB, Checkup, checkup
from classroom.web.http.pages import SchoolPage, SchoolTab, render
from classroom.web.words.language import gettext as _
from classroom.web.words.language import ngettext


@dataclass(frozen=True, slots=True)
class Said:
    """One thing about the server. `well`: whether it is as it should be."""

    words: str
    well: bool


@dataclass(frozen=True, kw_only=True)
class ServerPage(SchoolPage):
    template = "pages/school/server.html"
    here: SchoolTab = "server"
    lines: tuple[Said, ...]
    open_pages: str
    version: str
    database: str


def server() -> str:
    """Say what works and what does not."""
    found = checkup(Path(current_app.instance_path), current_app.extensions.get("pulse"))
    open_pages = ngettext(
        "%(num)s page is open and follows a table or a class.",
        "%(num)s pages are open and follow a table or a class.",
        found.open_pages,
    )
    return render(
        ServerPage(
            lines=tuple(_lines(found)),
            open_pages=open_pages,
            version=found.version,
            database=found.database,
        )
    )


def _lines(found: Checkup) -> Iterator[Said]:
    yield Said(found.problem or _("The data is sound, and changes are saved."), not found.problem)
    yield Said(_room(found), not found.is_full)
    yield Said(_moves(found), not found.is_slow)
    yield Said(_players(found), not found.is_late)
    yield Said(_work(found), not found.skipped)


def _room(found: Checkup) -> str:
    room = f"{found.free / GB:.1f}"
    if found.is_full:
        return _("Only %(room)s GB are free on the disk: make room before it is full.", room=room)
    return _("%(room)s GB are free on the disk.", room=room)


def _moves(found: Checkup) -> str:
    if found.wait is None:
        return _("Nobody has made a move in the last minute.")
    seconds = f"{found.wait:.1f}"
    if found.is_slow:
        return _(
            "In the last minute one move in a hundred waited %(seconds)s seconds or longer: this "
            "computer is too slow for this many children, or busy with something else.",
            seconds=seconds,
        )
    return _("Moves are answered at once.")


def _players(found: Checkup) -> str:
    if found.is_late:
        late = f"{found.lag:.0f}"
        return _(
            "Computer players are %(late)s seconds late: this computer has too much to do.",
            late=late,
        )
    return _("Computer players move on time.")


def _work(found: Checkup) -> str:
    if not found.skipped:
        return _("Everything else that is due has been done.")
    return ngettext(
        "%(num)s thing that is due fails each time, so it is skipped. The server’s log says what.",
        "%(num)s things that are due fail each time, so they are skipped. The server’s log says "
        "what.",
        found.skipped,
    )
