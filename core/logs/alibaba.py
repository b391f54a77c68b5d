"""Alibaba cluster trace of 2018: `batch_task` and `batch_instance`, tables in seconds, mostly without header.

``batch_task``: task, number of instances, job, type, status, start, end, planned processor and memory.
``batch_instance``: instance, task, job, type, status, start, end, machine, number of the try and of tries,
mean and highest processor and memory. Times count from the start of the trace; 0, or nothing, is not known.

A task is a stage of its job. Its name says for which others it waits: R4_2 is number 4 and waits for 2;
other names (``task_Nzg3...``, ``MergeTask``) wait for none. An instance is a task of ours.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs.attempt_columns import FINISH, MISSING, SORT, START, slots_of
from core.logs.byte_source import line_batches, taken, until_noise
from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.logged_job import LATEST, JobConfiguration, LoggedStage, host_name, plain_texts
from core.logs.reader import Reader, Remark, begins_with_rows
from core.logs.stage_graphs import with_stages
from core.logs.table_jobs import SUBMIT, TableRows
from core.model.errors import InputError, Problem
from core.model.in_parts import most_at_once
from core.model.limits import MAX_TASKS
from core.model.parameters import Parameter
from core.model.task_types import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.logs.byte_source import ByteSource, Lines
    from core.logs.job_profile import JobAccount
    from core.logs.reader import Item, Values
    from core.model.task_types import Result

_STATUS = rb"(Terminated|Failed|Running|Waiting|Interrupted|Cancelled|Ready|)"
_TIME = rb"(-?\d{1,12}|)(?:\.0*)?"
_TASK = re.compile(
    rb"^([^,\n]+),(\d{1,9}|)(?:\.\d*)?,([^,\n]+),[^,\n]*,%b,%b,%b(?:,[^,\n]*){2}$" % (_STATUS, _TIME, _TIME),
    re.MULTILINE,
)
_INSTANCE = re.compile(
    rb"^([^,\n]*,([^,\n]+)),([^,\n]+),[^,\n]*,%b,%b,%b,([^,\n]*)(?:,[^,\n]*){6}$" % (_STATUS, _TIME, _TIME),
    re.MULTILINE,
)
_HEADER = re.compile(rb'"?(instance_name"?,"?)?task_name"?,.*"?status"?,"?start_time"?,"?end_time"?,.*')
"""The names of the columns, which some copies of the trace begin with."""
_WAITS = re.compile(rb"[A-Za-z]+(\d{1,6})((?:_+\d{1,6})*)(?:_+Stg\d{1,6})?_*")
_RESULTS: dict[bytes, Result] = {
    b"Terminated": "succeeded",
    b"Failed": "failed",
    b"Interrupted": "killed",
    b"Cancelled": "killed",
}
"""What a status means; any other one is that of what has not ended."""
_NOT_A_ROW = (
    "not a row of batch_task (9 cells) or batch_instance (14 cells) with whole seconds and a known status; "
    "it is left out"
)
FEW_TASKS = 1_000_000
"""So many tasks are fine whatever the log is; each takes some 200 bytes while it is read."""
_MS = 1000
_SLOWSTART = 1.0, "as a stage waits for whole stages"

PARAMETERS = (
    Parameter(
        "instances_per_slot",
        "integer",
        0,
        "Instances that a task and a slot stand for where only batch_task tells of them; 0: one, or as many "
        "as a large log needs.",
        0,
        10**6,
    ),
)

ASSUMPTIONS = (
    PROFILE_ASSUMPTIONS[0],
    "A task of the trace is a stage, with its instances as tasks; it starts when all stages that its name "
    "says have ended, without a shuffle.",
    "A job is submitted when its first instance starts; the trace does not say when it was.",
    "A job of which no instance is listed has as many as batch_task counts, each as long as its task. A slot "
    "runs one instance, whatever processors and memory it took.",
)


def _is_row(line: bytes) -> bool:
    """Whether a line is a row of either table."""
    return bool(_TASK.fullmatch(line) or _INSTANCE.fullmatch(line))


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    trace = _Trace()
    for source in sources:
        yield from until_noise(taken(line_batches(source.chunks()), trace.take))
    yield from _jobs(trace, int(values["instances_per_slot"]))


class _Numbers(dict[bytes, int]):
    """Numbers of names, in the order in which they come."""

    def __missing__(self, name: bytes) -> int:
        number = self[name] = len(self)
        return number


class _DagNames(_Numbers):
    """Numbers of those names of tasks that list what they wait for; all others are 0 and wait for nothing."""

    def __missing__(self, name: bytes) -> int:
        return super().__missing__(name) if _WAITS.fullmatch(name) else 0


class _NamedWaits(NamedTuple):
    """What the name of a task contains: its number in its job, and those that it waits for."""

    number: int = 0
    parents: tuple[int, ...] = ()


def _waits(name: bytes) -> _NamedWaits:
    found = _WAITS.fullmatch(name)
    if not found:
        return _NamedWaits()
    return _NamedWaits(int(found[1]), tuple(int(number) for number in found[2].split(b"_") if number))


class _TraceRows(NamedTuple):
    """Rows of either table as columns, each (rows,).

    Attributes
    ----------
    job, dag, host, status : numbers of names
    start, end : s; 0 or below where not known
    same : a number that tries of the same instance have alike
    instances : how many they are; 0 for a row that is one instance
    """

    job: NDArray[np.int32]
    dag: NDArray[np.int32]
    host: NDArray[np.int32]
    status: NDArray[np.int32]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    same: NDArray[np.int64]
    instances: NDArray[np.int32]

    def at(self, where: NDArray[Any]) -> _TraceRows:
        """Return some of the rows."""
        return _TraceRows(*(column[where] for column in self))


class _Trace:
    """Takes the lines of both tables.

    Attributes
    ----------
    jobs, hosts, dags : numbers of names
    """

    def __init__(self) -> None:
        self.jobs, self.hosts, self.dags = _Numbers(), _Numbers({b"": 0}), _DagNames({b"": 0})
        self._status = dict.fromkeys((b"Running", b"Waiting", b"Ready", b""), OUTCOMES.index("unfinished"))
        self._status |= {word: OUTCOMES.index(result) for word, result in _RESULTS.items()}
        self._taken: list[_TraceRows] = []
        self._rows = 0

    def take(self, lines: Lines) -> Iterable[Problem] | str:
        """Take all these lines, or none and return what is wrong with one of them."""
        text, count = b"\n".join(lines.data), len(lines.data)
        if len(found := _INSTANCE.findall(text)) == count:
            tries, names, jobs, status, start, end, hosts = zip(*found, strict=True)
            same, instances = list(map(hash, tries)), [0] * count
        elif len(found := _TASK.findall(text)) == count:
            names, counts, jobs, status, start, end = zip(*found, strict=True)
            instances = [max(int(count or 1), 1) for count in counts]
            same, hosts = list(range(self._rows, self._rows + count)), (b"",) * count
        elif count == 1 and _HEADER.fullmatch(text):
            return ()
        else:
            return _NOT_A_ROW
        self._rows += count
        if self._rows > MAX_TASKS:
            rule = "give a part of it, as its first million lines"
            raise InputError(f"the trace has more than {MAX_TASKS} rows; {rule}")
        rows = _TraceRows(
            _column(map(self.jobs.__getitem__, jobs), np.int32),
            _column(map(self.dags.__getitem__, names), np.int32),
            _column(map(self.hosts.__getitem__, hosts), np.int32),
            _column(map(self._status.__getitem__, status), np.int32),
            _column((int(time or 0) for time in start), np.int64),
            _column((int(time or 0) for time in end), np.int64),
            _column(same, np.int64),
            _column(instances, np.int32),
        )
        self._taken.append(rows)
        return ()

    def rows(self) -> _TraceRows | None:
        """Return what was taken, if anything was, and let it go."""
        if not self._taken:
            return None
        columns = list(map(list, zip(*self._taken, strict=True)))
        self._taken.clear()
        return _TraceRows(*(np.concatenate(columns.pop(0)) for _ in _TraceRows._fields))


def _column(values: Iterable[int], dtype: type[np.int32 | np.int64]) -> NDArray[Any]:
    return np.array(list(values), dtype)


def _jobs(trace: _Trace, per_slot: int) -> Iterator[Item]:
    """Yield the jobs, and the problems that concern them all."""
    rows = trace.rows()
    if rows is None:
        return
    counted = np.bincount(rows.job, rows.instances, len(trace.jobs)).astype(np.int64)
    is_listed = np.bincount(rows.job, rows.instances == 0, len(trace.jobs)) > 0
    rows, remark, scale = _instances(rows, len(trace.jobs), per_slot)
    if remark:
        yield Remark(remark)
    dags = [_waits(name) for name in trace.dags]
    # stages of a job lie in the order of their numbers, maps first
    places = sorted(range(len(dags)), key=lambda dag: (bool(dags[dag].parents), dags[dag].number, dag))
    place = np.empty(len(dags), np.int64)
    place[places] = np.arange(len(dags))
    first = _first_tries(rows)
    listed = np.bincount(rows.job[np.unique(first)], minlength=len(trace.jobs))
    yield from _lacking(counted[is_listed], listed[is_listed])
    table = _table(rows, trace, np.array([bool(dag.parents) for dag in dags])[rows.dag], place, first)
    stages = list(_stages_of_jobs(table, place[rows.dag], first, [dags[dag] for dag in places]))
    settings = _settings(rows, "instances at once" if scale == 1 else "slots in use at once")
    del rows, first, trace  # there may be millions
    found = table.jobs()
    del table
    batch = found.together()
    shared: dict[tuple[int, int], JobAccount] = {}
    accounts = []
    rows_of_jobs = zip(batch.jobs, batch.is_kept.tolist(), stages, strict=True)
    jobs = [with_stages(job, of_job) if job and kept else None for job, kept, of_job in rows_of_jobs]
    for account, of_job in zip(batch.accounts, stages, strict=True):
        key = id(account), id(of_job)  # the batch and the list hold both meanwhile
        if key not in shared:
            shared[key] = account._replace(stages=of_job, settings=settings)
        accounts.append(shared[key])
    yield batch._replace(jobs=jobs, accounts=accounts)


def _instances(rows: _TraceRows, jobs: int, given: int) -> tuple[_TraceRows, str, int]:
    """Return a row for each instance, a remark on them, and how many instances a slot stands for.

    Raises
    ------
    InputError
        the number of instances per slot is given, and gives too many tasks
    """
    is_listed = rows.instances == 0
    has_list = np.zeros(jobs, np.bool_)
    has_list[rows.job[is_listed]] = True
    counted = np.flatnonzero(~is_listed & ~has_list[rows.job])
    listed = np.flatnonzero(is_listed)
    instances = rows.instances[counted].astype(np.int64)
    most = max(FEW_TASKS, 5 * len(rows.job) // 4) - len(listed)
    scale = given or 1
    if given and len(listed) + slots_of(instances, scale).sum() > MAX_TASKS:
        rule = f"at most {MAX_TASKS} fit in one workload; give a larger number, or 0 to have it chosen"
        raise InputError(f"instances_per_slot {given} gives too many tasks; {rule}")
    while not given and slots_of(instances, scale).sum() > most:
        scale *= 2
    if scale > 1 and len(listed) and not given:
        remark = (
            f"{len(np.unique(rows.job[counted]))} jobs of which no instance is listed are left out: they "
        )
        return (
            rows.at(listed),
            f"{remark} would be {instances.sum()} tasks beside {len(listed)} listed.",
            1,
        )
    sizes = slots_of(instances, scale)
    remark = _about_scale(rows.at(counted), sizes, scale) if scale > 1 else ""
    whole = rows.at(np.concatenate([listed, np.repeat(counted, sizes)]))
    whole.same[len(listed) :] = np.arange(len(whole.same) - len(listed))
    return whole, remark, scale


def _lacking(counted: NDArray[np.int64], listed: NDArray[np.int64]) -> Iterator[Problem]:
    """Report that instances which batch_task counts are not listed, by the numbers of each job."""
    if jobs := np.count_nonzero(lacks := listed < counted):
        rule = "the jobs are smaller here than they were; give batch_instance whole, or batch_task alone"
        part = f"{listed[lacks].sum()} of the {counted[lacks].sum()}"
        yield Problem("", "", f"{part} instances that batch_task counts for {jobs} jobs are listed: {rule}")


def _about_scale(rows: _TraceRows, tasks: NDArray[np.int64], scale: int) -> str:
    took = np.where((rows.start > 0) & (rows.end > 0), rows.end - rows.start, 0.0)
    recorded, held = float(rows.instances @ took), float(scale * tasks @ took)
    by = f"{abs(held / recorded - 1):.1%} {'more' if held >= recorded else 'less'}" if recorded else "no more"
    return (
        f"A slot stands for {scale} instances (instances_per_slot): {rows.instances.sum(dtype=np.int64)} "
        f"instances become {tasks.sum()} tasks, at least one for each task of the trace; slots are held for "
        f"{by} time than recorded."
    )


def _first_tries(rows: _TraceRows) -> NDArray[np.int64]:
    """Return for each row that of the first try of its instance, (rows,)."""
    order = np.lexsort((rows.same, rows.job))
    begins = np.diff(rows.same[order], prepend=0) != 0
    begins |= np.diff(rows.job[order], prepend=MISSING) != 0
    first = np.empty(len(order), np.int64)
    first[order] = order[np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))]
    return first


def _table(
    rows: _TraceRows,
    trace: _Trace,
    waits: NDArray[np.bool_],
    place: NDArray[np.int64],
    first: NDArray[np.int64],
) -> TableRows:
    """Return the attempts; tasks of a job are numbered stage by stage."""
    order = np.lexsort((first, place[rows.dag], rows.job))
    task = np.empty(len(order), np.int32)
    task[order] = np.cumsum(np.diff(first[order], prepend=first[order[:1]]) != 0)
    times = np.full((5, len(order)), MISSING, np.int64)
    for row, known in ((START, rows.start), (FINISH, rows.end)):
        times[row] = np.where(known > 0, _MS * known, MISSING)
    times[SORT] = np.where(waits, times[START], MISSING)
    submit = np.full(len(trace.jobs), LATEST)
    np.minimum.at(submit, rows.job, np.where(times[START] == MISSING, LATEST, times[START]))
    times[SUBMIT] = np.where(submit == LATEST, MISSING, submit)[rows.job]
    names = {
        "job": plain_texts(list(trace.jobs)),
        "kind": ("map", "reduce"),
        "task": range(len(order)),
        "host": [host_name(name.decode("utf-8", "replace")) for name in trace.hosts],
        "user": ("",),
        "pool": ("",),
    }
    kind, nothing = waits.astype(np.int32), np.zeros(len(order), np.int32)
    return TableRows(names, tuple(times), rows.job, kind, task, rows.status, rows.host, nothing, nothing)


def _stages_of_jobs(
    table: TableRows, place: NDArray[np.int64], first: NDArray[np.int64], dags: Sequence[_NamedWaits]
) -> Iterator[tuple[LoggedStage, ...]]:
    """Yield the stages of each job, in the order in which jobs appear; none where there is only one.

    Parameters
    ----------
    place : which of `dags` each row is of, (rows,)
    first : the row of the first try, (rows,)
    dags : what names say, in the order of stages
    """
    well = (table.outcome == OUTCOMES.index("succeeded")) & (table.times[START] != MISSING)
    counts = np.zeros(len(first), np.bool_)
    counts[first[well]] = True
    stage = table.job.astype(np.int64) * len(dags) + place
    different, which = np.unique(stage, return_inverse=True)
    tasks = np.bincount(which, counts, len(different)).astype(np.int64)
    attempts = np.bincount(which, minlength=len(different))
    begins = np.flatnonzero(np.diff(different // len(dags), prepend=MISSING))
    ends = np.append(begins[1:], len(different))
    _, appears = np.unique(table.job, return_index=True)
    known = cache(partial(_stages, dags))
    for job in np.argsort(appears).tolist():
        some = slice(begins[job], ends[job])
        sizes = zip(tasks[some].tolist(), attempts[some].tolist(), strict=True)
        yield known(tuple((different[some] % len(dags)).tolist()), tuple(sizes))


def _stages(
    dags: Sequence[_NamedWaits], places: tuple[int, ...], sizes: tuple[tuple[int, int], ...]
) -> tuple[LoggedStage, ...]:
    if len(places) == 1:
        return ()
    mine = [dags[place] for place in places]
    number = {dag.number: i for i, dag in enumerate(mine) if dag.number}
    return tuple(
        LoggedStage(
            not dag.parents,
            tasks,
            attempts,
            tuple(sorted({number[p] for p in dag.parents if p in number} - {i})),
            dag.number,
        )
        for i, (dag, (tasks, attempts)) in enumerate(zip(mine, sizes, strict=True))
    )


def _settings(rows: _TraceRows, what: str) -> JobConfiguration:
    held = (rows.start > 0) & (rows.start < rows.end)
    slots = most_at_once(rows.start[held], rows.end[held])
    return JobConfiguration(containers=max(slots, 1), containers_are=what, usual_slowstart=_SLOWSTART)


READER = Reader(
    "alibaba",
    "Alibaba cluster trace (2018)",
    begins_with_rows(_is_row),
    _read,
    ASSUMPTIONS,
    PARAMETERS,
    is_one_log=True,
)
