"""A policy file in a study: rows are those of a plain run, its content counts, and nothing runs unasked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from core.files.resources import resource_path
from core.model.errors import DocumentError, InputError, PolicyError
from core.policy_checks.scoreboard import study_workloads
from core.study.executors import InThisProcess, dask
from core.study.policy_sources import file_of, read_policies, running, with_policies_beside
from core.study.results import StudyResults
from core.study.run_study import run_study
from core.study.study_document import read_study, study_from_json, write_study
from explorer.cli.run import run
from tests.core.study.study_examples import DOCUMENT

if TYPE_CHECKING:
    from core.study.study import Study

MINE = resource_path("policies", "smallest_first.py").read_text()


def document(folder: Path, text: str = MINE, **changes: Any) -> Path:
    """Write a study that compares a policy file with FIFO, and the file beside it."""
    (folder / "mine.py").write_text(text)
    axes = [
        {"name": "slots", "fields": ["cluster.slots"], "values": [4, 8]},
        {"name": "policy", "fields": ["policy.id"], "values": ["fifo", "file:mine.py"]},
    ]
    path = folder / "own.study.json"
    path.write_text(json.dumps(DOCUMENT | {"axes": axes} | changes))
    return path


def ran(study: Study, folder: Path) -> StudyResults:
    progress = run_study(study, folder, InThisProcess(), policies=read_policies(study))
    assert progress.is_complete
    return StudyResults.open(folder)


def test_rows_are_those_of_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each seed's workload is written by `generate` and simulated by `simulate`: no code of studies runs."""
    path = document(tmp_path)
    frame = ran(read_study(path), tmp_path / "out").frame()
    mine = frame[frame["policy"] == "file:mine.py"]
    assert len(mine) == 4
    for row in mine.to_dict("records"):
        jobs = str(tmp_path / f"{row['seed']}.workload.json")
        words = ["-p", "jobs=3", "--seed", str(row["seed"]), "--out", jobs]
        assert run(["generate", "synthetic1", *words]) == 0
        half = str(row["slots"] // 2)
        options = ["--map-slots", half, "--reduce-slots", half, "--slowstart", "1", "--json"]
        capsys.readouterr()
        assert run(["simulate", jobs, "--policy", f"file:{tmp_path / 'mine.py'}", *options]) == 0
        assert json.loads(capsys.readouterr().out)["makespan"] == row["makespan"]
    assert not (mine["makespan"].to_numpy() == frame[frame["policy"] == "fifo"]["makespan"].to_numpy()).all()


def test_nothing_runs_that_was_not_agreed_to(tmp_path: Path) -> None:
    left = tmp_path / "ran"
    path = document(tmp_path, f"open({str(left)!r}, 'w').close()\n{MINE}")
    study = read_study(path)
    with pytest.raises(InputError, match=r"mine\.py, whose code nobody has agreed to"):
        run_study(study, tmp_path / "out", InThisProcess())
    assert not left.exists()


def test_the_command_asks_for_trust(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "run", str(document(tmp_path)), "--out", str(tmp_path / "out")]
    assert run(words) == 2
    assert "add --trust-policies" in capsys.readouterr().err
    assert run([*words, "--trust-policies", "--workers", "1"]) == 0
    assert "8 simulations" in capsys.readouterr().out


def test_content_counts_and_not_the_place(tmp_path: Path) -> None:
    """The same file elsewhere keeps the rows; another content runs again, and FIFO's rows are kept."""
    out = tmp_path / "out"
    ran(read_study(document(tmp_path)), out)
    (tmp_path / "moved").mkdir()
    moved = read_study(document(tmp_path / "moved"))
    assert run_study(moved, out, InThisProcess(), policies=read_policies(moved)).kept == 8
    changed = read_study(document(tmp_path, MINE + "\n# another content\n"))
    assert run_study(changed, out, InThisProcess(), policies=read_policies(changed)).kept == 4


def test_workers_need_the_content_alone(tmp_path: Path) -> None:
    """On another machine the path of the file leads nowhere."""
    study = read_study(document(tmp_path))
    there = ran(study, tmp_path / "there").frame()
    sources = {
        name: replace(source, path=Path("/nowhere", "mine.py"))
        for name, source in read_policies(study).items()
    }
    (tmp_path / "mine.py").unlink()
    run_study(study, tmp_path / "gone", InThisProcess(), policies=sources)
    assert StudyResults.open(tmp_path / "gone").frame().equals(there)


def test_dask_gives_the_same_rows(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    study = read_study(document(tmp_path))
    workers = dask("local", 1)
    try:
        run_study(study, tmp_path / "dask", workers, policies=read_policies(study))
    finally:
        workers.shutdown()
    assert StudyResults.open(tmp_path / "dask").table().equals(ran(study, tmp_path / "serial").table())


def test_parameters_of_a_file_are_set_and_varied(tmp_path: Path) -> None:
    axis = {"name": "share", "fields": ["policy.parameters.largest_share"], "values": [0.1, 1.0]}
    base = DOCUMENT["base"] | {"policy": {"id": "file:mine.py"}}
    frame = ran(read_study(document(tmp_path, base=base, axes=[axis])), tmp_path / "out").frame()
    means = frame.groupby("share")["makespan"].mean()
    assert means[0.1] > means[1.0]


def test_a_parameter_that_no_policy_has_is_refused(tmp_path: Path) -> None:
    base = DOCUMENT["base"] | {"policy": {"id": "fifo", "parameters": {"largest_shar": 0.3}}}
    study = read_study(document(tmp_path, base=base))
    with pytest.raises(InputError, match=r"largest_shar.*did you mean 'largest_share'"):
        run_study(study, tmp_path / "out", InThisProcess(), policies=read_policies(study))


def test_what_a_file_raises_is_in_the_rows(tmp_path: Path) -> None:
    text = MINE.replace("return ", "return 1 // 0 or ", 1)
    failed = ran(read_study(document(tmp_path, text)), tmp_path / "out").failed()
    assert set(failed["policy"]) == {"file:mine.py"}
    assert failed["error"].str.contains(r"mine\.py:\d+: policy smallest-first raised ZeroDivision").all()


def test_a_file_that_does_not_run_ends_the_study_at_once(tmp_path: Path) -> None:
    study = read_study(document(tmp_path, "nothing = 1\n"))
    with pytest.raises(PolicyError, match="the file holds no policy"):
        run_study(study, tmp_path / "out", InThisProcess(), policies=read_policies(study))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("mine.py", "a policy file is named with the word file before it: file:mine.py"),
        ("file:mine.txt", "ends in .py: file:mine.py"),
        ("file:", "ends in .py: file:mine.py"),
        ("file:sub/.py", "ends in .py: file:mine.py"),
    ],
)
def test_wrong_names_are_sentences(name: str, rule: str) -> None:
    base = DOCUMENT["base"] | {"policy": {"id": name}}
    with pytest.raises(DocumentError, match=rule.replace(".", r"\.")):
        study_from_json(DOCUMENT | {"base": base, "axes": []}, "x")


