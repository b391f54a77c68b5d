"""Histories of Apache Tez: vertices as maps and reduces, in all forms, on hand-written and drawn DAGs."""

from __future__ import annotations

import json
import random
import re
import zipfile
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from core.logs.byte_source import MAX_DAMAGED
from core.logs.open_log import Imported, open_trace
from core.model.cluster import Cluster
from core.model.errors import TraceError
from core.model.stages import Edge
from core.model.task_types import MAP, REDUCE
from tests.core.logs.collected_logs import imported, notes_of
from tests.core.logs.tez_logs import (
    FORMS,
    STARTED,
    Dag,
    Fields,
    Try,
    Vertex,
    download_parts,
    draw_dags,
    event_row,
    history_record,
    told,
)
from tests.core.logs.typed_tasks import counts_of, durations_of

if TYPE_CHECKING:
    from pathlib import Path

HISTORY, DOWNLOAD, EVENTS = "tez-history.txt", "tez-download.json", "tez-events.jsonl"
FIRST, SECOND = "dag_1700000000000_0007_1", "dag_1700000000000_0007_2"


@pytest.fixture
def log(data: Path) -> Imported:
    return imported(str(data / HISTORY))


def notes(log: Imported, job: str) -> dict[str, int]:
    return {note.what: note.count for note in notes_of(log.report, job)}


def test_vertices_that_read_no_other_or_a_broadcast_are_maps_in_the_order_of_the_edges(log):
    job = log.workload.jobs[0]
    assert durations_of(job, MAP) == [3, 4.7, 7]  # Map 4 first: Map 1 reads what it broadcasts
    assert job.stages[1].typical_shuffle.tolist() == [1.3, 0]
    assert [job.graph.parents(stage) for stage in range(4)] == [(), (0,), (1,), (2,)]
    assert [edge.slowstart for edge in job.graph.edges] == [1.0, None, None]  # a broadcast is read whole
    one_wave = "typical shuffle samples serve as first ones (no first wave of reduces)"
    assert notes(log, FIRST) == {one_wave: 1}  # and no task that is declared and not listed


def test_the_shuffle_ends_when_the_last_input_was_merged(log):
    second, third = log.workload.jobs[0].stages[2:]
    assert [*second.durations.tolist(), *third.durations.tolist()] == [2.5, 2, 2.8]
    assert second.first_shuffle.tolist() == [1.5]  # merged at 13.5 s, the maps ended at 12 s
    assert second.typical_shuffle.tolist() == [1]
    assert third.typical_shuffle.tolist() == [1.5]  # not 2.9 s, which is the sum of two inputs


def test_an_attempt_whose_output_is_lost_has_failed_and_one_never_launched_is_none(log):
    report = log.report
    assert report.tasks[MAP].attempts == {"succeeded": 4, "failed": 1, "killed": 1, "unfinished": 1}
    assert report.tasks[REDUCE].attempts == {"succeeded": 3, "failed": 1}


def test_names_pools_and_times_of_dags(log):
    jobs = log.workload.jobs
    assert [(job.name, job.user, job.pool, job.arrival) for job in jobs] == [
        (FIRST, "lea", "etl", 0),
        (SECOND, "lea", "etl", 28),
    ]
    run = log.workload.recorded
    assert run is not None
    assert run.titles == ("select visits (Stage-1)", "insert (Stage-2)")
    assert run.launch.tolist() == [0.5, 28.2]
    assert run.hosts == ("node1.lab", "node2.lab")


def test_a_dag_that_never_finished_keeps_what_had_ended(log):
    assert durations_of(log.workload.jobs[1], MAP) == [2]
    assert notes(log, SECOND)["map tasks declared but not listed"] == 1
    assert [problem.where for problem in log.report.damage] == [f"{HISTORY}, {SECOND}"]


def test_the_cluster_has_the_containers_that_were_there_at_once(log):
    assert log.workload.cluster == Cluster(0, 0, 0.5, containers=4)  # one of them was never used
    assert "There were 4 containers at once. Slow start 0.5 as configured." in log.report.cluster_reason


