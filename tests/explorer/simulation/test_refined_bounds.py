"""A bound that takes a second replaces the one that is shown, for every scenario and in a drag."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.schedule import PolicyChoice
from core.optimize.bounds import Bound
from explorer.document.document import Document
from explorer.simulation import refined_bounds
from explorer.simulation.runner import Runner
from tests.builders import make_job, make_workload

WORKLOAD = make_workload(*(make_job(f"J{i}", (2, 1.0 + i), (1, 13.0 - i)) for i in range(12)))
WHY = "whatever job comes first"


@pytest.fixture
def asked(monkeypatch):
    """Let refining find 100 s, and note what is refined."""
    asked = []

    def refine(workload, cluster, _should_stop):
        asked.append((len(workload.jobs), cluster.slots))
        return Bound(100.0, WHY)

    monkeypatch.setattr(refined_bounds, "refined_bound", refine)
    return asked


@pytest.fixture
def run(qtbot):
    """Run a document's scenarios; the runner ends with the test."""
    runners = []

    def run(workload, cluster):
        choices = (PolicyChoice("fifo"), PolicyChoice("johnson"))
        runner = Runner(Document(DocumentState.new(replace(workload, cluster=cluster), choices)))
        runner.use_compiled()
        runners.append(runner)
        runner.look_again()
        assert runner.wait_until_idle(60_000)
        return runner

    yield run
    for runner in runners:
        runner.shutdown()


def test_it_is_computed_once_and_replaces_the_quick_one(run, asked, qtbot):
    runner = run(WORKLOAD, Cluster(2, 2))
    qtbot.waitUntil(lambda: all(runner.outcome(i).bound_why == WHY for i in (1, 2)))
    outcome = runner.outcome(1)
    assert outcome.lower_bound == 100.0
    assert outcome.metrics.gap == pytest.approx(outcome.makespan / 100 - 1)
    assert asked == [(12, 4)]
    previews = []
    runner.preview_ready.connect(lambda _id, preview: previews.append(preview))
    runner.preview(1, tuple(reversed(WORKLOAD.input_order)))
    assert previews[-1].bound_why == WHY
    runner.end_preview(1)


def test_few_jobs_and_containers_have_no_better_one(run, asked, qtbot):
    few = make_workload(*WORKLOAD.jobs[:10])
    for workload, cluster in ((few, Cluster(2, 2)), (WORKLOAD, Cluster(0, 0, containers=2))):
        runner = run(workload, cluster)
        assert runner.outcome(1).bound_why not in ("", WHY)
    assert asked == []


def test_a_smaller_bound_is_not_taken(run, monkeypatch, qtbot):
    monkeypatch.setattr(refined_bounds, "refined_bound", lambda *_: Bound(1.0, WHY))
    runner = run(WORKLOAD, Cluster(2, 2))
    with qtbot.waitSignal(runner._bounds.found):
        runner._bounds._known.clear()
        runner._bounds.look_at(runner.outcome(1))
    assert runner.outcome(1).bound_why != WHY
