"""Simple conclusions that shrink a model of the draws before its deals are counted or sampled."""

from __future__ import annotations

from dataclasses import dataclass, replace

from classroom.minds.deals.draws import Apart, Model, Rule


@dataclass(slots=True, kw_only=True)
class _Work:
    """The model while slots are being settled.

    `fixed[slot]`: the class found for a slot. `parted`: the pairs that a rule has replaced.
    """

    model: Model
    allowed: list[int]
    pool: list[int]
    rules: list[Rule]
    fixed: dict[int, int]
    parted: set[Apart]

    def inside(self, slots: tuple[int, ...], class_: int) -> int:
        """The number of cards of the class that are certainly in these slots."""
        return sum(1 for slot in slots if self.fixed.get(slot) == class_)

    def forbid(self, slot: int, class_: int) -> bool:
        if slot in self.fixed or not self.allowed[slot] >> class_ & 1:
            return False
        self.allowed[slot] &= ~(1 << class_)
        return True

    def fix(self, slot: int, class_: int) -> bool:
        if slot in self.fixed:
            return False
        self.fixed[slot] = class_
        self.pool[class_] -= 1
        return True


def simplified(model: Model) -> Model:
    """Return a model of the same deals with fewer slots: certain contents are moved to `known`.

    If the model allows no deal at all, the result means nothing.
    """
    work = _Work(
        model=model,
        allowed=list(model.allowed),
        pool=list(model.pool),
        rules=list(model.rules),
        fixed={},
        parted=set(),
    )
    changed = True
    while changed:
        changed = _settle_slots(work) | _settle_pairs(work)
        changed |= _settle_rules(work) | _settle_classes(work)
    return _rebuilt(work)


def _settle_slots(work: _Work) -> bool:
    """Rule out classes that are used up, and fix slots for which only one class is left."""
    changed = False
    open_ = sum(1 << class_ for class_, number in enumerate(work.pool) if number > 0)
    for slot, allowed in enumerate(work.allowed):
        if slot in work.fixed:
            continue
        allowed &= open_
        work.allowed[slot] = allowed
        if allowed and allowed & (allowed - 1) == 0:
            changed |= work.fix(slot, allowed.bit_length() - 1)
            open_ = sum(1 << class_ for class_, number in enumerate(work.pool) if number > 0)
    return changed


def _settle_rules(work: _Work) -> bool:
    """Fix or forbid what each rule already decides, and drop the rules that say nothing more."""
    changed, kept = False, []
    for rule in work.rules:
        slots = [
            s for s in rule.slots if s not in work.fixed and work.allowed[s] >> rule.class_ & 1
        ]
        inside = work.inside(rule.slots, rule.class_)
        low, high = max(rule.low - inside, 0), rule.high - inside
        if len(slots) == low and slots:
            for slot in slots:
                changed |= work.fix(slot, rule.class_)
        elif high <= 0:
            for slot in slots:
                changed |= work.forbid(slot, rule.class_)
        elif slots and (low > 0 or high < min(len(slots), work.pool[rule.class_])):
            kept.append(rule)
    work.rules = kept
    return changed


def _settle_pairs(work: _Work) -> bool:
    """Limit one of two rival classes where the other is certain to exceed its `spare`."""
    changed = False
    for pair in work.model.apart:
        for side, other in ((0, 1), (1, 0)):
            sure = work.inside(pair.slots[side], pair.classes[side])
            if pair not in work.parted and sure > pair.spare[side]:
                rule = Rule(pair.classes[other], pair.slots[other], 0, pair.spare[other])
                work.rules.append(rule)
                work.parted.add(pair)
                changed = True
    return changed


def _settle_classes(work: _Work) -> bool:
    """Fix the slots of each class that has exactly as many slots left as cards."""
    changed = False
    for class_, number in enumerate(work.pool):
        if number > 0:
            slots = [
                slot
                for slot, allowed in enumerate(work.allowed)
                if slot not in work.fixed and allowed >> class_ & 1
            ]
            if len(slots) == number:
                for slot in slots:
                    changed |= work.fix(slot, class_)
    return changed


def _rebuilt(work: _Work) -> Model:
    model, fixed = work.model, work.fixed
    number = {s: i for i, s in enumerate(s for s in range(len(model.rows)) if s not in fixed)}

    def renamed(slots: tuple[int, ...], class_: int) -> tuple[int, ...]:
        return tuple(number[s] for s in slots if s in number and work.allowed[s] >> class_ & 1)

    inside = work.inside
    rules = [
        Rule(r.class_, renamed(r.slots, r.class_), max(r.low - inside(r.slots, r.class_), 0),
             r.high - inside(r.slots, r.class_))
        for r in work.rules
    ]  # fmt: skip
    apart = [
        Apart(
            pair.classes,
            (renamed(pair.slots[0], pair.classes[0]), renamed(pair.slots[1], pair.classes[1])),
            (
                pair.spare[0] - inside(pair.slots[0], pair.classes[0]),
                pair.spare[1] - inside(pair.slots[1], pair.classes[1]),
            ),
        )
        for pair in model.apart
        if pair not in work.parted
    ]
    return replace(
        model,
        rows=tuple(model.rows[s] for s in number),
        allowed=tuple(work.allowed[s] for s in number),
        pool=tuple(work.pool),
        rules=_without_repeats(rules),
        apart=tuple(dict.fromkeys(pair for pair in apart if _matters(pair))),
        known=tuple(
            tuple(n + inside(spans[c], c) for c, n in enumerate(known))
            for known, spans in zip(model.known, model.current, strict=True)
        ),
        current=tuple(
            tuple(renamed(span, c) for c, span in enumerate(spans)) for spans in model.current
        ),
    )


def _matters(pair: Apart) -> bool:
    return all(
        len(slots) > spare for slots, spare in zip(pair.slots, pair.spare, strict=True)
    ) and any(pair.slots)


def _without_repeats(rules: list[Rule]) -> tuple[Rule, ...]:
    """Join the rules for the same class and slots, and drop those that others imply."""
    merged: dict[tuple[int, tuple[int, ...]], Rule] = {}
    for rule in rules:
        key = (rule.class_, rule.slots)
        old = merged.get(key, rule)
        merged[key] = replace(rule, low=max(rule.low, old.low), high=min(rule.high, old.high))
    found = list(merged.values())
    return tuple(rule for rule in found if not _implied(rule, found))


def _implied(rule: Rule, rules: list[Rule]) -> bool:
    """Whether other rules of the class imply both limits of this one."""
    slots = set(rule.slots)
    others = [other for other in rules if other.class_ == rule.class_ and other != rule]
    low = rule.low <= 0 or any(o.low >= rule.low and slots.issuperset(o.slots) for o in others)
    high = rule.high >= len(slots) or any(
        o.high <= rule.high and slots.issubset(o.slots) for o in others
    )
    return low and high
