from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from core.charts.class_colours import class_colours
from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE
from core.charts.schedule_rows import schedule_rows
from core.measures.job_classes import ClassedBy, JobClass, JobClasses
from explorer.gantt.geometry.chart_frame import ChartFonts
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.decision_marks import DIFFERENCE
from explorer.gantt.layers.execution_history import SIGNS as HISTORY_SIGNS
from explorer.gantt.layers.layer import Sign
from explorer.gantt.layers.legend import LEGEND_HEIGHT, NOTHING, Legend, phase_image
from explorer.gantt.layers.legend_content import LASTING, LegendContent, legend_block, legend_line
from explorer.gantt.layers.task_rows import SIGNS as TASK_SIGNS
from explorer.gantt.layers.time_marks import SIGNS as MARK_SIGNS
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_by_job, job_tones, make_schedule
from tests.explorer.gantt.chart_builders import wheel_event

SIGNS = (*TASK_SIGNS, *MARK_SIGNS)
NAMES = [f"J{i + 1}" for i in range(100)]
SIZES = JobClasses(
    ClassedBy.SIZE,
    (JobClass("1 map", 60), JobClass("2 to 9 maps", 39), JobClass("a job of 400 maps", 1)),
    np.array([0] * 60 + [1] * 39 + [2]),
    np.zeros(100, np.int64),
)


@pytest.fixture
def legend(qtbot):
    legend = Legend(theme(False))
    qtbot.addWidget(legend)
    legend.resize(1400, LEGEND_HEIGHT)
    legend.show()
    return legend


def listed(legend):
    legend.grab()
    return [number for number in range(10) if legend.class_rect(number).isValid()]


def show(legend, jobs, **more):
    legend.show_jobs(NAMES[:jobs], job_by_job(jobs), **more)


def names_in(width, classes, signs=SIGNS, names=NAMES):
    content = LegendContent(classes, tuple(names), theme(False), signs=signs)
    fonts = ChartFonts(QApplication.font())
    return legend_line(QRectF(0, 0, width, LEGEND_HEIGHT), fonts, content)


def test_every_class_is_listed_with_the_number_of_its_jobs(legend):
    legend.show_jobs(NAMES, SIZES)
    assert listed(legend) == [0, 1, 2]
    assert legend.accessibleDescription().startswith(
        "100 jobs: 1 map 60 jobs, 2 to 9 maps 39 jobs, a job of 400 maps 1 job."
    )
    assert "size" in legend.button.text()


def test_under_a_veil_the_order_tells_nothing_of_the_queue(legend):
    names = ["a", "b", "c"]
    queue = JobClasses(
        ClassedBy.JOB,
        (JobClass("b", 1, 1), JobClass("c", 1, 2), JobClass("a", 1, 0)),
        np.array([2, 0, 1]),
        np.zeros(3, np.int64),
    )
    for is_veiled, order in ((False, "b, c, a"), (True, "a, b, c")):
        legend.show_jobs(names, queue, is_veiled=is_veiled)
        assert legend.accessibleDescription().startswith(f"3 jobs: {order}.")


@pytest.mark.parametrize("width", [1400, 1000, 700, 400, 250, 120])
def test_a_narrow_legend_says_less_but_nothing_overlaps(width):
    line = names_in(width, job_by_job(9))
    rects = [placed.rect for placed in line.placed]
    assert all(a.right() <= b.left() for a, b in pairwise(rects))
    assert rects[-1].right() <= width or len(rects) == 1
    assert line.pages >= 1


def test_nine_jobs_and_every_part_of_a_task_fit_into_the_smallest_window():
    line = names_in(1000 - 120, job_by_job(9), TASK_SIGNS[1:4])
    assert line.pages == 1
    assert [placed.entry.name for placed in line.placed[:9]] == NAMES[:9]
    assert "shuffle" in [placed.entry.name for placed in line.placed]


def test_a_real_log_with_failed_and_killed_attempts_fits_into_a_window_of_1000_pixels():
    """Beside the rail, the button and the word about what was read."""
    rest = (*job_by_job(9).classes, JobClass("9 small", 9, is_rest=True))
    classes = JobClasses(ClassedBy.JOB, rest, np.arange(10), np.zeros(10, np.int64))
    attempts = (HISTORY_SIGNS[look]._replace(amount="3497") for look in ("failed", "killed"))
    line = names_in(1000 - 36 - 110 - 140, classes, (SIGNS[3], *attempts), [f"{i + 7}" for i in range(18)])
    assert line.pages == 1
    assert [placed.entry.name for placed in line.placed][-4:] == ["9 small", "shuffle", "failed", "killed"]