def test_a_study_that_is_saved_takes_its_files_along(tmp_path: Path) -> None:
    figure = {
        "kind": "lines", "x": "slots", "y": "makespan", "by": "policy",
        "as": {"kind": "difference", "at": {"policy": "file:mine.py"}},
    }  # fmt: skip
    study = read_study(document(tmp_path, figures=[figure]))
    there = tmp_path / "there"
    there.mkdir()
    absolute = study_from_json(
        json.loads(json.dumps(json.loads((tmp_path / "own.study.json").read_text())).replace(
            "file:mine.py", f"file:{tmp_path / 'mine.py'}"
        )),
        "x",
    )  # fmt: skip
    write_study(with_policies_beside(absolute, there), there / "own.study.json")
    assert read_study(there / "own.study.json") == study
    assert (there / "mine.py").read_text() == MINE
    (there / "mine.py").write_text("another = 1\n")
    with pytest.raises(InputError, match=r"needs a copy of mine\.py"):
        with_policies_beside(absolute, there)


def test_a_version_leads_back_to_its_file(tmp_path: Path) -> None:
    study = read_study(document(tmp_path))
    version = running(read_policies(study)["file:mine.py"])
    assert file_of(version) == str(tmp_path / "mine.py")
    assert file_of("fifo") == "fifo"


def test_a_scoreboard_takes_the_jobs_of_a_study_and_runs_no_file_of_it(tmp_path: Path) -> None:
    left = tmp_path / "ran"
    study = read_study(document(tmp_path, f"open({str(left)!r}, 'w').close()\n{MINE}"))
    assert len(study_workloads(study)) == 2
    assert not left.exists()
