"""Other people's checkers of pages: axe-core and IBM's look at a page in a browser, the Nu Html
Checker and html-validate at the text of many pages at once.

axe-core comes with the Python libraries, the others with `npm ci --prefix scripts`; the Nu Html
Checker needs Java. The tests of a checker that is missing are skipped and say so.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"
IBM = SCRIPTS / "node_modules/accessibility-checker-engine/ace.js"
NU = SCRIPTS / "node_modules/vnu-jar/build/dist/vnu.jar"
HTML_VALIDATE = SCRIPTS / "node_modules/html-validate/bin/html-validate.mjs"
RULES = SCRIPTS / "html-validate.config.mjs"

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOK = """async () => {
  const found = await new ace.Checker().check(document, ["IBM_Accessibility"]);
  return found.results
    .filter((one) => one.value[0] === "VIOLATION" && one.value[1] === "FAIL")
    .map((one) => [one.ruleId, one.snippet, one.message]);
}"""
# Where a rule of IBM's does not count: a part of the element that it names, and why.
NOT_COUNTED = {
    # It takes each form for a landmark; in ARIA only a form with a name is one, and ours have none.
    "aria_form_label_unique": "<form ",
    "aria_landmark_name_unique": "<form ",
    # The link that skips the header comes before everything, as WCAG's own technique G1 has it.
    "aria_content_in_landmark": 'class="skip"',
    # A table that scrolls must be reached by the keyboard, says axe-core; then it is a region.
    "element_tabbable_role_valid": 'tabindex="0"',
    # While a question gets help, a friend who cannot be tapped is pale, as WCAG 1.4.3 allows.
    "text_contrast_sufficient": 'class="seat__n"',
    # One form moves all classes of a school, each a group with the same boxes for its children.
    "input_checkboxes_grouped": 'type="checkbox"',
    # The words beside the picture of a shell are only heard, and it looks for words that are seen.
    "label_content_exists": 'class="take"',
    # It does not know the scope that HTML has for a heading over several columns.
    "table_headers_related": 'scope="colgroup"',
}
SMALL_JAVA = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss8m")  # it starts sooner


def need(*wanted: str | Path) -> None:
    """Skip a test where a program or a file that its checker needs is missing."""
    for one in wanted:
        if isinstance(one, str) and shutil.which(one) is None:
            pytest.skip(f"NOT CHECKED, for {one} is missing on this machine")
        if isinstance(one, Path) and not one.exists():
            pytest.skip(f"NOT CHECKED, for {one.name} is missing: npm ci --prefix scripts")


def axe(page: Page, where: str, **options: Any) -> list[str]:
    options = {"runOnly": LEVELS, "resultTypes": ["violations"], **options}
    found = Axe().run(page, options=options).response["violations"]
    return [_said(where, one) for one in found]


def _said(where: str, found: dict[str, Any]) -> str:
    target = " ".join(found["nodes"][0]["target"])
    return f"{where}: {found['id']} ({len(found['nodes'])}) {target}: {found['help']}"


@cache
def _ibm() -> str:
    return IBM.read_text("utf-8")


def ibm(page: Page, where: str) -> list[str]:
    page.evaluate(_ibm())
    found = defaultdict[str, list[str]](list)
    for rule, element, said in page.evaluate(LOOK):
        if rule not in NOT_COUNTED or NOT_COUNTED[rule] not in element:
            found[rule].append(f"{element}: {said}")
    return [f"{where}: {rule} ({len(said)}) {said[0]}" for rule, said in found.items()]


def nu(pages: Mapping[str, str]) -> list[str]:
    """The errors that the Nu Html Checker finds in these texts. Its warnings are left out: they ask
    for a heading in each section, also where a section is no more than a row of a child's page."""
    with _files(pages) as files:
        options = ["--errors-only", "--format", "json", "--stdout", "--exit-zero-always"]
        said = _run(["java", *SMALL_JAVA, "-jar", str(NU), *options, *files])
        return [
            f"{files[one['url'].removeprefix('file:')]}: {one['message']} {one.get('extract', '')}"
            for one in json.loads(said)["messages"]
        ]


def html_validate(pages: Mapping[str, str]) -> list[str]:
    """What html-validate says about these texts."""
    with _files(pages) as files:
        options = ["--config", str(RULES), "--formatter", "json"]
        said = _run(["node", str(HTML_VALIDATE), *options, *files])
        return [
            f"{files[page['filePath']]}, line {one['line']}: {one['ruleId']}: {one['message']}"
            for page in json.loads(said)
            for one in page["messages"]
        ]


@contextmanager
def _files(pages: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """These texts as files, each text once, with the name of each."""
    with TemporaryDirectory() as folder:
        names = {text: name for name, text in pages.items()}
        files = dict[str, str]()
        for text, name in names.items():
            file = Path(folder, f"{len(files)}.html")
            file.write_text(text, "utf-8")
            files[str(file)] = name
        yield files


def _run(command: list[str]) -> str:
    with TemporaryFile("w+", encoding="utf-8") as said:  # Node cuts off what is left in a pipe
        done = subprocess.run(
            command, cwd=SCRIPTS, stdout=said, stderr=subprocess.PIPE, text=True, timeout=300
        )
        said.seek(0)
        text = said.read()
    assert text.startswith(("{", "[")), done.stderr
    return text
