"""Something that can be done in a night under way, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.model.time_text import clock_text, duration_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster

    Floats = NDArray[np.float64]

MIN_DISTURBANCE = 60.0
MIN_SAVED = 1.0
"""Seconds; what saves less is not worth a word."""


@dataclass(frozen=True)
class Relief:
    """Something that can be done now.

    Attributes
    ----------
    kind : "front": a job is served first; "weight": a job or a pool has more of it; "policy": another
        one goes on; "slots": there are more for a while; "kill": a second copy of a task is killed
    words : what to do, as "move J5 to the front"
    order : of jobs to be served, for "front"
    policy : that goes on, for "policy"
    cluster : with the slots, for "slots", or the copy that is killed, for "kill"
    seconds : how long the slots are there, or the copy has run, for nothing then
    name, weight : which job gets which weight, for "weight"; or which pool, if `is_pool`
    """

    kind: Literal["front", "weight", "policy", "slots", "kill"]
    words: str
    order: tuple[str, ...] = ()
    policy: str = ""
    cluster: Cluster | None = None
    seconds: float = 0.0
    name: str = ""
    weight: float = 1.0
    is_pool: bool = False


@dataclass(frozen=True, eq=False)
class TriedRelief:
    """A lever, and what comes of it.

    Attributes
    ----------
    relief : what is done
    jobs : their names
    before, after : when each job ends in each draw without and with it, seconds, (draws, jobs)
    deadline : of each job, infinity for none, (jobs,)
    is_open : whether each job has not ended, (jobs,)
    """

    relief: Relief
    jobs: tuple[str, ...]
    before: Floats
    after: Floats
    deadline: Floats
    is_open: NDArray[np.bool_]

    @cached_property
    def earlier(self) -> Floats:
        """By how much earlier each job ends on average, seconds, (jobs,)."""
        mean: Floats = (self.before - self.after).mean(axis=0)
        return mean

    @property
    def has_deadlines(self) -> bool:
        """Whether what counts is how late jobs are."""
        return bool(np.isfinite(self.deadline).any())

    @cached_property
    def saved(self) -> float:
        """The seconds that it saves: all that end earlier together, or are less late."""
        if not self.has_deadlines:
            return float(np.maximum(self.earlier, 0.0).sum())
        less = np.maximum(self.before - self.deadline, 0.0) - np.maximum(self.after - self.deadline, 0.0)
        return float(np.maximum(less.mean(axis=0), 0.0).sum())

    @cached_property
    def disturbance(self) -> float:
        """The seconds by which others end later, that added slots are there, that a killed copy has run."""
        return float(np.maximum(-self.earlier, 0.0).sum()) + self.relief.seconds

    @property
    def worth(self) -> float:
        """How many seconds it saves for each of disturbance."""
        return self.saved / max(self.disturbance, MIN_DISTURBANCE)

    @cached_property
    def in_time(self) -> Floats:
        """In which part of the draws each job then meets its deadline; nan for none, (jobs,)."""
        return self._kept(self.after)

    @cached_property
    def in_time_before(self) -> Floats:
        """In which part of the same draws each job meets it if nothing is done; nan for none, (jobs,)."""
        return self._kept(self.before)

    def _kept(self, ends: Floats) -> Floats:
        part: Floats = np.where(np.isinf(self.deadline), np.nan, (ends <= self.deadline).mean(axis=0))
        return part

    def over_by(self, seconds: float) -> tuple[float, float]:
        """Return in which part of the draws all jobs have ended by a time, without and with it."""
        before, after = (float((ends.max(axis=1) <= seconds).mean()) for ends in (self.before, self.after))
        return before, after

    def done_by(self, job: str, seconds: float) -> tuple[float, float]:
        """Return in which part of the draws a job has ended by a time, without and with it; nan for none."""
        if job not in self.jobs:
            return float("nan"), float("nan")
        j = self.jobs.index(job)
        before, after = (float((ends[:, j] <= seconds).mean()) for ends in (self.before, self.after))
        return before, after

    @cached_property
    def promises(self) -> list[str]:
        """What changes of the chances to be in time: "J4 by 2:30: 72 → 94 %" for each job that is due."""
        return [
            f"{self.jobs[j]} by {clock_text(self.deadline[j])}: {before} → {after} %"
            for j in self.due
            if (before := round(100 * self.in_time_before[j])) != (after := round(100 * self.in_time[j]))
        ]

    @property
    def moved(self) -> list[int]:
        """The jobs that it moves by a second or more on average, by their number."""
        found: list[int] = np.flatnonzero(np.abs(self.earlier) >= MIN_SAVED).tolist()
        return found

    @property
    def due(self) -> list[int]:
        """The jobs that have a deadline and are open, by their number."""
        found: list[int] = np.flatnonzero(np.isfinite(self.deadline) & self.is_open).tolist()
        return found

    @cached_property
    def over_sooner(self) -> float:
        """By how much sooner all jobs have ended on average, seconds."""
        return float((self.before.max(axis=1) - self.after.max(axis=1)).mean())

    @property
    def sentence(self) -> str:
        """What it does and saves: "Move J5 to the front: jobs end 12 min earlier together, …"."""
        words = f"{self.relief.words[0].upper()}{self.relief.words[1:]}"
        what = "jobs are less late by" if self.has_deadlines else "jobs end earlier by"
        later = float(np.maximum(-self.earlier, 0.0).sum())
        others = f"others end {duration_text(later)} later" if later >= MIN_SAVED else "none ends later"
        is_lost = self.relief.kind == "slots" and " node" in words
        return (
            f"{words}: {what} {duration_text(self.saved)} together, {others}; "
            f"{self.worth:.2g} minutes saved for each of disturbance."
            f"{' What runs there at the end of it runs again.' * is_lost}"
            f"{''.join(f' {each}.' for each in self.promises)}"
        )
