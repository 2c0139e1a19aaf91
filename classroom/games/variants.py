"""Ways to change a game's rules: low tide, deck sizes, the practice form and the mixer's knobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from classroom.engine.cards import deck_of
from classroom.engine.checks import check
from classroom.engine.rules import RANKS, Rules
from classroom.games.menu import GAMES, Game, dealt_from

# ---- Low tide, which all players play against the pond (rules T1 to T9), and its dial
#
# The dial was set with `python -m tests.bench.bench_tide`. Set it again when a deck changes.

TIDE_SEATS: Final = (3, 4)
MEMORY: Final = {"4-5": "minnow", "5-6": "minnow", "6-7": "perch", "7-9": "pike"}
"""How well children in each age band usually remember, as a level of computer players."""

TIDE_DECKS: Final[dict[str, dict[str, Any]]] = {
    "five": dealt_from(5, deal=3),
    "small": dealt_from(7, deal=5),
    "short": dealt_from(10, deal=4),
    "numbers": {},
}
"""The decks of low tide, as changes to a game. French decks have the sizes that an adult can choose
(DECKS); `numbers` is the full deck of Make Ten."""

Steps = tuple[int, int, int]
DIAL: Final[dict[tuple[str, str], tuple[Steps, Steps]]] = {
    ("classic", "five"): ((9, 8, 8), (8, 7, 6)),
    ("classic", "small"): ((11, 10, 10), (10, 8, 7)),
    ("classic", "short"): ((26, 25, 25), (26, 23, 22)),
    ("colour_pairs", "five"): ((9, 9, 9), (9, 8, 7)),
    ("colour_pairs", "small"): ((12, 11, 11), (11, 9, 8)),
    ("colour_pairs", "short"): ((27, 26, 26), (27, 25, 23)),
    ("rank_pairs", "short"): ((19, 19, 18), (18, 16, 15)),
    ("wish_pairs", "short"): ((23, 23, 22), (21, 20, 19)),
    ("make_ten", "numbers"): ((19, 18, 18), (15, 13, 12)),
}
"""For each game and deck, the steps of the tide with three and with four seats, each for tables
that remember as well as a minnow, a perch and a pike.

There are three aims. Tables with the usual memory win 60 to 75 % of the rounds. Tables that forget
everything win at least 40 percentage points less. Ages 4 to 5 need at most 25 asks for a round.
Results of 200 rounds for each cell (±7 points):

- Wins: all cells meet the aim except one (59 %: colour_pairs, small, four seats, pike).
- Cost of forgetting with four seats: 40 to 68 points, but less for a minnow in colour_pairs five
  (25), rank_pairs (36), wish_pairs (39) and make_ten (26). With three seats the cost is high enough
  only in classic short, for perch and pike in classic small, and for a pike in classic five and
  colour_pairs short. In the other cells it is 22 to 37 points, and 12 to 22 in make_ten.
- Asks: 13 to 22 in five and small; too many for ages 4 to 5 in make_ten (26 to 28), rank_pairs
  (29), wish_pairs (35), colour_pairs short (39) and classic short (44).

The menu's Low tide, with the deck of each age and the seats of a child who plays alone (four, or
three from the age of six), meets all aims: forgetting costs 46, 57, 50 and 50 points, and a round
takes 17 asks at the age of four. For children under six, three seats would not be enough:
forgetting would cost only 28 points (five) or 30 (small). So three such children get a computer
friend (fewest_seats).

