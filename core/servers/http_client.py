"""GET requests to one server: bounded in bytes and time, tried again, stopped at once, TLS verified.

The client goes to the one address that it is given: a redirect to another host is refused, and the token is
in no sentence.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import ssl
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

from core.logs.logged_job import one_line
from core.model.errors import Cancelled, InputError, SlotscopeError
from core.model.json_pieces import TooMuch, loads
from core.model.limits import MAX_SPOOLED_BYTES
from core.model.progress import never_stop, no_progress
from core.servers.answer_text import answer_text, error_text, size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from core.servers.address import Address

MAX_REDIRECTS = 5
MAX_TOKEN = 8000
OF_URLS = "/%?&=+:;,@$!*'()~"
"""Signs that stay as they are in a path and a query."""
PIECE = 1 << 16
LOOK_EACH = 0.05
"""Seconds between two looks at whether a request is to end."""
AGAIN = (429, 500, 502, 503, 504)
"""Answers of a server that is too busy just now."""
REFUSED_PAGES = {
    401: "it asks who you are; give a token by the variable SLOTSCOPE_TOKEN, or type it",
    403: "it lets you not see that; the token, if one was given, does not allow it",
}
KERBEROS = "it asks for Kerberos, which Slotscope does not speak; go through a gateway that takes a token"


PROXY = (
    "the variable {}_proxy names a proxy, which Slotscope does not use: start it where the server can be "
    "reached, or forward its port (ssh -L 18080:SERVER:18080 GATEWAY, then open http://localhost:18080)"
)


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What one request may take.

    Attributes
    ----------
    json_bytes, file_bytes : size of an answer that is decoded, and of one that is written to a file
    connect_seconds, idle_seconds : until there is a connection; without a byte
    json_seconds, file_seconds : until an answer is whole
    tries : how often a request is made that fails on the way
    pause_seconds : before the second try; each further pause is twice as long
    """

    json_bytes: int = 1 << 26
    file_bytes: int = MAX_SPOOLED_BYTES
    connect_seconds: float = 10.0
    idle_seconds: float = 60.0
    json_seconds: float = 120.0
    file_seconds: float = 3600.0
    tries: int = 4
    pause_seconds: float = 0.5


DEFAULT_LIMITS = RequestLimits()


