"""`slotscope optimize --front`: plans between two goals, as a table and as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import slots_text
from core.model.errors import InputError
from core.model.objectives import OBJECTIVES
from core.model.time_text import fine_percent
from explorer.cli.screen import print_json, print_line, print_table, title_of
from explorer.cli.searching import living_line, load_search, until_interrupted

if TYPE_CHECKING:
    from core.simulation.best_schedule import WantedSearch
    from core.simulation.plan_front import FrontPoint
    from explorer.cli.optimize import OptimizeCommand

ENDINGS = (".csv", ".json")
NEAR = 0.03
"""A point that is further above its bound than by this part is named."""


def run_front(wanted: WantedSearch, options: OptimizeCommand) -> None:
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
        raise InputError(f"--out {options.out}: a front ends in .csv or .json")
    goals = front_goals(options.front)
    points = DEFAULT_POINTS if options.points is None else options.points
    load_search()
    with until_interrupted() as should_stop, living_line() as show:
        front = search_front(wanted, goals, points, should_stop, show)
    if options.out:
        _write(wanted, goals, front, Path(options.out))
    if options.json:
        print_json(_front_json(wanted, goals, front))
        return
    _print_front(wanted, goals, front)
    if options.out:
        print_line(f"Front written to {options.out}")


def _print_front(wanted: WantedSearch, goals: tuple[str, str], front: list[FrontPoint]) -> None:
    from explorer.optimize.result_words import value_text

    rows = []
    for place, point in enumerate(front, 1):
        values = [value_text(value, OBJECTIVES[g].unit) for g, value in zip(goals, point.values, strict=True)]
        weights = " : ".join(f"{weight:.3g}" for weight in point.weights)
        rows.append((place, *values, weights, fine_percent(point.gap) if point.bound > 0 else "–"))
    headings = (">point", *(f">{g}" for g in goals), ">weights", ">above its bound")
    print_table(title_of(wanted.workload.name, slots_text(wanted.cluster)), headings, rows)
    if far := [str(place) for place, point in enumerate(front, 1) if point.gap > NEAR]:
        which = f"Point{'s'[len(far) == 1 :]} {', '.join(far)}"
        is_far = "is" if len(far) == 1 else "are"
        print_line(f"{which} {is_far} more than 3 % above what no schedule of that mix is below")


def _front_json(wanted: WantedSearch, goals: tuple[str, str], front: list[FrontPoint]) -> dict[str, Any]:
    """Return what `--json` prints and a file has; times are seconds, gaps are fractions."""
    from core.files.plan_document import plan_to_json

    points = []
    for point in front:
        named = {name: dict(zip(goals, getattr(point, name), strict=True)) for name in ("values", "weights")}
        figures = {"best": point.best, "bound": point.bound, "gap": point.gap}
        points.append(named | figures | {"plan": plan_to_json(point.plan, wanted.workload.name)})
    return {"goals": list(goals), "points": points}


def _write(wanted: WantedSearch, goals: tuple[str, str], front: list[FrontPoint], out: Path) -> None:
    if out.suffix.lower() == ".csv":
        import pandas as pd

        from core.files.schedule_file import write_csv
        from core.simulation.plan_front import front_table

        heads, rows = front_table(goals, front)
        write_csv(pd.DataFrame(rows, columns=pd.Index(heads)), out)
        return
    from core.files.atomic import replace_file

    text = json.dumps(_front_json(wanted, goals, front), ensure_ascii=False, indent=1)
    replace_file(out, text.encode() + b"\n")
