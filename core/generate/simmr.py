"""The workloads of the SimMR papers (Verma, Cherkasova, Campbell): Facebook, Yahoo!, Synthetic1 and 2.

Facebook has ten bins of job sizes and log-normal task durations. The others have normally distributed task
durations and a scale for each job.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.family import (
    SHORTEST_MS,
    Family,
    common_parameters,
    map_stage,
    named_jobs,
    redrawn,
    reduce_stage,
    shares,
)
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.job import Job

SCALES = (1.0, 10.0)
"""Range of a job's scale when jobs are of one kind."""

SOURCE = (
    "Verma, Cherkasova, Campbell: Orchestrating an Ensemble of MapReduce Jobs for Minimizing Their "
    "Makespan, section 4.1"
)


@dataclass(frozen=True, slots=True)
class NormalJobs:
    """A family's distributions.

    Attributes
    ----------
    maps, reduces : task counts: uniform from 1 to a number, or normal with a mean and deviation, from 1 on
    map_seconds, reduce_seconds : mean and deviation of task durations, before scaling
    long_share : part of the jobs that are long when there are two kinds
    short_scales, long_scales : ranges of the scale of the two kinds
    """

    maps: int | tuple[float, float]
    reduces: int | tuple[float, float]
    map_seconds: tuple[float, float]
    reduce_seconds: tuple[float, float]
    long_share: float = 0.2
    short_scales: tuple[float, float] = (1.0, 2.0)
    long_scales: tuple[float, float] = (8.0, 10.0)

    def family(self, id: str, title: str, summary: str, *, slots: int, bimodal: bool = False) -> Family:
        """Return the family of these jobs, by default of two kinds or one, on so many slots of each type."""
        short, long = (f"{low:g} to {high:g}" for low, high in (self.short_scales, self.long_scales))
        two_kinds = (
            f"{1 - self.long_share:.0%} short jobs (scaled by {short}) and {self.long_share:.0%} long ones "
            f"({long}), instead of all by {SCALES[0]:g} to {SCALES[1]:g}."
        ).replace("%", " %")
        parameters = (
            *common_parameters(map_slots=slots, reduce_slots=slots),
            Parameter("bimodal", "boolean", bimodal, two_kinds),
        )
        return Family(id, title, summary, SOURCE, parameters, self.draw)

    def draw(self, random: np.random.Generator, parameters: Mapping[str, Any]) -> list[Job]:
        """Draw the jobs."""
        stages = []
        for scale in self._scales(random, parameters["jobs"], bimodal=parameters["bimodal"]):
            maps, reduces = _count(random, self.maps), _count(random, self.reduces)
            map_ms = _normal_ms(random, self.map_seconds, maps) * scale
            reduce_ms = _normal_ms(random, self.reduce_seconds, reduces) * scale
            stages.append((map_stage(map_ms), reduce_stage(reduce_ms, parameters)))
        return named_jobs(random, parameters, stages)

    def _scales(self, random: np.random.Generator, jobs: int, *, bimodal: bool) -> NDArray[np.float64]:
        """Draw a scale per job: of one kind, or of two kinds in exact proportion and random order."""
        if not bimodal:
            return random.uniform(*SCALES, jobs)
        short, long = shares(jobs, np.array([1 - self.long_share, self.long_share]))
        both = [random.uniform(*self.short_scales, short), random.uniform(*self.long_scales, long)]
        return random.permutation(np.concatenate(both))


def _count(random: np.random.Generator, counts: int | tuple[float, float]) -> int:
    if isinstance(counts, int):
        return int(random.integers(1, counts, endpoint=True))
    return round(float(redrawn(lambda size: random.normal(*counts, size), 1, 1.0)[0]))


def _normal_ms(random: np.random.Generator, seconds: tuple[float, float], count: int) -> NDArray[np.float64]:
    mean, deviation = seconds
    return redrawn(lambda size: random.normal(mean * 1000, deviation * 1000, size), count, SHORTEST_MS)


YAHOO_JOBS = NormalJobs(
    maps=(154.0, 558.0),
    reduces=(19.0, 145.0),
    map_seconds=(50.0, 200.0),
    reduce_seconds=(100.0, 300.0),
)

YAHOO = YAHOO_JOBS.family(
    "yahoo",
    "Yahoo! M45",
    "Jobs of normally distributed numbers of maps and reduces, of one kind or two.",
    slots=200,
)

