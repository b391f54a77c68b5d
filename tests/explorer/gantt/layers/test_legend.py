from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from explorer.gantt.geometry.chart_frame import ChartFonts
from explorer.gantt.geometry.schedule_rows import schedule_rows
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.decision_marks import DIFFERENCE
from explorer.gantt.layers.legend import (
    LEGEND_HEIGHT,
    MAX_JOBS,
    Legend,
    LegendContent,
    fitting_signs,
    phase_image,
)
from explorer.gantt.layers.marks import SIGNS as MARK_SIGNS
from explorer.gantt.layers.task_rows import SIGNS as TASK_SIGNS
from explorer.gantt.raster.palette import job_tones
from explorer.gantt.raster.raster_kernel import MAP_TONE, REDUCE_TONE
from explorer.widgets.theme import theme
from tests.explorer.gantt.chart_builders import make_schedule

SIGNS = (*TASK_SIGNS, *MARK_SIGNS)
NAMES = [f"J{i + 1}" for i in range(100)]


@pytest.fixture
def legend(qtbot):
    legend = Legend(theme(False))
    qtbot.addWidget(legend)
    legend.resize(1400, LEGEND_HEIGHT)
    return legend


def listed(legend):
    legend.grab()
    return [job for job in range(100) if legend.entry_rect(job).isValid()]


def test_few_jobs_are_all_listed_and_many_in_part(legend):
    legend.show_jobs(NAMES[:5])
    assert listed(legend) == [0, 1, 2, 3, 4]
    legend.show_jobs(NAMES[:14])
    legend.resize(2400, LEGEND_HEIGHT)
    assert len(listed(legend)) == 14
    legend.show_jobs(NAMES)
    assert listed(legend) == list(range(MAX_JOBS))


def test_many_jobs_are_listed_in_the_order_of_the_queue(legend):
    legend.show_jobs(NAMES, np.arange(100)[::-1])
    legend.resize(1800, LEGEND_HEIGHT)
    assert listed(legend) == list(range(88, 100))


def test_under_a_veil_the_order_tells_nothing_of_the_queue(legend):
    names, queue = ["a", "b", "c"], np.array([2, 0, 1])
    for is_veiled, listed in ((False, "b, c, a"), (True, "a, b, c")):
        legend.show_jobs(names, queue, is_veiled=is_veiled)
        assert legend.accessibleDescription().startswith(f"3 jobs: {listed}.")


def test_a_narrow_legend_says_less_but_never_overlaps(legend):
    legend.show_jobs(NAMES)
    counts = []
    for width in (1400, 900, 600, 400, 250, 120, 40):
        legend.resize(width, LEGEND_HEIGHT)
        rects = [legend.entry_rect(job) for job in listed(legend)]
        counts.append(len(rects))
        assert all(a.right() <= b.left() for a, b in pairwise(rects))
        assert all(rect.right() <= width for rect in rects)
    assert counts == sorted(counts, reverse=True)


def test_signs_give_way_one_by_one_and_maps_last(legend):
    fonts = ChartFonts(legend.font())
    kept = [fitting_signs(room, fonts, SIGNS) for room in range(2000, 0, -20)]
    assert kept[0] == SIGNS
    assert all(set(b) <= set(a) for a, b in pairwise(kept))
    assert [sign.text for sign in [signs for signs in kept if signs][-1]] == ["map"]


def test_signs_look_as_the_chart_draws_them(legend):
    tones = job_tones(1)[0]
    images = {sign.text: phase_image(tones, sign, theme(False)) for sign in SIGNS if sign.phase}
    assert images["map"].pixelColor(10, 6).rgb() & 0xFFFFFF == tones[MAP_TONE]
    assert images["reduce"].pixelColor(10, 6).rgb() & 0xFFFFFF == tones[REDUCE_TONE]
    hatched = [images[text] for text in ("waits for maps", "first shuffle", "shuffle")]
    assert all(a != b for a in hatched for b in hatched if a is not b)


def test_a_click_asks_for_the_job(qtbot, legend):
    legend.show_jobs(NAMES[:5])
    legend.grab()
    with qtbot.waitSignal(legend.job_clicked) as clicked:
        QTest.mouseClick(
            legend,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            legend.entry_rect(3).center().toPoint(),
        )
    assert clicked.args == [3]


def test_a_selected_job_explains_the_signs(legend):
    legend.show_jobs(NAMES[:5])
    before = legend.grab().toImage()
    legend.set_selected_job(2)
    assert legend.grab().toImage() != before
    legend.show_jobs(NAMES[:2])
    legend.set_selected_job(2)
    legend.grab()


def test_an_empty_legend_is_painted(legend):
    legend.show_jobs([])
    assert not legend.grab().isNull()


def test_colours_are_those_of_the_charts():
    places = np.arange(20)[::-1]
    content = LegendContent(tuple(NAMES[:20]), theme(True), places)
    assert np.array_equal(content.tones, job_tones(20, places, dark=True))


def test_each_entry_has_a_tip_while_its_mark_is_drawn(legend, monkeypatch):
    tips = []
    monkeypatch.setattr(
        QToolTip, "showText", lambda _place, text, _widget: tips.append(" ".join(text.split()))
    )
    rows = schedule_rows(make_schedule())
    legend.show_jobs(NAMES[:3], None, [rows])
    legend.grab()
    for x in range(0, legend.width(), 5):
        place = QPoint(x, LEGEND_HEIGHT // 2)
        QApplication.sendEvent(legend, QHelpEvent(QEvent.Type.ToolTip, place, legend.mapToGlobal(place)))
    for sign in legend_signs([rows]):
        assert any(sign.tip in tip for tip in tips), sign.text
    assert any("J2: colour of its maps" in tip for tip in tips)
    assert legend.tip_at(QPointF(1, 1)) == ""


def test_waves_are_explained_while_a_job_stands_out(legend):
    legend.show_jobs(NAMES[:3], None, [schedule_rows(make_schedule())])
    assert "wave" not in legend.accessibleDescription()
    legend.set_selected_job(1)
    assert "wave" in legend.accessibleDescription()
    legend.set_selected_job(-1)
    assert "wave" not in legend.accessibleDescription()


def test_marks_of_decisions_are_explained_while_they_are_drawn(legend):
    legend.show_jobs(NAMES[:3], None, [schedule_rows(make_schedule())])
    before = legend.grab().toImage()
    legend.explain_differences(are_marked=True)
    assert legend.grab().toImage() != before
    assert DIFFERENCE.text in legend.accessibleDescription()
    tips = {legend.tip_at(QPointF(x, LEGEND_HEIGHT / 2)) for x in range(0, legend.width(), 5)}
    assert any(DIFFERENCE.tip in tip for tip in tips)
    legend.explain_differences(are_marked=False)
    assert legend.grab().toImage() == before
