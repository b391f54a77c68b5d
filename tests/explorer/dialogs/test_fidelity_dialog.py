"""Fidelity in the window: models and jobs side by side, overheads to be used, copied and saved."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from core.fidelity.fidelity_report import NOT_MODELLED
from core.files.workload_writing import write_workload
from core.model.cluster import Cluster
from core.model.nodes import parse_nodes
from core.model.overheads import Overheads
from explorer.dialogs.fidelity_dialog import FidelityDialog
from tests.core.fidelity.test_fidelity import TRUE, recorded_workload

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.workload import Workload


SHUFFLELESS, PLAIN = "Tasks without shuffles", "Tasks and their shuffles"
OF_OTHERS, OWN_FIT = "Overheads of other logs", "Overheads of this log"


def shown(qtbot, workload: Workload) -> FidelityDialog:
    dialog = FidelityDialog(workload)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.start()
    qtbot.waitUntil(lambda: not dialog.is_checking)
    return dialog


@pytest.fixture
def dialog(qtbot) -> FidelityDialog:
    return shown(qtbot, recorded_workload())


def column(table, place: int) -> list[str]:
    return [table.model().index(row, place).data() for row in range(table.model().rowCount())]


def click(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_models_stand_side_by_side(dialog):
    assert column(dialog.models, 0) == [SHUFFLELESS, PLAIN, OWN_FIT]
    assert column(dialog.models, 1)[-1] == "0.0 %"
    assert float(column(dialog.models, 1)[1].rstrip(" %")) > 20
    assert column(dialog.models, 2)[-1] == "±0 %"
    assert not any("(" in text for place in (1, 2) for text in column(dialog.models, place))
    assert not dialog.progress.isVisible()
    assert "setup 1.5 s" in dialog.summary.text()
    assert "that is not a proof" in dialog.summary.text()


def test_every_job_is_listed_with_its_errors(dialog):
    assert dialog.jobs.model().rowCount() == 12
    assert dialog.jobs.model().columnCount() == 5
    assert set(column(dialog.jobs, 0)) == {f"J{i}" for i in range(12)}
    assert all(text == "±0 %" for text in column(dialog.jobs, 4))
    far = [row for row in range(12) if float(column(dialog.jobs, 3)[row].strip("−+±% ")) > 25]
    jobs, ink = dialog.jobs.model(), Qt.ItemDataRole.ForegroundRole
    assert jobs.index(0, 4).data(ink) is None
    assert far
    assert all(jobs.index(row, 3).data(ink) is not None for row in far)
    assert "instead of" in jobs.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)


def test_the_overheads_can_be_taken_with_the_launch_delay_of_the_log(dialog, qtbot):
    with qtbot.waitSignal(dialog.taken) as taken:
        click(dialog.take_button)
    assert taken.args == [TRUE]


def test_both_tables_are_copied_and_saved(dialog, tmp_path):
    click(dialog.copy_button)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].strip('"').startswith("Jobs are")
    models, jobs = (next(i for i, line in enumerate(lines) if line.startswith(w)) for w in ("model", "job\t"))
    assert jobs - models == 1 + 3 + 1
    assert len(lines) == jobs + 1 + 12
    dialog.save(str(tmp_path / "check.csv"))
    assert "\nTasks without shuffles," in (tmp_path / "check.csv").read_text()
    dialog.save(str(tmp_path / "nowhere" / "check.csv"))
    assert "nowhere" in dialog.summary.text()


def test_another_policy_checks_the_log_anew(dialog, qtbot):
    before = dialog.checked
    assert dialog.policy_field.findData("by-hand") == -1, "no cluster does that"
    dialog.policy_field.setCurrentIndex(dialog.policy_field.findData("sjf"))
    dialog.policy_field.setCurrentIndex(dialog.policy_field.findData("fair"))
    qtbot.waitUntil(lambda: not dialog.is_checking)
    assert dialog.checked is not None
    assert dialog.checked is not before
    assert dialog.models.model().rowCount() == 3


def test_other_logs_lend_their_overheads_to_the_headline(qtbot, tmp_path, monkeypatch):
    one, other, own = (tmp_path / f"{name}.workload.json" for name in ("one", "other", "own"))
    for path, seed in ((one, 4), (other, 5), (own, 3)):
        write_workload(recorded_workload(seed, 6 if seed != 3 else 12), path)
    dialog = shown(qtbot, recorded_workload())
    changes: list[list[Path]] = []
    dialog.others_changed.connect(changes.append)
    others = dialog.others
    assert (others.none.isVisible(), others.list.isVisible()) == (True, False)
    chosen = ([str(one), str(own), str(tmp_path / "gone")], "")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: chosen)
    click(others.add_button)
    qtbot.waitUntil(lambda: not dialog.is_checking)
    assert (others.none.isVisible(), others.list.isVisible()) == (False, True)
    assert column(dialog.models, 0) == [SHUFFLELESS, PLAIN, OF_OTHERS, OWN_FIT]
    mean, makespan = (column(dialog.models, place)[2] for place in (1, 2))
    assert re.fullmatch(r"[\d.]+ % \(\d+ of 12 in range\)", mean)
    assert " to " in makespan
    tip = dialog.models.model().index(2, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "in range: jobs between the least and the largest draw, where 90 % should lie" in " ".join(
        tip.split()
    )
    looks = dialog.models.model()
    assert looks.index(2, 0).data(Qt.ItemDataRole.FontRole).bold()
    assert looks.index(3, 0).data(Qt.ItemDataRole.ForegroundRole) is not None
    assert "with the overheads of 1 other log of the cluster" in dialog.summary.text(), "not with its own"
    assert "gone: there is no such file or folder any more" in dialog.summary.text()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    click(others.folder_button)
    assert changes[-1] == [one, own, tmp_path / "gone", tmp_path]
    others.list.item(1).setSelected(True)
    others.list.item(2).setSelected(True)
    others.list.item(3).setSelected(True)
    click(others.remove_button)
    qtbot.waitUntil(lambda: not dialog.is_checking)
    assert changes[-1] == others.paths == [one]
    assert dialog.overheads == TRUE


def test_overheads_that_bring_the_log_no_nearer_are_not_offered(qtbot, monkeypatch):
    monkeypatch.setattr("core.fidelity.fidelity.fitted_overheads", lambda *_, **__: None)
    dialog = shown(qtbot, recorded_workload())
    assert dialog.take_button.isHidden()
    assert "No overheads are offered" in dialog.summary.text()
    assert column(dialog.models, 0) == [SHUFFLELESS, PLAIN]


def test_a_stopped_check_says_so_and_offers_nothing(qtbot):
    dialog = FidelityDialog(recorded_workload())
    qtbot.addWidget(dialog)
    dialog.start()
    dialog.stop_button.click()
    qtbot.waitUntil(lambda: not dialog.is_checking)
    assert dialog.summary.text() == "Stopped."
    assert dialog.take_button.isHidden()
    assert not dialog.copy_button.isEnabled()
    click(dialog.again_button)
    assert dialog.again_button.isHidden()
    qtbot.waitUntil(lambda: not dialog.is_checking)
    assert dialog.checked is not None


def test_clusters_with_nodes_are_checked_without_overheads(qtbot):
    nodes = Cluster(0, 0, nodes=parse_nodes("4x4GB,4"))
    dialog = shown(qtbot, replace(recorded_workload(), cluster=nodes))
    assert column(dialog.models, 0) == [SHUFFLELESS, PLAIN]
    assert NOT_MODELLED in dialog.summary.text()
    assert dialog.take_button.isHidden()


def test_a_log_that_does_not_say_enough_is_told_in_a_sentence(qtbot):
    workload = recorded_workload()
    blind = replace(workload.recorded, finish=workload.recorded.finish * float("nan"))  # type: ignore[type-var]
    dialog = shown(qtbot, replace(workload, recorded=blind))
    assert "does not say when its jobs finished" in dialog.summary.text()


def test_the_window_uses_them_as_one_step(qtbot, tmp_path):
    from explorer.window.files.document_work import new_document
    from tests.explorer.window_fixtures import open_window

    window = open_window(qtbot, tmp_path)
    window.editor.load(new_document(recorded_workload()))
    window.actions_by_id["fidelity"].trigger()
    (dialog,) = window.findChildren(FidelityDialog)
    qtbot.waitUntil(lambda: not dialog.is_checking)
    dialog.others_changed.emit([tmp_path / "other"])
    assert window.settings.logs_of("8 map + 4 reduce slots, 4 hosts") == (tmp_path / "other",)
    click(dialog.take_button)
    assert window.document.cluster.overheads == TRUE
    assert window.editor.undo_stack.count() == 1
    assert dialog.outcome.text().startswith("The cluster now spends what the log's cluster spends")
    assert dialog.outcome.text().endswith("Simulated again: FIFO, Johnson.")
    click(dialog.take_button)
    assert "already" in dialog.outcome.text()
    assert not dialog.undo_button.isVisible()
    window.editor.undo_stack.undo()
    click(dialog.take_button)
    click(dialog.undo_button)
    assert window.document.cluster.overheads is None
    assert dialog.outcome.text().startswith("Taken back")
    click(dialog.take_button)
    window.editor.add_job()
    click(dialog.undo_button)
    assert "Ctrl+Z" in dialog.outcome.text()
    assert window.document.cluster.overheads is not None
    assert isinstance(dialog.overheads, Overheads)
    dialog.reject()
    assert window.runner.wait_until_idle(60_000)