Pairs and Fished my wish with fewer kinds of card, and Make Five, are left out: forgetting costs 6
to 42 points there, mostly less than 30. Five-suit Go Fish is left out too: its 45 cards would take
longer than any of these games.
"""


USUAL_AGE: Final = "5-6"
"""The age band that decides the number of steps if no child is known."""

DIAL_OF: Final = {"low_tide": "classic"}
"""For each low-tide game on the menu, the game whose steps it uses."""


def low_tide(game: Game, seats: int, deck: str, band: str) -> Rules | None:
    """Return the rules for playing a game as low tide, with this deck size and at this age; None if
    there is no such form. A full deck would take too long, so `full` stands for `short`."""
    size = "numbers" if game.rules.deck_kind == "numbers" else "short" if deck == "full" else deck
    dial = DIAL.get((DIAL_OF.get(game.key, game.key), size))
    if dial is None or seats not in TIDE_SEATS:
        return None
    steps = dial[TIDE_SEATS.index(seats)][("minnow", "perch", "pike").index(MEMORY[band])]
    return game.rules.changed({"seats": list(TIDE_SEATS), **TIDE_DECKS[size], "end.tide": steps})


def fewest_seats(game: Game, band: str) -> int:
    """Return the fewest seats with which children of this age band play a game on the menu. In low
    tide, three seats and few cards leave too little to remember."""
    young = MEMORY[band] == "minnow"
    return max(TIDE_SEATS) if young and game.rules.end_tide is not None else game.rules.seats[0]


def steps_for(rules: Rules) -> tuple[Steps, Steps] | None:
    """Return the steps on the dial for these rules, with three and with four seats; None if the
    dial was never set for such rules. The number of steps in `rules` is ignored."""
    most = max(TIDE_SEATS)
    asked = rules.changed({"deal": {"default": rules.deal_size(most)}})
    for (key, size), steps in DIAL.items():
        tried = GAMES[key].rules.changed({"seats": list(TIDE_SEATS), **TIDE_DECKS[size]})
        deal = {"deal": {"default": tried.deal_size(most)}, "end.tide": rules.end_tide}
        if tried.changed(deal) == asked:
            return steps
    return None


# ---- Deck sizes for adults to choose from, as changes to a game's rules
#
# Minutes are rounded means of simulated rounds of Go Fish (docs/round-length.md).


@dataclass(frozen=True, slots=True)
class DeckSize:
    """A deck size. `kinds`: the number of ranks in a French deck, from the ace up. For `short` it
    is the number in Go Fish; other games and tables may differ (docs/round-length.md). `minutes`:
    the length of a round. `deal`: the most cards that a seat is dealt, so that enough are left in
    the pond; 0 for no limit."""

    key: str
    name: str
    kinds: int
    minutes: int
    deal: int = 0


DECKS: Final[dict[str, DeckSize]] = {
    size.key: size
    for size in (
        DeckSize("five", "Numbers to five", 5, 3, deal=4),
        DeckSize("small", "Few kinds of card", 7, 4),
        DeckSize("short", "A short round", 10, 7),
        DeckSize("full", "All the cards", 13, 9),
    )
}


MOST_AT_FIVE: Final = 4  # the most seats for the deck `five`
LEAST_POND: Final = 8  # the fewest cards to leave in the pond, if an empty pond ends the round


def deck_rules(game: Game, seats: int, deck: str, band: str = USUAL_AGE) -> Rules:
    """Return the rules of a game with this deck size. `band`: the age band that sets the steps of a
    tide. `short` is the game's own short form. A game whose deck is not French has only this form
    and the full deck. `five` and `small` have the fewest kinds of card that make a good round at
    this table; with more than four seats, both are the same."""
    if game.rules.end_tide is not None:
        return low_tide(game, seats, deck, band) or game.rules
    if deck == "full":
        return game.rules
    if deck == "short" or game.rules.deck_kind != "french":
        return game.short_rules(seats)
    # with the deck `five`, a round with five children would be over after a few asks
    size = DECKS[deck if seats <= MOST_AT_FIVE else "small"]
    ranks, hand = game.rules.deck_ranks, game.rules.deal_size(seats)
    deal = {"deal": {"default": min(size.deal, hand)}} if size.deal else {}
    few = (
        game.rules.changed({"deck.ranks": ranks[:kinds]} | deal)
        for kinds in range(game.fewest or size.kinds, len(ranks))
    )
    return next((rules for rules in few if _makes_a_round(rules, seats)), game.rules)


def _makes_a_round(rules: Rules, seats: int) -> bool:
    """Whether every seat can be dealt a hand and, if an empty pond ends the round, the pond has
    enough cards after the deal."""
    if not check(rules, seats).lawful:
        return False
    pond = len(deck_of(rules).cards) - seats * rules.deal_size(seats)
    return "stock_out" not in rules.end or pond >= LEAST_POND


# ---- The practice form of a game, for trying it out: two seats, few cards, about two minutes
#
# Games against the pond have three seats in this form.
#
# When two minnows played 40 rounds of each game, a round took 8 to 25 asks on average, depending on
# the game. The child makes half of the asks and takes about 7 seconds for each.

PRACTICE_SEATS: Final = 2
TOGETHER_SEATS: Final = 3


def practice_rules(game: Game, rules: Rules | None = None) -> Rules:
    """Return the rules for trying out a game. `rules`: the school class's own version of the game,
    if any. If that version cannot be played with few seats and cards, the menu's version is used
    instead."""
    own = None if rules is None else _shortened(rules)
    return own if own and check(own, own.seats[1]).lawful else _shortened(game.rules)


def _shortened(rules: Rules) -> Rules:
    seats = PRACTICE_SEATS if rules.end_tide is None else TOGETHER_SEATS
    changes: dict[str, Any] = {"seats": [seats, seats], "match.target": None}
    return rules.changed(changes | _FEW[rules.deck_kind](rules))


_FEW: Final[dict[str, Callable[[Rules], dict[str, Any]]]] = {
    "french": lambda rules: {"deck.ranks": rules.deck_ranks[:6], "deal": {"default": 5}},
    # A suit of four cards and a Joker counts as six fish: two books, if no card is lost (OA1).
    "fish": lambda rules: {"deck.ranks": rules.deck_ranks[:4], "deal": {"default": 5}},
    "numbers": lambda rules: (
        {"deck.copies": 2, "deal": {"default": 4}}
        if (rules.deck_top or 0) > 7
        else {"deck.copies": 4, "deal": {"default": 5}}
    ),
    # The round ends with the first four, or with the second if wild cards make fours easy.
    "fours": lambda r: {"end": ["books_target"], "end.books_target": 2 if r.deck_wild else 1},
}


# ---- The knobs of the mixer: the values that a teacher can choose for the dimensions of a game
#
# The words that adults see are in web/words/knob_words.py, under the same keys.

Changes = Mapping[str, Any]
AS_IT_IS: Final = "as-it-is"
"""The choice that keeps the game's own value, used if the knob does not offer that value."""


