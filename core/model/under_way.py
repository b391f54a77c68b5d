"""When the log of a run that is under way ends, and the run as if it had gone on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.task_types import OUTCOMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.recorded_run import RecordedRun
    from core.model.workload import Workload


SOON = 1e-3
"""Seconds after now at which what runs is taken to end: hardly longer than it is known to hold its slot."""


def now_of(workload: Workload) -> float | None:
    """Return when the log of a workload ends, seconds; None if nothing is known to be under way then."""
    run = workload.recorded
    return None if run is None or run.under_way is None else run.under_way.now


def if_whole(run: RecordedRun) -> RecordedRun:
    """Return a run as if all that is under way had gone on: its tasks end, and begin, at times after now.

    Only that these times are after now means something.

    Parameters
    ----------
    run : whose `under_way` is not None
    """
    open_ = run.under_way
    assert open_ is not None
    job, stage = np.repeat(open_.job, open_.tasks), np.repeat(open_.stage, open_.tasks)
    kind = np.array([run.graph(j).task_types[s] for j, s in zip(job.tolist(), stage.tolist(), strict=True)])
    count = len(job)
    counts, task, end = run.counts.copy(), run.task.copy(), run.end.copy()
    counts[open_.running] = True
    most = int(task.max(initial=0)) + 1
    task[open_.running] = most + np.arange(len(open_.running))
    beside, of = run.running_beside
    task[beside] = task[of]
    end[run.open_attempts] = open_.now + SOON
    start = open_.now + SOON + np.arange(count)  # one after the other, so that one slot is enough for them
    unknown = np.full(count, np.nan)
    added = {
        "job": job,
        "kind": kind,
        "task": most + len(open_.running) + np.arange(count),
        "counts": np.ones(count, np.bool_),
        "outcome": np.full(count, OUTCOMES.index("unfinished")),
        "host": _hosts(run, kind),
        "start": start,
        "shuffle_end": unknown,
        "sort_end": unknown,
        "end": start + 0.5,
    }
    columns = {name: getattr(run, name) for name in added} | {"counts": counts, "task": task, "end": end}
    joined: dict[str, Any] = {
        name: np.concatenate([column, added[name].astype(column.dtype)]) for name, column in columns.items()
    }
    graphs = run.graphs
    if graphs is not None:
        graphs = replace(graphs, stage=np.concatenate([graphs.stage, stage.astype(np.int32)]))
    return replace(run, **joined, graphs=graphs, under_way=None)


def _hosts(run: RecordedRun, kind: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for tasks of these kinds a host on which such a one has run; the first one where none has."""
    hosts = np.full(len(kind), 0 if run.hosts else -1)
    for each in np.unique(kind).tolist():
        used = run.host[run.kind == each]
        if len(used):
            hosts[kind == each] = used[0]
    return hosts
