"""Makes the voice: `python -m tools.make_voice` writes a small mp3 for each piece of speech that is
missing or whose words have changed, and removes those that are no longer listed (docs/voice.md).

The app needs no voice program, as the files are in the repository. Pages name pieces in data-say
and the page script joins them: `data-say="owl do-7"` is "Owl, do you have any sevens?". A frame,
such as `bear-asks+fox`, is several pieces recorded as one; where it is missing, the script
joins its parts. The format is mp3, because every browser plays it.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from classroom.games import GAMES
from tools.voice import recording
from tools.voice.speakers import Flite, Hibari, Recordings, Speaker

ROOT = Path(__file__).parent.parent
SENTENCES = ROOT / "translations" / "sentences" / "en.toml"
ANIMALS = "fox owl bear rabbit turtle whale frog duck cat mouse hedgehog penguin".split()
ONE = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
MANY = [word + ("es" if word.endswith("x") else "s") for word in ONE[:14]]
MOST_TIDE = 25  # the steps of the tide that are said in one piece as it falls: "seven, six left"
FAMILIES = "rock lizard frog shell weed".split()
COLOURS = {"coral": "red", "sand": "yellow", "weed": "green", "night": "blue", "black": "black"}
SHAPES = "square triangle heart circle blob".split()
SUITS = {suit: f"{suit}s" for suit in ("shell", "star", "pearl", *FAMILIES)} | {"leaf": "leaves"}
PIECES = {
    "a": "a",
    "a-book": "A book!",
    "a-card": "a card.",
    "a-four": "A four!",
    "a-joker": "a joker.",
    "all-open": "Now everybody can see all the cards.",
    "and": "and",
    "ask-cards": "Ask someone who has cards.",
    "ask-friend": "Ask a friend.",
    "ask-word": "Ask",
    "book-one": "book!",
    "books": "books!",
    "by-memory": "You can remember it by yourself!",
    "by-yourself": "You can find it by yourself!",
    "cards": "cards!",
    "cards-with": "cards with",
    "come-in": "Come in again.",
    "cool": "watery",
    "count-books": "Let's count the books!",
    "count-cards": "Let's count the cards!",
    "count-fours": "Let's count the fours!",
    "declare-sure": "Is there no four in your cards? Then we show all the cards, and you rest.",
    "do-any": "do you have any",
    "do-the": "do you have the",
    "do-joker": "do you have any jokers?",
    "double-fish": "a double fish.",
    "everybody": "Everybody,",
    "fam-joker": "jokers.",
    "fish-sleep": "The fish are asleep until tomorrow.",
    "find-four": "Find four cards that are alike.",
    "fetch-grown-up": "Please fetch a grown-up. They can open the pond again.",
    "fished-wish": "I fished my wish!",
    "for": "for",
    "for-joker": "for jokers.",
    "four": "four!",
    "four-alike": "Tap four cards that are alike in two ways.",
    "from-boat": "New cards from your boat.",
    "give-or-ask": "Give the cards, or ask: how many?",
    "go-fish": "Go fish!",
    "hello": "Hello!",
    "hmm": "Hmm...",
    "how-many": "How many?",
    "in-basket": "go into the basket!",
    "keep-it": "Keep it!",
    "lets-play": "Let's play!",
    "left": "left.",
    "lay-four": "You can make a four!",
    "lay-off": "The last card goes with its book.",
    "look-at": "Look at your",
    "make": "make",
    "make-book": "make a book!",
    "may-see": "may see your card.",
    "minus": "minus",
    "moved-on": "The game has moved on.",
    "new-card": "A new card for you.",
    "new-cards": "New cards for you!",
    "not-these": "Not these four. Let's try again.",
    "no-more": "No more fours.",
    "nobody-took": "and nobody took them.",
    "nobody-took-it": "and nobody took it.",
    "nothing-here": "There is nothing here. Tap to go on.",
    "one-of-two": "One of these two!",
    "only": "Only",
    "point": "point!",
    "points": "points!",
    "pond-full": "The pond is full!",
    "pond-rest": "The pond needs a rest.",
    "say-number": "Tap a number.",
    "show-it": "Show the card: then you go again!",
    "show-keep": "Show the card, or keep it!",
    "take-one": "Take one!",
    "talk-do": "How did you do that?",
    "talk-find": "How did you find out?",
    "talk-know": "How did you know?",
    "tap": "Tap",
    "tap-animal": "Tap your animal.",
    "tap-card": "Tap a card.",
    "tap-card-friend": "Tap a card. Then tap a friend.",
    "tap-pictures": "Tap your four pictures.",
    "tap-come-in": "Tap the fish, and come in!",
    "tap-pond": "Tap the pond!",
    "tap-two": "Tap two things about the card.",
    "teacher-in": "Your teacher can let you in.",
    "the": "the",
    "the-card": "the card.",
    "the-lost": "This is the lost fish!",
    "this": "This",
    "these-four": "These four are alike.",
    "try": "Try",
    "try-again": "Try again.",
    "try-out": "Let's try it out. You can see all the cards!",
    "tide-rule": "All together! Each miss makes the tide go down. Fill the shell before the water "
    "is gone!",
    "two": "Two",
    "type-code": "Tap your class code.",
    "wait-little": "Wait a moment.",
    "wait-turn": "Wait for your turn.",
    "want-many": "How many do you want?",
    "warm": "sunny",
    "well-played": "Well played!",
    "we-made": "We made",
    "which-card": "Which card do you want?",
    "which-one": "Which one do you want?",
    "who-has": "Who has",
    "who-joker": "Who has jokers?",
    "who-old-fish": "Who has the Old Fish? Let's count!",
    "yes": "Yes!",
    "you": "you",
    "you-asked": "you asked",
    "you-declare": "You cannot make a four.",
    "you-done": "You are done. Rest on your lily pad!",
    "you-fish": "You fish",
    "you-found": "You found a four!",
    "you-get": "You get",
    "you-have": "You have",
    "you-keep": "You keep the card.",
    "you-look": "You look at the board.",
    "you-made": "You made",
    "you-take": "You take",
    "you-won": "You have won!",
    "your-card": "one of your cards.",
    "your-turn": "Your turn!",
    "your-wish": "Your wish:",
    "bye-or-stay": "Bye for now! Tap the door to go, or the house to stay.",
    "bye-for-now": "Bye for now! Your game waits for you.",
    "eyes-on-me": "Eyes on your teacher!",
    "friend-or-wait": "Who will sit with you?",
    "friend-waits": "A friend is waiting. Tap the arrow!",
    "new-device": "You are playing on the other screen now.",
    "plays-for-you": "A friend is playing for you. Tap the hand!",
    "sit-or-new": "Tap a table, or tap a game.",
    "table-full": "This table is full. Try another one.",
    "tap-ready": "Tap when you are ready!",
    "time-over": "That was your time for today. The pond goes to sleep. Bye for now!",
    "wait-friends": "Wait for your friends.",
}

# The words of questions (`question` in translations/sentences/en.toml). Numbers, names and what was
# asked for are separate pieces.
QUESTIONS = {
    "after": "What comes after",
    "at": "You are at",
    "again": "Let's look again.",
    "all-books": "How many books are there altogether?",
    "altogether": "How many altogether?",
    "been": "Did somebody else ask",
    "before": "What comes before",
    "belongs": "Which card goes with these two?",
    "between": "What comes between",
    "card": "card.",
    "cards": "cards.",
    "closely": "Let's look closely.",
    "dot": "dot.",
    "dots": "dots.",
    "fish": "fish.",
    "fewest-cards": "Whose pile of cards is the smallest?",
    "give": "Give",
    "greatest-number": "Which number is the biggest?",
    "hand": "How many cards do you have?",
    "have": "do you have?",
    "hop-back-2": "Hop back two. Where are you now?",
    "hop-back-3": "Hop back three. Where are you now?",
    "hop-on-2": "Hop on two. Where are you now?",
    "hop-on-3": "Hop on three. Where are you now?",
    "how-many": "How many",
    "is-ten": "is ten and how many more?",
    "like-this": "How many of your cards are like this one?",
    "missing": "How many books are still missing?",
    "mix": "I'll mix them up. How many are there now?",
    "mix-less": "I'll mix them up and take one away. How many are there now?",
    "mix-more": "I'll mix them up and put in one more. How many are there now?",
    "more-10": "How many more make ten?",
    "more-5": "How many more make five?",
    "more-6": "How many more make six?",
    "more-7": "How many more make seven?",
    "more-8": "How many more make eight?",
    "more-9": "How many more make nine?",
    "more-now": "more. How many do you have now?",
    "more-book": "How many more do you need for a book?",
    "most-books": "Who has the most books?",
    "most-cards": "Who has the most cards?",
    "my-books": "How many books did you make?",
    "or-both": "Or both?",
    "or-nobody": "Or nobody?",
    "or-none": "Or none of them?",
    "or-same": "Or are they the same?",
    "pips": "How many are there on this card?",
    "see": "How many do you see?",
    "shell": "shell.",
    "shells": "shells.",
    "smallest-number": "Which number is the smallest?",
    "swim": "swim away. How many are left?",
    "swims": "swims away. How many are left?",
    "tap": "Tap",
    "there-are": "There are",
    "there-were": "There were",
    "they-make": "Which number do they make?",
    "these": "Give these! Tap them.",
    "this-one": "It is this one. Tap it!",
    "took-one": "cards in the pond. You took one. How many are left?",
    "which-asked": "Which of these did somebody else ask for?",
    "which-picture": "Which picture has",
    "which-number": "Which number is this?",
    "who-asked": "Who asked",
    "who-first": "Who was the first to ask",
    "who-last": "Who was the last to ask",
    "you-got": "You got",
    "you-had": "You had",
    "you-have": "You have",
    "you-more": "How many more cards do you have",
}


def phrases() -> Iterator[tuple[str, str]]:
    """Every piece: its name and its words."""
    yield from PIECES.items()
    yield from of_animals()
    yield from of_asks()
    yield from of_numbers()
    yield from of_families()
    yield from of_traits()
    yield from of_games()
    yield from of_questions()


def of_animals() -> Iterator[tuple[str, str]]:
    told = {
        "done": "is done.",
        "declares": "cannot make a four.",
        "fished-wish": "fished a wish!",
        "found": "found a four!",
        "looks": "looks at the board.",
        "sees": "sees no more fours.",
        "won": "has won!",
    }
    for animal in ANIMALS:
        name = animal.capitalize()
        yield animal, f"{name},"
        for verb in "asks asked fished fishes gets got has keeps shows takes".split():
            yield f"{animal}-{verb}", f"{name} {verb}"
        for verb, words in told.items():
            yield f"{animal}-{verb}", f"{name} {words}"
        yield f"{animal}-still", f"{name} still has"
        yield f"{animal}-wish", f"{name}'s wish:"
        yield f"{animal}-new", f"New cards for {animal}."


def of_asks() -> Iterator[tuple[str, str]]:
    """Pieces that come before what is asked for, such as "Bear asks Fox,", and those that say which
    animal somebody is."""
    for asker in ANIMALS:
        for other in (*ANIMALS, "you", "everybody"):
            if other != asker:
                whom = other.capitalize() if other in ANIMALS else other
                yield f"{asker}-asks+{other}", f"{asker.capitalize()} asks {whom},"
        yield f"ask-word+{asker}", f"Ask {asker.capitalize()},"
        yield f"is-{asker}", f"is the {asker}."
        yield f"this+is-{asker}", f"This is the {asker}."
    yield "ask-word+everybody", "Ask everybody,"


def of_numbers() -> Iterator[tuple[str, str]]:
    for number in range(100):
        yield f"n-{number}", f"{in_words(number)}."
    for number in range(MOST_TIDE):
        yield f"n-{number}+left", f"{in_words(number)} left."
    for number, one in enumerate(ONE):
        with_article = f"{article(one)} {one}"
        yield f"a-{number}", f"{with_article}."
        yield f"do-a-{number}", f"do you have {with_article}?"
        yield f"for+the+n-{number}", f"for the {one}"
        yield f"have-{number}", f"I have {one}."
        yield f"need-{number}", f"I need {one}. Who has it?"
    for number, many in enumerate(MANY[1:], 1):
        yield f"many-{number}", f"{many}."
        yield f"for-{number}", f"for {many}."
        yield f"do-{number}", f"do you have any {many}?"
        yield f"who-{number}", f"Who has {many}?"
        yield f"book-{number}", f"Four {many} make a book!"
        for pair in ("warm", "cool"):
            yield f"for+{pair}+many-{number}", f"for {PIECES[pair]} {many}."


def in_words(number: int) -> str:
    """A number below a hundred, as it is spoken."""
    if number < len(ONE):
        return ONE[number]
    tens, ones = divmod(number, 10)
    return f"{TENS[tens - 2]} {ONE[ones]}" if ones else TENS[tens - 2]


def article(word: str) -> str:
    return "an" if word[0] in "aeiou" and word != "one" else "a"


def of_families() -> Iterator[tuple[str, str]]:
    for suit, many in SUITS.items():
        yield f"of-{suit}", f"of {many}."
    for family in FAMILIES:
        many = f"{family}s"
        yield f"a-{family}", f"a {family}."
        yield f"double-{family}", f"a double {family}."
        yield f"fam-{family}", f"{many}."
        yield f"for-{family}", f"for {many}."
        yield f"do-{family}", f"do you have any {many}?"
        yield f"who-{family}", f"Who has {many}?"


def of_traits() -> Iterator[tuple[str, str]]:
    """Colours, shapes and numbers, and two of them as they are asked for: "for red hearts"."""
    colours = {f"c-{colour}": word for colour, word in COLOURS.items()}
    shapes = {f"sh-{shape}": f"{shape}s" for shape in SHAPES}
    many = {f"many-{n}": f"{MANY[n]}." for n in range(1, 5)} | {"many-q": "question marks."}
    having = {"with-q": "with a question mark."}
    yield from (colours | shapes | many | having).items()
    yield from ((f"sh1-{shape}", shape) for shape in SHAPES)
    for n, shape in product(range(1, 5), SHAPES):
        piece, word = (f"sh1-{shape}", shape) if n == 1 else (f"sh-{shape}", f"{shape}s")
        yield f"cards-with+n-{n}+{piece}", f"cards with {ONE[n]} {word}."
    for first, second in ((colours, shapes), (colours, many), (shapes, having)):
        for one, other in product(first, second):
            yield f"for+{one}+{other}", f"for {first[one]} {second[other].removesuffix('.')}."


def of_questions() -> Iterator[tuple[str, str]]:
    for name, words in QUESTIONS.items():
        yield f"q-{name}", words
    for animal in ANIMALS:
        yield f"{animal}-what", f"What did {animal} ask for last?"
        yield f"{animal}-gave", f"did {animal} give you?"
        yield f"{animal}-more", f"How many more cards does {animal} have than you?"
        yield f"than-{animal}", f"than {animal}?"


def of_games() -> Iterator[tuple[str, str]]:
    """The name of each game, and the captions that explain play, which are sentences."""
    for key, game in GAMES.items():
        yield f"game-{key}", f"{game.name}!".replace("?!", "?")
    for told in tomllib.loads(SENTENCES.read_text("utf-8"))["how"].values():
        caption, piece = told["other"] if isinstance(told, dict) else told
        yield piece, caption


def main(arguments: list[str]) -> int:
    chosen = _arguments(arguments)
    wanted = dict(phrases())
    if chosen.only:
        wanted = {name: words for name, words in wanted.items() if re.match(chosen.only, name)}
    else:
        recording.tidy(wanted)
    done = recording.recorded()
    todo = {
        name: words
        for name, words in wanted.items()
        if chosen.all
        or done.get(name, ("", ""))[1] != words
        or not recording.file_of(name).exists()
    }
    missing = recording.record(_speaker(chosen), todo, done)
    size = sum(path.stat().st_size for path in recording.VOICE.glob("*.mp3"))
    print(f"{len(todo) - len(missing)} recorded, {len(missing)} not; in all {size // 1024} kB")
    return 1 if missing else 0


def _speaker(chosen: argparse.Namespace) -> Speaker:
    if chosen.person:
        return Recordings(chosen.person)
    return Flite() if chosen.flite else Hibari()


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Make the pieces of the voice.")
    parser.add_argument("--flite", action="store_true", help="with the voice of Flite")
    parser.add_argument("--person", type=Path, help="a folder with a person's NAME.wav for pieces")
    parser.add_argument("--all", action="store_true", help="make every piece again")
    parser.add_argument("--only", help="only pieces whose name begins with this pattern")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
