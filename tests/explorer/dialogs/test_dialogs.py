"""The dialogs as people use them: read, search, copy, save, generate."""

from __future__ import annotations

import csv
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from core.generate.families import generate
from core.logs.job_profile import TaskCount
from core.logs.report import Clamped, ImportReport, NotedJobs
from core.model.cluster import Cluster
from core.model.parameters import Parameter
from core.model.time_text import duration_text
from explorer.dialogs.generate_dialog import GenerateDialog
from explorer.dialogs.help_dialogs import AboutDialog, ShortcutsDialog, version_text
from explorer.dialogs.import_report_dialog import ImportReportDialog

ROWS = [
    ("File", "Ctrl+O", "Open"),
    ("File", "Ctrl+S", "Save"),
    ("Charts", "F", "Fit"),
    ("Charts", "Wheel", "Zoom at the pointer"),
]


@pytest.fixture
def opened(shown):
    """Show a dialog that is not deleted when it closes, so that tests can look at it afterwards."""

    def show(dialog):
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        return shown(dialog)

    return show


def clipboard():
    return QGuiApplication.clipboard().text()


# About


def test_about_copies_the_versions(opened):
    dialog = opened(AboutDialog())
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert clipboard().startswith("Slotscope ")
    assert "numpy " in clipboard()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_missing_package_is_said():
    assert version_text(["no-such-package"]).endswith("no-such-package (not installed)")


# Shortcuts


def groups(dialog):
    tree = dialog.tree
    items = [tree.topLevelItem(i) for i in range(tree.topLevelItemCount())]
    return {item.text(0): [item.child(i).text(1) for i in range(item.childCount())] for item in items}


