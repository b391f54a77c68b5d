"""Tasks and their durations from nothing but bytes, by a simple model whose numbers people can change.

A job reads its input with maps of one size, shuffles what they write, and reduces it with reduces of
one size; every byte takes its time at a rate. How SWIM replays such a workload gives the number of
tasks: a map per block, and ``round((shuffle + output) / bytes per reduce)`` reduces, at least one
(SWIM, the workload replay of Chen, Ganapathi, Griffith, Katz, MASCOTS 2011); the rates are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.parameters import ParameterValue

MIB = float(1 << 20)
_LEAST, _MOST = 0.001, 1e9

PARAMETERS = (
    Parameter("map_size", "number", 128.0, "Input that one map reads.", _LEAST, _MOST, "MiB"),
    Parameter("map_rate", "number", 10.0, "Input that a map works through.", _LEAST, _MOST, "MiB/s"),
    Parameter("write_rate", "number", 20.0, "Output that a task writes.", _LEAST, _MOST, "MiB/s"),
    Parameter("reduce_size", "number", 1024.0, "Shuffle and output of one reduce.", _LEAST, _MOST, "MiB"),
    Parameter("shuffle_rate", "number", 20.0, "Map output that a reduce fetches.", _LEAST, _MOST, "MiB/s"),
    Parameter(
        "reduce_rate", "number", 10.0, "Fetched data that a reduce works through.", _LEAST, _MOST, "MiB/s"
    ),
    Parameter(
        "task_time", "number", 2.0, "What every task takes besides, to start and to end.", 0.0, 1e6, "s"
    ),
    Parameter(
        "overlap", "number", 0.5, "Part of a reduce's shuffle that is done when its map stage ends.", 0.0, 1.0
    ),
    Parameter("scale", "number", 1.0, "Factor for all bytes, for a cluster of another size.", 1e-9, 1e9),
)

ASSUMPTIONS = (
    "The log has bytes and no tasks, so tasks and durations come from a model; its numbers are parameters "
    "of the import.",
    "A job has one map for every {map_size:g} MiB of input and one reduce for every {reduce_size:g} MiB of "
    "shuffle and output, each kind at least one; a job that shuffles nothing has no reduces.",
    "A map takes {task_time:g} s, its input at {map_rate:g} MiB/s and its output at {write_rate:g} MiB/s.",
    "A reduce fetches its shuffle at {shuffle_rate:g} MiB/s (a first shuffle is {overlap:.0%} done when the "
    "map stage ends), then takes {task_time:g} s, its shuffle at {reduce_rate:g} MiB/s and its output at "
    "{write_rate:g} MiB/s.",
    "All bytes are multiplied by {scale:g}.",
)
"""What is assumed, with the names of the parameters in braces."""


class ModelledTasks(NamedTuple):
    """Tasks of jobs, all of a job's kind alike: counts, and durations in seconds, each (jobs,)."""

    maps: NDArray[np.float64]
    map_duration: NDArray[np.float64]
    reduces: NDArray[np.float64]
    first_shuffle: NDArray[np.float64]
    typical_shuffle: NDArray[np.float64]
    reduce_duration: NDArray[np.float64]


def tasks_of_bytes(job_bytes: NDArray[np.float64], values: Mapping[str, ParameterValue]) -> ModelledTasks:
    """Compute the tasks of jobs from their input, shuffle and output.

    Parameters
    ----------
    job_bytes : map input, shuffle and output of each job in bytes, (jobs, 3)
    values : a value for each of `PARAMETERS`

    Returns
    -------
    ModelledTasks
        counts are whole numbers, durations whole milliseconds
    """
    (map_size, map_rate, write_rate, reduce_size, shuffle_rate, reduce_rate, task_time, overlap, scale) = (
        float(values[parameter.name]) for parameter in PARAMETERS
    )
    read, shuffled, written = job_bytes.T * (scale / MIB)
    has_reduces = shuffled > 0
    maps = np.maximum(1.0, np.ceil(read / map_size))
    reduces = np.where(has_reduces, np.maximum(1.0, np.rint((shuffled + written) / reduce_size)), 0.0)
    map_output = np.where(has_reduces, shuffled, written)
    per_reduce = np.maximum(1.0, reduces)
    fetched, output = shuffled / per_reduce, np.where(has_reduces, written, 0.0) / per_reduce
    typical = fetched / shuffle_rate
    return ModelledTasks(
        maps,
        _milliseconds(task_time + read / maps / map_rate + map_output / maps / write_rate),
        reduces,
        _milliseconds((1.0 - overlap) * typical),
        _milliseconds(typical),
        _milliseconds(task_time + fetched / reduce_rate + output / write_rate),
    )


def _milliseconds(seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    whole: NDArray[np.float64] = np.round(seconds * 1000) / 1000
    return whole
