"""The runs that rows of ``sacct`` list, as columns: there may be a million."""

from __future__ import annotations

import re
from array import array
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.logs import wide_jobs
from core.logs.attempt_columns import MISSING
from core.logs.logged_job import LATEST, one_line
from core.logs.plain_rows import CONTROLS, cells_between
from core.logs.reader import Remark
from core.logs.sacct_rows import BadRow, count_of, elapsed_of, time_of
from core.logs.wide_jobs import EarlierRun, WideJobs, read_wide_jobs
from core.model.coded_values import CodedValues
from core.model.errors import Problem, shorten
from core.model.limits import by_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.logs.plain_rows import PlainCells
    from core.logs.reader import Item, Values
    from core.logs.sacct_rows import Columns
    from core.model.task_types import Result

MAX_NAMES = 3
"""So many jobs are named of which only steps are listed."""
HEADER = "JobID"
"""A row that has it may be a header."""
ASSUMPTIONS = (
    *wide_jobs.ASSUMPTIONS,
    "Steps are part of their job; tasks of an array and components of a heterogeneous job are jobs of "
    "their own. A job that was requeued came when it was first submitted; its last run counts.",
    "Times are taken as they stand, as the log names no time zone; where a run's end and its run time "
    "(Elapsed) disagree, the run time is believed.",
)
"""What holds for every job that ``sacct`` lists."""
_ID = re.compile(r"\d+(?:_\d+|_\[[^\]]*\]|\+\d+)?")
_STEPS = re.compile(r"(?:\d+(?:[_+.][^\n]*)?\n)*")
_NUMBERS = re.compile(r"(?:[1-9][0-9]{0,17}\n)*")
"""Ids that are what their numbers are written as."""
_WAITING = ("PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT")
_NOT_ENDED = ("RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "RESIZING", "STOPPED", "SIGNALING")
_FAILURES = ("FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY")
_TIMES = ("submit", "start", "end")
_TEXTS = ("user", "pool", "name")

_WHY = (
    "",
    "no run (cancelled before it began)",
    "no run (still waiting)",
    "no known start",
    "no known end (still running)",
    "no known end",
)
_OK, _CANCELLED_BEFORE, _STILL_WAITING, _NO_START, _STILL_RUNNING, _NO_END = range(len(_WHY))


class _OddBlock(Exception):
    """Rows are not all as most are; one by one it is found out which one, and what is wrong with it."""


class _ListedRun(NamedTuple):
    """One row by numbers, or many by columns; its times in ms, `MISSING` where not known.

    Attributes
    ----------
    job : what `_JobNumbers` calls the job
    submit, start, run : when it was submitted and started, and how long it ran
    processors : 0 where not known
    why : place in `_WHY`
    state, user, pool, title : places among the texts that came
    """

    job: Any  # Any: a number, or a column
    submit: Any
    start: Any
    run: Any
    processors: Any
    why: Any
    state: Any
    user: Any
    pool: Any
    title: Any


_TYPES = (*[np.int64] * 4, np.int32, np.int8, *[np.int32] * 4)


class _JobNumbers:
    """Numbers of jobs: an id that is a number stands for itself."""

    def __init__(self) -> None:
        self._others: dict[str, int] = {}
        self._known: list[str] = []

    def numbers(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Return the number of each name."""
        if names and _NUMBERS.fullmatch("\n".join([*names, ""])):
            return np.array(list(map(int, names)), np.int64)
        return np.fromiter(map(self._number, names), np.int64, len(names))

    def _number(self, name: str) -> int:
        if _NUMBERS.fullmatch(f"{name}\n"):
            return int(name)
        return -1 - self._others.setdefault(name, len(self._others))

    @property
    def value_of(self) -> Callable[[int], str]:
        """What returns the name of a number."""
        return self.name if self._others else str

    def name(self, number: int) -> str:
        """Return the name of a number."""
        if number > 0:
            return str(number)
        if len(self._known) < len(self._others):
            self._known = list(map(one_line, self._others))
        return self._known[-1 - number]


class ListedRuns:
    """Takes the rows of all files, one by one or many at once."""

    def __init__(self) -> None:
        self._names = _JobNumbers()
        self._states: dict[str, int] = {}
        self._texts: dict[str, dict[str, int]] = {name: {} for name in _TEXTS}
        self._parts: list[_ListedRun] = []
        self._row = array("q")
        """The numbers of rows that came one by one since the last part."""
        self._steps: list[NDArray[np.int64]] = []
        self._step = array("q")

    def take_row(self, cells: dict[str, str]) -> None:
        """Take what a row says of a job, by what it is; BadRow if a value is none."""
        name, state = cells["id"], _state(cells.get("state", ""))
        if not _ID.fullmatch(name):
            raise BadRow(f"JobID is {shorten(name)}, which is none")
        submit, start, end = (time_of(what, cells.get(what, "")) for what in _TIMES)
        elapsed = elapsed_of(cells.get("elapsed", ""))
        processors = count_of(cells.get("processors") or cells.get("nodes", ""))
        if elapsed == MISSING and start != MISSING != end:
            elapsed = end - start
            if elapsed < 0:
                raise BadRow("it ends before it starts")
        why = _why(state, start, elapsed, processors, "end" not in cells or end != MISSING)
        (job,) = self._names.numbers([_key(cells.get("cluster", ""), name)]).tolist()
        texts = (self._text(what, cells.get(what, "")) for what in _TEXTS)
        number = self._states.setdefault(state, len(self._states))
        self._row.extend(_ListedRun(job, submit, start, elapsed, max(processors, 0), why, number, *texts))

    def take_step(self, cluster: str, step: str) -> None:
        """Count a step; it stands behind its job, if that is in the listing."""
        self._step.extend(self._names.numbers([_key(cluster, step.partition(".")[0])]).tolist())

    def _text(self, what: str, text: str) -> int:
        known = self._texts[what]
        return known.setdefault(one_line(text), len(known))

    def take_block(self, columns: Columns, data: bytes) -> bool:
        """Take all rows of some whole lines, or none and return False: something about them is odd."""
        if HEADER.encode() in data:
            return False
        places = columns.places
        times = {places[name] for name in _TIMES if name in places}
        texts = {place for name, place in places.items() if name not in _TIMES}
        cells = cells_between(data, "|", columns.width, texts, (), times, CONTROLS)
        if cells is None:
            return False
        try:
            self._take_cells(places, cells)
        except (BadRow, _OddBlock):
            return False
        return True

    def _take_cells(self, places: dict[str, int], cells: PlainCells) -> None:
        """Take the rows of a block; _OddBlock or BadRow if something about them is odd."""
        names = cells.texts(places["id"])
        whole = "\n".join([*names, ""])
        if not _STEPS.fullmatch(whole):
            raise _OddBlock
        clusters = cells.texts(places["cluster"]) if "cluster" in places else []
        is_job = np.ones(len(names), np.bool_)
        if "." in whole:
            is_job = np.fromiter(("." not in name for name in names), np.bool_, len(names))
        jobs = names if is_job.all() else [name for name in names if "." not in name]
        if not all(map(_ID.fullmatch, jobs)):
            raise _OddBlock
        found = self._runs_of(places, cells, is_job)
        keys = [name.partition(".")[0] for name in names] if "." in whole else names
        if clusters:
            keys = list(map(_key, clusters, keys))
        numbers = self._names.numbers(keys)
        self._end_part()
        self._steps.append(numbers[~is_job])
        self._parts.append(found._replace(job=numbers[is_job]))

    def _runs_of(self, places: dict[str, int], cells: PlainCells, is_job: NDArray[np.bool_]) -> _ListedRun:
        """Return the runs of a block without their jobs; _OddBlock or BadRow if a value of one is none."""
        count = int(np.count_nonzero(is_job))

        def column(what: str, value_of: Callable[[str], int]) -> NDArray[np.int64]:
            if what not in places:
                return np.full(count, value_of(""))
            which, texts = cells.coded(places[what])
            which = which[is_job]
            used = np.zeros(len(texts), np.bool_)
            used[which] = True
            values = [value_of(text) if has else 0 for text, has in zip(texts, used.tolist(), strict=True)]
            return np.array(values, np.int64)[which]

        times = [
            _in_order(cells.times(places[what])[is_job]) if what in places else np.full(count, MISSING)
            for what in _TIMES
        ]
        submit, start, end = times
        run = column("elapsed", _elapsed)
        processors = column("processors" if "processors" in places else "nodes", _count)
        if "nodes" in places and "processors" in places:  # a job without the one may have the other
            nodes, is_empty = column("nodes", _count), column("processors", lambda text: not text)
            processors = np.where(is_empty, nodes, processors)
        unknown = (run == MISSING) & (start != MISSING) & (end != MISSING)
        run = np.where(unknown, end - start, run)
        if (run < MISSING).any() or (unknown & (run < 0)).any():
            raise _OddBlock
        state = column("state", lambda text: self._states.setdefault(_state(text), len(self._states)))
        has_ended = np.full(count, True) if "end" not in places else end != MISSING
        why = self._why_of(state, start, run, processors, has_ended)
        texts = (column(what, partial(self._text, what)) for what in _TEXTS)
        values = (0, submit, start, run, np.maximum(processors, 0), why, state, *texts)
        return _ListedRun(*(np.asarray(value, dtype) for value, dtype in zip(values, _TYPES, strict=True)))

    def _why_of(
        self,
        state: NDArray[np.int64],
        start: NDArray[np.int64],
        run: NDArray[np.int64],
        processors: NDArray[np.int64],
        has_ended: NDArray[np.bool_],
    ) -> NDArray[np.int8]:
        """Return what `_why` says of each run."""
        states = list(self._states)
        goes_on = np.array([each in _NOT_ENDED for each in states])[state]
        why = np.zeros(len(state), np.int8)
        for row in np.flatnonzero((start == MISSING) | (run <= 0) | goes_on | ~has_ended).tolist():
            began, ran, held = (int(column[row]) for column in (start, run, processors))
            why[row] = _why(states[state[row]], began, ran, held, bool(has_ended[row]))
        return why

    def _end_part(self) -> None:
        """Make a part of the rows that came one by one."""
        if self._row:
            columns = np.array(self._row, np.int64).reshape(-1, len(_ListedRun._fields)).T
            self._parts.append(
                _ListedRun(*(column.astype(type_) for column, type_ in zip(columns, _TYPES, strict=True)))
            )
            self._row = array("q")
        if self._step:
            self._steps.append(np.array(self._step, np.int64))
            self._step = array("q")

    def items(self, values: Values, *, on_nodes: bool = False) -> Iterator[Item]:
        """Yield the jobs, and what is worth saying of them all; `on_nodes` where they took whole nodes."""
        yield from self.lost_steps()
        if on_nodes:
            yield Remark("The log does not say how many processors jobs had: a slot stands for a node.")
        jobs, repeated = self.jobs()
        if repeated:
            yield Remark(f"{repeated} rows tell a run once more (listings overlap); each run is taken once.")
        yield from read_wide_jobs([jobs], values)

    def jobs(self) -> tuple[WideJobs, int]:
        """Return the jobs in the order in which they came, and how many rows repeat others; let go of them.

        Whom a job belongs to its first row says, and the last row of a run knows its end, if any does.
        """
        self._end_part()
        parts, self._parts = self._parts, []
        runs = _ListedRun(*map(np.concatenate, zip(*parts, strict=True))) if parts else _nothing()
        del parts
        different, first, which = np.unique(runs.job, return_index=True, return_inverse=True)
        turn = np.argsort(first)
        place = np.empty(len(turn), np.int32)
        place[turn] = np.arange(len(turn), dtype=np.int32)
        job, first = place[which], first[turn]
        submit = _first_submits(job, runs.submit, len(turn))
        texts = {
            what: CodedValues(column[first], list(self._texts[what]).__getitem__)
            for what, column in zip(_TEXTS, (runs.user, runs.pool, runs.title), strict=True)
        }
        order = np.lexsort((runs.why == _OK, runs.start, job))
        job, start = job[order], runs.start[order]
        is_new = np.diff(job, append=-1) != 0
        ends_run = is_new | (np.diff(start, append=-1) != 0)
        is_listed = ends_run & (is_new | (start != MISSING))
        last, earlier = order[is_new], order[is_listed & ~is_new & (runs.why[order] == _OK)]
        of_earlier = job[is_listed & ~is_new & (runs.why[order] == _OK)]
        states = list(self._states)
        outcome = ["" if state == "COMPLETED" else state for state in states]
        rows = (
            of_earlier,
            *(column[earlier] for column in (runs.processors, runs.start, runs.run, runs.state)),
        )
        return (
            WideJobs(
                names=CodedValues(different[turn], self._names.value_of),
                users=texts["user"],
                pools=texts["pool"],
                titles=texts["name"],
                outcome=CodedValues(runs.state[last], outcome.__getitem__),
                why=runs.why[last].astype(np.int64),
                reasons=_WHY,
                processors=runs.processors[last].astype(np.int64),
                submit=submit,
                start=runs.start[last],
                run=runs.run[last],
                earlier=[
                    EarlierRun(of, held, began, ran, _result(states[state]))
                    for of, held, began, ran, state in zip(*(column.tolist() for column in rows), strict=True)
                ],
            ),
            len(order) - int(np.count_nonzero(is_listed)),
        )

    def lost_steps(self) -> Iterator[Problem]:
        """Yield which jobs have steps alone: nothing says when they came and how much they held."""
        self._end_part()
        if not self._steps:
            return
        steps = np.concatenate(self._steps)
        known = np.concatenate([part.job for part in self._parts] or [np.zeros(0, np.int64)])
        lost = steps[~np.isin(steps, known)]
        if not len(lost):
            return
        names = sorted(map(self._names.name, np.unique(lost).tolist()), key=by_number)
        more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
        jobs, they, their = ("job", "it", "its") if len(names) == 1 else ("jobs", "they", "their")
        yield Problem(
            f"{jobs} {', '.join(names[:MAX_NAMES])}{more}",
            "",
            f"only {their} steps are listed ({len(lost)}), not when {they} came and how much {they} "
            "held, and left out; list the rows of jobs as well",
        )


def _nothing() -> _ListedRun:
    return _ListedRun(*(np.zeros(0, type_) for type_ in _TYPES))


def _first_submits(job: NDArray[np.int32], submit: NDArray[np.int64], jobs: int) -> NDArray[np.int64]:
    """Return the first of the known times at which each job was submitted."""
    first = np.full(jobs, LATEST)
    np.minimum.at(first, job, np.where(submit == MISSING, LATEST, submit))
    first[first == LATEST] = MISSING
    return first


_elapsed = lru_cache(maxsize=1 << 16)(elapsed_of)
_count = lru_cache(maxsize=1 << 12)(count_of)


@lru_cache(maxsize=1 << 10)
def _state(cell: str) -> str:
    return cell.upper().partition(" ")[0].removesuffix("+")


def _in_order(times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return times; _OddBlock where one is before 1970 or too late."""
    if ((times < MISSING) | (times >= LATEST)).any():
        raise _OddBlock
    return times


def _key(cluster: str, name: str) -> str:
    """Return what a job is known by: clusters number theirs by themselves."""
    return f"{cluster} {name}" if cluster else name


def _why(state: str, start: int, elapsed: int, processors: int, has_ended: bool) -> int:
    """Return why a run is none, as a place in `_WHY`."""
    if start == MISSING or elapsed == MISSING or (elapsed == 0 and (state == "CANCELLED" or processors == 0)):
        if state == "CANCELLED" and (start == MISSING or elapsed != MISSING):
            return _CANCELLED_BEFORE
        if state in _WAITING or start == MISSING:
            return _STILL_WAITING if state in _WAITING else _NO_START
        return _STILL_RUNNING if state in _NOT_ENDED else _NO_END
    if state in _NOT_ENDED:
        return _STILL_RUNNING
    return _OK if has_ended else _NO_END


def _result(state: str) -> Result:
    return "failed" if state in _FAILURES else "killed"
