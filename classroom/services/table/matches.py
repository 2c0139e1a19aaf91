"""Matches: starting them, seating their players, and dealing their rounds."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from secrets import SystemRandom
from typing import Any, Final

from sqlalchemy import delete, func, insert, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from classroom.database import after_commit, db, write_unit
from classroom.engine import shuffled
from classroom.engine.cards import Card
from classroom.engine.rules import Rules
from classroom.engine.scoring import after_round, new_match
from classroom.games.variants import DECKS, practice_rules
from classroom.hub import hub_of
from classroom.learning.estimates import ENOUGH, Memory, memory_of
from classroom.minds.playing.forgetting import LIKE_ME, Result, going_on, level_of, like_me
from classroom.models import Child, Match, Moment, Move, Player, PlaySettings, Round
from classroom.services.base import clock, limits, names
from classroom.services.base.errors import EarlierRules, NotFound
from classroom.services.base.rows import existing, hold_children
from classroom.services.table import choices, evidence_log, offers, recording
from classroom.services.table.offers import Offer, rules_of

KINDEST: Final = "minnow"  # the level of the computer player in a practice round
SMALLEST: Final = next(iter(DECKS))
MOMENT: Final = "moment"  # the `played_by` of moves that were made before a moment
SECOND_TAP: Final = 5.0  # seconds after a deal in which another request to deal is a double tap

_random = SystemRandom()  # the random source of all real rounds, because nobody can predict it


# ---- starting


def sit_down(child_id: int, game: str, *, new: bool = False, at_home: bool = False) -> int:
    """Continue the child's unfinished round of this game, or start a match; returns the round's id.
    `new`: start a match in any case, though a double tap starts only one. A round begun in a lesson
    is not continued at home, and a round begun at home is not continued in a lesson."""
    with write_unit():
        hold_children(Child.id == child_id)
        running = current_round(child_id, game, new=new, at_home=at_home)
        if running is not None:
            return running
        return _announced(alone(child_id, game, at_home=at_home))


def start_match(child_id: int, game: str = "classic") -> int:
    """Start a match with computer players, using the child's settings; returns the id of its
    first round. Raises NotFound for an unknown child or game."""
    with write_unit():
        return _announced(alone(child_id, game))


def start_practice(child_id: int, game: str, *, at_home: bool = False) -> int:
    """Start a short practice round with an easy computer player whose cards are open. Returns the
    round's id. Nothing in the round counts. The child's earlier practice round is deleted. A double
    tap starts only one round. Raises NotFound for an unknown child or game."""
    with write_unit():
        hold_children(Child.id == child_id)
        last = _last_round(child_id, _offer(child_id, game), practice=True, at_home=at_home)
        if last is not None and _just_dealt(last):
            return last.id
        mine = select(Player.match_id).where(Player.child_id == child_id)
        db.session.execute(delete(Match).where(Match.practice, Match.id.in_(mine)))
        return _announced(alone(child_id, game, practice=True, at_home=at_home))


def next_round(match_id: int, child_id: int, after: int | None = None) -> int:
    """Deal the next round of this match, or the first round of a new match if this match is won or
    was practice, or if settings have changed. Returns the round's id. The dealer moves one seat to
    the left. `after`: the number of the round just played. If a later round exists, or this round
    is still being played, no round is dealt, so a double tap does no harm. Raises NotFound unless
    the child plays in this match."""
    try:
        with write_unit():
            hold_children(Child.id == child_id)
            return _again(match_id, child_id, after)
    except IntegrityError:  # another process dealt it: UNIQUE(match, number)
        db.session.rollback()
        return latest(match_id).id


def children_of(match_id: int) -> tuple[int | None, ...]:
    """The ids of this match's children in seat order; None for a computer player."""
    return tuple(player["child_id"] for player in _players(match_id))


def of_round(round_id: int) -> int | None:
    """The id of the match of this round; None if there is no such round."""
    return db.session.scalar(select(Round.match_id).where(Round.id == round_id))


def game_of(match_id: int) -> str:
    """The key of the offer for this match's game."""
    return _offer_of(db.session.get_one(Match, match_id)).key


