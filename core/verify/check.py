"""Check a certificate: the schedule task by task, and the bound from its numbers, by arithmetic of its own.

It shares no code with the search, the bounds or the simulator, and needs numpy alone. `RULES` are the bounds
that it knows. What each says is true of every schedule for *whatever* numbers it is given, so a wrong number
can make a bound too low, never false; docs/explanation/certificates.md has the proofs.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.verify.every_schedule import NotShownError, rule_of_every_schedule
from core.verify.instant_rule import rule_of_instants
from core.verify.jobs_of_document import Graphs, Links, column_of, why_unreadable
from core.verify.order_rule import rule_of_orders
from core.verify.price_rule import MIX, StageOfJob, rule_of_ranges, stages_of_jobs

Floats = NDArray[np.float64]
NEAR, EXACT = 1e-9, 1e-12
"""The part of a bound that a value which meets it may be above it; the part that a sum may be wrong by."""
MAX_LISTED, MAX_WAVES, MAX_SET_JOBS = 20, 64, 20
OBJECTIVES = ("makespan", "mean-response", "weighted-response", "tardiness", "late-jobs", "stretch")
NOT_SHOWN = "its proof does not hold: "
PREMISE = (
    "for these durations, on these slots, whatever the order, pools and slowstart, "
    "without lending slots and without sharing scans"
)
"""Of what schedules is said that none is better."""
OPTIMAL, WITHIN, NOTHING_ENDS_BY = "optimal", "within", "nothing ends by"


class Inspection(NamedTuple):
    """What the checker found: why it refuses, in sentences, or nothing; and what it worked out by itself.

    `value` is that of the schedule, or the time by which nothing ends; `bound` is what the proof proves.
    """

    problems: tuple[str, ...]
    claim: str = ""
    jobs: int = 0
    tasks: int = 0
    value: float = 0.0
    bound: float = 0.0


class _Work(NamedTuple):
    """What slots of a kind run: of tasks length and stage; of stages from when, what follows, what more.

    A task holds a slot for its length without interruption, no sooner than its stage's head, and the stage's
    tail has to follow. `more` are slot-seconds of the stage that may be done in any way between them.
    """

    length: Floats
    stage: NDArray[np.int64]
    head: Floats
    tail: Floats
    more: Floats

    def left(self, begin: float) -> Floats:
        """Return what is left of each task at a time if it has run since it could."""
        return np.maximum(self.length - np.maximum(begin - self.head, 0.0)[self.stage], 0.0)

    def only(self, some: NDArray[np.bool_]) -> _Work:
        """Return what is of some stages."""
        return self._replace(length=self.length * some[self.stage], more=self.more * some)

    def due(self, begin: float, rest: float, slots: int) -> Floats:
        """Return seconds of each stage, spread over slots, from `begin` on and by `rest` before the end."""
        left = self.left(begin)
        due = np.clip(left + (self.tail - rest)[self.stage], 0.0, left)
        more = np.where((self.head >= begin) & (self.tail >= rest), self.more, 0.0)
        return (np.bincount(self.stage, due, len(self.head)) + more) / max(slots, 1)

    def seconds(self, slots: int) -> Floats:
        """Return the seconds of each stage's work, spread evenly over slots."""
        return (np.bincount(self.stage, self.length, len(self.head)) + self.more) / max(slots, 1)


def check(document: Any) -> Inspection:  # Any: a JSON value, whoever wrote it
    """Return whether a certificate holds, and if not, why; it raises nothing."""
    try:
        return Checker(document).verdict()
    except NotShownError as error:
        return Inspection((f"{NOT_SHOWN}{error}",))
    except Exception as error:  # a missing key, a list for a number: there is no end to it
        return Inspection((f"it cannot be read: {why_unreadable(error)}",))


