"""Checks of the repository: what must not be in it, and lists that must be complete."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from classroom import config
from classroom.web.http import assets

ROOT = Path(__file__).resolve().parent.parent
TEXT = {".py", ".md", ".txt", ".in", ".toml", ".html", ".css", ".js", ".yml", ".json", ".ini", ""}


def tracked() -> list[Path]:
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def texts() -> list[tuple[Path, str]]:
    kept = [p for p in tracked() if p.suffix in TEXT and "vendor" not in p.parts]
    return [(path, path.read_text(encoding="utf-8")) for path in kept]


def templates() -> list[Path]:
    return sorted((ROOT / "templates").rglob("*.html"))


# ---- what must not be in the repository

_AT = "|".join(("home", "Users", "root", "work", "opt", "mnt"))
MACHINE = re.compile(rf"(?<![\w./}}]):?/(?:{_AT})/[\w.-]+|[A-Z]:\\\\\w|file" + "://")
REGISTRY = re.compile(
    "index" + r"[-_]url|find" + r"[-_]links|trusted" + r"[-_]host|extra-" + "index"
)
HOSTS = re.compile("pypi" + r"\.|npm" + r"js\.|github" + r"\.com|js" + "delivr|un" + "pkg")


def test_no_file_holds_a_path_of_a_developers_machine() -> None:
    found = [(p, m[0]) for p, text in texts() if (m := MACHINE.search(text))]
    assert not found


def test_no_file_says_where_packages_come_from() -> None:
    for path, text in texts():
        assert not REGISTRY.search(text), path
        if path.suffix in (".in", ".toml", ".py", ".html", ".css", ".js") or "require" in path.name:
            assert not HOSTS.search(text), path


def test_nothing_local_is_in_the_repository() -> None:
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        assert not name.startswith((".venv/", "instance/")), name
        assert path.suffix not in (".db", ".pyc", ".pid", ".log"), name
        assert path.name not in ("key", "demo-key", "uv.lock", "pylock.toml"), name


def test_the_locks_hold_all_hashes_and_the_tests_use_the_served_versions() -> None:
    pins = {}
    more = ("requirements-postgres", "requirements-build", "requirements-mutants")
    for name in ("requirements", "requirements-test", *more):
        text = (ROOT / f"{name}.txt").read_text(encoding="utf-8")
        blocks = re.split(r"\n(?=\S)", text.strip())
        assert all(block.count("--hash=sha256:") >= 1 for block in blocks), name
        pins[name] = {tuple(block.split(" ", 1)[0].split("==")) for block in blocks}
    assert pins["requirements"] <= pins["requirements-test"]
    served = dict(pins["requirements"])
    for package, version in (pin for name in more for pin in pins[name]):
        assert served.get(package, version) == version, package
    linux_only = re.compile(r"^uvloop==\S+ ; .*win32", re.M)
    assert linux_only.search((ROOT / "requirements.txt").read_text(encoding="utf-8"))


# ---- lists that are kept complete


def test_each_setting_has_one_line_with_a_comment_and_is_documented() -> None:
    source = (ROOT / "classroom" / "config.py").read_text(encoding="utf-8")
    documented = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for name in config.NAMES:
        (line,) = re.findall(rf"^    {name} = .*  # (.+)$", source, re.M)
        assert f"| `{name}` | {line}" in documented.replace("\\|", "|"), name
    assert len(re.findall(r"^\| `[A-Z_]+` \|", documented, re.M)) == len(config.NAMES)


def test_each_refusal_has_a_sentence() -> None:
    """Adults read the refusals of these services as sentences; children see some as pictures."""
    from classroom.web.words.sentences import SENTENCES

    spoken_in_pictures = {"wait", "class_rests", "ask_teacher", "wrong_pictures"}
    codes = set()
    for name in ("accounts", "sign_in", "passwords"):
        path = ROOT / "classroom" / "services" / "access" / f"{name}.py"
        source = path.read_text(encoding="utf-8")
        codes |= set(re.findall(r"(?:Refused|NotNow)\(\"(\w+)\"", source))
    assert codes
    assert codes - spoken_in_pictures <= set(SENTENCES)


def test_list_items_keep_their_role_and_only_what_scrolls_is_a_stop() -> None:
    """A list whose items are pictures is no list for a screen reader, so each picture is inside an
    item. On a child's page the keyboard stops only where it can do or scroll something."""
    for path in templates():
        text = path.read_text("utf-8")
        assert not re.search(r"<li\b[^>]*\brole=", text), path
        if "child" in path.parts:
            for stop in re.findall(r'<\w+\b[^>]*tabindex="0"', text):
                assert "board__past" in stop, (path, stop)


