"""`slotscope explain`: why this makespan, why a task started then and there, what a job waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.explain.critical_path import Cause, makespan_chain
from core.explain.decision_text import decision_sentences, policy_rule
from core.explain.decisions import decision_reason, open_offers
from core.explain.held_reason import held_reason
from core.explain.link_sentence import link_sentence
from core.explain.lint import lint
from core.explain.replay import Replay
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import waiting_reasons
from core.explain.words import KIND_WORDS, clock, number, task_name
from core.model.errors import InputError, UnknownName
from explorer.cli.explanation_json import (
    chain_json,
    decision_json,
    findings_json,
    task_reason_json,
    waiting_json,
)
from explorer.cli.requests import single_run
from explorer.cli.screen import percent, print_json, print_line, print_table, seconds

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from core.explain.critical_path import CriticalPath
    from core.explain.decisions import DecisionReason
    from core.explain.lints.finding import Finding
    from core.model.schedule import Schedule
    from core.simulation.simulate import Simulation

VERSION = 1
"""Of the JSON that `explain --json` prints; grows when a field changes its meaning."""
MOST_LINKS = 60
MOST_CANDIDATES = 12


def explain(options: Namespace) -> int:
    """Explain one run: its makespan, or what is asked for."""
    _check_questions(options)
    schedule = single_run(options).simulate()
    if options.task is not None:
        told = _explain_task(schedule, _task_of(schedule, options.task), options.json)
    elif options.job is not None:
        told = _explain_waiting(schedule, _job_of(schedule, options.job), options.at, options.json)
    else:
        told = _explain_makespan(schedule, options.json)
    if options.json:
        print_json({"version": VERSION, "policy": schedule.choice.id, "makespan": schedule.makespan, **told})
    return 0


def _check_questions(options: Namespace) -> None:
    if (options.job is None) != (options.at is None):
        raise InputError("--job and --at go together: which job, and at which second it waits")
    if options.task is not None and options.job is not None:
        raise InputError("--task explains one task, --job with --at what a job waits for; give one of them")
    if options.at is not None and not options.at >= 0:
        raise InputError(f"--at is {options.at}; give a time of 0 s or later")


def _task_of(schedule: Schedule, text: str) -> int:
    """Return the task that "J1.map.3" names."""
    name, *rest = text.rsplit(".", 2)
    if len(rest) != 2 or rest[0] not in KIND_WORDS or not rest[1].isdecimal():
        raise InputError(f"--task {text}: name it as JOB.map.NUMBER or JOB.reduce.NUMBER, counted from 1")
    job, kind = _job_of(schedule, name), KIND_WORDS.index(rest[0])
    columns = schedule.workload.columns
    tasks = int(columns.count[job, kind])
    if not 1 <= int(rest[1]) <= tasks:
        have = f"has {rest[0]}s 1 to {tasks}" if tasks else f"has no {rest[0]}s"
        raise InputError(f"--task {text}: {name} {have}")
    return int(columns.first[job, kind]) + int(rest[1]) - 1


def _job_of(schedule: Schedule, name: str) -> int:
    index = schedule.workload.job_index
    if name not in index:
        raise UnknownName("job", name, index)
    return index[name]


# ---- why this makespan


def _explain_makespan(schedule: Schedule, as_json: bool) -> dict[str, Any]:
    chain, findings = makespan_chain(schedule), lint(schedule)
    if not as_json:
        _print_causes(schedule, chain)
        _print_links(schedule, chain)
        _print_hold(schedule, chain)
        _print_findings(findings)
    return {**chain_json(schedule, chain), "findings": findings_json(schedule, findings)}


def _print_causes(schedule: Schedule, chain: CriticalPath) -> None:
    total = schedule.makespan
    rows = [
        (cause.value, seconds(spent), percent(spent / total))
        for cause, spent in chain.totals().items()
        if spent > 0
    ]
    print_line(f"{schedule.workload.name} · {schedule.choice.id} · why {seconds(total)} s")
    print_table("", ("cause", ">time (s)", ">share"), rows)
    holders = [
        f"{schedule.workload.jobs[job].name} {seconds(spent)} s"
        for job, spent in list(chain.holders(schedule).items())[:5]
    ]
    if holders:
        print_line(f"The slots waited for were held by {', '.join(holders)}.\n")


def _print_links(schedule: Schedule, chain: CriticalPath) -> None:
    links = chain.links[-MOST_LINKS:]
    rows = [
        (seconds(link.begin), seconds(link.end), link.cause.value, link_sentence(schedule, link))
        for link in links
    ]
    left_out = len(chain.links) - len(links)
    note = f"{left_out} earlier links; --json lists all" if left_out else ""
    print_table(
        "The chain from time 0 to the last finish", (">from (s)", ">to (s)", "cause", "what"), rows, note
    )


def _print_hold(schedule: Schedule, chain: CriticalPath) -> None:
    """Say what the policy answered in the longest gap in which it kept a task waiting."""
    held = [link for link in chain.links if link.cause is Cause.HELD]
    if not held:
        return
    longest = max(held, key=lambda link: link.seconds)
    for sentence in held_reason(Replay(schedule), longest.waiter, longest.begin):
        print_line(sentence)
    print_line("")


def _print_findings(findings: Sequence[Finding]) -> None:
    if not findings:
        print_line("Nothing else stands out: no starvation, idle slots, broken quotas, unproductive holds.")
        return
    rows = [
        (finding.rule.value, seconds(finding.begin), finding.sentence) for finding in findings[:MOST_LINKS]
    ]
    left_out = len(findings) - len(rows)
    note = f"{left_out} more; --json lists all" if left_out else ""
    print_table("Worth a look", ("finding", ">from (s)", "what"), rows, note)


# ---- why this task


def _explain_task(schedule: Schedule, task: int, as_json: bool) -> dict[str, Any]:
    reason = task_reason(schedule, task)
    run = Replay(schedule).before_start(int((schedule.sequence == task).argmax()))
    decision = decision_reason(run)
    assert decision is not None, "the run stands before a start"
    sentences = decision_sentences(run, decision)
    if not as_json:
        print_line(f"Why {task_name(schedule.workload, task)}:")
        for sentence in (*reason.why_then, *reason.why_here, "", *sentences, ""):
            print_line(sentence)
        _print_candidates(schedule, run, decision)
    return {
        "reason": task_reason_json(schedule, reason),
        "decision": decision_json(schedule, decision, sentences),
        "rule": list(policy_rule(run)),
    }


def _print_candidates(schedule: Schedule, run: Simulation, decision: DecisionReason) -> None:
    rows = [
        (
            schedule.workload.jobs[candidate.job].name,
            KIND_WORDS[candidate.kind],
            str(candidate.pending),
            str(candidate.running),
            "yes" if candidate.may_start else "no",
            _shown(candidate.pool_key),
            _shown(candidate.key),
            str(candidate.rank + 1),
        )
        for candidate in decision.candidates[:MOST_CANDIDATES]
    ]
    left_out = len(decision.candidates) - len(rows)
    note = f"{left_out} more; --json lists all" if left_out else ""
    slot = schedule.cluster.slot_name(decision.slot)
    title = f"Candidates for {slot} at {clock(decision.time)}, the preferred one first"
    columns = ("job", "kind", ">waiting", ">running", "admitted", ">pool key", ">key", ">queue")
    print_table(title, columns, rows, note)
    for sentence in policy_rule(run):
        print_line(sentence)


def _shown(key: tuple[float, ...]) -> str:
    return ", ".join(map(number, key)) if key else "–"


# ---- what a job waits for


def _explain_waiting(schedule: Schedule, job: int, time: float, as_json: bool) -> dict[str, Any]:
    reasons = waiting_reasons(schedule, job, time)
    run = Replay(schedule).at(time)
    offers = [(offer, decision_sentences(run, offer)) for offer in open_offers(run)]
    name = schedule.workload.jobs[job].name
    if not as_json:
        print_line(f"What {name} waits for at {clock(time)}:")
        for sentence in (sentence for reason in reasons for sentence in reason.sentences):
            print_line(sentence)
        for offer, sentences in offers:
            print_line("\n" + "\n".join(sentences))
            _print_candidates(schedule, run, offer)
    return {
        "job": name,
        "time": time,
        "waiting": [waiting_json(schedule, reason) for reason in reasons],
        "declined": [decision_json(schedule, offer, sentences) for offer, sentences in offers],
        "rule": list(policy_rule(run)),
    }
