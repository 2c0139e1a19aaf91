"""A first deal for sampling: one is found wherever there is one, and it keeps to every rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classroom.engine.observation import observe
from classroom.engine.rules import Rules
from classroom.minds.deals.draws import Model, Rule, model_of
from classroom.minds.deals.feasible import feasible
from classroom.minds.deals.simplify import simplified
from classroom.minds.deals.spread import spread_model
from classroom.minds.memory.counts import CountMemory
from classroom.minds.memory.perfect_memory import remember
from tests.minds.deals import agreeing, tiny
from tests.minds.listing import fillings, holds

GAMES: dict[str, tuple[Rules, int]] = {
    "three seats": (tiny(), 3),
    "how many": (tiny("guru_how_many"), 2),
    "the refuser is next": (tiny("guru"), 3),
    "two cards set aside": (tiny(deck_lost=2, end=["all_booked", "stock_out"]), 2),
}


def models(rules: Rules, seats: int, seed: int) -> list[Model]:
    found, memory = [], None
    for _, true, _ in agreeing(rules, seats, seed % seats, seed):
        if not true.over:
            observation = observe(true, seed % seats)
            memory = remember(observation, memory)
            assert isinstance(memory, CountMemory)
            drawn = model_of(observation, memory)
            found += [drawn, simplified(drawn), spread_model(memory)]
    return found


@pytest.mark.parametrize("name", GAMES)
def test_the_first_deal_keeps_to_every_rule(name: str) -> None:
    tight = 0
    for model in (model for seed in range(4) for model in models(*GAMES[name], seed)):
        deal = feasible(model)
        assert deal is not None
        assert holds(replace(model, apart=()), deal)
        assert [deal.count(class_) for class_ in range(len(model.pool))] == list(model.pool)
        assert all(may >> class_ & 1 for may, class_ in zip(model.allowed, deal, strict=True))
        tight += bool(model.rules)
    assert tight > 5


def test_there_is_no_first_deal_where_the_rules_allow_none() -> None:
    impossible = 0
    for model in models(*GAMES["three seats"], 1):
        for class_, number in enumerate(model.pool):
            every = tuple(range(len(model.rows)))
            more = Rule(class_, every[: number + 1], number + 1, number + 1)
            broken = replace(model, rules=(more,), apart=())
            if 0 < number < len(every):
                assert feasible(broken) is None
                assert next(fillings(broken), None) is None
                impossible += 1
    assert impossible > 5
