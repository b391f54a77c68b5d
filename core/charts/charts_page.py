"""Charts as a page for a browser: the same rows, groups and colours as the window's, packed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.charts.appearance import Appearance, css
from core.charts.class_colours import class_colours, group_tones, shuffle_share, squeeze_of, tones_of
from core.charts.inks import inks_of
from core.charts.page_marks import (
    closed_columns,
    event_columns,
    late_columns,
    note_facts,
    remote_columns,
    stage_facts,
)
from core.charts.painted_rows import classes_of, painted_rows, stripe_rows
from core.charts.palette import depth_tones, stage_tones
from core.charts.raster_kernel import MAP_TONE
from core.charts.schedule_rows import band_names, schedule_rows
from core.charts.stage_names import stage_names
from core.explain.attempt_notes import LOOK_TIPS
from core.explain.page_facts import CAUSES, job_columns, path_columns, run_facts, tick_of, veiled_facts
from core.files.atomic import Watch
from core.files.packed_columns import deflated, in_ticks, layout_of, packed_column, row_columns, until
from core.files.schedule_page import page_html
from core.measures.comparison_report import about, figures_table, made_notes, settings_table
from core.model.execution_history import LOOKS
from core.model.schedule import with_distinct_titles
from core.model.visible_text import short_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.charts.chart import DrawnChart
    from core.charts.painted_rows import PaintedRows
    from core.charts.schedule_rows import ScheduleRows
    from core.files.packed_columns import PackedColumn
    from core.model.schedule import Schedule

THEMES = ("light", "dark")
FACTS_DONE = 0.5
"""Part of the work that is done when only deflating is left."""
MAX_STAGE_NAMES = 20_000


class PaintedChart(NamedTuple):
    """One chart: its content, its rows and how they are coloured."""

    content: DrawnChart
    rows: ScheduleRows
    painted: PaintedRows


class ChartsPage(NamedTuple):
    """What the script of a page reads of charts.

    Attributes
    ----------
    facts : all beside the columns, as JSON
    columns : of all charts, one after the other
    titled : title and schedule of each chart
    places : what to call the cluster of each chart, empty where there is one
    """

    facts: dict[str, Any]
    columns: list[PackedColumn]
    titled: list[tuple[str, Schedule]]
    places: list[str]


def page_of(contents: Sequence[DrawnChart], watch: Watch | None = None, clusters: Sequence[str] = ()) -> str:
    """Return the HTML file that shows charts, the baseline first; those without rows are left out.

    Nothing of what a veil hides is in it.

    Parameters
    ----------
    contents : the charts
    watch : told how far it is
    clusters : what to call the cluster of each chart, of which the reader looks at one after the other; empty
        to show all charts at once

    Raises
    ------
    Cancelled
        the watch says so
    """
    watch = watch or Watch()
    page = charts_page(contents, watch, clusters)
    titled, workload = page.titled, page.titled[0][1].workload
    if len(page.facts["variants"]) > 1:
        titled = [
            (f"{title}, {place}", each) for (title, each), place in zip(titled, page.places, strict=True)
        ]
    is_veiled = any(content.is_veiled for content in contents)
    return page_html(
        workload.name or "Schedules",
        about(workload),
        (settings_table(titled),) if is_veiled else (figures_table(titled), settings_table(titled)),
        made_notes(workload),
        page.facts,
        deflated(page.columns, watch.part(FACTS_DONE, 1.0)),
    )


def charts_page(
    contents: Sequence[DrawnChart], watch: Watch | None = None, clusters: Sequence[str] = ()
) -> ChartsPage:
    """Return what the script of a page reads of charts; of veiled ones only what is known at the veil.

    Parameters and what is raised are those of `page_of`.
    """
    watch = watch or Watch()
    charts = [_painted(content, content.rows) for content in contents if content.rows is not None]
    places = clusters or [""] * len(contents)
    variant = [place for content, place in zip(contents, places, strict=True) if content.rows is not None]
    variants = list(dict.fromkeys(variant))
    schedules = [chart.rows.schedule for chart in charts]
    titled = [
        each
        for place in variants
        for each in with_distinct_titles(
            [
                (chart.content.title, schedule)
                for chart, schedule, own in zip(charts, schedules, variant, strict=True)
                if own == place
            ]
        )
    ]
    baselines = {place: schedules[variant.index(place)] for place in variants}
    names = list(dict.fromkeys(job.name for each in schedules for job in each.workload.jobs))
    tick = tick_of(max(schedule.makespan for schedule in schedules))
    palette, order = _ToneNumbers(), _class_order(charts)
    runs: list[dict[str, Any]] = []
    columns: list[PackedColumn] = []
    for chart, (title, _), place in watch.over(
        list(zip(charts, titled, variant, strict=True)), end=FACTS_DONE, step=1
    ):
        notes, of_attempts = note_facts(chart.content)
        own = _columns(chart, names, tick, palette, of_attempts)
        bands = stage_facts(chart.content, names, tick)
        own["jobClass"] = packed_column(_job_classes(chart, names, order))
        columns += own.values()
        facts = _result_facts(chart, title, baselines[place])
        facts["variant"] = variants.index(place)
        facts |= {**_row_facts(chart), "notes": notes, "stageBands": bands, "columns": layout_of(own)}
        runs.append(facts)
    facts = {
        "tick": tick,
        "jobs": names,
        "shortNames": short_names(tuple(names)),
        "causes": CAUSES,
        "looks": LOOKS,
        "lookTips": LOOK_TIPS,
        "runs": runs,
        "variants": variants if len(variants) > 1 else [],
        "classes": _legend(charts[0], order),
        "classPlaces": np.argsort(order).tolist() if order else [],
        "themes": {name: _theme_facts(charts[0], Appearance(name == "dark"), order) for name in THEMES},
        "inks": palette.inks,
    }
    return ChartsPage(facts, columns, titled, variant)


def _result_facts(chart: PaintedChart, title: str, baseline: Schedule) -> dict[str, Any]:
    """Return the figures of one chart; of a veiled one none, but where its axis ends and its veil begins."""
    content, schedule = chart.content, chart.rows.schedule
    if not content.is_veiled:
        return run_facts(title, schedule, baseline)
    return {
        **veiled_facts(title, schedule, content.veil),
        "axisEnd": content.end,
        "veil": content.veil,
    }


def _painted(content: DrawnChart, rows: ScheduleRows) -> PaintedChart:
    """Return a chart of which each task has one row: the page counts tasks by their rows."""
    if rows.by_memory is not None:
        rows = schedule_rows(rows.schedule, by_memory=False)
        content = replace(content, rows=rows)
    return PaintedChart(content, rows, painted_rows(rows, classes_of(content)))


class _ToneNumbers:
    """Numbers the different tones of all charts: each once, with its colours in light and in dark."""

    def __init__(self) -> None:
        self.inks: list[list[list[int]]] = []
        self._numbers: dict[bytes, int] = {}

    def numbers(self, tones: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """Return the number of each row of tones in light and dark, (groups,)."""
        both = np.ascontiguousarray(np.stack(tones, 1))  # (groups, themes, tones)
        rows, inverse = np.unique(both.reshape(len(both), -1), axis=0, return_inverse=True)
        own = []
        for row in rows:
            key = row.tobytes()
            if key not in self._numbers:
                self._numbers[key] = len(self.inks)
                self.inks.append(row.reshape(len(tones), -1).tolist())
            own.append(self._numbers[key])
        return np.array(own, np.int64)[inverse.ravel()] if own else np.zeros(0, np.int64)


def _columns(
    chart: PaintedChart,
    names: Sequence[str],
    tick: float,
    palette: _ToneNumbers,
    of_attempts: NDArray[np.int64],
) -> dict[str, PackedColumn]:
    """Return all columns of one chart, in the order in which they are unpacked.

    Parameters
    ----------
    of_attempts : the notes on attempts that are no tasks, see `note_facts`
    """
    painted, rows = chart.painted, chart.rows
    pools = painted.pools_with_attempts
    whole, counts = pools[0], np.concatenate([np.diff(pool.offsets) for pool in pools])
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    start, body, end = (in_ticks(each, tick) for each in (whole.start, whole.shuffled, whole.end))
    body, end, code = np.maximum(body, start), np.maximum(end, start), whole.code.astype(np.int64)
    veil, is_veiled = chart.content.veil, chart.content.is_veiled
    known = start < (round(veil / tick) if is_veiled else np.inf)
    is_task = code >> 1 < painted.owners * painted.classes
    places = np.flatnonzero(is_task)
    attempts = known[~is_task]
    if is_veiled:
        offsets, start, body, end, code = until(round(veil / tick), offsets, start, body, end, code)
    place = np.zeros(len(rows.task), np.int64)
    place[rows.task] = places
    ready = np.full(painted.groups, -1, np.int64)
    ready[: len(whole.stage_end)] = in_ticks(np.where(whole.stage_end > veil, np.inf, whole.stage_end), tick)
    job = _group_jobs(painted, rows, names)
    tones = palette.numbers([_tones(chart, Appearance(name == "dark")) for name in THEMES])
    return {
        **row_columns(offsets, start, body, end, code),
        "groupJob": packed_column(job),
        "groupTone": packed_column(tones),
        "groupReady": packed_column(ready),
        **job_columns(rows.schedule, names, tick, veil),
        **path_columns(rows.schedule, place, tick, is_veiled),
        **closed_columns(rows, tick, veil),
        **late_columns(rows, tick, veil),
        **event_columns(rows, tick, veil),
        **remote_columns(chart.content, names, tick, places, known),
        **({"attemptNotes": packed_column(of_attempts[attempts])} if len(of_attempts) else {}),
    }


def _tones(chart: PaintedChart, colours: Appearance) -> NDArray[np.int64]:
    """Return the tones of each group of a chart as they are while nothing is selected, (groups, 6)."""
    jobs = owners = tones_of(chart.content, colours)
    if chart.rows.has_graphs:
        owners = stage_tones(jobs[:, MAP_TONE], chart.rows.schedule.workload.columns.stages, colours)
    return group_tones(chart.content, colours, chart.painted, owners)


def _group_jobs(painted: PaintedRows, rows: ScheduleRows, names: Sequence[str]) -> NDArray[np.int64]:
    """Return the place of each group's job among the names of all jobs, -1 for none, (groups,)."""
    known = {name: place for place, name in enumerate(names)}
    own = np.array([known[job.name] for job in rows.schedule.workload.jobs], np.int64)
    owners = own[rows.schedule.workload.columns.stages.job] if rows.has_graphs else own
    attempts = np.tile(np.append(own, -1), len(LOOKS))
    return np.concatenate([np.repeat(owners, painted.classes), attempts])