def test_how_many_jobs_a_class_has_goes_first_then_signs_then_classes_are_paged():
    def seen(width):
        line = names_in(width, SIZES)
        amounts = [placed.entry.amount for placed in line.placed if placed.entry.number >= 0]
        signs = [placed.entry.sign for placed in line.placed if placed.entry.sign]
        return bool(amounts[0]), len(signs) == len(SIGNS), line.pages

    steps = [seen(width) for width in range(1600, 60, -20)]
    assert steps[0] == (True, True, 1)
    assert (False, True, 1) in steps
    assert (False, False, 1) in steps
    assert steps[-1][2] > 3
    assert steps == sorted(steps, key=lambda step: (not step[0], not step[1], step[2]))


def test_the_wheel_turns_to_other_classes(legend):
    show(legend, 9)
    legend.resize(330, LEGEND_HEIGHT)
    pages = [listed(legend)]
    while len(pages) == 1 or pages[-1] != pages[0]:
        QApplication.sendEvent(legend, wheel_event(legend, QPoint(200, 10), -1))
        pages.append(listed(legend))
    assert [number for page in pages[:-1] for number in page] == list(range(9))
    QApplication.sendEvent(legend, wheel_event(legend, QPoint(200, 10), 1))
    assert listed(legend) == pages[-2]


def test_signs_look_as_the_chart_draws_them(legend):
    tones = job_tones(1)[0]
    images = {sign.text: phase_image(tones, sign, theme(False)) for sign in SIGNS if sign.phase}
    assert images["map"].pixelColor(10, 6).rgb() & 0xFFFFFF == tones[MAP_TONE]
    assert images["reduce"].pixelColor(10, 6).rgb() & 0xFFFFFF == tones[REDUCE_TONE]
    hatched = [images[text] for text in ("waits for maps", "first shuffle", "shuffle")]
    assert all(a != b for a in hatched for b in hatched if a is not b)


