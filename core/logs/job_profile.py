"""One job of a log, ready for a workload, with the account of what was kept, left out and clamped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from core.logs.attempt_columns import AttemptColumns
from core.logs.recorded_job import Settings

if TYPE_CHECKING:
    from core.model.workload import Job


NOTHING: Counter[str] = Counter()
"""An empty count; values are read-only, so one serves all."""
NOT_CLAMPED: dict[str, list[float]] = {}
"""Likewise."""
_NO_ATTEMPTS = AttemptColumns()
_NO_SETTINGS = Settings()


class Note(NamedTuple):
    """Something worth saying about one job: what, and how many."""

    what: str
    number: int


@dataclass(frozen=True, slots=True)
class StageCount:
    """Tasks of one kind: kept, left out by reason; attempts by result."""

    kept: int = 0
    left_out: Counter[str] = field(default_factory=lambda: NOTHING)
    attempts: Counter[str] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class JobProfile:
    """One job of a log, ready to be put into a workload.

    Attributes
    ----------
    name : as the log has it
    job : the job; when it arrives is `submit`'s to say. None when it has no usable task
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
    clamped: dict[str, list[float]] = field(default_factory=lambda: NOT_CLAMPED)
    missing: Counter[str] = field(default_factory=lambda: NOTHING)
    others: Counter[str] = field(default_factory=lambda: NOTHING)
    notes: tuple[Note, ...] = ()
    attempts: AttemptColumns = field(default_factory=lambda: _NO_ATTEMPTS)
    settings: Settings = field(default_factory=lambda: _NO_SETTINGS)
    title: str = ""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was left out, clamped, missing or worth a note."""
        left_out = self.maps.left_out or self.reduces.left_out
        return not (left_out or self.notes or self.clamped or self.missing)
