"""The headers of the charts: what they show, keys, the menu, the policy list and its form."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.measures.metrics import METRICS, Metrics
from core.model.document_state import MAX_SCENARIOS
from core.model.schedule import PolicyChoice
from core.optimize.premise import PLAIN
from core.policies import registry
from explorer.panels.policy_list import ID_ROLE, SUMMARY_ROLE
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import application_palette, theme


@pytest.fixture
def popup(bar):
    yield bar._popup
    bar._popup.close()


def titles(bar):
    return [bar.header(scenario.id).title.text() for scenario in bar._document.scenarios]


def choose(popup, policy_id):
    rows = [popup.list.item(i).data(ID_ROLE) for i in range(popup.list.count())]
    popup.list.setCurrentRow(rows.index(policy_id))
    QTest.keyClick(popup.list, Qt.Key.Key_Return)


def press(bar, key, modifier=Qt.KeyboardModifier.NoModifier):
    bar.active.setFocus()
    QTest.keyClick(bar.active, key, modifier)


# Showing


def lasting(seconds, bound=50.0, premise=PLAIN):
    known = {"makespan": seconds, "lower_bound": bound, "gap": seconds / bound - 1}
    return Metrics(dict.fromkeys(METRICS, 0.0) | known, premise)


def test_headers_show_makespan_change_and_bound(bar):
    assert titles(bar) == ["FIFO", "Johnson"]
    assert bar.header(1).makespan.text() == "–"
    bar.set_outcome(2, lasting(60.0))
    assert bar.header(2).change.text() == ""
    bar.set_outcome(1, lasting(75.0))
    assert (bar.header(1).makespan.text(), bar.header(1).change.text()) == ("1 min 15 s", "")
    assert bar.header(1).notes.text() == "baseline"
    assert (bar.header(2).makespan.text(), bar.header(2).change.text()) == ("1 min 00 s", "−15 s")
    assert bar.header(2).facts.verdict == -1
    assert bar.header(1).gap.text() == "50.0 % above bound"
    assert bar.header(2).gap.text() == "20.0 % above bound"
    assert bar.header(2).accessibleName() == (
        "Johnson, makespan 1 min 00 s, 20.0 % above the lower bound of 50 s "
        "without sharing scans or lending slots, −15 s (−20.0 %) against the baseline FIFO"
    )
    bar.set_outcome(2, lasting(50.035), bound_why="the maps keep all map slots busy until 50 s")
    assert bar.header(2).gap.text() == "0.07 % above bound"
    why = (
        f"(no schedule of these jobs with these durations is shorter on these slots, {PLAIN.words}, since the"
    )
    maps = "maps keep all map slots busy until 50 s), "
    assert f"0.07 % above the lower bound of 50 s {why} {maps}" in bar.header(2).accessibleName()
    bar.set_outcome(2, lasting(50.0))
    assert bar.header(2).gap.text() == f"optimal {PLAIN.words}"
    bar.set_outcome(2, lasting(40.0))
    assert bar.header(2).gap.text() == "20.0 % below bound"
    assert "20.0 % below the lower bound of 50 s of simulations, as what" in bar.header(2).accessibleName()


def test_each_scenario_is_measured_by_its_own_bound_and_the_shared_one_is_said(bar):
    """FIFO is optimal without sharing scans; that CIRCUMFLEX beside it may be shorter is in the tooltip."""
    scans = replace(PLAIN, has_kinds=False)
    bar.set_outcome(1, lasting(154.0, 154.0, scans))
    header = bar.header(1)
    assert header.gap.text() == "optimal without sharing scans"
    bar.set_outcome(2, lasting(125.0, 108.0, replace(scans, shares_scans=True)))
    assert bar.header(2).gap.text() == "15.7 % above bound"
    assert header.gap.text() == "optimal without sharing scans"
    assert header.accessibleName() == (
        "FIFO, makespan 2 min 34 s, optimal without sharing scans: it is the lower bound of 2 min 34 s "
        "without sharing scans, 42.6 % above the bound of all scenarios here, 1 min 48 s even if scans are "
        "shared, the baseline"
    )
    for width in range(900, 200, -20):  # nothing is cut: what has no room is left out
        header.resize(width, header.height())
        header.layout().activate()
        assert not header.gap.isVisible() or header.gap.width() >= header.gap.sizeHint().width()


def test_picks_by_hand_that_fit_no_job_any_more_are_said(bar, editor):
    editor.choose_policy(2, PolicyChoice("by-hand", {"picks": "J2.map.1, J3.map.1"}))
    bar.set_outcome(2, lasting(60.0))
    assert bar.header(2).facts.line == ""
    editor.delete_jobs({1})
    bar.set_outcome(2, lasting(60.0))
    assert bar.header(2).facts.line.startswith("Picks by hand that the jobs have no tasks for")
    assert "'J2.map.1'" in bar.header(2).accessibleName()
    order = tuple(job.name for job in editor.document.workload.jobs)[::-1]
    editor.move_job(2, order[0], 0)  # nothing is picked any more, also where the text is none of picks
    for picks in ("J2.map.1", "J2"):
        editor.set_parameter(2, "picks", picks)
        bar.set_outcome(2, lasting(60.0))
        assert bar.header(2).facts.line == "By hand"


@pytest.mark.parametrize("dark", [False, True])
def test_a_thin_bar_is_as_long_as_the_bound_against_the_makespan(bar, dark):
    bar._parent.setPalette(application_palette(theme(dark)))
    bar.set_outcome(1, lasting(100.0))
    QApplication.sendPostedEvents()
    picture = bar.header(1).bar.grab().toImage()
    middle, width, colours = picture.height() // 2, picture.width(), theme(dark)
    assert picture.pixelColor(width // 2 - 4, middle) == colours.third_text
    assert picture.pixelColor(width // 2 + 4, middle) == colours.line


def test_what_matters_least_gives_way_first(bar):
    bar.set_outcome(1, lasting(75.0))
    bar.set_outcome(2, lasting(60.0))
    header = bar.header(2)
    parts = {"bar": header.bar, "gap": header.gap, "difference": header.change}
    gone = []
    for width in range(1000, 150, -10):
        header.resize(width, header.height())
        header.layout().activate()
        assert all(part.width() >= part.sizeHint().width() for part in parts.values() if part.isVisible())
        gone += [name for name, part in parts.items() if not part.isVisible() and name not in gone]
        assert header.makespan.isVisible()
        assert header.menu_button.isVisible()
    assert gone == ["bar", "gap", "difference"]


def test_a_policy_is_named_beside_another_title(bar, editor):
    header = bar.header(2)
    assert header.notes.text() == ""
    editor.rename_scenario(2, "Mine & yours")
    assert header.title.text() == "Mine & yours"
    assert header.notes.text() == "Johnson"
    assert "Johnson" in header.policy_button.toolTip()
    bar.set_outcome(1, lasting(75.0))
    bar.set_outcome(2, lasting(60.0))
    for width in range(900, 300, -20):  # what is grey is cut first: figures stay whole
        header.resize(width, header.height())
        header.layout().activate()
        assert header.makespan.width() >= header.makespan.sizeHint().width()
        assert not header.bar.isVisible() or header.gap.isVisible()


def test_it_is_one_line_that_is_lower_beside_details(bar):
    header = bar.header(1)
    assert header.height() == 24
    header.show_low(is_low=True)
    assert header.height() == 22
    header.show_low(is_low=False)
    assert header.height() == 24


@pytest.mark.parametrize("dark", [False, True])
def test_the_active_one_has_a_bar_at_its_left_and_the_focus_a_ring_around_its_name(bar, view_state, dark):
    bar._parent.setPalette(application_palette(theme(dark)))
    QApplication.sendPostedEvents()
    view_state.activate_scenario(2)
    link = theme(dark).link
    for scenario_id in (1, 2):
        picture = bar.header(scenario_id).grab().toImage()
        assert (picture.pixelColor(0, 12) == picture.pixelColor(1, 12) == link) is (scenario_id == 2)
    header = bar.header(1)
    header.setFocus(Qt.FocusReason.TabFocusReason)
    picture = header.grab().toImage()
    ringed = [x for x in range(4, header.width()) if picture.pixelColor(x, header.height() // 2) == link]
    assert ringed
    assert max(ringed) <= header.policy_button.geometry().right() + 4


def test_large_letters_make_it_higher(bar):
    header = bar.header(1)
    before, font = header.height(), header.font()
    font.setPixelSize(30)
    header.setFont(font)
    assert header.height() > before
    assert header.height() >= header.makespan.sizeHint().height()


def test_long_names_end_in_an_ellipsis_and_are_told_whole(bar, editor):
    name = "A name that somebody thought about for very long, and then wrote down in full"
    editor.rename_scenario(1, name)
    header = bar.header(1)
    header.resize(420, header.height())
    QApplication.sendPostedEvents()
    header.layout().activate()
    assert header.title.width() < header.title.sizeHint().width()
    assert header.menu_button.geometry().right() <= header.width()
    assert name in header.toolTip().replace("\n", " ")
    assert name in header.accessibleName()


def test_a_preview_shows_while_it_lasts(bar):
    bar.set_outcome(1, lasting(75.0))
    bar.set_outcome(2, lasting(60.0))
    bar.set_preview(2, lasting(150.0))
    assert (bar.header(2).makespan.text(), bar.header(2).change.text()) == ("2 min 30 s", "+1 min 15 s")
    assert bar.header(2).gap.text() == "200.0 % above bound"
    assert bar.header(2).facts.verdict == 1
    bar.set_preview(2, None)
    assert bar.header(2).makespan.text() == "1 min 00 s"
    bar.set_preview(1, lasting(50.0), has_plan=True)  # a search has found it
    assert titles(bar) == ["FIFO, best plan", "Johnson"]
    assert bar.header(2).facts.standing[0] == "+20.0 % vs FIFO, best plan"
    bar.set_preview(1, None)
    assert titles(bar) == ["FIFO", "Johnson"]


def test_progress_and_errors(bar):
    bar.set_progress(2, 0.4)
    assert bar.header(2).facts.progress == 0.4
    assert "simulating, 40% done" in bar.header(2).accessibleName()
    bar.set_error(2, "<no> reduce slot")
    assert bar.header(2).facts.progress is None
    assert bar.header(2).makespan.text() == "failed"
    assert bar.header(2).notes.text() == "<no> reduce slot"
    assert tooltip("<no> reduce slot") in bar.header(2).toolTip()
    bar.set_outcome(2, lasting(5.0))
    assert (bar.header(2).makespan.text(), bar.header(2).notes.text()) == ("5 s", "")


def test_what_waited_and_runs_now_is_not_said_to_wait(bar):
    bar.set_error(2, "the policy file has not been run", is_waiting=True)
    assert bar.header(2).facts.result == "not run"
    bar.set_progress(2, 0.0)
    assert (bar.header(2).facts.error, bar.header(2).facts.result) == ("", "–")


@pytest.mark.parametrize("dark", [False, True])
def test_progress_is_drawn_below(bar, dark):
    bar._parent.setPalette(application_palette(theme(dark)))
    bar.set_progress(1, 0.5)
    picture = bar.header(1).grab().toImage()
    width, foot, colours = picture.width(), picture.height() - 1, theme(dark)
    assert picture.pixelColor(width // 2 - 4, foot) == colours.accent
    assert picture.pixelColor(width // 2 + 4, foot) == colours.line


# Which is active


def test_a_click_and_the_arrow_keys_activate(bar, view_state):
    QTest.mouseClick(bar.header(2), Qt.MouseButton.LeftButton)
    assert view_state.active_scenario == 2
    press(bar, Qt.Key.Key_Up)
    assert view_state.active_scenario == 1
    assert bar.header(1).facts.is_active
    assert bar.header(1).hasFocus()
    press(bar, Qt.Key.Key_Up)
    assert view_state.active_scenario == 1


@pytest.mark.parametrize("reason", list(Qt.FocusReason))
def test_focus_activates_nothing_but_keys_pressed_there_do(bar, view_state, reason):
    bar.header(2).setFocus(reason)
    assert bar.header(2).hasFocus()
    assert view_state.active_scenario == 1
    QTest.keyClick(bar.header(2), Qt.Key.Key_Space)
    assert view_state.active_scenario == 2


def test_a_key_acts_on_the_header_that_has_the_focus(bar, editor, view_state):
    bar.header(2).setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(bar.header(2), Qt.Key.Key_Delete)
    assert [s.id for s in editor.document.scenarios] == [1]
    assert view_state.active_scenario == 1


# Edits


def test_rename_with_f2(bar, editor, undo):
    press(bar, Qt.Key.Key_F2)
    QTest.keyClicks(bar.header(1).title_field, "As <it> was")
    QTest.keyClick(bar.header(1).title_field, Qt.Key.Key_Return)
    assert editor.document.scenario(1).title == "As <it> was"
    assert titles(bar)[0] == "As <it> was"
    assert undo() == ["Rename FIFO to As <it> was"]
    assert bar.header(1).hasFocus()
    assert not bar._popup.isVisible()


def test_escape_and_no_change_rename_nothing(bar, editor, undo):
    press(bar, Qt.Key.Key_F2)
    QTest.keyClicks(bar.header(1).title_field, "Other")
    QTest.keyClick(bar.header(1).title_field, Qt.Key.Key_Escape)
    press(bar, Qt.Key.Key_F2)
    QTest.keyClick(bar.header(1).title_field, Qt.Key.Key_Return)
    assert editor.document.scenario(1).title == ""
    assert undo() == []


def test_duplicate_move_baseline_remove(bar, editor, view_state, undo):
    bar.duplicate_action.trigger()
    assert [s.choice.id for s in editor.document.scenarios] == ["fifo", "fifo", "johnson"]
    assert view_state.active_scenario == 3
    press(bar, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert [s.id for s in editor.document.scenarios] == [1, 2, 3]
    bar.baseline_action.trigger()
    assert editor.document.baseline == 3
    assert bar.header(3).notes.text() == "baseline"
    press(bar, Qt.Key.Key_Delete)
    assert [s.id for s in editor.document.scenarios] == [1, 2]
    assert view_state.active_scenario == 2
    assert len(undo()) == 4
    for _ in range(4):
        editor.undo_stack.undo()
    assert titles(bar) == ["FIFO", "Johnson"]


def test_actions_know_what_they_can_do(bar, editor, view_state):
    assert not bar.up_action.isEnabled()
    assert not bar.baseline_action.isEnabled()
    assert not bar.computed_action.isEnabled()
    editor.make_baseline(2)
    editor.drop_order(1, ["J5", "J4", "J3", "J2", "J1"])
    assert bar.computed_action.isEnabled()
    assert titles(bar)[0] == "FIFO, edited"
    bar.computed_action.trigger()
    assert titles(bar)[0] == "FIFO"
    editor.remove_scenario(2)
    assert not bar.remove_action.isEnabled()


def test_a_double_click_and_a_button_ask_for_the_chart_alone(bar, view_state):
    wanted = []
    bar.maximise_wanted.connect(wanted.append)
    QTest.mouseDClick(bar.header(2), Qt.MouseButton.LeftButton, pos=bar.header(2).title.geometry().center())
    QTest.mouseClick(bar.header(1).maximise_button, Qt.MouseButton.LeftButton)
    assert wanted == [2, 1]
    assert view_state.active_scenario == 1


def test_one_chart_is_alone_anyway(bar, editor):
    assert bar.header(1).maximise_button.isVisible()
    editor.remove_scenario(2)
    assert not bar.header(1).maximise_button.isVisible()


def test_the_menu_opens_for_its_header(bar, view_state):
    QTest.mouseClick(bar.header(2).menu_button, Qt.MouseButton.LeftButton)
    assert view_state.active_scenario == 2
    assert bar._menu.isVisible()
    bar._menu.close()


# Policies


def test_the_list_has_every_policy_with_its_summary(bar, popup):
    items = [popup.list.item(i) for i in range(popup.list.count())]
    shown = [(item.data(ID_ROLE), item.data(SUMMARY_ROLE)) for item in items if item.data(ID_ROLE)]
    assert shown == [(policy.id, policy.summary) for policy in registry.policies()]
    assert [item.text() for item in items if not item.data(ID_ROLE)] == list(registry.GROUPS)


def shown_policies(popup):
    items = [popup.list.item(i) for i in range(popup.list.count())]
    return [item.data(ID_ROLE) for item in items if item.data(ID_ROLE)]


@pytest.mark.parametrize(
    ("letters", "first", "among"),
    [
        ("fair", "fair", "dhfs-pi"),
        ("deadl", "edf-max", "edf-min"),
        ("shared scans", "flex", "batch"),
        ("lngst", "longest-task", "longest-task"),
    ],
)
def test_typing_narrows_the_policies(bar, editor, popup, letters, first, among):
    bar.add()
    QTest.keyClicks(popup.list.field, letters)
    assert shown_policies(popup)[0] == popup.list.currentItem().data(ID_ROLE) == first
    assert among in shown_policies(popup)
    assert "fifo" not in shown_policies(popup)
    popup.grab()
    QTest.keyClick(popup.list.field, Qt.Key.Key_Return)
    assert editor.document.scenarios[-1].choice.id == first


def test_arrow_keys_pass_over_headings_and_letters_go_to_the_field(bar, editor, popup):
    bar.add()
    for _ in range(6):  # the first policy is there already, and the second is marked
        QTest.keyClick(popup.list.field, Qt.Key.Key_Down)
    assert popup.list.currentItem().data(ID_ROLE) == "optimized"
    QTest.keyClick(popup.list.field, Qt.Key.Key_Up)
    assert popup.list.currentItem().data(ID_ROLE) == "by-hand"
    QTest.keyClicks(popup.list, "q")
    QTest.keyClicks(popup.list.field, "qq")
    assert popup.list.field.text() == "qqq"
    assert shown_policies(popup) == []
    QTest.keyClick(popup.list.field, Qt.Key.Key_Return)
    assert popup.isVisible()
    popup.list.field.clear()
    assert len(shown_policies(popup)) == len(registry.policies())


def test_add_a_scenario(bar, editor, popup, view_state, undo):
    bar.add()
    assert popup.isVisible()
    popup.grab()
    choose(popup, "sjf")
    assert not popup.isVisible()
    assert titles(bar) == ["FIFO", "Johnson", "Shortest job first"]
    assert view_state.active_scenario == 3
    assert undo() == ["Add Shortest job first"]


def test_six_scenarios_are_the_most(bar, editor):
    while editor.can_add_scenario:
        editor.add_scenario(PolicyChoice("fair"))
    assert len(editor.document.scenarios) == MAX_SCENARIOS
    sentences = []
    bar.refused.connect(sentences.append)
    bar.add()
    assert "remove one first" in sentences[0]
    assert not bar._popup.isVisible()
    assert not bar.duplicate_action.isEnabled()
    editor.undo_stack.undo()
    assert bar.duplicate_action.isEnabled()


def test_choose_a_policy_without_parameters(bar, editor, popup, undo):
    press(bar, Qt.Key.Key_Return)
    assert popup.isVisible()
    assert popup.list.currentItem().data(ID_ROLE) == "fifo"
    choose(popup, "sjf")
    assert editor.document.scenario(1).choice.id == "sjf"
    assert not popup.isVisible()
    assert undo() == ["Use Shortest job first instead of FIFO"]


def test_choosing_the_same_policy_changes_nothing(bar, editor, popup, undo):
    editor.drop_order(2, ["J5", "J4", "J3", "J2", "J1"])
    QTest.mouseClick(bar.header(2).policy_button, Qt.MouseButton.LeftButton)
    choose(popup, "johnson")
    assert editor.document.scenario(2).order is not None
    assert len(undo()) == 1


def test_parameters_of_the_policy_are_a_form(bar, editor, popup, undo):
    QTest.mouseClick(bar.header(1).policy_button, Qt.MouseButton.LeftButton)
    choose(popup, "order")
    assert popup.isVisible()
    field = popup.form.form.field("order")
    parameter = registry.describe("order").parameters[0]
    assert parameter.help in field.accessibleDescription()
    field.setFocus()
    QTest.keyClicks(field, "J3,J1")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert editor.document.scenario(1).choice.parameters == {"order": "J3,J1"}
    assert len(undo()) == 2
    editor.undo_stack.undo()
    assert field.text() == ""


def test_a_wrong_parameter_is_refused(bar, editor, popup, monkeypatch):
    from core.model.errors import InputError

    sentences = []
    bar.refused.connect(sentences.append)
    QTest.mouseClick(bar.header(1).policy_button, Qt.MouseButton.LeftButton)
    choose(popup, "order")

    def refuse(*_arguments):
        raise InputError("no such order")

    monkeypatch.setattr(editor, "set_parameter", refuse)
    field = popup.form.form.field("order")
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert sentences == ["no such order"]
    assert field.text() == ""


def test_another_document_replaces_the_headers(bar, editor, two_scenarios):
    bar.set_outcome(1, lasting(75.0))
    editor.load(two_scenarios)
    assert bar.header(1).makespan.text() == "–"
    assert titles(bar) == ["FIFO", "Johnson"]


def test_a_veiled_end_is_a_question_mark_and_nothing_compares_with_it(bar, view_state):
    bar.set_outcome(1, lasting(75.0))
    bar.set_outcome(2, lasting(60.0))
    view_state.veil.hide_from(10.0, [1])
    assert bar.header(1).accessibleName() == "FIFO, makespan ?, the baseline"
    assert bar.header(2).accessibleName().startswith("Johnson, makespan 1 min 00 s, 20.0 % above")
    assert bar.header(2).change.text() == ""
    bar.set_outcome(1, lasting(80.0))
    assert bar.header(1).makespan.text() == "?"
    view_state.veil.lift()
    assert bar.header(1).makespan.text() == "1 min 20 s"
    assert bar.header(2).change.text() == "−20 s"
