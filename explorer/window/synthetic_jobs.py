"""Jobs that were not recorded, from the window: generated, drawn from a fit, or scaled to another input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from explorer.dialogs.scale_dialog import Scaled
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.panels.jobs_panel import JobsPanel

NO_JOB = "no job is selected; click one in a chart or in the jobs panel"


class SyntheticJobs(QObject):
    """Opens the dialogs; they are imported when they are asked for.

    Signals:
        generated: a workload to show
        refused: an InputError to show
    """

    generated = Signal(object)
    refused = Signal(object)

    def __init__(self, editor: Editor, view_state: ViewState, jobs_panel: JobsPanel, window: QWidget) -> None:
        super().__init__(window)
        self._editor, self._document = editor, editor.document
        self._view_state, self._jobs_panel, self._window = view_state, jobs_panel, window

    def slots(self) -> dict[str, Callable[[], object]]:
        """Return what each action of the menu does, by the action's id."""
        return {"generate": self.generate, "fit_job": self.fit_job, "scale_jobs": self.scale_jobs}

    def generate(self) -> None:
        """Let people generate a workload and show it."""
        self._open_generator()

    def _open_generator(self, parameters: Mapping[str, Any] | None = None) -> None:
        from explorer.dialogs.generate_dialog import GenerateDialog

        dialog = GenerateDialog(self._window)
        if parameters is not None:
            dialog.preset("fitted", parameters)
        dialog.generated.connect(self.generated)
        dialog.open()

    def fit_job(self) -> None:
        """Show which distributions the selected job follows."""
        from explorer.dialogs.fit_dialog import FitDialog

        workload, name = self._document.workload, self._view_state.selected_job
        if name is None and len(workload.jobs) == 1:
            name = workload.jobs[0].name
        if name is None:
            self.refused.emit(InputError(NO_JOB))
            return
        dialog = FitDialog(workload.jobs[workload.job_index[name]], self._document.cluster, self._window)
        dialog.generation_asked.connect(self._open_generator)
        dialog.open()

    def scale_jobs(self) -> None:
        """Give the selected jobs, or all, another amount of input."""
        from explorer.dialogs.scale_dialog import ScaleDialog

        selected = self._jobs_panel.selected_names()
        if not selected and self._view_state.selected_job is not None:
            selected = (self._view_state.selected_job,)
        dialog = ScaleDialog(self._document.workload, self._document.cluster, selected, self._window)
        dialog.scaled.connect(self._on_scaled)
        dialog.open()

    def _on_scaled(self, scaled: Scaled) -> None:
        try:
            self._editor.scale_jobs(scaled.workload, scaled.factor, scaled.jobs)
        except InputError as error:
            self.refused.emit(error)
