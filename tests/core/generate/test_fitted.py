"""Jobs drawn from a fit are like their template, and the document tells how to draw them again."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core.files.workload_document import workload_from_json
from core.files.workload_writing import workload_to_json
from core.generate.distributions import Distribution, parse_distribution
from core.generate.families import generate
from core.generate.fitted import distance, fit_job, fit_samples, parameters_from, widest_gap
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Job
from core.model.stages import Stage
from tests.builders import make_job, regenerate
from tests.random_tests import examples


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


TRUE = [
    ("lognormal", (2.5, 0.7)),
    ("weibull", (3.4, 30.0)),
    ("gamma", (2.0, 4.0)),
    ("normal", (50.0, 20.0)),
    ("pareto", (2.5, 3.0)),
    ("uniform", (2.0, 9.0)),
]


def drawn(kind: str, values: tuple[float, ...], count: int = 4000) -> np.ndarray:
    return Distribution(kind, values).draw(np.random.Generator(np.random.PCG64(3)), count)


@pytest.mark.parametrize(("kind", "values"), TRUE)
def test_the_true_distribution_is_found(kind: str, values: tuple[float, ...]) -> None:
    found = fit_samples("map_durations", drawn(kind, values))
    assert found.best.distribution.kind == kind
    assert found.best.distribution.values == pytest.approx(values, rel=0.05)
    assert found.best.distance < 0.03


def test_an_exponential_is_found_among_those_that_contain_it() -> None:
    """Weibull and Gamma with shape 1 are exponential, so one of them may be a trifle nearer."""
    fit = fit_samples("map_durations", drawn("exponential", (12.0,))).of_kind("exponential")
    assert fit is not None
    assert fit.distribution.values == pytest.approx((12.0,), rel=0.05)
    assert fit.distance < 0.03


def test_lognormal_parameters_are_those_of_the_logarithms() -> None:
    samples = drawn("gamma", (2.0, 4.0), 300)
    fit = fit_samples("map_durations", samples).of_kind("lognormal")
    assert fit is not None
    logarithms = np.log(samples)
    assert fit.distribution.values == pytest.approx((logarithms.mean(), logarithms.std()), rel=1e-5)


def counted_distance(samples: list[float], distribution: Distribution) -> float:
    """Count samples below and up to each place where anything may jump: the largest difference there."""
    worst = 0.0
    for x in [*samples, *distribution.jumps]:
        at = np.array([x])
        below = sum(other < x for other in samples) / len(samples)
        up_to = sum(other <= x for other in samples) / len(samples)
        worst = max(worst, abs(float(distribution.before(at)[0]) - below))
        worst = max(worst, abs(float(distribution.cumulative(at)[0]) - up_to))
    return worst


@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0]) | st.floats(0.1, 100), min_size=1, max_size=20),
    st.sampled_from([("lognormal", (1.0, 0.7)), ("constant", (2.0,))]),
    st.sampled_from([0.0, 0.25, 0.9]),
)
def test_distances_where_both_jump_are_those_of_counting(
    samples: list[float], kind: tuple[str, tuple[float, ...]], zeros: float
) -> None:
    distribution = Distribution(*kind, zeros)
    expected = counted_distance(samples, distribution)
    assert distance(np.sort(samples), distribution) == pytest.approx(expected, abs=1e-12)


@given(
    st.lists(st.floats(0.1, 100) | st.sampled_from([1.0, 2.0]), min_size=1, max_size=30),
    st.sampled_from(TRUE),
)
def test_distances_are_those_of_counting(samples: list[float], true: tuple[str, tuple[float, ...]]) -> None:
    distribution = Distribution(*true)
    found = distance(np.sort(samples), distribution)
    assert found == pytest.approx(counted_distance(samples, distribution), abs=1e-12)
    assert found == pytest.approx(scipy.stats.kstest(samples, distribution.cumulative).statistic, abs=1e-12)  # type: ignore[arg-type]


def test_the_widest_gap_by_hand() -> None:
    """Up to 2 there are 2 of 1, 2 and 9 instead of 0.2; before 8 there is none of 8 and 9 instead of 0.8."""
    at, found, expected = widest_gap(np.array([1.0, 2.0, 9.0]), Distribution("uniform", (0.0, 10.0)))
    assert (at, found, expected) == (2, pytest.approx(2 / 3), pytest.approx(0.2))  # type: ignore[comparison-overlap]
    at, found, expected = widest_gap(np.array([8.0, 9.0]), Distribution("uniform", (0.0, 10.0)))
    assert (at, found, expected) == (8, 0, pytest.approx(0.8))  # type: ignore[comparison-overlap]


def test_fits_are_ranked_and_what_is_shown_is_what_is_measured() -> None:
    found = fit_samples("reduce_durations", drawn("weibull", (0.8, 30.0), 200))
    distances = [fit.distance for fit in found.fits]
    assert distances == sorted(distances)
    assert len(found.fits) == 7
    for fit in found.fits:
        assert fit.distance == distance(found.samples, fit.distribution)
        assert all(float(f"{value:.6g}") == value for value in fit.distribution.values)


def test_durations_of_zero_stay_apart_from_what_cannot_have_them() -> None:
    """Shuffles that end before the last map are 0; the others follow a distribution of their own."""
    samples = np.concatenate([np.zeros(300), drawn("lognormal", (2.0, 0.5), 700)])
    found = fit_samples("first_shuffle", samples)
    assert found.best.distribution.kind == "lognormal"
    assert found.best.distribution.zeros == 0.3
    assert found.best.distribution.values == pytest.approx((2.0, 0.5), rel=0.05)
    assert found.best.distance < 0.03
    zeros = {fit.distribution.kind: fit.distribution.zeros for fit in found.fits}
    assert {kind for kind, part in zeros.items() if part == 0} == {"normal", "exponential", "uniform"}


def test_too_few_durations_above_zero_are_left_out_with_the_reason() -> None:
    found = fit_samples("first_shuffle", np.array([0.0, 0.0, 0.0, 3.0, 4.0]))
    assert {fit.distribution.kind for fit in found.fits} == {"constant", "normal", "exponential", "uniform"}
    assert found.best.distribution == Distribution("constant", (3.5,), zeros=0.6)
    assert found.best.distance == pytest.approx(0.2)  # just below 3.5 there are 4 of 5, not 3 of 5
    reasons = dict(found.left_out)
    assert reasons["LogNormal"] == "needs different durations above 0 s; 3 of 5 are 0"
    assert set(reasons) == {"LogNormal", "Weibull", "Gamma", "Pareto"}


@pytest.mark.parametrize(
    ("samples", "seconds", "expected"),
    [([4.0, 4.0, 4.0, 4.0], 4.0, 0.0), ([0.0], 0.0, 0.0), ([1.0, 2.0], 1.5, 0.5)],
)
def test_equal_or_few_durations_are_constant(samples: list[float], seconds: float, expected: float) -> None:
    found = fit_samples("map_durations", np.array(samples))
    assert [fit.distribution for fit in found.fits] == [Distribution("constant", (seconds,))]
    assert found.best.distance == expected


def test_almost_equal_durations_end_in_an_answer() -> None:
    found = fit_samples("map_durations", np.array([1.0, 1.0 + 1e-9, 1.0, 1.0 + 2e-9]))
    assert len(found.fits) + len(found.left_out) == 7


EXTREMES = st.floats(0, 1e12) | st.floats(0, 1e-3) | st.sampled_from([0.0, 1.0, 1e12, 1e-9, 5e-324])


@examples(25)
@given(st.lists(EXTREMES, min_size=1, max_size=10))
def test_any_durations_end_in_fits_that_can_be_written_and_read(samples: list[float]) -> None:
    for fit in fit_samples("map_durations", np.array(samples)).fits:
        assert 0 <= fit.distance <= 1
        assert parse_distribution(str(fit.distribution)) == fit.distribution


def test_a_job_has_four_parts_and_one_without_reduces_has_one() -> None:
    job = make_job("J", (4, [1.0, 2.0, 3.0]), (2, [5.0, 6.0, 9.0], 1.0, [2.0, 3.0]))
    parts = {part.part: part for part in fit_job(job)}
    assert list(parts) == ["map_durations", "first_shuffle", "typical_shuffle", "reduce_durations"]
    assert parts["map_durations"].samples.tolist() == [1, 2, 3]  # each sample once
    assert parts["typical_shuffle"].samples.tolist() == [2, 3]
    assert [part.part for part in fit_job(make_job("M", (4, [1.0, 2.0, 3.0])))] == ["map_durations"]


def test_no_durations_get_a_sentence() -> None:
    with pytest.raises(InputError, match="Map durations: there are no durations to fit"):
        fit_samples("map_durations", np.zeros(0))
