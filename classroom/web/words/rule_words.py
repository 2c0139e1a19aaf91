"""Rules in the words of an adult: what they are in plain sentences, why some do not go together,
and for which ages they suit."""

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
    """What these rules are, in one plain sentence each."""
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
            wild = "; black, the blob and the question mark stand for anything in a four"
            yield (
                f"There are {number} cards, each with a colour, a shape and a number"
                f"{wild if rules.deck_wild else ''}."
            )
        case "fish" if rules.class_ == "suit":
            whose = "of any family" if rules.deck_joker == "wild" else "of its own family"
            yield (
                f"There are {number} cards: five families of {kinds} fish, and five double fish, "
                f"each for two fish {whose}."
            )
        case "fish":
            yield f"There are {number} cards: {kinds} numbers and the Joker, five of each."
        case _:
            yield f"There are {number} cards: {kinds} kinds, {_fours_of(rules)} of each."
    if rules.deck_lost:
        yield "One card lies aside, face down, until the end of the round."


def _fours_of(rules: Rules) -> str:
    return in_words(len(rules.deck_suits))


def _dealt(rules: Rules) -> Iterator[str]:
    sizes = dict(rules.deal)
    default = sizes.pop("default")
    rest = "".join(
        f"; {number} when {in_words(int(seats))} play" for seats, number in sizes.items()
    )
    yield f"Everybody is dealt {default} cards{rest}."


def _asked(rules: Rules) -> Iterator[str]:
    whom = "all the others at once" if rules.ask_scope == "all" else "one player"
    yield f"A player asks {whom} for {_wanted(rules)}."
    if rules.ask_what == "card" and rules.ask_bluff:
        yield "One may even ask for a card that one holds oneself."
    if rules.ask_bait == "asked":
        yield "Who is asked, and nobody else, is shown the card that is asked with."
    if rules.ask_empty_target == "legal":
        yield "A player without cards may be asked too."


def _wanted(rules: Rules) -> str:
    if rules.ask_what == "card":
        return "one very card, of a kind that is in the own hand"
    return {
        "rank": "a number that is in the own hand",
        "colour_rank": "a number of one colour that is in the own hand",
        "suit": "a family that is in the own hand",
        "any_two": "two things of a card in the own hand: its colour, shape or number",
        "complement": f"the number that makes {rules.deck_top} with a card in the own hand",
    }[rules.class_]


def _answered(rules: Rules) -> Iterator[str]:
    if rules.ask_what == "card":
        yield "Who has this card gives it."
    else:
        yield {
            "all": "Who has some gives all of them.",
            "one": "Who has one gives one.",
            "challenge": "Who has some asks “how many?”; the asker gets as many as are named, "
            "and none if that is too many.",
            "challenge_optional": "Who has some gives all, or asks “how many?”; then the asker "
            "gets as many as are named, and none if that is too many.",
        }[rules.response]
    if rules.catch_to == "boat":
        yield "What is caught goes into the boat; only what was fished can be asked with."
    yield (
        "After a catch one asks again."
        if rules.turn_catch == "again"
        else "After a catch one asks again only if it made a book."
    )


def _missed(rules: Rules) -> Iterator[str]:
    where = (
        "the pond" if rules.miss == "draw_stock" else "the hand of who was asked, without looking"
    )
    yield f"Else it is “go fish”: one card from {where}."
    if rules.miss == "draw_stock" or rules.response.startswith("challenge"):
        yield {
            "again_must_show": "If it is what was asked for, it is shown, and one asks again.",
            "again_may_show": "If it is what was asked for, it may be shown, to ask again.",
            "ends": "Then the turn ends, even if it is what was asked for.",
        }[rules.lucky]
    yield (
        "After a miss it is the next player’s turn."
        if rules.turn_next == "clockwise"
        else "After a miss it is the turn of who said “go fish”."
    )


