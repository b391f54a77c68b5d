"""What a log says really ran: every attempt with its host, times and outcome, as read-only columns."""

from __future__ import annotations

from typing import Literal, get_args

Result = Literal["succeeded", "failed", "killed", "unfinished"]
OUTCOMES: tuple[Result, ...] = get_args(Result)

SETUP, CLEANUP, OTHER = 2, 3, 4
"""Kinds of tasks beside `MAP` and `REDUCE` of `core.workload`: what a log has and a workload has not."""
