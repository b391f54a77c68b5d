"""The checker: no number makes it prove too much, and no change of a schedule goes unseen."""

from __future__ import annotations

import ast
import operator
import sys
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.optimize.bounds import makespan_bound, refined_bound
from core.optimize.objectives import Objective
from core.verify.certificate import late_certificate
from core.verify.check import NEAR, RULES, TYPED, check
from tests.builders import make_job, make_workload, run
from tests.core.engine import rules
from tests.core.engine.strategies import clusters, workloads
from tests.core.optimize.all_schedules import cheapest, shortest
from tests.core.optimize.test_early_or_late import MIDDLE
from tests.core.optimize.test_set_bound import many_jobs
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.core.verify.made import OPEN, certificate_of
from tests.paths import ROOT
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from core.model.schedule import Schedule
    from core.model.workload import Workload

MAX_LINES = 1660
FILES = (
    "check.py",
    "check_front.py",
    "jobs_of_document.py",
    "price_rule.py",
    "instant_rule.py",
    "order_rule.py",
    "every_schedule.py",
)
TIMES = st.one_of(st.integers(0, 20).map(float), st.floats(0, 20), st.just(1e6))
FLAGS = st.booleans()
OVERLAP = make_workload(
    make_job("A", (3, [4.0, 2.5, 3.0]), (2, [2.0, 1.0], 1.0, 3.0)),
    make_job("B", (2, 1.25), (3, [4.0, 0.5, 2.0], 0.5, 1.0), arrival=2.0),
    make_job("maps", (2, 3.0), arrival=1.0),
    make_job("reduces", (0,), (2, 2.0, 1.0, 1.0)),
)
CLUSTERS = (
    Cluster(2, 2),
    Cluster(2, 2, 1.0, shuffle_model="overlap"),
    Cluster(0, 0, containers=3, shuffle_model="mumak"),
)


