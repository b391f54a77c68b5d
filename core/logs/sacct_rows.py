"""Rows of ``sacct --parsable2``: their columns, what cells have to be, and lines put together to rows.

In a few columns stands what users typed (SubmitLine, Comment), bars and line breaks among it. A row is as
many lines as it takes until all cells of known kinds around such texts are what they have to be.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from core.logs.attempt_columns import MISSING
from core.logs.logged_job import LATEST
from core.model.errors import Problem, shorten
from core.model.limits import MAX_PROCESSORS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
_FREE = ("submitline", "jobname", "comment", "admincomment", "systemcomment", "workdir")
"""Columns whose text may hold a |, the likeliest first."""
MAX_DIVISIONS = 200
"""So many ways are followed in which the bars of a row may belong to its free texts."""
MAX_ROW = 1 << 20
"""No row is longer, in characters: a row that has not ended by then is damaged."""
_ELAPSED = re.compile(r"(?:(\d{1,5})-)?(?:(\d{1,6}):)?(\d{1,6}):(\d{1,2})(?:\.(\d{1,9}))?")
_COUNT = re.compile(r"(?:.*\bcpu=)?(\d{1,9}(?:\.\d+)?)([KM]?)(?:,.*)?")
_UNKNOWN = ("", "unknown", "none", "n/a", "invalid")


class BadRow(Exception):
    """A row breaks a rule; the message names it."""


class Columns(NamedTuple):
    """The header.

    Attributes
    ----------
    width : how many cells a row has
    places : where which is
    free : the columns that may hold a | and line breaks, by how likely
    has_nodes : whether nodes stand for processors
    kinds : what cells have to be, for those of which that is known
    """

    width: int
    places: dict[str, int]
    free: tuple[int, ...]
    has_nodes: bool
    kinds: tuple[tuple[int, Callable[[str], bool]], ...]

    @classmethod
    def of(cls, line: str) -> Columns | None:
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
        free = tuple(first[name] for name in _FREE if name in first)
        has_nodes = "processors" not in places and "nodes" in places
        kinds = tuple((place, _KINDS[name]) for place, name in enumerate(names) if name in _KINDS)
        return cls(len(names), places, free, has_nodes, kinds)

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

    def step(self, line: str) -> tuple[str, str]:
        """Return the cluster and the id of a step, of a row that has as many cells as the header."""
        cells, at = line.split("|"), self.places.get("cluster")
        return "" if at is None else cells[at].strip(), cells[self.places["id"]].strip()

    def cells(self, line: str) -> dict[str, str]:
        """Return the values of a row, by what they are; of more cells than columns those that fit."""
        cells = line.split("|")
        if len(cells) > self.width and (fitting := self._fitting(cells)):
            cells = fitting
        if len(cells) != self.width:
            raise BadRow(f"it has {len(cells)} cells and the header {self.width}")
        return {what: cells[place].strip() for what, place in self.places.items()}

    def begins(self, line: str) -> bool:
        """Whether a line may be the first of a row: the number of a job is in its place, or behind."""
        cells = line.split("|")[self.places["id"] :]
        return any(_is_id(cell.strip()) for cell in cells)

    def fits(self, line: str) -> bool:
        """Whether a line is a row by itself: every cell of a known kind is what it has to be."""
        cells = line.split("|")
        return len(cells) >= self.width and self._fitting(cells) is not None

    def _fitting(self, cells: list[str]) -> list[str] | None:
        """Return cells of which those of free columns hold the bars that are too many; None if none fit.

        One such column is tried after the other, then all divisions among them.
        """
        extra = len(cells) - self.width
        for shares in self._divisions(extra, cells):
            joined, at = [], 0
            for place in range(self.width):
                taken = 1 + shares.get(place, 0)
                joined.append("|".join(cells[at : at + taken]))
                at += taken
            if all(is_kind(joined[place].strip()) for place, is_kind in self.kinds):
                return joined
        return None

    def _divisions(self, extra: int, cells: list[str]) -> Iterator[dict[int, int]]:
        """Yield how many bars more each free column may hold, where the cells between them allow it."""
        if not extra or not self.free:
            yield from [] if extra else [{}]
            return
        yield from ({place: extra} for place in self.free)
        free = sorted(self.free)
        found: list[tuple[int, dict[int, int]]] = [(0, {})]
        for place, after in zip(free, [*free[1:], self.width], strict=True):
            between = [(at, is_kind) for at, is_kind in self.kinds if place < at < after]
            found = [
                (more, {**shares, place: more - before})
                for before, shares in found
                for more in range(before, extra + 1)
                if all(is_kind(cells[at + more].strip()) for at, is_kind in between)
            ][:MAX_DIVISIONS]
        yield from (shares for more, shares in found if more == extra)


def time_of(what: str, cell: str) -> int:
    """Return a time as ms since 1970 as if all clocks were at Greenwich; `MISSING` where it is not known."""
    if cell.lower() in _UNKNOWN:
        return MISSING
    try:
        moment = datetime.fromtimestamp(int(cell), UTC) if cell.isdecimal() else datetime.fromisoformat(cell)
        time = round(1000 * (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError, OSError):
        time = MISSING
    if not 0 <= time < LATEST:
        raise BadRow(f"{what.capitalize()} is {shorten(cell)}, which is no time such as 2024-05-31T23:59:59")
    return time


def elapsed_of(cell: str) -> int:
    """Return a run time in ms: of seconds, or of [days-]hours:minutes:seconds."""
    if cell.lower() in _UNKNOWN:
        return MISSING
    if cell.isdecimal() and len(cell) <= 10:
        return 1000 * int(cell)
    found = _ELAPSED.fullmatch(cell)
    if not found:
        raise BadRow(f"Elapsed is {shorten(cell)}, which is no run time such as 1-23:59:59")
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups()[:4])
    whole = 86_400 * days + 3600 * hours + 60 * minutes + seconds
    return 1000 * whole + round(1000 * float(f"0.{found[5] or 0}"))


def count_of(cell: str) -> int:
    """Return a number of processors or nodes, of `cpu=` in a list of resources; `MISSING` if unknown."""
    found = _COUNT.fullmatch(cell)
    if not found:
        if cell[:1].isdigit():
            raise BadRow(f"AllocCPUS (or what stands for it) is {shorten(cell)}, which is no whole number")
        return MISSING
    return min(int(float(found[1]) * {"": 1, "K": 1024, "M": 1024**2}[found[2]]), MAX_PROCESSORS)


def _matches(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda cell: compiled.fullmatch(cell) is not None


def _is_time(cell: str) -> bool:
    try:
        time_of("", cell)
    except BadRow:
        return False
    return True


def _is_count(cell: str) -> bool:
    return not cell or bool(_COUNT.fullmatch(cell))


def _is_elapsed(cell: str) -> bool:
    return cell.lower() in _UNKNOWN or bool(_ELAPSED.fullmatch(cell)) or cell.isdecimal()


_is_id = _matches(r"\d+(?:[_+.].*)?")
_KINDS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(("jobid", "jobidraw"), _is_id),
    **dict.fromkeys(("submit", "start", "end", "eligible"), _is_time),
    **dict.fromkeys(("elapsed", "elapsedraw", "cputime", "cputimeraw"), _is_elapsed),
    **dict.fromkeys(("alloccpus", "ncpus", "reqcpus", "allocnodes", "nnodes", "reqnodes"), _is_count),
    "state": _matches(r"[A-Z_]+\+?(?: by \S+)?"),
    "exitcode": _matches(r"(?:\d+:\d+)?"),
    "cluster": _matches(r"\S*"),
}
"""What cells have to be, by which a row is found among the bars and line breaks of users' texts."""


