"""Explanations as text with links that can be clicked or reached by keyboard, and where the links lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QTextBrowser

from core.explain.lints.finding import NO_SLOT, Rule
from core.explain.same_task import same_task
from core.files.html_text import escape
from explorer.document.view_state import SelectedIdle, SelectedTask
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor

    from core.explain.lints.finding import Finding
    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.explain.comparing import Place
    from explorer.explain.explanations import Explanation, GoTo, Paragraph
    from explorer.widgets.theme import Theme


class ExplanationView(QTextBrowser):
    """Text of one or several explanations.

    Signals
    -------
    link_chosen : the `GoTo` of a link, and the place of its explanation
    """

    link_chosen = Signal(object, int)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._links: list[tuple[GoTo, int]] = []
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setAccessibleName(name)
        flag = Qt.TextInteractionFlag
        self.setTextInteractionFlags(
            flag.TextSelectableByMouse
            | flag.TextSelectableByKeyboard
            | flag.LinksAccessibleByMouse
            | flag.LinksAccessibleByKeyboard
        )
        self.anchorClicked.connect(self._on_anchor_clicked)

    @property
    def links(self) -> list[GoTo]:
        """Every link that is shown, in order."""
        return [link for link, _ in self._links]

    def show_explanations(
        self, explanations: Sequence[Explanation], colour_of: Callable[[int], QColor] | None
    ) -> None:
        """Show explanations one below the other; the place in the text stays."""
        self._links = []
        colours = theme_of(self)
        parts = [self._html(i, explanation, colours, colour_of) for i, explanation in enumerate(explanations)]
        bar = self.verticalScrollBar()
        place = bar.value()
        self.setHtml("".join(parts))
        bar.setValue(place)

    def _html(
        self, place: int, explanation: Explanation, colours: Theme, colour_of: Callable[[int], QColor] | None
    ) -> str:
        swatch = ""
        if explanation.job >= 0 and colour_of is not None:
            swatch = f'<span style="color:{colour_of(explanation.job).name()}">■</span> '
        top = 14 if place else 0
        head = (
            f'<p style="margin-top:{top}px; margin-bottom:0"><b>{swatch}{escape(explanation.title)}</b></p>'
        )
        return head + "".join(self._paragraph(place, part, colours) for part in explanation.paragraphs)

    def _paragraph(self, place: int, paragraph: Paragraph, colours: Theme) -> str:
        muted = colours.second_text.name()
        heading = f'<span style="color:{muted}">{escape(paragraph.heading)}</span>'
        lines = [heading, *(escape(sentence) for sentence in paragraph.sentences)]
        if paragraph.links:
            links = " · ".join(self._anchor(place, link, colours) for link in paragraph.links)
            lines.append(f'<span style="color:{muted}">Go to </span>{links}')
        return f'<p style="margin-top:7px; margin-bottom:0">{"<br>".join(lines)}</p>'

    def _anchor(self, place: int, link: GoTo, colours: Theme) -> str:
        self._links.append((link, place))
        # NOTE: the palette's link colour is not followed by the document
        style = f"color:{colours.cursor.name()}; text-decoration:underline"
        return f'<a href="{len(self._links) - 1}" style="{style}">{escape(link.text)}</a>'

    def _on_anchor_clicked(self, url: QUrl) -> None:
        self.link_chosen.emit(*self._links[int(url.toString())])


AIR = 0.15
"""Time beside a stretch that one is taken to, as a share of it."""


class Jumps:
    """What a click upon an explanation does."""

    def __init__(self, view_state: ViewState, axis: TimeAxis) -> None:
        self._view_state, self._axis = view_state, axis

    def to_task(self, scenario_id: int, schedule: Schedule, task: int) -> None:
        """Select a task and look at the instant of its start."""
        job = int(schedule.workload.columns.job[task])
        self._view_state.activate_scenario(scenario_id)
        self._view_state.select_job(schedule.workload.jobs[job].name)
        self._view_state.select_task(SelectedTask(scenario_id, task))
        self.to_time(float(schedule.start[task]))

    def follow(self, link: GoTo, scenario_id: int, schedule: Schedule | None) -> None:
        """Go where a link of an explanation leads; its tasks are those of a scenario's schedule."""
        if link.task >= 0 and schedule is not None:
            self.to_task(scenario_id, schedule, link.task)
        elif link.job:
            self.to_job(link.job)
        elif link.seconds is not None:
            self.to_time(link.seconds, link.decision)

    def to_simulated(self, schedule: Schedule | None, scenario_id: int, other: Schedule | None) -> None:
        """Look at another scenario, and there at the task that was selected in a schedule."""
        task = self._view_state.selected_task
        self._view_state.activate_scenario(scenario_id)
        if task is None or schedule is None or other is None:
            return
        there = same_task(schedule, task.task, other)
        if there is not None:
            self.to_task(scenario_id, other, there)

    def to_difference(self, scenario_id: int, schedule: Schedule, place: Place) -> None:
        """Select the task that a scenario starts at a difference, and look at the instant before."""
        if place.task >= 0:
            self.to_task(scenario_id, schedule, place.task)
        else:
            self._view_state.activate_scenario(scenario_id)
        self.to_time(place.seconds, place.decision)

    def to_finding(self, finding: Finding, job: str) -> None:
        """Show the time of a finding, with its job selected and the cursor at its beginning."""
        self.to_span(finding.begin, finding.end)
        self._view_state.select_job(job or None)
        self._view_state.select_task(None)
        if finding.rule in (Rule.IDLE_SLOT, Rule.NOTHING_TO_RUN) and finding.slot != NO_SLOT:
            active = self._view_state.active_scenario
            self._view_state.select_idle(SelectedIdle(active, finding.slot, finding.begin, finding.end))

    def to_job(self, name: str) -> None:
        """Select a job."""
        self._view_state.select_job(name)
        self._view_state.select_task(None)

    def to_time(self, seconds: float, decision: int = 0) -> None:
        """Look at an instant."""
        self._view_state.time_cursor.show_at(seconds, decision)

    def to_span(self, begin: float, end: float) -> None:
        """Show a stretch of time with some air, and look at its beginning."""
        air = (end - begin) * AIR
        if end > begin:
            self._axis.show_span(begin - air, end + air)
        self.to_time(begin)
