"""Edits of jobs keep the links of those that follow them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.job import Job, Link
from core.model.stages import Stage
from core.model.workload import Workload

if TYPE_CHECKING:
    from explorer.document.document import Document
    from explorer.document.editor import Editor


def links(document: Document) -> list[tuple[Link, ...]]:
    return [job.after for job in document.workload.jobs]


def test_edits_keep_links(editor: Editor, document: Document) -> None:
    jobs = (
        Job("A", Stage.of(1, 1.0)),
        Job("B", Stage.of(1, 1.0), after=(Link("A", 5.0),)),
        Job("C", Stage.of(1, 1.0), after=(Link("B", 2.0, True),)),
    )
    editor.set_workload(replace(document.workload, name="chain", jobs=jobs), "Open")
    editor.edit_job(1, "name", "Report")
    assert links(document)[2] == (Link("Report", 2.0, True),)
    editor.duplicate_jobs([2])
    assert links(document)[2:] == [(Link("Report", 2.0, True),)] * 2
    editor.delete_jobs([1])
    assert links(document) == [(), (Link("A", 7.0, True),), (Link("A", 7.0, True),)]
    editor.insert_jobs(document.workload.jobs[:2], None, "Paste")
    assert links(document)[3:] == [(), (Link("A (2)", 7.0, True),)]
    editor.insert_jobs(document.workload.jobs[1:2], None, "Paste")
    assert links(document)[5:] == [()]


def test_an_edit_of_a_job_may_cut_its_link(editor: Editor, document: Document) -> None:
    jobs = (Job("A", Stage.of(1, 1.0)), Job("B", Stage.of(1, 1.0), after=(Link("A", 5.0),)))
    editor.set_workload(Workload("two", jobs), "Open")
    editor.replace_job(1, replace(jobs[1], after=(), arrival=9.0))
    assert document.workload.jobs[1] == replace(jobs[1], after=(), arrival=9.0)
