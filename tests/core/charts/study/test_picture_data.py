"""What pictures draw of rows that are known: every number worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.study.picture_choice import PictureChoice, usual_choice
from core.charts.study.picture_data import clicked_cell, picture_data
from tests.core.study.made_up import STUDY, rows


def data(**choice):
    return picture_data(STUDY, rows(), PictureChoice(**choice))


def test_lines_have_means_and_the_band_of_the_seeds():
    shown = data(kind="lines", x="map slots", by="policy", where=(("slowstart", 0),))
    fifo, johnson = shown.curves
    assert (fifo.name, johnson.name) == ("FIFO", "Johnson")
    assert fifo.ys.tolist() == [100, 60, 30]
    assert [ends.tolist() for ends in fifo.band] == [[99, 59, 29], [101, 61, 31]]
    assert johnson.texts[1] == "Johnson, map slots 32\nMakespan 54 s\n53 s to 55 s over 2 seeds"
    assert johnson.abouts[1] == {"map slots": 1, "policy": 1}
    assert (shown.x.title, shown.y) == ("Map slots", ("Makespan", "s"))


def test_axes_that_are_not_shown_are_averaged():
    shown = data(kind="lines", x="map slots", by="policy")
    assert shown.curves[0].ys.tolist() == [110, 70, 35]
    assert data(kind="lines", x="map slots").curves[0].ys.tolist() == [101.5, 64.5, 38.5]


def test_points_that_have_not_run_yet_are_left_open():
    shown = picture_data(STUDY, rows().iloc[:8], PictureChoice("lines", x="map slots", by="policy"))
    assert np.isnan(shown.curves[0].ys).tolist() == [False, True, True]
    shown = picture_data(STUDY, rows().iloc[:8], PictureChoice("heat-map", x="map slots", y="slowstart"))
    assert [field.text == "" for field in shown.fields[0]] == [False, True, True]


def test_a_fraction_is_shown_in_percent():
    shown = data(kind="lines", measure="gap", x="map slots")
    assert shown.curves[0].ys == pytest.approx([10, 10, 10])
    assert shown.y[1] == "%"


def test_heat_map_has_a_field_for_each_pair():
    shown = data(kind="heat-map", x="map slots", y="slowstart", where=(("policy", 0),))
    assert [[field.value for field in row] for row in shown.fields] == [[100, 60, 30], [120, 80, 40]]
    assert shown.ends == ("Makespan 30 s (best)", "2 min 00 s (worst)")
    assert shown.fields[1][2].text == "map slots 64, slowstart 1\nMakespan 40 s"


def test_map_of_the_best_says_who_wins_and_by_how_much():
    shown = data(kind="regret", x="map slots", y="slowstart", by="policy")
    assert [[field.best for field in row] for row in shown.fields] == [[1, 1, 0], [1, 1, 0]]
    assert shown.fields[0][0].value == pytest.approx(100 / 90 - 1)
    assert shown.fields[1][2].text.splitlines()[1:] == ["FIFO: 40 s", "Johnson: 48 s, 20 % worse"]
    assert shown.bests == ("FIFO", "Johnson")
    loss = data(kind="regret", x="map slots", y="slowstart", by="policy", of="fifo")
    assert [field.value for field in loss.fields[1]] == pytest.approx([0.25, 0.25, 0])
    assert loss.most == pytest.approx(0.25)
    assert loss.bests == ()


def test_sentence_says_which_policy_and_from_where_on_another():
    shown = data(kind="regret", x="map slots", y="slowstart", by="policy")
    assert shown.sentence == (
        "Johnson is best or within 1 % in 67 % of 6 cells; from map slots 64 on FIFO is. "
        "FIFO is farthest behind, at map slots 16, slowstart 1: 2 min 00 s instead of 1 min 36 s "
        "(25 % worse)."
    )


def test_where_more_is_better_the_largest_is_best():
    study_rows = rows().rename(columns={"makespan": "map_utilisation"})
    study = STUDY.__class__(STUDY.name, STUDY.base, STUDY.axes, ("map_utilisation",))
    choice = PictureChoice("regret", "map_utilisation", x="map slots", y="slowstart", by="policy")
    shown = picture_data(study, study_rows, choice)
    assert [field.best for field in shown.fields[0]] == [0, 0, 1]


def test_distribution_counts_runs():
    shown = data(kind="cdf", by="policy", where=(("map slots", 2), ("slowstart", 0)))
    assert shown.curves[0].xs.tolist() == [29, 31]
    assert shown.curves[0].ys.tolist() == [50, 100]
    assert shown.curves[0].texts[0] == "FIFO: 50 % of the runs\nhave at most 29 s"


def test_front_is_what_no_other_beats():
    frame = rows()
    frame["mean_response"] = 200.0 - frame["makespan"]
    shown = picture_data(STUDY, frame, PictureChoice("pareto", other="mean_response", by="policy"))
    assert len(shown.dots) == 12
    assert all(dot.is_best for dot in shown.dots), "the one grows as the other falls"
    shown = data(kind="pareto", other="mean_response", by="policy")
    assert [dot.x for dot in shown.dots if dot.is_best] == [30]


def test_failed_rows_are_left_out():
    frame = rows()
    frame.loc[frame["policy"] == "fifo", "error"] = "it failed"
    shown = picture_data(STUDY, frame, PictureChoice("lines", x="map slots", by="policy"))
    assert [curve.name for curve in shown.curves] == ["Johnson"]
    frame["error"] = "it failed"
    assert picture_data(STUDY, frame, PictureChoice("lines", x="map slots", by="policy")).runs == 0


def test_click_opens_what_was_clicked():
    choice = PictureChoice("regret", x="map slots", y="slowstart", by="policy")
    assert clicked_cell(STUDY, rows(), choice, {"map slots": 0, "slowstart": 1, "policy": 1}) == (0, 1, 1)
    held = PictureChoice("lines", x="map slots", by="policy", where=(("slowstart", 1),))
    assert clicked_cell(STUDY, rows(), held, {"map slots": 2, "policy": 0}) == (2, 1, 0)


def test_first_picture_is_of_the_axis_with_most_numbers_by_policy():
    choice = usual_choice(STUDY)
    assert (choice.kind, choice.x, choice.y, choice.by) == ("lines", "map slots", "slowstart", "policy")
