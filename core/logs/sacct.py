"""What Slurm's ``sacct --parsable2`` prints (Slurm 20 to 24): a header of names, a row per job and per step.

The columns are those that ``--format`` named, in any order. Steps (``123.batch``, ``123.0``) are part of
their job; a task of an array (``123_4``) and a component of a heterogeneous job (``123+1``) are jobs. Rows of
one job with several starts are runs of it, of which the last one counts (it was requeued); with the same
start they are one run that was listed twice.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING
from core.logs.byte_source import text_lines, until_noise
from core.logs.logged_job import one_line
from core.logs.reader import Reader, Remark
from core.logs.sacct_rows import BadRow, Columns, Rows, count_of, elapsed_of, time_of
from core.logs.wide_jobs import (
    ASSUMPTIONS,
    PARAMETERS,
    EarlierRun,
    WideJobs,
    read_wide_jobs,
)
from core.model.errors import Problem, shorten
from core.model.limits import by_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values
    from core.model.execution_history import Result

HOW = "sacct --parsable2 --format=JobID,JobName,User,Partition,Submit,Start,End,Elapsed,State,AllocCPUS"

MAX_ABOVE = 20
"""So many lines may stand above the header: greetings of the machine that was logged in to."""
MAX_NAMES = 3
"""So many jobs are named of which only steps are listed."""
_ID = re.compile(r"\d+(?:_\d+|_\[[^\]]*\]|\+\d+)?")
_WAITING = ("PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT")
_NOT_ENDED = ("RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "RESIZING", "STOPPED", "SIGNALING")
_FAILURES = ("FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY")


def _recognises(head: bytes) -> bool:
    first, *others = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", MAX_ABOVE + 1)[: MAX_ABOVE + 1]
    return _is_header(first) or any(b"Start" in line and _is_header(line) for line in others)


def _is_header(line: bytes) -> bool:
    return b"|" in line and Columns.of(line[:5000].decode("utf-8", "replace")) is not None


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    listing = Listing()
    for source in sources:
        yield from until_noise(listing.take(source))
    yield from listing.items(values)


class _ListedRun(NamedTuple):
    """One row, its times in ms: what is not known is `MISSING`; `why` is a place in `_WHY`."""

    job: int
    processors: int
    start: int
    run: int
    why: int
    state: int


_WHY = (
    "",
    "no run (cancelled before it began)",
    "no run (still waiting)",
    "no known start",
    "no known end (still running)",
    "no known end",
)
_OK, _CANCELLED_BEFORE, _STILL_WAITING, _NO_START, _STILL_RUNNING, _NO_END = range(len(_WHY))


class Listing:
    """Takes the rows of all files, and puts together those of one job."""

    def __init__(self) -> None:
        self.has_nodes = False
        self._numbers: dict[str, int] = {}
        self._states: dict[str, int] = {}
        self._texts: dict[str, list[str]] = {"name": [], "user": [], "pool": []}
        self._submits = array("q")
        self._runs = array("q")
        self._known: dict[str, str] = {}
        self._steps: Counter[str] = Counter()

    def take(self, source: ByteSource) -> Iterator[Problem]:
        """Take the rows of a file; yield what is wrong with each that cannot be taken."""
        columns: Columns | None = None
        rows = Rows(self.take_row, self._take_step)
        for line in text_lines(source.chunks()):
            if isinstance(line, Problem):
                yield line
                continue
            text = line.text.removeprefix("\ufeff")
            # listings may stand behind one another, each with its header
            if header := Columns.of(text) if columns is None or "JobID" in text else None:
                yield from rows.end()
                columns, self.has_nodes = header, self.has_nodes or header.has_nodes
                if header.lacks:
                    rule = f"without a column {header.lacks} no run is known; write the log with {HOW}"
                    yield Problem(f"line {line.number}", shorten(text[:60]), rule)
                    return
            elif columns is not None and text.strip():
                yield from rows.take(columns, line.number, text)
            elif text.strip():
                rule = "it stands above the header and is left out"
                yield Problem(f"line {line.number}", shorten(text[:60]), rule)
        yield from rows.end()

    def take_row(self, cells: dict[str, str]) -> None:
        """Take what a row says of a job, by what it is.

        Raises
        ------
        BadRow
            a value is none
        """
        name, state = cells["id"], cells.get("state", "").upper().partition(" ")[0].removesuffix("+")
        if not _ID.fullmatch(name):
            raise BadRow(f"JobID is {shorten(name)}, which is none")
        submit, start, end = (time_of(what, cells.get(what, "")) for what in ("submit", "start", "end"))
        elapsed = elapsed_of(cells.get("elapsed", ""))
        processors = count_of(cells.get("processors") or cells.get("nodes", ""))
        if elapsed == MISSING and start != MISSING != end:
            elapsed = end - start
            if elapsed < 0:
                raise BadRow("it ends before it starts")
        why = _why(state, start, elapsed, processors)
        has_ended = state not in _NOT_ENDED and ("end" not in cells or end != MISSING)
        if not why and not has_ended:
            why = _STILL_RUNNING if state in _NOT_ENDED else _NO_END
        job = self._job(cells, submit)
        state_number = self._states.setdefault(state, len(self._states))
        self._runs.extend(_ListedRun(job, max(processors, 0), start, elapsed, why, state_number))

    def _job(self, cells: dict[str, str], submit: int) -> int:
        """Return the number of the row's job, which came when its first row did."""
        key = _key(cells.get("cluster", ""), cells["id"])
        job = self._numbers.setdefault(key, len(self._numbers))
        if job == len(self._submits):
            self._submits.append(submit)
            for what, texts in self._texts.items():
                text = one_line(cells.get(what, ""))
                texts.append(self._known.setdefault(text, text))
        elif submit != MISSING:
            known = self._submits[job]
            self._submits[job] = submit if known == MISSING else min(known, submit)
        return job

    def _take_step(self, cluster: str, step: str) -> None:
        """Count a step whose job has not come yet: it stands behind its job, if that is in the listing."""
        key = _key(cluster, step.partition(".")[0])
        if key not in self._numbers:
            self._steps[key] += 1

    def _lost_steps(self) -> Iterator[Problem]:
        """Yield which jobs have steps alone: nothing says when they came and how much they held."""
        lost = {name: count for name, count in self._steps.items() if name not in self._numbers}
        if not lost:
            return
        names = sorted(lost, key=by_number)
        more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
        jobs, they, their = ("job", "it", "its") if len(names) == 1 else ("jobs", "they", "their")
        yield Problem(
            f"{jobs} {', '.join(map(one_line, names[:MAX_NAMES]))}{more}",
            "",
            f"only {their} steps are listed ({sum(lost.values())}), not when {they} came and how much {they} "
            "held, and left out; list the rows of jobs as well",
        )

    def items(self, values: Values) -> Iterator[Item]:
        """Yield the jobs, and what is worth saying of them all."""
        yield from self._lost_steps()
        if self.has_nodes:
            yield Remark("The log does not say how many processors jobs had: a slot stands for a node.")
        jobs, repeated = self._jobs()
        if repeated:
            yield Remark(f"{repeated} rows tell a run once more (listings overlap); each run is taken once.")
        yield from read_wide_jobs([jobs], values)

    def _jobs(self) -> tuple[WideJobs, int]:
        """Return the jobs, and how many rows repeat others."""
        runs = np.array(self._runs, np.int64).reshape(-1, len(_ListedRun._fields))
        job, _, start, _, why, _ = runs.T
        # the last row of a run knows its end, if any does
        runs = runs[np.lexsort((why == _OK, start, job))]
        job, start = runs[:, 0], runs[:, 2]
        is_new = np.diff(job, append=-1) != 0
        ends_run = is_new | (np.diff(start, append=-1) != 0)
        is_listed = ends_run & (is_new | (start != MISSING))
        states = list(self._states)
        last = runs[is_new]
        earlier = runs[is_listed & ~is_new & (runs[:, 4] == _OK)]
        outcome = ["" if state == "COMPLETED" else state for state in states]
        return (
            WideJobs(
                names=list(map(one_line, self._numbers)),
                users=self._texts["user"],
                pools=self._texts["pool"],
                titles=self._texts["name"],
                outcome=[outcome[state] for state in last[:, 5].tolist()],
                why=last[:, 4],
                reasons=_WHY,
                processors=last[:, 1],
                submit=np.array(self._submits, np.int64),
                start=last[:, 2],
                run=last[:, 3],
                earlier=[
                    EarlierRun(of, processors, start, run, _result(states[state]))
                    for of, processors, start, run, _, state in earlier.tolist()
                ],
            ),
            len(runs) - int(np.count_nonzero(is_listed)),
        )


