"""The stages of jobs whose tasks are neighbouring rows of a table, made of the rows when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from core.logs.job_profile import NO_STAGE
from core.model.kept_read_only import read_only
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.many_jobs import TimesOfTasks

_TIMES = attrgetter("durations", "first_shuffle", "typical_shuffle")


@dataclass(frozen=True, slots=True)
class RowStages:
    """The maps and reduces of jobs.

    Attributes
    ----------
    counts : how many maps and how many reduces each job has, int32 (jobs, 2)
    first : the row of its first task, whose maps lie before its reduces, int32 (jobs,)
    first_reduce : the first of its reduces among all of the rows, int32 (jobs,)
    duration : of maps, or of the reduce phase, ms, int32 or int64 (rows,)
    shuffle : of reduces, ms, likewise, (reduces,)
    is_first : whether it is a first shuffle, bool (reduces,)
    special : stages of jobs that are not made of rows
    """

    counts: NDArray[np.int32]
    first: NDArray[np.int32]
    first_reduce: NDArray[np.int32]
    duration: NDArray[np.signedinteger[Any]]
    shuffle: NDArray[np.signedinteger[Any]]
    is_first: NDArray[np.bool_]
    special: Mapping[int, tuple[Stage, Stage]] = field(default_factory=dict)
    _of_one_task: dict[tuple[float, ...], Stage] = field(default_factory=dict)
    """Those that were made, by their times: most jobs are small, and equal ones share a stage."""

    def __post_init__(self) -> None:
        for column in (self.duration, self.shuffle, self.counts):
            column.flags.writeable = False

    @property
    def seconds(self) -> Sequence[NDArray[np.float64]]:
        """Times that stages have, the shortest and the longest among them."""
        given = chain.from_iterable(map(_TIMES, chain.from_iterable(self.special.values())))
        columns = [each for each in (self.duration, self.shuffle) if len(each)]
        return (*(np.array([each.min(), each.max()]) / 1000 for each in columns), *given)

    def with_special(self, special: Mapping[int, tuple[Stage, Stage]]) -> RowStages:
        """Return the stages with others of some jobs."""
        counts = self.counts.copy()
        for job, stages in special.items():
            counts[job] = [stage.count for stage in stages]
        return replace(self, counts=counts, special=special)

    def at(self, places: NDArray[np.int64]) -> RowStages:
        """Return those of some of the jobs."""
        place = np.full(len(self.counts), -1)
        place[places] = np.arange(len(places))
        special = {int(place[job]): stages for job, stages in self.special.items() if place[job] >= 0}
        columns = (self.counts[places], self.first[places], self.first_reduce[places])
        return RowStages(*columns, self.duration, self.shuffle, self.is_first, special)

    def of(self, begin: int, end: int) -> list[tuple[Stage, Stage]]:
        """Return those of neighbouring jobs."""
        some = slice(begin, end)
        columns = (self.counts[some], self.first[some], self.first_reduce[some])
        rows = zip(range(begin, end), *(column.tolist() for column in columns), strict=True)
        return [self.special.get(job) or self._stages(*places) for job, *places in rows]

    def _stages(self, counts: list[int], first: int, first_reduce: int) -> tuple[Stage, Stage]:
        maps, reduces = counts
        last = first + maps
        mine = slice(first_reduce, first_reduce + reduces)
        return (
            self._stage(_seconds(self.duration[first:last])),
            self._stage(
                _seconds(self.duration[last : last + reduces]),
                _seconds(self.shuffle[mine]),
                self.is_first[mine],
            ),
        )

    def _stage(self, durations: NDArray[np.float64], *of_shuffle: NDArray[Any]) -> Stage:
        """Return a stage; a shuffle of each task and whether it is a first one are given of reduces."""
        count = len(durations)
        if not count:
            return NO_STAGE
        shuffles = of_shuffle[:1]
        if count == 1:
            key = tuple([each.item() for each in (durations, *shuffles)])
            if key not in self._of_one_task:
                self._of_one_task[key] = Stage(1, durations, *shuffles, *shuffles)
            return self._of_one_task[key]
        if shuffles and 0 < np.count_nonzero(wave := of_shuffle[1]) < count:
            return Stage.of(count, durations, shuffles[0][wave], shuffles[0][~wave])
        return Stage(count, durations, *shuffles, *shuffles)

    def task_times(self) -> TimesOfTasks:
        """Return the times of all tasks."""
        size = self.counts.sum(axis=1, dtype=np.int64)
        begins = np.cumsum(size) - size
        number = np.arange(size.sum()) - np.repeat(begins, size)
        row = np.minimum(np.repeat(self.first, size) + number, len(self.duration) - 1)
        maps, _ = self.counts.T
        number -= np.repeat(maps, size)
        reduces = np.flatnonzero(number >= 0)
        of_reduce = np.repeat(self.first_reduce, size)[reduces] + number[reduces]
        duration, first, typical = self.duration[row] / 1000, np.zeros(len(row)), np.zeros(len(row))
        if len(reduces):
            of_reduce = np.minimum(of_reduce, len(self.shuffle) - 1)
            shuffle = self.shuffle[of_reduce] / 1000 if len(self.shuffle) else 0.0
            first[reduces] = typical[reduces] = shuffle
        for job in chain(self.special, self._of_two_waves()):
            ((maps, others),) = self.of(job, job + 1)
            begin, end = int(begins[job]) + maps.count, int(begins[job]) + maps.count + others.count
            duration[begins[job] : begin] = maps.task_durations
            duration[begin:end] = others.task_durations
            first[begin:end] = others.task_first_shuffle
            typical[begin:end] = others.task_typical_shuffle
        return duration, first, typical

    def _of_two_waves(self) -> Iterator[int]:
        """Yield the jobs that have both first and typical shuffles."""
        firsts = np.append(0, np.cumsum(self.is_first))
        begin, count = self.first_reduce, self.counts[:, 1]
        end = np.minimum(begin + count, len(self.is_first))
        waves = firsts[end] - firsts[np.minimum(begin, len(self.is_first))]
        for job in np.flatnonzero((waves > 0) & (waves < count)).tolist():
            if job not in self.special:
                yield job


def _seconds(milliseconds: NDArray[np.signedinteger[Any]]) -> NDArray[np.float64]:
    return read_only(milliseconds / 1000)
