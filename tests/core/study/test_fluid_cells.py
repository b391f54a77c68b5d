"""Cells in the fluid model: the same numbers as of the model itself, and how many jobs share."""

from __future__ import annotations

import math

import pytest

from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs, workload_scans
from core.shared_scans.windows import SCAN_POLICIES
from core.study.cell_run import CellRunner
from core.study.cells import settings_of
from core.study.fluid_cells import batch_sizes, fluid_schedule, mean_batch, sharing_jobs
from tests.core.study.study_examples import small_study

BASE = {
    "workload": {"family": "circumflex", "parameters": {"jobs": 40, "mean_interarrival": 6}},
    "simulation": {"model": "fluid"},
    "policy": {"id": "flex", "parameters": {"metric": "average-response", "window": 30}},
}
AXES = [{"name": "policy", "fields": ["policy.id"], "values": ["flex", "circumflex", "batch"]}]


def test_a_cell_gives_what_the_model_gives():
    measures = ["objective", "scan_work", "most_sharing", "largest_batch", "makespan"]
    study = small_study(base=BASE, axes=AXES, measures=measures, repetitions=1)
    runner = CellRunner({})
    for number, policy in enumerate(SCAN_POLICIES[:3]):
        cell = settings_of(study, number)
        row = runner.run(cell, study.measures)
        workload = runner.scenario_of(cell).workload
        window = 30.0 if policy == "batch" else 0.0
        there = schedule_scans(workload_scans(workload).jobs, 100, policy, window=window)
        value, work, sharing, batch, makespan = row.values
        assert row.error == ""
        assert (value, work) == (there.value, there.work)
        assert (sharing, batch) == (sharing_jobs(there).max(), batch_sizes(there).max())
        assert math.isnan(makespan), "no task ran"


def test_circumflex_is_never_worse_than_flex_and_does_less_work():
    study = small_study(base=BASE, axes=AXES, measures=["objective", "scan_work"], repetitions=3)
    runner = CellRunner({})
    for repetition in range(3):
        flex, circumflex, batch = (
            runner.run(settings_of(study, number, repetition), study.measures).values for number in range(3)
        )
        assert circumflex[0] <= flex[0] < batch[0]
        assert max(circumflex[1], batch[1]) < flex[1]


def test_the_largest_batch_is_no_smaller_than_the_mean_one():
    """Windows of 10 s: the first dataset has batches of two jobs and of one, the second one of two."""
    jobs = ScanJobs.of([1, 2, 12, 21, 22], [0, 0, 0, 1, 1], 100)
    batch = schedule_scans(jobs, 10, "batch", window=10)
    assert (mean_batch(batch), batch_sizes(batch).max()) == (2, 2)
    assert mean_batch(schedule_scans(jobs, 10, "flex")) == 1


def test_jobs_at_once_by_hand():
    jobs = ScanJobs.of([0, 5, 12, 40], [0, 0, 1, 0], 100)
    flex = schedule_scans(jobs, 10, "circumflex")
    assert sharing_jobs(flex).tolist() == [2, 1]
    batch = schedule_scans(jobs, 10, "batch", window=30)
    assert batch.boarded.tolist() == [30, 30, 15, 60]
    assert batch_sizes(batch).tolist() == [2, 1]


def test_what_the_fluid_model_does_not_have_is_refused():
    scans = load_sample("ten-scans")
    with pytest.raises(InputError, match="policy 'fifo' is none of the fluid model"):
        fluid_schedule(scans, Cluster(4, 1), PolicyChoice("fifo"))
    with pytest.raises(InputError, match="whole datasets only"):
        fluid_schedule(load_sample("overlapping-scans"), Cluster(4, 1), PolicyChoice("flex"))
