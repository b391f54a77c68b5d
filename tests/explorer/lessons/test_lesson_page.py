"""Lessons as pages: every one is written, and nothing in it shows what a veil hides or what is right."""

from __future__ import annotations

import json
import re

import pytest

from core.lessons.lesson_document import find_lesson, lesson_from_json, lesson_paths
from core.lessons.solution import solution_of
from explorer.cli.run import run
from explorer.lessons.lesson_web_page import web_page, web_steps
from explorer.lessons.text_tree import text_tree
from explorer.window.lessons.lesson_handouts import circles_of
from tests.core.files.test_schedule_page import INJECTIONS, PageReader
from tests.core.files.test_sealed import opened
from tests.core.lessons.lesson_examples import LESSON
from tests.unpacked_page import packed_columns, part, tasks_of

NAMES = list(lesson_paths())


@pytest.fixture(scope="module", params=NAMES)
def written(request, qapp):
    """A lesson with what a page has of its steps, and the page."""
    lesson = find_lesson(request.param)
    steps = web_steps(lesson)
    return lesson, steps, web_page(lesson, steps, circles_of)


def facts_in(text):
    return json.loads(part(text, "facts"))


def test_every_lesson_is_one_file_without_a_network(written):
    lesson, _, text = written
    reader = PageReader()
    reader.feed(text)
    assert reader.open == []
    facts = facts_in(text)
    assert [step["title"] for step in facts["steps"]] == [step.title for step in lesson.steps]
    assert not re.search(r"https?:|url\(|@import|\bfetch\(|XMLHttpRequest|innerHTML|\beval\(", text)
    assert len(text) < 2_000_000
    shows_scans = [step.view.scans is not None for step in lesson.steps]
    assert [step["circles"].keys() == {"light", "dark"} for step in facts["steps"]] == shows_scans


def test_no_answer_can_be_read_in_the_file(written):
    """Neither the verdict nor its reasons; what is sealed is the verdict of the question."""
    _, steps, text = written
    for step, facts in zip(steps, facts_in(text)["steps"], strict=True):
        simulated = step.page.read.simulated
        question = simulated.shown.step.question
        if question is None:
            assert facts["question"] is None
            continue
        verdict = solution_of(question, simulated).verdict
        hidden = opened(facts["sealed"], facts["salt"])
        assert verdict.truth in json.dumps(hidden, ensure_ascii=False)
        assert verdict.truth not in text
        for reason in verdict.reasons:
            assert len(reason) < 30 or json.dumps(reason)[1:-1] not in text


def starts_of(schedule):
    """Return when tasks start, and what came to nothing of them."""
    lost = [] if schedule.attempts is None else schedule.attempts.extra_times[0].tolist()
    return schedule.start.tolist() + lost


def test_nothing_that_a_veil_hides_can_be_drawn(written):
    """Of what starts later nothing is in the open part, of what runs no end, of the run no figure."""
    _, steps, text = written
    for step, facts in zip(steps, facts_in(text)["steps"], strict=True):
        charts = facts["charts"]
        found = packed_columns(charts["facts"]["runs"], charts["data"])
        tick = charts["facts"]["tick"]
        for own, columns, chart in zip(charts["facts"]["runs"], found, step.page.charts, strict=True):
            schedule, veil = chart.rows.schedule, round(chart.veil / tick) if chart.is_veiled else None
            tasks, starts = tasks_of(columns), starts_of(schedule)
            if veil is None:
                assert len(tasks) == len(starts)
                assert own["makespan"] == schedule.makespan
                continue
            assert len(tasks) == sum(round(each / tick) < veil for each in starts)
            assert all(task[2] < veil and task[4] <= veil + 1 for task in tasks)
            assert max(columns["finish"]) <= veil
            assert max(columns["groupReady"], default=0) <= veil
            assert columns["pathTask"] == []
            assert own["makespan"] == own["veil"] == chart.veil
            assert own["axisEnd"] > schedule.makespan
            assert all(label["end"] <= chart.veil for label in own["labels"])
        if any(chart.is_veiled for chart in step.page.charts):
            said = [
                (run["bound"], run["change"], run["standing"], run["why"]) for run in charts["facts"]["runs"]
            ]
            assert said == [(None, "", "", "")] * len(said)
            hidden = opened(facts["sealed"], facts["salt"])["charts"]
            whole = packed_columns(hidden["facts"]["runs"], hidden["data"])
            assert [len(each["code"]) for each in whole] == [
                len(starts_of(c.rows.schedule)) for c in step.page.charts
            ]


def test_a_veil_lists_jobs_as_the_workload_has_them(qapp):
    """Johnson's order is to be guessed: the legend does not list it."""
    lesson = find_lesson("johnson-and-where-he-fails")
    steps = facts_in(web_page(lesson, web_steps(lesson)))["steps"]
    assert [each["name"] for each in steps[1]["charts"]["facts"]["classes"]] == ["J1", "J2", "J3", "J4", "J5"]
    hidden = opened(steps[1]["sealed"], steps[1]["salt"])["charts"]["facts"]["classes"]
    assert [each["name"] for each in hidden] == ["J2", "J5", "J1", "J4", "J3"]


def test_the_same_lesson_gives_the_same_bytes(qapp):
    lesson = find_lesson("the-shuffle-that-hides")
    one, other = (web_page(lesson, web_steps(lesson)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    "name", [text for text in INJECTIONS if text.isprintable()]
)  # documents refuse the others
def test_texts_of_authors_are_text(qapp, name):
    document = json.loads(json.dumps(LESSON))
    document |= {"name": name, "summary": name}
    document["steps"][0] |= {"title": name, "text": name}
    document["steps"][0]["view"]["scenarios"][0]["title"] = name
    document["steps"][0]["question"]["hint"] = name
    lesson, plain = lesson_from_json(document, "evil"), lesson_from_json(LESSON, "plain")
    readers = []
    for each in (lesson, plain):
        text = web_page(each, web_steps(each))
        readers.append(PageReader())
        readers[-1].feed(text)
        assert readers[-1].open == []
        assert "<script>alert" not in text
        assert "onerror=alert(1)>" not in text
    assert readers[0].seen == readers[1].seen


def test_markdown_becomes_a_tree():
    tree = text_tree(
        "One **bold** and *slanted* `code`, [a link](https://example.org).\n\n1. first\n2. second\n\n- a\n- b"
        "\n\n"
        "| x | y |\n|---|---|\n| **1** | 2 |\n\n## Head\n\n<b>no HTML</b> {{makespan 0}}"
    )
    assert tree == [
        [
            "p",
            "One ",
            ["b", "bold"],
            " and ",
            ["i", "slanted"],
            " ",
            ["code", "code"],
            ", ",
            "a link (https://example.org)",
            ".",
        ],
        ["ol", ["li", "first"], ["li", "second"]],
        ["ul", ["li", "a"], ["li", "b"]],
        ["table", ["tr", ["th", ["b", "x"]], ["th", ["b", "y"]]], ["tr", ["td", ["b", "1"]], ["td", "2"]]],
        ["h4", ["b", "Head"]],
        ["p", "<b>no HTML</b> …"],
    ]


def test_the_command_line_writes_it(tmp_path, capsys):
    path = tmp_path / "waves.html"
    assert run(["lesson", "page", "the-shuffle-that-hides", "--out", str(path)]) == 0
    assert f"Page of The shuffle that hides written to {path}" == " ".join(capsys.readouterr().out.split())
    assert path.read_text().startswith("<!doctype html>")
    assert run(["lesson", "page", "no-such-lesson", "--out", str(path)]) == 2
