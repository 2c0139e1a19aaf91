"""The form for how a child plays: what it offers to the school, a teacher or a parent, and what was
sent."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from classroom.games.decks import DECKS, DeckSize
from classroom.minds.playing.player_levels import LEVELS, LIKE_ME, Level
from classroom.models import PlaySettings
from classroom.services.base import faces
from classroom.services.school.families import NextRound
from classroom.services.table import choices
from classroom.services.table.in_force import THINGS, Whose
from classroom.web.http import forms
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _

OPEN: Final = "open-to-others"  # the value that leaves a choice to others
_LEFT: Final = {OPEN: N_("left open")}
LABELS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {  # a label, and words for its choices
    "opponents": (N_("How many play against the child"), _LEFT),
    "level": (
        N_("How well they remember"),
        {key: level.name for key, level in LEVELS.items()}
        | {LIKE_ME: N_("Like the child")}
        | _LEFT,
    ),
    "deck": (N_("How many kinds of card"), {key: d.name for key, d in DECKS.items()} | _LEFT),
    "board": (
        N_("What the child can look up"),
        {
            "open": N_("All"),
            "peek": N_("A peek"),
            "fading": N_("The last three"),
            "off": N_("Nothing"),
        }
        | _LEFT,
    ),
    "hints": (N_("Hints from the fish"), {"1": N_("On"), "0": N_("Off")} | _LEFT),
    "pace": (
        N_("How fast the table tells"),
        {
            "age": N_("By age"),
            "calm": N_("Calm"),
            "usual": N_("Usual"),
            "quick": N_("Quick"),
        }
        | _LEFT,
    ),
    "voice": (N_("Voice and sounds"), {"1": N_("On"), "0": N_("Off")} | _LEFT),
    "minutes_a_day": (N_("Minutes a day"), {"0": N_("No limit")}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayForm:
    """`chosen`: the choice for each thing; None: left open. `open`: the words for leaving a thing
    open, "" where that is not offered. `fixed`: on a parent's form, the things that a teacher
    chose. `name`, `animal`, `pad`: the child's. `friends`: the animals drawn for computer friends.
    `errors`: what is wrong, by thing."""

    chosen: Mapping[str, Any]
    open: str = ""
    fixed: frozenset[str] = frozenset()
    errors: Mapping[str, str] = field(default_factory=lambda: forms.blank({}))
    name: str
    animal: str
    pad: int
    friends: tuple[str, ...]
    levels: tuple[Level, ...] = tuple(LEVELS[key] for key in choices.LEVELS if key in LEVELS)
    decks: tuple[DeckSize, ...] = tuple(DECKS.values())


def of_family(settings: NextRound, name: str, animal: str, pad: int) -> PlayForm:
    """The form for a parent: what is in force, with the teacher's choices greyed out."""
    chosen = {thing: getattr(settings, thing) for thing in THINGS}
    return PlayForm(
        chosen=chosen, fixed=settings.fixed, name=name, animal=animal, pad=pad,
        friends=_friends(animal),
    )  # fmt: skip


def of_level(
    levels: choices.Levels, whose: Whose, name: str = "", animal: str = "fox", pad: int = 1
) -> PlayForm:
    """The form for the choices of one level. The school leaves nothing open, and its choices begin
    with the defaults."""
    made = next((dict(one.made) for one in levels.play if one.whose == whose), {})
    usual = asdict(PlaySettings()) if whose == "school" else dict.fromkeys(THINGS)
    wider = _("As the group") if levels.group else _("As the class")
    words = {"class": _("Leave it to families"), "group": _("As the class"), "child": wider}
    return PlayForm(
        chosen=usual | made,
        open=words.get(whose, ""),
        name=name or _("the child"),
        animal=animal,
        pad=pad,
        friends=_friends(animal),
    )


def sent(errors: forms.Errors, *, may_open: bool, fixed: Collection[str] = ()) -> dict[str, Any]:
    """The choices in the form that was sent; None for what is left open or `fixed`, and, with a
    sentence in `errors`, for what is not on offer."""
    return {thing: None if thing in fixed else _sent(thing, may_open, errors) for thing in THINGS}


def again(form: PlayForm, picks: Mapping[str, Any], errors: Mapping[str, str]) -> PlayForm:
    """The form as it was sent, with what is wrong in it."""
    chosen = {thing: pick for thing, pick in picks.items() if thing not in {*errors, *form.fixed}}
    return replace(form, chosen={**form.chosen, **chosen}, errors=forms.blank(errors))


def _sent(thing: str, may_open: bool, errors: forms.Errors) -> Any:
    offered = {value_of(one): one for one in choices.OFFERED[thing]}
    return offered.get(forms.chosen(thing, [*offered, OPEN] if may_open else offered, errors))


def value_of(choice: Any) -> str:
    """A choice as the form sends it."""
    return str(int(choice)) if isinstance(choice, int) else str(choice)


def _friends(animal: str) -> tuple[str, ...]:
    return tuple(one for one in faces.ANIMALS[1:] if one != animal)[: max(choices.OPPONENTS)]
