"""Recorded runs survive in documents, and damaged ones are refused with sentences."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from core.files.session_document import Session, session_from_bytes, session_to_bytes
from core.files.workload_document import workload_from_json
from core.files.workload_writing import document_bytes, workload_to_json
from core.logs.open_log import open_trace
from core.model.document_state import DocumentState
from core.model.errors import DocumentError
from core.model.executors_on_demand import ExecutorsOnDemand
from core.model.recorded_run import RecordedGraphs
from core.model.schedule import PolicyChoice
from core.model.stages import MAP_REDUCE
from tests.paths import DATA
from tests.written_application import AFTER, DIAMOND, write_application

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.workload import Workload


@pytest.fixture(scope="module")
def workload() -> Workload:
    logs = [DATA / name for name in ("rumen-2009.json", "jobtracker-0.20.log", "jhist-2.7.jhist")]
    return open_trace(logs).workload


@pytest.fixture
def document(workload: Workload) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(document_bytes(workload_to_json(workload)))
    return written


def test_a_workload_document_keeps_what_was_recorded(workload, document):
    again = workload_from_json(document, "x")
    assert again.recorded == workload.recorded
    assert again == workload


def test_a_session_keeps_what_was_recorded(workload):
    state = DocumentState.new(workload, (PolicyChoice("fifo"),))
    again = session_from_bytes(session_to_bytes(Session(state, {}, None)), "x")
    assert again.state.workload.recorded == workload.recorded


def test_every_column_has_a_line_of_its_own(workload):
    lines = document_bytes(workload_to_json(workload)).decode().splitlines()
    columns = [line for line in lines[lines.index('  "recorded": {') :] if line.startswith('    "')]
    names = [line.split('"')[1] for line in columns]
    assert names[:4] == ["jobs", "titles", "hosts", "submit"]
    assert names[-2:] == ["end", "under_way"]


def test_a_workload_without_a_log_has_nothing_recorded(document):
    del document["recorded"]
    assert "recorded" not in workload_to_json(workload_from_json(document, "x"))


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("start", lambda column: column[:-1], r"recorded\.start is .* give \d+ numbers of seconds, or null"),
        ("end", lambda column: [1e13, *column[1:]], r"recorded\.end .* one per attempt"),
        ("end", lambda column: [True, *column[1:]], r"recorded\.end"),
        ("submit", lambda column: ["x", *column[1:]], r"recorded\.submit .* one per job"),
        ("kind", lambda column: [5, *column[1:]], r"whole numbers from 0 to 4"),
        ("host", lambda column: [99, *column[1:]], r"whole numbers from -1 to"),
        ("job", lambda column: [-1, *column[1:]], r"recorded\.job"),
        ("task", lambda column: [0.5, *column[1:]], r"recorded\.task"),
        ("counts", lambda column: [2, *column[1:]], r"whole numbers from 0 to 1"),
        ("counts", lambda column: [1 - each for each in column], r"of tasks 0, 1, 2"),
        ("end", lambda column: [None for _ in column], r"have a start and an end"),
        ("jobs", lambda column: [7, *column[1:]], r"recorded\.jobs\[0\] is 7; give a text"),
        ("jobs", lambda column: [column[1], *column[1:]], r"job names are unique"),
        ("titles", lambda column: column[1:], r"one per job"),
        ("hosts", lambda column: ["a\nb", *column[1:]], r"one line"),
        ("outcome", lambda column: "none", r"recorded\.outcome"),
        ("sort_end", lambda column: [10**400, *column[1:]], r"recorded\.sort_end"),
    ],
)
def test_damage_is_refused_with_the_place_and_the_rule(document, name, change, sentence):
    document["recorded"][name] = change(document["recorded"][name])
    with pytest.raises(DocumentError, match=sentence):
        workload_from_json(document, "x")


def test_missing_and_unknown_columns_are_named(document):
    document["recorded"]["hots"] = document["recorded"].pop("hosts")
    with pytest.raises(DocumentError) as caught:
        workload_from_json(document, "x")
    assert "recorded.hosts: missing" in str(caught.value)
    assert "did you mean 'hosts'" in str(caught.value)


# ---- jobs that are graphs of stages


@pytest.fixture
def application(tmp_path: Path) -> Workload:
    """Return an application beside MapReduce jobs: stages 0 to 3 of a diamond, and one stage after it."""
    log = write_application(tmp_path / "app", [DIAMOND, AFTER])
    return open_trace([log]).workload


def graphs_of(application: Workload) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(document_bytes(workload_to_json(application)))
    return written


def test_the_stages_of_what_was_recorded_are_kept(application):
    document = graphs_of(application)
    again = workload_from_json(document, "x")
    assert again.recorded == application.recorded
    assert again.recorded.graphs == application.recorded.graphs
    assert document["recorded"]["stage"] == [0, 0, 1, 1, 2, 2, 3, 0]
    assert document["recorded"]["graph"] == [0, 1]


def test_what_an_application_asks_for_is_kept(application):
    run = replace(application.recorded, on_demand=ExecutorsOnDemand(1, 3, 1.5, 2.5, 20.0, False, 4.5, 0.25))
    again = workload_from_json(graphs_of(replace(application, recorded=run)), "x")
    assert again.recorded == run
    assert application.recorded.on_demand is None


def test_the_slots_of_hosts_are_kept_and_others_refused(application):
    assert application.recorded.host_slots.tolist() == [2]
    document = graphs_of(application)
    assert workload_from_json(document, "x").recorded == application.recorded
    for wrong in ([2, 2], [-1], ["2"], [100_001]):
        document["recorded"]["host_slots"] = wrong
        with pytest.raises(DocumentError, match=r"recorded\.host_slots is .* give 1 whole numbers from 0"):
            workload_from_json(document, "x")
    del document["recorded"]["host_slots"]
    assert workload_from_json(document, "x").recorded.host_slots is None


def test_jobs_that_are_maps_and_reduces_beside_graphs_have_none(application, workload):
    run = application.recorded
    first = replace(run, graphs=RecordedGraphs((application.jobs[0].graph, MAP_REDUCE), run.graphs.stage))
    document = graphs_of(replace(application, recorded=first))
    assert document["recorded"]["graph"] == [0, -1]
    assert workload_from_json(document, "x").recorded == first
    assert not {"graphs", "graph", "stage"} & graphs_of(workload)["recorded"].keys()


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        (
            "graph",
            lambda column: [2, *column[1:]],
            r"recorded\.graph is .* give 2 whole numbers from -1 to",
        ),
        ("graph", lambda column: column[:1], r"recorded\.graph is .* one per job"),
        ("stage", lambda column: column[:-1], r"recorded\.stage is .* give 8 whole numbers from -1"),
        ("stage", lambda column: [9, *column[1:]], r"recorded\.stage.* of a stage that its job has"),
        ("stage", lambda column: [-1, *column[1:]], r"recorded\.stage.* of a stage that its job has"),
        ("stage", lambda column: [1, *column[1:]], r"recorded\.stage.* of the same kind"),
        ("task", lambda column: [1, *column[1:]], r"recorded\.counts: attempts that count .* 0, 1, 2"),
        ("graphs", lambda column: [], r"recorded\.graph "),
        ("graphs", lambda column: [*column, []], r"recorded\.graphs\[2\]"),
        ("graphs", lambda column: [[{"after": [{"stage": 7}]}], *column[1:]], r"graphs\[0\]\[0\]\.after"),
    ],
)
def test_damaged_stages_are_refused_with_the_place_and_the_rule(application, name, change, sentence):
    document = graphs_of(application)
    document["recorded"][name] = change(document["recorded"][name])
    with pytest.raises(DocumentError, match=sentence):
        workload_from_json(document, "x")


@pytest.mark.parametrize("name", ["graphs", "graph", "stage"])
def test_stages_of_a_record_are_there_as_a_whole(application, name):
    document = graphs_of(application)
    del document["recorded"][name]
    with pytest.raises(DocumentError, match=rf"recorded\.{name}: the stages of jobs take graphs, graph and"):
        workload_from_json(document, "x")
