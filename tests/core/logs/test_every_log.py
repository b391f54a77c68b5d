"""What holds for every log that says what ran, hand-written or real."""

from __future__ import annotations

from dataclasses import fields
from os.path import basename

import numpy as np
import pytest

from core.files.workload_document import read_workload
from core.files.workload_writing import write_workload
from core.model.slot_times import most_open
from tests.core.logs.collected_logs import CONFIGURED, EVERY, imported

each_log = pytest.mark.parametrize("log", EVERY, ids=basename)


@each_log
def test_the_suggested_slots(log):
    workload, report = imported(log).workload, imported(log).report
    wanted = next((slots for name, slots in CONFIGURED.items() if name in log), report.peaks)
    if workload.cluster.has_containers:  # a Spark log: the cores of its executors serve maps and reduces
        cluster = workload.cluster
        assert cluster.containers + most_open(cluster.slot_times) >= max(wanted)
    else:
        assert (workload.cluster.map_slots, workload.cluster.reduce_slots) == wanted
    assert ("As the jobs are configured" in report.cluster_reason) == any(name in log for name in CONFIGURED)


@each_log
def test_the_report_fits_a_screen_or_two(log):
    assert len(imported(log).report.to_text().splitlines()) < 80


@each_log
def test_an_imported_log_can_be_saved_and_read_again(log, tmp_path):
    workload = imported(log).workload
    write_workload(workload, tmp_path / "log.workload.json.gz")
    again = read_workload(tmp_path / "log.workload.json.gz")
    assert again.cluster == workload.cluster
    assert again.recorded == workload.recorded
    for mine, theirs in (
        (again.columns, workload.columns),
        (again.columns.stages, workload.columns.stages),
        (again.columns.links, workload.columns.links),
    ):
        for name in (field.name for field in fields(theirs) if field.name not in ("stages", "links")):
            equal = np.array_equal(getattr(mine, name), getattr(theirs, name), equal_nan=True)
            assert equal, name
