"""What a figure plots, worked out by hand from a few rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.model.errors import DocumentError, InputError
from core.study.figure_data import figure_data
from tests.core.study.study_examples import small_study

# johnson on 2, 4, 8 nodes in two repetitions, then the reverse order
SECONDS = {
    (2, "johnson"): (60.0, 80.0),
    (2, "johnson-reverse"): (100.0, 100.0),
    (4, "johnson"): (30.0, 50.0),
    (4, "johnson-reverse"): (60.0, 50.0),
    (8, "johnson"): (20.0, 20.0),
    (8, "johnson-reverse"): (10.0, 40.0),
}


def rows():
    found = []
    for (nodes, policy), times in SECONDS.items():
        for repetition, seconds in enumerate(times):
            found.append(
                {"nodes": float(nodes), "policy": policy, "repetition": repetition, "makespan": seconds}
            )
    frame = pd.DataFrame(found).assign(error=None, lower_bound=10.0)
    frame["policy"] = pd.Categorical(frame["policy"], ["johnson", "johnson-reverse"], ordered=True)
    return frame


def plotted(frame=None, **figure):
    figure = {"kind": "lines", "x": "nodes", "y": "makespan", "by": "policy", "title": ""} | figure
    study = small_study(figures=[figure])
    return figure_data(study, study.figures[0], rows() if frame is None else frame)


def test_curves_have_the_mean_and_the_ends_of_the_repetitions():
    johnson, reverse = plotted().curves
    assert (johnson.name, johnson.xs) == ("johnson", (2, 4, 8))
    assert (johnson.ys, johnson.low, johnson.high) == ((70, 40, 20), (60, 30, 20), (80, 50, 20))
    assert reverse.ys == (100, 55, 25)


def test_a_comparison_is_of_each_repetition_or_of_the_means():
    compared = {"kind": "less-than", "at": {"policy": "johnson-reverse"}}
    johnson, reverse = plotted(**{"as": compared}).curves
    assert johnson.ys == pytest.approx((30, 25, (-100 + 50) / 2))
    assert reverse.ys == (0, 0, 0)
    means = plotted(**{"as": {**compared, "of": "means"}})
    assert means.curves[0].ys == pytest.approx((30, 100 * (1 - 40 / 55), 20))
    assert (means.y_unit, means.y_title) == ("%", "makespan: less than at johnson-reverse")


def test_what_is_compared_with_need_not_be_shown_and_may_be_a_point_of_two_axes():
    compared = {"kind": "ratio", "at": {"policy": "johnson-reverse"}}
    (johnson,) = plotted(where={"policy": "johnson"}, **{"as": compared}).curves
    assert johnson.ys == pytest.approx((0.7, 0.75, (2 + 0.5) / 2))
    corner = {"kind": "difference", "at": {"policy": "johnson", "nodes": 8}}
    johnson, reverse = plotted(**{"as": corner}).curves
    assert (johnson.ys, reverse.ys) == ((50, 20, 0), (80, 35, 5))


def test_nothing_is_divided_by_nothing():
    frame = rows()
    frame.loc[frame["policy"] == "johnson-reverse", "makespan"] = 0.0
    johnson, _ = plotted(frame, **{"as": {"kind": "ratio", "at": {"policy": "johnson-reverse"}}}).curves
    assert np.isnan(johnson.ys).all()


def test_the_best_point_of_an_axis_is_taken_in_each_repetition():
    (best,) = plotted(by="", best_over=["policy"]).curves
    assert best.ys == pytest.approx(((60 + 80) / 2, (30 + 50) / 2, (10 + 20) / 2))


def test_a_band_over_an_axis_is_about_the_median_of_its_points():
    (band,) = plotted(by="", band="policy").curves
    assert (band.low, band.ys, band.high) == ((70, 40, 20), (85, 47.5, 22.5), (100, 55, 25))


def test_rows_that_failed_and_percents():
    frame = rows()
    frame.loc[0, ["makespan", "error"]] = [float("nan"), "no slots"]
    assert plotted(frame).curves[0].ys == (80, 40, 20)
    (gap,) = plotted(rows().assign(lower_bound=0.25), y="lower_bound", by="").curves
    assert gap.ys == (0.25,) * 3, "lower_bound is of seconds, so it stays"


def test_labels_have_places_and_published_points_stand_at_them():
    points = [["johnson", 60, 80], ["johnson-reverse", 90]]
    data = plotted(
        kind="bars", x="policy", by="", where={"nodes": 2}, published=[{"name": "", "points": points}]
    )
    assert data.labels == ("johnson", "johnson-reverse")
    assert (data.curves[0].xs, data.curves[0].ys) == ((0, 1), (70, 100))
    (published,) = data.published
    assert (published.low, published.high, published.ys) == ((60, 90), (80, 90), (70, 90))
    assert data.beside("", 0.0) == (70, 60, 80)
    assert data.beside("nobody", 0.0) is None


def test_a_heat_map_has_a_curve_for_each_row():
    data = plotted(kind="heat-map", y="policy", z="makespan", by="")
    assert [(curve.name, curve.ys) for curve in data.curves] == [
        ("johnson", (70, 40, 20)),
        ("johnson-reverse", (100, 55, 25)),
    ]


def test_other_kinds_are_not_drawn_from_documents():
    with pytest.raises(InputError, match="no figure of a document"):
        plotted(kind="pareto")


def test_more_measures_have_curves_of_their_own():
    bound, makespan = "lower bound", "makespan"
    data = plotted(also=["lower_bound"])
    names = [(curve.name, curve.by, curve.measure) for curve in data.curves]
    assert names[:2] == [(f"johnson: {makespan}", 0, 0), (f"johnson-reverse: {makespan}", 1, 0)]
    assert names[2:] == [(f"johnson: {bound}", 0, 1), (f"johnson-reverse: {bound}", 1, 1)]
    assert data.curves[2].ys == (10, 10, 10)
    assert (data.y_title, data.y_unit) == ("makespan, lower bound", "s")


def test_what_the_spread_is_stands_in_words():
    assert plotted().spread == "least to most of 2 seeds"
    assert plotted(by="", band="policy").spread == "least to most over 2 points of policy, about the median"
    of_means = {"kind": "ratio", "at": {"policy": "johnson"}, "of": "means"}
    assert plotted(**{"as": of_means}).spread == ""
    assert plotted(rows()[rows()["repetition"] == 0]).spread == ""


def test_what_a_paper_says_without_naming_a_place_is_a_range():
    data = plotted(
        published=[{"name": "johnson", "to": 25, "note": "up to 25"}, {"name": "johnson", "from": 3}]
    )
    assert not data.published
    assert [(each.least, each.most) for each in data.ranges] == [(-np.inf, 25), (3, np.inf)]
    assert data.reach("johnson") == (20, 70)
    assert data.reach("nobody") is None


def test_places_with_words_have_no_order_and_growing_numbers_have():
    assert plotted().is_ordered
    assert not plotted(kind="bars", x="policy", by="", where={"nodes": 2}).is_ordered


def test_a_figure_is_refused_where_its_measures_cannot_share_an_axis():
    for wrong, rule in (
        ({"also": ["gap"]}, r"also\[0\] is 'gap'; its unit is not that of makespan"),
        ({"also": ["late_jobs"]}, "no measure of this study"),
        ({"kind": "stacked-bars"}, "the parts of a stack are measures"),
        ({"published": [{"name": "", "from": 3, "to": 2}]}, "give at least 3"),
    ):
        figure = {"kind": "lines", "x": "nodes", "y": "makespan", "by": "policy", "title": ""} | wrong
        with pytest.raises(DocumentError, match=rule):
            small_study(figures=[figure], measures=["makespan", "lower_bound", "gap"])
