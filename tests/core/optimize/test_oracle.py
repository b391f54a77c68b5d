"""Bounds, proofs and answers against the best of all schedules, which an exact solver proves.

Twenty random instances of each kind, ten for searches; ten times as many with `--thorough`, and then for
every objective. The solver may fail to prove one in its limit; that few do is held, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.document_state import Scenario
from core.model.errors import InputError, StalledError
from core.model.objectives import OBJECTIVES
from core.model.schedule import PolicyChoice
from core.model.slots_that_stay import with_slots_that_stay
from core.optimize.best_split import best_split
from core.optimize.bounds import lower_bound, refined_bound
from core.optimize.evaluate import alone_seconds
from core.optimize.fewest_slots import fewest
from core.optimize.job_questions import halving, latest_arrival
from core.optimize.objectives import Objective
from core.optimize.premise import Premise
from core.optimize.search import optimize
from core.optimize.short_searches import ShortSearches, plan_searches
from core.simulation.best_schedule import wanted_search
from core.simulation.front_proofs import prove_front
from core.simulation.plan_front import search_front
from core.simulation.proofs import certify_gap, proof_of
from core.study.capacity import best_policy_split, capacity
from tests import random_tests
from tests.builders import run
from tests.core.optimize.exact_solver import Freedom, NotProvedError, can_reach, exact_best
from tests.core.optimize.small_instances import APPLICATIONS, GRAPHS, KINDS, LINKED, MANY, SCANS, instance
from tests.core.verify.made import OPEN, certificate_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.cluster import Cluster
    from core.model.workload import Workload

MIX = "makespan=2,mean-response=1,tardiness=0.5,late-jobs=3"
OTHERS = (*(name for name in OBJECTIVES if name != "makespan"), MIX)
TYPED = tuple(kind for kind in KINDS if "containers" not in kind and kind != "nodes")
MAKESPAN = {"makespan": 1.0}
FINE = Freedom(parts=32)
BETWEEN = Freedom(parts=2)
"""Schedules in half seconds: nothing may beat a bound."""
MAX_NOT_PROVED = 0.04
"""Part of the proofs that the solver may give up, besides one."""
STEPS = {False: 3000, True: 40}
"""Of a search, on typed and on untyped slots."""


@dataclass
class Tally:
    """How many proofs were asked for, and which the solver gave up."""

    asked: int = 0
    given_up: list[str] = field(default_factory=list)

    def each(self, kind: str, count: int = 20) -> Iterator[tuple[int, Workload, Cluster]]:
        """Yield the instances of a kind with their seeds, ten times as many if somebody waits."""
        for seed in range(10 * count if random_tests.is_thorough else count):
            yield seed, *instance(kind, seed)
        print(f"{kind}: {self.asked} proofs, {len(self.given_up)} given up")  # noqa: T201 - shown by -s
        assert len(self.given_up) <= 1 + MAX_NOT_PROVED * self.asked, self.given_up

    def ask(self, about: str, proof: Callable[[], Any]) -> Any:
        """Return what the solver proves; None if it does not in its limit."""
        self.asked += 1
        try:
            return proof()
        except NotProvedError:
            self.given_up.append(about)
            return None


@pytest.fixture
def tally() -> Tally:
    return Tally()


def objectives(seed: int, *, in_turn: bool = False) -> list[Objective]:
    """The makespan and two others in turn; all of them if somebody waits, unless it is to be in turn."""
    few = in_turn or not random_tests.is_thorough
    some = [OTHERS[(2 * seed + i) % len(OTHERS)] for i in range(2)] if few else OTHERS
    return [Objective.of(name) for name in ("makespan", *some)]


def is_beaten(bound: float, *given: Any, **more: Any) -> bool:
    """Whether a schedule is below a bound by more than rounding."""
    return bound > 0 and can_reach(bound * (1 - 1e-9), *given, **more)


# ---- bounds


@pytest.mark.parametrize("kind", KINDS)
def test_no_schedule_is_below_a_bound(kind: str, tally: Tally) -> None:
    for seed, workload, cluster in tally.each(kind):
        alone = alone_seconds(workload, cluster)
        for objective in objectives(seed):
            bounds = [objective.bound(workload, cluster, alone)]
            if priced := objective.priced(workload, cluster, alone, with_cases=True):
                bounds.append(priced[0])
            if objective.name == "makespan":
                bounds.append(refined_bound(workload, cluster).seconds)
            given = workload, cluster, dict(objective.weights), alone, BETWEEN
            about = f"{kind} {seed}, {objective.name}: {max(bounds)}"
            assert not tally.ask(about, partial(is_beaten, max(bounds), *given)), about


@pytest.mark.parametrize("kind", APPLICATIONS)
def test_of_applications_no_schedule_is_below_a_bound(kind: str, tally: Tally) -> None:
    """Graphs of stages, links and think times, slots that come and go: by every measure, a policy's too."""
    for seed, workload, cluster in tally.each(kind, 60 if random_tests.is_thorough else 30):
        alone = alone_seconds(workload, with_slots_that_stay(cluster))
        done = [finished(workload, cluster, policy) for policy in ("fifo", "fair")]
        for name in ("makespan", *(OTHERS if seed % 4 == 0 or random_tests.is_thorough else ())):
            objective = Objective.of(name)
            priced = objective.priced(workload, cluster, alone, with_cases=True)
            bound = max(objective.bound(workload, cluster, alone), priced[0] if priced else 0.0)
            about = f"{kind} {seed}, {name}: {bound}"
            values = [objective.value(workload, each, alone) for each in done if each is not None]
            assert min(values, default=np.inf) >= bound * (1 - 1e-9), about
            given = bound, workload, cluster, dict(objective.weights), alone, BETWEEN
            assert not tally.ask(about, partial(is_beaten, *given)), about


