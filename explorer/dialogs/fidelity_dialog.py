"""How far simulations are from the log: every model side by side, job by job, and overheads to be used."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHeaderView,
    QSplitter,
    QTabWidget,
    QWidget,
)
from typing_extensions import override

from core.fidelity.fidelity import (
    FAR_OFF,
    MUMAK,
    OTHERS,
    OTHERS_STALLS,
    OWN,
    OWN_STALLS,
    SIMMR,
    Fidelity,
    ModelReplay,
    judge,
)
from core.fidelity.fidelity_report import (
    DRAWS_TEXT,
    MODEL_WORDS,
    RANGE_TEXT,
    fidelity_text,
    in_range_text,
    job_rows,
    makespan_range,
    sentences,
    stall_sentences,
    write_fidelity,
)
from core.fidelity.twin_logs import are_twins
from core.files.open_workload import open_workloads
from core.model.cluster import slots_text
from core.model.errors import Cancelled, InputError
from core.model.overheads import overheads_sentence
from core.model.time_text import duration_text, percent, signed_percent
from core.policies.by_hand import ByHand
from core.policies.orders import ExplicitOrder
from core.policies.registry import policies
from explorer.dialogs.fidelity_scatter import FidelityScatter
from explorer.dialogs.fidelity_times import FidelityTimes, FidelityTimesView
from explorer.dialogs.other_logs import OtherLogs
from explorer.widgets.layouts import Dialog, column, named, push_button, resize_on_screen, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import ProgressLine, show_while_busy
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.tables import Column, ReadTable, Role, RowsModel
from explorer.widgets.theme import theme_of
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from core.model.overheads import Overheads
    from core.model.workload import Workload

ABOUT = (
    "The log's jobs are simulated on the cluster that it shows, and arrive when they were submitted. What a "
    "simulation takes too long is +, too short −. The row in bold counts; faint ones read from this log what "
    "they should foretell, and prove nothing."
)
READ = ". Read from this log itself: shown apart, for it is not a proof"
MODEL_HELP = {
    MUMAK: "No shuffle at all: a task works as soon as what it waits for has ended",
    SIMMR: "First and typical shuffle; neither launch, setup, cleanup nor heartbeats",
    OTHERS: "SimMR with what the cluster spends besides running tasks, as other logs of the cluster show it",
    OTHERS_STALLS: "The same, and what a host is given while it stalls begins when it goes on" + READ,
    OWN: "SimMR with the overheads that fit this log best" + READ,
    OWN_STALLS: "The same, and what a host is given while it stalls begins when it goes on" + READ,
}


FidelityRow = tuple[str | float, ...]


def _nothing(_row: FidelityRow) -> str:
    return ""


def _model_help(replay: ModelReplay) -> str:
    drawn = f". With {DRAWS_TEXT}; in range: {RANGE_TEXT}" if replay.spread else ""
    return f"{MODEL_HELP[replay.title]}{drawn}"


def _with_range(text: str, between: str) -> str:
    """Write an error with how many jobs are in range, or between what it lies over the draws, in brackets."""
    return f"{text} ({between})" if between else text


def _held(replay: ModelReplay) -> str:
    held = in_range_text(replay)
    return f"{held} in range" if held else ""


def _model_column(title: str, text: Callable[[ModelReplay], str]) -> Column[ModelReplay]:
    return Column(title, text, is_number=True, tip=_model_help)


MODELS = (
    Column[ModelReplay]("What is simulated", lambda each: MODEL_WORDS[each.title], tip=_model_help),
    _model_column("Jobs: mean", lambda each: _with_range(percent(each.mean_error), _held(each))),
    _model_column(
        "Makespan", lambda each: _with_range(signed_percent(each.makespan_error), makespan_range(each))
    ),
    _model_column("Median", lambda each: percent(each.median_error)),
    _model_column("Largest", lambda each: percent(each.largest_error)),
)


class FidelityDialog(Dialog):
    """Checks the log in a worker, with progress; another policy checks it anew.

    Signals
    -------
    taken : these `Overheads` are to be those of the cluster
    taken_back : that is to be undone
    others_changed : other logs, a list of paths, are to lend their overheads
    job_wanted : the name of the job that is to be shown in the charts
    """

    taken = Signal(object)
    taken_back = Signal()
    others_changed = Signal(object)
    job_wanted = Signal(str)

    def __init__(
        self, workload: Workload, others: Sequence[Path] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(f"Fidelity to the log of {workload.name}", parent)
        self._workload = workload
        self._worker = Worker(self, finished=self._on_done, failed=self._on_failed)
        self.checked: Fidelity | None = None
        self.others = OtherLogs(others)
        self._opened: dict[Path, list[tuple[str, Workload]]] = {}
        self._make_parts()
        self._lay_out()
        self.policy_field.currentIndexChanged.connect(self.start)
        self.others.changed.connect(self.others_changed)
        self.others.changed.connect(self.start)

    # Building

    def _make_parts(self) -> None:
        tip = "The policy of the cluster that wrote the log"
        self.policy_field = named(QComboBox(), "Policy of the log's cluster", tip)
        for description in policies():
            if description.id not in (ExplicitOrder.id, ByHand.id):  # no cluster does that
                self.policy_field.addItem(description.title, description.id)
        self.policy_field.setCurrentIndex(self.policy_field.findData("fifo"))
        self.summary = named(PlainLabel(wraps=True), "What was found")
        self.progress = ProgressLine("Progress of the check", self._worker)
        self.stop_button = push_button("&Stop", "End the check", self._worker.stop)
        show_while_busy(self._worker, self.stop_button)
        self._models, self._jobs = RowsModel(MODELS, self), RowsModel(error_columns((), QColor()), self)
        self.again_button = push_button("Check a&gain", "Check the log from the beginning", self.start)
        self.again_button.hide()
        self.models = _table(self._models, "Models against the log")
        self.models.selectionModel().currentRowChanged.connect(self._show_model)
        self._make_pictures()
        self.jobs = _table(self._jobs, "Jobs against the log")
        tip = "Give them to the cluster of the simulated scenarios"
        self.take_button = push_button("&Use these overheads", tip, self.take)
        self.undo_button = push_button("&Take back", "Give the cluster the overheads it had", self.taken_back)
        self.undo_button.hide()
        self.outcome = named(PlainLabel(wraps=True), "What was done")
        self.outcome.hide()
        self.copy_button = push_button("&Copy", "Copy both tables, separated by tabs", self.copy)
        self.save_button = push_button("Save C&SV…", "Write both tables to a file", self.ask_and_save)
        self.close_button = push_button("C&lose", "Close; what was done stays", self.reject)

    def _make_pictures(self) -> None:
        self.scatter, self.times = FidelityScatter(), FidelityTimes()
        self.times_view = FidelityTimesView(self.times)
        for picture in (self.scatter, self.times):
            picture.chosen.connect(self._on_job_chosen)
            picture.wanted.connect(self._on_job_wanted)

    def _on_job_chosen(self, job: int) -> None:
        """Mark a job in both pictures, and show it in the charts."""
        for picture in (self.scatter, self.times):
            picture.mark(job)
        self.times_view.show_job(job)
        self._on_job_wanted(job)

    def _on_job_wanted(self, job: int) -> None:
        if self.checked is not None:
            self.job_wanted.emit(self.checked.plain.jobs[job])

    def _show_model(self) -> None:
        """Draw what the model gave whose row is current."""
        place = self.models.currentIndex().row()
        replay = None if self.checked is None or place < 0 else self.checked.replays[place]
        for picture in (self.scatter, self.times):
            picture.show_replay(replay)

    def _lay_out(self) -> None:
        about = PlainLabel(ABOUT, wraps=True, is_faint=True)
        policy = QFormLayout()
        policy.addRow("&Policy of that cluster", self.policy_field)
        policy.addRow("Other logs of it", self.others)
        running = row((self.progress, 1), self.stop_button, self.again_button)
        buttons = row(self.copy_button, self.save_button, None, self.take_button, self.close_button)
        done = row((self.outcome, 1), self.undo_button)
        pictures = QSplitter(Qt.Orientation.Horizontal)
        for picture, share in ((self.scatter, 2), (self.times_view, 3)):
            pictures.addWidget(picture)
            pictures.setStretchFactor(pictures.count() - 1, share)
        self.tabs = QTabWidget()
        self.tabs.addTab(pictures, "&Picture")
        self.tabs.addTab(self.jobs, "&Numbers")
        found = (self.models, self.summary, (self.tabs, 1), done)
        column(about, policy, running, *found, buttons, parent=self, spacing=6)
        resize_on_screen(self, 980, 680)

    # Checking

    @property
    def is_checking(self) -> bool:
        """Whether an answer is to come."""
        return self._worker.is_busy

    def start(self) -> None:
        """Check the log under the chosen policy; what is shown until then does not hold any more."""
        self._show(None)
        self.summary.setText("Simulating the log by every model …")
        policy = str(self.policy_field.currentData())
        work = partial(_check, self._workload, policy, self.others.paths, self._opened)
        self.again_button.hide()
        self._worker.follow(work)

    def _on_done(self, answer: tuple[Fidelity, list[str]]) -> None:
        self._show(*answer)

    def _on_failed(self, error: Exception) -> None:
        is_stopped = isinstance(error, Cancelled)
        self.summary.setText("Stopped." if is_stopped else str(error))
        self.again_button.setVisible(is_stopped)

    # Showing

    def _show(self, checked: Fidelity | None, left_out: Sequence[str] = ()) -> None:
        self.checked = checked
        for button in (self.copy_button, self.save_button):
            button.setEnabled(checked is not None)
        self.take_button.setVisible(self.overheads is not None)
        titles = [replay.title for replay in checked.replays] if checked is not None else []
        self._models.looks = {} if checked is None else self._looks(checked)
        self._models.show_rows(checked.replays if checked is not None else ())
        self._jobs.show_rows(
            job_rows(checked) if checked is not None else (), error_columns(titles, theme_of(self).worse)
        )
        self._show_model()
        if checked is not None:
            self.models.selectRow(checked.replays.index(checked.headline))
            self.models.fit_height()
            self.summary.setText("\n".join([*_found(checked), *left_out]))

    def _looks(self, checked: Fidelity) -> dict[tuple[int, int, int], QFont | QColor]:
        """Return bold letters for the headline, and faint ones for what stands apart."""
        bold, faint = QFont(self.font()), theme_of(self).third_text
        bold.setBold(True)
        looks: dict[tuple[int, int, int], QFont | QColor] = {}
        for model, replay in enumerate(checked.replays):
            for place in range(len(MODELS)):
                if replay is checked.headline:
                    looks[model, place, Role.FontRole] = bold
                elif replay.is_apart:
                    looks[model, place, Role.ForegroundRole] = faint
        return looks

    # Buttons

    @property
    def overheads(self) -> Overheads | None:
        """What the cluster would get."""
        return None if self.checked is None else self.checked.offered

    def take(self) -> None:
        """Hand the overheads over."""
        if self.overheads is not None:
            self.taken.emit(self.overheads)

    def show_done(self, sentence: str, *, can_undo: bool) -> None:
        """Show what was done with the overheads, and whether that can be taken back here."""
        self.outcome.setText(sentence)
        self.outcome.show()
        self.undo_button.setVisible(can_undo)

    def copy(self) -> None:
        """Put both tables on the clipboard."""
        if self.checked is not None:
            QGuiApplication.clipboard().setText(fidelity_text(self.checked))

    def ask_and_save(self) -> None:
        """Let the user choose a file and write both tables there."""
        path = ask_where_to_save(self, "Save the check", "fidelity.csv", "CSV (*.csv)")
        if path is not None:
            self.save(str(path))

    def save(self, path: str) -> None:
        """Write both tables to a file; errors are shown here."""
        if self.checked is None:
            return
        try:
            write_fidelity(self.checked, path)
        except InputError as error:
            self.summary.setText(str(error))

    @override
    def done(self, result: int) -> None:
        self._worker.cancel()
        super().done(result)


def _table(model: RowsModel[Any], name: str) -> ReadTable:
    """Make a table whose first column takes what the others leave."""
    table = ReadTable(model, name)
    header = table.horizontalHeader()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return table


def error_columns(titles: Sequence[str], far_off: QColor) -> tuple[Column[FidelityRow], ...]:
    """Return the columns of jobs: what was recorded, and the error of each model, coloured if far off."""

    def error_column(place: int, title: str) -> Column[FidelityRow]:
        def error(row: FidelityRow) -> float:
            return float(row[2 + len(titles) + place])

        def tip(row: FidelityRow) -> str:
            return f"{duration_text(float(row[2 + place]))} instead of {duration_text(float(row[1]))}"

        def style(row: FidelityRow, role: int) -> QColor | None:
            return far_off if role == Role.ForegroundRole and abs(error(row)) > FAR_OFF else None

        return Column(
            MODEL_WORDS[title],
            lambda row: signed_percent(error(row)),
            is_number=True,
            tip=tip,
            spoken=None,
            style=style,
        )

    return (
        Column("Job", lambda row: str(row[0]), tip=_nothing),
        Column("Recorded", lambda row: duration_text(float(row[1])), is_number=True, tip=_nothing),
        *(error_column(*each) for each in enumerate(titles)),
    )


def cluster_text(workload: Workload) -> str:
    """Return which cluster wrote a log, as far as the log shows it; logs are remembered by that."""
    hosts = len(workload.recorded.hosts) if workload.recorded else 0
    return f"{slots_text(workload.cluster)}, {hosts} hosts"


def _check(
    workload: Workload,
    policy: str,
    paths: Sequence[Path],
    opened: dict[Path, list[tuple[str, Workload]]],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> tuple[Fidelity, list[str]]:
    """Judge the log, in the worker; also report which of the other logs were left out, and why."""
    found: list[tuple[str, Workload]] = []
    left_out: list[str] = []
    for path in paths:
        try:
            if path not in opened:
                opened[path] = open_workloads(path, should_stop=should_stop)
            found += opened[path]
        except Cancelled:
            raise
        except InputError as error:
            gone = "there is no such file or folder any more"
            left_out.append(f"Left out: {error if path.exists() else f'{path}: {gone}'}")
    if workload.recorded is not None:
        found = [each for each in found if not are_twins(workload.recorded, each[1])]
    others, places = [each[1] for each in found], [workload.name, *(each[0] for each in found)]
    judged = judge([workload], policy, others, paths=places, progress=progress, should_stop=should_stop)
    left_out += [f"Left out: {why}" for _, why in judged.left_out]
    return judged.logs[0], left_out


def _found(checked: Fidelity) -> list[str]:
    """Return what the check came to, which overheads are offered, and which hosts stalled."""
    lines = sentences(checked)
    if checked.offered is not None:
        lines.append(f"The overheads that are offered: {overheads_sentence(checked.offered)}.")
    return [*lines, *stall_sentences(checked)]
