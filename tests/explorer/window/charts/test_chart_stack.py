"""The stack of charts: scrolled by wheel and keys over one axis, one of them alone, one of them active."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from explorer.document.view_state import Arrangement
from explorer.session.settings import WindowSettings
from explorer.widgets.number_fields import CountField
from explorer.widgets.theme import theme
from explorer.window.charts.chart_stack import MIN_PANE, pane_places
from explorer.window.files.document_work import new_document
from explorer.window.main_window import MainWindow
from tests.explorer.window_fixtures import LEFT, block_point, drag, forget_changes, open_window, x_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
MORE = ("sjf", "fair", "longest-task", "capacity")


@pytest.fixture(scope="module")
def window_of_six(window_of_module: MainWindow) -> MainWindow:
    """Let the module's window have six scenarios, which are more than it is high."""
    window = window_of_module
    for policy in MORE:
        window.editor.add_scenario(PolicyChoice(policy))
    assert window.runner.wait_until_idle(60_000)
    window.resize(1000, 700)
    settled()
    return window


@pytest.fixture
def six(window_of_six: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    """Give the window as it was at first: the first scenario active, the first chart at the top."""
    window = window_of_six
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.view_state.activate_scenario(window.document.scenarios[0].id)
    window.charts.active_view.setFocus()
    yield window
    window.charts.stack.maximise(None)
    window.view_state.arrangement = Arrangement.STACKED
    window.axis.fit()
    window.messages.clear()
    settled()


def settled() -> None:
    QApplication.sendPostedEvents()
    QApplication.processEvents()


def stack(window):
    return window.charts.stack


def scrolled(window):
    return stack(window).verticalScrollBar().value()


def in_view(window, scenario_id):
    """Whether all of a pane is seen."""
    pane = window.charts.views[scenario_id].parentWidget()
    viewport = stack(window).viewport()
    return viewport.rect().contains(QRect(pane.mapTo(viewport, QPoint()), pane.size()))


def turn(widget, notches, modifier=NONE, at=None):
    """Turn the wheel over a widget; what that ignores goes to what it lies in, as on a screen."""
    point = QPointF(at or widget.rect().center())
    while widget is not None:
        event = QWheelEvent(
            point,
            QPointF(widget.mapToGlobal(point)),
            QPoint(),
            QPoint(0, 120 * notches),
            Qt.MouseButton.NoButton,
            modifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        if QApplication.sendEvent(widget, event) and event.isAccepted():
            return
        point, widget = QPointF(widget.mapToParent(point.toPoint())), widget.parentWidget()


# ---- places


@pytest.mark.parametrize(
    ("count", "columns", "height", "expected"),
    [(1, 1, 700, 700), (2, 1, 700, 350), (6, 1, 700, 116), (6, 1, 600, MIN_PANE), (3, 2, 200, MIN_PANE)],
)
def test_panes_share_the_height_until_they_are_as_low_as_they_may_be(count, columns, height, expected):
    places = pane_places(count, columns, 1001, height)
    assert {place.height() for place in places} == {expected}
    assert len({place.left() for place in places}) == columns
    assert all(not a.intersects(b) for a in places for b in places if a is not b)
    assert all(0 <= place.left() <= place.right() <= 1000 for place in places)


def test_six_charts_are_scrolled_over_one_axis(six):
    panes = [view.parentWidget() for view in six.charts.views.values()]
    assert {pane.height() for pane in panes} == {MIN_PANE}
    assert [pane.y() for pane in panes] == [MIN_PANE * place for place in range(6)]
    assert [axis.isVisible() for axis in stack(six).axes] == [True, False]
    assert stack(six).verticalScrollBar().maximum() > 0


@pytest.mark.parametrize("arrangement", list(Arrangement))
def test_a_time_is_at_the_same_pixel_of_the_axis_and_of_every_chart_above(six, arrangement):
    six.view_state.arrangement = arrangement
    settled()
    six.axis.zoom(0.4, 20.0)
    axes = [axis for axis in stack(six).axes if axis.isVisible()]
    assert len(axes) == (2 if arrangement is Arrangement.SIDE_BY_SIDE else 1)

    def on_screen(part):
        return round(part.frame().x(30.0)) + part.mapTo(six, QPoint()).x()

    for view in six.charts.views.values():
        assert on_screen(view) in {on_screen(axis) for axis in axes}
    assert all(axis.mapTo(six, QPoint()).y() == axes[0].mapTo(six, QPoint()).y() for axis in axes)


def test_the_overview_shows_the_active_schedule_and_what_of_it_is_in_view(six):
    axis, place = stack(six).axes[0], stack(six).axes[0].frame().places.overview

    def shown():
        return axis.grab(place).toImage()

    fitted = shown()
    six.axis.zoom(0.3, 0.0)
    first = shown()
    assert first != fitted
    six.view_state.activate_scenario(2)
    assert shown() != first
    six.view_state.activate_scenario(1)
    six.axis.fit()
    assert shown() == fitted


# ---- wheel


def test_the_wheel_scrolls_over_headers_axis_and_plots(six):
    view = six.charts.views[2]
    assert view.scene.layout.most_scroll == 0
    for part in (six.headers.header(2), stack(six).axes[0], view):
        stack(six).to_top()
        turn(part, -1)
        assert scrolled(six) > 0, part
        turn(part, 2)
        assert scrolled(six) == 0, part
    assert six.axis.is_fitted


def test_with_ctrl_it_zooms_and_scrolls_nothing(six):
    for part in (six.charts.views[1], stack(six).axes[0]):
        turn(part, 1, CTRL)
        assert not six.axis.is_fitted
        six.axis.fit()
    assert scrolled(six) == 0


@pytest.mark.only_looks
def test_where_everything_fits_it_zooms(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    assert stack(window).verticalScrollBar().maximum() == 0
    turn(window.charts.active_view, 1, at=window.charts.active_view.frame().places.plot.center())
    assert not window.axis.is_fitted
    window.axis.fit()
    turn(window.headers.header(1), 1)
    assert window.axis.is_fitted


# ---- keys


def test_page_keys_go_from_chart_to_chart_and_bring_them_into_view(six):
    for scenario_id in (2, 3, 4, 5, 6, 6):
        QTest.keyClick(six.focusWidget(), Qt.Key.Key_PageDown)
        assert six.view_state.active_scenario == scenario_id
        assert in_view(six, scenario_id)
        assert six.charts.views[scenario_id].hasFocus()
    QTest.keyClick(six.focusWidget(), Qt.Key.Key_PageUp)
    assert six.view_state.active_scenario == 5


def test_from_a_header_they_go_to_the_next_header(six):
    six.headers.header(1).setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(six.headers.header(1), Qt.Key.Key_PageDown)
    assert six.headers.header(2).hasFocus()
    QTest.keyClick(six.headers.header(2), Qt.Key.Key_Down)
    assert six.headers.header(3).hasFocus()
    assert six.view_state.active_scenario == 3
    assert in_view(six, 3)


def test_ctrl_and_a_digit_go_to_a_scenario_from_anywhere(six):
    six.jobs_panel.table.setFocus()
    for digit in (6, 1, 4):
        QTest.keyClick(six.focusWidget(), Qt.Key(Qt.Key.Key_0 + digit), CTRL)
        assert six.view_state.active_scenario == digit
        assert in_view(six, digit)


def test_tab_reaches_every_header_its_buttons_and_its_chart(six):
    reached, part = [], six.headers.header(1)
    for _ in range(200):
        reached.append(part)
        part = part.nextInFocusChain()
    for scenario_id, view in six.charts.views.items():
        header = six.headers.header(scenario_id)
        parts = (header, header.policy_button, header.maximise_button, header.menu_button, view)
        places = [reached.index(each) for each in parts]
        assert places == sorted(places)
        assert all(each.focusPolicy() & Qt.FocusPolicy.TabFocus for each in parts)


# ---- which scenario is active


def test_a_press_in_a_header_or_a_chart_activates_and_scrolls_nothing(six):
    stack(six).verticalScrollBar().setValue(MIN_PANE // 2)
    before = scrolled(six)
    QTest.mousePress(six.charts.views[1], LEFT, NONE, QPoint(300, 120))
    QTest.mouseRelease(six.charts.views[1], LEFT, NONE, QPoint(300, 120))
    QTest.mouseClick(six.headers.header(4), LEFT)
    assert six.view_state.active_scenario == 4
    QTest.mousePress(six.charts.views[2], LEFT, NONE, QPoint(300, 100))
    assert six.view_state.active_scenario == 2
    QTest.mouseRelease(six.charts.views[2], LEFT, NONE, QPoint(300, 100))
    assert scrolled(six) == before
    panes = [view.parentWidget().grab().toImage() for view in six.charts.views.values()]
    edges = [pane.pixelColor(1, 12).name() for pane in panes]
    assert edges.count(edges[1]) == 1
    assert len(set(edges)) == 2
    six.view_state.select_job(None)


def test_hovering_tabbing_previews_and_dismissing_a_message_do_not(six):
    changes = []
    six.view_state.active_scenario_changed.connect(lambda: changes.append(six.view_state.active_scenario))
    QTest.mouseMove(six.charts.views[2], QPoint(300, 60))
    QTest.mouseMove(six.headers.header(2), QPoint(100, 10))
    for _ in range(30):
        QTest.keyClick(six.focusWidget(), Qt.Key.Key_Tab)
    six.runner.preview(3, ("J5", "J4", "J3", "J2", "J1"))
    six.runner.end_preview(3)
    six.messages.show_sentence("A sentence to dismiss")
    settled()
    six.messages._dismiss_button.setFocus()
    QTest.mouseClick(six.messages._dismiss_button, LEFT)
    settled()
    assert changes == []


@pytest.mark.parametrize("opens", ["rename", "choose_policy"])
def test_what_opens_at_a_header_brings_it_into_view(six, opens):
    stack(six).verticalScrollBar().setValue(1000)
    getattr(six.headers, opens)()
    assert in_view(six, 1)
    six.headers._popup.close()
    QTest.keyClick(six.headers.header(1).title_field, Qt.Key.Key_Escape)


def test_f2_in_a_chart_renames_its_scenario(six):
    six.view_state.activate_scenario(2)
    six.charts.views[2].setFocus()
    QTest.keyClick(six.charts.views[2], Qt.Key.Key_F2)
    field = six.headers.header(2).title_field
    assert field.isVisible()
    QTest.keyClick(field, Qt.Key.Key_Escape)


def test_a_key_of_a_chart_activates_it(six):
    six.charts.views[2].setFocus(Qt.FocusReason.TabFocusReason)
    assert six.view_state.active_scenario == 1
    QTest.keyClick(six.charts.views[2], Qt.Key.Key_N)
    assert six.view_state.active_scenario == 2
    assert six.view_state.selected_job is not None
    six.view_state.select_job(None)


def test_what_activates_a_scenario_elsewhere_brings_its_chart_into_view(six):
    six.view_state.activate_scenario(6)
    assert in_view(six, 6)


def test_the_active_chart_stays_in_view_when_a_panel_takes_room(six):
    last = next(i for i in reversed(six.charts.views) if in_view(six, i))
    stack(six).press(last)
    six.why.difference_page.bring()
    settled()
    assert in_view(six, last)
    assert scrolled(six) > 0
    six.why.difference_page.shut()
    stack(six).to_top()
    stack(six).press(6)
    assert not in_view(six, 6)
    six.why.difference_page.bring()
    settled()
    assert scrolled(six) == 0  # what was looked at was another one
    six.why.difference_page.shut()


def test_a_window_opens_at_the_active_chart(qtbot, tmp_path):
    settings = WindowSettings(tmp_path / "settings.ini")
    window = MainWindow(new_document(load_sample("five-jobs")), settings, theme(dark=False))
    qtbot.addWidget(window, before_close_func=forget_changes)
    for policy in MORE:
        window.editor.add_scenario(PolicyChoice(policy))
    window.view_state.activate_scenario(6)
    stack(window).to_top()
    window.resize(1000, 700)
    window.show()
    assert QTest.qWaitForWindowExposed(window, 60_000)
    assert in_view(window, 6)
    assert window.runner.wait_until_idle(60_000)


def test_keys_go_on_in_the_chart_that_becomes_active_but_leave_fields_alone(six):
    six.charts.views[1].setFocus()
    six.view_state.activate_scenario(3)
    assert six.focusWidget() is six.charts.views[3]
    six.jobs_panel.table.setFocus()
    six.view_state.activate_scenario(2)
    assert six.focusWidget() is six.jobs_panel.table


# ---- one chart alone


def test_escape_in_a_field_shows_all_charts_again(six):
    stack(six).maximise(2)
    field = six.cluster_panel.findChild(CountField)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert stack(six).maximised is None


def test_a_double_click_on_a_name_shows_one_chart_alone_and_escape_all_again(six):
    header, view = six.headers.header(5), six.charts.views[5]
    stack(six).reveal(5)
    before = scrolled(six)
    QTest.mouseDClick(header, LEFT, NONE, header.title.geometry().center())
    settled()
    assert [each.isVisible() for each in six.charts.views.values()] == [i == 5 for i in range(1, 7)]
    assert header.height() + view.height() == stack(six).viewport().height()
    assert scrolled(six) == 0
    QTest.keyClick(view, Qt.Key.Key_Escape)
    settled()
    assert all(each.isVisible() for each in six.charts.views.values())
    assert scrolled(six) == before


def test_the_button_does_the_same_and_keys_go_on_to_the_next_chart(six):
    QTest.mouseClick(six.headers.header(1).maximise_button, LEFT)
    assert stack(six).maximised == 1
    QTest.keyClick(six, Qt.Key.Key_3, CTRL)
    assert stack(six).maximised == 3
    assert [i for i, each in six.charts.views.items() if each.isVisible()] == [3]
    assert "again" in six.headers.header(3).maximise_button.accessibleName()
    six.actions_by_id["chart_alone"].trigger()
    assert stack(six).maximised is None
    six.actions_by_id["chart_alone"].trigger()
    assert stack(six).maximised == 3
    QTest.mouseClick(six.headers.header(3).maximise_button, LEFT)
    assert stack(six).maximised is None


def test_escape_gives_up_a_drag_before_it_shows_all_charts(six):
    stack(six).maximise(1)
    settled()
    view = six.charts.views[1]
    six.view_state.select_job("J3")
    drag(view, block_point(view, 2), x_of(view, 74), release=False)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert stack(six).maximised == 1
    QTest.mouseRelease(view, LEFT)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert stack(six).maximised is None
    six.view_state.select_job(None)


# ---- other documents


def test_another_document_begins_at_the_top_with_all_charts(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    for policy in MORE:
        window.editor.add_scenario(PolicyChoice(policy))
    window.resize(1000, 560)
    window.view_state.activate_scenario(6)
    stack(window).maximise(6)
    window.headers.remove()
    assert stack(window).maximised == window.view_state.active_scenario == 5
    assert window.charts.views[5].isVisible()
    stack(window).maximise(None)
    assert scrolled(window) > 0
    stack(window).maximise(5)
    state = window.document.state
    window.editor.load(new_document(state.workload))
    window.editor.load(state)
    settled()
    assert stack(window).maximised is None
    assert all(view.isVisible() for view in window.charts.views.values())
    assert scrolled(window) == 0


def test_messages_of_a_chart_without_a_result_stand_in_its_header(six):
    six.headers.set_error(4, "the policy asks for a pool that is not there")
    label = six.headers.header(4).notes
    assert isinstance(label, QLabel)
    assert "not there" in label.text()
    assert label.width() > 100
    outcome = six.runner.outcome(4)
    six.headers.set_outcome(4, outcome.metrics)


def test_the_critical_path_is_told_by_cause_in_the_headers(six, qtbot):
    six.actions_by_id["why_makespan"].trigger()
    qtbot.waitUntil(lambda: "waiting for a slot 85 %" in six.headers.header(1).notes.text())
    height = six.charts.views[1].frame().places.plot.height()
    six.actions_by_id["why_makespan"].trigger()
    qtbot.waitUntil(lambda: six.headers.header(1).notes.text() == "baseline")
    settled()
    assert six.charts.views[1].frame().places.plot.height() == height
