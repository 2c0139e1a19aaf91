"""Names as people type them, and faces: twelve animals on four lily pads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final, TypeVar

from sqlalchemy import select

from classroom.config import PACKAGE
from classroom.database import AnyRow, db
from classroom.models import Child

# ---- Names as people type them: tidied, compared, and refused only if they cannot be read

Row = TypeVar("Row", bound=Any)

CHILD_NAME: Final = 30
ADULT_NAME: Final = 60
CLASS_NAME: Final = 60
CONFUSABLES: Final = PACKAGE / "data" / "confusables.txt"

_NON_JOINER, _JOINER = "\u200c", "\u200d"
_NOT_IN_NAMES: Final = "@\ufffd"  # "@" means an e-mail address, U+FFFD a letter lost in copying
# Signs in labels, formulas and code, but not in names. The colon in Kahente:ta is a letter.
_CODE: Final = re.compile(r'[<>="|{}\[\]\\]|:( |$)')
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")  # characters that look blank
_VIRAMA: Final = 9  # the combining class of the sign that removes a letter's vowel
_VARIANTS: Final = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # variation selectors: invisible too


def tidy(text: str) -> str:
    """The name without invisible characters, its words separated by single spaces."""
    text = unicodedata.normalize("NFC", text)
    visible = (
        sign
        for at, sign in enumerate(text)
        if not _is_invisible(sign) or _joins(sign, text[at - 1 : at], text[at + 1 : at + 2])
    )
    return " ".join("".join(visible).split())


def looks(name: str) -> frozenset[str]:
    """How the name looks as typed, in small letters and in capitals.

    Two names look alike if they share one of these forms. Similar letters of different scripts
    count as the same (skeletons of UTS #39); accents make a difference.

    >>> bool(looks("Anna") & looks("ANNA")), bool(looks("Anna") & looks("\u0410nna"))
    (True, True)
    >>> bool(looks("Ian") & looks("Lan")), bool(looks("Jose") & looks("José"))
    (False, False)
    """
    name = unicodedata.normalize("NFKC", name)
    forms = {"as is": name, "small": name.casefold(), "capital": name.upper()}
    return frozenset(f"{form}: {_skeleton(text)}" for form, text in forms.items())


def is_like_one_of(name: str, others: Iterable[str]) -> bool:
    """Whether a reader could mistake the name for one of the others."""
    mine = looks(name)
    return any(mine & looks(other) for other in others)


def order(name: str, row_id: int = 0) -> tuple[tuple[int, ...], int]:
    """A key to sort names by: first the Unicode collation (UTS #10), the order that readers expect,
    then the row's id.

    Small letters and capitals are sorted together, and an accent counts only between names that are
    otherwise the same. A database would compare bytes and put Ömer after Zoë.

    >>> sorted(["Zoë", "mia B.", "Ömer", "Mia", "Łukasz", "Oskar", "Lina"], key=order)
    ['Lina', 'Łukasz', 'Mia', 'mia B.', 'Ömer', 'Oskar', 'Zoë']
    """
    return _weights(name), row_id


def trouble(name: str, longest: int, digits: bool = False) -> str | None:
    """The reason why this tidied name is refused: `empty`, `long` or `odd`; None if it is fine.

    `digits`: for a name that is not a person's: it may be without letters (a class may be called
    "3"), and may contain the signs that labels contain. The check is mild on purpose: a child's
    real name must never be called wrong.

    >>> trouble("Zoë-Lou", 30), trouble("mia@home", 30), trouble("Zo{ra", 30), trouble("", 30)
    (None, 'odd', 'odd', 'empty')
    """
    if not name:
        return "empty"
    if len(name) > longest:
        return "long"
    enough = str.isalnum if digits else str.isalpha
    readable = (unicodedata.category(sign) not in ("Cc", "Cs", "Co", "Cn") for sign in name)
    fine = any(map(enough, name)) and all(readable) and not set(name) & set(_NOT_IN_NAMES)
    return None if fine and (digits or not _CODE.search(name)) else "odd"


def _is_invisible(sign: str) -> bool:
    return unicodedata.category(sign) == "Cf" or sign in _BLANKS


def _joins(sign: str, before: str, after: str) -> bool:
    """Whether a joiner shapes its neighbours, as in Persian and Indic scripts (RFC 5892)."""
    if sign not in (_NON_JOINER, _JOINER) or not before or not after:
        return False
    arabic = unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return unicodedata.combining(before) == _VIRAMA or (sign == _NON_JOINER and arabic)


def _skeleton(text: str) -> str:
    signs = (sign for sign in unicodedata.normalize("NFD", text) if not _is_invisible(sign))
    shown = re.sub(_VARIANTS, "", "".join(signs))
    return unicodedata.normalize("NFD", shown.translate(_prototypes()))


def by_name(rows: Iterable[Row]) -> list[Row]:
    """Rows that have a `name` and an `id`, sorted by name."""
    return sorted(rows, key=lambda row: order(row.name, row.id))


@lru_cache(10_000)  # about 5 MB when full
def _weights(name: str) -> tuple[int, ...]:
    weights: tuple[int, ...] = _collator().sort_key(name)
    return weights


@cache
def _collator() -> Any:
    """The collation of all characters. Loading it takes 0.2 s, when names are first sorted."""
    from pyuca import Collator

    return Collator()


@cache
def _prototypes() -> dict[int, str]:
    """The character or characters that each character looks like. Two pairs that look alike only in
    some typefaces are left out: m and rn (Ema is not Erna), and I and l."""
    lines = CONFUSABLES.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(" ; ") for line in lines if not line.startswith("#"))
    found = {int(one, 16): "".join(chr(int(p, 16)) for p in like.split()) for one, like in pairs}
    for letter in "mI":
        del found[ord(letter)]
    return {one: "m" if like == "rn" else like for one, like in found.items()}


# ---- Faces: a child's face is one of twelve animals on one of four lily pads

ANIMALS: Final = tuple(
    "fox owl bear rabbit turtle whale frog duck cat mouse hedgehog penguin".split()
)
PADS: Final = (1, 2, 3, 4)

AnimalOnPad = tuple[str, int]


@dataclass(frozen=True, slots=True)
class ChildFace:
    """A child's name and face, as classmates see them."""

    child_id: int
    name: str
    animal: str
    pad: int


@dataclass(frozen=True, slots=True)
class ShownClass:
    """A school class as pages show it: its id and its name."""

    class_id: int
    name: str


@dataclass(frozen=True, slots=True)
class ShownChild(ChildFace):
    """A child and the child's class, as pages for adults show them."""

    age_band: str
    school_class: ShownClass


def children_of(class_id: int) -> list[Child]:
    """The children in a class, sorted by name."""
    return by_name(db.session.scalars(select(Child).where(Child.class_id == class_id)))


def face(child: Child | AnyRow) -> tuple[int, str, str, int]:
    """This child's values for the fields of ChildFace, in the order of the fields."""
    return child.id, child.name, child.animal, child.pad


def faces(children: Iterable[Child]) -> tuple[ChildFace, ...]:
    """The faces of these children, in the same order."""
    return tuple(ChildFace(*face(child)) for child in children)


def all_faces() -> Iterator[AnimalOnPad]:
    """Every face: all animals on the first pad, then all on the second, and so on."""
    return ((animal, pad) for pad in PADS for animal in ANIMALS)


def free_face(taken: Collection[AnimalOnPad], animal: str | None = None) -> AnimalOnPad | None:
    """A face that is not taken, with this animal if one is given; None if no such face is left.
    Without `animal`, the animal that the fewest children have is chosen, because children tell
    animals apart at a glance, but pads only at a second look."""
    free = [face for face in all_faces() if face not in taken and animal in (None, face[0])]
    if not free:
        return None
    crowd = {name: sum(face[0] == name for face in taken) for name in ANIMALS}
    return min(free, key=lambda face: (crowd[face[0]], face[1]))


def nearest_face(taken: Collection[AnimalOnPad], face: AnimalOnPad) -> AnimalOnPad | None:
    """This face if it is free; otherwise the same animal on another pad or, if all pads with this
    animal are taken, any free face. None if all faces are taken."""
    return face if face not in taken else free_face(taken, face[0]) or free_face(taken)


def animal_besides(taken: Collection[str]) -> str:
    """The first animal that is not taken. It is shown at the seat of a removed child."""
    return next((animal for animal in ANIMALS if animal not in taken), ANIMALS[0])
