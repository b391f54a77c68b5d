"""The window of shared scans as a person uses it: look, drag a job, change fields, undo."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QMouseEvent, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from core.charts.palette import READABLE, contrast
from core.files.samples import load_sample
from core.model.job import scan_stage
from core.model.task_types import MAP
from core.shared_scans.block_sets import BlockSetSchedule
from explorer.scans.circle_drawing import Canvas
from explorer.scans.circle_places import places
from explorer.scans.scan_colours import Marked, frame, shade, text_upon
from explorer.scans.scan_pane import value_text
from explorer.scans.scan_words import state_text
from explorer.scans.subjob_chart import describe as describe_bar
from explorer.scans.subjob_chart import runs_of
from explorer.widgets.theme import application_palette, theme
from tests.explorer.window_fixtures import LEFT, open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from core.shared_scans.windows import ScanPolicy
    from explorer.scans.scan_window import ScanWindow
    from explorer.scans.sharing_chart import LaneRow, SharingChart
    from explorer.window.main_window import MainWindow


SAMPLE = "ten-scans"


@pytest.fixture
def window(request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    looks = request.node.get_closest_marker("only_looks")
    main: MainWindow = (
        request.getfixturevalue("window_looked_at") if looks else open_window(qtbot, tmp_path, SAMPLE)
    )
    main.actions_by_id["shared_scans"].trigger()
    main.scans.resize(1300, 850)
    qtbot.waitUntil(lambda: bool(main.scans.stories))
    return main


@pytest.fixture
def scans(window: MainWindow) -> ScanWindow:
    QTest.keyClick(window.scans, Qt.Key.Key_Escape)  # what another test has chosen
    return window.scans


def sharing(scans: ScanWindow) -> SharingChart:
    return scans.columns["circumflex"].sharing


def row_of(chart: SharingChart, job: int) -> LaneRow:
    return next(row for row in chart.rows() if row.job == job)


def point(place: QPointF) -> QPoint:
    return place.toPoint()


def value(scans: ScanWindow, policy: str) -> float:
    return next(s for s in scans.stories if s.policy == policy).schedule.value


@pytest.mark.only_looks
def test_four_policies_are_compared(scans: ScanWindow) -> None:
    assert [story.policy for story in scans.stories] == ["flex", "batch", "ako", "circumflex"]
    assert value(scans, "circumflex") < value(scans, "flex")
    text = scans.columns["circumflex"].header.text()
    assert "Average response" in text
    assert "−42.3" in text
    assert "windows" not in text
    assert "Scans saved: 7 min 24 s" in scans.columns["circumflex"].header.toolTip()
    for policy in ("batch", "ako"):
        assert "waited for windows" in scans.columns[policy].header.text()
    assert "Windows: clicks 24 s, sales 24 s" in scans.columns["batch"].header.toolTip()
    assert "Windows: clicks 27 s, sales 40 s" in scans.columns["ako"].header.toolTip()


@pytest.mark.only_looks
def test_a_bar_says_what_it_is(scans: ScanWindow) -> None:
    chart = scans.columns["circumflex"].subjobs
    story = scans.stories[3]
    shared = max(story.bars, key=lambda bar: (bar.concurrency, bar.end - bar.start))
    middle = chart.x_of((shared.start + shared.end) / 2)
    y = chart.plot.bottom() - (shared.bottom + shared.slots / 2) / 10 * chart.plot.height()
    assert chart.bar_at(middle, y) == shared
    assert "serves" in describe_bar(story, shared)
    assert chart.bar_at(1, 1) is None


def test_dragging_a_row_moves_the_arrival_and_shows_it_live(qtbot: QtBot, window: MainWindow) -> None:
    chart = sharing(window.scans)
    row, before = row_of(chart, 9), window.scans.stories
    start = point(row.box.center())
    QTest.mousePress(chart, LEFT, pos=start)
    QTest.mouseMove(chart, start - QPoint(30, 0))
    qtbot.waitUntil(lambda: window.scans.stories is not before)
    assert window.document.workload.jobs[9].arrival == 96, "the document waits for the drop"
    QTest.mouseRelease(chart, LEFT, pos=start - QPoint(30, 0))
    moved = window.document.workload.jobs[9].arrival
    assert moved == pytest.approx(96 - 30 / chart.plot.width() * chart.end, abs=1)
    assert window.view_state.selected_job == "J10"
    window.editor.undo_stack.undo()
    assert window.document.workload.jobs[9].arrival == 96


def test_dragging_a_row_to_another_lane_moves_the_dataset(qtbot: QtBot, window: MainWindow) -> None:
    chart = sharing(window.scans)
    row = row_of(chart, 0)
    other = next(lane for line, lane in chart.lanes() if line.dataset != row.dataset)
    start = point(row.box.center())
    QTest.mousePress(chart, LEFT, pos=start)
    target = QPoint(start.x(), int(other.center().y()))
    QTest.mouseMove(chart, target)
    QTest.mouseRelease(chart, LEFT, pos=target)
    job = window.document.workload.jobs[0]
    assert job.dataset == "sales"
    assert job.maps.durations.tolist() == [3.0]
    assert window.runner.wait_until_idle()


def values(scans: ScanWindow) -> list[float]:
    return [story.schedule.value for story in scans.stories]


def test_escape_ends_a_drag_without_a_drop_and_all_four_go_back(qtbot: QtBot, window: MainWindow) -> None:
    chart, before = sharing(window.scans), values(window.scans)
    start = point(row_of(chart, 4).box.center())
    QTest.mousePress(chart, LEFT, pos=start)
    QTest.mouseMove(chart, start + QPoint(60, 0))
    qtbot.waitUntil(lambda: all(a != b for a, b in zip(values(window.scans), before, strict=True)))
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    QTest.mouseRelease(chart, LEFT, pos=start + QPoint(60, 0))
    qtbot.waitUntil(lambda: values(window.scans) == before)
    assert window.document.workload.jobs[4].arrival == 30
    assert not window.editor.undo_stack.canUndo()


def test_fields_edit_the_selected_job(qtbot: QtBot, window: MainWindow) -> None:
    fields = window.scans.job_fields
    assert not fields.arrival.isEnabled()
    window.view_state.select_job("J3")
    assert fields.arrival.value() == 22
    fields.most.setValue(3)
    assert window.document.workload.jobs[2].max_slots == 3
    fields.dataset.setCurrentText("clicks")
    assert window.document.workload.jobs[2].dataset == "clicks"
    assert window.document.workload.jobs[2].maps.count == 60
    fields.least.setValue(5)
    assert window.document.workload.jobs[2].min_slots == 0, "more than the maximum is refused"
    assert fields.least.value() == 0


@pytest.mark.parametrize(
    ("field", "value", "metric"),
    [
        ("weight", 9.0, "Average weighted response"),
        ("least", 5, "Average response"),
        ("most", 2, "Average response"),
        ("arrival", 2.0, "Average response"),
    ],
)
def test_each_field_changes_the_schedules_live_and_can_be_undone(
    qtbot: QtBot, window: MainWindow, field: str, value: float, metric: str
) -> None:
    scans = window.scans
    scans.metric_field.setCurrentText(metric)
    qtbot.waitUntil(lambda: scans.stories[0].schedule.metric.title == metric)
    window.view_state.select_job("J5")
    before = values(scans)
    getattr(scans.job_fields, field).setValue(value)
    qtbot.waitUntil(lambda: values(scans) != before)
    window.editor.undo_stack.undo()
    qtbot.waitUntil(lambda: values(scans) == before)


def test_the_metric_and_the_window_are_chosen(qtbot: QtBot, scans: ScanWindow) -> None:
    before = scans.stories
    scans.metric_field.setCurrentText("Maximum stretch")
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.stories[0].schedule.metric.id == "max-stretch"
    before = scans.stories
    scans.window_field.setValue(60)
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.stories[1].waited > 200


def test_the_window_of_batches_fits_the_workload_that_is_shown_until_it_is_set(
    qtbot: QtBot, window: MainWindow
) -> None:
    scans, before = window.scans, window.scans.stories
    assert scans.window_field.text() == "24 s, automatic"
    window.editor.set_workload(load_sample("overlapping-scans"), "Open a sample")
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.window_field.text() == "3 s, automatic", "a quarter of the last arrival, 12 s"
    assert windows_of(scans) == 3
    scans.window_field.setValue(5)
    qtbot.waitUntil(lambda: windows_of(scans) == 5)
    before = scans.stories
    window.editor.set_workload(load_sample("ten-scans"), "Open a sample")
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert windows_of(scans) == 5
    scans.window_field.setValue(0)
    qtbot.waitUntil(lambda: windows_of(scans) == 24)


def windows_of(scans: ScanWindow) -> float:
    windows = scans.stories[1].windows
    assert windows is not None
    return float(windows.length[0])


@pytest.mark.only_looks
def test_clocks_follow_the_time_that_is_clicked(qtbot: QtBot, scans: ScanWindow) -> None:
    chart = scans.columns["circumflex"].subjobs
    QTest.mouseClick(chart, LEFT, pos=QPoint(int(chart.x_of(33)), int(chart.plot.top()) + 5))
    clocks = {clock.dataset: clock for clock in scans.columns["circumflex"].circles.clocks()}
    sharing_jobs = [hand.job for hand in clocks[0].hands]
    assert 3 in sharing_jobs, "J4 arrived at 0:28 and rides"
    scans.slider.setValue(0)
    assert all(not clock.hands for clock in scans.columns["circumflex"].circles.clocks())


def test_without_datasets_it_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(qtbot, tmp_path, "five-jobs")
    window.scans.show_in_front()
    assert window.scans.pages.currentIndex() == 1
    window.scans.pages.currentWidget().findChild(QPushButton).click()
    qtbot.waitUntil(lambda: bool(window.scans.stories))
    assert window.scans.pages.currentIndex() == 0
    assert window.document.workload.name == "Ten scans"
    window.scans.close()


@pytest.mark.only_looks
def test_values_have_units(scans: ScanWindow) -> None:
    metric = scans.stories[0].schedule.metric
    assert value_text(metric, 12.5) == "12 s"


@pytest.mark.only_looks
def test_the_wheel_zooms_and_a_double_click_shows_all(qtbot: QtBot, scans: ScanWindow) -> None:
    chart = scans.columns["flex"].subjobs
    scans.zoom(0.25, 60.0)
    assert chart.end - chart.start == pytest.approx(scans.end / 4)
    assert sharing(scans).start == chart.start
    assert chart.start < 60 < chart.end
    QTest.mouseDClick(chart, LEFT, pos=QPoint(100, 40))
    assert (chart.start, chart.end) == (0, scans.end)


@pytest.mark.only_looks
def test_the_picture_and_the_jobs_are_exported(scans: ScanWindow, tmp_path: Path) -> None:
    windowed: tuple[ScanPolicy, ...] = ("batch", "ako")
    for policy in windowed:
        scans.switches[policy].setChecked(True)
    scans.export_button.copy_picture_action.trigger()
    assert QGuiApplication.clipboard().image().width() > 2000
    for ending in ("png", "svg", "csv"):
        scans.export_button.save(str(tmp_path / f"scans.{ending}"))
    assert QImage(str(tmp_path / "scans.png")).width() > 2000
    drawing = (tmp_path / "scans.svg").read_text()
    assert "CIRCUMFLEX" in drawing
    assert "a window fills" in drawing
    for policy in windowed:
        scans.switches[policy].setChecked(False)
    header, first, *rest = (tmp_path / "scans.csv").read_text().splitlines()
    assert header.startswith("policy,job,dataset,arrival (s)")
    assert first.startswith("flex,J1,clicks,10.0,10.0,")
    assert len(rest) == 39, "ten jobs under four policies"


def test_columns_can_be_hidden_and_are_not_exported_then(scans: ScanWindow, tmp_path: Path) -> None:
    assert [policy for policy, column in scans.columns.items() if column.isVisible()] == [
        "flex",
        "circumflex",
    ]
    scans.switches["batch"].click()
    assert scans.columns["batch"].isVisible()
    widths = {scans.columns[policy].width() for policy in ("flex", "batch", "circumflex")}
    assert max(widths) - min(widths) <= 1, "panes are equal"
    scans.export_button.save(str(tmp_path / "scans.csv"))
    assert "ako" not in (tmp_path / "scans.csv").read_text()
    for policy in ("flex", "batch", "circumflex"):
        scans.switches[policy].click()
    assert not scans.export_button.isEnabled(), "nothing is left to export"


# ---- keyboard


def test_arrows_go_through_the_jobs_and_move_them(window: MainWindow) -> None:
    chart = sharing(window.scans)
    window.view_state.select_job("J2")
    QTest.keyClick(chart, Qt.Key.Key_Down)
    assert window.view_state.selected_job == "J4", "the next job on the same dataset"
    QTest.keyClick(chart, Qt.Key.Key_Right)
    QTest.keyClick(chart, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert window.document.workload.jobs[3].arrival == 28 + 1 - 10
    QTest.keyClick(chart, Qt.Key.Key_PageDown)
    assert window.document.workload.jobs[3].dataset == "sales"
    for _ in range(3):
        window.editor.undo_stack.undo()
    assert window.document.workload.jobs[3].arrival == 28
    assert window.document.workload.jobs[3].dataset == "clicks"


@pytest.mark.only_looks
def test_every_field_can_be_reached_by_the_keyboard(scans: ScanWindow) -> None:
    fields = [scans.metric_field, scans.window_field, scans.slider, scans.export_button]
    fields += [scans.switches["ako"], sharing(scans), *vars(scans.job_fields).values()]
    for field in fields:
        if isinstance(field, QWidget) and not isinstance(field, QLabel):
            assert field.focusPolicy() & Qt.FocusPolicy.TabFocus, field


# ---- metrics


def items(field: QComboBox) -> list[QStandardItem]:
    model = field.model()
    assert isinstance(model, QStandardItemModel)
    return [model.item(i) for i in range(field.count())]


@pytest.mark.only_looks
def test_every_metric_can_be_chosen_and_says_what_optimises_it(scans: ScanWindow) -> None:
    listed = items(scans.metric_field)
    assert len(listed) == 18
    assert all(item.isEnabled() for item in listed)
    assert "Optimised by: search" in next(i.toolTip() for i in listed if i.text() == "Tardy jobs")
    assert "Average SLA cost: " in scans.columns["flex"].header.toolTip()
    assert "Tardy jobs: 0" in scans.columns["flex"].header.toolTip()


def test_sla_costs_can_be_given_and_are_refused_with_a_sentence(qtbot: QtBot, window: MainWindow) -> None:
    scans, before = window.scans, window.scans.stories
    assert not scans.levels_field.isVisible()
    scans.metric_field.setCurrentText("Maximum SLA cost")
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.levels_field.isVisible()
    assert value(scans, "flex") == 1, "some response is longer than 60 s"
    scans.levels_field.setText("30:2")
    QTest.keyClick(scans.levels_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: value(scans, "flex") == 2)
    scans.levels_field.setText("soon")
    QTest.keyClick(scans.levels_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.messages.message is not None)
    assert "'soon' is not 'seconds:cost'" in str(window.messages.message)


def test_a_metric_of_deadlines_without_any_says_so(qtbot: QtBot, scans: ScanWindow) -> None:
    before = scans.stories
    scans.metric_field.setCurrentText("Maximum lateness")
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.columns["circumflex"].header.text().endswith("Maximum lateness · no deadlines")


def test_sets_of_blocks_are_shown_and_leave_the_maxima(qtbot: QtBot, window: MainWindow) -> None:
    document = window.document.workload
    old = document.jobs[0]
    some = replace(old.with_stage(MAP, scan_stage(document.datasets[0], ((10, 40),))), blocks=((10, 40),))
    before = window.scans.stories
    window.editor.replace_job(0, some)
    qtbot.waitUntil(lambda: window.scans.stories is not before)
    field = window.scans.metric_field
    offered = [item.text() for item in items(field) if item.isEnabled()]
    assert len(offered) == 9
    assert all(text == "Makespan" or text.startswith("Maximum") for text in offered)
    refusal = next(item.toolTip() for item in items(field) if item.text() == "Average response")
    assert "can be measured but not optimised" in refusal
    assert field.metric_id == "max-stretch"
    circumflex = window.scans.stories[3]
    assert isinstance(circumflex.schedule, BlockSetSchedule)
    assert circumflex.schedule.value <= window.scans.stories[0].schedule.value
    clocks = window.scans.columns["circumflex"].circles
    clocks.set_time(12.0)
    (hand,) = clocks.clocks()[0].hands
    assert hand.arcs[0].begin == pytest.approx(10 / 60)


# ---- pictures


@pytest.mark.only_looks
def test_runs_of_subjobs_have_all_the_slot_time(scans: ScanWindow) -> None:
    story = scans.stories[3]
    runs = runs_of(story.bars)
    assert sum((run.end - run.bar.start) * run.bar.slots for run in runs) == pytest.approx(
        sum((bar.end - bar.start) * bar.slots for bar in story.bars)
    )


@pytest.mark.only_looks
def test_the_counter_of_saved_scans_follows_the_cursor(scans: ScanWindow) -> None:
    circles = scans.columns["circumflex"].circles
    scans.slider.setValue(0)
    assert circles.title() == "0 s saved by 0:00"
    scans.slider.setValue(scans.slider.maximum())
    assert "7 min 24 s saved by 2:42" in circles.title()


@pytest.mark.only_looks
def test_only_jobs_that_are_served_together_are_said_to_share(scans: ScanWindow) -> None:
    """FLEX scans for each job alone and saves nothing, whoever else scans the dataset."""
    said: dict[ScanPolicy, set[str]] = {"flex": set(), "circumflex": set()}
    for at in range(0, scans.slider.maximum() + 1, max(scans.slider.maximum() // 20, 1)):
        scans.slider.setValue(at)
        for policy, states in said.items():
            states.update(state_text(clock) for clock in scans.columns[policy].circles.clocks())
    assert "2 scanning alone" in said["flex"]
    assert not any("sharing" in state for state in said["flex"])
    assert {"1 scanning alone", "2 sharing"} <= said["circumflex"]
    assert not any("2 scanning alone" in state for state in said["circumflex"])
    assert scans.columns["flex"].circles.title() == "0 s saved by 2:42"


def test_many_circles_take_several_rows() -> None:
    boxes = places(QRectF(0, 0, 300, 420), 6, 14.0)
    assert len({box.top() for box in boxes}) == 3
    assert all(box.bottom() <= 420.5 and box.right() <= 300.5 for box in boxes)


def test_a_narrow_window_keeps_its_fields_in_two_rows(scans):
    """The sentence beside the fields is cut where the room ends; its tooltip has all of it."""
    fields = scans.job_fields
    scans.resize(scans.minimumSizeHint().width(), 700)
    QGuiApplication.processEvents()
    assert fields.height() < 4 * fields.arrival.height()
    assert "drag the row to move it" in fields.title.toolTip()


def test_it_opens_at_an_instant_that_makes_the_point(scans: ScanWindow) -> None:
    """BATCH's first window has just ended, and two jobs boarded together."""
    batch = next(story for story in scans.stories if story.policy == "batch")
    assert 24 < scans.time.seconds < min(t for t in batch.schedule.boarded if t > 24)
    hands = [len(clock.hands) for clock in scans.columns["batch"].circles.clocks()]
    assert max(hands) == 2


