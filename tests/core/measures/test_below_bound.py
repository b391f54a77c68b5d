"""Why what really ran is below a bound, on records that break one rule each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.charts.chart import charts_of
from core.charts.charts_page import page_of
from core.fidelity.history_schedule import recorded_schedule
from core.logs.open_log import open_trace
from core.measures.below_bound import OTHER_RULES, is_below, why_below
from core.measures.compare import below_sentences, comparison_rows
from core.measures.comparison_report import figures_table
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.unpacked_page import facts_of

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import Schedule
    from core.model.workload import Workload

HEADER = "job,kind,start,end,shuffle_end,sort_end,submit"


def workload(path: Path, *rows: str) -> Workload:
    path.write_text("\n".join([HEADER, *rows]))
    return open_trace([path]).workload


def record(path: Path, *rows: str) -> Schedule:
    return recorded_schedule(workload(path, *rows))


def test_a_task_that_starts_before_its_job_is_submitted(tmp_path):
    early = record(tmp_path / "log", "J0,map,0,1,,,0", "J1,map,2,12,,,5")
    assert is_below(measure(early).gap)
    assert why_below(early) == "1 task starts before its job was submitted, by up to 3 s (clocks differ)"


def test_reduces_that_had_their_input_before_the_maps_had_ended(tmp_path):
    rows = ["J1,map,0,10,,,0", "J1,reduce,1,11,3,3,0", "J1,reduce,1,11,6,6,0"]
    ahead = record(tmp_path / "log", *rows)
    assert is_below(measure(ahead).gap)
    sentence = "2 tasks had their input before the stages that they read had ended, by up to 7 s"
    assert why_below(ahead) == sentence


def test_more_slots_than_the_simulations_have(tmp_path):
    wide = workload(tmp_path / "log", "J1,map,0,10,,,0", "J1,map,0,10,,,0")
    small = replace(wide, cluster=Cluster(1, 0))
    beside = [recorded_schedule(wide), simulate(small, small.cluster, PolicyChoice("fifo"))]
    assert "it ran on 2 map + 0 reduce slots" in why_below(beside[0], beside)
    assert "the simulations on 1 map + 0 reduce slots" in why_below(beside[0], beside)


def test_jobs_that_were_changed_since(tmp_path):
    own = workload(tmp_path / "log", "J1,map,0,10,,,0")
    (job,) = own.jobs
    longer = replace(own, jobs=(replace(job, stages=(job.maps.__class__.of(1, 60.0), *job.stages[1:])),))
    beside = [recorded_schedule(own), simulate(longer, longer.cluster, PolicyChoice("fifo"))]
    assert why_below(beside[0], beside) == (
        "its tasks held slots for 10 s in all, those of the simulated jobs for 1 min 00 s"
    )


def test_rows_of_a_comparison_say_it_where_a_record_is_below_alone(tmp_path):
    own = workload(tmp_path / "log", "J0,map,0,1,,,0", "J1,map,2,12,,,5")
    schedules = [recorded_schedule(own), simulate(own, own.cluster, PolicyChoice("fifo"))]
    first, second = comparison_rows(schedules, list(map(measure, schedules)))
    assert "clocks differ" in first["below_bound_because"]
    assert second["below_bound_because"] is None


def test_a_record_that_keeps_the_rules_is_never_below_its_own_bound(tmp_path):
    sound = record(tmp_path / "log", "J1,map,0,10,,,0", "J1,reduce,10,25,12,13,0", "J2,map,10,30,,,4")
    assert not is_below(measure(sound).gap)
    assert why_below(sound) == OTHER_RULES


@pytest.mark.parametrize(("gap", "below"), [(-1.0, True), (-1e-12, False), (0.0, False), (0.5, False)])
def test_only_more_than_rounding_is_below(gap, below):
    assert is_below(gap) == below


def test_pages_and_reports_say_why(tmp_path):
    early = record(tmp_path / "log", "J0,map,0,1,,,0", "J1,map,2,12,,,5")
    because = "1 task starts before its job was submitted, by up to 3 s (clocks differ)"
    (sentence,) = below_sentences(["Recorded"], [early], [measure(early)])
    assert sentence == f"Recorded is below the bound, as {because}."
    assert sentence in figures_table([("Recorded", early)]).about
    page = page_of(charts_of([("Recorded", early)]))
    assert sentence in page
    assert facts_of(page)["runs"][0]["why"] == because
