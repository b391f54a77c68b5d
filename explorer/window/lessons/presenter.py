"""Presenter mode: the charts on the whole screen for a room, large, with captions, nothing else around."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from core.explain.captions import Caption, caption_at, captions
from core.model.time_text import exact_clock
from explorer.explain.player import SWEEPS
from explorer.gantt.stage import LEGEND_HEIGHT, ChartsStage, Style, chart_places
from explorer.widgets.painted_text import caption_height, paint_caption, paint_page
from explorer.widgets.theme import translucent
from explorer.widgets.worker import Worker
from explorer.window.lessons.presenter_keys import MOVES, FadingHelp, name_of_key

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QPaintEvent, QWheelEvent

    from core.model.schedule import Schedule
    from explorer.explain.player import Player
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.stage import Pointed
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.lessons.class_poll import ClassPoll
    from explorer.window.lessons.presented_lesson import PresentedLesson

TEXT_SIZES = (1.5, 1.75, 2.0, 2.25, 2.5)
DEFAULT_TEXT = 1.75
MIN_CHART = 140
"""Pixels of a chart at 100 %; where not all have that room, those around the active one are shown."""
STEP_SHARE = 0.34
"""Of the width, for the text of a lesson's step."""
RING, RING_WIDTH, DOT = 26, 5, 6
WHEEL_ZOOM = 1.25
CAPTION_HOLD = 0.15
"""Of the time in view: a caption stays so long, 3 s of a play of 20 s."""


