"""Guesses what each column of a table contains, from its heading or, without headings, from its
cells. Also finds the age band for an age, a grade or a date of birth, as schools write them.

The guess is shown above the columns, with its reason, and can be corrected there. Only the band of
an age is kept. If an age cannot be read, its band is None, and the page asks for the band.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Final

from classroom.learning.skills import AGE_BANDS
from classroom.services.school.lists.tabular import ListRow, ListTable, UnreadableList

# The kinds of columns. `name` is a whole name. A `none` column is not read at all.
COLUMN_KINDS: Final = (
    *("none", "first", "preferred", "last", "name"),
    *("age", "grade", "birth", "class"),
)
READ_ONLY: Final = ("sourced_id", "role")  # kinds found by headings only; nobody can choose them
NAMES: Final = ("first", "preferred", "name")
TITLES: Final = 15  # rows to search for headings, because titles may come before the headings

BULLET: Final = re.compile(r"^(?:\d{1,3}\s*[.):]\s*|\d{1,3}\s+|[-*•–]\s*)")

_WORDS: Final = {
    "first": "firstname first givenname given forename forenames givennames firstnames "
    "legalfirstname legalfirst studentfirstname pupilforename legalforename childsfirstname "
    "vorname vornamen prenom prenoms nombre nombres primernombre nombredepila voornaam fornamn "
    "fornavn etunimi imie jmeno ime ad adi prenume keresztnev onoma nome "
    "名 名字 名前 이름 الاسمالاول имя",
    "preferred": "preferredname preferredfirstname preferredgivenname preferredforename preferred "
    "knownas nickname goesby chosenname calledname usualname rufname roepnaam nombrepreferido "
    "nomdusage kaldenavn tilltalsnamn",
    "last": "lastname last surname surnames familyname family legallastname legalsurname "
    "studentlastname nachname familienname zuname nom nomdefamille apellido apellidos "
    "primerapellido cognome achternaam nazwisko efternamn etternavn sukunimi prijmeni prezime "
    "soyad soyadi sobrenome apelido vezeteknev 姓 성 اسمالعائلة اللقب фамилия",
    "name": "name names fullname studentname students student pupil pupils pupilname child "
    "children childname childsname displayname learner learnername lastnamefirstname "
    "lastfirst firstlast firstandlastname nameofchild nameofpupil surnameforename schuler "
    "schulerin schulername kind nachnamevorname vornamenachname eleve eleves nometprenom "
    "nomprenom prenomnom nomcomplet alumno alumnos alumna alumnado nombrecompleto estudiante "
    "nombreyapellidos apellidosynombre apellidosnombre alunno alunni aluno nomecompleto "
    "leerling naam elev uczen namn navn 姓名 氏名 성명 الاسم اسمالطالب фио",
    "age": "age ages agegroup ageband ageinyears years ageyears alter edad eta idade leeftijd wiek "
    "alder ika yas 年龄 年齢 العمر возраст",
    "grade": "grade grades gradelevel gradelvl gr studentgrade currentgrade year yeargroup "
    "ncyear ncyeargroup nationalcurriculumyear yearlevel schoolyear jahrgang jahrgangsstufe "
    "klassenstufe niveau grado curso 年级 学年 الصف",
    "birth": "dob dateofbirth birthdate birthday birth birthyear yearofbirth born studentdob "
    "geburtsdatum geburtstag geburtsjahr geboren datedenaissance naissance anneedenaissance "
    "fechadenacimiento fechanacimiento anodenacimiento datadinascita datadenascimento "
    "geboortedatum fodelsedatum fodselsdato dataurodzenia datumnarozeni dogumtarihi "
    "出生日期 生年月日 تاريخالميلاد датарождения",
    "class": "class classname homeroom room section sectionname form reg regform regclass "
    "registrationgroup tutorgroup klasse clase classe turma klas klass klasa trida sinif "
    "班级 クラス الفصل класс",
    "sourced_id": "sourcedid",
    "role": "role",
}
# Known headings of `none` columns.
_OTHER_WORDS: Final = frozenset(
    "id sisid schoolsisid studentsisid studentid pupilid studentnumber pupilnumber upn uln number "
    "no nr login loginid username user userid email emailaddress studentemail schoolemail mail "
    "password gender sex pronouns phone telephone address postcode parent parents guardian teacher "
    "notes note status enrolled language ethnicity".split()
)
_KIND_OF: Final = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_YEAR_WORDS: Final = ("year", "yeargroup", "ncyear", "ncyeargroup", "yearlevel")


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess at the contents of the columns. `why`: the reason for each column's kind: `heading`,
    `content` or `chosen`. `begins`: the index of the first row with a child. `english`: grades are
    English school years."""

    kinds: tuple[str, ...]
    why: tuple[str, ...]
    headings: tuple[str, ...]
    begins: int
    english: bool = False

    @property
    def asks(self) -> bool:
        """Whether a person must choose the column with the names."""
        return not set(self.kinds) & set(NAMES)

    def at(self, kind: str) -> int | None:
        """The index of the first column of this kind; None if there is none."""
        return self.kinds.index(kind) if kind in self.kinds else None


