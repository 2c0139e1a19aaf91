"""The two forms of a settings page: how children play, and what they are asked. This module makes
the forms for the school, a teacher or a family, reads what was sent, and stores it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from flask import g, request

from classroom.games.variants import DECKS, DeckSize
from classroom.learning.skills import ASKED, SKILLS
from classroom.minds.playing.forgetting import LEVELS, PlayerLevel
from classroom.models import PlaySettings
from classroom.services.base import names
from classroom.services.base.errors import Refused
from classroom.services.base.names import ChildFace
from classroom.services.quiz import question_settings
from classroom.services.quiz.question_settings import (
    ALL,
    FREQUENCIES,
    MOST_IN_FOCUS,
    RANGES,
    WIDEST,
    QuestionChoice,
)
from classroom.services.table import choices
from classroom.services.table.choices import MINUTES, TEACHERS, THINGS, Levels, Whose
from classroom.web.http import forms
from classroom.web.http.forms import Fields
from classroom.web.http.pages import Reply, see_other
from classroom.web.words import choice_words, level_words
from classroom.web.words.language import N_, gettext as _
from classroom.web.words.sentences import SENTENCES

OPEN: Final = "open-to-others"  # the value that leaves a choice to others
LIMITS: Final = tuple(str(minutes) for minutes in (0, *MINUTES))  # 0: no limit
OFTEN: Final = {
    "off": (N_("Off"), N_("No questions.")),
    "rarely": (N_("Rarely"), N_("About two questions in a round.")),
    "sometimes": (
        N_("Sometimes"),
        N_(
            "About seven questions in a round; four of them belong to the game itself, "
            "such as “How many cards came?”."
        ),
    ),
    "every_turn": (N_("Every turn"), N_("One question on each of the child’s turns.")),
}
STRAND_NAMES: Final = {**level_words.STRAND_NAMES, "counting": N_("Counting")}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayForm:
    """The form for how children play. `chosen`: the choice for each thing, None if it is left open.
    `open`: the words for leaving a thing open, "" if this is not offered. `fixed`: on a parent's
    form, the things that a teacher chose. `errors`: what is wrong, by thing. `child`: the child in
    the pictures. `friends`: the animals drawn for computer friends."""

    chosen: Mapping[str, Any]
    open: str
    fixed: frozenset[str]
    errors: Mapping[str, str]
    child: ChildFace
    friends: tuple[str, ...]
    levels: tuple[PlayerLevel, ...] = tuple(LEVELS[key] for key in choices.LEVELS if key in LEVELS)
    decks: tuple[DeckSize, ...] = tuple(DECKS.values())


@dataclass(frozen=True, slots=True)
class FormOption:
    """One choice. `beyond`: whether it is outside the teacher's limits, and so greyed out."""

    key: str
    name: str
    words: str = ""
    beyond: bool = False


@dataclass(frozen=True, slots=True)
class AskingForm:
    """The form for questions. `strands`: the name and the skills of each strand.
    `errors`: what is wrong, by field."""

    often: tuple[FormOption, ...]
    strands: tuple[tuple[str, tuple[FormOption, ...]], ...]
    ranges: tuple[FormOption, ...]
    errors: Mapping[str, str]

    @property
    def bounded(self) -> bool:
        """Whether the teacher's limits grey anything out."""
        skills = [skill for _name, skills in self.strands for skill in skills]
        return any(offer.beyond for offer in (*self.often, *skills, *self.ranges))


@dataclass(frozen=True, slots=True, kw_only=True)
class SentSettings:
    """Settings that were sent and cannot be stored. `part`: the form that sent them. `picks`: the
    choices on how to play. `asked`: the choices on questions."""

    part: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    picks: Mapping[str, Any] = field(default_factory=dict)
    asked: QuestionChoice | None = None


