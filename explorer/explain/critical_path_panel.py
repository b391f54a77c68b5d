"""Why this makespan: its time by cause as a bar, and the critical path of tasks and waits as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QScrollArea, QStackedLayout, QWidget
from typing_extensions import override

from core.explain.lints.idle_slots import idle_sentence
from core.explain.path_words import holders_sentence, link_sentence
from core.explain.start_cause import NO_TASK
from core.model.time_text import clock_text, duration_text, makespan_text
from explorer.document.titles import title_in
from explorer.explain.cause_bar import CauseBar, parts_of, swatch
from explorer.explain.explanation_panel import hint_label
from explorer.widgets.cause_style import LOOKS
from explorer.widgets.halves import Halves
from explorer.widgets.layouts import column, push_button, row, scrolled
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import Column, ReadTable, RowsModel

if TYPE_CHECKING:
    from PySide6.QtGui import QIcon

    from core.explain.critical_path import PathLink
    from core.model.schedule import Schedule
    from explorer.document.document import Document
    from explorer.document.view_state import ViewState
    from explorer.explain.critical_paths import CriticalPaths, Explained


MAX_HOLDERS = 3
NOTHING = "The critical path is shown here once the active scenario is simulated."


class CriticalPathPanel(QWidget):
    """Explains the makespan of the active scenario.

    Signals
    -------
    task_chosen : scenario id, its schedule and the task of a link that was chosen
    time_chosen : the seconds at which a link without a task begins
    """

    task_chosen = Signal(int, object, int)
    time_chosen = Signal(float)

    def __init__(self, document: Document, view_state: ViewState, paths: CriticalPaths) -> None:
        super().__init__()
        self._document, self._view_state, self._paths = document, view_state, paths
        self._shown: Explained | None = None
        self.model: RowsModel[PathLink] = RowsModel(link_columns(None), self)
        self._make_parts()
        for signal in (paths.changed, view_state.active_scenario_changed, document.scenario_changed):
            signal.connect(self.refresh)
        self.refresh()

    def _make_parts(self) -> None:
        self.summary = PlainLabel(wraps=True)
        self.summary.setMargin(4)
        self.copy_button = push_button("Copy", "Copy the causes and all links, separated by tabs", self.copy)
        self.bar = CauseBar()
        self.table = ReadTable(self.model, "Links of the critical path", narrows=True)
        self.table.chosen.connect(self._on_chosen)
        self.table.setToolTip("Click a link to go to its task")
        self.empty = hint_label(NOTHING)
        self._halves = Halves(self._account(), self.table, shares=(2, 3))
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._halves)

    def _account(self) -> QScrollArea:
        """Return the part with sentence and bar; it scrolls where it is low."""
        part = QWidget()
        foot = row(None, self.copy_button)
        column(self.bar, self.summary, foot, None, parent=part, margins=(4, 2, 4, 4), spacing=3)
        area = scrolled(part)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return area

    @override
    def sizeHint(self) -> QSize:
        return QSize(900, 200)

    def refresh(self) -> None:
        """Show the active scenario as it is now."""
        active = self._view_state.active_scenario
        found = self._paths.of(active)
        self.empty.setText(self._paths.why_none(active) or NOTHING)
        self._stack.setCurrentIndex(0 if found is None else 1)
        if found is not None:
            self.summary.setText(self._summary(found))
        if found is not self._shown:
            self._shown = found
            schedule, links = (None, ()) if found is None else (found.schedule, found.path.links)
            self.model.show_rows(links, link_columns(schedule))
            self.bar.set_parts(parts_of(found.path.totals()) if found is not None else ())

    def _summary(self, explained: Explained) -> str:
        schedule = explained.schedule
        title = title_in(self._document.state, self._document.scenario(self._view_state.active_scenario))
        text = f"{title} takes {makespan_text(schedule.makespan)}"
        held = holders_sentence(schedule, explained.path, MAX_HOLDERS)
        if held:
            text += f"; slots waited for were held by {held}"
        return f"{text}. {idle_sentence(schedule, explained.idle)}".rstrip()

    def _on_chosen(self, link: PathLink) -> None:
        assert self._shown is not None  # or there would be no link
        if link.task == NO_TASK:
            self.time_chosen.emit(link.begin)
        else:
            self.task_chosen.emit(self._view_state.active_scenario, self._shown.schedule, link.task)

    def to_text(self) -> str:
        """Return everything that is shown, separated by tabs."""
        if self._shown is None:
            return self.empty.text()
        causes = "\n".join(part.text for part in self.bar.parts)
        return "\n".join([self.summary.text(), "", causes, "", self.model.to_text()])

    def copy(self) -> None:
        """Put everything on the clipboard."""
        QGuiApplication.clipboard().setText(self.to_text())


def link_columns(schedule: Schedule | None) -> tuple[Column[PathLink], ...]:
    """Return the rows of the table about the links of a schedule's critical path."""
    makespan = schedule.makespan if schedule is not None else 0.0

    def begin(link: PathLink) -> str:
        return clock_text(link.begin, largest=makespan)

    def sentence(link: PathLink) -> str:
        assert schedule is not None  # or there would be no link
        return link_sentence(schedule, link)

    def sign(link: PathLink, role: int) -> QIcon | None:
        return swatch(link.cause) if role == Qt.ItemDataRole.DecorationRole else None

    def duration(link: PathLink) -> str:
        return duration_text(link.seconds)

    def whole(link: PathLink) -> str:
        return f"{duration(link)}: {sentence(link)}"

    return (
        Column("From", begin, is_number=True, typical="00:00:00", tip=sentence),
        Column("Lasts", duration, is_number=True, typical="00 min 00 s", tip=sentence, gives_way=True),
        Column(
            "Cause",
            lambda link: link.cause.value,
            typical="waiting for a slot MM",
            tip=lambda link: LOOKS[link.cause].meaning,
            style=sign,
            gives_way=True,
        ),
        Column("What happens", sentence, tip=sentence, narrow=whole, narrow_style=sign),
    )
