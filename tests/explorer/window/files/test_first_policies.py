"""Under which policies newly opened workloads are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.files.samples import load_sample
from core.logs.open_log import open_trace
from explorer.window.files.document_work import new_document
from tests.paths import DATA


def policies(state):
    return [scenario.choice.id for scenario in state.scenarios]


def test_map_reduce_and_graphs_have_their_own():
    assert policies(new_document(load_sample("five-jobs"))) == ["fifo", "johnson"]
    assert policies(new_document(load_sample("spark-application"))) == ["fifo", "critical"]


@pytest.mark.parametrize(("mode", "policy"), [("FIFO", "spark-fifo"), ("FAIR", "spark-fair"), ("", "fifo")])
def test_beside_a_record_stands_the_policy_that_its_log_names(mode, policy):
    opened = open_trace([DATA / "spark.log"])
    report = replace(opened.report, scheduler=mode)
    assert policies(new_document(opened.workload, report)) == ["recorded", policy]