def test_keys_are_listed_by_group_and_searched(opened):
    dialog = opened(ShortcutsDialog(ROWS))
    assert groups(dialog) == {"File": ["Ctrl+O", "Ctrl+S"], "Charts": ["F", "Wheel"]}
    QTest.keyClicks(dialog.filter_field, "zoom pointer")
    assert groups(dialog) == {"Charts": ["Wheel"]}
    QTest.keyClick(dialog.filter_field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert clipboard() == "Charts\tWheel\tZoom at the pointer"
    QTest.keyClick(dialog.filter_field, Qt.Key.Key_Down)
    assert dialog.tree.hasFocus()


# Import report


@pytest.fixture
def report():
    return ImportReport(
        format="Rumen job trace",
        files=("<b>log</b>.json",),
        files_left_out=(),
        jobs_kept=3,
        jobs_left_out=(("job_4", "it has no tasks"),),
        repeated_names=0,
        tasks=(
            TaskCount(30, {"without a successful attempt": 2}, {"succeeded": 30}),
            TaskCount(6, {}, {"succeeded": 6}),
        ),
        other_tasks={},
        clamped={"shuffle": Clamped(2, 3.5, 2.5)},
        missing={},
        damage=(),
        damage_count=0,
        assumptions=("times are milliseconds",),
        noted=NotedJobs(),
        cluster=Cluster(4, 2),
        cluster_reason="most that ran at once",
        peaks=(4, 2),
        started=0,
        recorded_makespan=120.0,
    )


def rows_of(dialog):
    return [dialog.model.texts(place) for place in range(dialog.model.rowCount())]


def test_the_report_is_a_table_that_is_copied_and_saved(opened, report, tmp_path, monkeypatch):
    dialog = opened(ImportReportDialog(report))
    assert rows_of(dialog) == [
        ("problem", "job_4", "left out: it has no tasks"),
        ("problem", "maps", "2 left out: without a successful attempt"),
        ("problem", "negative times", "2 shuffle, taken as 0 s (−3.5 s in all, at most −2.5 s)"),
        ("note", "assumed", "times are milliseconds"),
    ]
    assert dialog.heading.text().startswith("Not everything")
    assert dialog.summary.text() == (
        "Rumen job trace, 1 file: 3 jobs with 30 maps and 6 reduces were kept. It ran for 2 min 00 s. "
        "Suggested cluster: 4 map + 2 reduce slots. most that ran at once"
    )
    assert dialog.count.text() == "4 of 4, 3 problems"
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert clipboard().splitlines()[:2] == [
        "severity\twhere\twhat",
        "problem\tjob_4\tleft out: it has no tasks",
    ]
    target = tmp_path / "report.csv"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert list(csv.reader(target.read_text().splitlines()))[1:] == [list(row) for row in rows_of(dialog)]
    assert not dialog.problem.isVisible()


def test_the_report_is_searched_and_sorted(opened, report):
    left_out = tuple((f"job_{number}", "it has no tasks") for number in (10, 9, 100))
    dialog = opened(ImportReportDialog(replace(report, jobs_left_out=left_out)))
    QTest.keyClicks(dialog.filter_field, "job no")
    assert [row[1] for row in rows_of(dialog)] == ["job_10", "job_9", "job_100"]
    header = dialog.table.horizontalHeader()
    place = QPoint(header.sectionPosition(1) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [row[1] for row in rows_of(dialog)] == ["job_9", "job_10", "job_100"]
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [row[1] for row in rows_of(dialog)] == ["job_100", "job_10", "job_9"]
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert len(clipboard().splitlines()) == 4
    dialog.filter_field.clear()
    QTest.keyClicks(dialog.severity_field, "n")
    assert [row[0] for row in rows_of(dialog)] == ["note"]
    QTest.keyClicks(dialog.filter_field, "nothing of the kind")
    assert rows_of(dialog) == []
    dialog.grab()


def test_a_report_that_cannot_be_saved_says_why(opened, report, tmp_path):
    dialog = opened(ImportReportDialog(report))
    dialog.save(str(tmp_path / "missing" / "report.txt"))
    assert dialog.problem.isVisible()
    assert "cannot write" in dialog.problem.text()


def test_a_log_that_says_all_has_no_fields(opened, report):
    dialog = opened(ImportReportDialog(report))
    assert dialog.form.is_empty
    assert not dialog.form.isVisible()


def test_what_a_log_does_not_say_can_be_set_and_imported_again(opened, report, qtbot):
    parameters = (
        Parameter("map_rate", "number", 10.0, "Speed.", 0.1, 100, "MiB/s"),
        Parameter("time_unit", "choice", "s", "Unit.", choices=("s", "ms")),
    )
    values = {"map_rate": 12.5, "time_unit": "s"}
    dialog = opened(ImportReportDialog(replace(report, parameters=parameters, values=values)))
    assert dialog.form.values() == values
    field = dialog.form.field("map_rate")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "20")
    with qtbot.waitSignal(dialog.import_again) as asked:
        QTest.mouseClick(dialog.again_button, Qt.MouseButton.LeftButton)
    assert asked.args == [{"map_rate": 20.0, "time_unit": "s"}]
    assert not dialog.isVisible()


def test_a_number_that_is_still_edited_counts_when_the_key_of_the_button_is_pressed(opened, report, qtbot):
    parameter = Parameter("map_rate", "number", 10.0, "Speed.", 0.1, 100, "MiB/s")
    dialog = opened(ImportReportDialog(replace(report, parameters=(parameter,), values={"map_rate": 10.0})))
    field = dialog.form.field("map_rate")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "11")
    with qtbot.waitSignal(dialog.import_again) as asked:
        QTest.keyClick(field, Qt.Key.Key_I, Qt.KeyboardModifier.AltModifier)
    assert asked.args == [{"map_rate": 11.0}]


# Generate


@pytest.fixture
def dialog(opened):
    return opened(GenerateDialog())


def drawn(qtbot, dialog):
    qtbot.waitUntil(dialog.ok_button.isEnabled)


def test_shows_how_large_it_gets_and_hands_it_over(qtbot, dialog):
    assert not dialog.ok_button.isEnabled()
    assert dialog.progress.isVisible()
    drawn(qtbot, dialog)
    assert dialog.preview.totals.text().startswith("100 jobs with ")
    assert not dialog.progress.isVisible()
    field = dialog.form.field("jobs")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "20")
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert not dialog.ok_button.isEnabled()
    drawn(qtbot, dialog)
    assert dialog.preview.totals.text().startswith("20 jobs with ")
    with qtbot.waitSignal(dialog.generated) as heard:
        QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    assert heard.args[0] == generate(dialog.family.id, seed=1, parameters=dialog.form.values())


