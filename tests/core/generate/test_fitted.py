"""Jobs drawn from a fit are like their template, and the document tells how to draw them again."""

from __future__ import annotations

import numpy as np
import pytest

from core.files.workload_document import workload_from_json, workload_to_json
from core.generate.distributions.distribution import Distribution
from core.generate.distributions.fitting import fit_job
from core.generate.families import generate, regenerate
from core.generate.fitted import parameters_from
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.workload import Job, Stage
from tests.builders import make_job


def template() -> Job:
    random = np.random.Generator(np.random.PCG64(8))

    def times(kind: str, *values: float, count: int) -> np.ndarray:
        return Distribution(kind, values).draw(random, count)

    return Job(
        "sort",
        Stage.of(400, times("lognormal", 3, 0.5, count=400)),
        Stage.of(
            100,
            times("gamma", 4, 5, count=100),
            times("exponential", 2, count=100),
            times("normal", 20, 3, count=100),
        ),
    )


def test_a_fit_makes_jobs_like_its_template() -> None:
    job = template()
    workload = generate("fitted", seed=5, parameters=parameters_from(job, Cluster(30, 20)) | {"jobs": 40})
    assert [(each.maps.count, each.reduces.count) for each in workload.jobs] == [(400, 100)] * 40
    assert (workload.cluster.map_slots, workload.cluster.reduce_slots) == (30, 20)
    columns = workload.columns
    maps = columns.duration[columns.kind == 0]
    reduces = columns.kind == 1
    assert maps.mean() == pytest.approx(job.maps.durations.mean(), rel=0.05)
    assert maps.std() == pytest.approx(job.maps.durations.std(), rel=0.1)
    assert columns.duration[reduces].mean() == pytest.approx(job.reduces.durations.mean(), rel=0.05)
    assert columns.first_shuffle[reduces].mean() == pytest.approx(job.reduces.first_shuffle.mean(), rel=0.1)
    assert columns.typical_shuffle[reduces].mean() == pytest.approx(
        job.reduces.typical_shuffle.mean(), rel=0.05
    )


def test_the_document_tells_seed_and_fit() -> None:
    parameters = parameters_from(template(), Cluster()) | {"jobs": 3}
    workload = generate("fitted", seed=5, parameters=parameters)
    again = workload_from_json(workload_to_json(workload), "x.json")
    assert again.origin is not None
    assert again.origin.seed == 5
    recorded = dict(again.origin.parameters)
    assert recorded["template"] == "sort"
    assert recorded["map_durations"].startswith("lognormal(")
    assert regenerate(again.origin) == workload


def test_a_kind_may_be_chosen_instead_of_the_best() -> None:
    job = template()
    chosen = parameters_from(job, Cluster(), {"map_durations": "weibull"}, fit_job(job))
    assert chosen["map_durations"].startswith("weibull(")
    assert chosen["reduce_durations"] == parameters_from(job, Cluster())["reduce_durations"]


def test_a_kind_that_does_not_fit_gets_a_sentence() -> None:
    job = make_job("J", (3, [0.0, 1.0, 1.0]))
    with pytest.raises(InputError, match="Map durations: gamma cannot be fitted: needs different durations"):
        parameters_from(job, Cluster(), {"map_durations": "gamma"})
    with pytest.raises(InputError, match="cannot be fitted: all of them are equal"):
        parameters_from(make_job("K", (3, 1.0)), Cluster(), {"map_durations": "gamma"})


def test_tasks_take_a_millisecond_at_least_and_shuffles_may_take_none() -> None:
    near_zero = dict.fromkeys(("map_durations", "reduce_durations", "first_shuffle"), "normal(0, 0.001)")
    columns = generate("fitted", seed=1, parameters=near_zero).columns
    assert columns.duration.min() == 0.001
    assert (columns.first_shuffle[columns.kind == 1] == 0).any()


def test_map_only_templates_and_containers() -> None:
    parameters = parameters_from(make_job("J", (7, 2.0)), Cluster(0, 0, containers=9))
    workload = generate("fitted", seed=1, parameters=parameters | {"jobs": 2})
    assert [(job.maps.count, job.reduces.count) for job in workload.jobs] == [(7, 0), (7, 0)]
    assert (workload.cluster.map_slots, workload.cluster.reduce_slots) == (9, 9)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"maps": 0, "reduces": 0}, "a job needs at least one task"),
        ({"maps": 1_000_000, "jobs": 30}, "at most 20000000 fit in one workload"),
        ({"map_durations": "normal"}, "'normal' is no distribution"),
    ],
)
def test_bad_parameters_get_a_sentence(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        generate("fitted", seed=1, parameters=parameters)
