"""What a perfect memory concludes (docs/rules.md A10): D1 to D16, in chosen deals and at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from classroom.engine import observe
from classroom.engine.actions import Answer, Ask, Name, Show
from classroom.engine.events import (
    Asked,
    Dealt,
    Fished,
    Gave,
    LaidBook,
    Lucky,
    Refilled,
    SaidGoFish,
)
from classroom.engine.observation import WATCHER, Viewer
from classroom.engine.rules import Rules
from classroom.engine.state import State
from classroom.games import GAMES
from classroom.minds.memory.by_card import CardLedger, PlaceMemory
from classroom.minds.memory.by_class import ClassLedger, CountMemory
from classroom.minds.memory.known_facts import Ledger
from classroom.minds.memory.perfect_memory import Memory, remember
from tests.engine.tabletop import apply, dealt, rules_of, steps

CLASSIC = rules_of("classic")
SMALL = rules_of("classic", deal={"default": 3})


def minds(state: State, viewer: int | Viewer = WATCHER) -> Memory:
    """The memory of what the viewer can know now."""
    return remember(observe(state, viewer))


def ask(state: State, target: Any, class_: str) -> State:
    return apply(state, Ask(target, class_)).state


def remembered(
    rules: Rules, seats: int, seed: int, viewer: int | Viewer = WATCHER
) -> Iterator[tuple[State, Memory]]:
    """A random round, with what the viewer can know after each move."""
    memory = None
    for _, step in steps(rules, seats, seed):
        if not step.state.over:
            memory = remember(observe(step.state, viewer), memory)
            yield step.state, memory


def proof(memory: Memory, seat: int, class_: str, high: bool = False) -> list[type]:
    """The kinds of events that prove a bound."""
    return [type(seen.event) for seen in memory.proof(seat, class_, high)]


def left(memory: Memory, class_: str) -> int:
    """How many cards of the class are not known to have been laid on the table."""
    assert isinstance(memory, CountMemory)
    return memory.settled.left[memory.kinds.number[class_]]


def test_D1_after_the_deal_a_hand_holds_at_most_what_it_may_keep() -> None:
    state = dealt(CLASSIC, 4, "7C 7D").state
    assert minds(state).bounds(1, "7") == (0, 3)  # four would be on the table
    assert minds(state, 0).bounds(1, "7") == (0, 2)  # the viewer holds the other two
    assert minds(state, 0).bounds(0, "7") == (2, 2)
    two = dealt(rules_of("classic", deal={"default": 2}), 4).state
    assert minds(two).bounds(1, "7") == (0, 2)
    exact = dealt(rules_of("five_suit_classic"), 3).state
    assert minds(exact).bounds(1, "7") == (0, 4)


def test_D2_a_seat_that_asks_holds_one() -> None:
    state = ask(dealt(CLASSIC, 4, "2C", "7C", "7D", "3C").state, 2, "7")
    memory = minds(state, 3)
    assert memory.bounds(1, "7")[0] == 2  # the one it asked with and the one it caught
    state = ask(dealt(CLASSIC, 4, "2C", "7C", "3D", "3C", top="KH").state, 2, "7")
    memory = minds(state, 3)
    assert memory.bounds(1, "7")[0] == 1
    assert proof(memory, 1, "7") == [Asked]


def test_D2_a_seat_that_asks_for_the_complement_holds_the_other_number() -> None:
    ten = rules_of("make_ten")
    state = dealt(ten, 3, "", "3-a", "2-a").state
    state = ask(state, 2, "7")
    assert minds(state, 0).bounds(1, "3") == (1, 3)
    assert minds(state, 0).bounds(1, "7") == (0, 0)  # otherwise the pair would be on the table


def test_D2_a_seat_that_bluffs_for_an_exact_card_holds_some_card_of_the_rank() -> None:
    rules = rules_of("guru_exact_card", ask_bluff=True)
    memory = minds(ask(dealt(rules, 3, "2C", "7C", "3C 3D").state, 2, "7C"), 0)
    assert memory.bounds(1, "7")[0] == 1
    assert memory.bounds(1, "7C") == (0, 1)
    honest = rules_of("guru_exact_card")
    memory = minds(ask(dealt(honest, 3, "2C", "7C", "3C 3D").state, 2, "7D"), 0)
    assert memory.bounds(1, "7")[0] == 1
    assert memory.bounds(1, "7D") == (0, 0)


def test_D3_the_giver_has_none_left_and_the_taker_has_this_many_more() -> None:
    state = ask(dealt(SMALL, 3, "2C 2D 2H", "7C 8C 9C", "7D 7H 3C").state, 2, "7")
    memory = minds(state, 0)
    assert memory.bounds(2, "7") == (0, 0)
    assert memory.bounds(1, "7") == (3, 3)
    assert proof(memory, 1, "7") == [Asked, Gave]
    assert proof(memory, 2, "7", high=True) == [Gave]


def test_D3_prime_after_a_number_was_given_some_may_be_left() -> None:
    rules = rules_of("guru_how_many")
    state = ask(dealt(rules, 3, "2C", "7C", "7D 7H").state, 2, "7")
    assert minds(state, 0).bounds(2, "7") == (1, 3)
    state = apply(state, Name(1)).state
    assert minds(state, 0).bounds(2, "7") == (0, 2)
    assert minds(state, 0).bounds(1, "7") == (2, 3)


def test_D3_double_prime_a_refused_number_was_too_high() -> None:
    rules = rules_of("guru_how_many")
    state = ask(dealt(rules, 3, "2C", "7C", "7D 7H").state, 2, "7")
    state = apply(state, Name(3)).state
    memory = minds(state, 0)
    assert memory.bounds(2, "7") == (1, 2)
    assert memory.bounds(1, "7")[0] == 1
    assert SaidGoFish in proof(memory, 2, "7", high=True)


def test_D3_a_seat_that_chooses_to_ask_how_many_has_one() -> None:
    rules = rules_of("guru_how_many", response="challenge_optional")
    state = ask(dealt(rules, 3, "2C", "7C", "7D 7H").state, 2, "7")
    state = apply(state, Answer("challenge")).state
    assert minds(state, 0).bounds(2, "7") == (1, 3)


def test_D4_a_seat_that_says_go_fish_has_none() -> None:
    state = ask(dealt(CLASSIC, 3, "2C", "7C", "3C", top="KH").state, 2, "7")
    memory = minds(state, 0)
    assert memory.bounds(2, "7") == (0, 0)
    assert proof(memory, 2, "7", high=True) == [SaidGoFish]


def test_D5_an_unlucky_card_may_be_anything_but_what_was_asked_for() -> None:
    rules = rules_of("classic", deal={"default": 1})
    state = dealt(rules, 3, "2C", "7C", "8C", top="KD").state
    assert minds(state, 0).bounds(1, "K") == (0, 1)
    memory = minds(ask(state, 2, "7"), 0)
    assert memory.bounds(1, "7") == (1, 1)  # the card it asked with; it drew no seven
    assert memory.bounds(1, "K") == (0, 1)
    assert proof(memory, 1, "K", high=True)[-1] is Fished


def test_D5_a_card_kept_hidden_may_be_what_was_asked_for() -> None:
    rules = SMALL.changed(lucky="again_may_show")
    state = ask(dealt(rules, 3, "2C 3C 4C", "7C 8C 9C", "5D 6D TD").state, 2, "8")
    state = apply(state, Show(False)).state
    assert minds(state, 0).bounds(1, "8") == (1, 3)


def test_D5_none_ends_with_the_next_unseen_card() -> None:
    state = ask(dealt(CLASSIC, 3, "2C", "7C", "3C 3D", top="KH 4H").state, 2, "7")
    assert minds(state, 0).bounds(2, "7") == (0, 0)
    state = ask(state, 1, "3")  # seat 2 takes an unseen card, which may be a seven
    memory = minds(state, 0)
    assert memory.bounds(2, "7") == (0, 1)
    assert proof(memory, 2, "7", high=True) == [SaidGoFish, Fished]


def test_D6_a_lucky_card_is_one_more() -> None:
    state = ask(dealt(CLASSIC, 3, "2C", "7C", "3C 3D", top="7H").state, 2, "7")
    memory = minds(state, 0)
    assert memory.bounds(1, "7") == (2, 3)
    assert proof(memory, 1, "7") == [Asked, Lucky]


def test_D7_a_new_hand_may_be_anything() -> None:
    rules = rules_of("classic", deal={"default": 1})
    state = ask(dealt(rules, 3, "7C", "7D", "8C").state, 0, "7")
    memory = minds(state, 2)
    assert any(isinstance(event, Refilled) for event in state.log[-1].events)
    assert memory.bounds(0, "7") == (0, 1)  # it gave all, then took a card
    assert memory.bounds(0, "8") == (0, 1)
    assert Refilled in proof(memory, 0, "7", high=True)


def test_D8_a_book_is_out_of_play_for_everyone() -> None:
    rules = rules_of("classic", deal={"default": 4})
    state = ask(dealt(rules, 3, "2C", "7C 7D 7H", "7S").state, 2, "7")
    memory = minds(state, 0)
    assert left(memory, "7") == 0
    for seat in range(3):
        assert memory.bounds(seat, "7") == (0, 0)
    pairs = rules_of("rank_pairs", deal={"default": 3})
    state = ask(dealt(pairs, 3, "2C", "7C", "7S").state, 2, "7")
    assert left(minds(state, 0), "7") == 2
    assert minds(state, 0).bounds(2, "7")[1] == 0


def test_D9_a_book_face_down_is_known_after_a_catch() -> None:
    rules = rules_of("classic_face_down", deal={"default": 4})
    state = ask(dealt(rules, 3, "2C", "7C 7D 7H", "7S").state, 2, "7")
    memory = minds(state, 0)
    assert (left(memory, "7"), left(memory, "8")) == (0, 4)


def test_D9_a_book_face_down_after_an_unlucky_card_is_one_of_those_it_can_be() -> None:
    rules = rules_of("classic_face_down", deal={"default": 4})
    state = ask(dealt(rules, 3, "7S 2C", "7C 7D 8C", "7H 3C", top="8D").state, 0, "7")
    state = ask(state, 2, "7")
    state = dealt(rules, 2, "2C 2D 3C 3D", "7C 7D 7H 8C", top="7S").state
    state = ask(state, 0, "8")  # the card drawn completes the sevens, face down
    memory = minds(state, 0)
    assert memory.bounds(1, "8")[1] >= 1  # the eight it asked with
    assert left(memory, "2") == left(memory, "3") == 4  # the viewer holds two of each
    assert left(memory, "7") == 4  # there is no proof that it is the sevens
    assert "7" in {memory.kinds.names[c] for c in memory.veiled_classes()}  # type: ignore[union-attr]
    assert not {"2", "3"} & {memory.kinds.names[c] for c in memory.veiled_classes()}  # type: ignore[union-attr]


def test_D9_a_book_face_down_from_the_deal_is_of_a_class_that_the_viewer_has_none_of() -> None:
    rules = rules_of("classic_face_down")
    memory = minds(dealt(rules, 2, "2C 8D", "7C 7D 7H 7S").state, 0)
    own = {c for c in memory.kinds.names if memory.bounds(0, c)[0]}
    possible = {memory.kinds.names[c] for c in memory.veiled_classes()}  # type: ignore[union-attr]
    assert {"2", "8"} <= own
    assert possible == {*memory.kinds.names} - own


def test_D10_a_hand_that_lays_its_books_keeps_no_whole_one() -> None:
    for key, most in (("classic", 3), ("rank_pairs", 1), ("five_suit_classic", 4)):
        state = dealt(rules_of(key), 3).state
        assert max(minds(state).bounds(s, "9")[1] for s in range(3)) == most
    threes = ask(dealt(rules_of("guru_threes"), 3, "2C", "7C 7D", "7H 7S").state, 2, "7")
    assert minds(threes, 0).bounds(1, "7") == (0, 0)  # the fourth one was laid beside the book


def test_D11_the_cards_of_a_hand_add_up() -> None:
    rules = rules_of("classic", deal={"default": 1})
    state = ask(dealt(rules, 3, "2C", "7C", "7D").state, 2, "7")
    memory = minds(state, 0)
    assert state.hands[1] == {"7C", "7D"}
    for class_ in state.setup.deck.classes:  # two cards, and both are known to be sevens
        assert memory.bounds(1, class_) == ((2, 2) if class_ == "7" else (0, 0))
    assert proof(memory, 1, "K", high=True) == [Dealt, Asked]  # it asked with its only card


def test_D12_the_cards_of_a_class_add_up() -> None:
    state = ask(dealt(CLASSIC, 3, "7C", "7D", "3C 3D").state, 0, "7")
    assert minds(state, 2).bounds(0, "7") == (0, 0)
    assert minds(state, 2).bounds(1, "7") == (2, 3)
    state = dealt(CLASSIC, 3, "", "7C", "7D 7H 7S").state
    state = ask(state, 2, "7")  # the book is on the table, so no hand has a seven
    assert minds(state, 0).bounds(2, "7") == (0, 0)
    two = dealt(
        rules_of("classic", deck_ranks="23", deal={"default": 3}), 2, "2C 2D 2H", "3C 3D 3H"
    )
    assert minds(two.state, 0).bounds(1, "2")[1] == 1
    assert minds(two.state, 0).bounds(1, "3")[0] == 2  # three cards, of which at most one is a two


def test_D13_with_an_empty_stock_none_is_for_ever() -> None:
    lasting = 0
    for seed in range(10):
        none: set[tuple[int, str]] = set()
        for state, memory in remembered(CLASSIC, 4, seed):
            if not state.stock:
                cells = [(s, c) for s in range(4) for c in state.setup.deck.classes]
                now = {cell for cell in cells if memory.bounds(*cell)[1] == 0}
                assert none <= now
                lasting += len(none)
                none = now
    assert lasting > 1000


def test_D14_two_players_of_pairs_with_an_empty_stock_know_everything() -> None:
    rules = rules_of("wish_pairs")
    seen = 0
    for seed in range(20):
        for state, memory in remembered(rules, 2, seed, viewer=0):
            if state.stock:
                continue
            for class_ in state.setup.deck.classes:
                own = sum(1 for card in state.hands[0] if card[0] == class_)
                assert memory.bounds(1, class_) == (own, own)
                seen += 1
    assert seen > 200


def test_D14_hands_never_keep_two_of_a_rank() -> None:
    state = dealt(rules_of("wish_pairs"), 2, "7C 8C").state
    assert {minds(state, 0).bounds(1, c) for c in "789K"} == {(0, 1)}


FOURS = rules_of("fours")


def test_D15_the_one_asked_learns_the_bait_and_the_others_that_it_is_one_of_four() -> None:
    bait = "RS1"
    state = dealt(FOURS, 3, "YC3", bait, "BT2").state
    step = apply(state, Ask(2, "RS.", bait)).state
    asked, other = minds(step, 2), minds(step, 0)
    assert asked.bounds(1, "RS.")[0] == 1
    assert asked.settled.where[bait] == asked.settled.hand(1)  # type: ignore[union-attr]
    assert other.bounds(1, "RS.")[0] == 1
    assert other.settled.where[bait] != other.settled.hand(1)  # type: ignore[union-attr]
    assert Asked in proof(other, 1, "RS.")


def test_D15_a_catch_is_in_the_boat_and_the_giver_has_none_of_the_class() -> None:
    state = dealt(FOURS, 3, "YC3", "RS1", "RS2 RS3").state
    state = apply(state, Ask(2, "RS.", "RS1")).state
    memory = minds(state, 0)
    assert memory.bounds(2, "RS.") == (0, 0)
    assert memory.bounds(1, "RS.") == (3, 4)
    assert Gave in proof(memory, 1, "RS.")


def test_D16_a_suit_with_five_books_has_lost_no_card() -> None:
    fish = GAMES["old_fish"].rules
    whole = 0
    for seed in range(25):
        for state, memory in remembered(fish, 3, seed):
            for suit in state.setup.deck.classes:
                books = [b for seat in state.books for b in seat if b[0][0] == suit]
                cards = sum(map(len, books))
                assert left(memory, suit) == 14 - cards
                low, high = memory.bounds(memory.sheet.lost, suit)  # type: ignore[union-attr]
                assert low <= sum(c[0] == suit for c in state.lost) <= high
                if len(books) == 5:
                    whole += 1
                    assert high == 0
    assert whole > 50


def test_D16_when_all_other_suits_are_booked_the_lost_card_is_of_the_last() -> None:
    fish = GAMES["old_fish"].rules
    known = 0
    for seed in range(25):
        *_, (state, memory) = remembered(fish, 3, seed)
        bounds = {c: memory.bounds(memory.sheet.lost, c) for c in state.setup.deck.classes}  # type: ignore[union-attr]
        if list(bounds.values()).count((0, 0)) == 4:
            known += 1
            assert bounds[state.lost[0][0]] == (1, 1)
    assert known > 5


def test_a_book_is_evidence_that_its_class_is_gone() -> None:
    rules = rules_of("classic", deal={"default": 4})
    state = ask(dealt(rules, 3, "2C", "7C 7D 7H", "7S").state, 2, "7")
    assert LaidBook in proof(minds(state, 0), 2, "7", high=True) + proof(
        minds(state, 0), 1, "7", high=True
    )


def test_a_ledger_leaves_out_only_the_facts_that_tell_it_nothing() -> None:
    """A fact that a ledger does not take in is lost without an error."""
    facts = {name for name, value in vars(Ledger).items() if callable(value)}
    assert facts - vars(CardLedger).keys() == {"has_fewer"}
    assert facts - vars(ClassLedger).keys() == {
        "saw_given", "baited", "saw_bait", "claimed", "compensated",
    }  # fmt: skip


def test_who_asks_how_many_has_one_also_where_single_cards_are_tracked() -> None:
    """No game of the menu asks "how many?" for cards with several classes."""
    seen = observe(dealt(rules_of("fours"), 3).state, 0)
    memory = remember(seen)
    assert isinstance(memory, PlaceMemory)
    ledger = CardLedger(memory.kinds, 0, memory.chart.copy())
    class_ = max(memory.kinds.deck.classes, key=lambda name: memory.bounds(1, name)[1])
    assert memory.bounds(1, class_)[0] == 0
    ledger.has(1, class_, seen.history[-1])
    assert replace(memory, chart=ledger.chart).bounds(1, class_)[0] == 1
