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
    "before pad 6": 0.25,  # usual
    "before pad 8": 0.23,  # usual
    "belongs card 3": 0.37,  # greatest
    "between pad 6": 0.33,  # usual
    "between pad 8": 0.22,  # usual
    "books_of_all pad 8": 0.24,  # usual
    "books_of_three pad 8": 0.34,  # usual
    "complement_10 pad 11": 0.16,  # usual
    "complement_5 numeral 3": 0.38,  # middle
    "complement_5 pad 6": 0.25,  # usual
    "complement_6 pad 7": 0.19,  # middle
    "complement_7 pad 8": 0.19,  # usual
    "complement_8 pad 9": 0.18,  # usual
    "complement_9 pad 10": 0.16,  # usual
    "count_back pad 6": 0.32,  # first
    "count_back pad 8": 0.27,  # first
    "count_books pad 8": 0.18,  # usual
    "count_class numeral 3": 0.35,  # last
    "count_class pad 6": 0.41,  # second
    "count_class pad 8": 0.34,  # second
    "count_hand numeral 3": 0.45,  # usual
    "count_hand pad 6": 0.26,  # usual
    "count_hand pad 8": 0.19,  # usual
    "count_kind numeral 3": 0.35,  # middle
    "count_kind pad 6": 0.35,  # first
    "count_kind pad 8": 0.33,  # first
    "count_on pad 6": 0.24,  # usual
    "count_on pad 8": 0.16,  # second
    "count_pips dots 3": 0.43,  # usual
    "count_pips pad 6": 0.23,  # usual
    "count_pips pad 8": 0.21,  # usual
    "dots_to_numeral numeral 3": 0.39,  # usual
    "dots_to_numeral pad 6": 0.21,  # usual
    "dots_to_numeral pad 8": 0.20,  # usual
    "double pad 6": 0.37,  # usual
    "double pad 8": 0.25,  # usual
    "flash dots 3": 0.46,  # usual
    "flash pad 6": 0.27,  # usual
    "flash pad 8": 0.22,  # second
    "give tapped 10": 0.20,  # second
    "given pad 8": 0.35,  # first
    "got_more pad 6": 0.28,  # usual
    "got_more pad 8": 0.19,  # usual
    "hear_numeral numeral 3": 0.39,  # usual
    "hear_numeral pad 6": 0.20,  # second
    "hear_numeral pad 8": 0.16,  # upper_middle
    "how_many_more pad 6": 0.29,  # middle
    "how_many_more pad 8": 0.25,  # usual
    "left_after_draw pad 8": 0.15,  # last
    "mixed numeral 3": 0.46,  # first_heard
    "mixed pad 6": 0.38,  # first_heard
    "mixed pad 8": 0.37,  # first_heard
    "more_for_book pad 6": 0.42,  # second
    "more_for_book pad 8": 0.34,  # first
    "most_books seat 3": 0.38,  # usual
    "most_cards seat 3": 0.37,  # usual
    "next numeral 3": 0.47,  # usual
    "next pad 6": 0.23,  # usual
    "next pad 8": 0.19,  # usual
    "numeral_to_dots dots 3": 0.39,  # usual
    "numeral_to_dots dots 4": 0.35,  # usual
    "ones_of pad 6": 0.24,  # usual
    "ones_of pad 8": 0.18,  # usual
    "points_of_two numeral 3": 0.46,  # greatest
    "points_of_two pad 6": 0.27,  # usual
    "points_of_two pad 8": 0.21,  # usual
    "smallest_number card 3": 0.34,  # middle
    "smallest_number card 4": 0.28,  # second
    "swim_away numeral 3": 0.45,  # smallest
    "swim_away pad 6": 0.25,  # second
    "swim_away pad 8": 0.27,  # first
    "ten_and pad 6": 0.24,  # usual
    "ten_and pad 8": 0.21,  # usual
    "what_asked class 4": 0.27,  # usual
    "which_asked class 4": 0.29,  # usual
    "who_asked seat 4": 0.32,  # usual
}
