"""Why did this task start then and there, and what does the selected job wait for at the time cursor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from typing_extensions import override

from explorer.explain.explanation_panel import ExplanationPanel, Subject
from explorer.explain.explanation_view import ExplanationView
from explorer.explain.explanations import idle_explanation, task_explanation, waiting_explanation
from explorer.widgets.layouts import push_button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from explorer.explain.explanations import Explanation, GoTo

NOTHING = (
    "Click a task in a chart to see why it started then and there, or a slot where it runs nothing to see "
    "why it idles.\n\n"
    "Select a job and place the time cursor to see what the job waits for."
)
NO_CURSOR = "Drag along a chart's time axis to see what {} waits for at that time."


class WhyPanel(ExplanationPanel):
    """Explains the selected task and job; computes in a worker, and only while it is in view.

    Attributes
    ----------
    explanations : what is shown

    Signals
    -------
    link_chosen : a `GoTo`, and the id of the scenario that it is about
    findings_wanted : the user wants to know what is wrong in the whole run
    """

    link_chosen = Signal(object, int)
    findings_wanted = Signal()

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject, "Copy everything shown here as text")
        self.explanations: Sequence[Explanation] = ()
        self._scenario_id = self._view_state.active_scenario
        self.text = ExplanationView("Why")
        self.text.link_chosen.connect(self._on_link_chosen)
        self.findings_button = push_button(
            "&Findings of the whole run", "List what costs time in it: idle slots, jobs that starve", None
        )
        self.findings_button.clicked.connect(self.findings_wanted)
        self._lay_out(self.text, self.findings_button)
        self._connect()
        self._show([])

    def _connect(self) -> None:
        state, document = self._view_state, self._document
        self.listen(
            state.selected_task_changed,
            state.selected_idle_changed,
            state.selected_job_changed,
            state.active_scenario_changed,
            state.time_cursor.moved,
            document.workload_changed,
            document.scenario_changed,
            document.reset,
        )

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, 320)

    # ---- what the window passes in

    @override
    def _recolour(self) -> None:
        self._pause.soon()

    # ---- explaining

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
        selected = task or state.selected_idle
        self._scenario_id = selected.scenario_id if selected is not None else state.active_scenario
        schedule = self._schedule_of(self._scenario_id)
        if schedule is None or (
            schedule.record is None and schedule.given.jobs != self._document.workload.jobs
        ):
            return []
        if task is not None and task.task < schedule.tasks:
            found.append(partial(task_explanation, schedule, task.task, self._replays))
        if state.selected_idle is not None:
            found.append(partial(idle_explanation, schedule, state.selected_idle))
        job, seconds = schedule.workload.job_index.get(state.selected_job or ""), state.time_cursor.seconds
        if job is not None and seconds is not None:
            found.append(partial(waiting_explanation, schedule, job, seconds, self._replays))
        return found

    def _on_answered(self, answer: object) -> None:
        assert isinstance(answer, list)  # what `_all` returns
        self._show(answer)

    def _show_sentence(self, sentence: str) -> None:
        self._show([])
        self.empty.setText(sentence)

    def _show(self, explanations: list[Explanation]) -> None:
        self.explanations = explanations
        self.scope.setVisible(bool(explanations))
        self.scope.setText(f"Under {self._title(self._scenario_id)}")
        self.empty.setVisible(not explanations)
        self.findings_button.setVisible(not explanations and self._simulated() is None)
        self.text.setVisible(bool(explanations))
        self.copy_button.setEnabled(bool(explanations))
        job = self._view_state.selected_job
        self.empty.setText(NO_CURSOR.format(job) if job is not None else NOTHING)
        self.text.show_explanations(explanations, self._colour_of)
        if explanations and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.to_text()))

    def _on_link_chosen(self, link: GoTo, _place: int) -> None:
        self.link_chosen.emit(link, self._scenario_id)

    def to_text(self) -> str:
        """Return everything that is shown, with the scenario's title."""
        return "\n\n".join([self.scope.text(), *(explanation.to_text() for explanation in self.explanations)])


def _all(wanted: Sequence[Callable[[], Explanation]]) -> list[Explanation]:
    return [explain() for explain in wanted]
