"""A run that stands still wherever several jobs could have a free slot, until one of them is picked.

For programs that learn to schedule. What they see of a candidate are the numbers of `FEATURES`; `Weighed` is
the policy that serves the candidate with the smallest weighted sum of them, in runs that stop nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from core.engine.loop import DECIDED
from core.engine.state import INF
from core.engine.stepping import ALL_INSTANTS, features
from core.model.errors import InputError, StalledError, shorten
from core.model.parameters import Parameter
from core.model.schedule import PolicyChoice
from core.policies.own_policies import OWN_POLICIES, register_policy
from core.policies.policy import Policy
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow

Reward = Literal["makespan", "response"]
REWARDS: tuple[str, ...] = get_args(Reward)
FEATURES = {
    "kind": "0 for a map or a task of a first stage, 1 for a reduce or a task of a later stage",
    "waited": "seconds since the job arrived",
    "left": "tasks of this kind that have not started",
    "other_left": "tasks of the other kind that have not started",
    "running": "tasks of the job that run",
    "seconds": "mean duration of the job's tasks of this kind, with their shuffle, in seconds",
    "seconds_left": "tasks of this kind that have not started, times that",
    "other_seconds_left": "the same of the other kind",
}
"""What is seen of a candidate, in the order of the columns of an observation."""


class ArrivalOrder(Policy):
    """Serve the job that arrived first, and know how long the tasks of each job take on average."""

    id = "stepped"

    @staticmethod
    def figures(workload: Workload) -> dict[str, NDArray[np.float64]]:
        """Return the mean duration of each job's tasks of each kind, with their shuffle, seconds."""
        columns, jobs = workload.columns, len(workload.jobs)
        place = 2 * columns.job.astype(np.int64) + columns.kind
        lengths = columns.duration + columns.typical_shuffle
        seconds = np.bincount(place, lengths, 2 * jobs)
        return {"mean_seconds": (seconds / np.maximum(np.bincount(place, None, 2 * jobs), 1)).reshape(-1, 2)}

    @staticmethod
    def plan(jobs: NDArray[np.void], mean_seconds: NDArray[np.float64]) -> None:
        """Write them into the memo of each job."""
        jobs["memo"][:, :2] = mean_seconds


class Weighed(ArrivalOrder):
    """Serve the candidate with the smallest weighted sum of what an environment shows of it."""

    id = "weighed"
    parameters = tuple(
        Parameter(f"per_{name}", "number", 0.0, f"Weight of: {text}.") for name, text in FEATURES.items()
    )

    @staticmethod
    def key(
        job: JobRow,
        kind: int,
        cluster: ClusterRow,
        per_kind: float,
        per_waited: float,
        per_left: float,
        per_other_left: float,
        per_running: float,
        per_seconds: float,
        per_seconds_left: float,
        per_other_seconds_left: float,
    ) -> float:
        """Return the weighted sum, added from the left."""
        seen = features(job, kind, cluster.now)
        return (
            per_kind * seen[0]
            + per_waited * seen[1]
            + per_left * seen[2]
            + per_other_left * seen[3]
            + per_running * seen[4]
            + per_seconds * seen[5]
            + per_seconds_left * seen[6]
            + per_other_seconds_left * seen[7]
        )


def weighed(weights: Sequence[float] | NDArray[np.float64]) -> PolicyChoice:
    """Return the policy of some weights, one for each of `FEATURES`.

    Raises
    ------
    InputError
        there are more or fewer, or one is no number
    """
    values = np.asarray(weights, np.float64)
    if values.shape != (len(FEATURES),):
        raise InputError(
            f"weights are {shorten(weights)}; give {len(FEATURES)} numbers, one for each feature"
        )
    make_known()
    names = [parameter.name for parameter in Weighed.parameters]
    return PolicyChoice(Weighed.id, dict(zip(names, values.tolist(), strict=True)))


def make_known() -> None:
    """Let runs name these policies; no list shows them."""
    for policy in (ArrivalOrder, Weighed):
        if policy.id not in OWN_POLICIES:
            register_policy(policy.id, policy)


Candidate = tuple[int, int]
"""A job, and the kind of its next task, which may have the slot."""


