"""A game's rules in sentences for adults, and the ages that they suit; the template whose words fit
the rules; and questions about the game for paper sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from classroom.engine.cards import deck_of
from classroom.engine.rules import RANKS, Rules
from classroom.engine.scoring import FOURLESS_TURNS
from classroom.games import GAMES
from classroom.web.words.filters import first_upper, in_words
from classroom.web.words.language import N_, gettext as _, ngettext


def rule_sentences(rules: Rules) -> tuple[str, ...]:
    """The rules, one plain sentence each."""
    return tuple(
        line
        for part in (_cards, _dealt, _asked, _answered, _missed, _booked, _emptied, _ended, _won)
        for line in part(rules)
    )


def _cards(rules: Rules) -> Iterator[str]:
    number, kinds = len(deck_of(rules).cards), in_words(len(rules.deck_ranks))
    match rules.deck_kind:
        case "numbers":
            yield _(
                "There are %(number)s cards: the numbers 0 to %(top)s, %(copies)s of each.",
                number=number,
                top=rules.deck_top,
                copies=in_words(rules.deck_copies),
            )
        case "fours" if rules.deck_wild:
            yield _(
                "There are %(number)s cards, each with a colour, a shape and a number; black, the "
                "blob and the question mark can be anything in a four.",
                number=number,
            )
        case "fours":
            yield _(
                "There are %(number)s cards, each with a colour, a shape and a number.",
                number=number,
            )
        case "fish" if rules.class_ != "suit":
            yield _(
                "There are %(number)s cards: %(kinds)s numbers and the Joker, five of each.",
                number=number,
                kinds=kinds,
            )
        case "fish" if rules.deck_joker == "wild":
            yield _(
                "There are %(number)s cards: five families of %(kinds)s fish, and five double "
                "fish, each counting as two fish of any family.",
                number=number,
                kinds=kinds,
            )
        case "fish":
            yield _(
                "There are %(number)s cards: five families of %(kinds)s fish, and five double "
                "fish, each counting as two fish of its own family.",
                number=number,
                kinds=kinds,
            )
        case _:
            yield _(
                "There are %(number)s cards: %(kinds)s kinds, %(copies)s of each.",
                number=number,
                kinds=kinds,
                copies=in_words(len(rules.deck_suits)),
            )
    if rules.deck_lost:
        yield _("One card is set aside, face down, until the end of the round.")


def _dealt(rules: Rules) -> Iterator[str]:
    sizes = dict(rules.deal)
    said = [_("Each player is dealt %(number)s cards", number=sizes.pop("default"))]
    said += [
        _("%(number)s when %(seats)s play", number=number, seats=in_words(int(seats)))
        for seats, number in sizes.items()
    ]
    yield "; ".join(said) + "."


def _asked(rules: Rules) -> Iterator[str]:
    if rules.ask_scope == "all":
        yield _("A player asks all the others at once for %(what)s.", what=_wanted(rules))
    else:
        yield _("A player asks one player for %(what)s.", what=_wanted(rules))
    if rules.ask_what == "card" and rules.ask_bluff:
        yield _("Players may even ask for a card that they hold themselves.")
    if rules.ask_bait == "asked":
        yield _("Only the player being asked sees the card used for asking.")
    if rules.ask_empty_target == "legal":
        yield _("A player without cards may be asked too.")


def _wanted(rules: Rules) -> str:
    if rules.ask_what == "card":
        return _("one particular card, of a kind they hold")
    if rules.class_ == "complement":
        return _("the number that makes %(top)s with a card they hold", top=rules.deck_top)
    return {
        "rank": _("a number they hold"),
        "colour_rank": _("a number and colour they hold"),
        "suit": _("a family they hold"),
        "any_two": _("two things about a card they hold: its colour, shape or number"),
    }[rules.class_]


def _answered(rules: Rules) -> Iterator[str]:
    if rules.ask_what == "card":
        yield _("A player who has this card must give it.")
    else:
        asked = rules.response == "challenge" and rules.give == "all"
        answer = "challenge_all" if asked else rules.response
        yield _(_ANSWERS[answer])
    if rules.catch_to == "boat":
        yield _("Caught cards go into the boat; only cards in the hand can be used for asking.")
    if rules.turn_catch == "again":
        yield _("After a catch the same player asks again.")
    else:
        yield _("After a catch the same player asks again only if the catch made a book.")


_ANSWERS: Final = {
    "all": N_("A player who has any must give them all."),
    "one": N_("A player who has any gives one."),
    "challenge": N_(
        "A player who has any asks “how many?”. Then the asker names a number, and gets that many, "
        "or none if it is too many."
    ),
    "challenge_all": N_(
        "A player who has any asks “how many?”. Then the asker names a number, and gets them all, "
        "or none if it is too many."
    ),
    "challenge_optional": N_(
        "A player who has any gives them all, or asks “how many?”. Then the asker names a number, "
        "and gets that many, or none if it is too many."
    ),
}


def _missed(rules: Rules) -> Iterator[str]:
    if rules.miss == "draw_stock":
        yield _("Otherwise it is “go fish”: the asker takes one card from the pond.")
    else:
        yield _(
            "Otherwise it is “go fish”: the asker takes one card, without looking, from the hand "
            "of the player they asked."
        )
    if rules.miss == "draw_stock" or rules.response.startswith("challenge"):
        yield {
            "again_must_show": _("If it is what they asked for, they show it and ask again."),
            "again_may_show": _("If it is what they asked for, they may show it to ask again."),
            "ends": _("Then the turn ends, even if it is what they asked for."),
        }[rules.lucky]
    if rules.end_tide is not None:
        yield _("After any other miss the tide falls one step.")
    if rules.turn_next == "clockwise":
        yield _("After a miss it is the next player’s turn.")
    else:
        yield _("After a miss the player who said “go fish” has the next turn.")


def _booked(rules: Rules) -> Iterator[str]:
    size = first_upper(in_words(rules.book_size))
    match rules.book_kind:
        case "sum":
            yield _("Two cards that add up to %(top)s make a book.", top=rules.deck_top)
        case "four":
            yield _(
                "Four cards that are alike in two ways make a four; its owner decides when to "
                "lay it down."
            )
        case "fish":
            yield _(
                "%(size)s fish of the same family make a book; a double fish counts as two.",
                size=size,
            )
        case _ if rules.class_ == "colour_rank":
            yield _("%(size)s cards of the same number and colour make a book.", size=size)
        case _:
            yield _("%(size)s cards of the same number make a book.", size=size)
    if rules.book_layoff == "auto":
        yield _("A single card of a number that already has a book is laid beside that book.")
    elif rules.book_layoff != "none":
        yield _("A single card of a number that already has a book may be laid beside that book.")
    if rules.end_tide is not None:
        yield _("Everyone’s books go into one shell.")
    if rules.visibility_books == "face_down":
        yield _("Books are face down: players must remember what is gone.")


def _emptied(rules: Rules) -> Iterator[str]:
    active, passive = rules.refill_active[0], rules.refill_passive[0]
    new = _new_cards(rules)
    if rules.refill_retire:
        yield _("A player with no cards left drops out.")
    elif active == passive == "now":
        yield _("A player with no cards left takes %(cards)s from the pond at once.", cards=new)
    elif active == "now":
        yield _(
            "A player with no cards left takes %(cards)s from the pond: at once during a turn, "
            "otherwise on their next turn.",
            cards=new,
        )
    elif active != "never":
        yield _(
            "A player with no cards left takes %(cards)s from the pond on their next turn.",
            cards=new,
        )
    elif "hand_empty" not in rules.end:
        yield _("A player with no cards left takes no new ones.")
    if rules.refill_boat:
        yield _(
            "Once the pond is empty, players take new cards from their own boat, without looking."
        )


def _new_cards(rules: Rules) -> str:
    """How many cards a player with none left takes, in words."""
    number = rules.refill_active[1]
    if number == "deal":
        return _("a whole new hand")
    return _("one card") if number == 1 else _("%(number)s cards", number=number)


def _ended(rules: Rules) -> Iterator[str]:
    named = _(" or ").join(_end(rules, end) for end in rules.end) or _no_more(rules)
    if rules.end_tide is not None:
        named += _(" or ") + _("the tide has fallen %(steps)s steps", steps=rules.end_tide)
    yield _("The round ends when %(ends)s.", ends=named)
    if rules.book_kind == "four":
        yield _(
            "When the pond is empty, the round also ends if each player has had %(turns)s "
            "turns without a new four.",
            turns=in_words(FOURLESS_TURNS),
        )
    if rules.end_declare:
        yield _(
            "When the pond is empty, a player who cannot make a four may say so; then all cards "
            "are shown."
        )


def _no_more(rules: Rules) -> str:
    fours = rules.book_kind == "four"
    return _("no more fours can be made") if fours else _("no more books can be made")


def _end(rules: Rules, end: str) -> str:
    """One way for the round to end."""
    if end == "all_booked" and rules.book_kind == "four":
        return _no_more(rules)
    if end == "books_target":
        target = rules.end_books_target or 0
        return ngettext(
            "a player has %(books)s book",
            "a player has %(books)s books",
            target,
            books=in_words(target),
        )
    return {
        "all_booked": _("all books are made"),
        "hand_empty": _("a player’s hand is empty"),
        "stock_out": _("the pond is empty"),
        "single_holder": _(
            "the pond is empty and one player alone holds what is left, the Old Fish"
        ),
    }[end]


def _won(rules: Rules) -> Iterator[str]:
    if rules.end_tide is not None:
        yield _(
            "Nobody wins alone. If all the books are made, the pond is full. If not, the fish "
            "sleep until tomorrow, and the books that were made are kept."
        )
        return
    yield "; ".join(_points(rules)) + "."
    if rules.match_target is not None:
        yield _(
            "Rounds are played until one player has %(points)s points and is alone in the lead.",
            points=rules.match_target,
        )
    elif rules.tie == "high_book":
        yield _("The player with the most points wins; in a tie the highest book decides.")
    else:
        yield _("The player with the most points wins; a tie is shared.")


def _points(rules: Rules) -> Iterator[str]:
    if rules.score_per == "book":
        yield _("Every book scores a point")
    else:
        yield _("Every card in a book scores a point")
    if rules.score_deduct and rules.catch_to == "boat":
        yield _("every card left in the hand or the boat costs one")
    elif rules.score_deduct:
        yield _("every card left in the hand costs one")
    if rules.score_penalty and rules.score_floor == 0:
        yield _(
            "the Old Fish costs %(points)s, but no score falls below zero",
            points=in_words(rules.score_penalty),
        )
    elif rules.score_penalty:
        yield _("the Old Fish costs %(points)s", points=in_words(rules.score_penalty))


# ---- ages

_OLDER: Final[tuple[tuple[int, Callable[[Rules], bool], str], ...]] = (
    (8, lambda r: r.deck_kind == "fours", N_("two of three features must be seen at once")),
    (
        8,
        lambda r: r.lucky == "again_may_show",
        N_("deciding whether to show a card takes planning"),
    ),
    (8, lambda r: r.ask_bluff, N_("bluffing means guessing what others think")),
    (
        8,
        lambda r: r.response == "challenge_optional",
        N_("deciding whether to give or ask takes planning"),
    ),
    (8, lambda r: (r.deck_top or 0) > 10, N_("the sums go beyond ten")),
    (
        6,
        lambda r: r.deck_kind == "numbers" and (r.deck_top or 0) > 5,
        N_("the sums go beyond five"),
    ),
    (6, lambda r: r.response == "challenge", N_("a number must be chosen with care")),
    (6, lambda r: r.ask_what == "card", N_("one card among many must be remembered")),
    (
        6,
        lambda r: r.visibility_books == "face_down",
        N_("books that lie face down must be remembered"),
    ),
    (6, lambda r: bool(r.score_deduct or r.score_penalty), N_("points are taken away")),
    (6, lambda r: r.match_target is not None, N_("a match lasts several rounds")),
    (
        6,
        lambda r: r.deck_kind == "french" and len(r.deck_ranks) > 10,
        N_("the numbers go beyond ten"),
    ),
)


def ages(rules: Rules, minutes: float) -> str:
    """The age from which the rules are suitable, and why younger children would struggle."""
    found = [(age, why) for age, is_so, why in _OLDER if is_so(rules)]
    if minutes > 10:
        found.append((6, N_("a round is long")))
    oldest = max((age for age, why in found), default=4)
    whys = [_(why) for age, why in found if age == oldest][:2]
    if not whys:
        return _("From about age %(age)s.", age=oldest)
    return _("From about age %(age)s: %(why)s.", age=oldest, why=", ".join(whys))


# ---- Choose the game whose words fit the rules of a round (translations/sentences)
#
# Most games use the words of Go Fish. Only rules with another way of asking or counting have words
# of their own. So the rules alone decide which words fit, even in a game that a class has mixed.

PLAIN_TEMPLATES: Final = "classic"
_PAIRS: Final = "wish_pairs"
_DECKS: Final = {"four": "fours", "sum": "make_ten", "fish": "old_fish"}


def asking_template(rules: Rules) -> str:
    """The template with the words for asking and for what happens in play."""
    if rules.book_kind in _DECKS:
        return _DECKS[rules.book_kind]
    if rules.ask_scope == "all":
        return "guru_ask_all"
    if rules.ask_what == "card":
        return "guru_exact_card"
    return _PAIRS if in_pots(rules) else PLAIN_TEMPLATES


def ending_template(rules: Rules) -> str:
    """The template with the words for counting up at the end."""
    if rules.score_deduct:
        return "guru_deduct"
    if rules.book_kind == "fish" and rules.score_penalty:
        return "old_fish"
    if rules.book_kind == "four":
        return "fours"
    return _PAIRS if in_pots(rules) else PLAIN_TEMPLATES


def pictured_template(game: str, rules: Rules) -> str:
    """The menu's game whose pictures fit these rules: `game`, unless the way of asking differs."""
    fitting = asking_template(rules)
    return game if fitting == asking_template(GAMES[game].rules) else fitting


