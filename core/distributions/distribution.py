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

from core.distributions.kinds import KINDS, Kind, kind_of
from core.errors import InputError, shorten
from core.job import MOST_SECONDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIGITS = 6
"""Significant digits of a parameter: what is shown is what is drawn from."""
MOST_ROUNDS = 1000
_FORM = re.compile(r"\s*([\w-]+)\s*\(([^()]*)\)\s*")
_EXAMPLE = "lognormal(3.04, 1.29)"


@dataclass(frozen=True, slots=True)
class Distribution:
    """A kind of distribution and its parameters; times are seconds.

    Attributes
    ----------
    kind : the id of one of `KINDS`
    values : its parameters in the order of the kind's `names`
    """

    kind: str
    values: tuple[float, ...]

    @property
    def described(self) -> Kind:
        """The kind with its title and its functions."""
        return kind_of(self.kind)

    def __str__(self) -> str:
        return f"{self.kind}({', '.join(f'{value:.{DIGITS}g}' for value in self.values)})"

    def label(self) -> str:
        """Return the distribution with the names of its parameters, for people."""
        parts = zip(self.described.names, self.values, strict=True)
        return f"{self.described.title} ({', '.join(f'{name} {value:.{DIGITS}g}' for name, value in parts)})"

    def cumulative(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of a duration up to each time, of the same shape."""
        return self.described.cumulative(times, self.values)

    def draw(self, random: np.random.Generator, count: int, least: float = 0.0) -> NDArray[np.float64]:
        """Draw durations of at least `least` seconds (each is drawn again until it is), (count,).

        Raises
        ------
        InputError
            the distribution hardly ever gives a duration from `least` to `MOST_SECONDS`
        """
        times = np.full(count, -1.0)
        left = np.arange(count)
        for _ in range(MOST_ROUNDS):
            if not len(left):
                return times
            with np.errstate(over="ignore"):
                times[left] = self.described.draw(random, self.values, len(left))
            left = left[~((times[left] >= least) & (times[left] <= MOST_SECONDS))]
        raise InputError(f"{self} hardly ever gives a duration from {least:g} to {MOST_SECONDS:g} s")


def rounded(kind: str, values: tuple[float, ...]) -> Distribution:
    """Return a distribution whose parameters have `DIGITS` significant digits, as its text shows them."""
    return Distribution(kind, tuple(float(f"{value:.{DIGITS}g}") for value in values))


def parse_distribution(text: str) -> Distribution:
    """Return the distribution that a text such as "lognormal(3.04, 1.29)" names.

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
    kind = kind_of(form[1])
    values = tuple(_number(part, text) for part in form[2].split(","))
    if len(values) != len(kind.names) or not kind.allows(*values):
        raise InputError(f"{shorten(text)}: give {kind.id}({', '.join(kind.names)}) with {kind.rule}")
    return Distribution(kind.id, values)


def _number(text: str, whole: str) -> float:
    try:
        number = float(text.partition("=")[2] or text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{shorten(whole)}: '{text.strip()}' is no number; write it as {_EXAMPLE}")
    return number
