"""The Facebook workload of October 2009: ten bins of job sizes, log-normal task durations."""

from __future__ import annotations

import math
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

MAP_LOG_MS = (9.9511, math.sqrt(1.6764))
REDUCE_LOG_MS = (12.375, math.sqrt(1.6262))
"""Mean and deviation of the logarithm of a task's milliseconds; the paper gives the variance."""

SHUFFLE_SHARE = 0.33
"""Chowdhury et al. (Orchestra, 2011) found that shuffles take 33 % of such jobs' time at Facebook."""


def draw_facebook(random: np.random.Generator, parameters: Mapping[str, Any]) -> list[Job]:
    """Draw the jobs: the bins in proportion, in random order unless told otherwise."""
    per_bin = shares(parameters["jobs"], np.array([jobs for _, _, jobs in BINS], np.float64))
    bins = np.repeat(np.arange(len(BINS)), per_bin)
    if parameters["shuffled"]:
        bins = random.permutation(bins)
    return named_jobs(random, parameters, [_stages(random, parameters, *BINS[b][:2]) for b in bins])


def _stages(
    random: np.random.Generator, parameters: Mapping[str, Any], maps: int, reduces: int
) -> tuple[Stage, Stage]:
    map_ms = _durations_ms(random, MAP_LOG_MS, maps)
    return map_stage(map_ms), reduce_stage(_durations_ms(random, REDUCE_LOG_MS, reduces), parameters)


def _durations_ms(
    random: np.random.Generator, log_ms: tuple[float, float], count: int
) -> NDArray[np.float64]:
    return redrawn(lambda size: random.lognormal(*log_ms, size), count, SHORTEST_MS)


FACEBOOK = Family(
    id="facebook",
    title="Facebook",
    summary="Job sizes at Facebook in October 2009: many tiny jobs and a few very large ones.",
    source=(
        "Verma, Cherkasova, Campbell: Orchestrating an Ensemble of MapReduce Jobs for Minimizing Their "
        "Makespan, Table 1 (numbers of tasks); the same: Play It Again, SimMR!, section V.C (durations)"
    ),
    parameters=(
        *common_parameters(slots=256, shuffle_share=SHUFFLE_SHARE),
        Parameter("shuffled", "boolean", True, "Mix the jobs; otherwise they come from small to large."),
    ),
    draw=draw_facebook,
)
