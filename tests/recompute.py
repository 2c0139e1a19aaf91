"""Every number of the table of numbers, computed again from the table of answers alone.

Written from docs/learning.md. It imports nothing of the app, so that a fault of the app is not
repeated here. `numbers` gives for each row of the table, by `key`, the columns with a number.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

Row = Mapping[str, str]
Numbers = dict[str, Any]

# ---- the scales: difficulty of each step, logits from range to range, and what is expected at an
# age. Where an answer counts is in its column `range`.
BANDS = ("4-5", "5-6", "6-7", "7-9")
NUMBERS = [1.5 * math.log2(n / 5) for n in range(1, 21)]
NUMBERS[:4] = [NUMBERS[at] + more for at, more in enumerate((-0.3, -0.4, 0.2, 0.3))]
STEPS = {
    "counting": [-0.8 + step for step in NUMBERS],
    "comparing": [-0.3 + step for step in NUMBERS],
    "adding": [-0.2 + step for step in NUMBERS],
    "sorting": [0.4 + step for step in NUMBERS],
    "recall": [1.1 * math.log(lag / 5) for lag in range(1, 41)],
}
UNIT = 1.5
EXPECTED = {
    "counting": (5, 10, 20, 20),
    "comparing": (4, 8, 10, 20),
    "adding": (4, 8, 10, 20),
    "sorting": (3, 5, 10, 10),
}
LEAST = {
    "counting": (2, 4, 7, 9),
    "comparing": (2, 3, 5, 6),
    "adding": (1, 3, 4, 6),
    "sorting": (1, 2, 3, 4),
}


# ---- days and shares


def day_of(row: Row) -> int:
    return date.fromisoformat(row["day"]).toordinal()


def iso(day: int | None) -> str:
    return "" if day is None else date.fromordinal(day).isoformat()


def yes(value: bool) -> int:
    return int(value)


def since(counts: Mapping[int, int], items: int) -> int | None:
    """The first day that counts: up to four weeks before the newest, or further back until there
    are `items` answers."""
    if not counts:
        return None
    last, n, first = max(counts), 0, None
    for day in sorted(counts, reverse=True):
        if day <= last - 28 and n >= items:
            break
        first, n = day, n + counts[day]
    return first


def per_day(rows: Iterable[Row]) -> dict[int, int]:
    found: dict[int, int] = defaultdict(int)
    for row in rows:
        found[day_of(row)] += 1
    return found


def rights(rows: Iterable[Row]) -> int:
    return sum(row["right"] == "1" for row in rows)


def share(right: int, n: int) -> Numbers:
    """A share with Wilson's range; both are blank for fewer than ten answers."""
    found: Numbers = {"first_tries": n, "right": right}
    if n < 10:
        return found | {"share": "", "likely_from": "", "likely_to": ""}
    z, p = 1.959963984540054, right / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return found | {"share": p, "likely_from": middle - half, "likely_to": middle + half}


def share_of(rows: Iterable[Row]) -> Numbers:
    some = list(rows)
    return share(rights(some), len(some))


# ---- levels: Bayes' rule on a grid

H = 0.2
LEVELS = [-8 + H * i for i in range(86)]


def normal(weights: list[float]) -> list[float]:
    """Chances that add up to 1, each kept to nine decimals."""
    total = sum(weights)
    return [round(one / total, 9) for one in weights]


SLIPS = (0.0, 0.08)  # a careful child, and a careless one, as about one in seven is at first
STATES = [(level, slip) for slip in SLIPS for level in LEVELS]
START = normal([(0.15 if slip else 0.85) * math.exp(-level * level / 18) for level, slip in STATES])


def answered(belief: list[float], row: Row) -> list[float]:
    g, b = float(row["guess_rate"]), float(row["difficulty"])
    chances = [g + (1 - g - slip) / (1 + math.exp(b - level)) for level, slip in STATES]
    hit = row["right"] == "1"
    return normal([p * (c if hit else 1 - c) for p, c in zip(belief, chances, strict=True)])


def against_luck(belief: list[float], row: Row) -> float:
    """The logarithm of how many times likelier this answer is from what is believed of the child's
    level than from luck."""
    g, b = float(row["guess_rate"]), float(row["difficulty"])
    chances = [g + (1 - g - slip) / (1 + math.exp(b - level)) for level, slip in STATES]
    right = sum(p * c for p, c in zip(belief, chances, strict=True)) / sum(belief)
    return math.log(right / g if row["right"] == "1" else (1 - right) / (1 - g))


