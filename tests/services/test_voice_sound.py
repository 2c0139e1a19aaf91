"""Pieces that somebody read: cut, faded, as loud as all others, or refused with a reason."""

from __future__ import annotations

import random

import pytest

from classroom.services.base.errors import Refused
from classroom.services.school import voice_packs
from classroom.services.school.voice_packs import RATE
from tests import sample
from tests.recordings import VOICE, spoken, wave_of

PIECES = random.Random(3).sample(sorted(path.stem for path in VOICE.glob("*.mp3")), 16)


def refusal(recorded: bytes) -> str:
    with pytest.raises(Refused) as refused:
        voice_packs.prepared(recorded)
    return refused.value.code


def test_pieces_read_near_and_far_in_any_room_are_equally_loud(whole: bool) -> None:
    rng, heard = random.Random(5), []
    for seed, name in enumerate(sample.part(PIECES, 6, whole)):
        recorded = spoken(name, rng.uniform(0.08, 0.8), rng.uniform(3, 50), seed)
        heard.append(voice_packs.prepared(recorded).loudness)
    assert max(heard) - min(heard) <= 1.5
    assert all(abs(one - voice_packs.LOUDNESS) < 1 for one in heard)


@pytest.mark.walk(3)
@pytest.mark.parametrize("name", PIECES[:6])
def test_the_silence_around_a_piece_is_cut_and_nothing_of_its_words(name: str) -> None:
    made = voice_packs.prepared(spoken(name))
    assert abs(made.ms - voice_packs.length(VOICE / f"{name}.mp3")) <= 250
    assert voice_packs.checked(made.sound).loudness == pytest.approx(made.loudness, abs=0.3)


def test_a_piece_begins_and_ends_softly() -> None:
    samples = voice_packs._faded(voice_packs._trimmed(voice_packs._read(spoken("yes", 0.8))))
    assert samples[0] == samples[-1] == 0
    assert max(map(abs, samples)) > 1_000


def test_what_is_no_recording_is_refused() -> None:
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
    short, other = wave_of([1000, -1000] * 100), b"RIFF" + picture
    assert {refusal(one) for one in (b"", picture, other, short)} == {"voice_no_sound"}
    stereo = bytearray(spoken("yes"))
    stereo[22] = 2
    assert refusal(bytes(stereo)) == "voice_no_sound"


def test_what_cannot_be_used_is_refused_with_the_reason() -> None:
    assert refusal(spoken("yes", gain=9)) == "voice_clipped"
    assert refusal(spoken("yes", gain=0.02, noise=150)) == "voice_quiet"
    assert refusal(wave_of([0] * RATE)) == "voice_quiet"
    assert refusal(wave_of([0] * 11 * RATE)) == "voice_long"


def test_a_sound_from_a_file_is_decoded_before_it_is_kept() -> None:
    good = (VOICE / "yes.mp3").read_bytes()
    assert voice_packs.checked(good).ms > 300
    for bad in (b"", b"\0" * 5_000, good[:60], b"<script>" * 100):
        with pytest.raises(Refused):
            voice_packs.checked(bad)
