"""What charts say about policy files, in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from core.model.errors import FailedRun, InputError, PolicyError, PolicyNotRun, SourcePlace, StalledError
from core.policies.user_files.source import Helper, PolicySource
from explorer.policy_files.notices import OLD_CHART, NoticeCard, notice_of
from explorer.policy_files.policy_files import FileState, Status

PATH = Path("/somewhere/mine.py")
PLACE = SourcePlace(str(PATH), 7, "    def key(job)", 17)
SYNTAX = PolicyError("expected ':' (SyntaxError)", PLACE)
STALL = StalledError("policy mine stalled at 0:03: no task can end", SourcePlace(str(PATH)))
FAILURE = PolicyError(
    "policy mine raised ValueError at 0:03: no", SourcePlace(str(PATH), 9, "  x = int('a')")
)


def notice(status, error=None, failure=None, *, has_schedule=False, **fields):
    return notice_of(FileState(PATH, status, error=error, **fields), failure, has_schedule=has_schedule)


def test_all_is_well():
    assert notice(Status.GOOD, has_schedule=True) is None
    assert notice(Status.GOOD, failure=PolicyNotRun("the file has not been run")) is None


@pytest.mark.parametrize(
    ("status", "error", "failure", "heading", "sentence", "code"),
    [
        (Status.UNTRUSTED, None, None, "mine.py has not been run", "A policy file is a program. Look", ""),
        (Status.BROKEN, SYNTAX, None, "mine.py, line 7", "Expected ':' (SyntaxError).", "def key(job)\n"),
        (Status.BROKEN, SYNTAX, FAILURE, "mine.py, line 7", "Expected ':' (SyntaxError).", "def key(job)\n"),
        (
            Status.GOOD,
            None,
            FAILURE,
            "mine.py, line 9",
            "Policy mine raised ValueError at 0:03: no.",
            "x = int",
        ),
        (Status.GOOD, None, STALL, "mine.py", "Policy mine stalled at 0:03: no task can end.", ""),
        (Status.GOOD, None, InputError("no map slot; give one"), "mine.py", "No map slot; give one.", ""),
        (Status.MISSING, InputError("it cannot be read"), None, "mine.py", "It cannot be read.", ""),
        (Status.RUNNING, None, None, "mine.py is running …", "It is still being loaded", ""),
    ],
)
def test_what_is_said_without_a_schedule(status, error, failure, heading, sentence, code):
    said = notice(status, error, failure)
    assert said.heading == heading
    assert said.sentence.startswith(sentence)
    assert OLD_CHART not in said.sentence
    assert said.code.startswith(code)
    assert bool(said.code) == bool(code)
    assert said.is_question == (status is Status.UNTRUSTED)
    assert not said.fades
    assert said.path == PATH


def test_a_helper_is_named_with_its_line():
    place = SourcePlace("/somewhere/helper.py", 2, "x = 1 / 0")
    said = notice(Status.BROKEN, PolicyError("ZeroDivisionError: division by zero", place), has_schedule=True)
    assert said.heading == "helper.py, line 2"
    assert said.path == Path("/somewhere/helper.py")


def test_with_helpers_it_may_be_they_that_have_changed():
    source = PolicySource(PATH, b"import helper", (Helper(PATH.with_name("helper.py"), b"", "helper"),))
    said = notice(Status.UNTRUSTED, source=source, has_schedule=True)
    assert said.heading == "mine.py or what it imports has changed"


@pytest.mark.parametrize("status", [Status.UNTRUSTED, Status.BROKEN, Status.MISSING, Status.RUNNING])
def test_an_old_schedule_is_called_so(status):
    said = notice(status, SYNTAX, has_schedule=True)
    assert said.fades
    assert said.sentence.endswith(OLD_CHART)


def test_in_a_low_chart_the_card_grows_wider_before_its_sentence_is_cut(qtbot):
    """Of "did you mean job.tasks? (looking at J1)." the last words lay below the card."""
    chart = QWidget()
    qtbot.addWidget(chart)
    chart.resize(960, 100)
    chart.show()
    card = NoticeCard(chart, chart.rect)
    words = "there is no job.taskss "
    words *= round(800 / card.fontMetrics().horizontalAdvance(words))
    failure = PolicyError(words, PLACE)
    failure.run = FailedRun(0.0, "key", (("job", "J1"), ("kind", "map")), None)
    card.show_notice(notice(Status.GOOD, failure=failure))
    QApplication.processEvents()
    assert chart.rect().contains(card.geometry())
    assert card.sentence.height() >= card.sentence.heightForWidth(card.sentence.width())