def test_a_download_of_a_dag_that_failed(data):
    log = imported(str(data / DOWNLOAD))
    (job,) = log.workload.jobs
    assert (job.name, job.user, job.pool) == ("dag_1700000100000_0003_1", "omar", "default")
    assert durations_of(job, MAP) == [3, 5, 1.5]
    assert [stage.count for stage in job.stages] == [3, 1, 0]  # no task of the last vertex succeeded
    assert job.stages[1].first_shuffle.tolist() == [0.6]
    assert log.report.tasks[REDUCE].attempts == {"succeeded": 1, "failed": 2}
    assert notes(log, job.name)["ended as FAILED"] == 1
    assert log.workload.cluster == Cluster(0, 0, 0.25, containers=2)
    assert "Slow start 0.25, Tez's default (the log does not say)." in log.report.cluster_reason


def test_events_of_a_dag_of_which_the_plan_is_lost(data):
    log = imported(str(data / EVENTS))
    assert list(map(counts_of, log.workload.jobs)) == [[2, 1], [1, 1]]
    assert [(job.user, job.pool) for job in log.workload.jobs] == [("hive", "llap"), ("hive", "default")]
    what = "vertices of which the log does not tell what they read; their names tell what they are"
    assert notes(log, "dag_1700000200000_0001_2")[what] == 2
    assert log.report.missing == {"submit times (launch or first start taken)": 1}


def test_a_dag_without_its_plan_has_the_edges_that_a_vertex_tells_of(tmp_path, data):
    text = (data / HISTORY).read_text().replace("Reducer 2", "Join 2").replace("ReduceTez", "JoinTez")
    lines = [line for line in text.splitlines() if "DAG_SUBMITTED" not in line]
    (tmp_path / "log").write_text("\n".join(lines))
    log = open_trace([tmp_path / "log"])
    first = log.workload.jobs[log.workload.job_index[FIRST]]
    assert counts_of(first) == [3, 3]
    assert first.user == "lea"  # the application's
    what = "vertices of which the log does not tell what they read; their names tell what they are"
    assert notes(log, FIRST)[what] == 3


@pytest.mark.parametrize("fraction", ['"7"', '"x"', '"-1"', "1" + 400 * "0"])
def test_a_slow_start_that_cannot_be_is_not_believed(tmp_path, data, fraction):
    text = (data / HISTORY).read_text().replace('"0.5"', fraction)
    (tmp_path / "log").write_text(text)
    assert open_trace([tmp_path / "log"]).workload.cluster.slowstart == 0.25


@pytest.mark.parametrize("name", [HISTORY, DOWNLOAD, EVENTS])
def test_a_log_read_backwards_says_the_same(tmp_path, data, name):
    lines = (data / name).read_bytes().splitlines(keepends=True)
    (tmp_path / name).write_bytes(b"".join(reversed(lines)))
    forwards, backwards = imported(str(data / name)), open_trace([tmp_path / name])
    assert backwards.workload.jobs == forwards.workload.jobs
    assert backwards.workload.recorded == forwards.workload.recorded
    assert backwards.report.notes == forwards.report.notes


def test_vertices_are_numbered_as_in_the_plan(tmp_path, data, log):
    lines = [line for line in (data / HISTORY).read_text().splitlines() if "VERTEX_" not in line]
    (tmp_path / "log").write_text("\n".join(lines))
    assert open_trace([tmp_path / "log"]).workload.jobs == log.workload.jobs


def test_the_stages_of_a_job_are_its_vertices_maps_first(tmp_path):
    """The second vertex, a reduce, stands before the third, a map, in the order of the edges."""
    reads = ((), ((0, "SCATTER_GATHER"),), ((0, "BROADCAST"),), ((1, "SCATTER_GATHER"),))
    ran = ([(1, 11)], [(11, 21), (11, 17)], [(11, 12)], [(21, 31)])
    vertices = tuple(
        Vertex(f"v{i}", reads[i], tuple((Try("SUCCEEDED", 1000 * a, 1000 * b, "h"),) for a, b in tasks))
        for i, tasks in enumerate(ran)
    )
    FORMS["tez history"]([Dag(f"{STARTED}_0001", 1, "ann", "etl", 1000, 31_000, vertices)], tmp_path)
    (job,) = open_trace([tmp_path]).workload.jobs
    assert [stage.durations.tolist() for stage in job.stages] == [[10], [1], [10, 6], [10]]
    assert job.graph.edges == (Edge(0, 1, 1.0), Edge(0, 2), Edge(2, 3))


