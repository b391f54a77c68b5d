"""One request, and everything that may go wrong with it, each a sentence."""

from __future__ import annotations

import io
import socket
import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.model.errors import Cancelled, InputError
from core.servers.address import Address, parse_address
from core.servers.http_client import KERBEROS, REFUSED_PAGES, HttpClient, HttpError, NotJson, RequestLimits
from tests.core.servers.recorded_server import CERTIFICATE, Answer, as_json, serving, without_end

if TYPE_CHECKING:
    from collections.abc import Iterator

HELLO = {"/a": as_json({"hello": [1, 2]})}
TOKEN = "token-of-ann"
NO_JSON = "where JSON was expected"


@contextmanager
def client_of(url: str, limits: RequestLimits, token: str = "", **more) -> Iterator[HttpClient]:
    client = HttpClient(parse_address(url), token, limits=limits, **more)
    try:
        yield client
    finally:
        client.close()


def problem(answers: dict, quick: RequestLimits, token: str = "") -> str:
    """Return the sentence that the answer to /a becomes."""
    with serving(answers) as server, client_of(server.url, quick, token) as client:
        with pytest.raises(InputError) as caught:
            client.json("/a")
        text = str(caught.value)
        assert text.startswith(f"127.0.0.1:{server.port}: ")
        return text.partition(": ")[2]


def test_json_is_decoded_on_one_connection(quick: RequestLimits) -> None:
    with serving(HELLO) as server, client_of(server.url, quick) as client:
        assert client.json("/a", {"x": "a b"}) == {"hello": [1, 2]}
        first = client._connection
        assert client.json("/a") == {"hello": [1, 2]}
        assert client._connection is first
    assert server.asked == ["/a?x=a+b", "/a"]
    assert server.tokens == [None, None]


def test_paths_of_a_gateway_come_first_and_are_escaped(quick: RequestLimits) -> None:
    with (
        serving({"/gate/spark/a%20b": as_json(1)}) as server,
        client_of(f"{server.url}/gate/spark/", quick) as client,
    ):
        assert client.json("/a b") == 1


def test_a_token_is_sent_to_its_server_alone(quick: RequestLimits) -> None:
    with serving(HELLO) as other:
        away = Answer(b"", 302, headers=(("Location", f"{other.url}/a"),))
        with serving({"/a": away, "/b": as_json(1)}) as server, client_of(server.url, quick, TOKEN) as client:
            assert client.json("/b") == 1
            with pytest.raises(InputError, match="other hosts are not followed") as caught:
                client.json("/a")
    assert set(server.tokens) == {f"Bearer {TOKEN}"}
    assert other.asked == []
    assert TOKEN not in str(caught.value)
    assert f"http://127.0.0.1:{other.port}" in str(caught.value)


@pytest.mark.parametrize(
    ("location", "sentence"),
    [
        ("https://127.0.0.1:{port}/a", "other hosts"),
        ("//evil.example/a", "redirects to http://evil.example:80"),
        ("http://127.0.0.1:{port}@evil.example/a", "redirects to http://evil.example:80"),
        ("file:///etc/passwd", "other hosts"),
        ("http://[", "no address"),
        ("/a", "in a circle"),
    ],
)
def test_redirects_that_are_not_followed(quick: RequestLimits, location: str, sentence: str) -> None:
    answers: dict = {}
    with serving(answers) as server, client_of(server.url, quick, TOKEN) as client:
        target = location.format(port=server.port)
        answers["/a"] = Answer(b"", 307, headers=(("Location", target),))
        with pytest.raises(InputError, match=sentence):
            client.json("/a")


def test_a_redirect_of_the_same_server_is_followed(quick: RequestLimits) -> None:
    answers: dict = {"/b": as_json(2)}
    with serving(answers) as server, client_of(server.url, quick, TOKEN) as client:
        answers["/a"] = Answer(b"moved", 302, headers=(("Location", f"{server.url}/b?x=1"),))
        assert client.json("/a") == 2
    assert server.asked == ["/a", "/b?x=1"]


@pytest.mark.parametrize("location", ["/\xe4 b", "/a?x=\xe4", "/%zz", "/a\tb"])
def test_strange_places_of_the_same_server_are_asked_for(quick: RequestLimits, location: str) -> None:
    away = Answer(b"", 302, headers=(("Location", location),))
    with (
        serving({"/start": away}) as server,
        client_of(server.url, quick) as client,
        pytest.raises(InputError),
    ):
        client.json("/start")
    assert len(server.asked) == 2


