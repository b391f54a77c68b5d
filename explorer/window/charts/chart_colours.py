"""What decides of the colours of all charts, and the menu in which the user chooses it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPoint, Signal

from core.charts.class_colours import class_colours, job_colours
from core.measures.job_classes import ClassedBy, job_classes
from core.measures.task_classes import classes_by, main_classes
from explorer.gantt.layers.colour_menu import ColourMenu, ColourOffer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtWidgets import QWidget

    from core.measures.job_classes import JobClasses
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme

NAMES = {
    ClassedBy.JOB: "Job",
    ClassedBy.USER: "User",
    ClassedBy.POOL: "Pool or queue",
    ClassedBy.DATASET: "Dataset",
    ClassedBy.SIZE: "Size of the job",
    ClassedBy.STAGE: "Stage",
    ClassedBy.OUTCOME: "Outcome",
    ClassedBy.WAIT: "Wait before start",
    ClassedBy.DEVIATION: "Off from the record",
}
MAX_SWATCHES = 5
COUNTED = (ClassedBy.USER, ClassedBy.POOL, ClassedBy.DATASET)
"""What is told as a number alone: 3 users."""


class ChartColours(QObject):
    """Keeps the classes by which jobs are coloured, in step with the document and the user's choice.

    Signals:
        changed: there are other classes
    """

    changed = Signal()

    def __init__(self, document: Document, view_state: ViewState, parent: QObject) -> None:
        super().__init__(parent)
        self._document, self._view_state = document, view_state
        self._places: NDArray[np.int64] | None = None
        self._schedules: tuple[Schedule, ...] = ()
        self._made_of: tuple[Workload, ClassedBy] | None = None
        self._classes = job_classes(document.workload, view_state.colour_by)
        view_state.colour_by_changed.connect(self.changed)

    @property
    def classes(self) -> JobClasses:
        """The classes of the document's jobs."""
        made_of = self._document.workload, self._view_state.colour_by
        if self._made_of is None or self._made_of[0] is not made_of[0] or self._made_of[1] != made_of[1]:
            self._made_of = made_of
            self._classes = classes_by(*made_of, self._places, self._schedules)
        return self._classes

    def follow(self, places: NDArray[np.int64] | None, schedules: Sequence[Schedule]) -> None:
        """Take the places of the jobs in the order in which they come, and what is shown.

        `places` are (jobs,), None while they are not known.
        """
        if tuple(schedules) != self._schedules:
            self._schedules = tuple(schedules)
            if self._classes.of_tasks is not None:
                self._made_of = None
        if places is not None and (self._places is None or not np.array_equal(places, self._places)):
            self._places, self._made_of = places, None

    def of_jobs(self, theme: Theme) -> NDArray[np.int64]:
        """Return each job's colour as 0xRRGGBB, that of most of its tasks in the charts, (jobs,)."""
        classes, count = self.classes, len(self._document.workload.jobs)
        simulated = (each for each in self._schedules if each.record is None)
        schedule = next((each for each in simulated if len(each.workload.jobs) == count), None)
        if schedule is not None:
            classes = replace(classes, of_job=main_classes(classes, schedule))
        return job_colours(classes, theme)

    def offers(self, theme: Theme) -> list[ColourOffer]:
        """Return what colours may be chosen by, what of it there is here, and how it looks."""
        offers = []
        for by, name in NAMES.items():
            classes = classes_by(self._document.workload, by, self._places, self._schedules)
            swatches = class_colours(classes, theme)[:MAX_SWATCHES].tolist()
            several = len(classes.classes) > 1
            is_offered = several or (by is ClassedBy.OUTCOME and self._has_attempts)
            amount = "done, failed, killed" if is_offered and not several else _amount(classes)
            offers.append(ColourOffer(by, name, amount, swatches if is_offered else []))
        return offers

    @property
    def _has_attempts(self) -> bool:
        """Whether attempts are shown that came to nothing."""
        return any(schedule.attempts is not None and schedule.attempts.looks for schedule in self._schedules)

    def show_menu(self, owner: QWidget, above: QPoint, theme: Theme) -> ColourMenu:
        """Let the user choose, in a menu whose foot is at a place on the screen."""
        menu = ColourMenu(owner, self.offers(theme), self.classes.by, theme)
        menu.chosen.connect(self._choose)
        menu.show_above(above)
        return menu

    def _choose(self, by: str) -> None:
        self._view_state.colour_by = ClassedBy(by)


def _amount(classes: JobClasses) -> str:
    """Return in short which classes there are."""
    count = len(classes.classes)
    if count < 2:
        return "all alike"
    named = sum(not each.is_rest for each in classes.classes)
    total = len(classes.of_job)
    if classes.by is ClassedBy.JOB:
        return f"{named} largest of {total}" if named < total else f"{total}"
    if classes.by is ClassedBy.STAGE:
        return f"{classes.classes[0].name} to {classes.classes[-1].name}"
    return f"{count}" if classes.by in COUNTED else f"{count} classes"
