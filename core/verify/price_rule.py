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
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MIX = "mix"
"""What a part of a proof is of that says something of all that is weighed together."""
ROUNDS, WHOLE, MAX, MAX_TIMES, MAX_CASES = 1e-10, 1e-6, 1e15, 1000, 64
"""The part of all that is added up by which the sum may be wrong; so much more than a whole number of late
jobs is one more; the largest number, and the most times and cases."""
QUARTERS = np.arange(4) / 4


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
    head, tail : what is before and behind it, s
    longest : of its tasks with the longer shuffle, s each
    """

    kind: int
    share: float
    seconds: float
    length: Floats
    head: float
    tail: float
    longest: Floats


Job = tuple[Cost, float, list[StageOfJob]]
"""What the end of a job costs, how soon it can end, and its stages."""


def rule_of_prices(checker: Any, part: dict[str, Any]) -> float:  # Any: of `check`
    """Return what the prices of a part of a proof prove of all schedules."""
    return float(rule_of_ranges(checker, [part], np.array([np.inf]))[0])


def rule_of_ranges(checker: Any, parts: list[dict[str, Any]], until: Floats) -> Floats:
    """Return what parts of a proof that differ in prices alone prove of schedules over by some times."""
    if len(checker.links.think):
        raise ValueError("prices say nothing of jobs that follow others")
    part = parts[0]
    times, looks = (_numbers(part[name], name) for name in ("times", "looks"))
    own = checker.stages_of_jobs
    any_end = np.full(len(own), -1.0), np.full(len(own), np.inf)
    cases = [_cases(each.get("cases", {"falls": each["falls"]}), *any_end) for each in parts]
    kinds = 2 if checker.is_typed else 1
    if any(prices.shape != (kinds, len(times)) for prices, _, _ in chain(*cases)):
        raise ValueError("there is not one price for each time of each kind of slots")
    weights = checker.document["objective"] if part["of"] == MIX else {part["of"]: 1.0}
    each = weights.get("mean-response", 0.0) / len(own) + np.zeros(len(own))
    each += weights.get("weighted-response", 0.0) * checker.weight / checker.weight.sum()
    late = weights.get("tardiness", 0.0), weights.get("late-jobs", 0.0)
    costs = [Cost(float(w), *late, float(due)) for w, due in zip(each, checker.deadline, strict=True)]
    worst, besides = _worst(checker, weights, _numbers(part.get("levels", []), "levels"), until)
    jobs = list(zip(costs, checker.ends.tolist(), own, strict=True))
    linked = checker.is_typed and checker.is_map_reduce
    about = jobs, times, _there(jobs, times, looks.tolist(), kinds, linked), worst
    alike = [(np.stack([prices for prices, _, _ in case]), *case[0][1:]) for case in zip(*cases, strict=True)]
    values = np.min([proved(*about, *case) for case in alike], axis=0) - (each * checker.fixed).sum()
    return np.asarray(np.ceil(values - WHOLE) if part["of"] == "late-jobs" else values + besides)


def stages_of_jobs(checker: Any) -> list[list[StageOfJob]]:
    """Return the stages of each job that take slots of a kind, as columns of `core.verify.check`."""
    kinds, own = 2 if checker.is_typed else 1, [list[StageOfJob]() for _ in checker.fixed]
    longer = checker.duration + np.maximum(checker.first, checker.typical)
    begins = np.append(0, np.cumsum(checker.stages.tasks))
    for g, (job, kind) in enumerate(zip(checker.stages.job, checker.stages.kind, strict=True)):
        work, mine = checker.work[kind], slice(begins[g], begins[g + 1])
        share = 1 / max(checker.slots[kind], 1)
        length, between = checker.length[mine], (float(work.head[g]), float(work.tail[g]))
        seconds = float(length.sum() + work.more[g]) * share
        stage = StageOfJob(int(kind) % kinds, share, seconds, np.sort(length), *between, longer[mine])
        own[job].append(stage)
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
    if not isinstance(values, list) or not {*map(type, values)} <= {int, float} or len(values) > MAX_TIMES:
        raise ValueError(f"{name}: no list of at most {MAX_TIMES} numbers")
    column = np.array(values, float)
    if not ((column >= 0) & (column <= MAX)).all():
        raise ValueError(f"{name}: a value is no number from 0")
    return column


def _cases(node: Any, after: Floats, by: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """Return prices of all cases, and after which time and by which one jobs end in each, s, (jobs,).

    Each cut has both sides, so that every schedule is in one of the cases.
    """
    if "job" not in node:
        return [(np.stack([_numbers(row, "falls") for row in node["falls"]]), after, by)]
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
    prices : of a second of all slots of each kind by each time, (cases, kinds, times); of several cases each
        has a last level of its own, and the worst costs nothing
    after, by : s, (jobs,)
    """
    if not (np.diff(times) > 0).all() or (prices < 0).any():
        raise ValueError("times of prices do not ascend, or a price is below 0")
    at_least, at_most = worst.ranges
    last = np.minimum(worst.ends(at_most), np.maximum(by, [soonest for _, soonest, _ in jobs])[:, None])
    last = last.reshape(len(jobs), len(prices), -1)
    pairs = zip(jobs, zip(after, last, strict=True), strict=True)
    cheapest = np.stack([_cheapest(job, times, prices, *ends) for job, ends in pairs])
    level = (worst.costs * at_least + cheapest.sum(axis=0)).argmin(axis=1)
    of_last, of_jobs = worst.costs * at_least[level], cheapest[:, np.arange(len(prices)), level]
    can_be = np.isfinite(of_jobs).all(axis=0)
    of_jobs = np.where(can_be, of_jobs, 0.0)
    spent = (prices * there).sum(axis=(1, 2))
    rounds = ROUNDS * (of_last + np.abs(of_jobs).sum(axis=0) + spent)
    return np.where(can_be, of_last + of_jobs.sum(axis=0) - spent - rounds, np.inf)


