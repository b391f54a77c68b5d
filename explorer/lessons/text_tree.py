"""Text of a lesson as a tree for a page: the same Markdown as in the window, read by the same reader.

A node is a text, or a list of a tag and nodes: ["p", "The ", ["b", "maps"], " run."]. None has attributes.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtGui import QFont, QTextBlock, QTextDocument, QTextFrame, QTextListFormat, QTextTable

from explorer.lessons.lesson_text import FIGURE, PENDING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextFragment

Node = str | list["Node"]
HEADINGS = {1: "h3", 2: "h4"}
"""The title of the step is a heading above these."""


def text_tree(markdown: str) -> list[Node]:
    """Return the blocks of a text; figures that are not filled in are left open, HTML is text."""
    document, features = QTextDocument(), QTextDocument.MarkdownFeature
    document.setMarkdown(
        FIGURE.sub(PENDING, markdown),
        QTextDocument.MarkdownFeature(features.MarkdownDialectGitHub | features.MarkdownNoHTML),
    )
    return _blocks(document.rootFrame())


def _blocks(frame: QTextFrame) -> list[Node]:
    """Return what is in a frame: items that follow one another are one list."""
    found: list[tuple[str, Node]] = []
    for part in _parts(frame):
        if isinstance(part, QTextTable):
            found.append(("", _table(part)))
        elif isinstance(part, QTextFrame):
            found.append(("", ["div", *_blocks(part)]))
        else:
            found += _block(part)
    return _listed(found)


def _parts(frame: QTextFrame) -> Iterator[QTextFrame | QTextBlock]:
    """Yield the frames and blocks of a frame in their order."""
    place = frame.begin()
    while not place.atEnd():
        inside = place.currentFrame()
        yield inside if inside is not None else place.currentBlock()
        place += 1


def _block(block: QTextBlock) -> Iterator[tuple[str, Node]]:
    """Yield a block with the kind of list that it is an item of, empty for none; nothing for an empty one."""
    inside = [_inline(fragment) for fragment in _fragments(block)]
    if not any(inside):
        return
    level, of_list = block.blockFormat().headingLevel(), block.textList()
    if of_list is not None:
        styles = QTextListFormat.Style
        is_counted = of_list.format().style() in (
            styles.ListDecimal,
            styles.ListLowerAlpha,
            styles.ListUpperAlpha,
        )
        yield "ol" if is_counted else "ul", ["li", *inside]
    else:
        yield "", [HEADINGS.get(level, "h4") if level else "p", *inside]


def _fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    place = block.begin()
    while not place.atEnd():
        yield place.fragment()
        place += 1


def _inline(fragment: QTextFragment) -> Node:
    """Return a stretch of text that looks alike; a link shows where it leads, and leads nowhere."""
    form = fragment.charFormat()
    text = fragment.text().replace("\N{LINE SEPARATOR}", "\n")
    if form.isAnchor() and form.anchorHref() not in ("", text):
        text = f"{text} ({form.anchorHref()})"
    node: Node = text
    if form.fontFixedPitch():
        node = ["code", node]
    if form.fontItalic():
        node = ["i", node]
    if form.fontWeight() >= QFont.Weight.DemiBold:
        node = ["b", node]
    return node


def _listed(found: list[tuple[str, Node]]) -> list[Node]:
    nodes: list[Node] = []
    for kind, group in groupby(found, lambda pair: pair[0]):
        inside = [node for _, node in group]
        nodes += [[kind, *inside]] if kind else inside
    return nodes


def _table(table: QTextTable) -> Node:
    """Return a table, its first row as its head."""
    rows: list[Node] = []
    for row in range(table.rows()):
        cells: list[Node] = []
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            block = cell.firstCursorPosition().block()
            cells.append(["td" if row else "th", *(_inline(fragment) for fragment in _fragments(block))])
        rows.append(["tr", *cells])
    return ["table", *rows]
