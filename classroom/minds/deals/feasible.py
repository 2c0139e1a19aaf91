"""A first deal for sampling, found as a flow of cards through nested limits.

The limits on one class are nested (what a seat held at one time is part of what it held later),
so they form a tree. Cards flow from their class through the tree into slots, with the limits as
bounds on the edges; a flow that fills every slot is a deal.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from classroom.minds.deals.draws import Model, Rule


@dataclass(slots=True)
class _Network:
    """Directed edges with room left; edge i and edge i ^ 1 are each other's reverse."""

    out: list[list[int]] = field(default_factory=list)
    to: list[int] = field(default_factory=list)
    room: list[int] = field(default_factory=list)

    def node(self) -> int:
        self.out.append([])
        return len(self.out) - 1

    def edge(self, start: int, end: int, room: int) -> int:
        number = len(self.to)
        for node, other, space in ((start, end, room), (end, start, 0)):
            self.out[node].append(len(self.to))
            self.to.append(other)
            self.room.append(space)
        return number

    def send(self, source: int, sink: int) -> int:
        """Send as much as possible; returns how much."""
        sent = 0
        while (path := self._path(source, sink)) is not None:
            room = min(self.room[edge] for edge in path)
            for edge in path:
                self.room[edge] -= room
                self.room[edge ^ 1] += room
            sent += room
        return sent

    def _path(self, source: int, sink: int) -> list[int] | None:
        via = {source: -1}
        queue = deque((source,))
        while queue:
            node = queue.popleft()
            for edge in self.out[node]:
                end = self.to[edge]
                if self.room[edge] and end not in via:
                    via[end] = edge
                    if end == sink:
                        return self._back(via, sink)
                    queue.append(end)
        return None

    def _back(self, via: dict[int, int], node: int) -> list[int]:
        path = []
        while (edge := via[node]) >= 0:
            path.append(edge)
            node = self.to[edge ^ 1]
        return path


class _Bounded:
    """A network with lower bounds; the flow that edges must carry is sent first, from `supply`."""

    def __init__(self) -> None:
        self.net = _Network()
        self.source, self.sink = self.net.node(), self.net.node()
        self.supply, self.demand = self.net.node(), self.net.node()
        self.net.edge(self.sink, self.source, 1 << 20)
        self.due = 0

    def edge(self, start: int, end: int, low: int, high: int) -> int:
        if low:
            self.net.edge(self.supply, end, low)
            self.net.edge(start, self.demand, low)
            self.due += low
        return self.net.edge(start, end, high - low)

    def satisfied(self) -> bool:
        return self.net.send(self.supply, self.demand) == self.due


def feasible(model: Model) -> list[int] | None:
    """Find a class for every slot such that all rules hold, or None; ignores `model.apart`."""
    flow = _Bounded()
    slots = [flow.net.node() for _ in model.rows]
    for slot in slots:
        flow.edge(slot, flow.sink, 1, 1)
    entries: list[tuple[int, int, int]] = []
    for class_, number in enumerate(model.pool):
        if number:
            root = flow.net.node()
            flow.edge(flow.source, root, number, number)
            entries += _tree(flow, model, class_, root, slots)
    if not flow.satisfied():
        return None
    contents = [0] * len(slots)
    for edge, slot, class_ in entries:
        if not flow.net.room[edge]:
            contents[slot] = class_
    return contents


def _tree(
    flow: _Bounded, model: Model, class_: int, root: int, slots: list[int]
) -> list[tuple[int, int, int]]:
    """Add a node for each limit of a class, small ones inside large; returns the edges to slots."""
    rules = sorted(
        (rule for rule in model.rules if rule.class_ == class_),
        key=lambda rule: len(rule.slots),
        reverse=True,
    )
    inner = [root] * len(slots)
    for rule in rules:
        inner = _below(flow, rule, inner)
    return [
        (flow.edge(inner[slot], node, 0, 1), slot, class_)
        for slot, node in enumerate(slots)
        if model.allowed[slot] >> class_ & 1
    ]


def _below(flow: _Bounded, rule: Rule, inner: list[int]) -> list[int]:
    """Add a node for this rule; returns the innermost node of each slot."""
    node = flow.net.node()
    flow.edge(inner[rule.slots[0]], node, rule.low, max(rule.high, rule.low))
    inside = set(rule.slots)
    return [node if slot in inside else old for slot, old in enumerate(inner)]
