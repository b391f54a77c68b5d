"""Logs of every format, written from jobs that are drawn at random: what a reader must get back is known."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.core.logs.tez_logs import FORMS, Dag, Try, Vertex
from tests.core.logs.tez_logs import STARTED as TEZ_STARTED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

STARTED = 1_400_000_000_000
"""Milliseconds since 1970 of the first submission."""


class Ran(NamedTuple):
    """One task: where it ran, and when it started, had fetched its data and ended, ms since `STARTED`."""

    host: str
    start: int
    shuffled: int
    end: int


@dataclass(frozen=True)
class RanJob:
    """One job of a log: its number, its user and pool, when it was submitted and ended, its tasks."""

    number: int
    user: str
    pool: str
    submit: int
    end: int
    maps: tuple[Ran, ...]
    reduces: tuple[Ran, ...]

    @property
    def id(self) -> str:
        """Hadoop's id without the word before it."""
        return f"{STARTED}_{self.number:04d}"

    @property
    def map_end(self) -> int:
        """When its last map ended."""
        return max(task.end for task in self.maps)

    def tasks(self) -> list[tuple[str, str, int, Ran]]:
        """Return every task as (m or r, its type, its number, what ran)."""
        both = (("m", "MAP", self.maps), ("r", "REDUCE", self.reduces))
        return [(letter, kind, i, task) for letter, kind, tasks in both for i, task in enumerate(tasks)]


def draw_jobs(seed: int, count: int = 30) -> list[RanJob]:
    """Draw jobs whose reduces start before and after the end of their maps, and some without reduces."""
    source = random.Random(seed)
    jobs, submit = [], 0
    for number in range(1, count + 1):
        hosts = [f"node{source.randrange(9)}" for _ in range(40)]
        maps = []
        for host in hosts[: source.randint(1, 20)]:
            start = submit + source.randint(1, 40_000)
            maps.append(Ran(host, start, start, start + source.randint(1, 30_000)))
        map_end = max(task.end for task in maps)
        reduces = []
        for host in hosts[20 : 20 + source.choice([0, 1, 5, 12])]:
            start = source.randint(submit + 1, 2 * map_end - submit)
            shuffled = max(start, map_end) + source.randint(0, 9_000)
            reduces.append(Ran(host, start, shuffled, shuffled + source.randint(1, 20_000)))
        end = max(task.end for task in (*maps, *reduces))
        user, pool = source.choice(["ann", "ben"]), source.choice(["default", "research"])
        jobs.append(RanJob(number, user, pool, submit, end, tuple(maps), tuple(reduces)))
        submit += source.randint(0, 20_000)
    return jobs


def write_rumen(jobs: Sequence[RanJob], folder: Path) -> None:
    """One object per job."""

    def task(job: RanJob, letter: str, kind: str, i: int, ran: Ran) -> dict[str, Any]:
        phases = (ran.shuffled, ran.shuffled) if kind == "REDUCE" else (-1 - STARTED, -1 - STARTED)
        attempt = {
            "attemptID": f"attempt_{job.id}_{letter}_{i:06d}_0",
            "result": "SUCCESS",
            "hostName": f"/rack/{ran.host}",
            "startTime": STARTED + ran.start,
            "finishTime": STARTED + ran.end,
            "shuffleFinished": STARTED + phases[0],
            "sortFinished": STARTED + phases[1],
        }
        return {"taskID": f"task_{job.id}_{letter}_{i:06d}", "taskType": kind, "attempts": [attempt]}

    (folder / "rumen.json").write_text(
        "\n".join(
            json.dumps(
                {
                    "jobID": f"job_{job.id}",
                    "user": job.user,
                    "queue": job.pool,
                    "outcome": "SUCCESS",
                    "submitTime": STARTED + job.submit,
                    "finishTime": STARTED + job.end,
                    "totalMaps": len(job.maps),
                    "totalReduces": len(job.reduces),
                    "mapTasks": [task(job, *each) for each in job.tasks() if each[0] == "m"],
                    "reduceTasks": [task(job, *each) for each in job.tasks() if each[0] == "r"],
                    "otherTasks": [],
                },
                indent=1,
            )
            for job in jobs
        )
    )


