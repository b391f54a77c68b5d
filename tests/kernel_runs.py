"""Runs of every compiled function on small random workloads: `python -m tests.kernel_runs --count 40`.

With NUMBA_BOUNDSCHECK=1 and a NUMBA_CACHE_DIR of its own the compiled code says where it leaves an array.
An index below 0 does not leave one, in compiled as in plain code: so the same functions run as plain ones on
lists and arrays that refuse such an index. What was compiled and not called there is printed.
"""

from __future__ import annotations

import argparse
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

from core.charts import raster, raster_kernel
from core.charts.inks import inks_of
from core.charts.raster import scratch
from core.charts.raster_kernel import Frame
from core.engine import jit, job_queues, stepping
from core.engine.state import Row, as_rows
from core.files.resources import resource_path
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.job import Job
from core.model.levers import LEVERS, ROOM_USES, TASK_ORDERS, JobPlan, StagePlan
from core.model.node_events import NodeEvent, NodeEvents, SpotNodes
from core.model.nodes import NodeGroup, Request
from core.model.objectives import OBJECTIVES
from core.model.overheads import OVERHEAD_NAMES, Overheads
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from core.model.stages import MAP_REDUCE, Stage
from core.model.workload import Workload
from core.optimize import chains, due_dates, exact_order, plan_search, runs
from core.optimize.constraints import Constraints
from core.optimize.cycles import Cycle, nth_gentle_cycle
from core.optimize.exact_order import best_order
from core.optimize.instant_prices import _Market, compiled_payments
from core.optimize.instant_prices_loop import all_pay
from core.optimize.levers import blank_plans
from core.optimize.objectives import Objective, Robust
from core.optimize.search import Search
from core.optimize.search_columns import tasks_of, why_no_passes
from core.optimize.slot_prices import priceable
from core.policies.by_hand import PICKS, ByHand
from core.policies.own_policies import register_policy
from core.policies.registry import policies
from core.policies.user_files.policy_file import load_policy_file
from core.policy_checks.random_workloads import random_workload
from core.shared_scans import assignment, fluid_loop
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.metric import METRICS
from core.shared_scans.scan_jobs import ScanJobs
from core.shared_scans.windows import SCAN_POLICIES
from core.simulation import compiled_steps, fifo_trials
from core.simulation import simulate as simulation
from core.simulation.compiled_steps import CompiledSteps
from core.simulation.simulate import simulate
from tests.core.charts.chart_builders import make_rows, random_tones
from tests.core.shared_scans.test_naive_twin import drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.parameters import Parameter

Draw = np.random.Generator
SEED = 22
WHOLE = {"launched_ahead": 0, "hosts": 1, "maps_per_heartbeat": 1, "reduces_per_heartbeat": 1}
"""Overheads that are whole numbers, and the least of each."""
SCANS_NOTHING: dict[str, Any] = {"dataset": None, "blocks": (), "min_slots": 0, "max_slots": None}
NO_SOURCE = "core.policies.composing.kernel"
"""The module of functions that are written when a policy is composed: they call its hooks, and no more."""
NEVER_CALLED = {"core.policies.dynamic_slots.DynamicFifoPD.lends"}
"""Hooks that say something by being there: the policy's own `choose` is asked in their place."""


# ---- what is run


def workload_for(number: int) -> Workload:
    """Return a workload of one to six jobs, or of thirty: more than policies look through one by one."""
    workload = random_workload(SEED, number)
    if number % 5 or workload.datasets:
        return workload
    others = [random_workload(SEED, other) for other in range(number + 1, number + 21)]
    jobs = [job for each in others if not each.datasets for job in each.jobs][:30]
    named = [replace(job, name=f"J{place}") for place, job in enumerate(jobs)]
    return replace(workload, jobs=tuple(named), cluster=Cluster(3, 2))


def cluster_for(workload: Workload, draw: Draw) -> Cluster:
    """Return a cluster of any kind that runs a workload: its own, nodes, hosts, containers, one slot."""
    own, form = workload.cluster, draw.integers(0, 7)
    if form == 0:
        groups = (NodeGroup(int(draw.integers(1, 4)), 4, 3), NodeGroup(1, 2, 9))
        asked = Request(int(draw.integers(1, 3)), 1), Request(1, int(draw.integers(1, 4)))
        curve = ((), (1.0, 0.5, 0.25))[draw.integers(0, 2)]
        return Cluster(0, 0, own.slowstart, own.shuffle_model, 0, groups, *asked, contention=curve)
    if form in (1, 2):
        cluster = own if form == 1 else Cluster(0, 0, own.slowstart, own.shuffle_model, containers=4)
        spent: dict[str, Any] = {name: float(draw.choice((0.0, 0.5, 1.0))) for name in OVERHEAD_NAMES}
        spent |= {name: int(draw.integers(low, low + 3)) for name, low in WHOLE.items()}
        spent["ends_known_after"] = int(draw.integers(0, 2))
        return replace(cluster, overheads=Overheads(**spent))
    if form == 3:
        return Cluster(1, 1, own.slowstart, own.shuffle_model)
    return own


