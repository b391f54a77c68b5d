"""Fit distributions to the durations of a job template, and rank them by Kolmogorov-Smirnov distance.

Source: 001 section V.C fits LogNormal and many others to published durations and names each fit's
Kolmogorov-Smirnov value. Parameters are those of greatest likelihood, rounded to six digits; the distance is
measured after the rounding, so that it is the distance of what is shown, recorded and drawn from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.generate.distributions.distribution import Distribution, rounded
from core.generate.distributions.kinds import CONSTANT, FITTED, Kind
from core.model.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.job import Job

SHORTEST = 1e-9
"""Seconds; what takes less counts as 0."""
FEWEST_SAMPLES = 3
"""Fewer durations say nothing about a distribution: their mean is taken as constant."""

PARTS = {
    "map_durations": "Map durations",
    "first_shuffle": "First shuffles",
    "typical_shuffle": "Typical shuffles",
    "reduce_durations": "Reduce durations",
}
"""The samples of a job template (001 section III.A), as `slotscope generate fitted` names them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A distribution and its largest vertical distance from the samples' own distribution, 0 to 1."""

    distribution: Distribution
    distance: float


@dataclass(frozen=True, eq=False)
class PartFits:
    """What fits one part of a template.

    Attributes
    ----------
    part : a key of `PARTS`
    samples : seconds, ascending, (k,)
    fits : the best first, at least one
    left_out : title and reason of each distribution that cannot be fitted
    """

    part: str
    samples: NDArray[np.float64]
    fits: tuple[Fit, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def title(self) -> str:
        """What is fitted, for people."""
        return PARTS[self.part]

    @property
    def best(self) -> Fit:
        """The fit with the least distance."""
        return self.fits[0]

    def of_kind(self, kind: str) -> Fit | None:
        """Return the fit of a kind of distribution, None where it was left out."""
        return next((fit for fit in self.fits if fit.distribution.kind == kind), None)


def fit_job(job: Job) -> tuple[PartFits, ...]:
    """Fit every kind of distribution to each part of a job that has tasks.

    The samples are those of the template, each once, also where fewer or more tasks take them in turn.
    """
    parts = []
    if job.maps.count:
        parts.append(fit_samples("map_durations", job.maps.durations))
    if job.reduces.count:
        samples = (job.reduces.first_shuffle, job.reduces.typical_shuffle, job.reduces.durations)
        names = ("first_shuffle", "typical_shuffle", "reduce_durations")
        parts += [fit_samples(*each) for each in zip(names, samples, strict=True)]
    return tuple(parts)


def fit_samples(part: str, samples: NDArray[np.float64]) -> PartFits:
    """Fit every kind of distribution to durations in seconds, (k,); InputError if there are none."""
    if not len(samples):
        raise InputError(f"{PARTS[part]}: there are no durations to fit")
    samples = np.sort(np.where(samples < SHORTEST, 0.0, samples))
    samples.flags.writeable = False
    if _are_alike(samples):
        return PartFits(part, samples, (_constant(samples),))
    fits, left_out = _zeros_and_one_more(samples), []
    for kind in FITTED:
        found = _fit(kind, samples)
        if isinstance(found, Fit):
            fits.append(found)
        else:
            left_out.append((kind.title, found))
    return PartFits(part, samples, tuple(sorted(fits, key=lambda fit: fit.distance)), tuple(left_out))


def distance(samples: NDArray[np.float64], distribution: Distribution) -> float:
    """Return the Kolmogorov-Smirnov distance between ascending samples and a distribution.

    The largest difference, over all times, between the fraction of samples up to a time and the
    probability of a duration up to it; also just before the time, as samples jump, and so do zeros.
    """
    _, found, expected = widest_gap(samples, distribution)
    return abs(found - expected)


def widest_gap(samples: NDArray[np.float64], distribution: Distribution) -> tuple[float, float, float]:
    """Return where `distance` is measured: the time, the fraction of samples and the probability there."""
    points = np.union1d(samples, distribution.jumps)
    ranks = [np.searchsorted(samples, points, side=side) for side in ("left", "right")]
    found = np.concatenate(ranks) / len(samples)
    expected = np.concatenate([distribution.before(points), distribution.cumulative(points)])
    worst = int(np.abs(found - expected).argmax())
    return float(points[worst % len(points)]), float(found[worst]), float(expected[worst])


def _constant(samples: NDArray[np.float64]) -> Fit:
    is_one = samples[0] == samples[-1]
    seconds = float(samples[0] if is_one else samples.mean())
    constant = Distribution(CONSTANT.id, (seconds,)) if is_one else rounded(CONSTANT.id, (seconds,))
    return Fit(constant, distance(samples, constant))


def _zeros_and_one_more(samples: NDArray[np.float64]) -> list[Fit]:
    """Return zeros with a constant where few durations are above 0, or none differ there; else nothing."""
    positive = samples[samples > 0]
    if len(positive) == len(samples) or not _are_alike(positive):
        return []
    found = rounded(CONSTANT.id, (float(positive.mean()),), 1 - len(positive) / len(samples))
    return [Fit(found, distance(samples, found))]


def _are_alike(samples: NDArray[np.float64]) -> bool:
    """Whether there are too few different durations to fit a distribution to."""
    return len(samples) < FEWEST_SAMPLES or bool(samples[0] == samples[-1])


def _fit(kind: Kind, samples: NDArray[np.float64]) -> Fit | str:
    """Return the fit of one kind, or why there is none.

    Kinds for durations above 0 are fitted to those; the part that is 0 (shuffles often are) stays apart.
    """
    fitted = samples[samples > 0] if kind.positive else samples
    zeros = 1 - len(fitted) / len(samples)
    if _are_alike(fitted):
        return f"needs different durations above 0 s; {len(samples) - len(fitted)} of {len(samples)} are 0"
    try:
        with np.errstate(all="ignore"):
            values = kind.fit(fitted)
            found = rounded(kind.id, values, zeros)
            if not (np.isfinite(values).all() and kind.allows(*found.values)):
                return "no such distribution comes near"
            return Fit(found, distance(samples, found))
    except (ArithmeticError, RuntimeError, ValueError) as error:
        return f"cannot be fitted: {error}"
