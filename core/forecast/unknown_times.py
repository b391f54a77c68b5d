"""Draws of how long tasks take that run or wait, given those that have ended.

The logarithms of the times of one stage are taken as normal; so are the means of the stages around a common
one, or around what an estimate or an earlier run of the job says, with a heavier tail. A task that runs takes
longer than it has run. Means and spreads are drawn as well (a Markov chain), so that a stage of which two
tasks have ended has wider chances than one of which two hundred have.

Source: Gelman et al., Bayesian Data Analysis, 3rd edition, 5.4 and 11.6 (hierarchical normal model); times
that have not come to their end as in its chapter 8 (censored data).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.error_factors import COMMON_SHARE
from core.model.limits import MAX_SECONDS
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from core.forecast.known import KnownColumn

    Floats = NDArray[np.float64]

BURN_IN = 100
"""Turns before the first draw."""
TURNS = 3
"""Between two draws."""
STEPS = 2
"""Of means and spreads in a turn."""
STRIDE = 2.0
"""Length of a step, in standard deviations of what it goes about in."""
TAIL = 5.0
"""Degrees of freedom of how the stages' means lie about the common one: some lie far off."""
STAGE_SPREAD = 0.5
"""Prior standard deviation of the logarithm of a stage's mean time around that of the others."""
TASK_SPREAD = 0.3
"""Prior standard deviation of the logarithm of a task's time around its stage's."""
MEAN_SPREAD = 1.0
"""Prior standard deviation of the common mean around that of all tasks that have ended."""
PRIOR_STAGES, PRIOR_TASKS = 3.0, 10.0
"""How many stages, and tasks of a stage, the priors of the spreads count for."""
MIN_SPREAD = 1e-6


@dataclass(frozen=True)
class StageGuesses:
    """What is thought of the times of stages before any task of them has ended.

    Attributes
    ----------
    mean : of the logarithms of the times in seconds; nan where nothing is thought, minus infinity where they
        are 0, (stages,)
    spread : standard deviation of the logarithms within the stage, (stages,)
    error : standard deviation of the logarithm of the factor by which the means are wrong
    """

    mean: Floats
    spread: Floats
    error: float


def no_guesses(stages: int) -> StageGuesses:
    """Return that nothing is thought of any of so many stages."""
    return StageGuesses(np.full(stages, np.nan), np.full(stages, TASK_SPREAD), STAGE_SPREAD)


