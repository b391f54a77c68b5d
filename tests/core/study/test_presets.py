"""The studies that come with Slotscope: valid, runnable, and their published points those of the manual."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.planning.pool_cut import PoolCut, Trial
from core.simulation.simulate import simulate
from core.study.cell_run import CellRunner
from core.study.cells import Cells, settings_of
from core.study.figure_data import figure_data
from core.study.run_study import open_files
from core.study.study_document import preset_paths, read_study
from tests.paths import ROOT

PRESETS = {name: read_study(path) for name, path in preset_paths().items()}
PAPERS = ("000", "001", "002", "003", "004")
IN_WORDS = {0.0, 1.5, 37.5, 50.0}
"""What the text says in words: up to, linear in the jobs, 60 % longer the other way round, half of them."""


def row_of(name, number, seed=None):
    """Run one cell of a preset in its first repetition."""
    study = PRESETS[name]
    repetition = 0 if seed is None else seed - study.first_seed
    cell = settings_of(study, number, repetition)
    row = CellRunner(open_files(study)).run(cell, study.measures)
    assert row.error == ""
    return dict(zip(study.measures, row.values, strict=True))


def test_every_paper_has_its_figures():
    told = {paper: [name for name in PRESETS if name.startswith(paper)] for paper in PAPERS}
    assert all(told.values())
    drawn = {figure.source for study in PRESETS.values() for figure in study.figures}
    for source in ("000, Figure 10a", "000, Figure 14", "001, Figure 7a", "001, Figure 8c", "002, Figure 5b"):
        assert source in drawn
    for source in ("002, Figure 6", "003, Figure 6c", "004, Figure 8", "004, Figure 13", "004, Figure 14"):
        assert source in drawn


@pytest.mark.parametrize("name", PRESETS)
def test_the_first_cell_runs(name):
    assert all(value == value for value in list(row_of(name, 0).values())[:1])


@pytest.mark.parametrize("name", PRESETS)
def test_every_figure_has_curves_and_ours_beside_each_published_point(name):
    study = PRESETS[name]
    cells, shown = Cells(study), [axis.column for axis in study.axes]
    rows = []
    for number in range(study.cell_count):
        places = cells.position(number)
        row = {axis.name: shown[a][places[a]] for a, axis in enumerate(study.axes)}
        rows.append(row | {"repetition": 0, **dict.fromkeys(study.measures, 1.0 + number % 7)})
    frame = pd.DataFrame(rows).assign(error=None)
    for figure in study.figures:
        data = figure_data(study, figure, frame)
        assert data.curves, figure.title
        for curve in data.published:
            for x in curve.xs:
                assert data.beside(curve.name, x) is not None, (figure.title, curve.name, x)
        for stated in data.ranges:
            assert data.reach(stated.name) is not None, (figure.title, stated.name)


def test_published_points_are_those_of_the_manual():
    manual = (ROOT / "docs" / "explanation" / "published-numbers.md").read_text("utf-8")
    sections = dict(zip(PAPERS, re.split(r"^## 00\d", manual, flags=re.M)[1:], strict=True))
    for name, study in PRESETS.items():
        text = sections.get(name[:3], "")
        known = {float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)} | IN_WORDS
        for figure in study.figures:
            for curve in figure.published:
                for _, *values in curve.points:
                    assert set(values) <= known, (name, figure.title, curve.name)
                assert {curve.least, curve.most} - {None} <= known, (name, figure.title, curve.name)


# ---- numbers of the papers' pages, from the documents


def test_the_reverse_order_of_000_on_sixteen_nodes():
    johnson, reverse = (row_of("000-figure-11", number)["makespan"] / 3600 for number in (1, 0))
    assert (f"{reverse:.2f}", f"{johnson:.2f}") == ("68.29", "54.58")


def test_estimates_of_000_on_64_nodes_lie_above_what_both_orders_take():
    johnson, reverse = (row_of("000-figure-10", number) for number in (7, 6))
    hours = [f"{row['makespan'] / 3600:.0f}" for row in (johnson, reverse)]
    estimates = [f"{row['estimated_as_printed'] / 3600:.0f}" for row in (johnson, reverse)]
    assert (hours, estimates) == (["104", "137"], ["437", "465"])
    assert 0.999 < johnson["estimated"] / johnson["estimated_as_printed"] <= 1


def test_max_edf_and_min_edf_of_001_coincide_at_deadline_factor_1():
    greedy, sparing = (row_of("001-figure-7", number)["deadline_utility"] for number in (30, 33))
    assert (f"{greedy:.4f}", greedy) == ("13.5837", sparing)


def test_the_gains_of_002_from_one_job():
    fair, dynamic = (row_of("002-figure-4", number)["makespan"] for number in (6, 7))
    assert 0.39 < 1 - dynamic / fair < 0.42


def test_the_two_pools_of_002_have_half_of_all_slots_at_first():
    assert [row_of("002-figure-5", number)["running_maps"] for number in (0, 30, 60, 90)] == [54] * 4


def test_shared_scans_of_003():
    flex, circumflex, batch = (row_of("003-figure-5", number) for number in (0, 1, 2))
    assert circumflex["objective"] / flex["objective"] == pytest.approx(0.77107, abs=1e-5)
    assert batch["objective"] / flex["objective"] == pytest.approx(4.73963, abs=1e-5)


def test_one_terasort_job_of_004_by_slowstart():
    typed = [round(row_of("004-tables-2-and-3", number)["makespan"]) for number in range(6)]
    assert typed == [312, 312, 312, 312, 314, 339]


def test_omo_of_004_without_contention_on_the_first_seed():
    fresh, omo = (row_of("004-no-contention", number)["makespan"] for number in (6, 7))
    assert 1 - omo / fresh == pytest.approx(0.096, abs=0.02)


def test_the_heaviest_shuffles_of_set_h_of_004_come_first_in_every_draw():
    study, runner = PRESETS["004-heavy-first"], CellRunner({})
    found = []
    for number in range(5):
        settings = dict(settings_of(study, number, 0).settings)
        workload = generate("omo", seed=int(settings["workload.seed"]), parameters={"job_set": "H"})
        heavy = sorted(workload.jobs, key=lambda job: -(job.shuffle_bytes or 0) / job.reduces.count)
        assert settings["policy.parameters.order"] == ", ".join(job.name for job in heavy)
        found += runner.run(settings_of(study, number, 0), ("makespan",)).values
    assert sum(found) / 5 == pytest.approx(1189, abs=1)


# ---- what belongs to figures of the papers, and no policy finds


def test_the_pools_of_the_testbed_of_000_made_by_hand():
    workload, cluster = generate("facebook", seed=1, parameters={"jobs": 100}), Cluster(256, 256)
    pools = PoolCut(workload, cluster).partition(Trial((68,), (3,), (0.0, 0.0)))
    theirs = simulate(workload, cluster, PolicyChoice("fifo"), partition=pools, engine="compiled").makespan
    johnson, reverse = (
        simulate(workload, cluster, PolicyChoice(policy), engine="compiled").makespan
        for policy in ("johnson", "johnson-reverse")
    )
    assert [f"{seconds / 3600:.2f}" for seconds in (theirs, johnson, reverse)] == ["4.78", "4.78", "5.27"]