NOTHING: Final = SentSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Both forms for one level. `whose_words`, `whose_questions`: what is in force in lessons, and
    whose choice it is. `own_questions`: whether this level has a choice of questions of its own."""

    form: PlayForm
    asked: QuestionChoice
    asking: AskingForm
    whose_words: tuple[str, ...]
    whose_questions: str
    own_questions: bool


def shown(
    whose: Whose,
    levels: Levels,
    room: str,
    child: ChildFace | None = None,
    sent: SentSettings = NOTHING,
) -> Shown:
    """Return the forms for this level, with the values that are stored or were sent. `room`: the
    name of the class. `child`: the child in the pictures; None: any child."""
    face = child or ChildFace(0, _("the child"), "fox", 1)
    rules, within = choices.ruling_questions(levels), _bounds(whose, levels)
    return Shown(
        form=_play_form(whose, levels, face, sent),
        asked=sent.asked or questions_of(whose, levels),
        asking=_asking_form(within, sent.errors),
        whose_words=choice_words.sentences(choices.told(levels), face.name, room),
        whose_questions=choice_words.questions(choices.asked_by(rules), face.name, room),
        own_questions=rules is not None and rules.whose == whose,
    )


# ---- how children play


def picks_of(whose: Whose, levels: Levels) -> dict[str, Any]:
    """Return the choices that this level's form shows. The school leaves nothing open: its choices
    are the defaults at first. A family sees the choices in force."""
    made = levels.of(whose).made
    if whose == "family":
        now = asdict(choices.play(levels.made, at_home=levels.at_home))
        return now | {"minutes_a_day": made.get("minutes_a_day")}
    usual = asdict(PlaySettings()) if whose == "school" else dict.fromkeys(THINGS)
    return {thing: made.get(thing, usual[thing]) for thing in THINGS}


def play_fields(whose: Whose, levels: Levels) -> Fields:
    """Return the fields of this level's form, with their stored values."""
    left = {"minutes_a_day": "0"}
    return {
        thing: (left.get(thing, OPEN) if pick is None else _value(pick),)
        for thing, pick in picks_of(whose, levels).items()
    }


def _play_form(whose: Whose, levels: Levels, face: ChildFace, sent: SentSettings) -> PlayForm:
    wider = _("Same as the group") if levels.group else _("Same as the class")
    words = {"class": _("Leave it to families"), "group": _("Same as the class"), "child": wider}
    family = whose == "family"
    fixed = choices.fixed(levels.made, at_home=levels.at_home) if family else frozenset[str]()
    typed = {key: pick for key, pick in sent.picks.items() if key not in {*sent.errors, *fixed}}
    friends = [one for one in names.ANIMALS[1:] if one != face.animal]
    return PlayForm(
        chosen=picks_of(whose, levels) | typed,
        open=words.get(whose, ""),
        fixed=fixed,
        errors=forms.blank(sent.errors),
        child=face,
        friends=tuple(friends[: max(choices.OPPONENTS)]),
    )


def _play_sent(whose: Whose, errors: forms.Errors) -> dict[str, Any]:
    """Return the choices in the form that was sent: None for a choice that is left open. A choice
    that is not offered is None too, and `errors` gets a sentence about it. A family's form does not
    send the choices that are greyed out."""
    picks: dict[str, Any] = dict.fromkeys(THINGS)
    for thing in THINGS:
        if whose != "family" or thing in request.form:
            offered = {_value(one): one for one in choices.OFFERED[thing]}
            allowed = [*offered, OPEN] if whose in TEACHERS else offered
            picks[thing] = offered.get(forms.chosen(thing, allowed, errors))
    if whose == "family":
        minutes = forms.chosen("minutes_a_day", LIMITS, errors)
        picks["minutes_a_day"] = int(minutes) or None if minutes in LIMITS else None
    return picks


def _value(choice: Any) -> str:
    """Return a choice as the form sends it."""
    return str(int(choice)) if isinstance(choice, int) else str(choice)


# ---- questions


def questions_of(whose: Whose, levels: Levels) -> QuestionChoice:
    """Return the choice that this level's form shows: the one in force, whoever made it."""
    if whose == "family":
        return question_settings.chosen(levels, at_home=levels.at_home).now
    return question_settings.bounds(levels)


def question_fields(whose: Whose, levels: Levels) -> Fields:
    """Return the fields of this level's form. Only a class has a focus."""
    choice = questions_of(whose, levels)
    return {
        "questions": (choice.frequency,),
        "skill": tuple(sorted(choice.skills)),
        **({"focus": tuple(sorted(choice.focus))} if whose == "class" else {}),
        "numbers": ("{}-{}".format(*choice.numbers),),
    }


