"""What an import kept, left out, clamped and assumed, also as text: nothing is dropped silently."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import partial
from math import inf
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from core.logs.column_map import COLUMNS, TASKS_PER_SLOT, TO_BE_NAMED, ColumnMap
from core.model.cell_text import table_text
from core.model.cluster import slots_text
from core.model.slot_times import slot_times_words
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from core.logs.job_profile import TaskCount
    from core.model.cluster import Cluster
    from core.model.errors import Problem
    from core.model.parameters import Parameter, ParameterValue


WIDTH = 100
LABEL = 18
MAX_LINES = 16
"""Lines of one kind; the rest is counted, and complete in the JSON report."""
MAX_NAMES = 3
TASKS = ("maps", "reduces")
STAGE_TASKS = ("first stages", "later stages")
"""Where jobs have other stages: tasks of those that wait for no other, and of all others."""
"""What the tasks of each type are called."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A note on one job: what, and how many tasks, times or samples it concerns."""

    job: str
    what: str
    count: int


@dataclass(frozen=True, slots=True)
class NotedJobs:
    """Jobs with the notes on each; there may be a million with the same note.

    Attributes
    ----------
    jobs : their names
    notes : of each what is said, and how many tasks, times or samples each of it concerns
    """

    jobs: Sequence[str] = ()
    notes: Sequence[tuple[tuple[str, int], ...]] = ()

    def lines(self) -> Iterator[ReportLine]:
        """Yield the notes, job by job."""
        for job, counts in zip(self.jobs, self.notes, strict=True):
            for what, count in counts:
                yield ReportLine(job, what, count)


class ReportSeverity(StrEnum):
    """Whether something of a log was not used as it stands, or is only worth knowing."""

    PROBLEM = "problem"
    NOTE = "note"


