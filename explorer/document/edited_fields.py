"""Fields of jobs and pools that are edited: how each is shown as text, and written from what was typed."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import InputError, UnknownName, shorten
from core.model.limits import MAX_TASKS
from core.model.number_text import grouped_digits
from core.model.service_levels import read_service_levels, service_levels_text
from core.model.stages import MAP_REDUCE, Stage
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.job import Job
    from core.model.pool import Pool
    from core.model.workload import Workload


MAX_VALUES_SHOWN = 20
"""A list of durations is shown as text up to this many values."""


@dataclass(frozen=True, slots=True)
class JobField:
    """One editable field.

    Attributes
    ----------
    id : what `Editor.edit_job` calls it
    title : its name in the user's words, in lower case
    unit : "s", "tasks", "bytes" or empty
    read : returns the value of a job
    write : returns the job with another value; InputError for one that makes no sense
    """

    id: str
    title: str
    unit: str
    read: Callable[[Job], object]
    write: Callable[[Job, object], Job]

    def text(self, job: Job) -> str:
        """Show the job's value as the text that `write` understands."""
        value = self.read(job)
        if not isinstance(value, np.ndarray):
            return _text(value)
        shown = ", ".join(_text(float(item)) for item in value[:MAX_VALUES_SHOWN])
        return shown + ", …" if len(value) > MAX_VALUES_SHOWN else shown


def job_field(field_id: str) -> JobField:
    """Return the field of this id; UnknownName if there is none."""
    if field_id not in JOB_FIELDS:
        raise UnknownName("field of a job", field_id, JOB_FIELDS)
    return JOB_FIELDS[field_id]


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _number(title: str, value: object) -> float:
    try:
        number = float(str(value).strip())
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or isinstance(value, bool):
        raise InputError(f"{title} is {shorten(value)}; give a number, such as 4 or 2.5")
    return number


def _times(title: str, value: object) -> NDArray[np.float64]:
    """Return samples: from an array or sequence of numbers, one number, or text such as "4, 5, 6"."""
    if isinstance(value, np.ndarray | list | tuple):
        items: list[object] = list(value)
    else:
        items = [item for item in re.split(r"[,;\s]+", str(value)) if item]
    if not items:
        raise InputError(f"{title} is empty; give a number of seconds, or several separated by commas")
    return np.array([_number(title, item) for item in items])


def _count(title: str, value: object) -> int:
    number = _number(title, value)
    if number % 1 or not 0 <= number <= MAX_TASKS:
        raise InputError(f"{title} is {shorten(value)}; give a whole number from 0 to {MAX_TASKS}")
    return int(number)


def _write_count(kind: str, title: str, job: Job, value: object) -> Job:
    return _with_stage(job, kind, replace(_stage(job, kind), count=_count(title, value)))


def _write_times(kind: str, name: str, title: str, job: Job, value: object) -> Job:
    old = _stage(job, kind)
    samples = {n: getattr(old, n) for n in ("durations", "first_shuffle", "typical_shuffle")}
    samples[name] = _times(title, value)
    return _with_stage(job, kind, Stage.of(old.count, **samples))


_TYPES = {"maps": MAP, "reduces": REDUCE}


def _stage(job: Job, kind: str) -> Stage:
    """Return the maps or the reduces of a job; InputError where it has stages of its own."""
    if job.graph != MAP_REDUCE:
        raise InputError(
            f"{job.name} has {len(job.stages)} stages of its own; change their tasks in the workload document"
        )
    return job.stages[_TYPES[kind]]


def _with_stage(job: Job, kind: str, stage: Stage) -> Job:
    return job.with_stage(_TYPES[kind], stage)


def _read_count(kind: str, job: Job) -> int:
    return job.count_of(_TYPES[kind])


def _read_times(kind: str, name: str, job: Job) -> NDArray[np.float64]:
    """Return the samples of the stages whose tasks are maps, or reduces, one after the other."""
    stages = zip(job.stages, job.graph.task_types, strict=True)
    mine: list[NDArray[np.float64]] = [
        getattr(stage, name) for stage, task_type in stages if task_type == _TYPES[kind] and stage.count
    ]
    return np.concatenate(mine) if mine else np.zeros(1)


def _read_think(job: Job) -> float | None:
    """Return the think time of a job that follows one other, None for others."""
    return job.after[0].think if len(job.after) == 1 else None


def _write_think(job: Job, value: object) -> Job:
    """Return the job with another think time, which is then no longer one that was inferred."""
    if len(job.after) != 1:
        follows = f"follows {len(job.after)} jobs; change each in the workload document"
        raise InputError(follows if job.after else "follows no other job, so it has no think time")
    think = _number("think time", value)
    return replace(job, after=(replace(job.after[0], think=think, inferred=False),))


def _text_of(_title: str, value: object) -> str:
    return str(value).strip()


def _number_or_none(title: str, value: object) -> float | None:
    return None if value is None or not str(value).strip() else _number(title, value)


def _write_levels(job: Job, value: object) -> Job:
    return replace(job, service_levels=read_service_levels(str(value or "")))


def _read_levels(job: Job) -> str:
    return service_levels_text(job.service_levels)


def _simple(name: str, unit: str, take: Callable[[str, object], Any], title: str = "") -> JobField:
    """Return a field of a job itself; `take` makes its value of the title and what was typed."""
    title = title or name

    def write(job: Job, value: object) -> Job:
        changes: dict[str, Any] = {name: take(title, value)}  # Any: the job checks it
        return replace(job, **changes)

    return JobField(name, title, unit, attrgetter(name), write)


