"""The contract of a log format: how to recognise it and how to read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from core.model.parameters import Parameter, ParameterValue

if TYPE_CHECKING:
    from pathlib import Path

    from core.logs.byte_source import ByteSource
    from core.logs.job_batch import JobBatch
    from core.logs.logged_job import LoggedJob
    from core.model.errors import Problem


def holds_marks(pattern: bytes, fewest: int) -> Callable[[bytes], bool]:
    """Return a test whether a file's beginning has so many different texts of a pattern's one group."""
    marks_in = re.compile(pattern).findall
    return lambda head: len(set(marks_in(head))) >= fewest


_FIRST_LINES = 20


def begins_with_rows(is_row: Callable[[bytes], object]) -> Callable[[bytes], bool]:
    """Return a test whether half of the first lines of a file are rows; the last one may be cut."""

    def recognises(head: bytes) -> bool:
        first = head.split(b"\n", _FIRST_LINES)[:_FIRST_LINES]
        lines = [line.rstrip(b"\r") for line in first if line.strip()]
        return 0 < len(lines) <= 2 * sum(bool(is_row(line)) for line in lines)

    return recognises


HEAD_BYTES = 1 << 18
"""How much of a file's beginning (unpacked) a reader may look at to recognise it."""


class Remark(NamedTuple):
    """What holds for the jobs of a log and is known only once they are read, as a sentence."""

    text: str


class JobsOf(NamedTuple):
    """The file of the jobs that come next, from a reader that yields them when all files are read."""

    path: Path


class JobsToCome(NamedTuple):
    """How many jobs come one by one from now on, of a reader that yields them when all files are read."""

    jobs: int


if TYPE_CHECKING:
    Item = LoggedJob | JobBatch | Problem | Remark | JobsOf | JobsToCome
    """What a reader finds: a job with its attempts, many computed in another way, damage, a remark."""
Values = Mapping[str, ParameterValue]
"""The values of a reader's parameters, by name."""


class _Begun(Protocol):
    """A file of which the beginning was read."""

    @property
    def head(self) -> bytes:
        """Its first bytes, unpacked."""


Begun = TypeVar("Begun", bound=_Begun)


@dataclass(frozen=True, slots=True)
class Reader:
    """One log format.

    Attributes
    ----------
    id : short name, for scripts
    title : as the window and the report name it
    recognises : whether the first `HEAD_BYTES` bytes of a file are of this format, as a truth
    read : the jobs of all files of this format, one file after the other, and a `Problem` in the place
        of each damaged record; it never raises for bad content. A `Remark` stands with the assumptions
    assumptions : what holds for every job of this format, as sentences for the report; the names of
        parameters in braces stand for their values
    parameters : what can be set, where the log does not say
    part_began : of a part of a log that was rolled over several files, by its first bytes: when it began, ms;
        0 for the first part; None where every file is a log by itself
    completes : whether a neighbour file, by its first bytes, has what the file lacks that begins with
        the first argument; None where every file can be read by itself
    lacks_parts : which parts of logs that were rolled over several files are missing, by the names of those
        beside one another, as sentences; None where every file is a log by itself
    is_one_log : whether files beside one another are always one log, as tables of it
    makes_jobs_last : whether its jobs come when all files are read, after a `JobsToCome`
    """

    id: str
    title: str
    recognises: Callable[[bytes], object]
    read: Callable[[Iterable[ByteSource], Values], Iterator[Item]]
    assumptions: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    completes: Callable[[bytes, bytes], bool] | None = None
    part_began: Callable[[bytes], float] | None = None
    lacks_parts: Callable[[Sequence[str]], Iterator[str]] | None = None
    is_one_log: bool = False
    makes_jobs_last: bool = False

    def in_order(self, beside: Sequence[Begun]) -> Sequence[Begun]:
        """Return the files of one folder with the parts of a rolled log as they were written.

        Their names may say otherwise. Where several logs lie beside one another, the names are believed.
        """
        if self.part_began is None:
            return beside
        began = {log.head: self.part_began(log.head) for log in beside}
        are_parts = sum(time == 0 for time in began.values()) <= 1
        return sorted(beside, key=lambda log: began[log.head]) if are_parts else beside

    def assumed(self, values: Values) -> tuple[str, ...]:
        """Return the assumptions with the values of the parameters in them."""
        return tuple(text.format_map(values) for text in self.assumptions)
