"""The types of tasks and slots: their numbers, which index pairs, and their words."""

from __future__ import annotations

MAP, REDUCE = 0, 1
"""The types of tasks and slots; in a MapReduce job also the numbers of its stages."""
TASK_TYPES = (MAP, REDUCE)
"""All of them, as indices of pairs."""
KIND_WORDS = ("map", "reduce")
"""The same in words, by these indices."""
STAGE_WORDS = ("first stage", "later stage")
"""Where jobs have other stages than maps and reduces: first are those that read what no other stage wrote."""


def default_type(*, has_parents: bool) -> int:
    """Return the type of the tasks of a stage that names none: reduces wait for other stages, maps do not."""
    return REDUCE if has_parents else MAP
