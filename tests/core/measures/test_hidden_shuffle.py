"""What of shuffles hides behind maps, against a count task by task."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.files.samples import load_sample
from core.measures.hidden_shuffle import hidden_of_job, shuffle_of_waves, shuffle_parts
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate


def counted(schedule):
    """Return seen and hidden of each task, by the words of the paper."""
    workload, first = schedule.workload, 0
    found = []
    for job in workload.jobs:
        maps, reduces = job.maps.count, job.reduces.count
        map_end = max(schedule.end[first : first + maps].tolist(), default=-math.inf)
        found += [(0.0, 0.0)] * maps
        for number in range(reduces):
            task = first + maps + number
            start, shuffled = float(schedule.start[task]), float(schedule.shuffled[task])
            if start < map_end:
                seen = shuffled - map_end
                typical = job.reduces.typical_shuffle  # fewer numbers than tasks go round
                found.append((seen, max(float(typical[number % len(typical)]) - seen, 0.0)))
            else:
                found.append((shuffled - start, 0.0))
        first += maps + reduces
    return found


@pytest.mark.parametrize("sample", ["facebook", "wordcount", "wikitrends", "five-jobs", "overlap-waves"])
@pytest.mark.parametrize("slowstart", [0.0, 0.5, 1.0])
def test_parts_are_those_of_every_task(sample, slowstart):
    workload = load_sample(sample)
    cluster = replace(workload.cluster, slowstart=slowstart)
    schedule = simulate(workload, cluster, PolicyChoice("fifo"))
    parts = shuffle_parts(schedule)
    wanted = counted(schedule)
    assert parts.seen.tolist() == pytest.approx([seen for seen, _ in wanted], abs=1e-6)
    assert parts.hidden.tolist() == pytest.approx([hidden for _, hidden in wanted], abs=1e-6)
    for job in range(min(len(workload.jobs), 5)):
        mine = [pair for pair, of in zip(wanted, workload.columns.job.tolist(), strict=True) if of == job]
        hidden, whole = hidden_of_job(schedule, job)
        assert hidden == pytest.approx(sum(each for _, each in mine), abs=1e-6)
        assert whole == pytest.approx(sum(map(sum, mine)), abs=1e-6)


def test_a_later_slow_start_hides_less():
    """Two maps of 10 s on one slot; a reduce with 3 s of first and 8 s of typical shuffle."""
    reduces = Stage.of(1, 5.0, first_shuffle=3.0, typical_shuffle=8.0)
    workload = Workload("test", (Job("J1", Stage.of(2, 10.0), reduces),), Cluster(1, 1))
    for slowstart, hidden in ((0.5, 5.0), (1.0, 0.0)):
        schedule = simulate(workload, Cluster(1, 1, slowstart=slowstart), PolicyChoice("fifo"))
        assert hidden_of_job(schedule, 0) == (hidden, 8.0)


@pytest.mark.parametrize("sample", ["facebook", "wordcount"])
def test_the_shuffle_of_a_wave_is_that_of_its_tasks_on_average(sample):
    schedule = simulate(load_sample(sample), load_sample(sample).cluster, PolicyChoice("fifo"))
    stages, seen = schedule.workload.columns.stages, [each for each, _ in counted(schedule)]
    for stage in range(1, min(len(stages.job), 40), 2):
        first = int(stages.first[stage])
        own: dict[int, list[float]] = {}
        for number, wave in enumerate(schedule.stage_wave(stage).tolist()):
            own.setdefault(wave, []).append(seen[first + number])
        found = shuffle_of_waves(schedule, stage, schedule.stage_wave(stage))
        assert found.tolist() == pytest.approx([sum(own[w]) / len(own[w]) for w in sorted(own)], abs=1e-6)