def test_a_token_in_an_answer_is_not_repeated(quick: RequestLimits) -> None:
    said = Answer(f"bad token {TOKEN}".encode(), 400, "text/plain")
    assert problem({"/a": said}, quick, TOKEN) == "it answers /a with error 400: bad token …"
    page = Answer(f"<title>{TOKEN}</title>".encode(), 200, "text/html")
    assert TOKEN not in problem({"/a": page}, quick, TOKEN)
    away = Answer(b"", 302, headers=(("Location", f"http://{TOKEN}.example/"),))
    assert TOKEN not in problem({"/a": away}, quick, TOKEN)


@pytest.mark.parametrize("token", ["a\r\nHost: x", "a b", "ä", "x" * 10_000])
def test_a_token_that_is_none_is_refused_and_not_repeated(token: str) -> None:
    with pytest.raises(InputError) as caught:
        HttpClient(Address("https", "spark", 443), token)
    assert token not in str(caught.value)


def test_a_token_is_not_sent_in_the_open() -> None:
    with pytest.raises(InputError, match="over https only") as caught:
        HttpClient(Address("http", "spark", 18080), TOKEN)
    assert TOKEN not in str(caught.value)
    HttpClient(Address("https", "spark", 18080), TOKEN)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (Answer(b"", 401), f"{REFUSED_PAGES[401]} (401)"),
        (
            Answer(b"", 401, headers=(("WWW-Authenticate", "Negotiate"),)),
            f"{KERBEROS} (401)",
        ),
        (Answer(b"", 403), "it lets you not see that; the token, if one was given, does not allow it (403)"),
        (Answer(b"no such app: x", 404, "text/plain"), "it has no /a (404: no such app: x)"),
        (Answer(b"<html><title>Gone</title>", 410, "text/html"), "it answers /a with error 410: Gone"),
        (
            as_json({"RemoteException": {"message": "app is\nbad", "exception": "X"}}, 400),
            "it answers /a with error 400: app is bad",
        ),
        (Answer(b"<title>Grafana</title>", kind="text/html"), f"it answered with a page “Grafana” {NO_JSON}"),
        (Answer(b"hello", kind="text/plain"), f"it answered with content of type text/plain {NO_JSON}"),
        (
            Answer(b'{"a": ', kind="application/json"),
            f"it answered with content of type application/json {NO_JSON}",
        ),
        (Answer(b"\xff\xfe"), f"it answered with content of type application/json {NO_JSON}"),
        (Answer(b""), f"it answered with nothing {NO_JSON}"),
        (Answer(b"[" * 5000), f"it answered with content of type application/json {NO_JSON}"),
        (Answer(b"0" * (1 << 17)), "its answer is larger than 0.0625 MiB, the most that is taken"),
        (Answer(b"[1]", length=1 << 40), "its answer is larger than 0.0625 MiB, the most that is taken"),
        (Answer(b"[1]", length=9), "its answer is cut off after 3 of 9 bytes (3 tries)"),
        (Answer(b"busy", 503, "text/plain"), "it answers with error 503: busy (3 tries)"),
    ],
)
def test_every_bad_answer_is_a_sentence(quick: RequestLimits, answer: Answer, sentence: str) -> None:
    assert problem({"/a": answer}, quick) == sentence


def test_a_body_without_end_is_given_up(quick: RequestLimits) -> None:
    is_over = threading.Event()
    try:
        assert "larger than 0.0625 MiB" in problem({"/a": without_end(b"0" * 1000, is_over)}, quick)
    finally:
        is_over.set()


def test_a_body_that_trickles_without_end_is_given_up(quick: RequestLimits) -> None:
    is_over = threading.Event()
    try:
        slow = without_end(b" ", is_over, 0.02)
        said = problem({"/a": slow}, replace(quick, json_seconds=0.3))
        assert said == "its answer is not whole after 0.3 s"
    finally:
        is_over.set()


def test_a_server_that_sends_nothing_is_given_up(quick: RequestLimits) -> None:
    is_over = threading.Event()
    try:
        silent = without_end(b"", is_over, 0.05)
        said = problem({"/a": silent}, replace(quick, idle_seconds=0.2))
        assert said == "it sent nothing for 0.2 s (3 tries)"
    finally:
        is_over.set()


def test_a_request_ends_when_the_user_wants_that(quick: RequestLimits) -> None:
    is_over = threading.Event()
    try:
        with (
            serving({"/a": without_end(b" ", is_over, 0.05)}) as server,
            client_of(server.url, quick, should_stop=lambda: bool(server.asked)) as client,
            pytest.raises(Cancelled),
        ):
            client.json("/a")
    finally:
        is_over.set()