class ReportRow(NamedTuple):
    """One entry of an import's report: how bad it is, where it is (a file, a job, a line), and what it is."""

    severity: ReportSeverity
    where: str
    what: str


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
    tasks : what was kept and left out of the maps and of the reduces
    other_tasks : tasks left out because they are neither maps nor reduces (setup, cleanup), by type
    clamped : negative times raised to 0, by kind
    missing : times the log does not have, by kind
    damage : places that could not be read, with the file's name
    damage_count : how many such places there are; `damage` lists the first ones
    assumptions : what was assumed, as sentences
    noted : what is worth saying about single jobs
    cluster, cluster_reason : the suggested cluster and where it comes from
    peaks : the most map and the most reduce attempts that ran at once
    started : moment of the first submission, milliseconds on the log's clock
    recorded_makespan : seconds from the first submission to the last job's end, None if not known
    parameters : what can be set in such an import, where the log does not say
    values : what each parameter was
    executors : how many there were at once at most; 0 where the log has none
    scheduler : the order in which jobs are served, in the log's word; empty where it has none
    is_map_reduce : whether all jobs are maps and reduces; else `tasks` are those of first and later stages
    cut : what is missing of the log, as a sentence; empty where nothing is known to be
    unfinished : what is under way where the log ends, in short; empty where nothing is
    """

    format: str
    files: tuple[str, ...]
    files_left_out: tuple[tuple[str, str], ...]
    jobs_kept: int
    jobs_left_out: tuple[tuple[str, str], ...]
    repeated_names: int
    tasks: tuple[TaskCount, TaskCount]
    other_tasks: Mapping[str, int]
    clamped: Mapping[str, Clamped]
    missing: Mapping[str, int]
    damage: tuple[Problem, ...]
    damage_count: int
    assumptions: tuple[str, ...]
    noted: NotedJobs
    cluster: Cluster
    cluster_reason: str
    peaks: tuple[int, int]
    started: int
    recorded_makespan: float | None
    parameters: tuple[Parameter, ...] = ()
    values: Mapping[str, ParameterValue] = field(default_factory=dict)
    executors: int = 0
    scheduler: str = ""
    is_map_reduce: bool = True
    cut: str = ""
    unfinished: str = ""

    @property
    def task_titles(self) -> tuple[str, str]:
        """What the two kinds of `tasks` are called."""
        return TASKS if self.is_map_reduce else STAGE_TASKS

    @property
    def numbers(self) -> list[Parameter]:
        """The parameters that are numbers which these logs leave open."""
        columns = ColumnMap.parse(str(self.values.get(COLUMNS, "")))
        counts = any(meaning in TO_BE_NAMED for meaning, _ in columns.columns)
        return [
            each
            for each in self.parameters
            if each.name != COLUMNS and (counts or each.name != TASKS_PER_SLOT)
        ]

    @property
    def notes(self) -> tuple[ReportLine, ...]:
        """The notes on single jobs."""
        return tuple(self.noted.lines())

    @property
    def is_clean(self) -> bool:
        """Whether everything in the log could be read and used as it stands."""
        left_out = (self.jobs_left_out, *(tasks.left_out for tasks in self.tasks))
        return not any((*left_out, self.clamped, self.missing, self.damage, self.repeated_names))

    def to_text(self, width: int = WIDTH) -> str:
        """Return the report as aligned text of a screen or two: sums first, then notes on jobs.

        Parameters
        ----------
        width : how many columns it may take
        """
        lines: list[str] = []
        for label, texts in _entries(self):
            lines_of_texts = [
                line for text in texts for line in wrap(text, width - LABEL - 1, subsequent_indent="  ")
            ]
            lines += [f"{label if i == 0 else '':<{LABEL}} {line}" for i, line in enumerate(lines_of_texts)]
        return "\n".join(lines)

    @property
    def heading(self) -> str:
        """Return in a few sentences what was imported, and on which cluster it is shown."""
        files = f"{len(self.files)} file{'s' if len(self.files) != 1 else ''}"
        maps, reduces = self.tasks
        tasks = f"{maps.kept} maps and {reduces.kept} reduces"
        if not self.is_map_reduce:
            tasks = f"{maps.kept + reduces.kept} tasks"
        makespan = (
            "" if self.recorded_makespan is None else f" It ran for {duration_text(self.recorded_makespan)}."
        )
        kept = f"{self.format}, {files}: {self.jobs_kept} jobs with {tasks} were kept.{makespan}"
        return f"{kept} Suggested cluster: {_slots(self.cluster, self.is_map_reduce)}. {self.cluster_reason}"

    def rows(self) -> tuple[ReportRow, ...]:
        """Return everything that was left out, changed, missed or assumed: problems first, none left out."""
        return tuple(sorted(_rows(self), key=lambda row: row.severity is not ReportSeverity.PROBLEM))

    def to_json(self) -> dict[str, Any]:
        """Return the whole report as plain values for `slotscope import --json`."""
        plain: dict[str, Any] = {}
        for name, value in asdict(replace(self, noted=NotedJobs())).items():
            plain |= zip(TASKS, value, strict=True) if name == "tasks" else {name: value}
        del plain["noted"]
        for entry in plain["cluster"]["slot_times"]:  # JSON has no infinity
            entry["closes"] = None if entry["closes"] == inf else entry["closes"]
        notes = [asdict(line) for line in self.noted.lines()]
        return plain | {"notes": notes, "is_clean": self.is_clean}


def _entries(report: ImportReport) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the labels of the report and what stands beside each; nothing does where there is nothing."""
    left_out = f", {len(report.jobs_left_out)} left out" if report.jobs_left_out else ""
    repeated = f"{report.repeated_names} repeated names were made unique with a number"
    makespan, cluster = report.recorded_makespan, report.cluster
    yield "format", [report.format]
    yield "unfinished", [report.unfinished] if report.unfinished else []
    yield "not whole", [report.cut] if report.cut else []
    yield "files", _first(report.files)
    yield "files left out", _first(f"{name}: {looks}" for name, looks in report.files_left_out)
    yield "jobs", [f"{report.jobs_kept} kept{left_out}"]
    yield "", _first(_left_out(report.jobs_left_out))
    yield "", [repeated] if report.repeated_names else []
    yield "recorded makespan", ["unknown" if makespan is None else duration_text(makespan)]
    yield from zip(report.task_titles, map(_tasks, report.tasks), strict=True)
    yield "other tasks", [f"{_listed(report.other_tasks)}, left out"] if report.other_tasks else []
    yield "negative times", (_clamped(*item) for item in report.clamped.items())
    yield "missing times", (f"{count} {what}" for what, count in report.missing.items())
    yield "damaged places", _first(map(str, report.damage), report.damage_count)
    slots = _slots(cluster, report.is_map_reduce)
    has_slowstart = report.tasks[1].kept > 0 if report.is_map_reduce else cluster.slowstart < 1
    slots += f", slow start {cluster.slowstart:g}" * has_slowstart
    yield "suggested cluster", [slots, report.cluster_reason]
    yield "assumed", report.assumptions
    yield "notes on jobs", _first(_notes(report.noted.lines()))


