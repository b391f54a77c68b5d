"""The header of a table of tasks: which columns there are, and what a column was probably meant to be."""

from __future__ import annotations

import csv
import difflib
from typing import NamedTuple

REQUIRED = ("job", "kind", "start", "end")
OPTIONAL = ("task", "host", "shuffle_end", "sort_end", "outcome", "submit", "user", "pool")
STAND_INS = {"task": "index", "host": "slot"}
"""Columns that Slotscope itself writes, and what they serve as where that is not there."""

# what other people call our columns
_OTHER_NAMES = {
    "job": ("job_id", "jobid", "job_name", "application"),
    "kind": ("type", "task_type", "tasktype", "stage"),
    "start": ("begin", "start_time", "starttime", "launch", "launch_time", "started"),
    "end": ("finish", "stop", "end_time", "endtime", "finish_time", "finishtime", "finished"),
    "task": ("task_id", "taskid", "number"),
    "host": ("hostname", "node", "machine", "worker"),
    "shuffle_end": ("shuffle_finished", "shuffle_finish", "shuffled"),
    "sort_end": ("sort_finished", "sort_finish", "merge_end", "sorted"),
    "outcome": ("result", "status", "state"),
    "submit": ("arrival", "submit_time", "submitted", "submission"),
    "pool": ("queue",),
}
_DELIMITERS = (",", ";", "\t")
_LONGEST = 1 << 16
_LOOK_ALIKE = 0.75


class Header(NamedTuple):
    """The delimiter of a table and the names in its first line, in lower case with underscores."""

    delimiter: str
    names: tuple[str, ...]

    @property
    def columns(self) -> dict[str, int]:
        """Where each known column is; the first of several alike."""
        places = {name: place for place, name in reversed(list(enumerate(self.names)))}
        wanted = {name: name for name in (*REQUIRED, *OPTIONAL)}
        wanted |= {name: own for name, own in STAND_INS.items() if name not in places}
        return {name: places[column] for name, column in wanted.items() if column in places}

    def meant_for(self, name: str) -> str | None:
        """Return the column of this name, else one that means the same or looks like it."""
        if name in self.names:
            return name
        known = {*REQUIRED, *OPTIONAL, *STAND_INS.values()}
        others = [column for column in self.names if column not in known]
        same = [column for column in others if column in _OTHER_NAMES.get(name, ())]
        return next(iter(same or difflib.get_close_matches(name, others, n=1, cutoff=_LOOK_ALIKE)), None)


def read_header(line: str) -> Header:
    """Split a table's first line at the delimiter that gives most known names."""
    known = {*REQUIRED, *OPTIONAL}
    headers = [Header(each, _names(line[:_LONGEST], each)) for each in _DELIMITERS]
    return max(headers, key=lambda header: (len(known.intersection(header.names)), len(header.names)))


def cells_of(line: str, delimiter: str) -> list[str] | None:
    """Return the cells of a line without blanks around them; None if its quotes do not fit."""
    if '"' not in line:
        return [cell.strip() for cell in line.split(delimiter)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True), [])]
    except csv.Error:
        return None


def _names(line: str, delimiter: str) -> tuple[str, ...]:
    cells = cells_of(line.strip("\r\n"), delimiter) or []
    return tuple(cell.lower().replace(" ", "_").replace("-", "_") for cell in cells)
