"""Scientific workflows in WfFormat (WfCommons, schema 1.2 to 1.6): one JSON object for each of them.

A task is a program with its parents. Tasks of the same program, with the same parents and the same children,
are one stage, and nothing is lost by that: what waits for one of them waits for all. A task has its run time;
mostly the log lacks when it ran, so nothing is shown as recorded.
"""

from __future__ import annotations

from collections import Counter
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.job_batch import JobBatch
from core.logs.job_profile import JobAccount, TaskCount
from core.logs.json_values import Decoded, Fields, decode_values, fields_of, objects_in
from core.logs.logged_job import JobConfiguration, plain_text
from core.logs.reader import Reader, Remark, holds_marks
from core.model.circles import circle_in
from core.model.errors import Problem, shorten
from core.model.job import Job
from core.model.limits import MAX_SECONDS, MAX_SLOTS, MAX_STAGES
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import default_type
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

_MARK = rb'"(schemaVersion|workflow|parents|runtimeInSeconds|runtime|inputFiles|nodeName)"\s*:'
_LISTS, _TIMES = ("tasks", "jobs"), ("runtimeInSeconds", "runtime")
"""What the tasks and their run times are called, by the newest schema first."""
_CORES, _MAKESPANS = ("coreCount", "cores"), ("makespanInSeconds", "makespan")
BARRIER = 1.0
NO_TIME = "tasks without a run time (taken as 0 s)"
NO_PARENT = "parents that are no tasks of the workflow, not waited for"


class _Task(NamedTuple):
    """A task: its program, what it waits for as places in the list, its seconds and its cores."""

    program: str
    parents: tuple[int, ...]
    seconds: float
    cores: int


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    for source in sources:
        for decoded in decode_values(source.chunks()):
            yield from _workflow(decoded) if isinstance(decoded, Decoded) else (decoded,)


def _workflow(decoded: Decoded) -> Iterator[Item]:
    document, where = fields_of(decoded.value), f"line {decoded.line}"
    workflow = fields_of(document.get("workflow"))
    listed = _listed(fields_of(workflow.get("specification")) or workflow)
    if not listed:
        yield Problem(where, shorten(decoded.value), "no workflow with tasks; it is left out")
        return
    name, notes = plain_text(document.get("name")) or "workflow", Counter[str]()
    tasks = _tasks(listed, _executed(workflow), notes)
    stages = _stages(tasks)
    if circle := circle_in([task.parents for task in tasks]):
        rule = "its tasks wait for one another in a circle; it is left out"
        yield Problem(where, shorten(_id(listed[circle[0]])), rule)
    elif len(stages) > MAX_STAGES:
        rule = f"its tasks do not make at most {MAX_STAGES} stages; it is left out"
        yield Problem(where, shorten(name), f"{len(stages)} stages: {rule}")
    else:
        firsts = sum(not task.parents for task in tasks)
        kept = (TaskCount(firsts), TaskCount(len(tasks) - firsts))
        account = JobAccount(kept, notes=tuple(notes.items()), settings=_settings(workflow, tasks))
        job = _job(name, plain_text(fields_of(document.get("author")).get("name")), tasks, stages)
        yield JobBatch.bare([job], [name], np.zeros(1, np.int64))._replace(accounts=[account])
        yield from _remarks(name, workflow, tasks)


def _listed(workflow: Fields) -> list[Fields]:
    return next((found for name in _LISTS if (found := objects_in(workflow.get(name)))), [])


def _id(task: Fields) -> str:
    """Return what other tasks call a task: its id, or its name, as older schemas have it."""
    return plain_text(task.get("id")) or plain_text(task.get("name"))


def _executed(workflow: Fields) -> dict[str, Fields]:
    """Return what the part on the execution has of each task; older schemas have it beside its parents."""
    return {_id(task): task for task in objects_in(fields_of(workflow.get("execution")).get("tasks"))}


def _tasks(listed: Sequence[Fields], executed: dict[str, Fields], notes: Counter[str]) -> list[_Task]:
    places = {plain_text(task.get("name")): place for place, task in enumerate(listed)}
    places |= {_id(task): place for place, task in enumerate(listed)}
    tasks = []
    for task in listed:
        run = executed.get(_id(task), task)
        parents = task.get("parents")
        known = [plain_text(each) for each in parents] if isinstance(parents, list) else []
        found = tuple(sorted({places[each] for each in known if each and each in places}))
        seconds = _number(run, _TIMES)
        notes[NO_TIME] += seconds is None
        notes[NO_PARENT] += sum(bool(each) and each not in places for each in known)
        cores = int(min(_number(run, _CORES) or 1, MAX_SLOTS))
        tasks.append(_Task(_program(task, run), found, seconds or 0.0, max(cores, 1)))
    for what in [what for what, count in notes.items() if not count]:
        del notes[what]
    return tasks


