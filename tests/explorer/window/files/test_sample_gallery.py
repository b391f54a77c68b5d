"""The gallery of samples: pictures, what to look for, and what opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.files.samples import samples
from explorer.window.files import sample_gallery
from explorer.window.files.sample_gallery import SampleGallery

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

Key = Qt.Key


@pytest.fixture
def gallery(window, qtbot):
    sample_gallery._pictures.clear()
    window.actions_by_id["samples"].trigger()
    dialog = window.findChild(SampleGallery)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    yield dialog
    dialog.reject()
    qtbot.waitUntil(lambda: not dialog._worker.running)
    dialog.deleteLater()


def titles(gallery: SampleGallery) -> list[str]:
    return [sample.title for sample in gallery.model.rows]


def colours(picture: QImage) -> int:
    small = picture.scaled(60, 30)
    return len({small.pixel(x, y) for x in range(60) for y in range(30)})


@pytest.mark.only_looks
def test_every_sample_has_a_picture_of_its_own(gallery, qtbot):
    qtbot.waitUntil(lambda: not gallery.is_drawing)
    pictures = [sample_gallery.picture_of(sample, gallery.is_dark) for sample in samples()]
    assert all(picture is not None and colours(picture) > 20 for picture in pictures)
    assert len({bytes(picture.constBits()) for picture in pictures}) == len(samples())
    gallery.grab()
    again = SampleGallery(gallery)
    assert not again.is_drawing
    again.reject()


@pytest.mark.only_looks
def test_a_picture_is_that_of_what_the_sample_opens(gallery, qtbot):
    name, charts = sample_gallery._charts(samples()[0], lambda _fraction: None, lambda: False)
    assert name == "dynamic-slots"
    assert [chart.rows.schedule.makespan for chart in charts] == [62, 17]
    assert [chart.title for chart in charts] == ["Fair (HFS)", "PI-DHFS"]


@pytest.mark.only_looks
def test_typing_narrows_the_samples(gallery):
    QTest.keyClicks(gallery.field, "scan")
    assert titles(gallery) == ["Ten scans", "Overlapping scans"]
    QTest.keyClick(gallery.field, Key.Key_Down)
    assert gallery.list.currentIndex().row() == 1
    gallery.field.clear()
    QTest.keyClicks(gallery.field, "no sample")
    assert titles(gallery) == []
    empty = gallery.list.viewport().grab().toImage()
    gallery.field.clear()
    QTest.keyClicks(gallery.field, "nothing else")
    assert gallery.list.viewport().grab().toImage() == empty
    pixels = {empty.pixel(x, y) for x in range(empty.width()) for y in range(empty.height())}
    assert len(pixels) > 1, "a sentence says that nothing was found"
    assert not gallery.open_button.isEnabled()
    QTest.keyClick(gallery, Key.Key_Return)
    assert gallery.isVisible()


@pytest.mark.only_looks
@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_every_printed_name_finds_its_sample(gallery, sample):
    for typed in (sample.name, sample.name.replace("-", " "), sample.title, sample.title.lower()):
        gallery.field.clear()
        QTest.keyClicks(gallery.field, typed)
        assert titles(gallery)[:1] == [sample.title], typed


def test_enter_opens_a_sample_with_its_scenarios_and_lists_at_the_top(window, gallery, qtbot):
    QTest.keyClicks(gallery.field, "facebook")
    with qtbot.waitSignal(window.files.opened):
        QTest.keyClick(gallery.field, Key.Key_Return)
    assert not gallery.isVisible()
    assert window.runner.wait_until_idle(60_000)
    assert [scenario.choice.id for scenario in window.document.scenarios] == ["fifo", "johnson", "fair"]
    assert all(view.content.rows is not None for view in window.charts.views.values())
    bar = window.jobs_panel.table.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    with qtbot.waitSignal(window.files.opened):
        window.files.open("ten-scans")
    assert bar.value() == 0
    assert window.runner.wait_until_idle(60_000)


def test_a_double_click_opens_one(window, gallery, qtbot):
    place = gallery.list.visualRect(gallery.model.index(1, 0)).center()
    QTest.mouseClick(gallery.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    with qtbot.waitSignal(window.files.opened):
        QTest.mouseDClick(gallery.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.document.workload.name == samples()[1].title
    assert window.runner.wait_until_idle(60_000)