class SteppedRun:
    """A run that stands still where there are at least two candidates for a free slot.

    Attributes
    ----------
    workload, cluster : what is scheduled, and on what
    seen, jobs : `features` and job of each candidate, as many as are asked for, then zeros, (most, features)
        and (most,)
    count : how many candidates there are
    now, lost : the simulated time, and what has been lost up to then (see `cost`), in seconds
    candidates : who may have the slot; of one kind by arrival, maps first where slots serve both;
        empty when every task has started
    slot_kind : the type of the slot; the first where slots are untyped
    stuck : why nothing can go on, as a sentence; empty while something can
    """

    def __init__(
        self, workload: Workload, cluster: Cluster, most: int = 0, reward: Reward = "makespan"
    ) -> None:
        if cluster.overheads is not None:
            raise InputError(
                "a run cannot be stepped through on a cluster with overheads; take a cluster without them"
            )
        if cluster.events is not None:
            raise InputError(
                "a run cannot be stepped through where nodes fail; take a cluster without events"
            )
        make_known()
        self.workload, self.cluster = workload, cluster
        self._run = Simulation(workload, cluster, PolicyChoice(ArrivalOrder.id), engine="interpreted")
        self._state: Any = self._run.state
        self._jobs = len(workload.jobs)
        self._last_seen, self._departed, self._finish_sum, self._arrival_sum = 0, 0, 0.0, 0.0
        self._reward: Reward = reward
        self.seen, self.jobs = np.zeros((most, len(FEATURES))), np.zeros(most, np.int64)
        self.candidates: list[Candidate] = []
        self.slot_kind = 0
        self.stuck = ""
        self._go_on(0)

    @property
    def started(self) -> int:
        """How many tasks have started."""
        return int(self._state.cluster.started)

    def features(self, most: int) -> list[tuple[float, ...]]:
        """Return the numbers of `FEATURES` of the first candidates, at most so many."""
        jobs, now = self._state.job, self._state.cluster.now
        return [features(jobs[job], kind, now) for job, kind in self.candidates[:most]]

    def give(self, place: int) -> None:
        """Give the slot to a candidate, and go on to the next slot that several could have."""
        global _interpreted
        _interpreted += 1
        job, kind = self.candidates[place]
        self._state.cluster.held = 2 * job + kind
        self._go_on(self._state.cluster.started + 1)

    def schedule(self) -> Schedule:
        """Return what has been scheduled so far."""
        return self._run.schedule()

    def cost(self, reward: Reward) -> float:
        """Return what has been lost up to now, in seconds: the time, or the mean time of jobs in the system.

        At the end these are the makespan and the mean response.
        """
        cluster = self._state.cluster
        if reward == "makespan":
            return float(cluster.now)
        if cluster.arrived > self._last_seen:
            for job in self._state.arrivals[self._last_seen : cluster.arrived]:
                self._arrival_sum += self._state.job[job].arrival
            self._last_seen = cluster.arrived
        if cluster.arrived - cluster.active > self._departed:
            self._departed = cluster.arrived - cluster.active
            self._finish_sum = 0.0
            for job in self._state.job:  # NOTE: `sum` rounds as it likes; compiled steps add one by one
                self._finish_sum += job.finish if job.finish < INF else 0.0
        in_system = self._finish_sum - self._arrival_sum + cluster.active * cluster.now
        return float(in_system) / self._jobs

    def seconds_left(self) -> float:
        """Return the durations of all tasks that have not started, one after the other; seconds."""
        jobs = self._state.job
        return seconds_left(*([getattr(job, name) for job in jobs] for name in ("tasks", "started", "memo")))

    def _go_on(self, start: int) -> None:
        cluster = self._state.cluster
        self.candidates = []
        try:
            while self._run.go_to_start(start, ALL_INSTANTS) == DECIDED:
                found = self._find()
                if len(found) > 1:
                    self.candidates = found
                    return
                start = cluster.started + 1
        except StalledError as error:
            self.stuck = str(error)
        finally:
            self._show()

    def _show(self) -> None:
        """Write down what is seen of the candidates, and what time it is."""
        self.count, self.now = len(self.candidates), float(self._state.cluster.now)
        self.lost = self.cost(self._reward)
        rows = self.features(len(self.jobs))
        self.seen[len(rows) :] = 0.0
        if rows:
            self.seen[: len(rows)] = rows
            self.jobs[: len(rows)] = [job for job, _ in self.candidates[: len(rows)]]

    def _find(self) -> list[Candidate]:
        """Return the jobs of which a task could have the slot that is offered."""
        state, cluster = self._state, self._state.cluster
        self.slot_kind = own = cluster.turn & 1
        kinds = (own, 1 - own) if cluster.lends else (own,)
        found: list[Candidate] = []
        for kind in kinds:
            if cluster.room[kind] > 0:
                head = cluster.head[kind]
                queue = state.queue[kind][head : head + cluster.waiting[kind]]
                found += [(job, kind) for job in queue]
        return found


def seconds_left(
    tasks: Sequence[Sequence[int]], started: Sequence[Sequence[int]], mean: Sequence[Sequence[float]]
) -> float:
    """Return the durations of all tasks that have not started, seconds, of such columns of the jobs."""
    columns = zip(tasks, started, mean, strict=True)
    return float(sum((count[k] - begun[k]) * each[k] for count, begun, each in columns for k in (0, 1)))


def interpreted_steps() -> int:
    """Return how many steps this process has interpreted."""
    return _interpreted


_interpreted = 0