def pools_for(workload: Workload, cluster: Cluster, draw: Draw) -> Partition | None:
    """Return up to six pools, perhaps more than jobs, some without slots or jobs; None where none can be."""
    if cluster.has_containers or cluster.overheads is not None:
        return None
    count = int(draw.integers(1, 7))
    place = draw.integers(0, count, len(workload.jobs))
    slots = np.zeros((count, 2), np.int64)
    for kind in (0, 1):
        tasks = workload.columns.count[:, kind]
        needing = sorted({int(place[j]) for j in range(len(place)) if tasks[j]})
        given = cluster.stage_slots[kind]
        if len(needing) > given:
            return None
        slots[needing, kind] = 1
        np.add.at(slots[:, kind], draw.integers(0, count, given - len(needing)), 1)
    names = [job.name for job in workload.jobs]
    members = [tuple(name for name, at in zip(names, place, strict=True) if at == q) for q in range(count)]
    rows = slots.tolist()
    return Partition(tuple(SlotPool(f"p{q}", rows[q][0], rows[q][1], members[q]) for q in range(count)))


def plan_for(workload: Workload, partition: Partition | None, draw: Draw) -> Plan:
    """Return a plan of some of the jobs, with every lever."""

    def stage() -> StagePlan:
        due, order = float(draw.integers(-4, 12)), TASK_ORDERS[draw.integers(0, 3)]
        return StagePlan(due, order, (None, 1, 2)[draw.integers(0, 3)])

    names = draw.permutation([job.name for job in workload.jobs]).tolist()
    after = (None, 0, 1, 3)
    rooms = draw.integers(0, 2, len(names)).tolist()
    jobs = [
        JobPlan(name, stage(), stage(), after[draw.integers(0, 4)], room=ROOM_USES[room])
        for name, room in zip(names, rooms, strict=True)
    ]
    return Plan(tuple(jobs[: draw.integers(0, len(jobs) + 1)]), partition)


def value_for(parameter: Parameter, draw: Draw) -> Any:
    """Return a value that a parameter may have."""
    if parameter.type == "boolean":
        return bool(draw.integers(0, 2))
    if parameter.type == "choice":
        return parameter.choices[draw.integers(0, len(parameter.choices))]
    low = parameter.min if parameter.type in ("integer", "number") else None
    return parameter.default if low is None or draw.random() < 0.5 else type(parameter.default)(low)


def run_policies(number: int, draw: Draw, *, compiled: bool) -> None:
    """Simulate a workload under every policy, and as an order, pools and a plan say."""
    workload = workload_for(number)
    cluster = cluster_for(workload, draw)
    partition = pools_for(workload, cluster, draw)
    by_hand = (
        {"order": tuple(job.name for job in workload.jobs[::-2])},
        {"partition": partition},
        {"plan": plan_for(workload, None, draw)},
        {"plan": plan_for(workload, partition, draw)},
    )
    choices: list[tuple[PolicyChoice, dict[str, Any]]] = [(PolicyChoice("fifo"), each) for each in by_hand]
    for policy in policies():
        if policy.id == "optimized" or (policy.id == "rolling" and not compiled):
            continue  # see `run_searches`; plans anew are made by compiled code
        values = {each.name: value_for(each, draw) for each in policy.parameters}
        choices.append((PolicyChoice(policy.id, values if draw.random() < 0.7 else {}), {}))
    first = next((job.name for job in workload.jobs[::-1] if job.maps.count), "")
    choices.append((PolicyChoice(ByHand.id, {PICKS: f"{first}.map.1, at 2.0 s" * bool(first)}), {}))
    engine = "compiled" if compiled else "interpreted"
    for choice, given in choices:
        with suppress(InputError, StalledError):  # it cannot run this one
            simulate(workload, cluster, choice, engine=engine, **given)  # type: ignore[arg-type]


