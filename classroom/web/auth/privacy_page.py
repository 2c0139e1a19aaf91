"""The privacy page for parents and staff, with a part for children.

Like PRIVACY.md, it is made from the register (classroom/data/privacy.toml).
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from classroom import privacy
from classroom.privacy import REGISTER, ColumnEntry, Cookie, Period, TableEntry, WorkedOut
from classroom.services.base import keeping
from classroom.web.http.pages import Page, render


@dataclass(frozen=True, slots=True)
class Kept:
    """A database table as the page describes it. `columns`: name, purpose and note of each."""

    what: str
    seen_by: str
    keep: str
    delete: str
    columns: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, kw_only=True)
class PrivacyPage(Page):
    """The texts of the register and its tables. `for_children`: a picture and a sentence each;
    `short` and `questions`: a heading and a text each. `contact`: "" if the school named none.
    `periods`: what the school may choose, and the days that it chose."""

    template = "pages/auth/privacy.html"
    contact: str
    for_children: tuple[tuple[str, str], ...]
    short: tuple[tuple[str, str], ...]
    profile: str
    worked_out: tuple[WorkedOut, ...]
    questions: tuple[tuple[str, str], ...]
    about_cookies: str
    cookies: tuple[Cookie, ...]
    about_periods: str
    periods: tuple[tuple[Period, int], ...]
    by_itself: str
    of_children: tuple[Kept, ...]
    others: tuple[Kept, ...]


def privacy_page() -> str:
    """The page that says what is kept about whom, what for, who sees it, and for how long."""
    of_children = [name for name in REGISTER if privacy.in_record(name)]
    days = keeping.days()
    others = [name for name in REGISTER if name not in of_children]
    return render(
        PrivacyPage(
            contact=current_app.config["CONTACT"],
            for_children=privacy.FOR_CHILDREN,
            short=privacy.SHORT,
            profile=privacy.PROFILE,
            worked_out=privacy.WORKED_OUT,
            questions=privacy.QUESTIONS,
            about_cookies=privacy.ABOUT_COOKIES,
            cookies=privacy.COOKIES,
            about_periods=privacy.ABOUT_PERIODS,
            periods=tuple((one, days[one.key]) for one in privacy.PERIODS),
            by_itself=f"{privacy.BY_ITSELF} {privacy.ABOUT_A_PERSON}",
            of_children=tuple(_kept(REGISTER[name]) for name in of_children),
            others=tuple(_kept(REGISTER[name]) for name in others),
        )
    )


def _kept(table: TableEntry) -> Kept:
    first: ColumnEntry = table.first
    columns = tuple(
        (name, line.purpose, privacy.note(line, table)) for name, line in table.columns.items()
    )
    return Kept(
        what=table.what,
        seen_by=first.seen_by,
        keep=first.keep,
        delete=first.delete,
        columns=columns,
    )
