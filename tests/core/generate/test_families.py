"""Generated workloads are made again bit by bit from family, seed and parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.generate.families import FAMILIES, describe_family, generate
from core.model.cluster import Cluster
from core.model.errors import InputError, UnknownName
from core.model.workload import Origin
from tests.builders import regenerate

IDS = [family.id for family in FAMILIES]
OTHER: dict[str, dict[str, Any]] = {
    "facebook": {"shuffled": False, "shuffle_share": 0.0},
    "yahoo": {"bimodal": True, "shuffle_share": 0.5},
    "synthetic1": {"bimodal": True, "shuffle_share": 0.25},
    "synthetic2": {"bimodal": False, "first_shuffle_share": 1.0},
    "dhfs": {"spread": 0.5, "slowstart": 0.05},
    "omo": {"job_set": "B", "deviation": 0.3},
    "circumflex": {"correlation": "negative", "kappa": 4, "scan_fraction": 0.5, "max_slots": 8},
    "tpch": {"drivers": 3, "size": 2, "containers": 7},
    "workflow": {"shape": "out-tree", "width": 9, "spread": 0.5, "containers": 7},
    "fitted": {"maps": 7, "typical_shuffle": "normal(3, 2)"},
}
ON_SLOTS = [family.id for family in FAMILIES if "map_slots" in {each.name for each in family.parameters}]


def known(family_id: str, **parameters: Any) -> dict[str, Any]:
    """Return those of the parameters that a family has."""
    names = {parameter.name for parameter in describe_family(family_id).parameters}
    return {name: value for name, value in parameters.items() if name in names}


def test_the_families_of_this_version_stay() -> None:
    of_papers = {"facebook", "yahoo", "synthetic1", "synthetic2", "dhfs", "circumflex", "omo", "fitted"}
    assert of_papers | {"tpch", "workflow"} <= set(IDS)
    for family in FAMILIES:
        assert family.title
        assert family.summary.endswith(".")
        names = [parameter.name for parameter in family.parameters]
        assert len(set(names)) == len(names)
        for parameter in family.parameters:
            assert parameter.check(parameter.default, family.id) == parameter.default
            assert parameter.help.endswith(".")


@pytest.mark.parametrize("family_id", IDS)
def test_equal_arguments_give_equal_bits(family_id: str) -> None:
    parameters = OTHER.get(family_id, {}) | known(family_id, jobs=17, mean_interarrival=3.5, map_slots=9)
    workload = generate(family_id, seed=7, parameters=parameters)
    assert workload.origin is not None
    assert workload.origin.family == family_id
    assert workload.origin.seed == 7
    assert dict(workload.origin.parameters).items() >= parameters.items()
    assert workload.digest == generate(family_id, seed=7, parameters=parameters).digest
    assert regenerate(workload.origin) == workload
    assert workload.digest != generate(family_id, seed=8, parameters=parameters).digest


@pytest.mark.parametrize("family_id", IDS)
def test_a_saved_workload_can_be_made_again(family_id: str) -> None:
    workload = generate(family_id, seed=3, parameters=OTHER.get(family_id, {}) | {"jobs": 6})
    again = workload_from_json(workload_to_json(workload), "x.json")
    assert again.origin == workload.origin
    assert again.columns.duration.tobytes() == workload.columns.duration.tobytes()
    assert regenerate(again.origin or Origin("", 0)) == workload


@pytest.mark.parametrize("family_id", IDS)
@pytest.mark.parametrize("jobs", [1, 2, 23])
def test_any_number_of_jobs(family_id: str, jobs: int) -> None:
    workload = generate(family_id, seed=1, parameters={"jobs": jobs})
    assert len(workload.jobs) == jobs
    assert workload.name == f"{describe_family(family_id).title}, {jobs} {'job' if jobs == 1 else 'jobs'}"
    assert min(job.task_count for job in workload.jobs) >= 1
    columns = workload.columns
    assert (columns.duration + columns.typical_shuffle).min() >= 0.001
    assert np.array_equal(columns.duration, np.round(columns.duration, 3))


@pytest.mark.parametrize("family_id", ["tpch", "workflow"])
def test_stages_of_any_kind_run_on_containers(family_id: str) -> None:
    workload = generate(family_id, seed=1, parameters={"jobs": 1, "containers": 12})
    assert workload.cluster == Cluster(0, 0, containers=12)


@pytest.mark.parametrize("family_id", ON_SLOTS)
def test_the_suggested_cluster_is_a_parameter(family_id: str) -> None:
    workload = generate(family_id, seed=1, parameters={"jobs": 1, "map_slots": 12, "reduce_slots": "5"})
    model = "overlap" if family_id == "omo" else "simmr"
    assert workload.cluster == Cluster(12, 5, workload.cluster.slowstart, model)  # type: ignore[arg-type]
    assert workload.cluster.slowstart == (1.0 if family_id == "dhfs" else 0.05)


def test_arrivals_are_at_zero_or_random_with_the_given_mean() -> None:
    assert not generate("synthetic2", seed=1).columns.arrival.any()
    parameters = {"jobs": 2000, "mean_interarrival": 30}
    arrivals = generate("synthetic2", seed=1, parameters=parameters).columns.arrival
    assert arrivals[0] == 0
    gaps = np.diff(arrivals)
    assert gaps.min() >= 0
    # The mean of 1999 exponential gaps deviates by 30 / sqrt(1999) = 0.67 s; four of these are allowed.
    assert abs(gaps.mean() - 30) < 2.7
    assert abs(gaps.std() - 30) < 4


def test_shuffles_are_split_off_the_whole_reduce_task() -> None:
    whole = generate("facebook", seed=5, parameters={"shuffle_share": 0})
    split = generate("facebook", seed=5, parameters={"shuffle_share": 0.25, "first_shuffle_share": 0.2})
    assert not whole.columns.typical_shuffle.any()
    columns = split.columns
    assert np.allclose(columns.duration + columns.typical_shuffle, whole.columns.duration, atol=1e-9)
    reduces = columns.kind == 1
    assert np.allclose(columns.typical_shuffle[reduces], whole.columns.duration[reduces] * 0.25, atol=0.001)
    assert np.allclose(columns.first_shuffle, columns.typical_shuffle * 0.2, atol=0.001)


@pytest.mark.parametrize(
    ("family_id", "seed", "parameters", "words"),
    [
        ("synthetic1", -1, {}, "synthetic1: the seed is -1; give a whole number from 0 to 9007199254740991"),
        ("synthetic1", 2**53, {}, "give a whole number from 0"),
        ("synthetic1", 1.5, {}, "the seed is 1.5; give a whole number"),
        ("synthetic1", True, {}, "the seed is true; give a whole number"),
        (
            "synthetic1",
            1,
            {"jobs": 0},
            "synthetic1: parameter jobs is 0; give a whole number from 1 to 50000 jobs",
        ),
        ("synthetic1", 1, {"shuffle_share": 1}, "parameter shuffle_share is 1; give a number from 0 to 0.95"),
        ("synthetic1", 1, {"bimodal": "perhaps"}, "parameter bimodal is 'perhaps'; give true or false"),
    ],
)
def test_bad_values_get_a_sentence(family_id: str, seed: Any, parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        generate(family_id, seed=seed, parameters=parameters)
    assert words in str(caught.value)


def test_unknown_names_offer_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown workload family 'facebok'; did you mean 'facebook'\?"):
        generate("facebok")
    with pytest.raises(UnknownName, match=r"unknown parameter of facebook 'job'; did you mean 'jobs'\?"):
        generate("facebook", parameters={"job": 3})
