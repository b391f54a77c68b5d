"""The dialog that scales jobs previews totals, and hands over what it previewed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.generate.scaling import scale_workload
from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.workload import Workload
from explorer.dialogs.scale_dialog import ScaleDialog
from tests.builders import make_job, make_workload

WORKLOAD = make_workload(make_job("A", (1800, 2.0), (2, 1800.0)), make_job("B", (1800, 2.0)))


@pytest.fixture
def opened(shown, qtbot):
    def show(selected=(), workload=WORKLOAD):
        dialog = ScaleDialog(workload, Cluster(10, 2), selected)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        shown(dialog)
        qtbot.waitUntil(lambda: dialog.previewed is not None or bool(dialog.problem.text()))
        return dialog

    return show


def cells(dialog) -> list[list[str]]:
    table = dialog.table
    return [
        [table.item(row, column).text().replace("\N{NARROW NO-BREAK SPACE}", " ") for column in range(3)]
        for row in range(table.rowCount())
    ]


def test_totals_before_and_afterwards_by_hand(opened):
    """A takes 3600 + 3600 slot-seconds, B 3600; with twice the input twice as much."""
    assert cells(opened()) == [
        ["3 600", "7 200", "+100.0 %"],
        ["2", "2", "±0 %"],
        ["2.00 slot-hours", "4.00 slot-hours", "+100.0 %"],
        ["1.00 slot-hours", "2.00 slot-hours", "+100.0 %"],
        ["36 min 00 s", "1 h 12 min", "+100.0 %"],
    ]


def test_selected_jobs_come_first_and_choices_show_at_once(opened, qtbot):
    dialog = opened(("B",))
    assert dialog.jobs_field.currentText() == "B alone"
    assert cells(dialog)[0] == ["3 600", "5 400", "+50.0 %"]
    dialog.factor_field.setFocus()
    dialog.factor_field.selectAll()
    QTest.keyClicks(dialog.factor_field, "3")
    QTest.keyClick(dialog.factor_field, Qt.Key.Key_Tab)
    assert not dialog.ok_button.isEnabled()
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    assert cells(dialog)[0] == ["3 600", "7 200", "+100.0 %"]
    QTest.keyClick(dialog.jobs_field, Qt.Key.Key_Down)
    QTest.keyClick(dialog.reduces_field, Qt.Key.Key_Down)
    qtbot.waitUntil(dialog.ok_button.isEnabled)
    assert cells(dialog)[1] == ["2", "6", "+200.0 %"]


def test_what_is_previewed_is_handed_over(opened, qtbot):
    dialog = opened(("A", "B"))
    assert dialog.jobs_field.currentText() == "The 2 selected jobs"
    with qtbot.waitSignal(dialog.scaled) as heard:
        QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    scaled = heard.args[0]
    assert scaled.workload == scale_workload(WORKLOAD, 2)
    assert (scaled.factor, scaled.jobs) == (2, 2)


def test_what_cannot_be_scaled_is_said(opened):
    dataset = Dataset("D", 3, 2.0)
    jobs = tuple(Job(name, scan_stage(dataset), dataset="D") for name in ("J", "K"))
    dialog = opened(("J",), Workload("w", jobs, datasets=(dataset,)))
    assert dialog.problem.text().startswith("dataset 'D' is scanned by job 'K', too")
    assert not dialog.ok_button.isEnabled()


def test_cancel_hands_nothing_over(opened):
    dialog = opened()
    heard = []
    dialog.scaled.connect(heard.append)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert heard == []
