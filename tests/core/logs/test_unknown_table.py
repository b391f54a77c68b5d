"""Tables of tasks that no reader knows: refused with an example, read with their columns named."""

from __future__ import annotations

import csv
import json
import shlex
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.logs.column_guess import guess
from core.logs.column_map import ColumnMap
from core.logs.open_log import Imported, open_trace
from core.logs.unknown_table import first_table
from core.model.errors import InputError, TraceError, UnknownFormat, UnknownName, UnknownTable
from core.model.task_types import MAP, REDUCE
from tests.core.logs.test_archives import tar_of, zip_of
from tests.core.logs.test_fuzz_import import STRANGE_TOKENS, TOKEN
from tests.gzipped import gzip_of
from tests.paths import DATA
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

    from core.logs.unknown_table import TableOutcome

MAPPED = DATA / "mapped"
COLUMNS = {
    "export.psv": "job=Workflow,start=Started At,end=Finished At,kind=Task Type,task=Task Attempt,"
    "submit=Queued,host=Node,user=Owner,pool=Queue,outcome=State,reduce=REDUCE_TASK,done=COMPLETED,unit=date",
    "spans.jsonl": "job=app,start=begin_ms,duration=took,kind=role,host=host,unit=ms,duration_unit=clock",
}


def refused(path: Path) -> UnknownTable:
    with pytest.raises(UnknownTable) as caught:
        open_trace([path])
    return caught.value


def mapped(name: str) -> Imported:
    return open_trace([MAPPED / name], parameters={"columns": COLUMNS[name]})


@pytest.mark.parametrize("name", COLUMNS)
def test_the_refusal_names_the_columns_and_what_to_type(name):
    error = refused(MAPPED / name)
    assert error.table.guess == ColumnMap.parse(COLUMNS[name])
    assert f"--columns '{COLUMNS[name]}'" in str(error) or f"--columns {COLUMNS[name]}" in str(error)
    assert f"with the columns {', '.join(error.table.shape.names)}. If each row is a task" in str(error)


