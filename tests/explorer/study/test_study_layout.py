"""How the study window is laid out: the answer on top, fields that fold, nothing cut at any size."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from core.model.errors import InputError
from core.study.figure_kinds import PICTURES
from explorer.session.settings import WindowSettings
from explorer.study.picture_choice import TitledBox
from explorer.study.study_run import StudyRun
from explorer.study.study_window import MIN_FOR_FIELDS, StudyWindow
from explorer.widgets.flat_button import FlatButton
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.core.study.made_up import STUDY, HereWorkers, rows

LEFT = Qt.MouseButton.LeftButton
SIZES = ((1000, 700), (1366, 768), (1600, 900), (1920, 1080))


def no_base():
    raise InputError("these studies are around nothing")


@pytest.fixture
def make(shown, tmp_path):
    made = []

    def make():
        parent = shown(QWidget())
        run = StudyRun(parent, HereWorkers)  # type: ignore[arg-type]  # they run in the thread that asks
        settings = WindowSettings(tmp_path / "settings.ini")
        window = StudyWindow(no_base, tmp_path / "r", theme(False), parent, run, settings=settings)
        window.resize(1366, 768)
        window.show_study(STUDY)
        window.show()
        made.append((window, parent))
        return window

    yield make
    for window, _ in made:
        window.shutdown()
        shutdown_workers(window)


def show_picture(window, qtbot, kind="lines"):
    pictures = window.pictures
    pictures.show_rows(rows())
    box = pictures.chooser.kind
    box.setCurrentIndex(box.findData(kind))
    qtbot.waitUntil(lambda: pictures.data is not None and pictures.data.choice.kind == kind)
    qtbot.waitUntil(lambda: not pictures._maker.is_busy)


def test_fields_fold_when_there_is_a_picture_and_the_choice_is_remembered(make, qtbot):
    window = make()
    assert window.fields.isVisible(), "without a picture there is nothing else to do"
    window.settings.name.setFocus()
    show_picture(window, qtbot)
    assert not window.fields.isVisible()
    assert window.focusWidget() is window.pictures.curves
    window.resize(MIN_FOR_FIELDS + 100, 800)
    qtbot.waitUntil(window.fields.isVisible)
    window.resize(1366, 768)
    qtbot.waitUntil(lambda: not window.fields.isVisible())
    QTest.mouseClick(window.bar.fields_button, LEFT)
    assert window.fields.isVisible()
    again = make()
    show_picture(again, qtbot)
    assert again.fields.isVisible()


def test_before_there_is_an_answer_the_sentence_says_what_there_is_to_run(make, qtbot):
    window = make()
    assert "12 cells × 2 = 24 simulations" in window.sentence.whole_text
    show_picture(window, qtbot)
    assert window.sentence.whole_text == window.pictures.data.sentence
    assert window.sentence.y() < window.pictures.y() + window.splitter.y()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", list(PICTURES))
def test_no_text_is_cut(make, qtbot, size, kind):
    window = make()
    window.resize(*size)
    show_picture(window, qtbot, kind)
    for are_shown in (True, False):
        window._show_fields(are_shown)
        QTest.qWait(20)
        assert (window.width(), window.height()) == size, "it is no wider than it was made"
        for box in window.findChildren(TitledBox):
            if box.isVisible():
                need = box.fontMetrics().horizontalAdvance(box.currentText())
                assert need <= box.width() - box.height(), box.currentText()
        for button in window.findChildren(FlatButton):
            assert not button.isVisible() or button.width() >= button.sizeHint().width()
        for label in (window.size_label, *window.settings.findChildren(QLabel)):
            if label.isVisible() and not label.wordWrap():
                text = label.text().replace("&", "")
                assert label.fontMetrics().horizontalAdvance(text) <= label.width(), text
        plot = next(each for each in window.pictures.plots if each.isVisible())
        share = plot.width() * plot.height() / (size[0] * size[1])
        assert share > (0.5 if are_shown else 0.7)


def test_a_title_goes_before_what_is_chosen_is_cut(shown):
    box = shown(TitledBox("Along"))
    box.addItem("Map slots")
    box.resize(box.sizeHint())
    assert box.shows_title
    box.resize(box.sizeHint().width() - 30, box.height())
    assert not box.shows_title


def test_lines_that_are_the_same_are_named_in_the_legend(make, qtbot):
    window = make()
    frame = rows()
    frame["makespan"] = 40.0
    window.pictures.show_rows(frame)
    qtbot.waitUntil(lambda: window.pictures.data is not None and not window.pictures._maker.is_busy)
    texts = [entry.text for entry in window.pictures.legend.entries]
    first, second = (curve.name for curve in window.pictures.curves.curves)
    assert texts[:2] == [f"{first} (as {second})", second]
