"""The window of shared scans: FLEX, BATCH, AKO and CIRCUMFLEX side by side, changed while one drags."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QStackedWidget,
    QWidget,
)
from typing_extensions import override

from core.model.errors import InputError
from core.model.time_text import clock_text, duration_text
from core.policies.registry import describe
from core.policies.shared_scans import STEPS
from core.shared_scans.metric import METRICS
from core.shared_scans.windows import ScanPolicy, usual_window
from explorer.scans.circle_drops import CircleDrops
from explorer.scans.instant_sentence import InstantSentence, instant_clauses
from explorer.scans.job_editing import ScanJobFields, WhatIf
from explorer.scans.metric_field import MetricField
from explorer.scans.scan_colours import NOTHING, Marked
from explorer.scans.scan_pane import ScanPane
from explorer.scans.scan_picture import LegendStrip, ScanPicture
from explorer.scans.scan_story import SHOWN, Question, ScanStory, scan_stories, scans_sets, stories_time
from explorer.scans.scan_time import ScanTime
from explorer.widgets.export import ExportButton
from explorer.widgets.flat_button import FlatButton
from explorer.widgets.layouts import NO_MARGINS, OwnWindow, column, named, resize_on_screen, row
from explorer.widgets.number_fields import NumberField
from explorer.widgets.theme import icon
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent, QShowEvent

    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.scans.arrival_strip import ArrivalStrip
    from explorer.scans.sharing_chart import SharingChart


MAX_ZOOM = 1000
KEYS = {"undo": ("Ctrl+Z",), "redo": ("Ctrl+Y", "Ctrl+Shift+Z")}
SLA_METRICS = tuple(metric.id for metric in METRICS if metric.penalty == "steps")
NO_DATASETS = (
    "This workload describes no datasets, so there is nothing to share.\n\n"
    "The sample “Ten scans” has two datasets and ten jobs that scan them;\n"
    "File, Generate draws such workloads (“Shared scans”)."
)
FIRST_SHOWN: tuple[ScanPolicy, ...] = ("flex", "circumflex")
"""The panes that are open at first."""
ROWS_SHARE = 0.24
"""Of the window, for the rows of jobs where they would need more."""
SAMPLE, OPEN_SAMPLE = "ten-scans", "Open “Ten scans”"


class ScanWindow(OwnWindow):
    """A tool window; the document stays the truth, the fluid model answers in a worker.

    Signals:
        sample_wanted: the name of a sample to be opened instead of a workload without datasets
    """

    sample_wanted = Signal(str)

    def __init__(
        self,
        editor: Editor,
        view_state: ViewState,
        on_error: Callable[[Exception], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Shared scans — Slotscope")
        resize_on_screen(self, 1280, 800)
        self._editor, self._document, self._view_state = editor, editor.document, view_state
        self._on_error = on_error
        self.stories: tuple[ScanStory, ...] = ()
        self.what_if = WhatIf(editor, self)
        self._times = (0.0, 0.0)
        self._is_following = self._has_shown = False
        self._calculation = Worker(self, finished=self._on_stories, failed=on_error)
        self.columns = {policy: ScanPane(policy) for policy in SHOWN}
        self._build()
        self._connect()

    # ---- building

    def _build(self) -> None:
        self.metric_field = MetricField()
        self.window_field = NumberField(0, 1e9, "s")
        self.window_field.setToolTip(
            "How long BATCH lets the jobs of a dataset gather, in seconds;\n"
            "0 for a quarter of the last arrival, at most two minutes"
        )
        self.window_field.setMinimumWidth(self.fontMetrics().horizontalAdvance("00 min 00 s, automatic") + 36)
        self.job_fields = ScanJobFields(self._editor, self._view_state, self._on_error)
        self.levels_field = QLineEdit(str(STEPS.default))
        self.levels_field.setToolTip(
            "Service levels of jobs that have none of their own (column SLA of the jobs): a response longer\n"
            "than so many seconds costs so much, as seconds:cost pairs"
        )
        self._levels_label = QLabel("S&LA costs")
        self._levels_label.setBuddy(self.levels_field)
        self.time = ScanTime()
        self.slider = self.time.slider
        self.export_button = ExportButton()
        self.legend = LegendStrip()
        self.sentence = InstantSentence()
        side_by_side = row(*((pane, 1) for pane in self.columns.values()), spacing=6)
        for pane in self.columns.values():
            pane.setVisible(pane.policy in FIRST_SHOWN)
        self.page, self.pages = QWidget(), QStackedWidget()
        bars = (self._bar(), self._details(), self.sentence)
        below = (self.time, self.legend)
        column(*bars, (side_by_side, 1), *below, parent=self.page, margins=(8, 4, 8, 4), spacing=4)
        self.pages.addWidget(self.page)
        self.pages.addWidget(self._empty_page())
        column(self.pages, parent=self, margins=NO_MARGINS).setMenuBar(self._menu_bar())
        self.slider.setFocus()

    def _empty_page(self) -> QWidget:
        """Return what is shown of a workload without datasets: what to do."""
        page, label, button = QWidget(), QLabel(NO_DATASETS), QPushButton(OPEN_SAMPLE)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button.clicked.connect(lambda: self.sample_wanted.emit(SAMPLE))
        column(None, label, 12, row(None, button, None), None, parent=page)
        return page

    def _menu_bar(self) -> QMenuBar:
        bar = QMenuBar()
        edit, run = bar.addMenu("&Edit"), bar.addMenu("&Time")
        self.undo_action = self._editor.undo_stack.createUndoAction(self, "&Undo")
        self.redo_action = self._editor.undo_stack.createRedoAction(self, "&Redo")
        for action, name in ((self.undo_action, "undo"), (self.redo_action, "redo")):
            action.setIcon(icon(name))
            action.setShortcuts([QKeySequence(key) for key in KEYS[name]])
            edit.addAction(action)
        run.addActions(list(self.time.actions_by_id.values()))
        return bar

    def _bar(self) -> QHBoxLayout:
        """Return the bar: which policies are shown, what they optimise, and what opens more."""
        self.switches: dict[ScanPolicy, FlatButton] = {}
        for policy, pane in self.columns.items():
            title = describe(policy).title
            switch = named(FlatButton(title), title, f"Show {title} beside the others")
            switch.setCheckable(True)
            switch.setChecked(policy in FIRST_SHOWN)
            switch.toggled.connect(pane.setVisible)
            switch.toggled.connect(self._offer_export)
            self.switches[policy] = switch
        metric, window = QLabel("&Metric"), QLabel("BATCH's &window")
        metric.setBuddy(self.metric_field)
        window.setBuddy(self.window_field)
        self.details_button = FlatButton("Job")
        self.details_button.setCheckable(True)
        self.details_button.setToolTip("Show the fields of the selected job: arrival, dataset, weight, slots")
        self.details_button.toggled.connect(self._show_details)
        wishes = (8, metric, self.metric_field, 8, window, self.window_field)
        return row(*self.switches.values(), *wishes, None, self.details_button, self.export_button, spacing=4)

    def _details(self) -> QWidget:
        """Return the second bar: costs of service levels, and the fields of the selected job."""
        self._more = QWidget()
        fields = ((self.levels_field, 1), (self.job_fields, 4))
        row(self._levels_label, *fields, parent=self._more, margins=NO_MARGINS)
        self._show_details()
        return self._more

    def _show_details(self) -> None:
        has_levels = self.metric_field.metric_id in SLA_METRICS
        for part in (self._levels_label, self.levels_field):
            part.setVisible(has_levels)
        self.job_fields.setVisible(self.details_button.isChecked())
        self._more.setVisible(has_levels or self.details_button.isChecked())

    def _offer_export(self) -> None:
        """Export the columns that are seen, if there are any."""
        seen = [s for s in self.stories if self.switches[s.policy].isChecked()]
        self.legend.show_stories(seen or self.stories[:1])
        self._say()
        columns = [self.columns[story.policy] for story in seen]
        self.export_button.set_chart(ScanPicture(self.page, columns, self.legend, seen) if seen else None)

    def _connect(self) -> None:
        self.export_button.refused.connect(lambda sentence: self._on_error(InputError(sentence)))
        self.metric_field.currentIndexChanged.connect(self.recompute)
        self.window_field.valueChanged.connect(self.recompute)
        self.levels_field.editingFinished.connect(self.recompute)
        self.time.moved.connect(self._on_time)
        for signal in (self._document.workload_changed, self._document.cluster_changed):
            signal.connect(self.what_if.cancel)
        self._document.reset.connect(self._on_reset)
        self._view_state.selected_job_changed.connect(self._on_selected)
        self._view_state.time_cursor.moved.connect(self._on_cursor_moved)
        for pane in self.columns.values():
            for chart in (pane.subjobs, pane.sharing):
                chart.time_chosen.connect(self.time.look_at)
                chart.zoomed.connect(self.zoom)
                chart.fitted.connect(self.fit)
            for part in pane.charts:
                part.pointed.connect(self._on_pointed)
                part.chosen.connect(self._on_chosen)
            pane.circles.dataset_chosen.connect(self._on_dataset_chosen)
            pane.sharing.nudged.connect(self.what_if.nudge)
        charts = [pane.sharing for pane in self.columns.values()]
        movables: list[ArrivalStrip | SharingChart] = [self.time.arrivals, *charts]
        for movable in movables:
            movable.job_pressed.connect(self._on_job_pressed)
            movable.dragged.connect(self.what_if.drag)
            movable.dropped.connect(self.what_if.drop)
            movable.drag_cancelled.connect(self.what_if.cancel)
        circles = [pane.circles for pane in self.columns.values()]
        self.drops = CircleDrops(self.what_if, circles, charts, self)
        self.time.arrivals.pointed.connect(self._on_pointed)
        self.what_if.changed.connect(self.recompute)
        self.what_if.refused.connect(self._on_error)

    # ---- asking and answering

    def recompute(self) -> None:
        """Have the schedules computed, if the window is visible."""
        workload = self.what_if.workload
        self.pages.setCurrentIndex(0 if workload.datasets else 1)
        if not self.isVisible() or not workload.datasets:
            return
        self.metric_field.set_semi_shared(semi_shared=scans_sets(workload))
        usual = usual_window(max(job.arrival for job in workload.jobs))
        self.window_field.setSpecialValueText(f"{duration_text(usual)}, automatic")
        slots = self._document.cluster.stage_slots[0]
        metric = self.metric_field.metric_id
        self._show_details()
        question = Question(workload, slots, metric, self.window_field.value(), self.levels_field.text())
        self._calculation.start(partial(scan_stories, question))

    def _on_stories(self, stories: tuple[ScanStory, ...]) -> None:
        self.stories = stories
        self._show()

    def _show(self) -> None:
        if not self.stories:
            return
        for story in self.stories:
            self.columns[story.policy].show_story(story, self.stories[0])
        self._share_heights()
        self.time.show_stories(self.stories)
        if not self.what_if.is_dragging or self._times[1] > self.end:
            self.zoom(1.0, 0.0)
        self._on_selected()
        if not self._has_shown:
            self._has_shown = True
            self.time.look_at(stories_time(self.stories))
        self._offer_export()

    def _share_heights(self) -> None:
        """Give the rows of all panes the same height: as high as they need, less in a low window."""
        charts = [pane.sharing for pane in self.columns.values()]
        least, wanted = (
            max(chart.least_height() for chart in charts),
            max(chart.wanted_height() for chart in charts),
        )
        height = round(min(wanted, max(least, ROWS_SHARE * self.height())))
        for chart in charts:
            chart.setFixedHeight(height)

    # ---- the time cursor

    @property
    def end(self) -> float:
        """When the last of the schedules ends, seconds."""
        return self.time.end

    def fit(self) -> None:
        """Show all of the time."""
        self._times = (0.0, self.end)
        self._show_times()

    def zoom(self, factor: float, around: float) -> None:
        """Show so many times as much time, around a second that stays where it is."""
        start, end = self._times
        if end <= start or (start == 0 and factor == 1.0):
            self.fit()
            return
        span = min(max((end - start) * factor, self.end / MAX_ZOOM), self.end)
        start = min(max(around - (around - start) / (end - start) * span, 0.0), self.end - span)
        self._times = (start, start + span)
        self._show_times()

    def _show_times(self) -> None:
        for pane in self.columns.values():
            pane.show_times(*self._times)

    def _on_cursor_moved(self) -> None:
        """Follow the time cursor of the charts."""
        seconds = self._view_state.time_cursor.seconds
        if seconds is not None and self.isVisible():
            self._is_following = True
            self.time.look_at(min(seconds, self.end))
            self._is_following = False

    def _on_time(self) -> None:
        seconds = self.time.seconds
        if self.isVisible() and self.slider.isSliderDown() and not self._is_following:
            self._view_state.time_cursor.show_at(seconds)
        for pane in self.columns.values():
            pane.set_time(seconds)
        self._say()

    def _say(self) -> None:
        """Say what happens at the instant: first what is most telling of each policy, sharing ones first."""
        seen = [story for story in reversed(self.stories) if self.switches[story.policy].isChecked()]
        told = [
            instant_clauses(story, self.columns[story.policy].circles.all_clocks(), self.time.seconds)
            for story in seen
        ]
        clauses = [clause for each in zip_longest(*told) for clause in each if clause is not None]
        if clauses:
            clauses.insert(0, f"At {clock_text(self.time.seconds, largest=self.end)}:")
        self.sentence.show_clauses(clauses)

    # ---- what if

    def _on_job_pressed(self, job: int) -> None:
        self._view_state.select_job(self._document.workload.jobs[job].name)

    def _on_selected(self) -> None:
        name = self._view_state.selected_job
        job = -1 if name is None else self._document.workload.job_index.get(name, -1)
        self._mark(Marked(frozenset((job,))) if job >= 0 else NOTHING)
        for pane in self.columns.values():
            pane.select(job)
            if job >= 0:
                pane.circles.show_job(job)

    def _mark(self, marked: Marked) -> None:
        self.time.arrivals.mark(marked)
        for pane in self.columns.values():
            pane.mark(marked)

    def _on_pointed(self, marked: Marked) -> None:
        for pane in self.columns.values():
            pane.point_at(marked)

    def _on_chosen(self, marked: Marked) -> None:
        """Let a subjob stand out, or select a job; nothing where nothing was clicked."""
        if len(marked.jobs) == 1:
            self._on_job_pressed(next(iter(marked.jobs)))
        elif marked.jobs:
            self._mark(marked)
        else:
            self._view_state.select_job(None)
            self._on_selected()

    def _on_dataset_chosen(self, dataset: int) -> None:
        for pane in self.columns.values():
            pane.circles.show_dataset(dataset)

    def _on_reset(self) -> None:
        self._has_shown = False
        self._on_dataset_chosen(-1)
        self.what_if.cancel()

    # ---- events

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_heights()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if not self.time.arrivals.let_go() and not self.drops.let_go():
                self._on_chosen(NOTHING)
        else:
            super().keyPressEvent(event)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.recompute()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self._calculation.cancel()
        self.time.stop()
        super().closeEvent(event)
