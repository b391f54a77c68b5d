"""`slotscope optimize --front`: plans between two goals, as a table and as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.model.objectives import OBJECTIVES
from core.model.time_text import fine_percent
from explorer.cli.screen import print_json, print_line, print_table, title_of
from explorer.cli.searching import living_line, load_search, until_interrupted

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.simulation.best_schedule import WantedSearch
    from core.simulation.plan_front import FrontPoint
    from explorer.cli.optimize_options import OptimizeOptions

ENDINGS = (".csv", ".json", ".json.gz")


def run_front(wanted: WantedSearch, options: OptimizeOptions) -> None:
    """Search a front, write it where that is asked for, and print it; InputError for what does not fit."""
    from core.simulation.plan_front import DEFAULT_POINTS, front_goals, search_front

    if options.front is None:
        raise InputError(
            "--points says how many points a front has; give --front makespan,mean-response, too"
        )
    if options.certificate:
        raise InputError("--certificate is of one plan, not of a front; leave out one of both")
    if options.objective != "makespan":
        raise InputError("--front has its own goals; leave out --objective")
    if options.out and not options.out.lower().endswith(ENDINGS):
        raise InputError(f"--out {options.out}: a front ends in .csv, .json or .json.gz")
    goals = front_goals(options.front)
    points = DEFAULT_POINTS if options.points is None else options.points
    load_search()
    why_not = ""
    with until_interrupted() as should_stop, living_line() as show:
        front = search_front(wanted, goals, points, should_stop, show)
        has_proofs = bool(options.out) and not _is_table(options.out)
        if options.out and has_proofs:
            front, why_not = _write_proofs(wanted, goals, front, options.out, show)
        elif options.out:
            _write_table(goals, front, options.out)
    if options.json:
        print_json(_front_json(wanted, goals, front))
        return
    _print_front(wanted, goals, front)
    if options.out:
        checks = f"; 'slotscope verify {options.out}' checks it" if has_proofs and not why_not else ""
        lacks = f" without proofs: {why_not}" if why_not else ""
        print_line(f"Front written to {options.out}{checks}{lacks}")


def _print_front(wanted: WantedSearch, goals: tuple[str, str], front: list[FrontPoint]) -> None:
    from core.simulation.plan_front import NEAR, one_plan_text
    from explorer.optimize.result_words import value_text

    rows = []
    for place, point in enumerate(front, 1):
        values = [value_text(value, OBJECTIVES[g].unit) for g, value in zip(goals, point.values, strict=True)]
        weights = " : ".join(f"{weight:.3g}" for weight in point.weights)
        rows.append((place, *values, weights, fine_percent(point.gap) if point.bound > 0 else "–"))
    headings = (">point", *(f">{g}" for g in goals), ">weights", ">above its bound")
    print_table(title_of(wanted.workload.name, slots_text(wanted.cluster)), headings, rows)
    if len(front) == 1:
        print_line(one_plan_text(front[0]))
    if far := [str(place) for place, point in enumerate(front, 1) if point.gap > NEAR]:
        which = f"Point{'s'[len(far) == 1 :]} {', '.join(far)}"
        is_far = "is" if len(far) == 1 else "are"
        print_line(f"{which} {is_far} more than 3 % above what no schedule of that mix is below")


def _front_json(wanted: WantedSearch, goals: tuple[str, str], front: list[FrontPoint]) -> dict[str, Any]:
    """Return what `--json` prints; times are seconds, gaps are fractions."""
    from core.files.plan_document import plan_to_json
    from core.simulation.front_proofs import point_to_json

    name = wanted.workload.name
    points = [point_to_json(goals, point) | {"plan": plan_to_json(point.plan, name)} for point in front]
    return {"goals": list(goals), "points": points}


def _is_table(out: str | None) -> bool:
    return out is not None and out.lower().endswith(".csv")


def _write_table(goals: tuple[str, str], front: list[FrontPoint], out: str) -> None:
    import pandas as pd

    from core.files.schedule_file import write_csv
    from core.simulation.plan_front import front_table

    heads, rows = front_table(goals, front)
    write_csv(pd.DataFrame(rows, columns=pd.Index(heads)), Path(out))


def _write_proofs(
    wanted: WantedSearch,
    goals: tuple[str, str],
    front: list[FrontPoint],
    out: str,
    show: Callable[[str], None],
) -> tuple[list[FrontPoint], str]:
    """Write a front with its proofs; return its points as they are proved, and why they are not if so."""
    from core.simulation.front_proofs import prove_front
    from core.verify.certificate import write_proof

    front, file = prove_front(wanted, goals, front, show)
    write_proof(file.document, out)
    return front, str(file.document.get("why_no_proof", ""))
