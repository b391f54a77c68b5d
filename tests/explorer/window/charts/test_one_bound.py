"""The bound in a chart and the per cent above it are of one bound, whatever stands beside."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from core.files.samples import sample_paths
from core.model.schedule import PolicyChoice
from tests.explorer.window_fixtures import open_window


def shown(window):
    """Return of each scenario with a drawn bound its end, that bound, and what the header says of them."""
    found = {}
    for scenario_id, view in window.charts.views.items():
        header = window.headers.header(scenario_id)
        makespan, bound = view.content.rows.schedule.makespan, view.content.lower_bound
        found[scenario_id] = makespan, bound, header.facts.gap_text, header.facts.gap
    return found


def is_said(makespan: float, bound: float, text: str) -> bool:
    """Whether a header's words are true of an end and a bound, worked out from the words."""
    if number := re.match(r"([\d.]+) % above bound", text):
        digits = len(number[1].partition(".")[2])
        return abs(100 * (makespan / bound - 1) - float(number[1])) <= 0.51 * 10**-digits
    return text.startswith(("optimal", "at the")) and makespan == pytest.approx(bound, rel=1e-6)


@pytest.mark.parametrize("sample", sorted(sample_paths()))
def test_a_header_speaks_of_the_bound_in_its_chart_whatever_stands_beside(qtbot, tmp_path, sample):
    window = open_window(qtbot, tmp_path, sample)
    before = shown(window)
    judged = [each for each in before.values() if each[1] is not None and each[2]]
    for makespan, bound, text, gap in judged:
        assert gap == pytest.approx(makespan / bound - 1)
        assert is_said(makespan, bound, text), (makespan, bound, text)
    cluster = window.document.cluster
    if cluster.has_nodes or cluster.slot_times:
        return
    new = window.editor.add_scenario(PolicyChoice("fifo"))
    window.editor.set_cluster(replace(cluster, map_slots=2 * cluster.map_slots), new)
    assert window.runner.wait_until_idle(60_000)
    after = shown(window)
    assert {each: after[each] for each in before} == before
    assert after[new][1] <= min(each[1] for each in judged) if judged else True