def _left_out(jobs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Return why jobs are left out, those of one reason together."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, why in jobs:
        groups[why].append(name)
    yield from (f"{_names(names)}: {why}" for why, names in groups.items())


def _names(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more} more job{'s' * (more > 1)}" if more > 0 else "")


def _slots(cluster: Cluster, is_map_reduce: bool) -> str:
    if cluster.slot_times:
        come = slot_times_words(cluster.slot_times)
        return f"{cluster.containers} slots and {come}" if cluster.containers else come
    if cluster.has_containers:
        return f"{cluster.containers} slots{' for maps and reduces' * is_map_reduce}"
    return slots_text(cluster)


def _clamped(kind: str, clamped: Clamped) -> str:
    most = f"at most {duration_text(-clamped.worst)}"
    return f"{clamped.count} {kind}, taken as 0 s ({duration_text(-clamped.seconds)} in all, {most})"


_problem, _note = partial(ReportRow, ReportSeverity.PROBLEM), partial(ReportRow, ReportSeverity.NOTE)


def _rows(report: ImportReport) -> Iterator[ReportRow]:
    """Yield the rows, in the order of the report as text."""
    yield from (_note(name, f"left out: {looks}") for name, looks in report.files_left_out)
    yield from (_problem(name, f"left out: {why}") for name, why in report.jobs_left_out)
    if report.repeated_names:
        yield _problem("names of jobs", f"{report.repeated_names} repeated names got a number")
    for title, tasks in zip(report.task_titles, report.tasks, strict=True):
        yield from _rows_of_tasks(title, tasks)
    others = report.other_tasks.items()
    yield from (_note("other tasks", f"{n} {kind}, left out: neither maps nor reduces") for kind, n in others)
    yield from (_problem("negative times", _clamped(*item)) for item in report.clamped.items())
    yield from (_problem("missing times", f"{count} {what}") for what, count in report.missing.items())
    for each in report.damage:
        yield _problem(each.where, f"{each.value}: {each.rule}" if each.value else each.rule)
    if more := report.damage_count - len(report.damage):
        yield _problem("damaged places", f"{more} more; only the first {len(report.damage)} are listed")
    yield from (_note("assumed", sentence) for sentence in report.assumptions)
    yield from (_note(line.job, f"{line.count} {line.what}") for line in report.noted.lines())


def _rows_of_tasks(kind: str, tasks: TaskCount) -> Iterator[ReportRow]:
    for why, count in tasks.left_out.items():
        yield _problem(kind, f"{count} left out: {why}")
    for result, count in tasks.attempts.items():
        if result != "succeeded":
            yield _note(kind, f"attempts that do not count: {count} {result}")


def rows_text(rows: Iterable[ReportRow], separator: str = ",") -> str:
    """Return rows of a report under headings, as CSV."""
    return table_text((ReportRow._fields, *rows), separator)


def _tasks(tasks: TaskCount) -> Iterator[str]:
    left_out = sum(tasks.left_out.values())
    yield f"{tasks.kept} kept" + (f", {left_out} left out: {_listed(tasks.left_out)}" if left_out else "")
    if wasted := {result: n for result, n in tasks.attempts.items() if result != "succeeded"}:
        yield f"attempts that do not count: {_listed(wasted)}"


def _notes(notes: Iterable[ReportLine]) -> Iterator[str]:
    """Yield a line for equal notes of several jobs."""
    counts: Counter[str] = Counter()
    jobs: dict[str, list[str]] = defaultdict(list)
    for note in notes:
        counts[note.what] += note.count
        jobs[note.what].append(note.job)
    yield from (f"{count} {what}: {_names(jobs[what])}" for what, count in counts.items())


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def _first(texts: Iterable[str], count: int = 0) -> list[str]:
    """Return the first texts and a line that counts the rest."""
    every = list(texts)
    more = max(count, len(every)) - min(len(every), MAX_LINES)
    return every[:MAX_LINES] + ([f"… and {more} more (all are in the JSON report)"] if more else [])
