"""How long an application is predicted to take on the cluster that is shown, with its range."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.fidelity.prediction import application_of, predict
from core.model.time_text import duration_text
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from core.fidelity.prediction import Prediction
    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload


class PredictionLine(PlainLabel):
    """A sentence on the cluster of a scenario; hidden where jobs are maps and reduces, or slots typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(wraps=True)
        self.setParent(parent)
        self._shown: object = None
        self._worker = Worker(self, finished=self._on_predicted, failed=lambda _error: self.hide())
        self.hide()

    def show_for(self, workload: Workload, cluster: Cluster, scenario: Scenario) -> None:
        """Predict anew if jobs, cluster or policy are others; the latest is shown."""
        wanted = (workload, cluster, scenario.choice)
        if wanted == self._shown:
            return
        self._shown = wanted
        is_application = not (workload.is_map_reduce or scenario.choice.is_record)
        if not is_application or not cluster.has_containers or cluster.has_nodes:
            self._worker.cancel()
            self.hide()
            return
        self._worker.follow(partial(_predicted, workload, cluster, scenario))

    def _on_predicted(self, found: Prediction) -> None:
        low, high = duration_text(found.low_seconds), duration_text(found.high_seconds)
        slots = f"{found.slots} slot{'s' * (found.slots != 1)}"
        self.setText(f"On {slots} it is predicted to take {low} to {high}.")
        least = f"At least {duration_text(found.bound_seconds)}, even if tasks were 10 % shorter."
        self.setToolTip(tooltip(f"{found.why} {least} Not known: {'; '.join(found.not_known)}."))
        self.show()


def _predicted(
    workload: Workload,
    cluster: Cluster,
    scenario: Scenario,
    _progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Prediction:
    return predict(application_of(workload, scenario.choice), cluster.most_open, should_stop=should_stop)
