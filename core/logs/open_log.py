"""Import logs: files or folders of any supported format become one workload and a report.

Files are sorted by format, their jobs and damaged places collected. An import gives a value or raises; it
never half-applies.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.logs.assemble import ImportedJobs, assemble
from core.logs.byte_source import ByteSource
from core.logs.column_map import COLUMNS, ColumnMap
from core.logs.find_logs import LogFinder
from core.logs.import_progress import ImportProgress
from core.logs.job_batch import JobBatch
from core.logs.job_profile import profile
from core.logs.log_files import log_files, log_name
from core.logs.logged_job import LoggedJob
from core.logs.reader import JobsOf, JobsToCome, Remark
from core.logs.readers import READERS
from core.logs.scratch_folder import scratch_folder
from core.model.errors import Cancelled, InputError, Problem
from core.model.freed_memory import give_memory_back
from core.model.in_parts import collector_at_rest
from core.model.input_budget import ImportBudget
from core.model.limits import MAX_JOBS, MAX_TASKS
from core.model.parameters import check_parameters
from core.model.progress import never_stop, no_progress
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from core.logs.find_logs import FoundLog
    from core.logs.log_files import LogFile, ShouldStop
    from core.logs.reader import Item, Reader
    from core.logs.report import ImportReport
    from core.model.workload import Workload

FIRST_YEARS = 10**11
"""Milliseconds since 1970 by which no log was written yet (March 1973): smaller times count from 0."""
_YEAR = 365 * 86_400_000


class ImportPipeline:
    """Reads the logs among files, format by format; members of archives go to a folder meanwhile."""

    def __init__(self, name: str, folder: Path, progress: ImportProgress, should_stop: ShouldStop) -> None:
        self._folder = folder
        self._found = ImportedJobs(name)
        self._progress = progress
        self._should_stop = should_stop
        self._reading = ""
        self._names: dict[Path, str] = {}
        """The files that were read, by their paths."""
        self._tasks, self._jobs = 0, 0
        self._budget = ImportBudget(0)
        self._submits: dict[str, tuple[int, int]] = {}
        """The first and the last submission in each file, ms on its clock."""

    def read(self, files: Sequence[LogFile], given: Mapping[str, object]) -> ImportedJobs:
        """Read all logs among the files; `given` are values for the parameters of their formats.

        Raises
        ------
        UnknownFormat
            a file that was named is no log, or no file is one; `UnknownTable` if it is a table of anything
        UnknownName, InputError
            a given value is none of these formats', or breaks a rule; or a named file cannot be read
        Cancelled
            `should_stop` said so
        """
        columns = ColumnMap.parse(str(given[COLUMNS])) if COLUMNS in given else None
        self._budget.grow(sum(file.size for file in files))
        found = self._found
        finder = LogFinder(found, self._folder, columns, self._budget, self._should_stop)
        logs = finder.find(files, self._progress.count_looked)
        found.readers = [reader for reader in READERS if any(log.reader is reader for log in logs)]
        found.values = check_parameters(found.parameters, given, found.format)
        found.files = tuple(log.file.name for log in logs)
        self._progress.begin_reading(
            sum(log.file.size for log in logs),
            makes_jobs_last=any(reader.makes_jobs_last for reader in found.readers),
        )
        for reader in found.readers:
            mine = [log for log in logs if log.reader is reader]
            self._find_missing_parts(reader, mine)
            for item in reader.read(self._sources(_in_order(reader, mine)), found.values):
                self._add(item)
        self._check_clocks()
        return found

    def _find_missing_parts(self, reader: Reader, logs: Sequence[FoundLog]) -> None:
        if reader.lacks_parts is None:
            return
        for beside in _by_folder(logs):
            names = [log.file.name for log in beside]
            for sentence in reader.lacks_parts(names):
                self._found.add_damage(Problem("", "", sentence), names[0])

    def _check_clocks(self) -> None:
        """Refuse files of which some count from 0, others from 1970: nothing shows when the former began.

        A file that begins over a year after another one has ended is a problem.
        """
        from_zero = next((name for name, times in self._submits.items() if times[1] < FIRST_YEARS), None)
        of_1970 = next((name for name, times in self._submits.items() if times[0] >= FIRST_YEARS), None)
        if from_zero is not None and of_1970 is not None:
            rule = "nothing says when the first one's time 0 was; import them apart"
            raise InputError(f"the times of {from_zero} count from 0, those of {of_1970} from 1970: {rule}")
        for before, after in pairwise(sorted(self._submits, key=self._submits.__getitem__)):
            gap = self._submits[after][0] - self._submits[before][1]
            if gap > _YEAR:
                late = f"its first job comes {duration_text(gap / 1000)} after the last one of {before}"
                apart = f"{late}, and nothing runs between; import them apart"
                self._found.add_damage(Problem("", "", apart), after)

    def _sources(self, files: Sequence[LogFile]) -> Iterator[ByteSource]:
        """Yield the files of one format; what a reader finds meanwhile belongs to the last one."""
        for file in files:
            self._reading = self._names[file.path] = file.name
            source = ByteSource(
                file.path,
                opened=file.opened,
                on_read=self._progress.count_bytes,
                should_stop=self._should_stop,
                budget=self._budget,
                name=file.member_name.rpartition(": ")[2],
            )
            yield source
            if source.damage:
                self._found.add_damage(source.damage, file.name)

    def _add(self, item: Item) -> None:
        if isinstance(item, Remark):
            self._found.remarks.append(item.text)
        elif isinstance(item, JobsToCome):
            self._progress.expect_jobs(item.jobs)
        elif isinstance(item, JobsOf):
            self._reading = self._names[item.path]
        elif isinstance(item, Problem):
            self._found.add_damage(item, self._reading)
        else:
            found = profile(item) if isinstance(item, LoggedJob) else item
            self._found.add(found)
            if isinstance(found, JobBatch):
                self._count_jobs(found.submit, found.tasks + int(np.count_nonzero(~found.is_kept)))
            else:
                self._count_jobs(np.array([found.submit]), found.job.task_count if found.job else 1)

    def _count_jobs(self, submit: NDArray[np.int64], tasks: int) -> None:
        """Count jobs by when they were submitted, and their tasks; report those that come last."""
        jobs = len(submit)
        if jobs:
            earliest, latest = int(submit.min()), int(submit.max())
            first, last = self._submits.get(self._reading, (earliest, latest))
            self._submits[self._reading] = min(first, earliest), max(last, latest)
        self._jobs += jobs
        self._tasks += tasks
        if self._tasks > MAX_TASKS or self._jobs > MAX_JOBS:
            rule = f"at most {MAX_JOBS} jobs and {MAX_TASKS} tasks fit in one workload; give fewer logs"
            raise InputError(f"{self._reading}: too many jobs and tasks; {rule}")
        if self._progress.only_jobs_come and self._should_stop():
            raise Cancelled(f"import of {self._reading} stopped")
        self._progress.count_jobs(jobs)


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported log: the workload and the account of how it came about."""

    workload: Workload
    report: ImportReport


