"""A window that shows another workload shows nothing of the one before, however much they have in common."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from core.files.open_workload import open_workload
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.job import Dataset
from core.model.schedule import RECORDED, PolicyChoice, Schedule
from core.model.workload import Workload
from tests.builders import make_job
from tests.explorer.window_fixtures import open_window
from tests.paths import DATA


@pytest.fixture
def window(qtbot, tmp_path):
    return open_window(qtbot, tmp_path, compiled=False)


@pytest.fixture
def shown(window):
    """Show workloads one after the other under one policy; return each schedule."""

    def show(workload: Workload, policy: str) -> Schedule:
        window.editor.load(DocumentState.new(workload, (PolicyChoice(policy),)))
        assert window.runner.wait_until_idle()
        outcome = window.runner.outcome(1)
        assert outcome is not None
        return outcome.schedule

    return show


def test_other_datasets(shown):
    scans = tuple(make_job(f"J{i}", (10, 1.0), dataset="D") for i in range(3))

    def workload(fraction: float) -> Workload:
        return Workload("W", scans, Cluster(1, 1), datasets=(Dataset("D", 10, 1.0, fraction),))

    assert shown(workload(1.0), "circumflex").makespan == 10
    assert shown(workload(0.0), "circumflex").makespan == 30


def test_as_recorded_of_another_log(shown):
    log = open_workload(DATA / "jobtracker-0.20.log").workload
    assert log.recorded is not None
    late = replace(log, recorded=replace(log.recorded, end=np.array(log.recorded.end) + 100))
    before, after = (shown(workload, RECORDED) for workload in (log, late))
    assert before.record.run is log.recorded
    assert after.record.run is late.recorded
    assert after.makespan > before.makespan + 90


def test_a_renamed_workload_is_exported_under_its_name(window, shown, qtbot, tmp_path, monkeypatch):
    sample = load_sample("five-jobs")
    for workload in (sample, replace(sample, name="Renamed")):
        shown(workload, "fifo")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(tmp_path / "trace.json"), ""))
    with qtbot.waitSignal(window.exports.done):
        window.actions_by_id["export_perfetto"].trigger()
    assert json.loads((tmp_path / "trace.json").read_text())["otherData"]["workload"] == "Renamed"
