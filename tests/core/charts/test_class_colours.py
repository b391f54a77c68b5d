"""Classes must be told apart by everybody: distances of colours as normal and colour-blind eyes see them."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.appearance import Appearance
from core.charts.chart import DrawnChart
from core.charts.class_colours import GREY, class_colours, job_colours, tones_of
from core.charts.palette import contrast, ink_on, lane_colour, linear, unpacked
from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE, SHUFFLE_TONE
from core.charts.schedule_rows import schedule_rows
from core.measures.job_classes import ClassedBy, job_classes
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from tests.core.charts.chart_builders import job_by_job, make_schedule, make_workload
from tests.oklab import oklab

# Machado, Oliveira and Fernandes 2009, severity 1, on linear light
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
HARD_TO_TELL = 0.05


def seen(colours, sight):
    return oklab(np.clip(linear(unpacked(colours)) @ SIGHTS[sight].T, 0, 1))


def sizes(*maps):
    """The classes by size of jobs with so many maps."""
    jobs = tuple(Job(f"J{i}", Stage.of(count, 1.0), Stage.of(0, 1.0)) for i, count in enumerate(maps))
    return job_classes(Workload("sizes", jobs, make_workload().cluster), ClassedBy.SIZE)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sight", SIGHTS)
def test_neighbours_in_time_differ(sight, dark):
    """The ninth has the first beside it where hues begin anew."""
    lab = seen(np.resize(class_colours(job_by_job(9), Appearance(dark)), 10), sight)
    assert np.linalg.norm(np.diff(lab, axis=0), axis=1).min() > HARD_TO_TELL


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_of_ten_pools_differ_and_none_looks_failed_or_killed(sight, dark):
    jobs = tuple(Job(f"J{i}", Stage.of(1, 1.0), Stage.of(0, 1.0), pool=f"P{i}") for i in range(10))
    classes = job_classes(Workload("ten", jobs), ClassedBy.POOL)
    others = [Appearance(dark).rgb(name) for name in ("failed", "killed")]
    colours = [*class_colours(classes, Appearance(dark)).tolist(), *others]
    assert len(set(colours)) == 12
    lab = seen(np.array(colours), sight)
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)[np.triu_indices(12, 1)]
    assert apart[:-1].min() > HARD_TO_TELL  # the last are failed and killed, which have patterns


@pytest.mark.parametrize("dark", [False, True])
def test_labels_are_readable_on_every_class(dark):
    for classes in (job_by_job(9), sizes(1, 10, 100, 1000, 10000, 1, 10, 100, 1000, 10000)):
        for one in job_colours(classes, Appearance(dark)).tolist():
            assert contrast(one, ink_on(one)) >= 4.5
            assert contrast(one, lane_colour(Appearance(dark))) >= 2.4


def test_sizes_go_from_pale_to_deep_and_are_far_apart_where_there_are_few():
    five, two = sizes(1, 10, 100, 1000, 10000), sizes(1, 1000)
    colours = class_colours(five, Appearance(True)).tolist()
    assert class_colours(two, Appearance(True)).tolist() == [colours[0], colours[4]]
    lightness = oklab(linear(unpacked(np.array(colours))))[:, 0]
    assert (np.diff(lightness) < 0).all()


def test_every_second_job_of_a_class_is_paler():
    classes = sizes(1, 1, 1, 100)
    colours = job_colours(classes, Appearance(False)).tolist()
    assert colours[0] == colours[2] != colours[1]
    assert oklab(linear(unpacked(colours[1])))[0] > oklab(linear(unpacked(colours[0])))[0]


def test_what_is_left_over_is_no_hue():
    jobs = tuple(Job(f"J{i}", Stage.of(3, 9.0), Stage.of(0, 1.0)) for i in range(30))
    classes = job_classes(Workload("many", jobs, make_workload().cluster), ClassedBy.JOB)
    colours = class_colours(classes, Appearance(False)).tolist()
    assert len(colours) == 10
    assert colours[9] not in colours[:9]
    assert classes.classes[9].is_rest


def test_a_chart_whose_classes_nobody_chose_tells_its_own_jobs_apart():
    rows = schedule_rows(make_schedule(jobs=3))
    given = tones_of(DrawnChart(rows, classes=job_by_job(3)), Appearance(False))
    assert np.array_equal(tones_of(DrawnChart(rows), Appearance(False)), given)
    assert tones_of(DrawnChart(), Appearance(False)).shape == (0, 6)


def test_jobs_that_the_document_does_not_have_are_grey():
    rows = schedule_rows(make_schedule(jobs=3))
    tones = tones_of(
        DrawnChart(rows, classes=job_by_job(2), places=(2, np.array([1, -1, 0]))), Appearance(False)
    )
    first, second = class_colours(job_by_job(2), Appearance(False)).tolist()
    assert tones[:, MAP_TONE].tolist() == [second, GREY, first]


def test_reduces_are_deeper_only_where_maps_run_in_the_same_lane():
    apart, together = (
        tones_of(DrawnChart(schedule_rows(make_schedule(jobs=2, **cluster))), Appearance(False))
        for cluster in ({}, {"map_slots": 0, "reduce_slots": 0, "containers": 6})
    )
    assert (apart[:, MAP_TONE] == apart[:, REDUCE_TONE]).all()
    assert (together[:, MAP_TONE] != together[:, REDUCE_TONE]).all()
    assert (apart[:, SHUFFLE_TONE] != apart[:, REDUCE_TONE]).all()
