"""Where logs end before their jobs do: when that is, and what is under way then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING, RUNS
from core.model.recorded_run import Unfinished
from core.model.task_types import REDUCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns
    from core.logs.job_batch import JobBatch
    from core.logs.suggest_cluster import Suggestion

AS_MANY_REDUCES = "No reduce has run yet; as many reduce slots as map slots are assumed."


class LogEnd(NamedTuple):
    """The end of logs of which some jobs go on.

    Attributes
    ----------
    now : the last time that they name, ms on their clock
    jobs : those that go on, by their places among all
    job, stage, tasks : stages with tasks that have not begun: the job, the number in it, how many they are
    pools, users : whose each of `jobs` is
    """

    now: int
    jobs: Sequence[int]
    job: NDArray[np.int32]
    stage: NDArray[np.int32]
    tasks: NDArray[np.int32]
    pools: tuple[str, ...]
    users: tuple[str, ...]

    def seconds(self, started: int, running: NDArray[np.int64]) -> Unfinished:
        """Return it as a part of what ran.

        Parameters
        ----------
        started : moment of the workload's time 0, ms on the log's clock
        running : the attempts that run
        """
        jobs = np.array(self.jobs, np.int32)
        columns = jobs, running, self.job, self.stage, self.tasks
        return Unfinished((self.now - started) / 1000, *columns, self.pools, self.users)


def log_end(batch: JobBatch, attempts: AttemptColumns) -> LogEnd | None:
    """Return where logs end before their jobs do; None where nothing of these runs or waits.

    Parameters
    ----------
    batch : all jobs
    attempts : the attempts of all of them
    """
    if all(account.waiting is None for account, _ in batch.different_accounts):
        return None
    waiting = {place: each.waiting for place, each in enumerate(batch.accounts) if each.waiting is not None}
    rows = [(place, k, count) for place, each in waiting.items() for k, count in enumerate(each) if count > 0]
    if not rows and not (attempts.task == RUNS).any():
        return None
    times = (batch.submit, batch.launch, batch.finish, attempts.start, attempts.shuffle_end, attempts.end)
    now = max(int(column.max(initial=MISSING)) for column in times)
    job, stage, tasks = np.array(rows, np.int32).reshape(-1, 3).T.copy()
    open_jobs = [batch.accounts[place] for place in waiting]
    pools, users = tuple(each.pool for each in open_jobs), tuple(each.user for each in open_jobs)
    return LogEnd(now, list(waiting), job, stage, tasks, pools, users)


def until_end(attempts: AttemptColumns, end: LogEnd | None) -> AttemptColumns:
    """Return attempts of which those that run end where the log does."""
    if end is None:
        return attempts
    until = np.maximum(attempts.start + 1, end.now)  # what starts then holds a slot, too
    return replace(attempts, end=np.where(attempts.task == RUNS, until, attempts.end))


def with_reduce_slots(suggestion: Suggestion, end: LogEnd | None) -> Suggestion:
    """Return a suggestion with as many reduce slots as map slots, if it has none and reduces wait."""
    cluster = suggestion.cluster
    if end is None or cluster.has_containers or cluster.reduce_slots or not (end.stage == REDUCE).any():
        return suggestion
    cluster = replace(cluster, reduce_slots=cluster.map_slots)
    return suggestion._replace(cluster=cluster, why=f"{suggestion.why} {AS_MANY_REDUCES}")


def running_of(task: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return which attempts run, and the tasks of all, that of those `MISSING`."""
    running = np.flatnonzero(task == RUNS)
    return running, np.where(task == RUNS, np.int32(MISSING), task) if len(running) else task
