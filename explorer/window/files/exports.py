"""What leaves the window: pictures, schedules for other programs, pages and reports, written in a thread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from core.explain.stage_table import stages_as_text, write_stages
from core.files.atomic import Watch, replace_file
from core.files.html_report import write_report
from core.files.schedule_file import write_schedules
from core.model.errors import Cancelled, InputError, SlotscopeError
from explorer.document.titles import title_in
from explorer.gantt.chart_export import encoded, render
from explorer.gantt.stage import Style, to_image
from explorer.widgets.export import png_of
from explorer.widgets.progress import ProgressDialog
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.theme import theme
from explorer.widgets.worker import Worker
from explorer.window.area import Area
from explorer.window.files.export_dialogs import AnimationDialog, PictureDialog, ScenariosDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

    from core.model.schedule import Titled
    from explorer.gantt.animation import Play
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.pace import Pace
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea


ANIMATION_FILTER = "GIF animation (*.gif);;WebP animation (*.webp);;MP4 film (*.mp4)"
TABLE_FILTER = "CSV table (*.csv);;Parquet table (*.parquet)"
NOT_YET = "the active scenario has no schedule yet; wait until it is simulated"


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write schedules: its id, title and filters of the dialog, and a name to begin with.

    `several` says how a file tells scenarios apart.
    """

    id: str
    title: str
    name: str
    filters: str
    several: str = "a column says which"


FORMATS = {
    each.id: each
    for each in (
        Format("tasks", "Export tasks", "tasks.csv", TABLE_FILTER),
        Format("jobs", "Export jobs", "jobs.csv", TABLE_FILTER),
        Format("stages", "Export stages", "stages.csv", TABLE_FILTER),
        Format(
            "perfetto",
            "Export Perfetto trace",
            "schedule.json",
            "Perfetto trace (*.json *.json.gz)",
            "the slots of each are a group",
        ),
        Format(
            "paje",
            "Export Paje trace",
            "schedule.paje",
            "Paje trace (*.paje *.paje.gz)",
            "the slots of each are a group",
        ),
    )
}


class Exports(Area):
    """Writes the schedules of one or all scenarios, or a report on all of them."""

    def __init__(self, model: WindowModel, window: QMainWindow, *, charts: ChartArea) -> None:
        super().__init__(model, window)
        self._charts = charts

    def ask_and_write(self, form_id: str) -> None:
        """Let the user choose scenarios, if there are several, and a file for them in one of `FORMATS`."""
        form, all_titled = FORMATS[form_id], self._titled_schedules()
        active = self._runner.outcome(self._view_state.active_scenario)
        if active is None:
            self.failed.emit(InputError(NOT_YET))
            return
        title = title_in(self._document.state, self._document.scenario(self._view_state.active_scenario))
        only = [(title, active.schedule)]
        if len(all_titled) == 1:
            self._ask_where(form, only)
            return
        dialog = ScenariosDialog(form.title, title, len(all_titled), form.several, self._window)
        dialog.chosen.connect(lambda all_of_them: self._ask_where(form, all_titled if all_of_them else only))
        dialog.open()

    def copy_stages(self) -> None:
        """Put when the stages of the active scenario run on the clipboard, as a table."""
        outcome = self._runner.outcome(self._view_state.active_scenario)
        if outcome is None:
            self.failed.emit(InputError(NOT_YET))
            return
        QGuiApplication.clipboard().setText(stages_as_text(outcome.schedule))
        self.done.emit("The table of stages is on the clipboard")

    def _ask_where(self, form: Format, titled: list[Titled]) -> None:
        path = ask_where_to_save(self._window, form.title, form.name, form.filters)
        if path is not None:
            as_form = partial(write_schedules, titled, path, form.id)
            self._run(partial(write_stages, titled, path) if form.id == "stages" else as_form, path)

    def ask_and_report(self) -> None:
        """Let the user choose a file for a report on all scenarios, the baseline first."""
        titled = self._titled_schedules()
        if not titled:
            self.failed.emit(InputError(NOT_YET))
            return
        path = ask_where_to_save(self._window, "Export report", "report.html", "HTML report (*.html)")
        if path is not None:
            # labels of charts are pixmaps, which belong to the window's thread
            contents, name = self._charts.contents(), self._document.workload.name
            styles = [Style(theme(is_dark), heading=name) for is_dark in (False, True)]
            pictures = [encoded(contents, ".png", style) for style in styles]
            self._run(partial(_write_report, titled, pictures, path), path)

    def ask_and_write_page(self) -> None:
        """Let the user choose a file for a page that draws all scenarios in a browser, the baseline first."""
        baseline = self._document.baseline
        by_id = zip(self._charts.views, self._charts.contents(), strict=True)
        shown = sorted(by_id, key=lambda pair: pair[0] != baseline)
        contents = [content for _, content in shown if content.rows is not None]
        if not contents:
            self.failed.emit(InputError(NOT_YET))
            return
        path = ask_where_to_save(self._window, "Export page", "schedules.html", "Page (*.html)")
        if path is not None:
            self._run(partial(_write_page, contents, path), path)

    def ask_and_animate(self) -> None:
        """Let the user choose how the schedules are played, and a file for that."""
        active = self._view_state.active_scenario
        if self._runner.outcome(active) is None:
            self.failed.emit(InputError(NOT_YET))
            return
        contents = self._charts.contents()
        end = max(content.end for content in contents)
        title = title_in(self._document.state, self._document.scenario(active))
        is_dark = self._charts.theme.is_dark
        dialog = AnimationDialog(title, len(contents), end, is_dark, self._window)
        dialog.save_wanted.connect(self._ask_where_to_animate)
        dialog.open()

    def _ask_where_to_animate(self, style: Style, pace: Pace, all_of_them: bool) -> None:
        path = ask_where_to_save(self._window, "Export animation", "play.gif", ANIMATION_FILTER)
        if path is None:
            return
        from explorer.gantt.animation import Play  # few windows write one

        contents, ids = self._charts.contents(), list(self._charts.views)
        active = ids.index(self._view_state.active_scenario)
        chosen = contents if all_of_them else [contents[active]]
        try:  # labels of charts are pixmaps, which belong to the window's thread
            style = replace(style, heading=self._document.workload.name)
            play = Play(chosen, style, pace, active if all_of_them else 0)
        except InputError as error:
            self.failed.emit(error)
            return
        self._run(partial(_write_play, play, path), path)

    def _titled_schedules(self) -> list[Titled]:
        scenarios = sorted(self._document.scenarios, key=lambda each: each.id != self._document.baseline)
        outcomes = [(scenario, self._runner.outcome(scenario.id)) for scenario in scenarios]
        return [
            (title_in(self._document.state, each), outcome.schedule)
            for each, outcome in outcomes
            if outcome is not None
        ]

    # ---- writing, in a thread

    def _run(self, write: Callable[[Watch], None], path: Path) -> None:
        def work(progress: Callable[[float], None], should_stop: Callable[[], bool]) -> str:
            write(Watch(progress, should_stop))
            return f"Written to {path}"

        task = Worker(self)
        dialog = ProgressDialog(f"Writing {path.name}", task, self._window)
        task.finished.connect(partial(self._on_ended, task, dialog))
        task.failed.connect(partial(self._on_ended, task, dialog))
        task.follow(work)

    def _on_ended(self, task: Worker, dialog: ProgressDialog, answer: str | Exception) -> None:
        """Show what became of it, unless the user cancelled it."""
        dialog.end()
        task.deleteLater()
        if isinstance(answer, str):
            self.done.emit(answer)
        elif not isinstance(answer, Cancelled):
            self.failed.emit(answer)


