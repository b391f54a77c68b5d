"""The report of several schedules has the figures of each, in words that are right for all of them."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from html import unescape
from typing import TYPE_CHECKING

import pytest

from core.measures.comparison_report import comparison_report
from core.model.cluster import Cluster
from core.model.job import Job, Link
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.registry import policy_class
from tests.builders import make_job, make_workload, run

if TYPE_CHECKING:
    from core.model.schedule import Schedule

ONE_SLOT_EACH = Cluster(1, 1, slowstart=1.0)
TWO = make_workload(make_job("J1", (1, 4.0), (1, 6.0)), make_job("J2", (1, 2.0), (1, 8.0)))
"""On one slot each: J1 first has reduces at 4 and 10 and ends at 18; J2 first at 2 and 10, and ends at 16."""


def rows_of(*schedules: tuple[str, Schedule]) -> list[list[str]]:
    """Return the cells of all tables, row by row."""
    page = comparison_report(schedules, b"", b"")
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [
        [_text(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)] for row in rows
    ]


def _text(cell: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", cell)).strip()


def row(rows: list[list[str]], title: str, place: int = 0) -> list[str]:
    """Return the row of a title in one of the tables."""
    return [each for each in rows if each[0] == title][place]


def test_each_scenario_has_its_figures() -> None:
    first, second = run(TWO, ONE_SLOT_EACH), run(TWO, ONE_SLOT_EACH, order=("J2", "J1"))
    rows = rows_of(("as they come", first), ("J2 first", second))
    assert row(rows, "as they come")[1:4] == ["18 s", "baseline", "12.5 %"]
    assert row(rows, "J2 first")[1:4] == ["16 s", "-11.1 %", "0.0 %"]


def test_a_gap_is_what_the_makespan_is_above_the_bound() -> None:
    workload = make_workload(make_job("J1", (1, 4.0)), make_job("J2", (1, 4.0)), make_job("J3", (1, 8.0)))
    slow = run(workload, Cluster(2, 0), order=("J1", "J2", "J3"))
    assert slow.makespan == 12  # J3 waits for 4 s; 8 s would do
    assert row(rows_of(("slow", slow)), "slow")[3] == "50.0 %"


def test_a_time_without_length_has_no_change() -> None:
    nothing = make_workload(make_job("J1", (1, 0.0)))
    schedule = run(nothing, Cluster(1, 0))
    assert row(rows_of(("a", schedule), ("b", schedule)), "b")[2] == "–"


def test_every_job_has_its_end_in_every_scenario_that_has_it() -> None:
    one = make_workload(*TWO.jobs[:1])
    rows = rows_of(("both", run(TWO, ONE_SLOT_EACH)), ("one", run(one, ONE_SLOT_EACH)))
    assert row(rows, "J1")[2:] == ["0:10", "0:10"]
    assert row(rows, "J2")[2:] == ["0:18", "–"]


def test_of_very_many_jobs_the_first_are_listed() -> None:
    def listed(count: int) -> tuple[int, bool]:
        workload = Workload("many", tuple(Job(f"job {i}", Stage.of(1, 1.0)) for i in range(count)))
        page = comparison_report([("s", run(workload, Cluster(4, 0)))], b"", b"")
        return len(re.findall(r">job \d+<", page)), f"first 200 of {count} jobs" in page

    assert listed(200) == (200, False)
    assert listed(201) == (200, True)


@pytest.mark.parametrize("policy", ["capacity", "dhfs-pd", "sjf"])
def test_all_parameters_are_named_with_those_left_at_their_defaults(policy: str) -> None:
    schedule = run(TWO, ONE_SLOT_EACH, policy)
    said = row(rows_of(("s", schedule)), "s", 1)[2]
    known = policy_class(policy).parameters
    assert all(f"{each.name} = {each.default}" in said for each in known)
    assert (said == "none") == (not known)


def test_what_was_made_by_hand_is_said() -> None:
    pools = Partition((SlotPool("A", 1, 1, ("J1",)), SlotPool("B", 1, 1, ("J2",))))
    in_pools, in_order = run(TWO, Cluster(2, 2), partition=pools), run(TWO, Cluster(2, 2), order=("J2", "J1"))
    rows = rows_of(("pools", in_pools), ("order", in_order))
    assert "2 pools with slots of their own" in row(rows, "pools", 1)[2]
    assert "order by hand" in row(rows, "order", 1)[2]
    assert "pools" not in row(rows, "order", 1)[2]


def test_a_long_value_is_cut_to_so_many_letters() -> None:
    def said(letters: int) -> str:
        schedule = run(TWO, ONE_SLOT_EACH)
        choice = replace(schedule.choice, parameters={"note": "x" * letters})
        cell = row(rows_of(("s", replace(schedule, choice=choice))), "s", 1)[2]
        return next(part for part in cell.split("; ") if part.startswith("note = ")).removeprefix("note = ")

    assert said(3) == "xxx"
    assert said(300) == "x" * 300
    assert said(301) == "x" * 299 + "…"


def test_it_says_of_which_workload_and_day() -> None:
    schedule = run(TWO, ONE_SLOT_EACH)
    page = comparison_report([("s", schedule)], b"", b"", date(2026, 3, 1))
    assert "test has 2 jobs with 2 maps and 2 reduces." in page
    assert "on 2026-03-01." in page
    nameless = run(replace(TWO, name=""), ONE_SLOT_EACH)
    page = comparison_report([("s", nameless)], b"", b"")
    assert "The workload has 2 jobs" in page
    assert "<h1>Schedules</h1>" in page


def test_what_really_ran_has_no_parameters() -> None:
    schedule = run(TWO, ONE_SLOT_EACH)
    recorded = replace(schedule, choice=PolicyChoice("recorded"))
    assert row(rows_of(("log", recorded)), "log", 1)[1:3] == ["recorded", "none"]


def test_parameters_of_a_policy_of_the_user_are_named_whatever_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After "recorded" in the alphabet as well."""
    schedule = run(TWO, ONE_SLOT_EACH)
    capacity = policy_class("capacity")
    monkeypatch.setattr("core.measures.comparison_report.policy_class", {"yours": capacity}.__getitem__)
    rows = rows_of(("s", replace(schedule, choice=PolicyChoice("yours"))))
    assert all(f"{each.name} = {each.default}" in row(rows, "s", 1)[2] for each in capacity.parameters)


def test_a_job_that_follows_others_arrives_after_them() -> None:
    jobs = (make_job("J1", (1, 4.0)), make_job("J2", (1, 2.0), after=(Link("J1", 3.0),)))
    rows = rows_of(("s", run(make_workload(*jobs), Cluster(1, 0))))
    assert row(rows, "J1") == ["J1", "0:00", "0:04"]
    assert row(rows, "J2") == ["J2", "after J1 + 3 s", "0:09"]


def test_only_a_change_is_written_with_its_sign() -> None:
    first, second = run(TWO, ONE_SLOT_EACH, order=("J2", "J1")), run(TWO, ONE_SLOT_EACH)
    rows = rows_of(("a", first), ("b", second))
    assert row(rows, "b")[1:4] == ["18 s", "+12.5 %", "12.5 %"]