class UnknownTimes:
    """One of the times of all tasks, drawn again and again, as far as it is not known.

    Parameters
    ----------
    column : what is known
    stage : of each task, (tasks,)
    kind : the type of the tasks of each stage, (stages,)
    guesses : of each stage
    random : where the draws come from
    """

    def __init__(
        self,
        column: KnownColumn,
        stage: NDArray[np.int32],
        kind: NDArray[np.int8],
        guesses: StageGuesses,
        random: Generator,
    ) -> None:
        self._column, self._stage, self._random = column, stage, random
        self._stages = len(kind)
        self._guessed = ~np.isnan(guesses.mean)
        self._group = np.where(self._guessed, len(TASK_TYPES), 0) + kind
        self._offset = np.where(np.isfinite(guesses.mean), guesses.mean, 0.0)
        self._ended = column.is_known & (column.seconds > 0)
        self._runs = np.flatnonzero(column.is_under_way)
        self._log = np.log(column.seconds, where=self._ended, out=np.zeros(len(stage)))
        with np.errstate(divide="ignore"):  # what has just begun takes longer than 0 s
            self._over = np.log(column.longer_than[self._runs])
        self._zero = self._chances_of_zero(guesses)
        self._count, self._average, self._squares = self._moments()
        self._prior_variance = self._pooled_variance(guesses)
        groups = 2 * len(TASK_TYPES)
        wrong = max(guesses.error**2, MIN_SPREAD)
        self._prior_between = np.repeat([STAGE_SPREAD**2, (1 - COMMON_SHARE) * wrong], len(TASK_TYPES))
        self._prior_mean_variance = np.repeat([MEAN_SPREAD**2, COMMON_SHARE * wrong], len(TASK_TYPES))
        self._prior_mean = np.zeros(groups)
        self._prior_mean[: len(TASK_TYPES)] = self._mean_of_ended(kind)
        self._common = self._prior_mean.copy()
        self._between = self._prior_between.copy()
        guess = self._offset + self._common[self._group]
        self._mean = np.where(self._count > 0, self._average, guess)
        self._spread = np.sqrt(self._prior_variance)
        self._wide = np.ones(self._stages)
        self._seen = (self._count > 0) | (np.bincount(self._stage[self._runs], minlength=self._stages) > 0)
        for _ in range(BURN_IN):
            self._turn()

    def draw(self) -> Floats:
        """Return a time for every task, those that are known among them; seconds, (tasks,)."""
        for _ in range(TURNS):
            self._turn()
        return self._drawn(self._column, self._runs, self._over)

    def draw_others(self, column: KnownColumn) -> Floats:
        """Return other times of the same tasks, drawn on their own by what the last draw was drawn by.

        Parameters
        ----------
        column : what is known of them
        """
        runs = np.flatnonzero(column.is_under_way)
        with np.errstate(divide="ignore"):  # what has just begun takes longer than 0 s
            return self._drawn(column, runs, np.log(column.longer_than[runs]))

    def _drawn(self, column: KnownColumn, runs: NDArray[np.int64], over: Floats) -> Floats:
        """Draw times that are not known; of what runs those above some, of which the logarithms are given."""
        stage, random = self._stage, self._random
        logs = self._mean[stage] + self._spread[stage] * random.standard_normal(len(stage))
        logs[runs] = self._above(over, stage[runs])
        times = np.exp(np.minimum(logs, np.log(MAX_SECONDS)))
        are_zero = random.random(len(stage)) < self._zero[stage]
        are_zero[runs] = False
        times[are_zero] = 0.0
        least = np.nextafter(column.longer_than[runs], np.inf)
        times[runs] = np.maximum(times[runs], least)
        drawn: Floats = np.where(column.is_known, column.seconds, times)
        return drawn

    def _turn(self) -> None:
        """Draw means and spreads of all stages, given each other and the times that are known."""
        expected = self._offset + self._common[self._group]
        between = self._between[self._group] * self._wide
        for _ in range(STEPS):
            self._step(expected, between)
        off = (self._mean - expected) ** 2 / self._between[self._group]
        self._wide = (TAIL + off) / 2 / self._random.gamma((TAIL + 1) / 2, size=self._stages)
        self._draw_common()

    def _step(self, expected: Floats, between: Floats) -> None:
        """Let mean and spread of each stage go a random step, if they then fit as well (Metropolis)."""
        random, stages = self._random, self._stages
        reach = STRIDE / np.sqrt(self._count / self._spread**2 + 1 / between)
        mean = self._mean + reach * random.standard_normal(stages)
        fit = self._fit(self._mean, self._spread, expected, between)
        there = self._fit(mean, self._spread, expected, between)
        goes = np.log1p(-random.random(stages)) < there - fit
        self._mean, fit = np.where(goes, mean, self._mean), np.where(goes, there, fit)
        reach = STRIDE / np.sqrt(2 * (self._count + PRIOR_TASKS))
        spread = self._spread * np.exp(reach * random.standard_normal(stages))
        there = self._fit(self._mean, spread, expected, between)
        goes = np.log1p(-random.random(stages)) < there - fit
        self._spread = np.where(goes, spread, self._spread)

    def _fit(self, mean: Floats, spread: Floats, expected: Floats, between: Floats) -> Floats:
        """Return the logarithm of the density of means and spreads, up to a constant, (stages,)."""
        from scipy.special import log_ndtr  # 60 ms, and only forecasts need it

        stage = self._stage[self._runs]
        longer = log_ndtr((mean[stage] - self._over) / spread[stage])
        fit = np.bincount(stage, longer, self._stages).astype(np.float64)  # of none they are whole
        squares = self._squares + self._count * (self._average - mean) ** 2
        fit -= self._count * np.log(spread) + squares / (2 * spread**2)
        fit -= (mean - expected) ** 2 / (2 * between)
        fit -= PRIOR_TASKS * (np.log(spread) + self._prior_variance / (2 * spread**2))
        density: Floats = fit
        return density

    def _draw_common(self) -> None:
        """Draw the mean and the spread of the stages of each group, by those of which something is known."""
        seen = self._seen
        group, groups = self._group[seen], len(self._common)
        rest, weight = (self._mean - self._offset)[seen], 1 / self._wide[seen]
        count = np.bincount(group, minlength=groups)
        precision = np.bincount(group, weight, groups) / self._between + 1 / self._prior_mean_variance
        total = np.bincount(group, weight * rest, groups) / self._between
        middle = (total + self._prior_mean / self._prior_mean_variance) / precision
        self._common = middle + self._random.standard_normal(groups) / np.sqrt(precision)
        squares = np.bincount(group, weight * (rest - self._common[group]) ** 2, groups)
        scale = (PRIOR_STAGES * self._prior_between + squares) / 2
        self._between = scale / self._random.gamma((PRIOR_STAGES + count) / 2)

    def _above(self, least: Floats, stage: NDArray[np.int32]) -> Floats:
        """Draw logarithms that are larger than some, (times,): normal ones, cut off there."""
        from scipy.special import log_ndtr, ndtri_exp  # 60 ms, and only forecasts need it

        spread = self._spread[stage]
        limit = (least - self._mean[stage]) / spread
        part = np.log1p(-self._random.random(len(stage)))
        drawn: Floats = self._mean[stage] - spread * ndtri_exp(part + log_ndtr(-limit))
        return np.maximum(drawn, least)

    def _chances_of_zero(self, guesses: StageGuesses) -> Floats:
        """Return the chance of each stage's tasks to take no time, (stages,)."""
        known = self._column.is_known
        none = known & ~self._ended
        count = np.bincount(self._stage[known], minlength=self._stages)
        zeros = np.bincount(self._stage[none], minlength=self._stages)
        groups = 2 * len(TASK_TYPES)
        in_group = np.bincount(self._group, count, groups)
        usual = np.bincount(self._group, zeros, groups) / np.maximum(in_group, 1)
        usual[in_group == 0] = 0.0
        prior = np.where(self._guessed, np.isneginf(guesses.mean), usual[self._group])
        chance: Floats = (zeros + prior) / (count + 1)
        return chance

    def _pooled_variance(self, guesses: StageGuesses) -> Floats:
        """Return the prior variance of logarithms within each stage: its guess, else that of its group."""
        groups = 2 * len(TASK_TYPES)
        free = np.bincount(self._group, np.maximum(self._count - 1, 0), groups) + PRIOR_TASKS
        squares = np.bincount(self._group, self._squares, groups) + PRIOR_TASKS * TASK_SPREAD**2
        variance = np.where(self._guessed, guesses.spread**2, (squares / free)[self._group])
        return np.maximum(variance, MIN_SPREAD**2)

    def _mean_of_ended(self, kind: NDArray[np.int8]) -> Floats:
        """Return the mean logarithm of each kind of tasks that have ended; without any, of all of them."""
        ended = self._ended
        logs = [self._log[ended & (kind[self._stage] == k)] for k in range(len(TASK_TYPES))]
        whole = float(self._log[ended].mean()) if ended.any() else 0.0
        return np.array([each.mean() if len(each) else whole for each in logs])

    def _moments(self) -> tuple[Floats, Floats, Floats]:
        """Return how many tasks of each stage have ended, and mean and squares of their logarithms' rest."""
        stage, logs = self._stage[self._ended], self._log[self._ended]
        count = np.bincount(stage, minlength=self._stages).astype(np.float64)
        average = np.bincount(stage, logs, self._stages) / np.maximum(count, 1)
        squares: Floats = np.bincount(stage, (logs - average[stage]) ** 2, self._stages).astype(np.float64)
        return count, average, squares
