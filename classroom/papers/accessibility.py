"""The accessibility report: each criterion of WCAG 2.2, levels A and AA, and how far it is met.

The judgements are ours. We say "met" only of what a test checks, or what was tried by hand.
"""

from __future__ import annotations

from typing import Final, Literal

from classroom.papers.facts import Facts
from classroom.papers.paper import Blank, Paper, Part, Points, Table, Text

Met = Literal["met", "partly", "does not apply"]

CRITERIA: Final[tuple[tuple[str, Met, str], ...]] = (
    ("1.1.1 Non-text content", "met", "Every picture that means something has a name."),
    ("1.2.1-1.2.5 Time-based media", "does not apply", "There is no film. Voices repeat what is "
     "shown."),
    ("1.3.1 Info and relationships", "met", "Headings, lists, tables, fields with labels."),
    ("1.3.2 Meaningful sequence", "met", ""),
    ("1.3.3 Sensory characteristics", "met", "A colour is always joined by a shape or a word."),
    ("1.3.4 Orientation", "partly", "Both work; small screens held sideways are cramped at the "
     "table."),
    ("1.3.5 Identify input purpose", "met", "Sign-in fields name theirs."),
    ("1.4.1 Use of colour", "met", ""),
    ("1.4.2 Audio control", "met", "Voices are short, and one button silences them."),
    ("1.4.3 Contrast (minimum)", "met", "Looked at by axe on every page."),
    ("1.4.4 Resize text", "partly", "Adults' pages to 200 %; the table scrolls at that size."),
    ("1.4.5 Images of text", "met", "There are none."),
    ("1.4.10 Reflow", "partly", "At 360 pixels nothing scrolls sideways but wide tables."),
    ("1.4.11 Non-text contrast", "met", ""),
    ("1.4.12 Text spacing", "partly", "Not tried on every page."),
    ("1.4.13 Content on hover or focus", "does not apply", "Nothing appears on hover."),
    ("2.1.1 Keyboard", "met", "Whole rounds are played by keyboard in the tests."),
    ("2.1.2 No keyboard trap", "met", ""),
    ("2.1.4 Character key shortcuts", "does not apply", "There are none."),
    ("2.2.1 Timing adjustable", "partly", "A computer friend plays for a child who does not move; "
     "the teacher sets after how long, and the child's tap ends it. Sessions of adults end after "
     "three idle hours."),
    ("2.2.2 Pause, stop, hide", "met", "Motion ends by itself, and is left out where the device "
     "asks for less."),
    ("2.3.1 Three flashes", "met", "Nothing flashes."),
    ("2.4.1 Bypass blocks", "partly", "Landmarks and headings; there is no skip link."),
    ("2.4.2 Page titled", "met", ""),
    ("2.4.3 Focus order", "met", ""),
    ("2.4.4 Link purpose", "met", ""),
    ("2.4.5 Multiple ways", "partly", "By the menu and by links; there is no search."),
    ("2.4.6 Headings and labels", "met", ""),
    ("2.4.7 Focus visible", "met", "A ring of a dark and a light part."),
    ("2.4.11 Focus not obscured", "met", ""),
    ("2.5.1 Pointer gestures", "met", "Only single taps."),
    ("2.5.2 Pointer cancellation", "met", "A tap counts when it ends."),
    ("2.5.3 Label in name", "partly", "Pictures beside figures have longer names than they show."),
    ("2.5.4 Motion actuation", "does not apply", ""),
    ("2.5.7 Dragging movements", "met", "Nothing has to be dragged."),
    ("2.5.8 Target size", "met", "76 pixels at the table, measured on three sizes of screen."),
    ("3.1.1 Language of page", "met", "English."),
    ("3.1.2 Language of parts", "partly", "Names are not marked."),
    ("3.2.1 On focus", "met", ""),
    ("3.2.2 On input", "met", ""),
    ("3.2.3 Consistent navigation", "met", ""),
    ("3.2.4 Consistent identification", "met", ""),
    ("3.2.6 Consistent help", "met", "The raised hand is always in the same place."),
    ("3.3.1 Error identification", "met", "Beside the field, in words."),
    ("3.3.2 Labels or instructions", "met", ""),
    ("3.3.3 Error suggestion", "met", ""),
    ("3.3.4 Error prevention", "met", "Removing shows first what would be deleted."),
    ("3.3.7 Redundant entry", "met", ""),
    ("3.3.8 Accessible authentication", "met", "Children tap pictures from a card; adults may "
     "paste a password."),
    ("4.1.2 Name, role, value", "met", "Looked at by axe on every page."),
    ("4.1.3 Status messages", "met", "What happens at the table is told in a live region."),
)  # fmt: skip


def accessibility_report(_facts: Facts) -> Paper:
    return Paper(
        key="accessibility",
        title="Accessibility report",
        about="For whoever has to show that the program can be used by everybody: WCAG 2.2, levels "
        "A and AA, which the rules for public bodies of the European Union, the United Kingdom and "
        "the United States refer to in one version or another. Written by the makers, not audited.",
        parts=(
            Part(
                "How it was looked at",
                (
                    Points(
                        (
                            "axe-core looks at each page that a stranger, a device, a child, a "
                            "teacher, a parent and an administrator can open, with every change of "
                            "the program (tests/browser/test_access.py), and at a child's pages in "
                            "each state on three screens (tests/browser/test_access_states.py). It "
                            "finds nothing.",
                            "Home, table, question and end were looked at in forced colours.",
                            "Home, four games' tables, the board and four kinds of question were "
                            "looked at in simulations of three kinds of colour blindness "
                            "(protanopia, deuteranopia, tritanopia).",
                            "Whole rounds are played by keyboard alone (tests/browser).",
                            "The size and distance of everything that a child can touch is "
                            "measured (tests/browser/test_sizes.py).",
                            "Colours are checked against each other (tests/test_styles.py).",
                        )
                    ),
                    Text(
                        "Not tried: a screen reader by ear, voice control, switches, and people "
                        "with disabilities using it. An automatic check finds less than half of "
                        "what can be wrong."
                    ),
                ),
            ),
            Part(
                "Criteria",
                (Table(("criterion", "met", "remark"), tuple(tuple(one) for one in CRITERIA)),),
            ),
            Part(
                "For whom it is hard now",
                (
                    Points(
                        (
                            "A child who cannot see can reach and name everything, but a whole "
                            "round by a screen reader was not tried.",
                            "A child who uses one switch can play only with a device that turns "
                            "switches into keys.",
                            "A child who does not understand English hears English voices.",
                        )
                    ),
                    Blank("Whom to tell of a difficulty"),
                ),
            ),
        ),
    )
