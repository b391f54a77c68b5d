"""The sentence above the charts: as many of its clauses as fit, with links for the mouse and the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QTextDocument, QTextOption
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QWidget
from typing_extensions import override

from core.explain.run_summary import LinkTo, Phrase, Tone, sentence_of
from core.files.html_text import escape
from core.model.visible_text import kept_together
from explorer.widgets.theme import fill_with, theme_of, translucent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QPaintEvent, QResizeEvent

    from core.explain.run_summary import Clause
    from explorer.widgets.theme import Theme

LINE_HEIGHT, TWO_LINES_HEIGHT = 30, 44
"""Pixels of the bar with room for one line, and for two."""
TWO_LINES_BELOW = 1200
"""Pixels of a window that is too narrow for one line to say much."""
SIDE_PX = 10
CARD_LINES, CARD_AIR, CARD_CORNER, CARD_ALPHA = 4, 8, 6, 26
"""Lines of the card, pixels around them and of its corners, and how much of the link's colour it has."""
NO_WIDTH = "&#8203;"
"""Stands before the first word: in Qt, Shift+Tab never leaves a link at the very beginning."""
TIPS = {
    LinkTo.JOB: "Select {name}",
    LinkTo.RUN: "Make this scenario the active one",
    LinkTo.TASK: "Select this task",
    LinkTo.FAILED: "Show when and in which jobs attempts failed",
    LinkTo.BOUND: "Say why no schedule is shorter",
}


class SentenceBar(QLabel):
    """One line, in a narrow window two: whole clauses from the first one on, whatever fits.

    Its height does not depend on what it says, so that nothing below it moves.

    Attributes
    ----------
    is_old : whether what it says is being computed anew, so that it is fainter

    Signals
    -------
    link_chosen : the `Phrase` that was clicked, or reached by Tab and pressed by Enter
    """

    link_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clauses: tuple[Clause, ...] = ()
        self._links: list[Phrase] = []
        self._shown = 0
        self.is_old = self._is_card = False
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setContentsMargins(SIDE_PX, 0, SIDE_PX, 0)
        self.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        flag = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flag.LinksAccessibleByMouse | flag.LinksAccessibleByKeyboard)
        self.linkActivated.connect(self._on_activated)
        self.linkHovered.connect(self._on_hovered)
        self._show()

    @property
    def text_shown(self) -> str:
        """The clauses that fit, as text."""
        return sentence_of(self._clauses[: self._shown])

    @property
    def whole_text(self) -> str:
        """All clauses, as text."""
        return sentence_of(self._clauses)

    @property
    def links(self) -> list[Phrase]:
        """Every link that is shown, in order."""
        return list(self._links)

    def show_clauses(self, clauses: Sequence[Clause]) -> None:
        """Show another sentence; none for no clauses."""
        self._clauses, self.is_old = tuple(clauses), False
        self._show()

    def show_as_old(self, is_old: bool = True) -> None:
        """Show the sentence fainter, as what it says is being computed anew; or as it was, if it holds."""
        if is_old != self.is_old:
            self.is_old = is_old
            self._show()

    def show_as_card(self, *, is_card: bool) -> None:
        """Be a card of some lines beside the charts, or the bar above them."""
        if is_card != self._is_card:
            self._is_card = is_card
            self.setFixedHeight(self.sizeHint().height())
            self._show()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_card and self._clauses:  # no card while nothing is said, as under a veil
            behind = translucent(theme_of(self).link, CARD_ALPHA)
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                fill_with(painter, behind)
                painter.drawRoundedRect(self.rect(), CARD_CORNER, CARD_CORNER)
        super().paintEvent(event)

    # ---- what fits

    @override
    def sizeHint(self) -> QSize:
        if self._is_card:
            return QSize(0, CARD_LINES * self.fontMetrics().lineSpacing() + 2 * CARD_AIR)
        return QSize(0, LINE_HEIGHT if self._has_one_line else TWO_LINES_HEIGHT)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def _has_one_line(self) -> bool:
        return not self._is_card and self.window().width() >= TWO_LINES_BELOW

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self.sizeHint().height())
        self._show()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._show()

    def _show(self) -> None:
        """Show as many clauses as there is room for, at least the first one."""
        theme = theme_of(self)
        counts = range(len(self._clauses), 0, -1)
        self._shown = next((count for count in counts if self._fits(self._html(count, theme))), 1)
        self._shown = min(self._shown, len(self._clauses))
        shown = self._clauses[: self._shown]
        self._links = [phrase for clause in shown for phrase in clause.words if phrase.link is not None]
        self.setText(self._html(self._shown, theme))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if self._links else Qt.FocusPolicy.NoFocus)
        self.setToolTip("" if self._shown == len(self._clauses) else escape(self.whole_text))
        self.setAccessibleName(self.whole_text or "What the charts show")

    def _fits(self, html: str) -> bool:
        document = QTextDocument(documentMargin=0, defaultFont=self.font())
        room = self.width() - 2 * SIDE_PX
        if self._has_one_line:
            document.setDefaultTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
            document.setHtml(html)
            return document.idealWidth() <= room
        document.setHtml(html)
        document.setTextWidth(room)
        return (
            document.size().height()
            <= (CARD_LINES if self._is_card else 2) * self.fontMetrics().lineSpacing() + 2
        )

    def _html(self, count: int, theme: Theme) -> str:
        return "".join((NO_WIDTH, *self._pieces(count, theme)))

    def _pieces(self, count: int, theme: Theme) -> Iterator[str]:
        number = 0
        for place, clause in enumerate(self._clauses[:count]):
            yield clause.joint if place else ""
            for phrase in clause.words:
                if phrase.link is None:
                    yield _styled(
                        kept_together(escape(phrase.text)), self._colour(phrase.tone, theme), phrase.tone
                    )
                    continue
                colour = theme.third_text if self.is_old else theme.link
                text = escape(phrase.text).replace(" ", "&nbsp;")
                yield f'<a href="{number}" style="color:{colour.name()};text-decoration:none">{text}</a>'
                number += 1
        yield "." if count else ""

    def _colour(self, tone: Tone, theme: Theme) -> QColor:
        if self.is_old:
            return theme.third_text
        return {Tone.BETTER: theme.better, Tone.WORSE: theme.worse}.get(tone, theme.text)

    # ---- what the user does

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            # to a link: the keyboard is seen there
            self.focusNextPrevChild(event.reason() is Qt.FocusReason.TabFocusReason)

    def _on_activated(self, href: str) -> None:
        self.link_chosen.emit(self._links[int(href)])

    def _on_hovered(self, href: str) -> None:
        if href:
            phrase = self._links[int(href)]
            assert phrase.link is not None
            self.setToolTip(escape(TIPS[phrase.link].format(name=phrase.name)))
        else:
            self.setToolTip("" if self._shown == len(self._clauses) else escape(self.whole_text))

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self._clauses:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy", self.copy)
        menu.popup(event.globalPos())

    def copy(self) -> None:
        """Put the whole sentence on the clipboard, with the clauses that do not fit."""
        QGuiApplication.clipboard().setText(self.whole_text)


def _styled(text: str, colour: QColor, tone: Tone) -> str:
    weight = "400" if tone is Tone.PLAIN else "600"
    return f'<span style="color:{colour.name()};font-weight:{weight}">{text}</span>'
