"""The lines of a plot of fits, computed in a worker: what the samples are like, and each distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.generate.fitted import Fit, PartFits, fit_job, widest_gap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.job import Job

POINTS = 300
"""Of a curve on an even axis, and as many on a logarithmic one."""


@dataclass(frozen=True, eq=False)
class FitCurve:
    """One fitted distribution as a line.

    Attributes
    ----------
    fit : what it shows
    times, probabilities : its points, (points,)
    gap : time, fraction of samples and probability where they differ most; None where they do not
    """

    fit: Fit
    times: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    gap: tuple[float, float, float] | None


@dataclass(frozen=True, eq=False)
class PartCurves:
    """A part of a template with a curve for each of its fits, the best first."""

    part: PartFits
    curves: tuple[FitCurve, ...]

    @property
    def prefers_log(self) -> bool:
        """Whether the samples span so much that an even axis would hide most of them."""
        positive = self.part.samples[self.part.samples > 0]
        return len(positive) > 0 and float(positive[-1]) / float(positive[0]) >= 30

    @property
    def may_be_log(self) -> bool:
        """Whether a logarithmic axis has something to show."""
        positive = self.part.samples[self.part.samples > 0]
        return len(positive) > 0 and float(positive[0]) < float(positive[-1])


def curves_of(job: Job) -> tuple[PartCurves, ...]:
    """Fit every part of a job and compute the curves."""
    return tuple(PartCurves(part, tuple(_curve(part, fit) for fit in part.fits)) for part in fit_job(job))


def _curve(part: PartFits, fit: Fit) -> FitCurve:
    times = _times(part.samples)
    gap = widest_gap(part.samples, fit.distribution) if fit.distance > 0 else None
    return FitCurve(fit, times, fit.distribution.cumulative(times), gap)


def _times(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return times that are dense on even and on logarithmic axes over the samples."""
    high = float(samples[-1]) or 1.0
    positive = samples[samples > 0]
    low = min(float(positive[0]) if len(positive) else high, high) / 2
    return np.unique(
        [*np.linspace(0, 1.1 * high, POINTS), *np.geomspace(low, 1.1 * high, POINTS), *_edges(samples)]
    )


def _edges(samples: NDArray[np.float64]) -> list[float]:
    """Return where a constant has its step."""
    return [float(np.nextafter(samples.mean(), 0)), float(samples.mean())]