def _booked(rules: Rules) -> Iterator[str]:
    size = in_words(rules.book_size)
    match rules.book_kind:
        case "sum":
            yield f"Two cards that make {rules.deck_top} are a book."
        case "four":
            yield "Four cards that are alike in two things are a four; its owner decides when."
        case "fish":
            yield f"{first_upper(size)} fish of one family are a book; a double fish counts two."
        case _ if rules.class_ == "colour_rank":
            yield f"{first_upper(size)} cards of one number and colour are a book."
        case _:
            yield f"{first_upper(size)} cards of one number are a book."
    if rules.book_layoff != "none":
        may = "is" if rules.book_layoff == "auto" else "may be"
        yield f"A single card of a number that lies as a book already {may} laid beside it."
    if rules.visibility_books == "face_down":
        yield "Books lie face down: one has to remember what is gone."


def _emptied(rules: Rules) -> Iterator[str]:
    (active, many), (passive, _) = rules.refill_active, rules.refill_passive
    if rules.refill_retire:
        yield "Who has no cards left is done."
    elif active == passive == "now":
        number = "a whole new hand" if many == "deal" else f"{many} cards"
        yield f"Who has no cards left takes {number} from the pond at once."
    elif active != "never":
        number = {"deal": "a whole new hand", 1: "one card"}.get(many, f"{many} cards")
        when = ": at once in the middle of a turn, else" if active == "now" else ""
        yield f"Who has no cards left takes {number} from the pond{when} when the turn comes."
    elif "hand_empty" not in rules.end:
        yield "Who has no cards left takes no new ones."
    if rules.refill_boat:
        yield "Once the pond is empty, new cards are drawn unseen from the player’s own boat."


def _ended(rules: Rules) -> Iterator[str]:
    fours = rules.book_kind == "four"
    no_more = f"no {'four' if fours else 'book'} can be made any more"
    ends = {
        "all_booked": no_more if fours else "all books are made",
        "hand_empty": "somebody’s hand is empty",
        "stock_out": "the pond is empty",
        "single_holder": "the pond is empty and one player alone has what is left, the Old Fish",
        "books_target": f"somebody has {in_words(rules.end_books_target or 0)} "
        f"{'books' if (rules.end_books_target or 0) > 1 else 'book'}",
    }
    named = " or ".join(ends[end] for end in rules.end) or no_more
    yield f"The round ends when {named}."
    if fours:
        turns = in_words(FOURLESS_TURNS)
        yield f"With an empty pond it also ends after {turns} turns each without a new four."
    if rules.end_declare:
        yield "Who can make no four may say so when the pond is empty; then all cards lie open."


def _won(rules: Rules) -> Iterator[str]:
    counted = "book" if rules.score_per == "book" else "card in a book"
    lines = [f"Every {counted} is a point"]
    if rules.score_deduct:
        where = "in the hand or the boat" if rules.catch_to == "boat" else "in the hand"
        lines.append(f"every card left {where} takes one away")
    if rules.score_penalty:
        low = ", but never below nothing" if rules.score_floor == 0 else ""
        lines.append(f"the Old Fish takes {in_words(rules.score_penalty)} away{low}")
    yield "; ".join(lines) + "."
    if rules.match_target is not None:
        yield (
            f"Rounds are played until somebody has {rules.match_target} points and is alone in "
            "front."
        )
    elif rules.tie == "high_book":
        yield "Most points win; in a tie the highest book decides."
    else:
        yield "Most points win; a tie is shared."


# ---- what does not go together

