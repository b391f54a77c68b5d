"""Hands on a real display: pan, move a selected job or another one with Shift, drop, Escape; needs Xvfb."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from pyvirtualdisplay.display import Display

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of it all, in a process of its own: this one draws offscreen."""
    folder: Path = tmp_path_factory.mktemp("display")
    own = {name: str(folder / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    with Display(visible=False, size=(1600, 1000)) as display:
        answer = subprocess.run(
            [sys.executable, "-m", "tests.explorer.real_display", str(folder)],
            env={**os.environ, **own, **display.env(), "QT_QPA_PLATFORM": "xcb"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert answer.returncode == 0, answer.stderr
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def test_it_is_a_real_display(told):
    assert told["platform"] == "xcb"


def test_looking_around_edits_and_selects_nothing(told):
    first, zoomed = told["at first"], told["zoomed"]
    assert (told["hover"], told["pan shape"], told["middle shape"]) == (
        "OpenHandCursor",
        "ClosedHandCursor",
        "ClosedHandCursor",
    )
    assert zoomed["shown"] < told["panned back a half"]["shown"] < told["panned"]["shown"]
    for part in ("panned", "panned back a half"):
        assert {**told[part], "shown": 0} == {**first, "shown": 0}


def test_escape_takes_a_drag_back(told):
    assert told["escaped"] == told["at first"]


def test_a_selected_job_is_moved_and_the_baseline_stays(told):
    assert told["clicked"]["selected"] == "J3"
    assert (told["hover selected"], told["move shape"]) == ("SizeAllCursor", "DragMoveCursor")
    dropped = told["dropped"]
    assert dropped["scenarios"] == [1, 3, 2]
    assert dropped["orders"] == {"1": None, "3": ["J1", "J2", "J4", "J5", "J3"], "2": None}
    assert (dropped["steps"], dropped["active"]) == (1, 3)


def test_with_shift_another_job_is_moved_in_the_edited_scenario(told):
    again = told["dropped again"]
    assert again["scenarios"] == [1, 3, 2]
    assert again["orders"]["3"] == ["J2", "J4", "J5", "J3", "J1"]
    assert (again["steps"], again["selected"]) == (2, "J3")