@pytest.mark.parametrize("kind", APPLICATIONS)
def test_of_applications_the_best_is_no_worse_than_what_policies_do(kind: str, tally: Tally) -> None:
    """So the solver forbids nothing that the simulator does; and half of the bounds are the best."""
    met = 0
    for seed, workload, cluster in tally.each(kind):
        best = tally.ask(f"{kind} {seed}", partial(exact_best, workload, cluster, MAKESPAN))
        done = [finished(workload, cluster, policy) for policy in ("fifo", "fair")]
        if best is not None:
            assert best <= min((each.max() for each in done if each is not None), default=np.inf)
            met += lower_bound(workload, cluster) >= best * (1 - 1e-9)
    assert met >= (5 if "come" in kind else 10)


@pytest.mark.parametrize("kind", [kind for kind in APPLICATIONS if "nodes" not in kind])
def test_of_applications_only_the_best_is_certified(kind: str, tally: Tally) -> None:
    """The checker accepts every schedule of the simulator, and calls only the best ones optimal."""
    confirmed = 0
    for seed, workload, cluster in tally.each(kind):
        try:
            schedule = run(workload, cluster)
        except StalledError:
            continue
        made = certificate_of(schedule)
        about = f"{kind} {seed}: {made.verdict.problems}"
        assert all(each.endswith(OPEN) for each in made.verdict.problems), about
        if made.is_confirmed:
            confirmed += 1
            best = tally.ask(about, partial(exact_best, workload, cluster, MAKESPAN))
            assert best is None or schedule.makespan == pytest.approx(best), about
    assert confirmed >= 3


def finished(workload: Workload, cluster: Cluster, policy: str) -> Any:
    """When the jobs end under a policy, (jobs,); None where fillers hold all slots for good."""
    try:
        return run(workload, cluster, policy).finish
    except StalledError:
        return None


@pytest.mark.parametrize("kind", TYPED)
def test_none_that_lends_slots_is_below_the_bound_for_lenders(kind: str, tally: Tally) -> None:
    for seed, workload, cluster in tally.each(kind):
        bound = lower_bound(workload, cluster, Premise(lends=True))
        about, free = f"{kind} {seed}: {bound}", replace(BETWEEN, lends=True)
        given = workload, cluster, MAKESPAN
        assert not tally.ask(about, partial(is_beaten, bound, *given, freedom=free)), about


def test_none_that_shares_scans_is_below_the_bound_for_sharing(tally: Tally) -> None:
    for seed, workload, cluster in tally.each(SCANS):
        given = workload, cluster, MAKESPAN
        for shares, lends in product((False, True), repeat=2):
            bound = lower_bound(workload, cluster, Premise(lends=lends, shares_scans=shares))
            about = f"{seed}, shares {shares}, lends {lends}: {bound}"
            free = replace(BETWEEN, shares_scans=shares, lends=lends)
            assert not tally.ask(about, partial(is_beaten, bound, *given, freedom=free)), about


