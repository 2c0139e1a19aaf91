"""Why something is known: the event that proves it, and the reasons it builds on."""

from __future__ import annotations

from classroom.engine.observation import Seen


class Why:
    """A reason: the event seen (None if it only adds up numbers) and the reasons it builds on."""

    __slots__ = ("parents", "seen")

    def __init__(self, seen: Seen | None, parents: tuple[Why | None, ...] = ()) -> None:
        self.seen = seen
        self.parents = parents


def evidence(why: Why | None) -> tuple[Seen, ...]:
    """The events behind a reason, oldest first; within a move, each after those it builds on."""
    found: dict[int, Seen] = {}
    entered: set[int] = set()
    stack: list[tuple[Why | None, bool]] = [(why, False)]
    while stack:
        node, left = stack.pop()
        if node is None or (not left and id(node) in entered):
            continue
        if left:
            if node.seen is not None:
                found.setdefault(id(node.seen), node.seen)
            continue
        entered.add(id(node))
        stack.append((node, True))
        stack.extend((parent, False) for parent in reversed(node.parents))
    return tuple(sorted(found.values(), key=lambda seen: seen.seq))
