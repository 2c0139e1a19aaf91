"""Computer players: honest, legal, reproducible, and as forgetful as their numbers say."""

from __future__ import annotations

from random import Random

import pytest

from classroom.engine import apply, legal_actions, observe, winners
from classroom.engine.actions import Declare
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.memory.perfect_memory import remember
from classroom.minds.playing.computer_players import choose
from classroom.minds.playing.forgetting import (
    LEVELS,
    Fading,
    PlayerLevel,
    episodes,
    lifetime,
    like_me,
    recalled,
)
from tests.engine.tabletop import dealt, rules_of, steps, table
from tests.minds.arena import RANDOM, played, states, views, won
from tests.minds.deals import agreeing, tiny

EVERY = [*LEVELS.values(), like_me(half=5)]


@pytest.mark.walk(3)
@pytest.mark.parametrize("level", EVERY, ids=lambda level: level.key)
def test_a_player_decides_by_its_view_alone(level: PlayerLevel) -> None:
    """It chooses the same action in other deals that agree with what its seat saw."""
    compared = 0
    for seed in range(4):
        for _, true, same in agreeing(tiny(), 3, seed % 3, seed):
            if true.turn != seed % 3:
                continue
            chosen = choose(observe(true, true.turn), level, Random(seed), seed)
            for state in same[:: max(len(same) // 6, 1)]:
                assert choose(observe(state, true.turn), level, Random(seed), seed) == chosen
                compared += 1
    assert compared > 30


@pytest.mark.walk(3)
@pytest.mark.parametrize("level", EVERY, ids=lambda level: level.key)
def test_a_player_does_only_what_is_legal_in_every_game(level: PlayerLevel) -> None:
    for key, game in GAMES.items():
        every = 60 if key.startswith("fours") else 15
        for _, step in steps(game.rules, game.rules.seats[0], 2):
            state = step.state
            if state.turn is not None and state.seq % every == 0:
                chosen = choose(observe(state, state.turn), level, Random(1), 7)
                assert chosen in legal_actions(state), key


def test_the_same_input_gives_the_same_action_with_and_without_a_memory() -> None:
    for level in EVERY:
        for _, observation in views(rules_of("classic"), [RANDOM] * 3, 4):
            if observation.seq % 20 == 0:
                first = choose(observation, level, Random(3), 9)
                assert choose(observation, level, Random(3), 9) == first
                memory = remember(observation)
                assert choose(observation, level, Random(3), 9, memory) == first


def test_a_seat_with_nothing_to_do_cannot_choose() -> None:
    with pytest.raises(ValueError, match="nothing to do"):
        choose(observe(dealt(rules_of("classic"), 3).state, 0), LEVELS["dolphin"], Random(1))


@pytest.mark.parametrize("key", LEVELS)
def test_with_one_card_in_the_pond_the_pairs_player_to_move_takes_everything(key: str) -> None:
    """The last-card theorem (docs/rules.md A3) holds for players of every level."""
    swept = 0
    for seed in range(30):
        for _, step in steps(rules_of("wish_pairs"), 2, seed):
            if len(step.state.stock) == 1:
                swept += swept_by_mover(step.state, LEVELS[key], seed)
                break
    assert swept > 20


def swept_by_mover(state: State, level: PlayerLevel, seed: int) -> int:
    """Play to the end, and check that no other seat gets a turn or a book."""
    mover, taken = state.active, state.books[1 - state.active]
    while state.turn is not None:
        assert state.turn == mover
        state = apply(state, choose(observe(state, mover), level, Random(seed), seed)).state
    assert state.books[1 - mover] == taken
    return 1


def test_a_fact_is_lost_after_a_number_of_asks_that_follows_the_decay() -> None:
    fading = Fading(None, 0.1, 0.0)
    lives = [lifetime(fading, seed, 0, index) for seed in range(60) for index in range(60)]
    for lag in (0, 1, 3, 7, 15):
        kept = sum(life >= lag for life in lives) / len(lives)
        assert kept == pytest.approx(0.9**lag, abs=0.03), lag
    assert lifetime(Fading(None, 0.0, 0.0), 1, 0, 5) == float("inf")


def test_remembering_falls_with_the_lag_as_the_numbers_say() -> None:
    """The share of asks of others that are still remembered is (1 - decay) to the power of the
    lag."""
    fading, old, kept = Fading(None, 0.2, 0.0), [0] * 12, [0] * 12
    for seed in range(40):
        *_, state = states(rules_of("guru"), [RANDOM] * 4, seed)
        seen = observe(state, 0)
        remembered = {episode.index for episode in recalled(seen, fading, seed)}
        everything = episodes(seen)
        for episode in everything:
            lag = len(everything) - 1 - episode.index
            if lag < 12 and not episode.concerns(0):
                old[lag] += 1
                kept[lag] += episode.index in remembered
    for lag in range(0, 12, 2):
        number = old[lag] + old[lag + 1]
        share = (kept[lag] + kept[lag + 1]) / number
        wanted = (old[lag] * 0.8**lag + old[lag + 1] * 0.8 ** (lag + 1)) / number
        assert share == pytest.approx(
            wanted, abs=4 * (wanted * (1 - wanted) / number) ** 0.5 + 0.02
        )


def test_own_asks_last_twice_as_long_and_the_span_cuts_the_rest() -> None:
    *_, state = states(rules_of("classic"), [RANDOM] * 3, 5)
    seen = observe(state, 1)
    for seed in range(20):
        kept = recalled(seen, Fading(None, 0.2, 0.0), seed)
        now = len(episodes(seen))
        for episode in kept:
            life = lifetime(Fading(None, 0.2, 0.0), seed, 1, episode.index)
            assert now - 1 - episode.index <= life * (2 if episode.concerns(1) else 1)
        assert len(recalled(seen, Fading(3, 0.0, 0.0), seed)) == 3
    assert recalled(seen, Fading(None, 0.0, 0.0), 1) == episodes(seen)


def test_a_blurred_memory_names_somebody_else() -> None:
    *_, state = states(rules_of("classic"), [RANDOM] * 4, 5)
    seen = observe(state, 1)
    true = {episode.index: episode.asker for episode in episodes(seen)}
    wrong = [
        episode
        for seed in range(20)
        for episode in recalled(seen, Fading(None, 0.3, 1.0), seed)
        if episode.blurred
    ]
    assert wrong
    assert all(episode.asker not in (1, true[episode.index]) for episode in wrong)


@pytest.mark.parametrize(("card", "declares"), [("RS1", True), ("RC4", False)])
def test_a_player_declares_once_no_four_of_its_own_is_left_whatever_others_can_make(
    card: str, declares: bool
) -> None:
    """Each four with the red square 1 has lost a card to a book; some with the red circle 4 are
    whole. The other seats can still make the four of green circles."""
    state = table(
        "fours",
        f"""> {card}
            . GC1 GC2 / books RS2+RT2+RH2+RC2 RT1+YT1+GT1+BT1 YS1+YS2+YS3+YS4
            . GC3 GC4""",
    )
    chosen = choose(observe(state, 0), LEVELS["dolphin"], Random(1))
    assert isinstance(chosen, Declare) == declares


def test_perfect_memory_beats_players_who_ask_at_random() -> None:
    rules = rules_of("classic", deck_ranks="A234567")
    wins = sum(
        won(
            played(rules, [LEVELS["dolphin"] if s == n % 4 else RANDOM for s in range(4)], n), n % 4
        )
        for n in range(60)
    )
    assert wins / 60 > 0.6  # by chance, a quarter


def test_a_round_of_computer_players_ends_with_a_winner() -> None:
    assert winners(played(rules_of("classic"), list(LEVELS.values())[:4], 3))
