"""Print what MaxEDF would be with preemption: ``python -m benchmarks.preempting_deadlines`` [--runs 20].

For Figure 8 of paper 001: sums of relative deadlines exceeded under MaxEDF, and when tasks of later deadlines
are killed, or suspended, for earlier ones; of each the mean and the median over runs, and the share that jobs
of one or two tasks have. The draws are the same for all three.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.policy import Policy
from core.simulation.simulate import simulate
from core.study.cell_run import CellRunner
from core.study.cells import cell_at
from core.study.study_document import find_study

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.policies.policy import JobRow
    from core.study.study import Study

POLICIES = ("edf-max", "killing", "suspending")
FEW = 2


class Killing(Policy):
    """MaxEDF that kills tasks of the latest deadline for jobs with earlier ones."""

    id = "killing"
    order = "deadline"

    @staticmethod
    def key(job: JobRow) -> float:
        """Serve the earliest deadline first."""
        return job.deadline

    @staticmethod
    def preempt(job: JobRow, rival: JobRow) -> float:
        """Give up first what is of the latest deadline."""
        return job.deadline - rival.deadline if job.deadline > rival.deadline else 0.0


class Suspending(Killing):
    """The same; what is given up goes on later with what is left."""

    id = "suspending"
    suspends = True


def exceeded(schedule: Schedule) -> NDArray[np.float64]:
    """Return (T - D) / D of each job that is late, 0 of the others, (jobs,)."""
    columns = schedule.workload.columns
    response, allowed = schedule.finish - columns.arrival, columns.deadline - columns.arrival
    return np.maximum((response - allowed) / allowed, 0.0)


def sums_of(study: Study, place: tuple[int, int], runs: int) -> NDArray[np.float64]:
    """Return the sums of all jobs and of those of few tasks, (policies, runs, 2)."""
    runner, sums = CellRunner({}), np.zeros((len(POLICIES), runs, 2))
    for run in range(runs):
        wanted = runner.scenario_of(cell_at(study, (*place, 0), run))
        few = np.array([job.maps.count + job.reduces.count <= FEW for job in wanted.workload.jobs])
        for each, policy in enumerate(POLICIES):
            schedule = simulate(wanted.workload, wanted.cluster, PolicyChoice(policy), engine="compiled")
            found = exceeded(schedule)
            sums[each, run] = found.sum(), found[few].sum()
    return sums


def main() -> None:
    """Print a row for each factor and gap."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--study", default="001-figure-8")
    reader.add_argument("--runs", type=int, default=20)
    given = reader.parse_args()
    register_policy(Killing.id, Killing)
    register_policy(Suspending.id, Suspending)
    study = find_study(given.study)
    gaps, factors = (axis.values for axis in study.axes[:2])
    print("df | between arrivals | MaxEDF | killing | suspending: mean, median, share of jobs of few tasks")
    for second, factor in enumerate(factors):
        for first, gap in enumerate(gaps):
            row = [
                f"{sums[:, 0].mean():.2f}, {np.median(sums[:, 0]):.2f}, "
                f"{sums[:, 1].sum() / max(sums[:, 0].sum(), 1e-9):.0%}"
                for sums in sums_of(study, (first, second), given.runs)
            ]
            print(f"{factor} | {gap} s |", " | ".join(row), flush=True)


if __name__ == "__main__":
    main()
