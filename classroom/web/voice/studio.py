"""The studio: where an adult reads the pieces of a voice, one after the other."""

from __future__ import annotations

from typing import Final

from flask import jsonify, request
from werkzeug.wrappers import Response

from classroom.config import ROOT
from classroom.services.base.errors import NotFound, Refused
from classroom.services.school import voice_packs, voice_sound
from classroom.web.http.pages import render
from classroom.web.reports.progress import attached
from classroom.web.voice.pieces import ENOUGH, to_read
from classroom.web.words import sentences
from classroom.web.words.phrases import FIRST

VOICE: Final = ROOT / "static" / "voice"


def studio(pack_id: int) -> str:
    """The studio, with the pieces that matter most, or with `all` in the address all of them."""
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
        version=voice_packs.version(pack_id),
        examples=pack.language == FIRST,
    )


def read(pack_id: int, name: str) -> tuple[Response, int] | Response:
    """Keep one piece: the body is a wave file. The answer says how it came out, or why not."""
    pack = voice_packs.pack(pack_id)
    piece = to_read(pack.language).get(name)
    if piece is None:
        raise NotFound("voice")
    example = VOICE / f"{name}.mp3"
    try:
        made = voice_packs.put(
            pack_id,
            name,
            piece.words,
            request.get_data(),
            voice_sound.length(example) if pack.language == FIRST and example.exists() else None,
        )
    except Refused as refused:
        return _json(problem=sentences.sentence(refused)), sentences.status(refused)
    return _json(ms=made.ms, loudness=made.loudness)


def _json(**values: object) -> Response:
    """What only the studio's script reads; a browser that is led here saves it as a file."""
    return attached(jsonify(values), "piece", "json")
