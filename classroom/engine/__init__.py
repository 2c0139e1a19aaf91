"""How a round of cards is played. Pure code that uses only the standard library.

Code outside this package imports these functions from here, not from their modules
(docs/engine.md). Values are imported from the module that defines them: `rules.Rules`,
`actions.Ask`, `actions.Lots`, `observation.Observation`, `state.State`.

- `shuffled(rules, rng)`: all cards of the game, shuffled by the random number generator `rng`.
- `deal(rules, seats, dealer, deck)`: a round after the deal, as a `Step`: `state`, `events` and
  `chance`, the random results other than the top of the stock.
- `observe(state, viewer)`: all that a seat, a watcher or the teacher may know, and nothing else.
- `legal_actions(state)`: what the seat to act may do; this depends only on what it sees.
- `refusal(state, action)`: why that seat may not take the action, or None.
- `apply(state, action, chance)`: the `Step` that the action leads to; `state` does not change.
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
