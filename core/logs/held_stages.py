"""The stages of batch jobs, each of which held processors for its whole run: made when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.logs.job_profile import NO_STAGE
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.many_jobs import TimesOfTasks


@dataclass(frozen=True, slots=True)
class HeldStages:
    """The stages of jobs that held so many slots for so many ms.

    Attributes
    ----------
    slots, run : of each job, int32 and int64 (jobs,)
    """

    slots: NDArray[np.int32]
    run: NDArray[np.int64]
    _made: dict[tuple[int, int], tuple[Stage, Stage]] = field(default_factory=dict)
    """Those of different jobs: many are alike."""

    @property
    def counts(self) -> NDArray[np.int32]:
        """The number of maps and of reduces of each job, (jobs, 2)."""
        return np.stack([self.slots, np.zeros_like(self.slots)], axis=1)

    @property
    def seconds(self) -> Sequence[NDArray[np.float64]]:
        """Times that stages have, the shortest and the longest among them."""
        return (np.array([self.run.min(), self.run.max()]) / 1000,) if len(self.run) else ()

    def at(self, places: NDArray[np.int64]) -> HeldStages:
        """Return those of some of the jobs."""
        return HeldStages(self.slots[places], self.run[places])

    def of(self, begin: int, end: int) -> list[tuple[Stage, Stage]]:
        """Return those of neighbouring jobs."""
        held = zip(self.slots[begin:end].tolist(), self.run[begin:end].tolist(), strict=True)
        return [self._made.get(each) or self._make(each) for each in held]

    def _make(self, held: tuple[int, int]) -> tuple[Stage, Stage]:
        slots, run = held
        made = self._made[held] = Stage.of(slots, run / 1000), NO_STAGE
        return made

    def task_times(self) -> TimesOfTasks:
        """Return the times of all tasks."""
        duration = np.repeat(self.run / 1000, self.slots)
        return duration, np.zeros(len(duration)), np.zeros(len(duration))
