"""Jobs of a log as columns, ready for a workload: there may be a million, and most are alike."""

from __future__ import annotations

from collections import Counter
from itertools import chain, compress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING, AttemptColumns, values_at
from core.logs.job_profile import NO_ACCOUNT, JobProfile
from core.model.coded_values import CodedValues
from core.model.in_parts import slices
from core.model.many_jobs import JobColumns, items_at, tasks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.logs.job_profile import JobAccount
    from core.model.job import Job


class JobBatch(NamedTuple):
    """Some jobs of a log.

    Attributes
    ----------
    names : as the log has them
    jobs : the jobs; when they arrive is `submit`'s to say. Anything, or None, for one that is not kept
    is_kept : whether each has a usable task, so that it is in the workload, bool (jobs,)
    accounts : what became of their tasks; many share one
    submit, launch, finish : ms on the log's clock, the last two `MISSING` where not known, int64 (jobs,)
    titles : what their users call them
    first, size : the first row in `attempts` of each job, and how many it has, int64 (jobs,)
    attempts : what ran for them, and perhaps for others
    """

    names: Sequence[str]
    jobs: Sequence[Job | None]
    is_kept: NDArray[np.bool_]
    accounts: Sequence[JobAccount]
    submit: NDArray[np.int64]
    launch: NDArray[np.int64]
    finish: NDArray[np.int64]
    titles: Sequence[str]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    attempts: AttemptColumns

    @classmethod
    def bare(cls, jobs: list[Job | None], names: list[str], submit: NDArray[np.int64]) -> JobBatch:
        """Return jobs of which a log has no more than their sizes and when they were submitted."""
        unknown, none = np.full(len(jobs), MISSING), np.zeros(len(jobs), np.int64)
        accounts, titles = [NO_ACCOUNT] * len(jobs), [""] * len(jobs)
        of_jobs = (names, jobs, _are_there(jobs), accounts, submit, unknown, unknown, titles)
        return cls(*of_jobs, none, none, AttemptColumns())

    @classmethod
    def of(cls, profiles: Sequence[JobProfile]) -> JobBatch:
        """Return jobs that were computed one by one."""
        columns: list[Any] = list(map(list, zip(*profiles, strict=True))) or [[] for _ in JobProfile._fields]
        names, jobs, accounts, submit, launch, finish, titles, attempts = columns
        submit, launch, finish = (np.array(times, np.int64) for times in (submit, launch, finish))
        size = np.array([len(each) for each in attempts], np.int64)
        first, whole = np.cumsum(size) - size, AttemptColumns.joined(attempts)
        is_kept = _are_there(jobs)
        return cls(names, jobs, is_kept, accounts, submit, launch, finish, titles, first, size, whole)

    @classmethod
    def joined(cls, parts: Sequence[JobBatch]) -> JobBatch:
        """Return the jobs of all parts, of which there is one at least, one after the other."""
        if len(parts) == 1:
            return parts[0]
        different = list({id(part.attempts): part.attempts for part in parts}.values())
        begins = np.cumsum([0, *(len(each) for each in different)]).tolist()
        begin_of = {id(each): begin for each, begin in zip(different, begins, strict=False)}
        parts = [part._replace(first=part.first + begin_of[id(part.attempts)]) for part in parts]
        *columns, _ = zip(*parts, strict=True)
        return cls._make([*map(_joined, columns), AttemptColumns.joined(different)])

    def at(self, places: NDArray[np.int64]) -> JobBatch:
        """Return the jobs at these places, in this order."""
        *columns, attempts = self
        return JobBatch._make([*(_at(column, places) for column in columns), attempts])

    @property
    def tasks(self) -> int:
        """How many tasks the jobs have that are kept."""
        if isinstance(self.jobs, JobColumns):
            return int(self.jobs.stages.counts[self.is_kept].sum(dtype=np.int64))
        return tasks_of(self._kept())

    def placed(self, arrivals: NDArray[np.float64]) -> Sequence[Job]:
        """Return the jobs that are kept, under these names, arriving at these times."""
        if isinstance(self.jobs, JobColumns):
            placed = self.jobs.placed(self.names, arrivals)
            return placed if self.is_kept.all() else placed.at(np.flatnonzero(self.is_kept))
        times = chain.from_iterable(part.tolist() for part in slices(arrivals))
        kept = self.is_kept.tolist()
        rows = zip(self._kept(), compress(self.names, kept), compress(times, kept), strict=True)
        return tuple([job.placed(name, arrival) for job, name, arrival in rows])

    def _kept(self) -> list[Job]:
        """Return the jobs that are kept."""
        return [job for job in compress(self.jobs, self.is_kept.tolist()) if job]

    @property
    def different_accounts(self) -> list[tuple[JobAccount, int]]:
        """The accounts in the order in which they appear, and how many jobs share each."""
        if isinstance(self.accounts, CodedValues):
            return self.accounts.used()
        often = Counter(map(id, self.accounts))
        return [(account, often[id(account)]) for account in {id(a): a for a in self.accounts}.values()]

    @property
    def notes(self) -> Sequence[tuple[tuple[str, int], ...]]:
        """The notes on each job."""
        if isinstance(self.accounts, CodedValues):
            return self.accounts.other(lambda account: account.lines)
        lines = {id(account): account.lines for account, _ in self.different_accounts}
        return [lines[id(account)] for account in self.accounts]


def _are_there(jobs: Sequence[Job | None]) -> NDArray[np.bool_]:
    return np.fromiter(map(bool, jobs), np.bool_, len(jobs))


def _joined(columns: Sequence[Any]) -> Any:  # Any: sequences, or arrays
    is_array = isinstance(columns[0], np.ndarray)
    return np.concatenate(columns) if is_array else list(chain.from_iterable(columns))


def _at(column: Any, places: NDArray[np.int64]) -> Any:  # Any: a sequence, or an array
    return values_at(column, places) if isinstance(column, np.ndarray) else items_at(column, places)


def total(counts: Iterable[tuple[Mapping[str, int], int]]) -> dict[str, int]:
    """Return the sum of counts, each as many times as its number."""
    whole: dict[str, int] = {}
    for count, times in counts:
        for what, number in count.items():
            whole[what] = whole.get(what, 0) + number * times
    return whole
