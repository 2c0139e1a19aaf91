"""A model of where cards are now, from bounds alone, for rounds that no exact model fits.

Blind fishing in hands, face-down books of unknown class and Jokers that count double do not fit
the list of unseen draws. Here all ways to fill the hands within the bounds count as equally likely,
which is an approximation.
"""

from __future__ import annotations

from classroom.minds.deals.draws import Model, Rule
from classroom.minds.memory.counts import CountMemory


def spread_model(memory: CountMemory) -> Model:
    """Build the model whose slots are the free places in all rows of the sheet."""
    sheet, kinds = memory.settled, memory.kinds
    width, rows = sheet.width, sheet.seats + 3
    slots: list[list[int]] = [[] for _ in range(rows)]
    row_of: list[int] = []
    allowed: list[int] = []
    rules: list[Rule] = []
    for row in sorted(range(rows), key=lambda row: row == sheet.stock):
        start = row * width
        lows, highs = sheet.low[start : start + width], sheet.high[start : start + width]
        may = sum(1 << c for c in range(width) if highs[c] > lows[c])
        for _ in range(sheet.size[row] - sum(lows)):
            slots[row].append(len(row_of))
            row_of.append(row)
            allowed.append(may)
        here = tuple(slots[row])
        rules += [
            Rule(c, here, 0, highs[c] - lows[c])
            for c in range(width)
            if 0 < highs[c] - lows[c] < len(here)
        ]
    placed = [sum(sheet.low[class_::width]) for class_ in range(width)]
    return Model(
        kinds=kinds,
        seats=sheet.seats,
        viewer=memory.viewer,
        rows=tuple(row_of),
        allowed=tuple(allowed),
        pool=tuple(left - low for left, low in zip(sheet.left, placed, strict=True)),
        rules=tuple(rules),
        apart=(),
        known=tuple(
            tuple(sheet.low[row * width : (row + 1) * width]) for row in range(sheet.seats)
        ),
        current=tuple((tuple(slots[row]),) * width for row in range(sheet.seats)),
        exact=False,
    )