def _tasks(field_id: str, title: str, kind: str) -> JobField:
    return JobField(field_id, title, "tasks", partial(_read_count, kind), partial(_write_count, kind, title))


def _seconds(field_id: str, title: str, kind: str, name: str) -> JobField:
    write = partial(_write_times, kind, name, title)
    return JobField(field_id, title, "s", partial(_read_times, kind, name), write)


JOB_FIELDS: dict[str, JobField] = {
    field.id: field
    for field in (
        _simple("name", "", _text_of),
        _tasks("map_count", "maps", "maps"),
        _seconds("map_durations", "map duration", "maps", "durations"),
        _tasks("reduce_count", "reduces", "reduces"),
        _seconds("reduce_durations", "reduce duration", "reduces", "durations"),
        _seconds("first_shuffle", "first shuffle", "reduces", "first_shuffle"),
        _seconds("typical_shuffle", "typical shuffle", "reduces", "typical_shuffle"),
        _simple("arrival", "s", _number),
        JobField("think", "think time", "s", _read_think, _write_think),
        _simple("deadline", "s", _number_or_none),
        JobField("service_levels", "service levels", "", _read_levels, _write_levels),
        _simple("pool", "", lambda _title, value: _text_of(_title, value) or "default"),
        _simple("user", "", _text_of),
        _simple("weight", "", _number),
        _simple("dataset", "", lambda _title, value: _text_of(_title, value or "") or None),
        _simple("shuffle_bytes", "bytes", _number_or_none, "shuffle bytes"),
    )
}
"""Every editable field, in the order in which a form shows them."""


AUTOMATIC = "equal part"
UNLIMITED = "no limit"


@dataclass(frozen=True, slots=True)
class PoolFieldInfo:
    """One setting.

    Attributes
    ----------
    id : the field of `core.model.pool.Pool`
    title : its heading
    help : what it means, with unit and range, and who reads it
    is_percent : whether it is typed and shown in per cent
    is_whole : whether it is a whole number
    empty : what an empty text means, or "" where a number is needed
    task_type : of the tasks whose slots it is about, which title and help name: "{}"; None for all tasks
    """

    id: str
    title: str
    help: str
    is_percent: bool = False
    is_whole: bool = False
    empty: str = ""
    task_type: int | None = None

    def words_for(self, workload: Workload) -> tuple[str, str]:
        """Return title and help in the words of the jobs."""
        word = "" if self.task_type is None else workload.type_words[self.task_type]
        return self.title.format(word), self.help.format(word)

    def text(self, pool: Pool) -> str:
        """Show a pool's value as the text that `write` understands."""
        value = getattr(pool, self.id)
        if value is None:
            return ""
        return f"{value * 100:.10g}" if self.is_percent else f"{value:.10g}"

    def shown(self, pool: Pool, every: Pool) -> str:
        """Show a pool's value with its unit; `every` has the value that holds where none is set."""
        value = getattr(pool, self.id)
        if value is None and self.empty == AUTOMATIC:
            return f"{getattr(every, self.id) * 100:.4g} %"
        if value is None:
            return self.empty
        return f"{value * 100:.6g} %" if self.is_percent else grouped_digits(value, 10)

    def write(self, pool: Pool, text: str) -> Pool:
        """Return the pool with what was typed; InputError if it is no number."""
        typed = text.strip().removesuffix("%").strip()
        if not typed and self.empty:
            return _with(pool, self.id, None)
        try:
            value = float(typed)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or (self.is_whole and value % 1):
            kind = "a whole number" if self.is_whole else "a number"
            may_be_empty = f", or nothing for {self.empty}" if self.empty else ""
            raise InputError(
                f"pool {pool.name}: {self.title.format('slot')} is {shorten(text)}; give {kind}{may_be_empty}"
            )
        return _with(pool, self.id, int(value) if self.is_whole else value / (100 if self.is_percent else 1))


def _with(pool: Pool, name: str, value: Any) -> Pool:  # Any: the workload checks it
    return replace(pool, **{name: value})


POOL_FIELDS: tuple[PoolFieldInfo, ...] = (
    PoolFieldInfo(
        "weight", "Weight", "Share of the pool relative to others, above 0. Read by Fair and its kin."
    ),
    PoolFieldInfo(
        "min_map_slots",
        "Min {}s",
        "Slots for {}s that the pool gets before others if it needs them. Read by Fair and its kin.",
        is_whole=True,
        task_type=MAP,
    ),
    PoolFieldInfo(
        "min_reduce_slots",
        "Min {}s",
        "Slots for {}s that the pool gets before others if it needs them. Read by Fair and its kin.",
        is_whole=True,
        task_type=REDUCE,
    ),
    PoolFieldInfo(
        "capacity",
        "Capacity",
        "Guaranteed part of the slots in per cent; empty for an equal part of what others leave. "
        "Read by Capacity.",
        is_percent=True,
        empty=AUTOMATIC,
    ),
    PoolFieldInfo(
        "max_capacity",
        "Maximum",
        "Largest part of the slots in per cent that the pool may hold. Read by Capacity.",
        is_percent=True,
    ),
    PoolFieldInfo(
        "spending_rate",
        "Rate",
        "What the pool bids for a slot, in credits per second, above 0. Read by Dynamic Priority.",
    ),
    PoolFieldInfo(
        "budget",
        "Budget",
        "Credits that the pool has to spend; empty for no limit. Read by Dynamic Priority.",
        empty=UNLIMITED,
    ),
)
"""Every setting, in the order in which a table shows them."""
