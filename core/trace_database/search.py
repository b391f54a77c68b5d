"""What to look for in a trace library, and the SQL that finds it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from core.model.errors import InputError, shorten

SortKey = Literal[
    "id",
    "name",
    "title",
    "application",
    "user",
    "submitted",
    "maps",
    "reduces",
    "tasks",
    "map-mean",
    "shuffle-mean",
    "reduce-mean",
    "work",
    "source",
]
SORT_KEYS: tuple[str, ...] = get_args(SortKey)

_ORDERS: dict[str, str] = {
    "id": "template.id",
    "name": "name_key",
    "title": "NULLIF(title_key, '')",
    "user": "NULLIF(user_key, '')",
    "application": "NULLIF(application, '') COLLATE NOCASE",
    "submitted": "submitted",
    "maps": "maps",
    "reduces": "reduces",
    "tasks": "maps + reduces",
    "map-mean": "map_seconds / NULLIF(maps, 0)",
    "shuffle-mean": "shuffle_seconds / NULLIF(reduces, 0)",
    "reduce-mean": "reduce_seconds / NULLIF(reduces, 0)",
    "work": "map_seconds + shuffle_seconds + reduce_seconds",
    "source": "lower(source.name)",
}


@dataclass(frozen=True, slots=True)
class Search:
    """Filters, all of which hold, and an order.

    Attributes
    ----------
    text : words that are all parts of the name or the title, in any case
    user : part of the user's name, in any case
    application : exactly this application; None for any, "" for jobs without a title
    min_tasks, max_tasks : limits of maps and reduces together, inclusive; None for no limit
    since, until : moments in seconds since 1970; submitted at `since` or later and before `until`
    sort : what to sort by; ties by id
    descending : the largest first; jobs without a value are last either way
    trashed : whether to look among the deleted jobs instead
    """

    text: str = ""
    user: str = ""
    application: str | None = None
    min_tasks: int | None = None
    max_tasks: int | None = None
    since: float | None = None
    until: float | None = None
    sort: SortKey = "id"
    descending: bool = False
    trashed: bool = False


def conditions(search: Search) -> tuple[str, list[object]]:
    """Return the WHERE clause of a search and its values."""
    parts: list[tuple[str, object]] = [
        ("instr(searched, ?) > 0", _as_stored(word)) for word in search.text.split()
    ]
    if search.user.strip():
        parts.append(("instr(user_key, ?) > 0", _as_stored(search.user.strip())))
    limits = (
        ("application = ?", search.application),
        ("maps + reduces >= ?", search.min_tasks),
        ("maps + reduces <= ?", search.max_tasks),
        ("submitted >= ?", search.since),
        ("submitted < ?", search.until),
    )
    parts += [(condition, value) for condition, value in limits if value is not None]
    kept = "deleted IS NOT NULL" if search.trashed else "deleted IS NULL"
    return " AND ".join([kept, *(condition for condition, _ in parts)]), [value for _, value in parts]


def order(search: Search) -> str:
    """Return the ORDER BY clause of a search."""
    direction = "DESC" if search.descending else "ASC"
    key = _ORDERS[search.sort]
    return f"{key} IS NULL, {key} {direction}, template.id {direction}"


def _as_stored(text: str) -> str:
    """Return text as the columns for searching have it; what no name can hold finds nothing."""
    return text.casefold().encode("utf-8", "replace").decode()


def moment(text: str, *, end: bool = False) -> float:
    """Return a date or a date with a time (ISO 8601, UTC if it names no zone) as seconds since 1970.

    A day alone means its beginning, or with `end` the beginning of the next day.
    InputError if it is neither.
    """
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(
            f"{shorten(text)} is no date; give one as 2011-02-10, or with a time as 2011-02-10T09:41"
        ) from None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    is_day = len(text.strip()) <= len("2011-02-10")
    return when.timestamp() + (86_400 if end and is_day else 0)
