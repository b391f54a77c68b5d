"""A poll is served to real requests, bad ones too; what is counted is what was sent."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest

from core.lessons.poll import MAX_BODY, MAX_VOTERS, PollForm
from core.model.errors import InputError
from explorer.lessons.local_addresses import local_addresses
from explorer.lessons.poll_server import NO_REQUEST, PollServer

FORM = PollForm("Which <one>?", ("first", "second", "third"), ("a", "b", "c"))
HERE = "127.0.0.1"


@pytest.fixture
def poll():
    server = PollServer(FORM, HERE)
    yield server
    server.stop()


def request(url, body=None, method=None, **headers):
    """Return the status, the text and the headers of a reply."""
    asked = urllib.request.Request(
        url, body, {k.replace("_", "-"): v for k, v in headers.items()}, method=method
    )
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=20) as reply:
            return reply.status, reply.read().decode(), reply.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers


def send(url, answer, voter=1):
    body = json.dumps({"voter": f"{voter:032x}", "answer": answer}).encode()
    return request(url, body, Content_Type="application/json")[:2]


def raw(url, data):
    """Send bytes as they are, and return all that comes back; nothing where the server hangs up before."""
    place = urlsplit(url)
    reply = b""
    with socket.create_connection((place.hostname, place.port), timeout=20) as phone:
        with contextlib.suppress(OSError):
            phone.sendall(data)
            phone.shutdown(socket.SHUT_WR)
        with contextlib.suppress(OSError):
            while part := phone.recv(4096):
                reply += part
    return reply


def test_the_page_is_served_with_a_policy_and_is_kept_nowhere(poll):
    status, page, headers = request(poll.url)
    assert status == 200
    assert "Which &lt;one&gt;?" in page
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    nonce = policy.partition("script-src 'nonce-")[2].partition("'")[0]
    assert len(nonce) >= 16
    assert page.count(f'nonce="{nonce}"') == 2
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Set-Cookie"] is None
    assert "Python" not in (headers["Server"] or "")
    assert request(poll.url)[2]["Content-Security-Policy"] != policy


def test_answers_are_counted_as_a_plain_dictionary_counts_them(poll):
    chance, plainly = random.Random(7), {}
    for _ in range(120):
        voter, answer = chance.randrange(25), chance.choice([0, 1, 2, 3, -1, 1.5])
        status, _text = send(poll.url, answer, voter)
        assert status == (200 if answer in (0, 1, 2) else 400)
        if status == 200:
            plainly[f"{voter:032x}"] = answer
    assert poll.votes == plainly


def test_so_many_phones_are_taken_and_no_more(poll):
    for voter in range(MAX_VOTERS):
        poll.take(json.dumps({"voter": f"{voter:032x}", "answer": 0}).encode())
    status, text = send(poll.url, 1, MAX_VOTERS + 5)
    assert status == 400
    assert text == f"{MAX_VOTERS} answers are in: no more are taken."
    assert send(poll.url, 1, 3)[0] == 200
    assert len(poll.votes) == MAX_VOTERS


def test_other_paths_and_methods_find_nothing(poll):
    root = poll.url.rpartition("/")[0]
    for path in ("", "/", "/" + "a" * 12, poll.url[-13:] + "/", poll.url[-13:] + "?x", "/../../etc/passwd"):
        status, text, _ = request(root + path)
        assert status == 404
        assert "Which" not in text
        assert request(root + path, b"{}", Content_Type="application/json")[0] == 404
    for method in ("PUT", "DELETE", "HEAD", "OPTIONS"):
        assert request(poll.url, method=method)[0] == 501
    assert poll.votes == {}


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: -5\r\n\r\n", 411),
        ("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ٣\r\n\r\n", 411),
        ("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n", 411),
        ("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 201\r\n\r\n", 413),
        (
            "POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: "
            + "9" * 5000
            + "\r\n\r\n",
            413,
        ),
        ("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{{", 400),
        ("POST {path} HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}", 415),
        ("POST {path} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{{}}", 415),
        ("GET " + "/x" * 40_000 + " HTTP/1.1\r\n\r\n", 414),
        ("GET {path} HTTP/1.1\r\n" + "A: b\r\n" * 200 + "\r\n", 431),
        ("GET {path} HTTP/9.9\r\n\r\n", 505),
        ("NONSENSE\r\n\r\n", 400),
    ],
)
def test_bad_requests_are_refused_and_the_next_one_is_served(poll, head, status):
    reply = raw(poll.url, head.format(path=urlsplit(poll.url).path).encode())
    first, _, rest = reply.partition(b"\r\n")
    if rest:
        assert f" {status} ".encode() in first
    elif status != 414:  # of a request of no known version there is no head
        assert reply == NO_REQUEST.encode()
    assert b"NONSENSE" not in reply
    assert poll.votes == {}
    assert send(poll.url, 1)[0] == 200


def test_a_body_that_is_too_long_is_not_read(poll):
    body = json.dumps({"voter": "0" * 32, "answer": 1, "more": "x" * MAX_BODY}).encode()
    assert request(poll.url, body, Content_Type="application/json")[0] == 413


@pytest.mark.parametrize("data", [b"", b"\0" * 300, b"\r\n" * 50, b"GET"])
def test_phones_that_say_nothing_sensible_do_no_harm(poll, data):
    raw(poll.url, data)
    assert request(poll.url)[0] == 200


def test_nothing_is_served_any_more_once_it_has_stopped():
    server = PollServer(FORM, HERE)
    assert send(server.url, 2)[0] == 200
    server.stop()
    with pytest.raises(urllib.error.URLError):
        request(server.url)
    assert list(server.votes.values()) == [2]


def test_a_phone_that_is_connected_when_it_stops_is_too_late():
    server = PollServer(FORM, HERE)
    place, body = urlsplit(server.url), json.dumps({"voter": "0" * 32, "answer": 1}).encode()
    with socket.create_connection((place.hostname, place.port), timeout=20) as phone:
        phone.sendall(f"POST {place.path} HTTP/1.1\r\nContent-Type: application/json\r\n".encode())
        while not any("process_request_thread" in each.name for each in threading.enumerate()):
            time.sleep(0.01)  # until it is connected
        server.stop()
        with contextlib.suppress(OSError):
            phone.sendall(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
            assert b" 200 " not in phone.recv(4096).partition(b"\r\n")[0]
    assert not any("process_request_thread" in each.name for each in threading.enumerate())
    assert server.votes == {}


def test_it_is_bound_to_the_one_address_and_each_poll_has_a_path_of_its_own(poll):
    other = PollServer(FORM, HERE)
    try:
        assert other._server.server_address[0] == HERE
        assert urlsplit(other.url).path != urlsplit(poll.url).path
        assert len(urlsplit(other.url).path) == 13
        crossed = other.url.rpartition("/")[0] + urlsplit(poll.url).path
        assert request(crossed)[0] == 404
    finally:
        other.stop()


def test_an_address_of_another_machine_is_refused_by_a_sentence():
    with pytest.raises(InputError, match=r"192\.0\.2\.77: no poll can be served there"):
        PollServer(FORM, "192.0.2.77")


def test_own_addresses_can_be_served_at():
    for each in local_addresses():
        assert not each.address.startswith(("127.", "169.254."))
        PollServer(FORM, each.address).stop()
