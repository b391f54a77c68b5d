"""What decides of the colours of all charts, and the menu in which the user chooses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPoint, Signal

from core.measures.job_classes import ClassedBy, job_classes
from explorer.gantt.layers.colour_menu import ColourMenu, ColourOffer
from explorer.gantt.raster.class_colours import class_colours, job_colours

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtWidgets import QWidget

    from core.measures.job_classes import JobClasses
    from core.model.workload import Workload
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.widgets.theme import Theme

NAMES = {
    ClassedBy.JOB: "Job",
    ClassedBy.USER: "User",
    ClassedBy.POOL: "Pool or queue",
    ClassedBy.SIZE: "Size of the job",
}
MAX_SWATCHES = 5


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
        self._made_of: tuple[Workload, ClassedBy] | None = None
        self._classes = job_classes(document.workload, view_state.colour_by)
        view_state.colour_by_changed.connect(self._on_chosen)

    @property
    def classes(self) -> JobClasses:
        """The classes of the document's jobs."""
        made_of = self._document.workload, self._view_state.colour_by
        if self._made_of is None or self._made_of[0] is not made_of[0] or self._made_of[1] != made_of[1]:
            self._made_of, self._classes = made_of, job_classes(*made_of, self._places)
        return self._classes

    def follow(self, places: NDArray[np.int64] | None) -> None:
        """Take the places of the jobs in the order in which they come, (jobs,); None while not known."""
        if places is not None and (self._places is None or not np.array_equal(places, self._places)):
            self._places, self._made_of = places, None

    def of_jobs(self, theme: Theme) -> NDArray[np.int64]:
        """Return each job's colour as 0xRRGGBB, the same as in the charts, (jobs,)."""
        return job_colours(self.classes, theme)

    def offers(self, theme: Theme) -> list[ColourOffer]:
        """Return what colours may be chosen by, what of it there is here, and how it looks."""
        offers = []
        for by, name in NAMES.items():
            classes = job_classes(self._document.workload, by, self._places)
            swatches = class_colours(classes, theme)[:MAX_SWATCHES].tolist()
            offers.append(
                ColourOffer(by, name, _amount(classes), swatches if len(classes.classes) > 1 else [])
            )
        return offers

    def show_menu(self, owner: QWidget, above: QPoint, theme: Theme) -> ColourMenu:
        """Let the user choose, in a menu whose foot is at a place on the screen."""
        menu = ColourMenu(owner, self.offers(theme), self.classes.by, theme)
        menu.chosen.connect(self._choose)
        menu.show_above(above)
        return menu

    def _choose(self, by: str) -> None:
        self._view_state.colour_by = ClassedBy(by)

    def _on_chosen(self) -> None:
        self.changed.emit()


def _amount(classes: JobClasses) -> str:
    """Return in short which classes there are."""
    count = len(classes.classes)
    if count < 2:
        return "all alike"
    named = sum(not each.is_rest for each in classes.classes)
    total = len(classes.of_job)
    if classes.by is ClassedBy.JOB:
        return f"{named} largest of {total}" if named < total else f"{total}"
    return f"{count} classes" if classes.by is ClassedBy.SIZE else f"{count}"
