"""Which distributions a job's durations follow: a ranking and a plot for each part, for jobs like it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from typing_extensions import override

from core.generate.fitted import Fit, PartFits, fit_job, parameters_from, widest_gap
from core.model.time_text import duration_text
from explorer.plots.axis import value_text
from explorer.plots.cdf_picture import CdfCurve, CdfPanel, CdfPicture
from explorer.widgets.export import ChartTable, ExportButton
from explorer.widgets.layouts import Dialog, column, named, push_button, resize_on_screen, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.progress import BusyBar
from explorer.widgets.theme import theme_of
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.job import Job
    from explorer.widgets.theme import Theme


SHOWN_AT_FIRST = 3
"""The best curves are drawn, and the chosen one with them."""
NO_COLOUR = QColor(0, 0, 0, 0)
HELP = (
    "Distance (Kolmogorov-Smirnov) is the largest difference between the part of the tasks that took up to "
    "some time and the part that the distribution expects; 0 is a perfect fit. Parameters are those of "
    "greatest likelihood; times are seconds."
)


class FitDialog(Dialog):
    """Fits in a worker, shows each part of the job, and remembers which distribution is chosen for each.

    Signals
    -------
    generation_wanted : jobs from the chosen fits are wanted; parameters of the family 'fitted'
    """

    generation_wanted = Signal(dict)

    def __init__(self, job: Job, cluster: Cluster, parent: QWidget | None = None) -> None:
        super().__init__(f"Distributions of {job.name}", parent)
        self._job, self._cluster = job, cluster
        self._parts: tuple[PartCurves, ...] = ()
        self._chosen: dict[str, int] = {}
        self._fitting = Worker(self, finished=self._on_fitted, failed=self._on_failed)
        self._make_parts()
        self._lay_out()
        self._connect()
        self._fitting.start(partial(curves_of, job))

    # Building

    def _make_parts(self) -> None:
        self.part_field = named(QComboBox(), "Part of the job", "Which durations of the job are shown")
        tip = "Select a distribution to draw jobs from it instead of the best one"
        self.table = named(QTreeWidget(), "Fitted distributions, the best first", tip)
        self.table.setHeaderLabels(["Distribution", "Distance", "Parameters"])
        self.table.setRootIsDecorated(False)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.summary = PlainLabel("Fitting …", wraps=True)
        picture = CdfPicture("distributions", has_legend=True)
        self.picture = named(picture, "Cumulative distribution of the durations and of the fits")
        self.log_box = QCheckBox("&Logarithmic times")
        self.log_box.setToolTip("Give each power of ten the same room")
        self.status = PlainLabel(wraps=True, is_faint=True)
        self.export_button = ExportButton(self.status.setText)
        self.progress = BusyBar("Fitting", self._fitting)
        tip = "Draw jobs like this one from the chosen distribution of each part"
        self.generate_button = push_button("&Generate from this fit…", tip, self._on_generate)
        self.generate_button.setEnabled(False)
        self.close_button = push_button("&Close", "", self.reject)

    def _lay_out(self) -> None:
        help_text = PlainLabel(HELP, wraps=True, is_faint=True)
        left = column(self.part_field, self.summary, (self.table, 1), help_text)
        right = column(row(self.log_box, None, self.export_button), (self.picture, 1))
        sides = row((left, 4), (right, 5), spacing=16)
        buttons = row((self.status, 1), self.generate_button, self.close_button)
        column((sides, 1), self.progress, buttons, parent=self)
        resize_on_screen(self, 1040, 600)

    def _connect(self) -> None:
        self.part_field.currentIndexChanged.connect(self._show_part)
        self.table.currentItemChanged.connect(self._on_chosen)
        self.log_box.toggled.connect(self._show_picture)

    # Showing

    def _on_fitted(self, parts: tuple[PartCurves, ...]) -> None:
        self._parts = parts
        self._chosen = {shown.part.part: 0 for shown in parts}
        self.part_field.addItems([shown.part.title for shown in parts])
        self.generate_button.setEnabled(True)
        self.generate_button.setDefault(True)
        self.export_button.set_chart(self.picture)

    def _on_failed(self, error: Exception) -> None:
        self.summary.setText(str(error))

    @property
    def _shown(self) -> PartCurves:
        return self._parts[self.part_field.currentIndex()]

    def _show_part(self) -> None:
        shown = self._shown
        samples = shown.part.samples
        count = f"{value_text(len(samples), 'tasks')} sample{'' if len(samples) == 1 else 's'}"
        low, high = duration_text(float(samples[0])), duration_text(float(samples[-1]))
        self.summary.setText(f"{count}, {f'all {low}' if low == high else f'from {low} to {high}'}.")
        self.log_box.blockSignals(True)
        self.log_box.setEnabled(shown.may_be_log)
        self.log_box.setChecked(shown.prefers_log)
        self.log_box.blockSignals(False)
        self._fill_table()

    def _fill_table(self) -> None:
        part, chosen = self._shown.part, self._chosen[self._shown.part.part]
        self.table.blockSignals(True)
        self.table.clear()
        for fit in part.fits:
            described = fit.distribution.described
            texts = zip(described.names, fit.distribution.values, strict=True)
            values = ", ".join(f"{name} {value:.4g}" for name, value in texts)
            item = QTreeWidgetItem(self.table, [fit.distribution.title, f"{fit.distance:.4f}", values])
            item.setToolTip(2, str(fit.distribution))
        for title, reason in part.left_out:
            item = QTreeWidgetItem(self.table, [title, "–", reason])
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setToolTip(2, reason)
        self.table.setCurrentIndex(self.table.model().index(chosen, 0))
        self.table.blockSignals(False)
        self._show_picture()

    def _on_chosen(self, item: QTreeWidgetItem | None) -> None:
        place = self.table.indexOfTopLevelItem(item) if item is not None else -1
        if 0 <= place < len(self._shown.curves):
            self._chosen[self._shown.part.part] = place
            self._show_picture()

    def _show_picture(self) -> None:
        if not self._parts:
            return
        shown = self._shown
        chosen = self._chosen[shown.part.part]
        places = sorted({*range(min(SHOWN_AT_FIRST, len(shown.curves))), chosen})
        curves = [shown.curves[place] for place in places]
        title = f"{shown.part.title} of {self._job.name}: part of the tasks that take up to so long"
        self.picture.set_log(self.log_box.isChecked() and shown.may_be_log)
        panel = fit_panel(shown, curves, shown.curves[chosen], title)
        self.picture.show_panels((panel,), partial(fit_table, shown, curves))
        self._show_colours(shown.curves, curves)

    def _show_colours(self, curves: tuple[FitCurve, ...], drawn: list[FitCurve]) -> None:
        """Put the colour of its line beside each distribution that is drawn."""
        colours = theme_of(self)
        for place, curve in enumerate(curves):
            item = self.table.topLevelItem(place)
            tone = fit_colour(drawn.index(curve), colours) if curve in drawn else NO_COLOUR
            if item is not None:
                item.setIcon(0, QIcon(_swatch(tone)))

    # Handing over

    def chosen_kinds(self) -> dict[str, str]:
        """Return the kind of distribution that is chosen for each part."""
        parts = [shown.part for shown in self._parts]
        return {part.part: part.fits[self._chosen[part.part]].distribution.kind for part in parts}

    def _on_generate(self) -> None:
        fits = [shown.part for shown in self._parts]
        parameters = parameters_from(self._job, self._cluster, self.chosen_kinds(), fits)
        self.accept()
        self.generation_wanted.emit(parameters)

    @override
    def done(self, result: int) -> None:
        self._fitting.cancel()
        super().done(result)


def _swatch(colour: QColor) -> QPixmap:
    """Return a square that stands out from selected rows, too."""
    swatch = QPixmap(14, 14)
    swatch.fill(NO_COLOUR)
    if colour.alpha():
        with QPainter(swatch) as painter:
            painter.setPen(QColor("white"))
            painter.setBrush(colour)
            painter.drawRect(0, 0, 13, 13)
    return swatch


HUES = (("#0072b2", "#56b4e9"), ("#a8487f", "#e69bc8"), ("#007a57", "#3ecfa0"), ("#6b52ae", "#b9a6ff"))
"""Blue, pink, green and violet, for light and for dark backgrounds; the accent stands apart from all."""
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DotLine)
POINTS = 300
"""Of a curve on an even axis, and as many on a logarithmic one."""


@dataclass(frozen=True, eq=False)
class FitCurve:
    """One fitted distribution as a line.

    Attributes
    ----------
    fit : what it shows
    times, probabilities : its points, (points,)
    gap : time, fraction of samples and probability where they differ most; None where they do not
    """

    fit: Fit
    times: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    gap: tuple[float, float, float] | None


@dataclass(frozen=True, eq=False)
class PartCurves:
    """A part of a template with a curve for each of its fits, the best first."""

    part: PartFits
    curves: tuple[FitCurve, ...]

    @property
    def prefers_log(self) -> bool:
        """Whether the samples span so much that an even axis would hide most of them."""
        positive = self.part.samples[self.part.samples > 0]
        return len(positive) > 0 and float(positive[-1]) / float(positive[0]) >= 30

    @property
    def may_be_log(self) -> bool:
        """Whether a logarithmic axis has something to show."""
        positive = self.part.samples[self.part.samples > 0]
        return len(positive) > 0 and float(positive[0]) < float(positive[-1])


def curves_of(job: Job) -> tuple[PartCurves, ...]:
    """Fit every part of a job and compute the curves."""
    return tuple(PartCurves(part, tuple(_curve(part, fit) for fit in part.fits)) for part in fit_job(job))


def _curve(part: PartFits, fit: Fit) -> FitCurve:
    times = _times(part.samples)
    gap = widest_gap(part.samples, fit.distribution) if fit.distance > 0 else None
    return FitCurve(fit, times, fit.distribution.cumulative(times), gap)


def _times(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return times that are dense on even and on logarithmic axes over the samples."""
    high = float(samples[-1]) or 1.0
    positive = samples[samples > 0]
    low = min(float(positive[0]) if len(positive) else high, high) / 2
    mean = samples.mean()
    step = [np.nextafter(mean, 0), mean]  # where a constant has its step
    return np.unique([*np.linspace(0, 1.1 * high, POINTS), *np.geomspace(low, 1.1 * high, POINTS), *step])