REFUSED: Final[dict[str, str]] = {
    "A7": "These cards cannot be asked for, or made into books, in this way.",
    "R1": "If everybody is asked at once, several players may say “go fish”, so the turn cannot "
    "go to the one who said it. Let it go to the next player.",
    "R2": "“How many?” and fishing in a hand need one player who is asked, not everybody.",
    "R3": "An empty hand cannot end the round and be filled again, or rest. Choose one of the two.",
    "R4": "If who has no cards rests, the round needs another end: when the pond is empty, or when "
    "all books are made.",
    "R5": "When all books are made no card is left in a hand, so nothing can be taken away for it. "
    "Choose another end.",
    "R6": "With this size of book some cards would always stay over, so all books would never be "
    "made. Choose another size or another end, or let single cards be laid beside their book.",
    "R7": "A book takes all cards of its kind here, so there are no single cards to lay beside it.",
    "R8": "There is only one such card, so “how many?” makes no sense.",
    "R11": "One card can belong to several fours, so their owner must decide.",
    "R13": "These books have no order, so no highest one can decide a tie. Let it be shared.",
    "R14": "With these cards nothing would be left over, so nobody would hold the Old Fish.",
    "R15": "There are not enough cards for so many on each hand.",
    "R16": "A book of this size can never be made: there are not enough cards of one kind.",
    "R17": "So many books cannot be made with these cards.",
    "R18": "In a match of several rounds a tie is decided by another round. Let it be shared.",
    "R19": "With double fish for any family several players may be left with cards.",
    "GA9": "An empty hand is filled again or rests, not both.",
    "F7": "The card one asks with is shown to one player; here nobody is asked alone.",
    "GA8": "One very card can be asked for only where every card has one kind of its own.",
    "G12": "Single cards can be laid only beside books of one kind.",
    "FA19": "A four is four cards, never more or fewer.",
    "F17": "“I can make no four” belongs to the Fours.",
    "O4": "A double fish would be a whole book by itself.",
}
"""Why rules are refused, by the id of the reason (engine/checks.py)."""

DOUBTED: Final[dict[str, str]] = {
    "R6": "With a card set aside some books can never be made; the round ends when no more can.",
    "R9": "A fished card can never be the one asked for: who is asked has none of it.",
    "R10": "Naming one always works, so there is no risk in it.",
    "R12": "A boat changes nothing here: all cards of a kind move together anyway.",
    "R15": "The cards do not serve as many players as the game allows; fewer can sit down.",
    "R17": "The number of books has no effect, for it does not end the round.",
    "R20": "With more than two players somebody may be told “go fish” at an empty pond; a round "
    "in which nothing moves any more ends by itself.",
    "R21": "Books are turned up at the end to decide a tie.",
    "OA11": "Now and then nothing is left over, and nobody has the Old Fish.",
    "GA8": "Asking for an own card has no effect where whole kinds are asked for.",
    "F16": "The boats stay empty, so nothing can be taken out of them.",
}
"""What is worth knowing about rules that can be played."""


def refusals(verdict: Verdict) -> tuple[str, ...]:
    """Why these rules cannot be played, each said once."""
    return _said(verdict.reasons, REFUSED)


def doubts(verdict: Verdict) -> tuple[str, ...]:
    """What is worth knowing about them."""
    return _said(verdict.warnings, DOUBTED)


def _said(reasons: tuple[Reason, ...], words: dict[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words[reason.id] for reason in reasons))


# ---- for which ages

_OLDER: Final[tuple[tuple[int, Callable[[Rules], bool], str], ...]] = (
    (8, lambda r: r.deck_kind == "fours", "two of three things have to be seen together"),
    (8, lambda r: r.lucky == "again_may_show", "showing a card or not is a plan"),
    (8, lambda r: r.ask_bluff, "bluffing means thinking what others think"),
    (8, lambda r: r.response == "challenge_optional", "whether to give or to ask is a plan"),
    (8, lambda r: (r.deck_top or 0) > 10, "the sums go beyond ten"),
    (6, lambda r: r.deck_kind == "numbers" and (r.deck_top or 0) > 5, "the sums go beyond five"),
    (6, lambda r: r.response == "challenge", "a number has to be weighed"),
    (6, lambda r: r.ask_what == "card", "one card in many has to be remembered"),
    (6, lambda r: r.visibility_books == "face_down", "what is gone has to be remembered"),
    (6, lambda r: bool(r.score_deduct or r.score_penalty), "points are taken away"),
    (6, lambda r: r.match_target is not None, "a match lasts several rounds"),
    (6, lambda r: r.deck_kind == "french" and len(r.deck_ranks) > 10, "the numbers go beyond ten"),
)


def ages(rules: Rules, minutes: float) -> str:
    """For which ages the rules suit, and why not for younger ones."""
    found = [(age, why) for age, is_so, why in _OLDER if is_so(rules)]
    if minutes > 10:
        found.append((6, "a round is long"))
    oldest = max((age for age, _ in found), default=4)
    whys = [why for age, why in found if age == oldest]
    return f"From about {oldest} years" + (f": {' and '.join(whys[:2])}." if whys else ".")