def drifted(belief: list[float], days: int) -> list[float]:
    """The belief after some days without an answer: a random walk with a variance of 0.008 a day,
    which stops at the ends of the grid. With a small chance each day, all that was known is
    lost. At most 200 days count."""
    if days == 0:
        return belief
    variance, leap = 0.008 * min(days, 200), 1 - 0.9998 ** min(days, 200)
    times = math.ceil(variance / (0.5 * H * H))
    half = len(LEVELS)
    for _ in range(times):
        move = variance / times / H / H / 2
        new = [p * (1 - 2 * move) for p in belief]
        for place, p in enumerate(belief):
            first = place // half * half
            new[max(place - 1, first)] += p * move
            new[min(place + 1, first + half - 1)] += p * move
        belief = new
    return normal([(1 - leap) * p + leap * q for p, q in zip(belief, START, strict=True)])


def of_levels(belief: list[float]) -> list[float]:
    half = len(LEVELS)
    return [a + b for a, b in zip(belief[:half], belief[half:], strict=True)]


def quantile(belief: list[float], part: float) -> float:
    heap, total = 0.0, sum(belief)
    for level, p in zip(LEVELS, of_levels(belief), strict=True):
        if heap + p >= part * total:
            return level + H * ((part * total - heap) / p - 0.5)
        heap += p
    raise ValueError(part)


def mean_and_variance(belief: list[float]) -> tuple[float, float]:
    chances = of_levels(belief)
    mean = sum(p * level for p, level in zip(chances, LEVELS, strict=True))
    return mean, sum(p * (level - mean) ** 2 for p, level in zip(chances, LEVELS, strict=True))


def guessing_days(rows: Iterable[Row]) -> set[int]:
    """The days whose answers count for no level: six or more of the last twelve came too fast, and
    luck explains these eight times better than knowing three in four."""
    days: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row["source"] == "question" and row["how"] == "alone":
            days[day_of(row)].append(row)
    found = set()
    for day, some in days.items():
        fast = [one for one in some[-12:] if is_fast(one)]
        hits = [one["right"] == "1" for one in fast]
        luck = [float(one["guess_rate"]) for one in fast]
        by_luck = math.prod(g if hit else 1 - g for hit, g in zip(hits, luck, strict=True))
        if len(fast) >= 6 and by_luck >= 8 * math.prod(0.75 if hit else 0.25 for hit in hits):
            found.add(day)
    return found


def is_fast(row: Row) -> bool:
    limit = {"flash": 700, "been_asked": 1000}.get(row["kind"], 1500)
    return row["latency_ms"] != "" and int(row["latency_ms"]) < limit


def level(strand: str, rows: list[Row], as_of: int, band: int) -> Numbers:
    mine = [r for r in rows if r["source"] == "question" and r["how"] == "alone"]
    belief, last, highs = START, None, {}
    against, known = 0.0, False
    for row in mine:
        day = day_of(row) if last is None else max(day_of(row), last)
        before = belief if last is None else drifted(belief, day - last)
        against = round(against + against_luck(before, row), 4)
        known = known or against >= math.log(3000)
        belief = answered(before, row)
        last, highs[day] = day, quantile(belief, 0.95)
    shares = (0.025, 0.05, 0.5, 0.95, 0.975)
    low, lowest, middle, highest, high = (quantile(belief, part) for part in shares)
    low, high = (outwards(end, middle, 1.96) for end in (low, high))
    lowest, highest = (outwards(end, middle, 1.645) for end in (lowest, highest))
    steps, top = STEPS[strand], math.log(2)
    now = recent(mine)
    tried = max((last_step(row) for row in now), default=last_step({"strand": strand}))
    reached = max((step_of(row) for row in now if row["right"] == "1"), default=0)
    clear = 0
    for row in now:
        some = [one for one in now if one["range"] == row["range"]]
        if len(some) >= 8 and rights(some) >= 0.75 * len(some):
            clear = max(clear, min(last_step(row), reached))
    first, seems, end = (sum(one <= at - top for one in steps) for at in (low, middle, high))
    about = min(max(seems, clear), reached) if known else 0
    between = max(1, min(first, about or first)), max(end, about, clear)
    shown = bool(mine) and high - low < 0.75 * 2 * 1.96 * 3
    least, goal = LEAST[strand][band], EXPECTED[strand][band]
    standing = "open" if known else "none"
    if known and steps[max(least, 2) - 1] <= lowest and highest < steps[goal - 1] + top:
        standing = "partly"
    if known and tried >= goal and lowest >= steps[goal - 1] + top:
        standing = "secure"
    if highest < steps[least - 1] and len(mine) >= 8:
        standing = "start"
    looks = [highs[day] for day in sorted(highs)[-2:]]
    return (
        {key: value for key, value in share_of(recent(mine)).items() if key[0] in "fr"}
        | {"level": middle, "level_from": low, "level_to": high, "about": about}
        | {"about_from": between[0], "about_to": between[1]}
        | {"standing": standing if shown else "none"}
        | {
            "behind": yes(
                len(mine) >= 6
                and len(looks) == 2
                and last is not None
                and as_of - last < 28
                and all(one < steps[least - 1] for one in looks)
            )
        }
        | {"last_day": iso(last), "check_again": yes(last is not None and as_of - last >= 28)}
        | {"ever": len(mine)}
        | growth(strand, mine)
    )