def test_noise_is_given_up(tmp_path, data):
    noise = '{"entitytype":"TEZ_TASK_ID","entity":"x"}\n' * (MAX_DAMAGED + 9)
    (tmp_path / "log").write_text((data / HISTORY).read_text() + noise)
    report = open_trace([tmp_path / "log"]).report
    assert report.damage_count == MAX_DAMAGED + 2  # that it is given up, and that a DAG has no end


def check(log: Imported, dags: list[Dag]) -> None:
    """Compare what was read with what is known of each DAG, one attempt after the other."""
    assert [job.name for job in log.workload.jobs] == [f"dag_{dag.id}" for dag in dags]
    assert [job.arrival for job in log.workload.jobs] == [dag.submit / 1000 for dag in dags]
    tries = [each for dag in dags for vertex in dag.vertices for task in vertex.tasks for each in task]
    ran = [each for each in tries if each.start]
    counted = Counter(log.report.tasks[MAP].attempts) + Counter(log.report.tasks[REDUCE].attempts)
    assert counted == Counter(each.status.lower() for each in ran)
    run = log.workload.recorded
    assert run is not None
    read = zip(run.start.tolist(), run.end.tolist(), (run.hosts[host] for host in run.host), strict=True)
    assert sorted(read) == sorted((each.start / 1000, each.end / 1000, each.host) for each in ran)
    assert run.finish.tolist() == [dag.end / 1000 for dag in dags]
    for job, dag in zip(log.workload.jobs, dags, strict=True):
        sums = [0, 0]
        counts = [0, 0]
        for place, vertex in enumerate(dag.vertices):
            for task in vertex.tasks:
                is_reduce = place not in dag.maps
                counts[is_reduce] += 1
                reads = bool(vertex.reads)
                sums[is_reduce] += task[-1].end - task[-1].start - (task[-1].fetched if reads else 0)
        assert counts_of(job) == counts
        assert [sum(durations_of(job, kind)) for kind in (MAP, REDUCE)] == pytest.approx(
            [sum_ / 1000 for sum_ in sums]
        )


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("form", FORMS)
def test_drawn_dags_come_back(tmp_path, form, seed):
    dags = draw_dags(seed)
    FORMS[form](dags, tmp_path)
    log = open_trace([tmp_path])
    assert (log.report.damage_count, log.report.format) == (0, "Apache Tez history")
    check(log, dags)
    assert [(job.user, job.pool) for job in log.workload.jobs] == [(dag.user, dag.queue) for dag in dags]


@pytest.mark.parametrize("record", [history_record, event_row, lambda each: history_record(each, newer=True)])
def test_records_in_any_order_and_several_files_say_the_same(tmp_path, record):
    dags = draw_dags(4)
    records = [record(each) for dag in dags for each in told(dag)]
    random.Random(4).shuffle(records)
    for part, end in enumerate(("\n", "\1", "\1\n")):
        (tmp_path / f"part{part}").write_text(end.join(records[part::3]))
    log = open_trace([tmp_path])
    assert log.report.damage_count == 0
    check(log, dags)


def test_a_zip_of_the_tez_ui_and_a_part_beside_its_others(tmp_path):
    (dag,) = draw_dags(5, 1)
    with zipfile.ZipFile(tmp_path / "dag.zip", "w") as archive:
        for name, text in download_parts(dag).items():
            archive.writestr(name, text)
            (tmp_path / name).write_text(text)
        archive.writestr("error.application.json", '{"application": "gone"}')
    check(open_trace([tmp_path / "dag.zip"]), [dag])
    check(open_trace([tmp_path / "task_attempts_part_0.json"]), [dag])


def test_tasks_without_their_dag_say_what_is_missing(tmp_path):
    (dag,) = draw_dags(6, 1)
    parts = download_parts(dag)
    (tmp_path / "a.json").write_text(parts["task_attempts_part_0.json"])
    log = open_trace([tmp_path / "a.json"])
    (problem,) = log.report.damage
    assert problem.rule == "its tasks are there but not the DAG itself; give the other files of this log, too"