def guess(table: ListTable) -> Guess:
    """Guess what each column contains. If a table without headings has several columns of names, a
    person may have to choose. Raises UnreadableList if no column can have names."""
    if not table.rows:
        raise UnreadableList("list_empty")
    at = _heading(table.rows)
    if at is None:
        return _by_content(table)
    headings = table.rows[at].cells
    kinds = [_KIND_OF.get(plain(heading), "none") for heading in headings]
    kinds += ["none"] * (table.width - len(kinds))
    _settle(kinds)
    english = any(plain(heading) in _YEAR_WORDS for heading in headings)
    below = _column(table.rows[at + 1 :], kinds.index("grade") if "grade" in kinds else None)
    english = english or any(plain(word) in ("r", "reception") for word in below)
    return Guess(tuple(kinds), ("heading",) * len(kinds), headings, at + 1, english)


def correct(found: Guess, kinds: Sequence[str]) -> Guess:
    """Use the kinds that a person chose instead. Raises UnreadableList if no column has names."""
    fixed = [
        kind if kind in COLUMN_KINDS and was not in READ_ONLY else was
        for kind, was in zip([*kinds, *found.kinds[len(kinds) :]], found.kinds, strict=False)
    ]
    why = ["chosen" if a != b else c for a, b, c in zip(fixed, found.kinds, found.why, strict=True)]
    chosen = Guess(tuple(fixed), tuple(why), found.headings, found.begins, found.english)
    if chosen.asks:
        raise UnreadableList("list_no_name")
    return chosen


def plain(word: str) -> str:
    """Only the letters of a heading, in lower case and without accents."""
    parts = unicodedata.normalize("NFKD", word.casefold().replace("ß", "ss"))
    return "".join(sign for sign in parts if sign.isalpha())


def _heading(rows: Sequence[ListRow]) -> int | None:
    """The index of the row with the headings: the first row with the most known words. None if no
    row looks like headings. A row that has no word for names is chosen only if all of its words are
    known and no row with a word for names looks like headings."""
    best, most = None, (False, 0)
    names_alone = all(len(row.cells) == 1 for row in rows)  # Ime is a heading and a first name
    for at, row in enumerate(rows[: 1 if names_alone else TITLES]):
        filled = [plain(cell) for cell in row.cells if cell]
        known = [kind for word in filled if (kind := _KIND_OF.get(word))]
        others = sum(word in _OTHER_WORDS for word in filled)
        named = any(kind in (*NAMES, "last") for kind in known)
        whole = len(known) + others == len(filled) > 1
        fits = (len(known) > 1 or len(known) == len(filled) or whole) if named else whole
        if fits and (named, len(known) + others) > most:
            best, most = at, (named, len(known) + others)
    return best


