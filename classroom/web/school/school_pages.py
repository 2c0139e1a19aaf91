"""The administrator's pages: the school at a glance, people, classes, settings, lists, server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from flask import current_app, g, request
from werkzeug.wrappers import Response

from classroom.learning.skills import AGE_BANDS
from classroom.services.access import accounts, invitations
from classroom.services.base import audit, clock
from classroom.services.base.clock import SchoolPlace
from classroom.services.base.errors import Refused
from classroom.services.operation.health import GB, Checkup, checkup
from classroom.services.reports import skill_reports
from classroom.services.school import class_life, class_lists, people as staff, undoing
from classroom.services.school.class_lists import ComparedClass
from classroom.services.school.lists import columns, list_children, reading, tabular
from classroom.services.school.lists.tabular import FILE_BYTES, Bundle, ListTable, UnreadableList
from classroom.services.table import choices
from classroom.web.auth.account_pages import code_paper, slip
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other
from classroom.web.reports import setting_forms
from classroom.web.reports.setting_forms import NOTHING, Saving, SentSettings, offer
from classroom.web.words import list_words
from classroom.web.words.language import N_, gettext as _, ngettext
from classroom.web.words.level_words import SYSTEM_NAMES
from classroom.web.words.sentences import sentence

# ---- The administrator's first page: the school at a glance


def school_home() -> str:
    return render(
        "pages/school/home.html",
        here="school",
        size=class_life.size(g.who.school_id),
        alone=[room for room in staff.rooms(g.who.school_id) if not room.teachers],
        checked=audit.broken_seals(),
    )


# ---- The administrator's page of all classes, and who teaches them

ROOMS_DONE: Final = {
    "add": N_("Saved. That teacher will find the class under “My classes”."),
    "remove": N_("Saved. That teacher can no longer see this class."),
}


def classes() -> str:
    """Show the classes by name, with those that have no teacher first."""
    return render(
        "pages/school/classes.html",
        here="classes",
        rooms=sorted(staff.rooms(g.who.school_id), key=lambda room: bool(room.teachers)),
        teachers=staff.teachers(g.who.school_id),
        done=forms.done(ROOMS_DONE),
    )


def teachers(class_id: int) -> Response:
    """Give the class to a teacher, or remove a teacher or a substitute from it."""
    what, adult_id = forms.choice("do", ROOMS_DONE), forms.number("adult", 1, forms.MAX_ID)
    if what == "add":
        staff.share(class_id, adult_id, by=g.who.adult_id)
    else:
        staff.take_off(class_id, adult_id, by=g.who.adult_id)
    return see_other("school.classes", done=what, _anchor=f"class-{class_id}")


# ---- The school's settings: time, dates, words, standards and paper, and how children usually play

DONE = {
    "place": N_("Saved. Every page, sheet and file uses this from now on."),
    "play": N_("Saved. This applies from the next round, unless someone has chosen otherwise."),
    "questions": N_(
        "Saved. This applies from the next question, in classes that have not chosen their own."
    ),
}
# The choices in the form, each with its name and an example.
DATES: Final = {
    "day_first": (N_("Day first"), "3 Nov 2026, 14:45"),
    "month_first": (N_("Month first"), "Nov 3, 2026, 2:45 PM"),
    "year_first": (N_("Year first"), "2026-11-03, 14:45"),
}
WORDS: Final = {
    "en_GB": (N_("British English"), "maths · colour"),
    "en_US": (N_("American English"), "math · color"),
}
PAPERS: Final = {
    "a4": (N_("A4"), N_("210 × 297 mm")),
    "letter": (N_("Letter"), N_("8½ × 11 inches")),
}


def settings() -> Reply:
    """Show all settings; a POST sets time, dates, words, standards and paper."""
    if request.method != "POST":
        return settings_page()
    errors = forms.errors()
    typed = {
        "time_zone": forms.text("time_zone", forms.LONGEST),
        "dates": forms.chosen("dates", clock.DATES, errors),
        "words": forms.chosen("words", clock.WORDS, errors),
        "paper": forms.chosen("paper", clock.PAPERS, errors),
        "standards": forms.chosen("standards", skill_reports.SYSTEMS, errors),
    }
    if not errors:
        place = SchoolPlace(**{name: value for name, value in typed.items() if name != "standards"})
        who, system = g.who, typed["standards"]
        try:
            class_life.set_place(who.adult_id, who.school_id, place, system, forms.version())
            return see_other("school.settings", done="place")
        except Refused as refused:
            errors[refused.code] = sentence(refused)
    return settings_page(SentSettings(part="place", errors=errors, picks=typed)), 400


def place_fields(where: tuple[SchoolPlace, str]) -> dict[str, str]:
    """Return the place of the school and its standards, as the fields of the form."""
    place, system = where
    return {**asdict(place), "standards": system}


def settings_page(sent: SentSettings = NOTHING) -> str:
    """Render the page of settings. `sent`: settings that were sent and cannot be stored."""
    school_id, part = g.who.school_id, sent.part or request.args.get("done", "")
    name, now = class_life.size(school_id).name, place_fields(class_life.where(school_id))
    zones: dict[str, list[str]] = defaultdict(list)
    for zone in sorted(clock.zones()):
        zones[zone.split("/")[0]].append(zone)
    return render(
        "pages/school/settings.html",
        here="settings",
        name=name,
        part=part if part in DONE else "place",
        place=forms.blank(sent.picks if sent.part == "place" else now),
        errors=forms.blank(sent.errors),
        zones=tuple(zones.items()),
        now=clock.now(),
        dates=offer(DATES),
        words=offer(WORDS),
        papers=offer(PAPERS),
        systems=offer(SYSTEM_NAMES),
        shown=setting_forms.shown("school", choices.read("school", school_id), name, sent=sent),
        done=forms.done(DONE),
    )


SCHOOL = Saving("school", "school.settings", settings_page)


# ---- How the server is doing, in plain words, for administrators


def server() -> str:
    """Show which parts of the server work and which do not."""
    found = checkup(Path(current_app.instance_path), current_app.extensions.get("pulse"))
    return render(
        "pages/school/server.html",
        here="server",
        lines=tuple(_lines(found)),
        open_pages=ngettext(
            "%(num)s open page is following a table or a class.",
            "%(num)s open pages are following a table or a class.",
            found.open_pages,
        ),
        version=found.version,
        database=found.database,
    )


def _lines(found: Checkup) -> Iterator[tuple[str, bool]]:
    """Yield a sentence about each thing that was checked, and whether it works."""
    yield found.problem or _("The data is sound, and changes are saved."), not found.problem
    room = f"{found.free / GB:.1f}"
    words = _("%(room)s GB of disk space is free.", room=room)
    if found.is_full:
        words = _(
            "Only %(room)s GB of disk space is left: please free some space before the disk is "
            "full.",
            room=room,
        )
    yield words, not found.is_full
    words = _("Moves are answered at once.")
    if found.wait is None:
        words = _("Nobody has made a move in the last minute.")
    elif found.is_slow:
        words = _(
            "In the last minute one move in a hundred waited %(seconds)s seconds or longer: this "
            "computer is too slow for this many children, or busy with something else.",
            seconds=f"{found.wait:.1f}",
        )
    yield words, not found.is_slow
    words = _("Computer players move on time.")
    if found.is_late:
        words = _(
            "Computer players are %(late)s seconds late: this computer has too much to do.",
            late=f"{found.lag:.0f}",
        )
    yield words, not found.is_late
    words = _("All other jobs that are due have been done.")
    if found.skipped:
        words = ngettext(
            "%(num)s job that is due fails each time, so it is skipped. The server’s log has the "
            "details.",
            "%(num)s jobs that are due fail each time, so they are skipped. The server’s log has "
            "the details.",
            found.skipped,
        )
    yield words, not found.skipped


# ---- Everyone who works at the school

STAFF_DONE: Final = {
    "revoked": N_("That code no longer works."),
    "admin": N_("This person is now an administrator."),
    "teacher": N_("This person is now a teacher only."),
    "cancelled": N_("The code no longer works."),
    "ended": N_("The account has been deleted and signed out of every browser."),
}


def people(problem: str = "", errors: Mapping[str, str] | None = None) -> str:
    today = clock.local(clock.now()).date().isoformat()
    return render(
        "pages/school/people.html",
        here="people",
        staff=staff.staff(g.who.school_id),
        invited=invitations.of_school(g.who.school_id),
        rooms=staff.rooms(g.who.school_id),
        today=today,
        last=forms.text("last", default=today) if errors else today,
        errors=forms.blank(errors),
        done=forms.done(STAFF_DONE),
        problem=problem,
    )


def invite() -> Reply:
    """Make an invitation and show its code once: a redirect would put the code in a URL."""
    role = forms.choice("role", (*invitations.TEACHES, invitations.SUBSTITUTE))
    if role == invitations.SUBSTITUTE:
        class_id: int | None = forms.number("class", 1, forms.MAX_ID)
    else:
        class_id = forms.number("class", 0, forms.MAX_ID, default=0) or None
    place = staff.room(class_id).name if class_id else class_life.size(g.who.school_id).name
    try:
        return render(
            "pages/school/invitation.html", here="people", slip=slip(role, place, class_id)
        )
    except Refused as refused:
        if refused.code == "until":
            return people(errors={"last": sentence(refused)}), 400
        if refused.code != "school_full":
            raise
        return people(sentence(refused)), 400


def revoke() -> Response:
    invitation = forms.number("invitation", 1, forms.MAX_ID)
    invitations.revoke(invitation, g.who.adult_id, g.who.school_id)
    return see_other("school.people", done="revoked")


def role(adult_id: int) -> Reply:
    """Make a teacher an administrator, or make an administrator only a teacher."""
    chosen = forms.choice("role", invitations.TEACHES)
    try:
        staff.set_role(adult_id, chosen, by=g.who.adult_id)
    except Refused as refused:
        if refused.code != "last_admin":
            raise
        return people(sentence(refused)), 409
    if adult_id == g.who.adult_id and chosen == "teacher":  # this adult may no longer see the page
        return see_other("auth.front")
    return see_other("school.people", done=chosen)


def end(adult_id: int) -> Reply:
    """Show what is lost when the account is closed; a POST closes it."""
    if request.method != "POST":
        alone = [
            room.name
            for room in staff.rooms(g.who.school_id)
            if [one.adult_id for one in room.teachers] == [adult_id]
        ]
        return render(
            "pages/school/end.html",
            here="people",
            colleague=staff.colleague(adult_id),
            alone=alone,
        )
    try:
        staff.end_account(adult_id, by=g.who.adult_id)
    except Refused as refused:
        if refused.code != "last_admin":
            raise
        return people(sentence(refused)), 409
    if adult_id == g.who.adult_id:
        return see_other("auth.front")
    return see_other("school.people", done="ended")


def reset_code(adult_id: int) -> str:
    """Make a code for a new password and show it once: a redirect would put the code in a URL."""
    adult, code = staff.make_reset_code(adult_id, by=g.who.adult_id)
    return render(
        "pages/school/reset_code.html",
        here="people",
        adult=adult,
        school=class_life.size(g.who.school_id).name,
        code=code,
        **code_paper("auth.reset", accounts.RESET_DAYS),
    )


def cancel_reset_code(adult_id: int) -> Response:
    accounts.cancel_reset(adult_id, by=g.who.adult_id)
    return see_other("school.people", done="cancelled")


# ---- A whole school from one list: a OneRoster zip, or a spreadsheet with a column of classes

MOST_TROUBLES = 5  # how many children of a class are listed as left out at most


@dataclass(frozen=True, slots=True)
class ListedRoom:
    """A class in the list. `words`: what would be done. `troubles`: who is left out, and why."""

    at: int
    name: str
    words: str
    troubles: tuple[str, ...]
    ticked: bool


def lists() -> Reply:
    """Read a list and show its classes. Other steps add the ticked classes, or undo a list."""
    if request.method != "POST":
        return _page(done=_done())
    step = forms.choice("step", ("read", "apply", "undo"))
    if step == "undo":
        change_id = forms.number("change", 1, forms.MAX_ID)
        done = undoing.undo_list(g.who.school_id, change_id, g.who.adult_id)
        return see_other("school.lists", gone=done.children, stay=done.stay or None)
    try:
        if step == "apply":
            return _apply(tabular.unpack_bundle(forms.text("bundle", FILE_BYTES)))
        return _page(_read())
    except UnreadableList as refused:
        return _page(errors={"file": sentence(refused)}), 400


def _read() -> Bundle:
    sent, today = request.files.get("file"), clock.local(clock.now()).date()
    found = reading.read_file(sent.read() if sent else b"")
    if isinstance(found, ListTable):
        guess = columns.guess(found)
        if guess.asks:
            raise UnreadableList("list_no_name")
        bundle = list_children.of_table(found, guess, today)
    else:
        bundle = list_children.of_zip(found, today)
    if not bundle.classes:
        raise UnreadableList("list_empty")
    return bundle


def _apply(bundle: Bundle) -> Reply:
    # The number of a class is its place in the list plus one, because 0 is not an id.
    chosen = [number - 1 for number in forms.ids(request.form.getlist("room"))]
    try:
        made = class_lists.apply_school(bundle, chosen, g.who.school_id, _band(), g.who.adult_id)
    except Refused as refused:
        return _page(bundle, errors={"rooms": sentence(refused)}, chosen=chosen), 400
    return see_other("school.lists", classes=made[0], children=made[1])


def _done() -> str:
    """Return a sentence saying how many children a list added, or how many were removed when it was
    undone. The numbers come from the URL; returns "" without them."""
    gone, stay = (request.args.get(name, 0, type=int) for name in ("gone", "stay"))
    if "gone" in request.args:
        return list_words.undone(gone, stay)
    made = request.args.get("classes", type=int), request.args.get("children", type=int)
    if made[0] is None or made[1] is None:
        return ""
    return _(
        "Done: %(classes)s and %(children)s were added.",
        classes=ngettext("%(num)s class", "%(num)s classes", made[0]),
        children=ngettext("%(num)s child", "%(num)s children", made[1]),
    )


def _band() -> str:
    return forms.choice("age_band", AGE_BANDS, AGE_BANDS[0])


def _page(
    bundle: Bundle | None = None,
    errors: Mapping[str, str] | None = None,
    chosen: list[int] | None = None,
    done: str = "",
) -> str:
    rooms, band = None, _band()
    if bundle:
        found = class_lists.compare_school(bundle, g.who.school_id, band)
        if chosen is None:  # tick the classes marked as homerooms, if any, otherwise all
            chosen = [one.at for one in found if one.listed.home] or [one.at for one in found]
        rooms = tuple(_listed_room(one, one.at in chosen) for one in found)
    return render(
        "pages/school/lists.html",
        here="school",
        title=bundle.kind if bundle else "",
        kept=list_words.kept(bundle),
        rooms=rooms,
        bundle=tabular.pack_bundle(bundle) if bundle else "",
        dropped=list_words.dropped(bundle),
        notes=list_words.notes(bundle),
        values={"age_band": band},
        errors=forms.blank(errors),
        age_bands=AGE_BANDS,
        recent=undoing.lists_by(g.who.adult_id),
        done=done,
    )


def _listed_room(one: ComparedClass, ticked: bool) -> ListedRoom:
    parts = [_("a new class") if one.class_id is None else _("a class that already exists")]
    parts.append(ngettext("%(num)s new child", "%(num)s new children", one.new))
    if one.same:
        parts.append(
            ngettext("%(num)s already in the class", "%(num)s already in the class", one.same)
        )
    if one.others:
        parts.append(ngettext("%(num)s difference", "%(num)s differences", one.others))
    troubles = tuple(
        _("“%(name)s” %(trouble)s", name=child.line.name, trouble=list_words.trouble(child))
        for child in one.troubles[:MOST_TROUBLES]
    )
    return ListedRoom(
        one.at + 1, one.listed.name or _("No class"), ", ".join(parts), troubles, ticked
    )
