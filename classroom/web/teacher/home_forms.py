"""The form for play at home: its fields, and when children may play there, in a sentence."""

from __future__ import annotations

from typing import Final

from classroom.services.lesson.home_play import HomePlay
from classroom.services.table.home import Hours
from classroom.web.words.filters import clock_time
from classroom.web.words.language import gettext as _

TIMES: Final = ("home_from", "home_until", "home_weekend_from", "home_weekend_until")


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
