"""Files of Hadoop's and Spark's logs, and such as are none, with what their import says."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.core.logs.packed import PACK, lz4_blocks_of
from tests.core.logs.report_sentences import Case
from tests.core.logs.test_archives import tar_of, zip_of
from tests.gzipped import gzip_of
from tests.paths import DATA


def data(name: str) -> bytes:
    return (DATA / name).read_bytes()


def lines_of(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines(keepends=True)


# ---- any file

NO_LOGS = {
    "an empty file": b"",
    "text in UTF-16; save it in UTF-8": "job,kind\n".encode("utf-16"),
    "data packed more than twice; unpack it": gzip_of(gzip_of(gzip_of(b"x"))),
    "it looks like data packed more than twice": gzip_of(gzip_of(PACK["zstd"](b"x"))),
    "data packed with snappy; unpack it first": b"\x82SNAPPY\0\0\0\0\1",
    "data packed with bzip2; unpack it first": b"BZh91AY&SY",
    "data packed with xz; unpack it first": b"\xfd7zXZ\0\0",
    "a Slotscope session; open it in the window": b'{"format": "slotscope-session", "version": 1}',
    "a Slotscope study; run it as a study": b'{"format": "slotscope-study", "version": 1}',
    "a Slotscope workload document; open it, do not import it": b'{"format": "slotscope-workload"}',
    "a Rumen cluster topology (racks and hosts, no": b'{"name": "r", "children": [{"name": "h"}]}',
    "an MRv2 job history in binary Avro; only those in JSON can be read": b"Avro-Binary\n",
    "the nodes of the YARN load simulator (no jobs); give": b'{"rack": "r", "nodes": [{"node": "n"}]}',
    "what the YARN load simulator draws random jobs from": b'{"num_jobs": 3, "workloads": [{"w": 1}]}',
    "configurations of jobs; give the files of the jobs": b'{"jobId": "j", "propertyMap": {"a": "b"}}',
    "a Hadoop configuration": b'<?xml version="1.0"?><configuration></configuration>',
    "a part of an Office document; save its table as CSV, and give that": b"<Types xmlns='x'/>",
    "an XML or HTML file": b"<html></html>",
    "binary data": b"\x7fELF\0\0",
    "events of a profiler in Chrome's format": b'[{"name": "f", "ph": "X", "ts": 1, "dur": 2}]',
    "a workload of the simulator Batsim, whose jobs did not": b'{"jobs": [{"id": 1}], "profiles": {}}',
    "a workload document without its header": b'{"name": "w", "jobs": [{"name": "A", "maps": {}}]}',
    "JSON of another kind": b'{"jobs": [{"stage": "build", "script": ["make"]}]}',
    "rows of Slurm's sacct without their header": b"12|a|u|p|COMPLETED|4\n",
    "a table that Slurm's sacct prints for people": b"JobID     JobName\n--------- -------\n12 a\n",
    "task_events of Google's cluster of 2011": b"0,2,3418309,0,4155527081,0,70s3v5qR,3,9,,,,0\n",
    "a table separated by tabs with no row below its first line": b"job\tstart\tend\n",
    "a table separated by tabs with 2 columns; a table of tasks has": b"a\tb\n1\t2\n",
    "a table separated by commas whose first line names no columns": b"J1,map,0,5\nJ1,map,0,6\n",
    "a table separated by commas of which most rows are": b"Dear reader, hello, yes\nBye\nYours\n",
    "text of an unknown kind": b"Dear reader",
}
HEAD = "job,kind,start,end\n"


def lines_with(old: str, new: str, name: str) -> str:
    """Return a log with one text in the place of another, which has to be there."""
    text = (DATA / name).read_text()
    assert old in text
    return text.replace(old, new)


SPARK = lines_of("spark.log")
SPARK_CUT = "".join(SPARK[:30])
LOG = data("rumen-2011.json")
ANY_FILE: list[Case] = [
    *(Case([says], {"file": content}) for says, content in NO_LOGS.items()),
    Case(
        ["x.zip: z.zip: y.zip: lies in an archive in an archive and is left out; unpack that one and open"],
        {"x.zip": zip_of({"z.zip": zip_of({"y.zip": zip_of({"a": b"b"})}), "l": LOG})},
    ),
    Case(
        ["x.zip: z.tar: y.tar: lies in an archive in an archive and is left out; unpack that one and open"],
        {"x.zip": zip_of({"z.tar": tar_of({"y.tar": tar_of({"a": b"b"})}), "l": LOG})},
    ),
    Case(["left out: an archive without logs"], {"a.zip": zip_of({"a": b"b"}), "l.json": LOG}),
    Case(
        ["no file in the archive is a known log (a.zip: notes looks like text"],
        {"a.zip": zip_of({"notes": b"Hello"})},
    ),
    Case(["no file in the folder is a known log (a looks like text"], {"a": b"Hello", "b": b"Dear"}),
    Case(["the archive is damaged or locked (", "; what follows is lost"], {"a.zip": b"PK\x03\x04 nothing"}),
    Case(
        ["it is damaged or locked (Error", "; the rest of it is lost"],
        {
            "a.zip": zip_of({"l.json": LOG}).replace(LOG[:1], LOG[:1])[:60]
            + b"\xff" * 40
            + zip_of({"l.json": LOG})[100:]
        },
    ),
    Case(
        ["holds more than 1 files; the rest is left out"],
        {"a.tar": tar_of({"a": LOG, "b": LOG})},
        limits={"core.logs.archives.MAX_FILES": 1},
    ),
    Case(
        ["GiB of logs; unpack it and open its folder"],
        {"a.tgz": gzip_of(tar_of({"a": LOG}))},
        limits={"core.logs.archives.MAX_SPOOLED_BYTES": 9},
    ),
    Case(["the packed data ends early; what follows is lost"], {"a.gz": gzip_of(LOG)[:-9]}),
    Case(["the packed data is damaged (", "; what follows is lost"], {"a.gz": gzip_of(LOG)[:-8] + b"\0" * 8}),
    Case(
        ["the packed data is damaged (a block begins wrongly)"],
        {"a.lz4": lz4_blocks_of(LOG) + b"LZ4Blockxxxxxxxxxxxxx"},
    ),
    Case(
        ["the packed data is damaged (a block cannot be unpacked)"],
        {"a.lz4": lz4_blocks_of(LOG)[:-21] + b"LZ4Block\x26\4\0\0\0\xff\0\0\0\0\0\0\0abcd"},
    ),
    Case(
        ["a file may have at most", "what follows is left out"],
        {"a.gz": gzip_of(LOG + b" " * 10**6)},
        limits={"core.logs.byte_source.MAX_LOG_BYTES": 9000},
    ),
    Case(
        ["holds more than 1 files; give the folder that holds the logs"],
        {"a": LOG, "b": LOG},
        limits={"core.logs.log_files.MAX_FILES": 1},
    ),
    Case(
        ["at most 1 jobs and", "fit in one workload; give fewer logs", "too many jobs and tasks"],
        {"a": LOG},
        limits={"core.logs.open_log.MAX_JOBS": 1},
    ),
    Case(
        ["the times of b.csv count from 0, those of a.json from 1970: nothing says when the first"],
        {"a.json": LOG, "b.csv": b"job,kind,start,end\nA,map,1,2\n"},
    ),
    Case(
        ["its first job comes", "after the last one of a.json, and nothing runs between; import them apart"],
        {"a.json": LOG, "b.csv": b"job,kind,start,end\nA,map,1900000000,1900000002\n"},
    ),
    Case(
        ["2 repeated names were made unique with a number", "2 repeated names got a number"],
        {"a/l": LOG, "b/l": LOG},
    ),
    Case(["(it has no file, or only hidden ones)"], {".a": b"", ".b": b""}),
    Case(["left out: text of an unknown kind"], {"a": LOG, "b": b"Dear reader"}),
    Case(
        ["but no job could be read: it holds no job"],
        {"a": b'{"Event":"SparkListenerLogStart","Spark Version":"1"}\n'},
    ),
    Case(
        ["job without a name"],
        {"a": lines_with('"jobID":"job_200801010000_0003"', '"jobID":null', "rumen-2009.json")},
    ),
    Case(["and 1 more place)"], {"a/x": SPARK_CUT, "b/y": SPARK_CUT}),
    Case(
        ["3 more; only the first 20 are listed"],
        {"a": LOG + b"\n[1]" * 23},
        limits={"core.logs.assemble.MAX_PROBLEMS": 20},
    ),
    Case(
        ["J1, J2, J3 and 1 more job: no usable task (1 never ended)"],
        {"a": f"{HEAD}A,map,0,1\n" + "".join(f"J{i},map,0,\n" for i in (1, 2, 3, 4))},
    ),
]

ATTEMPT = {"result": "SUCCESS", "startTime": 1000, "finishTime": 3000, "hostName": "/r/h"}
MAP_TASK = {"taskID": "task_1_m_000000", "taskType": "MAP", "attempts": [ATTEMPT]}
RUMEN = {"jobID": "job_1", "submitTime": 500, "mapTasks": [MAP_TASK], "reduceTasks": []}


def rumen(*jobs: dict[str, Any]) -> str:
    """Return a Rumen trace of jobs that differ from the simplest one."""
    return "\n".join(json.dumps(RUMEN | {"jobID": f"job_{i}"} | job) for i, job in enumerate(jobs))


def properties(**known: object) -> dict[str, Any]:
    return {"jobProperties": {f"mapreduce.{name.replace('__', '.')}": value for name, value in known.items()}}


SLOTS = {"tasktracker__map__tasks__maximum": 2, "tasktracker__reduce__tasks__maximum": 2}
MEMORY = {"cluster__mapmemory__mb": 1024, "map__memory__mb": 2048}
REDUCE = {"reduceTasks": [MAP_TASK | {"taskID": "task_1_r_000000", "taskType": "REDUCE"}]}
TWICE = {"mapTasks": [MAP_TASK, MAP_TASK | {"taskID": "task_1_m_000001"}]}
HADOOP = [
    Case(["not a job of a Rumen trace; it is left out"], {"a": rumen({}) + "\n[1]"}),
    Case(["unreadable tasks or attempts left out"], {"a": rumen({"mapTasks": [None, MAP_TASK]})}),
    Case(
        ["tasks that end before they start, taken as 0 s"],
        {"a": rumen({"mapTasks": [MAP_TASK | {"attempts": [ATTEMPT | {"finishTime": 900}]}]})},
    ),
    Case([", of which every task takes 2"], {"a": rumen(properties(**SLOTS, **MEMORY))}),
    Case(
        ["the configuration (1 map slots on each of 1 hosts seen"],
        {"a": rumen(TWICE | properties(**{**SLOTS, "tasktracker__map__tasks__maximum": 1}))},
    ),
    Case(["the jobs' configurations differ"], {"a": rumen(properties(**SLOTS), {})}),
    Case(
        ["Hadoop's default (the jobs differ)"],
        {
            "a": rumen(
                *(
                    REDUCE | properties(**SLOTS, job__reduce__slowstart__completedmaps=each)
                    for each in ("0.8", "0.5")
                )
            )
        },
    ),
    Case(
        ["3 are the most that a cluster can have."],
        {"a": rumen({"mapTasks": [MAP_TASK | {"taskID": f"t{i}"} for i in range(5)]})},
        limits={"core.logs.suggest_cluster.MAX_SLOTS": 3},
    ),
    Case(
        ["the file ends inside an object; the object that begins on line 2 is left out"],
        {"a": rumen({}) + '\n{"jobID": '},
    ),
    Case(
        ["too deeply nested; the object that begins on line 2"],
        {"a": rumen({}) + "\n" + '{"a":' + "[" * 3000},
    ),
    Case(["a number is too long; the object that begins"], {"a": rumen({}) + '\n{"a": ' + "1" * 5000 + "}"}),
    Case(
        ["an object is longer than 2000 characters"],
        {"a": rumen({}) + '\n{"a": "' + "x" * 99_000},
        limits={"core.logs.json_values.LARGEST_VALUE": 2000},
    ),
    Case(
        ["2 places are damaged; the rest is left out"],
        {"a": rumen({}) + "\n{x}\n{y}\n{z}\n"},
        limits={"core.logs.json_values.MAX_DAMAGED": 2},
    ),
    Case(["an event"], {"a": lines_with('"AM_STARTED"', '"JOB_FINISHED"', "jhist-2.7.jhist")}),
    Case(["not an event; it is left out"], {"a": data("jhist-2.7.jhist") + b'{"type": 7}\n'}),
    Case(
        ["its job, task or attempt has no id; it is left out"],
        {"a": re.sub(r'"taskid":"[^"]*"', '"taskid":""', (DATA / "jhist-2.7.jhist").read_text(), count=1)},
    ),
    Case(
        ["damaged or cut short behind its character", "it is left out"],
        {"a": data("jobtracker-0.20.log") + b'Task TASKID="x\n'},
    ),
    Case(
        ["No reduce has run yet; as many reduce slots as map slots are assumed."],
        {
            "a": data("jobtracker-0.20.log")[
                : data("jobtracker-0.20.log").index(b'Task TASKID="task_200908110000_0001_r')
            ]
        },
    ),
    Case(
        ["not a record of a job, task or attempt; it is left out"],
        {"a": data("jobtracker-0.20.log") + b"Something else .\n"},
    ),
    Case(
        ["its tasks are there but not the job; give the file of the jobs, too"],
        {"a": data("history-server-tasks.jsonl")},
    ),
    Case(
        ["listed a second time; the first one is kept"],
        {"a": data("history-server-jobs.jsonl") + data("history-server-tasks.jsonl") * 2},
    ),
    Case(
        ["neither a job nor a task of one; it is left out"],
        {"a": data("history-server-jobs.jsonl") + data("history-server-tasks.jsonl") + b'{"_id": "x"}\n'},
    ),
    Case(
        ["not a JSON object; the line is left out"],
        {"a": data("history-server-jobs.jsonl") + data("history-server-tasks.jsonl") + b"17\n"},
    ),
    Case(
        ["the record is cut short; the line is left out"],
        {"a": data("history-server-jobs.jsonl") + data("history-server-tasks.jsonl") + b'{"_id": "x'},
    ),
    Case(
        ["too deeply nested; the line is left out"],
        {
            "a": data("history-server-jobs.jsonl")
            + data("history-server-tasks.jsonl")
            + b'{"a":'
            + b"[" * 3000
            + b"\n"
        },
    ),
    Case(
        ["a number is too long; the line is left out"],
        {
            "a": data("history-server-jobs.jsonl")
            + data("history-server-tasks.jsonl")
            + b'{"a": '
            + b"1" * 5000
            + b"}\n"
        },
    ),
    Case(
        ["longer than 999 bytes; it is left out"],
        {"a": data("spark.log") + b'{"Event": "' + b"x" * 200_000 + b'"}\n'},
        limits={"core.logs.byte_source.LONGEST_LINE": 999},
    ),
    Case(
        ["2 places are damaged; the rest is left out"],
        {"a": data("spark.log") + b"{\n{\n{\n"},
        limits={"core.logs.byte_source.MAX_DAMAGED": 2},
    ),
    Case(["not a job of the load simulator; it is left out"], {"a": data("sls.json") + b"[1]"}),
    Case(
        ["its tasks are given by a count, so they did not really run; it is left out"],
        {"a": data("sls.json") + b'{"job.id": "j", "job.start.ms": 0, "job.tasks": [{"count": 3}]}'},
    ),
]


def spark(*changes: tuple[str, str], drop: str = "") -> str:
    """Return the log of Spark with texts changed, and without lines that have another."""
    text = "".join(line for line in SPARK if not drop or drop not in line)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


FAILED_STAGE = '{"Event":"SparkListenerStageCompleted","Stage Info":{"Stage ID":5,"Failure Reason":"lost"}}\n'
RUNS_OF_SPARK = [
    Case(
        ["1 stages skipped, as what they write was there already"],
        {
            "a": spark(('"Stage IDs":[5]', '"Stage IDs":[9,5]'))
            + SPARK[23].replace('"Job ID":0', '"Job ID":2')
        },
    ),
    Case(
        ["Slow start 1, as in Spark (the log does not say)."],
        {
            "a": "".join(SPARK[:24]).replace(
                '"Number of Tasks":3,"Parent IDs":[]', '"Number of Tasks":3,"Parent IDs":[1]'
            )
        },
    ),
    Case(
        ["tasks that executors can run"],
        {
            "a/l": spark(),
            "b/l": spark(('{"spark.app.name":"sums"}', '{"spark.app.name":"sums","spark.task.cpus":"2"}')),
        },
    ),
    Case(["stage attempts failed; the stages were run again"], {"a": spark() + FAILED_STAGE}),
    Case(
        ["the log does not have its start; the stages that ran before its end"],
        {"a": spark(drop='JobStart","Job ID":1')},
    ),
    Case(
        ["the log says that this job ended, and not when, as Spark did before 1.3"],
        {"a": spark(('"Completion Time":1500000009200,', ""))},
    ),
    Case(["the log has no job to which these stages belong; they are kept"], {"a": spark(drop='"Job ID":1')}),
    Case(
        ["its Job ID is -1, not a whole number from 0; it is left out"],
        {"a": spark() + '{"Event":"SparkListenerJobEnd","Job ID":-1}\n'},
    ),
    Case(["it has no Job ID; it is left out"], {"a": spark() + '{"Event":"SparkListenerJobEnd"}\n'}),
    Case(["not an event; it is left out"], {"a": spark() + '{"Event": 7}\n'}),
    Case(
        ["parts 1, 2 of 3 of the log of a-1 are missing; give all its files, events_1_a-1 and on"],
        {"events_3_a-1": spark()},
    ),
    Case(["part 1 of 2 of the log of a-1 is missing"], {"events_2_a-1": spark()}),
    Case(
        ["; 2 cores of executors do not explain them."], {"a": spark(('"Total Cores":2', '"Total Cores":1'))}
    ),
    Case(
        ["As many tasks ran at once; the log has no cores of executors."], {"a": spark(drop="ExecutorAdded")}
    ),
    Case(
        ["As many tasks ran at once; the logs differ in what slots there were."],
        {"a/l": spark(drop="ExecutorRemoved"), "b/l": data("wfformat.json")},
    ),
    Case(
        ["its tasks are there but not the DAG itself; give the other files of this log, too"],
        {
            "a": "".join(
                line for line in lines_of("tez-events.jsonl") if '"dag_id"' in line and "DAG_" not in line
            )
        },
    ),
]
