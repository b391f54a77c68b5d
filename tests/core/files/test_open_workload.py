"""Documents, logs and samples come in through one door."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys

import pytest

from core.files import workload_document
from core.files.open_workload import open_workload
from core.files.workload_document import BUILT, PARSED
from core.model import json_pieces
from core.model.errors import Cancelled, DocumentError, InputError, UnknownFormat, UnknownName
from tests.paths import DATA, ROOT

DOCUMENT = {
    "format": "slotscope-workload",
    "version": 1,
    "name": "One job",
    "jobs": [{"name": "J1", "maps": {"count": 2, "durations": 3}}],
}


def test_a_sample_is_opened_by_its_name():
    opened = open_workload("five-jobs")
    assert (opened.kind, opened.report, len(opened.workload.jobs)) == ("sample", None, 5)


def test_opening_a_sample_imports_no_reader_of_logs():
    """Neither the library nor the command line nor the window does, one after the other in one process."""
    openings = (
        "from core.files.open_workload import open_workload; open_workload('five-jobs')",
        "from explorer.cli.run import run; assert run(['simulate', 'five-jobs', '--json']) == 0",
        "from explorer.window.files.document_work import open_document as o; o('five-jobs', print, bool)",
    )
    named = "import sys; print('\\nreaders', [name for name in sys.modules if name.startswith('core.logs')])"
    code = "\n".join(line for opening in openings for line in (opening, named))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert [line for line in done.stdout.splitlines() if line.startswith("readers")] == ["readers []"] * 3


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_a_document_is_opened_by_its_content(tmp_path, pack):
    path = tmp_path / "five-jobs"
    path.write_bytes(pack(json.dumps(DOCUMENT).encode()))
    opened = open_workload(path)
    assert (opened.kind, opened.workload.name, opened.report) == ("document", "One job", None)


def test_a_document_that_tells_its_format_last_is_still_one(tmp_path):
    path = tmp_path / "late.json"
    path.write_text(json.dumps({"description": "x" * 90_000, "source": "y" * 90_000, **DOCUMENT}))
    durations = [1.5] * 100_000
    path.write_text(
        json.dumps(
            {
                "jobs": [{"name": "J1", "maps": {"count": 9, "durations": durations}}],
                **{key: DOCUMENT[key] for key in ("name", "format", "version")},
            }
        )
    )
    assert open_workload(path).kind == "document"


def test_a_damaged_document_gets_the_document_readers_answer(tmp_path):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(DOCUMENT | {"jobs": 5}))
    with pytest.raises(DocumentError, match="jobs"):
        open_workload(path)


def test_a_log_comes_with_its_report():
    seen: list[float] = []
    opened = open_workload(str(DATA / "rumen-2011.json"), progress=seen.append)
    assert opened.kind == "log"
    assert opened.report is not None
    assert opened.report.jobs_kept == len(opened.workload.jobs) == 2
    assert seen[-1] == 1.0


def test_the_progress_of_a_document_rises_with_its_text_and_its_jobs(tmp_path, monkeypatch):
    monkeypatch.setattr(json_pieces, "PIECE", 1000)
    monkeypatch.setattr(workload_document, "JOBS_AT_ONCE", 10)
    jobs = [{"name": f"J{i}", "maps": {"count": 2, "durations": [3, 4]}} for i in range(100)]
    path, seen = tmp_path / "jobs.json", []
    path.write_text(json.dumps(DOCUMENT | {"jobs": jobs}))
    open_workload(path, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert sum(each < PARSED for each in seen) >= 10
    assert sum(PARSED <= each < BUILT for each in seen) >= 10
    with pytest.raises(Cancelled):
        open_workload(path, should_stop=lambda: True)


def test_a_folder_is_opened_as_logs(tmp_path):
    for log in DATA.glob("rumen-*.json"):
        shutil.copy(log, tmp_path)
    assert len(open_workload(tmp_path).workload.jobs) == 5


def test_a_name_that_is_neither_offers_the_nearest_sample():
    with pytest.raises(UnknownName, match="unknown file or sample 'five-job'; did you mean 'five-jobs'"):
        open_workload("five-job")


def test_other_files_and_odd_names_are_refused_with_a_sentence(tmp_path):
    (tmp_path / "letter").write_text("Dear reader")
    with pytest.raises(UnknownFormat, match="looks like text"):
        open_workload(tmp_path / "letter")
    for name in ("", "x\0y", "x" * 10_000, "no/such/file.json"):
        with pytest.raises(InputError):
            open_workload(name)
