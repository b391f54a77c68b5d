"""Servers of Hadoop: what they answer becomes what the same jobs are as files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.logs.open_log import open_trace
from core.model.errors import InputError
from core.servers import tez_timeline
from core.servers.attach import attached, import_from
from core.servers.server import WantedApplications
from tests.core.logs.tez_logs import STARTED as TEZ_STARTED
from tests.core.logs.tez_logs import draw_dags, write_download
from tests.core.logs.written_logs import STARTED, draw_jobs, write_jhist
from tests.core.servers.hadoop_answers import (
    JOBS,
    TIMELINE,
    history_server,
    resource_manager,
    timeline_server,
    yarn_application,
)
from tests.core.servers.recorded_server import Answer, as_json, serving
from tests.core.servers.spark_answers import ended, job, listed, log_of, zipped

if TYPE_CHECKING:
    from pathlib import Path

    from core.servers.http_client import RequestLimits

ALL = WantedApplications()


def as_files(folder: Path, write, jobs) -> list:
    folder.mkdir()
    write(jobs, folder)
    return sorted(open_trace([folder]).workload.jobs, key=lambda each: each.name)


def assert_same(imported, expected) -> None:
    """Compare jobs by all that a log says of them but their titles, which the written logs do not have."""
    found = sorted(imported.workload.jobs, key=lambda each: each.name)
    assert [(each.arrival, each.pool, each.user, each.stages) for each in found] == [
        (each.arrival, each.pool, each.user, each.stages) for each in expected
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_jobs_of_a_job_history_server_are_those_of_their_files(tmp_path: Path, quick, seed: int) -> None:
    jobs = draw_jobs(seed, 6)
    expected = as_files(tmp_path / "files", write_jhist, jobs)
    with serving(history_server(jobs)) as server:
        imported, fetched, found = import_from([server.url], ALL, tmp_path / "keep", limits=quick)
        asked = len(server.asked)
        again = import_from([server.url], ALL, tmp_path / "keep", limits=quick)[1]
    assert found.kinds == ("MapReduce JobHistory Server",)
    assert (fetched.news, fetched.problems, again.news) == (6, (), 0)
    assert len(server.asked) - asked == 3, "two probes and the list"
    assert_same(imported, expected)
    assert imported.report.format == "MRv2 job history (.jhist)"
    assert imported.report.damage == ()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("page", [2, 3, 1000])
def test_dags_of_a_timeline_server_are_those_of_their_download(
    tmp_path: Path, quick, monkeypatch: pytest.MonkeyPatch, seed: int, page: int
) -> None:
    monkeypatch.setattr(tez_timeline, "PAGE", page)
    dags = draw_dags(seed, 3)
    expected = as_files(tmp_path / "files", write_download, dags)
    with serving(timeline_server(dags)) as server:
        imported, fetched, found = import_from([server.url], ALL, tmp_path / "keep", limits=quick)
        again = import_from([server.url], ALL, tmp_path / "keep", limits=quick)[1]
    assert found.kinds == ("YARN Timeline Server",)
    assert (fetched.news, fetched.problems, again.news) == (3, (), 0)
    assert_same(imported, expected)
    assert imported.report.damage == ()


def test_a_dag_without_its_plan_and_application_is_read(tmp_path: Path, quick: RequestLimits) -> None:
    """Before Tez 0.9 the plan lies in the DAG, and an old server forgets the application first."""
    (dag,) = draw_dags(4, 1)
    answers = timeline_server([dag])
    del answers[f"{TIMELINE}/TEZ_DAG_EXTRA_INFO/dag_{dag.id}"]
    with serving(answers) as server:
        imported, fetched, _ = import_from([server.url], ALL, tmp_path, limits=quick)
    assert (len(imported.workload.jobs), fetched.problems) == (1, ())


def test_a_dag_that_runs_is_fetched_each_time_and_opens_as_far_as_it_is(tmp_path: Path, quick) -> None:
    (dag,) = draw_dags(4, 1)
    answers = timeline_server([dag])
    for path in (f"{TIMELINE}/TEZ_DAG_ID", f"{TIMELINE}/TEZ_DAG_ID/dag_{dag.id}"):
        value = json.loads(answers[path].body)
        for entity in value.get("entities", [value]):
            entity["events"] = [each for each in entity["events"] if each["eventtype"] != "DAG_FINISHED"]
        answers[path] = as_json(value)
    with serving(answers) as server:
        running = WantedApplications(state="running")
        assert import_from([server.url], running, tmp_path, limits=quick)[1].news == 1
        imported, fetched, _ = import_from([server.url], running, tmp_path, limits=quick)
    assert fetched.news == 1
    assert "ends before" in imported.report.damage[0].rule


def test_servers_filter_themselves_and_we_once_more(tmp_path: Path, quick: RequestLimits) -> None:
    jobs = draw_jobs(1, 6)
    user, begin = jobs[2].user, STARTED + jobs[2].submit
    wanted = WantedApplications(user=user, begin=begin, end=begin + 1)
    with serving(history_server(jobs)) as server, attached([server.url], limits=quick) as servers:
        found = servers.listing(wanted).applications
    assert [each.id for each in found] == [f"job_{jobs[2].id}"]
    assert server.asked[-1] == f"{JOBS}?startedTimeBegin={begin}&user={user}"
    dags = draw_dags(1, 3)
    at = TEZ_STARTED + dags[1].submit
    wanted = WantedApplications(begin=at, end=at + 1)
    with serving(timeline_server(dags)) as server, attached([server.url], limits=quick) as servers:
        found = servers.listing(wanted).applications
    assert [each.id for each in found] == [f"dag_{dags[1].id}"]
    assert f"windowStart={at - 1}&windowEnd={at}" in server.asked[-1]


# ---- YARN, which lists


def test_yarn_and_the_servers_of_logs_are_one_cluster(tmp_path: Path, quick: RequestLimits) -> None:
    """What YARN knows is added to what others list; of two applications nobody has a log."""
    (ran,) = draw_jobs(1, 1)
    (dag,) = draw_dags(1, 1)
    name = "application_1700000000000_0007"
    spark = {
        "/api/v1/version": as_json({"spark": "3.5.9"}),
        "/api/v1/applications": as_json([listed(name, 60, 70)]),
        f"/api/v1/applications/{name}/logs": zipped(ended(log_of(tmp_path, name, job(60))), name),
    }
    begin = TEZ_STARTED
    manager = resource_manager(
        yarn_application(name, "SPARK", begin + 50_000, begin + 80_000),
        yarn_application(f"application_{dag.application}", "TEZ", begin, begin + 90_000),
        yarn_application(f"application_{ran.id}", "MAPREDUCE", begin, begin + 1000),
        yarn_application("application_1700000000000_0009", "FLINK", begin + 1, 0),
    )
    with (
        serving(manager) as yarn,
        serving(spark) as sparks,
        serving(timeline_server([dag])) as dags,
    ):
        addresses = [yarn.url, sparks.url, dags.url]
        with attached(addresses, limits=quick) as servers:
            found = {each.id: each for each in servers.listing(ALL).applications}
        imported, fetched, _ = import_from(addresses, ALL, tmp_path / "keep", limits=quick)
    assert set(found) == {*(name, f"dag_{dag.id}", f"application_{ran.id}", "application_1700000000000_0009")}
    assert (found[name].queue, found[name].address) == ("root.night", sparks.url)
    assert found[f"dag_{dag.id}"].queue == "root.night"
    assert found["application_1700000000000_0009"].ended is None
    arrivals = {each.name: each.arrival for each in imported.workload.jobs}
    assert sorted(arrivals.values()) == [0.0, (60_000 - dag.submit) / 1000]
    lost = f"application_{ran.id}"
    rules = {problem.where: problem.rule.partition(": ")[2] for problem in fetched.problems}
    assert rules == {
        lost: f"it lists {lost}, but keeps no log of it; give the address of a "
        "MapReduce JobHistory Server (usual port 19888) as well",
        "application_1700000000000_0009": "it lists application_1700000000000_0009, but keeps no log of it; "
        "Slotscope reads no logs of applications of type FLINK",
    }


def test_yarn_alone_lists_and_says_what_is_lacking(tmp_path: Path, quick: RequestLimits) -> None:
    manager = resource_manager(yarn_application("application_1_0001", "SPARK", STARTED, STARTED + 1))
    with serving(manager) as yarn:
        with attached([yarn.url], limits=quick) as servers:
            found = servers.listing(ALL)
        with pytest.raises(InputError, match="give the address of a Spark History Server"):
            import_from([yarn.url], ALL, tmp_path, limits=quick)
    assert (found.kinds, len(found.applications)) == (("YARN ResourceManager",), 1)
    assert not any("proxy" in path for path in yarn.asked), "addresses in answers are not followed"
    with serving(resource_manager()) as yarn, attached([yarn.url], limits=quick) as servers:
        assert servers.listing(ALL).applications == ()


def test_a_standby_resource_manager_names_the_active_one(quick: RequestLimits) -> None:
    away = Answer(b"This is standby RM.", 307, headers=(("Location", "http://rm2.example:8088/ws/v1/x"),))
    with (
        serving({"/api/v1/version": away}) as server,
        pytest.raises(InputError, match=r"redirects to http://rm2\.example:8088"),
        attached([server.url], limits=quick),
    ):
        pass


# ---- damage


@pytest.mark.parametrize("value", [None, {}, [], "x", 5, {"jobs": None}, {"jobs": {"job": [None, {}, 3]}}])
def test_damaged_lists_of_jobs_list_nothing(quick: RequestLimits, value: object) -> None:
    answers = history_server([]) | {JOBS: as_json(value)}
    with serving(answers) as server, attached([server.url], limits=quick) as servers:
        assert servers.listing(ALL).applications == ()


@pytest.mark.parametrize("value", [None, {"entities": None}, {"entities": [{}, {"entity": "../x"}, 7]}])
def test_damaged_lists_of_dags_list_nothing(quick: RequestLimits, value: object) -> None:
    answers = timeline_server(draw_dags(1, 1)) | {f"{TIMELINE}/TEZ_DAG_ID": as_json(value)}
    with serving(answers) as server, attached([server.url], limits=quick) as servers:
        assert servers.listing(ALL).applications == ()


def test_strange_tasks_and_attempts_cost_no_others(tmp_path: Path, quick: RequestLimits) -> None:
    jobs = draw_jobs(1, 1)
    answers = history_server(jobs)
    path = f"{JOBS}/job_{jobs[0].id}/tasks"
    tasks = json.loads(answers[path].body)
    tasks["tasks"]["task"] += [None, {"id": "../../x"}, {"id": 7}, {"id": "task_other", "type": "JOB_SETUP"}]
    answers[path] = as_json(tasks)
    answers[f"{path}/task_other/attempts"] = as_json({"taskAttempts": {"taskAttempt": [None, {"id": 3}]}})
    with serving(answers) as server:
        imported, _, _ = import_from([server.url], ALL, tmp_path / "keep", limits=quick)
    assert_same(imported, as_files(tmp_path / "files", write_jhist, jobs))


def test_a_job_that_is_gone_meanwhile_is_a_sentence(tmp_path: Path, quick: RequestLimits) -> None:
    jobs = draw_jobs(1, 2)
    answers = history_server(jobs)
    del answers[f"{JOBS}/job_{jobs[0].id}"]
    with serving(answers) as server:
        imported, fetched, _ = import_from([server.url], ALL, tmp_path, limits=quick)
    assert len(imported.workload.jobs) == 1
    (problem,) = fetched.problems
    assert f"it has no {JOBS}/job_{jobs[0].id} (404: not here)" in problem.rule


def test_pages_that_never_end_are_given_up(tmp_path: Path, quick, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not know `fromId` gives the same page again and again."""
    monkeypatch.setattr(tez_timeline, "PAGE", 2)
    (dag,) = draw_dags(1, 1)
    answers = timeline_server([dag])
    same = as_json({"entities": [{"entity": f"vertex_{dag.id}_00", "entitytype": "TEZ_VERTEX_ID"}] * 2})
    answers[f"{TIMELINE}/TEZ_VERTEX_ID"] = same
    with serving(answers) as server:
        import_from([server.url], ALL, tmp_path, limits=quick)
    assert sum("TEZ_VERTEX_ID" in path for path in server.asked) == 2
