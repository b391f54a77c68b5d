"""What Slurm's ``sacct --json`` prints (Slurm 20.11 to 24): a list of jobs, each with its steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from core.logs.json_values import Decoded, decode_values, fields_of, objects_in
from core.logs.reader import Reader
from core.logs.sacct_rows import BadRow
from core.logs.sacct_runs import ASSUMPTIONS, ListedRuns
from core.logs.wide_jobs import PARAMETERS
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.json_values import Fields
    from core.logs.reader import Item, Values

_JOBS = re.compile(rb'"jobs"\s*:\s*\[\s*(?:\{|\])')
_SLURM = re.compile(rb'"(?:Slurm|slurm|association|job_id)"')


def _recognises(head: bytes) -> bool:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    jobs = text.startswith(b"{") and (_JOBS.search(text) or b'"meta"' in text[:200])
    return bool(jobs) and _SLURM.search(text) is not None and b"slotscope" not in text[:200]


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    runs = ListedRuns()
    for source in sources:
        for decoded in decode_values(source.chunks()):
            if isinstance(decoded, Decoded):
                yield from _take(decoded, runs)
            else:
                yield decoded
    yield from runs.items(values)


def _take(decoded: Decoded, runs: ListedRuns) -> Iterator[Problem]:
    """Take the jobs of one listing; yield what is wrong with each that cannot be taken."""
    jobs = fields_of(decoded.value).get("jobs")
    if not isinstance(jobs, list):
        yield Problem(
            f"line {decoded.line}", shorten(decoded.value), "it has no list of jobs; it is left out"
        )
        return
    for number, job in enumerate(objects_in(jobs), 1):
        try:
            runs.take_row(_cells(job))
        except BadRow as problem:
            name = str(job.get("job_id", ""))
            yield Problem(f"job {number} of the list", shorten(name), f"{problem}; it is left out")


def _cells(job: Fields) -> dict[str, str]:
    """Return the cells that `sacct --parsable2` would print of a job."""
    time, state = fields_of(job.get("time")), job.get("state")
    current = fields_of(state).get("current", state)
    return {
        "id": _id(job),
        "cluster": _text(job.get("cluster")),
        "name": _text(job.get("name")),
        "user": _text(job.get("user")) or _text(fields_of(job.get("association")).get("user")),
        "pool": _text(job.get("partition")) or _text(job.get("account")),
        "state": _text(current[0] if isinstance(current, list) and current else current),
        **{what: _known(_number(time.get(name))) for what, name in _TIMES.items()},
        "elapsed": _text_of(_number(time.get("elapsed"))),
        "processors": _text_of(_processors(job)),
    }


_TIMES = {"submit": "submission", "start": "start", "end": "end"}


def _id(job: Fields) -> str:
    """Return a number such as 7, 7_3 for a task of an array, 7+1 for a component of a heterogeneous job."""
    for whole, place, sign in (("array", "task_id", "_"), ("het", "job_offset", "+")):
        part = fields_of(job.get(whole))
        first, number = _number(part.get("job_id")), _number(part.get(place))
        if first and number is not None:
            return f"{first}{sign}{number}"
    return _text_of(_number(job.get("job_id")))


def _processors(job: Fields) -> int | None:
    allocated = objects_in(fields_of(job.get("tres")).get("allocated"))
    found = (_number(each.get("count")) for each in allocated if each.get("type") == "cpu")
    asked = _number(fields_of(job.get("required")).get("CPUs"))
    return next((count for count in found if count is not None), asked)


def _number(value: Any) -> int | None:
    """Return a whole number, which newer versions wrap: {"set": true, "infinite": false, "number": 7}."""
    if isinstance(value, dict):
        if value.get("set") is False or value.get("infinite") is True:
            return None
        value = value.get("number")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _known(time: int | None) -> str:
    """Return a time; 0 stands for one that is not known."""
    return str(time) if time else ""


def _text_of(number: int | None) -> str:
    return "" if number is None else str(number)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


READER = Reader(
    "sacct-json",
    "Slurm's sacct --json",
    _recognises,
    _read,
    ASSUMPTIONS,
    parameters=PARAMETERS,
    makes_jobs_last=True,
)
