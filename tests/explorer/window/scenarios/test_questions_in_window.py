"""The questions in the whole window: dragged and typed, answered, and shown as what the answer speaks of."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.model.time_text import exact_clock
from core.simulation.simulate import simulate
from explorer.optimize import questions_page
from explorer.optimize.questions_page import FEWEST, FEWEST_HERE, SPLIT
from tests.explorer.window_fixtures import LEFT, open_window

NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    """Five jobs under FIFO (74 s) and Johnson (47 s); searches run interpreted: they are tiny."""
    monkeypatch.setattr(questions_page, "SECONDS", 5.0)
    return open_window(qtbot, tmp_path)


def ask(window, qtbot, kind, until=""):
    """Ask a question with the mouse, and return the page with its answer."""
    questions = window.questions.questions
    window.actions_by_id["fewest"].trigger()
    qtbot.waitUntil(questions.isVisible)
    questions.choose(kind)
    if until:
        questions.until.setText(until)
        questions.until.setModified(True)
    QTest.mouseClick(questions.search_button, LEFT)
    qtbot.waitUntil(lambda: questions.answer is not None and not questions.is_busy)
    return questions


@pytest.mark.parametrize(("kind", "until"), [(FEWEST, 100.0), (SPLIT, 60.0)])
def test_a_plan_that_was_found_stands_as_that_plan(window, qtbot, kind, until):
    questions = ask(window, qtbot, kind, exact_clock(until))
    cluster = questions.answer.cluster
    under_fifo = simulate(window.document.workload, cluster, PolicyChoice("fifo"))
    assert under_fifo.makespan > until  # the cluster alone would not do
    assert not questions.use_button.isVisible()
    QTest.mouseClick(questions.add_button, LEFT)
    assert window.runner.wait_until_idle(60_000)
    (new,) = [s for s in window.document.scenarios if s.id not in (1, 2)]
    assert new.title == f"Best plan on {cluster.map_slots} map + {cluster.reduce_slots} reduce slots"
    assert window.document.state.cluster_of(new) == cluster
    assert window.runner.outcome(new.id).makespan <= until
    assert questions.text.text().startswith("Best schedule. ")  # the answer stays
    window.actions_by_id["undo"].trigger()
    assert len(window.document.scenarios) == 2


def test_an_answer_that_a_scenario_shows_already_names_it(window, qtbot):
    questions = ask(window, qtbot, FEWEST, "1:00")
    assert questions.text.text().endswith(" Johnson does it.")
    assert not questions.add_button.isVisible()


def test_a_cluster_that_does_for_the_policy_is_used_in_one_step(window, qtbot):
    questions = ask(window, qtbot, FEWEST_HERE, "2:00")
    wanted = questions.answer.cluster
    assert isinstance(wanted, Cluster)
    QTest.mouseClick(questions.use_button, LEFT)
    assert window.document.cluster == wanted
    assert window.editor.undo_stack.count() == 1
    assert window.runner.wait_until_idle(60_000)
    assert window.runner.outcome(1).makespan <= 120
    assert questions.answer.cluster == wanted
    window.editor.set_cluster(Cluster(7, 7))
    assert questions.answer is None  # it was of another cluster


def test_an_answer_about_one_policy_does_not_stay_beside_another(window, qtbot):
    questions = ask(window, qtbot, FEWEST_HERE, "2:00")
    assert questions.text.text().startswith("FIFO. ")
    window.view_state.activate_scenario(2)
    assert questions.answer is None
    questions = ask(window, qtbot, FEWEST, "1:00")
    window.view_state.activate_scenario(1)
    assert questions.answer is not None  # the best schedule is the same for both


def test_the_time_follows_the_end_until_one_is_typed(window):
    questions = window.questions.questions
    window.actions_by_id["fewest"].trigger()
    assert questions.until.text() == "1:14"
    window.editor.edit_cluster(map_slots=10)
    assert window.runner.wait_until_idle(60_000)
    assert questions.until.text() == "2:36"  # of the schedule as it is now


def drag_end(window, by, *, release=True):
    """Drag the pennant at the end of the time axis by so many pixels."""
    axis = window.charts.stack.axes[0]
    x = round(axis.frame().x(74.0))
    QTest.mousePress(axis, LEFT, NONE, QPoint(x - 3, 5))
    for step in range(1, 5):
        QTest.mouseMove(axis, QPoint(x - 3 + by * step // 4, 5))
    if release:
        QTest.mouseRelease(axis, LEFT, NONE, QPoint(x - 3 + by, 5))
    return axis


def test_the_time_by_which_all_is_to_end_is_dragged_and_answered(window, qtbot):
    window.questions.page.shut()
    line, questions = window.view_state.end_line, window.questions.questions
    axis = drag_end(window, -150, release=False)
    assert line.is_shown
    assert window.charts.views[1].end_line.mark().seconds == line.seconds
    QTest.keyClick(axis, Qt.Key.Key_Escape)
    assert not line.is_shown
    QTest.mouseRelease(axis, LEFT, NONE, QPoint(5, 5))
    assert window.questions.page.is_open is False
    drag_end(window, -150)
    qtbot.waitUntil(lambda: not questions.is_busy)
    assert window.questions.page.is_in_front
    asked = line.seconds
    assert 50 < asked < 74
    assert questions.text.text().startswith("FIFO. It ends by ")
    assert questions.until.text() == exact_clock(line.seconds)
    wanted = questions.answer.cluster
    QTest.mouseClick(questions.add_button, LEFT)
    assert window.runner.wait_until_idle(60_000)
    (new,) = [s for s in window.document.scenarios if s.id not in (1, 2)]
    assert new.cluster == wanted
    assert not new.title, "it is called by what its cluster has"
    assert window.runner.outcome(new.id).makespan <= asked
    assert questions.answer.cluster == wanted
    window.questions.page.shut()
    assert not line.is_shown
    drag_end(window, 60)  # behind the end of all schedules
    assert line.seconds > 75
    assert window.axis.extent[1] == line.seconds
    qtbot.waitUntil(lambda: not questions.is_busy)
    assert questions.answer.cluster.slots <= 60


def test_a_time_behind_the_end_of_all_is_in_view_while_it_is_asked_about(window, qtbot):
    before = window.axis.extent
    ask(window, qtbot, FEWEST_HERE, "2:00")
    assert window.axis.extent[1] == 120.0
    view = window.charts.views[1]
    x = view.frame().x(view.end_line.mark().seconds)
    assert view.frame().places.plot.left() <= x <= view.frame().places.plot.right() + 1
    window.questions.page.shut()
    assert window.axis.extent == before


def test_how_many_slots_would_do_is_an_entry_and_a_click(window, qtbot, monkeypatch):
    monkeypatch.setattr(questions_page, "SECONDS", 5.0)
    questions = window.questions.questions
    window.actions_by_id["fewest"].trigger()
    qtbot.waitUntil(questions.isVisible)
    QTest.mouseClick(questions.search_button, LEFT)
    qtbot.waitUntil(lambda: questions.answer is not None and not questions.is_busy)
    assert questions.text.text().startswith("FIFO. It ends by 1:14 with ")