def in_pots(rules: Rules) -> bool:
    """Whether pairs go into a pot, where their cards are counted (P13)."""
    return rules.score_per == "card" and rules.book_size == 2


# ---- Question cards on a ring: six fit every game, and three fit the way it makes books

_ALL: Final = (
    N_("Who might have what you need?"),
    N_("What did you ask for last? What did you get?"),
    N_("Who asked for something that you have?"),
    N_("How do you know?"),
    N_("How many more do you need?"),
    N_("How many cards do you have now? Who has more?"),
)
_OWN: Final[Mapping[str, tuple[str, str, str]]] = {
    "class": (
        N_("Do you have\u00a0…?"),
        N_("Which number comes next after this one?"),
        N_("How many of these have you seen? How many are left?"),
    ),
    "sum": (
        N_("I have\u00a0… What do I need?"),
        N_("How many places are empty?"),
        N_("Which other two cards make the same number?"),
    ),
    "four": (
        N_("What is the same about these cards?"),
        N_("What is different about them?"),
        N_("Which card would make this a four?"),
    ),
    "fish": (
        N_("Do you have any frogs?"),
        N_("Which family do you have most of?"),
        N_("Who could have the last one?"),
    ),
}


def prompts(rules: Rules) -> tuple[str, ...]:
    """The nine questions on the ring that is printed for a game."""
    return tuple(map(_, (*_OWN[rules.book_kind], *_ALL)))


