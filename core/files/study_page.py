"""A study as one HTML file: its pictures, and the page of the schedules of a place that is clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.files.html_report import table_of
from core.files.html_text import escape
from core.files.schedule_page import MODULES, deflated_json, inner_json, whole_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.files.html_report import ReportTable

STUDY_MODULES = (
    *MODULES[:-1],
    "swap.js",
    "study/scales.js",
    "study/shapes.js",
    "study/plot.js",
    "study/curves.js",
    "study/fields.js",
    "study/pointing.js",
    "study/around.js",
    "study/places.js",
    "study/start.js",
)
"""The parts of the script: those of a page of schedules but its beginning, and what a study adds."""


def study_html(
    title: str,
    description: str,
    facts: Mapping[str, Any],  # Any: JSON
    pictures: Mapping[str, Any],
    settings: Sequence[ReportTable],
    document: str,
    plain: Sequence[ReportTable],
) -> str:
    """Return the document.

    Parameters
    ----------
    title, description : of the study, as plain text
    facts : what the script reads at once; texts in it are plain
    pictures : what is drawn; deflated into the file
    settings : how to get the same results again
    document : the study as JSON, to be read and copied; empty where it is too long
    plain : tables for where no script runs
    """
    return whole_page(
        "study/study.html",
        STUDY_MODULES,
        ("page.css", "study/study.css"),
        {
            "TITLE": escape(title),
            "DESCRIPTION": escape(description),
            "SETTINGS": "\n".join(map(table_of, settings)),
            "DOCUMENT": escape(document),
            "PLAIN": "\n".join(map(table_of, plain)),
            "FACTS": inner_json(facts),
            "PICTURES": deflated_json(pictures),
        },
    )
