"""Why did this task start then and there, and what does the selected job wait for at the time cursor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from explorer.explain.asking_panel import AskingPanel
from explorer.explain.explanation_view import ExplanationView
from explorer.explain.explanations import task_account, waiting_account
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor

    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.explain.decision_view import Replays
    from explorer.explain.explanations import Explanation, GoTo

NOTHING = (
    "Click a task in a chart to see why it started then and there.\n\n"
    "Select a job and place the time cursor to see what the job waits for."
)
NO_CURSOR = "Drag along a chart's time axis to see what {} waits for at that time."


class WhyPanel(AskingPanel):
    """Explains the selected task and job; computes in a worker, and only while it is in view.

    Signals
    -------
    link_chosen : a `GoTo`, and the id of the scenario that it is about
    """

    link_chosen = Signal(object, int)

    def __init__(
        self,
        document: Document,
        view_state: ViewState,
        schedule_of: Callable[[int], Schedule | None],
        replays: Replays,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, view_state, schedule_of, parent)
        self._replays = replays
        self._accounts: Sequence[Explanation] = ()
        self._scenario_id = view_state.active_scenario
        self._make_parts()
        self._connect()
        self._show([])

    def _make_parts(self) -> None:
        self.scope = ElidedLabel()
        self.scope.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.text = ExplanationView("Why")
        self.text.link_chosen.connect(self._on_link_chosen)
        self.empty = PlainLabel(NOTHING, wraps=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.copy_button = QPushButton("Copy")
        self.copy_button.setToolTip("Copy everything shown here as text")
        self.copy_button.clicked.connect(self.copy)
        bottom = QHBoxLayout()
        bottom.addStretch(1)
        bottom.addWidget(self.copy_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self.scope)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self.text, 1)
        layout.addLayout(bottom)

    def _connect(self) -> None:
        state, document = self._view_state, self._document
        for signal in (
            state.selected_task_changed,
            state.selected_job_changed,
            state.active_scenario_changed,
            state.time_cursor.moved,
            document.workload_changed,
            document.scenario_changed,
            document.reset,
        ):
            signal.connect(self._pause.soon)

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, 320)

    # ---- what the window passes in

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload, as the charts have them."""
        self._colour_of = colour_of
        self._pause.soon()

    # ---- explaining

    @property
    def accounts(self) -> Sequence[Explanation]:
        """What is shown."""
        return self._accounts

    def refresh(self) -> None:
        """Explain what is selected now."""
        self._pause.stop()
        if not self.isVisible():
            return
        wanted = self._wanted()
        if not wanted:
            self._worker.cancel()
            self._show([])
            return
        self._worker.start_next(partial(_all, wanted))

    def _wanted(self) -> list[Callable[[], Explanation]]:
        """Return what has to be computed, without its inputs changing meanwhile."""
        state, task = self._view_state, self._view_state.selected_task
        found: list[Callable[[], Explanation]] = []
        self._scenario_id = task.scenario_id if task is not None else state.active_scenario
        schedule = self._schedule_of(self._scenario_id)
        if schedule is None or (
            schedule.record is None and schedule.given.jobs != self._document.workload.jobs
        ):
            return []
        if task is not None and task.task < schedule.tasks:
            found.append(partial(task_account, schedule, task.task, self._replays))
        job, seconds = schedule.workload.job_index.get(state.selected_job or ""), state.time_cursor.seconds
        if job is not None and seconds is not None:
            found.append(partial(waiting_account, schedule, job, seconds, self._replays))
        return found

    def _on_answered(self, answer: object) -> None:
        assert isinstance(answer, list)  # what `_all` returns
        self._show(answer)

    def _show_sentence(self, sentence: str) -> None:
        self._show([])
        self.empty.setText(sentence)

    def _show(self, accounts: list[Explanation]) -> None:
        self._accounts = accounts
        self.scope.setVisible(bool(accounts))
        self.scope.setText(f"Under {self._title(self._scenario_id)}")
        self.empty.setVisible(not accounts)
        self.text.setVisible(bool(accounts))
        self.copy_button.setEnabled(bool(accounts))
        job = self._view_state.selected_job
        self.empty.setText(NO_CURSOR.format(job) if job is not None else NOTHING)
        self.text.show_accounts(accounts, self._colour_of)

    def _on_link_chosen(self, link: GoTo, _place: int) -> None:
        self.link_chosen.emit(link, self._scenario_id)

    def to_text(self) -> str:
        """Return everything that is shown, with the scenario's title."""
        return "\n\n".join([self.scope.text(), *(account.to_text() for account in self._accounts)])

    # ---- events

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._pause.soon()


def _all(wanted: Sequence[Callable[[], Explanation]]) -> list[Explanation]:
    return [explain() for explain in wanted]
