"""A schedule on whose nodes something happened, as it stood before nodes failed later on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.event_nodes import count_of_nodes, node_of_slots
from core.model.execution_history import ENDED, RUNNING, GivenUpFor
from core.model.kept_read_only import read_only
from core.model.stages import MAP_REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import ExecutionHistory
    from core.model.schedule import Schedule

    Floats = NDArray[np.float64]

COLUMNS = (
    "job",
    "kind",
    "task",
    "counts",
    "outcome",
    "host",
    "start",
    "shuffle_end",
    "sort_end",
    "end",
)
"""Of the attempts of a run."""
MAX_KEPT = 16
"""Eras that are kept: each has columns as long as those of the schedule."""


class Eras:
    """A schedule between failures of nodes, each era made at its first use.

    A task that is lost later stands in an era as it ran then. Of what starts or ends after the era only that
    is true.

    Attributes
    ----------
    lost_at : when each of `Schedule.given_up` was lost, seconds, (extras,); that of an output of a map may be
        long after its end
    """

    def __init__(self, schedule: Schedule, lost_at: Floats | None = None) -> None:
        """Take a schedule; `lost_at` where that is known, of one of the eras."""
        self._schedule = schedule
        self._made: dict[int, Schedule] = {}
        events = schedule.cluster.events
        happen = () if events is None else events.in_order(count_of_nodes(schedule.cluster))
        self._fails = np.unique([each.time for each in happen if each.kind == "fails"]).astype(np.float64)
        self._failed = [(each.time, each.node) for each in happen if each.kind == "fails"]
        history = schedule.given_up
        if lost_at is None:
            lost_at = np.zeros(0) if history is None else self._times_of_loss(history)
        self.lost_at: Floats = lost_at

    def at(self, time: float) -> Schedule:
        """Return the schedule as it stood at a time, when all of that time had happened."""
        if not len(self._fails) or not (self.lost_at > time).any():
            return self._schedule
        era = int(np.searchsorted(self._fails, time, "right"))
        if era not in self._made:
            self._made[era] = self._as_of(float(self._fails[era]))
            if len(self._made) > MAX_KEPT:
                del self._made[next(iter(self._made))]
        return self._made[era]

    def before(self, time: float) -> Schedule:
        """Return the schedule as it stood just before what happens at a time."""
        return self.at(float(np.nextafter(time, -np.inf)))

    def _times_of_loss(self, history: ExecutionHistory) -> Floats:
        """Return when each part was lost, (extras,)."""
        lost, end = history.given_up, history.run.end
        at = end.copy()
        if lost is None or not (lost.lost == ENDED).any():
            return at
        node = node_of_slots(self._schedule.cluster)[history.extra_slot]
        needed: dict[tuple[int, float], bool] = {}
        for part in np.flatnonzero(lost.lost == ENDED).tolist():
            since = min(time for time, which in self._failed if which == node[part] and time >= end[part])
            job = int(history.run.job[part])
            for time in self._fails[self._fails >= since].tolist():
                if (job, time) not in needed:
                    needed[job, time] = self._needs_outputs(history, job, time)
                if needed[job, time]:
                    at[part] = time
                    break
        return at

    def _needs_outputs(self, history: ExecutionHistory, job: int, time: float) -> bool:
        """Whether a reduce of a job had not fetched all after nodes had failed at a time."""
        stages, lost = self._schedule.workload.columns.stages, history.given_up
        assert lost is not None
        reduces = int(stages.begin[job]) + 1
        first, count = int(stages.first[reduces]), int(stages.count[reduces])
        fetched = self._schedule.shuffled[first : first + count] <= time
        run = history.run
        mine = (lost.lost == RUNNING) & (lost.task >= first) & (lost.task < first + count)
        mine &= (run.shuffle_end <= time) & (time < run.end)
        fetched[lost.task[mine] - first] = True
        return not bool(fetched.all())

    def _as_of(self, next_fail: float) -> Schedule:
        """Return the schedule before nodes fail at a time."""
        schedule, history = self._schedule, self._schedule.given_up
        assert history is not None
        lost = history.given_up
        assert lost is not None
        later = np.flatnonzero(self.lost_at >= next_fail)
        later = later[np.argsort(-self.lost_at[later], kind="stable")]  # the first loss of a task counts
        task, run = lost.task[later], history.run
        slot, start, shuffled, end = (
            _with(own, task, parts[later])
            for own, parts in (
                (schedule.slot, history.extra_slot),
                (schedule.start, run.start),
                (schedule.shuffled, run.shuffle_end),
                (schedule.end, run.end),
            )
        )
        began = np.zeros(schedule.tasks, np.int32)
        began[schedule.sequence] = lost.began
        began[task] = lost.place[later]
        sequence = schedule.sequence[np.argsort(began[schedule.sequence], kind="stable")]
        runs_then = np.zeros(schedule.tasks, np.bool_)
        runs_then[task] = lost.lost[later] == RUNNING
        ends = np.where(runs_then, np.inf, end)
        earlier = np.flatnonzero(self.lost_at < next_fail)
        era = replace(
            schedule,
            slot=slot,
            start=start,
            shuffled=shuffled,
            end=end,
            sequence=read_only(sequence),
            stage_end=read_only(_stage_end(schedule, ends)),
            given_up=_some_of(history, earlier, began[sequence]),
            task_order=_order_of_starts(schedule, sequence),
        )
        vars(era)["eras"] = Eras(era, self.lost_at[earlier])
        return era


def eras_of(schedule: Schedule) -> Eras:
    """Return a schedule as it stood before nodes failed later on; kept with it."""
    eras: Eras = vars(schedule).get("eras") or vars(schedule).setdefault("eras", Eras(schedule))
    return eras


def _stage_end(schedule: Schedule, ends: Floats) -> Floats:
    """Return when the maps of each job ended, (jobs,), of jobs with just maps and reduces."""
    found, stages = schedule.stage_end.copy(), schedule.workload.columns.stages
    for job in range(len(found)):
        if schedule.workload.jobs[job].graph == MAP_REDUCE:
            first, count = (int(each[stages.begin[job]]) for each in (stages.first, stages.count))
            found[job] = ends[first : first + count].max(initial=schedule.arrival[job])
    return found


def _some_of(
    history: ExecutionHistory, parts: NDArray[np.int64], began: NDArray[np.int32]
) -> ExecutionHistory:
    """Return a history of some parts alone."""
    lost = history.given_up
    assert lost is not None
    some: dict[str, Any] = {
        name: getattr(lost, name)[parts] for name in ("task", "rival", "outrun", "place", "lost")
    }
    columns: dict[str, Any] = {name: getattr(history.run, name)[parts] for name in COLUMNS}
    return replace(
        history,
        run=replace(history.run, **columns),
        extra=read_only(np.arange(len(parts))),
        extra_slot=read_only(history.extra_slot[parts]),
        given_up=GivenUpFor(began=read_only(began), **some),
    )


def _order_of_starts(schedule: Schedule, sequence: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the tasks stage by stage, in each as they started."""
    place = np.full(schedule.tasks, schedule.tasks, np.int64)
    place[sequence] = np.arange(len(sequence))
    return read_only(np.lexsort((place, schedule.workload.columns.stage)).astype(np.int32))


def _with(column: NDArray[Any], task: NDArray[np.int64], values: NDArray[Any]) -> NDArray[Any]:
    """Return a column with other values for some tasks."""
    changed = column.copy()
    changed[task] = values
    return read_only(changed)
