"""Certificates as files: what is written is what was checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError
from core.verify import certificate
from core.verify.certificate import Certificate, late_certificate, read_certificate, write_certificate
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.verify.made import certificate_of

if TYPE_CHECKING:
    from pathlib import Path

FIVE = two_stage_workload(FIVE_JOBS)


def made() -> Certificate:
    """That of Johnson's order, which is the best."""
    return certificate_of(run(FIVE, Cluster(30, 30, 1.0), "johnson"))


@pytest.mark.parametrize("name", ["best.certificate.json", "best.certificate.json.gz"])
def test_a_file_has_all_of_it_to_the_last_bit(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_certificate(made(), path)
    assert read_certificate(path) == made()
    assert read_certificate(path).is_confirmed
    write_certificate(read_certificate(path), tmp_path / f"again-{name}")
    assert (tmp_path / f"again-{name}").read_bytes() == path.read_bytes()


def test_thirds_of_seconds_stay_what_they_are(tmp_path: Path) -> None:
    job = make_job("A", (3, [1 / 3, 2 / 3, 0.1]), (2, [1 / 7, 0.7], 0.1, 0.3), arrival=0.1, deadline=1 / 3)
    certificate = certificate_of(run(make_workload(job), Cluster(1, 1)))
    write_certificate(certificate, tmp_path / "thirds.json")
    assert read_certificate(tmp_path / "thirds.json").document == certificate.document


def test_a_file_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "best.json"
    write_certificate(made(), path)
    document = json.loads(path.read_text())
    document["schedule"]["end"][7] += 0.5
    path.write_text(json.dumps(document))
    certificate = read_certificate(path)
    assert not certificate.is_confirmed
    problems = certificate.verdict.problems
    assert any(problem.startswith("task 7, a map of job 0, ends at") for problem in problems)


def test_what_is_no_json_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    path.write_text("{")
    with pytest.raises(InputError, match="not valid JSON"):
        read_certificate(path)


def test_it_is_told_in_rows() -> None:
    rows = dict(made().rows("{:g} s".format))
    assert rows["claim"] == "no schedule has a smaller makespan than 47 s on 30 map + 30 reduce slots"
    assert rows["schedule"] == "300 tasks of 5 jobs, each on its slot at its times"
    assert rows["lower bound"].startswith("47 s, by the rules: ")
    bound = {"rule": "alone"}
    too_late = late_certificate(FIVE, Cluster(30, 30), 20.0, 36.0, bound, "J4 needs 36 s")
    assert dict(too_late.rows("{:g} s".format))["claim"] == (
        "no schedule ends by 20 s on 30 map + 30 reduce slots"
    )


def test_cases_of_when_jobs_end_are_counted():
    leaf = {"falls": [[0.0]]}
    tree = {
        "job": 0,
        "at": 2.0,
        "sooner": leaf,
        "later": {"job": 1, "at": 3.0, "sooner": leaf, "later": leaf},
    }
    assert (
        certificate._numbers_text({"of": "tardiness", "rule": "prices", "cases": tree}) == "prices (3 cases)"
    )
