"""Jobs of more than two stages, and jobs that follow others: the engine against a slow loop over lists."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.core.engine.compared import ENGINES
from tests.core.engine.slow_graphs import MODELS, SlowLoop, linked, random_workload
from tests.random_tests import draws


@pytest.mark.parametrize("has_links", [False, True])
def test_both_engines_are_the_slow_loop(has_links: bool) -> None:
    draw = np.random.default_rng(20261123)
    compared = 0
    for _ in range(draws(500 if has_links else 300)):
        workload = random_workload(draw)
        maps, reduces = draw.integers(1, 5, 2).tolist()
        cluster = Cluster(maps, reduces, float(draw.integers(0, 3)) / 2, MODELS[draw.integers(2)])
        workload = linked(workload, draw) if has_links else workload
        loop = SlowLoop(workload, cluster)
        expected = loop.tasks()
        if len(expected) < len(workload.columns.job):
            continue  # fillers hold all slots that what they wait for needs
        compared += 1
        for engine in ENGINES:
            schedule = simulate(workload, cluster, PolicyChoice("fifo"), engine=engine)
            for name, column in (
                ("slot", schedule.slot),
                ("start", schedule.start),
                ("shuffled", schedule.shuffled),
                ("end", schedule.end),
            ):
                assert column.tolist() == [task[name] for task in expected], (engine, name, workload, cluster)
            assert schedule.arrival.tolist() == list(map(loop.arrival, workload.jobs))
            assert schedule.finish.tolist() == [loop.ended[job.name] for job in workload.jobs]
            assert np.argsort(schedule.rank).tolist() == loop.order
    assert compared > draws(350 if has_links else 200)
