"""Nodes that fail, return and get slower: compiled as interpreted, and both as a slow loop over lists."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.explain.attempt_notes import attempt_note
from core.measures.metrics import METRICS
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.event_nodes import down_spans
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents, SpotNodes
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.model.stages import MAP_REDUCE, Edge, Stage, StageGraph
from core.model.workload import Workload
from core.optimize.bounds import lower_bound
from core.policies.own_policies import register_policy
from core.policies.policy import MAP, REDUCE, Policy
from core.simulation.along import AlongRun
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_failures import Lost, SlowFailures
from tests.core.engine.slow_graphs import MODELS, linked, random_workload
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from tests.core.engine.slow_graphs import SlowLoop, SlowStage


class EarliestFirst(Policy):
    """The job that came first goes first."""

    id = "earliest-first"

    def key(job: Any) -> Any:
        return job.arrival


class FewestLeft(Policy):
    """The job with the fewest tasks left goes first."""

    id = "fewest-left"

    def key(job: Any) -> Any:
        return job.tasks[MAP] + job.tasks[REDUCE] - job.done[MAP] - job.done[REDUCE]


class FewestRunning(Policy):
    """The job with the fewest tasks that run goes first."""

    id = "fewest-running"

    def key(job: Any) -> Any:
        return job.running[MAP] + job.running[REDUCE]


POLICIES = (EarliestFirst, FewestLeft, FewestRunning)
CHOICES = ("fifo", *(policy.id for policy in POLICIES))


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in POLICIES:
        register_policy(policy.id, policy)


def left(loop: SlowLoop, j: int) -> int:
    return sum(loop.jobs[j].stages[s.number].count - s.done for s in loop.stages[j])


def prefer(choice: str) -> Any:
    def preference(loop: SlowLoop, stage: SlowStage) -> Any:
        job = loop.jobs[stage.job]
        equal = job.graph.task_types[stage.number], loop.order.index(stage.job), stage.number
        if choice == "fifo":
            return loop.order.index(stage.job), *equal
        keys = {
            "earliest-first": lambda: loop.arrival(job),
            "fewest-left": lambda: left(loop, stage.job),
            "fewest-running": lambda: loop.running(stage.job),
        }
        return keys[choice](), *equal

    return preference


def random_events(draw: np.random.Generator, nodes: int, given: int, outputs: Any = "kept") -> NodeEvents:
    """Return events of some nodes, which fail and return in turn; not all of them fail for good."""
    happen = []
    for node in range(nodes):
        time = 0.0
        while draw.random() < 0.7 and time < 20:
            fails = time + float(draw.integers(0, 12)) / 2
            happen.append(NodeEvent(fails, node))
            if node and draw.random() < 0.2:
                break
            time = fails + float(draw.integers(1, 10)) / 2
            happen.append(NodeEvent(time, node, "returns"))
            time += 0.5
        for _ in range(int(draw.integers(0, 3))):
            speed = (0.25, 0.5, 1.0)[draw.integers(3)]
            happen.append(NodeEvent(float(draw.integers(0, 16)) / 2, node, "speed", speed))
    order = draw.permutation(len(happen)).tolist()
    return NodeEvents(given, tuple(happen[place] for place in order), outputs)


def random_cluster(draw: np.random.Generator) -> Cluster:
    slowstart, model = float(draw.integers(0, 3)) / 2, MODELS[draw.integers(2)]
    form, nodes = draw.integers(3), int(draw.integers(1, 4))
    if form == 0:
        events = random_events(draw, nodes, nodes)
        return Cluster(0, 0, slowstart, model, containers=int(draw.integers(1, 6)), events=events)
    if form == 1:
        maps, reduces = draw.integers(1, 6, 2).tolist()
        return Cluster(maps, reduces, slowstart, model, events=random_events(draw, nodes, nodes))
    return Cluster(
        *(0, 0, slowstart, model),
        nodes=(NodeGroup(nodes, 4, 4), NodeGroup(1, 6, 3)),
        map_request=Request(int(draw.integers(1, 4)), 1),
        reduce_request=Request(int(draw.integers(1, 4)), int(draw.integers(1, 3))),
        events=random_events(draw, nodes + 1, 0),
    )


def of_map_reduce(draw: np.random.Generator) -> Workload:
    """Return jobs of maps and reduces."""
    jobs = []
    for j in range(int(draw.integers(1, 5))):
        counts = int(draw.integers(1, 7)), int(draw.integers(0, 5))
        stages = tuple(Stage.of(count, *(draw.integers(0, 6, 3) / 2.0)) for count in counts)
        jobs.append(Job(f"J{j}", stages=stages, graph=MAP_REDUCE, arrival=float(draw.integers(0, 6))))
    return Workload("jobs", tuple(jobs))


def parts_of(schedule: Schedule) -> list[Lost]:
    """Return what was lost, by slot, then start."""
    history = schedule.given_up
    if history is None:
        return []
    run, lost = history.run, history.given_up
    assert lost is not None
    columns = schedule.workload.columns
    assert (lost.rival == -1).all()
    return [
        Lost(
            int(run.job[i]),
            int(columns.stages.number[columns.stage[lost.task[i]]]),
            int(run.task[i]),
            int(history.extra_slot[i]),
            float(run.start[i]),
            float(run.end[i]),
            bool(lost.lost[i] == 2),
        )
        for i in range(len(history.extra))
    ]


def check(workload: Workload, cluster: Cluster, choice: str) -> SlowFailures | None:
    """Compare both engines with the slow loop; return that, None where it comes to no end."""
    loop = SlowFailures(workload, cluster, prefer(choice))
    expected = loop.tasks()
    has_ended = len(loop.ended) == len(workload.jobs)
    for engine in ENGINES:
        if not has_ended:
            with pytest.raises(StalledError):
                simulate(workload, cluster, PolicyChoice(choice), engine=engine)
            continue
        schedule = simulate(workload, cluster, PolicyChoice(choice), engine=engine)
        for name in ("slot", "start", "shuffled", "end"):
            found = getattr(schedule, name).tolist()
            assert found == [task[name] for task in expected], (engine, choice, name, workload, cluster)
        assert schedule.finish.tolist() == [loop.ended[job.name] for job in workload.jobs]
        assert sorted(parts_of(schedule)) == sorted(loop.parts)
        assert np.sort(schedule.sequence).tolist() == list(range(schedule.tasks))
        assert (np.diff(schedule.start[schedule.sequence]) >= 0).all()
    return loop if has_ended else None


@pytest.mark.parametrize("choice", CHOICES)
def test_both_engines_are_the_slow_loop(choice: str) -> None:
    """On slots, containers and nodes, for graphs and jobs that follow others; some comes to no end."""
    draw = np.random.default_rng(CHOICES.index(choice))
    compared = lost = 0
    for _ in range(draws(80)):
        workload, cluster = random_workload(draw), random_cluster(draw)
        if draw.random() < 0.3:
            workload = linked(workload, draw)
        loop = check(workload, cluster, choice)
        compared += loop is not None
        lost += loop is not None and bool(loop.parts)
    assert compared > draws(50)
    assert lost > draws(15)


@pytest.mark.parametrize("choice", CHOICES)
def test_maps_run_again_whose_output_is_lost(choice: str) -> None:
    draw = np.random.default_rng(CHOICES.index(choice))
    compared = outputs = 0
    for _ in range(draws(80)):
        workload, nodes = of_map_reduce(draw), int(draw.integers(1, 4))
        maps, reduces = draw.integers(1, 6, 2).tolist()
        slowstart, model = float(draw.integers(0, 3)) / 2, MODELS[draw.integers(2)]
        events = random_events(draw, nodes, nodes, "lost")
        loop = check(workload, Cluster(maps, reduces, slowstart, model, events=events), choice)
        compared += loop is not None
        outputs += loop is not None and any(part.had_ended for part in loop.parts)
    assert compared > draws(50)
    assert outputs > draws(15)


def test_both_engines_agree_to_the_last_bit() -> None:
    """Stopped after every third instant, with shuffles and times that are no halves."""
    draw = np.random.default_rng(11)
    for _ in range(25):
        workload, nodes = of_map_reduce(draw), int(draw.integers(1, 4))
        stretched = [
            replace(job, stages=tuple(Stage.of(each.count, *draw.random(3)) for each in job.stages))
            for job in workload.jobs
        ]
        workload = replace(workload, jobs=tuple(stretched))
        happen = [
            replace(each, time=each.time / 4.7, speed=1.0 if each.speed == 1 else each.speed + 0.1)
            for each in random_events(draw, nodes, nodes).happen
        ]
        events = NodeEvents(nodes, tuple(happen), ("kept", "lost")[draw.integers(2)])
        cluster = Cluster(3, 2, 0.5, MODELS[draw.integers(2)], events=events)
        for choice in (*CHOICES, "fair", "johnson"):
            runs = [Simulation(workload, cluster, PolicyChoice(choice), engine=engine) for engine in ENGINES]
            try:
                for run in runs:
                    while not run.advance(instants=3):
                        pass
            except StalledError:
                continue
            one, other = (run.schedule() for run in runs)
            assert bits(one) == bits(other)
            assert parts_of(one) == parts_of(other)


ONE = Workload("one", (Job("A", Stage.of(4, 10.0), Stage.of(1, 3.0, 1.0, 2.0)),))
TWICE = NodeEvents(2, (NodeEvent(15.0, 0), NodeEvent(30.0, 0, "returns")))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_lost_task_runs_again_and_a_lost_output_is_made_again(engine: Any) -> None:
    """Slots 0 and 1 are two nodes. The first runs maps 0 and 2 when it fails at 15 s, the reduce is on it."""
    kept = simulate(ONE, Cluster(2, 1, 1.0, events=TWICE), PolicyChoice("fifo"), engine=engine)
    assert parts_of(kept) == [Lost(0, 0, 2, 0, 10.0, 15.0, False)]
    assert kept.start.tolist() == [0, 0, 20, 10, 30]
    assert kept.makespan == 35
    cluster = Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost"))
    lost = simulate(ONE, cluster, PolicyChoice("fifo"), engine=engine)
    assert parts_of(lost) == [Lost(0, 0, 0, 0, 0.0, 10.0, True), Lost(0, 0, 2, 0, 10.0, 15.0, False)]
    assert lost.start.tolist() == [20, 0, 30, 10, 40]
    assert lost.makespan == 45


@pytest.mark.parametrize("engine", ENGINES)
def test_what_has_fetched_all_needs_no_outputs(engine: Any) -> None:
    """The reduce, on the first node, has fetched at 7 s; the other one, with map 1, fails before or after."""
    workload = Workload("w", (Job("A", Stage.of(2, 5.0), Stage.of(1, 3.0, 1.0, 2.0)),))
    for fails, parts, end in ((6.0, [Lost(0, 0, 1, 1, 0.0, 5.0, True)], 15.0), (8.0, [], 10.0)):
        events = NodeEvents(2, (NodeEvent(fails, 1),), "lost")
        schedule = simulate(workload, Cluster(2, 2, 1.0, events=events), PolicyChoice("fifo"), engine=engine)
        assert (parts_of(schedule), schedule.makespan) == (parts, end)


def test_events_without_effect_change_nothing() -> None:
    draw = np.random.default_rng(3)
    for choice in ("fifo", "fair", "dhfs-pi", "dhfs-pd", "sjf", "johnson", "edf-max", "omo"):
        for _ in range(8):
            workload = of_map_reduce(draw)
            late = NodeEvents(2, (NodeEvent(1e6, 1),), "lost")
            plain = simulate(workload, Cluster(3, 2), PolicyChoice(choice))
            beside = simulate(workload, Cluster(3, 2, events=late), PolicyChoice(choice), engine="compiled")
            assert bits(plain) == bits(beside)
            assert beside.given_up is None


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_stops_before_any_start_and_its_copy_goes_on(engine: Any) -> None:
    cluster = Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost"))
    whole = simulate(ONE, cluster, PolicyChoice("fifo"), engine=engine)
    for place in range(whole.tasks):
        run = Simulation(ONE, cluster, PolicyChoice("fifo"), engine=engine)
        decision = run.advance_to_start(whole.starts_before(place))
        assert decision is not None
        assert run.now == whole.start[whole.sequence[place]]
        for each in (run.fork(), run):
            while not each.advance():
                pass
            assert bits(each.schedule()) == bits(whole)


def test_slots_are_not_there_while_their_node_has_failed() -> None:
    cluster = Cluster(4, 2, events=NodeEvents(2, TWICE.happen))
    spans = down_spans(cluster)
    assert (spans.slot.tolist(), set(spans.begin), set(spans.end)) == ([0, 1, 4], {15.0}, {30.0})
    run = Simulation(ONE, cluster, PolicyChoice("fifo"), engine="interpreted")
    run.advance_until(20.0)
    assert run.moment().free == ((2, 3), (5,))


def test_a_cluster_without_nodes_stalls_with_a_sentence() -> None:
    cluster = Cluster(1, 1, events=NodeEvents(1, (NodeEvent(3.0, 0),)))
    with pytest.raises(StalledError, match="Nodes have failed and do not return"):
        simulate(ONE, cluster, PolicyChoice("fifo"))


@pytest.mark.parametrize("policy", ["flex", "balanced-pools", "optimized"])
def test_what_is_not_modelled_is_refused(policy: str) -> None:
    with pytest.raises(InputError, match="nodes that fail, return or change their speed"):
        simulate(ONE, Cluster(2, 1, events=TWICE), PolicyChoice(policy))


def test_lost_outputs_are_of_maps_and_reduces() -> None:
    graph = StageGraph((0, 1, 1), (Edge(0, 1), Edge(1, 2)))
    chain = Job("C", stages=(Stage.of(1, 1.0),) * 3, graph=graph)
    cluster = Cluster(2, 1, events=replace(TWICE, map_outputs="lost"))
    with pytest.raises(InputError, match="is modelled for jobs of maps"):
        simulate(Workload("w", (chain,)), cluster, PolicyChoice("fifo"))


def test_the_bound_holds_whatever_happens() -> None:
    """It is at least that of nodes that stay, at full speed: nothing that happens makes a run shorter."""
    draw = np.random.default_rng(5)
    for _ in range(40):
        workload, nodes = of_map_reduce(draw), int(draw.integers(1, 4))
        cluster = Cluster(3, 2, 0.5, events=random_events(draw, nodes, nodes, "lost"))
        try:
            schedule = simulate(workload, cluster, PolicyChoice("fifo"))
        except StalledError:
            continue
        bound = lower_bound(workload, cluster)
        assert bound >= lower_bound(workload, replace(cluster, events=None))
        assert bound <= schedule.makespan


def test_spot_nodes_vanish_as_the_seed_says() -> None:
    """The same seed draws the same, and another rate stretches the same times."""
    events = NodeEvents(4, spot=SpotNodes(2, 6.0, 7, 100.0))
    drawn = events.in_order(4)
    assert drawn == events.in_order(4)
    assert {each.node for each in drawn} == {2, 3}
    first = min(each.time for each in drawn if each.node == 2)
    slower = NodeEvents(4, spot=SpotNodes(2, 3.0, 7, 100.0)).in_order(4)
    assert min(each.time for each in slower if each.node == 2) == 2 * first
    own = [each for each in drawn if each.node == 3]
    assert [each.kind for each in own[:4]] == ["fails", "returns"] * 2
    assert own[1].time == own[0].time + 100
    hours = 86400 / 3600
    assert 0.7 < sum(each.kind == "fails" for each in drawn) / (2 * 6 * hours * (600 / 700)) < 1.3


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_with_spot_nodes_is_that_with_the_same_events(engine: Any) -> None:
    draw = np.random.default_rng(9)
    for seed in range(12):
        workload, spot = of_map_reduce(draw), SpotNodes(1, 900.0, seed, 2.0, 60.0)
        outputs: Any = ("kept", "lost")[seed % 2]
        drawn = NodeEvents(3, NodeEvents(3, spot=spot).in_order(3), outputs)
        runs = [
            simulate(workload, Cluster(3, 3, events=each), PolicyChoice("fifo"), engine=engine)
            for each in (NodeEvents(3, (), outputs, spot), drawn)
        ]
        assert bits(runs[0]) == bits(runs[1])


def test_what_is_lost_is_counted_and_said() -> None:
    """Map 2 ran for 5 s, map 0 for 10 s; both slots of the first node are away for 15 s."""
    cluster = Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost"))
    schedule = simulate(ONE, cluster, PolicyChoice("fifo"))
    assert METRICS["lost_slot_time"].of(schedule) == 15
    assert METRICS["down_slot_time"].of(schedule) == 30
    notes = [attempt_note(schedule, extra) for extra in range(2)]
    assert notes[0].startswith("a map that had ended: its output was lost with its node")
    assert notes[1] == "lost: its node failed, and it ran again"
    with pytest.raises(InputError, match="cannot be asked along a run on whose nodes something happens"):
        AlongRun(schedule, PolicyChoice("fair"))
