"""The contract of a log format: how to recognise it and how to read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.logs.job_profile import JobProfile
from core.logs.logged_job import LoggedJob
from core.model.errors import Problem
from core.model.parameters import Parameter, ParameterValue

if TYPE_CHECKING:
    from core.logs.byte_source import ByteSource


def holds_marks(pattern: bytes, fewest: int) -> Callable[[bytes], bool]:
    """Return what says whether a file's beginning has so many different texts of a pattern's one group."""
    marks_in = re.compile(pattern).findall
    return lambda head: len(set(marks_in(head))) >= fewest


HEAD_BYTES = 1 << 18
"""How much of a file's beginning (unpacked) a reader may look at to recognise it."""

Item = LoggedJob | JobProfile | Problem
"""What a reader finds: a job with its attempts, a job computed in another way, or a damaged place."""
Values = Mapping[str, ParameterValue]
"""The values of a reader's parameters, by name."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One log format.

    Attributes
    ----------
    id : short name, for scripts
    title : as the window and the report name it
    recognises : whether the first `HEAD_BYTES` bytes of a file are of this format, as a truth
    read : the jobs of all files of this format, one file after the other, and a `Problem` in the place
        of each damaged record; it never raises for bad content
    assumptions : what holds for every job of this format, as sentences for the report; the names of
        parameters in braces stand for their values
    parameters : what can be set, where the log does not say
    completes : whether a neighbour file, by its first bytes, has what the file lacks that begins with
        the first argument; None where every file can be read by itself
    """

    id: str
    title: str
    recognises: Callable[[bytes], object]
    read: Callable[[Iterable[ByteSource], Values], Iterator[Item]]
    assumptions: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    completes: Callable[[bytes, bytes], bool] | None = None

    def assumed(self, values: Values) -> tuple[str, ...]:
        """Return the assumptions with the values of the parameters in them."""
        return tuple(text.format_map(values) for text in self.assumptions)
