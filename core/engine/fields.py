"""Fields of a state, whether it is held as columns or as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.state import State


def field(record: Any, name: str) -> Any:
    """Return a field of one record."""
    return record[name] if isinstance(record, np.void) else getattr(record, name)


def set_field(record: Any, name: str, value: Any) -> None:
    """Change a field of one record."""
    if isinstance(record, np.void):
        record[name] = value
    else:
        setattr(record, name, value)


def job_column(state: State, name: str) -> NDArray[Any]:
    """Return one field of every job, (jobs,) or (jobs, 2)."""
    if isinstance(state.job, np.ndarray):
        column: NDArray[Any] = state.job[name]
        return column
    return np.array([getattr(job, name) for job in state.job])


def waiting_jobs(state: State, kind: int) -> list[int]:
    """Return the jobs that have a task of this kind that could start, by rank."""
    arrived = np.asarray(state.arrivals)[: field(state.cluster, "arrived")]
    waits = job_column(state, "started")[:, kind] < job_column(state, "tasks")[:, kind]
    if kind == REDUCE:
        waits &= job_column(state, "done")[:, MAP] >= job_column(state, "reduce_after")
    jobs = arrived[waits[arrived]]
    by_rank: list[int] = jobs[np.argsort(job_column(state, "rank")[jobs])].tolist()
    return by_rank
