"""State of the engine where jobs have `input_nodes`: which maps are local to each node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.records import Float, Int, Record, RecordColumn, record_of
from core.model.task_types import MAP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.input_nodes import InputColumns


class InputRecord(Record):
    """The `input_nodes` of a job, as columns."""

    says: Int  # 1 if it says anything
    next: Int  # no map of it before this one waits
    begin: Int  # its nodes begin here
    end: Int  # and end before this one
    remote_read: Float  # seconds that a map takes longer on a node without its input


INPUT = record_of(InputRecord)


class PlaceRecord(Record):
    """The maps of a job whose input lies on a node."""

    node: Int
    next: Int  # no copy before this one is of a map that waits
    end: Int  # its copies end before this one
    waiting: Int  # how many of these maps wait


PLACE = record_of(PlaceRecord)


class Inputs(NamedTuple):
    """Where the input of maps lies; the tasks lie as the policy would start them, whatever is local.

    Attributes
    ----------
    of : records INPUT (jobs,)
    place : records PLACE, those of a job one after the other, by node, (places,)
    copy : the map of each copy of an input, those of a place one after the other, ascending, int32 (copies,);
        read
    begin : where the copies of each task's input begin in `places`, int32 (tasks + 1,); read
    places : the place of each, int32 (copies,); read
    """

    of: RecordColumn[InputRecord]
    place: RecordColumn[PlaceRecord]
    copy: Any
    begin: Any
    places: Any


def with_inputs(state: State, inputs: InputColumns, task_order: NDArray[np.int32] | None) -> State:
    """Return a fresh state, as columns, of jobs that have `input_nodes`.

    Parameters
    ----------
    inputs : of the tasks by number
    task_order : the tasks as they lie in the state, (tasks,); None for by number
    """
    tasks = len(state.slot)
    order = np.arange(tasks) if task_order is None else task_order
    count = np.diff(inputs.begin)[order]
    begin = np.concatenate([[0], np.cumsum(count)])
    # of each copy, task by task as they lie: the task, its job and the node
    task = np.repeat(np.arange(tasks), count)
    within = np.arange(begin[-1]) - begin[task]
    node = inputs.node[inputs.begin[order[task]] + within].astype(np.int64)
    jobs: Any = state.job
    first = np.where(inputs.says, jobs["first"][:, MAP], tasks)
    job = _job_of(task, first)
    by_place = np.lexsort((task, node, job))
    key = np.stack([job[by_place], node[by_place]])
    begins = np.flatnonzero(np.r_[True, (key[:, 1:] != key[:, :-1]).any(axis=0)][: len(task)])
    place = np.zeros(len(begins), PLACE)
    place["node"] = key[1, begins]
    place["next"], place["end"] = begins, np.r_[begins[1:], len(task)][: len(begins)]
    place["waiting"] = place["end"] - place["next"]
    places = np.empty(len(task), np.int32)
    places[by_place] = np.repeat(np.arange(len(begins)), place["waiting"])
    of = np.zeros(len(jobs), INPUT)
    of["says"], of["next"] = inputs.says, jobs["first"][:, MAP]
    of["remote_read"] = inputs.remote_read
    of["begin"], of["end"] = (
        np.searchsorted(key[0, begins], np.arange(len(jobs)), side) for side in ("left", "right")
    )
    columns = {"copy": task[by_place].astype(np.int32), "begin": begin.astype(np.int32), "places": places}
    return state._replace(inputs=Inputs(of=of, place=place, **columns))


def at_rest(inputs: Inputs) -> Inputs:
    """Return the arrays that stand for inputs while a run is paused: empty ones."""
    nothing: Any = np.zeros(0)
    return Inputs(*(nothing for _ in inputs))


def _job_of(task: NDArray[np.integer[Any]], first: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the job of each map, of the jobs whose maps begin at `first`."""
    by_first = np.argsort(first, kind="stable")
    job: NDArray[np.int64] = by_first[np.searchsorted(first[by_first], task, "right") - 1]
    return job
