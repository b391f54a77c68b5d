"""`slotscope study compare`: policies compared draw by draw on the same jobs, with intervals and a figure."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.model.errors import InputError
from explorer.cli.command import Command, argument, option
from explorer.cli.requests import Theme, json_option, open_results, seed_option, theme_option
from explorer.cli.screen import print_json, print_line, print_table
from explorer.cli.study_figures import FORMATS, write_page

if TYPE_CHECKING:
    from core.study.figure_data import FigureData
    from core.study.paired import PairedRow
    from core.study.study import Study, StudyFigure

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
Kind = Literal["more-than", "less-than", "difference", "ratio"]


class CompareStudyCommand(Command, name="study compare"):
    """Compare policies of a study draw by draw, on the same jobs, with intervals of the mean.

    Needs no display. A picture that is written has axes with units, and the intervals.
    """

    folder: str = argument("DIR", "where a study was run into")
    to: str = option("ID", "the point that all others are compared with (default: the first)", default="")
    measure: str = option("NAME", "what is compared (default: the first that was measured)", default="")
    axis: str = option("AXIS", "whose points are compared (default: that of the policies)", default="")
    along: str = option("AXIS", "another axis, along which they are (default: the first other)", default="")
    kind: Kind = option(None, "as what (default more-than, in percent)", default="more-than", name="--as")
    interval: float = option("PERCENT", "how sure the interval is (default 95)", default=95.0)
    seed: int = seed_option("resamples of the bootstrap")
    picture: str | None = option("F.png|svg|pdf|csv", "also write the picture, or its numbers", name="--out")
    theme: Theme = theme_option()
    json: bool = json_option()

    def run(self) -> None:
        """Print the table, and draw it if that is wanted."""
        from core.study.figure_data import figure_data
        from core.study.paired import Comparison, paired_figure, paired_rows

        path = None if self.picture is None else Path(self.picture)
        if path is not None and path.suffix.lower() not in FORMATS:
            raise InputError(f"--out {self.picture}: a figure ends in .png, .svg, .pdf or .csv")
        if not 0 < self.interval < 100:
            raise InputError(f"--interval is {self.interval:g}; give a number above 0 and below 100")
        if self.seed < 0:
            raise InputError(f"--seed is {self.seed}; give a whole number from 0 on")
        results = open_results(self.folder)
        study, frame = results.study, results.frame()
        measure = self.measure or study.measures[0]
        wanted = Comparison(measure, self.axis, self.to, self.along, self.kind, self.interval, self.seed)
        figure = paired_figure(study, wanted)
        rows, data = paired_rows(study, frame, figure), figure_data(study, figure, frame)
        if self.json:
            print_json(_to_json(study, figure, data, rows))
        else:
            _print(figure, data, rows)
        if path is not None:
            write_page(data, path, is_dark=self.theme == "dark", says=not self.json)


def _to_json(
    study: Study, figure: StudyFigure, data: FigureData, rows: tuple[PairedRow, ...]
) -> dict[str, object]:
    assert figure.relative is not None
    head = {"version": VERSION, "study": study.name, "measure": figure.y, "as": figure.relative.kind}
    head |= {"to": figure.relative.at[0][1], "unit": data.y_unit, "along": figure.x if figure.by else None}
    head |= {"interval": figure.interval, "interval_seed": figure.interval_seed}
    return head | {"rows": [asdict(row) for row in rows]}


def _print(figure: StudyFigure, data: FigureData, rows: tuple[PairedRow, ...]) -> None:
    from explorer.cli.study_numbers import number_text

    assert figure.relative is not None
    (axis, to), unit = figure.relative.at[0], data.y_unit
    cells = [
        (
            row.along,
            row.name,
            *(number_text(value, "") for value in (row.mean, row.there)),
            *(number_text(value, unit) for value in (row.change, row.low, row.high)),
            f"{row.better} of {row.draws}",
        )
        for row in rows
    ]
    columns = (
        *(figure.x if figure.by else "", axis, ">mean", f">of {to}"),
        *(f">change{f' ({unit})' if unit else ''}", ">from", ">to", ">better in"),
    )
    kept = [place for place in range(len(columns)) if columns[place]]
    print_table(figure.title, [columns[i] for i in kept], [[row[i] for i in kept] for row in cells])
    print_line(f"Each draw is compared with {to} on the same jobs; from and to: {data.spread}")
