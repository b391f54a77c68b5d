"""Keys and menus, as the window has them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from docs.from_code.markdown import code, table
from explorer.window.actions import shortcut_rows
from explorer.window.window_menus import CHOICES, EXPORT, MENUS, SEPARATOR, TEXTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.window.main_window import MainWindow
    from explorer.window.window_menus import ActionSpec


def keys(window: MainWindow) -> str:
    """Return a table of the keys and gestures of each part of the window, as F1 lists them."""
    rows = shortcut_rows(window.action_specs)
    parts = {where: [row[1:] for row in rows if row[0] == where] for where, _, _ in rows}
    return "\n\n".join(
        f"## {where}\n\n{table(['keys', 'what they do'], [(_key(key), does) for key, does in found])}"
        for where, found in parts.items()
    )


def _key(text: str) -> str:
    """Return keys as code; gestures are words."""
    return text if " " in text and "+" not in text else code(text)


def menus(window: MainWindow) -> str:
    """Return a table of each menu: entries, keys, and what they do."""
    specs = [spec for spec in window.action_specs if spec.id != SEPARATOR]
    order = [*MENUS[:1], EXPORT, *MENUS[1:]]
    specs.sort(key=lambda spec: order.index(spec.menu))
    return "\n\n".join(
        f"## {_heading(menu)}\n\n{table(['entry', 'key', 'what it does'], _entries(list(found)))}"
        for menu, found in groupby(specs, key=lambda spec: spec.menu)
    )


def _heading(menu: str) -> str:
    return f"{_plain(MENUS[0])} > {_plain(menu)}" if menu == EXPORT else _plain(menu)


def _entries(specs: Sequence[ActionSpec]) -> list[tuple[str, str, str]]:
    return [(_plain(spec.text), code(spec.key), spec.tip + _choices(spec.id)) for spec in specs]


def _choices(entry: str) -> str:
    """Return what a submenu lets one choose."""
    if entry not in CHOICES:
        return ""
    return f": {', '.join(f'*{_plain(TEXTS[choice])}*' for choice in CHOICES[entry])}"


def _plain(text: str) -> str:
    return text.replace("&", "")
