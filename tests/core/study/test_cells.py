"""Cells are a pure function of their number, and say exactly what a simulation depends on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given

from core.files.samples import load_sample
from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyError, StalledError
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.study import cell_run
from core.study.cell_run import CellRunner, workload_of
from core.study.cells import Cell, Cells, cell_at, settings_of
from core.study.study_fields import cluster_of, every_name, meanings
from tests.core.study.study_examples import DOCUMENT, small_study, studies
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.study.study import Study
    from core.study.study_fields import Value


@examples(30)
@given(studies())
def test_every_row_is_worked_through_once_and_is_the_same_each_time(study: Study) -> None:
    cells = Cells(study)
    rows = [cells.row_of_work(work) for work in range(min(study.row_count, 60))]
    numbers, repetitions = cells.row_of_work(np.arange(study.row_count))
    together = np.broadcast_to(numbers, repetitions.shape) * study.repetitions + repetitions
    assert sorted(together.tolist()) == list(range(study.row_count))
    for place, (number, repetition) in enumerate(rows):
        assert number * study.repetitions + repetition == together[place]
        cell = settings_of(study, number, repetition)
        assert cell == Cells(study).cell(number, repetition)
        assert cell.seed == study.first_seed + repetition


@examples(20)
@given(studies())
def test_cells_of_a_grid_or_a_sample_differ_in_their_places(study: Study) -> None:
    if study.design.kind != "list":
        places = {settings_of(study, number).position for number in range(min(study.cell_count, 500))}
        assert len(places) == min(study.cell_count, 500)


def test_a_sample_of_everything_is_the_grid_in_another_order() -> None:
    whole = small_study(design={"kind": "sample", "cells": 6, "seed": 4})
    places = [settings_of(whole, number).position for number in range(6)]
    assert sorted(places) == [settings_of(small_study(), number).position for number in range(6)]
    assert places != sorted(places)


def test_the_last_axis_changes_fastest_and_workloads_come_together() -> None:
    axes = [DOCUMENT["axes"][1], {"name": "jobs", "fields": ["workload.parameters.jobs"], "values": [2, 3]}]
    study = small_study(axes=axes)
    assert [settings_of(study, number).position for number in range(4)] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    cells = Cells(study)
    order = [settings_of(study, *cells.row_of_work(work)) for work in range(8)]
    drawn = [(c.settings["workload.parameters.jobs"], c.settings["workload.seed"]) for c in order]
    assert drawn == [(2, 1), (2, 1), (2, 2), (2, 2), (3, 1), (3, 1), (3, 2), (3, 2)]
    assert cell_at(study, (1, 0), 1) == settings_of(study, 2, 1)


def settings(**base: Any) -> Mapping[str, Value]:
    document = {"workload": {"family": "facebook"}} | base
    return settings_of(small_study(base=document, axes=[], repetitions=1), 0).settings


def test_what_means_nothing_is_left_out() -> None:
    known = settings(
        workload={"sample": "five-jobs", "seed": 3},
        policy={"id": "fair"},
        estimates={"error": 0.3, "seed": 5},
        deadlines={"seed": 8},
    )
    assert known == {"workload.sample": "five-jobs", "policy.id": "fair"}
    assert settings(policy={"id": "sjf"}, estimates={"error": 0.3}) == {
        "estimates.error": 0.3,
        "policy.id": "sjf",
        "workload.family": "facebook",
        "workload.seed": 1,
    }


def test_an_axis_takes_the_place_of_another_source_or_kind_of_slots() -> None:
    study = small_study(
        base={"workload": {"family": "facebook"}, "cluster": {"map_slots": 3, "reduce_slots": 4}},
        axes=[
            {"name": "on", "settings": [
                {"label": "slots", "set": {}},
                {"label": "nodes", "set": {"cluster.nodes": "2x4GB,4", "cluster.contention": "1, 0.5"}},
            ]},
            {"name": "jobs", "settings": [
                {"label": "five", "set": {"workload.sample": "five-jobs"}},
                {"label": "yahoo", "set": {"workload.family": "yahoo"}},
            ]},
        ],
    )  # fmt: skip
    runner = CellRunner({})
    clusters = [runner.scenario_of(settings_of(study, number)).cluster for number in (0, 2)]
    assert (clusters[0].map_slots, clusters[0].reduce_slots) == (3, 4)
    assert (clusters[1].nodes, clusters[1].map_slots) == ((NodeGroup(2, 4096, 4),), 0)
    assert clusters[1].contention == (1.0, 0.5)
    workloads = [runner.scenario_of(settings_of(study, number)).workload for number in (0, 1)]
    assert workloads[0] == load_sample("five-jobs")
    assert workloads[1] == generate("yahoo", seed=1)


def test_keys_say_what_a_row_depends_on() -> None:
    def key(study: Study, number: int = 0, repetition: int = 0) -> bytes:
        return Cells(study).key(settings_of(study, number, repetition), {})

    study = small_study()
    longer = small_study(axes=[DOCUMENT["axes"][0] | {"values": [1, 2, 4, 8]}, DOCUMENT["axes"][1]])
    assert key(longer, 2) == key(study, 0)
    assert key(small_study(measures=["lower_bound", "makespan"])) == key(study)
    assert len({key(study, n, r) for n in range(6) for r in range(2)}) == 12
    assert key(small_study(measures=["makespan"])) != key(study)
    filed = small_study(base={"workload": {"file": "a"}}, axes=[], repetitions=1)
    cells, cell = Cells(filed), settings_of(filed, 0)
    assert cells.key(cell, {"a": "one"}) != cells.key(cell, {"a": "another"})


FIVE = load_sample("five-jobs")


def changed(**fields: Value) -> Any:
    given = {f"workload.{name}": value for name, value in fields.items()}
    return workload_of({"workload.sample": "five-jobs", **given}, {})


def test_workloads_are_changed_as_asked() -> None:
    assert changed(first_job=2, last_job=3).jobs == FIVE.jobs[1:3]
    with pytest.raises(InputError, match="none is from 9 to 5"):
        changed(first_job=9)
    assert changed(input_factor=2).map_count == 2 * FIVE.map_count
    shuffled = changed(order_seed=3)
    assert {job.name for job in shuffled.jobs} == {job.name for job in FIVE.jobs}
    assert [job.arrival for job in shuffled.jobs] == [job.arrival for job in FIVE.jobs]
    assert shuffled.jobs != FIVE.jobs
    hourly = changed(arrival_rate=60)
    arrivals = [job.arrival for job in hourly.jobs]
    assert len(set(arrivals)) == 5
    assert changed(arrival_rate=60, seed=2) != hourly
    spread = workload_of({"workload.file": "x", "workload.arrival_rate": 120}, {"x": hourly})
    assert max(job.arrival for job in spread.jobs) == pytest.approx(4 * 30)


def test_clusters_are_changed_as_asked() -> None:
    plain = Cluster(10, 6, 0.3)

    def on(**fields: Value) -> Cluster:
        return cluster_of({f"cluster.{name}": value for name, value in fields.items()}, plain)

    assert on() is plain
    assert on(map_slots=3) == Cluster(3, 6, 0.3)
    assert on(slots=7, slowstart=1.0) == Cluster(4, 3, 1.0)
    assert on(containers=5) == Cluster(0, 0, 0.3, containers=5)
    assert on(nodes="2x4GB,4", node_count=9).nodes == (NodeGroup(9, 4096, 4),)
    with pytest.raises(InputError, match="the cluster has no nodes"):
        on(node_count=3)
    heartbeats = cluster_of({"cluster.overheads.heartbeat": 3.0}, plain)
    assert heartbeats.overheads == Overheads(heartbeat=3.0)
    assert cluster_of({"cluster.overheads.heartbeat": 0.0}, plain).overheads is None


def test_what_fails_is_a_sentence() -> None:
    study = small_study(base={"workload": {"family": "facebook"}, "cluster": {"reduce_slots": 0}}, axes=[])
    row = CellRunner({}).run(settings_of(study, 0), study.measures)
    assert np.isnan(row.values).all()
    assert "reduce" in row.error
    bad = Cell(0, 0, 1, (), {"policy.id": "fifo"})
    error = CellRunner({}).run(bad, ["makespan"]).error
    assert re.fullmatch(
        r"policy fifo, seed 1: a failure of ours \(KeyError in cell_run.py, line \d+\); run failed cells "
        "again, and report it if they fail once more",
        error,
    )


@pytest.mark.parametrize(
    ("raised", "says"),
    [
        (MemoryError(), "does not fit into this machine's memory; run failed cells again with fewer"),
        (TypeError("No matching definition\nfor argument type(s)\n" * 50), r"seed 1: a failure of ours \(T"),
        (StalledError("slots wait\n  for jobs"), "slots wait for jobs"),
    ],
)
def test_what_code_says_to_code_reaches_nobody(monkeypatch, raised, says):
    study = small_study(axes=[])
    cell = settings_of(study, 0)

    def fail(*_given: object, **_named: object) -> None:
        raise raised

    def fail_in_policy(*_given: object, **_named: object) -> None:
        raise PolicyError("policy fifo raised TypeError at 0:00: No matching\ndefinition") from raised

    failing = [fail] if isinstance(raised, StalledError | MemoryError) else [fail, fail_in_policy]
    for each in failing:
        monkeypatch.setattr(cell_run, "simulate", each)
        error = CellRunner({}).run(cell, study.measures).error
        assert re.search(says, error)
        assert "\n" not in error
        assert len(error) < 200
        assert "definition" not in error


def test_every_field_has_words_and_a_right_default() -> None:
    for name in every_name():
        for field in meanings(name):
            assert field.title, name
            assert field.parameter.help, name
            if field.parameter.default != "":
                assert field.broken_rule(field.parameter.default) == "", name
