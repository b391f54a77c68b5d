"""The scoreboard's places and means, on workloads whose makespans are known."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from core.policies.orders import Fifo, Johnson, ShortestJobFirst
from core.policies.pools import BalancedPools
from core.policy_checks import scoreboard as module
from core.policy_checks.scoreboard import (
    PolicyScore,
    Scoreboard,
    sample_workloads,
    scoreboard,
    study_workloads,
)
from core.study.study_document import find_study
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    import pytest


def score(
    policy: str, workload: str, makespan: float, response: float = 1.0, gap: float = 0.0
) -> PolicyScore:
    error = "not for this cluster" if math.isnan(makespan) else ""
    return PolicyScore(policy, workload, makespan, response, gap, error)


def test_places_and_means() -> None:
    board = Scoreboard(
        PolicyChoice("fifo"),
        (make_workload(make_job("J1", (1, 1.0))),),
        (
            score("fifo", "test", 10.0, 4.0, 0.5),
            score("sjf", "test", 10.0, 2.0),
            score("fair", "test", 5.0),
            score("johnson", "test", math.nan),
        ),
    )
    rows = {row.policy: row for row in board.rows}
    assert [row.policy for row in board.rows] == ["fair", "fifo", "sjf", "johnson"]
    assert (rows["fair"].rank, rows["fifo"].rank, rows["sjf"].rank) == (1.0, 2.5, 2.5)
    assert (rows["fifo"].makespan, rows["fifo"].response, rows["fifo"].gap) == (2.0, 4.0, 0.5)
    assert (rows["fifo"].best, rows["fifo"].ran, rows["johnson"].best, rows["johnson"].ran) == (
        "test",
        1,
        "",
        0,
    )
    assert math.isnan(rows["johnson"].rank)


def test_policies_are_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """000 Figure 6: FIFO 74 s, Johnson 47 s; two pools end after 40 s where jobs are of two sizes."""
    monkeypatch.setattr(module, "call_apart", lambda function, given, named: function(*given, **named))
    monkeypatch.setattr(module, "AT_ONCE", 1)  # what runs here discards prints for all threads
    monkeypatch.setattr(module, "POLICIES", (Fifo, Johnson, ShortestJobFirst, BalancedPools))
    fractions: list[float] = []
    workloads = (load_sample("five-jobs"), load_sample("five-jobs-pools"))
    board = scoreboard(PolicyChoice("fair"), workloads, fractions.append)
    found = {(score.policy, score.workload): score.makespan for score in board.scores}
    names = [workload.name for workload in workloads]
    assert (found["fifo", names[0]], found["johnson", names[0]]) == (74.0, 47.0)
    assert found["balanced-pools", names[1]] == 40.0
    assert {row.policy for row in board.rows} == {"fair", "fifo", "johnson", "sjf", "balanced-pools"}
    assert fractions[-1] == 1.0
    assert board.workload(names[1]) is workloads[1]


def test_workloads_to_compare_on() -> None:
    assert "five-jobs" in [workload.name for workload in sample_workloads()]
    found = study_workloads(find_study("more-pools"))
    assert 1 <= len(found) <= module.MAX_OF_A_STUDY
    assert len({workload.name for workload in found}) == len(found)