class HttpError(InputError):
    """The server answered with an error; `status` is its number."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class NotJson(InputError):
    """The server answered with something else than JSON; `answer` is what, as a phrase."""

    def __init__(self, place: str, answer: str) -> None:
        super().__init__(f"{place}: it answered with {answer} where JSON was expected")
        self.answer = answer


class _Broken(Exception):
    """The connection failed on the way, by the message; it is worth another try."""


class _Busy(_Broken):
    """The server says that it is too busy, by a status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class HttpClient:
    """A connection to one server, kept open between requests; for one thread.

    Parameters
    ----------
    address : where the server is
    token : sent to it as a bearer token, if it is not empty
    should_stop : called all the time: whether to give up, also within a request
    limits : what a request may take
    """

    def __init__(
        self,
        address: Address,
        token: str = "",
        *,
        should_stop: Callable[[], bool] = never_stop,
        limits: RequestLimits = DEFAULT_LIMITS,
    ) -> None:
        self.address, self._token = address, token.strip()
        self._headers = {"Accept-Encoding": "identity", "User-Agent": "slotscope"} | _bearer(token, address)
        self._should_stop, self._limits = should_stop, limits
        self._connection: http.client.HTTPConnection | None = None

    def close(self) -> None:
        """End the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def json(self, path: str, query: Mapping[str, object] | None = None) -> Any:  # JSON is any value
        """Return the JSON that the server answers with.

        Parameters
        ----------
        path : as "/api/v1/version"; each part between slashes is escaped
        query : values by name

        Raises
        ------
        HttpError
            the server answers with an error
        NotJson
            it answers with something else
        InputError
            it cannot be reached, or its answer is too large, or cut off
        Cancelled
            `should_stop` said so
        """
        limits = self._limits

        def read(response: http.client.HTTPResponse) -> Any:
            body = bytearray()
            for piece in self._pieces(response, limits.json_bytes):
                body += piece
            kind = response.headers.get_content_type()
            try:
                return _decoded(bytes(body))
            except TooMuch as error:
                raise InputError(f"{self.address.place}: its answer to {path} has {error}") from error
            except (ValueError, RecursionError):
                answer = self._without_token(answer_text(kind, bytes(body)))
                raise NotJson(self.address.place, answer) from None

        url = quote(path) + (f"?{urlencode(query)}" if query else "")
        return self._tried(url, "application/json", limits.json_seconds, read)

    def download(self, path: str, file: IO[bytes], on_bytes: Callable[[int], None] = no_progress) -> None:
        """Write the answer to a file from its beginning; `on_bytes` is called with the bytes so far.

        The errors are those of `json`, without `NotJson`.
        """

        def read(response: http.client.HTTPResponse) -> None:
            file.seek(0)
            file.truncate()
            written = 0
            for piece in self._pieces(response, self._limits.file_bytes):
                try:
                    written += file.write(piece)
                except OSError as error:
                    raise InputError(f"what {self.address.place} sends cannot be kept: {error}") from error
                on_bytes(written)

        self._tried(quote(path), "application/octet-stream, */*", self._limits.file_seconds, read)

    # ---- one request

    def _tried(
        self, url: str, accept: str, seconds: float, read: Callable[[http.client.HTTPResponse], Any]
    ) -> Any:
        """Make a request until it succeeds, or has failed too often."""
        limits, error = self._limits, _Broken("")
        for number in range(limits.tries):
            if number:
                self._wait(limits.pause_seconds * 2 ** (number - 1))
            try:
                return self._followed(url, accept, seconds, read)
            except _Broken as broken:
                error = broken
                self.close()
        times = f" ({limits.tries} tries)" if limits.tries > 1 else ""
        sentence = f"{self.address.place}: {error}{times}"
        if isinstance(error, _Busy):
            raise HttpError(sentence, error.status) from error
        raise InputError(sentence) from error

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._check_stop()
            time.sleep(min(LOOK_EACH, left))

    def _check_stop(self) -> None:
        if self._should_stop():
            raise Cancelled(f"{self.address.place}: stopped")

    def _followed(
        self, url: str, accept: str, seconds: float, read: Callable[[http.client.HTTPResponse], Any]
    ) -> Any:
        """Make a request, and go where the same server redirects it."""
        path = self.address.path + url
        for _ in range(MAX_REDIRECTS):
            connection = self._connected()
            with self._guarded(connection, seconds):
                connection.request("GET", path, headers=self._headers | {"Accept": accept})
                with self._closing(connection.getresponse()) as response:
                    if response.status == 200:
                        return read(response)
                    if not 300 < response.status < 400:
                        self._refuse(response, path)
                    path = self._redirected(response)
        raise InputError(f"{self.address.place}: it redirects in a circle")

    def _connected(self) -> http.client.HTTPConnection:
        """Return the connection, a new one if there is none."""
        self._check_stop()
        if self._connection is not None and self._connection.sock is not None:
            return self._connection
        address, limits = self.address, self._limits
        if address.scheme == "https":
            context = ssl.create_default_context()
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                address.host, address.port, timeout=limits.connect_seconds, context=context
            )
        else:
            connection = http.client.HTTPConnection(
                address.host, address.port, timeout=limits.connect_seconds
            )
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            _refuse_connection(address, error, limits)
        connection.sock.settimeout(limits.idle_seconds)
        self._connection = connection
        return connection

    @contextmanager
    def _closing(self, response: http.client.HTTPResponse) -> Iterator[http.client.HTTPResponse]:
        """Give a response; what was not read of it would be taken for the next one, so no other follows."""
        try:
            yield response
        finally:
            if not response.isclosed():
                response.close()
                self.close()

    @contextmanager
    def _guarded(self, connection: http.client.HTTPConnection, seconds: float) -> Iterator[None]:
        """End the connection when the user wants that, or the time is over, whatever it waits for."""
        why: list[str] = []
        is_over = threading.Event()
        held: socket.socket = connection.sock

        def watch() -> None:
            end = time.monotonic() + seconds
            while not is_over.wait(LOOK_EACH):
                if self._should_stop():
                    why.append("")
                elif time.monotonic() > end:
                    why.append(f"its answer is not whole after {seconds:g} s")
                else:
                    continue
                with suppress(OSError):
                    held.shutdown(socket.SHUT_RDWR)
                return

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        except Exception as error:  # whatever it is, it may come of the connection's end
            self.close()
            is_over.set()
            watcher.join()
            self._explain(error, why)
        finally:
            is_over.set()
        watcher.join()
        if why:
            self.close()
            self._explain(_Broken(), why)

    def _explain(self, error: Exception, why: list[str]) -> NoReturn:
        """Raise what became of a request that failed."""
        if why == [""]:
            raise Cancelled(f"{self.address.place}: stopped") from error
        if why:
            raise InputError(f"{self.address.place}: {why[0]}") from error
        if isinstance(error, SlotscopeError | _Broken):
            raise error
        if isinstance(error, TimeoutError):
            raise _Broken(f"it sent nothing for {self._limits.idle_seconds:g} s") from error
        if isinstance(error, http.client.IncompleteRead):
            raise _Broken("its answer is cut off") from error
        if isinstance(error, http.client.RemoteDisconnected | ConnectionError):
            raise _Broken("it hung up before it had answered") from error
        if isinstance(error, http.client.HTTPException | ValueError):
            raise InputError(f"{self.address.place}: what it answers is not HTTP") from error
        if isinstance(error, OSError):
            raise _Broken(f"the connection failed ({_reason(error)})") from error
        raise error

    def _redirected(self, response: http.client.HTTPResponse) -> str:
        """Return the path that a redirect leads to; InputError where it leads to another server."""
        target = response.headers.get("Location", "")
        for _ in self._pieces(response, self._limits.json_bytes):
            pass
        try:
            parts = urlsplit(target)
            port = parts.port
        except ValueError:
            raise InputError(f"{self.address.place}: it redirects to what is no address") from None
        ours = self.address
        scheme, host = parts.scheme or ours.scheme, parts.hostname or ours.host
        theirs = port or (ours.port if not parts.netloc else {"http": 80, "https": 443}.get(scheme))
        if (scheme, host, theirs) != (ours.scheme, ours.host, ours.port) or not parts.path.startswith("/"):
            shown = self._without_token(one_line(f"{scheme}://{host}:{theirs}"))
            raise InputError(
                f"{ours.place}: it redirects to {shown}, and other hosts are not followed; if you trust it, "
                "open that address"
            )
        return quote(parts.path + (f"?{parts.query}" if parts.query else ""), safe=OF_URLS)

    def _refuse(self, response: http.client.HTTPResponse, path: str) -> NoReturn:
        """Raise what an answer with an error says."""
        status, place = response.status, self.address.place
        said = self._without_token(error_text(response.read1(PIECE)))
        if status in AGAIN:
            raise _Busy(f"it answers with error {status}{said}", status)
        if status == 401 and "negotiate" in response.headers.get("WWW-Authenticate", "").lower():
            raise HttpError(f"{place}: {KERBEROS} (401)", status)
        if status in REFUSED_PAGES:
            raise HttpError(f"{place}: {REFUSED_PAGES[status]} ({status})", status)
        name = one_line(path.partition("?")[0])
        if status == 404:
            raise HttpError(f"{place}: it has no {name} (404{said})", status)
        raise HttpError(f"{place}: it answers {name} with error {status}{said}", status)

    def _pieces(self, response: http.client.HTTPResponse, most: int) -> Iterator[bytes]:
        """Yield the body of an answer; InputError where it is too large, _Broken where it is cut off."""
        if (response.length or 0) > most:
            raise InputError(self._too_large(most))
        count = 0
        while piece := response.read(PIECE):
            count += len(piece)
            if count > most:
                raise InputError(self._too_large(most))
            yield piece
        if response.length:
            raise _Broken(f"its answer is cut off after {count} of {count + response.length} bytes")

    def _without_token(self, text: str) -> str:
        """Return what a server says without the token, which it may repeat."""
        return text.replace(self._token, "…") if self._token else text

    def _too_large(self, most: int) -> str:
        return f"{self.address.place}: its answer is larger than {size_text(most)}, the most that is taken"


def _decoded(body: bytes) -> Any:
    """Return the value of JSON, also of such with NaN, which YARN gives shares of queues without room."""
    try:
        return loads(body)
    except TooMuch:
        raise
    except ValueError:
        return json.loads(body)


def _bearer(token: str, address: Address) -> dict[str, str]:
    """Return the header with a token; InputError for one that cannot be sent, or not in safety."""
    token = token.strip()
    if not token:
        return {}
    if len(token) > MAX_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise InputError("the token is not one: a token is one word of letters, digits and signs")
    if address.scheme == "http" and not address.is_local:
        raise InputError(
            f"{address.place}: a token is sent over https only, as everybody on the way could read it; "
            "give an https address, or no token"
        )
    return {"Authorization": f"Bearer {token}"}


def _refuse_connection(address: Address, error: OSError, limits: RequestLimits) -> NoReturn:
    """Raise why there is no connection; only what may be better in a moment is tried again."""
    place, proxy = address.place, _passed_over(address)
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message or "it is not valid"
        trust = "; an authority of your own is trusted by the variable SSL_CERT_FILE"
        raise InputError(f"{place}: its certificate is not trusted: {why}{trust}") from error
    if isinstance(error, ssl.SSLError):
        raise InputError(f"{place}: it does not speak TLS; try http:// instead of https://") from error
    if isinstance(error, socket.gaierror):
        host = place.rpartition(":")[0]
        raise InputError(f"{host}: no host of this name is known here{proxy}") from error
    if isinstance(error, ConnectionRefusedError):
        raise InputError(
            f"{place}: nothing answers there (connection refused); is the port right?{proxy}"
        ) from error
    if isinstance(error, TimeoutError):
        raise _Broken(
            f"no connection within {limits.connect_seconds:g} s; is there a firewall?{proxy}"
        ) from error
    raise _Broken(f"it cannot be reached ({_reason(error)}){proxy}") from error


def _passed_over(address: Address) -> str:
    """Return that a proxy is named for an address and not used, as the end of a sentence; "" if none is."""
    if not getproxies_environment().get(address.scheme) or proxy_bypass(address.host):
        return ""
    return f"; {PROXY.format(address.scheme)}"


def _reason(error: Exception) -> str:
    return os.strerror(error.errno) if isinstance(error, OSError) and error.errno else type(error).__name__
