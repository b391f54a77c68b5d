"""The table of schedulers: its figures by an independent way, its list, and the page that shows it."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.orders import Fifo
from core.policies.registry import POLICIES
from core.policies.user_files.own_class import register_class
from core.policy_checks import ranking
from core.policy_checks.ranking import FIGURES, RankedFigure, decision_costs, rank_drawn, rank_fetched
from core.policy_checks.ranking_lines import figure_texts, markdown_line, markdown_table
from core.policy_checks.ranking_list import FetchedEntry, ranking_list
from docs.from_code.ranking import PAGE, PLACE, workloads
from tests.builders import run
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import Schedule

LIST = ranking_list()


def alone(schedule: Schedule) -> np.ndarray:
    """Return how long each job takes alone, simulated one by one."""
    workload, found = schedule.workload, []
    for job in workload.jobs:
        single = workload.with_jobs([replace(job, arrival=0.0)])
        found.append(run(single, schedule.cluster).makespan)
    return np.array(found)


def naive_figures(schedule: Schedule) -> dict[str, float]:
    responses = schedule.finish - schedule.arrival
    return {
        "makespan": max(schedule.finish),
        "response": sum(responses) / len(responses),
        "tail": np.percentile(responses, 95),
        "unfairness": max(responses / alone(schedule)),
    }


def test_ratios_are_geometric_means_over_workloads_and_means_over_draws() -> None:
    found = rank_drawn(draws=2, policies=["sjf"])
    assert (found.version, found.draws) == (LIST.version, 2)
    assert sorted(row.policy for row in found.rows) == ["fifo", "sjf"]
    ratios: dict[str, list[list[float]]] = {name: [[], []] for name in FIGURES[1:]}
    for entry in LIST.drawn:
        for draw, seed in enumerate(LIST.seeds[:2]):
            workload = entry.workload(seed)
            own, base = (naive_figures(run(workload, workload.cluster, policy)) for policy in ("sjf", "fifo"))
            for name, of_draws in ratios.items():
                of_draws[draw].append(own[name] / base[name])
    row = next(row for row in found.rows if row.policy == "sjf")
    for name, of_draws in ratios.items():
        means = [math.prod(each) ** (1 / len(each)) for each in of_draws]
        assert row.figures[name].mean == pytest.approx(sum(means) / 2, rel=1e-9)
        assert row.figures[name].low == pytest.approx(min(means))
        assert row.figures[name].high == pytest.approx(max(means))
    assert row.ran == len(LIST.drawn)


def test_a_line_is_the_same_whoever_else_is_in_the_table() -> None:
    class Backwards(Fifo):
        """The job that came last goes first."""

        id = "backwards-of-the-ranking"

        @staticmethod
        def key(job, kind):
            return -job.rank

    own = PolicyChoice(register_class(Backwards))
    few, more = (rank_drawn([own], draws=1, policies=names) for names in ([], ["johnson", "omo"]))
    mine = [next(row for row in each.rows if row.policy == own.id) for each in (few, more)]
    assert repr(mine[0]) == repr(mine[1])  # nan is not nan
    assert few.place("fifo") in (1, 2)
    makespans = [row.figures["makespan"].mean for row in more.rows]
    assert makespans == sorted(makespans)
    omo = next(row for row in more.rows if row.policy == "omo")
    assert omo.ran == len(LIST.drawn) - 2
    assert "OMO is for jobs of maps and of reduces" in omo.why_not


def test_draws_that_are_not_there() -> None:
    for draws in (0, 11):
        with pytest.raises(InputError, match=f"draws is {draws}; give a whole number from 1 to 10"):
            rank_drawn(draws=draws)


# ---- published files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the one file of a list."""
    content = (DATA / "rumen-2011.json").read_bytes()
    (tmp_path / "log.json").write_bytes(content)
    entry = FetchedEntry(
        "A log", "log.json", "https://example.org", "Apache-2.0", hashlib.sha256(content).hexdigest(),
        {"map_slots": 2, "reduce_slots": 1},
    )  # fmt: skip
    other = replace(entry, name="Another", file="absent.json")
    monkeypatch.setattr(ranking, "ranking_list", lambda: replace(LIST, fetched=(entry, other)))
    return tmp_path


def test_files_that_a_folder_has_are_ranked(folder: Path) -> None:
    found = rank_fetched(folder, policies=["sjf"])
    assert found is not None
    assert (found.workloads, found.draws) == (("A log",), 1)
    assert all(math.isnan(row.figures["makespan"].low) for row in found.rows)
    (folder / "log.json").unlink()
    assert rank_fetched(folder) is None


def test_another_file_of_that_name_is_refused(folder: Path) -> None:
    (folder / "log.json").write_text("{}")
    with pytest.raises(InputError, match=r"is not the file of the list: its SHA-256 is 44136fa355b3…, not"):
        rank_fetched(folder)


# ---- what decisions cost, lines, the page


def test_decisions_that_ask_every_job_cost_more_lines() -> None:
    fifo, fair, found = (decision_costs(PolicyChoice(name)) for name in ("fifo", "spark-fair", "optimized"))
    assert 0 < fifo.lines < fair.lines
    assert fifo.microseconds > 0
    assert math.isnan(found.lines)


def test_lines_of_markdown() -> None:
    nothing, some = RankedFigure(math.nan, math.nan, math.nan), RankedFigure(0.5, 0.456, 0.544)
    figures = dict.fromkeys(FIGURES, some) | {
        "tail": nothing,
        "response": RankedFigure(2.0, math.nan, math.nan),
    }
    row = ranking.RankedPolicy("a|b", "A", figures, 3)
    table = ranking.Ranking(1, 2, ("x", "y", "z", "w"), (row,))
    assert figure_texts(row)[0] == "50.0 % (45.6–54.4)"
    line = "| a&#124;b | 50.0 % (45.6–54.4) | 0.50 (0.46–0.54) | 2.00 | – | 0.50 (0.46–0.54) | 3 of 4 |"
    assert markdown_line(row, table) == line
    assert markdown_table(table).splitlines()[2:] == [line]


def parts_of_the_page() -> dict[str, str]:
    """Return what stands between the marks of the page."""
    text = PAGE.read_text("utf-8")
    return {
        found[2]: text[found.end(1) : found.start(3)].strip() for found in PLACE.finditer(text)
    }  # fmt: skip


def test_the_page_has_this_list_and_every_policy() -> None:
    parts = parts_of_the_page()
    again = "python -m docs.from_code.ranking writes it anew"
    assert parts["workloads"] == workloads().strip(), again
    shown = [line.split(" | ")[0].strip("| ") for line in parts["drawn"].splitlines()[2:]]
    left_out = {policy.id for policy in POLICIES} - set(shown)
    assert left_out == {"by-hand", "order"}, again
    assert set(ranking.ranked_policies()) == set(shown), again


def test_lines_of_the_page_come_out_again() -> None:
    found = rank_drawn(policies=["sjf", "fair"])
    lines = parts_of_the_page()["drawn"].splitlines()
    assert [markdown_line(row, found) for row in found.rows if markdown_line(row, found) not in lines] == []


def test_the_list_can_be_drawn_and_names_licences() -> None:
    assert len(set(LIST.seeds)) == len(LIST.seeds)
    entries: list[Any] = [*LIST.drawn, *LIST.fetched]
    assert len({entry.name for entry in entries}) == len(entries)
    assert {entry.licence for entry in LIST.fetched} <= {"Apache-2.0", "BSD-3-Clause", "LGPL-3.0"}
    assert all(len(entry.sha256) == 64 and "commit " in entry.source for entry in LIST.fetched)
