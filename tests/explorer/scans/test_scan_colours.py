"""Colours of datasets: the same in the charts of slots and in the window of shared scans."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.charts.class_colours import class_colours, dataset_colour
from core.measures.job_classes import ClassedBy, job_classes
from core.model.cluster import Cluster
from core.model.job import Dataset
from core.model.workload import Workload
from explorer.scans.scan_colours import frame
from explorer.widgets.theme import theme
from tests.builders import make_job


@pytest.mark.parametrize("dark", [False, True])
def test_a_dataset_has_one_colour_in_charts_and_in_the_window_of_scans(dark: bool) -> None:
    """Of seven datasets, without jobs on the second: numbers decide, not places in the legend."""
    datasets = tuple(Dataset(f"d{number}", 4) for number in range(7))
    used = [number for number in range(7) if number != 1]
    jobs = tuple(replace(make_job(f"J{number}", (4, 1.0)), dataset=f"d{number}") for number in used)
    workload = Workload("scans", (*jobs, make_job("other", (4, 1.0))), Cluster(2, 2), datasets=datasets)
    classes, colours = job_classes(workload, ClassedBy.DATASET), theme(dark)
    found = class_colours(classes, colours).tolist()
    assert [each.dataset for each in classes.classes] == [*used, -1]
    assert found[:-1] == [frame(number, colours).rgb() & 0xFFFFFF for number in used]
    assert len({dataset_colour(number, colours) for number in range(-1, 9)}) == 10
