"""A job drawn by hand, to be submitted: how many maps and reduces it has, and how long each takes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from core.model.job import Job
from core.model.limits import MAX_SECONDS
from core.model.stages import Stage
from explorer.widgets.layouts import Dialog, column, deciding, named, push_button, row
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import PlainLabel, tooltip

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

NAME = "new job"
MAX_TASKS = 100_000
DEFAULT_MAPS, DEFAULT_REDUCES, DEFAULT_SECONDS = 20, 4, 30.0
FILE, FILE_TIP = "From a &file…", "Submit the jobs of a workload or log instead"
LIBRARY, LIBRARY_TIP = "From the &library…", "Choose jobs of the trace library there, and press “Submit now”"
TIMES = "It comes at the time of the cursor. Its times are taken as estimates."


class HandJobDialog(Dialog):
    """Asks for the numbers of a job, or for a file or the trace library instead.

    Signals
    -------
    drawn : the job
    file_wanted, library_wanted : the user wants to choose a file, or jobs of the trace library
    """

    drawn = Signal(object)
    file_wanted = Signal()
    library_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Submit a job", parent)
        self.maps = named(CountField(1, MAX_TASKS, "maps"), "Maps")
        self.reduces = named(CountField(0, MAX_TASKS, "reduces"), "Reduces")
        self.map_seconds = named(NumberField(0.0, MAX_SECONDS, "s"), "Seconds of a map")
        self.reduce_seconds = named(NumberField(0.0, MAX_SECONDS, "s"), "Seconds of a reduce")
        self.maps.setValue(DEFAULT_MAPS)
        self.reduces.setValue(DEFAULT_REDUCES)
        for seconds in (self.map_seconds, self.reduce_seconds):
            seconds.setValue(DEFAULT_SECONDS)
        form = QFormLayout()
        form.addRow("&Maps", self.maps)
        form.addRow("&Each takes", self.map_seconds)
        form.addRow("&Reduces", self.reduces)
        form.addRow("Each &takes", self.reduce_seconds)
        buttons = deciding(self)
        self.file_button = push_button(FILE, tooltip(FILE_TIP), partial(self._instead, self.file_wanted))
        self.library_button = push_button(
            LIBRARY, tooltip(LIBRARY_TIP), partial(self._instead, self.library_wanted)
        )
        others = row(self.file_button, self.library_button, None, spacing=4)
        column(form, PlainLabel(TIMES, wraps=True), others, buttons, parent=self)
        self.accepted.connect(lambda: self.drawn.emit(self.job))

    @property
    def job(self) -> Job:
        """The job as it is drawn."""
        reduces = self.reduces.value()
        return Job(
            NAME,
            Stage.of(self.maps.value(), self.map_seconds.value()),
            Stage.of(reduces, self.reduce_seconds.value()) if reduces else Stage(),
        )

    def _instead(self, wanted: SignalInstance) -> None:
        self.reject()
        wanted.emit()
