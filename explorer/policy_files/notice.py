"""What a chart says about its scenario's policy file: the sentence, the line, and what can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.errors import PolicyFault, PolicyNotRun, SourcePlace
from explorer.policy_files.policy_files import FileState, Status

if TYPE_CHECKING:
    from pathlib import Path

OLD_CHART = "The chart shows what the last version that worked did."


@dataclass(frozen=True)
class Notice:
    """What is said.

    Attributes
    ----------
    heading : the file, with the line
    sentence : what is wrong, or what is to be done
    code : the source line, below it perhaps a caret; empty for none
    asks : whether people are asked to look at the file and trust it
    path : the file
    fades : whether the schedule below it is that of an older version
    """

    heading: str
    sentence: str
    path: Path
    code: str = ""
    asks: bool = False
    fades: bool = False


def notice_of(state: FileState, failure: Exception | None, *, has_schedule: bool) -> Notice | None:
    """Return what a chart says about its policy file; None when all is well.

    Parameters
    ----------
    state : of the file
    failure : what the last simulation of the scenario ended with, None if it ended well
    has_schedule : whether the chart shows a schedule
    """
    name = state.path.name
    if state.status is Status.RUNNING:
        waits = _with_note("It has not come to the end of its top level yet.", has_schedule)
        return Notice(f"{name} is running …", waits, state.path, fades=has_schedule)
    if state.status is Status.UNTRUSTED:
        return _question(name, state, has_schedule=has_schedule)
    error = state.error or failure
    if error is None or isinstance(error, PolicyNotRun):  # it has been run by now: its schedule is coming
        return None
    place = error.place if isinstance(error, PolicyFault) else None
    sentence = error.sentence if isinstance(error, PolicyFault) else str(error)
    return Notice(
        heading=f"{name}, line {place.line}" if place is not None and place.line else name,
        sentence=_with_note(_one_sentence(sentence), has_schedule),
        path=state.path,
        code=_code(place),
        fades=has_schedule,
    )


def _question(name: str, state: FileState, *, has_schedule: bool) -> Notice:
    if has_schedule:
        sentence = _with_note("It is not run until you have looked at it again.", noted=True)
        return Notice(f"{name} has changed", sentence, state.path, asks=True, fades=True)
    sentence = "A policy file is a program. Look at it, and let it run if you trust it."
    return Notice(f"{name} has not been run", sentence, state.path, asks=True)


def _with_note(sentence: str, noted: bool) -> str:
    return f"{sentence} {OLD_CHART}" if noted else sentence


def _one_sentence(text: str) -> str:
    """Return a text as a sentence: with a capital letter and a full stop."""
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def _code(place: SourcePlace | None) -> str:
    return "" if place is None else place.excerpt