@dataclass(frozen=True)
class Knob:
    """One setting for a game. `choices`: for each value, the dimensions it changes, by JSON key.
    `fits`: whether the setting makes sense for a game with these rules."""

    key: str
    group: str
    choices: Mapping[str, Changes]
    fits: Callable[[Rules], bool] = lambda _: True

    def choice(self, rules: Rules) -> str:
        """Return the choice of this knob that these rules match, or AS_IT_IS."""
        now = rules.to_json()
        for value, changes in self.choices.items():
            if all(now.get(key) == wanted for key, wanted in changes.items()):
                return value
        return AS_IT_IS


def knobs_of(game: Rules) -> tuple[Knob, ...]:
    """Return the knobs that make sense for a game with these rules, group by group."""
    return tuple(knob for knob in KNOBS if knob.fits(game))


def turned(game: Rules, chosen: Mapping[str, str]) -> Rules:
    """Return a game's rules with its knobs set to these choices; unknown choices change nothing."""
    changes: dict[str, Any] = {}
    for knob in knobs_of(game):
        changes |= knob.choices.get(chosen.get(knob.key, ""), {})
    return game.changed(changes)


def _where(attribute: str, *values: Any) -> Callable[[Rules], bool]:
    return lambda rules: getattr(rules, attribute) in values


_ranked = _where("book_kind", "class")  # each book is of one class: quartets, pairs or threes
_suits = _where("book_kind", "fish")
_scored = _where("end_tide", None)  # against the pond all seats have the same score (T2)
_french = _where("deck_kind", "french")
_numbers = _where("deck_kind", "numbers")
_fours = _where("deck_kind", "fours")
_not_fours = _where("deck_kind", "french", "fish", "numbers")


def _each(key: str, *values: Any) -> dict[str, Changes]:
    """Make one choice for each value of a dimension."""
    return {str(value): {key: value} for value in values}


def _kinds(*numbers: int) -> dict[str, Changes]:
    return {str(number): {"deck.ranks": RANKS[:number]} for number in numbers}


def _refill(active: tuple[str, Any], passive: tuple[str, Any], retire: bool = False) -> Changes:
    return {"refill.active": list(active), "refill.passive": list(passive), "refill.retire": retire}


def _end(*ends: str, books: int | None = None) -> Changes:
    return {"end": list(ends), "end.books_target": books}


TIDES: Final = (*range(5, 27), 28, 30, 32)
"""The numbers of steps that a teacher can choose for the tide."""

_HAND, _NONE = ("now", "deal"), ("never", "deal")

