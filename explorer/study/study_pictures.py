"""Pictures of a study: choosers, the picture with its legend, and a card at the pointer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from core.charts.study.picture_choice import FIGURE
from core.charts.study.picture_data import PAINTED, PictureData, picture_data, places_in_figure, shown_axes
from core.charts.study.values import Along
from core.study.figure_kinds import PICTURES
from core.study.point_names import name_of
from explorer.plots.plot import fill_behind
from explorer.study.curves_plot import CurvesPlot, FrontPlot
from explorer.study.heading import Heading
from explorer.study.legend import StudyLegend
from explorer.study.map_plot import MapPlot
from explorer.study.picture_choice import PictureChooser
from explorer.study.pointer_card import PointerCard
from explorer.widgets.export import ChartTable, ExportButton
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import bold_font
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    import pandas as pd
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QColor, QPainter

    from core.study.study import Study
    from explorer.study.figure_page import FigurePage
    from explorer.study.study_plot import Spot, StudyPlot
    from explorer.widgets.theme import Theme

NOTHING = (
    "Here a picture fills in while the study runs.\n\n"
    "Choose at the left what is varied, for example the slots and the policy, and press Run.\n"
    "Or open one of the presets from the menu Presets."
)
NOTHING_GOOD = "None of the cells that have run gave a result; the message above says why."


class StudyPictures(QWidget):
    """Shows the rows of a study as one picture at a time.

    Signals
    -------
    spot_chosen : a field, point or dot was clicked: the places on the axes of the picture
    drawn : the picture is another one, or gone
    written, refused : what the export did, or could not do

    Attributes
    ----------
    export_button : exports the picture; the window shows it
    study : the study whose rows are shown
    frame : the rows that are shown
    """

    spot_chosen = Signal(object)
    drawn = Signal()
    written = Signal(str)
    refused = Signal(str)

    def __init__(self, colours: Theme) -> None:
        super().__init__()
        self._colours = colours
        self.study: Study | None = None
        self.frame: pd.DataFrame | None = None
        self.data: PictureData | None = None
        self._figure: FigurePage | None = None
        self._maker = Worker(self, finished=self._on_made, failed=lambda error: self.refused.emit(str(error)))
        self.chooser = PictureChooser()
        self.chooser.changed.connect(self._make)
        self._make_parts()
        self._lay_out()
        self.set_theme(colours)
        self._show_plot(None)

    def _make_parts(self) -> None:
        self.legend = StudyLegend()
        self.curves, self.map = CurvesPlot(self._colours), MapPlot(self._colours)
        self.front = FrontPlot(self._colours)
        self.plots: tuple[StudyPlot, ...] = (self.curves, self.map, self.front)
        self.nothing = PlainLabel(NOTHING, wraps=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setMargin(24)
        self.export_button = ExportButton(self.written, self.refused)
        for plot in self.plots:
            plot.setMinimumSize(240, 160)
            plot.pointed.connect(self._on_pointed)
            plot.chosen.connect(self._on_chosen)

    def _lay_out(self) -> None:
        self.page = QWidget()
        plots = [(self.curves, 1), (self.map, 1), (self.front, 1)]
        column(self.legend, (self.nothing, 1), *plots, parent=self.page, margins=NO_MARGINS, spacing=0)
        column(self.chooser, (self.page, 1), parent=self, margins=NO_MARGINS, spacing=0)
        self.card = PointerCard(self.page)

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours."""
        self._colours = colours
        fill_behind(self.page, colours)
        self.legend.set_theme(colours)
        for plot in self.plots:
            plot.set_theme(colours)
        self._draw()

    # ---- what is shown

    def show_study(self, study: Study) -> None:
        """Offer the pictures of another study, of which nothing is known yet."""
        self.study, self.frame = study, None
        self._maker.cancel()
        self.chooser.show_study(study)
        self.data = None
        self._draw()

    def show_rows(self, frame: pd.DataFrame) -> None:
        """Show the rows that there are by now."""
        self.frame = frame
        self._make()

    @property
    def is_busy(self) -> bool:
        """Whether a picture is being made."""
        return self._maker.is_busy

    def _make(self) -> None:
        """Have the picture made in a thread: a million rows take a moment to gather."""
        if self.study is not None and self.frame is not None:
            self._maker.start(partial(picture_data, self.study, self.frame, self.chooser.choice))

    def _on_made(self, data: PictureData) -> None:
        self.data = data
        self._draw()

    def _draw(self) -> None:
        data = self.data
        self.card.hide()
        if data is None or not data.runs:
            has_rows = self.frame is not None and len(self.frame) > 0
            self.nothing.setText(NOTHING_GOOD if has_rows else NOTHING)
            self._show_plot(None)
            return
        plot, entries = self._filled(data)
        self.legend.show_entries(entries)
        self._show_plot(plot)
        self.page.setAccessibleDescription(f"{self.heading}. {data.sentence}")

    def _filled(self, data: PictureData) -> tuple[StudyPlot, Any]:  # Any: entries of the legend
        from explorer.study.figure_page import FigurePage  # only a study with rows has figures

        x, y = data.x, data.y
        self._figure = None
        if data.figure is not None:
            assert self.study is not None
            about = partial(places_in_figure, self.study, data.figure.figure)
            parts = self.curves, self.map, self.legend
            self._figure = FigurePage(data.figure, self._colours, parts=parts, about=about)
            return self._figure.plot, self._figure.legend.entries
        painted = PAINTED[data.choice.kind]
        if painted.plot == "map":
            assert isinstance(x, Along)
            assert isinstance(y, Along)
            shown = self.map.show_fields(
                data.fields,
                x,
                y,
                bests=data.bests,
                ends=data.ends,
                most=data.most,
                is_turned=data.is_turned,
            )
            return self.map, shown
        assert not isinstance(y, Along)
        if painted.plot == "front":
            assert not isinstance(x, Along)
            return self.front, self.front.show_dots(data.dots, dict(data.groups), x, y)
        is_part = painted.mark == "steps"
        return self.curves, self.curves.show_curves(data.curves, x, y, spread=data.spread, is_part=is_part)

    def _show_plot(self, shown: StudyPlot | None) -> None:
        target: QWidget = self.nothing if shown is None else shown
        had_keyboard = self.window().focusWidget() in (self.nothing, *self.plots)
        target.setVisible(True)
        self.setFocusProxy(target)
        if had_keyboard:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        parts: tuple[QWidget, ...] = (self.nothing, *self.plots)
        for part in parts:
            part.setVisible(part is target)
        self.legend.setVisible(shown is not None)
        self.chooser.setVisible(self.study is not None)
        self.export_button.set_chart(self if shown is not None else None)
        self.drawn.emit()

    # ---- the pointer

    def _on_pointed(self, spot: Spot | None, place: QPointF | None) -> None:
        if spot is None or place is None:
            self.card.hide()
            return
        plot: Any = self.sender()  # Any: a plot
        self.card.show_at(plot.mapTo(self.page, place.toPoint()), f"{spot.text}{self._click_text(spot)}")

    def _click_text(self, spot: Spot) -> str:
        """Return what a click opens: of a mean over other axes, which of its cells."""
        if not spot.about or self.study is None or self.data is None:
            return ""
        held, opened = dict(self.data.choice.where), self._opened(spot)
        known = {*held, *spot.about}
        averaged = [
            a for a in self.study.axes if a.name in opened and a.name not in known and len(a.points) > 1
        ]
        mean = f"\nMean over {' and '.join(axis.name for axis in averaged)}" if averaged else ""
        at = [f"{axis.name} {name_of(axis, opened[axis.name])}" for axis in averaged]
        if self.study.repetitions > 1:
            at.append(f"seed {self.study.first_seed}")
        return f"{mean}\nClick or Return to open the schedules{' of ' if at else ''}{', '.join(at)}"

    def _opened(self, spot: Spot) -> dict[str, int]:
        """Return the cell that a click opens, as far as it is known, by its places on axes."""
        assert self.data is not None
        names = shown_axes(self.data.choice)
        cell = self.data.opened.get(tuple(spot.about[name] for name in names if name in spot.about))
        if cell is None or self.study is None:
            return dict(spot.about)
        return {axis.name: place for axis, place in zip(self.study.axes, cell, strict=True)}

    def _on_chosen(self, spot: Spot) -> None:
        if spot.about:
            self.spot_chosen.emit(self._opened(spot))

    # ---- export

    @property
    def export_name(self) -> str:
        """A name for files."""
        return "study" if self.study is None else self.study.name

    @property
    def background(self) -> QColor:
        """What is behind the picture."""
        return self._colours.plot

    @property
    def heading(self) -> str:
        """What is written above the exported picture."""
        if self.study is None or self.data is None:
            return ""
        choice = self.data.choice
        if choice.kind == FIGURE:
            figure = self.study.figures[choice.figure]
            return f"{figure.title} ({figure.source})" if figure.source else figure.title
        held = [f"{name} {self.study.axis(name).points[k].label}" for name, k in choice.where]
        return ", ".join([f"{self.study.name}: {PICTURES[choice.kind].title.lower()}", *held])

    def export_size(self) -> QSize:
        """Return the size on the screen, with a line for the heading."""
        return self._heading.size_below(self.page.size())

    @property
    def _heading(self) -> Heading:
        return Heading(self.heading, "", bold_font(self.font()), self.font())

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw heading, legend and picture into an area."""
        below = self._heading.paint_with_legend(painter, area, self.legend, self._colours)
        for plot in self.plots:
            if not plot.isHidden():
                plot.paint_into(painter, below)

    def table(self) -> ChartTable:
        """Return the rows behind the picture, with the measures as the results have them."""
        if self._figure is not None:
            return self._figure.table()
        if self.frame is None:
            return ChartTable((), ())
        frame = self.frame
        rows = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
        return ChartTable(tuple(map(str, frame.columns)), tuple(tuple(each) for each in rows))
