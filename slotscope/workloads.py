"""Workloads: opened from whatever names one, or drawn from a family of the literature."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypedDict

from slotscope.sentences import in_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.files.open_workload import Opened
    from core.model.cluster import Cluster
    from core.model.nodes import NodeGroup, Request
    from core.model.overheads import Overheads
    from core.model.workload import Workload

    Source = str | os.PathLike[str] | Workload


class ClusterChanges(TypedDict, total=False):
    """What may be changed of a workload's cluster; texts are those of the command line (``"8x16GB,8"``)."""

    map_slots: int
    reduce_slots: int
    containers: int
    nodes: str | Sequence[NodeGroup]
    map_request: str | Request
    reduce_request: str | Request
    contention: str | Sequence[float]
    reduce_load: float
    overheads: str | Overheads | None
    slowstart: float
    shuffle_model: str


@in_sentences
def open(source: str | os.PathLike[str], *, columns: str = "") -> Workload:
    """Open a workload: a document, a log in any supported format, a folder of logs, or a sample by its name.

    Parameters
    ----------
    source : a path, or the name of a sample
    columns : of a table of tasks, which column is what: ``"job=JobName,start=Begin,end=End"``

    Returns
    -------
    Workload
        its `jobs` with their tasks, and the `cluster` that they run on

    Raises
    ------
    InputError
        there is neither a file nor a sample of this name, or the file cannot be read

    Examples
    --------
    >>> import slotscope
    >>> workload = slotscope.open("five-jobs")
    >>> len(workload.jobs), workload.cluster.map_slots
    (5, 30)
    >>> slotscope.open("five-job")
    Traceback (most recent call last):
    core.model.errors.UnknownName: unknown file or sample 'five-job'; did you mean 'five-jobs'?
    """
    return opened(source, columns).workload


@in_sentences
def generate(family: str, *, seed: int = 1, **parameters: Any) -> Workload:  # Any: each family has its own
    """Draw a workload of a family of the literature; the same seed gives the same workload, bit by bit.

    Parameters
    ----------
    family : facebook, yahoo, synthetic1, synthetic2, dhfs, circumflex, omo, tpch or workflow
    seed : a whole number from 0
    parameters : of the family, by name, ``jobs=20`` for instance; the rest take their defaults

    Raises
    ------
    InputError
        there is no such family or parameter, or a value breaks its rule

    Examples
    --------
    >>> import slotscope
    >>> workload = slotscope.generate("facebook", seed=7, jobs=20)
    >>> workload.name, len(workload.jobs)
    ('Facebook, 20 jobs', 20)
    """
    from core.generate.families import generate as draw

    return draw(family, seed=seed, parameters=parameters)


def opened(source: Source, columns: str = "") -> Opened:
    """Return a workload that is given or named, with what else is known of it."""
    from core.files.open_workload import Opened, open_workload
    from core.model.errors import InputError, shorten_repr
    from core.model.workload import Workload

    if isinstance(source, Workload):
        return Opened(source, "document")
    if not isinstance(source, str | os.PathLike):
        rule = "give the name of a sample, a path, or what slotscope.open returns"
        raise InputError(f"a workload cannot be {shorten_repr(source)}; {rule}")
    return open_workload(os.fspath(source), parameters={"columns": columns} if columns else None)


def changed(suggested: Cluster, changes: Mapping[str, Any]) -> Cluster:
    """Return the cluster of a workload with what is changed of it."""
    from core.model.cluster_asked_for import cluster_asked_for
    from core.model.overheads import overheads_from_text

    given = dict(changes)
    if isinstance(given.get("overheads"), str):
        given["overheads"] = overheads_from_text(given["overheads"])
    given |= {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return cluster_asked_for(suggested, given)