def current_round(
    child_id: int, game: str | None = None, *, new: bool = False, at_home: bool = False
) -> int | None:
    """The id of the child's latest round of this game (None: of any game), in lessons or, with
    `at_home`, at home. Returns None if that round is over or there is none. `new`: only a round
    dealt just now, as after a double tap. Raises NotFound for an unknown child or game."""
    offer = None if game is None else _offer(child_id, game)
    last = _last_round(child_id, offer, at_home=at_home)
    if last is None or last.ended_at is not None or (new and not _just_dealt(last)):
        return None
    return last.id


def last_game(child_id: int, *, at_home: bool = False) -> str | None:
    """The key of the game that the child played last, in lessons or, with `at_home`, at home; None
    if there is none or it no longer exists. Practice does not count."""
    last = _last_round(child_id, at_home=at_home)
    with suppress(EarlierRules):
        return game_of(last.match_id) if last is not None else None
    return None


# ---- within a write unit


def alone(child_id: int, game: str, *, practice: bool = False, at_home: bool = False) -> int:
    """Start a match between the child and computer players; returns the first round's id."""
    offer, child = _offer(child_id, game), db.session.get_one(Child, child_id)
    settings = settings_for(child_id, at_home=at_home)
    if practice:
        settings = replace(settings, level=KINDEST)
        rules = practice_rules(offer.game, offer.rules)
        number = rules.seats[1]
    else:
        number = seats(offer, settings, child.age_band)
        rules = offer.rules_for(number, settings.deck, child.age_band)
    friends = faces(child.class_id, [child], number - 1)
    players = [_child(child, settings), *(_friend(face, settings.level) for face in friends)]
    return _begin(child.class_id, offer, players, rules, practice=practice, at_home=at_home)


def _begin(
    class_id: int,
    offer: Offer,
    players: list[Sitting],
    rules: Rules,
    *,
    practice: bool = False,
    at_home: bool = False,
    shared: bool = False,
) -> int:
    match = Match(
        class_id=class_id,
        game=offer.game.key,
        own_id=offer.own_id,
        rules=rules.to_json(),
        look=offer.look,
        practice=practice,
        at_home=at_home,
        shared=shared,
        created_at=clock.now(),
    )
    _seat(match, players)
    # In a practice round the child begins.
    dealer = len(players) - 1 if practice else _random.randrange(len(players))
    return _deal(match, players, 1, dealer, shuffled(rules, _random))


def _seat(match: Match, players: list[Sitting]) -> None:
    limits.check("rounds")
    db.session.add(match)
    db.session.flush()
    for seat, player in enumerate(players):
        db.session.execute(insert(Player).values(match_id=match.id, seat=seat, **player))


def go_on_from(child_id: int, moment: Moment, turns: Sequence[int]) -> int:
    """Start a match in which the child plays on from a moment with computer players. Returns the id
    of its round, which begins with the moves before the moment. `turns`: the seats that made these
    moves, then the child's seat. Call it in a write unit."""
    child, header, at = db.session.get_one(Child, child_id), moment.header, clock.now()
    match = Match(
        class_id=child.class_id,
        game=header["game"],
        rules=header["rules"],
        look=moment.look,
        moment=True,
        created_at=at,
    )
    settings, mine = settings_for(child_id), turns[-1]
    players = [_friend(face, settings.level) for face in moment.faces]
    animal, pad = moment.faces[mine]
    players[mine] = _child(child, settings) | {"animal": animal, "pad": pad}
    _seat(match, players)
    round_id = _deal(match, players, 1, header["dealer"], header["deck"])
    for seq, ((action, chance), seat) in enumerate(zip(moment.moves, turns, strict=False), 1):
        row = {"round_id": round_id, "seq": seq, "seat": seat, "key": f"moment:{seq}", "at": at}
        row |= {"action": action, "chance": chance, "played_by": MOMENT}
        db.session.execute(insert(Move).values(row))
    db.session.get_one(Round, round_id).moves = len(moment.moves)
    return round_id


