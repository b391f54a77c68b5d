"""How short any schedule could be: the largest of several lower bounds on the makespan, and why.

Own reasoning on 000 section 3, with what is known of machines in general: the functions say whose. All of it
holds with filler reduces and any slowstart, with every shuffle model, with arrivals, with contention and with
overheads, which only delay; for every policy that runs tasks on slots of their own type and, without regard
to types, for those that lend slots (002). Where jobs share scans (003), a block that some job needs is
scanned once at least, and scans are cut in any way.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.kept_answers import kept
from core.model.progress import never_stop
from core.model.time_text import duration_text
from core.optimize.away_capacity import away_windows, capacity_of
from core.optimize.early_or_late import early_or_late_bound
from core.optimize.longest_path import longest_path, path_of
from core.optimize.premise import PLAIN
from core.optimize.set_bound import bound_of_sets
from core.optimize.stage_demands import Demands, alike
from core.optimize.windows import Window, begins, numbers_of_window, window_bound
from core.planning.johnson import johnson_order, two_stage_makespan
from core.shared_scans.scan_jobs import least_scan_work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.premise import Premise
    from core.optimize.stage_demands import Machine, Pieces

    Floats = NDArray[np.float64]

INSTANT_JOBS = 10
"""So few jobs that looking at all sets of them takes a millisecond."""
MAX_SET_JOBS = 20
"""So many that it takes up to a second."""
ALMOST = 1 - 1e-9
"""Bounds that differ by less say the same."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A time before which no policy can finish a workload.

    Attributes
    ----------
    seconds : the time
    why : in plain words, as the end of "no schedule is shorter, since ..."
    proof : the rule and its numbers, from which `core.verify.check` works it out again by arithmetic of its
        own; empty where it has no such rule
    limit : the sentence that says what no cluster can change, where that is this bound, of jobs that follow
        others or are graphs of stages; else empty
    """

    seconds: float
    why: str
    proof: Mapping[str, Any] = field(default_factory=dict, hash=False)
    limit: str = ""


def lower_bound(workload: Workload, cluster: Cluster, premise: Premise = PLAIN) -> float:
    """Return a time in seconds before which no policy that keeps the premise can finish the workload."""
    return makespan_bound(workload, cluster, premise).seconds


def makespan_bound(workload: Workload, cluster: Cluster, premise: Premise = PLAIN) -> Bound:
    """Return the largest bound that takes little time, and why it holds; kept for those of the last calls.

    Neither slowstart nor overheads count, so scenarios that differ in them share one. Where the premise
    allows that slots are lent, those of both kinds are one machine; where it allows second copies, no task is
    longer than one.
    """
    facts = replace(cluster, slowstart=0.0, overheads=None)
    if premise.copies:
        workload = no_longer_than_copies(workload)
    plain = _kept_bound(workload, replace(facts, events=None), premise.lends, premise.shares_scans)
    if cluster.events is None or cluster.has_nodes:
        return plain
    away = _kept_away_bound(workload, facts, premise.lends, premise.shares_scans)
    return away if away.seconds * ALMOST > plain.seconds else plain


@kept(8)
def _kept_away_bound(workload: Workload, cluster: Cluster, lends: bool, shares_scans: bool) -> Bound:
    """Return the bound by what nodes that fail, return and run slower can do: see `away_capacity`."""
    scans = least_scan_work(workload) if shares_scans else None
    demands, found = Demands.of(workload, cluster, lends=lends, scans=scans), [Bound(0.0, "")]
    for machine in demands.machines:
        if not machine.slots:
            continue
        capacity = capacity_of(cluster, machine)
        for window, is_backwards in away_windows(demands.stages_to_the_end, machine, capacity):
            until, rest = duration_text(window.begin + window.busy), duration_text(window.rest)
            begin = duration_text(window.begin)
            before = (
                f"too little can have run by {begin}, and then " if is_backwards else f"from {begin} on, "
            )
            need = f"the {machine.tasks} need all that is there of {machine.name.removeprefix('all ')}"
            follows = f", and then at least {rest} of what follows is left" * (window.rest > 0)
            why = f"{before * (window.begin > 0)}{need} until {until}{follows}"
            found.append(Bound(window.seconds, why))
    return _largest(found)


@kept(8)
def no_longer_than_copies(workload: Workload) -> Workload:
    """Return the workload with every time of a task at most the median of its stage: what a copy takes.

    A copy starts after the first one, so no task with two ends sooner than it would with these times.
    """
    jobs = []
    for job in workload.jobs:
        stages = [stage.at_most_usual() if stage.count else stage for stage in job.stages]
        jobs.append(replace(job, stages=tuple(stages)))
    return replace(workload, jobs=tuple(jobs))


@kept(8)
def _kept_bound(workload: Workload, cluster: Cluster, lends: bool, shares_scans: bool) -> Bound:
    scans = least_scan_work(workload) if shares_scans else None
    demands = Demands.of(workload, cluster, lends=lends, scans=scans)
    plain, quick = [_alone(workload, cluster, demands)], []
    if not (lends or shares_scans or cluster.has_containers) and workload.columns.stages.are_map_reduce:
        quick = [*_two_stages(demands)]
        if len(workload.jobs) <= INSTANT_JOBS:
            quick.append(_sets(demands))
    beat = _largest([*plain, *quick]).seconds * ALMOST
    plain_jobs = workload.columns.stages.are_map_reduce and not len(workload.columns.links)
    words = MAP_REDUCE_WORDS if plain_jobs else GRAPH_WORDS
    for machine in demands.machines:
        plain += _busy(demands, machine, beat, words)
        beat = _largest([*plain, *quick]).seconds * ALMOST
    if cluster.shuffle_model == "overlap":
        plain += _held(workload, demands, beat, words)
    return _largest([*plain, *quick])


def _largest(bounds: list[Bound]) -> Bound:
    """Return the largest of bounds, in the words of the first of equal ones."""
    seconds = max(bound.seconds for bound in bounds)
    return next(replace(bound, seconds=seconds) for bound in bounds if bound.seconds >= seconds * ALMOST)


def can_be_refined(workload: Workload, cluster: Cluster) -> bool:
    """Whether `refined_bound` looks at more than `makespan_bound` does.

    That is for more than ten jobs on typed slots, all of maps and reduces.
    """
    is_typed = not cluster.has_containers
    return len(workload.jobs) > INSTANT_JOBS and is_typed and workload.columns.stages.are_map_reduce


def refined_bound(
    workload: Workload, cluster: Cluster, should_stop: Callable[[], bool] = never_stop
) -> Bound:
    """Return a bound that may take a second: each job's maps end early or late; all sets of up to 20 jobs.

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    quick = makespan_bound(workload, cluster)
    if not can_be_refined(workload, cluster):
        return quick
    demands, refined = Demands.of(workload, cluster), [quick]
    choice = early_or_late_bound(demands, quick.seconds, should_stop)
    if choice.seconds * ALMOST > quick.seconds:
        why = (
            f"no job can run reduces in the first {duration_text(choice.early)} and still have maps in the "
            f"last {duration_text(choice.late)}, and whichever each job does, too many slots idle"
        )
        numbers = {"early": choice.early, "late": choice.late, "weight": choice.weight, "known": quick.proof}
        refined.append(Bound(choice.seconds, why, {"rule": "early or late"} | numbers))
    if len(workload.jobs) <= MAX_SET_JOBS:
        refined.append(_sets(demands, should_stop))
    return _largest(refined)