def run_searches(number: int, draw: Draw, *, compiled: bool) -> None:
    """Search a schedule with any wish, then the best of all orders."""
    workload = workload_for(number) if compiled else random_workload(SEED, number)
    cluster = cluster_for(workload, draw)
    partition = pools_for(workload, cluster, draw)
    names = [job.name for job in workload.jobs]
    wishes: dict[str, Any] = {
        "objective": Objective.of(sorted(OBJECTIVES)[draw.integers(0, len(OBJECTIVES))]),
        "levers": tuple(LEVERS)[: draw.integers(1, 6)] if draw.random() < 0.3 else LEVERS,
        "robust": Robust(2, 0.3, "worst-90") if draw.random() < 0.2 else None,
        "start": plan_for(workload, partition, draw) if draw.random() < 0.5 else None,
        "constraints": Constraints(
            pinned=frozenset(names[: draw.integers(0, 3)]) if draw.random() < 0.3 else frozenset(),
            before=((names[0], names[-1]),) if draw.random() < 0.2 and len(names) > 1 else (),
            partition=partition if draw.random() < 0.2 else None,
        ),
    }
    search = Search(workload, cluster, seed=number, horizon=400, compiled=compiled, **wishes)
    search.go_on(400 if compiled and not why_no_passes(workload, cluster) else 60)
    search.try_pools()
    _ = search.found


def run_orders(number: int, draw: Draw, *, compiled: bool) -> None:
    """Search all orders of a few jobs, then let an annealing change all that moves may change."""
    given = random_workload(SEED, number)
    jobs = [
        replace(job, stages=(_longer(job.maps), _longer(job.reduces)), arrival=0.0, **SCANS_NOTHING)
        for job in given.jobs
    ]
    workload = Workload("orders", tuple(jobs))
    slots = draw.integers(1, 5, 2).tolist()
    cluster = Cluster(slots[0], slots[1], given.cluster.slowstart, given.cluster.shuffle_model)
    best_order(workload, cluster, compiled=compiled)
    t = tasks_of(workload, cluster)
    chain = chains.plain_chain(t, 3, compiled, movable=np.arange(len(jobs)))
    for allowed in (LEVERS, (*LEVERS, "caps")):
        cycle = Cycle(300, 0.1, allowed, tied=False, turn=7)
        chain.begin(blank_plans(1, t, 3), cycle, 0.0, 500.0, chain.goal)
        chain.advance(lambda: 300)
    _change_gently(compiled=compiled)


