"""Which picture of a study is shown, of which measures, along which axes: a line of choosers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QStyle, QStyleOptionComboBox, QWidget
from typing_extensions import override

from core.charts.study.picture_choice import FIGURE, PictureChoice, policy_axis, usual_choice
from core.study.figure_kinds import PICTURES
from core.study.measures import MEASURES
from core.study.point_names import name_of
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from core.study.study import Study

MIN_LETTERS, MAX_WIDTH = 7, 300
GAP_PX = 6


class TitledBox(QComboBox):
    """As wide as its words; where there is less room the title goes first, then the end of what is chosen.

    Attributes
    ----------
    title : the faint words
    """

    def __init__(self, title: str = "") -> None:
        super().__init__(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.title = title
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def _title_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.title) + GAP_PX if self.title else 0

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), MAX_WIDTH) + self._title_width + 2 * GAP_PX, hint.height())

    @override
    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        least = self.fontMetrics().horizontalAdvance("x" * MIN_LETTERS) + 2 * hint.height()
        return QSize(min(least, super().sizeHint().width()), hint.height())

    @property
    def shows_title(self) -> bool:
        """Whether there is room for the title beside what is chosen."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        return self._title_width + self.fontMetrics().horizontalAdvance(self.currentText()) <= self._room(
            option
        )

    def _room(self, option: QStyleOptionComboBox) -> int:
        part = QStyle.SubControl.SC_ComboBoxEditField
        area = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self)
        return area.width() - GAP_PX

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        area = self.style().subControlRect(control, option, part, self).adjusted(GAP_PX // 2, 0, 0, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        colours, metrics = theme_of(self), self.fontMetrics()
        with QPainter(self) as painter:
            self.style().drawComplexControl(control, option, painter, self)
            if self.title and self.shows_title:
                painter.setPen(colours.second_text)
                painter.drawText(area, flags, self.title)
                area.setLeft(area.left() + self._title_width)
            painter.setPen(colours.text if self.isEnabled() else colours.third_text)
            shown = metrics.elidedText(self.currentText(), Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, flags | Qt.TextFlag.TextSingleLine, shown)


TITLES = {
    "measure": ("Measure", "What is shown"),
    "other": ("Against", "The other measure"),
    "x": ("Along", "The axis from left to right"),
    "y": ("Up", "The axis from below to above"),
    "by": ("Each", "One curve, or one colour, for each of its values"),
    "of": ("Coloured by", "Which one is best, or how much worse one of them is than the best"),
}
NONE, ALL, BEST = "—", "all", "the best one"
MAX_HELD = 1000
"""Points of an axis that one can be held at."""


class PictureChooser(QWidget):
    """Chooses a picture.

    Signals
    -------
    changed : another one is wanted
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._study: Study | None = None
        self._is_showing = False
        self.kind = self._box("Picture", "Which picture")
        self.fields = {name: self._box(title, tip, title) for name, (title, tip) in TITLES.items()}
        self.held: dict[str, QComboBox] = {}
        shown = row(self.kind, *self.fields.values(), None, margins=NO_MARGINS, spacing=6)
        self._held_row = QWidget()
        self._held_layout = QHBoxLayout(self._held_row)
        self._held_layout.setContentsMargins(*NO_MARGINS)
        self._held_layout.setSpacing(6)
        self._held_layout.addStretch(1)
        column(shown, self._held_row, parent=self, margins=(10, 4, 6, 4), spacing=4)

    def _box(self, name: str, tip: str, title: str = "") -> QComboBox:
        box = named(TitledBox(title), name, tip)
        box.currentIndexChanged.connect(self._on_changed)
        return box

    # ---- the choice

    @property
    def choice(self) -> PictureChoice:
        """What is chosen."""
        kind = str(self.kind.currentData() or "lines")
        if kind.startswith(FIGURE):
            place = int(kind.removeprefix(FIGURE))
            figure = None if self._study is None else self._study.figures[place]
            measure = "makespan" if figure is None else figure.z or figure.y
            return PictureChoice(FIGURE, measure, figure=place)
        values = {name: str(self.fields[name].currentData() or "") for name in PICTURES[kind].needs}
        shown = {values.get(name, "") for name in ("x", "y", "by")}
        where = tuple(
            (name, int(box.currentData()))
            for name, box in self.held.items()
            if name not in shown and box.currentData() >= 0
        )
        return replace(PictureChoice(kind, where=where), **values)  # type: ignore[arg-type]  # all are texts

    def show_study(self, study: Study) -> None:
        """Offer the pictures of another study; what is chosen stays where the study has it."""
        before = None if self._study is None else self.choice
        same = self._study is not None and _offers(self._study) == _offers(study)
        self._study, self._is_showing = study, True
        kinds = [(f"{FIGURE}{i}", each.title, each.source) for i, each in enumerate(study.figures)]
        kinds += [
            (name, kind.title, kind.tip)
            for name, kind in PICTURES.items()
            if kind.fits(len(study.axes), len(study.measures)) and (policy_axis(study) or not kind.compares)
        ]
        _fill(self.kind, kinds)
        measures = [(name, MEASURES[name].title, "") for name in study.measures]
        axes = [(axis.name, axis.name, "") for axis in study.axes]
        for name in ("measure", "other"):
            _fill(self.fields[name], measures)
        for name in ("x", "y"):
            _fill(self.fields[name], axes)
        _fill(self.fields["by"], [("", NONE, ""), *axes])
        self._fill_held(study)
        self._show(before if before is not None and same else usual_choice(study))
        self._is_showing = False
        self._show_needed()

    def _fill_held(self, study: Study) -> None:
        for box in self.held.values():
            self._held_layout.removeWidget(box)
            box.hide()
            box.deleteLater()
        self.held = {}
        for axis in study.axes:
            box = self._box(
                f"Which {axis.name}", tooltip(f"Show the mean over {axis.name}, or one of its values")
            )
            _fill(box, [(-1, f"{axis.name}: {ALL}", "")])
            for place in range(min(len(axis.points), MAX_HELD)):
                box.addItem(f"{axis.name[:1].upper()}{axis.name[1:]}: {name_of(axis, place)}", place)
            self.held[axis.name] = box
            self._held_layout.insertWidget(self._held_layout.count() - 1, box)

    def _show(self, choice: PictureChoice) -> None:
        kind = f"{FIGURE}{choice.figure}" if choice.kind == FIGURE else choice.kind
        self.kind.setCurrentIndex(max(self.kind.findData(kind), 0))
        usual = usual_choice(self._study) if choice.kind == FIGURE and self._study is not None else choice
        for name in ("measure", "other", "x", "y", "by"):
            place = self.fields[name].findData(getattr(usual, name))
            self.fields[name].setCurrentIndex(max(place, 0))
        self._fill_of()
        self.fields["of"].setCurrentIndex(max(self.fields["of"].findData(choice.of), 0))
        for name, point in choice.where:
            if name in self.held:
                self.held[name].setCurrentIndex(point + 1)

    def _fill_of(self) -> None:
        """Offer the points of the axis whose best one is shown."""
        by = self.fields["by"].currentData()
        axis = None if self._study is None or not by else self._study.axis(by)
        before = self.fields["of"].currentData()
        points = () if axis is None else axis.points
        losses = (
            []
            if axis is None
            else [(point.label, f"loss of {name_of(axis, place)}", "") for place, point in enumerate(points)]
        )
        _fill(self.fields["of"], [("", BEST, ""), *losses])
        self.fields["of"].setCurrentIndex(max(self.fields["of"].findData(before), 0))

    def _on_changed(self) -> None:
        if self._is_showing or self._study is None:
            return
        self._is_showing = True
        self._set_apart()
        self._fill_of()
        self._is_showing = False
        self._show_needed()
        self.changed.emit()

    def _set_apart(self) -> None:
        """Have no axis stand in two places of a picture: the one that was not touched takes another one."""
        kind = PICTURES.get(str(self.kind.currentData()))
        needed = [name for name in (kind.needs if kind else ()) if name in ("x", "y", "by")]
        touched = next((name for name in needed if self.fields[name] is self.sender()), "")
        seen: set[str] = set()
        for name in sorted(needed, key=lambda each: (each != touched, needed.index(each))):
            box = self.fields[name]
            if kind and kind.compares and name == "by" and not box.currentData() and self._study is not None:
                axis = policy_axis(self._study)
                box.setCurrentIndex(max(box.findData(axis.name if axis else ""), 0))
            if box.currentData() in seen:
                free = [box.itemData(i) for i in range(box.count()) if box.itemData(i) not in seen]
                box.setCurrentIndex(box.findData(free[0]) if free else -1)
            if box.currentData():
                seen.add(box.currentData())

    def _show_needed(self) -> None:
        choice = self.choice
        needs = PICTURES[choice.kind].needs if choice.kind in PICTURES else ()
        for name, box in self.fields.items():
            box.setVisible(name in needs)
        shown = {choice.x, choice.y, choice.by}
        for name, box in self.held.items():
            box.setVisible(choice.kind != FIGURE and name not in shown)
        self._held_row.setVisible(any(not box.isHidden() for box in self.held.values()))


def _offers(study: Study) -> tuple[object, ...]:
    return tuple((axis.name, axis.points) for axis in study.axes), study.measures, study.figures


def _fill(box: QComboBox, items: Sequence[tuple[object, str, str]]) -> None:
    box.clear()
    for place, (data, text, tip) in enumerate(items):
        box.addItem(text[:1].upper() + text[1:], data)
        if tip:
            box.setItemData(place, tooltip(tip), Qt.ItemDataRole.ToolTipRole)
