"""How a round of cards is played. Pure code that uses only the standard library.

These functions are the door to it: nothing outside this package takes them from their modules
(docs/engine.md). Values are imported from the module that defines them: `rules.Rules`,
`actions.Ask`, `chance.Lots`, `observation.Observation`, `state.State`.

- `shuffled(rules, rng)`: all cards of the game, in the order of the random numbers `rng`.
- `deal(rules, seats, dealer, deck)`: a round after the deal, as a `Step`: `state`, `events` and
  `chance`, the results that are not the top of the stock.
- `observe(state, viewer)`: all that a seat, a watcher or the teacher may know, and nothing else.
- `legal_actions(state)`: what the seat to act may do, which depends only on what it sees.
- `refusal(state, action)`: why that seat may not do this, or None.
- `apply(state, action, chance)`: the `Step` that the action leads to; the State stays as it is.
- `play(table, action)`: the same on a `state.Table`, which changes.
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
