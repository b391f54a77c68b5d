"""Levers and what plans say: one table that all who name them read."""

from __future__ import annotations

import pytest

from core.model.errors import InputError
from core.model.levers import JOB_FIELDS, LEVERS, STAGE_FIELDS, JobPlan, StagePlan, levers_in
from core.model.plan import Plan
from core.optimize.levers import MOVES, PLAN_FIELDS, PlanColumns
from tests.builders import make_job, make_workload
from tests.paths import ROOT


def test_levers_are_read_in_the_order_of_the_table() -> None:
    assert levers_in("across, order") == ("order", "across")
    assert levers_in("order,all") == tuple(LEVERS)
    with pytest.raises(InputError, match=r"--levers is empty; give some of order, slowstart, "):
        levers_in(" ,", "--levers")


def test_the_manual_has_the_words_of_every_lever() -> None:
    page = (ROOT / "docs" / "how-to" / "end-a-batch-earlier.md").read_text(encoding="utf-8")
    rows = [f"| `{name}` | {lever.changes} | {lever.requirement} |" for name, lever in LEVERS.items()]
    assert "\n".join(rows) in page


def test_every_move_is_of_a_lever_and_all_that_plans_say_has_a_column() -> None:
    assert {move.lever for move in MOVES} <= set(LEVERS)
    assert set(PLAN_FIELDS) < set(PlanColumns._fields)


@pytest.mark.parametrize(
    ("name", "value", "number"), [("due", 7.5, 7.5), ("tasks", "longest", 1), ("cap", 3, 3)]
)
def test_what_is_said_of_a_stage_has_a_number_and_comes_back(name: str, value: object, number: float) -> None:
    how = STAGE_FIELDS[name]
    assert (how.to_number(value), how.to_value(number)) == (number, value)
    assert how.to_number(None) == how.blank


def test_columns_of_a_plan_leave_blank_what_it_does_not_say() -> None:
    jobs = [make_job(name, (2,), (2,)) for name in "ABC"]
    plan = Plan((JobPlan("C", StagePlan(4.0, "longest"), StagePlan(5.0, cap=1), 2), JobPlan("A")))
    served, said = plan.columns(make_workload(*jobs))
    assert served.tolist() == [2, 0, 1]
    assert said["due"].tolist() == [[0, 0], [float("inf")] * 2, [4, 5]]
    assert said["tasks"].tolist() == [[0, 0], [0, 0], [1, 0]]
    none = STAGE_FIELDS["cap"].blank
    assert said["cap"].tolist() == [[none, none], [none, none], [none, 1]]
    assert said["reduces_after"].tolist() == [JOB_FIELDS["reduces_after"].blank] * 2 + [2]