def _change_gently(*, compiled: bool) -> None:
    """Let a gentle annealing change two jobs that are most of the work, and a dozen others."""
    sizes = [30] * 2 + [1] * 12
    jobs = (Job(f"J{i}", Stage.of(size, 2.0), Stage.of(1 + size // 10, 2.0)) for i, size in enumerate(sizes))
    t = tasks_of(Workload("heavy", tuple(jobs)), Cluster(4, 4))
    chain = chains.plain_chain(t, 1, compiled, movable=np.arange(len(sizes)))
    chain.begin(blank_plans(1, t), nth_gentle_cycle(0, 60, LEVERS), 0.0, 500.0, chain.goal)
    chain.advance(lambda: 60)


def _longer(stage: Stage) -> Stage:
    return replace(stage, durations=stage.durations + 0.5)


def run_scans(number: int, draw: Draw, *, compiled: bool) -> None:
    """Schedule jobs that scan a few datasets by the fluid model, by every policy and rule."""
    count = int(draw.integers(1, 15))  # of up to eight, some sums are searched through
    jobs = ScanJobs.of(
        np.sort(draw.integers(0, 20, count)),
        draw.integers(0, 3, count),
        draw.integers(1, 9, count),
        weight=draw.choice((0.5, 1.0, 2.0), count),
        minimum=draw.choice((0.0, 0.0, 1.0), count),
        maximum=draw.choice((2.0, 4.0, np.inf), count),
        deadline=np.sort(draw.integers(21, 60, count)),
    )
    scans = drawn(Random(number), min(count, 7))
    for policy in SCAN_POLICIES:
        engine = "compiled" if compiled else "interpreted"
        simulate(scans, Cluster(2, 1, (0.0, 0.5)[number % 2]), PolicyChoice(policy), engine=engine)  # type: ignore[arg-type]
        for metric in METRICS:
            with suppress(InputError):
                how: dict[str, Any] = {"with_pieces": bool(number % 2), "window": float(draw.integers(0, 5))}
                schedule_scans(jobs, float(draw.integers(1, 5)), policy, metric.id, compiled=compiled, **how)


def run_raster(number: int, draw: Draw, *, compiled: bool) -> None:
    """Paint rows of tasks into pictures of any size, wholly or partly outside of them."""
    rows = make_rows(int(draw.integers(1, 9)), int(draw.integers(1, 30)), seed=number)
    width, height = (int(each) for each in draw.integers(1, 90, 2))
    scale = width / float(draw.choice((1.0, 30.0, 100.0, 1000.0)))
    start, top = float(draw.uniform(-50, 120)), float(draw.uniform(-40, 40))
    tall = float(draw.choice((0.1, 1.0, 3.5, 8.0, 30.0)))
    view = Frame(round(start * scale), scale, top, tall, 0xFFFFFFFF, 0xFFE0E0E0, 2, 0xFF102030)
    view = view._replace(own=int(draw.integers(0, 3)), borrowed=0x204060)
    paint = raster._kernel() if compiled else raster_kernel.paint
    inks = inks_of(random_tones())
    work = scratch(width, len(inks.colours))
    given = np.zeros((height, width), np.uint32), rows, inks, view, work
    paint(*(given if compiled else map(refusing, given)))


def run_located(number: int, draw: Draw, *, compiled: bool) -> None:
    """Simulate jobs whose input lies on some nodes, by a policy that waits for these, and by others."""
    register_policy("delay", load_policy_file(resource_path("policies", "delay.py")))
    jobs = []
    for job in workload_for(number).jobs:
        nodes = draw.integers(0, 3, (job.maps.count if job.graph == MAP_REDUCE else 0, 2)).tolist()
        lies = tuple(tuple(sorted({*each})) for each in nodes)
        jobs.append(replace(job, after=(), input_nodes=lies, remote_read=2.0 * bool(lies), **SCANS_NOTHING))
    asked = Request(int(draw.integers(1, 3)), 1), Request(1, 2)
    cluster = Cluster(0, 0, 0.5, "simmr", 0, (NodeGroup(2, 4, 3), NodeGroup(1, 2, 2)), *asked)
    engine = "compiled" if compiled else "interpreted"
    for policy in ("fifo", "fair", "longest-task", "delay"):
        with suppress(StalledError):
            simulate(Workload("located", tuple(jobs)), cluster, PolicyChoice(policy), engine=engine)  # type: ignore[arg-type]


def run_failing(number: int, draw: Draw, *, compiled: bool) -> None:
    """Simulate jobs while nodes fail, return and get slower, on slots and on nodes."""
    spot, outputs = SpotNodes(1, 900.0, number, 2.0, 60.0), ("kept", "lost")
    happen = (NodeEvent(3.0, 0), NodeEvent(5.0, 0, "returns"), NodeEvent(4.0, 1, "speed", 0.5))
    asked = Request(int(draw.integers(1, 3)), 1), Request(1, 2)
    clusters = (
        Cluster(3, 3, 0.5, "simmr", events=NodeEvents(3, happen, outputs[number % 2], spot)),  # type: ignore[arg-type]
        Cluster(
            0, 0, 0.5, "simmr", 0, (NodeGroup(3, 4, 3),), *asked, events=NodeEvents(0, happen, spot=spot)
        ),
    )
    engine = "compiled" if compiled else "interpreted"
    for policy in ("fifo", "fair", "longest-task", "edf-min"):
        for cluster in clusters:
            with suppress(InputError, StalledError):  # outputs are lost of maps and reduces alone
                simulate(workload_for(number), cluster, PolicyChoice(policy), engine=engine)  # type: ignore[arg-type]


def run_payments(number: int, draw: Draw, *, compiled: bool) -> None:
    """Let the jobs of a workload pay for instants of slots, at their cheapest ends and in the mean."""
    workload, cluster = workload_for(number), Cluster(*draw.integers(1, 4, 2).tolist())
    if (costs := Objective.of("mean-response").job_costs(workload)) is None:
        return
    what = priceable(workload, cluster)
    market = _Market(what, costs, np.linspace(0.0, 40.0, 9))
    prices = np.hstack([draw.random((what.machines, 8)), np.zeros((what.machines, 1))])
    pay = compiled_payments() if compiled else _refusing_columns(all_pay)
    for heat in (0.0, 3.0):
        pay(market.sold, prices, heat, market.pays)


def run_steps(number: int, draw: Draw, *, compiled: bool) -> None:
    """Stop at every slot that several jobs could have, and pick one at random."""
    workload, most, reward = workload_for(number), 3, ("makespan", "response")[number % 2]
    cluster = Cluster(2, 2)
    if compiled:
        steps = CompiledSteps(workload, cluster, most, reward)  # type: ignore[arg-type]
        while steps.count:
            steps.give(int(draw.integers(min(most, steps.count))))
        return
    rows = refusing(as_rows(compiled_steps._first_state(workload, cluster)))
    with patch.multiple(stepping, state_in=lambda _: rows, store_state=lambda *_: None):
        stepping.write_state(rows, rows)
        seen, jobs, numbers = np.zeros((most, 8)), np.zeros(most, np.int64), np.zeros(stepping.NUMBERS)
        count, place = 1, -1
        while count > 0:
            count = stepping.step_on(place, number % 2, rows, seen, jobs, numbers)
            place = int(draw.integers(min(most, max(count, 1))))


RUNS: tuple[Callable[..., None], ...] = (
    run_policies,
    run_located,
    run_failing,
    run_searches,
    run_orders,
    run_scans,
    run_raster,
    run_payments,
    run_steps,
)


def run_all(count: int, *, compiled: bool) -> None:
    """Do so many of each."""
    for number in range(count):
        for run in RUNS:
            run(number, np.random.default_rng((SEED, number)), compiled=compiled)


# ---- plain functions on what refuses an index below 0


class RefusingList(list[Any]):
    """A list without places below 0."""

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(_checked(place))

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(_checked(place), value)


class RefusingArray(np.ndarray[Any, Any]):
    """An array without places below 0."""

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(_checked(place))

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(_checked(place), value)


def _checked(place: Any) -> Any:
    for each in place if isinstance(place, tuple) else (place,):
        if isinstance(each, int | np.integer) and each < 0:
            raise IndexError(f"place {place} is below 0")
    return place


def refusing(value: Any) -> Any:
    """Return columns, of lists or arrays, that refuse: views where they are arrays."""
    if isinstance(value, np.ndarray):
        return value if value.dtype.names else value.view(RefusingArray)
    if isinstance(value, tuple):
        held = map(refusing, value)
        return type(value)(*held) if hasattr(value, "_fields") else tuple(held)
    if isinstance(value, list):
        return RefusingList(map(refusing, value))
    if isinstance(value, Row):
        value.__dict__.update({name: refusing(each) for name, each in vars(value).items()})
    return value


def _refusing_columns(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: function(*map(refusing, given))


@contextmanager
def refused_below_0() -> Iterator[None]:
    """Let all plain functions run on columns that refuse an index below 0, and searches make few moves."""
    held = assignment.ScanAssignment._held
    instead: list[tuple[Any, str, Any]] = [
        (module, "as_rows", lambda state: refusing(as_rows(state)))
        for module in (simulation, runs, fifo_trials)
    ]
    instead += [
        (module, name, _refusing_columns(getattr(module, name)))
        for module, name in (
            (chains, "search_plans"),
            (runs, "propose"),
            (runs, "settle"),
            (due_dates, "anneal_due_dates"),
            (exact_order, "search_orders"),
            (fluid_loop, "follow"),
        )
    ]
    instead.append((job_queues, "move", job_queues.move_each))  # as it is compiled
    instead.append((assignment.ScanAssignment, "_held", lambda self, columns: refusing(held(self, columns))))
    instead += [(plan_search, "DUE_MOVES", 20), (plan_search, "DUE_STEPS", {True: 2, False: 2})]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in instead]
    for owner, name, value in instead:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in before:
            setattr(owner, name, value)


# ---- what was compiled, and what was called


@contextmanager
def noted_compiled() -> Iterator[dict[Any, str]]:
    """Yield the code of all functions that are compiled meanwhile, or loaded from the cache, with names."""
    noted: dict[Any, str] = {}
    twin = jit._Twins._twin

    def note(self: Any, function: Any, options: dict[str, Any]) -> Any:
        if function.__module__ != NO_SOURCE:
            noted[function.__code__] = f"{function.__module__}.{function.__qualname__}"
        return twin(self, function, options)

    jit._Twins._twin = note  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        jit._Twins._twin = twin  # type: ignore[method-assign]


@contextmanager
def noted_called() -> Iterator[set[Any]]:
    """Yield the code of all plain functions that are called meanwhile, in any thread."""
    called: set[Any] = set()

    def note(frame: Any, event: str, _argument: Any) -> None:
        if event == "call":
            called.add(frame.f_code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def main() -> int:
    """Run all; exit code 0 if nothing left an array and all that was compiled was called as well."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    count = parser.parse_args().count
    with noted_compiled() as compiled:
        run_all(count, compiled=True)
    with noted_called() as called, refused_below_0():
        run_all(count, compiled=False)
    missing = sorted({name for code, name in compiled.items() if code not in called} - NEVER_CALLED)
    print(f"{len(compiled)} compiled, not called: {missing}")  # noqa: T201
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
