"""Put the jobs of several log files together: a workload with what ran, a report, a suggested cluster."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING, constant, is_constant
from core.logs.batch_graphs import following_jobs, recorded_graphs
from core.logs.cut_log import cut_sentence, is_cut
from core.logs.job_batch import JobBatch, total
from core.logs.job_profile import TaskCount
from core.logs.log_end import log_end, running_of, until_end, with_reduce_slots
from core.logs.logged_job import LATEST, in_seconds
from core.logs.report import Clamped, ImportReport, NotedJobs
from core.logs.suggest_cluster import RunTime, suggest_cluster
from core.model.coded_values import CodedValues
from core.model.errors import MAX_PROBLEMS, Problem, TraceError
from core.model.freed_memory import give_memory_back
from core.model.in_parts import SLICE
from core.model.many_jobs import are_map_reduce, tasks_by_type
from core.model.progress import no_progress
from core.model.recorded_run import RecordedRun
from core.model.task_types import OUTCOMES
from core.model.time_column import TimeColumn
from core.model.workload import Workload
from core.model.workload_rules import have_own_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns
    from core.logs.job_profile import JobAccount, JobProfile
    from core.logs.log_end import LogEnd
    from core.logs.reader import Reader, Values
    from core.logs.suggest_cluster import Suggestion
    from core.model.job import Job
    from core.model.parameters import Parameter

NO_TASK = "no usable task"
NO_NAME = "job without a name"
TIME_0 = "Time 0 is the submission of the first job that was kept."
MAX_FILES_LISTED = 20
SORTED, REPORTED, ACCOUNTED = 0.2, 0.7, 0.85
"""Parts of the time that are over when the jobs are sorted, reported on, and have their attempts."""


@dataclass(slots=True)
class ImportedJobs:
    """What was read from the files so far, in the order of the files.

    Attributes
    ----------
    name : name of the workload to be
    readers : formats met
    values : the parameters of these formats
    files : names of the files to read
    files_left_out : files of a folder that are no log, and what they look like
    batches : the jobs
    profiles : those that came after the last batch, one by one
    damage : the first damaged places
    damage_count : how many there are
    remarks : what is to be said of the logs besides
    first_cut : the first place of which more was there than could be read
    cuts : how many such places there are
    """

    name: str
    readers: Sequence[Reader] = ()
    values: Values = field(default_factory=dict)
    files: tuple[str, ...] = ()
    files_left_out: list[tuple[str, str]] = field(default_factory=list)
    batches: list[JobBatch] = field(default_factory=list)
    profiles: list[JobProfile] = field(default_factory=list)
    damage: list[Problem] = field(default_factory=list)
    damage_count: int = 0
    remarks: list[str] = field(default_factory=list)
    first_cut: Problem | None = None
    cuts: int = 0

    def add_damage(self, found: Problem, file: str) -> None:
        """Count a damaged place of a file; the first ones are kept."""
        where = f"{file}, {found.where}" if found.where else file
        problem = Problem(where, found.value, found.rule)
        self.damage_count += 1
        if len(self.damage) < MAX_PROBLEMS:
            self.damage.append(problem)
        if is_cut(problem):
            self.first_cut = self.first_cut or problem
            self.cuts += 1

    @property
    def cut(self) -> str:
        """What of the logs is missing, as a sentence; empty where nothing is known to be."""
        return "" if self.first_cut is None else cut_sentence(self.first_cut, self.cuts)

    def add(self, found: JobBatch | JobProfile) -> None:
        """Add one job or many."""
        if isinstance(found, JobBatch):
            self.batches += [self._one_by_one(), found]
        else:
            self.profiles.append(found)

    def take_jobs(self) -> JobBatch:
        """Return all jobs and let go of them."""
        batches, self.batches = [*self.batches, self._one_by_one()], []
        return JobBatch.joined([batch for batch in batches if len(batch.jobs)] or batches[:1])

    def _one_by_one(self) -> JobBatch:
        profiles, self.profiles = self.profiles, []
        return JobBatch.of(profiles)

    @property
    def format(self) -> str:
        """The titles of the formats met."""
        return " and ".join(reader.title for reader in self.readers)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What can be set where the formats met leave it open; formats may share one."""
        return tuple(dict.fromkeys(each for reader in self.readers for each in reader.parameters))


