"""The sentence above the charts: whole clauses, a height of its own, links for mouse and keyboard."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from core.explain.run_summary import Clause, LinkTo, Phrase, Tone
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.sentence_bar import LINE_HEIGHT, TWO_LINES_HEIGHT, SentenceBar
from explorer.widgets.theme import application_palette, theme

CLAUSES = (
    Clause(
        (Phrase("FIFO", link=LinkTo.RUN, key=1), Phrase(" ends after "), Phrase("1 min 14 s", Tone.STRONG))
    ),
    Clause(
        (Phrase("41 s of it before "), Phrase("J<5>", link=LinkTo.JOB, name="J<5>"), Phrase(" came")), ": "
    ),
    Clause((Phrase("Johnson", link=LinkTo.RUN, key=2), Phrase(" ends "), Phrase("27 s", Tone.BETTER))),
    Clause((Phrase("56 s less waiting for slots, but 28 s more map time, 1 s more reduce time"),), ": "),
    Clause((Phrase("3497 attempts", link=LinkTo.FAILED, key=1), Phrase(" failed"))),
    Clause((Phrase("Another schedule", link=LinkTo.BOUND, key=1), Phrase(" could save at most 27 s"))),
)
WHOLE = (
    "FIFO ends after 1 min 14 s: 41 s of it before J<5> came. "
    "Johnson ends 27 s: 56 s less waiting for slots, but 28 s more map time, 1 s more reduce time. "
    "3497 attempts failed. Another schedule could save at most 27 s."
)


@pytest.fixture
def bar(qtbot):
    window = QWidget()
    bar = SentenceBar()
    rest = QWidget()
    column(bar, (rest, 1), parent=window, margins=NO_MARGINS, spacing=0)
    qtbot.addWidget(window)
    window.resize(1366, 300)
    window.show()
    bar.show_clauses(CLAUSES)
    QApplication.processEvents()
    yield bar
    window.close()


def resized(bar, width):
    bar.window().resize(width, 300)
    QApplication.processEvents()
    return bar


def plain(bar):
    document = QTextDocument()
    document.setHtml(bar.text())
    return document.toPlainText().removeprefix("\u200b").replace("\N{NO-BREAK SPACE}", " ")


def test_all_of_it_in_one_line(bar):
    assert bar.height() == LINE_HEIGHT
    assert bar.text_shown == bar.whole_text == WHOLE
    assert plain(bar) == WHOLE
    assert bar.accessibleName() == WHOLE
    assert bar.toolTip() == ""


@pytest.mark.parametrize("width", [300, 420, 640, 900, 1199, 1200, 1366])
def test_whole_clauses_go_from_the_end(bar, width):
    resized(bar, width)
    assert bar.height() == (LINE_HEIGHT if width >= 1200 else TWO_LINES_HEIGHT)
    shown = plain(bar)
    assert shown == bar.text_shown
    assert "…" not in shown
    ends = [m.start() for m in re.finditer(r"[.:](?= |$)", WHOLE)]
    assert shown.endswith(".")
    assert len(shown) - 1 in ends, "whole clauses"
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.setDefaultFont(bar.font())
    document.setHtml(bar.text())
    document.setTextWidth(bar.contentsRect().width())
    assert document.size().height() <= bar.height()


def test_what_was_dropped_comes_back(bar):
    assert resized(bar, 500).text_shown != WHOLE
    assert "Another schedule" in bar.toolTip()
    assert resized(bar, 1366).text_shown == WHOLE


def test_the_height_is_the_same_without_a_sentence(bar):
    for width, height in ((1366, LINE_HEIGHT), (1000, TWO_LINES_HEIGHT)):
        resized(bar, width)
        for clauses in ((), CLAUSES[:1], CLAUSES):
            bar.show_clauses(clauses)
            QApplication.processEvents()
            assert bar.height() == height
    bar.show_clauses(())
    assert bar.text_shown == ""
    assert bar.links == []


def place_of(bar, text):
    """Return the middle of the link with this text, found by the hand that the pointer becomes."""
    for x in range(0, bar.width(), 3):
        QTest.mouseMove(bar, QPoint(x, bar.height() // 2))
        if bar.cursor().shape() is Qt.CursorShape.PointingHandCursor and text in hovered(bar):
            return QPoint(x + 6, bar.height() // 2)
    raise AssertionError(text)


def hovered(bar):
    return bar.toolTip()


def test_links_are_clicked(bar, qtbot):
    with qtbot.waitSignal(bar.link_chosen) as chosen:
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place_of(bar, "J&lt;5&gt;"))
    assert chosen.args == [CLAUSES[1].words[1]]


def test_links_are_reached_by_tab_and_chosen_by_enter(bar, qtbot):
    bar.setFocus(Qt.FocusReason.TabFocusReason)
    chosen = []
    bar.link_chosen.connect(chosen.append)
    for _ in range(5):
        QTest.keyClick(bar, Qt.Key.Key_Tab)
        QTest.keyClick(bar, Qt.Key.Key_Return)
    assert {phrase.text for phrase in chosen} == {phrase.text for phrase in bar.links}


def test_copy_takes_all_of_it(bar):
    resized(bar, 500)
    place = QPoint(20, 20)
    QApplication.sendEvent(
        bar, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, bar.mapToGlobal(place))
    )
    (menu,) = bar.findChildren(QMenu)
    menu.actions()[0].trigger()
    assert QGuiApplication.clipboard().text() == WHOLE
    menu.close()


def test_an_old_sentence_is_faint_and_colours_follow_the_theme(bar):
    light = theme(False)
    assert light.better.name() in bar.text()
    assert light.link.name() in bar.text()
    bar.show_as_old()
    assert bar.text_shown == WHOLE
    assert light.third_text.name() in bar.text()
    assert light.link.name() not in bar.text()
    bar.show_clauses(CLAUSES)
    bar.setPalette(application_palette(theme(True)))
    QApplication.processEvents()
    assert theme(True).link.name() in bar.text()
    assert light.link.name() not in bar.text()


def test_no_card_is_drawn_while_nothing_is_said(bar):
    """Under a veil an empty box looked like something that could not be loaded."""
    bar.show_as_card(is_card=True)
    QApplication.processEvents()
    said = bar.grab().toImage()
    height = bar.height()
    bar.show_clauses(())
    QApplication.processEvents()
    empty = bar.grab().toImage()
    corner, middle = empty.pixel(0, 0), empty.pixel(empty.width() // 2, empty.height() - 4)
    assert middle == corner
    assert said.pixel(said.width() // 2, said.height() - 4) != corner
    assert bar.height() == height  # nothing below it moves


def test_tab_comes_to_its_links_and_shows_which(bar, qtbot):
    before = QPushButton("before", bar.parentWidget())
    QWidget.setTabOrder(before, bar)
    before.show()
    bar.window().activateWindow()
    before.setFocus()
    nothing = bar.grab().toImage()
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert bar.hasFocus()
    assert bar.grab().toImage() != nothing
    with qtbot.waitSignal(bar.link_chosen) as chosen:
        QTest.keyClick(bar, Qt.Key.Key_Return)
    assert chosen.args == [bar.links[0]]
    QTest.keyClick(bar, Qt.Key.Key_Backtab)
    assert before.hasFocus()


def test_tab_passes_it_by_while_it_has_no_links(bar):
    bar.show_clauses(())
    assert bar.focusPolicy() == Qt.FocusPolicy.NoFocus
    bar.show_clauses(CLAUSES)
    assert bar.focusPolicy() == Qt.FocusPolicy.StrongFocus
