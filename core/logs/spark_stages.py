"""Stages and jobs of a Spark application as far as its events name them, and what is still to come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.logs.logged_job import LoggedTask


@dataclass(slots=True)
class SparkStage:
    """A stage as far as it is known; times as they stand in the log.

    Attributes
    ----------
    parents : the stages that it reads
    tasks : how many it has
    name : what it does, by the line of the program
    has_run : whether it was really run
    submitted, completed : of its first attempt to be submitted, and of the last one that is complete
    failures : how many of its attempts failed as a whole
    """

    parents: frozenset[int] = frozenset()
    tasks: int = 0
    name: str = ""
    has_run: bool = False
    submitted: int | None = None
    completed: int | None = None
    failures: int = 0


@dataclass(slots=True)
class SparkJob:
    """A job as far as it is known; times as they stand in the log.

    Attributes
    ----------
    number : its number; None for stages of which no job is known
    execution : the SQL query that it is a part of, by its number
    title : what it does, where no query says it
    has_start : whether its first event was met
    """

    number: int | None
    pool: str = "default"
    submit: object = None
    stages: list[int] = field(default_factory=list)
    end: object = None
    result: str = ""
    execution: int | None = None
    title: str = ""
    has_start: bool = True

    @property
    def goes_on(self) -> bool:
        """Whether its start is known and its end is not."""
        return self.number is not None and self.has_start and not self.result and self.end is None


def stages_to_come(stages: Mapping[int, SparkStage]) -> set[int]:
    """Return which stages of a job have not been submitted and will be.

    Spark submits a stage once all that it reads is there. So one that has not been submitted, although it
    reads nothing that is still to be written, is skipped, as what it writes is there; and so is one that has
    been read.

    Parameters
    ----------
    stages : those of a job whose end the log does not have, by their numbers
    """
    if not any(stage.has_run for stage in stages.values()):
        return set(stages)  # it was about to begin
    read = {parent for stage in stages.values() if stage.has_run for parent in stage.parents}
    found: set[int] = set()
    for number, stage in sorted(stages.items()):
        if stage.has_run or number in read:
            continue
        if any(parent in found or _is_written(stages.get(parent)) for parent in stage.parents):
            found.add(number)
    return found


def _is_written(stage: SparkStage | None) -> bool:
    """Whether a stage has been submitted and is not complete."""
    return stage is not None and stage.has_run and stage.completed is None


def tasks_to_come(stage: SparkStage, tasks: Sequence[LoggedTask]) -> int:
    """Return how many tasks of a stage have not begun, if the log ends before its job does.

    Parameters
    ----------
    tasks : those of which an attempt is known
    """
    if stage.completed is not None:
        return 0
    begun = sum(task.counting is not None or task.running is not None for task in tasks)
    return max(stage.tasks, len(tasks)) - begun
