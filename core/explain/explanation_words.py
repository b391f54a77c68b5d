"""How explanations name tasks, slots and times, the same in every sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.model.number_text import grouped
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS
from core.model.visible_text import spoken_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload

MAX_NAME, KEPT_HEAD, KEPT_TAIL = 24, 8, 12
"""Letters of a name that is written out; of a longer one its head and its tail."""


def job_names(workload: Workload) -> tuple[str, ...]:
    """Return what jobs are called in a sentence: "job 0010", without what all names begin with; not long."""
    return tuple(map(cut_name, spoken_names(tuple(workload.job_index))))


def cut_name(name: str) -> str:
    """Return a name with few letters: of a long one its head and its tail, where names differ most."""
    if len(name) <= MAX_NAME:
        return name
    return f"{name[:KEPT_HEAD].rstrip()}…{name[-KEPT_TAIL:].lstrip()}"


def number_of(workload: Workload, task: int) -> int:
    """Return a task's number in its stage, counted from 1."""
    columns = workload.columns
    return task - int(columns.stages.first[columns.stage[task]]) + 1


def task_name(workload: Workload, task: int) -> str:
    """Name a task: "map 3 of J1"; of a job with other stages "task 3 of stage 2 of J1"."""
    columns = workload.columns
    kind, job = int(columns.kind[task]), int(columns.job[task])
    if workload.jobs[job].graph == MAP_REDUCE:
        return f"{KIND_WORDS[kind]} {number_of(workload, task)} of {workload.jobs[job].name}"
    return f"task {number_of(workload, task)} of {stage_name(workload, int(columns.stage[task]))}"


def stage_name(workload: Workload, stage: int, *, with_job: bool = True) -> str:
    """Name a stage by its number in the whole workload: "stage 2 of J1"."""
    stages = workload.columns.stages
    job = workload.jobs[int(stages.job[stage])]
    name = job.graph.name(int(stages.number[stage]))
    return f"{name} of {job.name}" if with_job else name


def task_word(workload: Workload, kind: int) -> str:
    """Name what runs on slots of a type: maps, or reduces; tasks where any job has other stages."""
    return KIND_WORDS[kind] if workload.is_map_reduce else "task"


def sentence_start(text: str) -> str:
    """Write the first letter large."""
    return text[:1].upper() + text[1:]


def number(value: float) -> str:
    """Write a number that a policy compares, with up to four digits behind the point."""
    if not math.isfinite(value):
        return "infinite" if value > 0 else "minus infinite"
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) < 1e9 else f"{value:.6g}"


def count(things: float, noun: str) -> str:
    """Write a number of things: "1 map", "3 maps"."""
    return f"{number(things)} {noun}" if things == 1 else f"{number(things)} {noun}s"


def decision_words(number: int, decisions: int) -> str:
    """Return how many of the decisions of a time are over: ", before 3 decisions"; nothing if none is taken.

    `number` is how many are over, 0 before the first one.
    """
    if not decisions:
        return ""
    if 0 < number < decisions:
        return f", before decision {number + 1} of {decisions}"
    return f", {'after' if number else 'before'} {count(decisions, 'decision')}"


def nth(place: int, word: str = "") -> str:
    """Write a place from 1, or what it is by a word: "3rd", "3rd shortest", "shortest"."""
    if word and place == 1:
        return word
    like = {1: "1st", 2: "2nd", 3: "3rd"}.get(place % 10, "4th")
    tail = "th" if place % 100 in (11, 12, 13) else like[1:]
    return f"{place}{tail} {word}".rstrip()


def amount(value: float) -> str:
    """Write a number with few digits, to be compared at a glance: "8.25", "1,858"."""
    return grouped(value) if value >= 100 else f"{value:.2f}".rstrip("0").rstrip(".")


def listed(names: Sequence[str], most: int = 4, noun: str = "job") -> str:
    """Join names as a sentence does: "J1, J2 and 3 more jobs"; a single further one is named, too."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {count(len(names) - most, f'more {noun}')}"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def place_noun(kind: int, cluster: Cluster) -> str:
    """Name what tasks of a kind wait for on a cluster: a slot, a container, or room on a node."""
    return "place on a node" if cluster.has_nodes else slot_noun(kind, cluster.has_containers)


def slot_noun(kind: int, containers: bool) -> str:
    """Name what tasks of a kind run on."""
    return "container" if containers else f"{KIND_WORDS[kind]} slot"
