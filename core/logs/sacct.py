"""What Slurm's ``sacct --parsable2`` prints (Slurm 20 to 24): a header of names, a row per job and per step.

The columns are those that ``--format`` named, in any order. Steps (``123.batch``, ``123.0``) are part of
their job; a task of an array (``123_4``) and a component of a heterogeneous job (``123+1``) are jobs. Rows of
one job with several starts are runs of it, of which the last one counts (it was requeued); with the same
start they are one run that was listed twice.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from core.logs.byte_source import Line, line_blocks, text_lines, until_noise
from core.logs.reader import Reader
from core.logs.sacct_rows import Columns, Rows
from core.logs.sacct_runs import ASSUMPTIONS, HEADER, ListedRuns
from core.logs.wide_jobs import PARAMETERS
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from core.logs.byte_source import ByteSource, LineBlock
    from core.logs.reader import Item, Values

HOW = "sacct --parsable2 --format=JobID,JobName,User,Partition,Submit,Start,End,Elapsed,State,AllocCPUS"

MAX_ABOVE = 20
"""So many lines may stand above the header: greetings of the machine that was logged in to."""


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


class Listing:
    """Takes the rows of all files, and puts together those of one job."""

    def __init__(self) -> None:
        self.runs = ListedRuns()
        self._has_nodes = False
        self._columns: Columns | None = None

    def take(self, source: ByteSource) -> Iterator[Problem]:
        """Take the rows of a file; yield what is wrong with each that cannot be taken."""
        self._columns = None
        rows = Rows(self.runs.take_row, self.runs.take_step)
        for block in line_blocks(source.chunks()):
            begin = self._take_block(block, rows)
            number = block.number + block.data.count(b"\n", 0, begin)
            for line in text_lines(chain([block.data[begin:]], block.rest), number):
                if isinstance(line, Problem):
                    yield line
                elif not (yield from self._take_line(line, rows)):
                    return
        yield from rows.end()

    def _take_block(self, block: LineBlock, rows: Rows) -> int:
        """Take the lines of a block but the last one at once if none is odd; return where the rest begins."""
        end = block.data.rfind(b"\n", 0, -1) + 1
        if self._columns is None or block.rest or not rows.is_between:
            return 0
        if not self.runs.take_block(self._columns, block.data[:end]):
            return 0
        (line,) = text_lines([block.data[block.data.rfind(b"\n", 0, end - 1) + 1 : end]])
        rows.stand_behind(self._columns, line.text if isinstance(line, Line) else "")
        return end

    def _take_line(self, line: Line, rows: Rows) -> Generator[Problem, None, bool]:
        """Take a line; yield what is wrong with it, and return whether the others can be understood."""
        text, columns = line.text.removeprefix("\ufeff"), self._columns
        # listings may stand behind one another, each with its header
        if header := Columns.of(text) if columns is None or HEADER in text else None:
            yield from rows.end()
            self._columns, self._has_nodes = header, self._has_nodes or header.has_nodes
            if header.lacks:
                rule = f"without a column {header.lacks} no run is known; write the log with {HOW}"
                yield Problem(f"line {line.number}", shorten(text[:60]), rule)
                return False
        elif columns is not None and text.strip():
            yield from rows.take(columns, line.number, text)
        elif text.strip():
            rule = "it stands above the header and is left out"
            yield Problem(f"line {line.number}", shorten(text[:60]), rule)
        return True

    def items(self, values: Values) -> Iterator[Item]:
        """Yield the jobs, and what is worth saying of them all."""
        yield from self.runs.items(values, on_nodes=self._has_nodes)


READER = Reader(
    "sacct",
    "Slurm's sacct --parsable2",
    _recognises,
    _read,
    ASSUMPTIONS,
    parameters=PARAMETERS,
    makes_jobs_last=True,
)