def windows(held: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Any work inside any window."""
    return st.fixed_dictionaries(
        {
            "rule": st.just("window"),
            "slots": st.sampled_from(("maps", "reduces", "all")),
            "begin": TIMES,
            "rest": TIMES,
            "backwards": FLAGS,
            "held": FLAGS if held else st.just(False),
        }
    )


def proofs(cluster: Cluster) -> st.SearchStrategy[dict[str, Any]]:
    """Any rule about the makespan on a cluster, with any numbers."""
    window = windows(cluster.shuffle_model == "overlap")
    if cluster.has_containers:
        return window | st.just({"rule": "alone"})
    window = window.filter(lambda numbers: numbers["slots"] != "all")
    choice = {"rule": st.just("early or late"), "early": TIMES, "late": TIMES, "weight": st.floats(0, 3)}
    return st.one_of(
        st.sampled_from(({"rule": "alone"}, {"rule": "sets"})),
        window,
        st.fixed_dictionaries({"rule": st.just("two stages"), "begin": TIMES}),
        st.fixed_dictionaries(choice | {"known": window | st.just({"rule": "alone"})}),
    )


def bound_by(workload: Workload, cluster: Cluster, proof: dict[str, Any]) -> float:
    """What the checker makes of a proof."""
    return late_certificate(workload, cluster, 1.0, 0.0, proof, "").verdict.bound


@examples(25)
@given(st.data(), st.integers(1, 3), st.integers(1, 2), st.sampled_from(SHUFFLE_MODELS), st.booleans())
def test_no_numbers_prove_more_than_the_best_of_all_schedules(
    data: st.DataObject, maps: int, reduces: int, model: ShuffleModel, in_containers: bool
) -> None:
    workload = data.draw(tiny_workloads())
    cluster = Cluster(maps, reduces, shuffle_model=model)
    if in_containers:
        cluster = Cluster(0, 0, shuffle_model=model, containers=maps)
    best = shortest(workload, cluster) * (1 + 1e-12)
    for proof in data.draw(st.lists(proofs(cluster), min_size=20, max_size=20)):
        assert bound_by(workload, cluster, proof) <= best, proof


def prices_of(random: Random, kinds: int, jobs: int) -> list[dict[str, Any]]:
    """Any prices, half of the time in cases of when jobs end; of reduce slots they may rise, too."""
    times = sorted({random.randint(0, 40) / random.choice((2, 10)) for _ in range(random.randint(1, 6))})
    looks = [random.randint(0, 20) / 2 for _ in range(random.randint(0, 4))]
    rises = kinds == 2 and random.random() < 0.5

    def drawn() -> list[float]:
        return [random.choice((0.0, 0.1, 0.5, 2.0)) for _ in times]

    def case(cuts: int) -> dict[str, Any]:
        if cuts == 0 or random.random() < 0.2:
            return {"falls": [drawn() for _ in range(kinds)]} | ({"rises": drawn()} if rises else {})
        at = random.choice((0.0, *times, random.randint(0, 12) * 1.0))
        sides = {"sooner": case(cuts - 1), "later": case(cuts - 1)}
        return {"job": random.randrange(jobs), "at": at, **sides}

    proof = {"rule": "prices", "times": times, **case(0), "looks": looks}
    return [proof | ({"cases": case(3)} if random.random() < 0.5 else {})]


def worth(value: Callable[[np.ndarray], float], finish: list[float]) -> float:
    """What a measure says of when jobs end."""
    return value(np.array(finish))


@examples(15)
@given(
    tiny_workloads(),
    st.sampled_from(((1, 1, 0), (2, 1, 0), (0, 0, 2))),
    st.sampled_from(SHUFFLE_MODELS),
    st.randoms(use_true_random=False),
)
def test_nor_of_other_measures(
    workload: Workload, slots: tuple[int, int, int], model: ShuffleModel, random: Random
) -> None:
    """Jobs have deadlines and weights; some prices are drawn, others are those that prove much."""
    jobs = [replace(j, deadline=j.arrival + 3 + i, weight=i + 1.0) for i, j in enumerate(workload.jobs)]
    workload = workload.with_jobs(jobs)
    cluster = Cluster(*slots[:2], containers=slots[2], shuffle_model=model)
    columns, kinds = workload.columns, ("maps", "reduces") if slots[0] else ("maps", "reduces", "all")
    measures = {
        "mean-response": lambda finish: float((finish - columns.arrival).mean()),
        "weighted-response": lambda finish: float(
            np.average(finish - columns.arrival, weights=columns.weight)
        ),
        "tardiness": lambda finish: float(np.maximum(finish - columns.deadline, 0).sum()),
        "late-jobs": lambda finish: float((finish > columns.deadline).sum()),
    }
    document = dict(certificate_of(run(workload, cluster)).document)
    for name, value in measures.items():
        best = cheapest(workload, cluster, partial(worth, value))
        priced = Objective.of(name).priced(workload, cluster, with_cases=True)
        assert priced is not None
        known = check(document | {"objective": {name: 1.0}, "proof": [{"of": name, **priced[1].proof}]}).bound
        assert max(known, 0.0) == pytest.approx(priced[0], rel=1e-9, abs=1e-9)
        assert known <= best * (1 + 1e-12)
        numbers: list[dict[str, Any]] = [{"rule": "alone"}]
        numbers += prices_of(random, 2 if slots[0] else 1, len(jobs))
        if name == "mean-response":
            numbers += [{"rule": "shortest first", "slots": kind, "held": False} for kind in kinds]
        proof = [{"of": name, **each} for each in numbers]
        assert check(document | {"objective": {name: 1.0}, "proof": proof}).bound <= best * (1 + 1e-12)


@pytest.mark.parametrize(("jobs", "slots", "seed"), [(12, 8, 0), (12, 8, 2), (24, 16, 1), (24, 16, 2)])
def test_it_agrees_on_prices_of_jobs_that_may_end_at_hundreds_of_times(
    jobs: int, slots: int, seed: int
) -> None:
    """Most ends are not looked at closely; those of tiny workloads all are."""
    cluster, random = Cluster(slots, slots), np.random.default_rng(seed)
    workload = generate("facebook", seed=seed, parameters={"jobs": jobs})
    due = run(workload, cluster).finish * random.uniform(0.2, 1.2, jobs)
    pairs = zip(workload.jobs, due.tolist(), strict=True)
    workload = workload.with_jobs(replace(job, deadline=max(end, job.arrival + 1)) for job, end in pairs)
    document = dict(certificate_of(run(workload, cluster)).document)
    for name in ("tardiness", "mean-response"):
        priced = Objective.of(name).priced(workload, cluster, with_cases=True)
        assert priced is not None
        known = check(document | {"objective": {name: 1.0}, "proof": [{"of": name, **priced[1].proof}]}).bound
        assert known == pytest.approx(priced[0], rel=1e-12)


@examples(60)
@given(st.data(), st.sampled_from(("fifo", "johnson", "sjf", "balanced-pools")))
def test_it_agrees_with_the_bounds_and_the_simulator(data: st.DataObject, policy: str) -> None:
    """Whatever policy makes a schedule is one; and the numbers of our bounds give our bounds."""
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload).filter(lambda c: not c.has_nodes and c.overheads is None))
    schedule = run(workload, cluster, "fifo" if cluster.has_containers else policy)
    certificate = certificate_of(schedule)
    problems = certificate.verdict.problems
    assert all(problem.endswith(OPEN) for problem in problems)
    bound = makespan_bound(workload, cluster).seconds
    assert certificate.is_confirmed == (schedule.makespan <= bound * (1 + NEAR))


@pytest.mark.parametrize("workload", [MIDDLE, many_jobs(11), many_jobs(13)])
def test_it_works_out_bounds_that_take_longer(workload: Workload) -> None:
    cluster = Cluster(4, 4) if workload is MIDDLE else Cluster(2, 2)
    bound = refined_bound(workload, cluster)
    assert bound.proof["rule"] in TYPED
    assert bound.seconds > makespan_bound(workload, cluster).seconds
    assert bound_by(workload, cluster, dict(bound.proof)) == pytest.approx(bound.seconds, rel=1e-12)


def test_times_from_both_ends_that_overlap_prove_nothing() -> None:
    """As `test_early_or_late` has it: 11.5 s would follow, and 11 s are enough."""
    tasks = ((1.0, 10.0), (10.0, 1.0), (5.0, 5.0))
    workload = make_workload(*(make_job(f"J{i}", (1, m), (1, r)) for i, (m, r) in enumerate(tasks)))
    numbers = {"rule": "early or late", "early": 10.0, "late": 10.0, "weight": 0.5}
    assert bound_by(workload, Cluster(3, 3), numbers | {"known": {"rule": "alone"}}) == 0


# ---- what is changed


def still_holds(schedule: Schedule) -> bool:
    """Whether the rules of the simulator's own tests find nothing wrong."""
    looked_at = (
        rules.every_task_runs_once,
        rules.slots_run_their_own_kind,
        rules.one_task_per_slot,
        rules.nothing_starts_before_its_arrival,
        rules.stages_wait_for_slowstart,
        rules.time_is_spent_as_the_model_says,
    )
    return not any(rule(schedule) for rule in looked_at)


def may_wait_for(schedule: Schedule, job: int, maps: int) -> bool:
    """Whether so many maps of a job are complete when its first reduce starts, or all if it has fewer."""
    ends = sorted(schedule.end[rules.tasks_of(schedule, job, MAP)])
    starts = schedule.start[rules.tasks_of(schedule, job, REDUCE)]
    return not len(starts) or starts.min() >= max([0.0, *ends[:maps]])


def with_number(schedule: Schedule, column: str, place: int, number: float) -> Schedule:
    """Put a number into a column of a schedule."""
    values = getattr(schedule, column).copy()
    values[place] = number
    changed = replace(schedule, **{column: values})
    columns, stage_end = schedule.workload.columns, schedule.workload.columns.arrival.copy()
    is_map = columns.kind == MAP
    np.maximum.at(stage_end, columns.job[is_map], changed.end[is_map])
    order = np.lexsort((changed.end, changed.start)).astype(np.int32)
    return replace(changed, stage_end=stage_end, sequence=order)


@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("column", ["slot", "start", "shuffled", "end", "reduces_after"])
def test_every_number_of_a_schedule_counts(cluster: Cluster, column: str) -> None:
    schedule = run(OVERLAP, cluster)
    document = dict(certificate_of(schedule).document)
    before = check(document).problems
    assert all(problem.endswith(OPEN) for problem in before)
    for place, number in enumerate(document["schedule"][column]):
        others: list[Any] = [
            number + 1,
            number - 1,
            number * 2 + 0.5,
            -number - 1,
            1e300,
            None,
            "1",
            [number],
        ]
        for other in others:
            changed = deepcopy(document["schedule"])
            changed[column][place] = other
            verdict = check(document | {"schedule": changed})
            wrong = [problem for problem in verdict.problems if not problem.endswith(OPEN)]
            is_number = type(other) in (int, float) and 0 <= other < 1e300
            if is_number and (other % 1 == 0 or column not in ("slot", "reduces_after")):
                if column == "reduces_after":
                    assert bool(wrong) != may_wait_for(schedule, place, int(other))
                else:
                    assert bool(wrong) != still_holds(with_number(schedule, column, place, other))
            else:
                assert wrong, (column, place, other)


@pytest.mark.parametrize("cluster", CLUSTERS)
@pytest.mark.parametrize("part", ["tasks", "jobs"])
def test_every_number_of_the_jobs_counts(cluster: Cluster, part: str) -> None:
    """Another length is another schedule; another count is another number of tasks."""
    document = dict(certificate_of(run(OVERLAP, cluster)).document)
    columns = {"tasks": ("duration",), "jobs": ("maps", "reduces")}[part]
    for column in columns:
        for place, number in enumerate(document[part][column]):
            for other in (number + 1, number / 2 + 0.125, -1, None, float("nan")):
                changed = deepcopy(document[part])
                changed[column][place] = other
                wrong = check(document | {part: changed}).problems
                assert not all(problem.endswith(OPEN) for problem in wrong) or other == number


@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_every_number_of_a_proof_counts(seconds: float) -> None:
    """Another number proves no more than is so; what it then proves is less, or the same."""
    for cluster in CLUSTERS:
        document = dict(certificate_of(run(OVERLAP, cluster)).document)
        value = document["value"]
        (proof,) = document["proof"]
        for name, number in proof.items():
            if type(number) is not float:
                continue
            verdict = check(document | {"proof": [proof | {name: number + seconds}]})
            assert verdict.bound <= value
        for name in ("value", "bound"):
            changed = check(document | {name: document[name] + seconds})
            assert any("is" in problem or "gives" in problem for problem in changed.problems)
            assert changed.problems != check(document).problems


def test_a_proof_that_holds_is_confirmed_and_one_that_does_not_is_refused() -> None:
    workload = make_workload(make_job("A", (2, 2.0)), make_job("B", (2, 3.0)))
    document = dict(certificate_of(run(workload, Cluster(2, 1))).document)
    assert check(document).problems == ()
    assert (check(document).jobs, check(document).tasks, check(document).value) == (2, 4, 5.0)
    less = check(document | {"proof": [{"of": "makespan", "rule": "alone"}]})
    assert less.bound == pytest.approx(3)
    assert less.problems == (
        f"the proof gives the bound {less.bound!r}, not 5.0",
        f"the value is 5.0, but only less than {less.bound!r} is excluded",
    )


def test_a_schedule_below_a_bound_says_that_one_of_them_is_false() -> None:
    workload = make_workload(make_job("A", (2, 2.0)), make_job("B", (2, 3.0)))
    document = deepcopy(dict(certificate_of(run(workload, Cluster(2, 1))).document))
    document["schedule"]["end"] = [end / 2 for end in document["schedule"]["end"]]
    problems = check(document).problems
    assert "the value 2.5 is below the bound 5.0: one is false" in problems


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "slotscope-plan"}, "its format is not slotscope-certificate"),
        ({"claim": "best"}, "the claim is 'best' of makespan; none such is known"),
        ({"objective": {"stretch": 1.0}}, "what a job's stretch is measured by is not said"),
        ({"objective": {"speed": 1.0}}, "the claim is 'optimal' of speed; none such is known"),
        ({"objective": {}}, "the claim is 'optimal' of ; none such is known"),
        ({"proof": [{"of": "makespan", "rule": "magic"}]}, "a rule 'magic' of makespan"),
        ({"proof": [{"of": "makespan", "rule": "shortest first"}]}, "a rule 'shortest first' of makespan"),
        ({"proof": None}, "it cannot be read: a field has a value of another kind than it needs"),
        ({"jobs": {}}, "it cannot be read: the field 'arrival' is missing"),
        ({"cluster": {"map_slots": 1}}, "it cannot be read"),
    ],
)
def test_what_is_no_certificate_is_refused_in_a_sentence(change: dict[str, Any], said: str) -> None:
    document = dict(certificate_of(run(OVERLAP, Cluster(2, 2))).document)
    (problem,) = check(document | change).problems
    assert said in problem