def _settle(kinds: list[str]) -> None:
    """Keep only the first column of each kind, and settle what "Name" stands for."""
    if "last" in kinds and "first" not in kinds and "preferred" not in kinds and "name" in kinds:
        kinds[kinds.index("name")] = "first"  # "Name, Vorname", "Surname, Name"
    if "first" in kinds and "last" not in kinds and "name" in kinds:
        kinds[kinds.index("name")] = "last"
    for kind in COLUMN_KINDS[1:]:  # all but "none"
        for at in [at for at, found in enumerate(kinds) if found == kind][1:]:
            kinds[at] = "none"
    if "last" in kinds and not set(kinds) & set(NAMES):
        kinds[kinds.index("last")] = "name"


# ---- without headings


def _by_content(table: ListTable) -> Guess:
    columns = [_column(table.rows, at) for at in range(table.width)]
    kinds = [_content(words) for words in columns]
    named = [at for at, kind in enumerate(kinds) if kind in ("word", "words")]
    named = named or _any_words(columns, kinds)
    for at in named:
        kinds[at] = "none"
    if not named:
        raise UnreadableList("list_empty")
    if len(named) == 1:
        (at,) = named
        kinds[at] = "name" if _is_whole(columns[at]) else "first"
    elif any("," in word for word in columns[named[0]]):
        kinds[named[0]] = "name"
    english = any(
        re.match(r"reception|r$|y(ea)?r?\s*\d", word.casefold())
        for words, kind in zip(columns, kinds, strict=True)
        if kind == "grade"
        for word in words
    )
    return Guess(tuple(kinds), ("content",) * len(kinds), (), 0, english)


def _any_words(columns: Sequence[list[str]], kinds: Sequence[str]) -> list[int]:
    """The index of the unknown column with the most words, in a list; [] if none has words."""
    counts = {
        at: sum("@" not in word and any(map(str.isalpha, word)) for word in columns[at])
        for at, kind in enumerate(kinds)
        if kind == "none"
    }
    return [max(counts, key=lambda at: counts[at])] if any(counts.values()) else []


def _column(rows: Sequence[ListRow], at: int | None) -> list[str]:
    return [cell for row in rows if (cell := row.cell(at))] if at is not None else []


def _content(words: list[str]) -> str:
    """The likely kind of a column with these cells; `word` or `words` if they look like names."""
    if not words:
        return "none"
    numbers = [int(word) for word in words if re.fullmatch(r"\d{1,4}", word)]
    bands = sum(_spaceless(word) in AGE_BANDS for word in words)
    if bands and _most(bands + len(numbers), words):
        return "age"
    if _most(len(numbers), words):
        return _of_numbers(numbers)
    if _most(sum(birth_date(word) is not None for word in words), words):
        return "birth"
    if _most(sum(of_grade(word) is not None for word in words), words):
        return "grade"
    words = [BULLET.sub("", word) for word in words]
    if _most(sum(_is_name(word) for word in words), words):
        different = len({word.casefold() for word in words})
        few = len(words) >= 6 and different * 3 <= len(words)
        return "none" if few else "words" if _is_whole(words) else "word"
    return "none"


def _of_numbers(numbers: list[int]) -> str:
    few = numbers[0] >= YOUNGEST and numbers[-1] <= OLDEST
    if len(numbers) > 2 and not few and all(b == a + 1 for a, b in pairwise(numbers)):
        return "none"  # row numbers
    if all(1990 < number < 2100 for number in numbers):
        return "birth"
    if all(YOUNGEST <= number <= OLDEST for number in numbers):
        return "age" if max(numbers) > 3 else "grade"
    return "grade" if all(number < 5 for number in numbers) else "none"


def _is_name(word: str) -> bool:
    letters = sum(sign.isalpha() for sign in word)
    return letters * 3 >= len(word) * 2 and "@" not in word and (letters > 1 or not word.isascii())


