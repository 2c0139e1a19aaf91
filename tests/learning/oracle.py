"""The right answers to questions, worked out from the Observation in plain loops.

Written separately from the makers of questions, so that both are unlikely to have the same fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from classroom.engine.events import Asked, Gave
from classroom.engine.observation import Observation
from classroom.learning.questions import Question

RANKS = "A23456789TJQK"


def number_on(observation: Observation, card: str) -> int:
    kind = observation.rules.deck_kind
    if kind == "numbers":
        return int(card.split("-")[0])
    if kind == "fours":
        return int(card[2])
    return RANKS.index(card[1] if kind == "fish" else card[0]) + 1


def trait_of(observation: Observation, card: str, trait: str) -> str:
    kind = observation.rules.deck_kind
    if kind == "fours":
        return card[("colour", "shape", "number").index(trait)]
    if kind == "fish":
        return card[0]
    return card[1] if trait == "suit" else card[0]


def asks(observation: Observation) -> list[Asked]:
    """All asks, newest first."""
    events = [seen.event for seen in observation.history if isinstance(seen.event, Asked)]
    return list(reversed(events))


def askers(observation: Observation, class_: str) -> list[int]:
    """The seats that asked for a class, newest first."""
    return [ask.seat for ask in asks(observation) if ask.class_ == class_]


def of_class(observation: Observation, card: str, class_: str) -> bool:
    kind, what = observation.rules.deck_kind, observation.rules.class_
    if kind == "fours":
        return all(wanted in (".", have) for wanted, have in zip(class_, card, strict=True))
    if what == "complement":
        return card.split("-")[0] == class_
    if what == "suit":
        return card[0] == class_
    rank = card[1] if kind == "fish" else card[0]
    if what == "colour_rank":
        return rank + ("r" if card[1] in "HD" else "b") == class_
    return rank == class_


def missing(q: Question, o: Observation) -> int:
    held = sum(
        o.rules.book_joker if o.rules.book_kind == "fish" and "*" in card else 1
        for card in o.hand
        if of_class(o, card, str(q.stem.class_))
    )
    return o.rules.book_size - held


def best_seat(q: Question, o: Observation, sizes: list[int], best: Callable[..., int]) -> Any:
    seats = [seat for seat in range(o.seats) if q.kind == "most_books" or seat not in o.out]
    assert sorted(q.stem.seats) == seats
    assert [sizes[seat] for seat in q.stem.seats] == list(q.stem.numbers)
    top = best(sizes[seat] for seat in seats)
    holders = [seat for seat in seats if sizes[seat] == top]
    return holders[0] if len(holders) == 1 else None


def who(q: Question, o: Observation) -> Any:
    seats = set(askers(o, str(q.stem.class_)))
    assert o.viewer not in seats
    if len(seats) > 1:
        assert len(seats) == o.seats - 1 == 2
        return "both"
    return next(iter(seats), None)


def at_the(end: int) -> Callable[[Question, Observation], Any]:
    """Make a function that finds the last (0) or the first (-1) of several seats to ask for a
    class, or None if no seat asked."""

    def seat(q: Question, o: Observation) -> Any:
        found = askers(o, str(q.stem.class_))
        assert len(set(found)) != 1
        assert o.viewer not in found
        return found[end] if found else None

    return seat


def which(q: Question, o: Observation) -> Any:
    others = {ask.class_ for ask in asks(o)}
    named = [option for option in q.options if option is not None and option in others]
    assert len(named) <= 1
    assert all(o.viewer not in askers(o, option) for option in named)
    return named[0] if named else None


def last_of(q: Question, o: Observation) -> Any:
    (seat,) = q.stem.seats
    return next(ask.class_ for ask in asks(o) if ask.seat == seat)


def belonging(q: Question, o: Observation) -> Any:
    one, two = q.stem.cards
    traits = {"french": ("suit", "rank"), "fours": ("colour", "shape", "number"), "fish": ("suit",)}
    common = [t for t in traits[o.rules.deck_kind] if trait_of(o, one, t) == trait_of(o, two, t)]
    (trait,) = common
    fitting = [c for c in q.options if trait_of(o, c, trait) == trait_of(o, one, trait)]
    (card,) = fitting
    return card


def only_number(q: Question, o: Observation) -> int:
    (card,) = q.stem.cards
    return number_on(o, card)


def counted(q: Question, o: Observation) -> int:
    trait, value = q.stem.trait or ("", "")
    return sum(trait_of(o, card, trait) == value for card in o.hand)


def extreme(q: Question, o: Observation, best: Callable[..., str]) -> str:
    assert set(q.options) <= set(o.hand)
    return best(q.options, key=lambda card: number_on(o, card))


def came(q: Question, o: Observation) -> int:
    (gift,) = [
        seen.event
        for seen in o.history
        if seen.seq == o.seq and isinstance(seen.event, Gave) and seen.event.taker == o.viewer
    ]
    assert (gift.giver,) == q.stem.seats
    assert gift.class_ == q.stem.class_
    return gift.number


def difference(q: Question, o: Observation) -> int:
    more, fewer = (o.hand_sizes[seat] for seat in q.stem.seats)
    assert (more, fewer) == q.stem.numbers
    assert o.viewer in q.stem.seats
    return more - fewer


def all_books(q: Question, o: Observation) -> int:
    assert (len(q.stem.seats) == 2) == (q.kind == "books_of_all")
    return sum(len(books) for books in o.books)


RIGHT: dict[str, Callable[[Question, Observation], Any]] = {
    "flash": only_number,
    "count_class": lambda q, o: sum(of_class(o, c, str(q.stem.class_)) for c in o.hand),
    "count_hand": lambda q, o: len(o.hand),
    "count_pips": only_number,
    "give": lambda q, o: q.stem.numbers[0],
    "more_for_book": missing,
    "most_cards": lambda q, o: best_seat(q, o, list(o.hand_sizes), max),
    "fewest_cards": lambda q, o: best_seat(q, o, list(o.hand_sizes), min),
    "most_books": lambda q, o: best_seat(q, o, [len(b) for b in o.books], max),
    "greatest_number": lambda q, o: extreme(q, o, max),  # type: ignore[arg-type]
    "smallest_number": lambda q, o: extreme(q, o, min),  # type: ignore[arg-type]
    "dots_to_numeral": only_number,
    "numeral_to_dots": lambda q, o: q.stem.numbers[0],
    "hear_numeral": lambda q, o: q.stem.numbers[0],
    "next": lambda q, o: q.stem.numbers[0] + 1,
    "before": lambda q, o: q.stem.numbers[0] - 1,
    "between": lambda q, o: sum(q.stem.numbers) // 2,
    "left_after_draw": lambda q, o: o.stock_size,
    "complement_5": lambda q, o: 5 - only_number(q, o),
    "complement_6": lambda q, o: 6 - only_number(q, o),
    "complement_7": lambda q, o: 7 - only_number(q, o),
    "complement_8": lambda q, o: 8 - only_number(q, o),
    "complement_9": lambda q, o: 9 - only_number(q, o),
    "complement_10": lambda q, o: 10 - only_number(q, o),
    "books_of_all": all_books,
    "books_of_three": all_books,
    "count_books": lambda q, o: len(o.books[int(o.viewer)]),  # type: ignore[call-overload]
    "given": came,
    "mixed": lambda q, o: len(o.hand) + q.stem.numbers[1],
    "count_on": lambda q, o: q.stem.numbers[0] + q.stem.numbers[1],
    "count_back": lambda q, o: q.stem.numbers[0] - q.stem.numbers[1],
    "ten_and": lambda q, o: 10 + q.stem.numbers[1],
    "ones_of": lambda q, o: q.stem.numbers[0] - 10,
    "swim_away": lambda q, o: q.stem.numbers[0] - q.stem.numbers[1],
    "books_missing": lambda q, o: len(o.rules.deck_ranks) - sum(len(books) for books in o.books),
    "cards_of_two": lambda q, o: sum(o.hand_sizes[seat] for seat in q.stem.seats),
    "got_more": lambda q, o: len(o.hand),
    "double": lambda q, o: 2 * number_on(o, q.stem.cards[0]),
    "how_many_more": difference,
    "points_of_two": lambda q, o: sum(number_on(o, card) for card in q.stem.cards),
    "belongs": belonging,
    "count_kind": counted,
    "who_asked": who,
    "who_asked_last": at_the(0),
    "who_asked_first": at_the(-1),
    "what_asked": last_of,
    "which_asked": which,
}
