"""Questions about more and fewer, and about what belongs together, made from what is in sight.

"Who has more?" never has only two answers: with two seats, "the same" is the third.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log2
from typing import Final

from classroom.engine.cards import Card
from classroom.learning.difficulty import FIVE, hardness
from classroom.learning.drafts import Draft, Drafting, Scene, Stem, numeral

SAME: Final = None  # the answer "the same", where the options are faces
COUNTABLE: Final = 9  # the most card backs in a fan that can still be told apart


def _closeness(numbers: Sequence[int], most: bool) -> float:
    """Return how close the deciding numbers are: 8 and 7 are closer than 8 and 3."""
    smaller, greater = sorted(sorted(numbers, reverse=most)[:2])
    return smaller / greater if greater else 0.0


def _seats(scene: Scene, kind: str, sizes: dict[int, int], most: bool) -> Iterator[Draft]:
    best = max(sizes.values()) if most else min(sizes.values())
    holders = [seat for seat, size in sizes.items() if size == best]
    two = len(sizes) == 2
    if len(holders) > 1 and not (two and best > 0):
        return
    right = SAME if len(holders) > 1 else holders[0]
    stem = Stem(seats=tuple(sizes), numbers=tuple(sizes.values()))
    wrong = tuple(seat for seat in sizes if seat != right)
    keep = (SAME,) if two and right is not SAME else ()
    number = max(sizes.values())
    yield Draft(
        kind=kind,
        stem=stem,
        face="seat",
        right=right,
        number=number,
        difficulty=hardness(kind, number, _closeness(tuple(sizes.values()), most)),
        wrong=(wrong,),
        keep=keep,
    )


def _hands(scene: Scene, kind: str, low: int, high: int, most: bool) -> Iterator[Draft]:
    o = scene.observation
    seats = [seat for seat in (scene.me, *scene.others) if seat not in o.out]
    sizes = {seat: o.hand_sizes[seat] for seat in seats}
    in_range = all(low <= size <= min(high, COUNTABLE) for size in sizes.values())
    if in_range and scene.me in sizes and len(sizes) > 1:
        yield from _seats(scene, kind, sizes, most)


def most_cards(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask who has the most cards in hand. The fans are shown, but the numbers are covered."""
    return _hands(scene, "most_cards", low, high, most=True)


def fewest_cards(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask who has the fewest cards in hand."""
    return _hands(scene, "fewest_cards", low, high, most=False)


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
            yield numeral("how_many_more", stem, most - least, most, errors=(most, least))


def _numbers(scene: Scene, kind: str, low: int, high: int, most: bool) -> Iterator[Draft]:
    shown = [(card, n) for card, n in scene.numbered() if low <= n <= high]
    shown.sort(key=lambda pair: pair[1], reverse=most)
    for place in range(len(shown) - 2):  # so that at least three cards are left to choose from
        (card, number), *rest = shown[place : place + 4]
        nearest, greatest = rest[0][1], max(number, rest[-1][1])
        closeness = min(number, nearest) / max(number, nearest, 1)
        yield Draft(
            kind=kind,
            stem=Stem(),
            face="card",
            right=card,
            number=greatest,
            difficulty=hardness(kind, greatest, closeness),
            wrong=(tuple(other for other, _ in rest[:2]), tuple(c for c, _ in rest[2:])),
        )


def greatest_number(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask which of the child's cards shows the greatest number."""
    return _numbers(scene, "greatest_number", low, high, most=True)


def smallest_number(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask which of the child's cards shows the smallest number."""
    return _numbers(scene, "smallest_number", low, high, most=False)


def belongs(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Show two cards that have one thing in common, and ask which other card has it too.

    The two share only one trait, and no wrong card has it, so only one rule fits.
    """
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
                stem = Stem(cards=(one, two), trait=(trait, value))
                level = hardness("belongs", FIVE, trait != "suit")
                yield Draft(
                    kind="belongs",
                    stem=stem,
                    face="card",
                    right=card,
                    difficulty=level,
                    wrong=(wrong,),
                )


def count_kind(scene: Scene, low: int, high: int) -> Iterator[Draft]:
    """Ask how many of the child's cards are, say, shells, if there are others to leave out.

    It does not ask about families of fish, as a hand has only one or two of each.
    """
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
            yield numeral("count_kind", stem, count, count, extra=extra, errors=errors)


COMPARING: Final[dict[str, Drafting]] = {
    "most_cards": most_cards,
    "fewest_cards": fewest_cards,
    "most_books": most_books,
    "how_many_more": how_many_more,
    "greatest_number": greatest_number,
    "smallest_number": smallest_number,
    "belongs": belongs,
    "count_kind": count_kind,
}
