"""A report as one HTML file that needs nothing else: pictures inside, tables, how it was made."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.files.atomic import replace_file
from core.files.html_text import escape

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
:root { color-scheme: light dark; }
body { color: #1d2430; background: #fff; }
.wide { overflow-x: auto; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { padding: .25rem .8rem; border-bottom: 1px solid #d3d8e0; text-align: right; }
th:first-child, td:first-child { text-align: left; }
th { font-weight: 600; }
figure { margin: 1rem 0; } img { max-width: 100%; height: auto; border: 1px solid #d3d8e0; }
.muted { color: #5d6776; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e9ef; background: #14171c; }
  th, td, img { border-color: #2e3540; } .muted { color: #97a1b1; }
}
"""


@dataclass(frozen=True)
class ReportTable:
    """A titled table of texts with a sentence on its contents; the first column is left aligned."""

    title: str
    about: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def html_report(
    title: str, description: str, picture: str, tables: Sequence[ReportTable], made: Sequence[str]
) -> str:
    """Return the document.

    Parameters
    ----------
    title, description : of the workload, as plain text
    picture : an image element with its data inside
    tables : what is compared
    made : sentences that say how to get the same again
    """
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f'<p class="muted">{escape(description)}</p>' if description else "",
        f"<figure>{picture}</figure>",
        *(table_of(table) for table in tables),
        "<h2>How it was made</h2>",
        *(f'<p class="muted">{escape(sentence)}</p>' for sentence in made),
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def themed_picture(light: bytes, dark: bytes, text: str) -> str:
    """Return an image element that holds two PNG pictures and shows the one for the reader's theme.

    Parameters
    ----------
    light, dark : PNG files
    text : what the picture shows, for those who hear it
    """
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{_data(dark)}">'
        f'<img alt="{escape(text)}" src="{_data(light)}"></picture>'
    )


def _data(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


def write_report(text: str, path: str | os.PathLike[str]) -> None:
    """Write a report in one step."""
    replace_file(path, text.encode("utf-8", "xmlcharrefreplace"))


def table_of(table: ReportTable) -> str:
    """Return a table with its heading and its sentence as HTML."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    about = f'<p class="muted">{escape(table.about)}</p>'
    rows = f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'
    return f"<h2>{escape(table.title)}</h2>{about}{rows}"
