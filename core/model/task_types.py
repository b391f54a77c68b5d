"""The types of tasks and slots: their numbers, which index pairs, and their words."""

from __future__ import annotations

from typing import Literal, get_args

MAP, REDUCE = 0, 1
"""The types of tasks and slots; in a MapReduce job also the numbers of its stages."""
TASK_TYPES = (MAP, REDUCE)
"""All of them, as indices of pairs."""
KIND_WORDS = ("map", "reduce")
"""The same in words, by these indices."""
STAGE_WORDS = ("first stage", "later stage")
"""Where jobs have other stages than maps and reduces: first are those that read what no other stage wrote."""


SETUP, CLEANUP, OTHER = 2, 3, 4
"""Kinds of tasks beside `TASK_TYPES`: what a log has and a workload has not."""
KINDS = ("map", "reduce", "setup", "cleanup", "other")
Result = Literal["succeeded", "failed", "killed", "unfinished", "suspended"]
OUTCOMES: tuple[Result, ...] = get_args(Result)
"""How an attempt may end, by a log."""


def default_type(*, has_parents: bool) -> int:
    """Return the type of the tasks of a stage that names none: reduces wait for other stages, maps do not."""
    return REDUCE if has_parents else MAP