# ---- A family's weekly sheet. `n`: a number that suits the child

_ASK: Final[Mapping[str, tuple[str, str, str]]] = {
    "class": (
        N_("Find the number %(n)s. What comes next? What came before?"),
        N_("You have %(half)s cards here. How many more would make %(n)s?"),
        N_("Who asked for something a moment ago? Do you have it now?"),
    ),
    "sum": (
        N_("You have %(half)s. What do you need to make %(top)s? How did you see it?"),
        N_("Which other two numbers make %(top)s?"),
        N_("Which number did I ask for? So which one must I have?"),
    ),
    "four": (
        N_("What is the same about these two cards? And what is different?"),
        N_("Which card would make your three into a four? Is there another?"),
        N_("Which card did I show you? What was I looking for?"),
    ),
    "fish": (
        N_("Which family do you have most of? How many more make a book?"),
        N_("There are %(half)s fish here. How many more would make %(n)s?"),
        N_("Which family did I ask for last? Which of its fish do you have?"),
    ),
}
_TRAINED: Final[Mapping[str, str]] = {
    "class": N_("Counting to %(n)s, and knowing which number comes next."),
    "sum": N_("Seeing which two numbers make %(top)s."),
    "four": N_("Seeing what things have in common: colour, shape and number."),
    "fish": N_("Sorting into families, and counting to %(n)s."),
}
_ALWAYS: Final = (
    N_("Remembering who asked for what."),
    N_("Asking in a whole sentence, waiting for a turn, and giving cards willingly."),
)