def fit_colour(place: int, colours: Theme) -> QColor:
    """Return the colour of the curve at a place among those shown."""
    return QColor(HUES[place % len(HUES)][colours.is_dark])


def fit_panel(shown: PartCurves, curves: Sequence[FitCurve], chosen: FitCurve | None, title: str) -> CdfPanel:
    """Return the panel of a part: some of its curves, one of them chosen, and upon them its samples."""
    samples = shown.part.samples
    recorded = f"recorded ({value_text(len(samples), 'tasks')} sample{'' if len(samples) == 1 else 's'})"
    # the recorded line begins and ends at the borders of the plot
    times = np.concatenate([[0.0], samples, [2.0 * samples[-1] + 1.0]])
    part = np.append(np.arange(len(samples) + 1) / len(samples), 1.0)
    steps = CdfCurve(recorded, times, part, lambda colours: QPen(colours.text, 1.6))
    lines = [_line(place, curve, curve is chosen) for place, curve in enumerate(curves)]
    return CdfPanel(title, (*lines, steps), samples, chosen.gap if chosen is not None else None)


def _line(place: int, curve: FitCurve, is_chosen: bool) -> CdfCurve:
    def pen(colours: Theme) -> QPen:
        return QPen(fit_colour(place, colours), 2.6 if is_chosen else 1.4, DASHES[place % len(DASHES)])

    name = f"{curve.fit.distribution.title}, distance {curve.fit.distance:.3f}"
    return CdfCurve(name, curve.times, curve.probabilities, pen, has_steps=False)


def fit_table(shown: PartCurves, curves: Sequence[FitCurve]) -> ChartTable:
    """Return each sample with the fraction up to it, and what every curve expects there."""
    samples = shown.part.samples
    found = np.searchsorted(samples, samples, side="right") / len(samples)
    columns = [curve.fit.distribution.cumulative(samples).tolist() for curve in curves]
    header = ("seconds", "recorded", *(str(curve.fit.distribution) for curve in curves))
    return ChartTable(header, tuple(zip(samples.tolist(), found.tolist(), *columns, strict=True)))
