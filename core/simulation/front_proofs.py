"""The proofs of a front: of each plan its schedule, and the rules that bound its mix of both goals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.engine.fresh_state import planned_needs
from core.files.plan_document import plan_to_json
from core.model.progress import no_progress
from core.model.schedule import PolicyChoice
from core.model.slots_that_stay import with_slots_that_stay
from core.model.submissions import follow_one_another
from core.optimize.evaluate import alone_seconds
from core.simulation.proofs import RESULTS, certificate_within
from core.verify.certificate import schedule_columns, subject, why_no_certificate
from core.verify.check_front import checker_of
from core.verify.front_file import front_file
from core.verify.price_rule import MIX

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.simulation.best_schedule import WantedSearch
    from core.simulation.plan_front import FrontPoint
    from core.verify.check import Checker
    from core.verify.front_file import FrontFile


def prove_front(
    wanted: WantedSearch,
    goals: tuple[str, str],
    points: Sequence[FrontPoint],
    doing: Callable[[str], None] = no_progress,
) -> tuple[list[FrontPoint], FrontFile]:
    """Replay the plans of a front, and return its points with what is proved of them, and its file.

    The bound of a point is what the checker makes of its proof. Where no proof is possible points stay as
    they are, and the file says why.

    Parameters
    ----------
    wanted, goals : as of `core.simulation.plan_front.search_front`, which found the points
    doing : called with how far it is, in a few words
    """
    workload, cluster = wanted.workload, wanted.cluster
    why_not = RESULTS if follow_one_another(workload) else ""
    if not why_not and (unknown := why_no_certificate(cluster, goals)):
        why_not = f"none is made for {unknown}"
    ranges, checker, alone = list[dict[str, Any]](), None, None
    if "stretch" in goals and not why_not:
        alone = alone_seconds(workload, with_slots_that_stay(cluster))
    by_end = next((point.by_end for point in points if point.by_end), ())
    if by_end and not why_not:
        other = next(goal for goal in goals if goal != "makespan")
        ranges = [each.proof(other) for each in by_end]
        checker = checker_of({**subject(workload, cluster, alone), "ranges": ranges})
    proved, documents = [], []
    for place, point in enumerate(points, 1):
        doing(f"checking plan {place} of {len(points)}")
        more: dict[str, Any] = {}
        if not why_not:
            point, more = _proved(wanted, goals, point, checker if point.by_end else None)
        proved.append(point)
        plan = {"plan": plan_to_json(point.plan, workload.name)}
        documents.append(point_to_json(goals, point) | more | plan)
    return proved, front_file(workload, cluster, goals, documents, alone, why_not, ranges)


def point_to_json(goals: tuple[str, str], point: FrontPoint) -> dict[str, Any]:
    """Return the figures of a point as a JSON value; times are seconds, gaps are fractions."""
    named = {name: dict(zip(goals, getattr(point, name), strict=True)) for name in ("values", "weights")}
    return named | {"best": point.best, "bound": point.bound, "gap": point.gap}


def _proved(
    wanted: WantedSearch, goals: tuple[str, str], point: FrontPoint, by_ranges: Checker | None
) -> tuple[FrontPoint, dict[str, Any]]:
    """Return a point with what is proved of it, and its schedule and its proof as JSON values."""
    from core.simulation.simulate import simulate  # only a proof is simulated again

    weights = {goal: weight for goal, weight in zip(goals, point.weights, strict=True) if weight > 0}
    schedule = simulate(wanted.workload, wanted.cluster, PolicyChoice("fifo"), plan=point.plan)
    made = certificate_within(schedule, weights, point.best, point.bound, point.priced)
    bound, proof = made.verdict.bound, made.document["proof"]
    if by_ranges is not None:
        shorter = [*(part for part in proof if part["of"] != MIX), {"of": MIX, "rule": "ranges"}]
        better = by_ranges.about({**made.document, "proof": shorter}).verdict().bound
        if better > bound:
            bound, proof = better, shorter
    gap = max(0.0, point.best / bound - 1) if bound > 0 else float(point.best > 0)
    after = planned_needs(wanted.workload.columns, wanted.cluster, schedule.reduce_after)
    more = {"proof": proof, "schedule": schedule_columns(schedule, after)}
    return replace(point, bound=bound, gap=gap), more
