"""How long things are kept: the administrator chooses within fixed bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response

from classroom.privacy import PERIODS, Period
from classroom.services.base import keeping
from classroom.web.http import both, forms
from classroom.web.http.pages import SchoolPage, SchoolTab, render
from classroom.web.words.language import gettext as _


@dataclass(frozen=True, kw_only=True)
class KeepingPage(SchoolPage):
    """`periods`: what can be chosen. `values`, `errors`: by the key of the period."""

    template = "pages/school/keeping.html"
    here: SchoolTab = "keeping"
    periods: tuple[Period, ...]
    values: Mapping[str, str]
    errors: Mapping[str, str]
    done: str


def keeping_page() -> Response | str | tuple[str, int]:
    """Show the periods; a POST sets them."""
    if request.method != "POST":
        return _page(keeping.days(g.who.school_id), {})
    errors = forms.errors()
    chosen = {one.key: forms.whole(one.key, one.least, one.most, errors) for one in PERIODS}
    if errors:
        return _page(request.form, errors), 400
    keeping.choose(g.who.school_id, chosen, g.who.adult_id, both.version())
    return redirect(url_for("school.keeping", done="saved"), code=303)


def _page(days: Mapping[str, int | str], errors: Mapping[str, str]) -> str:
    return render(
        KeepingPage(
            periods=PERIODS,
            values={one.key: str(days.get(one.key, "")) for one in PERIODS},
            errors=forms.blank(errors),
            done=_("Saved.") if request.args.get("done") == "saved" else "",
        )
    )
