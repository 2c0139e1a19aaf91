"""How computer players forget: an ask is clear for a while, then gone, or blurred for as long again
and then gone."""

from __future__ import annotations

from statistics import mean

import pytest

from classroom.engine import events as ev, observe
from classroom.engine.observation import Observation
from classroom.minds.playing.forgetting import (
    Episode,
    Fading,
    believe,
    episodes,
    lifetime,
    recalled,
)
from tests.minds.deals import counts
from tests.web.test_table_view import played

SEEDS = range(40)
ALWAYS_BLURRED = Fading(span=None, decay=0.1, blur=1.0)


@pytest.fixture(scope="module")
def late() -> Observation:
    """The view of the first of three seats, one move before the end of a long round."""
    return observe(played("classic", 3, 5)[-2], 0)


def mine(episode: Episode) -> bool:
    """Whether the first seat asked, was asked, or gave."""
    givers = {giver for giver, _ in episode.given}
    return 0 in {episode.asker, *episode.refused, *givers}


def test_every_ask_is_an_episode_with_what_came_of_it(late: Observation) -> None:
    told = [seen.event for seen in late.history]
    found = episodes(late)
    asked = [event for event in told if isinstance(event, ev.Asked)]
    assert [(one.asker, one.class_) for one in found] == [(e.seat, e.class_) for e in asked]
    assert [one.index for one in found] == list(range(len(asked)))
    assert sum(n for one in found for _, n in one.given) == sum(
        event.number for event in told if isinstance(event, ev.Gave)
    )
    assert {len(one.given) + len(one.refused) for one in found} == {1}, "each has one answer"
    assert len(found) > 40


@pytest.mark.parametrize("seed", SEEDS)
def test_an_ask_is_remembered_for_its_life_then_blurred_for_as_long_again_then_gone(
    late: Observation, seed: int
) -> None:
    found = {one.index: one for one in recalled(late, ALWAYS_BLURRED, seed)}
    everything = episodes(late)
    for episode in everything:
        asks_since = len(everything) - 1 - episode.index
        life = lifetime(ALWAYS_BLURRED, seed, 0, episode.index)
        life *= 2 if mine(episode) else 1  # what concerns its own seat lasts twice as long
        memory = found.get(episode.index)
        if asks_since <= life:
            assert memory == episode
        elif asks_since > 2 * life or episode.asker == 0:
            assert memory is None
        else:
            assert memory is not None
            check_blurred(memory, episode)


def check_blurred(memory: Episode, episode: Episode) -> None:
    """Check that the class is still known, and that the asker is mistaken for another seat, but
    never for the viewer."""
    assert memory.blurred
    assert memory.class_ == episode.class_
    assert memory.asker not in (0, episode.asker)
    assert memory.given == memory.refused == ()


def test_remembering_blurring_and_losing_all_happen(late: Observation) -> None:
    counted = {"clear": 0, "blurred": 0, "gone": 0}
    for seed in SEEDS:
        found = recalled(late, ALWAYS_BLURRED, seed)
        counted["blurred"] += sum(one.blurred for one in found)
        counted["clear"] += sum(not one.blurred for one in found)
        counted["gone"] += len(episodes(late)) - len(found)
    assert min(counted.values()) > 100, counted


def test_without_blur_nothing_is_remembered_wrongly(late: Observation) -> None:
    everything = set(episodes(late))
    for seed in SEEDS:
        assert set(recalled(late, Fading(None, 0.1, 0.0), seed)) < everything


def test_blur_keeps_its_share_of_what_would_be_blurred(late: Observation) -> None:
    def blurred(share: float) -> int:
        found = (recalled(late, Fading(None, 0.1, share), seed) for seed in range(200))
        return sum(one.blurred for memory in found for one in memory)

    assert blurred(0.3) / blurred(1.0) == pytest.approx(0.3, abs=0.05)


def test_the_newest_memories_are_kept_up_to_the_span(late: Observation) -> None:
    for span in (0, 1, 4, 1_000):
        everything = recalled(late, ALWAYS_BLURRED, 3)
        kept = recalled(late, Fading(span, 0.1, 1.0), 3)
        assert kept == everything[max(0, len(everything) - span) :]
        assert len(kept) == min(span, len(everything))


def test_without_decay_all_is_remembered_and_with_full_decay_only_the_newest(
    late: Observation,
) -> None:
    assert recalled(late, Fading(None, 0.0, 0.0), 1) == episodes(late)
    assert recalled(late, Fading(None, 1.0, 0.0), 1) == episodes(late)[-1:]


@pytest.mark.parametrize("decay", [0.05, 0.2, 0.5])
def test_each_later_ask_loses_the_given_share(decay: float) -> None:
    lives = [lifetime(Fading(None, decay, 0.0), 9, 0, index) for index in range(4_000)]
    for asks in (1, 2, 5):
        left = mean(life >= asks for life in lives)
        assert left == pytest.approx((1 - decay) ** asks, abs=0.03)


def test_a_wrongly_remembered_asker_proves_nothing_about_what_was_given(late: Observation) -> None:
    """A blurred ask shows only that its supposed asker has some of the class."""
    for one in episodes(late):
        only = Episode(one.index, one.seq, 2, "7", blurred=True)
        belief = believe(late, (only,))
        assert {key for key in belief.has if key[0] != 0} <= {(2, "7")}


def test_lost_memories_never_return_and_blurred_ones_never_clear() -> None:
    states = played("classic", 3, 5)[:-1:3]
    before: dict[int, Episode] = {}
    for state in states:
        seen = observe(state, 0)
        now = {one.index: one for one in recalled(seen, ALWAYS_BLURRED, 4)}
        last = max(before, default=-1)
        assert {index for index in now if index < last} <= before.keys()
        assert not [i for i, one in before.items() if one.blurred and i in now and now[i] != one]
        before = now


@pytest.mark.parametrize("key", ["classic", "make_ten", "guru_how_many"])
def test_whatever_is_believed_without_forgetting_is_true(key: str) -> None:
    held, missing = 0, 0
    for state in played(key, 3, 5)[2:-1:3]:
        seen = observe(state, 0)
        belief = believe(seen, episodes(seen))
        for (seat, class_), number in belief.has.items():
            assert counts(state, seat)[class_] >= number
            held += seat != 0
        for seat, class_ in belief.none:
            assert counts(state, seat)[class_] == 0
            missing += seat != 0
    assert held > 5
    assert missing > 5


def test_a_card_that_was_wished_for_and_shown_is_believed_beside_the_one_asked_with() -> None:
    """A seat that asks for sevens has one; if it then fishes one and shows it, it has two."""
    shown = 0
    for seed in range(8):
        for state in played("classic", 3, seed)[1:-1]:
            seen = observe(state, 0)
            lucky = [one.event for one in seen.history if isinstance(one.event, ev.Lucky)]
            newest = seen.history[-1].seq
            if not lucky or lucky[-1].seat == 0 or seen.history[-1].event != lucky[-1]:
                continue
            (ask,) = [one for one in episodes(seen) if one.seq == newest]
            belief = believe(seen, (ask,))
            assert belief.has[lucky[-1].seat, lucky[-1].class_] == 2
            shown += 1
    assert shown > 3
