"""What Slurm's ``sacct --parsable2`` prints (Slurm 20 to 24): a header of names, a row per job and per step.

The columns are those that ``--format`` named, in any order. Steps (``123.batch``, ``123.0``) are part of
their job; a task of an array (``123_4``) and a component of a heterogeneous job (``123+1``) are jobs. Rows of
one job with several starts are runs of it, of which the last one counts (it was requeued); with the same
start they are one run that was listed twice.
"""

from __future__ import annotations

import re
from array import array
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING
from core.logs.byte_source import text_lines, until_noise
from core.logs.logged_job import LATEST, one_line
from core.logs.reader import Reader, Remark
from core.logs.wide_jobs import (
    ASSUMPTIONS,
    MAX_PROCESSORS,
    PARAMETERS,
    EarlierRun,
    WideJobs,
    read_wide_jobs,
)
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values
    from core.model.execution_history import Result

_WANTED = {
    "id": ("jobid", "jobidraw"),
    "cluster": ("cluster",),
    "name": ("jobname",),
    "user": ("user", "uid"),
    "pool": ("partition", "account", "qos"),
    "state": ("state",),
    "submit": ("submit",),
    "start": ("start",),
    "end": ("end",),
    "elapsed": ("elapsedraw", "elapsed"),
    "processors": ("alloccpus", "ncpus", "alloctres", "reqcpus"),
    "nodes": ("allocnodes", "nnodes", "reqnodes"),
}
"""What is read of a job, and the columns that say it, the best one first."""
_FREE = ("jobname", "submitline", "comment", "admincomment", "systemcomment", "workdir")
"""Columns whose text may hold a |."""
HOW = "sacct --parsable2 --format=JobID,JobName,User,Partition,Submit,Start,End,Elapsed,State,AllocCPUS"

