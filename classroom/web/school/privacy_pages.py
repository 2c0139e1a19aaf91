"""The privacy page, the papers that a school needs, how long things are kept, and the audit log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Final

from flask import abort, current_app, g, request
from werkzeug.wrappers import Response

from classroom import papers, privacy
from classroom.papers import SchoolFacts
from classroom.privacy import PERIODS, REGISTER, ColumnEntry
from classroom.services.base import audit, clock, limits
from classroom.services.reports import looks
from classroom.services.school import class_life
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.reports.progress import attached
from classroom.web.words import record_words
from classroom.web.words.language import N_, gettext as _

# ---- The privacy page for parents and staff, with a part for children
#
# Like PRIVACY.md, it is made from the register (classroom/data/privacy.toml).


def privacy_page() -> str:
    """Show what is kept about each person, why, for how long, and who sees it."""
    of_children = [name for name in REGISTER if privacy.in_record(name)]
    days = limits.days_kept()
    others = [name for name in REGISTER if name not in of_children]
    return render(
        "pages/auth/privacy.html",
        contact=current_app.config["CONTACT"],
        privacy=privacy,
        periods=tuple((one, days[one.key]) for one in PERIODS),
        by_itself=f"{_(privacy.BY_ITSELF)} {_(privacy.ABOUT_A_PERSON)}",
        of_children=tuple(REGISTER[name] for name in of_children),
        others=tuple(REGISTER[name] for name in others),
        note=_note,
    )


def _note(line: ColumnEntry, first: ColumnEntry) -> str:
    """Return the note on a column, as privacy.note does for papers, but translated."""
    if line.seen_by != first.seen_by:
        return _("seen by: %(who)s", who=_(line.seen_by))
    return _("about a person") if line.personal else ""


# ---- The folder: the papers that a school needs before it may use the program


def folder() -> str:
    """Show the list of papers."""
    return render("pages/school/folder.html", here="folder", papers=papers.papers(_facts()))


def paper(paper: str) -> Response | str:
    """Show one paper, to read and print; with `?as=file`, send it as a Markdown file."""
    found = next((one for one in papers.papers(_facts()) if one.key == paper), None)
    if found is None:
        abort(404)
    if request.args.get("as") == "file":
        file = Response(found.markdown, content_type="text/markdown; charset=utf-8")
        return attached(file, found.title, "md")
    return render("pages/school/paper.html", document=found)


def components() -> Response:
    """Send the list of third-party software (CycloneDX) as a file."""
    file = Response(papers.components(), content_type="application/json")
    return attached(file, "components", "json")


def _facts() -> SchoolFacts:
    config = current_app.config
    return SchoolFacts(
        school=class_life.size(g.who.school_id).name,
        contact=config["CONTACT"],
        https=bool(config["TLS_CERT"]),
        database="PostgreSQL" if config["DATABASE_URI"].startswith("postgresql") else "SQLite",
    )


# ---- How long things are kept: the administrator chooses within fixed bounds


def keeping_page() -> Reply:
    """Show the periods; a POST sets them."""
    if request.method != "POST":
        return _page(limits.days_kept(), {})
    errors = forms.errors()
    chosen = {one.key: forms.whole(one.key, one.least, one.most, errors) for one in PERIODS}
    if errors:
        return _page(request.form, errors), 400
    limits.choose_days(g.who.school_id, chosen, g.who.adult_id, forms.version())
    return see_other("school.keeping", done="saved")


def _page(days: Mapping[str, int | str], errors: Mapping[str, str]) -> str:
    return render(
        "pages/school/keeping.html",
        here="keeping",
        periods=PERIODS,
        values={one.key: str(days.get(one.key, "")) for one in PERIODS},
        errors=forms.blank(errors),
        done=_("Saved.") if request.args.get("done") == "saved" else "",
    )


# ---- The audit log for an administrator: who did what, without any child's name

OTHERS: Final = {looks.PARENTS: N_("Parents"), looks.BY_PROGRAM: N_("The program")}

# The time of an action, its sentence and, for several classes, how many children in each.
LogLine = tuple[float, str, tuple[str, ...]]


def record() -> str:
    """Show a page of the log, limited to the chosen action, day, person or class, if any."""
    kind, day = request.args.get("kind", ""), _day(request.args.get("day", ""))
    action, _dot, thing = kind.partition(".")
    chosen = (action, thing) if (action, thing) in record_words.WORDS else None
    person, room = request.args.get("person", ""), request.args.get("room", "")
    wanted = looks.ChosenLooks(
        kind=chosen,
        day=day,
        person=_number(person) if person not in OTHERS else person,
        room=_number(room),
        before=request.args.get("before", type=int),
    )
    found = looks.of_school(g.who.school_id, g.who.adult_id, wanted)
    kinds = [(f"{do}.{thing}", record_words.kind(do, thing)) for do, thing in found.kinds]
    days: dict[int, list[LogLine]] = defaultdict(list)
    for one in found.entries:
        line = one.at, record_words.entry(one), record_words.parts(one)
        days[clock.day(one.at)].append(line)
    return render(
        "pages/school/record.html",
        here="record",
        days=tuple(days.items()),
        kinds=tuple(sorted(kinds, key=lambda one: one[1])),
        people=(
            *((str(key), name) for key, name in found.people),
            *((key, _(words)) for key, words in OTHERS.items()),
        ),
        rooms=tuple((str(key), name) for key, name in found.rooms),
        kind=kind if chosen else "",
        person="" if wanted.person is None else str(wanted.person),
        room="" if wanted.room is None else str(wanted.room),
        on="" if day is None else class_life.date_of(day).isoformat(),
        today=class_life.date_of(clock.day()).isoformat(),
        kept=limits.days_kept()["keep_audit"],
        checked=audit.broken_seals(),
        more=found.more,
    )


def _number(typed: str) -> int | None:
    """Return the id in a field; None if there is none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else None


def _day(typed: str) -> int | None:
    """Return the day number of a date from a browser; None if it is not a date, or out of range."""
    try:
        found = class_life.day_of(date.fromisoformat(typed))
    except ValueError:
        return None
    return found if 0 < found <= clock.day() + 1 else None
