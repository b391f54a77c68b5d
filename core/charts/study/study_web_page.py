"""A study as a page for a browser: its pictures, how to repeat it, and schedules of its places."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from core.charts.appearance import Appearance
from core.charts.charts_page import THEMES, role_colours
from core.charts.curve_colours import CURVES, curve_colour
from core.charts.study.figure_marks import figure_table
from core.charts.study.page_choices import offers
from core.charts.study.page_pictures import PictureWriter, css_of, marks_in
from core.charts.study.page_places import Places, PlaceSchedules, ScheduleMaker
from core.charts.study.picture_data import picture_data
from core.charts.study.values import value_text
from core.files.atomic import Watch
from core.files.html_report import ReportTable
from core.files.study_page import study_html
from core.model.errors import InputError
from core.model.number_text import grouped
from core.study.measures import MEASURES
from core.study.pictures import PictureRows
from core.study.point_names import name_of
from core.study.policy_names import is_file_policy
from core.study.policy_sources import read_policies
from core.study.run_study import open_files
from core.study.study import values_of
from core.study.study_document import study_to_json
from core.study.study_fields import value_text as field_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd

    from core.charts.study.page_places import ClickedPlace
    from core.study.figure_data import FigureData
    from core.study.results import StudyResults
    from core.study.study import Axis, Study

    Json = dict[str, Any]  # Any: JSON

MAX_PICTURES, MAX_MARKS, MAX_MARKS_OF_ONE = 200, 60_000, 12_000
"""Of a page; of all its pictures together, and of one: some 10 bytes of the file each."""
DEFAULT_PLACES = 60
"""Places whose schedules are in a page, at most."""
DEFAULT_MB, MB = 5.0, 1e6
"""How large a page is at most; schedules are left out from there on."""
MAX_DOCUMENT = 200_000
"""Letters of a study document that a page shows."""
MAX_PLAIN_ROWS = 500
"""Of the tables for where no script runs."""
MAX_LABELS = 200
"""Points of an axis of which a reader can leave some out."""
PICTURES_DONE = 0.3
"""Part of the work that is done when only schedules are left."""
NOT_MADE = "The page was written without schedules."
NOT_TRUSTED = (
    "The study runs policy files, whose code was not agreed to when the page was written: it has no "
    "schedules. slotscope study page with --trust-policies runs them."
)


@dataclass(frozen=True)
class StudySource:
    """What a page is made of.

    Attributes
    ----------
    study : the study
    frame : rows of its results, with all columns
    program : that made the results, with its version
    maker : simulates cells again; None for no schedules
    why_none : why there is no maker, as a sentence
    cut : what is missing of the logs that were run, as sentences; empty where nothing is known to be
    """

    study: Study
    frame: pd.DataFrame
    program: str
    maker: ScheduleMaker | None = None
    why_none: str = NOT_MADE
    cut: str = ""

    def without_schedules(self) -> StudySource:
        """Return the same, of which the page is to have no schedules."""
        return replace(self, maker=None, why_none=NOT_MADE)


def source_of(results: StudyResults, *, are_trusted: bool) -> StudySource:
    """Return what a page of results is made of, their policy files only where these are trusted.

    Raises
    ------
    InputError
        the rows are damaged, or a policy file that is trusted cannot be read
    """
    study, maker, why = results.study, None, NOT_MADE
    if not are_trusted and any(map(is_file_policy, values_of(study, "policy.id"))):
        why = NOT_TRUSTED
    else:
        try:
            maker = ScheduleMaker(study, open_files(study), read_policies(study))
        except InputError as error:
            why = f"The page was written where its jobs were not: {error}"
    return StudySource(study, results.frame(), results.program(), maker, why, results.cut)


class PageLimits(NamedTuple):
    """How much is in a page.

    Attributes
    ----------
    places : that have schedules, at most
    megabytes : of the file; schedules that would make it larger are left out
    """

    places: int = DEFAULT_PLACES
    megabytes: float = DEFAULT_MB


class StudyPage(NamedTuple):
    """A page, and what is in it.

    Attributes
    ----------
    text : the HTML file
    pictures : that are in it
    has_more : whether there was no room for others
    places, with_schedules : places that can be clicked, and those among them whose schedules are inside
    """

    text: str
    pictures: int
    has_more: bool
    places: int
    with_schedules: int

    @property
    def words(self) -> str:
        """What is in it, in words, with its size."""
        left = " (Slotscope has more)" if self.has_more else ""
        return (
            f"{grouped(self.pictures)} pictures{left}, schedules of {grouped(self.with_schedules)} of "
            f"{grouped(self.places)} places, {len(self.text) / MB:.2f} MB"
        )


def study_page(source: StudySource, limits: PageLimits, watch: Watch | None = None) -> StudyPage:
    """Return the page of a study.

    Raises
    ------
    InputError
        no run of the study has given a result
    Cancelled
        the watch says so
    """
    watch, study = watch or Watch(), source.study
    rows = PictureRows(study, source.frame, ())
    if not len(rows.rows):
        raise InputError("no run of the study has given a result; run it, then write the page")
    places = Places(study, rows)
    made = _made(source, PictureWriter(study, rows, places), places, watch)
    opened = places.opened()
    schedules = PlaceSchedules([], [-1] * len(opened), {})
    if source.maker is not None:
        room = limits.megabytes * MB - len(_html(source, made, opened, schedules))
        left = watch.part(PICTURES_DONE, 1.0)
        schedules = source.maker.made(opened, made.first_places, limits.places, room, left)
    text = _html(source, made, opened, schedules)
    return StudyPage(text, len(made.pictures), made.has_more, len(opened), len(schedules.packed))


class _Made(NamedTuple):
    """The pictures of a page.

    Attributes
    ----------
    pictures, figures : all of them, and the study's own among them
    has_more : whether there are others
    first_places : how many places the first picture has
    """

    pictures: list[Json]
    figures: list[FigureData]
    has_more: bool
    first_places: int


def _made(source: StudySource, writer: PictureWriter, places: Places, watch: Watch) -> _Made:
    found: list[Json] = []
    figures: list[FigureData] = []
    tried = list(islice(offers(source.study), MAX_PICTURES + 1))
    marks, first_places, has_more = 0, 0, len(tried) > MAX_PICTURES
    for offer in watch.over(tried[:MAX_PICTURES], end=PICTURES_DONE, step=1):
        try:
            data = picture_data(source.study, source.frame, offer.choice)
        except InputError:  # a figure of a kind that no figure of a document is drawn as
            continue
        picture = writer.written(data)
        own = marks_in(picture)
        if own > MAX_MARKS_OF_ONE or marks + own > MAX_MARKS:
            has_more = True
        elif own:
            marks += own
            chosen = {"group": offer.group, "measure": offer.measure, "variant": offer.variant}
            found.append(chosen | picture)
            figures += [] if data.figure is None else [data.figure]
            first_places = first_places or len(places)
    return _Made(found, figures, has_more, first_places)


def _html(
    source: StudySource,
    made: _Made,
    opened: list[ClickedPlace],
    schedules: PlaceSchedules,
) -> str:
    study = source.study
    facts: Json = {
        "name": study.name,
        "tick": 1.0,
        "themes": {name: {"roles": _roles(name == "dark")} for name in THEMES},
        "hasMore": made.has_more,
        "axes": [_axis_json(axis) for axis in study.axes],
        "schedules": [list(each) for each in schedules.packed],
        "whyNone": "" if source.maker is not None else source.why_none,
    }
    places = [
        [place.label, own, schedules.why_none.get(number, "")]
        for number, (place, own) in enumerate(zip(opened, schedules.of_place, strict=True))
    ]
    document = json.dumps(study_to_json(study), indent=2, ensure_ascii=True)
    return study_html(
        study.name or "Study",
        "\n".join(filter(None, (source.cut, study.description))),
        facts,
        {"pictures": made.pictures, "places": places},
        _settings(source),
        document if len(document) <= MAX_DOCUMENT else "",
        list(_plain(made)),
    )


def _roles(is_dark: bool) -> Json:
    """Return the colours by role, and those of curves."""
    curves = {f"curve{k}": css_of(curve_colour(k, is_dark=is_dark)) for k in range(len(CURVES))}
    return role_colours(Appearance(is_dark)) | curves


def _axis_json(axis: Axis) -> Json:
    count = len(axis.points)
    return {"name": axis.name, "labels": [name_of(axis, k) for k in range(min(count, MAX_LABELS))]}


def _settings(source: StudySource) -> list[ReportTable]:
    """Return the table of all that gives the same results again."""
    study = source.study
    good, all_rows = int(source.frame["error"].isna().sum()), len(source.frame)
    last = study.first_seed + study.repetitions - 1
    seeds = f"{study.first_seed} to {last}" if study.repetitions > 1 else str(study.first_seed)
    there = f"{grouped(all_rows)} of {grouped(study.row_count)}"
    rows = [
        *((name, field_text(value)) for name, value in study.base),
        *((axis.name, _points_text(axis)) for axis in study.axes),
        ("seeds", f"{seeds}, written to {', '.join(study.seeds)}" if study.seeds else "none"),
        ("repetitions", str(study.repetitions)),
        ("measures", ", ".join(MEASURES[name].title for name in study.measures)),
        ("simulations", f"{there}, of which {grouped(all_rows - good)} failed"),
        ("program", source.program),
    ]
    about = (
        "Save the study below as my.study.json; slotscope study run my.study.json --out DIR gives the same "
        "numbers."
    )
    return [ReportTable("How to repeat it", about, ("what", "value"), tuple(rows))]


def _points_text(axis: Axis) -> str:
    labels = [name_of(axis, place) for place in range(min(len(axis.points), MAX_LABELS))]
    more = len(axis.points) - len(labels)
    return ", ".join(labels) + (f" and {grouped(more)} more" if more else "")


def _plain(made: _Made) -> Iterator[ReportTable]:
    """Yield what a page shows where no script runs: the answers, and the numbers of the study's figures."""
    answers = tuple(
        (", ".join(filter(None, (each["group"], each["measure"]))), each["answer"])
        for each in made.pictures
        if each["answer"] and not each["variant"]
    )
    yield ReportTable("Answers", "What each picture comes to.", ("picture", "answer"), answers)
    left = MAX_PLAIN_ROWS
    for data in made.figures:
        head, rows = figure_table(data)
        if len(rows) <= left:
            left -= len(rows)
            texts = tuple(tuple(map(_cell_text, row)) for row in rows)
            yield ReportTable(data.figure.title, data.spread, head, texts)


def _cell_text(value: str | float | None) -> str:
    return "" if value is None else value if isinstance(value, str) else value_text(value, "")
