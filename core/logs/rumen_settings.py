"""What the configuration inside a Rumen job (``jobProperties``) says about the cluster's slots."""

from __future__ import annotations

import math
from typing import Any

from core.logs.recorded_job import Settings

# each value has an old and a new name; the newer comes first
MAP_SLOTS = ("mapreduce.tasktracker.map.tasks.maximum", "mapred.tasktracker.map.tasks.maximum")
REDUCE_SLOTS = ("mapreduce.tasktracker.reduce.tasks.maximum", "mapred.tasktracker.reduce.tasks.maximum")
SLOWSTART = ("mapreduce.job.reduce.slowstart.completedmaps", "mapred.reduce.slowstart.completed.maps")
MAP_MEMORY = ("mapreduce.map.memory.mb", "mapred.job.map.memory.mb")
REDUCE_MEMORY = ("mapreduce.reduce.memory.mb", "mapred.job.reduce.memory.mb")
MAP_SLOT_MEMORY = ("mapreduce.cluster.mapmemory.mb", "mapred.cluster.map.memory.mb")
REDUCE_SLOT_MEMORY = ("mapreduce.cluster.reducememory.mb", "mapred.cluster.reduce.memory.mb")


def settings_of(properties: object) -> Settings:
    """Read slots per host, slots per task and slow start; what is absent or absurd stays unknown."""
    if not isinstance(properties, dict):
        return Settings()
    slowstart = _number(properties, SLOWSTART)
    return Settings(
        map_slots=_slots(properties, MAP_SLOTS),
        reduce_slots=_slots(properties, REDUCE_SLOTS),
        slots_per_map=_slots_per_task(properties, MAP_MEMORY, MAP_SLOT_MEMORY),
        slots_per_reduce=_slots_per_task(properties, REDUCE_MEMORY, REDUCE_SLOT_MEMORY),
        slowstart=slowstart if slowstart is not None and slowstart <= 1 else None,
    )


def _number(properties: dict[str, Any], names: tuple[str, ...]) -> float | None:
    for name in names:
        try:
            number = float(properties[name])
        except (KeyError, TypeError, ValueError, OverflowError):
            continue
        if math.isfinite(number) and number >= 0:
            return number
    return None


def _slots(properties: dict[str, Any], names: tuple[str, ...]) -> int | None:
    number = _number(properties, names)
    return int(number) if number is not None and number >= 1 else None


def _slots_per_task(properties: dict[str, Any], task: tuple[str, ...], slot: tuple[str, ...]) -> int:
    """Return how many slots a task takes: its memory in slots' memories, rounded up."""
    asked, offered = _number(properties, task), _number(properties, slot)
    return max(1, math.ceil(asked / offered)) if asked and offered else 1
