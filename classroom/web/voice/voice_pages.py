"""Pages for an adult's own voices, the studio for reading them, and the voices that a class hears.
Also sends the pieces of a voice to the pages that speak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import Response, g, jsonify, request
from werkzeug.wrappers import Response as Answer

from classroom.config import ROOT
from classroom.services.base import names
from classroom.services.base.errors import NotFound, Refused
from classroom.services.reports import overview
from classroom.services.school import voice_packs
from classroom.services.school.voice_packs import LANGUAGES, LICENCES
from classroom.web.http import forms
from classroom.web.http.pages import Reply, render, see_other, shown_class
from classroom.web.reports.progress import attached
from classroom.web.voice.pieces import ENOUGH, to_read
from classroom.web.words import sentences
from classroom.web.words.language import N_, gettext as _
from classroom.web.words.phrases import FIRST

DONE: Final = {
    "begun": N_("Thank you. Nobody will hear you until you have read the first words."),
    "withdrawn": N_("The voice has been deleted. From now on children will hear another voice."),
    "asked": N_("Your request has been sent. The parent will see it on their own page."),
    "taken": N_("The voice has been saved. Children will hear it from now on."),
}


# ---- the reader's own voices


def home() -> Reply:
    """Show the adult's own voices; a POST begins one. A parent first needs a teacher's request."""
    if request.method != "POST":
        return _mine()
    mine, room, spoken = g.who.adult_id, _room(), forms.choice("language", LANGUAGES)
    licence, agrees = _licence(), forms.flag("agrees")
    return _done("begun", lambda: voice_packs.begin(mine, room, spoken, licence, agrees=agrees))


def take_in() -> Reply:
    """Import a voice from a file."""
    room, sent = _room(), request.files.get("file")
    data = sent.read() if sent else b""
    return _done("taken", lambda: voice_packs.imported(g.who.adult_id, room, data))


def agree(pack_id: int) -> Reply:
    """Record that a parent who was asked agrees to be heard."""
    licence, agrees = _licence(), forms.flag("agrees")
    return _done("begun", lambda: voice_packs.agree(pack_id, licence, agrees=agrees))


def _licence() -> str:
    return forms.choice("licence", LICENCES, LICENCES[0])


def _done(what: str, work: Callable[[], object]) -> Reply:
    """Do the work and show the message of this key in DONE, or show why it was refused."""
    try:
        work()
    except Refused as refused:
        return _mine(sentences.sentence(refused)), sentences.status(refused)
    return see_other("voice.home", done=what)


def withdraw(pack_id: int) -> Answer:
    found = voice_packs.pack(pack_id)
    voice_packs.withdraw(pack_id, g.who.adult_id)
    if found.adult_id == g.who.adult_id or found.class_id is None:
        return see_other("voice.home", done="withdrawn")
    return see_other("teach.voices", class_id=found.class_id, done="withdrawn")


def file(pack_id: int) -> Answer:
    whole = Response(voice_packs.exported(pack_id), content_type="application/zip")
    return attached(whole, g.who.name, "zip")


def _mine(problem: str = "") -> str:
    return render(
        "pages/voice/mine.html",
        packs=voice_packs.of_reader(g.who.adult_id),
        rooms=_rooms(),
        enough=ENOUGH,
        problem=problem,
        done=forms.done(DONE),
    )


def _rooms() -> dict[str, str]:
    if g.who.kind == "parent":
        return {}
    rooms = {str(one.class_id): one.name for one in overview.classes_of(g.who.adult_id)}
    return rooms | ({"": _("The whole school")} if g.who.kind == "admin" else {})


def _room() -> int | None:
    """Return the chosen class, which the adult teaches; None for the whole school."""
    chosen = forms.choice("room", _rooms())
    return int(chosen) if chosen else None


# ---- the voices that a class hears


def of_class(class_id: int) -> Reply:
    """Show which voices the class hears. A POST asks a parent to read."""
    if request.method != "POST":
        return _of_class(class_id)
    parent = forms.number("adult", 1, forms.MAX_ID)
    try:
        voice_packs.ask(class_id, parent, forms.choice("language", LANGUAGES), g.who.adult_id)
    except Refused as refused:
        return _of_class(class_id, sentences.sentence(refused)), sentences.status(refused)
    return see_other("teach.voices", class_id=class_id, done="asked")


def _of_class(class_id: int, problem: str = "") -> str:
    packs = voice_packs.of_class(class_id)
    return render(
        "pages/voice/of_class.html",
        here="settings",
        school_class=shown_class(class_id),
        packs={code: tuple(one for one in packs if one.language == code) for code in LANGUAGES},
        parents=voice_packs.parents_of(class_id),
        enough=ENOUGH,
        problem=problem,
        done=forms.done(DONE),
    )


# ---- for the pages that speak: scripts/child/packs.js


def pieces(pack_id: int, version: int) -> Answer:
    """Return how many words each piece has. `version` only gives a changed voice a new URL."""
    del version
    return attached(jsonify(voice_packs.names(pack_id)), "pieces", "json")


def piece(pack_id: int, version: int, name: str) -> Answer:
    del version
    if len(name) > 80:
        raise NotFound("voice")
    return Response(voice_packs.sound(pack_id, name), content_type="audio/mpeg")


# ---- The studio: where an adult reads the pieces of a voice, one after the other

VOICE: Final = ROOT / "static" / "voice"


def studio(pack_id: int) -> str:
    """Show the studio with the most needed pieces or, with `all` in the URL, every piece."""
    pack = voice_packs.pack(pack_id)
    done = {one.name: one for one in voice_packs.pieces(pack_id)}
    known = to_read(pack.language)
    whole = "all" in request.args
    shown = list(known.values())[: None if whole else ENOUGH]
    return render(
        "pages/voice/studio.html",
        pack=pack,
        reads=tuple((one, done.get(one.name)) for one in shown),
        whole=whole,
        more=len(known) - ENOUGH,
        version=pack.changes,
        examples=pack.language == FIRST,
        animals=names.ANIMALS,
    )


def read(pack_id: int, name: str) -> tuple[Answer, int] | Answer:
    """Store a wave file of one piece. The response gives its length and loudness, or a problem."""
    pack = voice_packs.pack(pack_id)
    piece = to_read(pack.language).get(name)
    if piece is None:
        raise NotFound("voice")
    example = VOICE / f"{name}.mp3"
    known = pack.language == FIRST and example.exists()
    try:
        usual = voice_packs.length(example) if known else None
        made = voice_packs.put(pack_id, name, piece.words, request.get_data(), usual)
    except Refused as refused:
        return _json(problem=sentences.sentence(refused)), sentences.status(refused)
    return _json(ms=made.ms, loudness=made.loudness)


def _json(**values: object) -> Answer:
    """Answer the studio's script. As an attachment it is never shown as a page."""
    return attached(jsonify(values), "piece", "json")