KNOBS: Final = (
    # the cards
    Knob("kinds", "cards", _kinds(*range(4, 14)), _ranked),
    Knob("family_kinds", "cards", _kinds(4, 7, 10, 13), _suits),
    Knob("top", "cards", _each("deck.top", 5, 6, 7, 8, 9, 10, 12, 15, 20), _numbers),
    Knob("copies", "cards", _each("deck.copies", 4, 6, 8, 10, 12), _numbers),
    Knob("wild", "cards", {"no": {"deck.wild": False}, "yes": {"deck.wild": True}}, _fours),
    Knob("joker", "cards", _each("deck.joker", "suited", "wild"), _suits),
    Knob("deal", "cards", {str(n): {"deal": {"default": n}} for n in range(3, 10)}),
    # asking
    Knob("class", "asking", _each("class", "rank", "colour_rank"), _french),
    Knob("what", "asking", _each("ask.what", "class", "card"), _ranked),
    Knob("bluff", "asking", {"no": {"ask.bluff": False}, "yes": {"ask.bluff": True}}, _ranked),
    Knob("scope", "asking", _each("ask.scope", "one", "all"), _ranked),
    Knob("bait", "asking", _each("ask.bait", "asked", "nobody"), _fours),
    Knob("empty_target", "asking", _each("ask.empty_target", "illegal", "legal"), _not_fours),
    Knob(
        "response",
        "asking",
        {
            **_each("response", "all", "one"),
            "challenge": {"response": "challenge", "give": "named"},
            "challenge_all": {"response": "challenge", "give": "all"},
            "challenge_optional": {"response": "challenge_optional", "give": "named"},
        },
        _ranked,
    ),
    Knob("catch_to", "asking", _each("catch_to", "boat", "hand"), _fours),
    # turns
    Knob("catch", "turns", _each("turn.catch", "again", "again_if_book")),
    Knob("miss", "turns", _each("miss", "draw_stock", "draw_asked_hand"), _not_fours),
    Knob("lucky", "turns", _each("lucky", "again_must_show", "again_may_show", "ends")),
    Knob("next", "turns", _each("turn.next", "clockwise", "refuser")),
    # books
    Knob("size", "books", _each("book.size", 2, 3, 4, 5), _ranked),
    Knob("layoff", "books", _each("book.layoff", "none", "auto", "choice"), _ranked),
    Knob("books", "books", _each("visibility.books", "public", "face_down"), _not_fours),
    # the end
    Knob(
        "refill",
        "end",
        {
            "hand": _refill(_HAND, _HAND),
            "own_turn": _refill(("own_turn", "deal"), ("own_turn", "deal")),
            "one": _refill(("own_turn", 1), _NONE),
            "none": _refill(_NONE, _NONE),
            "retire": _refill(_NONE, _NONE, retire=True),
        },
        _not_fours,
    ),
    Knob(
        "end",
        "end",
        {
            "all_booked": _end("all_booked"),
            "hand_or_pond": _end("hand_empty", "stock_out"),
            "hand": _end("hand_empty"),
            "pond": _end("stock_out"),
            **{f"books_{n}": _end("books_target", books=n) for n in (1, 2, 3, 4, 5, 7, 10)},
        },
        lambda rules: not _fours(rules) and not _suits(rules),
    ),
    Knob(
        "fours_end",
        "end",
        {
            "dead": _end(),
            **{f"books_{n}": _end("books_target", books=n) for n in (1, 2, 3, 4, 5, 7)},
        },
        _fours,
    ),
    Knob(
        "tide",
        "end",
        {"no": {"end.tide": None}, **{str(n): {"end.tide": n, "seats": [3, 4]} for n in TIDES}},
        _where("class_", "rank", "colour_rank", "complement"),
    ),
    Knob("declare", "end", {"yes": {"end.declare": True}, "no": {"end.declare": False}}, _fours),
    # points
    Knob("per", "points", _each("score.per", "book", "card"), _scored),
    Knob("deduct", "points", _each("score.deduct", 0, 1)),
    Knob("penalty", "points", _each("score.penalty", 0, 1, 3), _suits),
    Knob("tie", "points", _each("tie", "high_book", "shared"), lambda r: _ranked(r) and _scored(r)),
    Knob(
        "match",
        "points",
        {
            "none": {"match.target": None},
            **{str(n): {"match.target": n} for n in (3, 5, 10, 20, 30, 50, 100)},
        },
    ),
)
"""All knobs, in the order in which a page shows them."""
