"""The scripts of the pages: their types, their format, and how they are joined."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from classroom.web.http import assets

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "scripts"
OURS = sorted(one for room in ("child", "adult", "studio") for one in (SCRIPTS / room).glob("*.js"))
ALL = pytest.mark.parametrize("path", OURS, ids=lambda path: f"{path.parent.name}/{path.stem}")


def node(tool: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of scripts/package.json. Without it, the test is skipped and says so."""
    program = shutil.which("node")
    files = {"tsc": "typescript/bin/tsc", "prettier": "prettier/bin/prettier.cjs"}
    script = SCRIPTS / "node_modules" / files[tool]
    if program is None or not script.exists():
        pytest.skip(f"NOT CHECKED, for {tool} is missing: npm ci --prefix scripts")
    command = [program, str(script), *arguments]
    return subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True)


def test_the_types_of_the_scripts_are_correct() -> None:
    done = node("tsc")
    assert done.returncode == 0, done.stdout


def test_scripts_and_styles_are_formatted() -> None:
    done = node("prettier", "--check", "--cache", ".", "../static/css")
    assert done.returncode == 0, done.stderr


def test_the_type_check_finds_a_fault(tmp_path: Path) -> None:
    (tmp_path / "wrong.js").write_text("// @ts-check\nexport const n = document.unknown;\n")
    settings = ["--allowJs", "--checkJs", "--noEmit", "--lib", "es2022,dom", "--ignoreConfig"]
    done = node("tsc", *settings, str(tmp_path / "wrong.js"))
    assert done.returncode
    assert "unknown" in done.stdout


def test_what_the_scripts_do() -> None:
    """The scripts' own tests, in scripts/tests: they need node alone, without any package."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("NOT CHECKED, for node is missing")
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    if int(version.strip().lstrip("v").partition(".")[0]) < 20:
        pytest.skip(f"NOT CHECKED, for node is {version.strip()} and no newer than 20")
    tests = sorted(map(str, (SCRIPTS / "tests").glob("*.test.js")))
    command = [program, "--test", "--test-reporter=tap", *tests]
    done = subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@ALL
def test_every_module_has_a_type_check_and_a_description(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "// @ts-check"
    assert lines[1].startswith("// ")
    assert len(lines) <= 300
    assert max(map(len, lines)) <= 120


@ALL
def test_no_module_lets_others_change_its_variables(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"^export (let|var)\b", text, re.M)


def test_every_module_is_part_of_a_file() -> None:
    used: set[Path] = set()
    for start in assets.SCRIPTS.values():
        used |= assets.modules(SCRIPTS / start).keys()
    assert used == set(OURS)


def test_the_lock_names_no_registry() -> None:
    lock = (SCRIPTS / "package-lock.json").read_text("utf-8")
    assert "integrity" in lock
    assert "resolved" not in lock
    assert "registry" not in lock


# ---- how they are joined


def module(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_module_comes_after_those_it_imports_from(tmp_path: Path) -> None:
    module(tmp_path, "low.js", "export const one = 1;\n")
    module(tmp_path, "high.js", 'import { one } from "./low.js";\nexport const two = one + one;\n')
    imports = 'import { two } from "./high.js";\nimport { one } from "./low.js";\n'
    start = module(tmp_path, "main.js", imports + "console.log(one + two);\n")
    assert [path.stem for path in assets.modules(start)] == ["low", "high", "main"]


def test_joined_modules_do_the_same_as_separate_ones(tmp_path: Path) -> None:
    module(tmp_path, "low.js", "let n = 20;\nexport async function get() {\n  return n++;\n}\n")
    imports = 'import {\n  get,\n} from "./low.js";\n'
    start = module(tmp_path, "main.js", imports + "get().then(get).then(console.log);\n")
    program = shutil.which("node")
    if program is None:
        pytest.skip("NOT CHECKED, for node is missing")
    made = "".join(assets.modules(start).values())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    apart = subprocess.run([program, str(start)], capture_output=True, text=True, check=True)
    done = subprocess.run([program, "-e", made], capture_output=True, text=True, check=True)
    assert done.stdout == apart.stdout == "21\n"


def test_a_name_in_two_modules_is_refused(tmp_path: Path) -> None:
    module(tmp_path, "low.js", "function paint() {}\nexport const low = paint;\n")
    text = 'import { low } from "./low.js";\nconst paint = low;\n'
    with pytest.raises(ValueError, match=r"paint is a name in low\.js and in main\.js"):
        assets.modules(module(tmp_path, "main.js", text))


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    start = module(tmp_path, "a.js", 'import { b } from "./b.js";\nexport const a = b;\n')
    module(tmp_path, "b.js", 'import { a } from "./a.js";\nexport const b = a;\n')
    with pytest.raises(ValueError, match=r"a\.js imports itself by way of b\.js"):
        assets.modules(start)


@pytest.mark.parametrize(
    "line",
    [
        "export default 1;",
        "const { one } = low;",
        'import { one as two } from "./low.js";',
        "export let count = 0;",
        'export * from "./low.js";',
        'import * as low from "./low.js";',
        'import low from "elsewhere";',
    ],
)
def test_a_form_that_cannot_be_joined_is_refused(tmp_path: Path, line: str) -> None:
    module(tmp_path, "low.js", "export const one = 1;\n")
    with pytest.raises(ValueError, match=r"main\.js: .* is a form that is not joined"):
        assets.modules(module(tmp_path, "main.js", line + "\n"))


def test_a_changed_vendored_file_is_not_joined(tmp_path: Path) -> None:
    whole = (SCRIPTS / "vendor" / "htmx.min.js").read_bytes()
    (tmp_path / "htmx.min.js").write_bytes(whole + b" ")
    with pytest.raises(ValueError, match="not the file"):
        assets.vendored(tmp_path / "htmx.min.js")


# ---- served files


@pytest.mark.parametrize("file", assets.MADE)
def test_a_joined_file_is_served_and_cached(app: Flask, client: FlaskClient, file: str) -> None:
    with app.test_request_context("/"):
        address = app.jinja_env.globals["asset"](file)  # type: ignore[operator]
    assert re.fullmatch(rf"/static/{file}\?v=[0-9a-f]{{10}}", address)
    answer = client.get(address)
    assert answer.data == assets.made(file)
    kinds = {"css": "text/css", ".js": "text/javascript", "svg": "image/svg+xml"}
    assert answer.mimetype == kinds[file[-3:]]
    assert "immutable" in answer.headers["Cache-Control"]
    again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_htmx_comes_before_our_script() -> None:
    made = assets.made("js/bundle.js").decode()
    htmx, events, ours = (made.index(word) for word in ("var htmx", "sse:connect", "use strict"))
    assert htmx < events < made.index("startQueue()")
    assert ours


def test_neither_a_tool_nor_a_source_is_served(client: FlaskClient) -> None:
    """No program of ours is in `static`, and no file outside that folder can be requested."""
    kinds = {path.suffix for path in (ROOT / "static").rglob("*") if path.is_file()}
    assert kinds == {".css", ".json", ".mp3", ".svg", ".txt", ".woff2"}
    sources = [path.relative_to(ROOT).as_posix() for path in OURS]
    sources += ["tools/make_voice.py", "tools/proof/levels.py", "scripts/package.json"]
    for path in (*sources, "js/bundle.py", "voice/make_voice.py", "js/app/3-play.js"):
        for address in (f"/static/{path}", f"/static/../{path}", f"/static/js/{Path(path).name}"):
            assert client.get(address).status_code == 404, address
