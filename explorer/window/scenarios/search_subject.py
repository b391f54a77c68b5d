"""What a search or a question is about: the jobs, the cluster and the schedules of the active scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.planning.estimated_workload import estimated_workload

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from explorer.window.area import WindowModel

NO_RECORD = "what really ran cannot be made better any more; choose a simulated scenario"


class SearchSubject:
    """Returns what searches begin with, as the document is now."""

    def __init__(self, model: WindowModel) -> None:
        self._document, self._view_state = model.editor.document, model.view_state
        self._runner = model.runner

    @property
    def has_scenario(self) -> bool:
        """Whether the active scenario is in the document: not while another document comes."""
        return self._document.has_scenario(self._view_state.active_scenario)

    @property
    def scenario(self) -> Scenario:
        """The active scenario."""
        return self._document.scenario(self._view_state.active_scenario)

    def searchable(self) -> Scenario:
        """Return the active scenario; InputError if it is a record."""
        if self.scenario.choice.is_record:
            raise InputError(NO_RECORD)
        return self.scenario

    def planned_on(self, scenario: Scenario) -> tuple[Workload, Cluster]:
        """Return the jobs that a scenario plans on, and its cluster."""
        state = self._document.state
        return estimated_workload(state.workload, scenario.choice.estimates), state.cluster_of(scenario)

    @property
    def uses_compiled(self) -> bool:
        """Whether searches run compiled: what is not in the cache would hold up the window."""
        from core.optimize.chains import is_compiled  # only what searches loads it

        return self._runner.uses_compiled and is_compiled()