def write_job_tracker(jobs: Sequence[RanJob], folder: Path) -> None:
    """One text file per job; start and end of an attempt are records of their own."""
    for job in jobs:
        name = f'Job JOBID="job_{job.id}"'
        lines = [
            'Meta VERSION="1" .',
            f'{name} USER="{job.user}" JOB_QUEUE="{job.pool}" SUBMIT_TIME="{STARTED + job.submit}" .',
            f'{name} TOTAL_MAPS="{len(job.maps)}" TOTAL_REDUCES="{len(job.reduces)}" .',
        ]
        for letter, kind, i, ran in job.tasks():
            task = f"{job.id}_{letter}_{i:06d}"
            what = f'{kind.title()}Attempt TASK_TYPE="{kind}" TASKID="task_{task}" '
            what += f'TASK_ATTEMPT_ID="attempt_{task}_0"'
            phases = f' SHUFFLE_FINISHED="{STARTED + ran.shuffled}" SORT_FINISHED="{STARTED + ran.shuffled}"'
            lines += [
                f'Task TASKID="task_{task}" TASK_TYPE="{kind}" START_TIME="{STARTED + ran.start}" .',
                f'{what} START_TIME="{STARTED + ran.start}" .',
                f'{what} TASK_STATUS="SUCCESS"{phases if kind == "REDUCE" else ""} '
                f'FINISH_TIME="{STARTED + ran.end}" HOSTNAME="/rack/{ran.host}" .',
            ]
        lines.append(f'{name} FINISH_TIME="{STARTED + job.end}" JOB_STATUS="SUCCESS" .')
        (folder / f"job_{job.id}").write_text("\n".join(lines) + "\n")


def write_jhist(jobs: Sequence[RanJob], folder: Path) -> None:
    """One file of events per job."""

    def event(kind: str, **fields: object) -> str:
        name = f"org.apache.hadoop.mapreduce.jobhistory.{kind.title()}"
        return json.dumps({"type": kind, "event": {name: fields}})

    for job in jobs:
        own = {"jobid": f"job_{job.id}"}
        about = {"userName": job.user, "jobQueueName": job.pool, "submitTime": STARTED + job.submit}
        lines = ["Avro-Json", '{"type":"record"}', event("JOB_SUBMITTED", **own, **about)]
        lines.append(event("JOB_INITED", **own, totalMaps=len(job.maps), totalReduces=len(job.reduces)))
        for letter, kind, i, ran in job.tasks():
            task = f"{job.id}_{letter}_{i:06d}"
            fields = {"taskid": f"task_{task}", "attemptId": f"attempt_{task}_0", "taskType": kind}
            fetched = STARTED + ran.shuffled
            phases = {"shuffleFinishTime": fetched, "sortFinishTime": fetched} if kind == "REDUCE" else {}
            ended = {"hostname": {"string": ran.host}, "finishTime": STARTED + ran.end, **phases}
            lines.append(event(f"{kind}_ATTEMPT_STARTED", **fields, startTime=STARTED + ran.start))
            lines.append(event(f"{kind}_ATTEMPT_FINISHED", **fields, **ended, taskStatus="SUCCEEDED"))
        lines.append(event("JOB_FINISHED", **own, finishTime=STARTED + job.end))
        (folder / f"job_{job.id}.jhist").write_text("\n\n".join(lines) + "\n")


def write_history_server(jobs: Sequence[RanJob], folder: Path) -> None:
    """Jobs in one file, their tasks in another; phases of reduces are durations."""
    of_jobs, of_tasks = [], []
    for job in jobs:
        times = {"submitTime": str(STARTED + job.submit), "finishTime": str(STARTED + job.end)}
        counts = {"totalMapTasks": len(job.maps), "totalReduceTasks": len(job.reduces)}
        about = {"state": "SUCCEEDED", "user": job.user, "queue": job.pool}
        of_jobs.append(json.dumps({"_id": f"job_{job.id}", **about, **times, **counts}))
        for letter, kind, i, ran in job.tasks():
            task = f"{job.id}_{letter}_{i:06d}"
            ends = {"startTime": str(STARTED + ran.start), "finishTime": str(STARTED + ran.end)}
            phases = {"shuffleTime": str(ran.shuffled - ran.start), "mergeTime": "0", "reduceTime": "0"}
            of_tasks.append(
                json.dumps(
                    {
                        "_id": f"task_{task}",
                        "type": kind,
                        "jobId": f"job_{job.id}",
                        "httpAddress": f"{ran.host}:8042",
                        "successfulAttempt": f"attempt_{task}_0",
                        **ends,
                        **phases,
                    }
                )
            )
    (folder / "jobs.jsonl").write_text("\n".join(of_jobs))
    (folder / "tasks.jsonl").write_text("\n".join(of_tasks))


