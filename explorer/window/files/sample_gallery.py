"""The worked examples with a small picture of each, what to look for, and what they open with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from core.charts.schedule_rows import schedule_rows
from core.files.samples import samples
from core.simulation.simulate import simulate
from explorer.document.titles import scenario_title
from explorer.gantt.export import to_image
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.stage import Style
from explorer.widgets.fuzzy_match import SearchedWords, ranked
from explorer.widgets.layouts import named
from explorer.widgets.search_field import NOTHING_FOUND, Gallery
from explorer.widgets.tables import EmptyText, bold_font
from explorer.widgets.theme import theme, theme_of
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.files.samples import Sample
    from core.model.document_state import DocumentState, Scenario
    from core.model.schedule import Schedule

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
ABOUT = "Each opens with the scenarios that make its point. Enter or a double click opens one."
PICTURE = QSize(330, 148)
TEXT_SHARE = 0.5
"""How large the letters of a picture are, of those in the window."""
AIR_PX = 10
_pictures: dict[tuple[str, bool], QImage] = {}
"""Those that were drawn, by sample and whether they are dark; they live as long as the program."""


class SampleGallery(Gallery):
    """Lists the samples; they are simulated in a thread, one after the other, and drawn as they come.

    Signals
    -------
    chosen : the name of the sample to open
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Samples", 860, 640, parent)
        self.model = SampleModel(theme_of(self).is_dark, self)
        self.list = self._make_list()
        self._worker = Worker(self, Order.QUEUE)
        self._worker.finished.connect(self._on_simulated)
        self.lay_out(ABOUT, self.list)
        self._draw_missing()

    def _make_list(self) -> QListView:
        shown = named(QListView(), "Samples")
        shown.setModel(self.model)
        shown.setItemDelegate(_Card(shown))
        shown.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        shown.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        shown.setResizeMode(QListView.ResizeMode.Adjust)
        shown.doubleClicked.connect(self.accept)
        EmptyText(shown, lambda: NOTHING_FOUND)
        return shown

    @override
    def narrow(self, typed: str) -> None:
        self.model.show_samples(ranked(typed, samples(), _words))
        self.list.setCurrentIndex(self.model.index(0))
        self.open_button.setEnabled(bool(self.model.samples))

    def _draw_missing(self) -> None:
        for sample in samples():
            if (sample.name, self.model.is_dark) not in _pictures:
                self._worker.follow(partial(_charts, sample))

    @property
    def is_drawing(self) -> bool:
        """Whether pictures are to come."""
        return self._worker.is_busy

    def _on_simulated(self, answer: tuple[str, list[ChartContent]]) -> None:
        name, charts = answer
        style = Style(theme(self.model.is_dark), (PICTURE.width(), PICTURE.height()), TEXT_SHARE, ratio=2.0)
        _pictures[name, self.model.is_dark] = to_image(charts, style)
        self.model.refresh()

    @override
    def accept(self) -> None:
        index = self.list.currentIndex()
        if index.isValid():
            name = self.model.samples[index.row()].name
            super().accept()
            self.chosen.emit(name)

    @override
    def done(self, result: int) -> None:
        self._worker.cancel()
        super().done(result)


def _words(sample: Sample) -> SearchedWords:
    """Return what is searched: title and name, and what to look for."""
    return SearchedWords(sample.title, sample.look, (sample.name, sample.name.replace("-", " ")))


def _charts(
    sample: Sample, _progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> tuple[str, list[ChartContent]]:
    """Simulate a sample's scenarios, in a thread."""
    state, charts = sample.state, []
    for scenario in state.scenarios:
        rows = schedule_rows(_simulated(state, scenario, should_stop))
        charts.append(ChartContent(rows, title=scenario_title(scenario)))
    legend_signs(chart.rows for chart in charts)  # looks up what layers draw
    return sample.name, charts


def _simulated(state: DocumentState, scenario: Scenario, should_stop: Callable[[], bool]) -> Schedule:
    return simulate(
        state.workload,
        state.cluster_of(scenario),
        scenario.choice,
        order=scenario.order,
        partition=state.partition_of(scenario),
        should_stop=should_stop,
    )


class SampleModel(QAbstractListModel):
    """The samples that fit, with their pictures as far as they are drawn."""

    def __init__(self, is_dark: bool, parent: QObject) -> None:
        super().__init__(parent)
        self.is_dark = is_dark
        self.samples: Sequence[Sample] = ()

    def show_samples(self, shown: Sequence[Sample]) -> None:
        """Show other samples."""
        self.beginResetModel()
        self.samples = shown
        self.endResetModel()

    def refresh(self) -> None:
        """Show a picture that has been drawn."""
        if self.samples:
            self.dataChanged.emit(self.index(0), self.index(len(self.samples) - 1))

    def picture(self, sample: Sample) -> QImage | None:
        """Return the picture of a sample, None while it is drawn."""
        return _pictures.get((sample.name, self.is_dark))

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.samples)

    @override
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        sample = self.samples[index.row()]
        if role == Role.DisplayRole:
            return sample.title
        return (
            f"{sample.title}. {sample.look} {_opens_with(sample)}"
            if role == Role.AccessibleTextRole
            else None
        )


def _opens_with(sample: Sample) -> str:
    titles = ", ".join(map(scenario_title, sample.state.scenarios))
    jobs = f"{sample.jobs} job{'s' if sample.jobs != 1 else ''}"
    return f"{jobs} · opens with {titles} · {sample.name}"


class _Card(QStyledItemDelegate):
    """Draws a sample: its picture at the left; title, what to look for, and scenarios beside it."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(PICTURE.width() * 2, PICTURE.height() + 2 * AIR_PX)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        model = index.model()
        assert isinstance(model, SampleModel)
        sample, option.text = model.samples[index.row()], ""
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget
        )
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if is_chosen else QPalette.ColorRole.Text
        faint = role if is_chosen else QPalette.ColorRole.PlaceholderText
        place = QRect(option.rect.topLeft(), PICTURE).translated(AIR_PX, AIR_PX)
        letters, bold = QFontMetrics(option.font), bold_font(option.font)
        painter.save()
        painter.fillRect(place, option.palette.window())
        if (picture := model.picture(sample)) is not None:
            painter.drawImage(place, picture)
        painter.setPen(option.palette.color(QPalette.ColorRole.Mid))
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        text = option.rect.adjusted(PICTURE.width() + 3 * AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)
        painter.setPen(option.palette.color(role))
        painter.setFont(bold)
        painter.drawText(text, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, sample.title)
        painter.setFont(option.font)
        look = text.adjusted(0, letters.height() + 4, 0, -letters.height() - 4)
        painter.drawText(look, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, sample.look)
        painter.setPen(option.palette.color(faint))
        foot = letters.elidedText(_opens_with(sample), Qt.TextElideMode.ElideRight, text.width())
        painter.drawText(text, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, foot)
        painter.restore()
