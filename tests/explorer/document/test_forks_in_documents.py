"""Forks are part of a scenario: jobs and clusters change under them, and the title names who decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.partition import Partition, SlotPool
from core.model.schedule import Fork, PolicyChoice
from core.model.time_text import clock_text
from core.policies.registry import describe
from core.simulation.fork import fork_of
from explorer.document.titles import scenario_title

POOLS = Partition((SlotPool("Small", 10, 10, ("J2", "J5", "J1")), SlotPool("Large", 20, 20, ("J4", "J3"))))
FAIR = describe("fair").title
FORK = Fork(
    20.0,
    0,
    PolicyChoice("order", {"order": "J3, J1"}),
    fork=Fork(
        10.0, 3, PolicyChoice("fair"), ("J5", "J4", "J3", "J2", "J1"), fork=Fork(5.0, 0, PolicyChoice("fifo"))
    ),
)


@pytest.fixture
def forked(editor):
    """The first scenario goes on from two others."""
    state = editor.document.state
    editor.document.load(state.with_scenario(replace(state.scenario(1), fork=FORK)))
    return editor


def test_a_job_with_another_name(forked):
    document = forked.document
    forked.replace_job(2, replace(document.workload.jobs[2], name="Log"))
    fork = document.scenario(1).fork
    assert fork.choice.parameters == {"order": "Log,J1"}
    assert fork.fork.order == ("J5", "J4", "Log", "J2", "J1")
    assert fork.fork.fork == FORK.fork.fork


def test_a_job_less(forked):
    document = forked.document
    forked.delete_jobs([document.workload.job_index["J3"]])
    fork = document.scenario(1).fork
    assert fork.choice.parameters == {"order": "J1"}
    assert fork.fork.order == ("J5", "J4", "J2", "J1")


def test_pools_before_a_fork_follow_the_cluster(editor):
    document = editor.document
    fork = Fork(9.0, 0, PolicyChoice("fair"), fork=Fork(5.0, 1, PolicyChoice("fifo"), partition=POOLS))
    scenario = replace(document.scenario(1), fork=fork, cluster=Cluster(15, 30))
    fitted = document.state.fork_of(scenario)
    assert fitted.choice == PolicyChoice("fair")
    assert (fitted.time, fitted.fork.time, fitted.fork.decisions) == (9, 5, 1)
    assert [pool.slots for pool in fitted.fork.partition.pools] == [(5, 10), (10, 20)]
    assert document.state.fork_of(document.scenario(1)) is None


def test_the_title_names_everybody_who_decides(forked):
    assert scenario_title(forked.document.scenario(1)) == (
        f"FIFO to 0:05, {FAIR} to 0:10, Explicit order to {clock_text(FORK.time)}, then FIFO"
    )
    by_hand = Scenario(1, PolicyChoice("fair"), ("J1",), fork=Fork(1.0, 0, PolicyChoice("fifo")))
    assert scenario_title(by_hand) == f"FIFO to 0:01, then {FAIR}, edited"


def test_a_scenario_forks_like_its_schedule(forked):
    assert fork_of(forked.document.scenario(1), 30.0) == Fork(30.0, 0, PolicyChoice("fifo"), fork=FORK)
    assert fork_of(forked.document.scenario(1), 10.0, 3) == FORK.fork
