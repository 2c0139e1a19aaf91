"""Counting questions, made from the child's own cards and the open cards on the table.

Each function yields every question of its kind that this table allows now, with numbers from `low`
to `high`; there may be none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from classroom.engine.cards import is_joker
from classroom.learning.drafts import BASE, Draft, Stem, hardness
from classroom.learning.scene import Scene

Drafting = Callable[[Scene, int, int], Iterator[Draft]]
MOST_TAPPED: Final = 11  # the most cards that a question shows to be tapped


def flash(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Show a card for a moment, its shapes only, and ask how many there are."""
    for card, number in scene.countable():
        if max(1, low) <= number <= high:
            stem = Stem(cards=(card,), brief=True)
            yield Draft(
                kind="flash",
                stem=stem,
                face="numeral",
                right=number,
                difficulty=hardness("flash", number, 1.0),
            )


def count_class(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards of a class, such as sevens, the child has."""
    for class_, cards in scene.groups.items():
        if low <= len(cards) <= high:
            level = hardness("count_class", len(cards))
            yield Draft(
                kind="count_class",
                stem=Stem(class_, cards),
                face="numeral",
                right=len(cards),
                difficulty=level,
            )


def count_hand(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards the child holds."""
    size = len(scene.hand)
    if max(1, low) <= size <= high:
        level = hardness("count_hand", size)
        yield Draft(
            kind="count_hand",
            stem=Stem(cards=scene.hand),
            face="numeral",
            right=size,
            difficulty=level,
        )


def count_pips(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many shapes are on a card."""
    for card, number in scene.countable():
        if max(1, low) <= number <= high:
            level = hardness("count_pips", number)
            yield Draft(
                kind="count_pips",
                stem=Stem(cards=(card,)),
                face="numeral",
                right=number,
                difficulty=level,
            )


def give(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask the child to give, say, Bear three cards by tapping them. At least one card is left."""
    cards = scene.hand[:MOST_TAPPED]
    counts = tuple(range(1, len(cards) + 1))
    for number in counts[:-1]:
        if low <= number <= high:
            stem = Stem(cards=cards, seats=scene.others[:1], numbers=(number,))
            yield Draft(
                kind="give",
                stem=stem,
                face="tapped",
                right=number,
                difficulty=hardness("give", number),
                pad=counts,
            )


def more_for_book(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many more cards complete a book, if the child has, say, three sevens."""
    rules = scene.observation.rules
    if rules.book_kind == "sum" or rules.book_size > high:
        return
    for class_, cards in scene.groups.items():
        held = sum(rules.book_joker if is_joker(card) else 1 for card in cards)
        if rules.book_kind != "fish":
            held = len(cards)
        missing = rules.book_size - held
        if missing >= 1 and held >= low:
            stem = Stem(class_, cards, numbers=(held, rules.book_size))
            level = hardness("more_for_book", rules.book_size * missing, 0.4)
            wrong = tuple(n for n in range(rules.book_size + 1) if n != missing)
            yield Draft(
                kind="more_for_book",
                stem=stem,
                face="numeral",
                right=missing,
                difficulty=level,
                wrong=(wrong,),
            )


def dots_to_numeral(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Show a card with its numeral covered, and ask which numeral belongs to it."""
    for card, number in scene.countable():
        if low <= number <= high:
            level = hardness("dots_to_numeral", number)
            yield Draft(
                kind="dots_to_numeral",
                stem=Stem(cards=(card,)),
                face="numeral",
                right=number,
                difficulty=level,
            )


def numeral_to_dots(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Show a numeral, and ask which dots belong to it."""
    for _, number in scene.numbered():
        if low <= number <= high:
            level = hardness("numeral_to_dots", number)
            yield Draft(
                kind="numeral_to_dots",
                stem=Stem(numbers=(number,)),
                face="dots",
                right=number,
                difficulty=level,
            )


def hear_numeral(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Say a number, and ask for its numeral. The page must not show `numbers`, only say them."""
    for _, number in scene.numbered():
        if low <= number <= high:
            level = hardness("hear_numeral", number)
            yield Draft(
                kind="hear_numeral",
                stem=Stem(numbers=(number,)),
                face="numeral",
                right=number,
                difficulty=level,
            )


def next_number(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask what comes after a number."""
    for _, number in scene.numbered():
        if low <= number < high:
            stem = Stem(numbers=(number,))
            yield Draft(
                kind="next",
                stem=stem,
                face="numeral",
                right=number + 1,
                difficulty=hardness("next", number),
            )


def before(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask what comes before a number."""
    for _, number in scene.numbered():
        if low < number <= high:
            stem = Stem(numbers=(number,))
            yield Draft(
                kind="before",
                stem=stem,
                face="numeral",
                right=number - 1,
                difficulty=hardness("before", number),
            )


def between(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask what comes between two numbers, such as six and eight."""
    for _, number in scene.numbered():
        if low < number < high:
            stem = Stem(numbers=(number - 1, number + 1))
            yield Draft(
                kind="between",
                stem=stem,
                face="numeral",
                right=number,
                difficulty=hardness("between", number),
            )


def left_after_draw(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards are left in the pond, right after the child has drawn one."""
    left = scene.observation.stock_size
    if scene.just_drawn == 1 and low <= left and left + 1 <= high:
        stem = Stem(numbers=(left + 1, 1))
        yield Draft(
            kind="left_after_draw",
            stem=stem,
            face="numeral",
            right=left,
            difficulty=hardness("left_after_draw", left + 1),
        )


def complement(scene: Scene, low: int, high: int, target: int) -> Iterator[Draft]:
    """Ask how many more make `target`, given, say, 3. Answered on a pad from 0 to `target`."""
    kind = f"complement_{target}"
    pad = tuple(range(target + 1))
    for card, number in scene.numbered():
        if low <= number <= min(high, target):
            stem = Stem(cards=(card,), numbers=(number, target))
            right = target - number
            level = BASE[kind] + 0.12 * min(number, right)
            yield Draft(
                kind=kind, stem=stem, face="numeral", right=right, difficulty=level, pad=pad
            )


def complement_5(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many more make five."""
    return complement(scene, low, high, 5)


def complement_10(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many more make ten."""
    return complement(scene, low, high, 10)


def books_of_all(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many books there are in all: three and two and four, say."""
    books = tuple(len(laid) for laid in scene.observation.books)
    some = tuple((seat, number) for seat, number in enumerate(books) if number)
    total = sum(books)
    if len(some) >= 2 and low <= total <= high:
        stem = Stem(seats=tuple(seat for seat, _ in some), numbers=tuple(n for _, n in some))
        level = hardness("books_of_all", total, 0.7) + 0.3 * (len(some) - 2)
        yield Draft(kind="books_of_all", stem=stem, face="numeral", right=total, difficulty=level)


def points_of_two(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask for the sum of the numbers on two of the child's own books."""
    numbers: dict[int, str] = {}
    for book in scene.observation.books[scene.me]:
        for card in book or ():
            number = scene.number(card)
            if number:
                numbers.setdefault(number, card)
    pairs = [(a, b) for a in numbers for b in numbers if a < b and low <= a + b <= high]
    for a, b in pairs:
        stem = Stem(cards=(numbers[a], numbers[b]), numbers=(a, b))
        level = hardness("points_of_two", a + b, 0.7)
        yield Draft(kind="points_of_two", stem=stem, face="numeral", right=a + b, difficulty=level)


COUNTING: Final[dict[str, Drafting]] = {
    "flash": flash,
    "count_class": count_class,
    "count_hand": count_hand,
    "count_pips": count_pips,
    "give": give,
    "more_for_book": more_for_book,
    "dots_to_numeral": dots_to_numeral,
    "numeral_to_dots": numeral_to_dots,
    "hear_numeral": hear_numeral,
    "next": next_number,
    "before": before,
    "between": between,
    "left_after_draw": left_after_draw,
    "complement_5": complement_5,
    "complement_10": complement_10,
    "books_of_all": books_of_all,
    "points_of_two": points_of_two,
}
