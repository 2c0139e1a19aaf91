"""How often a question is answered right without any knowledge.

The rates are those of the best of several strategies (always the same place, never where the last
right one was, the smallest, the middle, the usual answer ...), measured on real tables. `python -m
tools.luck` measures them and writes the table below; a test measures a sample again.
"""

from __future__ import annotations

from typing import Final

PAD: Final = 6  # this many numerals or more are shown in order, as on a number pad


def answered_by(face: str, options: int) -> str:
    """Return the way of answering: the face of the options, or "pad" for many numerals."""
    return "pad" if face == "numeral" and options >= PAD else face


def guess_rate(kind: str, face: str, options: int) -> float:
    """Return how often the best strategy without knowledge is right: at least as often as a tap at
    random."""
    return max(RATES.get(f"{kind} {answered_by(face, options)} {options}", 0.0), 1 / options)


# Written by tools/luck.py. Each comment names the best habit of guessing (guessing.py).
RATES: Final[dict[str, float]] = {
    "before numeral 3": 0.39,  # usual
    "before pad 6": 0.29,  # usual
    "before pad 8": 0.23,  # usual
    "belongs card 4": 0.26,  # win_stay
    "between numeral 3": 0.34,  # usual
    "between pad 6": 0.25,  # win_stay
    "between pad 8": 0.18,  # first
    "books_of_all pad 8": 0.24,  # usual
    "books_of_three pad 8": 0.33,  # usual
    "cards_of_two pad 6": 0.30,  # usual
    "cards_of_two pad 8": 0.19,  # usual
    "complement_10 pad 11": 0.16,  # usual
    "complement_5 numeral 3": 0.35,  # middle
    "complement_5 pad 6": 0.24,  # usual
    "complement_6 pad 7": 0.22,  # usual
    "complement_7 pad 8": 0.18,  # middle
    "complement_8 pad 9": 0.17,  # middle
    "complement_9 pad 10": 0.17,  # usual
    "count_back pad 6": 0.31,  # first
    "count_back pad 8": 0.30,  # first
    "count_books pad 8": 0.19,  # usual
    "count_class pad 6": 0.37,  # usual
    "count_class pad 8": 0.35,  # second
    "count_hand numeral 3": 0.47,  # usual
    "count_hand pad 6": 0.27,  # usual
    "count_hand pad 8": 0.18,  # usual
    "count_kind numeral 3": 0.38,  # smallest
    "count_kind pad 6": 0.29,  # second
    "count_kind pad 8": 0.32,  # first
    "count_on pad 6": 0.20,  # upper_middle
    "count_on pad 8": 0.17,  # usual
    "count_pips dots 3": 0.46,  # usual
    "count_pips pad 6": 0.20,  # upper_middle
    "count_pips pad 8": 0.17,  # usual
    "dots_to_numeral numeral 3": 0.41,  # usual
    "dots_to_numeral pad 6": 0.20,  # usual
    "dots_to_numeral pad 8": 0.17,  # usual
    "double pad 6": 0.45,  # usual
    "double pad 8": 0.25,  # usual
    "flash dots 3": 0.46,  # usual
    "flash pad 6": 0.20,  # second
    "flash pad 8": 0.24,  # usual
    "give tapped 15": 0.20,  # usual
    "given pad 8": 0.34,  # first
    "got_more pad 6": 0.32,  # usual
    "got_more pad 8": 0.17,  # usual
    "hear_numeral numeral 3": 0.42,  # usual
    "hear_numeral pad 6": 0.27,  # second
    "hear_numeral pad 8": 0.20,  # usual
    "how_many_more pad 8": 0.19,  # middle
    "left_after_draw pad 8": 0.13,  # usual
    "mixed numeral 3": 0.47,  # first_heard
    "mixed pad 6": 0.38,  # first_heard
    "mixed pad 8": 0.34,  # first_heard
    "more_for_book pad 6": 0.37,  # second
    "more_for_book pad 8": 0.37,  # usual
    "most_books seat 3": 0.39,  # usual
    "most_books seat 4": 0.26,  # smallest
    "next numeral 3": 0.44,  # usual
    "next pad 6": 0.24,  # usual
    "next pad 8": 0.17,  # middle
    "numeral_to_dots dots 3": 0.40,  # usual
    "numeral_to_dots dots 4": 0.33,  # usual
    "ones_of pad 8": 0.22,  # win_stay
    "points_of_two numeral 3": 0.43,  # greatest
    "points_of_two pad 6": 0.26,  # usual
    "points_of_two pad 8": 0.13,  # middle
    "swim_away numeral 3": 0.39,  # smallest
    "swim_away pad 6": 0.24,  # usual
    "swim_away pad 8": 0.26,  # first
    "ten_and pad 6": 0.21,  # usual
    "ten_and pad 8": 0.23,  # usual
    "what_asked class 4": 0.26,  # usual
    "who_asked seat 4": 0.37,  # usual
    "who_asked_last seat 4": 0.29,  # usual
}
