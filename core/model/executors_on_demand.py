"""Executors that an application asks for while tasks wait and gives up when idle, as Spark may."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import inf


@dataclass(frozen=True, slots=True)
class ExecutorsOnDemand:
    """When executors are asked for and given up; times in s.

    Attributes
    ----------
    least : so many are kept whatever happens
    initial : so many are asked for at the start
    backlog : where tasks have waited for so long, the first ones more are asked for
    sustained : and twice as many again for as long as tasks wait, each time after so long
    idle : an executor that has run no task for so long is given up
    keeps_shuffles : whether one that keeps what a stage wrote for others stays, as no service keeps it
    start : from when one is asked for until it takes tasks
    warm_up : so much longer the first task takes on each slot of a new one, which loads its classes
    """

    least: int = 0
    initial: int = 0
    backlog: float = 1.0
    sustained: float = 1.0
    idle: float = 60.0
    keeps_shuffles: bool = True
    start: float = 2.0
    warm_up: float = 0.0

    @property
    def is_sound(self) -> bool:
        """Whether all of it can be: nothing is negative, and time passes between requests."""
        numbers = [getattr(self, each.name) for each in fields(self)]
        return all(0 <= number < inf for number in numbers) and self.sustained > 0
