"""What `slotscope explain --task --lines` prints: a decision line by line, candidate by candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.explain.decision_steps import collapsed, decision_steps, values_text
from core.explain.explanation_words import listed
from core.explain.replay import Replay
from explorer.cli.screen import print_line

if TYPE_CHECKING:
    from core.explain.decision_steps import CandidateSteps, HookSteps
    from core.model.schedule import Schedule

MAX_NAMED = 8
"""Jobs of one heading."""
NO_LINES = "The policy decides by no hook that looks at single candidates."
INDENT = "  "


def explain_lines(schedule: Schedule, task: int, as_json: bool) -> dict[str, Any]:
    """Print what each hook did for each candidate of the decision that started a task, or return it."""
    calls = decision_steps(Replay(schedule).before_start(int((schedule.sequence == task).argmax())))
    if as_json:
        return {"lines": [_to_json(schedule, call) for call in calls]}
    for candidates in collapsed(calls):
        print_line("")
        print_line(_heading(schedule, candidates))
        for call in candidates.calls:
            _print_call(call)
    if not calls:
        print_line(NO_LINES)
    return {}


def _heading(schedule: Schedule, candidates: CandidateSteps) -> str:
    names = [schedule.workload.jobs[job].name for job in candidates.jobs]
    more = len(names) - MAX_NAMED
    shown = [*names[:MAX_NAMED], f"{more} more"] if more > 0 else names
    return f"{listed(shown)}, for {schedule.workload.type_words[candidates.kind]}s:"


def _print_call(call: HookSteps) -> None:
    for step in call.steps:
        place = INDENT * (step.depth + 1)
        print_line(f"{place}{step.line}: {step.code}")
        if step.values:
            print_line(f"{place}{INDENT}{values_text(step)}")
    if call.left_out:
        print_line(f"{INDENT}{call.left_out} lines more")
    print_line(f"{INDENT}{call.hook} answers {call.answer}")


def _to_json(schedule: Schedule, call: HookSteps) -> dict[str, Any]:
    return {
        "job": schedule.workload.jobs[call.job].name,
        "kind": schedule.workload.type_words[call.kind],
        "hook": call.hook,
        "answer": call.answer,
        "left_out": call.left_out,
        "steps": [{**step._asdict(), "values": dict(step.values)} for step in call.steps],
    }
