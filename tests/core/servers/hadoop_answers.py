"""What Hadoop's servers answer, in the form that their manuals show, of jobs and DAGs that are known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.core.logs.tez_logs import STARTED as TEZ_STARTED
from tests.core.logs.tez_logs import download_parts
from tests.core.logs.written_logs import STARTED
from tests.core.servers.recorded_server import Answer, ByQuery, as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.core.logs.tez_logs import Dag
    from tests.core.logs.written_logs import RanJob

JOBS = "/ws/v1/history/mapreduce/jobs"
TIMELINE = "/ws/v1/timeline"


def _job(job: RanJob) -> dict[str, Any]:
    return {
        "submitTime": STARTED + job.submit,
        "startTime": STARTED + job.submit,
        "finishTime": STARTED + job.end,
        "id": f"job_{job.id}",
        "name": f"word count {job.number}",
        "queue": job.pool,
        "user": job.user,
        "state": "SUCCEEDED",
        "mapsTotal": len(job.maps),
        "mapsCompleted": len(job.maps),
        "reducesTotal": len(job.reduces),
        "reducesCompleted": len(job.reduces),
    }


def history_server(jobs: Sequence[RanJob]) -> dict[str, Any]:
    """Return the answers of a MapReduce JobHistory Server."""
    answers: dict[str, Any] = {
        "/ws/v1/history/info": as_json({"historyInfo": {"hadoopVersion": "3.3.6", "startedOn": STARTED}}),
        JOBS: as_json({"jobs": {"job": [_job(job) for job in jobs]}}),
    }
    for job in jobs:
        path = f"{JOBS}/job_{job.id}"
        answers[path] = as_json({"job": _job(job)})
        tasks = []
        for letter, kind, i, ran in job.tasks():
            name = f"{job.id}_{letter}_{i:06d}"
            times = {"startTime": STARTED + ran.start, "finishTime": STARTED + ran.end}
            both = {"progress": 100, "state": "SUCCEEDED", "type": kind} | times
            tasks.append({"id": f"task_{name}", "successfulAttempt": f"attempt_{name}_0"} | both)
            attempt = {
                "id": f"attempt_{name}_0",
                "rack": "/default-rack",
                "nodeHttpAddress": f"{ran.host}:8042",
                "assignedContainerId": f"container_{job.id}_01_{i + 2:06d}",
            } | both
            if kind == "REDUCE":
                fetched = STARTED + ran.shuffled
                attempt |= {"shuffleFinishTime": fetched, "mergeFinishTime": fetched}
            # Hadoop's servers give one object in the place of a list with one
            answers[f"{path}/tasks/task_{name}/attempts"] = as_json(
                {"taskAttempts": {"taskAttempt": attempt}}
            )
        answers[f"{path}/tasks"] = as_json({"tasks": {"task": tasks}})
    return answers


def timeline_server(dags: Sequence[Dag]) -> dict[str, Any]:
    """Return the answers of a YARN Timeline Server, with pages as it gives them."""
    entities: dict[str, list[dict[str, Any]]] = {}
    of_dag: dict[str, str] = {}
    for dag in dags:
        for text in download_parts(dag).values():
            for part in json.loads(text).values():
                for entity in part if isinstance(part, list) else [part]:
                    entities.setdefault(entity["entitytype"], []).append(entity)
                    of_dag[entity["entity"]] = f"dag_{dag.id}"
    answers: dict[str, Any] = {
        TIMELINE: as_json({"About": "Timeline API", "timeline-service-version": "3.3.6"}),
        f"{TIMELINE}/TEZ_DAG_ID": as_json({"entities": [_listed(dag) for dag in dags]}),
    }
    for kind in ("TEZ_DAG_ID", "TEZ_DAG_EXTRA_INFO"):
        answers |= {f"{TIMELINE}/{kind}/{each['entity']}": as_json(each) for each in entities[kind]}
    for kind in ("TEZ_VERTEX_ID", "TEZ_TASK_ID", "TEZ_TASK_ATTEMPT_ID"):

        def page(query: dict[str, str], kind: str = kind) -> Answer:
            name, _, dag = query["primaryFilter"].partition(":")
            assert name == "TEZ_DAG_ID"
            mine = [each for each in entities[kind] if of_dag[each["entity"]] == dag]
            begin = next((i for i, each in enumerate(mine) if each["entity"] == query.get("fromId")), 0)
            return as_json({"entities": mine[begin : begin + int(query["limit"])]})

        answers[f"{TIMELINE}/{kind}"] = ByQuery(page)
    return answers


def _listed(dag: Dag) -> dict[str, Any]:
    return {
        "entity": f"dag_{dag.id}",
        "entitytype": "TEZ_DAG_ID",
        "starttime": TEZ_STARTED + dag.submit,
        "events": [
            {"timestamp": TEZ_STARTED + dag.end, "eventtype": "DAG_FINISHED", "eventinfo": {}},
            {"timestamp": TEZ_STARTED + dag.submit, "eventtype": "DAG_SUBMITTED", "eventinfo": {}},
        ],
        "primaryfilters": {"dagName": [f"query {dag.number}"], "user": [dag.user]},
        "relatedentities": {},
        "otherinfo": {},
    }


def resource_manager(*applications: dict[str, Any]) -> dict[str, Any]:
    """Return the answers of a YARN ResourceManager."""
    return {
        "/ws/v1/cluster/info": as_json({"clusterInfo": {"id": 1324053971963, "state": "STARTED"}}),
        "/ws/v1/cluster/apps": as_json({"apps": {"app": list(applications)} if applications else None}),
    }


def yarn_application(name: str, kind: str, started: int, ended: int = 0) -> dict[str, Any]:
    """Return an application as the ResourceManager lists it; one that runs has ended at 0."""
    return {
        "id": name,
        "user": "ann",
        "name": f"{kind.lower()} of ann",
        "queue": "root.night",
        "state": "FINISHED" if ended else "RUNNING",
        "finalStatus": "SUCCEEDED" if ended else "UNDEFINED",
        "trackingUrl": "http://evil.example:8088/proxy",
        "applicationType": kind,
        "startedTime": started,
        "finishedTime": ended,
    }
