"""Write lesson documents: a line for each key of a step and of its view; what is as usual is left out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.files.atomic import packed_for, replace_file
from core.files.json_text import LESSON_FORMAT
from core.files.session_document import scenario_to_json
from core.files.workload_writing import cluster_to_json, document_bytes, workload_to_json
from core.lessons.lesson_document import KINDS_OF_SLOTS
from core.lessons.step_view import TASK_KINDS

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from core.lessons.lesson import Lesson, LessonStep, LessonWorkload
    from core.lessons.step_view import LessonMark, StepVeil, StepView
    from core.model.cluster import Cluster
    from core.model.document_state import Scenario

VERSION = 1
KIND_NAMES = {kind: name for name, kind in TASK_KINDS.items()}


def write_lesson(lesson: Lesson, path: str | os.PathLike[str]) -> None:
    """Write a lesson in one step, gzipped when the name ends in .gz."""
    replace_file(path, packed_for(path, lesson_to_bytes(lesson)))


def lesson_to_bytes(lesson: Lesson) -> bytes:
    """Return the lesson as it is written to a file."""
    document = lesson_to_json(lesson)
    lines = [
        f"  {_line(key)}: {_line(document[key])}" for key in document if key not in ("workloads", "steps")
    ]
    workloads = ",\n".join(
        f"    {_line(name)}: {_inside(source)}" for name, source in document["workloads"].items()
    )
    steps = ",\n".join(f"    {_step_text(step)}" for step in document["steps"])
    lines += [f'  "workloads": {{\n{workloads}\n  }}', f'  "steps": [\n{steps}\n  ]']
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("utf-8", "backslashreplace")


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _inside(source: dict[str, Any]) -> str:
    if "format" not in source:
        return _line(source)
    text = document_bytes(source).decode("utf-8")
    return text.strip().replace("\n", "\n    ")


def _step_text(step: dict[str, Any]) -> str:
    lines = []
    for key, value in step.items():
        text = _line(value)
        if key in ("view", "question"):
            inner = ",\n".join(f"        {_line(name)}: {_line(of)}" for name, of in value.items())
            text = f"{{\n{inner}\n      }}"
        lines.append(f"      {_line(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n    }"


def lesson_to_json(lesson: Lesson) -> dict[str, Any]:
    """Return the lesson as a JSON value, always in one form; reading it gives the same lesson."""
    document: dict[str, Any] = {"format": LESSON_FORMAT, "version": VERSION, "name": lesson.name}
    document |= {key: value for key in ("summary", "minutes") if (value := getattr(lesson, key))}
    document["workloads"] = {known.name: _source_to_json(known) for known in lesson.workloads}
    document["steps"] = [_step_to_json(step, lesson) for step in lesson.steps]
    return document


def _source_to_json(known: LessonWorkload) -> dict[str, Any]:
    for key in ("sample", "file"):
        if name := getattr(known, key):
            return {key: name}
    return workload_to_json(known.workload)


def _step_to_json(step: LessonStep, lesson: Lesson) -> dict[str, Any]:
    document: dict[str, Any] = {"title": step.title, "text": step.text}
    if step.hands_on:
        document["hands_on"] = step.hands_on
    document["view"] = _view_to_json(step.view, lesson)
    if step.veil is not None:
        document["veil"] = _veil_to_json(step.veil)
    if step.question is not None:
        document["question"] = step.question.to_json()
    return document


def _view_to_json(view: StepView, lesson: Lesson) -> dict[str, Any]:
    document: dict[str, Any] = {"workload": view.workload}
    own = lesson.workload(view.workload).cluster
    if view.cluster is not None:
        document["cluster"] = cluster_changes(view.cluster, own)
    document["scenarios"] = [_scenario_to_json(each, view.cluster or own) for each in view.scenarios]
    guests = [
        {"workload": guest.workload}
        | _scenario_to_json(guest.scenario, lesson.workload(guest.workload).cluster)
        for guest in view.guests
    ]
    marks = [_mark_to_json(mark) for mark in view.marks]
    others: dict[str, Any] = {"guests": guests, "active": view.active}
    others |= {"cursor": view.cursor and list(view.cursor), "selected_job": view.selected_job}
    others |= {"zoom": view.zoom and list(view.zoom), "rows": "" if view.rows == "slot" else view.rows}
    others |= {"docks": list(view.docks), "marks": marks}
    document |= {key: value for key, value in others.items() if value}
    return document | ({} if view.scans is None else {"scans": view.scans})


def _scenario_to_json(scenario: Scenario, base: Cluster) -> dict[str, Any]:
    document = scenario_to_json(scenario)
    document["cluster"] = scenario.cluster and cluster_changes(scenario.cluster, base)
    given = {key: value for key, value in document.items() if key != "id" and value is not None}
    return {key: value for key, value in given.items() if value or key in ("order", "cluster")}


def cluster_changes(cluster: Cluster, base: Cluster) -> dict[str, Any]:
    """Return as a JSON value what differs from another cluster; reading it beside that gives the same one."""
    fields, before = cluster_to_json(cluster), cluster_to_json(base)
    is_other = any(kind & fields.keys() and not kind & before.keys() for kind in KINDS_OF_SLOTS)
    changed = {name: value for name, value in fields.items() if is_other or before.get(name) != value}
    gone: dict[str, Any] = {
        "overheads": None,
        "contention": [],
        "reduce_load": 0,
        "slot_times": [],
        "slots_per_executor": 0,
        "events": None,
        "killed_copies": [],
    }
    return changed | {name: none for name, none in gone.items() if name in before.keys() - fields.keys()}


def _mark_to_json(mark: LessonMark) -> dict[str, Any]:
    at: dict[str, Any] = mark.chart.to_json()
    if mark.task is not None:
        at["task"] = mark.task._asdict() | {"kind": KIND_NAMES[mark.task.kind]}
    elif mark.is_gap:
        at["gap"] = {"slot": mark.slot, "time": mark.time}
    elif mark.job:
        at["job"] = mark.job
    else:
        at |= {"slot": mark.slot, "time": mark.time} if mark.slot else {"time": mark.time}
    return {"text": mark.text, "at": at}


def _veil_to_json(veil: StepVeil) -> dict[str, Any]:
    document: dict[str, Any] = {"from": "cursor" if veil.begin is None else veil.begin}
    if veil.charts is not None:
        document["scenarios"] = [chart.number for chart in veil.charts if not chart.is_guest]
        document["guests"] = [chart.number for chart in veil.charts if chart.is_guest]
    return document


def for_folder(lesson: Lesson, folder: Path) -> Lesson:
    """Return a lesson for a file in a folder: workloads whose files are not there go inside."""
    return replace(lesson, workloads=tuple(_known_in(known, folder) for known in lesson.workloads))


def _known_in(known: LessonWorkload, folder: Path) -> LessonWorkload:
    is_there = not known.file or (folder / known.file).is_file()
    return known if is_there else replace(known, file="")
