"""A job of the library by name, title, application or number; the one that was imported last counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.model.errors import InputError
from core.trace_database.named_job import named_job
from core.trace_database.trace_database import import_into
from tests.core.trace_database.test_recorded_profile import written

if TYPE_CHECKING:
    from pathlib import Path

    from core.trace_database.trace_database import Library


def test_the_newest_of_a_name_counts_and_a_number_names_each(
    tmp_path: Path, path: Path, library: Library
) -> None:
    for name, seconds in (("Monday", 8.0), ("Tuesday", 9.0)):
        import_into(library, written(tmp_path, name, seconds))
    assert named_job("J2", path).maps.durations.tolist() == [9.0]
    first = next(each.id for each in library.search() if each.name == "J2")
    assert named_job(str(first), path).maps.durations.tolist() == [8.0]


def test_a_title_and_its_application_name_a_job(path: Path, library: Library, logs: Path) -> None:
    import_into(library, str(logs / "jobtracker-0.20.log"))
    template = next(template for template in library.search() if template.title)
    for text in (template.name, template.title, template.application):
        assert named_job(text, path).maps == library.jobs([template.id])[0].maps


def test_a_name_that_is_not_there_is_refused_with_what_is(
    tmp_path: Path, path: Path, library: Library
) -> None:
    with pytest.raises(InputError, match="no job 'J2': it is empty; import a log into it"):
        named_job("J2", path)
    import_into(library, written(tmp_path, "Monday", 8.0))
    with pytest.raises(InputError, match="no job 'J22'; did you mean 'J2'"):
        named_job("J22", path)
