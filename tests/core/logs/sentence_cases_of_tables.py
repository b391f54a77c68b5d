"""Files of batch systems, workflows and tables of tasks, with what their import says."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.core.logs.report_sentences import Case
from tests.core.logs.sentence_cases import data, lines_of, rumen

SACCT = (
    "JobID|JobName|Submit|Start|End|Elapsed|State|AllocCPUS\n"
    "1|a|2024-05-01T00:00:00|2024-05-01T00:00:10|2024-05-01T00:01:10|00:01:00|COMPLETED|2\n"
)
JOB = {
    "job_id": 1,
    "time": {"submission": 1714500000, "start": 1714500060, "end": 1714500160, "elapsed": 100},
    "state": "COMPLETED",
}


def sacct(*rows: str) -> str:
    return SACCT + "\n".join(rows)


def row(cells: str) -> str:
    """Return a row in which some cells are others: id, submit, start, end, elapsed, state, CPUs."""
    name, submit, start, end, elapsed, state, cpus = cells.split()
    return f"{name}|a|{submit}|{start}|{end}|{elapsed}|{state}|{cpus}"


SWF = data("machine.swf").decode()
SWF_ROW = "12 0 0 100 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1"
BATCH = [
    Case(["JobID is 'x1', which is none; it is left out"], {"a": sacct("x1|a|||||COMPLETED|2")}),
    Case(
        ["without a column Start no run is known; write the log with sacct"],
        {"a": "JobID|Elapsed|State\n1|00:01:00|COMPLETED\n"},
    ),
    Case(
        ["without a column End or Elapsed no run is known"],
        {"a": "JobID|Start|State\n1|2024-05-01T00:00:00|COMPLETED\n"},
    ),
    Case(
        ["it ends before it starts; it is left out"],
        {"a": sacct(row("2 Unknown 2024-05-01T00:00:10 2024-05-01T00:00:01 Unknown COMPLETED 2"))},
    ),
    Case(
        ["Start is 'soon', which is no time such as 2024-05-31T23:59:59"],
        {"a": sacct(row("2 Unknown soon Unknown 00:01:00 COMPLETED 2"))},
    ),
    Case(
        ["Elapsed is 'long', which is no run time such as 1-23:59:59"],
        {"a": sacct(row("2 Unknown Unknown Unknown long COMPLETED 2"))},
    ),
    Case(["it has 3 cells and the header 8; it is left out"], {"a": sacct("2|a|b")}),
    Case(
        ["AllocCPUS (or what stands for it) is '4x', which is no whole number"],
        {"a": sacct(row("2 Unknown Unknown Unknown 00:01:00 COMPLETED 4x"))},
    ),
    Case(
        ["job 2: only its steps are listed (1), not when it came and how much it held, and left out; list"],
        {"a": sacct(row("2.batch Unknown 2024-05-01T00:00:00 2024-05-01T00:00:10 00:00:10 COMPLETED 2"))},
    ),
    Case(["line 1 is 'Welcome to login1'; it stands above the header"], {"a": f"Welcome to login1\n{SACCT}"}),
    Case(["1 rows tell a run once more (listings overlap)"], {"a": sacct(SACCT.split("\n")[1])}),
    Case(
        ["2: no run (cancelled before it began)"],
        {"a": sacct(row("2 2024-05-01T00:00:00 Unknown Unknown 00:00:00 CANCELLED 0"))},
    ),
    Case(
        ["2: no run (still waiting)"],
        {"a": sacct(row("2 2024-05-01T00:00:00 Unknown Unknown 00:00:00 PENDING 0"))},
    ),
    Case(
        ["2: no known start"], {"a": sacct(row("2 2024-05-01T00:00:00 Unknown Unknown 00:01:00 COMPLETED 2"))}
    ),
    Case(
        ["2: no known end (still running)"],
        {"a": sacct(row("2 2024-05-01T00:00:00 2024-05-01T00:00:10 Unknown Unknown RUNNING 2"))},
    ),
    Case(
        ["2: no known end"],
        {"a": sacct(row("2 2024-05-01T00:00:00 2024-05-01T00:00:10 Unknown Unknown CANCELLED 2"))},
    ),
    Case(
        ["The log does not say how many processors jobs had: a slot stands for a node."],
        {"a": SACCT.replace("AllocCPUS", "NNodes")},
    ),
    Case(
        ["with unknown processors (1 taken)"],
        {
            "a": sacct(
                row("2 2024-05-01T00:00:00 2024-05-01T00:00:10 Unknown 00:01:00 COMPLETED Unknown").replace(
                    "Unknown|00", "2024-05-01T00:01:10|00"
                )
            )
        },
    ),
    Case(
        ["it has no list of jobs; it is left out"],
        {"a": '{"jobs": [' + json.dumps(JOB) + '], "meta": {"Slurm": 1}}\n{"jobs": 3}'},
    ),
    Case(
        ["job 2 of the list", "JobID is '', which is none; it is left out"],
        {"a": json.dumps({"jobs": [JOB, JOB | {"job_id": None}], "meta": {"Slurm": 1}})},
    ),
    Case(["it has 3 columns, a job has 18; it is left out"], {"a": SWF + "1 2 3\n"}),
    Case(
        ["one of its numbers is absurd; it is left out"],
        {"a": SWF + SWF_ROW.replace(" 100 ", " 1e30 ") + "\n"},
    ),
    Case(
        ["a job has at most 20000000 processors; it is left out"],
        {"a": SWF + SWF_ROW.replace(" 100 2 ", " 100 30000000 ") + "\n"},
    ),
    Case(
        ["column 4 (run) is 'ten', which is no number"], {"a": SWF + SWF_ROW.replace(" 100 ", " ten ") + "\n"}
    ),
    Case(
        ["the log has more than 3 jobs, as many as fit in one workload; split it"],
        {"a": SWF},
        limits={"core.logs.swf.MAX_JOBS": 3},
    ),
    Case(["As many slots as the log says that its machine has: 8."], {"a": f"; MaxProcs: 8\n{SWF_ROW}\n"}),
    Case(
        ["The most that a cluster can have; the log says that its machine has 900000."],
        {"a": f"; MaxProcs: 900000\n{SWF_ROW}\n"},
    ),
    Case(
        ["As many tasks ran at once; the 1 slots that the log tells of do not explain them."],
        {"a": f"; MaxProcs: 1\n{SWF_ROW}\n"},
    ),
    Case(
        ["starts of jobs (how they ran is not recorded)"],
        {"a": "".join(f"{SWF_ROW.replace('12 0 0', f'{i} 0 -1')}\n" for i in range(3))},
    ),
    Case(
        ["Nothing is shown as recorded: when tasks ran is unknown of 2 of 3 jobs"],
        {"a/l": data("wfformat.json"), "b/l": rumen({"submitTime": 1})},
    ),
    Case(
        ["A slot stands for 2 processors (processors_per_slot), of which every job has a multiple."],
        {"a": f"{SWF_ROW}\n"},
        {"processors_per_slot": 2},
    ),
    Case(
        [
            "A slot stands for 3 processors (processors_per_slot): 1 jobs have no multiple of it",
            "50.0% more than recorded.",
        ],
        {"a": f"{SWF_ROW}\n"},
        {"processors_per_slot": 3},
    ),
    Case(
        [
            "processors_per_slot 1 gives 2 tasks on 2 slots; at most 1 tasks and",
            "give 2, or 0 to let it be chosen",
        ],
        {"a": f"{SWF_ROW}\n"},
        {"processors_per_slot": 1},
        {"core.logs.wide_jobs.MAX_TASKS": 1, "core.logs.wide_jobs.MAX_SLOTS": 1},
    ),
    Case(
        ["not a row of a SWIM workload (id and five whole numbers, separated by tabs)"],
        {"a": data("swim.tsv") + b"x\ty\n"},
    ),
    Case(
        ["a time or size is absurd (a job has at most"],
        {"a": data("swim.tsv") + b"j\t5\t0\t" + b"9" * 25 + b"\t0\t0\n"},
    ),
    Case(
        ["tasks by the model; raise map_size and reduce_size; it is left out"],
        {"a": data("swim.tsv")},
        {"map_size": 0.001},
        {"core.logs.swim.MAX_TASKS": 100},
    ),
    Case(
        ["Slow start 1, as a stage waits for whole stages"],
        {
            "a": "i1,R2_3,j_1,1,Terminated,100,110,m_1,1,1,5.0,6.0,0.1,0.2\n"
            "i2,R3_2,j_1,1,Terminated,100,110,m_1,1,1,5.0,6.0,0.1,0.2\n"
        },
    ),
    Case(
        ["not a row of batch_task (9 cells) or batch_instance (14 cells) with whole seconds"],
        {"a": data("alibaba-instances.csv") + b"x,y\n"},
    ),
    Case(
        [
            "1 of the 5 instances that batch_task counts for",
            "are listed: the jobs are smaller here than they were; give batch_instance",
        ],
        {"t": "M1,5.0,j_1,1,Terminated,100,113,100.0,0.3\n", "i": lines_of("alibaba-instances.csv")[0]},
    ),
    Case(
        ["1 jobs of which no instance is listed are left out: they would be 9 tasks beside 1 listed."],
        {"t": "M1,9.0,j_9,1,Terminated,100,113,100.0,0.3\n", "i": lines_of("alibaba-instances.csv")[0]},
        limits={"core.logs.alibaba.FEW_TASKS": 4},
    ),
    Case(
        [
            "A slot stands for 4 instances (instances_per_slot): 9 instances become 2 tasks, at least one",
            "There were 2 slots in use at once.",
        ],
        {"t": "M1,9.0,j_9,1,Terminated,100,113,100.0,0.3\n" * 1},
        limits={"core.logs.alibaba.FEW_TASKS": 4},
    ),
    Case(
        ["instances_per_slot 1 gives too many tasks; at most 4 fit in one workload; give a larger number"],
        {"t": "M1,9.0,j_9,1,Terminated,100,113,100.0,0.3\n"},
        {"instances_per_slot": 1},
        {"core.logs.alibaba.MAX_TASKS": 4},
    ),
    Case(
        ["the trace has more than 3 rows; give a part of it, as its first million lines"],
        {"a": data("alibaba-instances.csv")},
        limits={"core.logs.alibaba.MAX_TASKS": 3},
    ),
]
NEXTFLOW = lines_of("nextflow-trace.txt")
WORKFLOW = json.JSONDecoder().raw_decode(data("wfformat.json").decode())[0]


def workflow(**tasks: dict[str, Any]) -> str:
    """Return a workflow of tasks with changed parts, and without machines."""
    changed = json.loads(json.dumps(WORKFLOW))
    specification = changed["workflow"]["specification"]
    for task in specification["tasks"]:
        task |= tasks.get(task["id"], {})
    changed["workflow"]["execution"].pop("machines", None)
    return json.dumps(changed)


WORKFLOWS = [
    Case(
        ["without a column submit nothing is known of the tasks; let trace.fields have it"],
        {"a": re.sub(r"\tsubmit\t", "\tsent\t", "".join(NEXTFLOW))},
    ),
    Case(
        ["all 1 tasks have results of an earlier run; nothing ran"],
        {"a": NEXTFLOW[0] + next(line for line in NEXTFLOW if "CACHED" in line)},
    ),
    Case(
        ["it has other cells than the header has names, which are 12; it is left out"],
        {"a": "".join(NEXTFLOW) + "1\t2\n"},
    ),
    Case(
        ["its tasks wait for one another in a circle; it is left out"],
        {"a": workflow(split_1={"parents": ["align_1"]})},
    ),
    Case(
        ["its tasks do not make at most 1 stages; it is left out"],
        {"a": workflow()},
        limits={"core.logs.wf_format.MAX_STAGES": 1},
    ),
    Case(["tasks beside one another."], {"a": workflow()}),
    Case(["no workflow with tasks; it is left out"], {"a": workflow() + "\n[1]"}),
]


def table(text: str, says: list[str], columns: str = "", **parameters: object) -> Case:
    return Case(says, {"a.csv": text}, ({"columns": columns} if columns else {}) | parameters)


MAPPED = "job=App,start=a,end=b"
ROWS = "App,a,b,c\nx,1,2,1\n"
GOOD = "job,kind,start,end\nA,map,0,1\n"
TABLES = [
    table(
        ROWS,
        ["job is to be 'Aps', and there is no such column; did you mean 'App'?"],
        "job=Aps,start=a,end=b",
    ),
    table(ROWS, ["unit is 'h'; choose one of s, ms, us, ns, date, mdy, dmy"], f"{MAPPED},unit=h"),
    table(ROWS, ["both end and duration are named; name the column of one of them"], f"{MAPPED},duration=c"),
    table(ROWS, ["no column is named for start and end (or duration)"], "job=App"),
    table(ROWS, ["'job' is not of the form job=JobName"], "job"),
    table(ROWS, ["job is named twice"], "job=App,job=a"),
    table(ROWS, ["columns: it cannot be read (", "write job=JobName,start=Begin"], "job=" + "x" * 140_000),
    table(
        ROWS.replace("x,1", "x,5/6/2024"),
        ["month comes first (unit=mdy) or the day (unit=dmy)"],
        f"{MAPPED},unit=date",
    ),
    table(ROWS, ["which is no date like 5/31/2024 23:59:59 from 1970 on"], f"{MAPPED},unit=mdy"),
    table(
        ROWS.replace("x,1,2", "x,1700000000000,1700000000001"),
        ["which in s is thousands of years; another unit may be meant"],
        MAPPED,
    ),
    table(
        ROWS,
        ["which is no date like 2024-05-31T23:59:59 or 31.05.2024 23:59:59 from 1970 on"],
        f"{MAPPED},unit=date",
    ),
    table(
        "App,a,c\nx,1,soon\n",
        ["which is no duration like 1:59:59"],
        "job=App,start=a,duration=c,duration_unit=clock",
    ),
    table(ROWS.replace("x,1,", "x,one,"), ["which is no time from 0 on"], MAPPED),
    table(
        ROWS,
        ["outcome is '1' (known are succeeded", "done=OK|… says which mean success); the row is left out"],
        f"{MAPPED},outcome=c",
    ),
    table("job,kind,start,end\nA,map,0,1\nA,,0,1\n", ["1 of no kind, left out"]),
    table(
        ROWS,
        ["A row stands for as many tasks as its column for count says; all have its times."],
        f"{MAPPED},count=c",
    ),
    table(
        ROWS,
        ["A task that takes several processors is as many tasks, one for each"],
        f"{MAPPED},processors=c",
    ),
    table(
        ROWS.replace(",1\n", ",9\n"),
        ["A task and a slot stand for 3 (tasks_per_slot): 9 tasks become 3, at least one for each row."],
        f"{MAPPED},count=c",
        tasks_per_slot=3,
    ),
    table(
        ROWS.replace(",1\n", ",900000\n"),
        ["tasks_per_slot 1 gives 900000 tasks on 900000 slots; at most"],
        f"{MAPPED},count=c",
        tasks_per_slot=1,
    ),
    table(
        ROWS.replace(",1\n", ",\n"),
        ["1 rows have nothing in their column for count; 1 is taken."],
        f"{MAPPED},count=c",
    ),
    table(
        ROWS.replace(",1\n", ",x\n"),
        ["count is 'x', which is no whole number from 1 to 20000000"],
        f"{MAPPED},count=c",
    ),
    table(
        '{"App": "x", "a": 1, "b": 2}\n' * 4 + "3\n", ["it is no JSON object; the row is left out"], MAPPED
    ),
    table(
        '{"q": "x", "r": 1, "s": 2}\n{"q": "y", "r": 1, "s": 2}\n',
        ["it looks like lines of JSON with the columns q, r, s. If each row is a task"],
    ),
    Case(
        ["it is longer than 60 characters; the row is left out"],
        {"a": GOOD + "x" * 70 + ",map,0,1\n"},
        limits={"core.logs.table_lines.MAX_ROW": 60},
    ),
    table(GOOD + "A,map,0\n", ["it has 3 cells and the header 4; the row is left out"]),
    table(GOOD + '"A,map,0,1\n', ["its quotes do not fit; the row is left out"]),
    table(GOOD + ",map,0,1\n", ["it names no job; the row is left out"]),
    Case(
        ["3 rows are left out, which is most of them; so is the rest"],
        {"a": GOOD + ",map,0,1\n" * 5},
        limits={"core.logs.task_table.MAX_DAMAGED": 3},
    ),
    table(
        "job;kind;start;end\nA;map;1,5;2,5\nB;map;1.000;2.000\n",
        [
            "written as '1,5', so that the point in 1.000 may stand between thousands: it is taken for one "
            "before decimals (1). If that is wrong, write numbers without points between thousands."
        ],
    ),
    table(
        "job;kind;start;end\nA;map;1,5;2,5\nB;map;1.000,5;2.000,5\n",
        ["which has points between thousands; write it without them; the row is left out"],
    ),
    table(
        "App,a,b\nx,3/4/2024,3/5/2024\n",
        [
            "shows whether the month or the day comes first in its dates, such as 3/4/2024: "
            "the month is taken for the first (unit=mdy; unit=dmy reads it the other way)."
        ],
        f"{MAPPED},unit=mdy",
    ),
    table(
        "job,kind,start,end,hots\nA,map,0,1,h\n",
        ["columns that are ignored look like known ones; call 'hots' 'host'"],
    ),
    table(
        "job,kind,start,end,shuffle_end\nA,map,0,1,\nA,reduce,2,9,1\n",
        ["shuffles that end before their reduce starts, taken as 0 s"],
    ),
    table(
        "App,x,y\na,1,2\n",
        ["say with --columns which column is what (job, start, and end or duration are needed); nothing"],
    ),
    table("App,begin,finish,state\na,1,2,odd\n", ["of the likeliest ones nothing comes ("]),
    table(
        "App,begin,finish\na,1,2\n",
        [
            "(job, start, and end or duration are needed): --columns job=App,start=begin,end=finish,unit=s",
            "Nothing is left out.",
        ],
    ),
    table(
        "App,Type,begin,finish\na,map,1,2\na,setup,1,2\na,map,1,x\n", ["SETUP (neither map nor reduce) (1)"]
    ),
]
