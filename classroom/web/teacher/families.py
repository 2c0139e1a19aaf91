"""A teacher's pages for the families of a class: links, codes on paper, and ending either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import g, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from classroom.services.access import resets
from classroom.services.base import clock
from classroom.services.reports import overview
from classroom.services.school import families as codes
from classroom.services.school import family_links
from classroom.services.school.family_links import Ending, Family, Sheet
from classroom.web.http import forms
from classroom.web.http.pages import Page, ShownClass, Tab, TeacherPage, render
from classroom.web.reports import charts
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

WHICH: Final = ("all", "missing")
DONE: Final = {
    "unlinked": N_("Unlinked. They can no longer see the child."),
    "ended": N_("Unlinked. They had no other child here, so their account has ended."),
    "cancelled": N_("The code no longer works."),
}


@dataclass(frozen=True, kw_only=True)
class FamiliesPage(TeacherPage):
    """The families of a class. `missing`: how many children have neither a linked adult nor a
    code."""

    template = "pages/teach/families.html"
    here: Tab = "class"
    families: tuple[Family, ...]
    missing: int
    done: str


@dataclass(frozen=True, kw_only=True)
class FamilySheetsPage(Page):
    """Codes to print, shown once. `ends`: when they stop working. `address`: where they are typed.
    `back`: the address of the families page."""

    template = "pages/teach/family_sheets.html"
    sheets: tuple[Sheet, ...]
    ends: float
    address: str
    qr: Markup
    back: str


@dataclass(frozen=True, kw_only=True)
class UnlinkPage(TeacherPage):
    template = "pages/teach/unlink.html"
    here: Tab = "class"
    ending: Ending


@dataclass(frozen=True, kw_only=True)
class ResetCodePage(TeacherPage):
    """A code for a new password, shown once. `adult`: whose it is. `child`: this adult's child."""

    template = "pages/teach/reset_code.html"
    here: Tab = "class"
    adult: str
    child: Family
    code: str
    ends: float
    address: str
    qr: Markup


def families(class_id: int) -> str:
    """The children of a class, each with its linked adults and unused codes."""
    overview.looked(g.who.adult_id, "class", class_id)
    found = family_links.of_class(class_id)
    return render(
        FamiliesPage(
            school_class=ShownClass(class_id, overview.class_name(class_id)),
            families=found,
            missing=sum(one.missing for one in found),
            done=_(DONE.get(request.args.get("done", ""), "")),
        )
    )


def family_sheets(class_id: int) -> str:
    """Make codes and show them once, to print: a redirect would put them into an address."""
    which = forms.choice("which", WHICH)
    join = url_for("family.join", _external=True)
    return render(
        FamilySheetsPage(
            sheets=family_links.make_sheets(
                class_id, "all" if which == "all" else "missing", by=g.who.adult_id
            ),
            ends=clock.now() + codes.CODE_DAYS * clock.SECONDS_A_DAY,
            address=join.split("//", 1)[1],
            qr=charts.qr(join),
            back=url_for("teach.families", class_id=class_id),
        )
    )


def unlink(child_id: int, parent_id: int) -> Response | str:
    """Show what unlinking means; a POST unlinks."""
    if request.method == "POST":
        cancel = forms.flag("codes")
        ended = family_links.unlink(child_id, parent_id, by=g.who.adult_id, codes=cancel)
        return _back(child_id, "ended" if ended else "unlinked")
    ending = family_links.ending(child_id, parent_id)
    overview.looked(g.who.adult_id, "child", child_id)
    return render(UnlinkPage(school_class=_class_of(child_id), ending=ending))


def cancel_code(child_id: int) -> Response:
    code_id = forms.number("code", 1, forms.MOST)
    family_links.cancel_code(child_id, code_id, by=g.who.adult_id)
    return _back(child_id, "cancelled")


def reset_code(child_id: int, parent_id: int) -> str:
    """Make a code for a new password and show it once."""
    adult, code = family_links.make_reset_code(child_id, parent_id, by=g.who.adult_id)
    address = url_for("auth.reset", _external=True)
    return render(
        ResetCodePage(
            school_class=_class_of(child_id),
            adult=adult,
            child=family_links.of_child(child_id),
            code=code,
            ends=clock.now() + resets.CODE_DAYS * clock.SECONDS_A_DAY,
            address=address.split("//", 1)[1],
            qr=charts.qr(address),
        )
    )


def cancel_reset_code(child_id: int, parent_id: int) -> Response:
    family_links.cancel_reset_code(child_id, parent_id, by=g.who.adult_id)
    return _back(child_id, "cancelled")


def _back(child_id: int, done: str) -> Response:
    """Go back to the page that had the button: the child's, or the families page."""
    if request.form.get("then") == "class":
        class_id = overview.class_of(child_id)
        return redirect(url_for("teach.families", class_id=class_id, done=done), code=303)
    return redirect(url_for("teach.child", child_id=child_id, done=done), code=303)


def _class_of(child_id: int) -> ShownClass:
    class_id = overview.class_of(child_id)
    return ShownClass(class_id, overview.class_name(class_id))
