"""The contract of a log format: how to recognise it and how to read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.errors import Problem
    from core.traces.byte_source import ByteSource
    from core.traces.job_profile import JobProfile

HEAD_BYTES = 1 << 18
"""How much of a file's beginning (unpacked) a reader may look at to recognise it."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One log format.

    Attributes
    ----------
    id : short name, for scripts
    title : what people call it
    recognises : whether the first `HEAD_BYTES` bytes of a file are of this format
    read : the jobs of a file one by one, and a `Problem` in the place of each damaged one; it never
        raises for bad content
    assumptions : what holds for every job of this format, as sentences for the report
    """

    id: str
    title: str
    recognises: Callable[[bytes], bool]
    read: Callable[[ByteSource], Iterator[JobProfile | Problem]]
    assumptions: tuple[str, ...] = ()
