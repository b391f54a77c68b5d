"""Put the jobs of several log files together: a workload with what ran, a report, a suggested cluster."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs.attempt_columns import FINISH, MISSING, SHUFFLE, SORT, START, together
from core.logs.job_profile import FIRST_SHUFFLE, BareJobs, TaskCount
from core.logs.logged_job import in_seconds
from core.logs.report import Clamped, ImportReport, ReportLine
from core.logs.stage_waits import stage_waits
from core.logs.suggest_cluster import suggest_cluster
from core.model.errors import Problem, TraceError
from core.model.execution_history import OUTCOMES, RecordedRun
from core.model.in_parts import slices
from core.model.progress import no_progress
from core.model.workload import Workload, have_own_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from core.logs.attempt_columns import AttemptColumns
    from core.logs.job_profile import JobProfile
    from core.logs.reader import Reader, Values
    from core.model.job import Job, Stage
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
    profiles : the jobs
    bare, bare_submit : jobs of which there is nothing to account for, and when they were submitted, ms
    damage : the first damaged places
    damage_count : how many there are
    remarks : what is to be said of the logs besides
    """

    name: str
    readers: Sequence[Reader] = ()
    values: Values = field(default_factory=dict)
    files: tuple[str, ...] = ()
    files_left_out: list[tuple[str, str]] = field(default_factory=list)
    profiles: list[JobProfile] = field(default_factory=list)
    bare: list[Job] = field(default_factory=list)
    bare_submit: array[int] = field(default_factory=lambda: array("q"))
    damage: list[Problem] = field(default_factory=list)
    damage_count: int = 0
    remarks: list[str] = field(default_factory=list)

    def add_bare(self, found: BareJobs) -> None:
        """Add jobs of which there is nothing to account for."""
        self.bare += found.jobs
        self.bare_submit.frombytes(found.submit.tobytes())

    @property
    def format(self) -> str:
        """The titles of the formats met."""
        return " and ".join(reader.title for reader in self.readers)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What can be set, where the formats met do not say; formats may share one."""
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
    )
    progress(1.0)
    return workload, report


def _accounted(
    gathered: ImportedJobs, progress: Callable[[float], None]
) -> tuple[tuple[Job, ...], ImportReport, RecordedRun | None]:
    """Return the jobs, the report and what ran; a large log's profiles take as much memory as its jobs."""
    found = _by_submission(gathered)
    progress(SORTED)
    attempts = together(profile.attempts for profile in found.profiles)
    report = _report(gathered, found, attempts)
    progress(REPORTED)
    if _without_attempts(found.profiles):
        return found.jobs, report, None
    return found.jobs, report, recorded_run(found.profiles, attempts, found.started)


def _without_attempts(profiles: Sequence[JobProfile]) -> int:
    """Return how many jobs have durations and no attempts, so that what ran is known of the others only."""
    return sum(profile.job is not None and not profile.attempts.size for profile in profiles)


class _Sorted(NamedTuple):
    """The jobs by submission, as they are in the workload.

    Attributes
    ----------
    jobs : those with tasks
    profiles : the accounts of all jobs, under the same names; none where nothing is to be accounted for
    started : when the first of `jobs` was submitted, ms on the log's clock
    repeated_names : jobs that had the name of another one
    """

    jobs: tuple[Job, ...]
    profiles: Sequence[JobProfile]
    started: int
    repeated_names: int


def _by_submission(gathered: ImportedJobs) -> _Sorted:
    """Sort the jobs and place them; what was gathered of them is let go."""
    profiles, jobs, submit = _sorted(gathered)
    first = next((i for i, job in enumerate(jobs) if job), None)
    if first is None:
        raise TraceError(_nothing_left(gathered))
    gathered.profiles.clear()
    started = int(submit[first])
    named: Sequence[Any] = profiles or jobs  # Any: both have names, and there are no gaps in the latter
    names: Iterable[str] = map(attrgetter("name"), named)
    repeated = 0
    if not have_own_names(named):
        given = list(names)
        repeated = len(given) - len(set(given))
        names = unique = _unique_names(given)
        pairs = zip(profiles, unique, strict=False)
        profiles = [each if each.name == name else each._replace(name=name) for each, name in pairs]
    arrivals = chain.from_iterable(((part - started) / 1000).tolist() for part in slices(submit))
    for i, (job, name, arrival) in enumerate(zip(jobs, names, arrivals, strict=True)):
        if job:
            jobs[i] = job.placed(name, arrival)  # in place, as a list that grows is copied now and then
    kept = tuple([job for job in jobs if job] if profiles else jobs)
    return _Sorted(kept, profiles, started, repeated)


