"""What the pages say about class lists: columns, reasons, lines that were left out."""

from __future__ import annotations

from typing import Final

from classroom.services.school.class_lists import Compared
from classroom.services.school.classes import MOST_CHILDREN
from classroom.services.school.lists.columns import COLUMN_KINDS
from classroom.services.school.lists.tabular import Bundle, LeftOut
from classroom.web.words.language import N_, gettext as _, ngettext

MOST_NOTES: Final = 12

_KINDS: Final = {
    "none": N_("Not used"),
    "first": N_("First name"),
    "preferred": N_("Preferred name"),
    "last": N_("Last name"),
    "name": N_("Whole name"),
    "age": N_("Age"),
    "grade": N_("Grade or year"),
    "birth": N_("Date of birth"),
    "class": N_("Class"),
}
_WHY: Final = {
    "heading": N_("by its heading"),
    "content": N_("by its contents"),
    "chosen": N_("your choice"),
}
_LEFT_OUT: Final = {
    "total": N_("Line %(number)s is a total."),
    "note": N_("Line %(number)s looks like a note."),
    "no_name": N_("Line %(number)s has no first name."),
    "unknown_child": N_("%(file)s, line %(number)s: this child is not in the list of users."),
    "unknown_class": N_("%(file)s, line %(number)s: this class is not in the list of classes."),
}
_TROUBLES: Final = {
    "long": N_("is longer than 30 letters. A first name is enough."),
    "odd": N_("does not look like a name."),
    "twice": N_(
        "is also on line {twin}. If these are two different children, add a letter, like "
        "“{name} B.”."
    ),
    "known": N_(
        "is already in this class. If this is another child, add a letter, like “{name} B.”."
    ),
    "full": N_("cannot be added: a class can have at most {most} children."),
}


def kinds() -> tuple[tuple[str, str], ...]:
    """The kinds of column that a class list can have, each with its name."""
    return tuple((kind, _(_KINDS[kind])) for kind in COLUMN_KINDS)


def why(reason: str) -> str:
    return _(_WHY[reason])


def notes(bundle: Bundle | None) -> tuple[str, ...]:
    """Why lines were left out, for at most MOST_NOTES lines."""
    return tuple(map(_left_out, bundle.left_out[:MOST_NOTES])) if bundle else ()


def _left_out(line: LeftOut) -> str:
    words = _LEFT_OUT.get(line.why, N_("Line %(number)s was left out."))
    if line.file and line.why == "no_name":
        words = N_("%(file)s, line %(number)s has no first name.")
    return _(words, number=line.number, file=line.file)


def room(name: str, count: int) -> str:
    """A class in a list, and how many children the list has for it."""
    children = ngettext("%(num)s child", "%(num)s children", count)
    return _("%(name)s: %(children)s", name=name or _("No class"), children=children)


def kept(bundle: Bundle | None) -> str:
    """Say what is kept from a list, including the school's own ids if the list has them."""
    if bundle and bundle.has_ids:
        return _(
            "From the list we keep first names, ages, and the number that your school’s "
            "system has for each child, and nothing else."
        )
    return _("From the list we keep first names and ages, and nothing else.")


def dropped(bundle: Bundle | None) -> str:
    """The names of the columns that are not kept; "" if there are none."""
    return ", ".join(_dropped(name, bundle) for name in bundle.dropped) if bundle else ""


def _dropped(name: str, bundle: Bundle) -> str:
    called = _("column %(n)s", n=name) if name.isdigit() else name
    return _("%(name)s (used for the age)", name=called) if name in bundle.aged else called


def undone(gone: int, stay: int) -> str:
    """What undoing a list did: how many children were removed, and how many stay."""
    said = ngettext(
        "Undone: %(num)s child from the list was removed again.",
        "Undone: %(num)s children from the list were removed again.",
        gone,
    )
    if not stay:
        return said
    stays = ngettext(
        "%(num)s child has played since then and stays in the class.",
        "%(num)s children have played since then and stay in the class.",
        stay,
    )
    return f"{said} {stays}"


def trouble(one: Compared) -> str:
    """Why a child on the list cannot be added or renamed as listed."""
    return _(_TROUBLES[str(one.trouble)]).format(
        twin=one.twin, name=one.line.name, most=MOST_CHILDREN
    )


def wrong_line(one: Compared) -> str:
    words = {"number": one.line.number, "name": one.line.name, "trouble": trouble(one)}
    return _("Line %(number)s: “%(name)s” %(trouble)s", **words)


def new_band(name: str, old: str, new: str) -> str:
    ages = {"old": old.replace("-", "–"), "new": new.replace("-", "–")}
    return _("Change the age of %(name)s from %(old)s to %(new)s", name=name, **ages)


def ids(count: int) -> str:
    return ngettext(
        "Keep the number that your school’s system has for %(num)s child, so that the next list "
        "finds this child",
        "Keep the numbers that your school’s system has for %(num)s children, so that the next "
        "list finds them",
        count,
    )
