"""Runs of one application side by side: durations of map, shuffle and reduce and how far apart they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from core.measures.histogram import symmetric_kl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.job import Job

Phase = Literal["map", "shuffle", "reduce"]
PHASES: tuple[Phase, ...] = get_args(Phase)


@dataclass(frozen=True, slots=True)
class PhaseComparison:
    """One phase of several runs.

    Attributes
    ----------
    samples : durations of each run in seconds; empty where the run has no such tasks
    medians : of each run, nan where it has none, (runs,)
    divergence : symmetric Kullback-Leibler divergence of each two, nan where one has none, (runs, runs)
    """

    samples: tuple[NDArray[np.float64], ...]
    medians: NDArray[np.float64]
    divergence: NDArray[np.float64]


def phase_samples(job: Job) -> dict[Phase, NDArray[np.float64]]:
    """Return the durations that a job's template has of each phase, in seconds.

    The shuffle (with the sort) is that of reduces that start after the map stage, the typical one of 001
    section II: a first shuffle depends on how long the maps still took. Where a log has no such reduces its
    importer has put the first shuffles there.
    """
    none, (maps, reduces) = np.zeros(0), job.stages
    return {
        "map": maps.durations if maps.count else none,
        "shuffle": reduces.typical_shuffle if reduces.count else none,
        "reduce": reduces.durations if reduces.count else none,
    }


def compare_runs(jobs: Sequence[Job]) -> dict[Phase, PhaseComparison]:
    """Compare runs phase by phase (001 Table I and Figure 3); see `symmetric_kl` for the divergence."""
    runs = [phase_samples(job) for job in jobs]
    return {phase: _compare([run[phase] for run in runs]) for phase in PHASES}


def _compare(samples: Sequence[NDArray[np.float64]]) -> PhaseComparison:
    count = len(samples)
    divergence = np.zeros((count, count))
    for i in range(count):
        for j in range(i, count):
            divergence[i, j] = divergence[j, i] = symmetric_kl(samples[i], samples[j])
    medians = np.array([np.median(run) if run.size else np.nan for run in samples])
    return PhaseComparison(tuple(samples), medians, divergence)
