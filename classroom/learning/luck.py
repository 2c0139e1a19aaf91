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
    """Return how often the best strategy without knowledge is right, at least as often as any
    guess."""
    return max(RATES.get(f"{kind} {answered_by(face, options)} {options}", 0.0), 1 / options)


# Written by tools/luck.py.
RATES: Final[dict[str, float]] = {
    "before numeral 3": 0.41,  # usual
    "before numeral 4": 0.31,  # usual
    "between numeral 3": 0.39,  # usual
    "between numeral 4": 0.30,  # usual
    "books_of_all numeral 4": 0.35,  # usual
    "books_of_three numeral 4": 0.42,  # usual
    "complement_10 pad 11": 0.15,  # usual
    "complement_5 numeral 3": 0.41,  # middle
    "complement_5 pad 6": 0.21,  # upper_middle
    "complement_6 pad 7": 0.19,  # usual
    "complement_7 pad 8": 0.20,  # usual
    "complement_8 pad 9": 0.17,  # usual
    "complement_9 pad 10": 0.15,  # usual
    "count_back numeral 4": 0.38,  # usual
    "count_books numeral 4": 0.26,  # first
    "count_class numeral 3": 0.39,  # middle
    "count_class numeral 4": 0.38,  # usual
    "count_hand numeral 3": 0.44,  # usual
    "count_hand numeral 4": 0.32,  # usual
    "count_kind numeral 3": 0.40,  # smallest
    "count_kind numeral 4": 0.34,  # smallest
    "count_on numeral 4": 0.26,  # usual
    "count_pips dots 3": 0.34,  # last
    "count_pips numeral 4": 0.28,  # usual
    "dots_to_numeral numeral 3": 0.38,  # greatest
    "dots_to_numeral numeral 4": 0.26,  # smallest
    "double numeral 4": 0.44,  # usual
    "flash dots 3": 0.38,  # usual
    "flash numeral 4": 0.28,  # usual
    "give tapped 10": 0.17,  # second
    "given numeral 4": 0.39,  # usual
    "hear_numeral numeral 4": 0.33,  # usual
    "how_many_more numeral 4": 0.30,  # upper_middle
    "mixed numeral 3": 0.44,  # first_heard
    "mixed numeral 4": 0.38,  # first_heard
    "more_for_book numeral 4": 0.33,  # smallest
    "most_books seat 3": 0.38,  # usual
    "most_books seat 4": 0.34,  # usual
    "most_cards seat 3": 0.34,  # win_stay
    "next numeral 3": 0.41,  # usual
    "next numeral 4": 0.30,  # usual
    "numeral_to_dots dots 3": 0.47,  # usual
    "numeral_to_dots dots 4": 0.33,  # usual
    "ones_of numeral 4": 0.30,  # usual
    "points_of_two numeral 4": 0.27,  # upper_middle
    "smallest_number card 3": 0.35,  # middle
    "swim_away numeral 3": 0.45,  # smallest
    "swim_away numeral 4": 0.32,  # smallest
    "ten_and numeral 4": 0.29,  # usual
    "who_asked seat 4": 0.33,  # usual
}
