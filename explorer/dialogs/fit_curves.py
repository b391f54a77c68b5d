"""The curves of fits: how samples are spread and what each distribution expects, computed in a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from core.generate.fitted import Fit, PartFits, fit_job, widest_gap
from explorer.plots.axis import value_text
from explorer.plots.cdf_picture import CdfCurve, CdfPanel
from explorer.widgets.export import ChartTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.job import Job
    from explorer.widgets.theme import Theme

HUES = (("#0072b2", "#56b4e9"), ("#a8487f", "#e69bc8"), ("#007a57", "#3ecfa0"), ("#6b52ae", "#b9a6ff"))
"""Blue, pink, green and violet, for light and for dark backgrounds; the accent stands apart from all."""
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DotLine)
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
    mean = samples.mean()
    step = [np.nextafter(mean, 0), mean]  # where a constant has its step
    return np.unique([*np.linspace(0, 1.1 * high, POINTS), *np.geomspace(low, 1.1 * high, POINTS), *step])


def fit_colour(place: int, colours: Theme) -> QColor:
    """Return the colour of the curve at a place among those shown."""
    return QColor(HUES[place % len(HUES)][colours.is_dark])


def fit_panel(shown: PartCurves, curves: Sequence[FitCurve], chosen: FitCurve | None, title: str) -> CdfPanel:
    """Return the panel of a part: some of its curves, one of them chosen, and upon them its samples."""
    samples = shown.part.samples
    recorded = f"recorded ({value_text(len(samples), 'tasks')} sample{'' if len(samples) == 1 else 's'})"
    # the recorded line begins and ends at the borders of the plot
    times = np.concatenate([[0.0], samples, [2.0 * samples[-1] + 1.0]])
    part = np.append(np.arange(len(samples) + 1) / len(samples), 1.0)
    steps = CdfCurve(recorded, times, part, lambda colours: QPen(colours.text, 1.6))
    lines = [_line(place, curve, curve is chosen) for place, curve in enumerate(curves)]
    return CdfPanel(title, (*lines, steps), samples, chosen.gap if chosen is not None else None)


def _line(place: int, curve: FitCurve, is_chosen: bool) -> CdfCurve:
    def pen(colours: Theme) -> QPen:
        return QPen(fit_colour(place, colours), 2.6 if is_chosen else 1.4, DASHES[place % len(DASHES)])

    name = f"{curve.fit.distribution.title}, distance {curve.fit.distance:.3f}"
    return CdfCurve(name, curve.times, curve.probabilities, pen, has_steps=False)


def fit_table(shown: PartCurves, curves: Sequence[FitCurve]) -> ChartTable:
    """Return each sample with the fraction up to it, and what every curve expects there."""
    samples = shown.part.samples
    found = np.searchsorted(samples, samples, side="right") / len(samples)
    columns = [curve.fit.distribution.cumulative(samples).tolist() for curve in curves]
    header = ("seconds", "recorded", *(str(curve.fit.distribution) for curve in curves))
    return ChartTable(header, tuple(zip(samples.tolist(), found.tolist(), *columns, strict=True)))
