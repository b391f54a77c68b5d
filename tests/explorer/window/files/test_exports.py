"""File > Export writes the active scenario in every format, and a report on all of them."""

from __future__ import annotations

import json
import time

import pandas as pd
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QProgressDialog, QPushButton

from explorer.window.files.export_dialogs import AnimationDialog, PictureDialog, ScenariosDialog
from tests.unpacked_page import facts_of


@pytest.fixture
def export(window, qtbot, tmp_path, monkeypatch):
    """Choose an action of the menu, and a name and a filter in its dialog."""

    def run(action: str, name: str, kind: str = "", *, all_of_them: bool = False):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / name), kind))
        with qtbot.waitSignal(window.exports.done):
            window.actions_by_id[action].trigger()
            if (dialog := window.findChild(ScenariosDialog)) is not None:
                button = dialog.all_button if all_of_them else dialog.one_button
                button.click()
                qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    return run


@pytest.mark.only_looks
def test_the_menu_offers_every_format(window):
    texts = [action.text().replace("&", "") for action in window.menus.menus["export"].actions()]
    assert texts == [
        "Picture…",
        "Animation…",
        "Report…",
        "Page…",
        "Tasks…",
        "Jobs…",
        "Stages…",
        "Perfetto trace…",
        "Paje trace…",
        "Workload…",
        "Plan…",
        "Packed session…",
    ]


@pytest.mark.only_looks
@pytest.mark.parametrize("all_of_them", [False, True])
def test_a_play_becomes_an_animation(window, qtbot, tmp_path, monkeypatch, all_of_them):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / "play.gif"), ""))
    assert window.runner.wait_until_idle()
    window.actions_by_id["export_animation"].trigger()
    dialog = window.findChild(AnimationDialog)
    assert dialog.scenarios_field.itemText(1) == "All 2 scenarios"
    dialog.scenarios_field.setCurrentIndex(int(all_of_them))
    for field, value in (
        (dialog.length_field, 1.0),
        (dialog.rate_field, 5),
        (dialog.begin_field, 10.0),
        (dialog.width_field, 200),
        (dialog.height_field, 160),
    ):
        field.setValue(value)
    with qtbot.waitSignal(window.exports.done):
        qtbot.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    with Image.open(tmp_path / "play.gif") as animation:
        assert (animation.size, getattr(animation, "n_frames", 1)) == ((200, 160), 6)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.only_looks
def test_tables_and_traces_of_the_active_scenario(window, export, tmp_path):
    window.view_state.activate_scenario(2)
    export("export_tasks", "tasks.csv")
    assert len((tmp_path / "tasks.csv").read_text().splitlines()) == 301
    export("export_tasks", "tasks", "Parquet table (*.parquet)")
    assert pd.read_parquet(tmp_path / "tasks.parquet")["end"].max() == 47
    export("export_jobs", "jobs.parquet")
    assert pd.read_parquet(tmp_path / "jobs.parquet")["end"].max() == 47
    export("export_perfetto", "trace")
    assert json.loads((tmp_path / "trace.json").read_text())["otherData"]["policy"] == "johnson"
    export("export_paje", "trace.paje")
    assert (tmp_path / "trace.paje").read_text().startswith("%EventDef")


@pytest.mark.only_looks
def test_a_file_can_hold_all_scenarios(window, export, tmp_path):
    export("export_tasks", "tasks.csv", all_of_them=True)
    ends = pd.read_csv(tmp_path / "tasks.csv").groupby("scenario")["end"].max().to_dict()
    assert ends == {"FIFO": 74, "Johnson": 47}
    export("export_perfetto", "trace", all_of_them=True)
    told = json.loads((tmp_path / "trace.json").read_text())["otherData"]["scenarios"]
    assert [each["makespan_s"] for each in told] == [74, 47]


@pytest.fixture
def pictured(window, qtbot):
    """The dialog of a picture."""
    window.actions_by_id["export_picture"].trigger()
    dialog = window.findChild(PictureDialog)
    yield dialog
    for left in window.findChildren(PictureDialog):
        left.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.only_looks
def test_a_picture_is_drawn_for_what_was_chosen(window, pictured, qtbot, tmp_path, monkeypatch):
    """Slide, paper or as on the screen: size, letters and format follow, and can be changed."""
    kinds = []

    def choose(*arguments):
        kinds.append(arguments[3])
        return str(tmp_path / "picture"), arguments[3].split(";;")[0]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    qtbot.keyClicks(pictured.preset_field, "Slide")
    size = (pictured.width_field.value(), pictured.height_field.value(), pictured.text_field.value())
    assert size == (1920, 1080, 160)
    before = pictured.preview.pixmap().toImage()
    pictured.text_field.setValue(100)
    assert pictured.preview.pixmap().toImage() != before
    qtbot.mouseClick(pictured.save_button, Qt.MouseButton.LeftButton)
    image = QImage(str(tmp_path / "picture.png"))
    assert (image.width(), image.height()) == (1920, 1080)
    assert kinds[0].startswith("PNG")
    assert not pictured.isVisible()


