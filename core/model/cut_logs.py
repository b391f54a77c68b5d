"""Sentences for workloads whose logs have parts missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.model.workload import Workload

CUT_LOG = "log not whole"
"""In short that something is missing of the log that jobs come from."""


def cuts_of(workloads: Iterable[Workload]) -> str:
    """Return what is missing of the logs of workloads, each sentence once; empty if nothing is known so."""
    return " ".join(dict.fromkeys(workload.cut for workload in workloads if workload.cut))
