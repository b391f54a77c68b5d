"""What the window of shared scans shows of each policy, computed from the document in a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.number_text import grouped
from core.model.service_levels import read_service_levels
from core.shared_scans.block_sets import BlockSetSchedule, schedule_block_sets
from core.shared_scans.dataset_clock import BlockSetClocks, ScanClocks
from core.shared_scans.dataset_timeline import DatasetTimeline, scan_timelines
from core.shared_scans.fluid import FluidSchedule, schedule_scans
from core.shared_scans.metric import PROGRAM, SEARCH, SMITH, metric_named
from core.shared_scans.scan_jobs import workload_block_sets, workload_scans
from core.shared_scans.subjob_bars import (
    SavedReads,
    SavedScans,
    SubjobBar,
    cell_bars,
    reads_saved,
    subjob_bars,
)
from core.shared_scans.windows import ScanPolicy, Windows, windows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.job import Dataset
    from core.model.workload import Workload


WORTH_COMPILING = {SMITH: 40, PROGRAM: 40, SEARCH: 12}
"""Jobs from which compiled code, which the window has loaded by then, makes dragging smoother, by rule."""

SHOWN: tuple[ScanPolicy, ...] = ("flex", "batch", "ako", "circumflex")
LOAD = 0.9
"""What AKO plans its windows for, as its policy does unless told otherwise."""


@dataclass(frozen=True)
class Question:
    """The input of a story: jobs and datasets, map slots, the metric, BATCH's window in s, SLA costs."""

    workload: Workload
    slots: int
    metric: str
    window: float
    service_levels: str = ""


@dataclass(frozen=True, eq=False)
class ScanStory:
    """One policy's fluid schedule and what is drawn of it.

    Attributes
    ----------
    policy, schedule : who scheduled, and what came out
    bars, timelines, clocks : subjobs over time, sharing jobs by dataset, circles at any time
    saved : what sharing saves up to any time
    windows : the batching windows of each dataset, or None
    job : the workload's job of each entry of the schedule, (jobs,)
    job_names : of all jobs of the workload
    dataset_names : of each dataset number; that of a job without a listed dataset is the job's
    datasets : those that are listed, by number
    """

    policy: ScanPolicy
    schedule: FluidSchedule | BlockSetSchedule
    bars: tuple[SubjobBar, ...]
    timelines: tuple[DatasetTimeline, ...]
    clocks: ScanClocks | BlockSetClocks
    saved: SavedScans
    windows: Windows | None
    job: NDArray[np.int64]
    job_names: tuple[str, ...]
    dataset_names: tuple[str, ...]
    datasets: tuple[Dataset, ...]

    def entry_name(self, entry: int) -> str:
        """Return the name of the job that an entry of the schedule stands for."""
        return self.job_names[int(self.job[entry])]

    def blocks(self, dataset: int, turns: float) -> str:
        """Return how many blocks so much of a dataset is, in words; nothing of one that is not listed."""
        if dataset >= len(self.datasets):
            return ""
        return blocks_text(round(turns * self.datasets[dataset].blocks))

    def saved_until(self, time: float) -> SavedReads:
        """Return what sharing did not read again up to a time in seconds."""
        return reads_saved(self.saved, self.datasets, time)

    @property
    def end(self) -> float:
        """When the last job is complete, seconds."""
        return float(self.schedule.finish.max(initial=0.0))

    @property
    def waited(self) -> float:
        """Seconds that the jobs together waited for windows to end."""
        return sum(line.waited for line in self.timelines)


def blocks_text(count: int) -> str:
    """Return a number of blocks in words: "1 block", "12 000 blocks"."""
    return f"{grouped(count)} block{'' if count == 1 else 's'}"


def bytes_text(count: float) -> str:
    """Return a number of bytes with three digits: "960 MB", "2.42 GB"."""
    size, unit = next(
        ((s, u) for s, u in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")) if count >= s), (1e3, "kB")
    )
    return f"{count / size:.{2 if count < 10 * size else 1 if count < 100 * size else 0}f} {unit}"


def scans_sets(workload: Workload) -> bool:
    """Whether some job scans only some of its dataset's blocks."""
    return any(job.blocks for job in workload.jobs)


def stories_time(stories: tuple[ScanStory, ...]) -> float:
    """Return an instant that makes the point: after a window of BATCH let the most jobs board."""
    boarded = next(story.schedule.boarded for story in stories if story.policy == "batch")
    times, jobs = np.unique(boarded, return_counts=True)
    best = int(np.argmax(jobs))
    later = np.concatenate([times[best + 1 :], [float(max(story.end for story in stories))]])
    return float(times[best] + (later[0] - times[best]) / 4)


def scan_stories(question: Question) -> tuple[ScanStory, ...]:
    """Schedule the scans by each policy and prepare the pictures; raises what `schedule_scans` raises."""
    whole = _story_of_sets if scans_sets(question.workload) else _story_of_chains
    return tuple(whole(question, policy) for policy in SHOWN)


def _story_of_chains(question: Question, policy: ScanPolicy) -> ScanStory:
    scans = workload_scans(question.workload, read_service_levels(question.service_levels))
    schedule = schedule_scans(
        scans.jobs,
        max(question.slots, 1),
        policy,
        question.metric,
        window=question.window,
        load=LOAD,
        compiled=len(question.workload.jobs) > WORTH_COMPILING[metric_named(question.metric).rule],
    )
    return _story(question, schedule, subjob_bars(schedule), ScanClocks(schedule), scans.index)


def _story_of_sets(question: Question, policy: ScanPolicy) -> ScanStory:
    sets = workload_block_sets(question.workload, read_service_levels(question.service_levels))
    schedule = schedule_block_sets(
        sets.jobs,
        sets.ranges,
        max(question.slots, 1),
        question.metric,
        policy,
        window=question.window,
        load=LOAD,
    )
    size = np.where(sets.is_listed, sets.size * sets.block_seconds, sets.jobs.work)
    clocks = BlockSetClocks(schedule, sets.ranges, size)
    return _story(question, schedule, cell_bars(schedule), clocks, sets.index)


def _story(
    question: Question,
    schedule: FluidSchedule | BlockSetSchedule,
    bars: tuple[SubjobBar, ...],
    clocks: ScanClocks | BlockSetClocks,
    index: NDArray[np.int64],
) -> ScanStory:
    workload, jobs = question.workload, schedule.jobs
    job_names = tuple(job.name for job in workload.jobs)
    own = tuple(job_names[i] for i in index.tolist())  # a dataset that is not listed is one job's own
    listed = tuple(dataset.name for dataset in workload.datasets)
    numbers = range(len(listed), int(jobs.dataset.max(initial=0)) + 1)
    of_number = dict(zip(jobs.dataset.tolist(), own, strict=True))
    return ScanStory(
        policy=schedule.policy,
        schedule=schedule,
        bars=bars,
        timelines=scan_timelines(jobs.dataset, jobs.arrival, schedule.boarded, schedule.finish),
        clocks=clocks,
        saved=SavedScans(bars, jobs.scan_fraction),
        windows=windows_of(jobs, schedule.slots, schedule.policy, schedule.metric, question.window, LOAD),
        job=index,
        job_names=job_names,
        dataset_names=(*listed, *(of_number.get(number, "") for number in numbers)),
        datasets=workload.datasets,
    )
