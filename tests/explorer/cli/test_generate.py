"""`slotscope fit`, `generate fitted` and `scale`: from a recorded job to jobs like it, and to larger ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.files.open_workload import open_workload
from core.generate import families
from core.generate.distributions import parse_distribution
from explorer.cli.generate import FAMILIES
from explorer.cli.run import run
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

LOG = str(DATA / "jobtracker-0.20.log")


def test_fits_are_printed_as_tables_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fit", "facebook", "--job", "J086"]) == 0
    tables = capsys.readouterr().out
    assert "LogNormal" in tables
    assert "Kolmogorov-Smirnov" in tables
    assert run(["fit", "facebook", "--job", "J086", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["version"] == 1
    assert answer["job"] == "J086"
    for part in answer["parts"]:
        distances = [fit["distance"] for fit in part["fits"]]
        assert distances == sorted(distances)
        for fit in part["fits"]:
            assert list(fit["parameters"].values()) == list(parse_distribution(fit["text"]).values)
    best = answer["parts"][0]["fits"][0]
    assert (best["distribution"], best["distance"] < 0.05) == ("lognormal", True)


def test_jobs_are_generated_from_a_fit_the_same_every_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / name for name in ("a.workload.json", "b.workload.json")]
    for path in paths:
        options = ["generate", "fitted", "--from", "facebook", "--job", "J086", "--jobs", "3", "--seed", "7"]
        assert run([*options, "-p", "map_durations=weibull", "--out", str(path)]) == 0
    assert "3 jobs" in capsys.readouterr().out
    assert paths[0].read_bytes() == paths[1].read_bytes()
    workload = open_workload(str(paths[0])).workload
    template = open_workload("facebook").workload
    job = template.jobs[template.job_index["J086"]]
    assert [each.maps.count for each in workload.jobs] == [job.maps.count] * 3
    assert workload.origin is not None
    recorded = dict(workload.origin.parameters)
    assert recorded["template"] == "J086"
    assert recorded["map_durations"].startswith("weibull(")


def test_scaling_writes_a_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "large.workload.json"
    assert run(["scale", "five-jobs", "--factor", "2", "--jobs", "J1,J3", "--out", str(path)]) == 0
    assert "150 maps and 150 reduces became 210 maps and 150 reduces" in capsys.readouterr().out
    scaled = open_workload(str(path)).workload
    assert [job.maps.count for job in scaled.jobs] == [60, 30, 60, 30, 30]
    assert [float(job.reduces.durations[0]) for job in scaled.jobs] == [10, 4, 8, 30, 3]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fit", "five-jobs"], "has 5 jobs; say which one with --job NAME"),
        (["fit", "five-jobs", "--job", "J9"], "unknown job of Five jobs 'J9'"),
        (["generate", "facebook", "--from", "five-jobs", "--out", "x"], "belong to the family 'fitted'"),
        (["generate", "fitted", "--job", "J1", "--out", "x"], "belong to the family 'fitted'"),
        (["scale", "five-jobs", "--factor", "0", "--out", "x"], "the factor is 0"),
        (["scale", "five-jobs", "--factor", "2", "--jobs", "J9", "--out", "x"], "unknown job"),
    ],
)
def test_bad_options_get_a_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert words in capsys.readouterr().err


def test_a_recorded_job_is_fitted(capsys: pytest.CaptureFixture[str]) -> None:
    job = open_workload(LOG).workload.jobs[0].name
    assert run(["fit", LOG, "--job", job, "--json"]) == 0
    parts = {part["part"]: part for part in json.loads(capsys.readouterr().out)["parts"]}
    assert parts["map_durations"]["samples"] > 0


def test_help_names_every_family() -> None:
    assert all(family.id in FAMILIES for family in families.FAMILIES)
