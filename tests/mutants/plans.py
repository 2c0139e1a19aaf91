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


PLANS: Final = (
    Plan("engine", ("engine/*.py",), ("tests/engine", "tests/games"), 0.90),
    Plan(
        "permissions",
        ("web/http/permissions.py", "web/http/guards.py", "services/access/ownership.py"),
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
            "services/school/families.py",
            "services/school/removals.py",
            "services/base/audit.py",
            "services/base/budgets.py",
        ),
        ("tests/services", "tests/test_privacy.py", "tests/web/test_sign_in.py"),
        0.80,
    ),
)