def assemble(
    gathered: ImportedJobs, progress: Callable[[float], None] = no_progress
) -> tuple[Workload, ImportReport]:
    """Merge the jobs by submit time and account for everything; what was gathered of them is let go.

    `progress` is called with the fraction done.

    Raises
    ------
    TraceError
        no job has a usable task
    """
    jobs, report, recorded = _accounted(gathered, progress)
    progress(ACCOUNTED)
    models = [
        text for reader in gathered.readers if reader.parameters for text in reader.assumed(report.values)
    ]
    workload = Workload(
        name=gathered.name,
        jobs=jobs,
        cluster=report.cluster,
        description="\n".join([f"{len(jobs)} jobs recorded in: {report.format}", *gathered.remarks, *models]),
        source=f"{report.format}: {_listed(gathered.files)}",
        recorded=recorded,
        cut=gathered.cut,
    )
    progress(1.0)
    return workload, report


def _accounted(
    gathered: ImportedJobs, progress: Callable[[float], None]
) -> tuple[Sequence[Job], ImportReport, RecordedRun | None]:
    """Return the jobs, the report and what ran."""
    found = _by_submission(gathered)
    give_memory_back()
    progress(SORTED)
    attempts = found.batch.attempts.at(found.batch.first, found.batch.size)
    found = found._replace(jobs=following_jobs(found.jobs, found.batch, attempts))
    end = log_end(found.batch, attempts)
    last = int(job_ends(found.batch, attempts)[found.batch.is_kept].max(initial=MISSING))
    suggestion = _suggestion(found, attempts, end, last)
    report = _report(gathered, found, attempts, suggestion, last)
    progress(REPORTED)
    if _without_attempts(found.batch):
        return found.jobs, report, None
    recorded = recorded_run(found.batch, attempts, found.started, end, suggestion.host_slots)
    if recorded is not None and recorded.under_way is not None:
        report = replace(report, unfinished=recorded.under_way.words(len(recorded.jobs)))
    return found.jobs, report, recorded


def _without_attempts(batch: JobBatch) -> int:
    """Return how many jobs have durations and no attempts, so that what ran is known of the others only."""
    return int(np.count_nonzero(batch.is_kept & (batch.size == 0)))


class _Sorted(NamedTuple):
    """The jobs by submission, as they are in the workload.

    Attributes
    ----------
    jobs : those with tasks
    batch : all of them, under the same names
    started : when the first of `jobs` was submitted, ms on the log's clock
    repeated_names : jobs that had the name of another one
    """

    jobs: Sequence[Job]
    batch: JobBatch
    started: int
    repeated_names: int


def _by_submission(gathered: ImportedJobs) -> _Sorted:
    """Return the jobs sorted and placed; what was gathered of them is let go."""
    batch = gathered.take_jobs()
    if not batch.is_kept.any():
        raise TraceError(_nothing_left(gathered, batch))
    if (batch.submit[1:] < batch.submit[:-1]).any():
        batch = batch.at(np.argsort(batch.submit, kind="stable"))
    repeated = 0
    if not have_own_names(batch.names):  # a set of a million names takes much memory
        repeated = len(batch.names) - len(set(batch.names))
        batch = batch._replace(names=_unique_names(batch.names))
    started = int(batch.submit[batch.is_kept.argmax()])
    return _Sorted(batch.placed((batch.submit - started) / 1000), batch, started, repeated)


def _unique_names(names: Sequence[str]) -> list[str]:
    """Return the names with a number at every one that came before, and a name for what has none."""
    taken = set(names)
    seen: Counter[str] = Counter()
    unique = []
    for given in names:
        name = first = given or NO_NAME
        seen[first] += 1
        while seen[first] > 1 and (name := f"{first} ({seen[first]})") in taken:
            seen[first] += 1
        unique.append(name)
    return unique


def _listed(files: Sequence[str]) -> str:
    more = len(files) - MAX_FILES_LISTED
    return ", ".join(files[:MAX_FILES_LISTED]) + (f" and {more} more" if more > 0 else "")


def _nothing_left(gathered: ImportedJobs, batch: JobBatch) -> str:
    accounts = zip(batch.names[:5], batch.accounts, strict=False)
    reasons = [f"{name or NO_NAME} has {_why_left_out(account)}" for name, account in accounts]
    reasons += [str(problem) for problem in gathered.damage[:5]]
    because = "; ".join(reasons) or "it holds no job"
    where = f"{_listed(gathered.files)}: {gathered.format}"
    return f"{where}, but no job could be read: {because}. Give a log with finished tasks."


