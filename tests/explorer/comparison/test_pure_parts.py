"""What charts compute before they draw: outlines, ticks, bars, figures, tables."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont

from core.measures.compare import SharedBound
from core.measures.metrics import METRICS, Metrics
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.estimates import DurationEstimates
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.time_text import plain_number, signed_duration, signed_percent
from core.model.workload import Workload
from core.optimize.premise import PLAIN
from core.planning.estimated_makespan import Estimates
from core.simulation.simulate import simulate
from explorer.comparison.completion_bars import completion_bars
from explorer.comparison.makespan_bars import _fitting_pieces, _pieces_width, bar_places, estimated_sentence
from explorer.comparison.metrics_table import best, figures_of, figures_table
from explorer.document.view_state import EstimateMarks
from explorer.plots.axis import time_step, time_ticks
from explorer.plots.step_curve import BLOCK, BLOCKS_PER_PIXEL, StepCurve
from explorer.widgets.export import ChartTable

# Step curves


def test_few_steps_are_drawn_as_they_are():
    curve = StepCurve(np.array([0.0, 2.0, 5.0]), np.array([3, 1, 0]))
    outline = curve.outline(1.0, 6.0, 100)
    assert outline.x.tolist() == [1, 2, 2, 5, 5, 6]
    assert outline.y.tolist() == [3, 3, 1, 1, 0, 0]


def test_before_the_first_step_it_is_zero():
    curve = StepCurve(np.array([2.0]), np.array([7]))
    assert curve.outline(0, 1, 10).y.tolist() == [0, 0]
    assert [curve.value_at(t) for t in (0, 1.9, 2.0, 9)] == [0, 0, 7, 7]


def steps(count, seed=1):
    random = np.random.default_rng(seed)
    return np.sort(random.random(count) * 100), random.integers(0, 50, count)


@given(st.integers(0, 400), st.integers(1, 40), st.floats(-10, 90), st.floats(0.1, 120), st.integers(0, 9))
def test_each_pixel_keeps_its_smallest_and_largest_value(count, pixels, start, span, seed):
    times, values = steps(count, seed)
    outline = StepCurve(times, values).outline(start, start + span, pixels)
    assert outline.x[0] == start
    assert outline.x[-1] == start + span
    assert (np.diff(outline.x) >= 0).all()
    inside = (times > start) & (times <= start + span)
    before = values[times <= start][-1:].tolist() or [0]
    everything = [*before, *values[inside].tolist()]
    assert outline.y.max() == max(everything)
    assert outline.y.min() == min(everything)


def test_reduced_outlines_agree_pixel_by_pixel_with_a_plain_search():
    times, values = steps(3000)
    outline = StepCurve(times, values).outline(10, 60, 50)
    assert len(outline.x) == 4 * 50
    edges = np.linspace(10, 60, 51)
    for pixel in range(50):
        begin, end = np.searchsorted(times, edges[pixel : pixel + 2], side="right")
        held = values[begin - 1 : end]
        first, low, high, last = outline.y[4 * pixel : 4 * pixel + 4]
        assert (first, low, high, last) == (held[0], held.min(), held.max(), held[-1])


def test_a_single_peak_among_a_million_steps_is_seen():
    count = BLOCK * BLOCKS_PER_PIXEL * 300
    times, values = np.arange(count) / count, np.ones(count, np.int64)
    values[77_777] = 1000
    outline = StepCurve(times, values).outline(0, 1, 100)
    assert outline.y.max() == 1000
    peak = outline.x[outline.y.argmax()]
    assert peak == pytest.approx(times[77_777], abs=0.02)
    assert len(outline.x) == 400


# Ticks


@pytest.mark.parametrize(
    ("span", "most", "step"),
    [(1, 10, 0.1), (7, 4, 2), (72, 4, 20), (100, 10, 10), (427, 8, 60), (86400, 6, 21600), (10e5, 5, 432000)],
)
def test_ticks_are_at_round_times(span, most, step):
    assert time_step(span, most) == pytest.approx(step)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e9), st.integers(1, 20))
def test_ticks_fit_and_lie_inside(start, span, most):
    ticks = time_ticks(start, start + span, most)
    assert len(ticks) <= most + 1
    assert all(start - span * 1e-6 <= tick <= start + span * (1 + 1e-6) for tick in ticks)


# Completion of jobs


def schedules(count, cluster=None):
    random = np.random.default_rng(3)
    jobs = tuple(
        Job(f"J{i}", Stage.of(4, random.integers(1, 30)), Stage.of(2, random.integers(1, 30)))
        for i in range(count)
    )
    workload = Workload("w", jobs, cluster or Cluster(4, 4, 1.0))
    return [
        simulate(workload, workload.cluster, PolicyChoice(policy), engine="interpreted")
        for policy in ("fifo", "sjf")
    ]


def test_every_job_is_in_one_bar_sorted_by_change():
    fifo, sjf = schedules(5)
    bars = completion_bars(sjf, fifo)
    assert bars.count == 5
    assert sorted(bars.names) == [f"J{i}" for i in range(5)]
    assert (np.diff(bars.changes) >= 0).all()
    for name, change in zip(bars.names, bars.changes, strict=True):
        i = fifo.workload.job_index[name]
        assert change == sjf.finish[i] - fifo.finish[i]
    assert not bars.is_gathered


def test_many_jobs_share_bars_and_extremes_stay():
    fifo, sjf = schedules(450)
    bars = completion_bars(sjf, fifo)
    assert bars.count == 200
    assert bars.is_gathered
    assert sum(len(bars.jobs_of(bar)) for bar in range(200)) == 450
    assert bars.heights.min() == bars.changes.min()
    assert bars.heights.max() == bars.changes.max()
    for name in ("J0", "J123", "J449"):
        assert name in bars.jobs_of(bars.bar_of(name))
    assert bars.bar_of("unknown") == -1
    assert bars.text(0).startswith(f"{len(bars.jobs_of(0))} jobs (")


def test_jobs_that_only_one_schedule_has_are_counted():
    fifo, sjf = schedules(4)
    jobs = (*sjf.workload.jobs[:3], replace(sjf.workload.jobs[3], name="New"))
    other = replace(sjf, workload=sjf.workload.with_jobs(jobs))
    bars = completion_bars(other, fifo)
    assert len(bars.names) == 3
    assert bars.left_out == 2
    assert bars.summary().endswith("2 in one schedule only")


def test_late_jobs_stand_out_in_bars():
    fifo, sjf = schedules(5)
    jobs = [replace(job, deadline=float(sjf.finish[i]) + (-1.0 if i in (1, 3) else 0.0)) for i, job in
            enumerate(sjf.workload.jobs)]  # fmt: skip
    late = replace(sjf, workload=sjf.workload.with_jobs(jobs))
    bars = completion_bars(late, fifo)
    assert [bars.names[bar] for bar in bars.late_bars()] == [n for n in bars.names if n in ("J1", "J3")]
    assert bars.text(bars.bar_of("J1")).endswith(", 1 s after its deadline")
    assert "deadline" not in bars.text(bars.bar_of("J0"))
    assert bars.summary().endswith(", 2 after their deadlines")
    assert {row[0]: row[2] for row in bars.table().rows} == {f"J{i}": float(i in (1, 3)) for i in range(5)}
    assert "deadline" not in completion_bars(sjf, fifo).summary()


def test_a_bar_of_many_jobs_is_late_if_one_of_them_is():
    fifo, sjf = schedules(450)
    jobs = list(sjf.workload.jobs)
    jobs[123] = replace(jobs[123], deadline=float(sjf.finish[123]) / 2)
    bars = completion_bars(replace(sjf, workload=sjf.workload.with_jobs(jobs)), fifo)
    assert bars.late_bars().tolist() == [bars.bar_of("J123")]
    assert bars.text(bars.bar_of("J123")).endswith(", 1 after their deadlines")


def test_changes_have_signs():
    assert [signed_duration(x) for x in (-12.0, 0.0, 1e-9, 65.0)] == ["−12 s", "±0 s", "±0 s", "+1 min 05 s"]


# Makespans


def row(makespan, estimates, title="T"):
    metrics = SimpleNamespace(makespan=makespan, lower_bound=50.0, gap=0.1)
    known = {
        "metrics": metrics,
        "estimates": estimates,
        "change": 0.0,
        "is_baseline": True,
        "spread": None,
    }
    return SimpleNamespace(title=title, shared=SharedBound(50.0, PLAIN, differs=False), **known)


def test_in_a_narrow_area_bars_lie_below_their_titles(qapp):
    font, rows = QFont(), [row(100.0, None, "a rather long title"), row(60.0, None)]
    narrow, wide = (bar_places(QRectF(0, 0, width, 200), rows, font) for width in (240, 800))
    assert (narrow.is_narrow, wide.is_narrow) == (True, False)
    assert narrow.bars.width() > 200
    for place in (0, 1):
        line, bar = narrow.line_rect(place), narrow.bar_rect(place)
        assert line.bottom() <= bar.top()
        assert narrow.row_at(line.center().y()) == narrow.row_at(bar.center().y()) == place
        assert wide.line_rect(place) == wide.bar_rect(place) == wide.row_rect(place)
    pieces = ["1 h 40 min 00 s", "baseline", "28 % above bound"]
    assert _fitting_pieces(pieces, 1000, font) == pieces
    assert _fitting_pieces(pieces, 10, font) == pieces[:1]
    fitting = _pieces_width(pieces[:2], font) + 10
    assert _fitting_pieces(pieces, fitting, font) == pieces[:2]


def test_estimates_far_beyond_the_makespans_do_not_dwarf_the_bars(qapp):
    area, font = QRectF(0, 0, 800, 200), QFont()
    assert bar_places(area, [row(100.0, None)], font).scale.high == 100
    assert bar_places(area, [row(100.0, Estimates(80.0, 120.0))], font).scale.high == 120
    assert bar_places(area, [row(100.0, Estimates(80.0, 9000.0))], font).scale.high == pytest.approx(130)
    places = bar_places(area, [row(100.0, None), row(60.0, None)], font)
    assert [places.row_at(places.row_rect(i).center().y()) for i in (0, 1)] == [0, 1]
    assert places.scale.x(100.0) == places.bars.right()


# Figures


MAPS = Workload("W", (Job("J1", Stage.of(1, 1.0)),))


def result(**figures):
    metrics = Metrics(dict.fromkeys(METRICS, 1.0) | figures, PLAIN)
    shared = SharedBound(1.0, PLAIN, differs=False)
    result = {"metrics": metrics, "change": 0.25, "is_baseline": False, "title": "<T>, 1"}
    schedule = SimpleNamespace(workload=MAPS)
    return SimpleNamespace(**result, shared=shared, gap=shared.gap(metrics), schedule=schedule)


def figure(heading):
    return next(figure for figure in figures_of(MAPS) if figure.heading == heading)


def test_the_best_is_the_smallest_or_the_largest():
    rows = [result(makespan=3, map_utilisation=0.5), result(makespan=2, map_utilisation=0.4)]
    assert best(figure("makespan"), rows) == {1}
    assert best(figure("map utilisation"), rows) == {0}
    assert best(figure("change"), rows) == set()
    assert best(figure("gap"), rows) == set()
    assert best(figure("makespan"), rows[:1]) == set()


def test_what_is_not_known_is_a_dash_and_never_the_best():
    rows = [result(map_utilisation=float("nan")), result(map_utilisation=0.4), result(map_utilisation=0.3)]
    assert figure("map utilisation").text(rows[0]) == "–"
    assert best(figure("map utilisation"), rows) == {1}


def test_numbers_are_written_for_people():
    assert [signed_percent(x) for x in (-0.2, 0.0001, 0.031)] == ["−20.0 %", "±0 %", "+3.1 %"]
    assert [plain_number(x) for x in (1.2345, 12345.6)] == ["1.23", "12\N{NARROW NO-BREAK SPACE}346"]


def test_tables_have_raw_numbers(tmp_path):
    table = figures_table([result(makespan=1 / 3, map_utilisation=float("nan"))])
    assert table.header[:3] == ("scenario", "makespan (s)", "change")
    lines = table.to_text().splitlines()
    assert lines[1].split("\t")[:3] == ["<T>, 1", repr(1 / 3), "0.25"]
    assert lines[1].split("\t")[9] == ""
    table.write_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text().splitlines()[1].startswith('"<T>, 1",0.333')
    with pytest.raises(InputError, match="cannot write"):
        ChartTable(("a",), ()).write_csv(tmp_path / "missing" / "t.csv")


def test_no_name_is_a_formula_in_a_table_that_is_taken_elsewhere(tmp_path):
    table = ChartTable(("=a", "b"), (("@sum", -1.5), ("-2+3", None)))
    assert table.to_text() == "'=a\tb\n'@sum\t-1.5\n'-2+3\t\n"
    table.write_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "'=a,b\n'@sum,-1.5\n'-2+3,\n"


def test_estimates_are_of_the_true_durations_beside_a_plan_on_guesses(results, view_state, outcome, editor):
    """Min and Max are no sums of what a policy was told: 47 s and 78 s stay."""
    view_state.estimate_marks = EstimateMarks.SHOWN
    for scenario_id in (1, 2):
        results.put(scenario_id, *outcome(scenario_id))
    said = "estimated without simulation: Min to Max 47 s to 1 min 18 s"
    assert estimated_sentence(results.rows) == said
    editor.set_estimates(2, DurationEstimates(2.0))
    results.put(2, *outcome(2))
    assert estimated_sentence(results.rows) == f"{said}, of the true durations"
