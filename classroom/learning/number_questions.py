"""Questions about counting, adding, comparing and sorting, made from what the child can see. Each
function yields all questions of its kind that are possible now (there may be none), with numbers
from `low` to `high`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import log2
from typing import Final

from classroom.engine.cards import Card, is_joker, most_books as books_of_deck
from classroom.learning.drafts import FIVE, Draft, Drafting, Face, Scene, Stem, draft, hardness

# ---- Counting questions, made from the child's own cards and the open cards on the table

TRAY: Final = 15  # the number of shells on the tray; the child gives some of them
HOPS: Final = (2, 3)  # how far to count on or back; for one hop there are `next` and `before`
TEN: Final = 10


def shapes(scene: Scene, low: int, high: int, kind: str, least: int) -> Iterator[Draft]:
    """Ask how many shapes are on a card without its numeral. The card stays visible for counting
    (`count_pips`) or matching with a numeral (`dots_to_numeral`), or is shown briefly (`flash`)."""
    if scene.observation.rules.deck_kind == "fish":
        return  # its cards show a single shape
    for card, number in scene.numbered():
        if max(least, low) <= number <= high:
            yield draft(kind, Stem(cards=(card,), brief=kind == "flash"), number, number)


def count_class(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards of a class, such as sevens, the child has."""
    if not scene.big_books:
        return  # the answer would nearly always be the same
    for class_, cards in scene.groups.items():
        count = len(cards)
        if low <= count <= high:
            errors = (len(scene.hand),)
            yield draft("count_class", Stem(class_, cards), count, count, errors=errors)


