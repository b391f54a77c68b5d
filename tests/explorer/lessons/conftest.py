"""A window for tests of lessons, and a lesson with a veil, a guest, marks and a question of each kind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from explorer.window.main_window import MainWindow

TINY = {
    "format": "slotscope-workload",
    "version": 1,
    "name": "tiny",
    "cluster": {"map_slots": 2, "reduce_slots": 1, "slowstart": 1},
    "jobs": [
        {"name": "a", "maps": {"count": 3, "durations": 4}, "reduces": {"count": 1, "durations": 2}},
        {"name": "b", "maps": {"count": 2, "durations": 1}, "reduces": {"count": 1, "durations": 8}},
    ],
}
"""FIFO: a's maps at 0, 0 and 4; b's maps at 4 (beside a's third) and 5, its reduce from 6 to 14, then a's.

It ends at 16; with b first at 11.
"""
FIFO = {"workload": "tiny", "scenarios": [{"policy": "fifo"}]}
MARK = {"text": "waits", "at": {"task": {"job": "a", "kind": "reduce", "number": 1}}}
STEPS: list[dict[str, Any]] = [
    {
        "title": "How long",
        "text": "It takes **{{makespan 0}}**, [they say](https://example.org).",
        "view": FIFO | {"cursor": [4, 0], "marks": [MARK, {"text": "slot", "at": {"slot": "M2", "time": 2}}]},
        "veil": {"from": "cursor"},
        "question": {"kind": "makespan", "text": "How long?", "hint": "Count.", "after": "So *that* is it."},
    },
    {
        "title": "Which job",
        "text": "",
        "view": FIFO | {"cursor": [4, 0], "zoom": [0, 10], "selected_job": "b"},
        "veil": {"from": 4},
        "question": {"kind": "next-job", "text": "Who is next?"},
    },
    {
        "title": "A guest",
        "text": "",
        "view": FIFO
        | {
            "guests": [{"workload": "tiny", "policy": "order", "order": ["b", "a"], "title": "Turned"}],
            "docks": ["why"],
        },
        "question": {"kind": "ends-first", "text": "Which is shorter?"},
    },
    {
        "title": "Your order",
        "text": "",
        "view": FIFO,
        "question": {"kind": "order", "text": "Better?", "goal": "best"},
    },
    {
        "title": "Idle",
        "text": "",
        "view": FIFO | {"cursor": [0, 0]},
        "veil": {"from": 0},
        "question": {"kind": "idle-first", "text": "Which slot?", "slots": "map"},
    },
]


def lesson_text(steps: list[dict[str, Any]] | None = None) -> str:
    """Return a lesson of these steps as its file has it."""
    head = {"format": "slotscope-lesson", "version": 1, "name": "Tiny", "summary": "All kinds."}
    return json.dumps(head | {"workloads": {"tiny": TINY}, "steps": steps or STEPS})


def leave_all(window: MainWindow) -> None:
    """Let go of what was edited."""
    window.lessons.writing.editor.clear()
    walk = window.lessons.steps.walk
    if walk is not None:
        walk.saved(walk.source)
    window.editor.undo_stack.setClean()


@pytest.fixture
def lesson_path(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.lesson.json"
    path.write_text(lesson_text())
    return path


@pytest.fixture
def window(window_of_module, lesson_path, qtbot):
    """The one window of the module on the first step of the lesson, fully simulated."""
    leave_all(window_of_module)
    open_lesson(qtbot, window_of_module, lesson_path)
    yield window_of_module
    leave_all(window_of_module)


def open_lesson(qtbot, window: MainWindow, path: Path) -> None:
    """Open a lesson as a user would, and wait for its first step."""
    with qtbot.waitSignal(window.files.opened):
        window.files.open(path)
    settle(qtbot, window)


def settle(qtbot, window: MainWindow) -> None:
    """Wait until a step is all there."""
    assert window.runner.wait_until_idle(60_000)
    steps = window.lessons.steps
    qtbot.waitUntil(lambda: not steps._worker.is_busy and steps.read is not None)


def go(qtbot, window: MainWindow, number: int) -> None:
    """Go to a step, numbered from 1."""
    window.lessons.steps.show_step(number - 1)
    settle(qtbot, window)


def check(qtbot, window: MainWindow) -> None:
    """Press the button that has the answer checked, and wait for the verdict."""
    question = window.lessons.steps.pane.question
    assert question.check_button.isEnabled()
    question.check_button.click()
    missed = question.miss.text()
    qtbot.waitUntil(lambda: not question.verdict.isHidden() or question.miss.text() != missed)
