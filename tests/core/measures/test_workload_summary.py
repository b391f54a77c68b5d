"""Totals by hand, and histograms of the right numbers."""

from __future__ import annotations

from core.files.samples import load_sample
from core.measures.workload_summary import spread_of, totals_of
from core.model.cluster import Cluster
from core.optimize.bounds import lower_bound
from tests.builders import make_job, make_workload


def test_totals_by_hand() -> None:
    workload = make_workload(
        make_job("A", (4, 900.0), (2, 1800.0, 300.0, 600.0)), make_job("B", (2, 1800.0), arrival=60.0)
    )
    cluster = Cluster(2, 2)
    totals = totals_of(workload, cluster)
    assert (totals.jobs, totals.maps, totals.reduces) == (2, 6, 2)
    assert totals.map_seconds == 4 * 900 + 2 * 1800
    assert totals.reduce_seconds == 2 * (1800 + 300)  # the shorter shuffle
    assert totals.lower_bound == lower_bound(workload, cluster)


def test_work_fits_no_sooner_than_the_bound() -> None:
    workload = load_sample("facebook")
    totals = totals_of(workload, workload.cluster)
    slots = workload.cluster.map_slots
    assert totals.lower_bound >= max(totals.map_seconds, totals.reduce_seconds) / slots


def test_histograms_of_a_sample() -> None:
    workload = load_sample("five-jobs")
    spread = spread_of(workload)
    assert spread.maps_per_job.counts.tolist() == [5]
    assert spread.map_durations.total == workload.map_count
    assert spread.reduce_durations.total == workload.reduce_count
    assert spread.arrivals.counts.tolist() == [5]
    assert spread_of(make_workload(make_job("M", (2, 1.0)))).reduce_durations.total == 0


def test_arrivals_are_counted_in_even_ranges_of_time() -> None:
    """However wide they lie: 0.5 s and 5000.5 s are 10 000 times apart."""
    jobs = (make_job(f"J{i}", (1, 1.0), arrival=each) for i, each in enumerate((0.5, 1.5, 30.0, 5000.5)))
    arrivals = spread_of(make_workload(*jobs)).arrivals
    assert not arrivals.is_log
    assert arrivals.counts.tolist() == [3, 0, 0, 0, 1]


def test_spreads_are_kept_in_sets_by_what_they_are() -> None:
    workload = make_workload(make_job("M", (2, 1.0)))
    assert len({spread_of(workload), spread_of(workload)}) == 2


def test_tasks_of_each_type_are_counted_job_by_job() -> None:
    """Jobs of 2 and 5 maps, of 1 and 0 reduces."""
    spread = spread_of(make_workload(make_job("A", (2, 1.0), (1, 3.0)), make_job("B", (5, 2.0))))
    assert spread.maps_per_job.edges.tolist() == [1.5, 2.5, 3.5, 4.5, 5.5]
    assert spread.maps_per_job.counts.tolist() == [1, 0, 0, 1]
    assert spread.reduces_per_job.counts.tolist() == [1, 1]
    assert spread.map_durations.counts.tolist() == [2, 5]
    assert spread.reduce_durations.counts.tolist() == [1]
