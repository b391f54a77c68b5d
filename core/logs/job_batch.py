"""Jobs of a log as columns, ready for a workload: there may be a million, and most are alike."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING, AttemptColumns
from core.logs.job_profile import NO_ACCOUNT, JobProfile

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
    jobs : the jobs; when they arrive is `submit`'s to say. None for one without a usable task
    accounts : what became of their tasks; many share one
    submit, launch, finish : ms on the log's clock, the last two `MISSING` where not known, int64 (jobs,)
    titles : what their users call them
    first, size : the first row in `attempts` of each job, and how many it has, int64 (jobs,)
    attempts : what ran for them, and perhaps for others
    """

    names: list[str]
    jobs: list[Job | None]
    accounts: list[JobAccount]
    submit: NDArray[np.int64]
    launch: NDArray[np.int64]
    finish: NDArray[np.int64]
    titles: list[str]
    first: NDArray[np.int64]
    size: NDArray[np.int64]
    attempts: AttemptColumns

    @classmethod
    def bare(cls, jobs: list[Job | None], names: list[str], submit: NDArray[np.int64]) -> JobBatch:
        """Return jobs of which a log has no more than their sizes and when they were submitted."""
        unknown, none = np.full(len(jobs), MISSING), np.zeros(len(jobs), np.int64)
        accounts, titles = [NO_ACCOUNT] * len(jobs), [""] * len(jobs)
        return cls(names, jobs, accounts, submit, unknown, unknown, titles, none, none, AttemptColumns())

    @classmethod
    def of(cls, profiles: Sequence[JobProfile]) -> JobBatch:
        """Return jobs that were computed one by one."""
        columns: list[Any] = list(map(list, zip(*profiles, strict=True))) or [[] for _ in JobProfile._fields]
        names, jobs, accounts, submit, launch, finish, titles, attempts = columns
        submit, launch, finish = (np.array(times, np.int64) for times in (submit, launch, finish))
        size = np.array([len(each) for each in attempts], np.int64)
        first, whole = np.cumsum(size) - size, AttemptColumns.joined(attempts)
        return cls(names, jobs, accounts, submit, launch, finish, titles, first, size, whole)

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
    def is_kept(self) -> NDArray[np.bool_]:
        """Whether each job is in the workload, (jobs,)."""
        return np.fromiter(map(bool, self.jobs), np.bool_, len(self.jobs))

    @property
    def different_accounts(self) -> list[tuple[JobAccount, int]]:
        """The accounts in the order in which they appear, and how many jobs share each."""
        often = Counter(map(id, self.accounts))
        return [(account, often[id(account)]) for account in {id(a): a for a in self.accounts}.values()]


def _joined(columns: Sequence[Any]) -> Any:  # Any: lists, or arrays
    is_list = isinstance(columns[0], list)
    return list(chain.from_iterable(columns)) if is_list else np.concatenate(columns)


def _at(column: Any, places: NDArray[np.int64]) -> Any:  # Any: a list, or an array
    return [column[place] for place in places.tolist()] if isinstance(column, list) else column[places]


def total(counts: Iterable[tuple[Mapping[str, int], int]]) -> dict[str, int]:
    """Return the sum of counts, each as many times as its number."""
    whole: dict[str, int] = {}
    for count, times in counts:
        for what, number in count.items():
            whole[what] = whole.get(what, 0) + number * times
    return whole
