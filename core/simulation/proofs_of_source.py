"""Whether a certificate or a front is of a workload: of its jobs on a cluster, its plans run again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.fresh_state import planned_needs
from core.files.json_text import PLAN_FORMAT
from core.files.plan_document import VERSION, plan_from_json
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.model.slots_that_stay import with_slots_that_stay
from core.optimize.evaluate import alone_seconds
from core.verify.certificate import schedule_columns, subject

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.cluster import Cluster
    from core.model.workload import Workload


def problems_of_source(document: Mapping[str, Any], workload: Workload, cluster: Cluster) -> tuple[str, ...]:
    """Return in sentences in what a proof is not of these jobs on this cluster; nothing if it is.

    Every plan in it is run by the ordinary simulator and has to give the schedule beside it.

    Parameters
    ----------
    document : of a certificate or a front that the checker accepts
    """
    alone = None
    if "alone" in document["jobs"]:
        alone = alone_seconds(workload, with_slots_that_stay(cluster))
    problems = [
        f"its {part} are not those of {workload.name}: {_first_difference(is_so, document[part])} differs"
        if part != "cluster"
        else f"its cluster is another one: {_first_difference(is_so, document[part])} differs"
        for part, is_so in subject(workload, cluster, alone).items()
        if is_so != document[part]
    ]
    if document["workload"] != workload.name:
        problems.append(f"it is of {document['workload']!r}, not of {workload.name!r}")
    if problems:
        return tuple(problems)
    points = document.get("points")
    given = [document] if points is None else points
    for place, point in enumerate(given, 1):
        if wrong := _wrong_plan(point, workload, cluster):
            problems.append(wrong if points is None else f"point {place}: {wrong}")
    return tuple(problems)


def _first_difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    return next(name for name in (*one, *other) if one.get(name) != other.get(name))


def _wrong_plan(point: Mapping[str, Any], workload: Workload, cluster: Cluster) -> str:
    """Return why a plan does not give the schedule beside it; empty if it does, or there is none."""
    from core.simulation.simulate import simulate

    if "plan" not in point:
        return ""
    try:
        plan = plan_from_json({"format": PLAN_FORMAT, "version": VERSION} | point["plan"], "its plan")
        schedule = simulate(workload, cluster, PolicyChoice("fifo"), plan=plan)
    except InputError as error:
        return f"its plan cannot be run: {error}"
    after = planned_needs(schedule.workload.columns, cluster, schedule.reduce_after)
    is_so, given = schedule_columns(schedule, after), point["schedule"]
    return (
        ""
        if is_so == given
        else f"its plan gives another schedule: {_first_difference(is_so, given)} differs"
    )
