"""Why this makespan, as people ask for it: by key and button, in the charts, as a bar and as a list."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication

from core.charts.palette import linear, unpacked
from core.explain.causes import Cause
from core.explain.critical_path import critical_path
from explorer.explain.cause_bar import CauseBar, parts_of
from explorer.explain.critical_path_panel import NOTHING
from explorer.gantt.layers.critical_path import legend_texts
from explorer.gantt.stage import Style, to_image
from explorer.widgets.cause_style import LOOKS
from tests.core.charts.chart_builders import make_schedule
from tests.explorer.window_fixtures import block_point, drag, x_of
from tests.oklab import oklab

if TYPE_CHECKING:
    from explorer.window.main_window import MainWindow

pytestmark = pytest.mark.only_edits

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def explained(window, qtbot) -> MainWindow:
    window.actions_by_id["why_makespan"].trigger()
    qtbot.waitUntil(lambda: all(view.content.shown_critical_path for view in window.charts.views.values()))
    return window


# ---- asking


@pytest.mark.only_looks
def test_it_is_out_of_sight_until_asked_for(window):
    assert window.why.critical_path_page.is_open is False
    assert all(view.content.critical_path is None for view in window.charts.views.values())


def test_the_button_asks_and_asking_again_ends_it(window, qtbot):
    action, dock = window.actions_by_id["why_makespan"], window.why.critical_path_page
    action.trigger()
    qtbot.waitUntil(lambda: dock.is_in_front)
    view = window.charts.active_view
    qtbot.waitUntil(lambda: view.content.shown_critical_path is not None)
    assert action.isChecked()
    action.trigger()
    assert dock.is_open is False
    assert not action.isChecked()
    assert view.content.critical_path is None


def test_a_panel_behind_another_comes_to_the_front_first(explained, qtbot):
    window, dock = explained, explained.why.critical_path_page
    window.actions_by_id["comparison"].trigger()
    qtbot.waitUntil(lambda: dock.visibleRegion().isEmpty())
    assert window.actions_by_id["why_makespan"].isChecked()
    window.actions_by_id["why_makespan"].trigger()
    qtbot.waitUntil(lambda: not dock.visibleRegion().isEmpty())
    assert window.actions_by_id["why_makespan"].isChecked()


def test_closing_the_panel_ends_it(explained):
    explained.why.critical_path_page.shut()
    assert not explained.actions_by_id["why_makespan"].isChecked()
    assert explained.charts.active_view.content.critical_path is None


# ---- in the chart


def test_the_path_runs_through_the_chart_in_the_colours_of_the_causes(explained):
    view = explained.charts.active_view
    picture, frame = view.grab().toImage(), view.frame()
    links = view.content.shown_critical_path.links
    for link in links:
        if link.cause is Cause.SLOT_WAIT or link.seconds < 2:
            continue
        top, bottom = frame.row(int(view.content.rows.schedule.slot[link.task]))
        x = round(frame.x((link.begin + link.end) / 2))
        colours = {picture.pixel(x, y) & 0xFFFFFF for y in range(max(top - 2, 0), bottom + 3)}
        assert LOOKS[link.cause].colour in colours


def test_the_title_explains_the_colours_in_pictures_too(explained):
    view = explained.charts.active_view
    assert [text for _, text in legend_texts(view.content.shown_critical_path)] == [
        "waiting for a slot 85 %",
        "map work 8 %",
        "reduce work 7 %",
    ]
    picture = to_image([view.content], Style(explained.charts.theme, (900, 500)))
    line = {picture.pixel(x, y) & 0xFFFFFF for x in range(picture.width()) for y in range(34, 60)}
    assert {LOOKS[cause].colour for cause in (Cause.SLOT_WAIT, Cause.MAP_WORK, Cause.REDUCE_WORK)} <= line


def test_all_other_tasks_fade_and_come_back(window, qtbot):
    view = window.charts.active_view
    before = view.grab().toImage()
    point = block_point(view, 2) + QPoint(30, 20)
    window.actions_by_id["why_makespan"].trigger()
    qtbot.waitUntil(lambda: view.content.shown_critical_path is not None)
    faded = view.grab().toImage()
    assert faded.pixelColor(point).lightness() > before.pixelColor(point).lightness() + 40
    window.actions_by_id["why_makespan"].trigger()
    qtbot.waitUntil(lambda: view.grab().toImage().size() == before.size())
    assert view.grab().toImage() == before


def test_a_drag_shows_its_preview_without_the_old_chain_and_the_drop_brings_a_new_one(explained, qtbot):
    window, view = explained, explained.charts.views[1]
    start = block_point(view, 2) + QPoint(30, 20)
    drag(view, start, x_of(view, 74), release=False)
    assert view.content.shown_critical_path is None
    qtbot.mouseRelease(view, LEFT, pos=QPoint(x_of(view, 74), start.y()))
    assert window.runner.wait_until_idle(60_000)
    edited = window.charts.views[3]
    for each in (view, edited):
        qtbot.waitUntil(lambda each=each: each.content.shown_critical_path is not None)
    assert edited.content.shown_critical_path.links[-1].end == edited.content.rows.schedule.makespan < 74


def test_a_new_scenario_gets_its_chain_too(explained, qtbot):
    explained.actions_of_window.add_policy("sjf")
    assert explained.runner.wait_until_idle(60_000)
    view = explained.charts.views[3]
    qtbot.waitUntil(lambda: view.content.shown_critical_path is not None)


def test_a_scenario_that_left_is_forgotten(explained):
    explained.editor.remove_scenario(2)
    assert set(explained.why.critical_paths._known) == {1}
    assert explained.why.critical_paths.of(2) is None


# ---- the panel


def test_the_bar_sums_to_the_makespan(explained):
    parts = explained.why.critical_path_panel.bar.parts
    assert [(part.cause, part.seconds) for part in parts] == [
        (Cause.MAP_WORK, 6),
        (Cause.REDUCE_WORK, 5),
        (Cause.SLOT_WAIT, 63),
    ]
    assert parts[2].text == "waiting for a slot 1 min 03 s · 85.1 %"
    assert sum(part.share for part in parts) == pytest.approx(1)
    rects = explained.why.critical_path_panel.bar.bar_rects()
    assert rects[0].right() == pytest.approx(rects[1].left())
    assert rects[2].width() / (rects[2].right() - rects[0].left()) == pytest.approx(63 / 74)


def test_the_panel_follows_the_active_scenario(explained):
    panel = explained.why.critical_path_panel
    assert panel.summary.text().startswith("FIFO takes 1 min 14 s")
    assert "J3 (30 s)" in panel.summary.text()
    explained.view_state.activate_scenario(2)
    assert panel.summary.text().startswith("Johnson takes 47 s")
    assert sum(part.seconds for part in panel.bar.parts) == 47


def test_a_click_on_a_link_goes_to_its_task(explained, qtbot):
    table = explained.why.critical_path_panel.table
    place = table.visualRect(table.model().index(2, 3)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    task = explained.view_state.selected_task
    assert explained.document.workload.columns.job[task.task] == 2
    assert task.scenario_id == 1
    assert explained.view_state.selected_job == "J3"
    assert explained.view_state.time_cursor.seconds == 5.0


def test_enter_on_a_link_without_a_task_goes_to_its_time(window, qtbot):
    window.editor.edit_job(4, "arrival", 100)
    assert window.runner.wait_until_idle(60_000)
    window.actions_by_id["why_makespan"].trigger()
    table = window.why.critical_path_panel.table
    qtbot.waitUntil(lambda: table.model().rowCount(QModelIndex()) > 0)
    window.view_state.time_cursor.show_at(30.0)
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert table.model().index(0, 2).data() == "arrival"
    assert window.view_state.time_cursor.seconds == 0.0


def test_everything_is_copied_as_text(explained, qtbot):
    qtbot.mouseClick(explained.why.critical_path_panel.copy_button, LEFT)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert "map work 6 s · 8.1 %" in lines
    assert "0:35\t6 s\tmap work\tmap 1 of J4 runs on M1" in lines


@pytest.mark.only_looks
def test_before_a_simulation_it_says_so(window):
    panel = window.why.critical_path_panel
    assert panel.empty.text() == NOTHING
    assert panel.to_text() == NOTHING


# ---- the bar alone


def test_the_bar_says_what_a_cause_means_and_grows_with_its_legend(qtbot):
    bar = CauseBar()
    qtbot.addWidget(bar)
    bar.set_parts(parts_of(dict.fromkeys(Cause, 2.0)))
    bar.resize(1200, bar.height())
    wide = bar.height()
    bar.resize(320, bar.height())
    bar.show()
    assert bar.height() == bar.heightForWidth(320) > wide
    places = bar.legend_places(320)
    assert all(place.y() + 10 < bar.height() for place in places)
    for part, rect, place in zip(bar.parts, bar.bar_rects(), places, strict=True):
        assert bar.part_at(rect.center()) is part
        assert bar.part_at(place + QPointF(5, 5)) is part
    assert bar.part_at(QPointF(1, 1)) is None


def test_the_parts_of_any_schedule_add_up():
    schedule = make_schedule(jobs=4)
    parts = parts_of(critical_path(schedule).totals())
    assert sum(part.seconds for part in parts) == pytest.approx(schedule.makespan)


MACHADO = {
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


@pytest.mark.parametrize("sight", MACHADO)
def test_causes_are_told_apart_by_every_kind_of_sight(sight):
    """By colour, or by the hatch that only waiting has."""
    seen = {}
    for cause, look in LOOKS.items():
        light = linear(unpacked([look.colour])) @ np.array(MACHADO[sight]).T
        seen[cause] = oklab(np.clip(light, 0, 1))[0]
    for one, other in combinations(Cause, 2):
        if LOOKS[one].is_waiting == LOOKS[other].is_waiting:
            assert np.linalg.norm(seen[one] - seen[other]) > 0.05