def _row_facts(chart: PaintedChart) -> dict[str, Any]:
    """Return what the script has to know of a chart's rows and groups."""
    rows, painted = chart.rows, chart.painted
    bands = [
        {
            "name": name,
            "prefix": pool.prefix,
            "rows": pool.slots,
            "first": pool.first_number,
            "own": pool.own if rows.has_borrowed else 2,
            "stripe": stripe_rows(pool),
            "isReduce": pool.name == "REDUCE",
            "isGroup": pool.group >= 0,
            "group": pool.group,
            "isPacked": pool.is_packed,
        }
        for name, pool in zip(band_names(rows), rows.pools, strict=True)
    ]
    few = rows.has_graphs and len(rows.schedule.workload.columns.stages.job) <= MAX_STAGE_NAMES
    record = rows.schedule.record
    hosts = () if record is None else record.run.hosts
    return {
        "bands": bands,
        "classCount": painted.classes,
        "taskGroups": painted.owners * painted.classes,
        "attemptJobs": painted.jobs + 1,
        "hasGraphs": rows.has_graphs,
        "stages": list(stage_names(rows)) if few else [],
        "hosts": list(hosts),
        "hostOf": [] if record is None else record.slot_host.tolist(),
    }


def _class_order(charts: Sequence[PaintedChart]) -> list[int]:
    """Return in which order a legend lists the classes: under a veil as the workload has their jobs."""
    classes = classes_of(charts[0].content)
    numbers = list(range(0 if classes is None else len(classes.classes)))
    if classes is not None and any(chart.content.is_veiled for chart in charts):
        first = {number: place for place, number in reversed(list(enumerate(classes.of_job.tolist())))}
        numbers.sort(key=lambda number: first.get(number, len(first)))
    return numbers


