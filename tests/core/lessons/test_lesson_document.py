"""Lessons are written and read to the last bit, and what is wrong with a file is told at once."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.open_workload import open_workload
from core.files.resources import resource_path
from core.files.schema_check import schema_check
from core.files.workload_document import is_workload_document
from core.lessons.figures import EVENTS, FIGURE
from core.lessons.hand_aims import AIMS
from core.lessons.lesson import MAX_STEPS, packed
from core.lessons.lesson_document import (
    find_lesson,
    lesson_from_bytes,
    lesson_from_json,
    lesson_paths,
    read_lesson,
)
from core.lessons.lesson_writing import lesson_to_bytes, lesson_to_json, write_lesson
from core.lessons.questions.options import MAX_CHOICES, MIN_CHOICES
from core.lessons.questions.order import GOALS
from core.lessons.questions.question_types import QUESTION_TYPES
from core.lessons.step_view import ROWS, ChartPlace
from core.model.errors import DocumentError, InputError, UnknownName
from tests.core.files.documents import spoilt
from tests.core.lessons.lesson_examples import LESSON, TINY
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA: dict[str, Any] = json.loads(resource_path("schemas", "lesson.schema.json").read_text("utf-8"))


def test_what_is_written_is_read_to_the_last_bit() -> None:
    lesson = lesson_from_json(LESSON, "x")
    data = lesson_to_bytes(lesson)
    assert lesson_from_bytes(data, "x") == lesson
    assert lesson_to_bytes(lesson_from_bytes(data, "x")) == data
    view = lesson.steps[0].view
    written = lesson_to_json(lesson)["steps"][0]["view"]
    assert written["cluster"] == {"map_slots": 3}, "only what differs from the workload's own"
    assert view.scenarios[1].cluster is not None
    assert (view.scenarios[1].cluster.map_slots, view.scenarios[1].cluster.slowstart) == (2, 1)
    assert [str(chart) for chart in view.charts] == ["scenario 0", "scenario 1", "guest 0"]
    veil = lesson.steps[0].veil
    assert veil is not None
    assert [veil.hides(chart) for chart in view.charts] == [True, False, True]


@pytest.mark.parametrize(
    "cluster",
    [
        {"containers": 4},
        {"nodes": [{"count": 2, "memory_mb": 4096, "cores": 4}], "contention": [1, 0.5]},
        {"map_slots": 7, "overheads": {"setup": 2}},
    ],
)
def test_a_cluster_of_another_kind_replaces_the_slots(cluster: dict[str, Any]) -> None:
    document = deepcopy(LESSON)
    document["steps"][0]["view"] = {
        "workload": "tiny",
        "cluster": cluster,
        "scenarios": [{"policy": "fifo", "cluster": {"map_slots": 2, "reduce_slots": 2}}],
    }
    if "overheads" in cluster:
        document["steps"][0]["view"]["scenarios"][0]["cluster"]["overheads"] = None
    lesson = lesson_from_json(document | {"steps": document["steps"][:1]} | _no_question(document), "x")
    assert lesson_from_bytes(lesson_to_bytes(lesson), "x") == lesson
    view = lesson.steps[0].view
    assert view.cluster is not None
    assert view.cluster.has_containers == ("map_slots" not in cluster)
    assert view.cluster.slowstart == 1, "what both have is the workload's"


def _no_question(document: dict[str, Any]) -> dict[str, Any]:
    step = {key: value for key, value in document["steps"][0].items() if key in ("title", "text", "view")}
    return {"steps": [step]}


def test_a_packed_lesson_needs_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "my.workload.json").write_text(json.dumps(TINY))
    document = deepcopy(LESSON)
    document["workloads"]["tiny"] = {"file": "my.workload.json"}
    source = tmp_path / "a.lesson.json"
    source.write_text(json.dumps(document))
    lesson = read_lesson(source)
    assert lesson.workload("tiny").name == "tiny"
    for name in ("packed.lesson.json", "packed.lesson.json.gz"):
        target = tmp_path / "elsewhere" / name
        target.parent.mkdir(exist_ok=True)
        write_lesson(packed(lesson), target)
        assert read_lesson(target).steps == lesson.steps
        assert [each.workload for each in read_lesson(target).workloads] == [
            each.workload for each in lesson.workloads
        ]
        assert not is_workload_document(target.read_bytes()), "although there are workloads inside"


def test_a_lesson_is_found_by_its_name_or_its_file() -> None:
    for name, path in lesson_paths().items():
        assert find_lesson(name) == read_lesson(path)
    with pytest.raises(UnknownName, match="did you mean 'why-order-matters'"):
        find_lesson("why-order-matter")
    with pytest.raises(InputError, match=r"there is no file 'nowhere.lesson.json'"):
        find_lesson("nowhere.lesson.json")


def test_a_lesson_is_no_workload(tmp_path: Path) -> None:
    write_lesson(lesson_from_json(LESSON, "x"), tmp_path / "a.lesson.json")
    with pytest.raises(InputError):
        open_workload(str(tmp_path / "a.lesson.json"))


# ---- what is wrong with a file


def _changed(path: str, value: Any) -> dict[str, Any]:
    """Return the lesson with the value at a path replaced, or removed for None."""
    document = deepcopy(LESSON)
    place: Any = document
    *way, last = [int(part) if part.isdecimal() else part for part in path.split("/")]
    for part in way:
        place = place[part]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return document


VIEW, QUESTION = "steps/0/view", "steps/0/question"
WRONG = [
    ("name", None, "name: missing; add it: what the lesson is called"),
    ("steps", [], "steps is []; a lesson has 1 to 100 steps"),
    (
        "workloads/two",
        {"sample": "two-jobs"},
        "workloads.two: unknown sample 'two-jobs'; did you mean 'two-jobs-",
    ),
    ("workloads/two", {"file": "no.json"}, "workloads.two: file 'no.json' does not exist"),
    ("workloads/two", {"x": 1}, 'workloads.two: name a sample, as {"sample": "five-jobs"}'),
    ("workloads/tiny/jobs/0/name", 7, "workloads.tiny.jobs[0].name is 7; give text"),
    (
        f"{VIEW}/workload",
        "three",
        "steps[0].view.workload is 'three'; unknown workload of the lesson 'three'",
    ),
    (f"{VIEW}/scenarios", [], "steps[0].view.scenarios is []; a step shows 1 to 6 scenarios"),
    (
        f"{VIEW}/cluster",
        {"map_slots": -1},
        "steps[0].view.cluster.map_slots is -1; give a whole number of slots",
    ),
    (f"{VIEW}/cluster", {"containers": 2, "map_slots": 2}, "a cluster has either containers or typed slots"),
    (f"{VIEW}/active", 2, "steps[0].view.active is 2; the step has scenarios 0 to 1"),
    (f"{VIEW}/selected_job", "c", "steps[0].view.selected_job is 'c'; unknown job 'c'"),
    (f"{VIEW}/zoom", [5, 5], "steps[0].view.zoom is [5.0, 5.0]; its end must be later than its begin"),
    (f"{VIEW}/scans", 3, "steps[0].view.scans is 3.0; the workload describes no datasets"),
    (f"{VIEW}/marks/0/at", {"scenario": 0}, "steps[0].view.marks[0].at is ''; point at one thing: a task"),
    (f"{VIEW}/marks/0/at", {"job": "a", "time": 3}, "point at one thing"),
    (f"{VIEW}/marks/0/at/task/number", 4, "steps[0].view.marks[0].at.task.number is 4; a has maps 1 to 3"),
    (f"{VIEW}/marks/1/at/gap/slot", "R2", "no slot of this chart; they are called M1 to R1"),
    (f"{VIEW}/marks/3/at/guest", 1, "steps[0].view.marks[3].at.guest is 1; the step has one guest, number 0"),
    (
        f"{VIEW}/marks/0/at/task/job",
        "",
        "steps[0].view.marks[0].at.task.job is ''; give a name that is not empty",
    ),
    (
        "steps/0/veil",
        {"from": "here"},
        "steps[0].veil.from is 'here'; give a number of seconds, or \"cursor\"",
    ),
    ("steps/0/veil", {"scenarios": [5]}, "steps[0].veil.scenario is 5; the step has scenarios 0 to 1"),
    ("steps/1/veil", {}, "steps[1].veil.from: the veil begins at the time cursor, and the view has none"),
    (f"{QUESTION}/kind", "guess", "steps[0].question.kind is 'guess'; not one of the choices"),
    (
        f"{QUESTION}/goal",
        "best",
        "steps[0].question.goal: a question of kind 'makespan' has no 'goal'; leave it",
    ),
    (f"{QUESTION}/scenario", 0, "steps[0].question: name a scenario or a guest, not both"),
    (
        QUESTION,
        {"kind": "choice", "text": "?"},
        "steps[0].question.choices: missing; a question of kind 'choice'",
    ),
    (
        QUESTION,
        {"kind": "choice", "text": "?", "choices": ["a", "b"], "right": 2, "why": ""},
        "steps[0].question.right is 2; the step has choices 0 to 1",
    ),
    (
        QUESTION,
        {"kind": "time", "text": "?", "of": {"job": "c", "event": "ends"}},
        "steps[0].question.of.job is 'c'; unknown job 'c'",
    ),
    (
        QUESTION,
        {"kind": "order", "text": "?", "guest": 0},
        "steps[0].question.guest is 0; a question of kind 'order' is answered in a scenario",
    ),
    (
        "steps/1/question",
        {"kind": "next-job", "text": "?"},
        "steps[1].view.cursor: missing; the job that is next is asked for at the time cursor",
    ),
    (
        "steps/1/question",
        {"kind": "ends-first", "text": "?"},
        "steps[1].question: what ends first takes two charts",
    ),
]


@pytest.mark.parametrize(
    ("path", "value", "sentence"), WRONG, ids=[f"{w[0]}-{i}" for i, w in enumerate(WRONG)]
)
def test_a_wrong_value_is_told_with_its_place(path: str, value: Any, sentence: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(sentence)):
        lesson_from_json(_changed(path, value), "x")


def test_all_problems_of_a_file_are_told_together() -> None:
    document = _changed(f"{VIEW}/active", 9)
    document["steps"][0]["view"]["zoom"] = [4, 1]
    document["steps"][1]["veil"] = {}
    with pytest.raises(DocumentError) as raised:
        lesson_from_json(document, "x")
    assert [p.where for p in raised.value.problems] == [
        "steps[0].view.active",
        "steps[0].view.zoom",
        "steps[1].veil.from",
    ]
    document = _changed("workloads/two", {"sample": "nothing"})
    document["steps"][0]["title"] = 5
    with pytest.raises(DocumentError) as raised:
        lesson_from_json(document, "x")
    assert {p.where for p in raised.value.problems} == {"workloads.two", "steps[0].title"}


# ---- the schema


@examples(25)
@given(spoilt(st.just(LESSON)))
def test_documents_are_refused_where_jsonschema_refuses_them(document: dict[str, Any]) -> None:
    assert bool(schema_check("lesson")(document)) == (
        not jsonschema.Draft202012Validator(SCHEMA).is_valid(document)
    )
    try:
        lesson = lesson_from_json(document, "x")
    except DocumentError:
        return
    assert lesson_from_bytes(lesson_to_bytes(lesson), "x") == lesson
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(document)


def test_the_schema_knows_what_the_program_knows() -> None:
    definitions = SCHEMA["$defs"]
    session = json.loads(resource_path("schemas", "session.schema.json").read_text("utf-8"))["$defs"]
    assert {name: definitions[name] for name in session if name not in ("id", "scenario")} == {
        name: session[name] for name in session if name not in ("id", "scenario")
    }
    own = dict(session["scenario"]["properties"], cluster=definitions["scenario"]["properties"]["cluster"])
    del own["id"]
    assert definitions["scenario"]["properties"] == own
    assert set(definitions["guest"]["properties"]) == {*own, "workload"}
    question = definitions["question"]["properties"]
    assert question["kind"]["enum"] == list(QUESTION_TYPES)
    assert question["of"]["properties"]["event"]["enum"] == list(EVENTS)
    assert (question["choices"]["minItems"], question["choices"]["maxItems"]) == (MIN_CHOICES, MAX_CHOICES)
    assert question["goal"]["anyOf"][0]["enum"] == list(GOALS)
    assert question["objective"]["enum"] == list(AIMS)
    assert definitions["view"]["properties"]["rows"]["enum"] == list(ROWS)
    assert definitions["view"]["properties"]["guests"]["maxItems"] == 4
    assert SCHEMA["properties"]["steps"]["maxItems"] == MAX_STEPS
    assert ChartPlace(1) == ChartPlace(1, is_guest=False)


def test_braces_that_nothing_closes_are_looked_at_once() -> None:
    assert FIGURE.sub("x", "{{a}} {{b {{c}} " + "{{" * 50_000) == "x {{b x " + "{{" * 50_000