class Presenter(QWidget):
    """A window of its own over the whole screen: the one below it stays as it is.

    It shows the same scenarios, times and selection, and moves the same time cursor.

    Attributes
    ----------
    text : size of text, 1 is as in the window
    help : what the keys do, in the foot for a while
    """

    def __init__(
        self,
        model: WindowModel,
        window: QWidget,
        *,
        charts: ChartArea,
        player: Player,
        lesson: PresentedLesson,
        poll: ClassPoll,
    ) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self._document, self._runner = model.editor.document, model.runner
        self._view_state, self._axis = model.view_state, model.axis
        self._charts, self._player, self._lesson, self._window = charts, player, lesson, window
        self.poll = poll
        self.text = DEFAULT_TEXT
        self._alone = self._turned = False
        self._pressed: QPointF | None = None
        self._drags = False
        self._pointer: QPointF | None = None
        self._captions: tuple[Schedule | None, tuple[Caption, ...]] = (None, ())
        self._stage: tuple[tuple[object, ...], ChartsStage] | None = None
        self._worker = Worker(self, ended=lambda call: self._take_captions(call.about, call.answer))
        self.help = FadingHelp(self)
        self.setWindowTitle("Presentation — Slotscope")
        self.setAccessibleName("Presentation")
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        state, axis = self._view_state, self._axis
        for signal in (
            state.time_cursor.moved,
            state.active_scenario_changed,
            state.selected_job_changed,
            state.colour_by_changed,
            state.rows_changed,
            axis.range_changed,
            state.veil.changed,
            self._runner.outcome_ready,
            self._document.scenarios_changed,
            self._document.reset,
        ):
            signal.connect(self.update)
        lesson.changed.connect(self.update)
        poll.changed.connect(self.update)
        poll.noticed.connect(self.help.show_text)
        lesson.stepped.connect(self._turn_back)

    # ---- coming and going

    def toggle(self) -> None:
        """Present, or stop presenting."""
        if self.isVisible():
            self.leave()
        else:
            self.begin()

    def begin(self) -> None:
        """Cover the screen that the window is on."""
        axis = self._axis
        self._shown_before = axis.t0, axis.t1, axis.is_fitted
        self.setGeometry(self._window.screen().geometry())
        self.showFullScreen()
        self.activateWindow()
        self.setFocus(Qt.FocusReason.ActiveWindowFocusReason)
        self.help.show_for_a_while()

    def leave(self) -> None:
        """Give the screen back; times that are shown are as they were."""
        if not self.isVisible():
            return
        self._player.pause()
        self.poll.close()
        self.help.stop()
        self.hide()
        t0, t1, was_fitted = self._shown_before
        axis = self._axis
        if was_fitted:
            axis.fit()
        elif (axis.t0, axis.t1) != (t0, t1):
            axis.show_span(t0, t1)
        self._stage = None

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self.leave()
        event.accept()

    # ---- what is shown

    def caption(self) -> str:
        """What has just happened, and when, in the chart that matters.

        Nothing while no time is looked at, some while after it has happened, and where it is veiled.
        """
        contents = self._contents()
        content = contents.get(self.told_chart)
        if content is None or content.rows is None or content.is_veiled:  # captions know what comes
            return ""
        hold = CAPTION_HOLD * self._axis.range.span
        told = self._captions_of(content.rows.schedule)
        found = caption_at(told, self._view_state.time_cursor.seconds, hold)
        if found is None:
            return ""
        name = f"{content.title}: " if len(contents) > 1 and content.title else ""
        return f"{exact_clock(found.time)} · {name}{found.text}"

    @property
    def told_chart(self) -> int:
        """The chart that captions speak of: the active one, or one that is asked about."""
        active, asked = self._view_state.active_scenario, self._lesson.asked()
        return active if self._turned or not asked or active in asked else asked[0]

    def _contents(self) -> dict[int, ChartContent]:
        """Return what all charts show, by their ids."""
        charts, header = self._charts, self._charts.headers.header
        own = {
            i: replace(view.content, comparison=header(i).facts.standing[1])
            for i, view in charts.views.items()
        }  # names have more room beside the short comparison
        return own | {i: pane.view.content for i, pane in charts.stack.guests.items()}

    def _captions_of(self, schedule: Schedule) -> tuple[Caption, ...]:
        """Return a schedule's captions, if they are there; else have them made beside the window."""
        if self._captions[0] is not schedule:
            self._captions = (schedule, ())
            self._worker.start(partial(captions, schedule), schedule)
        return self._captions[1]

    def _take_captions(self, schedule: Schedule, found: tuple[Caption, ...] | None) -> None:
        if schedule is self._captions[0]:
            self._captions = (schedule, found or ())
            self.update()

    def _shown_contents(self, height: int) -> list[ChartContent]:
        """Return the charts that there is room for, and in any case those that are asked about."""
        contents, told = self._contents(), self.told_chart
        if self._alone:
            return [contents[told]]
        ids = list(contents)
        most = max(1, int(height / self.text - LEGEND_HEIGHT) // MIN_CHART)
        first = min(ids.index(told) // most * most, max(0, len(ids) - most))
        wanted = {told, *self._lesson.asked()}
        for each in ids[first : first + most]:
            if len(wanted) < most:
                wanted.add(each)
        return [contents[each] for each in ids if each in wanted]

    def _text_of(self, charts: int, height: int) -> float:
        """Return the size of text in which so many charts have room, at most the one that was chosen."""
        lines = len({place.top() for place in chart_places(charts, (charts, charts), 0)})
        return max(1.0, min(self.text, height / (LEGEND_HEIGHT + lines * MIN_CHART)))

    def _stage_in(self, rect: QRect) -> ChartsStage:
        """Return the stage for a place; what it shows is drawn again only where that has changed."""
        shown, charts = self._axis.range, self._charts
        theme, guests = charts.theme, [pane.view for pane in charts.stack.guests.values()]
        # held, so that an id is theirs alone
        kept = tuple(view.content for view in (*charts.views.values(), *guests))
        told, asked = self.told_chart, self._lesson.asked()
        key = (
            *map(id, kept),
            *(shown, rect.size().toTuple(), self.text, theme.is_dark, self._alone, told, asked),
        )
        if self._stage is None or self._stage[0][1:] != key:
            contents = self._shown_contents(rect.height())
            ratio = self.devicePixelRatioF()
            text = self._text_of(len(contents), rect.height())
            style = Style(theme, (rect.width(), rect.height()), text, ratio=ratio)
            self._stage = ((kept, *key), ChartsStage(contents, style, shown))
        return self._stage[1]

    @property
    def _covers_future(self) -> bool:
        """Whether what is still to come is faint: a step of a lesson may speak of it, unless it is played."""
        return not self._lesson.is_open or self._player.is_playing

    @property
    def stage(self) -> ChartsStage:
        """The charts as they are drawn now."""
        return self._stage_in(self._places()[1])

    def _places(self) -> tuple[QRect, QRect, QRect]:
        """Return where the step of a lesson, the charts and the caption lie; the first may be empty."""
        low = caption_height(self.text)
        above = self.rect().adjusted(0, 0, 0, -low)
        wide = round(self.width() * STEP_SHARE) if self._lesson.is_open else 0
        charts = above.adjusted(wide, 0, 0, 0)
        bottom = QRect(0, above.bottom() + 1, self.width(), low)
        return QRect(0, 0, wide, above.height()), charts, bottom

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, seconds = self._charts.theme, self._view_state.time_cursor.seconds
        beside, charts, bottom = self._places()
        stage = self._stage_in(charts)
        with QPainter(self) as painter:
            painter.drawImage(charts.topLeft(), stage.still)
            if seconds is not None:
                painter.save()
                painter.translate(charts.topLeft())
                stage.paint_instant(painter, seconds, covers=self._covers_future)
                painter.restore()
            if self._lesson.is_open:
                polled, texts = self.poll.picture(), self._lesson.texts()
                text, *shorter = texts if polled is None else texts[1:]  # of a step just the question
                picture = polled or self._lesson.picture()
                paint_page(painter, beside, theme, self.text, text, picture, shorter)
            paint_caption(painter, bottom, theme, self.text, self.caption())
            self.help.paint(painter, bottom, theme, self.text)
            if self._pointer is not None:
                self._paint_ring(painter, self._pointer)

    def _paint_ring(self, painter: QPainter, at: QPointF) -> None:
        theme = self._charts.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(translucent(theme.accent, 110 if self._pressed is not None else 30))
        painter.setPen(QPen(translucent(theme.window, 200), RING_WIDTH + 4))
        painter.drawEllipse(at, RING, RING)
        painter.setPen(QPen(theme.accent, RING_WIDTH))
        painter.drawEllipse(at, RING, RING)

    # ---- keys

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress:  # Tab, too, which would move the focus
            self.keyPressEvent(event)  # type: ignore[arg-type]  # its type says so
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = name_of_key(event)
        if self.poll.offered and event.text().isdecimal():
            self.help.stop()
            self.poll.choose(int(event.text()))
        elif name is not None:
            self._do(name)

    def _do(self, name: str) -> None:
        player, steps = self._player, {"next": 1, "previous": -1}
        way, _, what = name.partition("_")
        if name.endswith(MOVES):
            self.help.stop()
        if what in ("event", "decision"):
            (player.step_event if what == "event" else player.step_decision)(steps[way])
        elif what == "step":
            self._go(steps[way])
        elif name in ("larger", "smaller"):
            self.set_text(self.text + (0.25 if name == "larger" else -0.25))
        elif name in ("faster", "slower"):
            at = SWEEPS.index(player.sweep) + (-1 if name == "faster" else 1)
            player.set_sweep(SWEEPS[min(max(at, 0), len(SWEEPS) - 1)])
            self.help.show_text(f"Plays what is in view in {player.sweep} s")
        else:
            does = {
                "play": player.toggle,
                "to_start": player.to_start,
                "to_end": player.to_end,
                "alone": self._toggle_alone,
                "next_scenario": self._next_scenario,
                "fit": self._axis.fit,
                "help": self.help.show_all,
                "leave": self.leave,
                "lift": self._lift,
                "poll": self.poll.go_on,
            }
            does[name]()

    def set_text(self, size: float) -> None:
        """Draw all text in a size from 1.5 to 2.5 times that of the window."""
        self.text = min(max(size, TEXT_SIZES[0]), TEXT_SIZES[-1])
        self.help.show_text(f"Text {100 * self.text:.0f} %")
        self.update()

    def _go(self, step: int) -> None:
        """Go to the next step of a lesson; without one, to the next caption."""
        if self._lesson.is_open:
            self._lesson.go(step)
            return
        cursor = self._view_state.time_cursor
        here = cursor.seconds if cursor.seconds is not None else -1.0
        times = [each.time for each in self._captions[1] if step * each.time > step * here]
        if times:
            self._player.pause()
            cursor.show_at(min(times) if step > 0 else max(times))

    def _lift(self) -> None:
        if self.poll.server is not None:
            self.poll.end()  # the class sees what it answered before it sees what is right
        elif self._lesson.is_open:
            self._lesson.lift()

    def _toggle_alone(self) -> None:
        self._alone = not self._alone
        self.update()

    def _next_scenario(self) -> None:
        ids = list(self._charts.views)
        at = ids.index(self._view_state.active_scenario)
        self._turned = True
        self._view_state.activate_scenario(ids[(at + 1) % len(ids)])
        self.update()

    def _turn_back(self) -> None:
        """Look at the charts that the step is about."""
        self._turned = False

    # ---- the pointer

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        if self._pressed is not None:
            far = (event.position() - self._pressed).manhattanLength()
            self._drags |= far >= QApplication.startDragDistance()
        if self._drags:
            self._look_at(event.position())
        self.update()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._drags = event.position(), False
        self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None and not self._drags:
            self._select(event.position())
        self._pressed, self._drags = None, False
        self.update()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self.update()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        found = self._pointed_at(event.position())
        if found is not None and found.seconds is not None:
            factor = WHEEL_ZOOM ** (-event.angleDelta().y() / 120)
            self._axis.zoom(factor, found.seconds)

    def _pointed_at(self, position: QPointF) -> Pointed | None:
        return self.stage.at(position - self._places()[1].topLeft().toPointF())

    def _look_at(self, position: QPointF) -> None:
        """Move the time cursor to a place."""
        found = self._pointed_at(position)
        if found is not None and found.seconds is not None:
            self._player.pause()
            self._view_state.time_cursor.show_at(found.seconds)

    def _select(self, position: QPointF) -> None:
        """Let the job at a place stand out; where none runs, or the same again, all of them."""
        state, found = self._view_state, self._pointed_at(position)
        if found is not None:
            rows = self.stage.charts[found.chart].rows
            name = None if rows is None or found.job < 0 else rows.schedule.workload.jobs[found.job].name
            state.select_job(None if name == state.selected_job else name)
