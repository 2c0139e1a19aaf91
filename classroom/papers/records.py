"""The record of processing (GDPR, Article 30) and the retention schedule."""

from __future__ import annotations

from typing import Final

from classroom.papers.activities import ACTIVITIES
from classroom.papers.facts import Facts
from classroom.papers.paper import Answers, Blank, Item, Paper, Part, Points, Table, Text
from classroom.privacy import BY_ITSELF, COOKIES, REGISTER, SHORT

SAFETY: Final = (
    "Everybody is let in only to what is theirs; each route is tested with every kind of person.",
    "Passwords are argon2id hashes; codes and cookies are kept only as hashes.",
    "Sessions end by themselves and can be ended at once.",
    "Each look at a child's data is on record, and the record is sealed.",
    "The database is checked while it runs, and copied before each upgrade.",
    "Libraries are pinned by hash and compared with known weaknesses.",
)


def record_of_processing(facts: Facts) -> Paper:
    return Paper(
        key="record-of-processing",
        title="Record of processing",
        about="The entry for Fish School in the record that Article 30 of the GDPR and of the UK "
        "GDPR asks for.",
        parts=(
            Part(
                "Who is responsible",
                (
                    Text(f"Controller: {facts.school}. Questions: {facts.whom}."),
                    Blank("Address of the controller"),
                    Blank("Data protection officer"),
                    Blank("Processor, if somebody else runs the server"),
                ),
            ),
            *(Part(one.name, _rows(one.name)) for one in ACTIVITIES),
            Part("Security", (Points((*SAFETY, _connection(facts))),)),
        ),
    )


def _rows(name: str) -> tuple[Item, ...]:
    one = next(activity for activity in ACTIVITIES if activity.name == name)
    return (
        Table(
            ("question", "answer"),
            (
                ("Purpose", one.purpose),
                ("Whose data", one.people),
                ("Who receives it", one.recipients),
                ("Other countries", "None, if the server stands in this one."),
                ("How long", "; ".join(one.periods())),
            ),
        ),
        Points(tuple(one.kinds_of_data())),
    )


def _connection(facts: Facts) -> str:
    if facts.https:
        return "This server speaks https."
    return "This server does not speak https by itself; see docs/https.md."


def retention_schedule(facts: Facts) -> Paper:
    return Paper(
        key="retention-schedule",
        title="Retention schedule",
        about="How long everything is kept, and how it ends. Made from the program's own tables. "
        "It may be published as the written retention policy that COPPA (16 CFR 312.10) asks for.",
        parts=(
            Part("The rule", (Text(f"Nothing is kept for ever. {BY_ITSELF}"),)),
            Part(
                "In the database",
                (
                    Table(
                        ("what", "table", "kept", "deleted"),
                        tuple(
                            (table.what, name, table.first.keep, table.first.delete)
                            for name, table in REGISTER.items()
                        ),
                    ),
                ),
            ),
            Part(
                "Elsewhere",
                (
                    Answers(tuple(pair for pair in SHORT if pair[0] in _KEPT_ELSEWHERE)),
                    Table(
                        ("cookie", "what it is for", "kept"),
                        tuple((one.name, one.purpose, one.life) for one in COOKIES),
                    ),
                ),
            ),
            Part(
                "What the school keeps itself",
                (
                    Points(
                        (
                            "Backups: 35 days at most.",
                            "Downloaded files and printed pages: as long as they are needed, then "
                            "deleted or shredded.",
                            "Sign-in cards: until the child leaves the class.",
                        )
                    ),
                    Blank("Person who looks after this"),
                ),
            ),
        ),
    )


_KEPT_ELSEWHERE: Final = (
    "Copies.",
    "What was removed does not come back from a backup.",
    "A security log",
)