def _is_whole(words: list[str]) -> bool:
    """Whether most of these cells have a first and a last name; initials are not last names."""
    parts = [BULLET.sub("", word).split() for word in words]
    whole = sum(len(one) > 1 and len(one[-1].rstrip(".")) > 1 for one in parts)
    return whole * 2 > len(words)


def _most(some: int, words: list[str]) -> bool:
    return some * 10 >= len(words) * 7


# ---- ages

YOUNGEST, OLDEST = 2, 12  # the lowest and the highest age accepted in a list

# The names of grades, by the age at which children begin them. A number alone is usually a grade in
# the United States, where grade 1 begins at six. In an English list it is a school year, and year 1
# begins at five.
_STARTING: Final = {
    4: "pk prek prekindergarten preschool tk transitionalkindergarten pr it n nursery ps ms fs1 "
    "fs2 eyfs r rec reception yr",
    5: "k kg kindergarten gs y0 p1",
    6: "cp",
    7: "ce1",
    8: "ce2",
    9: "cm1",
}
_AGE_OF: Final = {word: age for age, words in _STARTING.items() for word in words.split()}
_GRADE: Final = re.compile(
    r"(?:grade|gr|g|class|klasse|kl|grado|clase)?0*([0-9])(?:st|nd|rd|th|er|re|e|º|ª|\.)?"
    r"(?:grade|klasse|kl|grado|primaria)?[a-h]?"
)
_YEAR: Final = re.compile(r"(?:year|yr|y|ks1year|ks2year)0*([1-9])[a-z]?")
_DATE: Final = re.compile(r"(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})(?:[T ].*)?")


def of_age(word: str) -> str | None:
    """The age band for an age like `6`, `6.5` or `6y 4m`, or for a band like `5–6`."""
    short = _spaceless(word)
    if short in AGE_BANDS:
        return short
    found = re.match(r"(\d{1,2})(?!\d|-)", short)
    return _band_of(int(found[1])) if found else None


def _spaceless(word: str) -> str:
    return word.replace("–", "-").replace(" ", "")


def of_grade(word: str, english: bool = False) -> str | None:
    """The age band for a grade. `english`: a number alone is an English school year."""
    plain = re.sub(r"[\s_\-]", "", word.casefold())
    if plain in _AGE_OF:
        return _band_of(_AGE_OF[plain])
    if year := _YEAR.fullmatch(plain):
        return _band_of(int(year[1]) + 4)
    grade = _GRADE.fullmatch(plain)
    return _band_of(int(grade[1]) + (4 if english else 5)) if grade else None


def of_birth(word: str, today: date, month_first: bool = False) -> str | None:
    """The age band on the day `today`, for a date of birth or a year of birth."""
    if re.fullmatch(r"(19|20)\d\d", word):
        return _band_of(today.year - int(word) - (today.month < 7))
    if (born := birth_date(word, month_first)) is None:
        return None
    return _band_of(today.year - born.year - ((today.month, today.day) < (born.month, born.day)))


def birth_date(word: str, month_first: bool = False) -> date | None:
    """The date that a text like `2019-08-31`, `31.8.19` or `8/31/2019` stands for; None for other
    text. `month_first`: a date like `8/31/2019` begins with the month."""
    found = _DATE.fullmatch(word.strip())
    if not found:
        return None
    one, two, three = (int(part) for part in found.groups())
    if len(found[1]) < 3:
        day, month, year = (two, one, three) if month_first else (one, two, three)
        year += 2000 if year < 100 else 0
    else:
        year, month, day = one, two, three
    try:
        return date(year, month, day)
    except ValueError:
        return None


def month_comes_first(words: Collection[str]) -> bool:
    """Whether dates are written like 8/31/2019: the second number of some date is over 12."""
    found = [match for word in words if (match := _DATE.fullmatch(word.strip()))]
    return any(int(match[2]) > 12 for match in found if len(match[1]) < 3)


def _band_of(age: int) -> str | None:
    return AGE_BANDS[min(max(age, 4), 7) - 4] if YOUNGEST <= age <= OLDEST else None