def open_trace(
    paths: Sequence[Path],
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Imported:
    """Import log files as one workload.

    Parameters
    ----------
    paths : files, or folders or archives of which every log is taken; jobs are merged by submit time
    parameters : values for the parameters of the formats (`Reader.parameters`); the rest has defaults
    progress : called with the fraction done, from 0 to 1
    should_stop : called now and then: whether to give up

    Raises
    ------
    UnknownFormat
        no reader recognises a file that was named, or any file of a folder; `UnknownTable` for a table whose
        columns must be named first, with the parameter `columns`
    TraceError
        the files are of a known format, and not one job of them could be read
    UnknownName
        a parameter is none of the formats that were found
    InputError
        a file cannot be read, a folder holds too many files, or a parameter's value breaks a rule
    Cancelled
        `should_stop` said so
    """
    files = log_files(paths, should_stop)
    with scratch_folder() as folder, collector_at_rest():
        reported = ImportProgress(progress)
        found = ImportPipeline(log_name(paths), folder, reported, should_stop).read(files, parameters or {})
        workload, report = assemble(found, reported.report_assembled)
        give_memory_back()
    return Imported(workload, report)


def _in_order(reader: Reader, logs: Sequence[FoundLog]) -> list[LogFile]:
    """Return the files of a format as its reader wants them: parts of one log by their first times."""
    return [log.file for beside in _by_folder(logs) for log in reader.in_order(beside)]


def _by_folder(logs: Iterable[FoundLog]) -> list[list[FoundLog]]:
    folders: dict[Path, list[FoundLog]] = {}
    for log in logs:
        folders.setdefault(log.file.path.parent, []).append(log)
    return list(folders.values())