def _cheapest(job: Job, times: Floats, prices: Floats, after: float, at_most: Floats) -> Floats:
    """Return costs that no end by each of some times is below, and after one, (cases, times of each).

    They are infinite if there is none. Between an end at which a stage would end at one of the times, or the
    job at its deadline, and the next one, the cost is convex: two lines that touch it from below at both ends
    of each quarter hold it up.
    """
    cost, soonest, stages = *job[:2], [stage for stage in job[2] if stage.seconds > 0]
    last = [times[-1] + s.tail + max(s.length.max(initial=0.0), s.seconds) for s in stages]
    marks = [np.array([soonest, max(last, default=soonest)]), *(times + s.tail for s in stages)]
    marks += [np.array([cost.due])] if cost.due < np.inf else []
    always = np.maximum(np.concatenate(marks), soonest)
    own = [_quarters(always, each) for each in at_most]
    ends = own[0] if len(own) == 1 else np.unique(np.concatenate(own))
    if is_cut := after > soonest:
        ends = np.append(after, ends[ends > after])
    sums = np.zeros((3, len(prices), len(ends)))
    for stage in stages:
        sums += _needs(stage, ends, times, prices[:, stage.kind])
    paid, left, right = sums
    late, soon_late = ends > cost.due, ends >= cost.due
    here, beyond = cost.at(ends, late) + paid, cost.at(ends, soon_late) + paid
    here[:, :1] = beyond[:, :1] if is_cut else here[:, :1]
    left = left + cost.second + cost.late_second * late
    right = right + cost.second + cost.late_second * soon_late
    a, b, c, d, wide = beyond[:, :-1], right[:, :-1], here[:, 1:], left[:, 1:], np.diff(ends)
    steep = np.where((b < 0) & (d > 0), d - b, np.inf)
    cross = a + b * np.minimum(np.maximum((a - c + d * wide) / steep, 0.0), wide)
    here[:, 1:] = np.minimum(c, np.where(np.isinf(steep), np.inf, cross))
    least = np.full((len(prices), len(ends) + 1), np.inf)
    np.minimum.accumulate(here, axis=1, out=least[:, 1:])
    return least[np.arange(len(prices))[:, None], np.searchsorted(ends, at_most, "right")]


