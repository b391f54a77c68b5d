"""Workflows have the shapes, numbers and times of what is published of them."""

from __future__ import annotations

import numpy as np
import pytest

from core.generate.families import generate
from core.generate.workflow import SHAPES, WorkflowStep, fork_join, graph_of, in_tree, montage, out_tree
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate


def test_fork_join_has_rounds() -> None:
    steps = fork_join(8, 3, 2)
    assert [step.tasks for step in steps] == [1, 8, 1, 8, 1, 8, 1]
    assert [step.parents for step in steps] == [(), (0,), (1,), (2,), (3,), (4,), (5,)]


def test_montage_is_that_of_the_generator() -> None:
    """One square degree: 50 images, 200 differences; the times are those in the generator's source."""
    steps = montage(50, 1, 2)
    assert [step.tasks for step in steps] == [50, 200, 1, 1, 50, 1, 1, 1, 1]
    seconds = {step.name: step.factor * 13.59 for step in steps}
    assert seconds == pytest.approx(
        {
            "mProjectPP": 13.59,
            "mDiffFit": 10.59,
            "mConcatFit": 16.0,
            "mBgModel": 26.0,
            "mBackground": 10.74,
            "mImgTbl": 18.5,
            "mAdd": 30.11,
            "mShrink": 12.21,
            "mJPEG": 3.159,
        },
        rel=1e-3,
    )
    parents = {step.name: [steps[parent].name for parent in step.parents] for step in steps}
    assert parents["mBackground"] == ["mProjectPP", "mBgModel"]
    assert [name for name, others in parents.items() if not others] == ["mProjectPP"]


@pytest.mark.parametrize(("width", "branching", "tasks"), [(8, 2, 15), (9, 3, 13), (5, 2, 11), (1, 2, 1)])
def test_trees_have_every_task_once(width: int, branching: int, tasks: int) -> None:
    inward, outward = in_tree(width, 1, branching), out_tree(width, 1, branching)
    assert len(inward) == len(outward) == tasks
    children = [parent for step in inward for parent in step.parents]
    assert sorted(children) == list(range(tasks - 1))  # all but the last have one that waits for them
    assert [len(step.parents) for step in outward] == [0] + [1] * (tasks - 1)
    assert max((len(step.parents) for step in inward), default=0) <= branching


def depth(steps: list[WorkflowStep]) -> int:
    deep: list[int] = []
    for step in steps:
        deep.append(1 + max((deep[parent] for parent in step.parents), default=0))
    return max(deep)


def test_both_trees_are_as_deep() -> None:
    assert depth(in_tree(27, 1, 3)) == depth(out_tree(27, 1, 3)) == 4


@pytest.mark.parametrize("shape", SHAPES)
def test_equal_times_end_after_the_longest_path(shape: str) -> None:
    parameters = {"jobs": 1, "shape": shape, "width": 12, "spread": 0, "seconds": 10, "containers": 1000}
    workload = generate("workflow", parameters=parameters)
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    steps = SHAPES[shape](12, 3, 2)
    if shape != "montage":
        assert schedule.makespan == pytest.approx(10 * depth(steps))
    ends: list[float] = []
    for step in steps:
        ends.append(10 * step.factor + max((ends[parent] for parent in step.parents), default=0.0))
    assert schedule.makespan == pytest.approx(max(ends), abs=0.01)
    assert workload.jobs[0].graph == graph_of(steps)


def test_times_have_the_mean_and_the_spread_that_were_asked_for() -> None:
    parameters = {"jobs": 30, "shape": "fork-join", "width": 500, "seconds": 20, "spread": 0.8}
    times = generate("workflow", seed=4, parameters=parameters).columns.duration
    error = np.expm1(0.8**2) ** 0.5 / len(times) ** 0.5
    assert times.mean() == pytest.approx(20, rel=4 * error)
    assert np.log(times).std() == pytest.approx(0.8, rel=0.02)


def test_workflows_arrive_apart() -> None:
    workload = generate("workflow", seed=4, parameters={"jobs": 400, "width": 1, "mean_interarrival": 9})
    gaps = np.diff([job.arrival for job in workload.jobs])
    assert abs(gaps.mean() - 9) < 4 * 9 / len(gaps) ** 0.5


def test_more_tasks_than_there_may_be_are_refused() -> None:
    parameters = {"jobs": 1000, "shape": "fork-join", "width": 2000, "depth": 1000}
    with pytest.raises(
        InputError, match=r"workflow: 1000 jobs of 2001001 tasks are more than 1000000 tasks; give"
    ):
        generate("workflow", parameters=parameters)
