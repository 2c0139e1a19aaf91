"""The letter to parents, and the picture page for children."""

from __future__ import annotations

from classroom.papers.facts import Facts
from classroom.papers.paper import Answers, Blank, Paper, Part, Picture, Points, Text
from classroom.privacy import FOR_CHILDREN, PROFILE, QUESTIONS, SHORT


def notice_for_parents(facts: Facts) -> Paper:
    return Paper(
        key="notice-for-parents",
        title="A letter to parents about Fish School",
        about="To hand out before a class begins. The school may change it.",
        parts=(
            Part(
                "Dear parents",
                (
                    Text(
                        "In class we play card games of the Go Fish family in the browser. They "
                        "give children a reason to count, to compare, to add, and to remember who "
                        "asked for what. We use a program called Fish School."
                    ),
                    Text(
                        f"{_capital(facts.school)} is responsible for the data. If you have a "
                        f"question, ask {facts.whom}."
                    ),
                ),
            ),
            Part("What is kept", (Answers(SHORT),)),
            Part("What the program works out", (Text(PROFILE),)),
            Part(
                "What you can do",
                (
                    Points(
                        (
                            "See how your child is doing, and choose how hard the game is: ask the "
                            "teacher for a family code.",
                            "Take your child's whole record with you, as a file.",
                            "Have something put right, or your child's record removed: ask the "
                            "teacher.",
                            "Have the questions switched off for your child: it can still play.",
                            "Object to what is worked out about your child: on its page, or by "
                            "telling the teacher. Then there are no levels, no remarks and no "
                            "questions, answers are not recorded, and it plays as before. The "
                            "teacher deletes earlier answers if you wish.",
                            "See who looked at your child's data.",
                        )
                    ),
                    Text(
                        "If you are not content with the answer, you may complain to the data "
                        "protection authority of your country."
                    ),
                ),
            ),
            Part("More questions", (Answers(QUESTIONS),)),
            Part("", (Blank("Date and name"),)),
        ),
    )


def page_for_children(_facts: Facts) -> Paper:
    return Paper(
        key="page-for-children",
        title="What the game knows about you",
        about="For an adult to read out and children to look at.",
        parts=(
            Part("Look", tuple(Picture(picture, words) for picture, words in FOR_CHILDREN)),
            Part(
                "If you do not like something",
                (Picture("i-hand", "Tell your teacher, or your family at home."),),
            ),
        ),
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
