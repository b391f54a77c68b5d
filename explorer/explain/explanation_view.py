"""Shows explanations as text with links that can be clicked or reached by keyboard."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QTextBrowser

from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor

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
        muted = colours.muted.name()
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
