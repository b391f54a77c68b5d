"""What decides of colours: the same in charts, jobs table and legend, chosen in a menu and remembered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.charts.class_colours import class_colours
from core.charts.raster_kernel import MAP_TONE
from core.measures.job_classes import ClassedBy
from explorer.gantt.layers.colour_menu import ColourMenu
from explorer.widgets.theme import theme

pytestmark = pytest.mark.only_edits


@pytest.fixture(autouse=True)
def as_at_first(window):
    yield
    window.view_state.colour_by = ClassedBy.BEST


def tones(window):
    return [view.frame().tones[:, MAP_TONE].tolist() for view in window.charts.views.values()]


def test_charts_and_table_have_the_same_colours(window):
    assert window.charts.colours.classes.by is ClassedBy.JOB
    colours = window.charts.map_colours().tolist()
    assert all(each == colours for each in tones(window))
    assert len(set(colours)) == len(colours)


def test_a_job_in_the_table_has_the_colour_of_most_of_its_tasks(window):
    window.view_state.colour_by = ClassedBy.STAGE
    window.runner.wait_until_idle(20_000)
    of_stage = class_colours(window.charts.colours.classes, theme(dark=False)).tolist()
    jobs = window.document.workload.jobs
    wanted = [of_stage[job.reduces.count > job.maps.count] for job in jobs]
    assert window.charts.map_colours().tolist() == wanted


def test_the_menu_of_the_legend_offers_what_there_is_and_its_choice_is_remembered(window, qtbot):
    legend = window.charts.legend
    QTest.mouseClick(legend.button, Qt.MouseButton.LeftButton)
    menu = legend.findChild(ColourMenu)
    offered = {row.offer.by: row.isEnabled() for row in menu.rows}
    assert offered[ClassedBy.JOB]
    assert offered[ClassedBy.STAGE]
    assert not offered[ClassedBy.USER]
    assert not offered[ClassedBy.DEVIATION]
    assert {row.offer.by for row in menu.rows} == set(ClassedBy) - {ClassedBy.BEST}
    row = next(row for row in menu.rows if row.offer.by is ClassedBy.STAGE)
    QTest.mouseClick(row, Qt.MouseButton.LeftButton)
    assert window.view_state.colour_by is ClassedBy.STAGE
    assert window.settings.colour_by is ClassedBy.STAGE
    assert "stage" in legend.button.text()
    checked = [action.data() for action in window.menus.menus["colour_by"].actions() if action.isChecked()]
    assert checked == ["stage"]
    assert "map, reduce" in legend.accessibleDescription()


def test_tasks_of_one_stage_look_alike_in_every_chart(window):
    window.view_state.colour_by = ClassedBy.STAGE
    for view in window.charts.views.values():
        frame, rows = view.frame(), view.content.rows
        assert len(set(frame.tones[:, MAP_TONE].tolist())) == 1, "no job has a colour of its own"
        shown = frame.task_tones[: 2 * view.content.jobs, MAP_TONE].reshape(-1, 2)
        assert (shown == shown[0]).all()
        assert shown[0, 0] != shown[0, 1]
        assert rows is not None


def test_what_is_pointed_at_in_the_legend_stands_out_in_every_chart(window):
    legend, none = window.charts.legend, Qt.MouseButton.NoButton
    legend.grab()
    place = legend.class_rect(1).center()
    there = QPointF(legend.mapToGlobal(place))
    moved = QMouseEvent(QEvent.Type.MouseMove, place, there, none, none, Qt.KeyboardModifier.NoModifier)
    before = tones(window)
    QApplication.sendEvent(legend, moved)
    for view in window.charts.views.values():
        frame = view.frame()
        same = frame.shown_tones[:, MAP_TONE] == frame.tones[:, MAP_TONE]
        assert np.flatnonzero(same).tolist() == [1]
    QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert tones(window) == before
    assert not any(view.frame().recedes for view in window.charts.views.values())


def test_a_click_on_an_entry_selects_its_job(window):
    legend = window.charts.legend
    legend.grab()
    place = legend.class_rect(2).center().toPoint()
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert window.view_state.selected_job == window.document.workload.jobs[2].name
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(place))
    assert window.view_state.selected_job is None


def test_an_edit_that_makes_users_differ_can_be_coloured_by_them(window):
    jobs = window.document.workload.jobs
    window.editor.replace_job(0, replace(jobs[0], user="ann"))
    window.view_state.colour_by = ClassedBy.USER
    colours = window.charts.map_colours().tolist()
    assert colours[0] not in colours[1:]
    names = [each.name for each in window.charts.colours.classes.classes]
    assert names == ["ann", "no user"]
    window.editor.undo_stack.undo()
    assert len(window.charts.colours.classes.classes) == 1
