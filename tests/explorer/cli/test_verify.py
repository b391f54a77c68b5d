"""`slotscope optimize --certificate` and `slotscope verify`: what is proved is written, and checked anew."""

from __future__ import annotations

import gzip
import json

import pytest

from explorer.cli.run import run
from tests.explorer.cli.test_command_line import error_of, json_of, words_of

FEW = ("--steps", "40")


@pytest.fixture
def written(tmp_path, capsys):
    """The certificate of the five jobs."""
    path = tmp_path / "five.certificate.json"
    text = words_of(capsys, "optimize", "five-jobs", *FEW, "--certificate", str(path))
    assert "optimal without lending slots, proved" in text
    assert f"Certificate written to {path}" in text
    return path


def test_a_certificate_that_holds_is_confirmed(capsys, written):
    text = words_of(capsys, "verify", str(written))
    assert "no schedule has a smaller makespan than 47 s" in text
    assert "300 tasks of 5 jobs" in text
    assert "confirmed: proved" in text
    answer = json_of(capsys, "verify", str(written))
    assert answer == {
        "confirmed": True,
        "problems": [],
        "claim": "optimal",
        "jobs": 5,
        "tasks": 300,
        "value": 47,
        "bound": 47,
    }
    packed = written.with_name("five.certificate.json.gz")
    packed.write_bytes(gzip.compress(written.read_bytes()))
    assert json_of(capsys, "verify", str(packed)) == answer


def test_one_that_was_changed_is_refused_with_every_reason(capsys, written):
    document = json.loads(written.read_text())
    document["schedule"]["start"][3] -= 0.25
    document["bound"] = 48
    written.write_text(json.dumps(document))
    text = error_of(capsys, "verify", str(written))
    assert "proves nothing" in text
    assert "task 3, a map of job 0" in text
    assert "not 48" in text
    assert run(["verify", str(written), "--json"]) == 2
    answer = json.loads(capsys.readouterr().out)
    assert answer["confirmed"] is False
    assert len(answer["problems"]) >= 2


def test_other_files_are_refused_in_a_sentence(capsys, tmp_path):
    assert "does not exist" in error_of(capsys, "verify", str(tmp_path / "none.json"))
    other = tmp_path / "other.json"
    other.write_text("[]")
    assert "this is no certificate" in error_of(capsys, "verify", str(other))
    given = ("optimize", "five-jobs", "--certificate", "/nowhere/five.json")
    assert "--certificate /nowhere/five.json: the folder" in error_of(capsys, *given)


@pytest.mark.parametrize(
    ("sample", "objective"), [("five-jobs-pools", "makespan"), ("five-jobs", "mean-response")]
)
def test_of_a_gap_the_bound_is_proved(capsys, tmp_path, sample, objective):
    path = tmp_path / "gap.certificate.json"
    given = (sample, *FEW, "--levers", "order,slowstart", "--objective", objective)
    text = words_of(capsys, "optimize", *given, "--certificate", str(path))
    assert f"Certificate written to {path}" in text
    assert "proved" not in text.split("Certificate written")[0].replace("not proved", "")
    document = json.loads(path.read_text(encoding="utf-8"))
    assert (document["claim"], document["value"] > document["bound"] > 0) == ("within", True)
    verified = words_of(capsys, "verify", str(path))
    assert "confirmed: the bound is proved" in verified
    assert f"no schedule has a smaller {objective} than" in verified
    document["bound"] = (document["bound"] + document["value"]) / 2
    path.write_text(json.dumps(document), encoding="utf-8")
    assert "the proof gives the bound" in error_of(capsys, "verify", str(path))
    guesses = words_of(
        capsys, "optimize", *given, "--robust", "0.3", "--certificate", str(tmp_path / "no.json")
    )
    assert "durations are guesses" in guesses
    assert not (tmp_path / "no.json").exists()


def test_what_the_checker_does_not_know_is_not_called_proved(capsys, tmp_path):
    path = tmp_path / "none.json"
    given = ("five-jobs", *FEW, "--nodes", "8x64GB,64", "--certificate", str(path))
    text = words_of(capsys, "optimize", *given)
    assert "it meets its lower bound; no certificate: none is made for nodes" in text
    assert "proved" not in text
    answer = json_of(capsys, "optimize", *given)
    assert (answer["proved"], answer["why_not_proved"]) == (False, "none is made for nodes")
    assert not path.exists()


def test_that_fewer_are_too_few_is_proved(capsys, tmp_path):
    path = tmp_path / "few.json"
    given = ("fewest", "five-jobs", "--until", "50", *FEW, "--certificate", str(path))
    assert "fewer are proved to be too few" in words_of(capsys, *given)
    text = words_of(capsys, "verify", str(path))
    assert "no schedule ends by 50 s on 29 map + 29 reduce slots" in text
    text = words_of(capsys, *given, "--vary", "total")
    assert "by the lower bound fewer are too few" in text
    assert "none is made for every split of the slots" in text


def test_how_late_is_too_late_is_proved(capsys, tmp_path):
    path = tmp_path / "late.json"
    given = ("latest", "five-jobs", "--job", "J3", "--until", "55", *FEW, "--certificate", str(path))
    assert "Certificate written" in words_of(capsys, *given)
    document = json.loads(path.read_text())
    assert document["claim"] == "nothing ends by"
    assert document["jobs"]["arrival"][2] == pytest.approx(21, abs=0.1)
    assert json_of(capsys, *given[:-2])["proved"]


def test_a_front_is_checked_and_is_of_its_workload(capsys, tmp_path):
    path = tmp_path / "front.json.gz"
    asked = ("optimize", "five-jobs-pools", "--front", "makespan,stretch", "--points", "3", *FEW)
    text = words_of(capsys, *asked, "--out", str(path))
    assert f"Front written to {path}; 'slotscope verify {path}' checks it" in text
    text = words_of(capsys, "verify", str(path), "--of", "five-jobs-pools")
    assert "Front of Five jobs, two sizes" in text
    assert "every schedule (260 tasks of 5 jobs, each on its slot at its times)" in text
    assert "Its jobs are those of five-jobs-pools, and the simulator runs its plans as it says" in text
    answer = json_of(capsys, "verify", str(path))
    assert answer["confirmed"] is True
    assert answer["goals"] == ["makespan", "stretch"]
    assert all(point["bound"] <= point["value"] for point in answer["points"])
    assert "its jobs are not those of Five jobs" in error_of(capsys, "verify", str(path), "--of", "five-jobs")
    other = ("verify", str(path), "--of", "five-jobs-pools", "--map-slots", "9")
    assert "its cluster is another one" in error_of(capsys, *other)


def test_a_forged_front_is_refused(capsys, tmp_path):
    path = tmp_path / "front.json"
    words_of(capsys, "optimize", "five-jobs-pools", "--front", "makespan,stretch", *FEW, "--out", str(path))
    document = json.loads(path.read_text())
    document["points"][0]["gap"] = 0.0
    path.write_text(json.dumps(document))
    text = error_of(capsys, "verify", str(path))
    assert "proves nothing" in text
    assert "point 1: its gap is" in text


def test_a_front_on_nodes_is_written_without_proofs(capsys, tmp_path):
    path = tmp_path / "front.json"
    asked = ("optimize", "five-jobs-pools", "--nodes", "4x16GB,8", "--front", "makespan,stretch")
    text = words_of(capsys, *asked, "--points", "2", *FEW, "--out", str(path))
    assert f"Front written to {path} without proofs: none is made for nodes" in text
    assert "it has no proof: none is made for nodes" in error_of(capsys, "verify", str(path))
