"""The colours of windows, charts and pages by role, dark and light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

Shade = str | tuple[str, str]
"""#rrggbb, or #aarrggbb where something shines through; two where rows alternate."""
ROLES: dict[str, tuple[Shade, Shade]] = {
    "window": ("#15181e", "#f3f4f7"),
    "surface": ("#1b1f27", "#ffffff"),
    "field": ("#181c22", "#ffffff"),
    "lane": ("#0f1217", "#f8f9fb"),
    "text": ("#e9ecf1", "#1a1e26"),
    "second_text": ("#a5aebc", "#565f6e"),
    "third_text": ("#8b95a5", "#687180"),
    "line": ("#2d333e", "#dfe3e9"),
    "faint_line": ("#20252e", "#ebeef2"),
    "plot": ("#1b1f27", "#ffffff"),
    "link": ("#86acff", "#2558cf"),
    "ink": ("#f4f6fa", "#1a1e26"),
    "failed": ("#ff6a5c", "#cf3329"),
    "killed": ("#6b7585", "#828b99"),
    "accent": ("#ffd166", "#c2410c"),
    "on_accent": ("#1b1b1b", "#ffffff"),
    "better": ("#5ccb9a", "#0b7a53"),
    "worse": ("#ff8a80", "#b3261e"),
    "selection": ("#2f5d8c", "#2558cf"),
    "on_selection": ("#ffffff", "#ffffff"),
    "card": ("#f51b1f27", "#faffffff"),
    "shadow": ("#16000000", "#0c141e32"),
    "cursor": ("#86acff", "#2558cf"),
    "on_cursor": ("#10141a", "#ffffff"),
    "crosshair": ("#78e9ecf1", "#781a1e26"),
    "shade": ("#960c0e12", "#aaf3f4f7"),
    "gap": ("#15181e", "#f3f4f7"),
    "map_rows": (("#1b2028", "#1f252e"), ("#ffffff", "#f3f6fa")),
    "reduce_rows": (("#201d27", "#25212d"), ("#fdfcff", "#f5f2fa")),
    "map_band": ("#35587f", "#a9c8e8"),
    "reduce_band": ("#62467b", "#cfb9e2"),
    "on_band": ("#f2f5fa", "#1d2430"),
}
"""What each role looks like in the dark and in the light; what they are for is said by the window's theme."""


@dataclass(frozen=True)
class Appearance:
    """Dark or light.

    Attributes
    ----------
    is_dark : which of the two
    """

    is_dark: bool

    @property
    def shades(self) -> dict[str, Shade]:
        """The colours by role."""
        return {role: both[0 if self.is_dark else 1] for role, both in ROLES.items()}

    def rgb(self, role: str) -> int:
        """Return the colour of a role as 0xRRGGBB: 0x1a1e26 for "text" in the light."""
        return _rgb(role, self.is_dark)


@cache
def _rgb(role: str, is_dark: bool) -> int:
    shade = ROLES[role][0 if is_dark else 1]
    assert isinstance(shade, str)
    return int(shade[1:], 16) & 0xFFFFFF


def css(shade: str) -> str:
    """Return a colour as style sheets have it, what shines through last: "#0c141e32" is "#141e320c"."""
    return f"#{shade[3:]}{shade[1:3]}" if len(shade) == 9 else shade