@pytest.mark.parametrize("value", [None, 3, [], {}, "x", {"format": "slotscope-certificate"}])
def test_no_value_breaks_it(value: object) -> None:
    assert len(check(value).problems) == 1


def test_a_rule_for_typed_slots_says_nothing_of_containers() -> None:
    cluster = Cluster(0, 0, containers=2)
    for rule in TYPED:
        assert bound_by(OVERLAP, cluster, {"rule": rule, "begin": 0.0}) == 0
    assert set(TYPED) < set(RULES)


def test_it_shares_no_code_and_is_short() -> None:
    folder, lines, names = ROOT / "core" / "verify", 0, set[str]()
    for file in FILES:
        text = (folder / file).read_text(encoding="utf-8")
        lines += len(text.splitlines())
        nodes = list(ast.walk(ast.parse(text)))
        names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    assert lines <= MAX_LINES
    names -= {f"core.verify.{file.removesuffix('.py')}" for file in FILES}
    roots = {name.split(".")[0] for name in names}
    assert roots - set(sys.stdlib_module_names) == {"numpy"}


def test_the_plan_of_a_policy_is_no_part_of_the_proof() -> None:
    """Only its schedule is."""
    document = dict(certificate_of(run(OVERLAP, Cluster(2, 2), PolicyChoice("johnson"))).document)
    assert check(document | {"plan": {"jobs": []}}) == check(document)


