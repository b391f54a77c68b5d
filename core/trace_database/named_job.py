"""A job of the trace library by its name, its title, its application, or its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError, did_you_mean
from core.trace_database.connection import default_library
from core.trace_database.template import application_of
from core.trace_database.trace_database import Library

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from core.model.job import Job
    from core.trace_database.template import Template

LIBRARY = "library"
"""Names the user's own library where a workload or a profile is asked for."""


class NewestRuns:
    """Finds templates by name, by title, or by the application that they are runs of; the newest counts."""

    def __init__(self, templates: Iterable[Template]) -> None:
        every = list(templates)
        self._name = {each.name: each for each in every}
        self._title = {each.title: each for each in every if each.title}
        self._application = {each.application: each for each in every if each.title}

    def find(self, name: str, title: str) -> Template | None:
        """Return a template, None if there is none."""
        application = application_of(title)
        return self._name.get(name) or self._title.get(title) or self._application.get(application)

    @property
    def known(self) -> list[str]:
        """What can be asked for, the titles first."""
        return [*self._title, *self._name]


def named_job(text: str, library: Path | None = None) -> Job:
    """Return a job of a library, which arrives at 0 s.

    Parameters
    ----------
    text : its name, title or application; or the number that `slotscope library list` has
    library : its file; the user's own for None

    Raises
    ------
    InputError
        the library cannot be read, or has no such job
    """
    with Library.open(library or default_library(), create=library is None) as opened:
        templates = opened.search()
        names = NewestRuns(templates)
        found = names.find(text, text)
        if found is None and text.isascii() and text.isdigit():
            found = next((each for each in templates if each.id == int(text)), None)
        if found is None:
            hint = did_you_mean(text, names.known) if templates else ": it is empty; import a log into it"
            raise InputError(f"the trace library has no job '{text}'{hint}")
        return opened.jobs([found.id])[0]
