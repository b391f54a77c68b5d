"""Opening logs: by content, packed or not, one or many, damaged or foreign, with progress and cancel."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from core.logs import byte_source
from core.logs.import_progress import MADE, READ_OF_LAST
from core.logs.open_log import open_trace
from core.model.errors import Cancelled, InputError, TraceError, UnknownFormat, UnknownName
from tests.core.logs.packed import PACK
from tests.gzipped import gzip_of

JOBS_2011 = ["job_201101010000_0007", "job_201101010000_0008"]


def names(path: Path) -> list[str]:
    return [job.name for job in open_trace([path]).workload.jobs]


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.fixture
def late(data: Path) -> bytes:
    return (data / "rumen-2011.json").read_bytes()


@pytest.mark.parametrize("name", ["log", "log.gz", "log.csv", "log.workload.json"])
@pytest.mark.parametrize("pack", [bytes, *PACK.values()], ids=["plain", *PACK])
def test_the_content_decides_not_the_name(tmp_path, late, name, pack):
    assert names(write(tmp_path / name, pack(late))) == JOBS_2011


def test_gzip_of_several_members_is_one_log(tmp_path, late):
    cut = late.index(b'"job_201101010000_0008"')
    packed = gzip_of(late[:cut]) + gzip_of(late[cut:]) + b"\0" * 512
    assert names(write(tmp_path / "log", packed)) == JOBS_2011


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_several_packed_streams_one_behind_the_other_are_one_log(tmp_path, late, pack):
    cut = late.index(b'"job_201101010000_0008"')
    assert names(write(tmp_path / "log", pack(late[:cut]) + pack(late[cut:]))) == JOBS_2011


def test_a_cut_log_gives_the_jobs_before_the_cut(tmp_path, late):
    imported = open_trace([write(tmp_path / "log", late[:-50])])
    assert [job.name for job in imported.workload.jobs] == JOBS_2011[:1]
    (problem,) = imported.report.damage
    assert problem.where.startswith("log, line ")
    assert not imported.report.is_clean


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_a_packed_log_that_is_cut_gives_the_jobs_before_the_cut(tmp_path, data, pack):
    noise = random.Random(1).randbytes(300_000).hex().encode()
    packed = pack((data / "rumen-2009.json").read_bytes() + noise)
    imported = open_trace([write(tmp_path / "log", packed[: len(packed) - 2000])])
    assert len(imported.workload.jobs) == 3
    assert any("packed data ends early" in problem.rule for problem in imported.report.damage)


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_packed_data_with_damage_gives_what_is_before_it(tmp_path, data, pack):
    noise = b'{"noise":"' + b"".join(b"%d" % (i * i) for i in range(40_000))
    packed = bytearray(pack((data / "rumen-2009.json").read_bytes() + noise))
    middle = len(packed) // 2
    packed[middle : middle + 6000] = bytes(6000)
    imported = open_trace([write(tmp_path / "log", bytes(packed))])
    assert len(imported.workload.jobs) == 3
    assert any("packed data is damaged" in problem.rule for problem in imported.report.damage)


def test_the_progress_and_the_end_of_a_packed_import_are_the_users(tmp_path, late):
    packed = write(tmp_path / "log", PACK["zstd"](late + random.Random(1).randbytes(300_000).hex().encode()))
    with pytest.raises(Cancelled):
        open_trace([packed], should_stop=iter([False] * 3 + [True] * 9).__next__)


def test_a_wrong_checksum_is_reported_and_the_jobs_are_kept(tmp_path, late):
    packed = bytearray(gzip_of(late))
    packed[-6] ^= 0xFF
    imported = open_trace([write(tmp_path / "log", bytes(packed))])
    assert len(imported.workload.jobs) == 2
    assert "packed data is damaged" in imported.report.damage[0].rule


def test_damage_in_the_middle_costs_one_job(tmp_path, data):
    content = (data / "rumen-2009.json").read_bytes().replace(b'"outcome":"FAILED"', b'"outcome":FAILED', 1)
    imported = open_trace([write(tmp_path / "log", content)])
    assert [job.name[-4:] for job in imported.workload.jobs] == ["0001", "0004"]
    assert imported.report.damage_count == 1


def test_several_paths_become_one_workload_merged_by_submit_time(data):
    paths = [data / "rumen-2011.json", data / "rumen-2009.json"]
    imported = open_trace(paths)
    assert [job.name[-4:] for job in imported.workload.jobs] == ["0001", "0002", "0004", "0007", "0008"]
    assert imported.workload.name == "rumen-2011 and 1 more"
    assert imported.report.files == ("rumen-2011.json", "rumen-2009.json")
    assert imported.workload.jobs[-1].arrival == pytest.approx(100_000_001.5)


def test_a_folder_gives_every_log_in_it_and_names_what_is_none(tmp_path, rumen):
    folder = tmp_path / "logs"
    shutil.copytree(rumen, folder / "deep")
    write(folder / ".hidden", b"{")
    write(folder / "job_conf.xml", b"<?xml version='1.0'?>\n<configuration></configuration>")
    imported = open_trace([folder])
    assert len(imported.workload.jobs) == 5
    assert imported.workload.name == "logs"
    assert dict(imported.report.files_left_out)["job_conf.xml"] == "a Hadoop configuration"


def test_the_same_log_twice_has_twice_the_jobs(data):
    imported = open_trace([data / "rumen-2011.json"] * 2)
    assert imported.report.repeated_names == 2
    assert [job.name for job in imported.workload.jobs][:2] == [JOBS_2011[0], f"{JOBS_2011[0]} (2)"]


@pytest.mark.parametrize(
    ("content", "looks"),
    [
        (b"", "an empty file"),
        (b'{"name": "<root>", "children": [{"name": "rack", "children": null}]}', "cluster topology"),
        (b"Avro-Binary\n", "binary Avro"),
        (b'{"format": "slotscope-workload", "version": 1}', "open it, do not import it"),
        (b'{"format": "slotscope-session", "version": 1}', "open it in the window"),
        (b'{"jobs": []}', "without its header"),
        (b'[{"name": "f", "pid": "node:1", "ph": "X", "ts": 1, "dur": 2}]', "in Chrome's format"),
        (b'{"unit": "ms", "traceEvents": [{"name": "x", "ph": "B", "ts": 1}]}', "in Chrome's format"),
        (b'{"nb_res": 4, "jobs": [{"id": "1"}], "profiles": {"p": {"type": "delay"}}}', "simulator Batsim"),
        (b"0,2,3418309,0,4155527081,0,70s3v5qR,3,9,,,,0\n", "Google's cluster of 2011"),
        (b'{"anything": 1}', "JSON of another kind"),
        (b"PK\x03\x04", "the archive is damaged"),
        (b"\x28\xb5\x2f\xfd", "damaged zstd data"),
        (gzip_of(PACK["lz4"](PACK["zstd"](b"x"))), "packed more than twice"),
        (b"a,b,c\n1,2,3", "a table separated by commas"),
        (b"a\tb\n", "a table separated by tabs"),
        (b"\x7fELF\0\0", "binary data"),
        ("job,kind,start,end\nJ1,map,0,5\n".encode("utf-16"), "text in UTF-16; save it in UTF-8"),
        (b"J1,map,0,5\nJ1,map,0,6\n", "whose first line names no columns"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary data"),
        (b'<?xml version="1.0"?>\n<Types xmlns="x"/>', "save its table as CSV"),
        (b"Dear reader", "text of an unknown kind"),
        (gzip_of(gzip_of(gzip_of(b"x"))), "packed more than twice"),
        (gzip_of(gzip_of(b"a\tb\n")), "a table separated by tabs"),
        (gzip_of(b"a\tb\n"), "a table separated by tabs"),
        (gzip_of(b""), "an empty file"),
        (b"\x1f\x8b\x08\xff" + b"?" * 40, "damaged gzip data"),
    ],
)
def test_an_unknown_format_says_what_the_file_looks_like(tmp_path, content, looks):
    with pytest.raises(UnknownFormat, match=looks) as caught:
        open_trace([write(tmp_path / "file", content)])
    assert str(tmp_path / "file") in str(caught.value)
    assert any(
        said in str(caught.value) for said in ("Rumen job trace", "the archive is damaged", "--columns")
    ) == (looks != "an empty file"), "what logs look like helps nobody with an empty one"


def test_a_foreign_file_beside_a_log_is_refused_when_it_was_named(tmp_path, data):
    foreign = write(tmp_path / "notes.txt", b"Dear reader")
    with pytest.raises(UnknownFormat, match=r"notes\.txt"):
        open_trace([data / "rumen-2011.json", foreign])


def test_a_damaged_log_is_not_an_unknown_format(tmp_path):
    with pytest.raises(TraceError, match=r"Rumen job trace, but no job could be read: .*line 1"):
        open_trace([write(tmp_path / "log", b'{"jobID": "job_1", "mapTasks": [{"taskID"')])


def test_a_folder_without_logs_lists_what_is_there(tmp_path):
    with pytest.raises(UnknownFormat, match="it has no file, or only hidden ones"):
        open_trace([tmp_path])
    write(tmp_path / "a.txt", b"Dear reader")
    with pytest.raises(UnknownFormat, match=r"a\.txt looks like text"):
        open_trace([tmp_path])


def test_a_folder_of_too_many_files_is_refused_before_it_is_read(tmp_path, data, monkeypatch):
    shutil.copy(data / "rumen-2011.json", tmp_path / "log")
    for i in range(3):
        write(tmp_path / f"{i}", b"?")
    monkeypatch.setattr("core.logs.log_files.MAX_FILES", 4)
    assert names(tmp_path) == JOBS_2011
    write(tmp_path / "4", b"?")
    with pytest.raises(InputError, match="holds more than 4 files; give the folder that holds the logs"):
        open_trace([tmp_path])


def test_looking_through_a_folder_can_be_stopped_and_tells_how_far_it_is(tmp_path, data):
    for i in range(8):
        write(tmp_path / f"{i}", b"?")
    shutil.copy(data / "rumen-2011.json", tmp_path / "log")
    seen: list[float] = []
    open_trace([tmp_path], progress=seen.append)
    assert len(seen) > 8
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        open_trace([tmp_path], should_stop=lambda: True)


def test_a_file_of_a_folder_that_cannot_be_read_is_left_out(tmp_path, rumen, monkeypatch):
    write(rumen / "locked", b"?")
    before = Path.open

    def refuse(path, *arguments):
        if path.name == "locked":
            raise PermissionError(13, "Permission denied")
        return before(path, *arguments)

    monkeypatch.setattr(Path, "open", refuse)
    imported = open_trace([rumen])
    assert dict(imported.report.files_left_out) == {"locked": "a file that cannot be read"}
    with pytest.raises(InputError, match=r"locked: cannot be read \(Permission denied\)"):
        open_trace([rumen / "locked"])


def test_files_of_a_folder_come_in_the_order_of_their_numbers(tmp_path, data):
    for name in ("part_10", "part_9", "Part_1"):
        shutil.copy(data / "rumen-2011.json", tmp_path / name)
    assert open_trace([tmp_path]).report.files == ("Part_1", "part_9", "part_10")


def test_a_value_for_a_format_without_parameters_is_refused(data):
    with pytest.raises(UnknownName, match="unknown parameter of Rumen job trace 'map_rate'"):
        open_trace([data / "rumen-2011.json"], parameters={"map_rate": 3})


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(InputError, match="no file to import"):
        open_trace([])
    with pytest.raises(InputError, match="there is no such file or folder"):
        open_trace([tmp_path / "nothing"])
    with pytest.raises(InputError, match="cannot be read"):
        open_trace([tmp_path / ("x" * 5000)])
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="a device or a pipe and no file"):
        open_trace([tmp_path / "pipe"])


def test_names_of_files_that_are_no_text_do_not_reach_the_workload(tmp_path, late):
    folder = tmp_path / "a\nb"
    folder.mkdir()
    path = Path(os.fsdecode(os.fsencode(folder) + b"/\xff.json"))
    imported = open_trace([write(path, late)])
    (imported.workload.name + imported.workload.source).encode()


def test_progress_rises_to_1_over_all_files(tmp_path, data):
    seen: list[float] = []
    big = write(tmp_path / "log", (data / "rumen-2009.json").read_bytes() * 40)
    open_trace([big, data / "rumen-2011.json"], progress=seen.append)
    assert len(seen) > 3
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_reading_lines_is_not_all_of_the_progress(tmp_path):
    """Of batch jobs it takes a third of the time: the jobs are made later, and put together."""
    rows = [f"{i} {i} 0 9 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1" for i in range(1, 101)]
    log = write(tmp_path / "jobs.swf", "\n".join(rows).encode())
    seen: list[float] = []
    open_trace([log], progress=seen.append)
    assert seen == sorted(seen)
    steps = [sum(begin < each <= end for each in seen) for begin, end in pairwise((0, READ_OF_LAST, MADE, 1))]
    assert steps == [1, 1, 4]
    assert seen.count(1.0) == 1
    seen.clear()
    with pytest.raises(Cancelled, match="stopped"):
        open_trace([log], progress=seen.append, should_stop=lambda: READ_OF_LAST in seen)
    assert max(seen) == READ_OF_LAST


def test_a_log_that_unpacks_to_too_much_is_read_up_to_there(tmp_path, late, monkeypatch):
    monkeypatch.setattr(byte_source, "MAX_LOG_BYTES", 2**20)
    imported = open_trace([write(tmp_path / "log", gzip_of(late + b" " * 2**22))])
    assert [job.name for job in imported.workload.jobs] == JOBS_2011
    (problem,) = imported.report.damage
    assert "what follows is left out" in problem.rule


def test_an_import_can_be_stopped(tmp_path, data):
    big = write(tmp_path / "log", (data / "rumen-2009.json").read_bytes() * 40)
    asked = []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) == 2

    with pytest.raises(Cancelled, match="log stopped"):
        open_trace([big], should_stop=should_stop)
    assert len(asked) == 2


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    (folder := tmp_path / "monday").mkdir()
    with pytest.raises(
        InputError,
        match=r"^monday: no file in the folder is a known log \(it has no file,",
    ):
        open_trace([folder])


def test_what_few_logs_are_packed_with_is_loaded_when_one_is():
    """It takes as much memory as all else that an import needs."""
    code = "import sys, core.logs.open_log; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
