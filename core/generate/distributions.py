"""Distributions of durations: their kinds, their parameters as text, and random numbers drawn from them.

Each kind is given by its usual parameters, has no shift, and knows how scipy calls it (for fits and
cumulative functions) and how numpy draws it. Numbers are drawn by numpy's seeded generator alone; scipy is
imported where it is needed: other versions of it change no drawn bit. LogNormal comes first (001 section
V.C).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import InputError, UnknownName, shorten
from core.model.limits import MAX_SECONDS

if TYPE_CHECKING:
    from numpy.typing import NDArray


Values = tuple[float, ...]
Draw = Callable[[np.random.Generator, Values, int], Any]
"""Any: an array of float64, which numpy names for type checkers only."""
Fixed = tuple[tuple[str, float], ...]
NO_SHIFT: Fixed = (("floc", 0.0),)


def _all_positive(*values: float) -> bool:
    return all(value > 0 for value in values)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind; by default it has a shape and a scale.

    Attributes
    ----------
    id, title : as typed, and as shown
    scipy_name : in `scipy.stats`
    draw : so many durations by numpy's generator
    names : of its parameters
    rule : what its parameters must satisfy, as a phrase, and `allows` says whether they do
    to_scipy, from_scipy : parameters as scipy has them (shapes, shift, scale), and back
    positive : whether it is for durations above 0 only
    fixed : what scipy's fit keeps as it is
    """

    id: str
    title: str
    scipy_name: str
    draw: Draw
    names: tuple[str, ...] = ("shape", "scale")
    rule: str = "shape and scale (s) above 0"
    allows: Callable[..., bool] = _all_positive
    to_scipy: Callable[..., Values] = lambda shape, scale: (shape, 0.0, scale)
    from_scipy: Callable[..., Values] = lambda shape, _, scale: (shape, scale)
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


LOGNORMAL = Kind(
    "lognormal",
    "LogNormal",
    "lognorm",
    lambda random, v, size: random.lognormal(v[0], v[1], size),
    ("mu", "sigma"),
    "mu and sigma > 0 those of the logarithm of seconds",
    lambda mu, sigma: sigma > 0 and abs(mu) < 100,
    lambda mu, sigma: (sigma, 0.0, float(np.exp(mu))),
    lambda s, _, scale: (float(np.log(scale)), s),
)
WEIBULL = Kind("weibull", "Weibull", "weibull_min", lambda random, v, size: v[1] * random.weibull(v[0], size))
GAMMA = Kind("gamma", "Gamma", "gamma", lambda random, v, size: random.gamma(v[0], v[1], size))
NORMAL = Kind(
    "normal",
    "Normal",
    "norm",
    lambda random, v, size: random.normal(v[0], v[1], size),
    ("mean", "deviation"),
    "mean and deviation in seconds, the deviation above 0",
    lambda mean, deviation: deviation > 0,
    lambda mean, deviation: (mean, deviation),
    lambda loc, scale: (loc, scale),
    positive=False,
    fixed=(),
)
EXPONENTIAL = Kind(
    "exponential",
    "Exponential",
    "expon",
    lambda random, v, size: random.exponential(v[0], size),
    ("mean",),
    "a mean (s) above 0",
    to_scipy=lambda mean: (0.0, mean),
    from_scipy=lambda _, scale: (scale,),
    positive=False,
)
PARETO = Kind(
    "pareto",
    "Pareto",
    "pareto",
    lambda random, v, size: v[1] * (1 + random.pareto(v[0], size)),
    ("shape", "least"),
    "shape and least duration (s) above 0",
)
UNIFORM = Kind(
    "uniform",
    "Uniform",
    "uniform",
    lambda random, v, size: random.uniform(v[0], v[1], size),
    ("least", "most"),
    "0 <= least < most, in seconds",
    lambda least, most: 0 <= least < most,
    lambda least, most: (least, most - least),
    lambda loc, scale: (loc, loc + scale),
    positive=False,
    fixed=(),
)
CONSTANT = Kind(
    "constant",
    "Constant",
    "uniform",
    lambda _, v, size: np.full(size, v[0]),
    ("seconds",),
    "seconds from 0 on",
    lambda seconds: seconds >= 0,
    lambda seconds: (seconds, 0.0),
    lambda loc, _: (loc,),
    positive=False,
    fixed=(),
)

FITTED_KINDS = (LOGNORMAL, WEIBULL, GAMMA, NORMAL, EXPONENTIAL, PARETO, UNIFORM)
"""In the order in which they are tried, which breaks ties between equally good fits."""
KINDS = (*FITTED_KINDS, CONSTANT)


DIGITS = 6
"""Significant digits of a parameter: what is shown is what is drawn from."""
MAX_ROUNDS, PATIENCE = 10_000, 200
"""How often durations are drawn again; if after some rounds most are still to come, none is waited for."""
_FORM = re.compile(r"\s*(?:([^()*]*)\*\s*0\s*\+)?\s*([\w-]+)\s*\(([^()]*)\)\s*")
_EXAMPLE = "lognormal(3.04, 1.29)"