def moment(text: str) -> float:
    """Return seconds since 1970, written another way than the reader does."""
    text = text.replace("/", "-").replace(",", ".").replace("Z", "+00:00")
    date = datetime.fromisoformat(text)
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def test_a_table_of_dates_by_an_independent_count():
    with (MAPPED / "export.psv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="|"))
    ended = [row for row in rows if row["Finished At"] != "N/A" and row["Started At"] != "soon"]
    imported = mapped("export.psv")
    for name in ("nightly", "adhoc"):
        job = imported.workload.jobs[imported.workload.job_index[name]]
        for stage, kind in ((job.maps, "MAP_TASK"), (job.reduces, "REDUCE_TASK")):
            took = [
                moment(row["Finished At"]) - moment(row["Started At"])
                for row in ended
                if (row["Workflow"], row["Task Type"], row["State"]) == (name, kind, "COMPLETED")
            ]
            assert stage.count == len(took)
            if kind == "MAP_TASK":
                assert sorted(stage.task_durations) == pytest.approx(sorted(took))
    report = imported.report
    assert report.tasks[REDUCE].attempts == {"succeeded": 1, "killed": 1}
    assert report.other_tasks == {"SETUP": 1}
    assert [problem.where for problem in report.damage] == ["export.psv, line 9"]
    assert report.started == 1000 * moment("2024-02-29T23:59:50Z")
    recorded = imported.workload.recorded
    assert recorded is not None
    assert set(recorded.hosts) == {row["Node"].rpartition("/")[2] for row in rows}
    assert [(job.user, job.pool) for job in imported.workload.jobs] == [("mia", "etl"), ("noa", "default")]


def test_lines_of_json_by_an_independent_count():
    objects = [json.loads(line) for line in (MAPPED / "spans.jsonl").read_text().splitlines()[:5]]
    imported = mapped("spans.jsonl")
    etl, web = (imported.workload.jobs[imported.workload.job_index[name]] for name in ("etl", "web"))
    assert etl.maps.durations == pytest.approx([12, 9.5])
    assert etl.reduces.count == sum(each["role"] == "r" for each in objects)
    assert (web.maps.count, web.arrival) == (1, 6)
    assert imported.report.tasks[MAP].left_out == {"never ended": 1}
    assert [problem.where for problem in imported.report.damage] == ["spans.jsonl, line 6"]


def test_a_workload_says_how_its_columns_were_read(tmp_path):
    """What is said can be typed again."""
    imported = mapped("spans.jsonl")
    said = imported.workload.description.partition("--columns ")[2].partition(" says;")[0]
    assert ColumnMap.parse(said) == ColumnMap.parse(COLUMNS["spans.jsonl"])
    assert any(said in sentence for sentence in imported.report.assumptions)


def outcome(name: str) -> TableOutcome:
    return refused(MAPPED / name).table.outcome(ColumnMap.parse(COLUMNS[name]))


def test_what_would_come_of_a_table_is_what_comes():
    said, came = outcome("export.psv"), mapped("export.psv")
    assert (said.jobs, said.tasks, said.hosts, said.rows) == (2, (3, 1), 3, 7)
    assert (said.started, said.seconds) == (came.report.started, came.report.recorded_makespan)
    assert dict(said.left_out) == {
        "start is 'soon', which is no date like 2024-05-31T23:59:59 or 31.05.2024 23:59:59 from 1970 on": 1,
        "never ended": 1,
        "killed": 1,
        "SETUP (neither map nor reduce)": 1,
    }


def test_nothing_comes_of_the_wrong_columns():
    table = refused(MAPPED / "export.psv").table
    with pytest.raises(TraceError, match="start is 'mia', which is no time from 0 on"):
        table.outcome(ColumnMap.parse("job=Workflow,start=Owner,end=Node"))
    with pytest.raises(InputError, match="no column is named for job"):
        table.outcome(ColumnMap.parse("start=Owner,end=Node"))


@pytest.mark.parametrize(
    ("header", "row", "text"),
    [
        ("JobName,StartTime,EndTime", ["a", "5", "7"], "job=JobName,start=StartTime,end=EndTime,unit=s"),
        (
            "job_id,task_id,task_start_ms,job_start_ms,elapsed_ms,hostname",
            ["j1", "t1", "100", "0", "20", "h"],
            "job=job_id,start=task_start_ms,duration=elapsed_ms,task=task_id,host=hostname,unit=ms",
        ),
        (
            "dag,begin,finish,status",
            ["d", "1700000000000000", "1700000000000900", "OK"],
            "job=dag,start=begin,end=finish,outcome=status,done=OK,unit=us",
        ),
        (
            "app,launch_time,duration",
            ["x", "2024-01-01T00:00:00", "12.5"],
            "job=app,start=launch_time,duration=duration,unit=date,duration_unit=s",
        ),
        (
            "Auftrag,Typ,Beginn,Ende,Rechner",
            ["a", "map", "31.05.2024 23:59:59", "1.6.2024 00:00:01", "r"],
            "job=Auftrag,start=Beginn,end=Ende,kind=Typ,host=Rechner,unit=date",
        ),
        ("alpha,beta,gamma", ["x", "1", "2"], "unit=s"),
    ],
)
def test_guesses_by_words_and_values(header, row, text):
    assert guess(header.split(","), [row, row]).text() == text


VALUES = {
    "job": ["a", "b", "b"],
    "number": ["0", "5", "9"],
    "large": ["1700000000000", "1700000005000", "1700000009000"],
    "decimal": ["0.5", "1.5", "2.25"],
    "iso": ["2024-05-31T23:59:59", "2024-06-01T00:00:09", "2024-06-01T01:00:00"],
    "dots": ["31.05.2024 23:59:59", "01.06.2024 00:00:09", "01.06.2024 01:00:00"],
    "day first": ["31/5/2024 10:00", "31/5/2024 11:00", "1/6/2024 12:00"],
    "month first": ["5/31/2024 10:00", "5/31/2024 11:00", "6/1/2024 12:00"],
    "either": ["3/4/2024 10:00", "3/5/2024 11:00", "3/6/2024 12:00"],
    "PM": ["3/4/2024 1:00 PM", "3/4/2024 2:00 PM", "3/4/2024 3:00 PM"],
    "clock": ["0:00:05", "0:10:00", "1:00:00"],
    "word": ["x", "y", "y"],
    "kind": ["map", "MAP_TASK", "reduce"],
    "state": ["OK", "done", "KILLED"],
    "nothing": ["", "N/A", "-1"],
}
NAMES_OF_COLUMNS = [
    *("job", "App", "workflow", "task", "attempt_id", "kind", "Type", "start", "begin", "StartTime", "end"),
    *("started_at", "finish", "EndTime", "stopped", "duration", "elapsed_ms", "took", "submit", "queued"),
    *("state", "Status", "exit_code", "host", "Node", "user", "instances", "ncpus", "Count", "notes"),
]


def tables() -> st.SearchStrategy[str]:
    column = st.tuples(st.sampled_from(NAMES_OF_COLUMNS), st.sampled_from(sorted(VALUES)))
    likely = st.tuples(
        st.just(("App", "job")),
        st.tuples(st.sampled_from(["begin", "StartTime"]), st.sampled_from(sorted(VALUES))),
        st.tuples(st.sampled_from(["finish", "duration", "EndTime"]), st.sampled_from(sorted(VALUES))),
    )
    others = st.lists(column, max_size=4, unique_by=lambda each: each[0])
    return st.tuples(st.one_of(likely.map(list), others), others).map(
        lambda both: _table([*both[0], *both[1]])
    )


def _table(columns: list[tuple[str, str]]) -> str:
    rows = zip(*(VALUES[values] for _, values in columns), strict=True)
    return "\n".join([";".join(name for name, _ in columns), *map(";".join, rows)])


@settings(examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables())
def test_what_an_error_says_to_type_works(tmp_path, text):
    (tmp_path / "log").write_text(text)
    found: Exception | None = None
    try:
        open_trace([tmp_path / "log"])
    except InputError as error:
        found = error
    _, asked, proposal = str(found).partition(": --columns ")
    if asked:
        (columns,) = shlex.split(proposal)
        assert open_trace([tmp_path / "log"], parameters={"columns": columns}).workload.jobs
    elif isinstance(found, UnknownTable):
        assert "nothing looks like" in str(found) or "nothing comes" in str(found)


@pytest.mark.parametrize(
    ("start", "end", "unit"),
    [
        ("day first", "day first", "dmy"),
        ("month first", "month first", "mdy"),
        ("either", "either", "mdy"),
        ("either", "day first", "dmy"),
        ("PM", "PM", "date"),
    ],
)
def test_dates_with_slashes_are_guessed_by_what_they_show(tmp_path, start, end, unit):
    (tmp_path / "log").write_text(_table([("App", "job"), ("begin", start), ("finish", end)]))
    assert refused(tmp_path / "log").table.guess.unit == unit


@pytest.mark.parametrize(
    ("unit", "day", "says"),
    [("mdy", "4", "3/4/2024: the month"), ("dmy", "4", "3/4/2024: the day"), ("mdy", "14", None)],
)
def test_dates_that_may_be_two_are_said(tmp_path, unit, day, says):
    (tmp_path / "log").write_text(f"App;begin;finish\na;3/{day}/2024 10:00;3/{day}/2024 10:00:30\n")
    imported = open_trace(
        [tmp_path / "log"], parameters={"columns": f"job=App,start=begin,end=finish,unit={unit}"}
    )
    said = [text for text in imported.report.assumptions if "shows whether the month or the day" in text]
    assert bool(said) == (says is not None)
    assert all(says in text for text in said)
    began = datetime(2024, 4, 3, 10) if unit == "dmy" else datetime(2024, 3, int(day), 10)
    assert imported.report.started == began.replace(tzinfo=UTC).timestamp() * 1000


def test_dates_with_slashes_need_their_unit(tmp_path):
    (tmp_path / "log").write_text("App;begin;finish\na;3/4/2024 10:00;3/4/2024 10:00:30\n")
    with pytest.raises(TraceError, match=r"month comes first \(unit=mdy\) or the day \(unit=dmy\)"):
        open_trace([tmp_path / "log"], parameters={"columns": "job=App,start=begin,end=finish,unit=date"})


@pytest.mark.parametrize("pack", ["zip", "tar", "gz"])
def test_a_table_in_an_archive_is_asked_about_and_read(tmp_path, pack):
    content = b"App;begin;finish\na;1;2\n"
    packed = {
        "zip": zip_of({"x/t.csv": content}),
        "tar": tar_of({"x/t.csv": content}),
        "gz": gzip_of(content),
    }
    path = tmp_path / f"log.{pack}"
    path.write_bytes(packed[pack])
    table = first_table([path])
    assert table.shape.names == ("App", "begin", "finish")
    assert refused(path).table.guess == table.guess
    assert open_trace([path], parameters={"columns": table.guess.text()}).workload.jobs


def test_a_table_that_is_gone_is_said(tmp_path):
    (tmp_path / "log.zip").write_bytes(zip_of({"x/t.csv": b"nothing"}))
    with pytest.raises(InputError, match="no table is there any more"):
        first_table([tmp_path / "log.zip"])


UNITS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}