def test_every_template_parses_and_the_templates_it_names_exist() -> None:
    environment = Environment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"])
    assert templates()
    for path in templates():
        tree = environment.parse(path.read_text(encoding="utf-8"))
        named = tree.find_all((nodes.Extends, nodes.Include, nodes.FromImport, nodes.Import))
        for node in named:
            if isinstance(node.template, nodes.Const):
                assert (ROOT / "templates" / node.template.value).is_file(), (path, node.lineno)


def test_no_line_of_a_template_is_longer_than_one_of_python() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    most = settings["tool"]["ruff"]["line-length"]
    for path in templates():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line) <= most, f"{path}:{number}"


def test_no_template_holds_inline_style_script_or_foreign_address() -> None:
    wrong = re.compile(
        r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=|hx-on|javascript:|hx-vals=.js|"
        r"(?:src|href|action|hx-[a-z]+)=[\"']?(?:https?:)?//|\bhx-trigger=\"[^\"]*\["
    )
    for path in templates():
        found = wrong.search(path.read_text(encoding="utf-8"))
        assert not found, (path, found and found[0])


def test_attributes_of_htmx_begin_with_data_and_nothing_of_it_holds_a_colon() -> None:
    """So that pages are valid HTML: `data-hx-sse-connect`, not `hx-sse:connect`. htmx is told to
    use a hyphen (`metaCharacter`), and does so in the names of its events too."""
    wrong = re.compile(r"(?<!data-)\bhx-[a-z]|data-hx-[a-z-]*:|[\"']htmx:")
    for path in (*templates(), *(ROOT / "scripts").glob("[ac]*/*.js")):
        found = wrong.search(path.read_text(encoding="utf-8"))
        assert not found, (path, found and found[0])


def test_no_template_writes_an_address_by_hand() -> None:
    """The demo school is served below a prefix, so every address comes from url_for or asset."""
    by_hand = re.compile(r"(?:href|src|action|hx-(?:get|post|sse-connect))=\"/")
    for path in templates():
        assert not by_hand.search(path.read_text(encoding="utf-8")), path


def test_every_form_that_posts_carries_the_token() -> None:
    form = re.compile(r"<form\b[^>]*>.*?</form>", re.S)
    for path in templates():
        for found in form.findall(path.read_text(encoding="utf-8")):
            head = found.split(">", 1)[0]
            if re.search(r"method=\"post\"|hx-post", head):
                assert "csrf_field()" in found or "csrf_token()" in found, (path, head)


def test_every_asset_that_a_template_names_exists() -> None:
    for path in templates():
        text = path.read_text(encoding="utf-8")
        linked = " ".join(re.findall(r"styles\((.*?)\) \}\}", text, re.S))
        sheets = re.findall(r'"(\w+)"(?! ~)', linked)
        named = re.findall(r"asset\(['\"]([^'\"~]+)['\"]\)", text)
        for name in (*named, *(f"css/{sheet}.css" for sheet in sheets)):
            assert name in assets.MADE or (ROOT / "static" / name).is_file(), (path, name)


MODULES = sorted(path for room in ("classroom", "tools") for path in (ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.stem)
def test_modules_and_functions_stay_small(path: Path) -> None:
    if "migrations" in path.parts:
        return  # made by a tool
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= 700, "a module of 150 to 600 lines holds one capability"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or 0) - node.body[0].lineno + 1
            assert lines <= 60, f"{node.name} is {lines} lines long"
