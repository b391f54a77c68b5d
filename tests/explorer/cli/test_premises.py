"""Every command says what its bounds take for granted, and proves nothing where drivers waited for jobs."""

from __future__ import annotations

import re

import pytest

from core.model.submissions import ONE_AFTER_THE_OTHER
from tests.explorer.cli.test_command_line import json_of, words_of
from tests.paths import DATA, TRACES

SPARK, SESSION = str(DATA / "spark.log"), str(DATA / "tez-history.txt")
"""Jobs that are linked, and DAGs of a session of which the second came when the first had ended."""
QUICK = ("--steps", "10")


def test_optimal_beside_what_is_shorter_names_its_premise(capsys):
    said = words_of(capsys, "compare", "ten-scans", "--policies", "fifo,circumflex")
    assert "bound of all rows 1 min 48 s even if scans are shared" in said
    (gap,) = re.findall(r"fifo 2 min 34 s baseline ([\d.]+) %", said)
    assert float(gap) == 0, "as it is optimal by its own bound"
    assert "2 min 34 s without sharing scans (fifo optimal without sharing scans)" in said
    rows = json_of(capsys, "compare", "ten-scans", "--policies", "fifo,circumflex")
    assert rows["shared_bound"]["premise"] == "even if scans are shared"
    assert [row["premise"] for row in rows["rows"]] == ["without sharing scans", "even if scans are shared"]
    assert all(rows["shared_bound"]["seconds"] <= row["makespan"] for row in rows["rows"])
    assert "optimal without lending slots" in words_of(
        capsys, "simulate", "dynamic-slots", "--policy", "fair"
    )


def test_too_few_slots_are_too_few_without_lending_any(capsys):
    """DHFS ends in 17 s on the slots of the sample; what lends none cannot."""
    asked = ("fewest", "dynamic-slots", "--until", "20", "--vary", "reduces", *QUICK)
    assert words_of(capsys, *asked).rstrip(".").split(".")[0].endswith("(without lending slots)")
    assert json_of(capsys, *asked)["premise"] == "without lending slots"


@pytest.mark.parametrize(
    "asked",
    [
        ("simulate", SESSION),
        ("compare", SESSION, "--policies", "fifo,fair"),
        ("fewest", SESSION, "--until", "40", *QUICK),
        ("plan", SESSION, "--by", "40"),
        ("optimize", SESSION, *QUICK),
        ("halve", SESSION, *QUICK),
    ],
    ids=lambda asked: asked[0],
)
def test_nothing_is_proved_where_a_driver_waited(capsys, asked):
    said = words_of(capsys, *asked)
    assert " ".join(ONE_AFTER_THE_OTHER.split()) in said
    rest = said.replace(ONE_AFTER_THE_OTHER, "").replace("not proved", "")
    assert not any(word in rest for word in ("proved", "optimal", "0.0 %)", "gap 0.0"))
    if asked[0] != "optimize":
        assert "if jobs were submitted at the recorded times" in rest


def test_linked_jobs_come_when_they_would_come_in_any_run(capsys):
    """Nothing is said of recorded submissions, and a bound is one for every run."""
    said = words_of(capsys, "simulate", SPARK)
    assert ONE_AFTER_THE_OTHER not in said
    assert "if jobs were submitted" not in said


@pytest.mark.skipif(not TRACES.exists(), reason="needs the logs of real runs in ../shared/traces")
def test_a_real_cluster_beats_no_proof(capsys):
    """A real Spark took 42.2 s on 8 slots: it is not proved that as many are too few for 43 s."""
    log = str(TRACES / "spark-truth" / "chain-N4.eventlog.gz")
    assert json_of(capsys, "fewest", log, "--until", "43", *QUICK)["too_few"] < 8
