"""The tables of the manual say what the program says."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from core.lessons.lesson_document import lesson_paths
from docs.from_code.measure_tables import option_list
from docs.from_code.pictures.stage import open_window
from docs.from_code.policy_tables import hooks
from docs.from_code.tables import MANUAL, PLACE, pages_with_tables, tables, with_tables
from explorer.widgets.save_dialog import MAKE_COPY
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

AGAIN = "python -m docs.from_code.tables"


@pytest.fixture
def made(qtbot, tmp_path: Path) -> Mapping[str, Callable[[], str]]:
    window = open_window(tmp_path / "settings.ini")
    qtbot.addWidget(window)
    return tables(window)


def test_every_table_is_as_the_program_has_it(made: Mapping[str, Callable[[], str]]) -> None:
    old = [path.name for path, text in pages_with_tables() if with_tables(text, made) != text]
    assert old == [], f"{AGAIN} writes them anew"


def test_every_table_has_one_place(made: Mapping[str, Callable[[], str]]) -> None:
    places = [found[2] for _, text in pages_with_tables() for found in PLACE.finditer(text)]
    assert sorted(places) == sorted(made)


def test_a_table_that_is_not_known_is_refused(made: Mapping[str, Callable[[], str]]) -> None:
    with pytest.raises(KeyError, match="levers"):
        with_tables("<!-- table: levers -->\n<!-- end of table -->", made)


def test_what_stands_around_a_table_stays() -> None:
    text = "before\n<!-- table: hooks -->\nold\n<!-- end of table -->\nafter\n"
    new = with_tables(text, {"hooks": hooks})
    assert new.startswith("before\n<!-- table: hooks -->\n\n| hook |")
    assert new.endswith("\n<!-- end of table -->\nafter\n")
    assert "old\n" not in new


def test_menus_keys_and_hooks_are_told_in_full() -> None:
    menus = (MANUAL / "reference" / "menus.md").read_text("utf-8")
    assert "| Optimise… | `Ctrl+Shift+M` | Search for the best schedule" in menus
    keys = (MANUAL / "reference" / "keys.md").read_text("utf-8")
    assert "| `F1` | Shortcuts |" in keys
    assert "| Drag a selected job | Serve it at another place; Escape restores |" in keys
    assert "| `slot`, `kind`, `cluster` | True or False | may a slot of type" in hooks()


ENTRY = re.compile(
    r"\*(File|Edit|Scenario|View|Why|Policy|Lessons|Help)\*? > \*?([^*]+)\*(?: \(`?([^`,;)]+)[^)]*\))?"
)
"""An entry of a menu as pages name it, with its key: *Help > Shortcuts* (`F1`)."""
KEY = re.compile(r"(?:(?:Ctrl|Alt|Shift)\+)*(?:\w|F\d+)")


def test_entries_of_menus_and_their_keys_are_those_of_the_window(qtbot, tmp_path: Path) -> None:
    window = open_window(tmp_path / "settings.ini")
    qtbot.addWidget(window)
    keys = {_words(spec.menu, spec.text): spec.key for spec in window.action_specs}
    keys |= {_words(menu, MAKE_COPY): "" for menu in ("File", "Lessons")}  # where originals are shown
    wrong = []
    for page in (*MANUAL.rglob("*.md"), ROOT / "README.md"):
        for menu, entry, key in ENTRY.findall(re.sub(r"\s+", " ", page.read_text("utf-8"))):
            *above, name = entry.split(" > ")
            words = _words(above[-1] if above else menu, name)
            if words not in keys:
                wrong.append(f"{page.name}: no entry {menu} > {entry}")
            elif KEY.fullmatch(key) and key != keys[words]:
                wrong.append(f"{page.name}: {entry} has {keys[words]}, not {key}")
    assert wrong == []


def _words(menu: str, entry: str) -> tuple[str, str]:
    return menu.replace("&", ""), entry.replace("&", "").rstrip("…")


def test_options_stand_in_the_manual_as_the_help_prints_them() -> None:
    options = option_list()
    assert "0.3: ±30 %)" in options
    assert "%%" not in options


def test_the_how_to_of_lessons_lists_them_all_in_their_order() -> None:
    page = (MANUAL / "how-to" / "teach-with-lessons.md").read_text()
    rows = page.split("| lesson | what one learns |\n| --- | --- |\n")[1].split("\n\n")[0].splitlines()
    lessons = [json.loads(path.read_text()) for path in lesson_paths().values()]
    assert [row.split("|")[1].strip() for row in rows] == [lesson["name"] for lesson in lessons]
