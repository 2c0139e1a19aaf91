"""Random requests: to every route, by every method, from everyone, sound and broken.

All follow from a seed and the server's answers. Some are forms of real pages, filled in; others are
made up, with a good token, a wrong one or none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from flask import Flask

from classroom.web.http.permissions import PERMISSIONS
from tests.web.test_forms import EXTRA, FIELD_NAMES, FORMS, ODD

Fields = list[tuple[str, str]]
METHODS: Final = "GET POST HEAD OPTIONS PUT DELETE PATCH TRACE PROPFIND".split()
NUMBERS: Final = (
    *(0, -1, 1, 2, 987_654, 2**31 - 1, 2**31, 2**63, 10**40),
    *("abc", "1.5", "%00", "１", "1e3", "+1", " 1", "", "..", "1/../2"),
)
WORDS: Final = (
    *("classic", "wish_pairs", "old_fish", "100000", "css/tokens.css", "../key", "3", "0"),
    *("%2e%2e/%2e%2e/instance/key", "x" * 300, "%ff", "a%0d%0ab", "Ünï", "", "nowhere.svg"),
)
HOSTS: Final = (
    "evil.example",
    "",
    "localhost:99999",
    "[::1",
    "a b",
    "localhost, evil",
    "127.0.0.1",
)
_ARGUMENT: Final = re.compile(r"<(?:[^:>]+:)?(\w+)>")
_END: Final = "Connection: close\r\n\r\n"
_GOOD: Final = 0.7  # the share of form values that are sent unchanged


# ---- the forms of a page


@dataclass
class Form:
    """A form of a page: its address, and the values that each field offers."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            method = given.get("method", "get").upper()
            self.found.append(Form(given.get("action", ""), method))
        elif tag == "select":
            self._select = given.get("name", "")
        elif self.found and tag == "option" and self._select:
            self._take(self._select, given.get("value", ""))
        elif self.found and tag in ("input", "textarea", "button") and "name" in given:
            self._take(given["name"], given.get("value", ""))

    def _take(self, name: str, value: str) -> None:
        self.found[-1].fields.setdefault(name, []).append(value)


def forms_of(page: str) -> list[Form]:
    reader = _Forms()
    reader.feed(page)
    return reader.found


# ---- requests


@dataclass(frozen=True)
class Request:
    """The bytes for the socket. `sound`: they are HTTP, and so must be answered."""

    raw: bytes
    sound: bool = True

    def __str__(self) -> str:
        return repr(self.raw[:1_500]) + ("..." if len(self.raw) > 1_500 else "")


@dataclass
class Known:
    """What one person has: ids of their own things and of all things, cookies, the last token."""

    who: str
    kind: str
    own: dict[str, list[int]] = field(default_factory=dict)  # by argument of an address
    every: dict[str, list[int]] = field(default_factory=dict)
    jar: dict[str, str] = field(default_factory=dict)
    token: str = ""