_ID = re.compile(r"\d+(?:_\d+|_\[[^\]]*\]|\+\d+)?")
_ELAPSED = re.compile(r"(?:(\d{1,5})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2})(?:\.(\d{1,9}))?")
_COUNT = re.compile(r"(?:.*\bcpu=)?(\d{1,9}(?:\.\d+)?)([KM]?)(?:,.*)?")
_UNKNOWN = ("", "unknown", "none", "n/a", "invalid")
_WAITING = ("PENDING", "REQUEUED", "REQUEUE_HOLD", "SPECIAL_EXIT")
_NOT_ENDED = ("RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "RESIZING", "STOPPED", "SIGNALING")
_FAILURES = ("FAILED", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY")


class _BadRow(Exception):
    """A row breaks a rule; the message names it."""


class _Columns(NamedTuple):
    """The header: how many cells a row has, where which is, and the one that may hold a |, or -1."""

    width: int
    places: dict[str, int]
    free: int
    has_nodes: bool

    @classmethod
    def of(cls, line: str) -> _Columns | None:
        """Return the columns that a line names; None if it is no header."""
        names = [cell.strip().lower() for cell in line.split("|")]
        first = {name: place for place, name in reversed(list(enumerate(names)))}
        places = {
            what: next(first[name] for name in known if name in first)
            for what, known in _WANTED.items()
            if any(name in first for name in known)
        }
        if "id" not in places or len(places) < 2:
            return None
        free = [first[name] for name in _FREE if name in first]
        has_nodes = "processors" not in places and "nodes" in places
        return cls(len(names), places, free[0] if len(free) == 1 else -1, has_nodes)

    @property
    def lacks(self) -> str:
        """What is missing without which no run is known; empty if nothing is."""
        if "start" not in self.places:
            return "Start"
        return "" if {"end", "elapsed"} & self.places.keys() else "End or Elapsed"

    def is_step(self, line: str) -> bool:
        """Whether a row is one of a step, as most are."""
        cells = line.split("|", self.places["id"] + 1)
        return "." in cells[min(self.places["id"], len(cells) - 1)]

    def cells(self, line: str) -> dict[str, str]:
        """Return the values of a row, by what they are."""
        cells = line.split("|")
        extra = len(cells) - self.width
        if extra > 0 <= self.free:
            cells[self.free : self.free + extra + 1] = ["|".join(cells[self.free : self.free + extra + 1])]
        if len(cells) != self.width:
            raise _BadRow(f"it has {len(cells)} cells and the header {self.width}")
        return {what: cells[place].strip() for what, place in self.places.items()}


def _recognises(head: bytes) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
    return b"|" in first and _Columns.of(first[:5000].decode("utf-8", "replace")) is not None


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    listing = _Listing()
    for source in sources:
        yield from until_noise(listing.take(source))
    if listing.has_nodes:
        yield Remark("The log does not say how many processors jobs had: a slot stands for a node.")
    jobs, repeated = listing.jobs()
    if repeated:
        yield Remark(f"{repeated} rows tell a run once more (listings overlap); each run is taken once.")
    yield from read_wide_jobs([jobs], values)


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
)
_OK, _CANCELLED_BEFORE, _STILL_WAITING, _NO_START, _NO_END = range(len(_WHY))


class _Listing:
    """Takes the rows of all files, and puts together those of one job."""

    def __init__(self) -> None:
        self.has_nodes = False
        self._numbers: dict[str, int] = {}
        self._states: dict[str, int] = {}
        self._texts: dict[str, list[str]] = {"name": [], "user": [], "pool": []}
        self._submits = array("q")
        self._runs = array("q")
        self._known: dict[str, str] = {}

    def take(self, source: ByteSource) -> Iterator[Problem]:
        """Take the rows of a file; yield what is wrong with each that cannot be taken."""
        columns: _Columns | None = None
        for line in text_lines(source.chunks()):
            if isinstance(line, Problem):
                yield line
                continue
            text = line.text.removeprefix("\ufeff")
            # listings may stand behind one another, each with its header
            if header := _Columns.of(text) if columns is None or "JobID" in text else None:
                columns, self.has_nodes = header, self.has_nodes or header.has_nodes
                if header.lacks:
                    rule = f"without a column {header.lacks} no run is known; write the log with {HOW}"
                    yield Problem(f"line {line.number}", shorten(text[:60]), rule)
                    return
            elif columns is not None and text.strip() and not columns.is_step(text):
                try:
                    self._take(columns.cells(text))
                except _BadRow as problem:
                    rule = f"{problem}; it is left out"
                    yield Problem(f"line {line.number}", shorten(text[:60]), rule)

    def _take(self, cells: dict[str, str]) -> None:
        name, state = cells["id"], cells.get("state", "").upper().partition(" ")[0].removesuffix("+")
        if not _ID.fullmatch(name):
            raise _BadRow(f"JobID is {shorten(name)}, which is none")
        submit, start, end = (_time(what, cells.get(what, "")) for what in ("submit", "start", "end"))
        elapsed = _elapsed(cells.get("elapsed", ""))
        processors = _count(cells.get("processors") or cells.get("nodes", ""))
        if elapsed == MISSING and start != MISSING != end:
            elapsed = end - start
            if elapsed < 0:
                raise _BadRow("it ends before it starts")
        why = _why(state, start, elapsed, processors)
        has_ended = state not in _NOT_ENDED and ("end" not in cells or end != MISSING)
        if not why and not has_ended:
            why = _NO_END
        job = self._job(cells, submit)
        state_number = self._states.setdefault(state, len(self._states))
        self._runs.extend(_ListedRun(job, max(processors, 0), start, elapsed, why, state_number))

    def _job(self, cells: dict[str, str], submit: int) -> int:
        """Return the number of the row's job, which came when its first row did."""
        cluster, name = cells.get("cluster", ""), cells["id"]
        key = f"{cluster} {name}" if cluster else name
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

    def jobs(self) -> tuple[WideJobs, int]:
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


def _why(state: str, start: int, elapsed: int, processors: int) -> int:
    """Return why a run is none, as a place in `_WHY`."""
    if start == MISSING or elapsed == MISSING or (elapsed == 0 and (state == "CANCELLED" or processors == 0)):
        if state == "CANCELLED":
            return _CANCELLED_BEFORE
        return _STILL_WAITING if state in _WAITING else _NO_START if start == MISSING else _NO_END
    return _OK


def _result(state: str) -> Result:
    return "failed" if state in _FAILURES else "killed"


def _time(what: str, cell: str) -> int:
    """Return a time as ms since 1970 as if all clocks were at Greenwich; `MISSING` where it is not known."""
    if cell.lower() in _UNKNOWN:
        return MISSING
    try:
        moment = datetime.fromtimestamp(int(cell), UTC) if cell.isdecimal() else datetime.fromisoformat(cell)
        time = round(1000 * (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError, OSError):
        time = MISSING
    if not 0 <= time < LATEST:
        raise _BadRow(f"{what.capitalize()} is {shorten(cell)}, which is no time such as 2024-05-31T23:59:59")
    return time


def _elapsed(cell: str) -> int:
    """Return a run time in ms: of seconds, or of [days-]hours:minutes:seconds."""
    if cell.lower() in _UNKNOWN:
        return MISSING
    if cell.isdecimal() and len(cell) <= 10:
        return 1000 * int(cell)
    found = _ELAPSED.fullmatch(cell)
    if not found:
        raise _BadRow(f"Elapsed is {shorten(cell)}, which is no run time such as 1-23:59:59")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups()[:4])
    whole = 86_400 * days + 3600 * hours + 60 * minutes + seconds
    return 1000 * whole + round(1000 * float(f"0.{found[5] or 0}"))


def _count(cell: str) -> int:
    """Return a number of processors or nodes, of `cpu=` in a list of resources; `MISSING` if unknown."""
    found = _COUNT.fullmatch(cell)
    if not found:
        if cell[:1].isdigit():
            raise _BadRow(f"AllocCPUS (or what stands for it) is {shorten(cell)}, which is no whole number")
        return MISSING
    return min(int(float(found[1]) * {"": 1, "K": 1024, "M": 1024**2}[found[2]]), MAX_PROCESSORS)


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