def _suggestion(found: _Sorted, attempts: AttemptColumns, end: LogEnd | None, last: int) -> Suggestion:
    """Return the cluster that the logs speak of.

    Parameters
    ----------
    last : when the last job ended that is kept, ms; `MISSING` where no end is known
    """
    ran = RunTime(found.started, end.now if end else LATEST if last == MISSING else last)
    settings = [each.settings for each, _ in found.batch.different_accounts if not each.why]
    return with_reduce_slots(suggest_cluster(found.jobs, settings, until_end(attempts, end), ran), end)


def _report(
    gathered: ImportedJobs, found: _Sorted, attempts: AttemptColumns, suggestion: Suggestion, last: int
) -> ImportReport:
    jobs, batch, started, repeated_names = found
    accounts, is_kept = batch.different_accounts, batch.is_kept
    schedulers = {each.settings.scheduler for each, _ in accounts}
    assumed = [text for reader in gathered.readers for text in reader.assumed(gathered.values)]
    if endless := int(np.count_nonzero(is_kept & (batch.finish == MISSING) & (batch.size > 0))):
        assumed.append(
            f"The log has no end of {endless} job{'s' * (endless > 1)}: a job is over with its last task."
        )
    if (bare := _without_attempts(batch)) and len(attempts):
        assumed.append(
            f"Nothing is shown as recorded: when tasks ran is unknown of {bare} of {len(jobs)} jobs; "
            "open the logs that say it by themselves."
        )
        last = MISSING
    lost = [(batch.names[i], _why_left_out(batch.accounts[i])) for i in np.flatnonzero(~is_kept).tolist()]
    return ImportReport(
        format=gathered.format,
        files=gathered.files,
        files_left_out=tuple(gathered.files_left_out),
        jobs_kept=len(jobs),
        jobs_left_out=tuple(lost),
        repeated_names=repeated_names,
        tasks=_task_counts(jobs, accounts),
        other_tasks=total((account.others, often) for account, often in accounts),
        clamped=_clamped(accounts),
        missing=total((account.missing, often) for account, often in accounts),
        damage=tuple(gathered.damage),
        damage_count=gathered.damage_count,
        assumptions=(*gathered.remarks, *dict.fromkeys(assumed), TIME_0),
        noted=NotedJobs(batch.names, batch.notes),
        cluster=suggestion.cluster,
        cluster_reason=suggestion.why,
        peaks=suggestion.peaks,
        started=started,
        recorded_makespan=None if last == MISSING else in_seconds(max(last - started, 0)),
        parameters=gathered.parameters,
        values=gathered.values,
        executors=suggestion.executors,
        scheduler=schedulers.pop() if len(schedulers) == 1 else "",
        is_map_reduce=are_map_reduce(jobs),
        cut=gathered.cut,
    )


def _task_counts(
    jobs: Sequence[Job], accounts: Sequence[tuple[JobAccount, int]]
) -> tuple[TaskCount, TaskCount]:
    maps, reduces = (
        TaskCount(
            kept,
            total((account.tasks[task_type].left_out, often) for account, often in accounts),
            total((account.tasks[task_type].attempts, often) for account, often in accounts),
        )
        for task_type, kept in enumerate(tasks_by_type(jobs))
    )
    return maps, reduces


def _why_left_out(account: JobAccount) -> str:
    if account.why:
        return account.why
    reasons = total([(tasks.left_out, 1) for tasks in account.tasks])
    listed = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
    return f"{NO_TASK} ({listed})" if listed else f"{NO_TASK} (none is listed)"


def _clamped(accounts: Iterable[tuple[JobAccount, int]]) -> dict[str, Clamped]:
    times: dict[str, list[float]] = {}
    for account, often in accounts:
        for kind, seconds in account.clamped.items():
            times.setdefault(kind, []).extend(often * seconds)
    return {kind: Clamped(len(all_), sum(all_), min(all_)) for kind, all_ in times.items()}