def count_hand(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards the child holds."""
    size = len(scene.hand)
    if max(1, low) <= size <= high:
        yield draft("count_hand", Stem(cards=scene.hand), size, size)


def count_books(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many books the child has made, at the end of a round."""
    made = len(scene.books[scene.me])
    if scene.observation.over and max(1, low) <= made <= high:
        stem = Stem(seats=(scene.me,), numbers=(made,))
        errors = (sum(map(len, scene.books)),)
        yield draft("count_books", stem, made, made, errors=errors)


def given(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards the child has just been given, after a catch from one player."""
    caught = scene.just_given
    if not scene.big_books:
        return  # with small books the answer would nearly always be one
    if caught is not None and low <= caught.number <= high:
        stem = Stem(caught.class_, seats=(caught.giver,), numbers=(caught.number,))
        held = len(scene.groups.get(caught.class_, ()))
        yield draft("given", stem, caught.number, caught.number, errors=(held,))


def mixed(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Say how many cards the child has, mix them, and ask how many there are now. A card may be
    added or removed, because otherwise the number just heard would always be right."""
    size = len(scene.hand)
    if size < 2:
        return  # one card cannot be mixed
    for change in (0, 1, -1):
        if max(2, low) <= size + change and max(size, size + change) <= high:
            stem = Stem(cards=scene.hand, numbers=(size, change))
            most, extra = max(size, size + change), abs(change)
            yield draft("mixed", stem, size + change, most, extra=extra, errors=(size,), least=2)


def give(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask the child to give Bear, for example, three of the shells on a tray, by tapping them."""
    pad = tuple(range(1, TRAY + 1))
    for number in range(max(1, low), min(high, TRAY) + 1):
        stem = Stem(seats=scene.others[:1], numbers=(number,))
        yield draft("give", stem, number, number, face="tapped", pad=pad)


def numerals(scene: Scene, low: int, high: int, kind: str, face: Face) -> Iterator[Draft]:
    """Show a numeral, and ask which picture has that many dots (`numeral_to_dots`); or say a number
    without showing it, and ask for its numeral (`hear_numeral`)."""
    for number in scene.numbers(low, high):
        stem = Stem(numbers=(number,))
        yield draft(kind, stem, number, number, face=face, least=min(1, low))


def next_number(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask what comes after a number."""
    for number in scene.numbers(low, high - 1):
        stem = Stem(numbers=(number,))
        errors, least = (number,), max(1, low + 1)
        yield draft("next", stem, number + 1, number + 1, errors=errors, least=least)


def before(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask what comes before a number."""
    for number in scene.numbers(low + 1, high):
        stem = Stem(numbers=(number,))
        yield draft("before", stem, number - 1, number, errors=(number,))


def between(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask what comes between two numbers, such as six and eight."""
    for number in scene.numbers(low + 1, high - 1):
        stem = Stem(numbers=(number - 1, number + 1))
        yield draft("between", stem, number, number + 1, errors=stem.numbers, least=low + 1)


def hops(scene: Scene, low: int, high: int, kind: str, way: int) -> Iterator[Draft]:
    """Ask which number is, say, two hops after six (`way` is 1) or before it (-1)."""
    least = 1 + HOPS[0] if way > 0 else 1
    for number in scene.numbers(max(1, low), high):
        for some in HOPS:
            right = number + way * some
            if max(1, low) <= right <= high:
                stem, most = Stem(numbers=(number, some)), max(number, right)
                yield draft(kind, stem, right, most, errors=(number,), least=least)


def ten_and(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask which number ten and four make, for example."""
    for ones in _ones(scene, low, high):
        stem = Stem(numbers=(TEN, ones))
        right, turned = TEN + ones, TEN * ones + 1  # such as fourteen and forty-one
        yield draft("ten_and", stem, right, right, errors=(turned,), least=TEN + 1)


def ones_of(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many ones there are besides the ten in a number such as fourteen."""
    for ones in _ones(scene, low, high):
        stem = Stem(numbers=(TEN + ones, TEN))
        yield draft("ones_of", stem, ones, TEN + ones, errors=(TEN + ones,))


def _ones(scene: Scene, low: int, high: int) -> Iterator[int]:
    """Yield each last digit in the child's numbers, except 0, if ten plus the digit is in range."""
    shown = {number % TEN for _, number in scene.numbered()}
    yield from (ones for ones in sorted(shown) if ones and low <= TEN + ones <= high)


# ---- Questions about adding, taking away and number bonds

MOST_FISH: Final = 10  # the largest number of fish shown in one row
MOST_GONE: Final = 5  # the largest number of fish that swim away


def more_for_book(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many more cards the child needs to complete, say, a book of sevens."""
    rules = scene.observation.rules
    if not scene.big_books or rules.book_size > high:
        return  # in small books the answer hardly varies, and large numbers are not asked about
    size, worth = rules.book_size, rules.book_joker if rules.book_kind == "fish" else 1
    for class_, cards in scene.groups.items():
        held = sum(worth if is_joker(card) else 1 for card in cards)
        missing = size - held
        if missing >= 1 and held >= low:
            stem, errors = Stem(class_, cards, numbers=(held, size)), (held, size)
            yield draft("more_for_book", stem, missing, size, extra=missing - 1, errors=errors)


def left_after_draw(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many cards are left in the pond, right after the child has drawn one."""
    left = scene.observation.stock_size
    if scene.just_drawn == 1 and max(1, low) <= left and left + 1 <= high:
        stem = Stem(numbers=(left + 1, 1))
        yield draft("left_after_draw", stem, left, left + 1, errors=(left + 1,))


def swim_away(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Show, say, eight fish, let three swim away, and ask how many are left."""
    for number in scene.numbers(max(2, low), min(high, MOST_FISH)):
        for gone in range(1, min(number - 1, MOST_GONE) + 1):
            stem = Stem(numbers=(number, gone))
            errors = (number, gone)
            yield draft("swim_away", stem, number - gone, number, extra=gone - 1, errors=errors)


def books_missing(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many books are still missing, after a book was laid in a game against the pond."""
    whole, made = books_of_deck(scene.observation.rules), sum(map(len, scene.observation.books))
    if scene.new_book and low <= whole <= high and 0 < made < whole:
        stem, right = Stem(numbers=(whole, made)), whole - made
        extra, errors = min(made, right) - 1, (whole, made)
        yield draft("books_missing", stem, right, whole, extra=extra, errors=errors)


def complement(scene: Scene, low: int, high: int, target: int) -> Iterator[Draft]:
    """Ask which number makes `target` with, say, 3. The pad has the numbers from 0 to `target`."""
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
            yield draft("cards_of_two", stem, right, right, errors=errors, least=2)


def got_more(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Say how many cards the child had and how many just came; ask how many there are now."""
    caught, now = scene.just_given, len(scene.hand)
    if caught is None or not scene.kept_all or not max(2, low) <= now <= high:
        return
    had, came = now - caught.number, caught.number
    if had:
        stem = Stem(seats=(caught.giver,), numbers=(had, came))
        errors = (had, came)
        yield draft("got_more", stem, now, now, extra=came - 1, errors=errors, least=2)


def double(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask for a double, such as four and four."""
    for card, number in scene.numbered():
        if number and low <= 2 * number <= high:
            stem, right = Stem(cards=(card, card), numbers=(number, number)), 2 * number
            errors = (right - 2, right + 2, number, right + 4, right - 4, right + 6)
            yield draft("double", stem, right, right, errors=errors, least=2)


def books_in_all(scene: Scene, low: int, high: int, kind: str, two: bool) -> Iterator[Draft]:
    """Ask how many books all players have together. `two`: whether exactly two players must have
    books; otherwise three or more must."""
    books = tuple(len(laid) for laid in scene.books)
    some = tuple((seat, number) for seat, number in enumerate(books) if number)
    total, addends = sum(books), tuple(number for _, number in some)
    if len(some) >= 2 and (len(some) == 2) == two and low <= total <= high:
        stem = Stem(seats=tuple(seat for seat, _ in some), numbers=addends)
        extra, errors = len(some) - 2, (max(addends), addends[-1])
        yield draft(kind, stem, total, total, extra=extra, errors=errors, least=2 if two else 3)


def points_of_two(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask what the numbers on two of the child's own books add up to."""
    numbers: dict[int, str] = {}
    for book in scene.books[scene.me]:
        for card in book or ():
            number = scene.number(card)
            if number:
                numbers.setdefault(number, card)
    for a, b in ((a, b) for a in numbers for b in numbers if a < b and low <= a + b <= high):
        stem = Stem(cards=(numbers[a], numbers[b]), numbers=(a, b))
        yield draft("points_of_two", stem, a + b, a + b, errors=(a, b), least=3)


# ---- Questions about comparing and sorting
#
# "Who has more?" always has at least three options: with two seats, "the same" is the third.

SAME: Final = None  # the answer "the same"
COUNTABLE: Final = 9  # the largest number of card backs in a fan that a child can count


def _seats(scene: Scene, kind: str, sizes: dict[int, int], most: bool) -> Iterator[Draft]:
    best = max(sizes.values()) if most else min(sizes.values())
    holders = [seat for seat, size in sizes.items() if size == best]
    two = len(sizes) == 2
    if len(holders) > 1 and not (two and best > 0):
        return
    right = SAME if len(holders) > 1 else holders[0]
    stem = Stem(seats=tuple(sizes), numbers=tuple(sizes.values()))
    wrong = (tuple(seat for seat in sizes if seat != right),)
    keep = (SAME,) if two and right is not SAME else ()
    # The two deciding numbers are harder to compare if they are close, such as 8 and 7.
    smaller, greater = sorted(sorted(sizes.values(), reverse=most)[:2])
    near, number = smaller / greater if greater else 0.0, max(sizes.values())
    yield draft(kind, stem, right, number, face="seat", extra=near, wrong=wrong, keep=keep)


def cards_compared(scene: Scene, low: int, high: int, kind: str, most: bool) -> Iterator[Draft]:
    """Ask who has the most or the fewest cards in hand. The page shows fans but no numbers."""
    o = scene.observation
    seats = [seat for seat in (scene.me, *scene.others) if seat not in o.out]
    sizes = {seat: o.hand_sizes[seat] for seat in seats}
    in_range = all(low <= size <= min(high, COUNTABLE) for size in sizes.values())
    if in_range and scene.me in sizes and len(sizes) > 1:
        yield from _seats(scene, kind, sizes, most)


def most_books(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask who has the most books."""
    sizes = {seat: len(scene.books[seat]) for seat in (scene.me, *scene.others)}
    if 1 <= max(sizes.values()) <= high and len(sizes) > 1:
        yield from _seats(scene, "most_books", sizes, most=True)


def how_many_more(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many more cards another player has than the child, or the other way round."""
    sizes = scene.observation.hand_sizes
    mine = sizes[scene.me]
    for other in scene.others:
        most, least = max(mine, sizes[other]), min(mine, sizes[other])
        if most > least >= max(1, low) and most <= min(high, COUNTABLE):
            pair = (scene.me, other) if mine == most else (other, scene.me)
            stem = Stem(seats=pair, numbers=(most, least))
            yield draft("how_many_more", stem, most - least, most, errors=(most, least))


def numbers_compared(scene: Scene, low: int, high: int, kind: str, most: bool) -> Iterator[Draft]:
    """Ask which of the child's cards shows the greatest or the smallest number."""
    shown = [(card, n) for card, n in scene.numbered() if low <= n <= high]
    shown.sort(key=lambda pair: pair[1], reverse=most)
    for place in range(len(shown) - 2):  # a question needs at least three cards
        (card, number), *rest = shown[place : place + 4]
        nearest, greatest = rest[0][1], max(number, rest[-1][1])
        near = min(number, nearest) / max(number, nearest, 1)
        wrong = tuple(other for other, _ in rest[:2]), tuple(other for other, _ in rest[2:])
        yield draft(kind, Stem(), card, greatest, face="card", extra=near, wrong=wrong)


def belongs(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Show two cards with exactly one trait in common, and ask which other card has this trait too.
    No wrong card has it, so there is only one right answer."""
    marks = {card: scene.traits(card) for card in scene.hand}
    for one, two in combinations(scene.hand, 2):
        shared = [t for t, value in marks[one].items() if marks[two].get(t) == value]
        if len(shared) != 1:
            continue
        trait, value = shared[0], marks[one][shared[0]]
        rest = [card for card in scene.hand if card not in (one, two)]
        wrong = tuple(card for card in rest if marks[card].get(trait) != value)
        for card in rest:
            if marks[card].get(trait) == value and len(wrong) >= 2:
                yield Draft(
                    kind="belongs",
                    stem=Stem(cards=(one, two), trait=(trait, value)),
                    face="card",
                    right=card,
                    difficulty=hardness("belongs", FIVE, trait != "suit"),
                    wrong=(wrong,),
                )


def count_kind(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many of the child's cards are, say, shells, if there are other cards too. Families of
    fish are left out because a hand has only one or two of each."""
    if scene.observation.rules.deck_kind == "fish":
        return
    tally: dict[tuple[str, str], list[Card]] = {}
    for card in scene.hand:
        for trait, value in scene.traits(card).items():
            if trait != "rank":  # counting a rank is `count_class`
                tally.setdefault((trait, value), []).append(card)
    for mark, cards in tally.items():
        count = len(cards)
        if low <= count <= high and count < len(scene.hand):
            stem = Stem(cards=scene.hand, trait=mark)
            extra, errors = log2(len(scene.hand)), (len(scene.hand),)
            yield draft("count_kind", stem, count, count, extra=extra, errors=errors)


MAKERS: Final[dict[str, Drafting]] = {
    # counting
    "flash": partial(shapes, kind="flash", least=1),
    "count_class": count_class,
    "count_hand": count_hand,
    "count_pips": partial(shapes, kind="count_pips", least=1),
    "count_books": count_books,
    "given": given,
    "mixed": mixed,
    "give": give,
    "dots_to_numeral": partial(shapes, kind="dots_to_numeral", least=0),
    "numeral_to_dots": partial(numerals, kind="numeral_to_dots", face="dots"),
    "hear_numeral": partial(numerals, kind="hear_numeral", face="numeral"),
    "next": next_number,
    "before": before,
    "between": between,
    "count_on": partial(hops, kind="count_on", way=1),
    "count_back": partial(hops, kind="count_back", way=-1),
    "ten_and": ten_and,
    "ones_of": ones_of,
    # adding
    "more_for_book": more_for_book,
    "left_after_draw": left_after_draw,
    "swim_away": swim_away,
    "books_missing": books_missing,
    **{f"complement_{whole}": partial(complement, target=whole) for whole in range(5, 11)},
    "got_more": got_more,
    "cards_of_two": cards_of_two,
    "double": double,
    "books_of_all": partial(books_in_all, kind="books_of_all", two=True),
    "books_of_three": partial(books_in_all, kind="books_of_three", two=False),
    "points_of_two": points_of_two,
    # comparing and sorting
    "most_cards": partial(cards_compared, kind="most_cards", most=True),
    "fewest_cards": partial(cards_compared, kind="fewest_cards", most=False),
    "most_books": most_books,
    "how_many_more": how_many_more,
    "greatest_number": partial(numbers_compared, kind="greatest_number", most=True),
    "smallest_number": partial(numbers_compared, kind="smallest_number", most=False),
    "belongs": belongs,
    "count_kind": count_kind,
}
"""The functions that yield the drafts of each kind."""
