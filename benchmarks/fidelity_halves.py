"""How true simulations of real logs are where whole clusters or days are left out, on either half of them.

    python -m benchmarks.fidelity_halves [tuning|reported]

Rules of `core.fidelity` are chosen by the half called tuning alone, which lends to itself alone; the other
half is what they are worth, with all logs as lenders. The split was written down before either half was
measured: logs are taken cluster by cluster, those of one by the SHA-256 of their names, and go to either
half in turn. Logs that share a host are of one cluster; the day is that of the JobTracker in their jobs' ids.
Both leave the judged log out, and all others of its cluster, or of its day. The last column says what is left
where jobs are launched when the log says, which nothing but that log knows.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.fidelity import LOGS, TRACES
from benchmarks.markdown import percent, print_table
from core.fidelity.fidelity import judge
from core.fidelity.log_replays import LogReplays, Work
from core.fidelity.overheads_fit import fitted_overheads
from core.files.open_workload import open_workload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.fidelity.fidelity import Fidelity
    from core.model.workload import Workload

HALVES = ("tuning", "reported")
COLUMNS = ("log", "jobs", "lenders", "plain", "jobs, mean", "ratio", "in the 90 % interval", "launches known")


class JudgedLog(NamedTuple):
    """A log judged by others.

    Attributes
    ----------
    checked : what it was held against
    lenders : how many others there were
    with_launches : its mean job error where jobs are launched when the log says
    """

    checked: Fidelity
    lenders: int
    with_launches: float


def main() -> None:
    """Measure the halves that are named, both where none is, and print tables in Markdown."""
    if not TRACES.is_dir():
        print(f"There are no real logs: {TRACES} is not there.")
        return
    logs = [open_workload(TRACES / f"{name}.json.gz").workload for name in LOGS]
    clusters = clusters_of(logs)
    half_of = halves_of(logs, clusters)
    for half in sys.argv[1:] or HALVES:
        judged = [log for log in logs if half_of[log.name] == half]
        lenders = judged if half == HALVES[0] else logs
        for what, group in (("cluster", lambda log: clusters[log.name]), ("day", day_of)):
            found = _judged_without_group(judged, lenders, group)
            print_table(f"{half.capitalize()} half, the whole {what} left out", COLUMNS, _rows(found))


def clusters_of(logs: Sequence[Workload]) -> dict[str, int]:
    """Return the number of each log's cluster by its name: logs that share a host are of one."""
    clusters: list[tuple[set[str], list[str]]] = []
    for log in logs:
        hosts, names = set(_hosts(log)), [log.name]
        for alike in [each for each in clusters if each[0] & hosts]:
            clusters.remove(alike)
            hosts |= alike[0]
            names = alike[1] + names
        clusters.append((hosts, names))
    return {name: number for number, (_, names) in enumerate(clusters) for name in names}


def _hosts(log: Workload) -> tuple[str, ...]:
    return log.recorded.hosts if log.recorded else ()


def day_of(log: Workload) -> str:
    """Return the day on which the JobTracker began that ran a log's first job: job_201102100449_0048."""
    return log.recorded.jobs[0].split("_")[1][:8] if log.recorded else ""


def halves_of(logs: Sequence[Workload], clusters: dict[str, int]) -> dict[str, str]:
    """Return which half each log is of, by its name."""
    order = sorted(logs, key=lambda log: (clusters[log.name], sha256(log.name.encode()).hexdigest()))
    return {log.name: HALVES[place % 2] for place, log in enumerate(order)}


def _judged_without_group(
    judged: Sequence[Workload], lenders: Sequence[Workload], group: Callable[[Workload], object]
) -> list[JudgedLog]:
    """Return each log judged by those that lend it, without its group."""
    found = []
    for log in judged:
        others = [each for each in lenders if group(each) != group(log)]
        checked = judge([log], others=others).logs[0]
        found.append(JudgedLog(checked, len(others), _error_with_launches(log, others)))
    return found


def _error_with_launches(log: Workload, others: Sequence[Workload]) -> float:
    """Return the mean job error of the headline where each job comes when it was launched.

    What it waited before that is added as it was.
    """
    run, work = log.recorded, Work()
    if run is None:
        return float("nan")
    whole = LogReplays(log, "fifo", work)
    launched = LogReplays(replace(log, recorded=replace(run, submit=run.launch)), "fifo", work)
    lenders = [LogReplays(other, "fifo", work) for other in others]
    lent = fitted_overheads([each for each in lenders if whole.may_share_a_cluster(each)], are_lent=True)
    if lent is None:
        return float("nan")
    at_once = replace(lent.overheads, launch_delay=0.0, launch_interval=0.0, launched_ahead=0)
    drawn = launched.spread(replace(lent, overheads=at_once, delays=lent.delays[:0]))
    if drawn is None:
        return float("nan")
    taken = whole.log.recorded - launched.log.recorded + drawn.median.simulated
    return float(np.abs(taken / whole.log.recorded - 1).mean())


def _rows(judged: Sequence[JudgedLog]) -> list[tuple[str, ...]]:
    logs = [each.checked for each in judged]
    rows: list[tuple[str, ...]] = [
        (
            log.log,
            str(len(log.plain.jobs)),
            str(each.lenders),
            percent(log.plain.mean_error),
            f"**{percent(log.headline.mean_error)}**",
            f"{log.headline.mean_error / log.plain.mean_error:.2f}",
            _covered([log]),
            percent(each.with_launches),
        )
        for log, each in zip(logs, judged, strict=True)
    ]
    errors = np.array(
        [
            (each.checked.plain.mean_error, each.checked.headline.mean_error, each.with_launches)
            for each in judged
        ]
    )
    for title, weigh in (("mean of the logs", False), ("mean of the jobs", True)):
        weights = [len(each.plain.jobs) if weigh else 1 for each in logs]
        plain, headline, known = np.average(errors, axis=0, weights=weights).tolist()
        shares = (percent(plain), f"**{percent(headline)}**", f"{headline / plain:.2f}")
        rows.append((title, "", "", *shares, _covered(logs) if weigh else "", percent(known)))
    return rows


def _covered(logs: Sequence[Fidelity]) -> str:
    """Return how many jobs took as long as any of the draws, or between two: of 20 draws 90 % should."""
    held = [
        (each.headline.ranges[0] <= each.headline.recorded)
        & (each.headline.recorded <= each.headline.ranges[1])
        for each in logs
        if each.headline.spread
    ]
    jobs = sum(map(len, held))
    return f"{sum(map(int, map(np.count_nonzero, held)))} of {jobs}" if jobs else "none"


if __name__ == "__main__":
    main()
