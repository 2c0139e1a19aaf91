"""The letter by which a school in the United States authorises the use of the program, and the
terms for somebody who runs the server for a school."""

from __future__ import annotations

from classroom.papers.activities import ACTIVITIES
from classroom.papers.facts import Facts
from classroom.papers.paper import Blank, Paper, Part, Points, Text
from classroom.papers.records import SAFETY
from classroom.privacy import REGISTER

NOT_LEGAL = (
    "This is a draft to begin with, not legal advice: have it read by somebody who gives it."
)


def school_authorisation(facts: Facts) -> Paper:
    return Paper(
        key="school-authorisation",
        title="School authorisation",
        about="For schools in the United States that run the server through somebody else and "
        "consent on behalf of parents (COPPA), for school purposes only. Where the school runs the "
        f"server itself, no operator collects anything. {NOT_LEGAL}",
        parts=(
            Part(
                "What the school authorises",
                (
                    Text(
                        f"{facts.school[:1].upper() + facts.school[1:]} authorises the operator "
                        "named below to run Fish School for its classes, and to keep the "
                        "information listed here about children under 13, for the use and benefit "
                        "of the school and for no commercial purpose."
                    ),
                    Blank("Operator, address, telephone"),
                ),
            ),
            Part("What is collected", (Points(_collected()),)),
            Part(
                "What the operator promises",
                (
                    Points(
                        (
                            "It uses the information only to run the program for this school.",
                            "It gives it to no one, and shows no advertisements.",
                            "It lets the school and parents read and delete it, and stops "
                            "collecting when the school says so.",
                            "It keeps it no longer than the retention schedule in this folder "
                            "says.",
                            "It protects it as the record of processing in this folder says.",
                        )
                    ),
                ),
            ),
            Part(
                "What the school does",
                (
                    Points(
                        (
                            "It gives parents the notice in this folder.",
                            "It tells the operator when a child leaves or a parent objects.",
                        )
                    ),
                    Blank("For the school: name, office, date, signature"),
                    Blank("For the operator: name, date, signature"),
                ),
            ),
        ),
    )


def _collected() -> tuple[str, ...]:
    return tuple(
        f"{table.what} About a child: {'; '.join(about)}."
        for name, table in REGISTER.items()
        if name != "adults"
        and (about := [line.purpose for line in table.columns.values() if line.personal])
    )


def processor_terms(facts: Facts) -> Paper:
    return Paper(
        key="processor-terms",
        title="Terms for whoever runs the server for a school",
        about="What Article 28 of the GDPR and of the UK GDPR asks for between a school and "
        "somebody who runs its server, such as a district or a company. A school that runs its own "
        f"server needs none: the makers of the program receive nothing. {NOT_LEGAL}",
        parts=(
            Part(
                "Between",
                (
                    Text(f"Controller: {facts.school}."),
                    Blank("Processor, address, contact"),
                    Blank("From, until"),
                ),
            ),
            Part(
                "What it is about",
                (
                    Points(tuple(f"{one.name}: {one.purpose}" for one in ACTIVITIES)),
                    Text(
                        "The data, the people and the periods are those of the record of "
                        "processing and the retention schedule in this folder."
                    ),
                ),
            ),
            Part(
                "The processor",
                (
                    Points(
                        (
                            "acts only on the school's written instructions, and says so if it "
                            "thinks that one is unlawful;",
                            "lets only people at the data who have promised to keep it to "
                            "themselves;",
                            "keeps the disk and the backups encrypted, runs the newest version, "
                            "and uses https;",
                            "engages nobody else without the school's leave, and then on these "
                            "terms;",
                            "helps the school to answer parents (the program has the files for "
                            "it), and to assess risks;",
                            "tells the school of a breach without delay, at most 48 hours after "
                            "it knows of it;",
                            "keeps the data in the country that is named below;",
                            "gives the school a backup that can be restored and then deletes "
                            "everything, backups included, within 35 days of the end;",
                            "shows the school that it keeps to these terms, and lets it look.",
                        )
                    ),
                    Blank("Country"),
                    Blank("Others who are engaged, and for what"),
                ),
            ),
            Part("Security", (Points(SAFETY),)),
            Part(
                "Signed",
                (
                    Blank("For the school: name, office, date, signature"),
                    Blank("For the processor: name, office, date, signature"),
                ),
            ),
        ),
    )
