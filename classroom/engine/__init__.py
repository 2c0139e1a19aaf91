"""The game engine, which plays rounds of the card games. It uses only the standard library.

Code outside this package imports these functions from this package, not from its modules
(docs/engine.md). Classes are imported from the modules that define them: `rules.Rules`,
`actions.Ask`, `actions.Lots`, `observation.Observation`, `state.State`.

- `shuffled(rules, rng)`: all cards of the game, shuffled by the random number generator `rng`.
- `deal(rules, seats, dealer, deck)`: deals a round; returns a `Step`: the `state`, the `events` and
  `chance`, which holds the random results apart from the order of the stock.
- `observe(state, viewer)`: everything that a seat, a watcher or the teacher may know, and no more.
- `legal_actions(state)`: the legal actions of the seat to act; they depend only on what it sees.
- `refusal(state, action)`: the reason why the seat to act may not take the action, or None.
- `apply(state, action, chance)`: carries out the action on a copy of `state`; returns a `Step`.
- `play(table, action)`: carries out the action on a `state.Table`, in place.
- `scores(state)`, `winners(state)`: the points of every seat; the seats that won.
"""

from classroom.engine.observation import observe
from classroom.engine.round import apply, deal, legal_actions, play, refusal, shuffled
from classroom.engine.scoring import scores, winners

__all__ = [
    "apply",
    "deal",
    "legal_actions",
    "observe",
    "play",
    "refusal",
    "scores",
    "shuffled",
    "winners",
]
