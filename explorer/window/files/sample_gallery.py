"""The worked examples with a small picture of each, what to look for, and what they open with."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPalette
from typing_extensions import override

from core.charts.schedule_rows import schedule_rows
from core.files.samples import samples
from core.simulation.simulate import simulate
from explorer.document.titles import scenario_title
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.stage import Style, to_image
from explorer.widgets.fuzzy_match import SearchedWords, ranked
from explorer.widgets.painted_lists import Gallery, Index, PaintedRow, inks, row_of
from explorer.widgets.tables import Column, bold_font
from explorer.widgets.theme import theme, theme_of, write_with
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from core.files.samples import Sample
    from core.model.document_state import DocumentState, Scenario
    from core.model.schedule import Schedule

ABOUT = "Each opens with the scenarios that make its point. Enter or a double click opens one."
PICTURE = QSize(330, 148)
TEXT_SHARE = 0.5
"""How large the letters of a picture are, of those in the window."""
AIR_PX = 10
_pictures: dict[tuple[str, bool], QImage] = {}
"""Those that were drawn, by sample and whether they are dark; they live as long as the program."""


def picture_of(sample: Sample, is_dark: bool) -> QImage | None:
    """Return the picture of a sample, None while it is drawn."""
    return _pictures.get((sample.name, is_dark))


SAMPLE: Column[Sample] = Column(
    "Sample",
    lambda sample: sample.title,
    tip=lambda _sample: "",
    spoken=lambda sample: f"{sample.title}. {sample.look} {_opens_with(sample)}",
)


class SampleGallery(Gallery):
    """Lists the samples; they are simulated in a thread, one after the other, and drawn as they come.

    Signals
    -------
    chosen : the name of the sample to open
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Samples", QSize(860, 640), SAMPLE, _Card(), parent)
        self.is_dark = theme_of(self).is_dark
        self._worker = Worker(self, Order.QUEUE, finished=self._on_simulated)
        self.lay_out(ABOUT)
        self._draw_missing()

    @override
    def fitting(self, typed: str) -> Sequence[Sample]:
        return ranked(typed, samples(), _words)

    @override
    def open_row(self, row: Sample) -> None:
        self.chosen.emit(row.name)

    def _draw_missing(self) -> None:
        for sample in samples():
            if (sample.name, self.is_dark) not in _pictures:
                self._worker.follow(partial(_charts, sample))

    @property
    def is_drawing(self) -> bool:
        """Whether pictures are to come."""
        return self._worker.is_busy

    def _on_simulated(self, answer: tuple[str, list[ChartContent]]) -> None:
        name, charts = answer
        style = Style(theme(self.is_dark), (PICTURE.width(), PICTURE.height()), TEXT_SHARE, ratio=2.0)
        _pictures[name, self.is_dark] = to_image(charts, style)
        self.model.refresh()

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


def _opens_with(sample: Sample) -> str:
    titles = ", ".join(map(scenario_title, sample.state.scenarios))
    jobs = f"{sample.jobs} job{'s' if sample.jobs != 1 else ''}"
    return f"{jobs} · opens with {titles} · {sample.name}"


class _Card(PaintedRow):
    """Draws a sample: its picture at the left; title, what to look for, and scenarios beside it."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(PICTURE.width() * 2, PICTURE.height() + 2 * AIR_PX)

    @override
    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        sample, (ink, faint) = row_of(index), inks(option)
        place = QRect(option.rect.topLeft(), PICTURE).translated(AIR_PX, AIR_PX)
        letters, bold = QFontMetrics(option.font), bold_font(option.font)
        painter.fillRect(place, option.palette.window())
        if (picture := picture_of(sample, theme_of(option.widget).is_dark)) is not None:
            painter.drawImage(place, picture)
        painter.setPen(option.palette.color(QPalette.ColorRole.Mid))
        painter.drawRect(place.adjusted(0, 0, -1, -1))
        text = option.rect.adjusted(PICTURE.width() + 3 * AIR_PX, AIR_PX, -AIR_PX, -AIR_PX)
        write_with(painter, bold, ink)
        painter.drawText(text, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, sample.title)
        painter.setFont(option.font)
        look = text.adjusted(0, letters.height() + 4, 0, -letters.height() - 4)
        painter.drawText(look, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, sample.look)
        painter.setPen(faint)
        foot = letters.elidedText(_opens_with(sample), Qt.TextElideMode.ElideRight, text.width())
        painter.drawText(text, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, foot)