def _sorted(
    gathered: ImportedJobs,
) -> tuple[Sequence[JobProfile], list[Any], NDArray[np.int64]]:
    """Return accounts, jobs and when they were submitted, ms; nothing is copied that is in order."""
    profiles = gathered.profiles
    submit = np.frombuffer(gathered.bare_submit, np.int64)
    jobs: list[Any] = gathered.bare  # Any: a job, or None where a profile has none
    if profiles:  # beside a log that says more, these jobs have accounts as well
        profiles += BareJobs(gathered.bare, submit).profiles()
        jobs = [profile.job for profile in profiles]
        submit = np.array([profile.submit for profile in profiles], np.int64)
    gathered.bare, gathered.bare_submit = [], array("q")
    if (submit[1:] >= submit[:-1]).all():
        return list(profiles), jobs, submit
    order = np.argsort(submit, kind="stable")
    return [profiles[i] for i in order] if profiles else [], [jobs[i] for i in order], submit[order]


def _unique_names(names: list[str]) -> list[str]:
    """Give a number to every name that came before, and a name to what has none."""
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


def _nothing_left(gathered: ImportedJobs) -> str:
    reasons = [f"{p.name or NO_NAME} has {_why_left_out(p)}" for p in gathered.profiles[:5]]
    reasons += [str(problem) for problem in gathered.damage[:5]]
    because = "; ".join(reasons) or "it holds no job"
    where = f"{_listed(gathered.files)}: {gathered.format}"
    return f"{where}, but no job could be read: {because}. Give a log with finished tasks."


def _report(gathered: ImportedJobs, found: _Sorted, attempts: AttemptColumns) -> ImportReport:
    jobs, profiles, started, repeated_names = found
    suggestion = suggest_cluster(jobs, [each.settings for each in profiles if not each.why], attempts)
    finish = job_ends(profiles, attempts)
    is_kept = [profile.job is not None for profile in profiles]
    last = int(finish[np.array(is_kept, np.bool_)].max(initial=MISSING))
    assumed = [text for reader in gathered.readers for text in reader.assumed(gathered.values)]
    if endless := sum(each.finish is None and bool(each.attempts.size) for each in profiles if each.job):
        assumed.append(
            f"The log has no end of {endless} job{'s' * (endless > 1)}: a job is over with its last task."
        )
    if (bare := _without_attempts(profiles)) and len(attempts.times):
        assumed.append(
            f"Nothing is shown as recorded: when tasks ran is unknown of {bare} of {len(jobs)} jobs; "
            "open the logs that say it by themselves."
        )
        last = MISSING
    return ImportReport(
        format=gathered.format,
        files=gathered.files,
        files_left_out=tuple(gathered.files_left_out),
        jobs_kept=len(jobs),
        jobs_left_out=tuple((p.name, _why_left_out(p)) for p in profiles if not p.job),
        repeated_names=repeated_names,
        maps=_task_count((job.maps for job in jobs), [profile.maps for profile in profiles]),
        reduces=_task_count((job.reduces for job in jobs), [profile.reduces for profile in profiles]),
        other_tasks=_total(profile.others for profile in profiles),
        clamped=_clamped(profiles),
        missing=_total(profile.missing for profile in profiles),
        damage=tuple(gathered.damage),
        damage_count=gathered.damage_count,
        assumptions=(*gathered.remarks, *dict.fromkeys(assumed), TIME_0),
        notes=tuple(line for profile in profiles if not profile.is_clean for line in _lines(profile)),
        cluster=suggestion.cluster,
        cluster_reason=suggestion.why,
        peaks=suggestion.peaks,
        started=started,
        recorded_makespan=None if last == MISSING else in_seconds(max(last - started, 0)),
        parameters=gathered.parameters,
        values=gathered.values,
        waits=stage_waits(profiles, attempts, finish, suggestion.cluster),
    )


def _task_count(stages: Iterable[Stage], counts: Sequence[TaskCount]) -> TaskCount:
    return TaskCount(
        sum(stage.count for stage in stages),
        _total(count.left_out for count in counts),
        _total(count.attempts for count in counts),
    )


