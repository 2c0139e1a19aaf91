"""A teacher's pages for the families of a class, and printed sign-in cards."""

from __future__ import annotations

from typing import Final

from flask import g, request, url_for
from werkzeug.wrappers import Response

from classroom.services.access import accounts
from classroom.services.reports import overview
from classroom.services.school import classes, family_links, school_year
from classroom.web.auth.account_pages import code_paper
from classroom.web.http import forms
from classroom.web.http.pages import render, see_other, shown_class
from classroom.web.reports import charts
from classroom.web.words.language import N_

# ---- A teacher's pages for the families of a class: their links and their codes on paper

WHICH: Final = ("all", "missing")
DONE: Final = {
    "unlinked": N_("Unlinked. This adult can no longer see the child."),
    "ended": N_("Unlinked. This adult had no other child here, so their account has been closed."),
    "cancelled": N_("The code no longer works."),
}


def families(class_id: int) -> str:
    """Show the children in a class, each with the linked adults and the unused codes."""
    overview.looked(g.who.adult_id, "class", class_id)
    found = family_links.links_of_class(class_id)
    return render(
        "pages/teach/families.html",
        here="class",
        school_class=shown_class(class_id),
        families=found,
        missing=sum(one.missing for one in found),
        done=forms.done(DONE),
    )


def family_sheets(class_id: int) -> str:
    """Make codes and show them once, for printing: a redirect would put the codes in a URL."""
    which = forms.choice("which", WHICH)
    return render(
        "pages/teach/family_sheets.html",
        sheets=family_links.make_sheets(
            class_id, "all" if which == "all" else "missing", by=g.who.adult_id
        ),
        languages=classes.home_languages(class_id),
        **code_paper("family.join", family_links.CODE_DAYS),
        back=url_for("teach.families", class_id=class_id),
    )


def family_code(child_id: int) -> str:
    """Make a family code and show it once: a redirect would put the code in a URL."""
    page = overview.shown_child(child_id)
    return render(
        "pages/teach/family_code.html",
        here="class",
        school_class=page.school_class,
        page=page,
        words=classes.home_languages(page.school_class.class_id)[child_id],
        code=family_links.make_code(child_id, by=g.who.adult_id),
        **code_paper("family.join", family_links.CODE_DAYS),
    )


def unlink(child_id: int, parent_id: int) -> Response | str:
    """Show what it means to unlink this adult from the child; a POST unlinks them."""
    if request.method == "POST":
        cancel = forms.flag("codes")
        ended = family_links.unlink(child_id, parent_id, by=g.who.adult_id, codes=cancel)
        return _back(child_id, "ended" if ended else "unlinked")
    ending = family_links.ending(child_id, parent_id)
    overview.looked(g.who.adult_id, "child", child_id)
    return render(
        "pages/teach/unlink.html",
        here="class",
        school_class=overview.shown_child(child_id).school_class,
        ending=ending,
    )


def cancel_code(child_id: int) -> Response:
    code_id = forms.number("code", 1, forms.MAX_ID)
    family_links.cancel_code(child_id, code_id, by=g.who.adult_id)
    return _back(child_id, "cancelled")


def reset_code(child_id: int, parent_id: int) -> str:
    """Make a code for a new password, and show it once."""
    adult, code = family_links.make_reset_code(child_id, parent_id, by=g.who.adult_id)
    school_class = overview.shown_child(child_id).school_class
    return render(
        "pages/teach/reset_code.html",
        here="class",
        school_class=school_class,
        adult=adult,
        child=family_links.links_of_child(child_id),
        words=classes.home_languages(school_class.class_id)[child_id],
        code=code,
        **code_paper("auth.reset", accounts.RESET_DAYS),
    )


def cancel_reset_code(child_id: int, parent_id: int) -> Response:
    family_links.cancel_reset_code(child_id, parent_id, by=g.who.adult_id)
    return _back(child_id, "cancelled")


def _back(child_id: int, done: str) -> Response:
    """Go back to the page that had the button: the child's, or the families page."""
    if request.form.get("then") == "class":
        class_id = overview.class_of(child_id)
        return see_other("teach.families", class_id=class_id, done=done)
    return see_other("teach.child", child_id=child_id, done=done)


# ---- Printed sign-in cards, for a class or for one child


def cards(class_id: int) -> str:
    """Show the sign-in cards of a class. With `which=new`, only the cards of children whose
    old card became wrong with the new school year."""
    new = request.args.get("which") == "new"
    only = school_year.cards_needed(class_id) if new else None
    return _cards(
        classes.sign_in_cards(class_id, by=g.who.adult_id, only=only),
        url_for("teach.school_class", class_id=class_id),
    )


def card(child_id: int) -> str:
    return _cards(
        (classes.sign_in_card(child_id, by=g.who.adult_id),),
        url_for("teach.child", child_id=child_id),
    )


def _cards(found: tuple[classes.SignInCard, ...], back: str) -> str:
    code = found[0].code if found else ""  # "" unless the class keeps its code
    way_in = url_for("auth.class_link", code=code, _external=True) if code else ""
    way_in = way_in or url_for("auth.front", _external=True)
    qr = charts.qr(way_in, "scard__qr") if found else ""
    return render("pages/teach/cards.html", cards=found, back=back, qr=qr)
