"""Figures of studies beside what papers published, as one HTML page that needs no other file."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.charts.study.figure_marks import range_text
from core.charts.study.values import value_text
from core.files.html_text import escape
from core.study.verdicts import verdicts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.study.figure_data import FigureData, PublishedRange
    from core.study.study import Study

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2430; background: #f6f7f9; margin: 0 auto;
       padding: 24px; max-width: 1000px; }
h1 { font-size: 26px; }
h2 { font-size: 20px; margin-top: 48px; border-top: 1px solid #d3d8e0; padding-top: 20px; }
code { background: #e9ecf1; padding: 1px 5px; border-radius: 3px; }
figure { background: #fff; border: 1px solid #d3d8e0; border-radius: 4px; margin: 18px 0; padding: 10px; }
figure img { width: 100%; height: auto; }
table { border-collapse: collapse; font-size: 14px; margin: 6px 4px; }
th, td { text-align: right; padding: 2px 12px 2px 0; } th { color: #545e6d; font-weight: 500; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2), td.note { text-align: left; }
.muted { color: #545e6d; } .failed { color: #b3400b; }
nav ol { columns: 2; } nav li { break-inside: avoid; }
"""


@dataclass(frozen=True)
class ReportSection:
    """The page's text about one study.

    Attributes
    ----------
    key : the name by which the command line knows it
    study : the document
    figures : what each figure plots, and its picture as SVG
    rows, failed : simulations of the results, and those among them that failed
    program : that made the results, with its version
    """

    key: str
    study: Study
    figures: Sequence[tuple[FigureData, bytes]]
    rows: int
    failed: int
    program: str


def report(sections: Sequence[ReportSection]) -> str:
    """Return the page with a section for each study, in this order."""
    programs = " and ".join(dict.fromkeys(each.program for each in sections))
    links = "\n".join(
        f'<li><a href="#{escape(each.key)}">{escape(each.study.name)}</a> <span class="muted">'
        f"{escape(each.key)}</span></li>"
        for each in sections
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Figures of the papers, computed again</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head><body>
<h1>Figures of the papers, computed again</h1>
<p>Every figure of the five papers that a study can give: ours, with the spread over the repetitions as a band
or a thin line with caps, and hollow marks, dashed lines or pale regions where the paper says a number or a
range. Computed by {escape(programs)}.</p>
<nav><ol>{links}</ol></nav>
{"".join(map(_section, sections))}
</body></html>
"""


def _section(each: ReportSection) -> str:
    study = each.study
    seeds = (
        f", seeds {study.first_seed} to {study.first_seed + study.repetitions - 1}"
        if study.repetitions > 1
        else ""
    )
    failed = f' <span class="failed">{each.failed} of them failed.</span>' if each.failed else ""
    pictures = "".join(_figure(data, picture) for data, picture in each.figures)
    return f"""<section id="{escape(each.key)}"><h2>{escape(study.name)}</h2>
<p>{escape(study.description)}</p><p class="muted">{escape(study.source)}</p>
<p><code>slotscope study run {escape(each.key)} --out DIR</code> <span class="muted">{each.rows} simulations:
{study.cell_count} cells, {study.repetitions} of each{seeds}.{failed}</span></p>
{pictures}</section>
"""


def _figure(data: FigureData, picture: bytes) -> str:
    image = b64encode(picture).decode()
    alt = escape(f"{data.figure.title}, {data.figure.source}".strip(", "))
    return (
        f'<figure><img alt="{alt}" src="data:image/svg+xml;base64,{image}">{_beside(data)}{_verdicts(data)}'
        "</figure>\n"
        if picture
        else ""
    )


def _verdicts(data: FigureData) -> str:
    """Return what is known of the published numbers of a figure that do not come out here."""
    return "".join(
        f'<p class="muted">{escape(f"{each.where}: published {each.published}. {each.sentence}")} '
        f"<code>{escape(each.command)}</code></p>"
        for each in verdicts_of(data.figure.source)
    )


def _beside(data: FigureData) -> str:
    """Return the table of published points with ours beside them."""
    rows = [
        (
            curve.name or data.figure.title,
            _place(data, x),
            _range_text(low, high, data.y_unit),
            *_ours(data, curve.name, x),
            curve.note,
        )
        for curve in data.published
        for x, low, high in zip(curve.xs, curve.low, curve.high, strict=True)
    ]
    rows += [_of_all(data, stated) for stated in data.ranges]
    if not rows:
        return ""
    heads = (data.along, data.x_title, "published", "here", "least to most", "read")
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _of_all(data: FigureData, stated: PublishedRange) -> tuple[str, str, str, str, str, str]:
    """Return a range of a paper beside the least and the most of our means along the curve."""
    reach = data.reach(stated.name)
    ours = "–" if reach is None else _range_text(*reach, data.y_unit)
    printed = range_text(stated, data.y_unit)
    return stated.name or data.figure.title, f"all {data.x_title}", printed, "", ours, stated.note


def _place(data: FigureData, x: float) -> str:
    return data.labels[int(x)] if data.labels else value_text(x, data.x_unit)


def _range_text(low: float, high: float, unit: str) -> str:
    if low == high:
        return value_text(low, unit)
    return f"{value_text(low, unit)} to {value_text(high, unit)}"


def _ours(data: FigureData, name: str, x: float) -> tuple[str, str]:
    """Return our mean beside a published point, and its spread; dashes where we have none."""
    found = data.beside(name, x)
    if found is None:
        return "–", "–"
    return value_text(found[0], data.y_unit), _range_text(*found[1:], data.y_unit)
