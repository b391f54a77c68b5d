"""`slotscope lesson`: listed, shown, checked and packed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from core.lessons.lesson_document import lesson_paths, read_lesson
from explorer.cli.run import run
from tests.core.lessons.lesson_examples import LESSON
from tests.explorer.cli.test_command_line import error_of, json_of, output_of, words_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lesson(tmp_path: Path) -> str:
    """Return the file of the lesson that has every field."""
    path = tmp_path / "all.lesson.json"
    path.write_text(json.dumps(LESSON))
    return str(path)


def test_the_lessons_are_listed(capsys):
    rows = json_of(capsys, "lesson", "list")
    assert [row["name"] for row in rows] == list(lesson_paths())
    assert rows[0]["title"] == "Why order matters"
    assert rows[0]["steps"] >= 4
    assert rows[0]["questions"] >= 1


def test_the_list_of_lessons_fits_into_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = output_of(capsys, "lesson", "list").splitlines()
    assert lines[:2] == [
        "why-order-matters · 6 steps, 5 questions, 10 min",
        "  Two jobs, the same work, the same cluster: one order takes nearly twice as",
    ]
    assert all(any(line.startswith(f"{name} · ") for line in lines) for name in lesson_paths())
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 4 * len(lesson_paths())


def test_a_lesson_is_read_with_its_figures_and_answers_only_if_asked_for(lesson, capsys):
    plain = output_of(capsys, "lesson", "show", lesson)
    assert "1 of 2 · Everything\n\nIt takes 11 s.\n" in plain
    assert "Charts: As they come; Explicit order; Two" in plain
    assert "Question: How long?\nHint: Count.\n" in plain
    assert "Answer" not in plain
    full = output_of(capsys, "lesson", "show", lesson, "--answers")
    assert "Answer: 24 s. The makespan is 24 s. 0:00 to" in full
    told = json_of(capsys, "lesson", "show", lesson)
    assert told["minutes"] == 3
    assert [step["title"] for step in told["steps"]] == ["Everything", "Circles"]
    assert "answer" not in told["steps"][0]["question"]
    assert json_of(capsys, "lesson", "show", lesson, "--answers")["steps"][0]["question"]["answer"] == "24 s"


def test_a_right_lesson_passes_its_check(lesson, capsys):
    assert "Every step can be shown, and every question answered." in output_of(
        capsys, "lesson", "check", lesson
    )
    told = json_of(capsys, "lesson", "check", lesson)
    assert told["problems"] == 0
    assert told["steps"][0]["makespans"] == {"As they come": 14, "Explicit order": 11, "Two": 24}
    assert (told["steps"][0]["right"], told["steps"][0]["wrong"]) == ("24 s", "27.4 s")


def test_every_problem_of_a_lesson_is_told(tmp_path, capsys):
    changed: dict[str, Any] = json.loads(json.dumps(LESSON))
    changed["steps"][0]["text"] = "{{makespam 0}}"
    changed["steps"][0]["view"]["marks"][1]["at"]["gap"]["time"] = 3
    changed["steps"][1]["view"]["scenarios"][0]["policy"] = "circumflecks"
    path = tmp_path / "wrong.lesson.json"
    path.write_text(json.dumps(changed))
    said = error_of(capsys, "lesson", "check", str(path))
    assert "step 1, 'Everything': {{makespam 0}}: unknown figure 'makespam'; did you mean 'makespan'?" in said
    assert "step 1, 'Everything': the mark 'a gap' points at a gap, and R1 is not idle then" in said
    assert "step 2, 'Circles': scenario 0: unknown policy 'circumflecks'; did you mean 'circumflex'?" in said
    assert run(["lesson", "check", str(path), "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == len(said.splitlines())
    changed["steps"][0]["view"]["active"] = 5
    path.write_text(json.dumps(changed))
    assert "steps[0].view.active is 5; the step has scenarios 0 to 1" in error_of(
        capsys, "lesson", "check", str(path)
    )


def test_a_packed_lesson_is_one_file(lesson, tmp_path, capsys):
    target = tmp_path / "out" / "packed.lesson.json"
    target.parent.mkdir()
    said = words_of(capsys, "lesson", "pack", lesson, "--out", str(target))
    assert said == f"All there is: 2 steps and 3 workloads; written to {target}"
    assert {(known.sample, known.file) for known in read_lesson(target).workloads} == {("", "")}
    assert read_lesson(target).steps == read_lesson(lesson).steps


def test_a_lesson_that_is_not_there_is_a_sentence(capsys):
    assert "did you mean 'why-order-matters'?" in error_of(capsys, "lesson", "show", "why-order-matter")
