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
    """Return the chance of the best strategy without knowledge; at least that of any guess."""
    return max(RATES.get(f"{kind} {answered_by(face, options)} {options}", 0.0), 1 / options)


# Written by tools/luck.py.
RATES: Final[dict[str, float]] = {
    "before numeral 3": 0.35,  # usual
    "before numeral 4": 0.32,  # usual
    "belongs card 4": 0.26,  # second
    "between numeral 4": 0.33,  # usual
    "books_of_all numeral 4": 0.39,  # usual
    "books_of_three numeral 4": 0.40,  # usual
    "complement_10 pad 11": 0.16,  # usual
    "complement_5 numeral 3": 0.51,  # usual
    "complement_5 pad 6": 0.20,  # upper_middle
    "complement_6 pad 7": 0.21,  # usual
    "complement_7 pad 8": 0.19,  # usual
    "complement_8 pad 9": 0.18,  # usual
    "complement_9 pad 10": 0.16,  # usual
    "count_back numeral 4": 0.38,  # usual
    "count_books numeral 4": 0.30,  # usual
    "count_class numeral 4": 0.34,  # usual
    "count_hand numeral 3": 0.43,  # usual
    "count_hand numeral 4": 0.34,  # usual
    "count_kind numeral 3": 0.43,  # smallest
    "count_kind numeral 4": 0.32,  # smallest
    "count_on numeral 4": 0.26,  # usual
    "count_pips dots 3": 0.34,  # usual
    "count_pips numeral 4": 0.30,  # usual
    "dots_to_numeral numeral 3": 0.42,  # usual
    "dots_to_numeral numeral 4": 0.28,  # usual
    "double numeral 4": 0.41,  # usual
    "fewest_cards seat 3": 0.35,  # usual
    "flash dots 3": 0.45,  # usual
    "flash numeral 4": 0.30,  # usual
    "give tapped 10": 0.18,  # second
    "given numeral 4": 0.36,  # middle
    "greatest_number card 3": 0.34,  # greatest
    "hear_numeral numeral 3": 0.46,  # usual
    "hear_numeral numeral 4": 0.36,  # usual
    "how_many_more numeral 4": 0.28,  # upper_middle
    "mixed numeral 3": 0.47,  # first_heard
    "mixed numeral 4": 0.37,  # first_heard
    "more_for_book numeral 3": 0.39,  # middle
    "more_for_book numeral 4": 0.40,  # middle
    "most_books seat 3": 0.40,  # usual
    "most_books seat 4": 0.35,  # usual
    "most_cards seat 3": 0.37,  # usual
    "next numeral 3": 0.42,  # usual
    "numeral_to_dots dots 3": 0.38,  # usual
    "numeral_to_dots dots 4": 0.32,  # usual
    "ones_of numeral 4": 0.31,  # usual
    "swim_away numeral 3": 0.47,  # smallest
    "swim_away numeral 4": 0.31,  # smallest
    "ten_and numeral 4": 0.31,  # usual
    "which_asked class 4": 0.28,  # usual
    "who_asked seat 4": 0.35,  # usual
}
