"""Questions about adding, taking away and number bonds, made from what the child can see.

Each function yields every question of its kind that this table allows now, with numbers from `low`
to `high`; there may be none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from classroom.engine.cards import is_joker
from classroom.learning.difficulty import hardness
from classroom.learning.drafts import Draft, Stem, numeral
from classroom.learning.scene import Scene

Drafting = Callable[[Scene, int, int], Iterator[Draft]]
MOST_FISH: Final = 10  # the most fish shown in one row
MOST_GONE: Final = 5  # the most of them that swim away


def more_for_book(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many more cards complete a book, if the child has, say, three sevens."""
    rules = scene.observation.rules
    if not scene.big_books or rules.book_size > high:
        return  # the answer would nearly always be the same
    for class_, cards in scene.groups.items():
        held = sum(rules.book_joker if is_joker(card) else 1 for card in cards)
        if rules.book_kind != "fish":
            held = len(cards)
        missing = rules.book_size - held
        if missing >= 1 and held >= low:
            stem = Stem(class_, cards, numbers=(held, rules.book_size))
            yield numeral(
                "more_for_book",
                stem,
                missing,
                rules.book_size,
                extra=missing - 1,
                errors=(held, rules.book_size),
            )


def left_after_draw(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards are left in the pond, right after the child has drawn one."""
    left = scene.observation.stock_size
    if scene.just_drawn == 1 and max(1, low) <= left and left + 1 <= high:
        stem = Stem(numbers=(left + 1, 1))
        yield numeral("left_after_draw", stem, left, left + 1, errors=(left + 1,))


def swim_away(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Show, say, eight fish, of which three swim away, and ask how many are left."""
    for _, number in scene.numbered():
        if not max(2, low) <= number <= min(high, MOST_FISH):
            continue
        for gone in range(1, min(number - 1, MOST_GONE) + 1):
            stem = Stem(numbers=(number, gone))
            errors = (number, gone)
            yield numeral("swim_away", stem, number - gone, number, extra=gone - 1, errors=errors)


def complement(scene: Scene, low: int, high: int, target: int) -> Iterator[Draft]:
    """Ask how many more make `target`, given, say, 3. The answer is tapped on a pad from 0 to
    `target`."""
    if not low <= target <= high:
        return
    pad = tuple(range(target + 1))
    for card, number in scene.numbered():
        if number <= target:
            right = target - number
            yield Draft(
                kind=f"complement_{target}",
                stem=Stem(cards=(card,), numbers=(number, target)),
                face="numeral",
                right=right,
                number=target,
                difficulty=hardness("complement", target, min(number, right)),
                errors=(number, target),
                pad=pad,
            )


def cards_of_two(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards the child and another player have in all."""
    mine = len(scene.hand)
    for seat in scene.others:
        theirs = scene.observation.hand_sizes[seat]
        right = mine + theirs
        if mine and theirs and max(2, low) <= right <= high:
            stem = Stem(seats=(scene.me, seat), numbers=(mine, theirs))
            errors = (mine, theirs)
            yield numeral("cards_of_two", stem, right, right, errors=errors, least=2)


def got_more(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Say how many cards the child had and how many just came; ask how many it has now."""
    caught, now = scene.just_given, len(scene.hand)
    if caught is None or not scene.kept_all or not max(2, low) <= now <= high:
        return
    had, came = now - caught.number, caught.number
    if had:
        stem = Stem(seats=(caught.giver,), numbers=(had, came))
        errors = (had, came)
        yield numeral("got_more", stem, now, now, extra=came - 1, errors=errors, least=2)


def double(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many, say, four and four are."""
    for card, number in scene.numbered():
        if number and low <= 2 * number <= high:
            stem, right = Stem(cards=(card, card), numbers=(number, number)), 2 * number
            errors = (right - 2, right + 2, number, right + 4, right - 4, right + 6)
            yield numeral("double", stem, right, right, errors=errors, least=2)


def books_of_all(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many books two players have in all: three and two, say."""
    yield from _books(scene, "books_of_all", low, high, two=True)


def books_of_three(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many books three players or more have in all: three and two and four, say."""
    yield from _books(scene, "books_of_three", low, high, two=False)


def _books(scene: Scene, kind: str, low: int, high: int, two: bool) -> Iterator[Draft]:
    books = tuple(len(laid) for laid in scene.observation.books)
    some = tuple((seat, number) for seat, number in enumerate(books) if number)
    total, addends = sum(books), tuple(number for _, number in some)
    if len(some) >= 2 and (len(some) == 2) == two and low <= total <= high:
        stem = Stem(seats=tuple(seat for seat, _ in some), numbers=addends)
        extra, errors = len(some) - 2, (max(addends), addends[-1])
        yield numeral(kind, stem, total, total, extra=extra, errors=errors, least=2 if two else 3)


def points_of_two(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask for the sum of the numbers on two of the child's own books."""
    numbers: dict[int, str] = {}
    for book in scene.observation.books[scene.me]:
        for card in book or ():
            number = scene.number(card)
            if number:
                numbers.setdefault(number, card)
    for a, b in ((a, b) for a in numbers for b in numbers if a < b and low <= a + b <= high):
        stem = Stem(cards=(numbers[a], numbers[b]), numbers=(a, b))
        yield numeral("points_of_two", stem, a + b, a + b, errors=(a, b), least=3)


ADDING: Final[dict[str, Drafting]] = {
    "more_for_book": more_for_book,
    "left_after_draw": left_after_draw,
    "swim_away": swim_away,
    **{f"complement_{whole}": partial(complement, target=whole) for whole in range(5, 11)},
    "got_more": got_more,
    "cards_of_two": cards_of_two,
    "double": double,
    "books_of_all": books_of_all,
    "books_of_three": books_of_three,
    "points_of_two": points_of_two,
}
