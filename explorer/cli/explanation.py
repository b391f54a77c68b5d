"""What `slotscope explain` prints, as tables and sentences or as JSON; times are seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.explain.causes import Cause
from core.explain.critical_path import critical_path
from core.explain.decisions import (
    decision_reason,
    declined_sentences,
    open_offers,
    policy_rule,
    standing_sentences,
)
from core.explain.explanation_words import task_name
from core.explain.lint import lint
from core.explain.lints.idle_slots import idle_sentence, idle_times
from core.explain.path_words import holders_sentence, link_sentence
from core.explain.replay import Replay
from core.explain.standing import in_column
from core.explain.start_cause import NO_TASK
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import waiting_reasons
from core.model.task_types import KIND_WORDS
from core.model.time_text import clock_text, duration_text, exact_clock, percent
from core.policies.explains import Number
from explorer.cli.screen import more_text, picked, print_line, print_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.explain.critical_path import CriticalPath
    from core.explain.decisions import Candidate, DecisionReason
    from core.explain.instant import JobTasks
    from core.explain.lints.finding import Finding
    from core.explain.lints.idle_slots import IdleTime
    from core.explain.task_reason import TaskReason
    from core.explain.waiting_reason import WaitReason
    from core.model.schedule import Schedule
    from core.simulation.simulate import Simulation

WAITING = "cause=cause.value pending running done idle_fillers maps_done maps_needed free_slots=free"
MAX_LINKS = 60
MAX_HOLDERS = 5
MAX_CANDIDATES = 12
NOTHING = in_column(None, Number(""))

# ---- why this makespan


def explain_makespan(schedule: Schedule, as_json: bool) -> dict[str, Any]:
    """Explain the makespan: print it, and return it as JSON."""
    chain, findings, idle = critical_path(schedule), lint(schedule), idle_times(schedule)
    if not as_json:
        _print_causes(schedule, chain, idle)
        _print_links(schedule, chain)
        _print_hold(schedule, chain)
        _print_findings(findings)
    return {
        **chain_json(schedule, chain),
        "idle": [
            {"kind": KIND_WORDS[each.kind], "seconds": each.total}
            | {"causes": {cause.value: spent for cause, spent in each.seconds.items()}}
            for each in idle
        ],
        "findings": findings_json(schedule, findings),
    }


def _print_causes(schedule: Schedule, chain: CriticalPath, idle: Sequence[IdleTime]) -> None:
    total = schedule.makespan
    spans = chain.totals().items()
    rows = [(cause.value, spent, percent(spent / total)) for cause, spent in spans if spent > 0]
    print_line(f"{schedule.workload.name} · {schedule.choice.id} · why {duration_text(total)}")
    print_table("", ("cause", ">time", ">share"), rows)
    holders = holders_sentence(schedule, chain, MAX_HOLDERS)
    if holders:
        print_line(f"The slots waited for were held by {holders}.")
    if idle:
        print_line(idle_sentence(schedule, idle))
    print_line("")


def _print_links(schedule: Schedule, chain: CriticalPath) -> None:
    links = chain.links[-MAX_LINKS:]
    rows = [
        (clock_text(link.begin), clock_text(link.end), link.cause.value, link_sentence(schedule, link))
        for link in links
    ]
    columns = (">from", ">to", "cause", "what")
    note = more_text(len(chain.links) - len(links), "earlier links")
    print_table("The chain from time 0 to the last finish", columns, rows, note)


def _print_hold(schedule: Schedule, chain: CriticalPath) -> None:
    """Say what the policy answered in the longest gap in which it kept a task waiting."""
    held = [link for link in chain.links if link.cause is Cause.HELD]
    if not held:
        return
    longest = max(held, key=lambda link: link.seconds)
    run, columns = Replay(schedule).at(longest.begin), schedule.workload.columns
    for sentence in declined_sentences(
        run, int(columns.job[longest.waiter]), (int(columns.kind[longest.waiter]),)
    ):
        print_line(sentence)
    print_line("")


def _print_findings(findings: Sequence[Finding]) -> None:
    if not findings:
        print_line("Nothing else stands out: no starvation, idle slots, broken quotas, unproductive holds.")
        return
    rows = [
        (finding.rule.value, clock_text(finding.begin), finding.sentence) for finding in findings[:MAX_LINKS]
    ]
    note = more_text(len(findings) - MAX_LINKS)
    print_table("Worth a look", ("finding", ">from", "what"), rows, note)


# ---- why this task


def explain_task(schedule: Schedule, task: int, as_json: bool) -> dict[str, Any]:
    """Explain why a task started then and there, likewise."""
    reason = task_reason(schedule, task)
    run = Replay(schedule).before_start(int((schedule.sequence == task).argmax()))
    decision = decision_reason(run)
    assert decision is not None, "the run stands before a start"
    if not as_json:
        print_line(f"Why {task_name(schedule.workload, task)}:")
        for sentence in (*reason.why_then, *reason.why_here, "", *decision.sentences, ""):
            print_line(sentence)
        _print_candidates(schedule, run, decision)
    return {
        "reason": task_reason_json(schedule, reason),
        "decision": decision_json(schedule, decision),
        "rule": [policy_rule(run)],
    }


def _print_candidates(schedule: Schedule, run: Simulation, decision: DecisionReason) -> None:
    shown = decision.candidates[:MAX_CANDIDATES]
    columns: dict[str, list[object]] = {
        "job": [schedule.workload.jobs[each.job].name for each in shown],
        "kind": [schedule.workload.type_words[each.kind] for each in shown],
        ">waiting": [each.pending for each in shown],
        "admitted": ["yes" if each.may_start else "no" for each in shown],
    }
    if all(each.may_start for each in shown):
        del columns["admitted"]
    for number in decision.numbers:
        cells = [_cell(each.standing.numbers.get(number.name), number) for each in shown]
        if any(cell != NOTHING for cell in cells):
            columns[f">{number.title.lower()}"] = cells
    columns[">queue"] = [each.rank + 1 for each in shown]
    note = more_text(len(decision.candidates) - MAX_CANDIDATES)
    slot = schedule.cluster.slot_name(decision.slot)
    title = f"Candidates for {slot} at {exact_clock(decision.time)}, the preferred one first"
    print_table(title, tuple(columns), list(zip(*columns.values(), strict=True)), note)
    print_line(policy_rule(run))


def _cell(value: object, declared: Number) -> object:
    """Return a number for a table, which is too narrow for milliseconds of hours."""
    is_span = declared.unit == "s" and isinstance(value, int | float)
    return float(str(value)) if is_span else in_column(value, declared)


# ---- what a job waits for


def explain_waiting(schedule: Schedule, job: int, time: float, as_json: bool) -> dict[str, Any]:
    """Explain what a job waits for at a time in seconds, likewise."""
    reasons = waiting_reasons(schedule, job, time)
    run = Replay(schedule).at(time)
    offers = open_offers(run)
    answer = standing_sentences(run, job)
    name = schedule.workload.jobs[job].name
    if not as_json:
        print_line(f"What {name} waits for at {exact_clock(time)}:")
        for sentence in (*(each for reason in reasons for each in reason.sentences), *answer):
            print_line(sentence)
        for offer in offers:
            print_line("\n" + "\n".join(offer.sentences))
            _print_candidates(schedule, run, offer)
    return {
        "job": name,
        "time": time,
        "waiting": [waiting_json(schedule, reason) for reason in reasons],
        "answer": list(answer),
        "declined": [decision_json(schedule, offer) for offer in offers],
        "rule": [policy_rule(run)],
    }


# ---- as JSON


def task_json(schedule: Schedule, task: int) -> dict[str, Any] | None:
    """Name a task as `simulate --tasks` does: index from 0, slot as a number; None for no task."""
    if task == NO_TASK:
        return None
    columns = schedule.workload.columns
    stage = int(columns.stage[task])
    return {
        "job": schedule.workload.jobs[columns.job[task]].name,
        "kind": KIND_WORDS[columns.kind[task]],
        "index": task - int(columns.stages.first[stage]),
        "slot": int(schedule.slot[task]),
    }


def chain_json(schedule: Schedule, chain: CriticalPath) -> dict[str, Any]:
    """Return the links from time 0 on, the seconds by cause, and the jobs that held the slots."""
    jobs = schedule.workload.jobs
    return {
        "chain": [
            picked(link, "begin end cause=cause.value")
            | {name: task_json(schedule, task) for name, task in picked(link, "task waiter holder").items()}
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
        picked(finding, "rule=rule.value begin end")
        | {
            "job": schedule.workload.jobs[finding.job].name if finding.job >= 0 else None,
            "slot": finding.slot if finding.slot >= 0 else None,
            "kind": KIND_WORDS[finding.kind],
        }
        | picked(finding, "cost sentence")
        for finding in findings
    ]


def task_reason_json(schedule: Schedule, reason: TaskReason) -> dict[str, Any]:
    """Return why a task started then and there."""
    start = reason.start
    return {
        "task": task_json(schedule, start.task),
        **picked(start, "start=time ready cause=cause.value"),
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
        **picked(reason, WAITING),
        "held_by": [
            {"job": jobs[holder.job].name} | picked(holder, "slots idle_fillers") for holder in reason.holders
        ],
        "ahead": _served_json(schedule, reason.ahead),
        "next_start": reason.next_start,
        "sentences": list(reason.sentences),
    }


def _served_json(schedule: Schedule, served: Iterable[JobTasks]) -> list[dict[str, Any]]:
    return [{"job": schedule.workload.jobs[one.job].name, "tasks": one.tasks} for one in served]


def decision_json(schedule: Schedule, reason: DecisionReason) -> dict[str, Any]:
    """Return every candidate for a slot, which one won and which came second."""
    return {
        **picked(reason, "time number=start slot"),
        "winner": _candidate_json(schedule, reason.winner),
        "runner_up": _candidate_json(schedule, reason.runner_up),
        "candidates": [_candidate_json(schedule, candidate) for candidate in reason.candidates],
        "sentences": list(reason.sentences),
    }


def _candidate_json(schedule: Schedule, candidate: Candidate | None) -> dict[str, Any] | None:
    if candidate is None:
        return None
    return {
        "job": schedule.workload.jobs[candidate.job].name,
        "kind": KIND_WORDS[candidate.kind],
        **picked(candidate, "pending running rank lends pool_admits admits pool_key key"),
        "numbers": dict(candidate.standing.numbers),
        "standing": candidate.standing.job,
    }
