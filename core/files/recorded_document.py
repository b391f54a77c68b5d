"""A recorded run as a part of a workload document: one list for each column; a time not known is null."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.files.job_stages import graph_from_json, graph_to_json
from core.model.errors import Problem, name_problems, shorten
from core.model.executors_on_demand import ExecutorsOnDemand
from core.model.in_parts import column, slices
from core.model.limits import MAX_SECONDS, MAX_SLOTS, MAX_STAGES, MAX_TASKS
from core.model.recorded_run import OPEN_COLUMNS, RecordedGraphs, RecordedRun, Unfinished
from core.model.stages import MAP_REDUCE
from core.model.task_types import KINDS, OUTCOMES, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray


NAMES = ("jobs", "titles", "hosts")
TIMES_OF_JOBS = ("submit", "launch", "finish")
WHOLE_NUMBERS: dict[str, type[np.generic]] = {
    "job": np.int32,
    "kind": np.int8,
    "task": np.int32,
    "counts": np.bool_,
    "outcome": np.int8,
    "host": np.int32,
}
TIMES = ("start", "shuffle_end", "sort_end", "end")
MAY_BE_UNKNOWN = ("task", "host")
"""Columns of whole numbers in which -1 stands for one that is not known."""
MAX_ATTEMPTS = 1 << 31
"""More than any list that fits into memory; task numbers stay below it."""


def recorded_to_json(run: RecordedRun) -> dict[str, Any]:
    """Return the run as a JSON value; reading it gives the same run to the last bit."""
    document: dict[str, Any] = {name: list(getattr(run, name)) for name in NAMES} | _graphs_to_json(run)
    if run.host_slots is not None:
        document["host_slots"] = run.host_slots.tolist()
    if run.on_demand is not None:
        document["on_demand"] = asdict(run.on_demand)
    for name in (*TIMES_OF_JOBS, *WHOLE_NUMBERS, *TIMES):
        column = getattr(run, name)
        document[name] = (
            column.astype(np.int32).tolist()
            if name in WHOLE_NUMBERS
            else [None if math.isnan(time) else time for time in column.tolist()]
        )
    if run.under_way is not None:
        document["under_way"] = under_way_to_json(run.under_way)
    return document


def recorded_from_json(document: Any, problems: list[Problem]) -> RecordedRun | None:
    """Build the run of a document that the schema has let pass; what is wrong with it goes to `problems`."""
    if document is None:
        return None
    found: list[Problem] = []
    run = _run(document, found)
    problems += found
    return None if found else run


def recorded_problems(document: Any, broken: AbstractSet[str | int]) -> list[Problem]:
    """Return what is wrong with the columns of a run some of which the schema has found to be broken.

    Parameters
    ----------
    broken : the keys of those; what they say counts for nothing
    """
    if not isinstance(document, dict) or {*NAMES, "job"} & broken:
        return []
    found = list(_name_problems(document))
    _columns(document, found, broken)
    return found


def _run(document: dict[str, Any], problems: list[Problem]) -> RecordedRun | None:
    problems += _name_problems(document)
    columns = _columns(document, problems)
    if problems:
        return None
    graphs = _graphs_from_json(document, columns, problems)
    columns["stage"] = graphs.stage if graphs else columns["kind"]
    problems += [] if problems else _counting_problems(columns)
    del columns["stage"]
    slots = _host_slots_from_json(document, problems)
    demand = ExecutorsOnDemand(**document["on_demand"]) if "on_demand" in document else None
    if problems:
        return None
    run = RecordedRun(**columns, graphs=graphs, on_demand=demand, host_slots=slots)
    return replace(run, under_way=under_way_from_json(document.get("under_way"), run, problems))


def _columns(
    document: dict[str, Any], problems: list[Problem], broken: AbstractSet[str | int] = frozenset()
) -> dict[str, Any]:
    """Return the columns that are right, but for `broken` ones; what is wrong with others is added."""
    columns: dict[str, Any] = {name: tuple(document[name]) for name in NAMES}
    attempts, jobs = len(document["job"]), len(document["jobs"])
    highest = (jobs - 1, len(KINDS) - 1, MAX_ATTEMPTS - 1, 1, len(OUTCOMES) - 1, len(document["hosts"]) - 1)
    limits = dict(zip(WHOLE_NUMBERS, highest, strict=True))
    for name in (*WHOLE_NUMBERS, *TIMES_OF_JOBS, *TIMES):
        if name in broken:
            continue
        count, whom = (jobs, "job") if name in TIMES_OF_JOBS else (attempts, "attempt")
        rule = f"numbers of seconds, or null where a time is not known, one per {whom}"
        column: NDArray[Any] | None
        if name in limits:
            low, high = -(name in MAY_BE_UNKNOWN), limits[name]
            rule = f"whole numbers from {low} to {high}, one per {whom}"
            column = _whole_numbers(document[name], low, high)
        else:
            column = _times_from_json(document[name])
        if column is None or len(column) != count:
            problems.append(Problem(f"recorded.{name}", shorten(document[name]), f"give {count} {rule}"))
        else:
            columns[name] = column.astype(WHOLE_NUMBERS.get(name, np.float64))
    return columns


def _host_slots_from_json(document: dict[str, Any], problems: list[Problem]) -> NDArray[np.int32] | None:
    """Return the slots of each host; None where the document does not say."""
    if "host_slots" not in document:
        return None
    slots, hosts = _whole_numbers(document["host_slots"], 0, MAX_SLOTS), len(document["hosts"])
    if slots is None or len(slots) != hosts or slots.sum() > MAX_SLOTS:
        rule = f"give {hosts} whole numbers from 0, one per host, together {MAX_SLOTS} at most"
        problems.append(Problem("recorded.host_slots", shorten(document["host_slots"]), rule))
        return None
    return slots.astype(np.int32)


def _graphs_to_json(run: RecordedRun) -> dict[str, Any]:
    if run.graphs is None:
        return {}
    number = {graph: -1 if graph == MAP_REDUCE else 0 for graph in run.graphs.graphs}
    different = [graph for graph, known in number.items() if not known]
    number |= {graph: place for place, graph in enumerate(different)}
    return {
        "graphs": list(map(graph_to_json, different)),
        "graph": [number[graph] for graph in run.graphs.graphs],
        "stage": run.graphs.stage.tolist(),
    }


def _graphs_from_json(
    document: dict[str, Any], columns: dict[str, Any], problems: list[Problem]
) -> RecordedGraphs | None:
    """Build the stages of the jobs; None where all are maps and reduces."""
    given = [name for name in ("graphs", "graph", "stage") if name in document]
    if not given:
        return None
    if lacking := [name for name in ("graphs", "graph", "stage") if name not in document]:
        rule = "the stages of jobs take graphs, graph and stage; add it, or leave out all three"
        problems.append(Problem(f"recorded.{lacking[0]}", "", rule))
        return None
    forms = [
        graph_from_json(stages, f"recorded.graphs[{place}]", problems)
        for place, stages in enumerate(document["graphs"])
    ]
    which = _whole_numbers(document["graph"], -1, len(forms) - 1)
    if which is None or len(which) != len(columns["jobs"]):
        rule = f"give {len(columns['jobs'])} whole numbers from -1 to {len(forms) - 1}, one per job"
        problems.append(Problem("recorded.graph", shorten(document["graph"]), rule))
    stage = _whole_numbers(document["stage"], -1, MAX_STAGES - 1)
    if stage is None or len(stage) != len(columns["job"]):
        rule = f"give {len(columns['job'])} whole numbers from -1, one per attempt"
        problems.append(Problem("recorded.stage", shorten(document["stage"]), rule))
    if problems or which is None or stage is None:
        return None
    graphs = tuple(forms[place] if place >= 0 else MAP_REDUCE for place in which.tolist())
    types = [np.array(graph.task_types) for graph in graphs]
    sizes = np.array([len(each) for each in types], np.int64)
    own, counts = stage.astype(np.int32), columns["counts"]
    job = columns["job"].astype(np.int64)
    is_there = (own >= 0) & (own < sizes[job])
    begins = np.cumsum(sizes) - sizes
    kind = np.concatenate([*types, np.zeros(1, np.int64)])[np.where(is_there, begins[job] + own, -1)]
    if (own >= sizes[job]).any() or (counts & ~(is_there & (kind == columns["kind"]))).any():
        rule = "an attempt that counts is of a stage that its job has, of the same kind; -1 is for no stage"
        problems.append(Problem("recorded.stage", "", rule))
        return None
    own.flags.writeable = False
    return RecordedGraphs(graphs, own)


def _name_problems(document: dict[str, Any]) -> Iterator[Problem]:
    for name in NAMES:
        for i, text in enumerate(document[name]):
            where = f"recorded.{name}[{i}]"
            if isinstance(text, str):
                yield from name_problems(where, text)
            else:
                yield Problem(where, shorten(text), "give a text")
    if len(document["titles"]) != len(document["jobs"]):
        yield Problem("recorded.titles", "", f"give {len(document['jobs'])} texts, one per job")
    if len(set(map(str, document["jobs"]))) != len(document["jobs"]):
        yield Problem("recorded.jobs", "", "job names are unique")


def _whole_numbers(values: list[Any], low: int, high: int) -> NDArray[np.int64] | None:
    for part in slices(values):
        if not set(map(type, part)) <= {int} or not (low <= min(part) and max(part) <= high):
            return None
    return column(values, np.int64)


def _times_from_json(values: list[Any]) -> NDArray[np.float64] | None:
    if not all(set(map(type, part)) <= {int, float, type(None)} for part in slices(values)):
        return None
    try:
        times = column(values, np.float64)
    except OverflowError:
        return None
    known = np.array([value is not None for value in values], np.bool_)
    return times if (np.abs(times[known]) <= MAX_SECONDS).all() else None


def _counting_problems(columns: dict[str, NDArray[Any]]) -> list[Problem]:
    """Check that the attempts that count are those of tasks 0, 1, 2 … of each job and stage, with times."""
    counting = np.flatnonzero(columns["counts"])
    job, stage, task = (columns[name][counting].astype(np.int64) for name in ("job", "stage", "task"))
    order = np.lexsort((task, stage, job))
    job, stage, task = job[order], stage[order], task[order]
    begins = np.r_[True, (job[1:] != job[:-1]) | (stage[1:] != stage[:-1])][: len(job)]
    places = np.arange(len(job))
    expected = places - np.maximum.accumulate(np.where(begins, places, 0)) if len(job) else places
    ended = np.isfinite(columns["start"][counting]) & np.isfinite(columns["end"][counting])
    if (columns["kind"][counting] < len(TASK_TYPES)).all() and (task == expected).all() and ended.all():
        return []
    rule = "attempts that count have a start and an end, and are of tasks 0, 1, 2 … of a stage of their job"
    return [Problem("recorded.counts", "", rule)]


NOW = "now"
OWNERS = ("pools", "users")
ONE_EACH = "pools and users have a text for each of open_jobs; give both, or leave both out"
SAME_LENGTH = "job, stage and tasks are lists of the same length: an entry of each for every stage"


def under_way_to_json(under_way: Unfinished) -> dict[str, Any]:
    """Return it as a JSON value; reading that gives the same."""
    owners = {name: list(getattr(under_way, name)) for name in OWNERS if getattr(under_way, name)}
    return {NOW: under_way.now} | {name: getattr(under_way, name).tolist() for name in OPEN_COLUMNS} | owners


def under_way_from_json(document: Any, run: RecordedRun, problems: list[Problem]) -> Unfinished | None:
    """Build it of a value that the schema has let pass; what is wrong with it goes to `problems`.

    Parameters
    ----------
    document : None where nothing is under way
    run : what it is a part of
    """
    if document is None:
        return None
    jobs = len(run.jobs)
    columns: dict[str, Any] = {name: np.array(document[name], np.int32) for name in OPEN_COLUMNS}
    columns["running"] = columns["running"].astype(np.int64)
    owners: Any = {name: tuple(document.get(name, ())) for name in OWNERS}
    found = Unfinished(now=float(document[NOW]), **columns, **owners)
    rules = []
    if not len(found.pools) == len(found.users) in (0, len(found.open_jobs)):
        rules.append(("pools", ONE_EACH))
    if not len(found.job) == len(found.stage) == len(found.tasks):
        rules.append(("job", SAME_LENGTH))
    elif any(number >= jobs for number in (*found.open_jobs.tolist(), *found.job.tolist())):
        rules.append(("job", f"give whole numbers from 0 to {jobs - 1}, indices into jobs"))
    elif not set(found.job.tolist()) <= set(found.open_jobs.tolist()):
        rules.append(("job", "only jobs that have not ended, which open_jobs lists, have tasks to begin"))
    else:
        last = [len(run.graph(job)) - 1 for job in found.job.tolist()]
        if (found.stage > np.array(last, np.int32)).any():
            rules.append(("stage", "give numbers of stages that the job has, from 0"))
    rules += _running_rules(found, run)
    if found.waiting > MAX_TASKS:
        rules.append(("tasks", f"at most {MAX_TASKS} tasks"))
    problems += [Problem(f"recorded.under_way.{name}", "", rule) for name, rule in rules]
    return None if rules else found


def _running_rules(found: Unfinished, run: RecordedRun) -> list[tuple[str, str]]:
    """Return what is wrong with the attempts that run."""
    mine = found.running
    if (mine >= run.attempts).any():
        return [("running", f"give whole numbers from 0 to {run.attempts - 1}, indices into attempts")]
    runs = np.isfinite(run.start[mine]) & (run.start[mine] <= found.now) & ~np.isfinite(run.end[mine])
    is_task = ~run.counts[mine] & (run.stage[mine] >= 0)
    if (runs & is_task).all() and len(set(mine.tolist())) == len(mine):
        return []
    rule = "attempts that run have started by now and have no end; they are of a stage, and differ"
    return [("running", rule)]
