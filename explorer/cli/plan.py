"""`slotscope plan` and `sensitivity`: how much a policy needs to end in time, and what moves its end most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.time_text import change_text, duration_text, exact_clock, seconds_from_text
from explorer.cli.requests import (
    WORKLOAD,
    add_cluster_options,
    add_command,
    add_json,
    add_parameter,
    cluster_of,
    open_named_workload,
    parameters_of,
)
from explorer.cli.screen import picked, print_json, print_line, print_note, print_table, progress
from explorer.cli.searching import living_line, until_interrupted

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.study.capacity import PolicySplit, SlotsNeeded
    from core.study.draws import Draws
    from core.study.sensitivity import Sensitivity, Swing
    from explorer.cli.parser import Parser
    from explorer.cli.requests import Commands

DEFAULT_DRAWS = 20
VARIED = {"map": "maps", "reduce": "reduces", "slots": "total", "container": "containers", "node": "nodes"}
"""Other words for what is varied."""


def add_parser(commands: Commands) -> None:
    """Add the commands."""
    text = (
        "the fewest slots, or nodes, with which a policy ends by a time, as sure as is asked; the best split"
    )
    parser = _add(commands, "plan", text, run_plan)
    parser.add_argument(
        "--by", metavar="TIME", help="the time by which all jobs are to end: 6h, 5:33:20, 20000"
    )
    parser.add_argument(
        "--vary",
        metavar="WHAT",
        help="maps, reduces, both (as many of each), total (any split of them), containers or nodes; by "
        "default what the cluster has",
    )
    parser.add_argument("--total", type=int, metavar="N", help="instead: the best split of so many slots")
    parser.add_argument(
        "--error", type=float, default=0.0, metavar="F", help="jobs take longer or shorter: 0.3 for ±30 %%"
    )
    parser.add_argument("--redraw", action="store_true", help="draw the jobs of a generator anew as well")
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help=f"how many draws of that (default {DEFAULT_DRAWS}), seeds 1 to N",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="C", help="the part of them that is to end in time"
    )
    text = "what moves the end most: every parameter a tenth down and up, one simulation each"
    _add(commands, "sensitivity", text, run_sensitivity)


def _add(commands: Commands, name: str, text: str, run: Any) -> Parser:  # Any: a command's function
    parser: Parser = add_command(commands, name, text, run, workload=WORKLOAD)
    parser.add_argument("--policy", metavar="ID", default="fifo", help="a policy (default fifo)")
    add_parameter(parser, "set a parameter of the policy")
    add_cluster_options(parser)
    add_json(parser)
    return parser


def _asked(options: Namespace) -> tuple[Workload, Cluster, Scenario]:
    """Return what is run; InputError says what is wrong."""
    from core.model.document_state import Scenario
    from core.model.schedule import PolicyChoice
    from core.policies.registry import describe

    describe(options.policy)
    workload = open_named_workload(options.workload, options.columns)
    choice = PolicyChoice(options.policy, parameters_of(options.parameters))
    return workload, cluster_of(options, workload.cluster), Scenario(1, choice)


def run_plan(options: Namespace) -> int:
    """Print the fewest slots that end by a time, or the best split of so many."""
    if options.by is None and options.total is None:
        raise InputError(
            "say by when all is to end with --by 6h, or how many slots are to be split with --total"
        )
    if options.total is not None and options.vary is not None:
        raise InputError("--total asks how to split so many slots, --vary how few there may be; give one")
    until = math.inf if options.by is None else seconds_from_text(options.by)
    draws = _draws(options)
    workload, cluster, scenario = _asked(options)
    if options.total is not None:
        return _run_split(options, (workload, cluster, scenario), draws, until)
    from core.optimize.cluster_sizes import usual_varied
    from core.study.capacity import capacity

    varied: Any = VARIED.get(options.vary, options.vary) or usual_varied(cluster)  # checked by the question
    with until_interrupted() as should_stop, living_line() as show:
        answer = capacity(
            workload,
            cluster,
            scenario,
            until,
            varied,
            draws,
            on_known=lambda known: show(known.sentence),
            should_stop=should_stop,
        )
    if options.json:
        print_json(_fewest_json(answer, scenario))
        return 0
    print_line(f"{_named(workload, scenario)}. {answer.premise.sentence_of(answer.sentence)}")
    _print_draws(draws, answer.ends)
    return 0


def _run_split(
    options: Namespace, asked: tuple[Workload, Cluster, Scenario], draws: Draws, until: float
) -> int:
    from core.study.capacity import best_policy_split

    workload, _, scenario = asked
    with until_interrupted() as should_stop, living_line() as show:
        answer = best_policy_split(
            *asked,
            options.total,
            draws,
            on_known=lambda known: show(known.sentence),
            should_stop=should_stop,
        )
    if options.json:
        print_json(_split_json(answer, scenario, until))
        return 0
    print_line(f"{_named(workload, scenario)}. {answer.premise.sentence_of(answer.sentence)}")
    if options.by is not None:
        enough = "are enough" if answer.end <= until else "are not enough"
        print_line(f"{options.total} slots {enough} to end by {exact_clock(until)}.")
    _print_draws(draws, answer.ends)
    return 0


def _draws(options: Namespace) -> Draws:
    from core.study.draws import Draws

    varies = options.redraw or options.error != 0
    count = (DEFAULT_DRAWS if varies else 1) if options.seeds is None else options.seeds
    return Draws(count, options.confidence, options.error, options.redraw)


def _named(workload: Workload, scenario: Scenario) -> str:
    from core.policies.registry import describe

    return f"{workload.name} under {describe(scenario.choice.id).title}"


def _print_draws(draws: Draws, ends: tuple[float, ...]) -> None:
    if draws.varies and ends:
        print_line(
            f"{draws.sentence}; the earliest end {exact_clock(ends[0])}, the latest {exact_clock(ends[-1])}."
        )


def _draws_json(draws: Draws) -> dict[str, Any]:
    return picked(draws, "count confidence needed error redraw first_seed")


def _fewest_json(answer: SlotsNeeded, scenario: Scenario) -> dict[str, Any]:
    from core.files.workload_writing import cluster_to_json

    names = (
        "varied",
        "until",
        "enough",
        "too_few",
        "untried",
        "failed",
        "larger_that_fail",
        "ends",
        "in_time",
    )
    return {
        "policy": scenario.choice.id,
        **{name: getattr(answer, name) for name in names},
        "complete": answer.is_proved,
        "premise": answer.premise.words,
        "cluster": None if answer.cluster is None else cluster_to_json(answer.cluster),
        "draws": _draws_json(answer.draws),
    }


def _split_json(answer: PolicySplit, scenario: Scenario, until: float) -> dict[str, Any]:
    best = answer.best
    return {
        "policy": scenario.choice.id,
        "map_slots": None if best is None else best.map_slots,
        "reduce_slots": None if best is None else best.reduce_slots,
        "end": answer.end,
        "ends": answer.ends,
        "ends_in_time": answer.end <= until,
        "tried": answer.tried,
        "others_bound": answer.others_bound,
        "complete": answer.is_proved,
        "premise": answer.premise.words,
        "draws": _draws_json(answer.draws),
    }


def run_sensitivity(options: Namespace) -> int:
    """Print how far the end swings with each parameter."""
    from core.study.sensitivity import sensitivity

    workload, cluster, scenario = _asked(options)
    with progress("Simulating each change") as show:
        answer = sensitivity(workload, cluster, scenario, progress=show)
    if options.json:
        swings = [_swing_json(swing) for swing in answer.swings]
        print_json({"policy": scenario.choice.id, "makespan": answer.base, "swings": swings})
        return 0
    print_sensitivity(_named(workload, scenario), answer)
    return 0


def print_sensitivity(title: str, answer: Sensitivity) -> None:
    """Print the swings as a table, and in a line what changes nothing."""
    rows = [row for swing in answer.moving for row in _rows(swing, answer.base)]
    print_table(f"{title} · {duration_text(answer.base)}", ("changed", "from", "to", ">end", ">change"), rows)
    still = [swing.title for swing in answer.swings if swing.size == 0]
    if still:
        print_line(f"Without effect: {', '.join(still)}.")
    for swing in answer.swings:
        for change in swing.changes:
            if change.problem:
                print_note(f"{swing.label(change)}: {change.problem}")


def _rows(swing: Swing, base: float) -> Iterator[tuple[str, ...]]:
    """Yield a row for each change that could be run; the first one names the parameter."""
    run = [(change.value, change.makespan) for change in swing.changes if change.makespan is not None]
    unit = f" {swing.unit}" if swing.unit else ""
    for place, (value, end) in enumerate(run):
        named = (swing.title, swing.value + unit) if place == 0 else ("", "")
        yield (*named, value + unit, duration_text(end), change_text(base, end))


def _swing_json(swing: Swing) -> dict[str, Any]:
    changes = [
        {"value": each.value, "makespan": each.makespan, "problem": each.problem or None}
        for each in swing.changes
    ]
    return {
        "parameter": swing.title,
        "unit": swing.unit,
        "value": swing.value,
        "swing": swing.size,
        "changes": changes,
    }
