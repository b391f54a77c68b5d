"""Check a front: each of its plans as a certificate is, and its claims about all of them together.

As `core.verify.check` it shares no code with the search, its bounds or the simulator.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from core.verify.check import NEAR, NOT_SHOWN, OBJECTIVES, PREMISE, WITHIN, Checker, Inspection
from core.verify.every_schedule import NotShownError
from core.verify.jobs_of_document import column_of, why_unreadable
from core.verify.price_rule import rule_of_ranges

FORMAT, VERSION = "slotscope-front", 1
SHARED = ("cluster", "jobs", "tasks")
RANGED = OBJECTIVES[1:]
"""Goals of which ranges of ends may say something."""
MAX_POINTS, MAX_RANGES, MAX_SAID = 1000, 64, 5
"""Points and ranges of a front; and problems of a point that are said one by one."""


class FrontInspection(NamedTuple):
    """What the checker found: why it refuses, in sentences, or nothing; and what it worked out by itself.

    `points` are what it found of each, with the values of both goals in `values`.
    """

    problems: tuple[str, ...]
    points: tuple[Inspection, ...] = ()
    values: tuple[tuple[float, float], ...] = ()


def check_front(document: Any) -> FrontInspection:  # Any: a JSON value, whoever wrote it
    """Return whether all holds that a front says, and if not, why; it raises nothing."""
    try:
        return _checked(document)
    except Exception as error:  # a missing key, a list for a number: there is no end to it
        return FrontInspection((f"it cannot be read: {why_unreadable(error)}",))


def _checked(document: Any) -> FrontInspection:
    if not isinstance(document, dict) or document.get("format") != FORMAT or document["version"] != VERSION:
        raise ValueError(f"this is no front: its format is not {FORMAT}, version {VERSION}")
    if "why_no_proof" in document:
        return FrontInspection((f"it has no proof: {document['why_no_proof']}"[:300],))
    if document["premise"] != PREMISE:
        raise ValueError(f"its premise is another one than: {PREMISE}")
    goals, points = document["goals"], document["points"]
    if len(goals) != 2 or goals[0] == goals[1] or not {*goals} <= {*OBJECTIVES}:
        raise ValueError("a front is of two goals of these: " + ", ".join(OBJECTIVES))
    if not isinstance(points, list) or not 0 < len(points) <= MAX_POINTS:
        raise ValueError(f"points: no list of 1 to {MAX_POINTS}")
    shared = {name: document[name] for name in SHARED}
    checker = checker_of(document)
    problems, found, values = list[str](), list[Inspection](), list[tuple[float, float]]()
    for place, point in enumerate(points, 1):
        said, inspection, pair = _point(checker, shared, goals, point)
        more = [f"and {len(said) - MAX_SAID} more like these"] if len(said) > MAX_SAID else []
        problems += [f"point {place}: {each}" for each in (*said[:MAX_SAID], *more)]
        found, values = [*found, inspection], [*values, pair]
    for place, (one, other) in enumerate(pairwise(values), 1):
        if not (one[0] < other[0] and one[1] > other[1]):
            rule = f"the second is not worse in {goals[0]} or not better in {goals[1]}"
            problems.append(f"points {place} and {place + 1}: {rule}")
    return FrontInspection(tuple(problems), tuple(found), tuple(values))


def checker_of(document: dict[str, Any]) -> Checker:
    """Return what checks the points of a front: what all have in common is worked out once."""
    checker = Checker({name: document[name] for name in SHARED} | {"format": "slotscope-certificate"})
    _ = checker.stages_of_jobs
    checker.by_end = _by_end(checker, document.get("ranges", []))
    return checker


def _by_end(checker: Checker, parts: list[dict[str, Any]]) -> list[tuple[float, str, float]]:
    """Return of each range by when all is over, a goal, and its value below which no such schedule is.

    What jobs need by each time is worked out once for all ranges that differ in prices alone.
    """
    if len(parts) > MAX_RANGES or not {part["of"] for part in parts} <= {*RANGED}:
        raise ValueError(f"ranges: more than {MAX_RANGES}, or of none of these: {', '.join(RANGED)}")
    until = [np.inf if part["until"] is None else part["until"] for part in parts]
    last, values = column_of(until, "until", len(parts), np.inf), np.zeros(len(parts))
    alike = dict[str, list[int]]()
    for place, part in enumerate(parts):
        if part["rule"] == "prices":
            same = {name: value for name, value in part.items() if name not in ("until", "falls")}
            alike.setdefault(repr(same), []).append(place)
        else:
            values[place] = checker.bound(part, last[place])
    for places in alike.values():
        values[places] = rule_of_ranges(checker, [parts[place] for place in places], last[places])
    for end in last[~np.isfinite(values)].tolist():
        raise ValueError(f"no schedule is over by {end!r}, so a range of ends cannot be up to there")
    return list(zip(last.tolist(), (part["of"] for part in parts), values.tolist(), strict=True))


def _point(
    checker: Checker, shared: dict[str, Any], goals: list[str], point: dict[str, Any]
) -> tuple[list[str], Inspection, tuple[float, float]]:
    """Return what is wrong with a point, what the checker found, and the values of its schedule."""
    values, weights = ([point[name][goal] for goal in goals] for name in ("values", "weights"))
    best, bound, gap = figures = [point[name] for name in ("best", "bound", "gap")]
    column_of([*values, *weights, *figures], "values, weights, best, bound and gap", 7)
    if {*point["values"]} != {*goals} or {*point["weights"]} != {*goals}:
        raise ValueError("a point has values or weights of other goals")
    counted = {goal: weight for goal, weight in zip(goals, weights, strict=True) if weight > 0}
    claim = {"claim": WITHIN, "value": best, "bound": bound, "objective": counted}
    about = shared | claim | {"proof": point["proof"], "schedule": point["schedule"]}
    try:
        inspection, finish, came = checker.about(about).verdict_and_ends()
    except NotShownError as error:
        return [f"{NOT_SHOWN}{error}"], Inspection(()), (0.0, 0.0)
    one, other = (checker.value(goal, finish, came) for goal in goals)
    said = [
        f"the {goal} of its schedule is {is_so!r}, not {value!r}"
        for goal, is_so, value in zip(goals, (one, other), values, strict=True)
        if abs(is_so - value) > NEAR * is_so
    ]
    proved = max(0.0, best / bound - 1) if bound > 0 else float(best > 0)
    if abs(proved - gap) > NEAR:
        said.append(f"its gap is {proved!r}, not {gap!r}")
    return [*inspection.problems, *said], inspection, (one, other)
