"""Logs of the same jobs: of twins the larger one is judged and lends, the other would be judged by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.recorded_run import RecordedRun
    from core.model.workload import Workload


def are_twins(run: RecordedRun, workload: Workload) -> bool:
    """Whether a log has half of the jobs of another one or more: of the same names that took as long."""
    if workload.recorded is None:
        return False
    one, other = (
        {
            (name, round(took, 3))
            for name, took in zip(each.jobs, (each.finish - each.submit).tolist(), strict=True)
        }
        for each in (run, workload.recorded)
    )
    return 2 * len(one & other) >= min(len(one), len(other))


def twins_left_out(
    workloads: Sequence[Workload], paths: Sequence[str], kept: Sequence[tuple[str, Workload]] = ()
) -> dict[int, str]:
    """Return which logs have a twin, each with the path of the one that is kept in its place.

    Of twins the larger one is kept, by its jobs, then its attempts, then by its path: whatever their order.

    Parameters
    ----------
    workloads, paths : the logs and where they come from, (logs,)
    kept : other logs, with their paths, that stay however small they are
    """
    remaining = list(kept)
    left_out = {}
    for place in sorted(range(len(workloads)), key=lambda place: _smallness(workloads[place], paths[place])):
        run = workloads[place].recorded
        twin = next((path for path, log in remaining if run is not None and are_twins(run, log)), None)
        if twin is None:
            remaining.append((paths[place], workloads[place]))
        else:
            left_out[place] = twin
    return left_out


def _smallness(workload: Workload, path: str) -> tuple[int, int, str]:
    run = workload.recorded
    return (-len(run.jobs), -run.attempts, path) if run else (0, 0, path)
