"""What the tests of the comparison share: scenarios that have been simulated."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QThreadPool

from core.measures.metrics import measure
from core.planning.estimated_makespan import estimate
from core.simulation.simulate import simulate
from explorer.comparison.results import Results
from explorer.document.time_axis import TimeAxis


@pytest.fixture
def axis(qapp):
    return TimeAxis()


@pytest.fixture
def outcome(document):
    """Simulate a scenario: schedule, metrics, estimates."""

    def simulated(scenario_id):
        state = document.state
        scenario = state.scenario(scenario_id)
        cluster = state.cluster_of(scenario)
        schedule = simulate(
            state.workload, cluster, scenario.choice, order=scenario.order, engine="interpreted"
        )
        return schedule, measure(schedule), estimate(state.workload, cluster)

    return simulated


@pytest.fixture
def results(document, view_state):
    return Results(document, view_state)


@pytest.fixture
def both(results, outcome):
    """Results of FIFO (1, the baseline) and Johnson (2)."""
    for scenario_id in (1, 2):
        results.put(scenario_id, *outcome(scenario_id))
    return results


@pytest.fixture(autouse=True)
def _no_worker_left(qapp):
    yield
    QThreadPool.globalInstance().waitForDone()