def together(
    class_id: int, game: str, sitters: Sequence[int | None], *, shared: bool = False
) -> int:
    """Start a match for these children in seat order (None: a computer player); returns its first
    round's id. Each child's board, hints and pace are kept. The computer players get the weakest
    level, and the table the smallest deck, among the children's settings. `shared`: the children
    share one tablet, and the table gets the smallest deck of all. Call it in a write unit."""
    children = {one: db.session.get_one(Child, one) for one in sitters if one is not None}
    chosen = {one: settings_for(one) for one in children}
    levels = {one.level: level_of(one.level) for one in chosen.values()}
    level = max(levels, key=lambda key: (levels[key].slip, levels[key].decay))  # the weakest
    decks = [one.deck for one in chosen.values()]
    deck = SMALLEST if shared else min(decks, key=list(DECKS).index)
    faces_left = iter(faces(class_id, list(children.values()), sitters.count(None)))
    players = [
        _friend(next(faces_left), level) if one is None else _child(children[one], chosen[one])
        for one in sitters
    ]
    offer = offers.find(class_id, game)
    rules = offer.rules_for(len(players), deck, youngest(list(children)))
    return _begin(class_id, offer, players, rules, shared=shared)


def youngest(children: Sequence[int]) -> str:
    """The age band of the youngest of these children."""
    return db.session.scalars(select(func.min(Child.age_band)).where(Child.id.in_(children))).one()


def one_more(match_id: int, game: str, sitters: Sequence[int | None]) -> int:
    """Deal the next round at a table; returns its id. Call it in a write unit. The round belongs to
    a new match if the children have changed, if this match has been won, or if this version of the
    program refuses the match's rules."""
    match, last = db.session.get_one(Match, match_id), latest(match_id)
    players = _players(match_id)
    same = list(sitters) == [player["child_id"] for player in players]
    rules = rules_of(match.rules, len(players))
    if not same or rules is None or _won(match, rules, len(players)):
        return together(match.class_id, game, sitters, shared=match.shared)
    dealer = (last.dealer + 1) % len(players)
    return _deal(match, players, last.number + 1, dealer, shuffled(rules, _random))


def _offer(child_id: int, game: str) -> Offer:
    """The offer of this game in the child's class. Raises NotFound for an unknown child or game."""
    return offers.find(existing(Child, child_id).class_id, game)


def _offer_of(match: Match) -> Offer:
    """The current offer of this match's game. Raises EarlierRules if it is no longer offered."""
    key = match.game if match.own_id is None else offers.own_key(match.own_id)
    try:
        return offers.find(match.class_id, key)
    except NotFound:
        raise EarlierRules(latest(match.id).id) from None


def seats(offer: Offer, settings: PlaySettings, band: str) -> int:
    """The number of seats in a match for a child of this age: the number in the settings or, if
    that is too few for the game, the game's usual number; always within the game's limits."""
    fewest, most = offer.fewest(band), offer.seats[1]
    wanted = settings.opponents + 1
    return min(max(wanted if wanted >= fewest else offer.game.seats, fewest), most)


def _deal(
    match: Match, players: list[Sitting], number: int, dealer: int, deck: Sequence[Card]
) -> int:
    at = clock.now()
    row = Round(match_id=match.id, number=number, dealer=dealer, deck=deck, moves=0, started_at=at)
    db.session.add(row)
    db.session.flush()
    for seat, player in enumerate(players):
        if player["child_id"] is not None and not match.practice:
            recording.begin_recording(row.id, seat, player["child_id"], at, match.at_home)
    return row.id


def _announced(round_id: int) -> int:
    """Tell the pages about this new round once it is committed; returns its id. New rounds at
    tables of friends are announced by notices.py, with other news about those tables."""
    after_commit(partial(hub_of(db.engine).tell, round_id, 0))
    return round_id


def _again(match_id: int, child_id: int, after: int | None) -> int:
    match = db.session.get(Match, match_id)
    players = _players(match_id)
    if match is None or child_id not in {player["child_id"] for player in players}:
        raise NotFound("match")
    last = latest(match_id)
    if last.ended_at is None or (after is not None and last.number > after):
        return last.id
    if match.class_id != db.session.get_one(Child, child_id).class_id:  # the child changed class
        running = current_round(child_id, at_home=match.at_home)
        return running or _announced(alone(child_id, match.game, at_home=match.at_home))
    offer, rules = _offer_of(match), rules_of(match.rules, len(players))
    if (
        rules is None
        or match.practice  # a practice round is followed by a real match
        or _won(match, rules, len(players))
        or _changed(child_id, match, rules, offer, players)
    ):
        running = current_round(child_id, offer.key, at_home=match.at_home)
        return running or _announced(alone(child_id, offer.key, at_home=match.at_home))
    dealer = (last.dealer + 1) % len(players)
    deck = shuffled(rules, _random)
    return _announced(_deal(match, players, last.number + 1, dealer, deck))