def test_the_preview_is_of_the_workload_that_is_handed_over(qtbot, dialog):
    dialog.preset("fitted", {"jobs": 7, "maps": 40, "map_durations": "uniform(3, 9)"})
    drawn(qtbot, dialog)
    preview = dialog.preview
    assert preview.totals.text().startswith("7 jobs with 280 maps and 35 reduces.\nWork: ")
    assert "No schedule on 64 map and 64 reduce slots ends before " in preview.totals.text()
    assert preview.pictures["maps_per_job"].summary() == "all 40"
    assert preview.pictures["arrivals"].summary() == "all 0 s"
    with qtbot.waitSignal(dialog.generated) as heard:
        QTest.mouseClick(dialog.ok_button, Qt.MouseButton.LeftButton)
    workload = heard.args[0]
    durations = workload.columns.duration[workload.columns.kind == 0]
    shown = preview.pictures["map_durations"].summary()
    assert shown == f"{duration_text(durations.min())} to {duration_text(durations.max())}"
    assert workload == generate("fitted", seed=1, parameters=dict(workload.origin.parameters))


def test_jobs_with_other_stages_are_spoken_of_as_such(qtbot, dialog):
    for family, is_graph in (("tpch", True), ("workflow", True), ("facebook", False)):
        dialog.preset(family, {"jobs": 3})
        drawn(qtbot, dialog)
        titles = " ".join(picture.accessibleName() for picture in dialog.preview.pictures.values())
        text = f"{dialog.preview.totals.text()} {titles}".lower()
        assert ("map" not in text and "reduce" not in text and "stage" in text) == is_graph


def test_a_bad_distribution_is_said_and_the_pictures_are_empty(qtbot, dialog):
    dialog.preset("fitted", {"map_durations": "uniform(9, 3)"})
    qtbot.waitUntil(lambda: "0 <= least < most" in dialog.preview.totals.text())
    assert dialog.preview.pictures["map_durations"].summary() == "none"
    assert not dialog.ok_button.isEnabled()
    field = dialog.form.field("map_durations")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "uniform(3, 9)")
    QTest.keyClick(field, Qt.Key.Key_Tab)
    drawn(qtbot, dialog)


def test_the_newest_choice_wins(qtbot, dialog, monkeypatch):
    """While a large workload is drawn, people go on to choose; only the last answer is shown."""
    drawn(qtbot, dialog)
    began, may_end = threading.Event(), threading.Event()

    def slow(family_id, *, seed, parameters):
        if seed == 2:
            began.set()
            may_end.wait(10)
        return generate(family_id, seed=seed, parameters=parameters | {"jobs": seed})

    monkeypatch.setattr("explorer.dialogs.generate_dialog.generate", slow)
    dialog.seed.field.setValue(2)
    qtbot.waitUntil(began.is_set)
    texts = []
    dialog.worker.finished.connect(lambda _answer: texts.append(dialog.preview.totals.text()))
    dialog.seed.field.setValue(3)
    may_end.set()  # the old answer comes while the dialog still waits for the next key
    drawn(qtbot, dialog)
    assert [text.split(" with")[0] for text in texts] == ["3 jobs"]


def test_another_family_has_other_parameters(qtbot, dialog):
    drawn(qtbot, dialog)
    assert "shuffled" in dialog.form.values()
    dialog.family_field.setCurrentIndex(1)
    assert "shuffled" not in dialog.form.values()
    assert dialog.summary.text() == dialog.family.summary
    drawn(qtbot, dialog)


def test_a_new_seed_draws_again(qtbot, dialog, monkeypatch):
    drawn(qtbot, dialog)
    monkeypatch.setattr("secrets.randbelow", lambda _top: 77)
    QTest.mouseClick(dialog.seed.button, Qt.MouseButton.LeftButton)
    assert dialog.seed.field.value() == 77
    assert not dialog.ok_button.isEnabled()
    drawn(qtbot, dialog)


def test_cancel_hands_nothing_over(qtbot, dialog):
    heard = []
    dialog.generated.connect(heard.append)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert heard == []


def test_what_goes_wrong_is_said(qtbot, dialog, monkeypatch):
    def refuse(*_arguments, **_named):
        raise ValueError("no luck")

    drawn(qtbot, dialog)
    monkeypatch.setattr("explorer.dialogs.generate_dialog.generate", refuse)
    dialog.seed.field.setValue(5)
    qtbot.waitUntil(lambda: dialog.preview.totals.text() == "no luck")
    assert not dialog.ok_button.isEnabled()