def _bounds(whose: Whose, levels: Levels) -> QuestionChoice:
    """Return the limits of this level. In lessons, the teacher limits what a family can choose."""
    if whose != "family":
        return WIDEST
    return question_settings.chosen(levels, at_home=levels.at_home).bounds


def _asking_form(bounds: QuestionChoice, errors: Mapping[str, str]) -> AskingForm:
    """Return the form with everything beyond these limits greyed out."""
    most = FREQUENCIES.index(bounds.frequency)
    return AskingForm(
        tuple(
            FormOption(key, _(OFTEN[key][0]), _(OFTEN[key][1]), at > most)
            for at, key in enumerate(FREQUENCIES)
        ),
        tuple((_(name), _skills(key, bounds)) for key, name in STRAND_NAMES.items()),
        tuple(
            FormOption(f"{low}-{high}", range_words(low, high), beyond=_beyond((low, high), bounds))
            for low, high in RANGES
        ),
        forms.blank(errors),
    )


def _skills(strand: str, bounds: QuestionChoice) -> tuple[FormOption, ...]:
    return tuple(
        FormOption(key, _(SKILLS[key].name), beyond=key not in bounds.skills)
        for key in ASKED
        if SKILLS[key].strand == strand
    )


def offer(found: Mapping[Any, tuple[str, str]]) -> tuple[tuple[str, str, str], ...]:
    """Return the value, name and example of each choice in a field."""
    return tuple((key, _(name), _(example)) for key, (name, example) in found.items())


def range_words(low: int, high: int) -> str:
    """Return a range of numbers that can be chosen, in words."""
    if (low, high) == RANGES[0]:
        return _("To suit the age")
    return _("%(low)s to %(high)s", low=low, high=high) if low else _("Up to %(high)s", high=high)


def _beyond(numbers: tuple[int, int], bounds: QuestionChoice) -> bool:
    """Whether a range exceeds the limits. The widest never does: it is whatever suits the age."""
    low, high = numbers
    return numbers != RANGES[0] and not bounds.low <= low <= high <= bounds.high


def _questions_sent(bounds: QuestionChoice, errors: forms.Errors) -> QuestionChoice:
    """Return the choice in the form that was sent. `errors` gets a sentence for a wrong field.

    Skills beyond the limits cannot be ticked. They count as ticked, in case the limits are widened
    later. With questions off, no skill need be ticked: then all within the limits count as ticked.
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
    return QuestionChoice(known, skills, low, high, focus)


# ---- the views that store them


@dataclass(frozen=True, slots=True)
class Saving:
    """The views that store the choices of one level. `page` shows the page with the values that
    were sent, and `at` is its endpoint. The id in its URL, if there is one, says whose choices they
    are."""

    whose: Whose
    at: str
    page: Callable[..., str]

    def play(self, **address: int) -> Reply:
        """Store how children play, or leave it to others."""
        errors, by, of = forms.errors(), g.who.adult_id, _of(address)
        picks = _play_sent(self.whose, errors)
        try:
            if not errors:
                choices.write(by, self.whose, of, picks, forms.version())
                return see_other(self.at, done="play", **address)
        except Refused as refused:
            errors[refused.code] = _("Please choose one of these.")
        sent = SentSettings(part="play", errors=errors, picks=picks)
        return self.page(sent=sent, **address), 400

    def questions(self, **address: int) -> Reply:
        """Store how often questions come and what they are about, or leave it to others. In lessons
        a family chooses within the teacher's limits; at home it chooses freely."""
        errors, by, typed = forms.errors(), g.who.adult_id, None
        if self.whose not in TEACHERS or not forms.flag("leave"):
            within = WIDEST
            if self.whose == "family":
                within = _bounds(self.whose, choices.read(self.whose, _of(address)))
            typed = _questions_sent(within, errors)
        if errors:
            sent = SentSettings(part="questions", errors=errors, asked=typed)
            return self.page(sent=sent, **address), 400
        question_settings.write(by, self.whose, _of(address), typed, forms.version())
        return see_other(self.at, done="questions", **address)


def _of(address: Mapping[str, int]) -> int:
    return next(iter(address.values()), g.who.school_id)