def _quarters(marks: Floats, at_most: Floats) -> Floats:
    """Return the quarters between marks and times, up to the last time."""
    some = at_most[(at_most >= marks.min()) & (at_most < np.inf)]
    ends = np.unique(np.append(marks, some))
    ends = ends[ends <= max(at_most.max(), ends[0])]
    return np.append((ends[:-1, None] + np.diff(ends)[:, None] * QUARTERS).ravel(), ends[-1])


def _needs(stage: StageOfJob, ends: Floats, times: Floats, prices: Floats) -> Floats:
    """Return what ends pay for a stage, and how that changes before and after each, (3, cases, ends).

    Where a stage ends at one of the times, it pays for all before, and perhaps less after; elsewhere it bends
    upwards. Sums of times may be wrong by `none`: what is so near is taken to be there.
    """
    length, seconds, none = stage.length, stage.seconds, 4e-15 * ends[-1]
    some = prices.any(axis=0)
    times, prices = times[some], prices[:, some]
    behind, over = np.append(np.cumsum(length[::-1])[::-1], 0.0), ends - stage.tail
    until = np.searchsorted(times, over + none, "right")  # all before a later time has to be paid for
    since = np.searchsorted(times, over - max(length.max(initial=0.0), seconds) - none)
    row = np.repeat(np.arange(len(ends)), until - since)
    time = np.arange(len(row)) + np.repeat(until - np.cumsum(until - since), until - since)
    left = np.maximum(over[row] - times[time], 0.0)
    fits = np.searchsorted(length, left + none, "right")
    tasks = stage.share * (behind[fits] - (len(length) - fits) * left)
    needs = np.maximum(np.maximum(tasks, seconds - left), 0.0)
    shorter, near = fits.copy(), np.flatnonzero(length[fits - 1] >= left - none)
    shorter[near] = np.searchsorted(length, left[near] - none)
    going, falls = -stage.share * (len(length) - fits), -stage.share * (len(length) - shorter)
    filled = needs - (seconds - left) <= none  # the slots, not the tasks, say how much at least
    after = np.where(filled, -1.0 * (seconds - left > none), going)
    before = np.where(left > none, np.where(filled, -1.0, falls), 0.0)
    sums = np.empty((3, len(prices), len(ends)))
    for case, price in enumerate(prices.take(time, axis=1)):
        for place, amount in enumerate((needs, before, after)):
            sums[place, case] = np.bincount(row, amount * price, len(ends))
    later = np.zeros((len(prices), len(times) + 1))
    later[:, :-1] = prices[:, ::-1].cumsum(axis=1)[:, ::-1]
    sums[0] += seconds * later.take(until, axis=1)
    return sums


def _there(jobs: list[Job], times: Floats, looks: list[float], kinds: int, linked: bool) -> Floats:
    """Return the seconds of each kind of slots that jobs can have had by each time, (kinds, times).

    No more than has passed; and no more than what they can have had by any look before, and all since then.
    """
    there = np.tile(times, (kinds, 1))
    own = [(stage, j) for j, (_, _, stages) in enumerate(jobs) for stage in stages if stage.seconds > 0]
    for kind in range(kinds):
        mine = [(stage, j) for stage, j in own if stage.kind == kind]
        head = np.array([stage.head for stage, _ in mine])
        of_task = np.array([place for place, (stage, _) in enumerate(mine) for _ in stage.longest], np.int64)
        longest = np.array([task for stage, _ in mine for task in stage.longest.tolist()])
        share = np.array([stage.share for stage, _ in mine])
        before = np.zeros(len(jobs))
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
    best = 0.0
    some = can > 0
    for value, size in sorted(zip(can[some].tolist(), needed[some].tolist(), strict=True), key=_by_room):
        part = 1.0 if size <= room else room / size
        best, room = best + part * value, room - part * size
        if part < 1:
            break
    return best


def _by_room(pair: tuple[float, float]) -> float:
    return pair[1] / pair[0]
