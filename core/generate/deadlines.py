"""Random deadlines for the jobs of any workload, by the model that MaxEDF and MinEDF were compared with.

Source: 001 section V.B. A job's deadline, counted from its arrival, is uniform between T and factor T, where
T is how long it takes alone on the whole cluster. Ours: deadlines are rounded up to milliseconds, past T by a
microsecond at least, so that a job that runs undisturbed is not late by a rounding; a job that takes no time
gets no deadline.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.generate.families import LARGEST_SEED
from core.model.cluster import contention_words
from core.model.errors import InputError, shorten
from core.model.limits import is_whole
from core.model.nodes import nodes_text, request_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Origin, Workload

    RuntimesOf = Callable[[Workload, Cluster], NDArray[np.float64]]

LARGEST_FACTOR = 1e6
SLACK = 1e-6
"""Seconds; far more than what sums of task durations may be rounded by."""

FACTOR, SEED = "deadline_factor", "deadline_seed"
"""Names under which a generated workload's origin records its deadlines."""

_NOTE = "Random deadlines "


def with_random_deadlines(
    workload: Workload, cluster: Cluster, factor: float, seed: int, isolated_runtimes: RuntimesOf
) -> Workload:
    """Return the workload with new deadlines for all jobs; equal arguments give equal bits.

    The draw is recorded in the workload's source, and in the origin of a generated workload if its own
    cluster is meant.

    Parameters
    ----------
    workload : any; deadlines that it has are replaced
    cluster : where the jobs are alone
    factor : the largest deadline as a multiple of the time alone, at least 1
    seed : a whole number from 0
    isolated_runtimes : returns how long each job takes alone on the cluster, in seconds, (jobs,): usually
        `core.simulation.fifo_trials.isolated_runtimes`

    Raises
    ------
    InputError
        the factor or the seed breaks its rule, or the cluster lacks a kind of slot that the workload needs
    """
    _check(factor, seed)
    alone = isolated_runtimes(workload, cluster)
    if not np.isfinite(alone).all():
        job = workload.jobs[int(np.argmin(np.isfinite(alone)))]
        raise InputError(f"job '{job.name}' never ends on {_described(cluster)}; give it slots of both kinds")
    stretch = np.random.Generator(np.random.PCG64(seed)).uniform(1.0, factor, len(alone))
    jobs = [
        replace(job, deadline=math.ceil((job.arrival + time + SLACK) * 1000) / 1000 if time else None)
        for job, time in zip(workload.jobs, (alone * stretch).tolist(), strict=True)
    ]
    drawn = workload.with_jobs(jobs)
    note = (
        f"{_NOTE}with seed {seed}: from T to {factor:g} T after the arrival, T being the job's time alone on "
        f"{_described(cluster)}; after Verma, Cherkasova, Campbell: Play It Again, SimMR!, section V."
    )
    lines = [line for line in workload.source.splitlines() if not line.startswith(_NOTE)]
    origin = _recorded(workload.origin, factor, seed) if cluster == workload.cluster else workload.origin
    return replace(drawn, source="\n".join([*lines, note]), origin=origin, checked_jobs=drawn.jobs)


def _check(factor: float, seed: int) -> None:
    if not 1 <= factor <= LARGEST_FACTOR:
        raise InputError(
            f"the deadline factor is {shorten(factor)}; give a number from 1 to {LARGEST_FACTOR:g}: 1 leaves "
            "each job just the time that it takes alone"
        )
    if not is_whole(seed, 0, LARGEST_SEED):
        raise InputError(
            f"the seed of the deadlines is {shorten(seed)}; give a whole number from 0 to {LARGEST_SEED}"
        )


def _described(cluster: Cluster) -> str:
    if cluster.has_nodes:
        requests = (
            f"{request_text(cluster.map_request)} a map, {request_text(cluster.reduce_request)} a reduce"
        )
        slots = f"nodes {nodes_text(cluster.nodes)}, {requests}"
        slots += contention_words(cluster)
    elif cluster.has_containers:
        slots = f"{cluster.slots} containers"
    else:
        maps, reduces = cluster.typed_slots  # a job alone has all of them, all the time
        slots = f"{maps} map and {reduces} reduce slots"
    return f"{slots} (slowstart {cluster.slowstart:g}, shuffle {cluster.shuffle_model})"


def _recorded(origin: Origin | None, factor: float, seed: int) -> Origin | None:
    if origin is None:
        return None
    others = tuple((name, value) for name, value in origin.parameters if name not in (FACTOR, SEED))
    return replace(origin, parameters=(*others, (FACTOR, factor), (SEED, seed)))