def _job_classes(chart: PaintedChart, names: Sequence[str], order: Sequence[int]) -> NDArray[np.int64]:
    """Return the place in the legend of the class of each named job, -1 for none."""
    classes, schedule = classes_of(chart.content), chart.rows.schedule
    job, places = np.arange(len(schedule.workload.jobs)), chart.content.places
    if places is not None:
        job = places[1]
    elif classes is None or len(classes.of_job) != len(job):
        job = np.full(len(job), -1)
    of_job = np.full(0, -1) if classes is None else classes.of_job
    place_of = np.append(np.argsort(order), -1)
    found = np.append(place_of[np.append(of_job, -1)[job]], -1)
    index = schedule.workload.job_index
    return found[[index.get(name, -1) for name in names]]


def _legend(chart: PaintedChart, order: Sequence[int]) -> list[dict[str, Any]]:
    """Return the classes of jobs that colours stand for, each with its only job, empty for several."""
    classes, names = classes_of(chart.content), list(chart.rows.schedule.given.job_index)
    listed = [] if classes is None else [classes.classes[number] for number in order]
    return [
        {"name": each.name, "jobs": each.jobs, "job": names[each.job] if 0 <= each.job < len(names) else ""}
        for each in listed
    ]


def _theme_facts(chart: PaintedChart, colours: Appearance, order: Sequence[int]) -> dict[str, Any]:
    """Return the colours by role, those of the classes in an order, and how tasks share a pixel."""
    classes = classes_of(chart.content)
    squeeze = squeeze_of(chart.content, colours)
    opacity = inks_of(np.zeros((0, 6), np.int64), squeeze).opacity
    return {
        "roles": role_colours(colours),
        "classes": [] if classes is None else class_colours(classes, colours)[order].tolist(),
        "depths": _depths(chart, colours),
        "opacity": opacity.tolist(),
        "shuffleShare": shuffle_share(classes),
        "takesAll": squeeze.takes_all,
    }


def _depths(chart: PaintedChart, colours: Appearance) -> list[int]:
    """Return the tints from the first to the last stage of a job, for a legend; none where jobs have none."""
    classes = classes_of(chart.content)
    if classes is None or not classes.classes or not chart.rows.has_graphs:
        return []
    tints: list[int] = depth_tones(class_colours(classes, colours)[:1], colours)[0].tolist()
    return tints


def role_colours(colours: Appearance) -> dict[str, Any]:
    """Return the colours of an appearance by role, as CSS has them."""
    return {
        role: css(shade) if isinstance(shade, str) else [css(each) for each in shade]
        for role, shade in colours.shades.items()
    }
