"""`slotscope optimize --from`: what lies before a time is fixed, and the best rest is searched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.model.time_text import clock_text, fine_percent, signed_duration
from explorer.cli.screen import print_json, print_line, print_table, title_of
from explorer.cli.searching import (
    keep_certificate,
    living_line,
    load_search,
    print_certificate,
    until_interrupted,
)

if TYPE_CHECKING:
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.optimize.objectives import Objective
    from core.simulation.best_rest import BestRest
    from explorer.cli.optimize_options import OptimizeOptions

REFUSED = ("pin", "before", "keep_deadlines", "robust", "robust_per", "front", "points")


def run_rest(options: OptimizeOptions) -> None:
    """Search the best rest from a time on, print it, and write what was asked for."""
    from core.model.document_state import Scenario
    from core.model.schedule import PolicyChoice
    from core.optimize.objectives import Objective, check_deadlines
    from core.policies.spark import policy_of_log
    from core.simulation.best_rest import optimize_rest
    from explorer.optimize.result_words import value_text

    assert options.from_time is not None
    for name in REFUSED:
        if getattr(options, name):
            raise InputError(f"--{name.replace('_', '-')} is for a whole schedule; leave it or --from out")
    time, objective = options.from_time, Objective.of(options.objective)
    opened = options.source.opened()
    workload = opened.workload
    check_deadlines(objective, workload)
    cluster = options.cluster.changed(workload.cluster)
    start = options.start_in(workload, cluster)
    choice = PolicyChoice(options.policy or policy_of_log(opened.scheduler))
    is_plan = start is not None and not isinstance(start, tuple)
    scenario = Scenario(
        1,
        PolicyChoice("critical") if is_plan else PolicyChoice("order") if start is not None else choice,
        order=start if isinstance(start, tuple) else None,
        plan=None if start is None or isinstance(start, tuple) else start,
    )
    load_search()
    with until_interrupted() as should_stop, living_line() as show:
        best = optimize_rest(
            workload,
            cluster,
            scenario,
            time,
            objective=objective,
            levers=options.levers,
            seconds=options.effort.by_clock,
            steps=options.effort.steps,
            seed=options.effort.seed,
            should_stop=should_stop,
            on_found=lambda found: show(f"{found.doing}: {value_text(found.best, objective.unit)}"),
        )
    keep_certificate(options.certificate, best.proof)
    if options.out:
        _write(workload, scenario, best, Path(options.out))
    if options.json:
        print_json(_rest_json(objective, best))
        return
    _print_rest(workload, objective, best)
    if options.out:
        print_line(f"Session written to {options.out}; 'slotscope {options.out}' opens it")
    print_certificate(options.certificate, best.proof)


def _write(workload: Workload, scenario: Scenario, best: BestRest, out: Path) -> None:
    """Write a session with the schedule as it would have gone on, and beside it with the best rest."""
    from core.files.session_document import Session, write_session
    from core.model.document_state import DocumentState, Scenario
    from core.simulation.best_rest import BY_PLAN

    scenarios = [scenario]
    if best.plan is not None:
        scenarios.append(Scenario(2, BY_PLAN, fork=best.fork, plan=best.plan))
    write_session(Session(DocumentState(workload, best.schedule.cluster, tuple(scenarios), 1, 3)), out)


def _rest_json(objective: Objective, best: BestRest) -> dict[str, Any]:
    """Return what `optimize --from --json` prints; times are seconds, gaps are fractions."""
    from core.files.plan_document import plan_to_json

    return {
        "objective": objective.name,
        "from": best.fork.time,
        "before": best.value_before,
        "best": best.value,
        "bound": best.bound,
        "gap": best.gap,
        "why_no_bound": best.proof.why_not or None,
        "evaluations": best.found.evaluations,
        "plan": None if best.plan is None else plan_to_json(best.plan, best.schedule.workload.name),
    }


def _print_rest(workload: Workload, objective: Objective, best: BestRest) -> None:
    from explorer.optimize.result_words import value_text

    unit, fixed = objective.unit, best.schedule.start < best.fork.time
    rows = [
        (
            "fixed",
            f"{int(fixed.sum())} of {len(fixed)} tasks, which start before {clock_text(best.fork.time)}",
        ),
        (f"{objective.name}, as before", value_text(best.value_before, unit)),
        (f"{objective.name}, best rest", value_text(best.value, unit)),
    ]
    if unit == "s":
        rows.append(("difference", signed_duration(best.value - best.value_before)))
    if best.gap is None:
        why = best.proof.why_not or "nothing above 0 is excluded"
        rows.append(("lower bound", f"none: {why}"))
    else:
        bound = value_text(best.bound or 0.0, unit)
        rows.append(
            ("lower bound", f"{bound} with what is fixed: {fine_percent(best.gap)} above it, checked")
        )
    rows.append(("searched", f"{best.found.evaluations} rests"))
    print_table(title_of(workload.name, slots_text(best.schedule.cluster)), ("figure", "value"), rows)
    if best.plan is None:
        print_line("Nothing better was found than to go on as before.")
