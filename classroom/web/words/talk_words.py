"""How often the voice asks a child to tell how it knew: names and sentences for adults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from classroom.services.table.talk import Often
from classroom.web.words.language import N_

OFTEN_NAMES: Final[Mapping[Often, tuple[str, str]]] = {
    "never": (N_("Never"), N_("The voice does not ask.")),
    "now": (N_("Now and then"), N_("After about one in four of the child’s catches and books.")),
    "often": (N_("Often"), N_("After about every second one.")),
}
