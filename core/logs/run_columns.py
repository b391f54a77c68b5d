"""Put the attempts of all jobs of an import together: what really ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.logs.attempt_columns import FINISH, MISSING, SHUFFLE, SORT, START
from core.model.recorded_run import RecordedRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.logs.job_profile import JobProfile


def recorded_run(profiles: Sequence[JobProfile], started: int) -> RecordedRun | None:
    """Return the attempts of all jobs, or None if the log has none.

    Parameters
    ----------
    profiles : the jobs under the names that they have in the workload, those left out among them
    started : moment of the workload's time 0, ms on the log's clock
    """
    if not any(len(profile.attempts.times) for profile in profiles):
        return None
    what = np.concatenate([profile.attempts.what for profile in profiles])
    times = _seconds(np.concatenate([profile.attempts.times for profile in profiles]), started)
    hosts, host = _hosts(profiles)
    of_job = [
        _seconds(np.array([MISSING if time is None else time for time in column], np.int64), started)
        for column in zip(*((p.submit, p.launch, p.finish) for p in profiles), strict=True)
    ]
    return RecordedRun(
        jobs=tuple(profile.name for profile in profiles),
        titles=tuple(profile.title for profile in profiles),
        hosts=hosts,
        submit=of_job[0],
        launch=of_job[1],
        finish=of_job[2],
        job=np.repeat(np.arange(len(profiles), dtype=np.int32), [len(p.attempts.what) for p in profiles]),
        kind=what[:, 0].astype(np.int8),
        task=what[:, 1].astype(np.int32),
        counts=what[:, 2].astype(np.bool_),
        outcome=what[:, 3].astype(np.int8),
        host=host,
        start=times[:, START].copy(),
        shuffle_end=times[:, SHUFFLE].copy(),
        sort_end=times[:, SORT].copy(),
        end=times[:, FINISH].copy(),
    )


def _seconds(milliseconds: NDArray[np.int64], started: int) -> NDArray[np.float64]:
    return np.where(milliseconds == MISSING, np.nan, (milliseconds - started) / 1000)


def _hosts(profiles: Sequence[JobProfile]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Number the hosts of all jobs as one list."""
    numbers: dict[str, int] = {}
    columns = []
    for profile in profiles:
        own = [numbers.setdefault(name, len(numbers)) for name in profile.attempts.hosts]
        # -1, for a host that is not known, takes the last item
        columns.append(np.array([*own, MISSING], np.int32)[profile.attempts.what[:, 4]])
    return tuple(numbers), np.concatenate(columns)