def _write_play(play: Play, path: Path, watch: Watch) -> None:
    from explorer.gantt.animation import encoded_play

    replace_file(path, encoded_play(play, path.suffix.lower(), watch))


def _write_report(titled: list[Titled], pictures: list[bytes], path: Path, watch: Watch) -> None:
    from core.measures.comparison_report import comparison_report

    watch.check(0.0)
    light, dark = pictures
    write_report(comparison_report(titled, light, dark, datetime.now().astimezone().date()), path)


def _write_page(contents: list[ChartContent], path: Path, watch: Watch) -> None:
    from core.charts.charts_page import page_of  # few windows write one
    from core.files.schedule_page import write_page

    text = page_of(contents, watch)
    watch.check(1.0)
    write_page(text, path)


PICTURES = {".png": "PNG picture (*.png)", ".svg": "SVG drawing (*.svg)", ".pdf": "PDF document (*.pdf)"}


class Pictures(Area):
    """Exports the charts with the theme, selection and colours they have."""

    def __init__(self, model: WindowModel, window: QMainWindow, *, charts: ChartArea) -> None:
        super().__init__(model, window)
        self._charts = charts

    def open_dialog(self) -> None:
        """Let the user choose how all charts are drawn, and then a file or the clipboard."""
        contents, is_dark = self._charts.contents(), self._charts.theme.is_dark
        dialog = PictureDialog(contents, is_dark, self._charts.grab, self._window)
        dialog.save_wanted.connect(lambda style: self._ask_where(dialog, style))
        dialog.copy_wanted.connect(self._copy)
        dialog.copy_wanted.connect(dialog.accept)
        dialog.open()

    def _ask_where(self, dialog: PictureDialog, style: Style | None) -> None:
        first = dialog.suffix
        known = [first] if style is None else sorted(PICTURES, key=lambda ending: ending != first)
        filters = ";;".join(PICTURES[ending] for ending in known)
        path = ask_where_to_save(dialog, "Export picture", f"schedules{first}", filters, only=style is None)
        if path is not None:
            dialog.accept()
            self.export(path, style)

    def export(self, path: Path, style: Style | None) -> None:
        """Draw all charts into a file, whose ending decides the format; without a style as on the screen."""

        def write() -> None:
            if style is None:
                replace_file(path, png_of(self._charts.grab().toImage()))
            else:
                render(self._charts.contents(), path, style)

        self._draw(write, f"Drawn into {path}")

    def copy(self) -> None:
        """Put a picture of all charts on the clipboard, as they are on the screen."""
        self._copy(None)

    def _copy(self, style: Style | None) -> None:
        def put() -> None:
            charts = self._charts
            image = charts.grab().toImage() if style is None else to_image(charts.contents(), style)
            QGuiApplication.clipboard().setImage(image)

        self._draw(put, "The picture is on the clipboard")

    def _draw(self, work: Callable[[], None], sentence: str) -> None:
        try:
            work()
        except SlotscopeError as error:
            self.failed.emit(error)
        else:
            self.done.emit(sentence)
