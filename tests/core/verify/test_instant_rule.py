"""The rule of prices of instants: the same bound as what found them, and nothing from wrong numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.job import Link
from core.optimize.instant_prices import instant_bound
from core.optimize.objectives import Objective
from core.optimize.slot_prices import priceable
from core.simulation.proofs import certify_gap_of
from core.verify.check import Checker, check
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import clusters, workloads
from tests.core.verify.made import certificate_of
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload

MIX = {"mean-response": 1.0, "tardiness": 0.5}
PRICES = st.sampled_from((0.0, 0.0, 0.1, 0.5, 2.0))


def document(
    workload: Workload, cluster: Cluster, part: dict[str, Any], objective: dict[str, float] = MIX
) -> dict[str, Any]:
    """A certificate of a schedule with one rule."""
    made = dict(certificate_of(run(workload, cluster)).document)
    return made | {"objective": objective, "proof": [{"of": "mix", "rule": "instants", **part}]}


@examples(20)
@given(st.data())
def test_it_works_out_the_same(data: st.DataObject) -> None:
    workload = data.draw(workloads())
    cluster = data.draw(clusters(workload).filter(lambda c: not c.has_nodes and c.overheads is None))
    times = np.cumsum(data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=8))) / 4
    what, objective = priceable(workload, cluster), Objective.of("mean-response=1,tardiness=0.5")
    number = what.machines * len(times)
    drawn = data.draw(st.lists(PRICES, min_size=number, max_size=number))
    prices, costs = np.array(drawn).reshape(what.machines, -1), objective.job_costs(workload)
    assert costs is not None
    part = {"times": times.tolist(), "prices": prices.tolist()}
    given = document(workload, cluster, part)
    found = Checker(given).bound(given["proof"][0])
    came = float((costs.second * workload.columns.arrival).sum())
    wanted = instant_bound(what, costs, times, prices) - came
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9 * (1 + came + float(prices.sum() * times[-1])))


WRONG = (
    ({"times": [2.0, 1.0]}, "do not ascend"),
    ({"times": [0.0, 1.0]}, "do not ascend"),
    ({"prices": [[-1.0, 0.0], [0.0, 0.0]]}, "below 0"),
    ({"prices": [[float("nan"), 0.0], [0.0, 0.0]]}, "below 0"),
    ({"prices": [[0.0, 0.0]]}, "not one price"),
    ({"times": []}, "not one price"),
)


@pytest.mark.parametrize(("wrong", "words"), WRONG)
def test_wrong_numbers_are_refused(wrong: dict[str, Any], words: str, two: tuple[Workload, Cluster]) -> None:
    part = {"times": [1.0, 2.0], "prices": [[0.0, 0.5], [0.1, 0.0]]}
    given = document(*two, part | wrong)
    problems = check(given).problems
    assert len(problems) == 1
    assert words in problems[0]


def test_they_say_nothing_of_the_makespan_or_of_jobs_that_follow_others(
    two: tuple[Workload, Cluster],
) -> None:
    part = {"times": [1.0], "prices": [[0.5], [0.1]]}
    given = document(*two, part, {"makespan": 1.0, "mean-response": 1.0})
    assert "responses and tardiness only" in check(given).problems[0]
    linked = two[0].with_jobs([*two[0].jobs[:2], replace(two[0].jobs[2], after=(Link("J0"),))])
    assert "follow others" in check(document(linked, two[1], part)).problems[0]


def test_a_gap_of_jobs_that_arrive_is_certified_by_them() -> None:
    workload = generate("facebook", seed=5, parameters={"jobs": 20, "mean_interarrival": 60.0})
    schedule = run(workload, Cluster(16, 16), "fifo")
    proof = certify_gap_of(schedule, Objective.of("mean-response"), 0.0)
    assert proof.certificate is not None
    assert proof.certificate.is_confirmed
    assert "instants" in proof.certificate.rules


@pytest.fixture
def two() -> tuple[Workload, Cluster]:
    """A job of many maps, and two that come while it runs."""
    late = (make_job(f"J{i}", (1, 1.0), (1, 1.0), arrival=10.0) for i in range(2))
    return make_workload(make_job("A", (20, 1.0)), *late), Cluster(1, 1)
