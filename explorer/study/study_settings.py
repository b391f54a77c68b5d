"""What a study varies: axes with their values, how often each cell runs, and what is measured."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QWidget,
)

from core.model.errors import InputError
from core.study.measures import MEASURES
from core.study.study import Design, Study, values_of
from core.study.study_fields import FIELDS, POLICY, SOURCES, WORKLOAD, meanings, parameter_fields
from core.study.study_problems import study_problems
from explorer.study.axis_row import AxisRow, ChoicesButton, axis_of, usual_values
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.number_fields import CountField
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, tooltip
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.study.study import Axis, StudyFigure
    from core.study.study_fields import Field, Value
    from explorer.study.base_of_scenario import BaseScenario

DEFAULT_MEASURES = ("makespan", "lower_bound", "gap", "mean_response", "mean_stretch", "late_jobs")
NOTHING_VARIED = "Nothing is varied yet: choose what is, with the button below."
MAX_REPETITIONS, DEFAULT_SAMPLE = 100_000, 1000
ALIKE = (
    "all repetitions would be alike: nothing here is drawn from a seed; set them to 1, or vary the error of "
    "the estimates"
)
UNVARIED = (*SOURCES, "workload.file", "cluster.overheads.hosts")
SEEDED = {
    "workload.seed": "the jobs that are drawn",
    "workload.order_seed": "the order of arrival",
    "estimates.seed": "the error of the estimates",
    "deadlines.seed": "the deadlines",
}
"""What another seed changes."""


class StudySettings(QWidget):
    """Edits a study.

    Attributes
    ----------
    rows : of its axes

    Signals
    -------
    changed : another study is wanted
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._study = Study("Study", ())
        self._offered = tuple(MEASURES)
        self.rows: list[AxisRow] = []
        self._make_parts()
        self._lay_out()

    def _make_parts(self) -> None:
        self.name = named(QLineEdit(), "Name of the study")
        self.name.textEdited.connect(self.changed)
        self.base_words = ElidedLabel(is_faint=True)
        self.left_out = PlainLabel(wraps=True)
        self.nothing = PlainLabel(NOTHING_VARIED, wraps=True, is_faint=True)
        self.vary_button = QPushButton("&Vary …")
        self.vary_button.setToolTip(
            "Choose what else is varied; the context menu of a field in the main window does it as well"
        )
        self.menu = QMenu(self.vary_button, toolTipsVisible=True)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.vary_button.setMenu(self.menu)
        self.repetitions = named(
            CountField(1, MAX_REPETITIONS),
            "Repetitions",
            "How often each cell runs, each time with another seed",
        )
        self.seeds = PlainLabel(wraps=True, is_faint=True)
        self.sampled = QCheckBox("Only a &sample")
        self.sampled.setToolTip("Run cells drawn at random from all combinations, where there are too many")
        self.sample = named(CountField(1, 10_000_000, "cells"), "Cells of the sample")
        self.measures = ChoicesButton("What is measured")
        for signal in (self.repetitions.valueChanged, self.sample.valueChanged, self.measures.changed):
            signal.connect(self._on_changed)
        self.sampled.toggled.connect(self._on_changed)

    def _lay_out(self) -> None:
        self._axes = QWidget()
        self._list = column(
            self.nothing,
            row(self.vary_button, None),
            None,
            parent=self._axes,
            margins=(0, 0, 4, 0),
            spacing=4,
        )
        self.area = QScrollArea(widgetResizable=True)
        self.area.setWidget(self._axes)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        form = QFormLayout()
        form.addRow("&Name", self.name)
        heading = PlainLabel("Varied")
        heading.setFont(bold_font(self.font()))
        more = QFormLayout()
        more.addRow("Re&petitions", self.repetitions)
        more.addRow("&Measured", self.measures)
        column(
            form,
            self.base_words,
            self.left_out,
            heading,
            (self.area, 1),
            more,
            self.seeds,
            row(self.sampled, (self.sample, 1)),
            parent=self,
            margins=NO_MARGINS,
            spacing=6,
        )
        self._show_left_out("")
        self._show_rest()

    # ---- the study

    @property
    def study(self) -> Study:
        """The study as it is set; raises InputError with what is wrong with it."""
        axes = tuple(each.axis for each in self.rows)
        measures = tuple(self._offered[place] for place in self.measures.taken)
        if not measures:
            raise InputError("nothing is measured; choose at least one measure")
        study = replace(
            self._study,
            name=self.name.text().strip() or "Study",
            axes=axes,
            measures=measures,
            repetitions=self.repetitions.value(),
        )
        design = self._study.design
        if self.sampled.isChecked():
            seed = design.seed if design.kind == "sample" else 1
            design = Design("sample", count=min(self.sample.value(), study.grid_count), seed=seed)
        elif design.kind == "sample" or axes != self._study.axes:
            design = Design()
        study = replace(study, design=design, seeds=self._seeds(study), figures=self._figures(axes))
        if study.repetitions > 1 and not study.seeds:
            raise InputError(ALIKE)
        if problems := study_problems(study):
            first = problems[0]
            raise InputError(f"{first.where}: {first.value + ' – ' if first.value else ''}{first.rule}")
        return study

    def _figures(self, axes: tuple[Axis, ...]) -> tuple[StudyFigure, ...]:
        """Return the study's figures while it has the axes that they are of."""
        same = {axis.name for axis in axes} == {axis.name for axis in self._study.axes}
        return self._study.figures if same else ()

    def _seeds(self, study: Study) -> tuple[str, ...]:
        """Return what a repetition draws anew: as the study has it, else all that is drawn."""
        if self._study.seeds or study.repetitions == 1:
            return self._study.seeds
        given = {name for name, _ in study.base} | {name for axis in study.axes for name in axis.sets}
        found = []
        if "workload.family" in given:
            found.append("workload.seed")
        if "estimates.error" in given:
            found.append("estimates.seed")
        if "deadlines.factor" in given:
            found.append("deadlines.seed")
        varied = {name for axis in study.axes for name in axis.sets}
        return tuple(name for name in found if name not in varied)

    def show_study(self, study: Study) -> None:
        """Show another study."""
        self._study = study
        self.name.setText(study.name)
        self.name.setCursorPosition(0)
        self.base_words.setText(study.source or study.description)
        self._show_left_out("")
        self.base_words.setToolTip(tooltip("\n".join(filter(None, (study.source, study.description)))))
        while self.rows:
            self._drop(self.rows[0])
        for axis in study.axes:
            self._add(axis)
        self._offered = tuple(dict.fromkeys((*study.measures, *MEASURES)))
        titles = [_measure_title(name) for name in self._offered]
        self.measures.show_choices(titles, range(len(study.measures)))
        for field, value in (
            (self.repetitions, study.repetitions),
            (self.sample, study.design.count or DEFAULT_SAMPLE),
        ):
            field.setValue(value)
        self.sampled.setChecked(study.design.kind == "sample")
        self._show_rest()
        self.changed.emit()

    def show_base(self, base: BaseScenario) -> None:
        """Hold another scenario of the open document still; what is varied stays."""
        self._study = replace(self._study, base=base.changes)
        self.base_words.setText(f"Around {base.words}")
        self._show_left_out(base.left_out)
        self._show_rest()
        self.changed.emit()

    def _show_left_out(self, sentence: str) -> None:
        self.left_out.setText(sentence)
        self.left_out.setVisible(bool(sentence))

    # ---- axes

    def vary(self, name: str) -> None:
        """Vary a field as well; one that is varied already is shown."""
        for each in self.rows:
            if name in each.axis_fields:
                self.area.ensureWidgetVisible(each)
                each.editor.setFocus()
                return
        field = self._meaning(name)
        added = self._add(axis_of(name, usual_values(field, self._now(name))))
        self._show_rest()
        self.area.ensureWidgetVisible(added)
        self.changed.emit()

    def _meaning(self, name: str) -> Field:
        known = meanings(name)
        owners = values_of(self._study, "policy.id") | values_of(self._study, "workload.family")
        return next((field for field in known if field.owner in owners), known[0])

    def _now(self, name: str) -> Value | None:
        return dict(self._study.base).get(name)

    def _add(self, axis: Axis) -> AxisRow:
        added = AxisRow(axis)
        added.changed.connect(self._on_changed)
        added.removed.connect(partial(self._remove, added))
        self.rows.append(added)
        self._list.insertWidget(self._list.count() - 2, added)
        return added

    def _drop(self, each: AxisRow) -> None:
        self.rows.remove(each)
        self._list.removeWidget(each)
        each.hide()
        each.deleteLater()

    def _remove(self, each: AxisRow) -> None:
        self._drop(each)
        self._on_changed()

    def _fill_menu(self) -> None:
        """Offer every field that is not varied yet, by what it is of."""
        self.menu.clear()
        varied = {name for each in self.rows for name in each.axis_fields}
        policies, families = (values_of(self._study, name) for name in ("policy.id", "workload.family"))
        groups = (
            ("&Cluster", [f for f in FIELDS.values() if f.name.startswith("cluster.")]),
            ("&Policy and its parameters", [FIELDS["policy.id"], *_parameters(POLICY, policies)]),
            ("&Workload", [*_workload_fields(families), *_parameters(WORKLOAD, families)]),
            ("&Estimates and deadlines", [f for f in FIELDS.values() if f.name.startswith(("est", "dead"))]),
        )
        for title, fields in groups:
            inside = self.menu.addMenu(title)
            inside.setToolTipsVisible(True)
            for field in fields:
                if field.name not in varied and field.name not in UNVARIED:
                    text = field.title[:1].upper() + field.title[1:]
                    action = inside.addAction(text.replace("&", "&&"))
                    action.setToolTip(tooltip(field.parameter.help))
                    action.setData(field.name)
                    action.triggered.connect(partial(self.vary, field.name))
            inside.menuAction().setVisible(not inside.isEmpty())

    # ---- showing

    def _on_changed(self) -> None:
        self._show_rest()
        self.changed.emit()

    def _show_rest(self) -> None:
        self.nothing.setVisible(not self.rows)
        self.sample.setEnabled(self.sampled.isChecked())
        self.seeds.setText(self._seeds_text())
        self.seeds.setVisible(bool(self.seeds.text()))

    def _seeds_text(self) -> str:
        if self.repetitions.value() == 1:
            return ""
        try:
            seeds = self.study.seeds
        except InputError:
            return ""
        return f"Another seed changes {' and '.join(SEEDED.get(name, name) for name in seeds)}."


def _parameters(prefix: str, owners: set[Value]) -> Sequence[Field]:
    found = {
        field.name: field for owner in sorted(map(str, owners)) for field in parameter_fields(prefix, owner)
    }
    return list(found.values())


def _workload_fields(families: set[Value]) -> list[Field]:
    """Return the fields of any workload; a seed is one of workloads that are drawn."""
    drawn = {"workload.seed"} if not families else set()
    return [f for f in FIELDS.values() if f.name.startswith("workload.") and f.name not in drawn]


def _measure_title(name: str) -> str:
    measure = MEASURES[name]
    title = measure.title[:1].upper() + measure.title[1:]
    return f"{title} ({measure.unit})" if measure.unit else title