@dataclass(frozen=True, slots=True)
class Distribution:
    """A kind of distribution and its parameters, perhaps with durations of 0 besides; times are seconds.

    Attributes
    ----------
    kind : the id of one of `KINDS`
    values : its parameters in the order of the kind's `names`
    zeros : the part of the durations that is 0, from 0 to 1; all others follow the kind
    """

    kind: str
    values: tuple[float, ...]
    zeros: float = 0.0

    @property
    def described(self) -> Kind:
        """The kind with its title and its functions."""
        return kind_of(self.kind)

    def __str__(self) -> str:
        zeros = f"{_short(self.zeros)}*0 + " if self.zeros else ""
        return f"{zeros}{self.kind}({', '.join(map(_short, self.values))})"

    @property
    def title(self) -> str:
        """What it is called where it is shown."""
        return (
            f"{100 * self.zeros:.3g} % zeros, {self.described.title}" if self.zeros else self.described.title
        )

    @property
    def jumps(self) -> tuple[float, ...]:
        """The durations that have a probability of their own."""
        constant = self.values if self.kind == CONSTANT.id else ()
        return (0.0, *constant) if self.zeros else constant

    def cumulative(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of a duration up to each time, of the same shape."""
        return self._with_zeros(self.described.cumulative(times, self.values), times >= 0)

    def before(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of a duration shorter than each time, of the same shape."""
        if self.kind == CONSTANT.id:
            return self._with_zeros((times > self.values[0]).astype(np.float64), times > 0)
        return self._with_zeros(self.described.cumulative(times, self.values), times > 0)

    def _with_zeros(self, others: NDArray[np.float64], has_zeros: NDArray[np.bool_]) -> NDArray[np.float64]:
        probability: NDArray[np.float64] = self.zeros * has_zeros + (1 - self.zeros) * others
        return probability

    def draw(self, random: np.random.Generator, count: int, least: float = 0.0) -> NDArray[np.float64]:
        """Draw durations of at least `least` seconds, (count,).

        First it is drawn which ones are 0 (they then take `least`), if any are; the others are drawn
        together, and again as long as they are shorter than `least` or longer than `MAX_SECONDS`.

        Raises
        ------
        InputError
            the distribution hardly ever gives a duration in this range
        """
        times = np.full(count, least)
        left = np.flatnonzero(random.random(count) >= self.zeros) if self.zeros else np.arange(count)
        for rounds in range(MAX_ROUNDS):
            if not len(left):
                return times
            if rounds == PATIENCE and 2 * len(left) > count:
                break  # drawing on would take for ever
            with np.errstate(over="ignore"):
                times[left] = self.described.draw(random, self.values, len(left))
            left = left[~((times[left] >= least) & (times[left] <= MAX_SECONDS))]
        raise InputError(f"{self} hardly ever gives a duration from {least:g} to {MAX_SECONDS:g} s")


def rounded(kind: str, values: tuple[float, ...], zeros: float = 0.0) -> Distribution:
    """Return a distribution whose parameters have `DIGITS` significant digits."""
    short = [float(f"{value:.{DIGITS}g}") for value in (*values, zeros)]
    return Distribution(kind, tuple(short[:-1]), short[-1])


def _short(value: float) -> str:
    """Write a number with a few digits if they give it exactly, else with all."""
    few = f"{value:.{DIGITS}g}"
    return few if float(few) == value else repr(value)


def parse_distribution(text: str) -> Distribution:
    """Return the distribution that a text such as "lognormal(3.04, 1.29)" names.

    "0.25*0 + lognormal(3.04, 1.29)" is 0 in a quarter of all cases.

    Raises
    ------
    InputError
        the text is no such call, or a parameter breaks the rule of its kind
    UnknownName
        no such kind
    """
    form = _FORM.fullmatch(text)
    if form is None:
        ids = ", ".join(kind.id for kind in KINDS)
        raise InputError(f"{shorten(text)} is no distribution; write it as {_EXAMPLE}; there are {ids}")
    kind = kind_of(form[2])
    zeros = 0.0 if form[1] is None else _number(form[1], text)
    values = tuple(_number(part, text) for part in form[3].split(","))
    if len(values) != len(kind.names) or not kind.allows(*values):
        raise InputError(f"{shorten(text)}: give {kind.id}({', '.join(kind.names)}) with {kind.rule}")
    if not 0 <= zeros < 1:
        raise InputError(
            f"{shorten(text)}: the part of zeros is {zeros:g}; give a fraction from 0 to below 1"
        )
    return Distribution(kind.id, values, zeros)


def _number(text: str, whole: str) -> float:
    try:
        number = float(text.partition("=")[2] or text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{shorten(whole)}: '{text.strip()}' is no number; write it as {_EXAMPLE}")
    return number
