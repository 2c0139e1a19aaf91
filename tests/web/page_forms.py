"""The forms of a page, as a browser reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

Pairs = list[tuple[str, str]]


@dataclass
class Form:
    """A form, with the fields that a browser would send. `hidden`: the names of hidden fields;
    `inputs`: the attributes of each visible one."""

    action: str
    method: str
    fields: Pairs = field(default_factory=list)
    hidden: set[str] = field(default_factory=set)
    inputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def sent(self, **changed: str | list[str]) -> dict[str, list[str]]:
        """The values of all fields by name, with those in `changed` replaced."""
        found: dict[str, list[str]] = {}
        for name, value in self.fields:
            found.setdefault(name, []).append(value)
        for name, values in changed.items():
            found[name] = [values] if isinstance(values, str) else values
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.area: str | None = None
        self.select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.form = Form(given.get("action", ""), given.get("method", "get"))
            self.forms.append(self.form)
        elif self.form is not None and tag == "option" and self.select is not None:
            if "selected" in given or self.select not in dict(self.form.fields):
                kept = [pair for pair in self.form.fields if pair[0] != self.select]
                self.form.fields[:] = [*kept, (self.select, given.get("value", ""))]
        elif self.form is not None and "name" in given and "disabled" not in given:
            self._field(self.form, tag, given)

    def _field(self, form: Form, tag: str, given: dict[str, str]) -> None:
        name, kind = given["name"], given.get("type", "text")
        if tag == "input" and kind == "hidden":
            form.hidden.add(name)
        elif tag in ("input", "select", "textarea"):
            form.inputs[name] = given
        if tag == "input" and (kind not in ("radio", "checkbox") or "checked" in given):
            form.fields.append((name, given.get("value", "on" if kind == "checkbox" else "")))
        self.select = name if tag == "select" else None
        if tag == "textarea":
            self.area = name
            form.fields.append((name, ""))

    def handle_data(self, data: str) -> None:
        if self.form is not None and self.area is not None:
            self.form.fields[-1] = (self.area, self.form.fields[-1][1] + data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "textarea":
            self.area = None
        elif tag == "select":
            self.select = None


def forms_of(html: str) -> list[Form]:
    """All forms of a page, in order."""
    reader = _Reader()
    reader.feed(html)
    return reader.forms


def form_to(html: str, action: str, holding: str = "") -> Form:
    """The first form of a page that is sent to this address and has a field `holding`, if given."""
    for form in forms_of(html):
        if form.action == action and (not holding or holding in dict(form.fields)):
            return form
    raise AssertionError(f"no form is sent to {action}")
