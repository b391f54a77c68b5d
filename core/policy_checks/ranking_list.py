"""The public list of workloads on which policies are ranked: drawn ones by seed, logs by path and hash.

A version never changes: other workloads are another list, so that lines of one version can be compared.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from core.files.open_workload import open_workload
from core.files.resources import resource_path
from core.generate.families import generate
from core.model.cluster_asked_for import cluster_asked_for
from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from core.model.workload import Workload

CURRENT = "public-1.json"


@dataclass(frozen=True)
class DrawnEntry:
    """A family with its parameters, from which a workload is drawn for each seed."""

    name: str
    family: str
    parameters: Mapping[str, Any] = field(default_factory=dict)  # Any: each family has its own

    def workload(self, seed: int) -> Workload:
        """Draw it."""
        return generate(self.family, seed=seed, parameters=self.parameters)


@dataclass(frozen=True)
class FetchedEntry:
    """A published file, which does not come with Slotscope.

    Attributes
    ----------
    name : as tables have it
    file : its name in a folder of the user's
    source, licence : where it is published, and under which licence
    sha256 : of its bytes
    cluster : what differs from the cluster that the file suggests
    """

    name: str
    file: str
    source: str
    licence: str
    sha256: str
    cluster: Mapping[str, Any] = field(default_factory=dict)  # Any: settings of a cluster

    def workload(self, folder: Path) -> Workload | None:
        """Open it; None if the folder does not have it.

        Raises
        ------
        InputError
            a file of this name is another one, or cannot be read
        """
        path = folder / self.file
        if not path.is_file():
            return None
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != self.sha256:
            raise InputError(
                f"{path} is not the file of the list: its SHA-256 is {found[:12]}…, not {self.sha256[:12]}…; "
                f"fetch it again from {self.source}"
            )
        opened = open_workload(str(path)).workload
        cluster = cluster_asked_for(opened.cluster, dict(self.cluster))
        return replace(opened, cluster=cluster, checked_jobs=opened.jobs)


@dataclass(frozen=True)
class RankingList:
    """One version of the list.

    Attributes
    ----------
    version : its number
    seeds : from which every drawn workload is drawn, one after the other
    search_steps : of policies that search for a schedule
    drawn, fetched : the workloads
    """

    version: int
    seeds: tuple[int, ...]
    search_steps: int
    drawn: tuple[DrawnEntry, ...]
    fetched: tuple[FetchedEntry, ...]


@cache
def ranking_list() -> RankingList:
    """Return the list that comes with this version of Slotscope."""
    stored = json.loads(resource_path("ranking", CURRENT).read_text("utf-8"))
    return RankingList(
        version=stored["version"],
        seeds=tuple(stored["seeds"]),
        search_steps=stored["search_steps"],
        drawn=tuple(DrawnEntry(**entry) for entry in stored["drawn"]),
        fetched=tuple(FetchedEntry(**entry) for entry in stored["fetched"]),
    )
