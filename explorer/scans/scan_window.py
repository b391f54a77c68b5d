"""The window of shared scans: FLEX, BATCH, AKO and CIRCUMFLEX side by side, changed while one drags."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from core.model.errors import InputError
from core.model.time_text import exact_duration
from core.policies.registry import describe
from core.policies.shared_scans import STEPS
from core.shared_scans.metric import METRICS, RULES, check_metric
from core.shared_scans.windows import usual_window
from explorer.scans.job_editing import ScanJobFields, WhatIf
from explorer.scans.scan_column import ScanColumn
from explorer.scans.scan_picture import LegendStrip, ScanPicture
from explorer.scans.scan_story import SHOWN, Question, ScanStory, scan_stories, scans_sets, stories_time
from explorer.scans.scan_time import ScanTime
from explorer.widgets.export import ExportButton
from explorer.widgets.layouts import resize_on_screen
from explorer.widgets.number_fields import NumberField
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import icon
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QShowEvent

    from core.shared_scans.windows import ScanPolicy
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState


MAX_ZOOM = 1000
KEYS = {"undo": ("Ctrl+Z",), "redo": ("Ctrl+Y", "Ctrl+Shift+Z")}
SLA_METRICS = tuple(metric.id for metric in METRICS if metric.penalty == "steps")
NO_DATASETS = (
    "This workload describes no datasets, so there is nothing to share.\n\n"
    "The sample “Ten scans” has two datasets and ten jobs that scan them;\n"
    "File, Generate draws such workloads (“Shared scans”)."
)
SAMPLE, OPEN_SAMPLE = "ten-scans", "Open “Ten scans”"
FOR_SETS = "max-stretch"


class MetricField(QComboBox):
    """Chooses what the schedules make as small as they can."""

    def __init__(self) -> None:
        super().__init__()
        self._items = QStandardItemModel(self)
        for metric in METRICS:
            item = QStandardItem(metric.title)
            item.setData(metric.id, Qt.ItemDataRole.UserRole)
            self._items.appendRow(item)
        self.setModel(self._items)
        self.set_semi_shared(semi_shared=False)
        self.setToolTip(
            "What the schedules make as small as they can; where jobs scan some of a dataset's blocks\n"
            "only the largest cost of a job. Point at one in the list to read how, or why not. The tooltip\n"
            "of a policy's figures has its value of every metric."
        )

    @property
    def metric_id(self) -> str:
        """The id of the metric that is chosen."""
        return str(self.currentData())

    def set_semi_shared(self, *, semi_shared: bool) -> None:
        """Offer what can be optimised over sets of blocks, or over whole datasets."""
        for i, metric in enumerate(METRICS):
            item = self._items.item(i)
            try:
                check_metric(metric.id, semi_shared=semi_shared)
            except InputError as refusal:
                item.setEnabled(False)
                item.setToolTip(tooltip(str(refusal)))
            else:
                item.setEnabled(True)
                item.setToolTip(f"Optimised by: {RULES[metric.rule]}")
        if not self._items.item(self.currentIndex()).isEnabled():
            self.setCurrentIndex(self.findData(FOR_SETS))


class ScanWindow(QWidget):
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
        self._colour_of: Callable[[int], QColor] = lambda _job: QColor(128, 128, 128)
        self.stories: tuple[ScanStory, ...] = ()
        self.what_if = WhatIf(editor, self)
        self._times = (0.0, 0.0)
        self._is_following = self._has_shown = False
        self._calculation = Worker(self)
        self._calculation.finished.connect(self._on_stories)
        self._calculation.failed.connect(on_error)
        self.columns = {policy: ScanColumn(policy) for policy in SHOWN}
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
        self.job_fields = ScanJobFields(self._editor, self._view_state, self._on_error)
        self.levels_field = QLineEdit(str(STEPS.default))
        self.levels_field.setToolTip(
            "Service levels of jobs that have none of their own (column SLA of the jobs): a response longer\n"
            "than so many seconds costs so much, as seconds:cost pairs"
        )
        self._form = form = QFormLayout()
        form.addRow("&Metric", self.metric_field)
        form.addRow("BATCH's &window", self.window_field)
        form.addRow("S&LA costs", self.levels_field)
        form.setRowVisible(self.levels_field, False)
        head = QHBoxLayout()
        head.addLayout(form)
        head.addSpacing(16)
        head.addLayout(self._switches())
        head.addSpacing(16)
        head.addWidget(self.job_fields, 1)
        self.time = ScanTime()
        self.slider = self.time.slider
        foot = QHBoxLayout()
        foot.addWidget(self.time, 1)
        self.export_button = ExportButton()
        foot.addWidget(self.export_button)
        self.legend = LegendStrip()
        side_by_side = QSplitter()
        for column in self.columns.values():
            side_by_side.addWidget(column)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addLayout(head)
        layout.addWidget(side_by_side, 1)
        layout.addWidget(self.legend)
        layout.addLayout(foot)
        self.page = page
        self.pages = QStackedWidget()
        self.pages.addWidget(page)
        self.pages.addWidget(self._empty_page())
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setMenuBar(self._menu_bar())
        whole.addWidget(self.pages)
        self.slider.setFocus()

    def _empty_page(self) -> QWidget:
        """Return what is shown of a workload without datasets: what to do."""
        page, label, button = QWidget(), QLabel(NO_DATASETS), QPushButton(OPEN_SAMPLE)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button.clicked.connect(lambda: self.sample_wanted.emit(SAMPLE))
        layout = QVBoxLayout(page)
        layout.addStretch(1)
        layout.addWidget(label)
        layout.addSpacing(12)
        layout.addWidget(button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(1)
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

    def _switches(self) -> QGridLayout:
        """Return a box to tick per policy: whether its column is shown."""
        self.switches: dict[ScanPolicy, QCheckBox] = {}
        grid = QGridLayout()
        for k, (policy, column) in enumerate(self.columns.items()):
            switch = QCheckBox(describe(policy).title)
            switch.setChecked(True)
            switch.setToolTip(f"Show the column of {describe(policy).title}")
            switch.toggled.connect(column.setVisible)
            switch.toggled.connect(self._offer_export)
            self.switches[policy] = switch
            grid.addWidget(switch, k % 2, k // 2)
        return grid

    def _offer_export(self) -> None:
        """Export the columns that are seen, if there are any; the first one names the charts."""
        seen = [s for s in self.stories if self.switches[s.policy].isChecked()]
        for place, story in enumerate(seen):
            self.columns[story.policy].show_titles(is_first=place == 0)
        columns = [self.columns[story.policy] for story in seen]
        self.export_button.set_chart(ScanPicture(self.page, columns, self.legend, seen) if seen else None)

    def _connect(self) -> None:
        self.export_button.refused.connect(lambda sentence: self._on_error(InputError(sentence)))
        self.metric_field.currentIndexChanged.connect(self.recompute)
        self.window_field.valueChanged.connect(self.recompute)
        self.levels_field.editingFinished.connect(self.recompute)
        self.time.moved.connect(self._on_time)
        for signal in (self._document.workload_changed, self._document.cluster_changed):
            signal.connect(self._on_document_changed)
        self._document.reset.connect(self._on_reset)
        self._view_state.selected_job_changed.connect(self._on_selected)
        self._view_state.time_cursor.moved.connect(self._on_cursor_moved)
        for column in self.columns.values():
            for chart in (column.subjobs, column.sharing):
                chart.time_chosen.connect(self.time.look_at)
                chart.zoomed.connect(self.zoom)
                chart.fitted.connect(self.fit)
            column.sharing.job_pressed.connect(self._on_job_pressed)
            column.sharing.dragged.connect(self.what_if.drag)
            column.sharing.dropped.connect(self.what_if.drop)
            column.sharing.drag_cancelled.connect(self.what_if.cancel)
            column.sharing.nudged.connect(self.what_if.nudge)
        self.what_if.changed.connect(self.recompute)
        self.what_if.refused.connect(self._on_error)

    # ---- asking and answering

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload, as the charts have them."""
        self._colour_of = colour_of
        self._show()

    def recompute(self) -> None:
        """Have the schedules computed, if the window is visible."""
        workload = self.what_if.workload
        self.pages.setCurrentIndex(0 if workload.datasets else 1)
        if not self.isVisible() or not workload.datasets:
            return
        self.metric_field.set_semi_shared(semi_shared=scans_sets(workload))
        usual = usual_window(max(job.arrival for job in workload.jobs))
        self.window_field.setSpecialValueText(f"{exact_duration(usual)}, automatic")
        slots = self._document.cluster.stage_slots[0]
        metric = self.metric_field.metric_id
        self._form.setRowVisible(self.levels_field, metric in SLA_METRICS)
        question = Question(workload, slots, metric, self.window_field.value(), self.levels_field.text())
        self._calculation.start(partial(scan_stories, question))

    def _on_stories(self, stories: tuple[ScanStory, ...]) -> None:
        self.stories = stories
        self._show()

    def _show(self) -> None:
        if not self.stories:
            return
        for story in self.stories:
            self.columns[story.policy].show_story(story, self.stories[0], self._colour_of)
        self.time.show_stories(self.stories)
        if not self.what_if.is_dragging or self._times[1] > self.end:
            self.zoom(1.0, 0.0)
        self._on_selected()
        if not self._has_shown:
            self._has_shown = True
            self.time.look_at(stories_time(self.stories))
        self._offer_export()

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
        for column in self.columns.values():
            column.show_times(*self._times)

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
        for column in self.columns.values():
            column.set_time(seconds)

    # ---- what if

    def _on_job_pressed(self, job: int) -> None:
        self._view_state.select_job(self._document.workload.jobs[job].name)

    def _on_selected(self) -> None:
        name = self._view_state.selected_job
        job = -1 if name is None else self._document.workload.job_index.get(name, -1)
        for column in self.columns.values():
            column.select(job)

    def _on_reset(self) -> None:
        self._has_shown = False
        self._on_document_changed()

    def _on_document_changed(self) -> None:
        self.what_if.cancel()

    def show_in_front(self) -> None:
        """Show the window, or bring it to the front."""
        self.show()
        self.raise_()
        self.activateWindow()

    # ---- events

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.recompute()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self._calculation.cancel()
        self.time.stop()
        super().closeEvent(event)
