"""Explanations as JSON values: what `slotscope explain --json` prints. Times are seconds, unrounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.explain.start_cause import NOBODY
from core.explain.words import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.explain.critical_path import CriticalPath
    from core.explain.decisions import Candidate, DecisionReason
    from core.explain.lints.finding import Finding
    from core.explain.task_reason import ServedFirst, TaskReason
    from core.explain.waiting_reason import WaitReason
    from core.model.schedule import Schedule


def task_json(schedule: Schedule, task: int) -> dict[str, Any] | None:
    """Name a task as `simulate --tasks` does: index from 0, slot as a number; None for no task."""
    if task == NOBODY:
        return None
    columns = schedule.workload.columns
    job, kind = int(columns.job[task]), int(columns.kind[task])
    return {
        "job": schedule.workload.jobs[job].name,
        "kind": KIND_WORDS[kind],
        "index": task - int(columns.first[job, kind]),
        "slot": int(schedule.slot[task]),
    }


def chain_json(schedule: Schedule, chain: CriticalPath) -> dict[str, Any]:
    """Return the links from time 0 on, the seconds by cause, and who held the slots that were waited for."""
    jobs = schedule.workload.jobs
    return {
        "chain": [
            {
                "begin": link.begin,
                "end": link.end,
                "cause": link.cause.value,
                "task": task_json(schedule, link.task),
                "waiter": task_json(schedule, link.waiter),
                "holder": task_json(schedule, link.holder),
            }
            for link in chain.links
        ],
        "causes": {cause.value: seconds for cause, seconds in chain.totals().items()},
        "held_by": [
            {"job": jobs[job].name, "seconds": seconds} for job, seconds in chain.holders(schedule).items()
        ],
    }


def findings_json(schedule: Schedule, findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Return what the linter found."""
    return [
        {
            "rule": finding.rule.value,
            "begin": finding.begin,
            "end": finding.end,
            "job": schedule.workload.jobs[finding.job].name if finding.job >= 0 else None,
            "slot": finding.slot if finding.slot >= 0 else None,
            "kind": KIND_WORDS[finding.kind],
            "cost": finding.cost,
            "sentence": finding.sentence,
        }
        for finding in findings
    ]


def task_reason_json(schedule: Schedule, reason: TaskReason) -> dict[str, Any]:
    """Return why a task started then and there."""
    start = reason.start
    return {
        "task": task_json(schedule, start.task),
        "start": start.time,
        "ready": start.ready,
        "cause": start.cause.value,
        "trigger": task_json(schedule, start.trigger),
        "slot_free_since": start.freed,
        "slot_held_by": task_json(schedule, start.holder),
        "borrowed": reason.borrowed,
        "served_first": _served_json(schedule, reason.served_first),
        "sentences": [*reason.why_then, *reason.why_here],
    }


def waiting_json(schedule: Schedule, reason: WaitReason) -> dict[str, Any]:
    """Return what the tasks of one kind of a job wait for."""
    jobs = schedule.workload.jobs
    return {
        "kind": KIND_WORDS[reason.kind],
        "cause": reason.cause.value,
        "pending": reason.pending,
        "running": reason.running,
        "done": reason.done,
        "idle_fillers": reason.idle_fillers,
        "maps_done": reason.maps_done,
        "maps_needed": reason.maps_needed,
        "free_slots": reason.free,
        "held_by": [
            {"job": jobs[holder.job].name, "slots": holder.slots, "idle_fillers": holder.idle_fillers}
            for holder in reason.holders
        ],
        "ahead": _served_json(schedule, reason.ahead),
        "next_start": reason.next_start,
        "sentences": list(reason.sentences),
    }


def _served_json(schedule: Schedule, served: Iterable[ServedFirst]) -> list[dict[str, Any]]:
    return [{"job": schedule.workload.jobs[one.job].name, "tasks": one.tasks} for one in served]


def decision_json(schedule: Schedule, reason: DecisionReason, sentences: Iterable[str]) -> dict[str, Any]:
    """Return every candidate for a slot, who won and who came second."""
    return {
        "time": reason.time,
        "number": reason.start,
        "slot": reason.slot,
        "winner": _candidate_json(schedule, reason.winner),
        "runner_up": _candidate_json(schedule, reason.runner_up),
        "candidates": [_candidate_json(schedule, candidate) for candidate in reason.candidates],
        "sentences": list(sentences),
    }


def _candidate_json(schedule: Schedule, candidate: Candidate | None) -> dict[str, Any] | None:
    if candidate is None:
        return None
    return {
        "job": schedule.workload.jobs[candidate.job].name,
        "kind": KIND_WORDS[candidate.kind],
        "pending": candidate.pending,
        "running": candidate.running,
        "rank": candidate.rank,
        "lends": candidate.lends,
        "pool_admits": candidate.pool_admits,
        "admits": candidate.admits,
        "pool_key": list(candidate.pool_key),
        "key": list(candidate.key),
    }