def press(legend, number):
    place = legend.class_rect(number).center().toPoint()
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def point(legend, place):
    there = QPointF(legend.mapToGlobal(place))
    none = Qt.MouseButton.NoButton
    moved = QMouseEvent(QEvent.Type.MouseMove, place, there, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(legend, moved)


def test_a_click_asks_for_the_job(qtbot, legend):
    show(legend, 5)
    legend.grab()
    with qtbot.waitSignal(legend.job_clicked) as clicked:
        press(legend, 3)
    assert clicked.args == [3]


def test_what_the_pointer_is_upon_stands_out_until_it_leaves(legend):
    show(legend, 5)
    legend.grab()
    pointed = []
    legend.class_pointed.connect(pointed.append)
    point(legend, legend.class_rect(3).center())
    point(legend, legend.class_rect(1).center())
    QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert pointed == [3, 1, NOTHING]


def test_a_class_of_several_jobs_that_is_clicked_stays_until_it_is_clicked_again(legend):
    legend.show_jobs(NAMES, SIZES)
    legend.grab()
    pointed = []
    legend.class_pointed.connect(pointed.append)
    press(legend, 1)
    QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert pointed == [1]
    point(legend, legend.class_rect(0).center())
    QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert pointed == [1, 0, 1]
    press(legend, 1)
    QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert pointed[-1] == NOTHING


def test_a_selected_job_stands_out(legend):
    show(legend, 5)
    before = legend.grab().toImage()
    legend.set_selected_job(2)
    assert legend.grab().toImage() != before
    show(legend, 2)
    legend.set_selected_job(2)
    legend.grab()


def test_an_empty_legend_is_painted(legend):
    legend.show_jobs([])
    assert not legend.grab().isNull()
    assert not legend.button.isVisible()


def test_colours_are_those_of_the_charts():
    content = LegendContent(job_by_job(9), tuple(NAMES[:9]), theme(True))
    assert np.array_equal(content.swatches[:, 0], class_colours(job_by_job(9), theme(True)))


def test_each_entry_has_a_tip_while_its_mark_is_drawn(legend, monkeypatch):
    tips = []
    monkeypatch.setattr(
        QToolTip, "showText", lambda _place, text, _widget: tips.append(" ".join(text.split()))
    )
    rows = schedule_rows(make_schedule())
    show(legend, 3, shown=[rows])
    legend.grab()
    for x in range(0, legend.width(), 5):
        place = QPoint(x, LEGEND_HEIGHT // 2)
        QApplication.sendEvent(legend, QHelpEvent(QEvent.Type.ToolTip, place, legend.mapToGlobal(place)))
    for sign in legend_signs([rows]):
        assert any(sign.tip in tip for tip in tips), sign.text
    assert any("J2: colour of its tasks" in tip for tip in tips)
    assert legend.tip_at(QPointF(1, 1)) == ""


def test_waves_are_explained_while_a_job_stands_out(legend):
    show(legend, 3, shown=[schedule_rows(make_schedule())])
    assert "wave" not in legend.accessibleDescription()
    legend.set_selected_job(1)
    assert "wave" in legend.accessibleDescription()
    legend.set_selected_job(-1)
    assert "wave" not in legend.accessibleDescription()


def test_marks_of_decisions_are_explained_while_they_are_drawn(legend):
    show(legend, 3, shown=[schedule_rows(make_schedule())])
    before = legend.grab().toImage()
    legend.explain_differences(are_marked=True)
    assert legend.grab().toImage() != before
    assert DIFFERENCE.text in legend.accessibleDescription()
    tips = {legend.tip_at(QPointF(x, LEGEND_HEIGHT / 2)) for x in range(0, legend.width(), 5)}
    assert any(DIFFERENCE.tip in tip for tip in tips)
    legend.explain_differences(are_marked=False)
    assert legend.grab().toImage() == before


def test_the_button_asks_for_the_menu(qtbot, legend):
    show(legend, 3)
    with qtbot.waitSignal(legend.menu_wanted):
        QTest.mouseClick(legend.button, Qt.MouseButton.LeftButton)


def block(width, classes, max_rows, signs=SIGNS, begin=90):
    content = LegendContent(classes, tuple(NAMES), theme(False), signs=signs)
    fonts = ChartFonts(QApplication.font())
    return legend_block(QRectF(12, 2, width, 19), begin, fonts, content, max_rows)


@pytest.mark.parametrize("width", [150, 236, 400, 1000])
@pytest.mark.parametrize("jobs", [1, 8, 40])
def test_entries_in_several_lines_lie_beside_and_below_one_another(qapp, width, jobs):
    found = block(width, job_by_job(jobs), 5)
    rects = [rect for rect, _ in found.placed]
    assert not any(one.intersects(other) for i, one in enumerate(rects) for other in rects[:i])
    assert all(rect.left() >= (90 if rect.top() == 2 else 12) for rect in rects)
    assert all(rect.right() <= 12 + width for rect in rects if rect.left() > 90)
    lines = {rect.top() for rect in rects}
    assert lines == {2 + 19 * i for i in range(len(lines))}
    assert len(lines) <= found.rows <= 5


def test_signs_that_matter_least_give_way_to_classes_before_there_are_parts(qapp):
    classes = job_by_job(12)
    everything = block(236, classes, 99)
    assert [entry.name for _, entry in everything.placed][:12] == NAMES[:12]
    assert len(everything.placed) == 12 + len(SIGNS)
    fewer = block(236, classes, everything.rows - 1)
    assert fewer.pages == 1
    left_out = {entry.sign for _, entry in everything.placed} - {entry.sign for _, entry in fewer.placed}
    kept = {entry.sign for _, entry in fewer.placed if entry.sign is not None}
    assert left_out
    assert max(sign.priority for sign in left_out) <= min(
        (sign.priority for sign in kept if sign.priority < LASTING), default=LASTING
    )
    parts = block(236, job_by_job(100), 4)
    assert parts.pages > 1
    assert parts.rows == 4


def test_a_legend_in_rows_is_as_high_as_they_are_and_one_line_again(legend):
    show(legend, 40)
    line = legend.height()
    legend.show_in_rows(has_rows=True)
    legend.resize(236, legend.height())
    legend.grab()
    assert legend.height() > 2 * line
    place = legend.class_rect(1).center().toPoint()
    with_job = []
    legend.job_clicked.connect(with_job.append)
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=place)
    assert with_job == [1]
    legend.show_in_rows(has_rows=False)
    assert legend.height() == line


def test_signs_of_no_priority_give_way_before_the_numbers_of_jobs(qapp):
    signs = (*SIGNS, Sign("slots in use", 0))
    shown = [names_in(width, SIZES, signs).placed for width in range(300, 2000)]
    texts = [[f"{entry.name} {entry.amount}" for _, entry in placed] for placed in shown]
    extra, amount = "slots in use ", "1 map 60 jobs"
    assert extra in texts[-1]
    assert any(extra not in each and amount in each for each in texts)
    assert all(amount in each for each in texts if extra in each)
