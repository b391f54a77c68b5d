"""Serves one poll to the phones of a class: one page at one address, in a thread, nothing of it on disk."""

from __future__ import annotations

import secrets
import socketserver
import threading
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from core.lessons.poll import MAX_BODY, read_vote, with_vote
from core.lessons.poll_page import poll_page, poll_policy
from core.model.errors import InputError

if TYPE_CHECKING:
    from socket import socket

    from core.lessons.poll import PollForm

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a token: those that are not taken for one another, for who types it."""
TOKEN_LENGTH = 12
TIMEOUT_S = 5.0
"""A phone that says nothing for so long is hung up on."""
MAX_CONNECTIONS = 64
TAKEN = "Your answer is in. Until the poll ends you may send another one instead."
NO_REQUEST = "This is no request that a poll takes."
NOTHING_HERE = "There is no poll here, or it is over."


class PollServer:
    """One poll, at an address of this machine and a port that is free; InputError where that cannot be.

    Attributes
    ----------
    form : what is asked
    url : where phones find it; its last part is random
    """

    def __init__(self, form: PollForm, address: str) -> None:
        self.form = form
        self._votes: dict[str, float] = {}
        self._lock, self._is_over = threading.Lock(), False
        self._path = "/" + "".join(secrets.choice(LETTERS) for _ in range(TOKEN_LENGTH))
        try:
            self._server = _Server((address, 0), partial(_Phone, self))
        except OSError as error:
            raise InputError(f"{address}: no poll can be served there: {error.strerror}") from error
        self.url = f"http://{address}:{self._server.server_address[1]}{self._path}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Serve nothing more; what was answered is still known."""
        with self._lock:
            self._is_over = True  # for phones that are connected already
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def votes(self) -> dict[str, float]:
        """The votes by voter, as they are now."""
        with self._lock:
            return self._votes

    # ---- called in threads of phones

    def is_at(self, path: str) -> bool:
        """Whether a path is that of the poll, and the poll is not over."""
        return not self._is_over and secrets.compare_digest(path.encode(), self._path.encode())

    def take(self, body: bytes) -> None:
        """Count an answer; InputError for what is none."""
        vote = read_vote(self.form, body)
        with self._lock:
            if self._is_over:
                raise InputError("the poll is over")
            self._votes = with_vote(self._votes, vote)


class _Server(ThreadingHTTPServer):
    """Serves each phone in a thread of its own, so many at a time; closing hangs up on them and waits."""

    daemon_threads, block_on_close = False, True
    allow_reuse_address = False

    def __init__(self, address: tuple[str, int], handler: partial[_Phone]) -> None:
        self._free = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._connected: set[socket] = set()
        super().__init__(address, handler)

    @override
    def server_bind(self) -> None:
        socketserver.TCPServer.server_bind(self)  # without looking its own name up in the network
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    @override
    def process_request(self, request: Any, client_address: Any) -> None:  # Any: as the library has it
        if self._free.acquire(blocking=False):
            self._connected.add(request)
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    @override
    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connected.discard(request)
            self._free.release()

    @override
    def server_close(self) -> None:
        for phone in tuple(self._connected):
            with suppress(OSError):  # it has gone itself
                phone.shutdown(SHUT_RDWR)
        super().server_close()

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: phones come and go."""


class _Phone(BaseHTTPRequestHandler):
    """One request of a phone."""

    timeout = TIMEOUT_S
    server_version, sys_version = "Slotscope", ""

    def __init__(
        self, poll: PollServer, request: socket, client_address: tuple[str, int], server: _Server
    ) -> None:
        self._poll = poll
        super().__init__(request, client_address, server)

    def do_GET(self) -> None:
        """Send the page."""
        if not self._poll.is_at(self.path):
            self._reply(404, NOTHING_HERE)
            return
        nonce = secrets.token_urlsafe(16)
        self._reply(200, poll_page(self._poll.form, nonce), "text/html", poll_policy(nonce))

    def do_POST(self) -> None:
        """Take an answer."""
        length = self.headers.get("Content-Length", "")
        if not self._poll.is_at(self.path):
            self._reply(404, NOTHING_HERE)
        elif self.headers.get_content_type() != "application/json":
            self._reply(415, "An answer is JSON.")
        elif not (length.isascii() and length.isdecimal()):
            self._reply(411, "An answer says how long it is.")
        elif len(length) > len(str(MAX_BODY)) or int(length) > MAX_BODY:
            self._reply(413, f"An answer has at most {MAX_BODY} bytes.")
        else:
            self._take(self.rfile.read(int(length)))

    def _take(self, body: bytes) -> None:
        try:
            self._poll.take(body)
        except InputError as error:
            sentence = str(error)
            self._reply(400, f"{sentence[:1].upper()}{sentence[1:]}.")
        else:
            self._reply(200, TAKEN)

    @override
    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request, without a word of it."""
        self.close_connection = True
        self._reply(code, NO_REQUEST)

    def _reply(
        self, status: int, text: str, kind: str = "text/plain", policy: str = "default-src 'none'"
    ) -> None:
        data = text.encode()
        self.send_response(status)
        for name, value in (
            ("Content-Type", f"{kind}; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", policy),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Connection", "close"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Log nothing, so that no address is kept."""
