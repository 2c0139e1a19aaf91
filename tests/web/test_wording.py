"""The words that a table speaks, and the name of its game."""

from __future__ import annotations

import re

import pytest

from classroom.games import GAMES
from classroom.web.words import phrases, rule_words
from tools import make_voice

# Games with their own words. All the others speak like Go Fish.
WORDS = {
    "guru_exact_card": ("guru_exact_card", "classic"),
    "guru_ask_all": ("guru_ask_all", "classic"),
    "guru_deduct": ("classic", "guru_deduct"),
    "wish_pairs": ("wish_pairs", "wish_pairs"),
    "fours": ("fours", "fours"),
    "fours_wild": ("fours", "fours"),
    "old_fish": ("old_fish", "old_fish"),
    "make_ten": ("make_ten", "classic"),
    "make_five": ("make_ten", "classic"),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_speaks_and_counts_with_the_words_of_its_rules(game: str) -> None:
    rules = GAMES[game].rules
    assert (rule_words.asking_template(rules), rule_words.ending_template(rules)) == WORDS.get(
        game, ("classic", "classic")
    )
    assert rule_words.pictured_template(game, rules) == game


def test_mixed_rules_speak_like_the_game_that_asks_in_the_same_way() -> None:
    everybody = GAMES["classic"].rules.changed(ask_scope="all")
    assert rule_words.asking_template(everybody) == "guru_ask_all"
    assert rule_words.pictured_template("classic", everybody) == "guru_ask_all"
    pairs = GAMES["classic"].rules.changed(book_size=2)
    assert rule_words.pictured_template("guru", pairs) == "guru"


def test_every_name_that_rules_choose_has_words_of_its_own() -> None:
    spoken = {name for pair in WORDS.values() for name in pair} - {"classic"}
    text = (phrases.TABLES / "en.toml").read_text("utf-8")
    assert {name for name in spoken if re.search(rf"^[\w.]*\b{name}\b", text, re.M)} == spoken


def test_every_game_is_called_aloud_what_the_menu_calls_it() -> None:
    spoken = dict(make_voice.of_games())
    for key, game in GAMES.items():
        assert spoken[f"game-{key}"].rstrip("!?") == game.name.rstrip("?")
