"""A distribution of durations with its parameters, as text and as random numbers.

Numbers are drawn by numpy's seeded generator alone; scipy, which fits distributions and knows their
cumulative functions, is imported where it is needed: other versions of it change no drawn bit.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.generate.distributions.kinds import CONSTANT, KINDS, Kind, kind_of
from core.model.errors import InputError, shorten
from core.model.job import MOST_SECONDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIGITS = 6
"""Significant digits of a parameter: what is shown is what is drawn from."""
MOST_ROUNDS, PATIENCE = 10_000, 200
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
        """What it is called, for people."""
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
        together, and again as long as they are shorter than `least` or longer than `MOST_SECONDS`.

        Raises
        ------
        InputError
            the distribution hardly ever gives a duration in this range
        """
        times = np.full(count, least)
        left = np.flatnonzero(random.random(count) >= self.zeros) if self.zeros else np.arange(count)
        for rounds in range(MOST_ROUNDS):
            if not len(left):
                return times
            if rounds == PATIENCE and 2 * len(left) > count:
                break  # drawing on would take for ever
            with np.errstate(over="ignore"):
                times[left] = self.described.draw(random, self.values, len(left))
            left = left[~((times[left] >= least) & (times[left] <= MOST_SECONDS))]
        raise InputError(f"{self} hardly ever gives a duration from {least:g} to {MOST_SECONDS:g} s")


def rounded(kind: str, values: tuple[float, ...], zeros: float = 0.0) -> Distribution:
    """Return a distribution whose parameters have `DIGITS` significant digits."""
    short = [float(f"{value:.{DIGITS}g}") for value in (*values, zeros)]
    return Distribution(kind, tuple(short[:-1]), short[-1])


def _short(value: float) -> str:
    """Write a number with a few digits if they say it exactly, else with all."""
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