def _won(match: Match, rules: Rules, seats: int) -> bool:
    """Whether this match is played to a target and someone has won it."""
    if rules.match_target is None:
        return False
    standing = new_match(rules, seats, dealer=0)
    rows = select(Round.scores, Round.winners).where(Round.match_id == match.id)
    for scores, winners in db.session.execute(rows.order_by(Round.number)):
        standing = after_round(standing, tuple(scores or ()), tuple(winners or ()))
    return standing.over


def _changed(
    child_id: int, match: Match, rules: Rules, offer: Offer, players: list[Sitting]
) -> bool:
    """Whether the child's settings or the game's rules have changed since this match began."""
    settings = settings_for(child_id, at_home=match.at_home)
    mine = next(player for player in players if player["child_id"] == child_id)
    levels = {player["level"] for player in players if player["level"] is not None}
    alone_here = sum(player["child_id"] is not None for player in players) == 1
    band = db.session.get_one(Child, child_id).age_band
    wanted = offer.rules_for(len(players), settings.deck, band)
    return (
        any(mine[thing] != getattr(settings, thing) for thing in ("board", "hints", "pace"))
        or not _as_strong(levels, settings.level, wanted)
        or (alone_here and seats(offer, settings, band) != len(players))
        or wanted != rules
    )


def _as_strong(levels: set[str], wanted: str, rules: Rules) -> bool:
    """Whether the computer players are as strong as the settings say. "Like me" adapts after each
    round or, in games with a target, only once the match is won."""
    if rules.match_target is not None and wanted.startswith(LIKE_ME):
        return all(level.startswith(LIKE_ME) for level in levels)
    return levels <= {wanted}


# ---- queries


def _players(match_id: int) -> list[Sitting]:
    rows = select(Player.child_id, Player.level, Player.board, Player.hints, Player.pace)
    rows = rows.where(Player.match_id == match_id).order_by(Player.seat)
    return [dict(row._mapping) for row in db.session.execute(rows)]


def latest(match_id: int) -> Round:
    rounds = select(Round).where(Round.match_id == match_id).order_by(Round.number.desc())
    return db.session.scalars(rounds.limit(1)).one()


def _last_round(
    child_id: int, offer: Offer | None = None, *, practice: bool = False, at_home: bool = False
) -> Round | None:
    """The child's latest round of this game (None: of any game). `practice`: the latest practice
    round. A round begun from a moment is found only if `offer` is None and it is unfinished."""
    wanted = (
        select(Round)
        .join(Player, Player.match_id == Round.match_id)
        .join(Match, Match.id == Round.match_id)
        .where(Player.child_id == child_id, Match.shared.is_(False))
        .where(Match.practice.is_(practice), Match.at_home.is_(at_home))
        .where(or_(Match.moment.is_(False), Round.ended_at.is_(None)))
    )
    if offer is not None:
        of_game = Match.game == offer.game.key, Match.own_id == offer.own_id
        wanted = wanted.where(*of_game, Match.moment.is_(False))
    return db.session.scalars(wanted.order_by(Round.id.desc()).limit(1)).first()


def _just_dealt(row: Round) -> bool:
    """Whether this round was dealt within SECOND_TAP and no child has moved yet."""
    moves = select(func.count()).where(Move.round_id == row.id, Move.played_by == "child")
    return clock.now() - row.started_at < SECOND_TAP and not db.session.scalar(moves)


# ---- The level of the computer players in a child's next match: an adult's choice, or "like me"


