"""What prices of slots prove, for `core.verify.check`: by arithmetic of its own, with numpy alone.

By each time t a job that ends at c has had so many seconds of each kind of slots: of a stage that ends by c
less its tail, in the u seconds from t on, each task can run u at most, and all of them u times the slots. The
costs of the jobs, each at the end that is cheapest with what it pays for these seconds, less what all seconds
that there are by these times would cost, are more than no schedule's: whatever the prices are, if none is
below 0.

Where the last end counts besides, or the largest stretch, it is between two of some levels: it costs what the
lower one does, and no job ends after what the higher one allows.

There may be cases, each with prices of its own: a job ends by some time, or after it. No schedule costs less
than the cheapest case.

Prices of reduce slots may rise, too. By a time when they do, a job has had no more of them than its reduces
can run since its maps were over; that comes back to it. When they are over it may choose: no later than its
end less its tail, and no sooner than its head.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.verify.jobs_of_document import column_of

Floats = NDArray[np.float64]
MIX = "mix"
"""What a part of a proof is of that says something of all that is weighed together."""
ROUNDS, WHOLE, MAX_TIMES, MAX_CASES = 1e-10, 1e-6, 1000, 64
"""The part of all that is added up by which the sum may be wrong; so much more than a whole number of late
jobs is one more; and the most times and cases."""
QUARTERS, ROUGH = np.arange(4) / 4, 16  # of so many ends one is looked at first


class Cost(NamedTuple):
    """What the end of a job costs: of each second, and of each after its deadline, and of being late."""

    second: float
    late_second: float
    late: float
    due: float

    def at(self, ends: Floats, late: NDArray[np.bool_]) -> Floats:
        """Return what ends cost, of which some count as late."""
        over = ends - self.due if self.due < np.inf else 0 * ends
        return self.second * ends + np.where(late, self.late_second * over + self.late, 0.0)


class Worst(NamedTuple):
    """What counts by the worst of all jobs: the last end, or the largest stretch.

    Attributes
    ----------
    costs : what 1 of it costs
    levels : between which it may be
    floor : that it is at least
    begin, slope : at a level a job ends by `begin` + `slope` times the level, s; whenever it likes where the
        slope is 0, (jobs,)
    until : the last levels that are looked at, where it costs nothing
    """

    costs: float
    levels: Floats
    floor: float
    begin: Floats
    slope: Floats
    until: Floats

    def ends(self, levels: Floats) -> Floats:
        """Return when each job ends at the latest at levels, s, (jobs, levels)."""
        some, slope = self.slope > 0, np.where(self.slope > 0, self.slope, 1.0)
        ends = self.begin[:, None] + slope[:, None] * levels
        return np.where(some[:, None], ends, np.inf)

    @property
    def ranges(self) -> tuple[Floats, Floats]:
        """Where it may be: from when to when, s; wherever it is, it is in one of these."""
        if self.costs == 0:
            return np.zeros(1), self.until
        inside = np.unique(np.append(self.floor, self.levels[self.levels > self.floor]))
        return inside, np.append(inside[1:], np.inf)


class StageOfJob(NamedTuple):
    """A stage of one job on one kind of slots.

    Attributes
    ----------
    kind : of slots
    share : the part of them that a task holds
    seconds : of all slots, that its work takes
    length : of its tasks, ascending, s
    behind : sum of each length and of all after it, 0 at last, s
    reach : so long before it ends nothing of it has to be done, s
    head, tail : what is before and behind it, s
    longest : of its tasks with the longer shuffle, s each
    """

    kind: int
    share: float
    seconds: float
    length: Floats
    behind: Floats
    reach: float
    head: float
    tail: float
    longest: Floats


Market = tuple[Floats, Floats, Floats]
"""Times of prices of a kind, s; the prices, (cases, times); and sums of all from each on, ending with 0."""
Job = tuple[Cost, float, list[StageOfJob]]
"""What the end of a job costs, how soon it can end, and its stages."""


def rule_of_ranges(checker: Any, parts: list[dict[str, Any]], until: Floats) -> Floats:
    """Return what parts of a proof that differ in prices alone prove of schedules over by some times."""
    if len(checker.links.think):
        raise ValueError("prices say nothing of jobs that follow others")
    part = parts[0]
    times, looks = (_numbers(part[name], name) for name in ("times", "looks"))
    own = checker.stages_of_jobs
    any_end = np.full(len(own), -1.0), np.full(len(own), np.inf)
    cases = [_cases(each.get("cases", each), *any_end) for each in parts]
    kinds = 2 if checker.is_typed else 1
    linked = checker.is_typed and checker.is_map_reduce
    shapes = {prices.shape for prices, _, _ in chain(*cases)}
    if len(shapes) > 1 or not shapes <= {(kinds + more, len(times)) for more in range(1 + linked)}:
        raise ValueError("there is not one price for each time of each kind of slots")
    weights = checker.document["objective"] if part["of"] == MIX else {part["of"]: 1.0}
    costs, came = costs_of(checker, weights)
    worst, besides = _worst(checker, weights, _numbers(part.get("levels", []), "levels"), until)
    jobs = list(zip(costs, checker.ends.tolist(), own, strict=True))
    about = jobs, times, _there(jobs, times, looks.tolist(), kinds, linked), worst
    alike = [(np.stack([prices for prices, _, _ in case]), *case[0][1:]) for case in zip(*cases, strict=True)]
    values = np.min([proved(*about, *case) for case in alike], axis=0) - came
    return np.asarray(np.ceil(values - WHOLE) if part["of"] == "late-jobs" else values + besides)


def costs_of(checker: Any, weights: dict[str, float]) -> tuple[list[Cost], float]:
    """Return what the end of each job costs, but for the worst; and what of that the arrivals save."""
    each = weights.get("mean-response", 0.0) / len(checker.weight) + 0 * checker.weight
    each += weights.get("weighted-response", 0.0) * checker.weight / checker.weight.sum()
    late = weights.get("tardiness", 0.0), weights.get("late-jobs", 0.0)
    pairs = zip(each.tolist(), checker.deadline.tolist(), strict=True)
    return [Cost(second, *late, due) for second, due in pairs], float((each * checker.fixed).sum())


def stages_of_jobs(checker: Any) -> list[list[StageOfJob]]:
    """Return the stages of each job that take slots of a kind, as columns of `core.verify.check`."""
    kinds, own = 2 if checker.is_typed else 1, [list[StageOfJob]() for _ in checker.fixed]
    longer = checker.duration + np.maximum(checker.first, checker.typical)
    begins = np.append(0, np.cumsum(checker.stages.tasks))
    for g, (job, kind) in enumerate(zip(checker.stages.job, checker.stages.kind, strict=True)):
        work, mine = checker.work[kind], slice(begins[g], begins[g + 1])
        share = 1 / max(checker.slots[kind], 1)
        length, between = np.sort(checker.length[mine]), (float(work.head[g]), float(work.tail[g]))
        seconds = float(checker.length[mine].sum() + work.more[g]) * share
        behind = np.append(np.cumsum(length[::-1])[::-1], 0.0)
        about = seconds, length, behind, max(length.max(initial=0.0), seconds), *between, longer[mine]
        own[job] += [StageOfJob(int(kind) % kinds, share, *about)] if seconds > 0 else []
    return own


def _worst(checker: Any, weights: dict[str, float], levels: Floats, until: Floats) -> tuple[Worst, float]:
    """Return what counts by the worst job, and what else that costs at least: where both do, the stretch."""
    floors = {name: 0.0 for name in ("makespan", "stretch") if name in weights}
    for other in checker.document["proof"] if floors else ():
        if other["of"] in floors:
            floors[other["of"]] = max(floors[other["of"]], checker.bound(other))
    zeros, ones = np.zeros(len(checker.fixed)), np.ones(len(checker.fixed))
    besides = floors.get("stretch", 0.0) * weights.get("stretch", 0.0)
    if "makespan" not in floors and "stretch" in floors:
        slope = np.where(checker.took < np.inf, checker.took, 0.0)
        return Worst(float(weights["stretch"]), levels, floors["stretch"], checker.fixed, slope, until), 0.0
    costs = float(weights.get("makespan", 0.0))
    return Worst(costs, levels, floors.get("makespan", 0.0), zeros, ones, until), besides


def _numbers(values: Any, name: str) -> Floats:
    """Return a list of numbers from 0."""
    return column_of(values, name, min(len(values), MAX_TIMES))


def _cases(node: Any, after: Floats, by: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """Return prices of all cases, and after which time and by which one jobs end in each, s, (jobs,).

    Each cut has both sides, so that every schedule is in one of the cases.
    """
    if "job" not in node:
        rows = [*node["falls"], *([node["rises"]] if "rises" in node else [])]
        return [(np.stack([_numbers(row, "falls") for row in rows]), after, by)]
    job, at = node["job"], _numbers([node["at"]], "at")[0]
    if type(job) is not int or not 0 <= job < len(after):
        raise ValueError("cases: there is no such job")
    sooner, later = by.copy(), after.copy()
    sooner[job], later[job] = min(at, by[job]), max(at, after[job])
    cases = [*_cases(node["sooner"], after, sooner), *_cases(node["later"], later, by)]
    if len(cases) > MAX_CASES:
        raise ValueError(f"cases: more than {MAX_CASES}")
    return cases


def proved(
    jobs: list[Job], times: Floats, there: Floats, worst: Worst, prices: Floats, after: Floats, by: Floats
) -> Floats:
    """Return what no schedule costs less than in which jobs end after some times and by others, (cases,).

    Parameters
    ----------
    times : ascending, s
    there : seconds of each kind of slots that there are by each time, (kinds, times)
    worst : what the worst of them costs
    prices : of a second of all slots of each kind by each time, (cases, kinds, times), and perhaps by how
        much those of reduces rise then; of several cases each has a last level of its own, and the worst
        costs nothing
    after, by : s, (jobs,)
    """
    if not (np.diff(times) > 0).all() or (prices < 0).any():
        raise ValueError("times of prices do not ascend, or a price is below 0")
    at_least, at_most = worst.ranges
    last = np.minimum(worst.ends(at_most), np.maximum(by, [soonest for _, soonest, _ in jobs])[:, None])
    last = last.reshape(len(jobs), len(prices), -1)
    pairs = zip(jobs, zip(after, last, strict=True), strict=True)
    falls, rises = np.split(np.moveaxis(prices, 1, 0), [len(there)])
    markets = [_market(times, each) for each in falls]
    markets += [_market(-times[::-1], each[:, ::-1]) for each in rises]
    cheapest = np.stack([_cheapest(job, times, markets, *ends) for job, ends in pairs])
    level = (worst.costs * at_least + cheapest.sum(axis=0)).argmin(axis=1)
    of_last, of_jobs = worst.costs * at_least[level], cheapest[:, np.arange(len(prices)), level]
    can_be = np.isfinite(of_jobs).all(axis=0)
    of_jobs = np.where(can_be, of_jobs, 0.0)
    spent, back = (prices[:, : len(there)] * there).sum(axis=(1, 2)), 0.0
    for each in np.moveaxis(prices, 1, 0)[len(there) :]:  # reduce slots cost what is left of falls and rises
        left = np.maximum((prices[:, 1] - each)[:, ::-1].cumsum(axis=1)[:, ::-1], 0.0)
        spent = prices[:, 0] @ there[0] + left @ np.diff(times, prepend=0.0)
        back = len(jobs) * (each @ times)
    rounds = ROUNDS * (of_last + np.abs(of_jobs).sum(axis=0) + spent + back)
    return np.where(can_be, of_last + of_jobs.sum(axis=0) - spent - rounds, np.inf)


def _cheapest(job: Job, times: Floats, markets: list[Market], after: float, at_most: Floats) -> Floats:
    """Return costs that no end by each of some times is below, and after one, (cases, times of each).

    They are infinite if there is none. Between an end at which a stage would end at one of the times, or the
    job at its deadline, and the next one, the cost is convex: two lines that touch it from below at both ends
    of each quarter hold it up.
    """
    cost, soonest, stages = job
    last = max((times[-1] + s.tail + s.reach for s in stages), default=soonest)
    marks = [np.array([soonest, last]), *(times + s.tail for s in stages)]
    marks += [np.array([cost.due])] if cost.due < np.inf else []
    always = np.maximum(np.concatenate(marks), soonest)
    own = [_quarters(always, each) for each in at_most]
    ends = own[0] if len(own) == 1 else np.unique(np.concatenate(own))
    is_cut, none = after > soonest, 4e-15 * ends[-1]
    if len(markets) > 2 and any(stage.kind for stage in stages):
        ends, here, cross = _by_both_ends(job, markets, np.union1d(ends, after) if is_cut else ends, after)
        return _by_then(ends, here, cross, at_most)
    if is_cut:
        ends = np.append(after, ends[ends > after])

    def paid_at(ends: Floats, amounts: int) -> Floats:
        paid = np.zeros((amounts, len(at_most), len(ends)))
        for stage in stages:
            paid += _needs(stage, ends, markets[stage.kind], none, amounts)
        return paid

    # between two ends a job costs what the one does and pays what the other does, at least
    is_rough = np.append(np.arange(len(ends) - 1) % ROUGH == 0, True)
    begin, (paid,) = ends[is_rough], paid_at(ends[is_rough], 1)
    known = np.minimum.accumulate(cost.at(begin, begin >= cost.due) + paid, axis=1)
    by_all = begin.searchsorted(at_most.min(), "right")
    known[:, :by_all] = known[:, by_all - 1 : by_all]
    between = cost.at(begin, begin > cost.due)[:-1] + paid[:, 1:]
    near = (between < known[:, :-1]).any(axis=0).repeat(np.diff(np.flatnonzero(is_rough)))
    place = np.flatnonzero(np.append(False, near) | np.append(near, False) | is_rough)
    ends = ends[place]
    here, beyond, cross = held_up(cost, ends, *paid_at(ends, 3))
    here[:, :1] = beyond[:, :1] if is_cut else here[:, :1]
    return _by_then(ends, here, np.where(np.diff(place) == 1, cross, np.inf), at_most)


def _by_then(ends: Floats, here: Floats, cross: Floats, at_most: Floats) -> Floats:
    """Return what no end by each of some times is below, by what they cost, and any between two of them."""
    here[:, 1:] = np.minimum(here[:, 1:], cross)
    least = np.full((len(at_most), len(ends) + 1), np.inf)
    np.minimum.accumulate(here, axis=1, out=least[:, 1:])
    return least[np.arange(len(at_most))[:, None], ends.searchsorted(at_most, "right")]


def _by_both_ends(
    job: Job, markets: list[Market], ends: Floats, after: float
) -> tuple[Floats, Floats, Floats]:
    """Return ends after a time, and what they cost, and any between, where prices of reduce slots rise.

    Maps are over as late as the end of the job lets them, or sooner: then they and what comes back cost no
    less than what is the cheapest by then, and the reduces what they cost at the end of the job.
    """
    cost, soonest, (*maps, reduces) = job
    none, over, length = 4e-15 * ends[-1], ends - (soonest - reduces.head), np.sort(reduces.longest)
    behind = np.append(np.cumsum(length[::-1])[::-1], 0.0)
    seconds = reduces.share * behind[0]
    # backwards in time, what can have been run so long after maps are over is what has to be so long before
    mirrored = reduces._replace(length=length, behind=behind, seconds=seconds, tail=0.0)
    mirrored = mirrored._replace(reach=max(length.max(initial=0.0), seconds))
    left, before, later = _needs(mirrored, -over[::-1], markets[2], none, 3)[..., ::-1]
    early = np.stack([left - seconds * markets[2][2][:, :1], -later, -before])
    for stage in maps:
        early += _needs(stage, ends, markets[stage.kind], none, 3)
    late = _needs(reduces, ends, markets[1], none, 3)
    sooner, _, between = held_up(Cost(0.0, 0.0, 0.0, np.inf), ends, *early)
    sooner[:, 1:] = np.minimum(sooner[:, 1:], between)
    sooner = np.minimum.accumulate(sooner, axis=1)
    here, beyond, cross = held_up(cost, ends, *late)
    here, beyond, cross = here + sooner, beyond + sooner, cross + np.minimum(sooner[:, :-1], between)
    begin = int(ends.searchsorted(after))
    here[:, begin : begin + (begin > 0)] = beyond[:, begin : begin + (begin > 0)]
    return ends[begin:], here[:, begin:], cross[:, begin:]


def held_up(cost: Cost, ends: Floats, paid: Floats, before: Floats, after: Floats) -> tuple[Floats, ...]:
    """Return what ends cost, and just after them, with what is paid; and where two lines meet between them.

    What is paid changes so much with each second `before` and `after` an end.
    """
    late, soon_late = ends > cost.due, ends >= cost.due
    here, beyond = cost.at(ends, late) + paid, cost.at(ends, soon_late) + paid
    left, right = before + cost.second + cost.late_second * late, after + cost.second
    a, b, wide = beyond[..., :-1], (right + cost.late_second * soon_late)[..., :-1], np.diff(ends)
    c, d = here[..., 1:], left[..., 1:]
    steep = np.where((b < 0) & (d > 0), d - b, np.inf)
    cross = a + b * np.minimum(np.maximum((a - c + d * wide) / steep, 0.0), wide)
    return here, beyond, np.where(steep < np.inf, cross, np.inf)


def _quarters(marks: Floats, at_most: Floats) -> Floats:
    """Return the quarters between marks and times, up to the last time."""
    some = at_most[(at_most >= marks.min()) & (at_most < np.inf)]
    ends = np.unique(np.append(marks, some))
    ends = ends[ends <= max(at_most.max(), ends[0])]
    return np.append((ends[:-1, None] + np.diff(ends)[:, None] * QUARTERS).ravel(), ends[-1])


def _needs(stage: StageOfJob, ends: Floats, market: Market, none: float, amounts: int) -> Floats:
    """Return what ends pay for a stage, and how that changes before and after each, (3, cases, ends).

    Where a stage ends at one of the times, it pays for all before, and perhaps less after; elsewhere it bends
    upwards. Sums of times may be wrong by `none`: what is so near is taken to be there. Of the three there
    are as many as `amounts`.
    """
    (times, falls, later), (_, share, seconds, length, behind, reach, *_) = market, stage
    over, number = ends - stage.tail, len(length)
    until = times.searchsorted(over + none, "right")  # all before a later time has to be paid for
    count = until - times.searchsorted(over - reach - none)
    row = np.arange(len(ends)).repeat(count)
    time = np.arange(len(row)) + (until - count.cumsum()).repeat(count)
    left = np.maximum(over[row] - times[time], 0.0)
    fits, flat = length.searchsorted(left + none, "right"), seconds - left
    needs = np.maximum(np.maximum(share * (behind[fits] - (number - fits) * left), flat), 0.0)
    found = [needs]
    if amounts > 1:
        shorter = length.searchsorted(left - none)
        filled = needs - flat <= none  # the slots, not the tasks, say how much at least
        before = np.where(filled, -1.0, share * (shorter - number)) * (left > none)
        found += [before, np.where(filled, -1.0 * (flat > none), share * (fits - number))]
    sums = np.empty((amounts, len(falls), len(ends)))
    for case, price in enumerate(falls.take(time, axis=1)):
        for place, amount in enumerate(found):
            sums[place, case] = np.bincount(row, amount * price, len(ends))
    sums[0] += seconds * later.take(until, axis=1)
    return sums


def _market(times: Floats, falls: Floats) -> Market:
    """Return what a kind of slots costs, without times after which nothing falls."""
    falls = falls[:, some := falls.any(axis=0)]
    from_last = np.hstack([np.zeros((len(falls), 1)), falls[:, ::-1]]).cumsum(axis=1)
    return times[some], falls, from_last[:, ::-1]


def _there(jobs: list[Job], times: Floats, looks: list[float], kinds: int, linked: bool) -> Floats:
    """Return the seconds of each kind of slots that jobs can have had by each time, (kinds, times).

    No more than has passed; and no more than what they can have had by any look before, and all since then.
    """
    there = np.tile(times, (kinds, 1))
    own = [(stage, j) for j, (_, _, stages) in enumerate(jobs) for stage in stages]
    for kind in range(kinds):
        mine = [(stage, j) for stage, j in own if stage.kind == kind]
        head, share = np.array([(stage.head, stage.share) for stage, _ in mine]).reshape(-1, 2).T
        of_task = np.repeat(np.arange(len(mine)), [len(stage.longest) for stage, _ in mine])
        longest, before = np.concatenate([[], *(stage.longest for stage, _ in mine)]), np.zeros(len(jobs))
        for stage, j in own:
            before[j] += stage.seconds * (stage.kind != kind)
        needed = before[[j for _, j in mine]] if linked and kind == 1 else np.zeros(len(mine))
        for look in looks:
            gone = np.maximum(look - head, 0.0)
            can = np.bincount(of_task, np.minimum(longest, gone[of_task]), len(mine)) * share
            had = _most(np.minimum(can, gone), needed, look)
            there[kind] = np.minimum(there[kind], np.where(times >= look, had + times - look, np.inf))
    return there


def _most(can: Floats, needed: Floats, room: float) -> float:
    """Return the most of `can` for which what is needed has room; of the last one a part."""
    order = np.argsort(needed[can > 0] / can[can > 0], kind="stable")
    value, size = (np.append(0.0, each[can > 0][order].cumsum()) for each in (can, needed))
    return float(np.interp(room, size, value))
