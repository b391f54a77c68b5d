"""What is searched for is what the tables show: the definitions are those of the figures of a schedule."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.files.plan_document import read_plan
from core.files.samples import load_sample
from core.files.workload_writing import write_workload
from core.measures.metrics import measure
from core.model.objectives import OBJECTIVES
from core.optimize.objectives import Objective
from core.optimize.slot_worths import slot_worths
from core.simulation.fifo_trials import isolated_runtimes
from explorer.cli.run import run as run_command
from tests.builders import run
from tests.explorer.cli.test_command_line import json_of

FIVE = load_sample("five-jobs")
DATED = FIVE.with_jobs(
    replace(job, deadline=deadline, weight=1.0 + i)
    for i, (job, deadline) in enumerate(zip(FIVE.jobs, (20.0, 9.0, 47.0, 25.0, 30.0), strict=True))
)


def figures_of(schedule):
    """Return what the figures of a schedule say of each objective."""
    figures, columns = measure(schedule), schedule.workload.columns
    response = schedule.finish - columns.arrival
    return {
        "makespan": figures.makespan,
        "mean-response": figures["mean_response"],
        "weighted-response": np.average(response, weights=columns.weight),
        "tardiness": np.maximum(schedule.finish - columns.deadline, 0.0).sum(),
        "late-jobs": figures["late_jobs"],
        "stretch": (response / isolated_runtimes(schedule.workload, schedule.cluster)).max(),
        "deadlines-makespan": figures.makespan + 1e8 * figures["late_jobs"],
    }


@pytest.mark.parametrize("name", OBJECTIVES)
@pytest.mark.parametrize("policy", ["fifo", "johnson"])
def test_values_are_those_of_the_figures(name, policy):
    schedule = run(DATED, DATED.cluster, policy)
    alone = isolated_runtimes(DATED, DATED.cluster)
    value = Objective.of(name).value(DATED, schedule.finish, alone)
    assert value == pytest.approx(figures_of(schedule)[name], rel=1e-12)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_what_the_command_finds_is_what_the_schedule_has(name, capsys, tmp_path):
    document, plan = tmp_path / "dated.workload.json", tmp_path / "best.plan.json"
    write_workload(DATED, document)
    answer = json_of(
        capsys, "optimize", str(document), "--objective", name, "--steps", "30", "--out", str(plan)
    )
    schedule = run(DATED, DATED.cluster, plan=read_plan(plan))
    assert answer["best"] == pytest.approx(figures_of(schedule)[name], rel=1e-9)
    assert answer["bound"] <= answer["best"] * (1 + 1e-9)
    for policy in ("fifo", "johnson", "sjf"):
        assert answer["best"] <= figures_of(run(DATED, DATED.cluster, policy))[name] * (1 + 1e-9)
    assert run_command(("optimize", str(document), "--objective", name, "--steps", "1")) == 0


def test_when_slots_are_worth_most_is_one_line(capsys, tmp_path):
    document = tmp_path / "dated.workload.json"
    write_workload(DATED, document)
    for name in ("makespan", "mean-response"):
        assert run_command(("optimize", str(document), "--objective", name, "--steps", "1")) == 0
        printed = " ".join(capsys.readouterr().out.split())
        worths = slot_worths(DATED, DATED.cluster, Objective.of(name))
        assert (worths is None) == (name == "makespan") == ("worth most" not in printed)
        assert worths is None or worths.sentence in printed
        answer = json_of(capsys, "optimize", str(document), "--objective", name, "--steps", "1")
        assert (answer["slot_prices"] is None) == (worths is None)
        if worths is not None:
            assert answer["slot_prices"]["sentence"] == worths.sentence
            kind = answer["slot_prices"]["kinds"][0]
            assert (kind["name"], kind["slots"]) == ("map slots", DATED.cluster.map_slots)
            assert kind["worth"] == worths.kinds[0].worth.tolist()
    robust = ("--objective", "mean-response", "--steps", "1", "--robust", "0.3")
    assert run_command(("optimize", str(document), *robust)) == 0
    assert "worth most" not in capsys.readouterr().out