def _alone(workload: Workload, cluster: Cluster, demands: Demands) -> Bound:
    """Bound by one job that has all slots for itself from its arrival: its map stage, then its reduces.

    Of a graph of stages the longest chain of them; behind the jobs that it follows, as if each were alone.
    """
    columns = workload.columns
    if len(columns.links) or not columns.stages.are_map_reduce:
        return _path(workload, cluster, demands)
    job = int(demands.ends.argmax())
    arrival, head, tail = (float(each[job]) for each in (demands.arrival, demands.heads, demands.tails))
    stages = [f"{duration_text(head - arrival)} for its maps"] * (head > arrival)
    stages += [f"{duration_text(tail)} for its reduces"] * (tail > 0)
    since = f", here from {duration_text(arrival)} on," * (arrival > 0)
    why = f"{workload.jobs[job].name}{since} needs {' and then '.join(stages) or 'no time'} even alone"
    return Bound(float(demands.ends[job]), why, {"rule": "alone"})


def _path(workload: Workload, cluster: Cluster, demands: Demands) -> Bound:
    """Bound by what follows one another: on any number of slots, where that is all that counts."""
    seconds = float(demands.ends.max())
    path, where, limit = path_of(workload, demands.alone), "on these slots", ""
    anywhere = longest_path(workload, cluster)
    if anywhere.seconds >= seconds * ALMOST:
        path, where, limit = anywhere, "on any number of slots", anywhere.sentence
    why = f"{path.what}, which takes {path.text} {where}{path.thinks}"
    return Bound(seconds, why, {"rule": "alone"}, limit)


class Words(NamedTuple):
    """How bounds call what runs on a machine, by default as it does, what follows, and what goes before."""

    left: str
    ended: str
    tasks: str = ""


MAP_REDUCE_WORDS = Words("of reduces are left", "too few maps can have ended")
GRAPH_WORDS = Words(
    "of what follows them are left", "too little of what they wait for can have ended", "tasks"
)