def level_for(child_id: int, chosen: str) -> str:
    """The key of the level (minds/playing/forgetting.py) for the child's next match. "Like me"
    first follows the child's measured memory. Later matches start from the level of the last one,
    raised or lowered by how much the child won. The level never changes within a match. For a child
    who must not be assessed, "like me" gives the level of a child whose memory is not measured
    yet."""
    if chosen != LIKE_ME:
        return chosen
    if evidence_log.is_restricted(child_id):
        return like_me().key
    last = _last_like_me(child_id)
    if last is None:
        found = measured(child_id)
        return (like_me() if found is None else like_me(half=found.half, low=found.low)).key
    match_id, key, seat = last
    seats = db.session.scalar(select(func.count()).where(Player.match_id == match_id)) or 1
    over = (Round.match_id == match_id) & Round.ended_at.is_not(None)
    ends = db.session.scalars(select(Round.winners).where(over).order_by(Round.number))
    results = [Result(seats, (seat in end) / len(end)) for end in ends if end]
    return going_on(key, results).key


def measured(child_id: int) -> Memory | None:
    """How far back the child remembers; None while too little is known. Rows that another process
    is counting right now may be missing, unless the caller has locked the child's row."""
    mine = evidence_log.progress_of([child_id])[child_id].tracks.get("recall")
    found = memory_of(mine.settled().recalled if mine else ())
    return found if found.n >= ENOUGH else None


def _last_like_me(child_id: int) -> tuple[int, str, int] | None:
    """The child's last "like me" match without other children: (match id, level, child's seat)."""
    mine, friend, other = aliased(Player), aliased(Player), aliased(Player)
    shared = select(other.id).where(
        other.match_id == mine.match_id, other.level.is_(None), other.id != mine.id
    )
    row = db.session.execute(
        select(mine.match_id, friend.level, mine.seat)
        .join(friend, friend.match_id == mine.match_id)
        .join(Match, Match.id == mine.match_id)
        .where(mine.child_id == child_id, friend.level.startswith(LIKE_ME), ~shared.exists())
        .where(Match.moment.is_(False))  # such matches start half-way, so their results say less
        .order_by(mine.match_id.desc())
        .limit(1)
    ).first()
    return None if row is None else (row.match_id, row.level or "", row.seat)


# ---- The players of a match: their rows, and the settings of the children among them

Sitting = dict[str, Any]  # a row of `players` before its match and seat are known


def settings_for(child_id: int, *, at_home: bool = False) -> PlaySettings:
    """The settings for the child's next match. `level` is the level of the computer players. "Like
    me" and the choices left to the child's age are already worked out."""
    settings = choices.settings_of(child_id, at_home=at_home)
    return replace(settings, level=level_for(child_id, settings.level))


def _child(child: Child, settings: PlaySettings) -> Sitting:
    return {
        "child_id": child.id, "level": None, "name": child.name, "animal": child.animal,
        "pad": child.pad, "board": settings.board, "hints": settings.hints,
        "pace": settings.pace, "seed": 0,
    }  # fmt: skip


def _friend(face: tuple[str, int], level: str) -> Sitting:
    animal, pad = face
    return {
        "child_id": None, "level": level, "name": animal.capitalize(), "animal": animal,
        "pad": pad, "board": "off", "hints": False, "pace": "usual",
        "seed": _random.randrange(2**31),
    }  # fmt: skip


def faces(
    class_id: int, children: Sequence[Child], number: int, rng: Random | None = None
) -> list[tuple[str, int]]:
    """Choose the faces of `number` computer players at random. `rng`: the source of randomness. No
    two players at the table get the same animal. Animals that share their name with a child in the
    class are chosen last; among the others, animals that fewer children have are chosen first."""
    class_ = db.session.execute(
        select(Child.animal, Child.pad, Child.name).where(Child.class_id == class_id)
    ).all()
    animals = {name.strip().lower() for _, _, name in class_}
    taken = {(animal, pad) for animal, pad, _ in class_}
    crowd = [animal for animal, _ in taken]
    here = {child.animal for child in children}
    free = [animal for animal in names.ANIMALS if animal not in here]
    (rng or _random).shuffle(free)
    free.sort(key=lambda animal: (animal in animals, crowd.count(animal)))
    pads = {animal: [pad for pad in names.PADS if (animal, pad) not in taken] for animal in free}
    return [(animal, (pads[animal] or names.PADS)[0]) for animal in free[:number]]
