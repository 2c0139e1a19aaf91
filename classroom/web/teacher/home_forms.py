"""The form for play at home: its fields, and their values in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from classroom.services.lesson.home_play import HomePlay
from classroom.services.table.home import Hours
from classroom.web.words.filters import clock_time
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

TIMES: Final = ("home_from", "home_until", "home_weekend_from", "home_weekend_until")
CHOICES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "home_on": (N_("Play at home"), {"1": N_("On"), "0": N_("Off")}),
    "home_counts": (
        N_("What they show at home"),
        {"1": N_("counts in the class’s numbers"), "0": N_("is reported apart")},
    ),
}
WEEKENDS: Final = {"same": N_("as on other days"), "none": N_("no play at home")}


def fields(chosen: HomePlay) -> dict[str, str]:
    """The fields of the form for play at home."""
    return {
        "home_on": str(int(chosen.hours.on)),
        "home_from": str(chosen.hours.first),
        "home_until": str(chosen.hours.last),
        "home_weekend": chosen.hours.weekend,
        "home_weekend_from": str(chosen.hours.weekend_first),
        "home_weekend_until": str(chosen.hours.weekend_last),
        "home_counts": str(int(chosen.counts)),
    }


def in_force(hours: Hours) -> str:
    """When children may play at home, in a sentence."""
    if not hours.on:
        return _("Off: children play in lessons only.")
    first, last = clock_time(hours.first), clock_time(hours.last)
    if hours.weekend == "same":
        return _("On from %(first)s to %(last)s.", first=first, last=last)
    if hours.weekend == "none":
        return _("On from %(first)s to %(last)s, not at weekends.", first=first, last=last)
    return _(
        "On from %(first)s to %(last)s, at weekends from %(early)s to %(late)s.",
        first=first,
        last=last,
        early=clock_time(hours.weekend_first),
        late=clock_time(hours.weekend_last),
    )


def told(sent: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The label of each choice, and what was chosen. An unknown value is shown as it was sent."""
    for name, (label, words) in CHOICES.items():
        yield _(label), _(words[sent[name]]) if sent.get(name) in words else sent.get(name, "")
    yield _("Hours"), _between(sent, "home_from", "home_until")
    weekend = sent.get("home_weekend", "")
    if weekend == "other":
        yield _("Weekends"), _between(sent, "home_weekend_from", "home_weekend_until")
    else:
        yield _("Weekends"), _(WEEKENDS[weekend]) if weekend in WEEKENDS else weekend


def _between(sent: Mapping[str, str], *names: str) -> str:
    return " – ".join(clock_time(int(sent.get(name) or 0)) for name in names)
