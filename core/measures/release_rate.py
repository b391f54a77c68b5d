"""How many containers are released per second over time: as a policy predicts it, and as it is.

Source: 004 section IV.A and Figure 7.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.schedule import is_made_by_hand
from core.policies.registry import policy_class
from core.policies.user_files.apart import where_policies_live

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.policies.policy import ClusterRow

DEFAULT_WINDOW = 10.0
"""Seconds of a window, where a policy has none of its own."""
MAX_WINDOWS = 100_000
"""Windows of one schedule; of a longer one several are drawn as one."""

MAX_LOOKS = 4_000
"""So often a run is stopped to read what its policy has in mind; more would take longer than it shows."""


@dataclass(frozen=True)
class ReleaseRates:
    """Releases per second in windows of equal length.

    Attributes
    ----------
    window : seconds
    times : when each window begins, (windows,)
    real : containers released in each window, per second, (windows,)
    predicted : what the policy expected when it first decided something in the window, or had in mind since
        it last did; nan where it knew nothing yet and after its last decision, (windows,)
    """

    window: float
    times: NDArray[np.float64]
    real: NDArray[np.float64]
    predicted: NDArray[np.float64]

    @property
    def mean_error(self) -> float:
        """Mean distance of prediction and truth, in containers per second; nan without any prediction."""
        known = np.isfinite(self.predicted)
        return float(np.abs(self.predicted[known] - self.real[known]).mean()) if known.any() else math.nan


def predicts_releases(schedule: Schedule) -> bool:
    """Whether the policy that made a schedule predicts the release of containers."""
    if schedule.choice.is_record or is_made_by_hand(schedule):
        return False
    return hasattr(policy_class(schedule.choice.id), "predicted_rate")


@where_policies_live
def release_rates(schedule: Schedule) -> ReleaseRates | None:
    """Run a schedule again and note what its policy predicts; None for a policy that predicts nothing.

    Parameters
    ----------
    schedule : complete
    """
    if not predicts_releases(schedule):
        return None
    rates = released(schedule)
    looked, expected = _predictions(schedule)
    predicted = _in_force(rates.times, rates.window, looked, expected)
    predicted[rates.times > schedule.start.max()] = np.nan
    return replace(rates, predicted=predicted)


def released(schedule: Schedule) -> ReleaseRates:
    """Return how many containers a schedule releases per second, without a prediction.

    Windows are those of a policy that predicts it, else of 10 s: 30 tasks that end in one are 3 a second.
    """
    own = schedule.choice.parameters if predicts_releases(schedule) else {}
    window = float(own.get("window", DEFAULT_WINDOW))
    window *= max(1, math.ceil(schedule.makespan / window / MAX_WINDOWS))
    windows = max(1, math.ceil(schedule.makespan / window))
    times: NDArray[np.float64] = window * np.arange(windows, dtype=np.float64)
    end = schedule.end[np.isfinite(schedule.end)]
    ended = np.clip((end / window).astype(np.int64), 0, windows - 1)
    real = np.bincount(ended, minlength=windows) / window
    return ReleaseRates(window, times, real, np.full(windows, np.nan))


def _predictions(schedule: Schedule) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return when the run was stopped, and what its policy predicted then, both (looks,)."""
    from core.simulation.simulate import Simulation  # only where it is measured

    run = Simulation(schedule.workload, schedule.cluster, schedule.choice)
    predicted_rate: Callable[[ClusterRow], float] = run.policy.predicted_rate  # type: ignore[attr-defined]
    instants = max(1, (schedule.tasks + len(schedule.finish)) // MAX_LOOKS)
    looks: list[tuple[float, float]] = []
    while not run.advance(instants=instants):
        counts = run.counts
        looks.append((counts.now, predicted_rate(counts)))
    looked, expected = np.array(looks, np.float64).reshape(len(looks), 2).T
    return looked, expected


def _in_force(
    times: NDArray[np.float64], window: float, looked: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the first prediction in each window, or the last one before it; nan before there is any."""
    if not len(looked):
        return np.full(len(times), np.nan)
    first = np.searchsorted(looked, times)
    inside = (first < len(looked)) & (looked[np.minimum(first, len(looked) - 1)] < times + window)
    place = np.where(inside, first, first - 1)
    return np.where(place >= 0, expected[np.maximum(place, 0)], np.nan)
