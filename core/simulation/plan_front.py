"""The front of two goals: plans of which none is better in both, each found from the one beside it."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import Cancelled, InputError
from core.model.objectives import DEADLINES_FIRST, MIX, OBJECTIVES
from core.model.progress import never_stop, no_progress
from core.model.slots_that_stay import with_slots_that_stay
from core.model.time_text import fine_percent
from core.optimize.bounds import lower_bound
from core.optimize.bounds_by_end import BoundsByEnd
from core.optimize.evaluate import alone_seconds, finishes
from core.optimize.objectives import Objective, check_deadlines, check_responses
from core.optimize.priced import Priced
from core.optimize.search import optimize

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.optimize.bounds_by_end import BoundByEnd
    from core.optimize.found import Found
    from core.simulation.best_schedule import WantedSearch

FIRST_PART = 0.75
"""Of the seconds or steps for a search it takes so many first; the rest goes where the gap is widest then."""
MIN_PART = 0.2
"""Of the seconds or steps for a search: less is no use."""
DEFAULT_TASKS, MIN_STEPS, MAX_STEPS = 24_000_000, 400, 6000
"""Tasks that are run in each annealing of a search, unless something else is asked for: about three seconds
where nothing else runs; and its steps at least and at most."""
ENOUGH = 1e-3
"""A point that is no further above its bound than by this part is not searched again."""
NEAR = 0.03
"""A point that is further above its bound than by this part may have better plans beside it."""
WIDE, FIRST_RANGES, MAX_RANGES, MIN_BOUNDED = 0.01, 6, 30, 3
"""Where a point is further above its bound, the last end is cut into so many ranges, then into up to so many
where that may raise the bound of the widest gap; and searches from which on there is something between the
goals."""
BY_END = ("mean-response", "weighted-response", "tardiness", "late-jobs", "stretch")
"""Goals beside the makespan that have a bound for each of these."""
MAX_SEARCHES = 3
"""Of all searches, times those that are asked for: those that prove their plan take no time."""
MIN_POINTS, DEFAULT_POINTS, MAX_POINTS = 2, 9, 60
DEFAULT_SECONDS = 3.0
FRONT_GOALS = tuple(name for name in OBJECTIVES if name != DEADLINES_FIRST)
"""What a front may be of."""


@dataclass(frozen=True)
class FrontPoint:
    """A plan of a front.

    Attributes
    ----------
    values : of each goal, when the plan is run
    weights : of the mix that it is best in, by goal; of several the one with the largest gap
    best, bound, gap : value of that mix, below what no schedule can be, and the part that is between
    plan : what to run
    priced : what is known of the worth of slots to that mix
    by_end : what bounds the mix by when all is over, where that is more
    """

    values: tuple[float, float]
    weights: tuple[float, float]
    best: float
    bound: float
    gap: float
    plan: Plan
    priced: Priced | None = field(default=None, compare=False, repr=False)
    by_end: tuple[BoundByEnd, ...] = field(default=(), compare=False, repr=False)


def usual_steps(workload: Workload) -> int:
    """Return how many steps each search of a front has if nothing else is asked for.

    Seconds would let a busy machine find less: so many steps find the same plans on every machine.
    """
    tasks = max(workload.map_count + workload.reduce_count, 1)
    return min(max(DEFAULT_TASKS // tasks, MIN_STEPS), MAX_STEPS)


def front_goals(names: Sequence[str]) -> tuple[str, str]:
    """Return two goals whose front is asked for.

    Raises
    ------
    InputError
        they are not two, are the same, or one has no place in a mix
    """
    for name in names:
        if Objective.of(name).name == DEADLINES_FIRST:
            raise InputError(
                f"a front has no {DEADLINES_FIRST}, which weighs two goals itself; give late-jobs"
            )
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(
            f"a front is of two goals, not of {', '.join(names) or 'none'}; give two like makespan,stretch"
        )
    return names[0], names[1]


def search_front(
    wanted: WantedSearch,
    goals: tuple[str, str],
    points: int = DEFAULT_POINTS,
    should_stop: Callable[[], bool] = never_stop,
    doing: Callable[[str], None] = no_progress,
    on_front: Callable[[list[FrontPoint]], None] = no_progress,
) -> list[FrontPoint]:
    """Return plans of which none is better in both goals, from the best in the first to that in the second.

    Each goal is searched alone, then mixes between them, each for as long as `wanted` says, from the plan
    beside it. A plan that is better in another's mix takes its place there. A quarter of all seconds or
    steps, and what searches did not need that proved their plan, goes to the points that are furthest above
    their bounds: on from their plans, each time for twice as long. Where one plan is the best in both,
    nothing else is searched.

    Parameters
    ----------
    goals : as of `front_goals`
    points : how many searches, from `MIN_POINTS` to `MAX_POINTS`
    should_stop : asked every few milliseconds; what was found until then is returned
    doing : called with which search goes on and how far it is, in a few words
    on_front : called with the front by now after each search

    Raises
    ------
    InputError
        there are too few or too many points, durations are to be guesses, no job has a deadline to miss, or
        jobs whose responses count follow others
    """
    _check_front(wanted, goals, points)

    def report(place: int, found: Found) -> None:
        which = f"search {place + 1} of {points}" if place < points else "on with the widest gap"
        doing(f"{which}: {fine_percent(found.gap)} above its bound")

    def search(weights: tuple[float, float], begin: Any) -> Plan | None:
        plan = front.search(weights, begin)
        if plan is not None:
            on_front(front.points())
        return plan

    front = _Front(wanted, goals, points, should_stop, report)
    start = wanted.wishes["start"]
    search((1.0, 0.0), start)
    search((0.0, 1.0), start)
    beside = front.plans[0]
    mixes = front.mixes(points)
    for weights in mixes:
        beside = search(weights, beside) or beside
    front.find_bounds_by_end(doing)
    searches = len(front.found) if not mixes else points  # one plan that is best in both needs no more
    while (widest := front.widest(searches)) is not None and search(widest.weights, widest.plan) is not None:
        pass
    if front.keep_needed_ranges():
        on_front(front.points())
    return front.points()


def _check_front(wanted: WantedSearch, goals: tuple[str, str], points: int) -> None:
    """Raise InputError, as `search_front` says."""
    if not MIN_POINTS <= points <= MAX_POINTS:
        raise InputError(f"a front of {points} points; give a number from {MIN_POINTS} to {MAX_POINTS}")
    if wanted.robust is not None:
        raise InputError("a front takes durations as they are; leave out how wrong they are")
    for goal in goals:
        check_deadlines(Objective.of(goal), wanted.workload)
        check_responses(Objective.of(goal), wanted.workload)


def values_on_front(
    goals: tuple[str, str],
    schedules: Sequence[Schedule],
    workload: Workload,
    cluster: Cluster,
) -> list[tuple[float, float]]:
    """Return of each schedule the values of both goals, as a front of the same jobs has them.

    Parameters
    ----------
    goals : as of `front_goals`
    schedules : of these jobs on this cluster

    Returns
    -------
    A pair for each schedule, in the units of the goals: seconds, or none.
    """
    objectives = [Objective.of(goal) for goal in goals]
    alone = _alone(objectives, workload, cluster, compiled=True)
    values = []
    for schedule in schedules:
        one, other = (each.value(workload, schedule.finish, alone) for each in objectives)
        values.append((one, other))
    return values


def front_table(
    goals: tuple[str, str], points: Sequence[FrontPoint]
) -> tuple[tuple[str, ...], list[tuple[float, ...]]]:
    """Return headings and a row for each point: values, weights, and of the mix its value, bound and gap."""
    heads = (*goals, *(f"weight of {goal}" for goal in goals), "mix", "bound", "gap")
    return heads, [(*p.values, *p.weights, p.best, p.bound, p.gap) for p in points]


def one_plan_text(point: FrontPoint) -> str:
    """Return why a front has one plan alone, in a sentence."""
    if point.bound <= 0:
        return "One plan is the best found in both goals."
    above = f"One plan is the best found in both goals, {fine_percent(point.gap)} above its bound"
    if point.gap > NEAR:
        return f"{above}; more steps may find others."
    return f"{above}: hardly anything is left for plans between them."


def _alone(
    objectives: Sequence[Objective], workload: Workload, cluster: Cluster, *, compiled: bool
) -> NDArray[np.float64] | None:
    """Return how long each job takes alone where an objective needs it, seconds, (jobs,)."""
    if not any(each.needs_alone for each in objectives):
        return None
    return alone_seconds(workload, with_slots_that_stay(cluster), compiled=compiled)


class _Front:
    """Searches that know one another's plans."""

    def __init__(
        self,
        wanted: WantedSearch,
        goals: tuple[str, str],
        points: int,
        should_stop: Callable[[], bool],
        on_found: Callable[[int, Found], None],
    ) -> None:
        self._wanted, self._goals, self._points = wanted, goals, points
        self._should_stop, self._on_found = should_stop, on_found
        self._objectives = [Objective.of(goal) for goal in goals]
        self._compiled = wanted.effort.get("compiled", True)
        self._alone = _alone(self._objectives, wanted.workload, wanted.cluster, compiled=self._compiled)
        self.found: list[tuple[tuple[float, float], Found]] = []
        self.values: list[tuple[float, float]] = []
        self._finishes: list[Any] = []
        self._known: dict[tuple[float, float], Priced | None] = {}
        self._begun = time.monotonic()
        self._by_end: BoundsByEnd | None = None

    def find_bounds_by_end(self, doing: Callable[[str], None]) -> None:
        """Look for bounds that mixes with the makespan have by when all is over, where goals pull apart."""
        other = next((goal for goal in self._goals if goal in BY_END), "")
        if len(self.found) < MIN_BOUNDED or "makespan" not in self._goals or not other:
            return
        if max(point.gap for point in self.points()) < WIDE:
            return
        workload, cluster, begun = self._wanted.workload, self._wanted.cluster, time.monotonic()
        least = lower_bound(workload, cluster)
        last = max(values[self._goals.index("makespan")] for values in self.values)
        with suppress(Cancelled):
            given = workload, cluster, Objective.of(other), least, self._should_stop, self._alone
            self._by_end = by_end = BoundsByEnd(*given)
            self._take_bound(Objective.of(other), by_end.bounds[0])
            for until in np.linspace(last, least, FIRST_RANGES, endpoint=False).tolist():
                by_end.add(until)
            while len(by_end.bounds) < MAX_RANGES and (cut := self._cut(by_end)) < np.inf:
                doing(f"bounds by the last end: {len(by_end.bounds)} of {MAX_RANGES}")
                by_end.add(cut)
        self._begun += time.monotonic() - begun  # searches keep their seconds

    def _take_bound(self, goal: Objective, known: BoundByEnd) -> None:
        """Let a goal have the bound of all schedules where that is more than its searches proved."""
        for place, (weights, found) in enumerate(self.found):
            if known.prices is not None and self._mix(weights) == goal and known.bound > found.bound:
                self._known[weights] = priced = Priced(goal, known.bound, known.prices)
                self.found[place] = weights, replace(found, bound=known.bound, priced=priced)

    def _cut(self, by_end: BoundsByEnd) -> float:
        """Return when to cut a range for the widest gap of a mix that may get narrower; infinity for none."""
        wide = [point for point in self.points() if point.gap >= WIDE and 0 not in point.weights]
        wide.sort(key=lambda point: -point.gap)
        cuts = (by_end.of_mix(self._makespan_first(point.weights))[1] for point in wide)
        return next((cut for cut in cuts if cut < np.inf), np.inf)

    def keep_needed_ranges(self) -> bool:
        """Leave out ranges of the last end that no mix needs; whether there are any ranges."""
        if self._by_end is None:
            return False
        mixes = [self._makespan_first(point.weights) for point in self.points() if point.by_end]
        self._by_end.keep_needed(mixes)
        return True

    def _makespan_first(self, weights: tuple[float, float]) -> tuple[float, float]:
        return weights if self._goals[0] == "makespan" else weights[::-1]

    def _bound(self, weights: tuple[float, float], found: Found) -> float:
        """Return what no schedule is below in a mix, by its own prices or by those of ranges of ends."""
        if self._by_end is None or 0 in weights:
            return found.bound
        return max(found.bound, self._by_end.of_mix(self._makespan_first(weights))[0])

    @property
    def plans(self) -> list[Plan]:
        """Of all searches so far."""
        return [found.plan for _, found in self.found]

    def search(self, weights: tuple[float, float], start: Any) -> Plan | None:
        """Search one mix, and return its plan; None if there is no time left."""
        if self._should_stop() and self.found:
            return None
        wanted, place = self._wanted, len(self.found)
        known = self._known.get(weights)
        seed = wanted.wishes["seed"] + self._times(weights)  # not the same again
        wishes = wanted.wishes | {
            "objective": self._mix(weights),
            "start": start,
            "known": known,
            "seed": seed,
        }
        effort, begun = self._effort(weights), time.monotonic()
        found = optimize(
            wanted.workload,
            wanted.cluster,
            **wanted.effort | effort,
            levers=wanted.levers,
            should_stop=self._should_stop,
            prices_by=np.inf,  # half of them would prove little of a mix, and be a poor plan
            on_found=lambda each: self._on_found(place, each),
            **wishes,
        )
        if (seconds := effort.get("seconds")) is not None:  # what prices took beyond is not the searches'
            self._begun += max(0.0, time.monotonic() - begun - seconds)
        finish = finishes(wanted.workload, wanted.cluster, [found.plan], compiled=self._compiled)[0]
        self._known[weights] = found.priced
        self.found.append((weights, found))
        self._finishes.append(finish)
        one, other = (each.value(wanted.workload, finish, self._alone) for each in self._objectives)
        self.values.append((one, other))
        return found.plan

    def mixes(self, points: int) -> list[tuple[float, float]]:
        """Return the weights of the mixes between the best of each goal, from the first goal to the second.

        Parameters
        ----------
        points : how many searches there are, those of the goals among them
        """
        if len(self.found) < 2:
            return []
        ranges = [self.values[1][g] - self.values[0][g] for g in (0, 1)]
        if not ranges[0] > 0 > ranges[1]:
            return []
        parts = [place / (points - 1) for place in range(1, points - 1)]
        mixes = [((1 - part) / ranges[0], -part / ranges[1]) for part in parts]
        return [(one / max(one, other), other / max(one, other)) for one, other in mixes]

    def _times(self, weights: tuple[float, float]) -> int:
        """Return how often a mix has been searched."""
        return sum(weights == other for other, _ in self.found)

    def _effort(self, weights: tuple[float, float]) -> dict[str, float]:
        """Return for how many seconds or steps the next search of a mix goes: each time for twice as long."""
        unit, each = self._each
        part = min(FIRST_PART * 2 ** self._times(weights), max(self._left(self._points), MIN_PART))
        return {unit: max(1, round(part * each)) if unit == "steps" else part * each}

    @property
    def _each(self) -> tuple[str, float]:
        """What searches count, and how much of that each may take in the mean."""
        effort = self._wanted.effort
        if effort.get("steps") is not None:
            return "steps", effort["steps"]
        seconds = effort.get("seconds")
        return "seconds", DEFAULT_SECONDS if seconds is None else seconds

    def _left(self, points: int) -> float:
        """Return what is left of the seconds or steps of so many searches, in searches."""
        unit, each = self._each
        took = time.monotonic() - self._begun
        done = sum(found.steps for _, found in self.found) if unit == "steps" else took
        return points - done / each

    def widest(self, points: int) -> FrontPoint | None:
        """Return the point furthest above its bound if there is time for another search of it.

        Parameters
        ----------
        points : how many searches the time, or the steps, are for
        """
        if self._left(points) < MIN_PART or len(self.found) >= MAX_SEARCHES * points:
            return None
        point = max(self.points(), key=lambda each: each.gap)
        return point if point.gap > ENOUGH else None

    def _mix(self, weights: tuple[float, float]) -> Objective:
        for objective, other in zip(self._objectives, weights[::-1], strict=True):
            if other == 0:
                return objective
        return Objective(MIX, tuple(zip(self._goals, weights, strict=True)))

    def points(self) -> list[FrontPoint]:
        """Return what no plan beats in both goals, each once, by the first goal."""
        points: dict[tuple[float, float], FrontPoint] = {}
        for weights, found in self.found:
            mix = self._mix(weights)
            worths = [mix.value(self._wanted.workload, each, self._alone) for each in self._finishes]
            place = min(range(len(worths)), key=lambda each: (worths[each], self.values[each]))
            best, bound = worths[place], self._bound(weights, found)
            gap = max(0.0, best / bound - 1) if bound > 0 else float(best > 0)
            figures = self.values[place], weights, best, bound, gap
            by_end = tuple(self._by_end.bounds) if self._by_end and bound > found.bound else ()
            point = FrontPoint(*figures, self.plans[place], found.priced, by_end)
            known = points.get(point.values)
            if known is None or gap > known.gap:
                points[point.values] = point
        kept = [
            point for point in points.values() if not any(_beats(other, point.values) for other in points)
        ]
        return sorted(kept, key=lambda point: point.values)


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one != other and one[0] <= other[0] and one[1] <= other[1]
