"""Opening many jobs: what is done for each of them, and that panels which are not shown do nothing for it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.window.files.document_work import OpenedDocument, new_document
from tests.paths import ROOT

if TYPE_CHECKING:
    from types import FrameType

    from pytestqt.qtbot import QtBot

    from explorer.window.main_window import MainWindow

FEW, MANY = 400, 1600
SHOWN = ("core", "document", "gantt", "panels", "simulation", "window", "widgets")
"""Where something may be done for each job when a window opens: the charts and the table of jobs."""
MAX_CALLS = 20
"""Of all functions together, for one more job."""


def many_jobs(count: int) -> OpenedDocument:
    jobs = (
        Job(f"J{i}", Stage.of(1, 3.0), Stage.of(1, 2.0), float(i), deadline=10.0 * i + 30, pool="ab"[i % 2])
        for i in range(count)
    )
    return OpenedDocument(new_document(Workload(f"{count} jobs", tuple(jobs), Cluster(8, 8))))


def calls_of_opening(window: MainWindow, opened: OpenedDocument, qtbot: QtBot) -> Counter[str]:
    """Return how often the window's thread calls, by caller for what is not written in Python."""
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, called: Any) -> None:
        code = frame.f_code
        if event in ("call", "c_call"):
            what = called.__qualname__ if event == "c_call" else ""
            calls[f"{code.co_filename}:{code.co_qualname}:{what}"] += 1

    sys.setprofile(note)
    try:
        window.files.show(opened)
        window.runner.wait_until_idle()
        qtbot.wait(50)
    finally:
        sys.setprofile(None)
    return calls


def test_a_job_more_costs_the_same_and_nothing_where_it_is_not_shown(window, qtbot):
    window.runner.wait_until_idle()
    few, many = (calls_of_opening(window, many_jobs(count), qtbot) for count in (FEW, MANY))
    assert many.total() - few.total() < MAX_CALLS * (MANY - FEW)
    for_each = {
        function.partition(":")[0] for function in many if many[function] - few[function] > (MANY - FEW) / 2
    }
    ours = [Path(file).relative_to(ROOT).parts for file in for_each if Path(file).is_relative_to(ROOT)]
    assert ours
    assert {parts[1] if parts[0] == "explorer" else parts[0] for parts in ours} <= set(SHOWN)
    assert window.questions.questions.job.count() == 0
