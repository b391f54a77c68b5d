"""Text from outside in HTML and SVG: as text, and all of it to be seen."""

from __future__ import annotations

import html

from core.model.visible_text import visible


def escape(text: str) -> str:
    """Return a text as HTML has it, without markup; what could not be seen of it is written out."""
    return html.escape(visible(text, "\n"))
