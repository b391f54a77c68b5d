"""A server on this machine that gives recorded answers, also the bad ones, and knows what it was asked."""

from __future__ import annotations

import json
import ssl
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""Of localhost and 127.0.0.1, signed by nobody, with its key; valid until 2126."""


class Answer(NamedTuple):
    """An answer of the server.

    Attributes
    ----------
    body : what it sends; an iterator for what has no end, or comes slowly
    status, kind : its status and content type
    headers : others
    length : the length that it announces; None for the true one, -1 for none
    """

    body: Any = b""
    status: int = 200
    kind: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    length: int | None = None


class ByQuery(NamedTuple):
    """An answer that depends on the query, whose values the function is given by name."""

    answer: Callable[[dict[str, str]], Answer]


def as_json(value: object, status: int = 200) -> Answer:
    """Return JSON as an answer."""
    return Answer(json.dumps(value).encode(), status)


@dataclass
class Recorded:
    """The answers by path, without or with its query; a list gives one after the other, the last for ever."""

    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)
    port: int = 0
    scheme: str = "http"

    @property
    def url(self) -> str:
        """Its address."""
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def answer(self, path: str) -> Answer:
        """Return the answer to a path."""
        plain = path.partition("?")[0]
        found = self.answers.get(path, self.answers.get(plain, Answer(b"not here", 404, "text/plain")))
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        if isinstance(found, ByQuery):
            return found.answer(dict(parse_qsl(path.partition("?")[2])))
        return found() if callable(found) else found


def _handler(recorded: Recorded) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 20

        def do_GET(self) -> None:
            recorded.asked.append(self.path)
            recorded.tokens.append(self.headers.get("Authorization"))
            answer = recorded.answer(self.path)
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            for name, value in answer.headers:
                self.send_header(name, value)
            is_whole = isinstance(answer.body, bytes)
            length = len(answer.body) if is_whole and answer.length is None else answer.length
            if length is not None and length >= 0:
                self.send_header("Content-Length", str(length))
            self.close_connection = not is_whole or length != len(answer.body)
            self.end_headers()
            with suppress(OSError):
                for piece in [answer.body] if is_whole else answer.body:
                    self.wfile.write(piece)
                    self.wfile.flush()

        def log_message(self, *_: object) -> None:
            pass

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is part of the tests."""


@contextmanager
def serving(answers: dict[str, Any], *, with_tls: bool = False) -> Iterator[Recorded]:
    """Serve answers at a free port of 127.0.0.1."""
    recorded = Recorded(answers)
    server = _Server(("127.0.0.1", 0), _handler(recorded))
    if with_tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        recorded.scheme = "https"
    recorded.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield recorded
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def without_end(piece: bytes, is_over: threading.Event, pause: float = 0.0) -> Callable[[], Answer]:
    """Return an answer whose body has no end, until an event is set."""

    def pieces() -> Iterator[bytes]:
        while not is_over.wait(pause):
            yield piece

    return lambda: Answer(pieces(), length=-1)
