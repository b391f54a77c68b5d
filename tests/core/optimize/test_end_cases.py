"""Cases of when jobs end: below the best schedule of each, and more than one list of prices proves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import SHUFFLE_MODELS, Cluster, ShuffleModel
from core.optimize import end_cases
from core.optimize.bounds import lower_bound, makespan_bound
from core.optimize.objectives import Objective
from core.optimize.priced import Priced
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import JobEnds, price_bound, priceable
from core.optimize.worst_job import last_end
from core.verify.check import check
from tests.builders import make_job, make_workload, run
from tests.core.optimize.all_schedules import cheapest
from tests.core.optimize.test_slot_prices import MAX, cost, priced
from tests.core.verify.made import certificate_of
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.workload import Workload
    from core.optimize.job_costs import JobCosts


@examples(40)
@given(priced(), st.sampled_from([(1, 1), (2, 1)]), st.sampled_from(SHUFFLE_MODELS), st.data())
def test_no_prices_prove_more_of_a_case_than_its_best_schedule_costs(
    case: tuple[Workload, JobCosts, np.ndarray],
    slots: tuple[int, int],
    model: ShuffleModel,
    data: st.DataObject,
) -> None:
    workload, costs, times = case
    cluster, jobs = Cluster(*slots, shuffle_model=model), len(workload.jobs)
    allowed = JobEnds.any_of(jobs)
    ends = st.tuples(st.integers(0, jobs - 1), st.sampled_from((1.0, 2.5, 3.0, 4.0, 6.0, 9.0)), st.booleans())
    for job, at, later in data.draw(st.lists(ends, min_size=1, max_size=3)):
        allowed = allowed.cut(job, at, later=later)

    of_last = data.draw(st.sampled_from((0.0, 0.5, 2.0)))

    def cost_in_case(finish: list[float]) -> float:
        value = cost(costs, finish) + of_last * max(finish)
        return value if (allowed.after < finish).all() and (finish <= allowed.by).all() else np.inf

    best = cheapest(workload, cluster, cost_in_case)
    what = priceable(workload, cluster)
    worst = last_end(workload, of_last, max(lower_bound(workload, cluster), 1e-6)) if of_last else None
    drawn = st.lists(st.sampled_from((0.0, 0.25, 1.0, 3.0)), min_size=2 * len(times), max_size=2 * len(times))
    falls = np.array(data.draw(drawn)).reshape(2, len(times))
    capacity = capacities(what, times)[0]
    proved = price_bound(what, costs, times, falls, capacity, worst=worst, allowed=allowed)
    assert proved <= best * MAX + 1e-4 * of_last


@pytest.mark.parametrize("goal", ["mean-response", "makespan=0.3,mean-response=1"])
def test_of_few_jobs_cases_prove_more_of_responses_as_the_checker_finds(
    goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(end_cases, "MIN_GAIN", 0.0)
    workload, cluster = generate("synthetic2", seed=19, parameters={"jobs": 6}), Cluster(16, 16)
    objective = Objective.of(goal)
    root = objective.priced(workload, cluster)
    priced = Priced.of(objective, None, workload, cluster, None)
    assert root is not None
    assert root[1].cases == {}
    assert leaves(priced.prices.cases) > 2
    assert priced.bound > root[0] * 1.001
    weights = dict(objective.weights)
    least = {"of": "makespan", **(makespan_bound(workload, cluster).proof or {})}
    of = "mix" if "makespan" in weights else goal
    proof = [*([least] if "makespan" in weights else []), {"of": of, **priced.proof}]
    claim = {"claim": "within", "value": priced.bound, "bound": priced.bound, "objective": weights}
    document = {**certificate_of(run(workload, cluster)).document, **claim, "proof": proof}
    assert check(document).bound == pytest.approx(priced.bound, rel=1e-9)


def test_cases_prove_what_one_list_of_prices_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps of 1, 3, 4 and 8 s on a slot, due at 3, 10, 10 and 2 s: by hand, the last one ends at 16 s.

    The others are in time then, and any order in which it ends sooner costs as much or more.
    """
    jobs = [(1, 3), (3, 10), (4, 10), (8, 2)]
    workload = make_workload(
        *(make_job(f"J{i}", (1, float(p)), deadline=float(due)) for i, (p, due) in enumerate(jobs))
    )
    objective, cluster = Objective.of("tardiness"), Cluster(1, 0)
    bound, prices = objective.priced(workload, cluster, with_cases=True) or (0.0, None)
    monkeypatch.setattr(end_cases, "MAX_CASES", 1)
    of_one, single = objective.priced(workload, cluster, with_cases=True) or (0.0, None)
    best = cheapest(
        workload, cluster, lambda ends: sum(max(e - due, 0) for e, (_, due) in zip(ends, jobs, strict=True))
    )
    assert best == 14
    assert prices is not None
    assert single is not None
    assert single.cases == {}
    assert "cases" not in single.proof
    assert of_one < 0.92 * best
    assert 0.999 * best < bound <= best
    assert 2 <= leaves(prices.cases) <= 16
    assert prices.proof["cases"] is prices.cases


def leaves(node: dict[str, Any]) -> int:
    """How many cases there are below a cut."""
    return leaves(node["sooner"]) + leaves(node["later"]) if "job" in node else 1
