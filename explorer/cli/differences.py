"""What `slotscope explain --against` prints: all decisions in which two policies differ.

First how the schedules differ that either makes by itself, then what the other policy would have done in each
state of the first schedule.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from core.explain.all_differences import (
    WHAT_DIFFERS,
    all_differences,
    difference_names,
    summary_of,
)
from core.explain.explanation_words import task_name
from core.explain.policy_comparison import compare_decisions
from core.explain.start_cause import NO_TASK
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.task_types import KIND_WORDS
from core.model.time_text import exact_clock
from core.policies.own_policies import exact_id
from core.policies.registry import describe
from explorer.cli.explanation import task_json
from explorer.cli.screen import more_text, picked, print_line, print_table, progress

if TYPE_CHECKING:
    from core.explain.all_differences import Differences
    from core.explain.policy_comparison import OtherChoice, PolicyComparison
    from core.model.schedule import Schedule
    from explorer.cli.requests import Run

MAX_ROWS = 30
EITHER = "The schedule that {} makes by itself"
COMPARED_WITH = "{}, asked in every state of this run"


def explain_against(run: Run, schedule: Schedule, policy: str, as_json: bool) -> dict[str, Any]:
    """Compare a run with another policy: print it, and return it as JSON."""
    choice = PolicyChoice(exact_id(policy), {}, schedule.choice.estimates)
    title = describe(choice.id).title
    other = replace(run, choice=choice, order=None, plan=None).simulate()
    differences = all_differences(schedule, other)
    found = {
        "against": choice.id,
        "other_makespan": other.makespan,
        "differences": differences_json(schedule, other, differences),
    }
    if not as_json:
        _print_differences(schedule, other, differences, title)
    try:
        with progress(f"Asking {title}") as show:
            comparison = compare_decisions(schedule, choice, show)
    except InputError as why_not:  # what both schedules do is known all the same
        if not as_json:
            print_line(f"{COMPARED_WITH.format(title)}: {why_not}.")
        return {**found, "asked": None, "not_asked": str(why_not)}
    if not as_json:
        _print_comparison(schedule, comparison)
    return {**found, "asked": comparison_json(schedule, comparison)}


def _print_differences(schedule: Schedule, other: Schedule, found: Differences, title: str) -> None:
    print_line(f"{EITHER.format(title)}: {' '.join(summary_of(found))}")
    names = partial(difference_names, found, one=schedule, other=other)
    shown = range(min(len(found), MAX_ROWS))
    rows = [(*map(exact_clock, found.times[number].tolist()), *names(number)) for number in shown]
    if rows:
        columns = (">here at", ">there at", "this run", "the other")
        table = [(here, there, mine, theirs) for here, there, mine, theirs in rows]
        print_table("", columns, table, more_text(len(found) - len(rows), "more"))
        print_line(WHAT_DIFFERS)
    print_line("")


def _print_comparison(schedule: Schedule, comparison: PolicyComparison) -> None:
    print_line(f"{COMPARED_WITH.format(comparison.title)}: {' '.join(comparison.sentences)}")
    rows = [
        (
            exact_clock(each.time),
            schedule.cluster.slot_name(each.slot),
            "left free" if each.task == NO_TASK else task_name(schedule.workload, each.task),
            f"{each.sentence}.",
        )
        for each in comparison.choices[:MAX_ROWS]
    ]
    if rows:
        more = more_text(len(comparison.choices) - len(rows), "more")
        print_table("", (">at", "slot", "this run", "would have been"), rows, more)


def differences_json(schedule: Schedule, other: Schedule, found: Differences) -> dict[str, Any]:
    """Return the decisions that differ; times are seconds, `leaves_free` is "this" or "other"."""
    rows = zip(found.starts.tolist(), found.times.tolist(), found.leaves_free.tolist(), strict=True)
    return {
        "decisions": found.decisions,
        "differ": len(found),
        **picked(found, "same_at_first=same parted"),
        "list": [
            {
                "this": {"time": times[0], "task": task_json(schedule, int(schedule.sequence[starts[0]]))},
                "other": {"time": times[1], "task": task_json(other, int(other.sequence[starts[1]]))},
                "leaves_free": (None, "this", "other")[side + 1],
            }
            for starts, times, side in rows
        ],
    }


def comparison_json(schedule: Schedule, comparison: PolicyComparison) -> dict[str, Any]:
    """Return what the other policy would have done otherwise; times are seconds."""
    choices = [_choice_json(schedule, each) for each in comparison.choices]
    return picked(comparison, "policy=choice.id decisions starts otherwise") | {"list": choices}


def _choice_json(schedule: Schedule, choice: OtherChoice) -> dict[str, Any]:
    would = None
    if choice.job >= 0:
        would = {"job": schedule.workload.jobs[choice.job].name, "kind": KIND_WORDS[choice.kind]}
    record = picked(choice, "time start slot") | {"task": task_json(schedule, choice.task)}
    return record | {"would_take": would, "sentence": choice.sentence}