@pytest.mark.parametrize("unit", UNITS)
def test_every_unit_since_1970(tmp_path, unit):
    path = tmp_path / "log"
    per, began = UNITS[unit], 1_700_000_000
    rows = [f"a;{(began + i) * per};{(began + 2 + 2 * i) * per}" for i in range(3)]
    path.write_text("\n".join(["app;begin;stop", *rows, f"a;{(began + 9) * per};0"]))
    table = refused(path).table
    assert table.guess.unit == unit
    imported = open_trace([path], parameters={"columns": table.guess.text()})
    assert imported.workload.jobs[0].maps.durations == pytest.approx([2, 3, 4])
    assert imported.report.tasks[MAP].left_out == {
        "never ended": 1
    }  # an end of 0 is none where times are of 1970


def test_decimals_behind_a_comma(tmp_path):
    (tmp_path / "log").write_text("app;begin;stop\na;1,5;3,75\n")
    (job,) = open_trace(
        [tmp_path / "log"], parameters={"columns": "job=app,start=begin,end=stop"}
    ).workload.jobs
    assert job.maps.durations == pytest.approx([2.25])


def test_dates_with_dots_begin_with_the_day(tmp_path):
    (tmp_path / "log").write_text("job;begin;stop\na;31.05.2024 23:59:59;1.6.2024 00:00:01.5\n")
    columns = {"columns": "start=begin,end=stop,unit=date"}
    imported = open_trace([tmp_path / "log"], parameters=columns)
    assert imported.report.started == datetime(2024, 5, 31, 23, 59, 59, tzinfo=UTC).timestamp() * 1000
    assert imported.workload.jobs[0].maps.durations == pytest.approx([2.5])


