"""Settings before something leaves the window: how a picture looks or plays, which scenarios it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QRadioButton,
    QSpinBox,
)

from explorer.gantt.pace import MAX_RATE, MAX_SECONDS, MIN_RATE, MIN_SECONDS, Pace
from explorer.gantt.stage import MAX_SIZE, MAX_TEXT, MIN_SIZE, MIN_TEXT, PRESETS, Style, to_image
from explorer.widgets.layouts import Dialog, column, named, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import theme

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from explorer.gantt.geometry.chart_content import ChartContent

AS_ON_SCREEN = "screen"
PREVIEW = QSize(420, 260)
MAX_TASKS_IN_PREVIEW = 100_000
"""More are not drawn while one chooses: that would take the window some hundred milliseconds each time."""
COPY = "&Copy"


class PictureDialog(Dialog):
    """Edits how charts are to be drawn, and shows it.

    Signals
    -------
    save_wanted, copy_wanted : a `Style`, or None for a picture of the charts as they are on the screen
    """

    save_wanted = Signal(object)
    copy_wanted = Signal(object)

    def __init__(
        self,
        charts: Sequence[ChartContent],
        is_dark: bool,
        grab: Callable[[], QPixmap],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Export picture", parent)
        self._charts, self._grab = charts, grab
        self.preset_field = named(QComboBox(), "What the picture is for")
        for key, preset in PRESETS.items():
            self.preset_field.addItem(preset.title, key)
        self.preset_field.addItem("As on screen", AS_ON_SCREEN)
        self.width_field = _pixels("Width of the picture")
        self.height_field = _pixels("Height of the picture")
        self.text_field, self.theme_field = _text_size(), _colours(is_dark)
        self.preview = named(QLabel(), "Preview of the picture")
        self.preview.setFixedSize(PREVIEW)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self.preset_field.currentIndexChanged.connect(self._on_preset_chosen)
        for field in (self.width_field, self.height_field, self.text_field):
            field.valueChanged.connect(self._show)
        self.theme_field.currentIndexChanged.connect(self._show)
        self._on_preset_chosen()

    @property
    def style_wanted(self) -> Style | None:
        """How the picture is to be drawn; None for what is on the screen."""
        key = self.preset_field.currentData()
        if key == AS_ON_SCREEN:
            return None
        size = (self.width_field.value(), self.height_field.value())
        text, ratio = self.text_field.value() / 100, PRESETS[key].ratio
        return Style(theme(self.theme_field.currentData()), size, text, ratio=ratio)

    @property
    def suffix(self) -> str:
        """The ending of the format that fits what the picture is for."""
        key = self.preset_field.currentData()
        return ".png" if key == AS_ON_SCREEN else PRESETS[key].suffix

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.save_button = buttons.addButton("&Save…", QDialogButtonBox.ButtonRole.AcceptRole)
        self.copy_button = buttons.addButton(COPY, QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setToolTip("Put the picture on the clipboard")
        self.save_button.clicked.connect(lambda: self.save_wanted.emit(self.style_wanted))
        self.copy_button.clicked.connect(lambda: self.copy_wanted.emit(self.style_wanted))
        buttons.rejected.connect(self.reject)
        fields = QFormLayout()
        fields.addRow("&For", self.preset_field)
        fields.addRow("&Width", self.width_field)
        fields.addRow("&Height", self.height_field)
        fields.addRow("&Text size", self.text_field)
        fields.addRow("C&olours", self.theme_field)
        note = PlainLabel("What is selected stands out in the picture as it does on the screen.", wraps=True)
        column(row((fields, 0), self.preview), note, buttons, parent=self)
        self.save_button.setDefault(True)

    def _on_preset_chosen(self) -> None:
        key = self.preset_field.currentData()
        is_free = key != AS_ON_SCREEN
        if is_free:
            style = PRESETS[key].style(len(self._charts), theme(False))
            for field, value in (
                (self.width_field, style.size[0]),
                (self.height_field, style.size[1]),
                (self.text_field, round(100 * style.text)),
            ):
                field.blockSignals(True)
                field.setValue(value)
                field.blockSignals(False)
        for each in (self.width_field, self.height_field, self.text_field, self.theme_field):
            each.setEnabled(is_free)
        self._show()

    def _show(self) -> None:
        style = self.style_wanted
        tasks = sum(chart.rows.schedule.tasks for chart in self._charts if chart.rows)
        if style is not None and tasks > MAX_TASKS_IN_PREVIEW:
            self.preview.setText("no preview of so many tasks")
            return
        whole = self._grab() if style is None else QPixmap.fromImage(to_image(self._charts, style))
        whole.setDevicePixelRatio(1.0)
        how = (Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        self.preview.setPixmap(whole.scaled(PREVIEW, *how))


class AnimationDialog(Dialog):
    """Edits how a play becomes an animation.

    Signals
    -------
    save_wanted : the `Style`, the `Pace`, and whether all scenarios are wanted
    """

    save_wanted = Signal(object, object, bool)

    def __init__(
        self, active: str, scenarios: int, end: float, is_dark: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__("Export animation", parent)
        self._usual = Pace()
        self.scenarios_field = named(QComboBox(), "Scenarios")
        self.scenarios_field.addItem(f"Only {active}", False)
        if scenarios > 1:
            self.scenarios_field.addItem(f"All {scenarios} scenarios", True)
            self.scenarios_field.setCurrentIndex(1)
        self.length_field = _seconds("How long the play takes", MIN_SECONDS, MAX_SECONDS)
        self.length_field.setValue(self._usual.seconds)
        self.rate_field = named(QSpinBox(), "Frames a second")
        self.rate_field.setRange(MIN_RATE, MAX_RATE)
        self.rate_field.setValue(self._usual.rate)
        self.begin_field = _seconds("Time from which to play", 0.0, end)
        self.end_field = _seconds("Time until which to play", 0.0, end)
        self.end_field.setValue(end)
        self._end = self.end_field.value()
        self.width_field, self.height_field = _pixels("Width"), _pixels("Height")
        for field, pixels in ((self.width_field, 960), (self.height_field, 540)):
            field.setValue(pixels)
        self.text_field = _text_size()
        self.text_field.setValue(100)
        self.theme_field = _colours(is_dark)
        self.captions_field = QCheckBox("&Captions: a strip that says what has just happened")
        self.captions_field.setChecked(True)
        self.veil_field = QCheckBox("&Veil: what is still to come and the makespan stay hidden until the end")
        self._lay_out()

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.save_button = buttons.addButton("&Save…", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        fields = QFormLayout()
        for text, field in (
            ("Sc&enarios", self.scenarios_field),
            ("&Play for", self.length_field),
            ("&Frames a second", self.rate_field),
            ("F&rom", self.begin_field),
            ("&To", self.end_field),
            ("&Width", self.width_field),
            ("&Height", self.height_field),
            ("Text si&ze", self.text_field),
            ("C&olours", self.theme_field),
        ):
            fields.addRow(text, field)
        column((fields, 0), self.captions_field, self.veil_field, buttons, parent=self)
        self.save_button.setDefault(True)

    def _on_accepted(self) -> None:
        size = self.width_field.value(), self.height_field.value()
        style = Style(theme(self.theme_field.currentData()), size, self.text_field.value() / 100)
        begin, end = self.begin_field.value(), self.end_field.value()
        pace = Pace(
            self.length_field.value(),
            self.rate_field.value(),
            self.captions_field.isChecked(),
            begin,
            None if end == self._end else end,
            self.veil_field.isChecked(),
        )
        self.accept()
        self.save_wanted.emit(style, pace, bool(self.scenarios_field.currentData()))


class ScenariosDialog(Dialog):
    """Lets the user choose whether a file is to hold one scenario or all of them.

    Signals
    -------
    chosen : whether all are wanted
    """

    chosen = Signal(bool)

    def __init__(self, title: str, active: str, count: int, how: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.one_button = QRadioButton(f"Only {active}")
        self.all_button = QRadioButton(f"All {count} scenarios: {how}")
        self.all_button.setChecked(True)
        group = QButtonGroup(self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.save_button = buttons.addButton("&Save…", QDialogButtonBox.ButtonRole.AcceptRole)
        for button in (self.all_button, self.one_button):
            group.addButton(button)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        column(self.all_button, self.one_button, buttons, parent=self)
        self.save_button.setDefault(True)

    def _on_accepted(self) -> None:
        self.accept()
        self.chosen.emit(self.all_button.isChecked())


def _pixels(name: str) -> QSpinBox:
    field = named(QSpinBox(), name)
    field.setRange(MIN_SIZE, MAX_SIZE)
    field.setSuffix(" px")
    field.setKeyboardTracking(False)
    return field


def _seconds(name: str, least: float, most: float) -> QDoubleSpinBox:
    field = named(QDoubleSpinBox(), name)
    field.setRange(least, most)
    field.setDecimals(1)
    field.setSuffix(" s")
    return field


def _text_size() -> QSpinBox:
    field = named(QSpinBox(), "Text size")
    field.setRange(round(100 * MIN_TEXT), round(100 * MAX_TEXT))
    field.setSuffix(" %")
    field.setSingleStep(10)
    field.setToolTip("Size of letters, lines and margins; 100 % is as in the window")
    return field


def _colours(is_dark: bool) -> QComboBox:
    field = named(QComboBox(), "Colours of the picture")
    for title, dark in (("Light", False), ("Dark", True)):
        field.addItem(title, dark)
    field.setCurrentIndex(int(is_dark))
    return field
