"""Searching by SQL finds what a plain loop over all templates finds, in the same order."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files.open_workload import Opened
from core.model.errors import InputError
from core.model.recorded_run import RecordedRun
from core.model.workload import Workload
from core.trace_database.search import RunSearch, moment
from core.trace_database.template import SORT_KEYS
from core.trace_database.trace_database import Library, import_into
from tests.builders import make_job

if TYPE_CHECKING:
    from pathlib import Path

NAMES = st.text(st.sampled_from("aAbBßẞéÉ %_\\'0123 İı"), min_size=1, max_size=8).map(str.strip).filter(bool)
USERS = st.sampled_from(["", "ann", "Ann", "bob", "Straße", "STRASSE"])


@st.composite
def searches(draw):
    number = st.none() | st.integers(0, 12)
    return RunSearch(
        text=draw(st.text(st.sampled_from("aAbBßéÉ %_\\'01 s"), max_size=3)),
        user=draw(st.sampled_from(["", "a", "NN", "b", "ss", "x", " "])),
        min_tasks=draw(number),
        max_tasks=draw(number),
        sort=draw(st.sampled_from(list(SORT_KEYS))),
        descending=draw(st.booleans()),
    )


def naive(templates, search):
    def fits(t):
        words = search.text.casefold().split()
        return (
            all(word in t.name.casefold() for word in words)
            and search.user.strip().casefold() in t.user.casefold()
            and (search.min_tasks is None or t.tasks >= search.min_tasks)
            and (search.max_tasks is None or t.tasks <= search.max_tasks)
        )

    numbers = re.compile("([0-9]+)")
    keys = {
        "name": lambda t: "".join(
            part.zfill(18) if part.isdigit() else part for part in numbers.split(t.name.casefold())
        ),
        "title": lambda t: t.title or None,
        "user": lambda t: t.user.casefold() or None,
        "application": lambda t: t.application or None,
        "source": lambda t: t.source.lower(),
        "submitted": lambda t: None,
    }
    key = keys.get(search.sort, lambda t: getattr(t, search.sort.replace("-", "_")))
    found = [t for t in templates if fits(t)]
    known = sorted(
        (t for t in found if key(t) is not None), key=lambda t: (key(t), t.id), reverse=search.descending
    )
    unknown = sorted((t for t in found if key(t) is None), key=lambda t: t.id, reverse=search.descending)
    found = known + unknown
    return [t.id for t in found]


@settings(max_examples=40)
@given(st.lists(st.tuples(NAMES, USERS, st.integers(1, 6), st.integers(0, 6)), min_size=1), st.data())
def test_it_finds_what_a_plain_loop_finds(tmp_path_factory, rows, data):
    path = tmp_path_factory.mktemp("search") / "library.sqlite"
    jobs = {name: make_job(name, (maps, 1.5), (reduces, 2), user=user) for name, user, maps, reduces in rows}
    with Library.open(path) as library:
        library.add(Opened(Workload("log", tuple(jobs.values())), "document"))
        every = library.search()
        for _ in range(5):
            search = data.draw(searches())
            expected = naive(every, search)
            assert [t.id for t in library.search(search)] == expected, search
            assert library.count(search) == len(expected)
            paged = library.search(search, limit=2, offset=1)
            assert [t.id for t in paged] == expected[1:3]


def test_names_are_sorted_by_their_numbers(library: Library):
    jobs = tuple(make_job(name, (1, 1)) for name in ("node10", "Node9", "node1", "a 2", "a 10"))
    library.add(Opened(Workload("log", jobs), "document"))
    names = [template.name for template in library.search(RunSearch(sort="name"))]
    assert names == ["a 2", "a 10", "node1", "Node9", "node10"]


def test_dates_limit_what_is_found(library: Library, logs: Path):
    import_into(library, logs / "rumen-2011.json")
    import_into(library, logs / "swim.tsv")  # has no dates, so no date is right
    dated = [t for t in library.search() if t.submitted is not None]
    first = min(t.submitted for t in dated)  # type: ignore[type-var]
    assert len(library.search(RunSearch(since=first))) == len(dated)
    assert first not in {t.submitted for t in library.search(RunSearch(since=first + 0.001))}  # type: ignore[operator]
    assert library.search(RunSearch(until=first)) == ()
    assert [t.submitted for t in library.search(RunSearch(until=first + 0.001))] == [first]  # type: ignore[operator]


def test_jobs_without_a_date_are_last_either_way(library: Library, logs: Path):
    import_into(library, logs / "swim.tsv")
    import_into(library, logs / "rumen-2011.json")
    for descending in (False, True):
        dates = [t.submitted for t in library.search(RunSearch(sort="submitted", descending=descending))]
        known = [date for date in dates if date is not None]
        assert dates[: len(known)] == sorted(known, reverse=descending)
        assert known


def test_titles_are_searched_with_names(library: Library):
    run = RecordedRun.__new__(RecordedRun)
    for name, value in {"jobs": ("J1", "J2"), "titles": ("Word Count", ""), "submit": np.zeros(2)}.items():
        object.__setattr__(run, name, value)
    jobs = (make_job("J1", (1, 1)), make_job("J2", (1, 1)))
    library.add(Opened(Workload("log", jobs, recorded=run), "document"))
    assert [t.name for t in library.search(RunSearch(text="COUNT j1"))] == ["J1"]
    assert library.search(RunSearch(text="count j2")) == ()
    assert library.search(RunSearch(text="wordcount")) == ()


@pytest.mark.parametrize("text", ["\0", "\ud800", "'; DROP TABLE template; --", '"', "%", "_"])
def test_no_text_does_harm(library: Library, text: str):
    library.add(Opened(Workload("log", (make_job("J1", (1, 1)),)), "document"))
    assert library.search(RunSearch(text=text)) == ()
    assert library.count(RunSearch(user=text)) == 0
    assert library.count() == 1


def test_a_day_ends_when_the_next_begins():
    noon = datetime(2011, 2, 10, 12, tzinfo=UTC).timestamp()
    assert moment("2011-02-10") == noon - 43_200
    assert moment("2011-02-10", end=True) == noon + 43_200
    assert moment("2011-02-10T12:00", end=True) == noon
    assert moment("2011-02-10T14:00+02:00") == noon


@pytest.mark.parametrize("text", ["", "yesterday", "2011-13-01", "10.2.2011"])
def test_what_is_no_date_is_refused_with_a_sentence(text: str):
    with pytest.raises(InputError, match="is no date; give one as 2011-02-10"):
        moment(text)
