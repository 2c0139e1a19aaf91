"""The text form of a position, for hand-built tables.

Each seat has a line, from seat 0: `>` marks the seat whose turn it is, `.` the others. The hand
is followed, after slashes, by the boat, the books (cards joined by plus signs), the single cards
laid off, and `out` for a seat that left. Last come the stock, top first, the lost cards, if any,
and the steps of the tide that are left, if not all::

    > 7H 7D 2C / books 3C+3D+3H+3S
    . 7C 9H
    stock 5H 6H
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from classroom.engine.round import setup_of
from classroom.engine.rules import Rules
from classroom.engine.state import LogEntry, State


def position(rules: Rules, text: str) -> State:
    """Build the state that a text describes: at move 0, with the marked seat about to ask.

    Cards that are not mentioned are not in the round, so a position need not have a whole deck.

    >>> state = position(Rules(), "> 7H 2C \\n . 7C / books 3C+3D+3H+3S \\n stock 5H")
    >>> sorted(state.hands[0]), state.books[1], state.stock
    (['2C', '7H'], (('3C', '3D', '3H', '3S'),), ('5H',))
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    seats = [line for line in lines if line[0] in ">."]
    piles = {word: rest for line in lines if line not in seats for word, *rest in [line.split()]}
    rows = [_row(line[1:]) for line in seats]
    active = next(i for i, line in enumerate(seats) if line[0] == ">")
    setup = setup_of(rules, len(seats), (active - 1) % len(seats))
    stock = tuple(piles.get("stock", ()))
    state = State(
        setup=setup,
        rules=rules,
        hands=tuple(frozenset(row["hand"]) for row in rows),
        boats=tuple(frozenset(row.get("boat", ())) for row in rows),
        stock=stock,
        lost=tuple(piles.get("lost", ())),
        books=tuple(
            tuple(setup.deck.sorted(book.split("+")) for book in row.get("books", ()))
            for row in rows
        ),
        singles=tuple(tuple(row.get("singles", ())) for row in rows),
        active=active,
        out=frozenset(seat for seat, row in enumerate(rows) if "out" in row),
        tide=int(*piles["tide"]) if "tide" in piles else rules.end_tide,
        log=(LogEntry(0, ()),),
    )
    dead = not stock and not setup.finder.possible(state.in_play())
    return replace(state, dead=dead)


def to_text(state: State) -> str:
    """Write a state in text form; an ask that is still open is left out."""
    lines = [_seat_text(state, seat) for seat in range(state.seats)]
    if state.stock:
        lines.append(f"stock {' '.join(state.stock)}")
    if state.lost:
        lines.append(f"lost {' '.join(state.lost)}")
    if state.tide != state.rules.end_tide:
        lines.append(f"tide {state.tide}")
    return "\n".join(lines)


def _row(text: str) -> dict[str, list[str]]:
    hand, *parts = text.split("/")
    row = {"hand": hand.split()}
    for part in parts:
        word, *cards = part.split()
        row[word] = cards
    return row


def _seat_text(state: State, seat: int) -> str:
    in_order = state.setup.deck.sorted
    parts = [
        ("boat", in_order(state.boats[seat])),
        ("books", map("+".join, state.books[seat])),
        ("singles", state.singles[seat]),
    ]
    mark = ">" if seat == state.active else "."
    text = " ".join([mark, *in_order(state.hands[seat])])
    for word, cards in parts:
        text += _part(word, cards)
    return text + (" / out" if seat in state.out else "")


def _part(word: str, cards: Iterable[str]) -> str:
    listed = " ".join(cards)
    return f" / {word} {listed}" if listed else ""
