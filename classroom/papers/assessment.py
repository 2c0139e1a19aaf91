"""The data protection impact assessment, in the seven steps of the UK regulator."""

from __future__ import annotations

from typing import Final

from classroom.papers.activities import ACTIVITIES
from classroom.papers.facts import Facts
from classroom.papers.paper import Blank, Item, Paper, Part, Points, Table, Text
from classroom.papers.risks import RISKS
from classroom.privacy import PROFILE, WORKED_OUT

TESTED: Final = "Shown with every change of the program by"


def assessment(facts: Facts) -> Paper:
    return Paper(
        key="impact-assessment",
        title="Data protection impact assessment",
        about="For the school's leaders and its data protection officer. The program fills in what "
        "it does itself; the lines are for what only the school can say. This is not legal advice.",
        parts=(
            Part("1. Why an assessment is needed", _need(facts)),
            Part("2. What is done with the data", _processing(facts)),
            Part("3. Who was asked", _consultation()),
            Part("4. Is it necessary, and not more than necessary?", _necessity(facts)),
            Part("5. What could go wrong", _risks()),
            Part("6. What is done about it", _measures()),
            Part("7. Decision", _decision()),
        ),
    )


def _need(facts: Facts) -> tuple[Item, ...]:
    return (
        Text(
            f"Fish School lets children of 4 to 9 play card games in a browser at {facts.school}, "
            "and shows their teachers and parents how counting and remembering are going."
        ),
        Text(
            "An assessment is needed because the data is about young children and because the "
            "program makes a profile of each child's skill."
        ),
    )


def _processing(facts: Facts) -> tuple[Item, ...]:
    return (
        Text(
            "The program runs on a server of the school, or of somebody who runs it for the school "
            f"({facts.database}). Children and teachers give the data; nothing is bought, and "
            "nothing is sent to anyone else."
        ),
        Table(
            ("what for", "whose data", "kept"),
            tuple((one.purpose, one.people, "; ".join(one.periods())) for one in ACTIVITIES),
        ),
        Text(PROFILE),
        Points(tuple(f"{one.what} {one.used_for}" for one in WORKED_OUT)),
        Text(
            "No special categories of data are asked for. A name is the only field in which an "
            "adult types freely about a child."
        ),
        Blank("How many children and adults are concerned"),
        Blank("How often it is used"),
    )


def _consultation() -> tuple[Item, ...]:
    return (
        Text(
            "Children of this age can be asked with the picture page for children, parents with "
            "the notice for parents. Both are in this folder."
        ),
        Blank(
            "Whom the school asked (parents, children, teachers, governors), when, and what they "
            "said",
            3,
        ),
        Blank("Advice of the data protection officer", 2),
    )


def _necessity(facts: Facts) -> tuple[Item, ...]:
    return (
        Points(
            (
                "Only a few facts about a child are asked for; there is no free text, photo, voice "
                "or place.",
                "A child can play without a family account, and an adult can switch questions off.",
                "A child's record can be read and taken away in one file, corrected on its page, "
                "and removed at once.",
                "Each period is listed in the retention schedule, and the server keeps to it by "
                "itself.",
                f"Questions go to {facts.whom}.",
            )
        ),
        Blank("Legal ground (many state schools: a task in the public interest)"),
        Blank("How parents are told, and when"),
    )


def _risks() -> tuple[Item, ...]:
    return (
        Text("Chance and harm are the makers' judgement before anything is done about it."),
        Table(
            ("risk", "chance", "harm"),
            tuple((one.what, one.chance, one.harm) for one in RISKS),
        ),
        Blank("Further risks at this school", 2),
    )


def _measures() -> tuple[Item, ...]:
    return (
        Table(
            ("risk", "what the program does", "what the school does", "risk that is left"),
            tuple(
                (
                    one.what,
                    f"{' '.join(one.measures)} {TESTED} {', '.join(one.tests)}.",
                    one.school,
                    one.left,
                )
                for one in RISKS
            ),
        ),
    )


def _decision() -> tuple[Item, ...]:
    return (
        Blank("Measures approved by, and date"),
        Blank("Risks that are left accepted by, and date"),
        Blank("Where the advice of the data protection officer was not followed, why"),
        Blank("To be looked at again on"),
    )
