"""The values of the pages that teach.py renders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from classroom.services.access.knocks import ChildAtDoor
from classroom.services.base.faces import Face
from classroom.services.lesson.live_class import LiveClass
from classroom.services.reports.figures import ChildPage, ClassLine, ClassPage
from classroom.services.school.class_life import ArchivedLine, Life
from classroom.services.school.family_links import Family
from classroom.services.school.removals import Goes
from classroom.services.school.undoing import Recent
from classroom.web.http.pages import Page, Tab, TeacherPage
from classroom.web.reports.charts import DayDots
from classroom.web.reports.class_roll import RollLine
from classroom.web.reports.missed_view import MissedView
from classroom.web.reports.progress_view import ChildView
from classroom.web.reports.tomorrow_pages import TomorrowLine

# `values` and `errors` of a form are by field; a missing field reads as "". `done` is what the page
# says after an action, "" for nothing.


# ---- classes


@dataclass(frozen=True, kw_only=True)
class MyClassesPage(TeacherPage):
    template = "pages/teach/home.html"
    here: Tab = "home"
    school_class: None = None
    classes: tuple[ClassLine, ...]
    archived: tuple[ArchivedLine, ...]
    values: Mapping[str, str]
    errors: Mapping[str, str]
    done: str


@dataclass(frozen=True, kw_only=True)
class NowPart(Page):
    """The part of the class page that refreshes itself. `c`: the class at play; None while it is
    closed."""

    template = "partials/teach/now.html"
    page: ClassPage
    door: tuple[ChildAtDoor, ...]
    c: LiveClass | None


@dataclass(frozen=True, kw_only=True)
class SchoolClassPage(NowPart, TeacherPage):
    """`added`: whether children were just added, so that printing their cards comes next.
    `new_cards`: how many children need a new sign-in card since the school year began.
    `since`: who grew and who did not play since last week, "" if nobody has played yet.
    `old_pictures`: whether a substitute whose time is over may know the pictures. `recent`: changes
    of who is in the class that can be undone; `error`: why one was not."""

    template = "pages/teach/class.html"
    here: Tab = "class"
    done: str
    added: bool
    tomorrow: tuple[TomorrowLine, ...]
    roll: tuple[RollLine, ...]
    since: str
    life: Life
    new_cards: int
    old_pictures: bool
    recent: tuple[Recent, ...]
    error: str


@dataclass(frozen=True, kw_only=True)
class CodePage(TeacherPage):
    """The class code, without any child's data. `address`: where it is typed; `only_here`: whether
    that works only on this computer. `life`: says when the code was made."""

    template = "pages/teach/code.html"
    here: Tab = "class"
    page: ClassPage
    life: Life
    qr: Markup
    address: str
    only_here: bool
    done: str


# ---- children


@dataclass(frozen=True, kw_only=True)
class AddChildrenPage(TeacherPage):
    """A whole list, or one child. `offered`: each animal with its next free pad."""

    template = "pages/teach/children.html"
    here: Tab = "class"
    values: Mapping[str, str]
    errors: Mapping[str, str]
    offered: tuple[Face, ...]
    age_bands: tuple[str, ...]
    done: str


@dataclass(frozen=True, kw_only=True)
class PupilPage(TeacherPage):
    """One child. `newest`: the questions that it missed lately. `settings_words`: the settings of
    its next round, one sentence each, and `whose_words` who chose them."""

    template = "pages/teach/child.html"
    here: Tab = "class"
    page: ChildPage
    dots: DayDots
    view: ChildView
    newest: tuple[MissedView, ...]
    settings_words: tuple[str, ...]
    whose_words: tuple[str, ...]
    family: Family
    home_lines: tuple[str, ...]
    values: Mapping[str, str]
    errors: Mapping[str, str]
    age_bands: tuple[str, ...]
    animals: tuple[str, ...]
    done: str


@dataclass(frozen=True, kw_only=True)
class RemovePage(TeacherPage):
    """`archived`: whether the child’s class is, so that the child is deleted at once."""

    template = "pages/teach/remove.html"
    here: Tab = "class"
    page: ChildPage
    archived: bool
    goes: Goes


@dataclass(frozen=True, kw_only=True)
class FamilyCodePage(TeacherPage):
    """A family code, shown once. `ends`: when it stops working. `address`: where it is typed."""

    template = "pages/teach/family_code.html"
    here: Tab = "class"
    page: ChildPage
    code: str
    ends: float
    address: str
    qr: Markup
