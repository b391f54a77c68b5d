"""The types of tasks and slots: their numbers, which index pairs, and their words."""

from __future__ import annotations

MAP, REDUCE = 0, 1
"""The types of tasks and slots; in a MapReduce job also the numbers of its stages."""
TASK_TYPES = (MAP, REDUCE)
"""All of them, as indices of pairs."""
KIND_WORDS = ("map", "reduce")
"""The same in words, by these indices."""
