"""The columns of the library's table: heading, help with units, what to sort by, text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.time_text import duration_text
from core.trace_database.template import Template, date_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.trace_database.search import SortKey


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    title, help : heading, and a sentence for its tooltip
    key : what the library sorts by
    text : of a template's cell
    typical : a text that it has room for at first
    is_number : whether it is set to the right and sorted from the largest first
    """

    title: str
    help: str
    key: SortKey
    text: Callable[[Template], str]
    typical: str
    is_number: bool = False


def _seconds(value: float | None) -> str:
    return "–" if value is None else duration_text(value)


COLUMNS: tuple[Column, ...] = (
    Column("Job", "The job's name in its log", "name", lambda t: t.name, "job_201102100941_0026"),
    Column(
        "Title",
        "What its user calls it, where the log says so",
        "title",
        lambda t: t.title,
        "GridmixMonsterQuery.m",
    ),
    Column("User", "Whose job it was", "user", lambda t: t.user, "gridmixus"),
    Column(
        "Submitted",
        "When it was submitted (UTC); a dash where its log has no dates",
        "submitted",
        lambda t: date_text(t.submitted),
        "2011-02-10 09:41",
        True,
    ),
    Column("Maps", "Number of map tasks", "maps", lambda t: f"{t.maps:,}", "00,000", True),
    Column("Reduces", "Number of reduce tasks", "reduces", lambda t: f"{t.reduces:,}", "00,000", True),
    Column(
        "Map", "Duration of a map on average", "map-mean", lambda t: _seconds(t.map_mean), "00 min 00 s", True
    ),
    Column(
        "Shuffle",
        "Duration of a typical shuffle, with its sort, on average",
        "shuffle-mean",
        lambda t: _seconds(t.shuffle_mean),
        "00 min 00 s",
        True,
    ),
    Column(
        "Reduce",
        "Duration of a reduce phase on average",
        "reduce-mean",
        lambda t: _seconds(t.reduce_mean),
        "00 min 00 s",
        True,
    ),
    Column(
        "Work",
        "Time of all tasks together, in slots: how long one slot would be busy with the job",
        "work",
        lambda t: duration_text(t.work),
        "00 min 00 s",
        True,
    ),
    Column("Log", "The log it was imported from", "source", lambda t: t.source, "trace_10m"),
)
