"""One job of a log, ready for a workload, with the account of what was kept, left out and clamped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from core.traces.attempt_columns import AttemptColumns
from core.traces.recorded_job import Settings

if TYPE_CHECKING:
    from core.workload import Job


class Note(NamedTuple):
    """Something worth saying about one job: what, and how many."""

    what: str
    number: int


@dataclass(frozen=True, slots=True)
class StageCount:
    """Tasks of one kind: kept, left out by reason; attempts by result."""

    kept: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    attempts: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: StageCount) -> StageCount:
        return StageCount(
            self.kept + other.kept, self.left_out + other.left_out, self.attempts + other.attempts
        )


@dataclass(frozen=True, slots=True)
class JobProfile:
    """One job of a log, ready to be put into a workload.

    Attributes
    ----------
    name : as the log has it
    job : the job with arrival 0, None when it has no usable task
    submit, launch, finish : milliseconds on the log's clock; the last two may be unknown
    maps, reduces : what was kept and left out
    clamped : seconds below 0 of each time that was raised to 0, by kind
    missing : times that the log does not have, by kind
    others : tasks that are neither map nor reduce, by type
    notes : what is worth saying about this job
    attempts : everything that ran for it
    settings : what its configuration says about the cluster
    title : what its user calls it
    """

    name: str
    job: Job | None
    submit: int
    launch: int | None = None
    finish: int | None = None
    maps: StageCount = field(default_factory=StageCount)
    reduces: StageCount = field(default_factory=StageCount)
    clamped: dict[str, list[float]] = field(default_factory=dict)
    missing: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    notes: tuple[Note, ...] = ()
    attempts: AttemptColumns = field(default_factory=AttemptColumns)
    settings: Settings = field(default_factory=Settings)
    title: str = ""