@pytest.mark.only_looks
@pytest.mark.parametrize("action", ["export_picture", "export_animation", "export_tasks"])
def test_return_saves(window, qtbot, tmp_path, monkeypatch, action):
    """It pressed Cancel, and the dialog was gone without a word."""
    asked = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: asked.append(a) or ("", ""))
    window.actions_by_id[action].trigger()
    kinds = PictureDialog, AnimationDialog, ScenariosDialog
    dialog = next(each for kind in kinds for each in window.findChildren(kind) if each.isVisible())
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert len(asked) == 1
    dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.only_looks
def test_a_paper_column_is_a_drawing(window, pictured, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: (str(tmp_path / "p"), a[3].split(";;")[0]))
    qtbot.keyClicks(pictured.preset_field, "Paper")
    qtbot.mouseClick(pictured.save_button, Qt.MouseButton.LeftButton)
    assert (tmp_path / "p.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.only_looks
def test_as_on_screen_is_what_the_charts_look_like(window, pictured, qtbot):
    qtbot.keyClicks(pictured.preset_field, "As on")
    assert not pictured.width_field.isEnabled()
    qtbot.mouseClick(pictured.copy_button, Qt.MouseButton.LeftButton)
    seen = QGuiApplication.clipboard().image()
    assert seen.size() == window.charts.size() * window.charts.devicePixelRatio()


def test_a_report_has_all_scenarios_and_the_baseline_first(window, export, tmp_path):
    window.editor.make_baseline(2)
    window.editor.rename_scenario(1, "<i>Mine</i>")
    window.runner.wait_until_idle()
    export("export_report", "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert text.index("<td>Johnson</td><td>47 s</td><td>baseline</td>") > 0
    assert "<td>&lt;i&gt;Mine&lt;/i&gt;</td><td>1 min 14 s</td><td>+57.4 %</td>" in text
    assert text.count("data:image/png;base64,") == 2


def test_a_page_has_all_scenarios_and_the_baseline_first(window, export, tmp_path):
    window.editor.make_baseline(2)
    window.editor.rename_scenario(1, "</script><i>Mine</i>")
    window.runner.wait_until_idle()
    export("export_page", "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert [(run["title"], run["makespan"]) for run in facts_of(text)["runs"]] == [
        ("Johnson", 47.0),
        ("</script><i>Mine</i>", 74.0),
    ]
    assert "<i>Mine" not in text


@pytest.mark.only_looks
def test_a_file_that_cannot_be_written_is_told(window, qtbot, tmp_path, monkeypatch):
    name = str(tmp_path / "missing" / "tasks.csv")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (name, ""))
    with qtbot.waitSignal(window.exports.failed):
        window.actions_by_id["export_tasks"].trigger()
        window.findChild(ScenariosDialog).save_button.click()
    assert "cannot write" in window.messages.message.sentence


@pytest.mark.only_looks
def test_long_writing_can_be_cancelled(window, qtbot, tmp_path, monkeypatch):
    """The dialog comes after half a second; Cancel leaves no file, and nobody is told what they know."""

    def slow(titled, path, form, watch):
        while True:  # until it is cancelled
            watch.check(0.5)
            time.sleep(0.005)

    monkeypatch.setattr("explorer.window.files.exports.write_schedules", slow)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / "t.csv"), ""))
    told = []
    window.exports.failed.connect(told.append)
    window.exports.done.connect(told.append)
    window.actions_by_id["export_tasks"].trigger()
    window.findChild(ScenariosDialog).save_button.click()
    (dialog,) = window.findChildren(QProgressDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.labelText() == "Writing t.csv"
    qtbot.mouseClick(dialog.findChild(QPushButton), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.findChildren(QProgressDialog))
    assert told == []
    assert not (tmp_path / "t.csv").exists()


@pytest.mark.only_looks
def test_nothing_happens_when_the_dialog_is_cancelled(window, monkeypatch, tmp_path):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: ("", ""))
    before = sorted(tmp_path.iterdir())
    for action in ("export_tasks", "export_report", "export_paje"):
        window.actions_by_id[action].trigger()
        for dialog in window.findChildren(ScenariosDialog):
            dialog.save_button.click()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert sorted(tmp_path.iterdir()) == before
