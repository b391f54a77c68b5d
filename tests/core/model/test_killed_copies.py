"""Copies that are to be killed, as texts, as documents, and with every fault said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.files.open_workload import open_workload
from core.files.workload_document import CLUSTER, cluster_from_json
from core.files.workload_writing import write_workload
from core.lessons.lesson_writing import cluster_changes
from core.model.cluster import Cluster, changed_cluster, cluster_sentence, differing_words
from core.model.copied_tasks import copied_task, killed_copy, killed_tasks
from core.model.errors import DocumentError, InputError
from core.model.killed_copies import KilledCopy, killed_copies_from_text, killed_copies_text
from tests.builders import make_job, make_workload, two_stage_workload

if TYPE_CHECKING:
    from pathlib import Path

TWO = (KilledCopy(600.0, "J 3", 0, 4), KilledCopy(900.5, "J7", 3, 1))
TEXT = "task 5 of stage 1 of J 3 at 600; task 2 of stage 4 of J7 at 900.5"


def test_texts_are_read_as_they_are_written() -> None:
    assert killed_copies_text(TWO) == TEXT
    assert killed_copies_from_text(TEXT) == TWO
    assert killed_copies_from_text("map 5 of J 3 at 600; reduce 1 of A at 1e3") == (
        TWO[0],
        KilledCopy(1000.0, "A", 1, 0),
    )
    assert killed_copies_from_text(killed_copies_text(())) == ()
    assert changed_cluster(Cluster(8, 8), {"killed_copies": TEXT}).killed_copies == TWO
    for wrong in ("map 5 of J3", "map 0 of J3 at 6", "node 5 of J3 at 6"):
        with pytest.raises(InputError, match=f"a copy to kill is '{wrong}'; give such parts"):
            killed_copies_from_text(wrong)


def test_documents_keep_them(tmp_path: Path) -> None:
    cluster = Cluster(8, 8, killed_copies=TWO)
    document = CLUSTER.write(cluster)
    assert document["killed_copies"][0] == {"time": 600, "job": "J 3", "stage": 0, "task": 4}
    assert cluster_from_json(document, "cluster", []) == cluster
    write_workload(replace(make_workload(make_job("J1", (2, 10.0))), cluster=cluster), tmp_path / "w.json")
    assert open_workload(tmp_path / "w.json").workload.cluster == cluster


def test_a_scenario_says_what_its_cluster_kills_and_what_it_does_not() -> None:
    with_them = Cluster(8, 8, killed_copies=TWO)
    assert cluster_changes(with_them, Cluster(8, 8)).keys() == {"killed_copies"}
    assert cluster_changes(Cluster(8, 8), with_them) == {"killed_copies": []}
    assert differing_words(with_them, Cluster(8, 8)) == ("2 copies killed",)
    assert differing_words(Cluster(8, 8), with_them) == ("no copies killed",)
    assert cluster_sentence(replace(with_them, killed_copies=TWO[:1])).endswith(", 1 copy killed")


def test_all_faults_are_said() -> None:
    bad = (KilledCopy(-1.0, "", 0, 0), KilledCopy(1.0, "J1", -1, 99_999_999))
    with pytest.raises(DocumentError) as raised:
        Cluster(8, 8, killed_copies=bad)
    places = [problem.where for problem in raised.value.problems]
    assert places == [
        "killed_copies[0].time",
        "killed_copies[0].job",
        "killed_copies[1].stage",
        "killed_copies[1].task",
    ]


def test_tasks_are_found_and_named() -> None:
    workload = two_stage_workload([(3.0, 4.0), (5.0, 2.0)], 3)
    for task in range(len(workload.columns.job)):
        killed = killed_copy(workload, task, 5.0)
        assert killed_tasks((killed,), workload) == [(5.0, task)]
        assert copied_task(workload, killed).endswith(f" of {killed.job}")
    assert killed_tasks((KilledCopy(5.0, "nobody", 0, 0),), workload) == []
