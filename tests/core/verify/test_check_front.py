"""Fronts: what the checker accepts is so, and no field of a front can be changed unseen."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup
from core.optimize.bounds import lower_bound
from core.optimize.bounds_by_end import BoundsByEnd
from core.optimize.evaluate import alone_seconds
from core.optimize.objectives import Objective
from core.simulation import plan_front
from core.simulation.best_schedule import wanted_search
from core.simulation.front_proofs import prove_front
from core.simulation.plan_front import search_front
from core.simulation.proofs_of_source import problems_of_source
from core.verify.certificate import write_proof
from core.verify.check_front import MAX_RANGES, FrontInspection, check_front, checker_of
from core.verify.front_file import FrontFile, read_proof
from tests.builders import make_job, make_workload, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.model.workload import Workload
    from core.simulation.plan_front import FrontPoint

CLUSTER = Cluster(2, 2)
JOBS = make_workload(
    *(
        replace(make_job(name, (maps, seconds), (reduces, 2.0, 1.0, 1.5), arrival=arrival), deadline=due)
        for name, maps, seconds, reduces, arrival, due in (
            ("A", 4, 6.0, 2, 0.0, 30.0),
            ("B", 1, 2.0, 1, 1.0, 6.0),
            ("C", 2, 3.0, 3, 0.0, 11.0),
            ("D", 3, 1.0, 1, 2.0, 12.0),
            ("E", 1, 9.0, 1, 0.0, None),
        )
    )
)
FRONTS = (
    ("makespan", "mean-response"),
    ("makespan", "stretch"),
    ("stretch", "mean-response"),
    ("tardiness", "late-jobs"),
    ("late-jobs", "makespan"),
    ("weighted-response", "tardiness"),
)


@cache
def front_of(goals: tuple[str, str]) -> tuple[list[FrontPoint], FrontFile]:
    effort = {"steps": 60, "compiled": False}
    wanted = wanted_search(JOBS, CLUSTER, Objective(), effort=effort)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan_front, "WIDE", 9.0)  # ranges take long to forge
        return prove_front(wanted, goals, search_front(wanted, goals, 4))


@pytest.mark.parametrize("goals", FRONTS)
def test_a_front_is_confirmed_in_what_its_plans_do(goals: tuple[str, str], tmp_path: Path) -> None:
    points, file = front_of(goals)
    assert file.verdict.problems == ()
    path = tmp_path / "front.json.gz"
    write_proof(file.document, path)
    read = read_proof(path)
    assert isinstance(read, FrontFile)
    assert read.document == file.document
    assert read.verdict == file.verdict
    assert problems_of_source(read.document, JOBS, CLUSTER) == ()
    objectives = [Objective.of(goal) for goal in goals]
    alone = [run(JOBS.with_jobs([replace(job, arrival=0.0)]), CLUSTER).makespan for job in JOBS.jobs]
    for point, values, found in zip(points, file.verdict.values, file.verdict.points, strict=True):
        finish = run(JOBS, CLUSTER, plan=point.plan).finish
        so = [each.value(JOBS, finish, np.array(alone)) for each in objectives]
        assert values == pytest.approx(so)
        assert point.values == pytest.approx(so)
        assert found.bound == point.bound
        assert point.gap == pytest.approx(
            point.best / point.bound - 1 if point.bound else float(point.best > 0)
        )


def leaves(value: Any, *path: Any) -> Iterator[tuple[Any, ...]]:
    """The ways to all values of a document; of long lists, to the first, the middle and the last one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, *path, key)
    elif isinstance(value, list) and value:
        for place in sorted({0, len(value) // 2, len(value) - 1}):
            yield from leaves(value[place], *path, place)
    else:
        yield path


def proved_by(found: FrontInspection) -> list[float]:
    """All that the checker has worked out."""
    return [*(each.bound for each in found.points), *(value for pair in found.values for value in pair)]


def forged(document: Any, path: tuple[Any, ...], other: Any) -> Any:
    changed = deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other
    return changed


def others(value: Any) -> list[Any]:
    """What a forger may write in its place."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value * 0.99 - 1e-3, -1.0, None, "1"]
    return [1.0, "x", None] if value is None else [f"{value}x", 7]


@pytest.mark.parametrize("goals", FRONTS[:4])
def test_a_forged_field_is_refused_in_a_sentence(goals: tuple[str, str]) -> None:
    """Each field in turn. Numbers of a proof, and of plans, may say the same in another way: no more."""
    document = json.loads(json.dumps(front_of(goals)[1].document))
    before, refused = check_front(document), 0
    for path in leaves(document):
        inner = document
        for key in path:
            inner = inner[key]
        for other in others(inner):
            if other == inner:
                continue
            changed = forged(document, path, other)
            found = check_front(changed)
            problems = found.problems or problems_of_source(changed, JOBS, CLUSTER)
            refused += bool(problems)
            assert all(problem.strip() for problem in problems)
            if not problems:
                assert {"proof", "plan", "ranges"} & {*path}, (path, inner, other)
                assert proved_by(found) == pytest.approx(proved_by(before)), (path, inner, other)
    assert refused > 300


@cache
def front_by_ranges(goals: tuple[str, str] = FRONTS[0]) -> dict[str, Any]:
    """A front whose mixes are bounded by when all is over, and by nothing else."""
    alone = alone_seconds(JOBS, CLUSTER)
    found = BoundsByEnd(JOBS, CLUSTER, Objective.of(goals[1]), lower_bound(JOBS, CLUSTER), alone=alone)
    for until in (26.0, 28.0, 32.0):
        found.add(until)
    bounds = found.bounds
    document = json.loads(json.dumps(front_of(goals)[1].document))
    document["ranges"] = [each.proof(goals[1]) for each in bounds]
    checker = checker_of(document)
    for point in document["points"]:
        if all(point["weights"].values()):
            parts = [part for part in point["proof"] if part["of"] == "makespan"]
            point["proof"] = [*parts, {"of": "mix", "rule": "ranges"}]
            begin = max(checker.bound(part) for part in parts)
            begins = [begin, *(max(each.until, begin) for each in bounds)]
            costs = zip(begins, checker.by_end, strict=False)
            of_end, of_other = (point["weights"][goal] for goal in goals)
            point["bound"] = min(of_end * begin + of_other * value for begin, (*_, value) in costs)
            point["gap"] = point["best"] / point["bound"] - 1
    return document


@pytest.mark.parametrize("goals", FRONTS[:2])
def test_a_front_may_be_bounded_by_when_all_is_over(goals: tuple[str, str]) -> None:
    document = front_by_ranges(goals)
    assert check_front(document).problems == ()
    assert any(part["rule"] == "ranges" for point in document["points"] for part in point["proof"])
    plain = {name: value for name, value in document.items() if name != "ranges"}
    (problem, *_) = check_front(plain).problems
    assert "the proof gives the bound" in problem
    assert check_front(document | {"ranges": document["ranges"][:-1]}).problems  # all later ends are missing
    without = document["ranges"][:-2] + document["ranges"][-1:]
    low = [found.bound for found in check_front(document | {"ranges": without}).points]
    assert all(one <= other + 1e-9 for one, other in zip(low, proved_by(check_front(document)), strict=False))
    for name, other in (
        ("of", "late-jobs"),
        ("of", "makespan"),
        ("rule", "window"),
        ("until", 1.0) if goals == FRONTS[0] else ("stretch", -1.0),
        ("until", -1),
    ):
        (problem, *_) = check_front(forged(document, ("ranges", 0, name), other)).problems
        assert "it cannot be read" in problem
    numbers = (("until", 40.0), ("times", [1.0]), ("falls", [[0.0], [0.0]]), ("stretch", 9.0), ("rest", 9.0))
    for name, value in numbers:
        found = check_front(forged(document, ("ranges", 1, name), value))
        assert found.problems or proved_by(found) <= proved_by(check_front(document))


def with_one_more_time(node: dict[str, Any]) -> dict[str, Any]:
    """Prices, and those of all cases, that are not less after one more time at the beginning."""
    more: dict[str, Any] = {}
    if "falls" in node:
        more["falls"] = [[0.0, *row] for row in node["falls"]]
    if "rises" in node:
        more["rises"] = [0.0, *node["rises"]]
    inner = {name: with_one_more_time(node[name]) for name in ("cases", "sooner", "later") if name in node}
    return node | more | inner


def test_ranges_together_prove_no_less_than_each_alone() -> None:
    """Whether they have the same times or not, and each keeps its place."""
    document = front_by_ranges()
    first, second, *others = document["ranges"]
    times = [second["times"][0] / 2, *second["times"]]
    ranges = [first, with_one_more_time(second) | {"times": times}, *others]
    together = checker_of(document | {"ranges": ranges}).by_end
    for part, (until, goal, value) in zip(ranges, together, strict=True):
        [(last, of, alone)] = checker_of(document | {"ranges": [part]}).by_end
        assert (until, goal) == (last, of)
        assert alone * (1 - 1e-12) <= value == pytest.approx(alone, rel=0.01)
    assert [until for until, *_ in together] == [26.0, 28.0, 32.0, np.inf]
    (problem,) = check_front(document | {"ranges": [first] * (MAX_RANGES + 1)}).problems
    assert f"ranges: more than {MAX_RANGES}" in problem


def test_a_missing_field_is_refused() -> None:
    document = json.loads(json.dumps(front_of(FRONTS[0])[1].document))
    for path in (("premise",), ("version",), ("goals",), ("jobs",), ("points",), ("points", 0, "proof")):
        changed = deepcopy(document)
        inner = changed
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        (problem,) = check_front(changed).problems
        assert "it cannot be read" in problem


def test_points_that_are_no_front_are_refused() -> None:
    """A point twice, and one that another one beats."""
    document = json.loads(json.dumps(front_of(FRONTS[0])[1].document))
    assert len(document["points"]) >= 2
    twice = document | {"points": [document["points"][0], *document["points"]]}
    assert "points 1 and 2: the second is not worse" in check_front(twice).problems[0]
    turned = document | {"points": document["points"][::-1]}
    assert any("not worse in makespan" in problem for problem in check_front(turned).problems)


def test_many_problems_of_a_point_are_counted() -> None:
    document = json.loads(json.dumps(front_of(FRONTS[0])[1].document))
    document["points"][0]["schedule"]["end"] = [0.5 for _ in document["points"][0]["schedule"]["end"]]
    said = [each for each in check_front(document).problems if each.startswith("point 1")]
    assert len(said) == 6
    assert said[-1].endswith("more like these")


@pytest.mark.parametrize("value", [None, 3, [], {}, "x", {"format": "slotscope-front"}])
def test_no_value_breaks_it(value: object) -> None:
    assert len(check_front(value).problems) == 1


def test_what_has_no_proof_says_why() -> None:
    nodes = Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4),))
    wanted = wanted_search(JOBS, nodes, Objective(), effort={"steps": 10, "compiled": False})
    goals = FRONTS[0]
    points, file = prove_front(wanted, goals, search_front(wanted, goals, 2))
    assert file.verdict.problems == ("it has no proof: none is made for nodes",)
    assert [point["values"]["makespan"] for point in file.document["points"]] == [
        point.values[0] for point in points
    ]


def test_it_is_of_the_jobs_and_the_cluster_that_it_says() -> None:
    document = front_of(("makespan", "stretch"))[1].document

    def said(workload: Workload, cluster: Cluster = CLUSTER) -> str:
        return " ".join(problems_of_source(document, workload, cluster))

    assert said(JOBS) == ""
    assert "its jobs are not those" in said(JOBS.with_jobs(JOBS.jobs[1:]))
    assert "its cluster is another one: map_slots" in said(JOBS, Cluster(3, 2))
    assert "not of 'Five jobs'" in said(load_sample("five-jobs"))
    longer = [replace(JOBS.jobs[0], deadline=99.0), *JOBS.jobs[1:]]
    assert "deadline differs" in said(JOBS.with_jobs(longer))
