"""A poll of a class: asked by a key, answered by real requests, shown before the veil, marked after it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.lessons.local_addresses import LocalAddress
from explorer.lessons.poll_picture import INK, QUIET, WIDTH, BarsPicture, CodePicture
from explorer.widgets.export import blank_image
from explorer.window.lessons.class_poll import NO_NETWORK
from tests.explorer.lessons.conftest import STEPS, leave_all, lesson_text

HERE = LocalAddress("127.0.0.1", "lo")
KEY = Qt.Key


@pytest.fixture
def shown(window, qtbot, tmp_path):
    """Return the presenter at the question which job is next, a step before one about an order."""
    path = tmp_path / "polled.lesson.json"
    path.write_text(lesson_text([STEPS[1], STEPS[3], STEPS[0]]), encoding="utf-8")
    window.files.open(path)
    lesson = window.lessons.steps
    qtbot.waitUntil(lambda: lesson.walk is not None and lesson.walk.source == str(path))
    qtbot.waitUntil(lambda: lesson.read is not None)
    assert window.runner.wait_until_idle()
    window.lessons.poll.addresses = lambda: (HERE,)
    window.actions_by_id["present"].trigger()
    yield window.lessons.presenter
    window.lessons.presenter.leave()
    leave_all(window)


def send(url, voter, answer):
    body = json.dumps({"voter": f"{voter:032x}", "answer": answer}).encode()
    asked = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=20) as reply:
        return reply.status


def is_over(url):
    try:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=20)
    except urllib.error.URLError:
        return True
    return False


def test_nothing_is_served_until_it_is_asked_for(shown):
    assert not shown.poll.server
    assert shown.poll.picture() is None


def test_the_histogram_comes_before_the_veil_lifts_and_the_right_choice_after_it(window, qtbot, shown):
    poll = shown.poll
    QTest.keyClick(shown, KEY.Key_P)
    url = poll.server.url
    assert isinstance(poll.picture(), CodePicture)
    given = {1: 0, 2: 1, 3: 1, 4: 0, 5: 0}
    for voter, answer in given.items():
        assert send(url, voter, answer) == 200
    given[2] = 0
    assert send(url, 2, 0) == 200
    qtbot.waitUntil(lambda: poll.picture().answers == 5)
    QTest.keyClick(shown, KEY.Key_V)
    assert window.view_state.veil.is_down
    assert not poll.server
    assert is_over(url)
    bars = poll.picture()
    assert isinstance(bars, BarsPicture)
    counts = Counter("ab"[answer] for answer in given.values())
    assert {row.text: row.votes for row in bars.bars} == dict(counts)
    assert bars.right is None
    assert bars.heading == "5 answers"
    QTest.keyClick(shown, KEY.Key_V)
    assert not window.view_state.veil.is_down
    qtbot.waitUntil(lambda: poll.picture().right is not None)
    marked = poll.picture()
    assert [marked.row_text(place) for place in range(2)] == ["✔ a", "b"]
    assert marked.heading == "5 answers, 4 right"


def test_it_may_be_asked_again_at_another_path(shown):
    poll = shown.poll
    QTest.keyClick(shown, KEY.Key_P)
    first = poll.server.url
    send(first, 1, 1)
    QTest.keyClick(shown, KEY.Key_P)
    assert poll.votes == (1.0,)
    QTest.keyClick(shown, KEY.Key_P)
    assert poll.server.url != first
    assert not poll.server.votes


@pytest.mark.parametrize("end", [KEY.Key_Escape, KEY.Key_PageDown])
def test_it_ends_with_presenting_and_with_the_question(shown, end):
    QTest.keyClick(shown, KEY.Key_P)
    url = shown.poll.server.url
    QTest.keyClick(shown, end)
    assert not shown.poll.server
    assert shown.poll.picture() is None
    assert is_over(url)


def test_a_question_that_no_phone_can_answer_says_why(window, qtbot, shown):
    QTest.keyClick(shown, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: window.lessons.presented.question is not None)
    QTest.keyClick(shown, KEY.Key_P)
    assert not shown.poll.server
    assert shown.help.text.startswith("There is no poll on this question: its answer is an order of jobs")


def test_numbers_are_asked_for_and_the_right_one_is_marked(window, qtbot, shown):
    for _ in range(2):
        QTest.keyClick(shown, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: window.lessons.presented.question is not None)
    QTest.keyClick(shown, KEY.Key_P)
    for voter, answer in enumerate([16, 11, 16.2, 20, 16]):
        assert send(shown.poll.server.url, voter, answer) == 200
    QTest.keyClick(shown, KEY.Key_P)
    QTest.keyClick(shown, KEY.Key_V)
    qtbot.waitUntil(lambda: shown.poll.picture().right is not None)
    bars = shown.poll.picture()
    assert [(row.text, row.votes) for row in bars.bars] == [
        ("11 s", 1),
        ("16 s", 2),
        ("16.2 s", 1),
        ("20 s", 1),
    ]
    assert bars.heading == "5 answers, 3 right"
    assert [bars.row_text(place)[0] for place in range(4)] == ["1", "✔", "✔", "2"]


def test_without_a_network_a_sentence_says_so(shown):
    shown.poll.addresses = tuple
    QTest.keyClick(shown, KEY.Key_P)
    assert shown.help.text == NO_NETWORK
    assert not shown.poll.server


def test_of_several_addresses_one_is_chosen(shown):
    shown.poll.addresses = lambda: (LocalAddress("192.0.2.77", "wlan0"), HERE)
    QTest.keyClick(shown, KEY.Key_P)
    assert "1  192.0.2.77 wlan0   ·   2  127.0.0.1 lo" in shown.help.text
    assert not shown.poll.server
    QTest.keyClick(shown, KEY.Key_9)
    assert not shown.poll.server
    QTest.keyClick(shown, KEY.Key_2)
    assert "//127.0.0.1:" in shown.poll.server.url


def test_an_address_that_is_gone_is_a_sentence(shown):
    shown.poll.addresses = lambda: (LocalAddress("192.0.2.77", "wlan0"),)
    QTest.keyClick(shown, KEY.Key_P)
    assert "192.0.2.77: no poll can be served there" in shown.help.text
    assert not shown.poll.server


def test_the_code_is_drawn_as_it_was_made(shown):
    """Its modules are read back from the picture, in the middle of each."""
    import segno

    QTest.keyClick(shown, KEY.Key_P)
    picture = shown.poll.picture()
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QPainter

    image = blank_image(QSize(picture.width(), picture.height()), 1.0)
    with QPainter(image) as painter:
        picture.paint_export(painter)
    matrix = segno.make(shown.poll.server.url, error="m", micro=False).matrix
    pixels = WIDTH / (len(matrix) + 2 * QUIET)
    found = [
        [
            image.pixelColor(int((QUIET + x + 0.5) * pixels), int((QUIET + y + 0.5) * pixels)) == INK
            for x in range(len(matrix))
        ]
        for y in range(len(matrix))
    ]
    assert found == [[bool(module) for module in line] for line in matrix]