def test_steps_of_a_drag_are_undone_and_redone_here(qtbot: QtBot, scans: ScanWindow) -> None:
    scans.what_if.drop(2, 50.0, 0)
    document = scans._document
    assert document.workload.jobs[2].arrival == 50
    qtbot.waitUntil(scans.isActiveWindow)
    QTest.keyClick(scans.slider, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.workload.jobs[2].arrival != 50
    QTest.keyClick(scans.slider, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert document.workload.jobs[2].arrival == 50
    scans.undo_action.trigger()
    assert scans.redo_action.isEnabled()


@pytest.mark.only_looks
def test_keys_play_and_step_through_what_happens(qtbot: QtBot, scans: ScanWindow) -> None:
    time, actions = scans.time, scans.time.actions_by_id
    actions["to_start"].trigger()
    assert time.seconds == 0
    actions["next_event"].trigger()
    first = min(story.schedule.jobs.arrival.min() for story in scans.stories)
    assert time.seconds == pytest.approx(first, abs=0.1)
    actions["next_event"].trigger()
    assert time.seconds > first + 0.1
    actions["previous_event"].trigger()
    assert time.seconds == pytest.approx(first, abs=0.1)
    actions["play"].trigger()
    assert time.is_playing
    qtbot.waitUntil(lambda: time.seconds > first + 0.2)
    actions["play"].trigger()
    assert not time.is_playing
    actions["to_end"].trigger()
    assert time.seconds == scans.end


@pytest.mark.only_looks
def test_what_is_later_than_the_time_looked_at_recedes(scans: ScanWindow) -> None:
    """Who boards later stands out only once the time has come."""
    chart = scans.columns["circumflex"].sharing
    last = max(chart.rows(), key=lambda row: row.boarded)
    place = QPointF(chart.x_of((last.boarded + last.finish) / 2), last.box.center().y()).toPoint()
    colour = shade(last.dataset, 1, theme(dark=False))
    scans.time.look_at(0.0)
    assert chart.grab().toImage().pixelColor(place) != colour
    scans.time.look_at(scans.end)
    assert chart.grab().toImage().pixelColor(place) == colour


def test_the_legend_has_the_signs_of_what_is_shown(scans: ScanWindow) -> None:
    legend = scans.legend
    assert "blocks that are read again" in legend.accessibleName()
    assert "a window fills" not in legend.accessibleName()
    scans.switches["flex"].setChecked(False)
    scans.switches["batch"].setChecked(True)
    assert "read again" not in legend.accessibleName()
    assert "a window fills" in legend.accessibleName()
    boxes = legend.places(legend.width())
    assert all(box.right() <= legend.width() and box.bottom() <= legend.height() for box in boxes)


def test_colours_of_datasets_carry_text_and_differ_by_depth() -> None:
    for dark in (False, True):
        colours = theme(dark=dark)
        for dataset in range(9):
            shades = [shade(dataset, sharing, colours) for sharing in (1, 2, 3, 4)]
            assert frame(dataset, colours) == shades[2]
            assert shade(dataset, 9, colours) == shades[3]
            for one, other in itertools.pairwise(shades):
                assert contrast(one.rgb() & 0xFFFFFF, other.rgb() & 0xFFFFFF) > 1.4
            for one in shades:
                assert contrast(text_upon(one).rgb() & 0xFFFFFF, one.rgb() & 0xFFFFFF) >= READABLE


# ---- linked views


@pytest.mark.only_looks
def test_a_subjob_that_is_pointed_at_stands_out_in_all_four_views(scans: ScanWindow) -> None:
    """At 0:29 J1, J2 and J4 share the scan of clicks; nobody else is marked."""
    scans.time.look_at(28.5)
    pane = scans.columns["circumflex"]
    pane.circles.grab()
    spot = next(s for s in reversed(pane.circles.spots) if s.tip.startswith("(clicks,1) ×3"))
    assert spot.marked == Marked(frozenset((0, 1, 3)), True)
    assert "serves J1, J2, J4" in spot.tip
    before = {policy: column.subjobs.grab().toImage() for policy, column in scans.columns.items()}
    place = spot.path.boundingRect().center()
    buttons, keys = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    moved = QMouseEvent(QEvent.Type.MouseMove, place, place, buttons, buttons, keys)
    QGuiApplication.sendEvent(pane.circles, moved)
    assert all(column.subjobs.marked == spot.marked for column in scans.columns.values())
    assert all(column.sharing.marked == spot.marked for column in scans.columns.values())
    assert before["circumflex"] != pane.subjobs.grab().toImage()
    pane.circles.pointed.emit(Marked())
    assert pane.subjobs.marked == Marked()


def test_a_click_on_a_ring_selects_its_job_and_escape_lets_go(window: MainWindow) -> None:
    scans = window.scans
    scans.time.look_at(28.5)
    circles = scans.columns["circumflex"].circles
    circles.grab()
    spot = next(s for s in reversed(circles.spots) if s.marked == Marked(frozenset((1,))))
    ring = next(
        QPoint(x, y)
        for x in range(circles.width())
        for y in range(circles.height())
        if circles.spot_at(QPointF(x, y)) is spot
    )
    QTest.mouseClick(circles, LEFT, pos=ring)
    assert window.view_state.selected_job == "J2"
    assert all(chart.marked == spot.marked for c in scans.columns.values() for chart in c.charts[1:])
    QTest.keyClick(scans, Qt.Key.Key_Escape)
    assert window.view_state.selected_job is None
    assert scans.columns["flex"].subjobs.marked == Marked()


def test_a_small_circle_becomes_the_large_one_in_every_pane(scans: ScanWindow) -> None:
    circles = scans.columns["flex"].circles
    circles.grab()
    assert circles.clocks()[0].dataset == 0, "six jobs scan clicks, four sales"
    circles.dataset_chosen.emit(1)
    for policy in ("flex", "circumflex"):
        assert scans.columns[policy].circles.clocks()[0].dataset == 1


@pytest.mark.only_looks
@pytest.mark.parametrize(("width", "height"), [(1000, 700), (1366, 768), (1920, 1080)])
@pytest.mark.parametrize("dark", [False, True])
def test_every_label_is_whole_and_none_covers_another(scans, width, height, dark, monkeypatch) -> None:
    """Names and labels of circles lie within their charts, at many instants and for two to four panes."""
    canvases = []
    real = Canvas.__init__

    def kept(canvas, *args, **options):
        real(canvas, *args, **options)
        canvases.append(canvas)

    monkeypatch.setattr(Canvas, "__init__", kept)
    for shown in (("flex", "circumflex"), ("flex", "batch", "ako", "circumflex")):
        for policy, switch in scans.switches.items():
            switch.setChecked(policy in shown)
        scans.setPalette(application_palette(theme(dark=dark)))
        scans.resize(width, height)
        QGuiApplication.processEvents()
        assert (scans.width(), scans.height()) == (width, height)
        for share in (0.1, 0.18, 0.25, 0.4, 0.6, 0.8):
            scans.time.look_at(share * scans.end)
            for policy in shown:
                circles = scans.columns[policy].circles
                canvases.clear()
                circles.grab()
                for canvas in canvases:
                    inside = QRectF(circles.rect()).adjusted(-1, -1, 1, 1)
                    assert all(inside.contains(box) for box in canvas.taken)
                    pairs = itertools.combinations(canvas.taken, 2)
                    assert not any(a.intersects(b) for a, b in pairs)


def wait_for_other(qtbot: QtBot, scans: ScanWindow, before: object) -> None:
    qtbot.waitUntil(lambda: scans.stories is not before)


def test_a_metric_that_sets_of_blocks_asked_for_does_not_stay(qtbot: QtBot, window: MainWindow) -> None:
    scans, field = window.scans, window.scans.metric_field
    for chosen, after in (("average-stretch", "average-stretch"), ("makespan", "makespan")):
        field.setCurrentIndex(field.findData(chosen))
        before = scans.stories
        window.editor.set_workload(load_sample("overlapping-scans"), "Open a sample")
        wait_for_other(qtbot, scans, before)
        assert field.metric_id == ("max-stretch" if chosen == "average-stretch" else "makespan")
        before = scans.stories
        window.editor.set_workload(load_sample("ten-scans"), "Open a sample")
        wait_for_other(qtbot, scans, before)
        assert field.metric_id == after


# ---- the line of time


def test_a_flag_above_the_slider_moves_the_arrival_and_circle_and_sum_follow(
    qtbot: QtBot, window: MainWindow
) -> None:
    """J2 comes at 0:16; dragged to the right it shares less, and less is saved."""
    scans, strip = window.scans, window.scans.time.arrivals
    flag = next(each for each in strip.flags() if each.job == 1)
    saved = scans.stories[3].schedule.saved_work
    before, start = scans.stories, QPoint(round(flag.x), strip.height() - 3)
    QTest.mousePress(strip, LEFT, pos=start)
    QTest.mouseMove(strip, start + QPoint(300, 0))
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.stories[3].schedule.saved_work != saved
    assert window.document.workload.jobs[1].arrival == 16, "the document waits for the drop"
    QTest.keyClick(scans, Qt.Key.Key_Escape)
    QTest.mouseRelease(strip, LEFT, pos=start + QPoint(300, 0))
    assert not window.editor.undo_stack.canUndo(), "Escape ends a drag without a drop"
    qtbot.waitUntil(lambda: scans.stories[3].schedule.saved_work == saved)
    QTest.mousePress(strip, LEFT, pos=start)
    QTest.mouseMove(strip, start + QPoint(60, 0))
    QTest.mouseRelease(strip, LEFT, pos=start + QPoint(60, 0))
    expected = 16 + 60 / (strip.width() - 12) * scans.end
    assert window.document.workload.jobs[1].arrival == pytest.approx(expected, abs=1)
    assert window.view_state.selected_job == "J2"


@pytest.mark.only_looks
def test_the_sentence_says_who_shares_who_waits_and_what_is_read_again(scans: ScanWindow) -> None:
    scans.time.look_at(28.0)
    said = scans.sentence.accessibleName()
    for part in (
        "At 0:28:",
        "CIRCUMFLEX: J1, J2 and J4 share the next 6 blocks of clicks.",
        "CIRCUMFLEX has saved the reading of 36 blocks (1 min 12 s, 2.42 GB).",
        "FLEX has read 24 blocks of clicks again.",
        "FLEX: J3 and J4 wait for slots.",
    ):
        assert part in said
    scans.resize(1000, 700)
    QGuiApplication.processEvents()
    shown = scans.sentence.shown()
    assert shown
    assert all(box.right() <= scans.sentence.width() for _, box in shown)
    scans.time.look_at(0.0)
    assert scans.sentence.accessibleName() == ""