def test_milliseconds_taken_for_seconds_are_told(tmp_path):
    (tmp_path / "log").write_text("job;begin;stop\na;1700000000000;1700000000500\n")
    with pytest.raises(TraceError, match="in s is thousands of years; another unit may be meant"):
        open_trace([tmp_path / "log"], parameters={"columns": "start=begin,end=stop"})


def test_only_tables_that_have_the_named_columns_are_read(tmp_path, data):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("app,begin,stop\na,1,2\n")
    (tmp_path / "c.csv").write_text("name,size,colour\nx,1,red\n")
    (tmp_path / "d.csv.gz").write_bytes(gzip_of((MAPPED / "export.psv").read_bytes()))
    assert "--columns job=app,start=begin,end=stop,unit=s" in str(refused(tmp_path))
    imported = open_trace([tmp_path], parameters={"columns": "job=app,start=begin,end=stop"})
    assert imported.report.files == ("a.csv", "b.csv")
    assert dict(imported.report.files_left_out) == {
        "c.csv": "a table separated by commas",
        "d.csv.gz": "a table separated by bars",
    }
    with pytest.raises(InputError, match=r"c\.csv: job is to be 'app', and there is no such column"):
        open_trace([tmp_path / "c.csv"], parameters={"columns": "job=app,start=begin,end=stop"})
    with pytest.raises(InputError, match="job is to be 'nobody', and there is no such column"):
        open_trace([tmp_path], parameters={"columns": "job=nobody,start=begin,end=stop"})
    with pytest.raises(UnknownName, match="unknown parameter of Rumen job trace 'columns'"):
        open_trace([data / "rumen-2011.json"], parameters={"columns": "job=app,start=begin,end=stop"})


@pytest.mark.parametrize(
    "text",
    [
        "Dear reader, hello, yes\n\nall is well\n",
        "1,2,3\n4,5,6\n",
        "2024-01-01 12:00:00,123 INFO, done\n2024-01-01 12:00:01,124 INFO, done\n",
        "a,b,c\n",
        "a,b\n1,2\n",
        '{"a": 1, "b": [2], "c": 3}\n{"a": 1, "b": [2], "c": 3}\n',
        '{"a": 1}\n',
    ],
)
def test_what_is_no_table_of_tasks_gets_no_example(tmp_path, text):
    (tmp_path / "file").write_text(text)
    with pytest.raises(UnknownFormat) as caught:
        open_trace([tmp_path / "file"])
    assert not isinstance(caught.value, UnknownTable)


@settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(list(COLUMNS)), st.data())
def test_changed_tables_give_a_workload_or_a_sentence(tmp_path, name, data):
    log = (MAPPED / name).read_bytes()
    for _ in range(data.draw(st.integers(1, 4))):
        token = data.draw(st.sampled_from(list(TOKEN.finditer(log))))
        log = log[: token.start()] + data.draw(STRANGE_TOKENS) + log[token.end() :]
    path = tmp_path / "log"
    path.write_bytes(log[: data.draw(st.integers(0, len(log)))] if data.draw(st.booleans()) else log)
    with suppress(InputError):
        imported = open_trace([path], parameters={"columns": COLUMNS[name]})
        json.dumps(imported.report.to_json(), allow_nan=False).encode()
        imported.workload.description.encode()
    try:
        open_trace([path])
    except UnknownTable as error:
        with suppress(InputError):
            error.table.outcome(error.table.guess)
    except InputError:
        pass