def test_what_fails_on_the_way_is_tried_again(quick: RequestLimits) -> None:
    answers = {"/a": [Answer(b"[1]", length=9), Answer(b"", 503), as_json([7])]}
    with serving(answers) as server, client_of(server.url, quick) as client:
        assert client.json("/a") == [7]
    assert server.asked == ["/a"] * 3


def test_what_is_refused_is_not_tried_again(quick: RequestLimits) -> None:
    with (
        serving({"/a": Answer(b"", 403)}) as server,
        client_of(server.url, quick) as client,
        pytest.raises(HttpError) as caught,
    ):
        client.json("/a")
    assert (caught.value.status, server.asked) == (403, ["/a"])


def test_a_download_begins_anew_after_a_cut(quick: RequestLimits) -> None:
    answers = {"/z": [Answer(b"half of", length=20), Answer(b"whole")]}
    file, seen = io.BytesIO(), []
    with serving(answers) as server, client_of(server.url, quick) as client:
        client.download("/z", file, seen.append)
    assert file.getvalue() == b"whole"
    assert seen == [7, 5]


def test_a_download_that_is_too_large_ends_early(quick: RequestLimits) -> None:
    is_over = threading.Event()
    try:
        with (
            serving({"/z": without_end(b"0" * 100_000, is_over)}) as server,
            client_of(server.url, quick) as client,
            pytest.raises(InputError, match="larger than 1 MiB"),
        ):
            client.download("/z", io.BytesIO())
    finally:
        is_over.set()


def test_nothing_there(quick: RequestLimits) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        client_of(f"http://127.0.0.1:{port}", quick) as client,
        pytest.raises(InputError, match="nothing answers there \\(connection refused\\)"),
    ):
        client.json("/a")


def test_no_host_of_this_name(quick: RequestLimits, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with (
        client_of("http://nohost.invalid:18080", quick) as client,
        pytest.raises(InputError, match=r"^nohost\.invalid: no host of this name is known here$"),
    ):
        client.json("/a")


def test_what_is_no_http(quick: RequestLimits) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with (
            client_of(f"http://127.0.0.1:{server.getsockname()[1]}", quick) as client,
            pytest.raises(InputError, match="what it answers is not HTTP"),
        ):
            client.json("/a")
        thread.join()


def test_a_server_without_tls_is_none_of_https(quick: RequestLimits) -> None:
    with (
        serving(HELLO) as server,
        client_of(f"https://127.0.0.1:{server.port}", quick) as client,
        pytest.raises(InputError, match="does not speak TLS; try http://"),
    ):
        client.json("/a")


def test_a_certificate_is_verified(quick: RequestLimits, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(HELLO, with_tls=True) as server:
        with (
            client_of(server.url, quick, TOKEN) as client,
            pytest.raises(InputError, match="its certificate is not trusted: self-signed certificate"),
        ):
            client.json("/a")
        assert server.asked == []
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        with client_of(server.url, quick, TOKEN) as client:
            assert client.json("/a") == {"hello": [1, 2]}
        assert server.tokens == [f"Bearer {TOKEN}"]


def test_not_json_has_what_was_answered(quick: RequestLimits) -> None:
    with (
        serving({"/a": Answer(b"<title>x</title>", kind="text/html")}) as server,
        client_of(server.url, quick) as client,
        pytest.raises(NotJson) as caught,
    ):
        client.json("/a")
    assert caught.value.answer == "a page “x”"


def test_shares_of_queues_without_room_cost_no_list(quick: RequestLimits) -> None:
    """NaN is no JSON, and YARN writes it."""
    with (
        serving({"/a": Answer(b'{"share": NaN, "id": 3}')}) as server,
        client_of(server.url, quick) as client,
    ):
        assert client.json("/a")["id"] == 3


def test_a_proxy_that_is_not_used_is_said(quick: RequestLimits, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"

    def refused() -> str:
        with client_of(url, quick) as client, pytest.raises(InputError) as caught:
            client.json("/a")
        return str(caught.value)

    assert refused().endswith("is the port right?")
    monkeypatch.setenv("http_proxy", "http://ann:secret@proxy.example:3128")
    sentence = refused()
    assert "the variable http_proxy names a proxy, which Slotscope does not use" in sentence
    assert "secret" not in sentence
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert refused().endswith("is the port right?")
