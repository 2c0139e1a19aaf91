"""The rules always hold: a state machine deals, plays and tries forbidden actions. It takes at most
18,800 steps, multiplied by FISH_LONG.
"""

from __future__ import annotations

import random

from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from classroom.engine import apply, deal, legal_actions, observe, shuffled
from classroom.engine.actions import (
    Action,
    Answer,
    Ask,
    Declare,
    IllegalAction,
    Lamp,
    Lots,
    Name,
    Pass,
    Show,
)
from classroom.engine.observation import WATCHER
from classroom.engine.state import State, Step
from classroom.games import GAMES
from tests.engine.tabletop import LONG, LOW_TIDES, seats_of
from tests.engine.test_invariants import check_cards, check_end, check_hands, check_step, check_turn

EXAMPLES, STEPS = 94, 200
RULES = [*(game.rules for game in GAMES.values()), *LOW_TIDES.values()]
NUMBERS = st.integers(0, 2**16 - 1)
taken = 0


class Table(RuleBasedStateMachine):
    """Rounds of all games at one table, one after the other."""

    @initialize(number=NUMBERS)
    def sit_down(self, number: int) -> None:
        self._deal(number)

    @rule(number=NUMBERS)
    def act(self, number: int) -> None:
        """Let the seat to act do something legal, or deal again after the end."""
        global taken
        taken += 1
        if self.state.over:
            self._deal(number)
            return
        legal = legal_actions(self.state)
        self._follow(apply(self.state, legal[number % len(legal)], Lots(random.Random(number))))

    @rule(number=NUMBERS)
    def try_anything(self, number: int) -> None:
        """Check that an action that is not on the list is refused and changes nothing."""
        global taken
        taken += 1
        action = self._any_action(number)
        if action in legal_actions(self.state):
            return
        before = dict(vars(self.state))
        try:
            apply(self.state, action, Lots(random.Random(number)))
        except IllegalAction:
            assert vars(self.state) == before
        else:
            raise AssertionError(f"{action} was not refused")

    @invariant()
    def the_cards_are_all_there(self) -> None:
        if hasattr(self, "state"):
            check_cards(self.state)
            check_hands(self.state)
            check_turn(self.state)

    @invariant()
    def every_viewer_can_look(self) -> None:
        if hasattr(self, "state") and self.state.seq % 5 == 0:
            view = observe(self.state, self.state.active)
            assert view.hand_sizes == tuple(map(len, self.state.hands))
            assert observe(self.state, WATCHER).history[-1].seq == self.state.seq

    def _deal(self, number: int) -> None:
        rng = random.Random(number)
        rules = RULES[number % len(RULES)]
        sizes = seats_of(rules)
        seats = sizes[number // len(RULES) % len(sizes)]
        self.state: State = deal(rules, seats, number % seats, shuffled(rules, rng)).state

    def _follow(self, step: Step) -> None:
        check_step(self.state, step)
        self.state = step.state
        if step.state.over:
            check_end(step.state)

    def _any_action(self, number: int) -> Action:
        rng = random.Random(number)
        deck = self.state.setup.deck
        target = rng.choice([*range(-1, 7), "all"])
        class_ = rng.choice([*deck.classes, deck.cards[number % len(deck.cards)]])
        bait = rng.choice([None, deck.cards[number % len(deck.cards)]])
        others = (Answer("give"), Name(number % 5), Show(True), Declare(), Pass(), Lamp())
        return rng.choice([Ask(target, class_, bait), *others])


def test_the_rules_hold_whatever_is_tried(whole: bool) -> None:
    times = LONG if whole else 0.25
    long = settings(
        max_examples=int(EXAMPLES * times),
        stateful_step_count=STEPS,
        suppress_health_check=list(HealthCheck),
    )
    before = taken
    run_state_machine_as_test(Table, settings=long)
    assert taken - before >= 16_000 * times