def outwards(end: float, middle: float, errors: float) -> float:
    """An end of the range, moved outwards because difficulties may be wrong by 0.3 logits."""
    return middle + math.copysign(math.hypot(end - middle, 0.3 * errors), end - middle)


def last_step(row: Row) -> int:
    """The last step of the range in which an answer counts, or of the first range if none is
    given."""
    high = row.get("range", "1-5").rpartition("-")[2]
    return len(STEPS[row["strand"]]) if high.startswith(">") else int(high)


def step_of(row: Row) -> int:
    """The step of the scale that an answer is about."""
    return max(1, int(row["number"] or 1))


def recent(rows: list[Row]) -> list[Row]:
    first = since(per_day(rows), 40)
    return [row for row in rows if first is not None and day_of(row) >= first]


def growth(strand: str, mine: list[Row]) -> Numbers:
    """The newest forty answers compared with all those before, if these are at least twenty."""
    first, latest = mine[:-40], mine[-40:]
    if len(first) < 20:
        return {}
    (was, one), (now, two) = (mean_and_variance(fitted(rows)) for rows in (first, latest))
    half, unit = 1.96 * math.sqrt(one + two), UNIT
    return {
        "growth": (now - was) / unit,
        "growth_from": (now - was - half) / unit,
        "growth_to": (now - was + half) / unit,
        "since_day": iso((day_of(first[0]) + day_of(first[-1])) // 2),
    }


def fitted(rows: list[Row]) -> list[float]:
    belief = START
    for row in rows:
        belief = answered(belief, row)
    return belief


# ---- skills


def weak(row: Row) -> bool:
    return float(row["guess_rate"]) >= 0.5 - 1e-9


def skill(rows: list[Row], as_of: int) -> Numbers:
    counts = dict.fromkeys(per_day(rows), 0)
    counts |= per_day(r for r in rows if r["how"] == "alone" and not weak(r))
    answered_on = {day: n for day, n in counts.items() if n}
    first = None
    if counts:
        month = min(day for day in counts if day > max(counts) - 28)
        first = min(month, since(answered_on, 40) or month)
    now = [row for row in rows if first is not None and day_of(row) >= first]
    alone = [row for row in now if row["how"] == "alone" and not weak(row)]
    aided = [row for row in now if row["how"] == "aided"]
    two = [row for row in now if row["how"] == "alone" and weak(row)]
    ever = [row for row in rows if row["how"] == "alone" and not weak(row)]
    newest = max(answered_on, default=None)
    return {
        "first_tries": len(alone),
        "right": rights(alone),
        "with_help": len(aided),
        "with_help_right": rights(aided),
        "two_choices": len(two),
        "two_choices_right": rights(two),
        "practice": sum(row["how"] == "practice" for row in now),
        "left_alone": sum(row["how"] == "skipped" for row in now),
        "since_day": iso(first),
        "last_day": iso(max(counts, default=None)),
        "days": len({day_of(row) for row in now}),
        "rounds": sum(
            before is None or (row["day"], row["round"]) != (before["day"], before["round"])
            for before, row in pairs(rows)
            if first is not None and day_of(row) >= first
        ),
        "check_again": yes(newest is not None and as_of - newest >= 28),
        "ever": len(ever),
        "ever_right": rights(ever),
        **checks(rows),
    }


def pairs(rows: list[Row]) -> Iterable[tuple[Row | None, Row]]:
    """Each row with the one before it."""
    return zip([None, *rows], rows, strict=False)


def checks(rows: list[Row]) -> Numbers:
    """Count each day's first answer by how long the skill had rested, 1 to 6 days, 7 to 27, or 28
    and more, and how many were right. Answers with help, and those that luck gets right half the
    time, are left out."""
    found: dict[int, list[Row]] = {1: [], 7: [], 28: []}
    for before, row in pairs(rows):
        away = 0 if before is None else day_of(row) - day_of(before)
        if away and row["how"] == "alone" and not weak(row):
            found[max(days for days in found if days <= away)].append(row)
    names = {1: "next_day", 7: "week", 28: "month"}
    return {f"{names[days]}_checks": len(some) for days, some in found.items()} | {
        f"{names[days]}_right": rights(some) for days, some in found.items()
    }


# ---- remembering


LAGS = {"1-2": (1, 2), "3-5": (3, 5), "6-10": (6, 10), ">10": (11, math.inf)}
SPANS = [0.25 * 640 ** (i / 47) for i in range(48)]
USES = {1.0: 0.45, 0.75: 0.25, 0.5: 0.2, 0.3: 0.1}


def about_memory(rows: list[Row], guessed: set[int]) -> list[Row]:
    """The newest sixty facts of play and answers that count; a day of guessing counts for none."""
    return [
        row
        for row in rows
        if row["how"] == "alone"
        and not weak(row)
        and (row["source"] == "play" or day_of(row) not in guessed)
        and (row["source"] == "question" if row["trial"] == "new" else row["lag_asks"] != "")
    ][-60:]


def memory(newest: list[Row], as_of: int) -> Numbers:
    """After how many asks half is still remembered, by Bayes' rule on a grid."""
    new = [row for row in newest if row["trial"] == "new"]
    old = [row for row in newest if row["trial"] != "new"]
    plain = 1 - sum(float(row["guess_rate"]) for row in new) / len(new) if new else 0.75
    naming = (len(new) - rights(new) + 2 * plain) / (len(new) + 2)
    chances = []
    for span in SPANS:
        chance = 0.0
        for use, prior in USES.items():
            told = prior * math.exp(-((math.log(span / 5) / 1.2) ** 2) / 2)
            for row in old:
                luck, left = float(row["guess_rate"]), 2 ** (-int(row["lag_asks"]) / span)
                if row["source"] == "play":
                    left *= use
                elif row["trial"] == "old":
                    luck = naming * luck / (1 - luck)
                right = left + (1 - left) * luck
                told *= right if row["right"] == "1" else 1 - right
            chance += told
        chances.append(chance)
    low, half, high = (span_at(chances, part) for part in (0.025, 0.5, 0.975))
    played = [row for row in newest if row["source"] == "play"]
    reached = max((int(r["lag_asks"] or 0) for r in newest if r["right"] == "1"), default=0)
    about = min(round(half), reached, 40)
    first, end = (min(max(1, asks), 40) for asks in (low, high))
    shown = len(old) >= 10 and math.log(end / first) < 0.75 * math.log(40)
    last = max(map(day_of, newest), default=None)
    return {
        **{k: v for k, v in share_of(played).items() if k in ("first_tries", "right")},
        "level": 1.1 * math.log(half / 5),
        "level_from": 1.1 * math.log(low / 5),
        "level_to": 1.1 * math.log(high / 5),
        "about": about,
        "about_from": min(math.floor(low), about or 40),
        "about_to": max(math.ceil(end), about),
        "standing": "open" if shown else "none",
        "behind": 0,
        "ever": len(old),
        "last_day": iso(last),
        "check_again": yes(last is not None and as_of - last >= 28),
    }


def span_at(chances: list[float], part: float) -> float:
    heap, total = 0.0, sum(chances)
    for span, chance in zip(SPANS, chances, strict=True):
        if heap + chance >= part * total:
            return span * 640 ** (((part * total - heap) / chance - 0.5) / 47)
        heap += chance
    raise ValueError(part)


def ages(newest: list[Row]) -> dict[str, Numbers]:
    """The facts that were used in play at the first chance, by how long ago they were heard."""
    found: dict[str, Numbers] = {}
    for label, (low, high) in LAGS.items():
        some = [
            row for row in newest if row["source"] == "play" and low <= int(row["lag_asks"]) <= high
        ]
        if some:
            found[label] = {"first_tries": len(some), "right": rights(some)}
    return found


def recall(newest: list[Row]) -> dict[str, Numbers]:
    played = [row for row in newest if row["source"] == "play"]
    asked = [row for row in newest if row["source"] == "question"]
    old = [row for row in asked if row["trial"] == "old"]
    new = [row for row in asked if row["trial"] == "new"]
    lagged = [row for row in asked if row["trial"] != "new"]
    mixed = [row for row in old if row["right"] == "0" and row["first_answer"] != "null"]
    return {
        "play: within five asks": share_of(r for r in played if int(r["lag_asks"]) <= 5),
        "play: later": share_of(row for row in played if int(row["lag_asks"]) > 5),
        "questions: hits": share_of(old),
        "questions: named somebody else": share(len(mixed), len(old)),
        "questions: false alarms": share(len(new) - rights(new), len(new)),
        "questions: asked for by one": share_of(row for row in lagged if row["overlap"] == "0"),
        "questions: asked for by two": share_of(row for row in lagged if row["overlap"] == "1"),
    }


# ---- all


def key(row: Row) -> tuple[str, str]:
    """The part to which a row of the table of numbers belongs, and what the row is about."""
    what = {"level": "strand", "skill": "skill", "recall": "name"}.get(row["part"])
    if what:
        return row["part"], row[what]
    return row["part"], row["strand"] + " " + row["name"]


def numbers(
    answers: list[Row], as_of: date, band: str, skills: Iterable[str]
) -> dict[tuple[str, str], Numbers]:
    """The numbers of one child from all its answers, oldest first. Those from home are left out,
    because the class does not count them."""
    answers = [row for row in answers if row["place"] == "school"]
    today, age = as_of.toordinal(), BANDS.index(band)
    found: dict[tuple[str, str], Numbers] = {}
    guessed = guessing_days(answers)
    for strand in (*STEPS, "recall"):
        mine = [row for row in answers if row["strand"] == strand]
        honest = [row for row in mine if day_of(row) not in guessed]
        if strand == "recall":
            newest = about_memory(mine, guessed)
            found["level", strand] = memory(newest, today)
            found |= {("range", f"recall {name}"): one for name, one in ages(newest).items()}
            found |= {("recall", name): one for name, one in recall(newest).items()}
            continue
        found["level", strand] = level(strand, honest, today, age)
        counted = [r for r in honest if r["source"] == "question" and r["how"] == "alone"]
        for name, some in _grouped(recent(counted), lambda row: row["range"]).items():
            found["range", f"{strand} {name}"] = {"first_tries": len(some), "right": rights(some)}
    for name in skills:
        found["skill", name] = skill([row for row in answers if row["skill"] == name], today)
    return found


def _grouped(rows: Iterable[Row], by: Callable[[Row], str]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[by(row)].append(row)
    return found


def differences(table: Iterable[Row], found: Mapping[tuple[str, str], Numbers]) -> list[str]:
    """The differences between a child's table of numbers and those recomputed for it."""
    rows = {key(row): row for row in table}
    told = [f"{name}: only in one" for name in rows.keys() ^ found.keys()]
    for name in rows.keys() & found.keys():
        row = {k: v for k, v in rows[name].items() if k not in LABELS}
        for column, value in row.items():
            if not _same(value, found[name].get(column, "")):
                told.append(f"{name} {column}: {value!r}, not {found[name].get(column)!r}")
    return sorted(told)


LABELS = set("child_id child as_of_day age_band part strand skill name standards".split())


def _same(shown: str, value: Any) -> bool:
    """Whether a cell is this value; a number may differ by one in its third decimal."""
    if shown == "" or isinstance(value, str):
        return shown == value
    return abs(float(shown) - value) < (0.0015 if isinstance(value, float) else 1e-9)
