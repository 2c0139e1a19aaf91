"""The form for the questions in play of a school, a class, a group or a child: what it offers and
what was sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from flask import request

from classroom.learning.skills import ASKED, SKILLS
from classroom.services.quiz.question_settings import (
    ALL,
    FREQUENCIES,
    MOST_IN_FOCUS,
    RANGES,
    Choice,
)
from classroom.web.http import forms
from classroom.web.words.language import N_
from classroom.web.words.language import gettext as _
from classroom.web.words.sentences import SENTENCES

NO_ERRORS: Final[Mapping[str, str]] = MappingProxyType({})
OFTEN: Final = {
    "off": (N_("Off"), N_("No questions.")),
    "rarely": (N_("Rarely"), N_("About two in a round.")),
    "sometimes": (
        N_("Sometimes"),
        N_("About seven in a round; four are the game itself, such as “How many cards came?”."),
    ),
    "every_turn": (N_("Every turn"), N_("One on each of the child’s turns.")),
}
STRAND_NAMES: Final = {
    "counting": N_("Counting"),
    "comparing": N_("Comparing"),
    "adding": N_("Adding and taking away"),
    "sorting": N_("Sorting"),
    "recall": N_("Remembering"),
}


@dataclass(frozen=True, slots=True)
class FormOption:
    """One choice. `beyond`: outside the teacher's limits, so it is greyed out."""

    key: str
    name: str
    words: str = ""
    beyond: bool = False


@dataclass(frozen=True, slots=True)
class SkillGroup:
    """The skills of one strand, under its name."""

    name: str
    skills: tuple[FormOption, ...]


@dataclass(frozen=True, slots=True)
class AskingForm:
    """What the form for questions offers. `errors`: what is wrong, by field."""

    often: tuple[FormOption, ...]
    strands: tuple[SkillGroup, ...]
    ranges: tuple[FormOption, ...]
    errors: Mapping[str, str] = field(default_factory=lambda: forms.blank({}))

    @property
    def bounded(self) -> bool:
        """Whether the teacher's limits grey anything out."""
        skills = [skill for strand in self.strands for skill in strand.skills]
        return any(offer.beyond for offer in (*self.often, *skills, *self.ranges))


def asking_form(bounds: Choice, errors: Mapping[str, str] = NO_ERRORS) -> AskingForm:
    """The form with everything beyond these limits greyed out."""
    most = FREQUENCIES.index(bounds.frequency)
    return AskingForm(
        tuple(
            FormOption(key, _(OFTEN[key][0]), _(OFTEN[key][1]), at > most)
            for at, key in enumerate(FREQUENCIES)
        ),
        tuple(SkillGroup(_(name), _skills(key, bounds)) for key, name in STRAND_NAMES.items()),
        tuple(
            FormOption(f"{low}-{high}", range_words(low, high), beyond=_beyond((low, high), bounds))
            for low, high in RANGES
        ),
        forms.blank(errors),
    )


def _skills(strand: str, bounds: Choice) -> tuple[FormOption, ...]:
    return tuple(
        FormOption(key, _(SKILLS[key].name), beyond=key not in bounds.skills)
        for key in ASKED
        if SKILLS[key].strand == strand
    )


def range_words(low: int, high: int) -> str:
    """A range of numbers to choose from, in words."""
    if (low, high) == RANGES[0]:
        return _("To suit the age")
    return _("%(low)s to %(high)s", low=low, high=high) if low else _("Up to %(high)s", high=high)


def _beyond(numbers: tuple[int, int], bounds: Choice) -> bool:
    """Whether a range goes past the limits; the widest one means "whatever suits the age" and
    never does."""
    low, high = numbers
    return numbers != RANGES[0] and not bounds.low <= low <= high <= bounds.high


def sent(bounds: Choice, errors: forms.Errors) -> Choice:
    """The choice in the form that was sent; what is wrong in it goes into `errors`, by field.

    Skills beyond the limits cannot be ticked; they count as ticked, in case the limits are widened
    later. With questions off, no skill need be ticked, and all may be asked about later.
    """
    ranges = {f"{low}-{high}": (low, high) for low, high in RANGES}
    often = forms.chosen("questions", FREQUENCIES, errors)
    low, high = ranges.get(forms.chosen("numbers", ranges, errors), RANGES[0])
    ticked = frozenset(request.form.getlist("skill")) & bounds.skills
    if not ticked and often == "off":
        ticked = bounds.skills
    focus = frozenset(request.form.getlist("focus"))
    if not ticked:
        errors["skill"] = _(SENTENCES["skills"])
    if len(focus) > MOST_IN_FOCUS or not focus <= ticked:
        errors["focus"] = _(SENTENCES["focus"])
    skills = ticked | (ALL - bounds.skills) if ticked else ticked
    known = often if often in FREQUENCIES else bounds.frequency
    return Choice(known, skills, low, high, focus)
