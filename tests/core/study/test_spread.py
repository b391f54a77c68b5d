"""Spreads over draws, against the same draws made and simulated one by one."""

from __future__ import annotations

import pytest

from core.generate.families import generate
from core.model.document_state import Scenario
from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop
from core.model.schedule import PolicyChoice
from core.study.draws import Draws
from core.study.spread import DRAWS, makespan_spreads
from tests.builders import FIVE_JOBS, run, two_stage_workload

FEW = {"jobs": 6}


def test_spreads_are_those_of_draws_made_one_by_one():
    workload = generate("facebook", seed=7, parameters=FEW)
    policies = ("fifo", "sjf")
    scenarios = [(Scenario(1, PolicyChoice(each)), workload.cluster) for each in policies]
    found = makespan_spreads(workload, scenarios, never_stop, Draws(9, redraw=True), engine="interpreted")
    for policy, spread in zip(policies, found, strict=True):
        ends = [
            run(generate("facebook", seed=seed, parameters=FEW), workload.cluster, policy).makespan
            for seed in range(1, 10)
        ]
        assert spread.draws == 9
        assert spread[:3] == (min(ends), sorted(ends)[4], max(ends))  # of 9 draws all are in the band
        assert spread.low < spread.middle < spread.high


def test_jobs_that_no_generator_made_have_no_draws():
    workload = two_stage_workload(FIVE_JOBS)
    with pytest.raises(InputError, match="cannot be drawn again"):
        makespan_spreads(workload, [(Scenario(1, PolicyChoice("fifo")), workload.cluster)], never_stop)


def test_it_ends_soon_when_it_is_to_stop():
    workload = generate("facebook", seed=1, parameters=FEW)
    with pytest.raises(Cancelled):
        makespan_spreads(workload, [(Scenario(1, PolicyChoice("fifo")), workload.cluster)], lambda: True)
    assert DRAWS.count == 20