def write_sls(jobs: Sequence[RanJob], folder: Path) -> None:
    """One object per job; nothing is said of shuffles."""
    text = [
        json.dumps(
            {
                "am.type": "mapreduce",
                "job.id": f"job_{job.id}",
                "job.user": job.user,
                "job.queue.name": job.pool,
                "job.start.ms": job.submit,
                "job.end.ms": job.end,
                "job.tasks": [
                    {
                        "container.host": f"/rack/{ran.host}",
                        "container.start.ms": ran.start,
                        "container.end.ms": ran.end,
                        "container.type": kind.lower(),
                    }
                    for _, kind, _, ran in job.tasks()
                ],
            }
        )
        for job in jobs
    ]
    (folder / "sls.json").write_text(" ".join(text))


def write_spark(jobs: Sequence[RanJob], folder: Path) -> None:
    """One application; job n has stage 2n for its maps and stage 2n + 1, which reads it, for its reduces."""
    events: list[dict[str, Any]] = [
        {"Event": "SparkListenerLogStart", "Spark Version": "3.3.0"},
        {"Event": "SparkListenerApplicationStart", "App ID": "app", "User": "ann"},
    ]
    for job in jobs:
        stages = [
            {"Stage ID": 2 * job.number, "Number of Tasks": len(job.maps), "Parent IDs": []},
            {
                "Stage ID": 2 * job.number + 1,
                "Number of Tasks": len(job.reduces),
                "Parent IDs": [2 * job.number],
            },
        ]
        events.append(
            {
                "Event": "SparkListenerJobStart",
                "Job ID": job.number,
                "Submission Time": STARTED + job.submit,
                "Stage Infos": stages,
                "Stage IDs": [stage["Stage ID"] for stage in stages],
                "Properties": {"spark.scheduler.pool": job.pool},
            }
        )
        events += [{"Event": "SparkListenerStageSubmitted", "Stage Info": stage} for stage in stages]
        events += [
            {
                "Event": "SparkListenerTaskEnd",
                "Stage ID": 2 * job.number + (kind == "REDUCE"),
                "Task End Reason": {"Reason": "Success"},
                "Task Info": {
                    "Index": i,
                    "Host": ran.host,
                    "Launch Time": STARTED + ran.start,
                    "Finish Time": STARTED + ran.end,
                },
                "Task Metrics": {"Shuffle Read Metrics": {"Fetch Wait Time": ran.shuffled - ran.start}},
            }
            for _, kind, i, ran in job.tasks()
        ]
        events.append(
            {
                "Event": "SparkListenerJobEnd",
                "Job ID": job.number,
                "Completion Time": STARTED + job.end,
                "Job Result": {"Result": "JobSucceeded"},
            }
        )
    (folder / "spark").write_text("\n".join(json.dumps(event) for event in events))


def write_table(jobs: Sequence[RanJob], folder: Path) -> None:
    """One row per task; times in seconds."""
    rows = ["job,kind,task,start,shuffle_end,end,host,submit,user,pool"]
    for job in jobs:
        for _, kind, i, ran in job.tasks():
            fetched = ran.shuffled / 1000 if kind == "REDUCE" else ""
            rows.append(
                f"job_{job.id},{kind.lower()},{i},{ran.start / 1000},{fetched},{ran.end / 1000},"
                f"{ran.host},{job.submit / 1000},{job.user},{job.pool}"
            )
    (folder / "table.csv").write_text("\n".join(rows))


def write_tez(form: str, jobs: Sequence[RanJob], folder: Path) -> None:
    """A DAG per application: one vertex of maps, and one of reduces that reads it."""

    def tries(tasks: Sequence[Ran]) -> tuple[tuple[Try, ...], ...]:
        late = STARTED - TEZ_STARTED
        return tuple(
            (Try("SUCCEEDED", late + ran.start, late + ran.end, ran.host, ran.shuffled - ran.start),)
            for ran in tasks
        )

    dags = []
    for job in jobs:
        vertices = [Vertex("Map 1", (), tries(job.maps))]
        if job.reduces:
            vertices.append(Vertex("Reducer 2", ((0, "SCATTER_GATHER"),), tries(job.reduces)))
        submit, end = (STARTED - TEZ_STARTED + time for time in (job.submit, job.end))
        dags.append(Dag(job.id, 1, job.user, job.pool, submit, end, tuple(vertices)))
    FORMS[form](dags, folder)


WRITERS: dict[str, Callable[[Sequence[RanJob], Path], None]] = {
    "rumen": write_rumen,
    "jobtracker": write_job_tracker,
    "jhist": write_jhist,
    "history-server": write_history_server,
    "sls": write_sls,
    "spark": write_spark,
    "csv": write_table,
    **{form: partial(write_tez, form) for form in FORMS},
}
"""Of each format that has tasks, by the id of its reader; one of several forms has its name behind that."""
