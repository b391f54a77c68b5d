"""Jobs of batch systems: each holds so many processors for its whole run, and so is one wide stage of maps.

A slot is a processor. Where a log has more processor runs than are sensible as tasks, a slot stands for
several of them, and the report says for how many. Stages are made when they are asked for.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import FEW_TASKS, MISSING, AttemptColumns, constant, slots_of
from core.logs.job_batch import JobBatch
from core.logs.job_profile import (
    NO_STAGE,
    NO_SUBMIT_TIME,
    NO_TASKS,
    NOTHING,
    JobAccount,
    all_kept,
    early_starts,
)
from core.logs.logged_job import LATEST, JobConfiguration
from core.logs.reader import JobsOf, JobsToCome, Remark
from core.model.coded_values import CodedValues, coded, coded_rows
from core.model.errors import InputError
from core.model.limits import MAX_PROCESSORS, MAX_SLOTS, MAX_TASKS
from core.model.many_jobs import JobColumns
from core.model.parameters import Parameter
from core.model.stages import Stage
from core.model.task_types import MAP, OUTCOMES
from core.model.time_column import TimeColumn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from core.logs.reader import Item, Values
    from core.model.many_jobs import TimesOfTasks
    from core.model.task_types import Result


@dataclass(frozen=True, slots=True)
class HeldStages:
    """The stages of jobs that held so many slots for so many ms.

    Attributes
    ----------
    slots, run : of each job, int32 and int64 (jobs,)
    """

    slots: NDArray[np.int32]
    run: NDArray[np.int64]
    _made: dict[tuple[int, int], tuple[Stage, Stage]] = field(default_factory=dict)
    """Those of different jobs: many are alike."""

    @property
    def counts(self) -> NDArray[np.int32]:
        """The number of maps and of reduces of each job, (jobs, 2)."""
        return np.stack([self.slots, np.zeros_like(self.slots)], axis=1)

    @property
    def seconds(self) -> Sequence[NDArray[np.float64]]:
        """Times that stages have, the shortest and the longest among them."""
        return (np.array([self.run.min(), self.run.max()]) / 1000,) if len(self.run) else ()

    def at(self, places: NDArray[np.int64]) -> HeldStages:
        """Return those of some of the jobs."""
        return HeldStages(self.slots[places], self.run[places])

    def of(self, begin: int, end: int) -> list[tuple[Stage, Stage]]:
        """Return those of neighbouring jobs."""
        held = zip(self.slots[begin:end].tolist(), self.run[begin:end].tolist(), strict=True)
        return [self._made.get(each) or self._make(each) for each in held]

    def _make(self, held: tuple[int, int]) -> tuple[Stage, Stage]:
        slots, run = held
        made = self._made[held] = Stage.of(slots, run / 1000), NO_STAGE
        return made

    def task_times(self) -> TimesOfTasks:
        """Return the times of all tasks."""
        duration = np.repeat(self.run / 1000, self.slots)
        return duration, np.zeros(len(duration)), np.zeros(len(duration))


NO_START_TIME = "starts of jobs (how they ran is not recorded)"
_NO_PROCESSORS = ("with unknown processors (1 taken)", 1)

PARAMETERS = (
    Parameter(
        "processors_per_slot",
        "integer",
        0,
        "Processors of a batch job that one slot stands for; 0: one, or as many as a large log needs.",
        0,
        MAX_PROCESSORS,
    ),
)

ASSUMPTIONS = (
    "A job is one stage of maps: one for each of its processors, which takes as long as the job ran. In a "
    "simulation they need not start together, as those of the log did.",
    "A job that failed, timed out or was cancelled while it ran is kept as long as it ran: it held its "
    "processors.",
)


class EarlierRun(NamedTuple):
    """A run of a job that was started anew later: its processors, when it started, ms, and how it ended."""

    job: int
    processors: int
    start: int
    run: int
    result: Result


@dataclass(frozen=True, slots=True)
class WideJobs:
    """The jobs of a log as columns, in the order of the log.

    Attributes
    ----------
    names, users, pools, titles : of each job; empty where not known
    outcome : the log's word for how it ended; empty for one that went well, or where not known
    why : place in `reasons` of why it is left out; 0 for one that ran, int64 (jobs,)
    processors : that it held; 0 where not known, int64 (jobs,)
    submit, start : ms on the log's clock, `MISSING` where not known, int64 (jobs,)
    run : for how long it ran, ms; of a job that is left out it does not matter, int64 (jobs,)
    earlier : runs of these jobs before the one that counts
    machine : processors of the whole machine; 0 where not known
    reasons : why jobs are left out; the first one is empty
    path : of the file that they are all from; None for jobs of several
    """

    names: Sequence[str]
    users: Sequence[str]
    pools: Sequence[str]
    titles: Sequence[str]
    outcome: Sequence[str]
    why: NDArray[np.int64]
    processors: NDArray[np.int64]
    submit: NDArray[np.int64]
    start: NDArray[np.int64]
    run: NDArray[np.int64]
    earlier: Sequence[EarlierRun] = ()
    machine: int = 0
    reasons: Sequence[str] = ("",)
    path: Path | None = None

    @property
    def is_kept(self) -> NDArray[np.bool_]:
        """Whether each job is in the workload, (jobs,)."""
        kept: NDArray[np.bool_] = self.why == 0
        return kept

    @property
    def kept_processors(self) -> NDArray[np.int64]:
        """The processors of each job that is in the workload, at least one."""
        processors: NDArray[np.int64] = np.maximum(self.processors[self.is_kept], 1)
        return processors


@dataclass(frozen=True, slots=True)
class _ProcessorRuns:
    """Runs of jobs that held processors, sorted by job and then start.

    Attributes
    ----------
    job, processors, start, run : int64 (runs,)
    outcome : index into `OUTCOMES`, int32 (runs,)
    counts : whether it is the run that the job is known by, bool (runs,)
    """

    job: NDArray[np.int64]
    processors: NDArray[np.int64]
    start: NDArray[np.int64]
    run: NDArray[np.int64]
    outcome: NDArray[np.int32]
    counts: NDArray[np.bool_]

    @classmethod
    def of(cls, jobs: WideJobs) -> _ProcessorRuns:
        """Return all runs of the jobs of which the start is known."""
        began = np.flatnonzero(jobs.is_kept & (jobs.start != MISSING))
        if not jobs.earlier:  # as nearly always, with a million jobs
            processors, start, run = (each[began] for each in (jobs.processors, jobs.start, jobs.run))
            outcome, counts = np.zeros(len(began), np.int32), np.ones(len(began), np.bool_)
            return cls(began, np.maximum(processors, 1), start, run, outcome, counts)
        earlier = np.array([each[:4] for each in jobs.earlier], np.int64).reshape(len(jobs.earlier), 4)
        late = np.stack([began, jobs.processors[began], jobs.start[began], jobs.run[began]], axis=1)
        rows = np.concatenate([late, earlier])
        outcome = np.zeros(len(rows), np.int32)
        outcome[len(late) :] = [OUTCOMES.index(each.result) for each in jobs.earlier]
        order = np.lexsort((rows[:, 2], rows[:, 0]))
        job, processors, start, run = rows[order].T
        return cls(job, np.maximum(processors, 1), start, run, outcome[order], order < len(late))

    def most_slots(self, per_slot: int) -> int:
        """Return how many slots are held at once at most."""
        held = self.run > 0
        slots = slots_of(self.processors[held], per_slot)
        times = np.concatenate([self.start[held] + self.run[held], self.start[held]])
        change = np.concatenate([-slots, slots])
        return int(np.cumsum(change[np.argsort(times, kind="stable")]).max(initial=0))

    def attempts(self, per_slot: int) -> AttemptColumns:
        """Return every task of every run."""
        slots = slots_of(self.processors, per_slot)
        count = int(slots.sum())
        task = np.arange(count, dtype=np.int32)
        task -= np.repeat((np.cumsum(slots) - slots).astype(np.int32), slots)
        counts, outcome = constant(np.True_, count), constant(np.int8(0), count)
        if not self.counts.all():
            counts, outcome = np.repeat(self.counts, slots), np.repeat(self.outcome.astype(np.int8), slots)
            task[~counts] = MISSING
        unknown = constant(np.int64(MISSING), count)
        return AttemptColumns(
            constant(np.int8(MAP), count),
            task,
            counts,
            outcome,
            constant(np.int32(MISSING), count),
            TimeColumn.of(self.start).repeated(slots).as_array,
            unknown,
            unknown,
            TimeColumn.of(self.start + self.run).repeated(slots).as_array,
        )


def read_wide_jobs(logs: Sequence[WideJobs], values: Values) -> Iterator[Item]:
    """Yield the jobs of the logs of one format, and the notes on their slots.

    Raises
    ------
    InputError
        the number of processors per slot is given, and gives too many tasks
    """
    runs = [_ProcessorRuns.of(jobs) for jobs in logs]
    per_slot = int(values["processors_per_slot"]) or _fitting(logs, runs)
    _check_size(logs, runs, per_slot)
    if per_slot > 1:
        yield Remark(_about_slots(logs, per_slot))
    yield JobsToCome(sum(len(jobs.names) for jobs in logs))
    for jobs, its_runs in zip(logs, runs, strict=True):
        if jobs.path is not None:
            yield JobsOf(jobs.path)
        yield _batch(jobs, its_runs, per_slot)


def _fitting(logs: Sequence[WideJobs], runs: Sequence[_ProcessorRuns]) -> int:
    """Return the fewest sensible processors per slot: such that divide all jobs, else these doubled."""
    sizes = np.concatenate([*(jobs.kept_processors for jobs in logs), np.zeros(0, np.int64)])
    most = max(FEW_TASKS, 4 * len(sizes))
    common = max(int(np.gcd.reduce(sizes, initial=0)), 1)
    low = [each for each in range(1, isqrt(common) + 1) if common % each == 0]
    doubled = (common << power for power in range(MAX_PROCESSORS.bit_length()))
    for per_slot in sorted({*low, *(common // each for each in low), *doubled}):
        tasks, slots = _size(logs, runs, per_slot)
        if tasks <= most and slots <= MAX_SLOTS:
            return per_slot
    return MAX_PROCESSORS


def _size(logs: Sequence[WideJobs], runs: Sequence[_ProcessorRuns], per_slot: int) -> tuple[int, int]:
    """Return how many tasks the jobs have, and how many slots they held at once."""
    tasks = sum(int(slots_of(jobs.kept_processors, per_slot).sum()) for jobs in logs)
    again = sum(int(slots_of(each.processors[~each.counts], per_slot).sum()) for each in runs)
    return tasks + again, max((each.most_slots(per_slot) for each in runs), default=0)


def _check_size(logs: Sequence[WideJobs], runs: Sequence[_ProcessorRuns], per_slot: int) -> None:
    tasks, slots = _size(logs, runs, per_slot)
    if tasks > MAX_TASKS or slots > MAX_SLOTS:
        raise InputError(
            f"processors_per_slot {per_slot} gives {tasks} tasks on {slots} slots; at most {MAX_TASKS} "
            f"tasks and {MAX_SLOTS} slots fit in one workload; give {_fitting(logs, runs)}, or 0 to let "
            "it be chosen"
        )


def _about_slots(logs: Sequence[WideJobs], per_slot: int) -> str:
    """Note for how many processors a slot stands, and what that does to small jobs."""
    runs = [(jobs.kept_processors, jobs.run[jobs.is_kept] / 1000) for jobs in logs]
    recorded = sum(float(processors @ run) for processors, run in runs)
    held = sum(per_slot * float(slots_of(processors, per_slot) @ run) for processors, run in runs)
    inexact = sum(int(np.count_nonzero(processors % per_slot)) for processors, _ in runs)
    text = f"A slot stands for {per_slot} processors (processors_per_slot)"
    if not inexact:
        return f"{text}, of which every job has a multiple."
    by = abs(held / recorded - 1) if recorded else 0.0
    changed = "more" if held >= recorded else "less"
    return (
        f"{text}: {inexact} jobs have no multiple of it and take the nearest number of slots, at least one; "
        f"processor time is {by:.1%} {changed} than recorded."
    )


def _batch(jobs: WideJobs, runs: _ProcessorRuns, per_slot: int) -> JobBatch:
    """Return the jobs of one log as they go into a workload; what many have alike is made once."""
    attempts = runs.attempts(per_slot)
    slots, submit = slots_of(jobs.processors, per_slot), _submits(jobs)
    size = np.bincount(runs.job, slots_of(runs.processors, per_slot), len(slots)).astype(np.int64)
    time_0 = int(np.min(submit, where=jobs.is_kept, initial=LATEST))
    finish = np.where(jobs.is_kept & (jobs.start != MISSING), jobs.start + jobs.run, MISSING)
    titles, known = coded(jobs.titles).compact()
    titles[~jobs.is_kept] = len(known)
    made = JobColumns(
        jobs.names,
        (submit - time_0) / 1000,
        coded(jobs.pools).other(lambda pool: pool or "default"),
        coded(jobs.users),
        HeldStages(slots.astype(np.int32), jobs.run),
    )
    return JobBatch(
        jobs.names,
        made,
        jobs.is_kept,
        _accounts(jobs, slots, submit, per_slot),
        submit,
        constant(np.int64(MISSING), len(slots)),
        finish,
        CodedValues(titles, [*known, ""].__getitem__),
        np.cumsum(size) - size,
        size,
        attempts,
    )


def _accounts(
    jobs: WideJobs, slots: NDArray[np.int64], submit: NDArray[np.int64], per_slot: int
) -> CodedValues[JobAccount]:
    """Return what became of each job."""
    outcome, outcomes = coded(jobs.outcome).compact()
    is_early = (jobs.start > MISSING) & (jobs.start < submit)
    unknown = (jobs.submit == MISSING, jobs.start == MISSING, jobs.processors == 0)
    which, different = coded_rows([outcome, slots, *unknown, is_early, jobs.why])
    settings = JobConfiguration(machine_slots=-(-jobs.machine // per_slot))
    known = [_account(settings, jobs.reasons, outcomes[ended], *row) for ended, *row in different]
    accounts = CodedValues(which, known.__getitem__)
    tries: dict[int, Counter[str]] = {}
    for job, processors, _, _, result in jobs.earlier:
        tried = int(slots_of(np.array([processors]), per_slot)[0])
        tries.setdefault(job, Counter()).update({result: tried})
    if not tries:
        return accounts
    tried_again = [_with_tries(accounts[job], tried) for job, tried in tries.items()]
    return accounts.replaced(np.array(list(tries)), tried_again)


def _account(
    settings: JobConfiguration,
    reasons: Sequence[str],
    outcome: str,
    slots: int,
    has_no_submit: bool,
    has_no_start: bool,
    has_no_processors: bool,
    is_early: bool,
    why: int,
) -> JobAccount:
    if why:
        return JobAccount(why=reasons[why])
    ended = ((f"ended as {outcome}", 1),) if outcome else ()
    unknown = (_NO_PROCESSORS,) if has_no_processors else ()
    return JobAccount(
        (all_kept(slots), NO_TASKS),
        missing=+Counter({NO_SUBMIT_TIME: int(has_no_submit), NO_START_TIME: int(has_no_start)}) or NOTHING,
        notes=(*ended, *unknown, *early_starts(slots if is_early else 0)),
        settings=settings,
    )


def _with_tries(account: JobAccount, tries: Counter[str]) -> JobAccount:
    """Return an account that counts attempts at earlier runs, too."""
    maps, reduces = account.tasks
    return account._replace(tasks=(replace(maps, attempts=tries + Counter(maps.attempts)), reduces))


def _submits(jobs: WideJobs) -> NDArray[np.int64]:
    """Return when each job came: with its start where that is not known, else with the first one."""
    known = np.where(jobs.submit == MISSING, jobs.start, jobs.submit)
    first = int(np.min(known, where=known != MISSING, initial=LATEST))
    submits: NDArray[np.int64] = np.where(known == MISSING, first % LATEST, known)
    return submits