# ---- graphs of stages, links, and slots that come and go


GRAPH = StageGraph((MAP, MAP, MAP, REDUCE), (Edge(0, 2, 1.0), Edge(1, 2, 0.5), Edge(2, 3, 1.0)))
STAGES = (Stage.of(2, 3.0), Stage.of(3, [1.0, 4.0, 2.0]), Stage.of(2, 5.0, 0.5, 1.0), Stage.of(1, 2.0))
QUERIES = make_workload(
    Job("query", stages=STAGES, graph=GRAPH),
    make_job("load", (1, 7.0), arrival=2.0),
    replace(make_job("report", (2, 2.0), (1, 1.0)), after=(Link("query", 1.5), Link("load", 3.0))),
)
COMING = (SlotTime(2, 1.0, 9.0), SlotTime(1, 4.0))
APPLICATION = run(QUERIES, Cluster(0, 0, containers=1, slot_times=COMING))


def test_a_schedule_of_graphs_and_links_on_slots_that_come_and_go_is_accepted() -> None:
    made = certificate_of(APPLICATION)
    assert all(each.endswith(OPEN) for each in made.verdict.problems)
    document = made.document
    assert document["jobs"]["stages"]["kind"] == [MAP, MAP, MAP, REDUCE, MAP, REDUCE, MAP, REDUCE]
    assert document["cluster"]["intervals"] == {"opens": [0, 1, 1, 4], "closes": [None, 9, 9, None]}