class Checker:
    """The jobs and the cluster of a document, and what every schedule of theirs needs at least."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Read the jobs and the cluster, and work out what each stage needs at least."""
        if not isinstance(document, dict) or document.get("format") != "slotscope-certificate":
            raise ValueError("this is no certificate: its format is not slotscope-certificate")
        self.by_end: list[tuple[float, str, float]] = []
        self.document, cluster, jobs, tasks = document, *(document[p] for p in ("cluster", "jobs", "tasks"))
        self.stages, number = Graphs.of(jobs), len(jobs["arrival"])
        of, kind, count, _, child = self.stages
        self.is_map_reduce = "stages" not in jobs
        self.fixed, self.weight = (column_of(jobs[f], f"jobs.{f}", number) for f in ("arrival", "weight"))
        self.links = Links.of(jobs.get("links"), np.bincount(of, count, number))
        due = [np.inf if d is None else d for d in jobs["deadline"]]
        self.deadline = column_of(due, "jobs.deadline", number, np.inf)
        took = [np.inf if d is None else d for d in jobs.get("alone", [0.0] * number)]
        self.took = column_of(took, "jobs.alone", number, np.inf)  # what stretch is measured by
        self.duration = column_of(tasks["duration"], "tasks.duration", int(count.sum()))
        self.stage, self.model = np.repeat(np.arange(len(of)), count), cluster["shuffle_model"]
        self.job, self.kind, self.waits = of[self.stage], kind[self.stage], np.isin(self.stage, child)
        self.first, self.typical = np.zeros((2, len(self.stage)))
        for name, column in (("first_shuffle", self.first), ("typical_shuffle", self.typical)):
            column[self.waits] = column_of(tasks[name], f"tasks.{name}", int(self.waits.sum()))
            column *= {"simmr": 1, "overlap": 1, "mumak": 0}[self.model]
        slots = [cluster[name] for name in ("map_slots", "reduce_slots", "containers")]
        column_of(slots, "the cluster's slots", 3, whole=True)
        self.is_typed, self.slots = slots[2] == 0, slots[:2] if slots[2] == 0 else [slots[2], slots[2]]
        self.comes_and_goes = cluster.get("intervals") is not None
        self.opens, self.closes = self._intervals(cluster.get("intervals"), sum(slots))
        # A task counts from the end of what its stage waits for on. At that instant a slot holds one task: so
        # many of a stage can have the first shuffle, if that is shorter, and all others have the typical one.
        takes_time = (count > 0).astype(float)
        some_before = self.stages.latest(np.zeros(len(of)), takes_time) > 0
        later = np.maximum(self.typical - self.first, 0.0) * some_before[self.stage]
        self.length = length = self.duration + self.typical - later
        nothing = np.zeros(len(of))
        alone, more = self._alone(length, later)
        span = np.zeros(number)
        np.maximum.at(span, of, self.stages.latest(nothing, alone) + alone)
        self.arrival = self.links.earliest(self.fixed, span)
        came, self.ends, self.behind = self.arrival[of], self.arrival.copy(), self.links.rest(span)[of]
        head, tail = self.stages.latest(came, alone), self.stages.latest(nothing, alone, backwards=True)
        np.maximum.at(self.ends, of, head + alone)
        self.work = [self._of_kind(k, length, head, tail, more) for k in (0, 1)]
        # In the overlap model a task holds its slot for its typical shuffle at least, whenever it begins.
        held = self.duration + self.typical
        self.held = [self._of_kind(k, held, came, tail, nothing) for k in (0, 1)]
        if self.is_map_reduce:  # by job: stages spread over slots; the one's end, the other's length
            self.areas = [self.work[k].seconds(self.slots[k])[k::2] for k in (0, 1)]
            self.head, self.tail = head[1::2], tail[0::2]

    def _of_kind(self, kind: int, length: Floats, head: Floats, tail: Floats, more: Floats) -> _Work:
        """Return what the slots of a kind run."""
        mine = self.kind == kind
        return _Work(length[mine], self.stage[mine], head, tail, more * (self.stages.kind == kind))

    def _intervals(self, given: Any, slots: int) -> tuple[Floats, Floats]:
        """Return when each slot opens and closes; where no times are given, they are always there."""
        if given is None:
            return np.zeros(slots), np.full(slots, np.inf)
        closes = [np.inf if each is None else each for each in given["closes"]]
        opens = column_of(given["opens"], "intervals.opens", slots)
        return opens, column_of(closes, "intervals.closes", slots, np.inf)

    def _alone(self, length: Floats, later: Floats) -> tuple[Floats, Floats]:
        """Return how long each stage takes with all slots, and the slot-seconds of later shuffles."""
        count = self.stages.tasks
        alone, more, first = np.zeros(len(count)), np.zeros(len(count)), np.cumsum(count) - count
        np.maximum.at(alone, self.stage, length)
        slots_of = np.array(self.slots)[self.stages.kind]
        for g in np.flatnonzero(count > slots_of):
            mine, added = (each[first[g] : first[g] + count[g]] for each in (length, later))
            slots = int(slots_of[g])
            more[g] = np.sort(added)[: count[g] - slots].sum()
            chains = _chains(mine, slots), _chains(mine + added, slots) - added.max()
            alone[g] = max(*chains, (mine.sum() + more[g]) / max(slots, 1))
        return alone, more

    @cached_property
    def stages_of_jobs(self) -> list[list[StageOfJob]]:
        """The stages that prices apply to, by job."""
        return stages_of_jobs(self)

    def about(self, document: dict[str, Any]) -> Checker:
        """Return a checker of another claim about the same jobs on the same cluster."""
        other = copy(self)
        other.document = document
        return other

    def verdict(self) -> Inspection:
        """Check the claim."""
        return self.verdict_and_ends()[0]

    def verdict_and_ends(self) -> tuple[Inspection, Floats, Floats]:
        """Check the claim; and return when jobs end, and when they came, s, (jobs,) each."""
        claim, claimed, stated = (self.document[name] for name in ("claim", "value", "bound"))
        weights, proof, is_run = self.document["objective"], self.document["proof"], claim != NOTHING_ENDS_BY
        column_of([claimed, stated, *weights.values()], "value, bound and weights", 2 + len(weights))
        if "stretch" in weights and "alone" not in self.document["jobs"]:
            raise ValueError("what a job's stretch is measured by is not said: jobs have no times alone")
        known = {OPTIMAL: OBJECTIVES, WITHIN: OBJECTIVES, NOTHING_ENDS_BY: OBJECTIVES[:1]}.get(claim, ())
        if not weights or not {*weights} <= {*known}:
            raise ValueError(f"the claim is {claim!r} of {', '.join(weights)}; none such is known")
        problems, finish, came = self._schedule() if is_run else ([], *np.zeros((2, 1)))
        value = sum(weights[f] * self.value(f, finish, came) for f in weights) if is_run else claimed
        found = {f: max([self.bound(part) for part in proof if part["of"] == f] or [0]) for f in weights}
        together = [self.bound(part) for part in proof if part["of"] == MIX]
        bound = max([sum(weights[f] * found[f] for f in weights), *together])
        near, rounds = NEAR * bound, NEAR * value * (weights != {"makespan": 1})
        is_above = claim == OPTIMAL and value > bound + near
        wrong = (
            (abs(value - claimed) > rounds, "the value is {0!r}, not {2!r}"),
            (abs(bound - stated) > near, "the proof gives the bound {1!r}, not {3!r}"),
            (is_above, "the value is {0!r}, but only less than {1!r} is excluded"),
            (is_run and value < bound - near, "the value {0!r} is below the bound {1!r}: one is false"),
            (not is_run and bound <= claimed * (1 + EXACT), "the bound {1!r} excludes no end by {2!r}"),
        )
        problems += [words.format(value, bound, claimed, stated) for is_wrong, words in wrong if is_wrong]
        counts = len(self.fixed), len(self.job)
        return Inspection(tuple(problems), claim, *counts, float(value), float(bound)), finish, came

    def value(self, objective: str, finish: Floats, came: Floats) -> float:
        """Return the value of a schedule by when its jobs end, and when they came."""
        response, late = finish - came, np.maximum(finish - self.deadline, 0.0)
        values = finish.max(), response.mean(), (self.weight * response).sum() / self.weight.sum()
        stretch = np.divide(response, self.took, out=np.zeros_like(response), where=self.took > 0).max()
        return float((*values, late.sum(), (late > 0).sum(), stretch)[OBJECTIVES.index(objective)])

    def _schedule(self) -> tuple[list[str], Floats, Floats]:
        """Return what is wrong with the schedule, when each job ends, and when it came."""
        given, tasks, job, stages = self.document["schedule"], len(self.job), self.job, self.stages
        start, shuffled, end = (column_of(given[f], f, tasks) for f in ("start", "shuffled", "end"))
        slot = column_of(given["slot"], "slot", tasks, whole=True)
        name = "reduces_after" if self.is_map_reduce else "after"
        needed = np.minimum(
            column_of(given[name], name, len(stages.child), whole=True), stages.tasks[stages.parent]
        )
        finish = self.fixed.copy()
        np.maximum.at(finish, job, end)
        came = self.links.arrivals(self.fixed, finish)
        finish = np.maximum(finish, came)
        over, ready, allowed = (came[stages.job] for _ in range(3))
        np.maximum.at(over, self.stage, end)
        over = stages.latest(over, 0 * over)
        np.maximum.at(ready, stages.child, over[stages.parent])
        in_turn = end[np.lexsort((end, self.stage))]
        nth = (np.cumsum(stages.tasks) - stages.tasks)[stages.parent] + needed - 1
        np.maximum.at(allowed, stages.child[needed > 0], in_turn[nth[needed > 0]])
        ready, own = ready[self.stage], start + self.typical
        filler = np.maximum(ready + self.first, own) if self.model == "overlap" else ready + self.first
        due = np.where(self.waits & (start < ready), filler, own)
        low = self.slots[0] * self.kind * self.is_typed
        high, row = low + np.array(self.slots)[self.kind], np.lexsort((end, start, slot))
        overlaps, known = np.zeros(tasks, bool), np.minimum(slot, len(self.opens) - 1)
        overlaps[row[1:]] = (slot[row[1:]] == slot[row[:-1]]) & (start[row[1:]] < end[row[:-1]])
        closed = (start < self.opens[known]) | (start >= self.closes[known])
        enough = "maps" if self.is_map_reduce else "tasks of the stages before"
        early = self.waits & (start < allowed[self.stage])
        rules = (
            ((slot < low) | (slot >= high), slot, "is on slot {}, which is none of its kind"),
            (overlaps, start, "starts at {} on a slot where another one still runs"),
            (closed, start, "starts at {} on a slot that is not there then"),
            (start < came[job], start, "starts at {}, before its job arrives"),
            (early, start, f"starts at {{}}, before enough {enough} have ended"),
            (shuffled != due, shuffled, "has shuffled at {}, which is not what the shuffle model says"),
            (end != shuffled + self.duration, end, "ends at {}, which is not its duration after its shuffle"),
        )
        return (
            [
                f"task {task}, {self._kind_of(task)} of job {job[task]}, {rule.format(times[task])}"
                for broken, times, rule in rules
                for task in np.flatnonzero(broken)[:MAX_LISTED].tolist()
            ],
            finish,
            came,
        )

    def _kind_of(self, task: int) -> str:
        """Return what a task is, in words."""
        if self.is_map_reduce:
            return "a reduce" if self.waits[task] else "a map"
        first = np.searchsorted(self.stages.job, self.job[task])
        return f"of stage {self.stage[task] - first}"

    def bound(self, part: dict[str, Any], until: float = np.inf) -> float:
        """Return what a rule proves with its numbers: no schedule over by a time, s, has a smaller value."""
        rule, by_end = part["rule"], (until,) * (part["rule"] == "stretched")
        two_kinds = self.is_typed and self.is_map_reduce
        if rule not in RULES or part["of"] not in RULES[rule] or (rule in TYPED and not two_kinds):
            raise ValueError(
                f"the proof has a rule {rule!r} of {part['of']}; none such is known of this cluster"
            )
        numbers = [each for each in part.values() if type(each) in (int, float)]
        column_of(numbers, "the proof's numbers", len(numbers))
        return float(getattr(self, rule.replace(" ", "_"))(part, *by_end))

    def alone(self, part: dict[str, Any]) -> float:
        """Every job ends no sooner than with all slots for itself."""
        return self.value(part["of"], self.ends * (1 - EXACT), self.arrival)

    def window(self, part: dict[str, Any]) -> float:
        """So much is done from `begin` on and by `rest` before the end, or backwards in time."""
        return self._busy(part, self.behind, np.ones(len(self.behind), bool))

    def stretched(self, part: dict[str, Any], until: float) -> float:
        """If none may have more than this stretch or end after a time, each is due by then, and one late."""
        if len(self.links.think):
            raise ValueError("what is due by stretch says nothing of jobs that follow others")
        took = np.where((self.took > 0) & (self.took < np.inf), self.took, np.nan)
        due = np.fmin(self.arrival + part["stretch"] * took, until)  # which is all where nothing is stretched
        some, last, of = due < np.inf, due.max(where=due < np.inf, initial=0.0), self.stages.job
        busy = self._busy(part, np.where(some, last - due, 0.0)[of], some[of])
        return float(part["stretch"]) if busy > last * (1 + EXACT) else 0.0

    def _busy(self, part: dict[str, Any], behind: Floats, some: NDArray[np.bool_]) -> float:
        """Return when some stages and what is behind each can be over, by the rule of windows."""
        (kinds, slots), begin, rest = self._machine(part), part["begin"], part["rest"]
        kinds = [work._replace(tail=work.tail + behind).only(some) for work in kinds]
        if part["backwards"]:
            kinds = [work._replace(head=work.tail, tail=work.head) for work in kinds]
        left = [work.left(begin) for work in kinds]
        ends = [each + work.tail[work.stage] for each, work in zip(left, kinds, strict=True)]
        longest = max(float(end[each > 0].max(initial=0.0)) for end, each in zip(ends, left, strict=True))
        rest = min(rest, longest)  # more would lie before `begin`
        whole = [each[(work.tail >= rest)[work.stage]] for each, work in zip(left, kinds, strict=True)]
        due = sum(float(work.due(begin, rest, slots).sum()) for work in kinds)
        busy = max(due, _chains(np.concatenate(whole), slots))
        return float(begin + busy + rest) if longest > 0 else 0.0

    def two_stages(self, part: dict[str, Any]) -> float:
        """Johnson's optimum of two machines, for the jobs that arrive from `begin` on."""
        maps, reduces = (each[self.arrival >= part["begin"]] for each in self.areas)
        order = np.lexsort((np.where(maps <= reduces, maps, -reduces), maps > reduces))
        ends = np.cumsum(maps[order]) + np.cumsum(reduces[order][::-1])[::-1]
        return float(part["begin"] + ends.max()) if len(ends) else 0.0

    def sets(self, _part: dict[str, Any]) -> float:
        """The best of all orders in which map stages may end, set by set."""
        order = np.argsort(self.arrival, kind="stable")
        columns = np.stack([self.arrival, self.head, self.tail, *self.areas])[:, order].T.tolist()
        done, latest, after = np.zeros((3, 1))
        for arrival, head, _, of_maps, of_reduces in columns if len(order) <= MAX_SET_JOBS else ():
            done = np.append(done, np.maximum(done, arrival) + of_maps)
            latest, after = np.append(latest, np.maximum(latest, head)), np.append(after, after + of_reduces)
        ended, outside, size = np.maximum(done, latest), after[::-1], np.bitwise_count(np.arange(len(done)))
        least = np.where(size, np.inf, 0.0)
        for jobs in range(1, int(size[-1]) + 1):
            sets = np.flatnonzero(size == jobs)
            for j, (_, _, tail, _, of_reduces) in enumerate(columns):
                mine = sets[(sets >> j) & 1 == 1]
                value = ended[mine] + np.maximum(tail, outside[mine] + of_reduces)
                least[mine] = np.minimum(least[mine], np.maximum(value, least[mine ^ (1 << j)]))
        return float(least[-1])

    def early_or_late(self, part: dict[str, Any]) -> float:
        """No job has reduces in the first `early` seconds and maps in the last `late`, if these are apart."""
        early, late, weight = part["early"], part["late"], part["weight"]
        if weight > 1 or self.bound(part["known"] | {"of": "makespan"}) < (early + late) * (1 - EXACT):
            return 0.0
        (maps, reduces), (first, last) = self.areas, self.work
        mirrored = last._replace(head=last.head * 0, tail=last.head)
        before, behind = first.due(0, late, self.slots[0])[0::2], mirrored.due(0, early, self.slots[1])[1::2]
        before = np.maximum(before, maps - np.maximum(late - self.tail, 0))
        behind = np.maximum(behind, reduces - np.maximum(early - self.head, 0))
        least = np.minimum(weight * maps + (1 - weight) * behind, weight * before + (1 - weight) * reduces)
        return float(weight * late + (1 - weight) * early + least.sum())

    def shortest_first(self, part: dict[str, Any]) -> float:
        """One machine that does the shortest that is left first has the least sum of ends."""
        kinds, slots = self._machine(part)
        if len(self.links.think) or not self.is_map_reduce:
            raise ValueError("shortest first says nothing of jobs that follow others, or graphs of stages")
        work = sum(w.seconds(slots).reshape(-1, 2).sum(1) for w in kinds)
        k = int(part["slots"] == "reduces")
        head, rest = kinds[0].head[k::2], kinds[0].tail[k::2] * (len(kinds) == 1)
        order, now, ends, waiting = np.argsort(head), 0.0, 0.0, list[float]()
        releases = [*head[order].tolist(), np.inf]
        for place, seconds in enumerate(work[order].tolist()):
            now = max(now, releases[place])
            heappush(waiting, seconds)
            while waiting and now + waiting[0] <= releases[place + 1]:
                now += heappop(waiting)
                ends += now
            if waiting:
                waiting[0] -= releases[place + 1] - now  # still the smallest
                now = releases[place + 1]
        return float((ends + rest.sum() - self.arrival.sum()) / len(work))

    def prices(self, part: dict[str, Any]) -> float:
        """All jobs pay for slots, each at the end that is cheapest for it, more than there are to be had."""
        return float(rule_of_ranges(self, [part], np.array([np.inf]))[0])

    def instants(self, part: dict[str, Any]) -> float:
        """So they do where each instant has a price of its own."""
        return rule_of_instants(self, part)

    def orders(self, part: dict[str, Any]) -> float:
        """In whatever order few jobs end, each of them ends no sooner than all before it and it can."""
        return rule_of_orders(self, part, _chains)

    def ranges(self, _part: dict[str, Any]) -> float:
        """Wherever the last end is, the other goal costs what it does at least if all is over by then."""
        weights = self.document["objective"]
        least = [self.bound(p) for p in self.document["proof"] if p["of"] == "makespan"]
        begin, found = max(least, default=0.0), np.inf
        for until, goal, value in self.by_end:
            if {*weights} != {"makespan", goal}:
                raise ValueError("the ranges of ends are of other goals")
            found = min(found, weights["makespan"] * begin + weights[goal] * value)
            begin = max(begin, until)
        return float(found) if begin == np.inf else 0.0

    def every_schedule(self, part: dict[str, Any]) -> float:
        """All schedules of a few tasks are tried, and none is better."""
        return rule_of_every_schedule(self, part)

    def _machine(self, part: dict[str, Any]) -> tuple[list[_Work], int]:
        """Return what runs on the slots of a rule, and how many these are."""
        if part["held"] and self.model != "overlap":
            raise ValueError("reduces hold their slots for the typical shuffle in the overlap model only")
        maps, reduces = self.held if part["held"] else self.work
        kinds = {"maps": [maps], "reduces": [reduces], "all": [maps, reduces]}[part["slots"]]
        if self.is_typed and len(kinds) > 1:
            raise ValueError("the cluster has no slots for both kinds of tasks")
        return kinds, max(self.slots[part["slots"] == "reduces"], 1)


TYPED = ("two stages", "sets", "early or late")
RULES: dict[str, tuple[str, ...]] = dict.fromkeys(("window", *TYPED), OBJECTIVES[:1])
RULES |= {"alone": OBJECTIVES, "shortest first": OBJECTIVES[1:2], "prices": (*OBJECTIVES[1:5], MIX)}
RULES |= {"instants": (*OBJECTIVES[1:4], MIX)}
RULES |= {
    "every schedule": (MIX,),
    "ranges": (MIX,),
    "orders": (*OBJECTIVES[1:5], MIX),
    "stretched": OBJECTIVES[5:],
}
"""Of which objectives each rule says something; it is the method of this name."""


def _chains(length: Floats, slots: int) -> float:
    """Return seconds that whole tasks need: of the k slots + 1 longest, some slot runs k + 1."""
    down, slots = -np.sort(-length), max(slots, 1)
    waves = range(min((len(down) - 1) // slots, MAX_WAVES) + 1 if len(down) else 0)
    chains = [float(down[k * slots - k : k * slots + 1].sum()) for k in waves]
    return max(float(down.sum()) / slots, *chains, 0.0)
