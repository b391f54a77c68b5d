"""Lesson documents, ``*.lesson.json``, with every problem of a file collected.

Clusters are written as what differs from the workload's own, of a scenario from the step's, and scenarios as
sessions have them, without ids.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from core.files.json_text import LESSON_FORMAT, check_header, parse_json, path_text, read_bytes
from core.files.named_file import open_named
from core.files.resources import file_or_shipped, resource_path
from core.files.samples import load_sample
from core.files.schema_check import schema_check
from core.files.session_document import scenario_from_json
from core.files.workload_document import (
    as_problems,
    cluster_from_json,
    read_workload,
    workload_from_json,
)
from core.files.workload_writing import cluster_to_json
from core.lessons.lesson import Lesson, LessonStep, LessonWorkload
from core.lessons.lesson_problems import lesson_problems
from core.lessons.step_view import (
    TASK_KINDS,
    ChartPlace,
    Guest,
    LessonMark,
    NamedTask,
    StepVeil,
    StepView,
)
from core.model.errors import DocumentError, InputError, Problem, UnknownName, shorten
from core.model.limits import by_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload

T = TypeVar("T")
VERSIONS = (1,)
"""All that are read; old versions stay."""
ENDING = ".lesson.json"
KINDS_OF_SLOTS = (
    {"map_slots", "reduce_slots"},
    {"containers", "slots_per_executor"},
    {"nodes", "map_request", "reduce_request", "contention", "reduce_load"},
)
"""What a cluster has one of."""
SLOTS = {"slot_times", "events"}.union(*KINDS_OF_SLOTS)


def read_lesson(path: str | os.PathLike[str]) -> Lesson:
    """Read a lesson, gzipped or not, with the samples and the workload files that it names.

    Raises
    ------
    InputError
        the file cannot be read
    DocumentError
        the document breaks rules; all of them are listed
    """
    folder = str(Path(path).resolve().parent)
    return lesson_from_bytes(read_bytes(path), os.path.basename(os.fspath(path)), folder)


def lesson_paths() -> dict[str, Path]:
    """Return the lessons that come with Slotscope, by name, in the order in which they are taught."""
    paths = sorted(resource_path("lessons").glob(f"*{ENDING}"), key=lambda path: by_number(path.name))
    return {path.name.removesuffix(ENDING).partition("-")[2]: path for path in paths}


def find_lesson(source: str) -> Lesson:
    """Read a lesson from a file, or one that comes with Slotscope by its name.

    Raises
    ------
    UnknownName
        neither a file nor one of Slotscope's lessons has this name
    InputError
        the file is not there, cannot be read, or breaks rules
    """
    return read_lesson(file_or_shipped(source, lesson_paths(), "lesson", "lesson file or lesson"))


def lesson_from_bytes(data: bytes, name: str, folder: str = "") -> Lesson:
    """Build the lesson in a file's bytes; `name` stands for the file in messages."""
    return lesson_from_json(parse_json(data, name), name, folder)


def lesson_from_json(document: Any, name: str, folder: str = "") -> Lesson:
    """Build the lesson of a document that is a JSON value already; DocumentError with all its problems.

    Parameters
    ----------
    document : the value
    name : of the file, for messages
    folder : where workload files that it names are looked for
    """
    check_header(document, name, LESSON_FORMAT, VERSIONS)
    findings = schema_check("lesson")(document)
    problems = as_problems(document, findings)
    sources = document.get("workloads")
    workloads = {
        key: workload
        for key, source in (sources.items() if isinstance(sources, dict) else ())
        if (workload := _source(key, source, folder, problems)) is not None
    }
    if findings:
        raise DocumentError(name, problems)
    reader = _StepReader(workloads, problems)
    steps = reader.steps(document["steps"])
    if problems:
        raise DocumentError(name, problems)
    texts = document["name"], tuple(workloads.values()), steps
    lesson = Lesson(*texts, document.get("summary", ""), int(document.get("minutes", 0)))
    if problems := lesson_problems(lesson):
        raise DocumentError(name, problems)
    return lesson


# ---- workloads


def _source(name: str, source: Any, folder: str, problems: list[Problem]) -> LessonWorkload | None:
    """Open one of the workloads; what is wrong with it is added to the problems."""
    where = path_text(("workloads", name))
    if not isinstance(source, dict):
        return None  # the schema has said so
    try:
        if "format" in source:
            return LessonWorkload(name, workload_from_json(source, ""))
        if isinstance(sample := source.get("sample"), str):
            return LessonWorkload(name, load_sample(sample), sample=sample)
        if isinstance(file := source.get("file"), str):
            return LessonWorkload(name, open_named(folder, file, read_workload), file=file)
    except DocumentError as error:
        problems += [problem.below(where) for problem in error.problems]
    except InputError as error:
        problems.append(Problem(where, "", str(error)))
    return None


# ---- reading steps

ONE_THING = "point at one thing: a task, a gap, a slot at a time, a time, or a job"