def _busy(demands: Demands, machine: Machine, beat: float, words: Words) -> Iterator[Bound]:
    """Bound by how long a machine is busy: forwards with what must follow, backwards with what goes before.

    The first stage has a tail and the last one a head: maps and reduces. Each direction looks at one of them
    exactly: see `window_bound`.
    """
    stages = demands.stages_to_the_end
    runs_first, runs_last = (machine.shares[stages[k].task_type] > 0 for k in (0, -1))
    if words is GRAPH_WORDS:  # of graphs, and of jobs that follow others, all stages may have heads and tails
        runs_first = runs_last = True
    for begin in begins(stages, machine) if runs_first else ():
        bound = _forwards(window_bound(stages, machine, begin, beat), machine, words)
        beat = max(beat, bound.seconds * ALMOST)
        yield bound
    if runs_last:
        mirrored = tuple(stage.mirrored for stage in stages)
        yield _backwards(window_bound(mirrored, machine, 0.0, beat), machine, words)


def _numbers(window: Window, machine: Machine, *, backwards: bool) -> dict[str, Any]:
    """Return the proof of a bound by a window; a machine that is not made of slots has none."""
    numbers = numbers_of_window(window, machine, backwards=backwards)
    return {"rule": "window", "held": False, **numbers} if numbers else {}


def _forwards(window: Window, machine: Machine, words: Words) -> Bound:
    since = f"from {duration_text(window.begin)} on, " * (window.begin > 0)
    follows = f", and then at least {duration_text(window.rest)} {words.left}" * (window.rest > 0)
    until, tasks = duration_text(window.begin + window.busy), words.tasks or machine.tasks
    if window.waves:
        why = f"{since}long {tasks} have to follow one another on some slot until {until}{follows}"
    else:
        why = f"{since}the {tasks} keep {machine.name} busy until {until}{follows}"
    return Bound(window.seconds, why, _numbers(window, machine, backwards=False))


def _backwards(window: Window, machine: Machine, words: Words) -> Bound:
    before = f"up to {duration_text(window.rest)} {words.ended}, and then " * (window.rest > 0)
    tasks = words.tasks or machine.tasks
    if window.waves:
        why = f"{before}long {tasks} that are left follow one another on some slot for"
    else:
        why = f"{before}the {tasks} that are left keep {machine.name} busy for"
    why = f"{why} {duration_text(window.busy)}"
    return Bound(window.seconds, why, _numbers(window, machine, backwards=True))


def _held(workload: Workload, demands: Demands, beat: float, words: Words) -> Iterator[Bound]:
    """Bound by how long tasks hold their slots where a filler, too, spends its typical shuffle.

    That is the "overlap" model: whenever a reduce, or a task of another stage that waits, begins, it holds
    its slot for its typical shuffle and then what follows it at least, and it begins no sooner than its job
    arrives.
    """
    columns = workload.columns
    waits = columns.stages.has_parents
    stages = tuple(
        _held_from_arrival(pieces, (columns.duration + columns.typical_shuffle)[tasks], demands.arrival)
        if waits[some].any()
        else pieces
        for pieces, (_, some, tasks) in zip(demands.stages, alike(columns), strict=True)
    )
    for machine in demands.machines:
        if words is GRAPH_WORDS or machine.shares[stages[-1].task_type]:
            for bound in _busy(demands._replace(stages=stages), machine, beat, words):
                yield replace(bound, proof=bound.proof and {**bound.proof, "held": True})


def _held_from_arrival(pieces: Pieces, lengths: Floats, arrival: Floats) -> Pieces:
    """Return a stage of each job whose tasks hold their slots so long and may begin as soon as it arrives."""
    jobs = len(arrival)
    longest = np.zeros(jobs)
    np.maximum.at(longest, pieces.group, lengths)
    return replace(
        pieces,
        heads=arrival,
        fluid=np.zeros(jobs),
        lengths=lengths,
        work=np.asarray(np.bincount(pieces.group, lengths, jobs), np.float64),
        longest=longest,
    )


def _two_stages(demands: Demands) -> Iterator[Bound]:
    """Bound by both kinds of typed slots: Johnson's optimum of areas (Johnson 1954; 000 section 3.2).

    Spread each job's maps evenly over all map slots, for m seconds, and its reduces over all reduce slots,
    for r seconds. Take the jobs as their map stages end in any schedule: when the k-th ends, the maps of k
    jobs are done, and the reduces of it and of those behind it are all still to come. So the schedule is no
    shorter than the two stages of m and r in this order, nor than those in Johnson's order, the best of all.
    With only the jobs that arrive from some time on, all that comes behind that time.
    """
    first, _ = demands.stages
    for begin in {0.0, *begins(demands.stages, demands.machines[first.task_type])}:
        here = demands.arrival >= begin
        of_maps, of_reduces = (each[here] for each in demands.areas)
        makespan = two_stage_makespan(johnson_order(of_maps, of_reduces), of_maps, of_reduces)
        since = f"from {duration_text(begin)} on, " * (begin > 0)
        why = f"{since}in whichever order map stages end, the reduces behind one of them take too long"
        yield Bound(begin + makespan, why, {"rule": "two stages", "begin": begin})


def _sets(demands: Demands, should_stop: Callable[[], bool] = never_stop) -> Bound:
    why = "of all orders in which map stages may end, the best leaves so much behind one of them"
    return Bound(bound_of_sets(demands, should_stop), why, {"rule": "sets"})
