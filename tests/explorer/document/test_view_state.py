"""Selection, hover and appearance: announced once, outside undo, never pointing at something gone."""

from __future__ import annotations

import pytest

from core.measures.job_classes import ClassedBy
from core.model.schedule import PolicyChoice
from explorer.document.view_state import (
    Arrangement,
    HoveredTask,
    SelectedTask,
    ThemeChoice,
    ViewState,
)


@pytest.fixture
def view(editor):
    return ViewState(editor.document)


@pytest.mark.parametrize(
    ("signal", "act"),
    [
        ("selected_job_changed", lambda v: v.select_job("J2")),
        ("active_scenario_changed", lambda v: v.activate_scenario(2)),
        ("selected_task_changed", lambda v: v.select_task(SelectedTask(1, 7))),
        ("hovered_changed", lambda v: v.hover(HoveredTask(1, 7))),
        ("theme_changed", lambda v: setattr(v, "theme", ThemeChoice.DARK)),
        ("colour_by_changed", lambda v: setattr(v, "colour_by", ClassedBy.USER)),
        ("arrangement_changed", lambda v: setattr(v, "arrangement", Arrangement.SIDE_BY_SIDE)),
    ],
)
def test_each_setter_announces_once(view, editor, qtbot, signal, act):
    with qtbot.waitSignal(getattr(view, signal)):
        act(view)
    with qtbot.assertNotEmitted(getattr(view, signal)):
        act(view)
    assert editor.undo_stack.count() == 0


def test_the_selection_leaves_with_its_job_and_follows_a_new_name(view, editor):
    view.select_job("J2")
    editor.edit_job(0, "arrival", 3)
    assert view.selected_job == "J2"
    editor.edit_job(1, "name", "Report")
    assert view.selected_job == "Report"
    editor.delete_jobs([0])
    assert view.selected_job == "Report"
    editor.delete_jobs([0])
    assert view.selected_job is None


def test_selecting_nobody(view):
    view.select_job("J2")
    view.select_job("J9")
    assert view.selected_job is None


def test_the_active_scenario_is_always_one_of_them(view, editor):
    view.activate_scenario(2)
    view.hover(HoveredTask(2, 1))
    view.activate_scenario(9)
    assert view.active_scenario == 2
    editor.remove_scenario(2)
    assert view.active_scenario == 1
    assert view.hovered is None
    third = editor.add_scenario(PolicyChoice("sjf"))
    view.activate_scenario(third)
    editor.undo_stack.undo()
    assert view.active_scenario == 1


def test_another_document_starts_afresh(view, editor, two_scenarios):
    view.select_job("J2")
    view.activate_scenario(2)
    view.hover(HoveredTask(2, 1))
    editor.load(two_scenarios)
    assert (view.selected_job, view.active_scenario, view.hovered) == (None, 1, None)


def test_hover_ends_when_tasks_change(view, editor):
    view.hover(HoveredTask(1, 3))
    editor.edit_job(0, "map_count", 2)
    assert view.hovered is None


def test_a_selected_task_leaves_with_its_job_its_scenario_or_an_edit(view, editor):
    def select():
        view.select_job("J2")
        view.select_task(SelectedTask(2, 70))

    for leave in (
        lambda: view.select_job("J3"),
        lambda: editor.edit_job(0, "arrival", 3),
        lambda: editor.remove_scenario(2),
    ):
        select()
        assert view.selected_task == (2, 70)
        leave()
        assert view.selected_task is None


def test_a_scenario_that_comes_is_active_and_the_one_before_when_it_goes(editor, view_state):
    """A first edit of the baseline comes and goes with undo and redo."""
    told = []
    view_state.active_scenario_changed.connect(lambda: told.append(view_state.active_scenario))
    editor.move_job(1, "J1", 4)
    editor.undo_stack.undo()
    editor.undo_stack.redo()
    assert told == [3, 1, 3]
    editor.remove_scenario(1)
    assert view_state.active_scenario == 3
    editor.remove_scenario(3)
    assert view_state.active_scenario == 2


def test_a_scenario_is_active_when_everybody_knows_it(editor, document, view_state):
    known = []
    document.scenarios_changed.connect(lambda: known.extend(s.id for s in document.scenarios))
    view_state.active_scenario_changed.connect(lambda: known.append("active"))
    editor.duplicate_scenario(2)
    assert known == [1, 2, 3, "active"]
