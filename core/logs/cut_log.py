"""Whether a part of a log is missing, as one sentence that goes with its workload wherever that goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model.errors import Problem

PHRASES = (
    "the log ends before this job does",
    "the log does not have its start",
    "the log has no job to which these stages belong",
    "its tasks are there but not the DAG itself",
    "follows is lost",
    "follows is left out",
    "the rest is left out",
    "in an archive and is left out",
    "steps are listed (",
    "the rest of it is lost",
    "so is the rest",
    "missing; give all its files",
    "the jobs are smaller here than they were",
    "cut short",
    "the file ends inside an object",
)
"""What problems say of which more was there than could be read."""


def is_cut(problem: Problem) -> bool:
    """Whether a problem of an import means that part of the log is missing."""
    return any(phrase in problem.rule for phrase in PHRASES)


def cut_sentence(first: Problem, count: int) -> str:
    """Return what of a log is missing: the first of so many places where it is cut."""
    others = f" (and {count - 1} more place{'s' * (count > 2)})" * (count > 1)
    return f"The log is not whole, so neither is what follows from it: {first.where}: {first.rule}{others}."