class Requests:
    """Makes the random requests of one person."""

    def __init__(self, app: Flask, known: Known, rng: Random) -> None:
        self.known, self.rng = known, rng
        rules = sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, rule.endpoint))
        self._rules = sorted({rule.rule for rule in rules})
        mine = [rule for rule in rules if known.kind in PERMISSIONS[rule.endpoint].who]
        self._forms = {
            rule.rule: FORMS[rule.endpoint][2]
            for rule in mine
            if rule.endpoint in FORMS and "POST" in (rule.methods or ())
        }
        self._pages = [
            rule.rule
            for rule in mine
            if "GET" in (rule.methods or ()) and rule.endpoint != "static"
        ]

    def path(self, rule: str = "", own: float = 0.6) -> str:
        """An address of this rule, or of a random one. `own`: how likely it is to name
        this person's things."""
        built = _ARGUMENT.sub(
            lambda found: self._value(found[1], own), rule or self.rng.choice(self._rules)
        )
        return ("/demo" if self.rng.random() < 0.03 else "") + built

    def _value(self, name: str, own: float) -> str:
        if name not in ("class_id", "child_id", "round_id"):
            return str(self.rng.choice(NUMBERS if name == "seq" else WORDS))
        lot = self.rng.random()
        if lot < own and self.known.own.get(name):
            return str(self.rng.choice(self.known.own[name]))
        if lot < 0.8:
            return str(self.rng.choice(self.known.every[name]))
        return str(self.rng.choice(NUMBERS))

    def page(self) -> Request:
        """A request for a page, as from a link."""
        return self.request("GET", self.path(self.rng.choice(self._pages), own=0.9))

    def filled(self, forms: Sequence[Form], path: str) -> Request:
        """A form of a page, with most values as the page gives them."""
        form = self.rng.choice(forms)
        fields = [(name, self._typed(name, values)) for name, values in form.fields.items()]
        fields = [one for one in fields if self.rng.random() < 0.9 or one[0] == "token"]
        if self.rng.random() < 0.1:
            fields += self.junk(2)
        action = form.action or path
        if form.method == "GET":
            return self.request("GET", f"{urlsplit(action).path}?{urlencode(fields)}")
        return self.posted(action, fields)

    def _typed(self, name: str, values: list[str]) -> str:
        if name == "token" or self.rng.random() < _GOOD:
            return self.rng.choice(values)
        return self.rng.choice(ODD) if self.rng.random() < 0.5 else self.rng.choice(WORDS)

    def known_form(self) -> Request:
        """A form with the fields that FORMS has for it, random ones, or both."""
        rule = self.rng.choice(sorted(self._forms))
        given = self._forms[rule]
        fields = [(name, str(value)) for name, value in ({} if callable(given) else given).items()]
        if callable(given) or self.rng.random() < 0.4:
            fields += self.junk(4)
        return self.posted(self.path(rule, own=0.9), [("token", self.known.token), *fields])

    def any(self) -> Request:
        """A request with any method, address and fields, with or without a token."""
        token = self.rng.choice((self.known.token, self.known.token, "", "00" * 64, "zz"))
        fields, path = [("token", token), *self.junk(5)], self.path()
        method = self.rng.choice(METHODS)
        if method in ("GET", "HEAD", "OPTIONS", "TRACE") and self.rng.random() < 0.7:
            return self.request(method, f"{path}?{urlencode(fields[1:])}", self._headers())
        return self.posted(path, fields, method)

    def junk(self, most: int) -> Fields:
        names = self.rng.choices([*FIELD_NAMES, *EXTRA], k=self.rng.randrange(most + 1))
        return [(name, self.rng.choice(ODD)) for name in names]

    def posted(self, path: str, fields: Fields, method: str = "POST") -> Request:
        lot = self.rng.random()
        kind, body = "application/x-www-form-urlencoded", urlencode(fields).encode()
        if lot < 0.05:
            kind, body = "multipart/form-data; boundary=b", _parts(fields)
        elif lot < 0.10:
            kind = self.rng.choice(("application/json", "text/plain", "", "a" * 500, "text/html;;"))
        elif lot < 0.13:
            body += self.rng.choice((b"&a=%ff", b"&%00=1", b"&a=%", b"&\xff\xfe", b"&" * 2_000))
        elif lot < 0.15:
            body = self.rng.randbytes(self.rng.randrange(2_000))
        headers = [("Content-Type", kind), *self._headers()]
        return self.request(method, path, headers, body)

    def _headers(self) -> Fields:
        """Some headers that browsers send, and some that they never send."""
        some = (
            *(("HX-Request", "true"), ("HX-Request", "true"), ("HX-Target", "table")),
            *(("Sec-Fetch-Site", "cross-site"), ("Origin", "null"), ("Origin", "http://[")),
            *(("Accept-Encoding", "gzip"), ("Accept-Encoding", "gzip;q=x, *;q=-1")),
            *(("Last-Event-ID", "3"), ("Last-Event-ID", "-9-9-9"), ("Last-Event-ID", "x" * 900)),
            *(("If-None-Match", '"x'), ("If-Modified-Since", "never"), ("Range", "bytes=9-1,-5")),
            *(("X-Forwarded-For", "1.2.3.4, x"), ("X-Forwarded-Host", "evil.example")),
            *(("Content-Encoding", "gzip"), ("X-HTTP-Method-Override", "DELETE")),
            *(("Accept-Language", "\xff\xfe"), ("User-Agent", ""), ("X-Token", "zz")),
            *(("Authorization", "Basic !!!"), ("Cookie", "school=" + "a" * 4_000)),
        )
        return self.rng.sample(some, k=self.rng.choice((0, 0, 0, 1, 1, 2, 4)))

    def request(
        self, method: str, path: str, headers: Fields | None = None, body: bytes = b""
    ) -> Request:
        """A sound request, with the cookies of this browser."""
        jar = "; ".join(f"{name}={value}" for name, value in self.known.jar.items())
        lines = [f"{method} {quote(path, safe='/%?=&+.:-_~', errors='replace')} HTTP/1.1"]
        lines += ["Host: localhost", "Connection: close"]
        lines += [f"Cookie: {jar}"] * bool(jar)
        lines += [f"{name}: {value}" for name, value in headers or ()]
        if body or method not in ("GET", "HEAD"):
            lines.append(f"Content-Length: {len(body)}")
        return Request("\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    def broken(self) -> Request:
        """Bytes that are barely HTTP or not at all."""
        head, rest = self.rng.choice((self._odd_lines, self._odd_heads, self._odd_lengths))()
        jar = "; ".join(f"{name}={value}" for name, value in self.known.jar.items())
        raw = f"{head}\r\nHost: localhost\r\nCookie: {jar}\r\n{rest}"
        return Request(raw.encode("latin-1"), sound=False)

    def _odd_lines(self) -> tuple[str, str]:
        path, many = quote(self.path(), safe="/%?=&"), self.rng.randrange(15_000)
        line = self.rng.choice(
            (
                f"GET /{'%' * self.rng.randrange(1, 9)}zz HTTP/1.1",
                f"GET {path}%00%ff%c0%af?%=%&%00 HTTP/1.1",
                "GET /\0\x01\x7f HTTP/1.1",
                f"GET /{'a/' * many} HTTP/1.1",
                f"GET /?{'a=1&' * many} HTTP/1.1",
                f"GET http://evil.example{path} HTTP/1.1",
                f"GET //evil.example/%2f..{path} HTTP/1.1",
                "OPTIONS * HTTP/1.1",
                "CONNECT localhost:80 HTTP/1.1",
                f"get {path} HTTP/1.1",
                f"GET {path} HTTP/{self.rng.choice(('0.9', '1.0', '2.0', '9.9', 'x'))}",
                f"\r\n\r\nGET {path} HTTP/1.1",
                "\x16\x03\x01\x02\x00\x01\x00",
            )
        )
        return line, _END

    def _odd_heads(self) -> tuple[str, str]:
        many = self.rng.randrange(2_000)
        header = self.rng.choice(
            (
                f"Host: {self.rng.choice(HOSTS)}",
                f"Cookie: {'a=b; ' * many}",
                "X-A: b" * many,
                "X-B: c\r\n" * many + "X-C: d",
                "X-Odd: \xff\xfe\x01",
                ": none",
                "X-Fold: a\r\n b",
                "Upgrade: websocket\r\nConnection: Upgrade",
            )
        )
        path = quote(self.path(), safe="/%?=&")
        if self.rng.random() < 0.1:  # two Host headers, the first of them strange
            return f"GET {path} HTTP/1.1\r\nHost: {self.rng.choice(HOSTS)}", f"{header}\r\n{_END}"
        return f"GET {path} HTTP/1.1", f"{header}\r\n{_END}"

    def _odd_lengths(self) -> tuple[str, str]:
        kind = "Content-Type: application/x-www-form-urlencoded\r\n"
        if self.rng.random() < 0.2:
            kind = "Content-Type: multipart/form-data\r\n"
        length, body = self.rng.choice(
            (
                ("Content-Length: 5\r\nContent-Length: 6", "a=b&cd"),
                ("Content-Length: -5", ""),
                ("Content-Length: 99999999999999999999", "a"),
                ("Content-Length: 70000", "a" * 70_000),
                ("Transfer-Encoding: chunked", "-5\r\nab\r\n0\r\n\r\n"),
                ("Transfer-Encoding: chunked", "2;x=y\r\nab\r\n0\r\nX-T: u\r\n\r\n"),
                ("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"),
                ("Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
                ("Content-Length: 3\r\nExpect: 100-continue", "abc"),
                ("Content-Length: 3\r\nExpect: miracles", "abc"),
            )
        )
        path = quote(self.path(), safe="/%?=&")
        return f"POST {path} HTTP/1.1", f"{kind}{length}\r\n{_END}{body}"


def _parts(fields: Fields) -> bytes:
    parts = [f'--b\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields]
    return ("".join(parts) + "--b--\r\n").encode("utf-8", "replace")