class Rows:
    """Puts the lines of a row together, as a text in it may have several, and hands its cells on."""

    def __init__(self, take: Callable[[dict[str, str]], None], take_step: Callable[[str, str], None]) -> None:
        self._take, self._take_step = take, take_step
        self._begun = ""
        self._step = ""  # the line before, if it was all of a step by the number of its cells
        self._problem: Problem | None = None

    def take(self, columns: Columns, number: int, line: str) -> Iterator[Problem]:
        """Take a line; yield what is wrong with the row before it if that cannot be mended any more."""
        if self._begun and (columns.fits(line) or len(self._begun) > MAX_ROW):
            yield from self.end()
        if not self._begun and self._step and not columns.begins(line):
            self._begun = self._step  # a line break in its last text: it had not ended
        whole = f"{self._begun} {line}" if self._begun else line
        self._step = ""
        try:
            if whole.count("|") + 1 == columns.width and columns.is_step(whole):
                self._step = whole
                self._take_step(*columns.step(whole))
            elif "." not in (cells := columns.cells(whole))["id"]:
                self._take(cells)
            else:
                self._take_step(cells.get("cluster", ""), cells["id"])
            self._begun, self._problem = "", None
        except BadRow as problem:
            rule = f"{problem}; it is left out"
            # what is said of it is what is wrong with its first line
            self._problem = self._problem or Problem(f"line {number}", shorten(whole[:60]), rule)
            self._begun = whole if columns.free else ""
            if not columns.free:
                yield from self.end()

    @property
    def is_between(self) -> bool:
        """Whether no row has begun that may go on in the next line."""
        return not self._begun

    def stand_behind(self, columns: Columns, line: str) -> None:
        """Go on behind a line that was taken elsewhere as a row of its own."""
        self._step = line if columns.is_step(line) else ""

    def end(self) -> Iterator[Problem]:
        """Yield what is wrong with a row that has not ended."""
        if self._problem:
            yield self._problem
        self._begun, self._problem = "", None