def _total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Add counts up; many jobs share one, which is looked at once."""
    listed = [count for count in counts if count]
    often = Counter(map(id, listed))
    total: dict[str, int] = {}
    for count in {id(count): count for count in listed}.values():
        for what, number in count.items():
            total[what] = total.get(what, 0) + number * often[id(count)]
    return total


def _why_left_out(profile: JobProfile) -> str:
    if profile.why:
        return profile.why
    reasons = _total([profile.maps.left_out, profile.reduces.left_out])
    listed = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
    return f"{NO_TASK} ({listed})" if listed else f"{NO_TASK} (none is listed)"


def _clamped(profiles: Iterable[JobProfile]) -> dict[str, Clamped]:
    together: dict[str, list[float]] = {}
    for profile in profiles:
        for kind, seconds in profile.clamped.items():
            together.setdefault(kind, []).extend(seconds)
    return {kind: Clamped(len(all_), sum(all_), min(all_)) for kind, all_ in together.items()}


def _lines(profile: JobProfile) -> Iterator[ReportLine]:
    for what, number in profile.notes:
        yield ReportLine(profile.name, what, number)
    for kind, stage in (("map", profile.maps), ("reduce", profile.reduces)):
        for reason, count in stage.left_out.items():
            yield ReportLine(profile.name, f"{kind} tasks left out: {reason}", count)
    for kind, seconds in profile.clamped.items():
        clocks = " (clocks differ)" if kind == FIRST_SHUFFLE else ""
        yield ReportLine(profile.name, f"{kind}, taken as 0 s{clocks}", len(seconds))
    for kind, count in profile.missing.items():
        yield ReportLine(profile.name, f"missing: {kind}", count)


def recorded_run(
    profiles: Sequence[JobProfile], attempts: AttemptColumns, started: int
) -> RecordedRun | None:
    """Return the attempts of all jobs, or None if the log has none.

    Parameters
    ----------
    profiles : the jobs under the names that they have in the workload, those left out among them
    attempts : the attempts of all of them, one after the other
    started : moment of the workload's time 0, ms on the log's clock
    """
    if not len(attempts.times):
        return None
    what, times = attempts.what, attempts.times.T
    return RecordedRun(
        jobs=tuple(profile.name for profile in profiles),
        titles=tuple(profile.title for profile in profiles),
        hosts=attempts.hosts,
        submit=_of_jobs((profile.submit for profile in profiles), started),
        launch=_of_jobs((profile.launch for profile in profiles), started),
        finish=_seconds(job_ends(profiles, attempts), started),
        job=np.repeat(np.arange(len(profiles), dtype=np.int32), [p.attempts.size for p in profiles]),
        kind=what[:, 0].astype(np.int8),
        task=what[:, 1].astype(np.int32),
        counts=what[:, 2].astype(np.bool_),
        outcome=what[:, 3].astype(np.int8),
        host=what[:, 4].astype(np.int32),
        start=_seconds(times[START], started),
        shuffle_end=_seconds(times[SHUFFLE], started),
        sort_end=_seconds(times[SORT], started),
        end=_seconds(times[FINISH], started),
    )


def job_ends(profiles: Sequence[JobProfile], attempts: AttemptColumns) -> NDArray[np.int64]:
    """Return when each job ended, ms: where its log does not say, with its last task that succeeded.

    `MISSING` where no task did.
    """
    named = np.fromiter(
        (MISSING if p.finish is None else p.finish for p in profiles), np.int64, len(profiles)
    )
    job = np.repeat(np.arange(len(profiles)), [profile.attempts.size for profile in profiles])
    succeeded = attempts.what[:, 3] == OUTCOMES.index("succeeded")
    last = np.full(len(profiles), MISSING, np.int64)
    np.maximum.at(last, job[succeeded], attempts.times[succeeded, FINISH])
    return np.where(named == MISSING, last, named)


def _of_jobs(times: Iterable[int | None], started: int) -> NDArray[np.float64]:
    return _seconds(np.fromiter((MISSING if time is None else time for time in times), np.int64), started)


def _seconds(milliseconds: NDArray[np.int64], started: int) -> NDArray[np.float64]:
    return np.where(milliseconds == MISSING, np.nan, (milliseconds - started) / 1000)