@dataclass(frozen=True)
class _StepReader:
    """Builds steps; what is wrong with them is added to the problems."""

    workloads: dict[str, LessonWorkload]
    problems: list[Problem]

    def steps(self, documents: Sequence[Any]) -> tuple[LessonStep, ...]:
        """Build all steps but those whose view cannot be built."""
        return self._each(self._step, documents, "steps")

    def _step(self, document: dict[str, Any], where: str) -> LessonStep | None:
        # lessons without questions need none of their types
        from core.lessons.questions.question_types import question_from_json

        view = self._view(document["view"], f"{where}.view")
        if view is None:
            return None
        veil, question = document.get("veil"), document.get("question")
        return LessonStep(
            document["title"],
            document["text"],
            view,
            None if veil is None else _veil(veil),
            None if question is None else question_from_json(question, f"{where}.question", self.problems),
            document.get("hands_on", ""),
        )

    def _view(self, document: dict[str, Any], where: str) -> StepView | None:
        before, workload = len(self.problems), self._named(document["workload"], f"{where}.workload")
        if workload is None:
            return None
        cluster = self._cluster(document.get("cluster"), workload.cluster, f"{where}.cluster")
        base = cluster or workload.cluster
        scenarios = [
            self._scenario(each, number, base, f"{where}.scenarios[{number - 1}]")
            for number, each in enumerate(document["scenarios"], 1)
        ]
        guests = self._each(self._guest, document.get("guests", ()), f"{where}.guests")
        marks = self._each(self._mark, document.get("marks", ()), f"{where}.marks")
        if len(self.problems) > before:
            return None
        cursor, zoom, scans = document.get("cursor"), document.get("zoom"), document.get("scans")
        return StepView(
            workload=document["workload"],
            scenarios=tuple(scenarios),
            cluster=cluster,
            guests=guests,
            active=int(document.get("active", 0)),
            cursor=None if cursor is None else (float(cursor[0]), int(cursor[1])),
            selected_job=document.get("selected_job", ""),
            zoom=None if zoom is None else (float(zoom[0]), float(zoom[1])),
            rows=document.get("rows", "slot"),
            docks=tuple(document.get("docks", ())),
            scans=None if scans is None else float(scans),
            marks=marks,
        )

    def _each(self, build: Callable[[Any, str], T | None], raw: Sequence[Any], where: str) -> tuple[T, ...]:
        built = (build(each, f"{where}[{i}]") for i, each in enumerate(raw))
        return tuple(each for each in built if each is not None)

    def _named(self, name: str, where: str) -> Workload | None:
        if name in self.workloads:
            return self.workloads[name].workload
        if not any(each.where.startswith(path_text(("workloads", name))) for each in self.problems):
            error = UnknownName("workload of the lesson", name, self.workloads)
            self.problems.append(Problem(where, shorten(name), str(error)))
        return None

    def _scenario(self, document: dict[str, Any], number: int, base: Cluster, where: str) -> Scenario:
        own = self._cluster(document.get("cluster"), base, f"{where}.cluster")
        given = {"id": number, "cluster": own and cluster_to_json(own)}
        return scenario_from_json(document | given, where, self.problems)

    def _guest(self, document: dict[str, Any], where: str) -> Guest | None:
        name = document["workload"]
        workload = self._named(name, f"{where}.workload")
        if workload is None:
            return None
        decided = {key: value for key, value in document.items() if key != "workload"}
        return Guest(name, self._scenario(decided, 1, workload.cluster, where))

    def _cluster(self, document: dict[str, Any] | None, base: Cluster, where: str) -> Cluster | None:
        """Build a cluster of what differs from another one; None for no difference."""
        if document is None:
            return None
        other = next((kind for kind in KINDS_OF_SLOTS if kind & document.keys()), set())
        fields = cluster_to_json(base)
        if other and not other & fields.keys():
            fields = {name: value for name, value in fields.items() if name not in SLOTS}
        return cluster_from_json(fields | document, where, self.problems)

    def _mark(self, document: dict[str, Any], where: str) -> LessonMark | None:
        at, where = document["at"], f"{where}.at"
        things = at.keys() - {"scenario", "guest"}
        if things not in ({"task"}, {"gap"}, {"slot", "time"}, {"time"}, {"job"}):
            self.problems.append(Problem(where, shorten(", ".join(sorted(things))), ONE_THING))
            return None
        if {"scenario", "guest"} <= at.keys():
            self.problems.append(Problem(where, "", "name a scenario or a guest, not both"))
            return None
        task, place = at.get("task"), at.get("gap", at)
        return LessonMark(
            document["text"],
            ChartPlace.from_json(at),
            task and NamedTask(task["job"], TASK_KINDS[task["kind"]], int(task["number"])),
            at.get("job", ""),
            place.get("slot", ""),
            float(place["time"]) if "time" in place else None,
            "gap" in at,
        )


def _veil(document: dict[str, Any]) -> StepVeil:
    begin = document.get("from", "cursor")
    charts: tuple[ChartPlace, ...] | None = None
    if document.keys() & {"scenarios", "guests"}:
        own = (ChartPlace(int(i)) for i in document.get("scenarios", ()))
        charts = (*own, *(ChartPlace(int(i), is_guest=True) for i in document.get("guests", ())))
    return StepVeil(None if begin == "cursor" else float(begin), charts)
