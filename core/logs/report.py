"""What an import kept, left out, clamped and assumed: nothing is dropped silently."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from core.logs.report_text import report_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.cluster import Cluster
    from core.model.errors import Problem
    from core.model.parameters import Parameter, ParameterValue


@dataclass(frozen=True, slots=True)
class ReportLine:
    """Something worth saying about one job: what, and how many tasks, times or samples it concerns."""

    job: str
    what: str
    count: int


@dataclass(frozen=True, slots=True)
class TaskCount:
    """Tasks of one kind in all jobs.

    Attributes
    ----------
    kept : tasks in the workload
    left_out : tasks without a usable attempt, by reason
    attempts : attempts of all jobs, by result
    """

    kept: int
    left_out: Mapping[str, int]
    attempts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Clamped:
    """Negative times of one kind that became 0: how many, their sum and the worst, in seconds below 0."""

    count: int
    seconds: float
    worst: float


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The account of one import.

    Attributes
    ----------
    format : title of the log's format, or of several
    files : names of the files that were read
    files_left_out : files of a folder that are no log, and what they look like
    jobs_kept : jobs in the workload
    jobs_left_out : name of each other job, and why
    repeated_names : jobs whose name another job had already; they got a number
    maps, reduces : tasks kept and left out
    other_tasks : tasks left out because they are neither maps nor reduces (setup, cleanup), by type
    clamped : negative times raised to 0, by kind
    missing : times the log does not have, by kind
    damage : places that could not be read, with the file's name
    damage_count : how many such places there are; `damage` lists the first ones
    assumptions : what was assumed, as sentences
    notes : what is worth saying about single jobs
    cluster, cluster_reason : the suggested cluster and where it comes from
    peaks : the most map and the most reduce attempts that ran at once
    started : moment of the first submission, milliseconds on the log's clock
    recorded_makespan : seconds from the first submission to the last job's end, None if not known
    parameters : what people may set in such an import, where the log does not say
    values : what each parameter was
    """

    format: str
    files: tuple[str, ...]
    files_left_out: tuple[tuple[str, str], ...]
    jobs_kept: int
    jobs_left_out: tuple[tuple[str, str], ...]
    repeated_names: int
    maps: TaskCount
    reduces: TaskCount
    other_tasks: Mapping[str, int]
    clamped: Mapping[str, Clamped]
    missing: Mapping[str, int]
    damage: tuple[Problem, ...]
    damage_count: int
    assumptions: tuple[str, ...]
    notes: tuple[ReportLine, ...]
    cluster: Cluster
    cluster_reason: str
    peaks: tuple[int, int]
    started: int
    recorded_makespan: float | None
    parameters: tuple[Parameter, ...] = ()
    values: Mapping[str, ParameterValue] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        """Whether everything in the log could be read and used as it stands."""
        left_out = (self.jobs_left_out, self.maps.left_out, self.reduces.left_out)
        return not any((*left_out, self.clamped, self.missing, self.damage, self.repeated_names))

    def notes_of(self, job: str) -> tuple[ReportLine, ...]:
        """Return the notes of one job."""
        return tuple(note for note in self.notes if note.job == job)

    def to_text(self) -> str:
        """Return the report as aligned text of a screen or two: sums first, then notes on jobs."""
        return report_text(self)

    def to_json(self) -> dict[str, Any]:
        """Return the whole report as plain values for `slotscope import --json`."""
        return asdict(self) | {"is_clean": self.is_clean}
