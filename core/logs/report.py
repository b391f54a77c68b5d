"""What an import kept, left out, clamped and assumed, also as text: nothing is dropped silently."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from core.logs.job_profile import TaskCount
    from core.model.cluster import Cluster
    from core.model.errors import Problem
    from core.model.parameters import Parameter, ParameterValue


WIDTH = 100
LABEL = 18
MOST_LINES = 16
"""Lines of one kind; the rest is counted, and complete in the JSON report."""
MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class ReportLine:
    """Something worth saying about one job: what, and how many tasks, times or samples it concerns."""

    job: str
    what: str
    count: int


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
    parameters : what can be set in such an import, where the log does not say
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

    def to_text(self) -> str:
        """Return the report as aligned text of a screen or two: sums first, then notes on jobs."""
        lines: list[str] = []
        for label, texts in _entries(self):
            said = [line for text in texts for line in wrap(text, WIDTH - LABEL, subsequent_indent="  ")]
            lines += [f"{label if i == 0 else '':<{LABEL}} {line}" for i, line in enumerate(said)]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return the whole report as plain values for `slotscope import --json`."""
        return asdict(self) | {"is_clean": self.is_clean}


def _entries(report: ImportReport) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the labels of the report and what stands beside each; nothing does where there is nothing."""
    left_out = f", {len(report.jobs_left_out)} left out" if report.jobs_left_out else ""
    repeated = f"{report.repeated_names} repeated names were made unique with a number"
    makespan, cluster = report.recorded_makespan, report.cluster
    slots = f"{cluster.map_slots} map slots, {cluster.reduce_slots} reduce slots"
    if cluster.has_containers:
        slots = f"{cluster.containers} slots for maps and reduces"
    yield "format", [report.format]
    yield "files", _first(report.files)
    yield "files left out", _first(f"{name}: {looks}" for name, looks in report.files_left_out)
    yield "jobs", [f"{report.jobs_kept} kept{left_out}"]
    yield "", _first(f"{name}: {why}" for name, why in report.jobs_left_out)
    yield "", [repeated] if report.repeated_names else []
    yield "recorded makespan", ["unknown" if makespan is None else f"{makespan:,.1f} s"]
    yield "maps", _tasks(report.maps)
    yield "reduces", _tasks(report.reduces)
    yield "other tasks", [f"{_listed(report.other_tasks)}, left out"] if report.other_tasks else []
    yield (
        "negative times",
        (
            f"{each.count} {kind}, taken as 0 s ({-each.seconds:,.1f} s in all, at most {-each.worst:,.1f} s)"
            for kind, each in report.clamped.items()
        ),
    )
    yield "missing times", (f"{count} {what}" for what, count in report.missing.items())
    yield "damaged places", _first(map(str, report.damage), report.damage_count)
    yield "suggested cluster", [f"{slots}, slow start {cluster.slowstart:g}", report.cluster_reason]
    yield "assumed", report.assumptions
    yield "notes on jobs", _first(_notes(report.notes))


def _tasks(tasks: TaskCount) -> Iterator[str]:
    left_out = sum(tasks.left_out.values())
    yield f"{tasks.kept} kept" + (f", {left_out} left out: {_listed(tasks.left_out)}" if left_out else "")
    if wasted := {result: n for result, n in tasks.attempts.items() if result != "succeeded"}:
        yield f"attempts that do not count: {_listed(wasted)}"


def _notes(notes: Sequence[ReportLine]) -> Iterator[str]:
    """Group equal notes of several jobs into one line."""
    groups: dict[str, list[ReportLine]] = defaultdict(list)
    for note in notes:
        groups[note.what].append(note)
    for what, group in groups.items():
        names = ", ".join(note.job for note in group[:MOST_NAMES])
        more = f" and {len(group) - MOST_NAMES} more jobs" if len(group) > MOST_NAMES else ""
        yield f"{sum(note.count for note in group)} {what}: {names}{more}"


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def _first(texts: Iterable[str], count: int = 0) -> list[str]:
    """Return the first texts and a line that counts the rest."""
    every = list(texts)
    more = max(count, len(every)) - min(len(every), MOST_LINES)
    return every[:MOST_LINES] + ([f"… and {more} more (all are in the JSON report)"] if more else [])
