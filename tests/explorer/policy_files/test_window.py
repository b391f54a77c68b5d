"""Policy files in the window, as people use them: open, trust, edit, break, mend."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

from core.files.samples import load_sample
from core.files.session_document import Session, read_session, write_session
from core.model.document_state import DocumentState
from core.model.schedule import Fork, PolicyChoice
from core.policies.own_policies import own_policy
from core.policies.user_files.policy_process import PROCESSES
from core.policies.user_files.source import read_policy_file
from explorer.document.view_state import SelectedTask
from explorer.gantt.layers.time_marks import marks_of
from explorer.panels.job_columns import END
from explorer.policy_files import system_editor
from explorer.policy_files.notices import NEW_COMES, NO_NEWER, OLD_FAILED
from explorer.policy_files.policy_files import Status
from explorer.policy_files.system_editor import SystemEditor
from explorer.policy_files.trust_dialog import TrustDialog
from tests.explorer.window_fixtures import block_point, open_window

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(request, qtbot, tmp_path, file):
    if request.node.get_closest_marker("only_looks"):
        return request.getfixturevalue("window_looked_at")
    return open_window(qtbot, tmp_path, compiled=False)


@pytest.fixture
def opened(monkeypatch):
    """Paths that were opened in an editor."""
    paths = []
    monkeypatch.setattr(SystemEditor, "open", lambda _self, path: paths.append(path))
    return paths


def dialog_of(window):
    return next((dialog for dialog in window.findChildren(TrustDialog) if dialog.isVisible()), None)


def agree(qtbot, window, *, with_folder=True):
    qtbot.waitUntil(lambda: dialog_of(window) is not None)
    dialog_of(window).edits.setChecked(with_folder)
    qtbot.mouseClick(dialog_of(window).agree_button, LEFT)


def choose(monkeypatch, path, method="getOpenFileName"):
    monkeypatch.setattr(QFileDialog, method, lambda *_: (str(path), ""))


def settled(window):
    """Whether nothing is on its way any more."""
    return not window.own_policies.files._worker.is_busy and not window.runner.is_busy


def notice(window, scenario_id):
    card = window.own_policies.notices.card(scenario_id)
    return None if card is None else card.notice


def finishes(window, scenario_id):
    outcome = window.runner.outcome(scenario_id)
    return None if outcome is None else outcome.schedule.finish.tolist()


@pytest.fixture
def used(window, qtbot, monkeypatch, file):
    """A window with the file as scenario 3."""
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    agree(qtbot, window)
    qtbot.waitUntil(lambda: window.runner.outcome(3) is not None and settled(window))
    return window


# ---- opening


def test_opening_asks_once_and_adds_a_scenario(used, qtbot, monkeypatch, file):
    assert [s.choice.id for s in used.document.scenarios] == ["fifo", "johnson", file.id]
    assert used.view_state.active_scenario == 3
    assert used.headers.header(3).facts.title == "Mine"
    assert notice(used, 3) is None
    used.actions_by_id["open_policy"].trigger()
    assert dialog_of(used) is None
    assert len(used.document.scenarios) == 4
    used.editor.undo_stack.undo()
    assert len(used.document.scenarios) == 3


@pytest.mark.only_looks
def test_the_dialog_shows_path_and_text_and_cancel_is_the_default(window, qtbot, monkeypatch, file):
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    dialog = dialog_of(window)
    assert dialog.path.text() == file.id
    assert dialog.text.toPlainText() == file.path.read_text()
    assert dialog.text.isReadOnly()
    assert dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).isDefault()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog_of(window) is None)
    assert len(window.document.scenarios) == 2
    assert window.settings.trusted_policies == ()


@pytest.mark.only_looks
def test_the_dialog_shows_what_text_may_hide(window, qtbot, monkeypatch, file):
    file.write("x = 1  # \u202e evil \u2066\n\tpass\n")
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    assert dialog_of(window).text.toPlainText() == "x = 1  # \\u202e evil \\u2066\n\tpass\n"
    dialog_of(window).reject()


def test_what_was_shown_is_what_runs(window, qtbot, monkeypatch, file):
    """The file becomes another one behind the open dialog; that content is only followed."""
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    shown = dialog_of(window).source
    heard = []
    files = window.own_policies.files
    monkeypatch.setattr(files, "agree", lambda source, with_folder: heard.append(source) or file.id)
    file.write("import os\nos.abort()\n")
    agree(qtbot, window)
    assert heard == [shown]


def test_a_file_dropped_on_the_window(window, qtbot, file):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(file.id)])
    drop = QDropEvent(QPointF(600, 400), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(drop)
    agree(qtbot, window)
    qtbot.waitUntil(lambda: window.runner.outcome(3) is not None)


def test_a_file_for_a_scenario_that_is_there(window, qtbot, monkeypatch, file):
    choose(monkeypatch, file.path)
    window.view_state.activate_scenario(2)
    window.headers.choose_policy()
    qtbot.mouseClick(window.headers._popup.open_button, LEFT)
    agree(qtbot, window)
    qtbot.waitUntil(lambda: settled(window) and window.document.scenario(2).choice.id == file.id)
    assert len(window.document.scenarios) == 2
    assert window.view_state.active_scenario == 2
    window.headers.choose_policy()
    titles = [window.headers._popup.list.item(i).text() for i in range(window.headers._popup.list.count())]
    assert titles[-1] == "Mine"
    assert window.headers._popup.list.currentItem().text() == "Mine"
    window.headers._popup.close()


@pytest.mark.only_looks
def test_a_file_that_is_not_there(window, monkeypatch, file):
    file.path.unlink()
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    assert "cannot be read" in window.messages.message.sentence
    assert len(window.document.scenarios) == 2


def test_a_seventh_scenario_is_refused(window, qtbot, monkeypatch, file):
    for _ in range(4):
        window.actions_by_id["duplicate_scenario"].trigger()
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    agree(qtbot, window)
    assert "6 scenarios already" in window.messages.message.sentence
    qtbot.waitUntil(partial(settled, window))


# ---- helpers


@pytest.fixture
def helped(file):
    """Give the file a helper, and an installed package."""
    helper = file.path.with_name("helper.py")
    helper.write_text("SIGN = -1\n")
    text = file.path.read_text().replace("\n", "\nimport numpy as np\nfrom helper import SIGN\n", 1)
    file.write(text.replace("-job.rank", "SIGN * job.rank"))
    return helper


@pytest.mark.only_looks
def test_the_dialog_shows_all_that_will_run(window, qtbot, monkeypatch, file, helped):
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    dialog = dialog_of(window)
    assert [dialog.list.item(i).text() for i in range(dialog.list.count())] == ["mine.py", "helper.py"]
    assert "imports another file" in dialog.imports.text()
    assert "numpy" in dialog.imports.text()
    assert (dialog.path.text(), dialog.text.toPlainText()) == (file.id, file.path.read_text())
    qtbot.mouseClick(
        dialog.list.viewport(), LEFT, pos=dialog.list.visualItemRect(dialog.list.item(1)).center()
    )
    assert (dialog.path.text(), dialog.text.toPlainText()) == (str(helped), "SIGN = -1\n")
    dialog.list.setFocus()
    qtbot.keyClick(dialog.list, Qt.Key.Key_Up)
    assert dialog.path.text() == file.id
    dialog.reject()


def test_another_helper_is_shown_as_such(window, qtbot, monkeypatch, file, helped):
    choose(monkeypatch, file.path)
    window.actions_by_id["open_policy"].trigger()
    agree(qtbot, window, with_folder=False)
    qtbot.waitUntil(lambda: window.runner.outcome(3) is not None and settled(window))
    helped.with_name("second.py").write_text("import os\nos.abort()\n")
    helped.write_text("import second\nSIGN = 1\n")
    qtbot.waitUntil(lambda: notice(window, 3) is not None)
    assert notice(window, 3).heading == "mine.py or what it imports has changed"
    qtbot.mouseClick(window.own_policies.notices.card(3).look_button, LEFT)
    dialog = dialog_of(window)
    shown = [dialog.list.item(i).text() for i in range(dialog.list.count())]
    assert shown == ["mine.py", "helper.py (changed)", "second.py (new)"]
    assert dialog.path.text() == str(helped)
    assert "-SIGN = -1\n+import second\n+SIGN = 1" in dialog.text.toPlainText()
    dialog.whole.setChecked(True)
    assert dialog.text.toPlainText() == helped.read_text()
    dialog.list.setCurrentRow(2)
    assert dialog.text.toPlainText() == "import os\nos.abort()\n"  # it is new
    assert dialog.whole.isHidden()
    assert not dialog.edits.isChecked()
    dialog.reject()


def test_an_error_in_a_helper_opens_the_helper(used, qtbot, file, helped, opened):
    qtbot.waitUntil(lambda: bool(own_policy(file.id).source.helpers))
    helped.write_text("SIGN = 1 / 0\n")
    qtbot.waitUntil(lambda: notice(used, 3) is not None)
    assert notice(used, 3).heading == "helper.py, line 1"
    qtbot.mouseClick(used.own_policies.notices.card(3).editor_button, LEFT)
    assert opened == [str(helped)]


# ---- editing


def test_a_saved_edit_is_shown_before_it_is_compiled_and_compiled_code_changes_nothing(used, qtbot, file):
    used.runner.use_compiled()
    used.runner._trial_timer.setInterval(0)  # nobody types
    used.view_state.select_job("J2")
    used.view_state.select_task(SelectedTask(3, 7))
    used.view_state.time_cursor.show_at(12.0)
    before, words, ready = finishes(used, 3), [], []
    view = used.charts.views[3]
    view.changed.connect(lambda: words.append(view.content.outdated))
    used.runner.outcome_ready.connect(lambda i, outcome: ready.append((i, outcome, used.runner.is_busy)))
    file.swap("job.rank")
    qtbot.waitUntil(lambda: finishes(used, 3) not in (None, before))
    assert notice(used, 3) is None
    assert words[0] == NEW_COMES
    qtbot.waitUntil(lambda: view.content.outdated == "")
    shown = used.runner.outcome(3)
    qtbot.waitUntil(partial(settled, used))
    assert [(i, outcome) for i, outcome, _is_compiled_yet in ready] == [(3, shown)]
    assert ready[0][2]  # it was still to be compiled
    assert used.runner.outcome(3) is shown
    assert used.view_state.selected_job == "J2"
    assert used.view_state.selected_task == SelectedTask(3, 7)
    assert used.view_state.time_cursor.seconds == 12.0


def test_half_of_a_file_is_not_taken_for_a_file(used, qtbot, file):
    seen = []
    used.own_policies.files.changed.connect(lambda i: seen.append(used.own_policies.files.state(i).status))
    before, whole = finishes(used, 3), file.path.read_text().replace("-job.rank", "job.rank")
    file.path.write_text("")
    qtbot.waitUntil(lambda: bool(used.own_policies.files._unsure))  # it has been looked at
    file.path.write_text(whole[: whole.index("rank")] + "(")
    file.path.write_text(whole)
    qtbot.waitUntil(lambda: finishes(used, 3) not in (None, before))
    assert seen == [Status.RUNNING, Status.GOOD]


def test_a_broken_file_leaves_the_chart_greyed_with_the_line(used, qtbot, file, opened):
    before = finishes(used, 3)
    file.write(file.path.read_text().replace("def key(job):", "def key(job)"))
    qtbot.waitUntil(lambda: notice(used, 3) is not None)
    card = used.own_policies.notices.card(3)
    assert card.heading.text() == "mine.py, line 7"
    assert card.sentence.text().startswith("Expected ':' (SyntaxError).")
    assert card.code.text() == "def key(job)\n            ^"
    assert used.charts.views[3].content.outdated == NO_NEWER
    assert used.charts.views[3].rect().contains(card.geometry())
    assert finishes(used, 3) == before
    assert used.charts.views[3].content.rows is not None
    qtbot.mouseClick(card.editor_button, LEFT)
    assert opened == [file.id]
    file.write("job.rank")
    qtbot.waitUntil(lambda: notice(used, 3) is None)
    assert not card.isVisible()
    assert used.charts.views[3].content.outdated in ("", NEW_COMES)


def test_a_failed_run_is_that_of_the_version_before_once_the_file_is_broken(used, qtbot, file):
    file.write("1 / (job.rank - 1) if job.started[1] else job.rank")
    qtbot.waitUntil(lambda: notice(used, 3) is not None)
    view, failing = used.charts.views[3], file.path.read_text()
    file.path.write_text(failing.replace("def key(", "def kye("))
    qtbot.waitUntil(lambda: "no hook 'kye'" in notice(used, 3).sentence)
    assert (view.content.failed, view.content.outdated) == (9.0, OLD_FAILED)
    assert "no hook 'kye'" in used.headers.header(3).facts.error
    file.path.write_text(failing)
    qtbot.waitUntil(lambda: "ZeroDivisionError" in notice(used, 3).sentence)
    assert (view.content.failed, view.content.outdated) == (9.0, "")
    assert "ZeroDivisionError" in used.headers.header(3).facts.error


def test_a_failing_run_shows_how_far_it_came_with_the_cursor_there(used, qtbot, file):
    """At 9 s J2 has started a reduce: of it, whose rank is 1, the key is not to be had any more."""
    used.view_state.select_task(SelectedTask(3, 7))
    file.write("1 / (job.rank - 1) if job.started[1] else job.rank")
    qtbot.waitUntil(lambda: notice(used, 3) is not None)
    said, view, card = notice(used, 3), used.charts.views[3], used.own_policies.notices.card(3)
    assert said.heading == "mine.py, line 8"
    assert "ZeroDivisionError at 0:09: division by zero (looking at J2)" in said.sentence
    assert card.values.text() == "There: job J2, job.started[1] 1, job.rank 1"
    assert used.runner.outcome(3) is None
    assert (view.content.failed, view.content.outdated) == (9.0, "")
    assert view.content.rows.schedule.makespan == 9.0
    assert marks_of(view.frame())[0].text == "failed at 0:09"
    assert "failed at 0:09" in view.content.description
    assert used.view_state.time_cursor.seconds == 9.0
    facts = used.headers.header(3).facts
    assert (facts.result, facts.gap_text) == ("failed", "")
    assert facts.error.startswith("mine.py, line 8: policy mine raised")
    assert used.messages.message is None
    assert {used.jobs_panel.model.index(row, END).data() for row in range(5)} == {"…"}
    used.charts.refresh()
    assert view.content.failed == 9.0  # also after the charts are arranged anew
    qtbot.mouseClick(view, LEFT, pos=block_point(view, 0))
    assert used.view_state.selected_job == "J1"
    file.write("job.rank")
    qtbot.waitUntil(lambda: notice(used, 3) is None and view.content.failed is None)
    assert view.content.rows.schedule.is_whole


def test_a_newer_version_on_its_way_takes_back_what_was_said_of_the_older(used, qtbot, file):
    file.write("1 / (job.rank - 1)")
    qtbot.waitUntil(lambda: notice(used, 3) is not None)
    assert used.charts.views[3].content.rows.schedule.makespan == 0  # nothing had started
    text = "import time\n" + file.path.read_text()
    file.write(
        text.replace("def key(job):", "def plan():").replace("return 1 / (job.rank - 1)", "time.sleep(9)")
    )
    qtbot.waitUntil(lambda: notice(used, 3) is None)
    used.runner.cancel()
    PROCESSES.close()


def test_an_endless_loop_leaves_the_window_alive(used, qtbot, file):
    text = file.path.read_text()
    file.write(
        text.replace(
            "        return -job.rank", "        while job.rank >= 0:\n            pass\n        return 0"
        )
    )
    ticks = []
    qtbot.waitUntil(lambda: bool(ticks.append(0)) or notice(used, 3) is not None)
    assert notice(used, 3).heading == "mine.py, line 8"
    assert "does not come to an end" in notice(used, 3).sentence
    assert len(ticks) > 5


def test_a_policy_that_never_serves_is_reported(used, qtbot, file):
    file.write(file.path.read_text().replace("def key(job)", "def admits(job)").replace("-job.rank", "False"))
    qtbot.waitUntil(lambda: notice(used, 3) is not None)
    assert "stalled at 0:00: no task can end. Waiting: J1 (map)" in notice(used, 3).sentence


def test_why_it_is_interpreted(used, qtbot, file):
    used.runner.use_compiled()
    used.runner._trial_timer.setInterval(0)  # nobody types
    file.write("{0: 1.0}[0] * job.rank")
    qtbot.waitUntil(lambda: bool(used.headers.header(3).facts.slow_because))
    card = used.headers.header(3)
    assert card.notes.text() == "interpreted"
    assert "line 8 makes a dict, which cannot be compiled" in card.toolTip()
    assert "interpreted, so slower with the same result" in card.facts.sentence()
    file.write("job.rank")
    qtbot.waitUntil(lambda: not card.facts.slow_because)
    assert "interpreted" not in card.notes.text()
    qtbot.waitUntil(partial(settled, used))


def test_parameters_appear_and_change_with_the_file(used, qtbot, file):
    text = file.path.read_text().replace(
        "    def key(job):\n        return -job.rank",
        "    parameters = (Parameter('power', 'number', 1.0, 'How much.', min=-3, max=3),)\n\n"
        "    def key(job, power):\n        return power * job.rank",
    )
    file.write("from core.model.parameters import Parameter\n" + text)
    qtbot.waitUntil(lambda: settled(used) and "power" in used.runner.outcome(3).schedule.choice.parameters)
    first = finishes(used, 3)
    used.headers.choose_policy()
    form = used.headers._popup.form.form
    form.field("power").setValue(-1.0)
    qtbot.waitUntil(lambda: settled(used) and finishes(used, 3) != first)
    assert used.document.scenario(3).choice.parameters == {"power": -1.0}
    used.headers._popup.close()
    file.write(file.path.read_text().replace("power", "weight"))
    qtbot.waitUntil(lambda: settled(used) and "weight" in used.runner.outcome(3).schedule.choice.parameters)
    assert finishes(used, 3) == first
    used.headers.choose_policy()
    assert form.field("weight").value() == 1.0
    used.headers._popup.close()


def test_an_order_made_by_hand_needs_no_file(used, qtbot, file):
    used.editor.drop_order(3, ("J5", "J4", "J3", "J2", "J1"))
    file.write("1 / 0")
    qtbot.waitUntil(lambda: settled(used) and used.runner.outcome(3).computed is None)
    assert notice(used, 3) is None
    used.editor.reset_order(3)
    qtbot.waitUntil(lambda: notice(used, 3) is not None)


# ---- documents


def test_a_session_never_runs_a_file_unasked(window, qtbot, file, tmp_path, capfd):
    PROCESSES.close()  # a new one has the descriptors of this test
    file.write(file.path.read_text() + "\n\nprint('it ran', flush=True)\n")
    state = DocumentState.new(
        load_sample("five-jobs"), (PolicyChoice("fifo"), PolicyChoice(file.id, {"a": 1}))
    )
    write_session(Session(state), tmp_path / "own.slotscope")
    window.files.open(tmp_path / "own.slotscope")
    qtbot.waitUntil(lambda: notice(window, 2) is not None)
    card = window.own_policies.notices.card(2)
    assert card.heading.text() == "mine.py has not been run"
    assert "it ran" not in capfd.readouterr().err
    assert window.charts.views[2].content.outdated == ""
    assert window.headers.header(2).facts.title == "mine.py"
    window.view_state.activate_scenario(2)
    window.headers.choose_policy()
    assert "has not been run" in window.headers._popup.form.note.text()
    window.headers._popup.close()
    qtbot.mouseClick(card.look_button, LEFT)
    agree(qtbot, window)
    qtbot.waitUntil(lambda: window.runner.outcome(2) is not None and settled(window))
    assert "it ran" in capfd.readouterr().err
    PROCESSES.close()
    assert notice(window, 2) is None


def test_a_session_that_was_moved_with_its_file(window, qtbot, file, tmp_path):
    state = DocumentState.new(load_sample("five-jobs"), (PolicyChoice(str(tmp_path / "gone" / "mine.py")),))
    write_session(Session(state), tmp_path / "own.slotscope")
    window.files.open(tmp_path / "own.slotscope")
    qtbot.waitUntil(lambda: window.document.scenarios[0].choice.id == file.id)
    qtbot.waitUntil(partial(settled, window))


def test_a_changed_file_is_asked_about_after_the_next_start(window, qtbot, file):
    """The content is known, so it ran; an edit of it does not run before somebody agrees."""
    own = window.own_policies
    own.files.trust._settings.trust_policy(_digest(file))
    window.editor.add_scenario(PolicyChoice(file.id))
    qtbot.waitUntil(lambda: window.runner.outcome(3) is not None and settled(window))
    before = finishes(window, 3)
    file.write("job.rank")
    qtbot.waitUntil(lambda: notice(window, 3) is not None)
    assert notice(window, 3).heading == "mine.py has changed"
    assert window.charts.views[3].content.outdated == NO_NEWER
    assert finishes(window, 3) == before
    qtbot.mouseClick(own.notices.card(3).look_button, LEFT)
    agree(qtbot, window)
    qtbot.waitUntil(lambda: finishes(window, 3) != before)
    qtbot.waitUntil(lambda: notice(window, 3) is None)


def _digest(file):
    from core.policies.user_files.source import read_policy_file

    return read_policy_file(file.path).digest


# ---- a safe start


@pytest.fixture
def safe(window, file, tmp_path):
    """A window with policy files off, on a session of two that were trusted before."""
    window.own_policies.files.switch(on=False)
    other = file.path.with_name("other.py")
    other.write_text(file.path.read_text().replace("-job.rank", "job.rank").replace("Mine", "Other"))
    for path in (file.path, other):
        window.settings.trust_policy(read_policy_file(path).digest)
    choices = (PolicyChoice("fifo"), PolicyChoice(file.id), PolicyChoice(str(other)))
    window.editor.load(DocumentState.new(load_sample("five-jobs"), choices))
    return window


def test_switched_off_no_file_runs_by_itself(safe, qtbot, file):
    qtbot.waitUntil(lambda: safe.runner.outcome(1) is not None and settled(safe))
    for scenario in (2, 3):
        assert safe.runner.outcome(scenario) is None
        assert "are switched off" in notice(safe, scenario).sentence
        assert safe.own_policies.notices.card(scenario).all_button.isVisible()
    assert notice(safe, 2).heading == "mine.py does not run"
    header = safe.headers.header(2)
    assert header.makespan.text() == "not run"
    assert header.facts.error == "its policy file has not been run; the chart says why"


def test_one_file_may_run_while_the_others_are_off(safe, qtbot, file):
    qtbot.waitUntil(lambda: notice(safe, 2) is not None)
    qtbot.mouseClick(safe.own_policies.notices.card(2).look_button, LEFT)
    agree(qtbot, safe)
    qtbot.waitUntil(lambda: safe.runner.outcome(2) is not None and settled(safe))
    assert notice(safe, 2) is None
    assert safe.runner.outcome(3) is None
    file.write("job.rank")  # agreed to here, it is followed
    qtbot.waitUntil(lambda: "return job.rank" in own_policy(file.id).source.text)


def test_all_files_run_that_were_trusted_before(safe, qtbot, file):
    file.write("1")  # nobody has agreed to that
    qtbot.waitUntil(lambda: "return 1" in safe.own_policies.files.state(file.id).source.text)
    qtbot.waitUntil(lambda: notice(safe, 3) is not None)
    qtbot.mouseClick(safe.own_policies.notices.card(3).all_button, LEFT)
    qtbot.waitUntil(lambda: safe.runner.outcome(3) is not None and settled(safe))
    assert not safe.own_policies.files.are_off
    qtbot.waitUntil(lambda: notice(safe, 2).heading == "mine.py has not been run")
    assert not safe.own_policies.notices.card(2).all_button.isVisible()


# ---- beginning one


def test_a_new_file_begins_from_the_template(window, qtbot, monkeypatch, tmp_path, opened, file):
    path = tmp_path / "longest_first"
    choose(monkeypatch, path, "getSaveFileName")
    window.actions_by_id["new_policy"].trigger()
    qtbot.waitUntil(lambda: window.runner.outcome(3) is not None and settled(window))
    written = path.with_suffix(".py")
    assert "class LongestFirst(Policy):" in written.read_text()
    assert opened == [str(written)]
    assert window.headers.header(3).facts.title == "Longest first"
    assert "if another program changes it, you are asked" in window.centre.foot.note.text()
    before = finishes(window, 3)
    written.write_text(written.read_text().replace("kind, job.tasks[kind] - ", "kind, -job.tasks[kind] + "))
    qtbot.waitUntil(lambda: notice(window, 3) is not None)
    qtbot.mouseClick(window.own_policies.notices.card(3).look_button, LEFT)
    agree(qtbot, window)
    qtbot.waitUntil(lambda: finishes(window, 3) != before)


def test_a_new_file_with_an_impossible_name(window, monkeypatch, tmp_path, opened, file):
    choose(monkeypatch, tmp_path / "3rd.py", "getSaveFileName")
    window.actions_by_id["new_policy"].trigger()
    assert "a policy cannot be called '3rd'" in window.messages.message.sentence
    assert not (tmp_path / "3rd.py").exists()
    assert opened == []


def test_where_no_editor_opens_the_file_is_shown_beside_the_charts(window, monkeypatch, qtbot, file):
    monkeypatch.setattr(system_editor, "why_not_opened", lambda _path: system_editor.NO_EDITOR)
    window.own_policies.actions.edit(file.id)
    pane = window.lab.editor_pane
    qtbot.waitUntil(lambda: pane.current is not None and pane.note.isVisible())
    assert pane.note.text() == "It is shown here since no program is registered for text files."
    assert pane.current_code().toPlainText() == file.path.read_text()
    window.own_policies.actions.edit(file.id)  # it is there already: nothing else is asked to open it
    assert pane.note.text().startswith("It is shown here")


def test_cards_fit_charts_of_every_size(used, qtbot, file):
    file.write("1 / (job.rank - 1)")
    qtbot.waitUntil(lambda: notice(used, 3) is not None)
    card, view = used.own_policies.notices.card(3), used.charts.views[3]
    for width, height in ((1200, 900), (600, 300), (300, 160), (240, 140)):
        view.resize(width, height)
        assert view.rect().contains(card.geometry())
    assert replace(card.notice).code


def test_a_file_that_decides_only_before_a_fork_is_asked_about_too(window, qtbot, file, tmp_path):
    """It runs only after somebody agreed; moved beside the session, it is found there."""
    gone = Fork(10.0, 0, PolicyChoice(str(tmp_path / "gone" / "mine.py")))
    state = DocumentState.new(load_sample("five-jobs"), (PolicyChoice("fifo"),))
    state = state.with_scenario(replace(state.scenarios[0], fork=gone))
    write_session(Session(state), tmp_path / "own.slotscope")
    window.files.open(tmp_path / "own.slotscope")
    qtbot.waitUntil(lambda: window.document.scenarios[0].fork is not None)
    assert window.document.scenarios[0].fork.choice.id == file.id
    qtbot.waitUntil(lambda: window.own_policies.files.state(file.id) is not None)
    assert not window.own_policies.files.state(file.id).works
    qtbot.waitUntil(partial(settled, window))
    assert window.runner.outcome(1) is None
    window.own_policies.files.agree(read_policy_file(file.path))
    qtbot.waitUntil(lambda: window.runner.outcome(1) is not None)
    assert window.runner.outcome(1).schedule.fork.choice.id.startswith(file.id)


def test_a_file_that_decides_before_a_fork_is_asked_about_too(window, qtbot, file):
    state = DocumentState.new(load_sample("five-jobs"), (PolicyChoice("fifo"),))
    fork = Fork(10.0, 0, PolicyChoice(file.id))
    window.editor.load(state.with_scenario(replace(state.scenarios[0], fork=fork)))
    qtbot.waitUntil(lambda: notice(window, 1) is not None)
    card = window.own_policies.notices.card(1)
    assert card.heading.text() == "mine.py has not been run"
    qtbot.mouseClick(card.look_button, LEFT)
    agree(qtbot, window)
    qtbot.waitUntil(lambda: window.runner.outcome(1) is not None and settled(window))
    assert notice(window, 1) is None


def test_a_packed_session_opens_where_the_policy_file_is_not(used, file, qtbot, monkeypatch, tmp_path):
    """The file comes out of the session; it is asked about, since its content was never agreed to here."""
    choose(monkeypatch, tmp_path / "week.slotscope", "getSaveFileName")
    used.actions_by_id["export_packed"].trigger()
    text = file.path.read_text()
    file.path.unlink()
    (tmp_path / "other").mkdir()
    elsewhere = open_window(qtbot, tmp_path / "other", compiled=False)
    elsewhere.files.open(tmp_path / "week.slotscope")
    qtbot.waitUntil(lambda: len(elsewhere.document.scenarios) == 3 and settled(elsewhere))
    unpacked = Path(elsewhere.document.scenarios[2].choice.id)
    assert unpacked != file.path
    assert unpacked.read_text() == text
    card = elsewhere.own_policies.notices.card(elsewhere.document.scenarios[2].id)
    qtbot.waitUntil(card.look_button.isVisible)
    assert elsewhere.runner.outcome(elsewhere.document.scenarios[2].id) is None
    qtbot.mouseClick(card.look_button, LEFT)
    agree(qtbot, elsewhere)
    qtbot.waitUntil(lambda: elsewhere.runner.outcome(elsewhere.document.scenarios[2].id) is not None)
    elsewhere.files.save()
    assert read_session(tmp_path / "week.slotscope").policies, "what was packed stays packed"


def test_a_missing_policy_file_is_looked_for(used, file, qtbot, monkeypatch, tmp_path):
    """The rest is shown meanwhile; finding the file is one step of undo."""
    (tmp_path / "moved").mkdir()
    moved = file.path.rename(tmp_path / "moved" / file.path.name)
    files, policy_id = used.own_policies.files, used.document.scenarios[2].choice.id
    files._look(policy_id)
    card = used.own_policies.notices.card(used.document.scenarios[2].id)
    qtbot.waitUntil(lambda: card.find_button.isVisible())
    assert not card.editor_button.isVisible()
    choose(monkeypatch, moved)
    qtbot.mouseClick(card.find_button, LEFT)
    qtbot.waitUntil(lambda: used.document.scenarios[2].choice.id == str(moved) and settled(used))
    assert not card.isVisible()
    assert used.editor.undo_stack.undoText() == f"Use {file.path.name} from {moved.parent}"
    used.editor.undo_stack.undo()
    assert used.document.scenarios[2].choice.id == policy_id
