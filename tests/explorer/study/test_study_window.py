"""The study window: varied, measured, run, stopped, gone on with, pointed at, clicked, saved and opened."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.study.cell_run import CellRunner
from core.study.figure_kinds import PICTURES
from core.study.results import StudyResults
from core.study.run_study import StudyProgress, open_files, run_study
from core.study.study import Published, StudyFigure
from core.study.study_document import preset_paths, read_study
from explorer.document.titles import policy_title
from explorer.study.base_of_scenario import base_of
from explorer.study.study_files import SAVE
from explorer.study.study_run import StudyRun
from explorer.study.study_window import TITLE, StudyWindow
from explorer.study.study_words import progress_text, size_text
from explorer.widgets.export import picture_of
from explorer.widgets.save_dialog import MAKE_COPY
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.core.study.made_up import STUDY, HereWorkers, rows
from tests.core.study.study_examples import small_study

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def bench(shown, five_jobs, tmp_path):
    parent = shown(QWidget())
    cluster = five_jobs.cluster

    def base():
        return base_of(five_jobs, cluster, Scenario(1, PolicyChoice("fifo")))

    run = StudyRun(parent, HereWorkers)  # type: ignore[arg-type]  # they run in the thread that asks
    window = StudyWindow(base, tmp_path / "results", theme(False), parent, run)
    window.workers.setValue(1)
    window.resize(1100, 700)
    window.show_in_front()
    yield window
    window.shutdown()
    shutdown_workers(window)


def vary(window):
    """Vary map slots and the policy of the scenario."""
    window.vary("cluster.map_slots")
    window.vary("policy.id")
    for place in range(2, window.settings.rows[1].editor.button.list.count()):
        item = window.settings.rows[1].editor.button.list.item(place)
        item.setCheckState(Qt.CheckState.Unchecked)


def run(window, qtbot):
    with qtbot.waitSignal(window.run.ended):
        QTest.mouseClick(window.run_button, LEFT)
    qtbot.waitUntil(lambda: window.pictures.data is not None and not window.pictures._maker.is_busy)


def test_empty_window_says_what_to_do(bench):
    assert "press Run" in bench.pictures.nothing.text()
    assert bench.pictures.nothing.isVisible()
    assert not bench.run_button.isEnabled()
    assert not bench.pictures.export_button.isEnabled()


def test_number_of_cells_and_time_are_known_before_the_start(bench, qtbot):
    vary(bench)
    assert bench.size_label.text() == "10 cells."
    qtbot.waitUntil(lambda: "on one process" in bench.size_label.text())
    QTest.keyClicks(bench.settings.rows[0].editor.values, ", x")
    assert "map slots" in bench.size_label.text()
    assert not bench.run_button.isEnabled()


def test_a_run_fills_the_picture_and_goes_on_where_it_was(bench, qtbot):
    vary(bench)
    run(bench, qtbot)
    assert bench.status.text().startswith("10 of 10 simulations")
    assert bench.pictures.curves.isVisible()
    assert len(bench.pictures.curves.curves) == 2
    assert " is best or within 1 % " in bench.sentence.whole_text
    assert "The makespan of " in bench.sentence.whole_text
    QTest.keyClicks(bench.settings.name, " again")
    run(bench, qtbot)
    assert "all of them from before" in bench.status.text(), "the name changes no cell"


def test_processes_of_the_window_stand_back_behind_it(bench, qtbot):
    made = []
    bench.run.make = lambda *given: made.append(given) or HereWorkers(*given)
    bench.run.shutdown()
    vary(bench)
    run(bench, qtbot)
    assert made == [(1, 15)]


class _PressesStop(HereWorkers):
    """Stops the run with its second batch, and counts the rows that it ran."""

    def __init__(self, run) -> None:
        super().__init__()
        self._run, self._batches, self.ran = run, 0, []

    def submit(self, fn, /, *args, **kwargs):
        self._batches += 1
        if self._batches == 2:
            self._run.stop()
        done = super().submit(fn, *args, **kwargs)
        self.ran.extend(done.result().rows.column("cell").to_pylist())
        return done


def test_a_stopped_run_keeps_what_is_done(bench, qtbot):
    vary(bench)
    bench._settled.stop()
    stopping = bench.run._executor = _PressesStop(bench.run)
    with qtbot.waitSignal(bench.run.rows_came):
        run(bench, qtbot)
    first = sorted(stopping.ran)
    assert 2 <= len(first) < 10
    assert bench.run_button.words == "Run"
    assert bench.settings.isEnabled()
    assert bench.status.text() == f"Stopped; Run goes on: {len(first)} of 10 simulations"
    assert sorted(bench.pictures.frame["cell"]) == first
    assert sorted(StudyResults.open(bench._task.folder).frame()["cell"]) == first
    bench._settled.stop()
    stopping.ran.clear()
    run(bench, qtbot)
    assert sorted([*first, *stopping.ran]) == list(range(10)), "only what was missing ran"
    assert f"{len(first)} of them from before" in bench.status.text()
    qtbot.waitUntil(lambda: len(bench.pictures.frame) == 10)


def test_a_click_opens_what_was_clicked_and_nothing_else(bench, qtbot):
    vary(bench)
    run(bench, qtbot)
    curve = bench.pictures.curves.curves[0]
    plot = bench.pictures.curves
    with qtbot.waitSignal(bench.cell_wanted) as asked:
        QTest.mouseClick(plot.viewport(), LEFT, pos=plot.pixel(curve.xs[0], curve.ys[0]).toPoint())
    (cell,) = asked.args
    assert policy_title(cell.choice.id) == curve.name
    assert cell.cluster.map_slots == 8
    assert cell.workload.name == "Five jobs"


def test_a_click_on_failed_cells_says_why(bench, qtbot):
    bench.show_study(STUDY)
    frame = rows()
    frame["error"] = "there is no slot for a reduce"
    bench._on_rows(frame)
    assert "gave no result: there is no slot" in bench.messages.message.sentence
    qtbot.waitUntil(lambda: "None of the cells" in bench.pictures.nothing.text())


def test_failed_cells_are_run_again_by_the_menu(bench, qtbot, monkeypatch):
    vary(bench)
    again = bench.files.actions_by_id["retry"]
    assert not again.isEnabled()
    with monkeypatch.context() as patch:
        patch.setattr(CellRunner, "simulate", lambda *_given: 1 / 0)
        run(bench, qtbot)
    qtbot.waitUntil(again.isEnabled)
    sentence = bench.messages.message.sentence
    assert "10 of 10 simulations gave no result: policy " in sentence
    assert "ZeroDivisionError" in sentence
    assert "run failed cells again" in sentence
    run(bench, qtbot)
    assert "all of them from before" in bench.status.text(), "nobody asked for them"
    with qtbot.waitSignal(bench.run.ended):
        again.trigger()
    qtbot.waitUntil(lambda: len(bench.pictures.frame) == 10 and not bench.run.is_busy)
    assert bench.pictures.frame["makespan"].notna().all()
    assert not again.isEnabled()
    assert not bench.messages.isVisible()


def test_failed_cells_of_opened_results_are_run_again_where_they_lie(bench, qtbot, monkeypatch, tmp_path):
    study = small_study()
    with monkeypatch.context() as patch:
        patch.setattr(CellRunner, "simulate", lambda *_given: 1 / 0)
        run_study(study, tmp_path / "there", HereWorkers())
    bench.show_results(study, tmp_path / "there")
    qtbot.waitUntil(bench.files.actions_by_id["retry"].isEnabled)
    with qtbot.waitSignal(bench.run.ended):
        bench.files.actions_by_id["retry"].trigger()
    assert StudyResults.open(tmp_path / "there").failed().empty
    qtbot.waitUntil(lambda: not bench.run.is_busy)


@pytest.mark.parametrize("kind", PICTURES)
def test_every_picture_is_drawn_pointed_at_and_exported(bench, qtbot, kind, tmp_path):
    pictures = bench.pictures
    bench.show_study(STUDY)
    pictures.show_rows(rows())
    pictures.chooser.kind.setCurrentIndex(pictures.chooser.kind.findData(kind))
    qtbot.waitUntil(lambda: pictures.data is not None and pictures.data.choice.kind == kind)
    plot = next(plot for plot in pictures.plots if plot.isVisible())
    size = plot.viewport().size()
    grid = [QPointF(size.width() * x / 20, size.height() * y / 20) for x in range(20) for y in range(20)]
    plot.point_at(next(place for place in grid if plot.spot_at(place) is not None))
    assert pictures.card.isVisible()
    assert pictures.page.rect().contains(pictures.card.geometry())
    assert not picture_of(pictures).isNull()
    pictures.export_button.save(str(tmp_path / "numbers.csv"))
    assert (tmp_path / "numbers.csv").read_text().splitlines()[0].startswith("cell,repetition,seed,map slots")


def test_axes_of_a_picture_differ_and_others_can_be_held(bench, qtbot):
    chooser = bench.pictures.chooser
    bench.show_study(STUDY)
    bench.pictures.show_rows(rows())
    chooser.kind.setCurrentIndex(chooser.kind.findData("regret"))
    chooser.fields["x"].setCurrentIndex(chooser.fields["x"].findData("slowstart"))
    choice = chooser.choice
    assert (choice.x, choice.by) == ("slowstart", "policy")
    assert choice.y == "map slots"
    chooser.kind.setCurrentIndex(chooser.kind.findData("lines"))
    assert not chooser.held["map slots"].isHidden()
    chooser.held["map slots"].setCurrentIndex(2)
    held = (("map slots", 1),)
    qtbot.waitUntil(lambda: bench.pictures.data is not None and bench.pictures.data.choice.where == held)
    assert bench.pictures.heading == "Two policies: lines, map slots 32"


def test_a_study_is_saved_with_the_open_workload_and_opened_again(bench, tmp_path, five_jobs):
    vary(bench)
    path = tmp_path / "slots.study.json"
    bench.save(path)
    assert json.loads((tmp_path / "slots.workload.json").read_text())["name"] == "Five jobs"
    study = bench.settings.study
    bench.files.open(path)
    opened = bench.settings.study
    assert opened == read_study(path)
    assert opened.axes == study.axes
    assert dict(opened.base)["workload.file"] == "slots.workload.json"


def test_a_preset_is_an_original_and_is_copied_with_the_workloads_that_it_names(bench, tmp_path, monkeypatch):
    asked, original = [], preset_paths()["002-figure-5"]

    def copy_to(_window, name, _filters):
        asked.append(name)
        return tmp_path / name

    monkeypatch.setattr("explorer.study.study_files.ask_where_to_copy", copy_to)
    bench.files.open(original)
    save = bench.files.actions_by_id["save"]
    assert (bench.windowTitle(), save.text()) == (f"{original.name} (original) — {TITLE}", MAKE_COPY)
    save.trigger()
    assert asked == [original.name]
    assert (bench.windowTitle(), save.text()) == (TITLE, SAVE)
    assert open_files(read_study(tmp_path / original.name)) == open_files(read_study(original))
    (tmp_path / "sort-and-wordcount.workload.json").write_text("another")
    bench.save(tmp_path / "again.study.json")
    assert "is another file" in bench.messages.message.sentence
    assert not (tmp_path / "again.study.json").exists()


def test_a_damaged_file_is_told(bench, tmp_path):
    path = tmp_path / "bad.study.json"
    path.write_text('{"format": "slotscope-study", "version": 1, "name": "x"}')
    bench.files.open(path)
    assert "bad.study.json" in bench.messages.message.sentence


def test_results_of_a_folder_are_shown(bench, qtbot):
    vary(bench)
    run(bench, qtbot)
    folder = bench._task.folder
    assert StudyResults.open(folder).row_count == 10
    bench.begin()
    bench.files.open_results(folder)
    qtbot.waitUntil(lambda: bench.pictures.frame is not None and len(bench.pictures.frame) == 10)


def test_study_follows_the_scenario_until_another_is_opened(bench):
    vary(bench)
    assert bench.settings.base_words.text() == "Around FIFO · Five jobs"
    workload = bench._held["open.workload.json"]
    bench._base = lambda: base_of(workload, Cluster(9, 7), Scenario(1, PolicyChoice("sjf")))
    bench.follow()
    assert dict(bench.settings.study.base)["cluster.reduce_slots"] == 7
    assert bench.settings.left_out.isHidden()
    by_hand = Scenario(1, PolicyChoice("sjf"), order=tuple(job.name for job in workload.jobs))
    bench._base = lambda: base_of(workload, Cluster(9, 7), by_hand)
    bench.follow()
    assert bench.settings.left_out.isVisible()
    assert bench.settings.left_out.text().endswith("left out is the order made by hand.")
    bench.show_study(STUDY)
    bench.follow()
    assert bench.settings.study == STUDY
    assert bench.settings.left_out.isHidden()


def test_what_cannot_be_studied_is_told(bench):
    def refuse():
        raise InputError("what really ran is as it is")

    can = bench._base
    bench._base = refuse
    bench.begin()
    assert "what really ran" in bench.messages.message.sentence
    bench._base = can
    bench.follow()
    assert bench.messages.message is None, "the scenario that is active now can be"


def test_theme_reaches_every_part(bench):
    bench.set_theme(theme(True))
    assert bench.pictures.background == theme(True).plot
    assert bench.pictures.legend.colours is theme(True)


def test_texts_of_size_and_progress():
    assert size_text(STUDY, 12.34, 2) == "12 cells × 2 = 24 simulations, about 12 s on 2 processes."
    assert size_text(STUDY, float("nan"), 2) == "12 cells × 2 = 24 simulations."
    running = StudyProgress(1200, 30000, failed=2, kept=100, seconds=5.0, seconds_left=59.2)
    assert progress_text(running).replace("\N{NARROW NO-BREAK SPACE}", " ") == (
        "1 200 of 30 000 simulations, 1 min 00 s left, 100 of them from before, 2 failed"
    )


def test_a_figure_of_the_study_has_the_published_points_beside_ours(bench, qtbot):
    published = Published("johnson", ((16, 93.0), (64, 40.0)), "read off the plot")
    figure = StudyFigure(
        "Ends", "lines", "A paper, Figure 1", "map slots", "makespan", by="policy", published=(published,)
    )
    study = replace(STUDY, figures=(figure,))
    bench.show_study(study)
    pictures = bench.pictures
    pictures.show_rows(rows(study))
    qtbot.waitUntil(lambda: pictures.curves.isVisible())
    assert [curve.name for curve in pictures.curves.curves] == ["fifo", "johnson", "johnson (paper)"]
    assert pictures.heading == "Ends (A paper, Figure 1)"
    assert "published from" in pictures.table().header
    assert pictures.curves.curves[2].texts[1] == "johnson (paper), map slots 64\n40 s"
    with qtbot.waitSignal(pictures.spot_chosen) as asked:
        ours = pictures.curves.curves[1]
        place = pictures.curves.pixel(ours.xs[1], ours.ys[1]).toPoint()
        QTest.mouseClick(pictures.curves.viewport(), LEFT, pos=place)
    assert asked.args == [{"map slots": 1, "policy": 1}]


def test_presets_are_offered_and_opened(bench):
    bench.files.presets.aboutToShow.emit()
    first = bench.files.presets.actions()[0]
    assert first.isEnabled()
    first.trigger()
    assert bench.settings.study.name == first.text().replace("&&", "&")
    assert bench.pictures.chooser.kind.currentText() == bench.settings.study.figures[0].title


def test_the_card_says_which_of_averaged_cells_a_click_opens(bench, qtbot):
    bench.show_study(STUDY)
    pictures = bench.pictures
    frame = rows()
    pictures.show_rows(frame[::-1])  # rows come in any order
    plot = pictures.curves
    qtbot.waitUntil(lambda: plot.isVisible() and pictures.data is not None)
    johnson = plot.curves[1]
    plot.point_at(plot.pixel(johnson.xs[2], johnson.ys[2]))
    assert pictures.card.text().splitlines()[-2:] == [
        "Mean over slowstart",
        "Click or Return to open the schedules of slowstart 0.05, seed 1",
    ]
    with qtbot.waitSignal(pictures.spot_chosen) as asked:
        QTest.keyClick(plot, Qt.Key.Key_Return)
    assert asked.args == [{"map slots": 2, "slowstart": 0, "policy": 1}]
    frame.loc[(frame["slowstart"] == 0.05) & (frame["policy"] == "johnson"), "error"] = "it failed"
    before = pictures.data
    pictures.show_rows(frame)
    qtbot.waitUntil(lambda: pictures.data is not before)
    johnson = plot.curves[1]
    plot.point_at(plot.pixel(johnson.xs[2], johnson.ys[2]))
    assert pictures.card.text().endswith("of slowstart 1, seed 1"), "one that failed has no schedule"
    pictures.chooser.held["slowstart"].setCurrentIndex(1)
    qtbot.waitUntil(lambda: pictures.data.choice.where == (("slowstart", 0),))
    fifo = plot.curves[0]
    plot.point_at(plot.pixel(fifo.xs[2], fifo.ys[2]))
    assert "Mean over" not in pictures.card.text()
    assert pictures.card.text().endswith("to open the schedules of seed 1")


def test_a_click_on_a_map_of_the_study_opens_its_cell(bench, qtbot):
    figure = StudyFigure("Ends", "heat-map", x="map slots", y="slowstart", z="makespan")
    bench.show_study(replace(STUDY, figures=(figure,)))
    pictures = bench.pictures
    pictures.show_rows(rows())
    qtbot.waitUntil(lambda: pictures.map.isVisible())
    assert pictures.data.choice.measure == "makespan"
    with qtbot.waitSignal(pictures.spot_chosen) as asked:
        QTest.mouseClick(pictures.map.viewport(), LEFT, pos=pictures.map.pixel(2, 1).toPoint())
    assert asked.args == [{"map slots": 2, "slowstart": 1}]
