"""What the window of shared scans shows of each policy, computed from the document in a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.policies.shared_scans import read_steps
from core.scans.dataset_clock import ScanClocks
from core.scans.fluid import FluidSchedule, ScanPolicy, schedule_scans
from core.scans.scan_timeline import DatasetTimeline, scan_timelines
from core.scans.subjob_bars import SubjobBar, subjob_bars
from core.scans.workload_scans import workload_scans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.workload import Workload


WORTH_COMPILING = 200
"""Jobs from which compiled code is quicker than interpreted code, even if it has to be loaded first."""

SHOWN: tuple[ScanPolicy, ...] = ("flex", "batch", "circumflex")


@dataclass(frozen=True)
class Question:
    """What is to be told: jobs and datasets, map slots, the metric, BATCH's window in seconds."""

    workload: Workload
    slots: int
    metric: str
    window: float
    service_levels: str = "60:1, 300:5, 900:20"


@dataclass(frozen=True, eq=False)
class ScanStory:
    """One policy's fluid schedule and what is drawn of it.

    Attributes
    ----------
    policy, schedule : who scheduled, and what came out
    bars, timelines, clocks : subjobs over time, boarding by dataset, circles at any time
    job : the workload's job of each entry of the schedule, (jobs,)
    job_names : of all jobs of the workload
    dataset_names : of each dataset number; that of a job without a listed dataset is the job's

    """

    policy: ScanPolicy
    schedule: FluidSchedule
    bars: tuple[SubjobBar, ...]
    timelines: tuple[DatasetTimeline, ...]
    clocks: ScanClocks
    job: NDArray[np.int64]
    job_names: tuple[str, ...]
    dataset_names: tuple[str, ...]

    @property
    def end(self) -> float:
        """When the last job is complete, seconds."""
        return float(self.schedule.finish.max(initial=0.0))

    @property
    def waited(self) -> float:
        """Seconds that the jobs together waited for windows to end."""
        return sum(line.waited for line in self.timelines)


def tell(question: Question) -> tuple[ScanStory, ...]:
    """Schedule the scans by each policy and prepare the pictures; raises what `schedule_scans` raises."""
    scans = workload_scans(question.workload, read_steps(question.service_levels))
    workload = question.workload
    names = (*(d.name for d in workload.datasets), *(job.name for job in workload.jobs))
    stories = []
    for policy in SHOWN:
        schedule = schedule_scans(
            scans.jobs,
            max(question.slots, 1),
            policy,
            question.metric,
            window=question.window,
            compiled=len(question.workload.jobs) > WORTH_COMPILING,
        )
        jobs = schedule.jobs
        stories.append(
            ScanStory(
                policy=policy,
                schedule=schedule,
                bars=subjob_bars(schedule),
                timelines=scan_timelines(jobs.dataset, jobs.arrival, schedule.boarded, schedule.finish),
                clocks=ScanClocks(schedule),
                job=scans.index,
                job_names=tuple(job.name for job in workload.jobs),
                dataset_names=names,
            )
        )
    return tuple(stories)