def test_of_many_jobs_none_is_below_the_refined_bound(tally: Tally) -> None:
    for seed, workload, cluster in tally.each(MANY):
        bound = refined_bound(workload, cluster).seconds
        about = f"{seed}: {bound}"
        assert not tally.ask(about, partial(is_beaten, bound, workload, cluster, MAKESPAN)), about


# ---- searches


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_finds_nothing_better_than_the_best_and_proves_only_that(kind: str, tally: Tally) -> None:
    for seed, workload, cluster in tally.each(kind, 10):
        some = objectives(seed, in_turn=cluster.has_containers)  # these take longest
        for objective in some if random_tests.is_thorough else some[seed // 2 % 2 :][:1]:
            steps = STEPS[cluster.has_containers]
            found = optimize(workload, cluster, objective=objective, steps=steps, seed=seed)
            alone = alone_seconds(workload, cluster)
            about = f"{kind} {seed}, {objective.name}: {found}"
            exact = partial(exact_best, workload, cluster, dict(objective.weights), alone.tolist())
            best = tally.ask(about, exact)
            if best is None:
                continue
            if found.plan.wakes:  # what begins a moment later is between whole seconds
                best = tally.ask(about, partial(exact, freedom=FINE))
                if best is None:
                    continue
                moments = (workload.map_count + workload.reduce_count) / FINE.parts
                assert best - moments <= found.best < best + 1e-9, about
                assert found.bound <= found.best * (1 + 1e-9), about
                continue
            assert found.best >= best * (1 - 1e-9), about
            assert found.bound <= best * (1 + 1e-9), about
            assert found.best == pytest.approx(best, rel=1e-8) or not found.proved, about


@pytest.mark.parametrize("kind", APPLICATIONS)
def test_of_applications_a_search_finds_and_proves_only_what_there_is(kind: str, tally: Tally) -> None:
    """Orders of jobs and tasks on graphs, links and slots that come and go; most of them are the best."""
    best_found = 0
    for seed, workload, cluster in tally.each(kind, 10):
        name = ("makespan", "tardiness", "late-jobs")[seed % 3]
        found = optimize(workload, cluster, objective=Objective.of(name), steps=20, seed=seed, compiled=False)
        about = f"{kind} {seed}, {name}: {found}"
        finish = run(workload, cluster, "critical", plan=found.plan).finish
        assert Objective.of(name).value(workload, finish) == pytest.approx(found.best), about
        best = tally.ask(about, partial(exact_best, workload, cluster, {name: 1.0}))
        if best is None:
            continue
        assert found.best >= best - 1e-9, about
        assert found.bound <= best + 1e-9, about
        assert found.best == pytest.approx(best) or not found.proved, about
        best_found += found.best == pytest.approx(best)
    assert best_found >= 5


# ---- certificates and fronts

SLOTS = tuple(kind for kind in KINDS if kind != "nodes")
"""Kinds that have certificates."""
STRETCHED = "stretch=3,mean-response=1", "makespan=1,stretch=2,late-jobs=1"
FRONTS = (
    ("makespan", "mean-response"),
    ("stretch", "makespan"),
    ("tardiness", "late-jobs"),
    ("weighted-response", "stretch"),
    ("late-jobs", "mean-response"),
    ("makespan", "tardiness"),
)


@pytest.mark.parametrize("kind", SLOTS)
def test_no_certificate_says_more_than_the_best(kind: str, tally: Tally) -> None:
    """Of every goal in turn and of mixes: the bound of a gap, and what is called optimal."""
    names = (*OBJECTIVES, MIX, *STRETCHED)
    for seed, workload, cluster in tally.each(kind, len(names)):
        objective = Objective.of(names[seed % len(names)])
        found = optimize(workload, cluster, objective=objective, steps=40, seed=seed, compiled=False)
        alone = alone_seconds(workload, cluster)
        exact = partial(exact_best, workload, cluster, dict(objective.weights), alone.tolist())
        about = f"{kind} {seed}, {objective.name}: {found}"
        best = tally.ask(about, partial(exact, freedom=FINE if found.plan.wakes else Freedom()))
        gap = certify_gap(workload, cluster, found, objective=objective)
        assert gap.certificate is not None, gap
        bound = gap.certificate.verdict.bound
        assert bound >= found.bound * (1 - 1e-9) or not gap, about
        if best is None:
            continue
        moments = (workload.map_count + workload.reduce_count) / FINE.parts if found.plan.wakes else 0.0
        assert bound <= best * (1 + 1e-9), about
        proof = proof_of(workload, cluster, found, objective=objective)
        assert not proof or found.best <= best * (1 + 1e-9), about
        assert found.best >= best * (1 - 1e-9) - moments, about


@pytest.mark.parametrize("kind", SLOTS)
def test_a_front_says_nothing_false(kind: str, tally: Tally) -> None:
    """No schedule is below the bound of a point's mix, and its plan is what it says; the checker agrees."""
    for seed, workload, cluster in tally.each(kind, len(FRONTS)):
        goals = FRONTS[seed % len(FRONTS)]
        if not workload.has_deadlines and {*goals} & {"tardiness", "late-jobs"}:
            continue
        effort = {"steps": 30, "compiled": False}
        wanted = wanted_search(workload, cluster, Objective(), effort=effort, seed=seed)
        points, file = prove_front(wanted, goals, search_front(wanted, goals, 3))
        assert file.verdict.problems == (), f"{kind} {seed}"
        alone = alone_seconds(workload, cluster)
        for point in points:
            finish = run(workload, cluster, "critical", plan=point.plan).finish
            values = [Objective.of(goal).value(workload, finish, alone) for goal in goals]
            assert point.values == pytest.approx(values)
            # the solver adds up whole numbers: weights that are a little larger let no schedule be better
            above = [math.ceil(1024 * weight) / 1024 for weight in point.weights]
            weights = dict(zip(goals, above, strict=True))
            about = f"{kind} {seed}, {goals}: {point}"
            given = workload, cluster, weights, alone.tolist(), BETWEEN
            assert not tally.ask(about, partial(is_beaten, point.bound, *given)), about


# ---- questions


def searches(seed: int) -> ShortSearches:
    """Short searches with all levers; they need not find the best, only say nothing false."""
    return ShortSearches(plan_searches(seed, 6), steps=6)


def replayed(workload: Workload, cluster: Cluster, plan: Any) -> float:
    """The makespan of a plan in the ordinary simulator."""
    return run(workload, cluster, "critical", plan=plan).makespan


def sized(cluster: Cluster, varied: str, size: int) -> list[Cluster]:
    """Every cluster of a size."""
    if varied == "total":
        return [replace(cluster, map_slots=maps, reduce_slots=size - maps) for maps in range(size + 1)]
    if varied == "nodes":
        return [replace(cluster, nodes=(replace(cluster.nodes[0], count=size),))]
    names = {"maps": ["map_slots"], "reduces": ["reduce_slots"], "containers": ["containers"]}
    sizes: dict[str, Any] = dict.fromkeys(names.get(varied, ["map_slots", "reduce_slots"]), size)
    return [replace(cluster, **sizes)]


def has_room(cluster: Cluster, smaller: Cluster) -> bool:
    """Whether a cluster has all slots that a smaller one has, or is the same."""
    kinds = [(each.map_slots, each.reduce_slots, each.containers) for each in (cluster, smaller)]
    return cluster.nodes == smaller.nodes and all(a >= b for a, b in zip(*kinds, strict=True))


def splits(workload: Workload, cluster: Cluster, total: int) -> list[Cluster]:
    """Every cluster of so many map and reduce slots, of a kind that there are tasks of at least one."""
    least = (workload.map_count > 0, workload.reduce_count > 0)
    return [typed(cluster, maps, total - maps) for maps in range(least[0], total - least[1] + 1)]


def typed(cluster: Cluster, maps: int, reduces: int) -> Cluster:
    return replace(cluster, map_slots=maps, reduce_slots=reduces, containers=0, nodes=())


def a_number_to_vary(seed: int, workload: Workload, cluster: Cluster) -> tuple[Cluster, str]:
    """What a question about sizes varies, and a cluster on which it can be varied."""
    if cluster.has_nodes:
        return replace(cluster, nodes=cluster.nodes[:1]), "nodes"
    if cluster.has_containers:
        return cluster, "containers"
    return cluster, ("maps", "reduces", "both", "total")[seed // 2 % 4]


def a_time_to_end_by(seed: int, best: float) -> float:
    """About as long as the best schedule on the cluster at hand."""
    return max(1.0, best + (0, -1, 2, 0.5)[seed % 4])


def some_of(tally: Tally, kind: str) -> Iterator[tuple[int, Workload, Cluster]]:
    """A fifth of the instances, for one of the questions."""
    for seed, workload, cluster in tally.each(kind):
        if random_tests.is_thorough or seed % 5 == 0:
            yield seed, workload, cluster


@pytest.mark.parametrize("kind", [*KINDS, *GRAPHS, LINKED])
def test_fewest_says_nothing_false(kind: str, tally: Tally) -> None:
    for seed, workload, given in some_of(tally, kind):
        cluster, varied = a_number_to_vary(seed, workload, given)
        best = tally.ask(f"{kind} {seed}", partial(exact_best, workload, cluster, MAKESPAN))
        if best is None:
            continue
        until = a_time_to_end_by(seed, best)
        answer = fewest(workload, cluster, until, varied, searches(seed))  # type: ignore[arg-type]
        check_too_few(tally, workload, cluster, answer, Freedom(parts=2))
        if answer.enough is not None and answer.cluster is not None:
            assert any(has_room(each, answer.cluster) for each in sized(cluster, varied, answer.enough))
            assert replayed(workload, answer.cluster, answer.plan) == answer.makespan <= until
            least = tally.ask(f"{kind} {seed}", partial(exact_best, workload, answer.cluster, MAKESPAN))
            assert least is None or least <= answer.makespan


def check_too_few(tally: Tally, workload: Workload, cluster: Cluster, answer: Any, free: Freedom) -> None:
    """No schedule ends in time on sizes that are said to be too few; where all are, on no larger one."""
    sizes = range(1, answer.too_few + 1 + 2 * (answer.too_few >= answer.most))
    for size in sizes:
        for each in sized(cluster, answer.varied, size):
            about = f"{workload.name}: {answer.varied} {size} by {answer.until}"
            end = partial(can_reach, answer.until, workload, each, MAKESPAN, freedom=free)
            assert not tally.ask(about, end), about


@pytest.mark.parametrize("kind", KINDS)
def test_split_says_nothing_false(kind: str, tally: Tally) -> None:
    for seed, workload, cluster in some_of(tally, kind):
        total = 2 + seed % 5
        answer = best_split(workload, cluster, total, searches(seed))
        for split in answer.searched:
            slots = typed(cluster, split.map_slots, split.reduce_slots)
            assert replayed(workload, slots, split.plan) == split.makespan
            best = tally.ask(f"{kind} {seed}", partial(exact_best, workload, slots, MAKESPAN))
            assert best is None or split.bound <= best <= split.makespan
        for slots in splits(workload, cluster, total):
            if slots.map_slots != answer.best.map_slots:
                about = f"{kind} {seed}: {slots.map_slots} of {total} slots by {answer.others_bound}"
                end = partial(is_beaten, answer.others_bound, workload, slots, MAKESPAN, freedom=BETWEEN)
                assert not tally.ask(about, end), about


def arriving(workload: Workload, name: str, time: float) -> Workload:
    """The workload with a job that arrives at another time."""
    return workload.with_jobs(
        replace(job, arrival=time, deadline=None) if job.name == name else job for job in workload.jobs
    )


@pytest.mark.parametrize("kind", [*KINDS, *GRAPHS, LINKED])
def test_latest_says_nothing_false(kind: str, tally: Tally) -> None:
    for seed, workload, cluster in some_of(tally, kind):
        best = tally.ask(f"{kind} {seed}", partial(exact_best, workload, cluster, MAKESPAN))
        if best is None:
            continue
        until, name = a_time_to_end_by(seed, best), workload.jobs[seed % len(workload.jobs)].name
        answer = latest_arrival(workload, cluster, name, until, searches(seed))
        after = max(0.0, math.floor(2 * answer.too_late + 1) / 2)  # the first half second behind it
        late = arriving(workload, name, after)
        about = f"{kind} {seed}: {answer}"
        in_time = partial(can_reach, until, freedom=BETWEEN, weights=MAKESPAN, cluster=cluster)
        assert not tally.ask(about, partial(in_time, workload=late)), about
        if answer.latest is not None:
            found = arriving(workload, name, answer.latest)
            assert replayed(found, cluster, answer.plan) == answer.makespan <= until * (1 + 1e-12)
            whole = arriving(workload, name, float(math.floor(answer.latest)))
            assert tally.ask(about, partial(in_time, workload=whole)) in (True, None), about
            assert answer.latest <= answer.too_late


@pytest.mark.parametrize("kind", TYPED)
def test_halving_says_nothing_false(kind: str, tally: Tally) -> None:
    """All is twice as long, so that halves are whole seconds."""
    for seed, given, cluster in some_of(tally, kind):
        workload = given.with_jobs(scaled(job, 2.0) for job in given.jobs)
        answer = halving(workload, cluster, searches(seed))
        for halved in answer.jobs:
            changed = workload.with_jobs(
                scaled(job, 0.5, arrival=job.arrival) if job.name == halved.name else job
                for job in workload.jobs
            )
            best = tally.ask(f"{kind} {seed}", partial(exact_best, changed, cluster, MAKESPAN))
            assert best is None or halved.bound <= best * (1 + 1e-9)
            assert best is None or halved.plan is None or best <= halved.makespan


def scaled(job: Any, factor: float, arrival: float | None = None) -> Any:
    """A job that takes so many times as long, and arrives so many times as late."""
    maps, reduces = (
        replace(
            stage,
            durations=factor * stage.durations,
            first_shuffle=factor * stage.first_shuffle,
            typical_shuffle=factor * stage.typical_shuffle,
        )
        for stage in (job.maps, job.reduces)
    )
    when = factor * job.arrival if arrival is None else arrival
    return replace(job, maps=maps, reduces=reduces, arrival=when, deadline=None)


POLICIES = ("fifo", "johnson", "fair", "edf-max", "dhfs-pd", "sjf")


@pytest.mark.parametrize("kind", KINDS)
def test_plan_says_nothing_false(kind: str, tally: Tally) -> None:
    for seed, workload, given in some_of(tally, kind):
        cluster, varied = a_number_to_vary(seed, workload, given)
        policy = POLICIES[seed // 4 % len(POLICIES)] if not cluster.has_containers else "fair"
        free = Freedom(lends=policy.startswith("dhfs"), parts=2)
        scenario = Scenario(1, PolicyChoice(policy))
        best = tally.ask(f"{kind} {seed}", partial(exact_best, workload, cluster, MAKESPAN))
        if best is None:
            continue
        until = a_time_to_end_by(seed, best + 2)
        answer = capacity(workload, cluster, scenario, until, varied, engine="interpreted")  # type: ignore[arg-type]
        check_too_few(tally, workload, cluster, answer, free)
        if answer.enough is not None and answer.cluster is not None:
            assert run(workload, answer.cluster, policy).makespan == answer.ends[-1] <= until
            smaller = [each for size in range(1, answer.enough) for each in sized(cluster, varied, size)]
            ends = [ended(workload, each, policy) for each in smaller]
            assert not answer.is_proved or min(ends, default=np.inf) > until


@pytest.mark.parametrize("kind", KINDS)
def test_split_of_a_policy_says_nothing_false(kind: str, tally: Tally) -> None:
    for seed, workload, cluster in some_of(tally, kind):
        policy, total = POLICIES[seed // 4 % len(POLICIES)], 3 + seed % 4
        scenario = Scenario(1, PolicyChoice(policy))
        answer = best_policy_split(workload, cluster, scenario, total, engine="interpreted")
        ends = [ended(workload, each, policy) for each in splits(workload, cluster, total)]
        assert answer.end in ends
        assert not answer.is_proved or answer.end == min(ends)


def ended(workload: Workload, cluster: Cluster, policy: str) -> float:
    """When a policy has ended all; infinity where it cannot."""
    try:
        return run(workload, cluster, policy).makespan
    except (InputError, StalledError):  # no slot for a kind of task, or none that it may have
        return math.inf
