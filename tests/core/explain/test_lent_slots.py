"""Sentences on lent slots: those of the design's picture, and none where nothing is lent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain import lent_slots
from core.explain.lent_slots import lent_sentences
from core.files.samples import find_sample
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, run

if TYPE_CHECKING:
    import pytest


def test_at_an_instant_each_pool_that_borrows_has_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    workload = find_sample("three-pools").state.workload
    schedule = simulate(workload, workload.cluster, PolicyChoice("dhfs-pi"))
    assert lent_sentences(schedule, 25.0) == (
        "pipeline works on 9 slots, 6 of them lent: 4 by reports and 2 by analysts.",
        "reports works on 1 slot, lent by analysts.",
    )
    assert lent_sentences(schedule, 117.9) == ()
    monkeypatch.setattr(lent_slots, "MAX_TASKS", schedule.tasks - 1)
    assert lent_sentences(schedule, 25.0) == ()


def test_one_pool_lends_nothing() -> None:
    schedule = run(make_workload(make_job("a", maps=(4, 10.0))), Cluster(2, 1, 1.0))
    assert lent_sentences(schedule, 5.0) == ()