def as_beeline_prints(row: Fields) -> Fields:
    """Return a row with the table's name before each column, and a map as text."""
    return {
        f"dag_data.{key}": json.dumps(value) if key == "event_data" else value for key, value in row.items()
    }


def as_protobuf_prints(row: Fields) -> Fields:
    """Return a row with protobuf's names; 64-bit numbers are text, maps are pairs, and nothing is null."""
    renamed = {
        re.sub(r"_([a-z])", lambda letter: letter[1].upper(), key): value for key, value in row.items()
    }
    pairs = [{"key": key, "value": value} for key, value in row["event_data"].items()]
    shaped = renamed | {"eventTime": str(row["event_time"]), "eventData": pairs}
    return {key: value for key, value in shaped.items() if value is not None}


@pytest.mark.parametrize("shape", [as_beeline_prints, as_protobuf_prints])
@pytest.mark.parametrize("is_one", [True, False])
def test_other_shapes_of_the_events(tmp_path, shape, is_one):
    dags = draw_dags(7, 2)
    rows = [shape(json.loads(event_row(each))) for dag in dags for each in told(dag)]
    lines = "\n".join(map(json.dumps, rows))
    (tmp_path / "rows").write_text(json.dumps({"resultset": rows}, indent=1) if is_one else lines)
    check(open_trace([tmp_path / "rows"]), dags)


def test_what_a_second_master_wrote_lies_beside_the_first(tmp_path):
    """Its log tells of tasks only; vertices and the DAG itself are in that of the first. A copy adds none."""
    (dag,) = draw_dags(8, 1)
    records = [history_record(each) + "\1\n" for each in told(dag)]
    parts = {"1": records[:-4], "2": records[-4:], "1 (copy)": records[:-4]}
    for name, part in parts.items():
        begun = {"entity": f"tez_appattempt_1_1_{name[0]}", "entitytype": "TEZ_APPLICATION_ATTEMPT"}
        (tmp_path / name).write_text(json.dumps(begun) + "\1\n" + "".join(part))
    log = open_trace([tmp_path / "2"])
    check(log, [dag])
    assert open_trace([tmp_path / "1"]).report.files == ("1", "2")


def test_records_that_are_cut_or_strange_are_named_and_the_others_kept(tmp_path, data, log):
    lines = (data / HISTORY).read_text().splitlines(keepends=True)
    strange = [
        '{"entitytype":"TEZ_TASK_ATTEMPT_ID","entity":"attempt_x"}\n',
        "17\n",
        '{"a":[]}\n',
        lines[9][:80] + "\1\n",
    ]
    (tmp_path / "log").write_text("".join([*lines[:20], *strange, *lines[20:-5], lines[-5][:90]]))
    again = open_trace([tmp_path / "log"])
    places = [problem.where.partition(", byte")[0] for problem in again.report.damage]
    assert places == [
        "log, line 21",
        "log, line 22",
        "log, line 24",
        f"log, line {len(lines)}",
        f"log, {SECOND}",
    ]
    assert again.workload.jobs[0] == log.workload.jobs[0]


def test_a_status_that_is_no_word_is_none(tmp_path, data):
    text = (data / EVENTS).read_text().replace('"status":"SUCCEEDED"', '"status":["SUCCEEDED"]', 1)
    (tmp_path / "log").write_text(text)
    report = open_trace([tmp_path / "log"]).report
    assert report.tasks[MAP].attempts == {"succeeded": 2, "unfinished": 1}


def test_edges_in_a_circle_do_no_harm(tmp_path):
    task = (Try("SUCCEEDED", 5, 9, "a"),)
    vertices = (Vertex("a", ((1, "CUSTOM"),), (task,)), Vertex("b", ((0, "CUSTOM"),), (task, task)))
    dag = Dag(f"{STARTED}_0001", 1, "ann", "etl", 1, 20, vertices)
    FORMS["tez history"]([dag], tmp_path)
    (job,) = open_trace([tmp_path]).workload.jobs
    assert counts_of(job) == [0, 3]


def test_a_history_without_a_task_is_a_damaged_log(tmp_path):
    (tmp_path / "log").write_text('{"entity":"tez_application_1_1","entitytype":"TEZ_APPLICATION"}\1\n')
    with pytest.raises(TraceError, match="Apache Tez history, but no job could be read"):
        open_trace([tmp_path / "log"])
