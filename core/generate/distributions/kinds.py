"""The kinds of distributions that are fitted to durations, LogNormal first (001 section V.C).

Each is given by its usual parameters, has no shift, and knows how scipy calls it (for fits and cumulative
functions) and how numpy draws it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import UnknownName

if TYPE_CHECKING:
    from numpy.typing import NDArray

Values = tuple[float, ...]
Draw = Callable[[np.random.Generator, Values, int], Any]
"""Any: an array of float64, which numpy names for type checkers only."""
Fixed = tuple[tuple[str, float], ...]
NO_SHIFT: Fixed = (("floc", 0.0),)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind.

    Attributes
    ----------
    id, title : as typed, and for people
    names : of its parameters
    rule : what its parameters must satisfy, as a phrase, and `allows` says whether they do
    scipy_name : in `scipy.stats`
    to_scipy, from_scipy : parameters as scipy has them (shapes, shift, scale), and back
    draw : so many durations by numpy's generator
    positive : whether it is for durations above 0 only
    fixed : what scipy's fit keeps as it is
    """

    id: str
    title: str
    names: tuple[str, ...]
    rule: str
    allows: Callable[..., bool]
    scipy_name: str
    to_scipy: Callable[..., Values]
    from_scipy: Callable[..., Values]
    draw: Draw
    positive: bool = True
    fixed: Fixed = NO_SHIFT

    @property
    def in_scipy(self) -> Any:
        """The distribution of `scipy.stats`, whose classes are not public (hence Any)."""
        import scipy.stats

        return getattr(scipy.stats, self.scipy_name)

    def fit(self, samples: NDArray[np.float64]) -> Values:
        """Return the parameters of greatest likelihood; raises what scipy raises."""
        return tuple(
            float(value) for value in self.from_scipy(*self.in_scipy.fit(samples, **dict(self.fixed)))
        )

    def cumulative(self, times: NDArray[np.float64], values: Values) -> NDArray[np.float64]:
        """Return the probability of a duration up to each time."""
        if self.id == CONSTANT.id:
            return (times >= values[0]).astype(np.float64)
        probability: NDArray[np.float64] = self.in_scipy.cdf(times, *self.to_scipy(*values))
        return probability


def kind_of(kind_id: str) -> Kind:
    """Return a kind by id; UnknownName with the nearest id if there is none."""
    known = {kind.id: kind for kind in KINDS}
    if kind_id not in known:
        raise UnknownName("distribution", kind_id, known)
    return known[kind_id]


def _all_positive(*values: float) -> bool:
    return all(value > 0 for value in values)


LOGNORMAL = Kind(
    "lognormal",
    "LogNormal",
    ("mu", "sigma"),
    "mu and sigma > 0 those of the logarithm of seconds",
    lambda mu, sigma: sigma > 0 and abs(mu) < 100,
    "lognorm",
    lambda mu, sigma: (sigma, 0.0, float(np.exp(mu))),
    lambda s, _, scale: (float(np.log(scale)), s),
    lambda random, v, size: random.lognormal(v[0], v[1], size),
)
WEIBULL = Kind(
    "weibull",
    "Weibull",
    ("shape", "scale"),
    "shape and scale (s) above 0",
    _all_positive,
    "weibull_min",
    lambda shape, scale: (shape, 0.0, scale),
    lambda c, _, scale: (c, scale),
    lambda random, v, size: v[1] * random.weibull(v[0], size),
)
GAMMA = Kind(
    "gamma",
    "Gamma",
    ("shape", "scale"),
    "shape and scale (s) above 0",
    _all_positive,
    "gamma",
    lambda shape, scale: (shape, 0.0, scale),
    lambda a, _, scale: (a, scale),
    lambda random, v, size: random.gamma(v[0], v[1], size),
)
NORMAL = Kind(
    "normal",
    "Normal",
    ("mean", "deviation"),
    "mean and deviation in seconds, the deviation above 0",
    lambda mean, deviation: deviation > 0,
    "norm",
    lambda mean, deviation: (mean, deviation),
    lambda loc, scale: (loc, scale),
    lambda random, v, size: random.normal(v[0], v[1], size),
    positive=False,
    fixed=(),
)
EXPONENTIAL = Kind(
    "exponential",
    "Exponential",
    ("mean",),
    "a mean (s) above 0",
    _all_positive,
    "expon",
    lambda mean: (0.0, mean),
    lambda _, scale: (scale,),
    lambda random, v, size: random.exponential(v[0], size),
    positive=False,
)
PARETO = Kind(
    "pareto",
    "Pareto",
    ("shape", "least"),
    "shape and least duration (s) above 0",
    _all_positive,
    "pareto",
    lambda shape, least: (shape, 0.0, least),
    lambda b, _, scale: (b, scale),
    lambda random, v, size: v[1] * (1 + random.pareto(v[0], size)),
)
UNIFORM = Kind(
    "uniform",
    "Uniform",
    ("least", "most"),
    "0 <= least < most, in seconds",
    lambda least, most: 0 <= least < most,
    "uniform",
    lambda least, most: (least, most - least),
    lambda loc, scale: (loc, loc + scale),
    lambda random, v, size: random.uniform(v[0], v[1], size),
    positive=False,
    fixed=(),
)
CONSTANT = Kind(
    "constant",
    "Constant",
    ("seconds",),
    "seconds from 0 on",
    lambda seconds: seconds >= 0,
    "uniform",
    lambda seconds: (seconds, 0.0),
    lambda loc, _: (loc,),
    lambda _, v, size: np.full(size, v[0]),
    positive=False,
    fixed=(),
)

FITTED = (LOGNORMAL, WEIBULL, GAMMA, NORMAL, EXPONENTIAL, PARETO, UNIFORM)
"""In the order in which they are tried, which breaks ties between equally good fits."""
KINDS = (*FITTED, CONSTANT)
