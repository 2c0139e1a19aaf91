"""Adults' passwords: long enough, and not what a guesser tries first."""

from __future__ import annotations

import gzip
import subprocess
import sys
import time

import pytest

from classroom.services.access import passwords
from classroom.services.base.errors import Refused
from tests import sample


def refusal(password: str, *known: str) -> str | None:
    try:
        passwords.check(password, *known)
    except Refused as refused:
        return refused.code
    return None


@pytest.mark.parametrize(
    "password",
    [
        "wade seven quiet herons",
        "violet ladder pebble",
        "VIOLET-LADDER-PEBBLE",
        "wq8fhqpz71mbc0d",
        "!§$%&/()=?*'+#-.,;",
        "日本語のとても長いパスワードです",
        "Ähre über Öl im März",
        "kleine blaue fische tanzen",
    ],
)
def test_long_words_of_any_language_make_a_password(password: str) -> None:
    assert refusal(password, "lake", "Ms Lake") is None
    assert passwords.fits(password, passwords.hash_of(password))


def test_fifteen_characters_are_enough_and_256_are_the_most() -> None:
    assert refusal("wq8fhqpz71mbc0") == "password_short"
    assert refusal("wq8fhqpz71mbc0d") is None
    assert refusal("violet ladder pebble " * 12) != "password_long"
    assert refusal("x" * 257) == "password_long"


@pytest.mark.parametrize(
    "password",
    [
        "abcabcabcabcabcabc",
        "01234567890123456",
        "poiuytrewqlkjhgfdsa",
        "passwordpassword1",
        "password1password1",
        "p@ssw0rdP@ssw0rd!",
        "iloveyou12345678",
        "letmein iloveyou 123",
        "sunshine!!!!2026",
        "fenerbahcfenerbahc1",  # a common password that is not an English word
        "neversaymypassword",
        "correct horse battery staple",
        "Correct-Horse-Battery-Staple!1",
        "Twinkle, twinkle, little star",
        "To be or not to be, that is the question",
        "Alle meine Entchen schwimmen auf dem See",
        "!!!!!!!!!!!!!!!!!!!!",
        "go fish go fish 2026",
    ],
)
def test_likely_first_guesses_are_refused(password: str) -> None:
    assert refusal(password) == "password_easy"


def test_names_and_the_login_are_guessed_first() -> None:
    for password in ("Ms Lake Ms Lake 2026", "Quillbrook-School 1", "olsenquillbrook12"):
        assert refusal(password, "olsen", "Ms Lake", "Quillbrook School") == "password_easy"


def leaked() -> list[str]:
    text = gzip.decompress((passwords.DATA / "leaked.txt.gz").read_bytes()).decode()
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_leaked_passwords_are_refused_even_if_made_longer(whole: bool) -> None:
    listed = leaked()
    assert len(listed) > 10_000
    for one in sample.part(listed[::41], 4, whole):
        longer = [one + "12345678", "2026" + one]
        longer += [one, one * 2, one * 3] if len(one) < passwords.SHORTEST else []
        assert {refusal(typed) for typed in longer} <= {"password_easy", "password_short"}, one


def test_the_longest_password_is_judged_quickly() -> None:
    refusal("violet ladder pebble")  # load the words first
    for signs in ("4@8({[<369g1!|l70$5+7%2", "violet ladder pebble ", "0123456789", "ab"):
        begun = time.process_time()
        refusal((signs * 256)[: passwords.LONGEST])
        assert time.process_time() - begun < 0.5


def test_the_words_are_loaded_only_when_a_password_is_chosen() -> None:
    asked = "import classroom.app, sys; print('zxcvbn_rs_py' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
