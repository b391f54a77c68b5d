"""Pools and the runner: searched in a worker, previewed at once, never searched again for a drag."""

from __future__ import annotations

import pytest

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.errors import Cancelled
from core.model.estimates import DurationEstimates
from core.model.partition import Partition, SlotPool
from core.model.partition_edits import with_slots_moved
from core.model.schedule import PolicyChoice
from core.planning import pool_searches
from core.planning.balanced_pools import balanced_pools
from core.planning.kept_searches import KeptSearches
from core.simulation.simulate import simulate
from explorer.document.document import Document
from explorer.simulation.runner import Runner
from explorer.widgets import worker as worker_module

POOLS = Partition((SlotPool("Small", 10, 10, ("J2", "J5", "J1")), SlotPool("Large", 20, 20, ("J4", "J3"))))


def idle(runner):
    assert runner.wait_until_idle()


@pytest.fixture
def searched(monkeypatch):
    """Names of the workloads that pools were searched for."""
    names = []
    real = balanced_pools

    def counting(workload, *arguments):
        names.append(workload.name)
        return real(workload, *arguments)

    monkeypatch.setattr(pool_searches, "balanced_pools", counting)
    monkeypatch.setattr(pool_searches, "_kept", KeptSearches("a search"))
    return names


@pytest.fixture
def balanced(editor, searched, runner):
    """A runner whose second scenario follows BalancedPools, on a cluster where pools are worth it."""
    editor.choose_policy(2, PolicyChoice("balanced-pools"))
    editor.set_cluster(Cluster(20, 20, 1.0))
    runner.look_again()
    idle(runner)
    return runner


def test_pools_that_were_found_are_known(balanced, searched):
    assert searched == ["Five jobs"]
    found = balanced.outcome(2).schedule.partition
    assert len(found.pools) == 2
    assert balanced.pools(2) == found
    assert balanced.pools(1) is None


def test_pools_made_by_hand_count_more(balanced, editor):
    editor.drop_partition(2, POOLS, "Make pools")
    assert [pool.slots for pool in balanced.pools(2).pools] == [(7, 7), (13, 13)]
    idle(balanced)
    schedule = balanced.outcome(2).schedule
    assert schedule.partition == balanced.pools(2)
    assert schedule.choice == PolicyChoice("balanced-pools")


def test_an_edit_of_pools_searches_nothing(editor, balanced, document, searched, monkeypatch):
    """Neither its previews nor its drop; what the search found stands behind it."""
    found = balanced.pools(2)
    monkeypatch.setattr(balanced, "_uses_all", True)
    previews = []
    balanced.preview_ready.connect(lambda i, outcome: previews.append(outcome))
    for step in (1, 2, 3):
        edited = with_slots_moved(found, document.workload, 1, 0, (step, step))
        balanced.preview(2, partition=edited)
        assert previews[-1].schedule.partition == edited
        assert previews[-1].computed.partition == found
    editor.drop_partition(2, edited, "Make pools")
    balanced.end_preview(2)
    idle(balanced)
    assert len(searched) == 1
    assert balanced.outcome(2) is previews[-1]


def test_a_changed_cluster_shows_hand_made_pools_without_searching(balanced, editor, searched):
    editor.drop_partition(2, POOLS, "Make pools")
    editor.set_cluster(Cluster(40, 20, 1.0))
    idle(balanced)
    assert len(searched) == 1
    assert balanced.outcome(2).computed is None


def test_a_search_is_never_made_in_the_windows_own_thread(
    editor, balanced, document, searched, monkeypatch, gated
):
    """Not even if the order under a drag needs what the policy itself would do, and that is not known."""
    monkeypatch.setattr(balanced, "_uses_all", True)
    editor.set_workload(document.workload.with_jobs(document.workload.jobs[:4]), "Set jobs")
    order = ("J4", "J3", "J2", "J1")
    balanced.preview(2, order)
    assert gated.requests[-1].order == order
    assert len(searched) == 1
    balanced.end_preview(2)
    idle(balanced)
    assert len(searched) == 2


def test_progress_and_cancel_of_a_search(qtbot, searched, monkeypatch):
    """A larger search tells how far it is, and can be stopped; the scenario fails as cancelled."""
    monkeypatch.setattr(worker_module, "PROGRESS_INTERVAL_MS", 1)
    workload = generate("synthetic1", parameters={"jobs": 30})
    document = Document(DocumentState.new(workload, (PolicyChoice("balanced-pools"),)))
    runner = Runner(document)
    fractions, failures = [], []
    runner.progressed.connect(lambda _, fraction: fractions.append(fraction))
    runner.failed.connect(lambda _, error: failures.append(error))
    runner.look_again()
    qtbot.waitUntil(lambda: any(0 < fraction < 1 for fraction in fractions))
    runner.cancel()
    idle(runner)
    assert isinstance(failures[0], Cancelled)
    runner.shutdown()


def test_a_schedule_with_pools_is_that_of_the_simulator(editor, balanced, document):
    editor.drop_partition(1, POOLS, "Make pools")
    idle(balanced)
    pools = balanced.pools(1)
    expected = simulate(document.workload, document.cluster, PolicyChoice("fifo"), partition=pools)
    assert balanced.outcome(1).schedule.end.tolist() == expected.end.tolist()


def test_a_search_on_estimates_is_another_search(balanced, editor, searched):
    assert len(searched) == 1
    truth = balanced.outcome(2).schedule
    editor.set_estimates(2, DurationEstimates(0.8, "job", 2))
    idle(balanced)
    guessed = balanced.outcome(2).schedule
    assert len(searched) == 2
    assert guessed.choice.estimates == DurationEstimates(0.8, "job", 2)
    assert guessed.partition != truth.partition
    assert guessed.workload.jobs == truth.workload.jobs
    editor.undo_stack.undo()
    idle(balanced)
    assert balanced.outcome(2).schedule is truth
    assert len(searched) == 2
