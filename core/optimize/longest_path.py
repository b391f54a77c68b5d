"""What follows one another longest: jobs, their stages, and the think times between, on any number of slots.

No cluster makes a workload faster than this path, since each stage takes its longest task at least. Where
jobs wait for a driver it is often all that counts, and then more slots are of no use.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING

import numpy as np

from core.model.time_text import FINE, ROUNDING, duration_text, exact_clock, exact_duration
from core.model.visible_text import spoken_names
from core.optimize.stage_demands import shortest_shuffle

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.stages import StageColumns
    from core.model.workload import Workload

    Floats = NDArray[np.float64]

NAMED = 4
"""Jobs, or stages of one, that are named of a path; of more, the first two and the last."""


@dataclass(frozen=True, slots=True)
class PathJob:
    """A job on a path.

    Attributes
    ----------
    job : its place in the workload
    think : seconds that pass before it comes, from the end of the job before it on the path; 0 for the first
    stages : numbers of its stages that follow one another, the first to run first; those that take no time
        are left out
    seconds : how long these take
    """

    job: int
    think: float
    stages: tuple[int, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class LongestPath:
    """Jobs that follow one another, with their think times.

    Attributes
    ----------
    seconds : when the last of them ends at the earliest
    begin : when the first of them arrives, s
    jobs : the first to come first; ``begin``, their think times and their seconds add up to ``seconds``
    names : what these jobs are called in a sentence
    stages : what the stages of the last of them are called that are on the path
    """

    seconds: float
    begin: float
    jobs: tuple[PathJob, ...]
    names: tuple[str, ...]
    stages: tuple[str, ...]

    @property
    def thinking(self) -> float:
        """For how many seconds of it no job is there, and the driver thinks."""
        return sum(each.think for each in self.jobs)

    @property
    def sentence(self) -> str:
        """The path as a limit: "No cluster makes this faster than 118 s, because J1 and J2 follow ..."."""
        limit = f"No cluster makes this faster than {self.text}"
        return f"{limit}{self.thinks}, because {self.what}."

    @property
    def text(self) -> str:
        """How long it takes, never more than that: tenths of a second are cut off from ten seconds on."""
        parts = 10 if self.seconds >= FINE else 1000
        return exact_duration(floor(self.seconds * parts * (1 + ROUNDING)) / parts)

    @property
    def thinks(self) -> str:
        """How long the driver thinks on the path, behind how long it takes: ": 71 s of it the driver thinks".

        Empty if it does not.
        """
        return f": {duration_text(self.thinking)} of it the driver thinks" if self.thinking > 0 else ""

    @property
    def what(self) -> str:
        """What follows one another: "J1, J2 and J3 follow one another"."""
        comes = f" from {exact_clock(self.begin)} on" if self.begin > 0 else ""
        if len(self.jobs) > 1:
            return f"{_listed(self.names, 'jobs')} follow one another{comes}"
        name = self.names[0]
        if len(self.stages) > 1:
            return f"{_listed(self.stages, 'more stages')} of {name} follow one another{comes}"
        return f"a stage of {name} takes {duration_text(self.jobs[0].seconds)}{comes}"


def _listed(names: list[str] | tuple[str, ...], noun: str) -> str:
    """Join names: "A and B"; of many "A, B, 12 jobs and Z"."""
    some = list(names)
    if len(some) > NAMED:
        some = [*some[:2], f"{len(some) - 3} {noun}", some[-1]]
    return " and ".join([", ".join(some[:-1]), some[-1]])


def longest_path(workload: Workload, cluster: Cluster) -> LongestPath:
    """Return what takes longest on any number of slots.

    Parameters
    ----------
    cluster : how shuffles are modelled; its slots do not count
    """
    columns = workload.columns
    longest = np.zeros(len(columns.stages.job))
    np.maximum.at(longest, columns.stage, columns.duration + shortest_shuffle(workload, cluster))
    return path_of(workload, longest)


def path_of(workload: Workload, alone: Floats) -> LongestPath:
    """Return what takes longest where stages take so many seconds, (stages,)."""
    stages, links = workload.columns.stages, workload.columns.links
    spans = stages.spans(alone)
    arrival = links.earliest_arrivals(spans)
    heads = stages.heads(alone, arrival)
    ends = heads + alone
    last = int(np.argmax(ends))
    job, seconds, found = int(stages.job[last]), float(ends[last]), list[PathJob]()
    while True:
        before, think = -1, 0.0
        mine = np.flatnonzero(links.follower == job)
        if len(mine):
            comes = arrival[links.before[mine]] + spans[links.before[mine]] + links.think[mine]
            place = mine[np.argmax(comes)]
            if comes.max() >= links.fixed[job]:
                before, think = int(links.before[place]), float(links.think[place])
        own = _stages_in_turn(stages, alone, ends, last)
        found.append(PathJob(job, think, own, float(spans[job])))
        if before < 0:
            break
        job = before
        last = int(stages.begin[job] + np.argmax(ends[stages.begin[job] : stages.begin[job + 1]]))
    spoken = spoken_names(tuple(each.name for each in workload.jobs))
    names, last_job = tuple(spoken[each.job] for each in reversed(found)), found[0]
    named = tuple(map(workload.jobs[last_job.job].graph.name, last_job.stages))
    return LongestPath(seconds, float(links.fixed[job]), tuple(reversed(found)), names, named)


def _stages_in_turn(stages: StageColumns, alone: Floats, ends: Floats, last: int) -> tuple[int, ...]:
    """Return the numbers of the stages of a job that follow one another up to its last one."""
    found = [last]
    while len(parents := stages.parents_of(found[-1])):
        found.append(int(parents[np.argmax(ends[parents])]))
    return tuple(int(stages.number[stage]) for stage in reversed(found) if alone[stage] > 0)