def changed(*path: Any, to: Callable[[Any], Any]) -> tuple[str, ...]:
    """What the checker says when something of the document is changed."""
    document = deepcopy(dict(certificate_of(APPLICATION).document))
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to(inner[path[-1]])
    return tuple(each for each in check(document).problems if not each.endswith(OPEN))


@pytest.mark.parametrize(
    ("path", "to", "said"),
    [
        (("jobs", "edges", "child"), lambda child: [1, *child[1:]], "tasks.first_shuffle: no list"),
        (("jobs", "edges", "parent"), lambda parent: [2, *parent[1:]], "one waits for a later one"),
        (("jobs", "stages", "job"), lambda job: [1, *job[1:]], "stages do not lie job by job"),
        (("jobs", "stages", "tasks"), lambda tasks: [3, 2, *tasks[2:]], "tasks"),
        (("jobs", "links", "think"), lambda think: [think[0] + 5, think[1]], "before its job arrives"),
        (("schedule", "after"), lambda after: [after[0], 3, *after[2:]], "before enough tasks"),
        (("cluster", "intervals", "opens"), lambda opens: [*opens[:3], 30], "not there then"),
        (("cluster", "intervals", "closes"), lambda closes: [closes[0], 2, 2, 30], "not there then"),
        (
            ("tasks", "typical_shuffle"),
            lambda shuffle: [*shuffle[:2], 9.0, *shuffle[3:]],
            "the shuffle model",
        ),
        (("tasks", "duration"), lambda duration: [9.0, *duration[1:]], "not its duration"),
        (("schedule", "slot"), lambda slot: [9, *slot[1:]], "none of its kind"),
    ],
)
def test_what_does_not_fit_is_said(path: tuple[str, ...], to: Callable[[Any], Any], said: str) -> None:
    assert any(said in each for each in changed(*path, to=to)), changed(*path, to=to)


def test_no_other_time_of_a_task_is_accepted() -> None:
    """But the start of a filler, which holds its slot a little longer or shorter."""
    columns = QUERIES.columns
    may_fill = columns.stages.has_parents[columns.stage]
    for column in ("start", "shuffled", "end"):
        for task in np.flatnonzero(~may_fill | (column != "start")).tolist():
            for more in (-0.25, 0.25):
                assert changed("schedule", column, task, to=partial(operator.add, more))


def test_rules_of_two_kinds_of_slots_say_nothing_of_graphs() -> None:
    document = dict(certificate_of(run(QUERIES, Cluster(3, 3))).document)
    for rule in (*TYPED, "shortest first"):
        numbers = {"begin": 0.0, "early": 1.0, "late": 1.0, "weight": 0.5, "slots": "maps", "held": False}
        of = "mean-response" if rule == "shortest first" else "makespan"
        said = check(document | {"proof": [{"of": of, "rule": rule, **numbers}], "objective": {of: 1.0}})
        assert any("none such is known" in each or "says nothing" in each for each in said.problems), rule