def questions(rules: Rules, n: int) -> tuple[str, ...]:
    """Three questions that a family can ask in play, on numbers, thinking and remembering."""
    numbers = _numbers(rules, n)
    return tuple(_(line, **numbers) for line in _ASK[rules.book_kind])


def practised(rules: Rules, n: int) -> tuple[str, ...]:
    """What a child practises in the game."""
    return (_(_TRAINED[rules.book_kind], **_numbers(rules, n)), *map(_, _ALWAYS))


def needed(rules: Rules) -> str:
    """The cards that a family needs; ordinary cards or slips of paper are enough for some games."""
    match rules.deck_kind:
        case "french" if len(rules.deck_ranks) == len(RANKS):
            return _("An ordinary pack of cards, without the jokers, or the cards from school.")
        case "french":
            return _(
                "The ace to the %(last)s from an ordinary pack of cards, or the cards from school.",
                last=in_words(len(rules.deck_ranks)),
            )
        case "numbers":
            return _(
                "Slips of paper with the numbers 0 to %(top)s, %(copies)s of each, or the cards "
                "from school.",
                top=rules.deck_top,
                copies=in_words(rules.deck_copies),
            )
    return _("The cards from school.")


def _numbers(rules: Rules, n: int) -> dict[str, int]:
    """The numbers to fill into a sentence: `n`, limited to the numbers on the cards; `top`, the
    sum that makes a book, or 0; `half`: half of `top` or, if that is 0, of `n`."""
    top = rules.deck_top or 0
    shown = max(3, min(n, len(rules.deck_ranks)))
    return {"n": shown, "top": top, "half": (top or shown) // 2}
