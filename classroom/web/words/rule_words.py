"""A game's rules in sentences for adults, why some cannot be combined, and the ages they suit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from classroom.engine.cards import deck_of
from classroom.engine.checks import Verdict
from classroom.engine.endings import FOURLESS_TURNS
from classroom.engine.rules import Reason, Rules
from classroom.web.words.filters import first_upper, in_words

# ---- plain sentences


def sentences(rules: Rules) -> tuple[str, ...]:
    """The rules, one plain sentence each."""
    return tuple(
        line
        for part in (_cards, _dealt, _asked, _answered, _missed, _booked, _emptied, _ended, _won)
        for line in part(rules)
    )


def _cards(rules: Rules) -> Iterator[str]:
    number = len(deck_of(rules).cards)
    kinds = in_words(len(rules.deck_ranks))
    match rules.deck_kind:
        case "numbers":
            yield (
                f"There are {number} cards: the numbers 0 to {rules.deck_top}, "
                f"{in_words(rules.deck_copies)} of each."
            )
        case "fours":
            wild = "; black, the blob and the question mark can be anything in a four"
            yield (
                f"There are {number} cards, each with a colour, a shape and a number"
                f"{wild if rules.deck_wild else ''}."
            )
        case "fish" if rules.class_ == "suit":
            whose = "of any family" if rules.deck_joker == "wild" else "of its own family"
            yield (
                f"There are {number} cards: five families of {kinds} fish, and five double fish, "
                f"each counting as two fish {whose}."
            )
        case "fish":
            yield f"There are {number} cards: {kinds} numbers and the Joker, five of each."
        case _:
            yield f"There are {number} cards: {kinds} kinds, {_fours_of(rules)} of each."
    if rules.deck_lost:
        yield "One card is set aside, face down, until the end of the round."


def _fours_of(rules: Rules) -> str:
    return in_words(len(rules.deck_suits))


def _dealt(rules: Rules) -> Iterator[str]:
    sizes = dict(rules.deal)
    default = sizes.pop("default")
    others = "".join(
        f"; {number} when {in_words(int(seats))} play" for seats, number in sizes.items()
    )
    yield f"Each player is dealt {default} cards{others}."


def _asked(rules: Rules) -> Iterator[str]:
    whom = "all the others at once" if rules.ask_scope == "all" else "one player"
    yield f"A player asks {whom} for {_wanted(rules)}."
    if rules.ask_what == "card" and rules.ask_bluff:
        yield "Players may even ask for a card that they hold themselves."
    if rules.ask_bait == "asked":
        yield "Only the player who is asked is shown the card used for asking."
    if rules.ask_empty_target == "legal":
        yield "A player without cards may be asked too."


def _wanted(rules: Rules) -> str:
    if rules.ask_what == "card":
        return "one particular card, of a kind they hold"
    return {
        "rank": "a number they hold",
        "colour_rank": "a number and colour they hold",
        "suit": "a family they hold",
        "any_two": "two things about a card they hold: its colour, shape or number",
        "complement": f"the number that makes {rules.deck_top} with a card they hold",
    }[rules.class_]


def _answered(rules: Rules) -> Iterator[str]:
    if rules.ask_what == "card":
        yield "A player who has this card must give it."
    else:
        yield {
            "all": "A player who has any must give them all.",
            "one": "A player who has any gives one.",
            "challenge": "A player who has any asks “how many?”; the asker gets as many as they "
            "name, and none if that is too many.",
            "challenge_optional": "A player who has any gives them all, or asks “how many?”; then "
            "the asker gets as many as they name, and none if that is too many.",
        }[rules.response]
    if rules.catch_to == "boat":
        yield "Caught cards go into the boat; only cards in the hand can be used for asking."
    yield (
        "After a catch the same player asks again."
        if rules.turn_catch == "again"
        else "After a catch the same player asks again only if it made a book."
    )


def _missed(rules: Rules) -> Iterator[str]:
    where = "the pond" if rules.miss == "draw_stock" else "the asked player’s hand, without looking"
    yield f"Otherwise it is “go fish”: the asker takes one card from {where}."
    if rules.miss == "draw_stock" or rules.response.startswith("challenge"):
        yield {
            "again_must_show": "If it is what they asked for, they show it and ask again.",
            "again_may_show": "If it is what they asked for, they may show it to ask again.",
            "ends": "Then the turn ends, even if it is what they asked for.",
        }[rules.lucky]
    yield (
        "After a miss it is the next player’s turn."
        if rules.turn_next == "clockwise"
        else "After a miss the player who said “go fish” has the next turn."
    )


def _booked(rules: Rules) -> Iterator[str]:
    size = in_words(rules.book_size)
    match rules.book_kind:
        case "sum":
            yield f"Two cards that make {rules.deck_top} are a book."
        case "four":
            yield "Four cards alike in two things are a four; its owner decides when to lay it."
        case "fish":
            yield f"{first_upper(size)} fish of one family are a book; a double fish is two."
        case _ if rules.class_ == "colour_rank":
            yield f"{first_upper(size)} cards of one number and colour are a book."
        case _:
            yield f"{first_upper(size)} cards of one number are a book."
    if rules.book_layoff != "none":
        may = "is" if rules.book_layoff == "auto" else "may be"
        yield f"A single card of a number that is already a book {may} laid beside it."
    if rules.visibility_books == "face_down":
        yield "Books are face down: players must remember what is gone."


def _emptied(rules: Rules) -> Iterator[str]:
    (active, many), (passive, _) = rules.refill_active, rules.refill_passive
    if rules.refill_retire:
        yield "A player with no cards left drops out."
    elif active == passive == "now":
        number = "a whole new hand" if many == "deal" else f"{many} cards"
        yield f"A player with no cards left takes {number} from the pond at once."
    elif active != "never":
        number = {"deal": "a whole new hand", 1: "one card"}.get(many, f"{many} cards")
        when = ": at once during a turn, otherwise" if active == "now" else ""
        yield f"A player with no cards left takes {number} from the pond{when} on their next turn."
    elif "hand_empty" not in rules.end:
        yield "A player with no cards left takes no new ones."
    if rules.refill_boat:
        yield "Once the pond is empty, new cards are drawn unseen from the player’s own boat."


def _ended(rules: Rules) -> Iterator[str]:
    fours = rules.book_kind == "four"
    no_more = f"no more {'fours' if fours else 'books'} can be made"
    ends = {
        "all_booked": no_more if fours else "all books are made",
        "hand_empty": "a player’s hand is empty",
        "stock_out": "the pond is empty",
        "single_holder": "the pond is empty and one player alone holds what is left, the Old Fish",
        "books_target": f"a player has {in_words(rules.end_books_target or 0)} "
        f"{'books' if (rules.end_books_target or 0) > 1 else 'book'}",
    }
    named = " or ".join(ends[end] for end in rules.end) or no_more
    yield f"The round ends when {named}."
    if fours:
        turns = in_words(FOURLESS_TURNS)
        yield f"With an empty pond it also ends after {turns} turns each without a new four."
    if rules.end_declare:
        yield (
            "When the pond is empty, a player who cannot make a four may say so; then all cards "
            "are open."
        )


def _won(rules: Rules) -> Iterator[str]:
    counted = "book" if rules.score_per == "book" else "card in a book"
    lines = [f"Every {counted} scores a point"]
    if rules.score_deduct:
        where = "in the hand or the boat" if rules.catch_to == "boat" else "in the hand"
        lines.append(f"every card left {where} costs one")
    if rules.score_penalty:
        low = ", but no score falls below zero" if rules.score_floor == 0 else ""
        lines.append(f"the Old Fish costs {in_words(rules.score_penalty)}{low}")
    yield "; ".join(lines) + "."
    if rules.match_target is not None:
        yield (
            f"Rounds are played until one player has {rules.match_target} points and is alone in "
            "the lead."
        )
    elif rules.tie == "high_book":
        yield "The most points win; in a tie the highest book decides."
    else:
        yield "The most points win; a tie is shared."


# ---- rules that cannot be combined

REFUSED: Final[dict[str, str]] = {
    "A7": "These cards cannot be asked for, or made into books, in this way.",
    "R1": "If everyone is asked at once, several players may say “go fish”, so the turn cannot "
    "go to the one who said it. Let it go to the next player.",
    "R2": "For “how many?” and for fishing in a hand, one player must be asked, not everyone.",
    "R3": "A player with no cards cannot both end the round and draw again or drop out. Choose "
    "one.",
    "R4": "If players with no cards drop out, choose a different ending: when the pond is empty, "
    "or when all books are made.",
    "R5": "When all books are made no cards are left in hands, so they cannot cost points. Choose "
    "a different ending.",
    "R6": "With this size of book some cards are always left over, so all books can never be made. "
    "Choose another size or ending, or let single cards be laid beside their book.",
    "R7": "A book takes all cards of its kind here, so there are no single cards to lay beside it.",
    "R8": "There is only one such card, so “how many?” makes no sense.",
    "R11": "One card can belong to several fours, so their owner must decide.",
    "R13": "These books have no order, so no highest one can decide a tie. Let it be shared.",
    "R14": "With these cards nothing would be left over, so nobody would hold the Old Fish.",
    "R15": "There are not enough cards to deal this many to each player.",
    "R16": "A book of this size can never be made: there are not enough cards of one kind.",
    "R17": "There are not enough cards to make that many books.",
    "R18": "In a match of several rounds a tie is decided by another round. Let it be shared.",
    "R19": "With double fish for any family, several players may be left with cards.",
    "GA9": "A player with no cards draws again or drops out, not both.",
    "F7": "The card used for asking is shown to one player, but here no player is asked alone.",
    "GA8": "One particular card can be asked for only where every card belongs to one kind.",
    "G12": "Single cards can be laid only beside books of one kind.",
    "FA19": "A four is always four cards.",
    "F17": "“I cannot make a four” belongs to Fisherman’s Fours.",
    "O4": "A double fish would be a whole book by itself.",
}
"""Why rules are refused, by the id of the reason in engine/checks.py."""

DOUBTED: Final[dict[str, str]] = {
    "R6": "With a card set aside some books can never be made; the round ends when no more can be.",
    "R9": "A fished card can never be the one asked for: the player asked has none.",
    "R10": "Naming one always works, so it is never a risk.",
    "R12": "A boat changes nothing here: all cards of a kind move together anyway.",
    "R15": "There are not enough cards for a full table; fewer players can sit down.",
    "R17": "The number of books has no effect, because it does not end the round.",
    "R20": "With more than two players someone may be told “go fish” when the pond is empty; a "
    "round in which nothing can move ends by itself.",
    "R21": "Books are turned face up at the end to decide a tie.",
    "OA11": "Now and then nothing is left over, and no one has the Old Fish.",
    "GA8": "Asking for a card one holds has no effect where whole kinds are asked for.",
    "F16": "The boats stay empty, so nothing can be taken out of them.",
}
"""What a teacher should know about rules that can be played, by the id of the reason."""


def refusals(verdict: Verdict) -> tuple[str, ...]:
    """Why these rules cannot be played, without repeats."""
    return _said(verdict.reasons, REFUSED)


def doubts(verdict: Verdict) -> tuple[str, ...]:
    """What a teacher should know about rules that can be played, without repeats."""
    return _said(verdict.warnings, DOUBTED)


def _said(reasons: tuple[Reason, ...], words: dict[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words[reason.id] for reason in reasons))


# ---- ages

_OLDER: Final[tuple[tuple[int, Callable[[Rules], bool], str], ...]] = (
    (8, lambda r: r.deck_kind == "fours", "two of three things must be seen together"),
    (8, lambda r: r.lucky == "again_may_show", "showing a card or not takes planning"),
    (8, lambda r: r.ask_bluff, "bluffing means guessing what others think"),
    (8, lambda r: r.response == "challenge_optional", "giving or asking takes planning"),
    (8, lambda r: (r.deck_top or 0) > 10, "the sums go beyond ten"),
    (6, lambda r: r.deck_kind == "numbers" and (r.deck_top or 0) > 5, "the sums go beyond five"),
    (6, lambda r: r.response == "challenge", "a number must be chosen with care"),
    (6, lambda r: r.ask_what == "card", "one card in many must be remembered"),
    (6, lambda r: r.visibility_books == "face_down", "what is gone must be remembered"),
    (6, lambda r: bool(r.score_deduct or r.score_penalty), "points are taken away"),
    (6, lambda r: r.match_target is not None, "a match lasts several rounds"),
    (6, lambda r: r.deck_kind == "french" and len(r.deck_ranks) > 10, "the numbers go beyond ten"),
)


def ages(rules: Rules, minutes: float) -> str:
    """The age from which the rules suit, and why younger children would struggle."""
    found = [(age, why) for age, is_so, why in _OLDER if is_so(rules)]
    if minutes > 10:
        found.append((6, "a round is long"))
    oldest = max((age for age, _ in found), default=4)
    whys = [why for age, why in found if age == oldest]
    return f"From about age {oldest}" + (f": {' and '.join(whys[:2])}." if whys else ".")
