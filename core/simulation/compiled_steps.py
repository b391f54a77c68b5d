"""A run that stands still as `SteppedRun` does, compiled: a hundred thousand steps a second and more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.compile_cache import is_cached
from core.engine.loop import STALLED
from core.engine.state import snapshot
from core.engine.stepping import (
    LOST,
    NOW,
    NUMBERS,
    SLOT_KIND,
    compiled_step,
    keep_state,
    step_function,
)
from core.model.errors import StalledError
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.policies.resolved_policy import check_slots, follow
from core.simulation.engine_selection import ENGINE_SECONDS, LOADING_SECONDS, Engine
from core.simulation.policy_failures import check_status
from core.simulation.policy_searches import search_control
from core.simulation.simulate import Simulation
from core.simulation.stepped_run import (
    FEATURES,
    ArrivalOrder,
    Reward,
    SteppedRun,
    interpreted_steps,
    make_known,
    seconds_left,
)

if TYPE_CHECKING:
    from core.engine.state import State
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

STEP_SECONDS = 35e-6
"""That a step takes which is interpreted, about."""


def stepped(
    workload: Workload, cluster: Cluster, most: int, reward: Reward, engine: Engine = "auto"
) -> SteppedRun | CompiledSteps:
    """Return a run that stands still wherever several jobs could have a free slot, compiled if that pays.

    Parameters
    ----------
    workload, cluster : what is scheduled, and on what
    most : of so many candidates the features are found
    reward : what `lost` counts
    engine : "auto" compiles once the steps of this process would have taken as long as that takes; what is
        no run on map and reduce slots that stay, without input on nodes, is interpreted in any case

    Raises
    ------
    InputError
        the cluster has overheads, or lacks a kind of slot that is needed
    """
    can = cluster.overheads is None and cluster.has_plain_slots and workload.inputs is None
    if can and (engine == "compiled" or (engine == "auto" and _pays(workload))):
        return CompiledSteps(workload, cluster, most, reward)
    return SteppedRun(workload, cluster, most, reward)


def _pays(workload: Workload) -> bool:
    """Whether the steps so far and those of a workload take as long as having compiled code does."""
    if compiled_step.is_loaded():
        return True
    seconds = STEP_SECONDS * (interpreted_steps() + workload.map_count + workload.reduce_count)
    if seconds < LOADING_SECONDS:
        return False
    return seconds > LOADING_SECONDS + ENGINE_SECONDS or is_cached(step_function().__qualname__)


class CompiledSteps:
    """A `SteppedRun` whose steps are compiled; what it shows is the same to the last bit.

    Attributes
    ----------
    workload, cluster, seen, jobs, count, slot_kind, now, lost, stuck : as of `SteppedRun`
    """

    def __init__(self, workload: Workload, cluster: Cluster, most: int, reward: Reward) -> None:
        self.workload, self.cluster = workload, cluster
        self._state: Any = snapshot(_first_state(workload, cluster))
        self._memory, self._step = keep_state(self._state), compiled_step()
        self._of_response = int(reward == "response")
        self.seen = np.zeros((most, len(FEATURES)))
        self.jobs = np.zeros(most, np.int64)
        self._numbers = np.zeros(NUMBERS)
        self.count, self.stuck = 0, ""
        self.give(-1)

    def give(self, place: int) -> None:
        """Give the slot to a candidate, and go on to the next slot that several could have."""
        numbers = self._numbers
        self.count = self._step(place, self._of_response, self._memory, self.seen, self.jobs, numbers)
        self.now, self.lost, self.slot_kind = (
            float(numbers[NOW]),
            float(numbers[LOST]),
            int(numbers[SLOT_KIND]),
        )
        if self.count < 0:
            self.count, self.stuck = 0, self._why_stuck()

    def seconds_left(self) -> float:
        """Return the durations of all tasks that have not started, one after the other; seconds."""
        jobs = self._state.job
        return seconds_left(jobs["tasks"].tolist(), jobs["started"].tolist(), jobs["memo"].tolist())

    def schedule(self) -> Schedule:
        """Return what has been scheduled so far."""
        choice = PolicyChoice(ArrivalOrder.id)
        run = Simulation(self.workload, self.cluster, choice, engine="interpreted")
        return run.standing_at(self._state).schedule()

    def _why_stuck(self) -> str:
        try:
            check_status(STALLED, None, ArrivalOrder, self.workload, self.cluster, self._state, self.schedule)
        except StalledError as error:
            return str(error)
        raise AssertionError("a run that is stuck has a reason")


_last: list[tuple[Workload, Cluster, State]] = []
"""The workload and the cluster of the last run, with the state in which it began."""


def _first_state(workload: Workload, cluster: Cluster) -> State:
    """Return the state in which a run begins; kept for the next one of the same workload."""
    make_known()
    if not _last or _last[0][0] is not workload or _last[0][1] != cluster:
        check_slots(workload, cluster)
        effort = search_control(False, no_progress, never_stop, lambda: None)
        followed = follow(PolicyChoice(ArrivalOrder.id), workload, cluster, None, None, effort, None)
        _last[:] = [(workload, cluster, followed.first_state(workload, cluster))]
    return _last[0][2]
