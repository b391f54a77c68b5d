"""Plans are written and read to the last bit, and what is wrong with a file is told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.plan_document import (
    plan_from_bytes,
    plan_from_json,
    plan_to_json,
    read_plan,
    write_plan,
)
from core.files.workload_document import is_workload_document
from core.model.errors import DocumentError
from core.model.levers import LATEST_DUE, ROOM_USES, TASK_ORDERS, JobPlan, StagePlan
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from tests.core.files.documents import encoded
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

stages = st.builds(
    StagePlan,
    st.floats(-LATEST_DUE, LATEST_DUE),
    st.sampled_from(TASK_ORDERS),
    st.none() | st.integers(1, 9),
)
jobs = st.builds(
    JobPlan,
    st.text("abJ1", max_size=4),
    stages,
    stages,
    st.none() | st.integers(0, 9),
    st.booleans(),
    st.sampled_from(ROOM_USES),
)
pools = st.builds(Partition, st.just((SlotPool("A", 1, 2, ("J1", "J2")), SlotPool("B"))))
plans = st.builds(
    Plan, st.lists(jobs, max_size=4, unique_by=lambda job: job.name).map(tuple), st.none() | pools
)


@examples(30)
@given(plans)
def test_what_is_written_is_read_to_the_last_bit(plan: Plan) -> None:
    document = plan_to_json(plan, "Monday")
    assert plan_from_bytes(encoded(document), "x.plan.json") == plan
    assert document["workload"] == "Monday"


def test_a_file_is_known_by_its_content_and_may_be_packed(tmp_path: Path) -> None:
    plan = Plan((JobPlan("J1", StagePlan(1 / 3)),))
    for name in ("a.plan.json", "a.plan.json.gz"):
        write_plan(plan, tmp_path / name, "Monday")
        data = (tmp_path / name).read_bytes()
        assert not is_workload_document(data)
        assert read_plan(tmp_path / name) == plan


def test_whole_numbers_and_what_is_left_out_are_read() -> None:
    plan = plan_from_json(
        {"format": "slotscope-plan", "version": 1, "jobs": [{"name": "J1", "maps": {"due": 3}}]}, "x"
    )
    assert plan == Plan((JobPlan("J1", StagePlan(3.0)),))
    assert type(plan.jobs[0].maps.due) is float


def test_what_is_wrong_is_told_with_its_place() -> None:
    jobs = [{"name": "J1", "maps": {"tasks": "longes", "cap": 0}}, {"name": "J2", "reduce_after": 2}]
    with pytest.raises(DocumentError) as raised:
        plan_from_json({"format": "slotscope-plan", "version": 1, "jobs": jobs}, "x.plan.json")
    assert str(raised.value).splitlines() == [
        "x.plan.json: jobs[0].maps.cap is 0; give a whole number of slots from 1 to 20000000, or null",
        "x.plan.json: jobs[0].maps.tasks is 'longes'; not one of the choices; did you mean 'longest'?",
        "x.plan.json: jobs[1].reduce_after: unknown key; did you mean 'reduces_after'?",
    ]
    with pytest.raises(DocumentError, match="job names are unique"):
        plan_from_json(
            {"format": "slotscope-plan", "version": 1, "jobs": [{"name": "J1"}] * 2}, "x.plan.json"
        )
