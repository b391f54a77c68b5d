"""Jobs with normally distributed task durations and a scale of their own, as several families have them."""

from __future__ import annotations

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

    from core.model.workload import Job, Stage

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
    long_share: float
    short_scales: tuple[float, float]
    long_scales: tuple[float, float]

    def family(self, id: str, title: str, summary: str, *, slots: int, bimodal: bool) -> Family:
        """Return the family of these jobs, by default of two kinds or one, on so many slots of each type."""
        short, long = (f"{low:g} to {high:g}" for low, high in (self.short_scales, self.long_scales))
        two_kinds = (
            f"{1 - self.long_share:.0%} short jobs (scaled by {short}) and {self.long_share:.0%} long ones "
            f"({long}), instead of all by {SCALES[0]:g} to {SCALES[1]:g}."
        ).replace("%", " %")
        parameters = (
            *common_parameters(slots=slots, shuffle_share=0.0),
            Parameter("bimodal", "boolean", bimodal, two_kinds),
        )
        return Family(id, title, summary, SOURCE, parameters, self.draw)

    def draw(self, random: np.random.Generator, parameters: Mapping[str, Any]) -> list[Job]:
        """Draw the jobs."""
        scales = self._scales(random, parameters["jobs"], bimodal=parameters["bimodal"])
        return named_jobs(random, parameters, [self._stages(random, parameters, s) for s in scales])

    def _scales(self, random: np.random.Generator, jobs: int, *, bimodal: bool) -> NDArray[np.float64]:
        """Draw a scale per job: of one kind, or of two kinds in exact proportion and random order."""
        if not bimodal:
            return random.uniform(*SCALES, jobs)
        short, long = shares(jobs, np.array([1 - self.long_share, self.long_share]))
        both = [random.uniform(*self.short_scales, short), random.uniform(*self.long_scales, long)]
        return random.permutation(np.concatenate(both))

    def _stages(
        self, random: np.random.Generator, parameters: Mapping[str, Any], scale: float
    ) -> tuple[Stage, Stage]:
        maps, reduces = _count(random, self.maps), _count(random, self.reduces)
        map_ms = _durations_ms(random, self.map_seconds, maps) * scale
        reduce_ms = _durations_ms(random, self.reduce_seconds, reduces) * scale
        return map_stage(map_ms), reduce_stage(reduce_ms, parameters)


def _count(random: np.random.Generator, counts: int | tuple[float, float]) -> int:
    if isinstance(counts, int):
        return int(random.integers(1, counts, endpoint=True))
    return round(float(redrawn(lambda size: random.normal(*counts, size), 1, 1.0)[0]))


def _durations_ms(
    random: np.random.Generator, seconds: tuple[float, float], count: int
) -> NDArray[np.float64]:
    mean, deviation = seconds
    return redrawn(lambda size: random.normal(mean * 1000, deviation * 1000, size), count, SHORTEST_MS)
