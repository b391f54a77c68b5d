"""Schedules as one HTML file that draws them: script and style inside, nothing loaded from anywhere."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

from core.files.atomic import replace_file
from core.files.html_report import table_of
from core.files.html_text import escape
from core.files.packed_columns import deflate
from core.files.resources import resource_path
from core.model.visible_text import visible

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from core.files.html_report import ReportTable

MODULES = (
    "unpack.js",
    "words.js",
    "colours.js",
    "covers.js",
    "raster.js",
    "rows.js",
    "figures.js",
    "chart.js",
    "boxes.js",
    "deadlines.js",
    "reads.js",
    "attempts.js",
    "nodes.js",
    "folds.js",
    "use.js",
    "stages.js",
    "panels.js",
    "marks.js",
    "hands.js",
    "veil.js",
    "card.js",
    "gestures.js",
    "around.js",
    "start.js",
)
"""The parts of the script, in their order; each uses what those before it declare."""
STRICT = '"use strict";\n'


def page_html(
    title: str,
    description: str,
    tables: Sequence[ReportTable],
    notes: Sequence[str],
    facts: Mapping[str, Any],  # Any: JSON
    data: str,
) -> str:
    """Return the document.

    Parameters
    ----------
    title, description : of the workload, as plain text
    tables : what stands below the charts, also where no script runs
    notes : sentences below them
    facts : what the script reads beside the columns; texts in it are plain
    data : the columns, see `core.files.packed_columns.deflated`
    """
    below = [*map(table_of, tables), *(f'<p class="muted">{escape(note)}</p>' for note in notes)]
    return whole_page(
        "page.html",
        MODULES,
        ("page.css",),
        {
            "TITLE": escape(title),
            "DESCRIPTION": escape(description),
            "TABLES": "\n".join(below),
            "FACTS": inner_json(facts),
            "DATA": data,
        },
    )


def whole_page(
    template: str, modules: Sequence[str], styles: Sequence[str], places: Mapping[str, str]
) -> str:
    """Return a template with script, style, and a policy that lets nothing else run or be loaded.

    Parameters
    ----------
    template, modules, styles : files of `resources/page`; of the script and the style in their order
    places : what stands at the places of the template, as HTML
    """
    script = STRICT + "\n".join(map(_part, modules))
    style = "".join(map(_part, styles))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    every = {**places, "POLICY": policy, "STYLE": style, "SCRIPT": script}
    pieces = _part(template).split("%%")  # NOTE: what is put in is never looked through for places
    return "".join(every[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def write_page(text: str, path: str | os.PathLike[str]) -> None:
    """Write a page in one step."""
    replace_file(path, text.encode("utf-8", "xmlcharrefreplace"))


def _part(name: str) -> str:
    return resource_path("page", *name.split("/")).read_text("utf-8")


def _hash(text: str) -> str:
    """Return what a content-security policy lets run, or apply: exactly this text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def inner_json(facts: Mapping[str, Any]) -> str:
    """Return facts as JSON inside a script element: nothing in it can end that, or be taken for markup."""
    text = json.dumps(_seen(facts), ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def deflated_json(facts: Mapping[str, Any]) -> str:
    """Return facts as JSON, deflated, in base64."""
    return base64.b64encode(deflate(inner_json(facts).encode("ascii"))).decode("ascii")


def _seen(value: Any) -> Any:
    """Return a value of which what could not be seen of its texts is written out."""
    if isinstance(value, str):
        return visible(value, "\n")
    if isinstance(value, dict):
        return {name: _seen(each) for name, each in value.items()}
    return [_seen(each) for each in value] if isinstance(value, list | tuple) else value
