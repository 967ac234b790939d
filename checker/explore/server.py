"""Serve the explorer to this machine only, with the standard library.

The server keeps no game: every address is one. It answers only to its own name and port, refuses requests that
another page sent, and has nothing to serve but the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qs, urlsplit

from checker.errors import InputError
from checker.explore.jump import Answer, jump
from checker.explore.page import POLICY, link, to_error, to_page
from checker.explore.save import to_itf, to_ruling
from checker.explore.table import LONGEST, Position, Table

LOOPBACK = "127.0.0.1"

LARGEST = 1 << 18
"""The bytes at most of a request's body."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Query = Mapping[str, list[str]]


class Explorer(ThreadingHTTPServer):
    """A server of one table on a port of the loopback interface; port 0 takes any free one."""

    daemon_threads = True

    def __init__(self, table: Table, port: int = 0) -> None:
        try:
            super().__init__((LOOPBACK, port), Handler)
        except (OSError, OverflowError) as error:
            raise InputError(f"port {port} of {LOOPBACK} cannot be listened on: {error}") from None
        self.table = table
        self.engine = Lock()
        names = (f"{LOOPBACK}:{self.server_port}", f"localhost:{self.server_port}")
        self.hosts = frozenset(names)
        self.origins = frozenset(f"http://{name}" for name in names)

    @property
    def address(self) -> str:
        """Where the explorer is found."""
        return f"http://{LOOPBACK}:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Explorer
    server_version = "equipoise"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Show a game, or hand it out as a file."""
        if not self._welcome(self.headers.get("Origin")):
            return
        address = urlsplit(self.path)
        pages = {"/": self._page, "/ruling.toml": self._ruling, "/game.itf.json": self._itf}
        self._run(pages.get(address.path), address.query)

    def do_POST(self) -> None:
        """Look for a game, and lead to it; only for the explorer's own page."""
        if not self._welcome(self.headers.get("Origin", "none")):
            return
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > LARGEST:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too large or does not say its length")
            return
        body = self.rfile.read(int(length)).decode("utf-8", "replace")
        self._run({"/jump": self._jump, "/walk": self._walk}.get(self.path), body)

    def _welcome(self, origin: str | None) -> bool:
        """Refuse a request under another name, and one that another page sent without the user seeing it."""
        elsewhere = self.headers.get("Sec-Fetch-Site", "none") in ("cross-site", "same-site")
        silent = elsewhere and self.headers.get("Sec-Fetch-Mode") != "navigate"
        hosts = self.headers.get_all("Host", [])
        fine = len(hosts) == 1 and hosts[0] in self.server.hosts
        if fine and not silent and (origin is None or origin in self.server.origins):
            return True
        self._send(HTTPStatus.FORBIDDEN, "this request does not come from the explorer's own page")
        return False

    def _run(self, answer: object, query: str) -> None:
        if not callable(answer):
            self._send(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        try:
            answer(_read(query))
        except InputError as error:
            page = to_error(self.server.table, str(error))
            self._send(HTTPStatus.BAD_REQUEST, page, "text/html; charset=utf-8")

    def _page(self, query: Query) -> None:
        if "upto" in query:
            steps = query.get("do", [])[: _number(query, "upto", 0)]
            self._lead(link(_number(query, "start", 1), steps))
            return
        asked, answer = _one(query, "property"), _one(query, "answer")
        page = to_page(self.server.table, self._position(query), "why" in query, asked, answer)
        self._send(HTTPStatus.OK, page, "text/html; charset=utf-8")

    def _ruling(self, query: Query) -> None:
        text = to_ruling(self.server.table, self._position(query))
        self._send(HTTPStatus.OK, text, "application/toml; charset=utf-8", {"Content-Disposition": "attachment"})

    def _itf(self, query: Query) -> None:
        text = to_itf(self.server.table, self._position(query))
        self._send(HTTPStatus.OK, text, "application/json", {"Content-Disposition": "attachment"})

    def _jump(self, query: Query) -> None:
        here, name = self._position(query), _one(query, "property")
        with self.server.engine:
            found = jump(self.server.table, name)
        if isinstance(found, Answer):
            self._lead(link(here.start, here.tokens, property=name, answer=found.value))
        else:
            self._lead(link(found.start, found.tokens, property=name, answer="game"))

    def _walk(self, query: Query) -> None:
        steps, seed = _number(query, "steps", 10), _number(query, "seed", 0)
        found = self.server.table.walk(self._position(query), steps, seed)
        self._lead(link(found.start, found.tokens))

    def _position(self, query: Query) -> Position:
        return self.server.table.position(_number(query, "start", 1), query.get("do", []))

    def _lead(self, where: str) -> None:
        self._send(HTTPStatus.SEE_OTHER, "", more={"Location": where})

    def _send(
        self,
        status: HTTPStatus,
        text: str,
        form: str = "text/plain; charset=utf-8",
        more: Mapping[str, str] | None = None,
    ) -> None:
        body = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in (
            HEADERS | {"Content-Type": form, "Content-Length": str(len(body))} | dict(more or {})
        ).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name http.server passes)
        """Say nothing of each request."""


def _read(query: str) -> Query:
    try:
        return parse_qs(query, keep_blank_values=True, max_num_fields=LONGEST + 10)
    except ValueError:
        raise InputError(f"the game is longer than {LONGEST} steps") from None


def _one(query: Query, key: str) -> str:
    return query.get(key, [""])[0]


def _number(query: Query, key: str, default: int) -> int:
    text = _one(query, key) or str(default)
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise InputError(f'{key} is "{text[:40]}"; expected a whole number')
    return int(text)
