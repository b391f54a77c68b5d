"""A page of charts carries the very columns of the schedules, in the colours of the window."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from core.charts.charts_page import page_of
from core.charts.class_colours import tones_of
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.cli.render import charts_of
from explorer.widgets.theme import theme
from tests.unpacked_page import columns_of, facts_of, part, tasks_of

CASES = (("five-jobs", ("fifo", "johnson")), ("three-pools", ("fifo", "fair")), ("ten-scans", ("fifo",)))


def schedules_of(sample: str, policies: tuple[str, ...]):
    workload = load_sample(sample)
    return [simulate(workload, workload.cluster, PolicyChoice(policy)) for policy in policies]


@pytest.mark.parametrize(("sample", "policies"), CASES)
def test_columns_are_those_of_the_schedules(sample: str, policies: tuple[str, ...]) -> None:
    schedules = schedules_of(sample, policies)
    text = page_of(charts_of(schedules, by_pool=False))
    facts = facts_of(text)
    for schedule, run, columns in zip(schedules, facts["runs"], columns_of(text), strict=True):
        order = schedule.by_slot
        tasks = tasks_of(columns)
        assert [task[0] for task in tasks] == schedule.slot[order.tasks].tolist()
        for place, times in ((2, schedule.start), (3, schedule.shuffled), (4, schedule.end)):
            found = np.array([task[place] for task in tasks]) * facts["tick"]
            assert np.abs(found - times[order.tasks]).max() <= facts["tick"] / 2 * 1.001
        job = schedule.workload.columns.job[order.tasks]
        names = [schedule.workload.jobs[each].name for each in job]
        assert [facts["jobs"][columns["groupJob"][task[1] >> 1]] for task in tasks] == names
        finish = np.array(columns["finish"]) * facts["tick"]
        assert np.allclose(finish, schedule.finish, atol=facts["tick"])
        assert run["makespan"] == schedule.makespan


@pytest.mark.parametrize("name", ["light", "dark"])
def test_colours_are_those_of_the_window(name: str) -> None:
    charts = charts_of(schedules_of("five-jobs", ("fifo",)), by_pool=False)
    text = page_of(charts)
    facts, columns = facts_of(text), columns_of(text)[0]
    tones = tones_of(charts[0], theme(name == "dark"))
    own = [facts["inks"][number][name == "dark"] for number in columns["groupTone"][: len(tones)]]
    assert own == tones.tolist()
    assert facts["themes"][name]["roles"]["window"] == theme(name == "dark").window.name()


def test_the_critical_path_is_that_of_the_hand_example() -> None:
    """FIFO's path has no holes: it lasts from 0 to the makespan of 74 s."""
    columns = columns_of(page_of(charts_of(schedules_of("five-jobs", ("fifo",)), by_pool=False)))[0]
    assert columns["pathBegin"][0] == 0
    assert columns["pathBegin"][1:] == columns["pathEnd"][:-1]
    assert columns["pathEnd"][-1] == 74_000


def test_the_same_charts_are_the_same_bytes() -> None:
    one, other = (page_of(charts_of(schedules_of("three-pools", ("fair",)), by_pool=False)) for _ in range(2))
    assert one == other


def test_charts_of_other_jobs_share_one_list_of_names() -> None:
    workload = load_sample("five-jobs")
    fewer = replace(workload, jobs=workload.jobs[1:])
    schedules = [simulate(each, each.cluster, PolicyChoice("fifo")) for each in (workload, fewer)]
    text = page_of(charts_of(schedules, by_pool=False))
    assert facts_of(text)["jobs"] == [job.name for job in workload.jobs]
    assert columns_of(text)[1]["finish"][0] == -1


def test_a_task_of_much_memory_has_one_row_and_is_counted_once() -> None:
    """In the window a map of 4 GB is as high as four reduces of 1 GB; the page counts tasks by their rows."""
    nodes = Cluster(
        0,
        0,
        nodes=(NodeGroup(3, 8192, 8),),
        map_request=Request(4096, 1),
        reduce_request=Request(1024, 1),
    )
    schedule = simulate(load_sample("three-pools"), nodes, PolicyChoice("fifo"))
    charts = charts_of([schedule], by_pool=False)
    assert charts[0].rows.by_memory is not None
    (columns,) = columns_of(page_of(charts))
    assert len(tasks_of(columns)) == schedule.tasks


def test_names_on_the_page_are_short_where_all_begin_alike() -> None:
    workload = load_sample("five-jobs")
    jobs = tuple(replace(job, name=f"job_2010_000{i}") for i, job in enumerate(workload.jobs))
    schedule = simulate(replace(workload, jobs=jobs), workload.cluster, PolicyChoice("fifo"))
    facts = facts_of(page_of(charts_of([schedule], by_pool=False)))
    assert facts["shortNames"] == [f"000{i}" for i in range(5)]
    assert facts["jobs"] == [job.name for job in jobs]


def test_a_page_of_a_veiled_chart_shows_nothing_of_what_the_veil_hides() -> None:
    """By hand: at 10 s of FIFO the maps of J1 and J2 have ended, J3's run; J1 is done at 9, all at 74."""
    charts = [replace(chart, veil=10.0) for chart in charts_of(schedules_of("five-jobs", ("fifo",)), False)]
    text = page_of(charts)
    facts, columns = facts_of(text), columns_of(text)[0]
    tasks, run = tasks_of(columns), facts["runs"][0]
    assert facts["tick"] == 0.001
    assert {facts["jobs"][columns["groupJob"][task[1] >> 1]] for task in tasks} == {"J1", "J2", "J3"}
    assert all(task[2] < 10_000 and task[4] <= 10_001 for task in tasks)
    assert columns["finish"] == [9000, -1, -1, -1, -1]
    assert columns["pathTask"] == []
    assert (run["makespan"], run["bound"], run["standing"], run["axisEnd"]) == (10.0, None, "", 100.0)
    printed = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.S) + part(text, "facts")
    for told in ("1 min 14 s", "1:14", "57.4", "74.0"):
        assert told not in printed
