"""A lesson as one HTML file: the page of its charts with text, questions and what is known of the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.files.html_text import escape
from core.files.schedule_page import MODULES, inner_json, whole_page

if TYPE_CHECKING:
    from collections.abc import Mapping

LESSON_MODULES = (
    *MODULES[:-1],
    "swap.js",
    "lesson/opened.js",
    "lesson/texts.js",
    "lesson/verdicts.js",
    "lesson/labels.js",
    "lesson/controls.js",
    "lesson/question.js",
    "lesson/steps.js",
)
"""The parts of the script: those of a page of schedules but its beginning, and what a lesson adds."""


def lesson_html(title: str, summary: str, facts: Mapping[str, Any]) -> str:  # Any: JSON
    """Return the document.

    Parameters
    ----------
    title, summary : of the lesson, as plain text
    facts : what the script reads; texts in it are plain
    """
    places = {"TITLE": escape(title), "DESCRIPTION": escape(summary), "FACTS": inner_json(facts)}
    return whole_page("lesson/lesson.html", LESSON_MODULES, ("page.css", "lesson/lesson.css"), places)