def _key(cluster: str, name: str) -> str:
    """Return what a job is known by: clusters number theirs by themselves."""
    return f"{cluster} {name}" if cluster else name


def _why(state: str, start: int, elapsed: int, processors: int) -> int:
    """Return why a run is none, as a place in `_WHY`."""
    if start == MISSING or elapsed == MISSING or (elapsed == 0 and (state == "CANCELLED" or processors == 0)):
        if state == "CANCELLED" and (start == MISSING or elapsed != MISSING):
            return _CANCELLED_BEFORE
        if state in _WAITING or start == MISSING:
            return _STILL_WAITING if state in _WAITING else _NO_START
        return _STILL_RUNNING if state in _NOT_ENDED else _NO_END
    return _OK


def _result(state: str) -> Result:
    return "failed" if state in _FAILURES else "killed"


READER = Reader(
    "sacct",
    "Slurm's sacct --parsable2",
    _recognises,
    _read,
    (
        *ASSUMPTIONS,
        "Steps are part of their job; tasks of an array and components of a heterogeneous job are jobs of "
        "their own. A job that was requeued came when it was first submitted; its last run counts.",
        "Times are taken as they stand, as the log names no time zone; where a run's end and its run time "
        "(Elapsed) disagree, the run time is believed.",
    ),
    parameters=PARAMETERS,
    makes_jobs_last=True,
)