def recorded_run(
    batch: JobBatch,
    attempts: AttemptColumns,
    started: int,
    end: LogEnd | None = None,
    host_slots: Mapping[str, int] | None = None,
) -> RecordedRun | None:
    """Return the attempts of all jobs, or None if the log has none.

    Parameters
    ----------
    batch : the jobs under the names that they have in the workload, those left out among them
    attempts : the attempts of all of them, one after the other; there may be millions, and the times of the
        run take the place of theirs
    started : moment of the workload's time 0, ms on the log's clock
    end : where the log ends before its jobs do
    host_slots : of each machine its slots; those that ran nothing are hosts as well, behind the others
    """
    if not len(attempts):
        return None
    graphs, task = recorded_graphs(batch, attempts)
    running, task = running_of(task)
    host_slots = _of_all_hosts(host_slots or {}, attempts)
    demands = {account.settings.on_demand for account, _ in batch.different_accounts}
    finish = _seconds(job_ends(batch, attempts), started)
    columns = (attempts.start, attempts.shuffle_end, attempts.sort_end, attempts.end)
    made = {
        id(column): _in_place(column, started) for column in {id(each): each for each in columns}.values()
    }
    start, shuffle_end, sort_end, ends = (made[id(column)] for column in columns)
    return RecordedRun(
        jobs=_kept(batch.names),
        titles=_kept(batch.titles),
        hosts=tuple(host_slots) or attempts.hosts,
        submit=_seconds(batch.submit, started),
        launch=_seconds(batch.launch, started),
        finish=finish,
        job=np.repeat(np.arange(len(batch.jobs), dtype=np.int32), batch.size),
        kind=attempts.kind,
        task=task,
        counts=attempts.counts,
        outcome=attempts.outcome,
        host=attempts.host,
        start=start,
        shuffle_end=shuffle_end,
        sort_end=sort_end,
        end=ends,
        graphs=graphs,
        on_demand=demands.pop() if len(demands) == 1 else None,
        host_slots=np.array([*host_slots.values()], np.int32) if host_slots else None,
        under_way=end.seconds(started, running) if end else None,
    )


def _of_all_hosts(host_slots: Mapping[str, int], attempts: AttemptColumns) -> dict[str, int]:
    """Return slots of hosts, those with attempts first; none where any attempt ran on another host."""
    if not host_slots.keys() >= set(attempts.hosts) or (attempts.host[:] == MISSING).any():
        return {}
    return {host: host_slots[host] for host in dict.fromkeys([*attempts.hosts, *host_slots])}


def _kept(texts: Sequence[str]) -> Sequence[str]:
    """Return texts for good: those that follow from numbers need not be there."""
    return texts if isinstance(texts, CodedValues) else tuple(texts)


def job_ends(batch: JobBatch, attempts: AttemptColumns) -> NDArray[np.int64]:
    """Return when each job ended, ms: where its log lacks it, with its last task that succeeded.

    `MISSING` where no task did.
    """
    if not (batch.finish == MISSING).any():
        return batch.finish
    last = np.full(len(batch.jobs), MISSING)
    has_rows = np.flatnonzero(batch.size)
    if len(has_rows):
        succeeded = attempts.outcome == OUTCOMES.index("succeeded")
        begins = (np.cumsum(batch.size) - batch.size)[has_rows]
        if isinstance(attempts.end, TimeColumn):
            last[has_rows] = attempts.end.last(succeeded, begins)
        else:
            ends = np.where(succeeded, attempts.end, MISSING)
            last[has_rows] = np.maximum(np.maximum.reduceat(ends, begins), MISSING)
    return np.where(batch.finish == MISSING, last, batch.finish)


def _seconds(milliseconds: NDArray[np.int64], started: int) -> NDArray[np.float64]:
    return _in_place(milliseconds if is_constant(milliseconds) else milliseconds.copy(), started)


def _in_place(milliseconds: NDArray[np.int64], started: int) -> NDArray[np.float64]:
    """Return seconds, in the memory of the milliseconds."""
    if isinstance(milliseconds, TimeColumn):
        return milliseconds.in_seconds(started).as_array
    if is_constant(milliseconds):
        return constant(_in_place(milliseconds[:1].copy(), started)[0], len(milliseconds))
    seconds = milliseconds.view(np.float64)
    for begin in range(0, len(seconds), SLICE):
        part = milliseconds[begin : begin + SLICE]
        seconds[begin : begin + SLICE] = np.where(part == MISSING, np.nan, (part - started) / 1000)
    return seconds
