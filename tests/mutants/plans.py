"""What is changed on purpose, and which tests ought to notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Plan:
    """Some modules, the tests that should notice changes in them, and the share of changes that
    they must notice."""

    name: str
    modules: tuple[str, ...]  # globs below classroom
    tests: tuple[str, ...]
    wanted: float  # the share of changes noticed, from 0 to 1

    def paths(self) -> list[Path]:
        found = [path for glob in self.modules for path in (ROOT / "classroom").glob(glob)]
        return sorted(path.relative_to(ROOT) for path in found if path.name != "__init__.py")

    def tests_for(self, module: Path) -> list[str]:
        """The tests to run, the module's own first, as they notice most changes within seconds."""
        own = sorted(ROOT.glob(f"tests/**/test_{module.stem}.py"))
        return [*(str(path.relative_to(ROOT)) for path in own), *self.tests]


# The files of tests that the plans for the web name, the quickest first.
HTTP: Final = "assets error_pages forms hosts kept pages security".split()
HTTP_TESTS: Final = (
    "error_pages sse again addresses heads component_cache hosts odd_requests kept both "
    "wrong_fields"
).split()
CHILD_TESTS: Final = (
    "path hand_rows signs dots board told table_view home talk voice earlier_rules play games"
).split()
ADULTS_TESTS: Final = (
    "first_visit second_factor school_list class_page sessions again restrict class_list year "
    "families settings home lesson_pages family record_words replay class_games teach progress "
    "sign_in colleagues studio"
).split()

PLANS: Final = (
    Plan("engine", ("engine/*.py",), ("tests/engine", "tests/games"), 0.90),
    Plan(
        "permissions",
        ("web/http/permissions.py", "web/http/guards.py"),
        ("tests/web/test_permissions.py", "tests/web/test_heads.py", "tests/web/test_security.py"),
        0.90,
    ),
    Plan("minds", ("minds/**/*.py",), ("tests/minds", "tests/services/test_recording.py"), 0.80),
    Plan("learning", ("learning/*.py",), ("tests/learning", "tests/services/test_posing.py"), 0.80),
    Plan(
        "services",
        (
            "services/table/rounds.py",
            "services/table/matches.py",
            "services/table/recording.py",
            "services/table/evidence_log.py",
            "services/quiz/*.py",
            "services/lesson/lessons.py",
            "services/lesson/seating.py",
            "services/lesson/gatherings.py",
            "services/access/sign_in.py",
            "services/access/sessions.py",
            "services/access/knocks.py",
            "services/school/classes.py",
            "services/school/family_links.py",
            "services/school/removals.py",
            "services/base/audit.py",
            "services/base/budgets.py",
        ),
        (
            "tests/services",
            "tests/test_privacy.py",
            "tests/web/test_sign_in.py",
            "tests/web/test_permissions.py",
            "tests/web/test_heads.py",
            "tests/web/test_security.py",
        ),
        0.80,
    ),
    Plan(
        "moves",
        (
            "services/school/child_moves.py",
            "services/school/school_year.py",
            "services/school/year_plan.py",
            "services/school/undoing.py",
        ),
        (
            "tests/services/test_child_moves.py",
            "tests/services/test_school_year.py",
            "tests/services/test_objections.py",
            "tests/services/test_restored.py",
            "tests/services/test_audit.py",
            "tests/web/test_year.py",
        ),
        0.80,
    ),
    Plan(
        "tombstones",
        (
            "services/base/tombstones.py",
            "services/operation/restored.py",
            "services/school/objections.py",
        ),
        (
            "tests/services/test_restored.py",
            "tests/services/test_objections.py",
            "tests/services/test_child_moves.py",
            "tests/services/test_second_factors.py",
            "tests/services/test_resets.py",
            "tests/services/test_family_links.py",
            "tests/web/test_restrict.py",
        ),
        0.80,
    ),
    Plan(
        "invitations",
        ("services/access/invitations.py", "services/school/people.py"),
        (
            "tests/services/test_invitations.py",
            "tests/services/test_people.py",
            "tests/services/test_restored.py",
            "tests/services/test_audit.py",
            "tests/web/test_colleagues.py",
        ),
        0.80,
    ),
    Plan("live", ("live/*.py",), ("tests/live", "tests/web/test_sse.py"), 0.80),
    Plan(
        "web_http",
        tuple(f"web/http/{name}.py" for name in HTTP),
        (
            *(f"tests/web/test_{name}.py" for name in HTTP_TESTS),
            "tests/web/test_security.py",
            "tests/web/test_forms.py",
        ),
        0.80,
    ),
    Plan(
        "web_child",
        ("web/child/*.py",),
        (
            *(f"tests/web/test_{name}.py" for name in CHILD_TESTS),
            "tests/web/test_news.py",
            "tests/web/test_questions.py",
        ),
        0.80,
    ),
    Plan(
        "web_adults",
        (
            *(f"web/{room}/*.py" for room in ("auth", "reports", "school", "teacher", "voice")),
            "web/*.py",
        ),
        (
            *(f"tests/web/test_{name}.py" for name in ADULTS_TESTS),
            "tests/web/test_pages.py",
            "tests/web/test_forms.py",
        ),
        0.80,
    ),
)