def _number(fields: Fields, names: Sequence[str]) -> float | None:
    """Return the first of some values that is a number from 0 on."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_SECONDS:
            return float(value)
    return None


def _program(task: Fields, run: Fields) -> str:
    """Return what a task runs: its category, its program, or its name without the number at its end."""
    command = fields_of(run.get("command"))
    name = plain_text(task.get("category")) or plain_text(command.get("program")).rpartition("/")[2]
    return name or plain_text(task.get("name")).rstrip("0123456789").rstrip("_-.") or "task"


def _stages(tasks: Sequence[_Task]) -> list[list[int]]:
    """Return the tasks of each stage, by place; a stage stands behind those that it waits for."""
    children: list[list[int]] = [[] for _ in tasks]
    for place, task in enumerate(tasks):
        for parent in task.parents:
            children[parent].append(place)
    alike: dict[tuple[str, tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for place, task in enumerate(tasks):
        alike.setdefault((task.program, task.parents, tuple(children[place])), []).append(place)
    stage_of = {place: members[0] for members in alike.values() for place in members}
    unmet = {members[0]: {stage_of[p] for p in tasks[members[0]].parents} for members in alike.values()}
    waiting: dict[int, list[int]] = {}
    for stage, parents in unmet.items():
        for parent in parents:
            waiting.setdefault(parent, []).append(stage)
    open_parents = {stage: len(parents) for stage, parents in unmet.items()}
    ready = [stage for stage, count in open_parents.items() if not count]
    heapify(ready)
    members_of, order = {members[0]: members for members in alike.values()}, list[list[int]]()
    while ready:
        order.append(members_of[stage := heappop(ready)])
        for child in waiting.get(stage, ()):
            open_parents[child] -= 1
            if not open_parents[child]:
                heappush(ready, child)
    return order


def _job(name: str, user: str, tasks: Sequence[_Task], stages: Sequence[list[int]]) -> Job:
    number = {place: k for k, members in enumerate(stages) for place in members}
    edges = [
        Edge(parent, child, BARRIER)
        for child, members in enumerate(stages)
        for parent in sorted({number[place] for place in tasks[members[0]].parents})
    ]
    types = tuple(default_type(has_parents=bool(tasks[members[0]].parents)) for members in stages)
    names = _unique([tasks[members[0]].program for members in stages])
    made = [Stage.of(len(members), [tasks[place].seconds for place in members]) for members in stages]
    return Job(name, stages=tuple(made), graph=StageGraph(types, tuple(edges), names), user=user)


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of which no two are equal: blast, blast (2), blast (3)."""
    taken, number, unique = set(names), Counter[str](), list[str]()
    for name in names:
        number[name] += 1
        own = name
        while number[name] > 1 and (own := f"{name} ({number[name]})") in taken:
            number[name] += 1
        taken.add(own)
        unique.append(own)
    return tuple(unique)


def _settings(workflow: Fields, tasks: Sequence[_Task]) -> JobConfiguration:
    """Return the slots of the machines: their cores, by the cores that most tasks have."""
    machines = objects_in(fields_of(workflow.get("execution")).get("machines")) or objects_in(
        workflow.get("machines")
    )
    cores = sum(_number(fields_of(each.get("cpu")), ("coreCount", "count")) or 0 for each in machines)
    usual = Counter(task.cores for task in tasks).most_common(1)[0][0]
    slots = int(min(cores // usual, MAX_SLOTS))
    if slots:
        are = "cores of the machines" if usual == 1 else f"times {usual} cores of the machines"
        return JobConfiguration(slowstart=BARRIER, containers=slots, containers_are=are)
    widest = min(_widest(tasks), MAX_SLOTS)
    return JobConfiguration(slowstart=BARRIER, containers=widest, containers_are="tasks beside one another")


def _widest(tasks: Sequence[_Task]) -> int:
    """Return how many tasks lie beside one another at most, as many levels below those that wait for none."""
    level: dict[int, int] = {}
    for members in _stages(tasks):
        deep = 1 + max((level[parent] for parent in tasks[members[0]].parents), default=-1)
        level |= dict.fromkeys(members, deep)
    return Counter(level.values()).most_common(1)[0][1] if level else 1


def _remarks(name: str, workflow: Fields, tasks: Sequence[_Task]) -> Iterator[Remark]:
    took = _number(fields_of(workflow.get("execution")), _MAKESPANS) or _number(workflow, _MAKESPANS)
    if took is not None:
        yield Remark(f"The log says that {name} took {duration_text(took)}.")
    if len({task.cores for task in tasks}) > 1:
        yield Remark(f"Tasks of {name} have different numbers of cores; here each holds one slot.")


READER = Reader(
    "wfformat",
    "workflows in WfFormat (WfCommons)",
    holds_marks(_MARK, 3),
    _read,
    (
        "A task waits for all tasks that it names as its parents.",
        "Every workflow arrives at 0 s; when its tasks ran is not taken.",
    ),
)
