"""The folder: the papers that a school needs before it may use the program."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Response, abort, current_app, g, request

from classroom import papers
from classroom.papers import Document, SchoolFacts
from classroom.services.school import schools
from classroom.web.http.pages import Page, SchoolPage, render
from classroom.web.reports.progress import attached

MARKDOWN = "text/markdown; charset=utf-8"


@dataclass(frozen=True, kw_only=True)
class FolderPage(SchoolPage):
    template = "pages/school/folder.html"
    papers: tuple[Document, ...]


@dataclass(frozen=True, kw_only=True)
class PaperPage(Page):
    template = "pages/school/paper.html"
    document: Document


def folder() -> str:
    """The list of papers."""
    return render(FolderPage(here="folder", papers=papers.papers(_facts())))


def paper(paper: str) -> Response | str:
    """One paper, to read and print; with `?as=file` as a file that a word processor opens."""
    found = next((one for one in papers.papers(_facts()) if one.key == paper), None)
    if found is None:
        abort(404)
    if request.args.get("as") == "file":
        return attached(Response(found.markdown, content_type=MARKDOWN), found.title, "md")
    return render(PaperPage(document=found))


def components() -> Response:
    """The list of third-party software (CycloneDX), as a file."""
    return attached(
        Response(papers.components(), content_type="application/json"), "components", "json"
    )


def _facts() -> SchoolFacts:
    config = current_app.config
    return SchoolFacts(
        school=schools.size(g.who.school_id).name,
        contact=config["CONTACT"],
        https=bool(config["TLS_CERT"]),
        database="PostgreSQL" if config["DATABASE_URI"].startswith("postgresql") else "SQLite",
    )