SYNTHETIC1_JOBS = NormalJobs(
    maps=100,
    reduces=50,
    map_seconds=(100.0, 1000.0),
    reduce_seconds=(200.0, 2000.0),
)

SYNTHETIC1 = SYNTHETIC1_JOBS.family(
    "synthetic1",
    "Synthetic1",
    "Jobs of up to 100 maps and 50 reduces with widely spread durations, of one kind or two.",
    slots=100,
)

SYNTHETIC2_JOBS = NormalJobs(
    maps=100,
    reduces=50,
    map_seconds=(20.0, 100.0),
    reduce_seconds=(50.0, 200.0),
    long_share=0.1,
    short_scales=(1.0, 3.0),
)

SYNTHETIC2 = SYNTHETIC2_JOBS.family(
    "synthetic2",
    "Synthetic2",
    "As Synthetic1 with shorter tasks, 90 % short jobs and 10 % long ones.",
    slots=100,
    bimodal=True,
)

BINS = (
    (1, 0, 38),
    (2, 0, 16),
    (10, 3, 14),
    (50, 0, 8),
    (100, 0, 6),
    (200, 50, 6),
    (400, 0, 4),
    (800, 180, 4),
    (2400, 360, 2),
    (4800, 0, 2),
)
"""Maps and reduces of a job, and how many such jobs among 100."""

LOG_MS = ((9.9511, 1.6764), (12.375, 1.6262))
"""Of the logarithm of a map's and of a reduce's milliseconds: its mean, and what is printed beside it.

The paper's text calls the second number the variance; in the density that it prints it is the deviation.
"""
ALIKE_MS = 30_000.0
"""How long each task takes where all are alike: ours, for Hive queries whose durations are not published."""
SPREADS = ("variance", "deviation", "alike")

SHUFFLE_SHARE = 0.33
"""Chowdhury et al. (Orchestra, 2011) found that shuffles take 33 % of such jobs' time at Facebook."""


def draw_facebook(random: np.random.Generator, parameters: Mapping[str, Any]) -> list[Job]:
    """Draw the jobs: the bins in proportion, in random order by default."""
    per_bin = shares(parameters["jobs"], np.array([jobs for _, _, jobs in BINS], np.float64))
    bins = np.repeat(np.arange(len(BINS)), per_bin)
    if parameters["shuffled"]:
        bins = random.permutation(bins)
    of_maps, of_reduces = (_log_ms(parameters["spread"], *printed) for printed in LOG_MS)
    stages = []
    for maps, reduces, _ in (BINS[b] for b in bins):
        map_ms = redrawn(lambda size: random.lognormal(*of_maps, size), maps, SHORTEST_MS)
        reduce_ms = redrawn(lambda size: random.lognormal(*of_reduces, size), reduces, SHORTEST_MS)
        stages.append((map_stage(map_ms), reduce_stage(reduce_ms, parameters)))
    return named_jobs(random, parameters, stages)


def _log_ms(spread: str, mean: float, printed: float) -> tuple[float, float]:
    """Return mean and deviation of the logarithm of a task's milliseconds."""
    if spread == "alike":
        return math.log(ALIKE_MS), 0.0
    return mean, math.sqrt(printed) if spread == "variance" else printed


FACEBOOK = Family(
    id="facebook",
    title="Facebook",
    summary="Job sizes at Facebook in October 2009: many tiny jobs and a few very large ones.",
    source=(
        "Verma, Cherkasova, Campbell: Orchestrating an Ensemble of MapReduce Jobs for Minimizing Their "
        "Makespan, Table 1 (numbers of tasks); the same: Play It Again, SimMR!, section V.C (durations; "
        "those of the Hive queries that the first paper ran are not published)"
    ),
    parameters=(
        *common_parameters(map_slots=256, reduce_slots=256, shuffle_share=SHUFFLE_SHARE),
        Parameter("shuffled", "boolean", True, "Mix the jobs; otherwise they come from small to large."),
        Parameter(
            "spread",
            "choice",
            "variance",
            "How much durations differ: the printed 1.6764 (maps) and 1.6262 (reduces) are the variance of "
            "their logarithm, as the text says, or its deviation, as the density has it; or all take 30 s.",
            choices=SPREADS,
        ),
    ),
    draw=draw_facebook,
)
