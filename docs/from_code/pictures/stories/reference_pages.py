"""Pictures of the pages that one looks things up in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from docs.from_code.pictures.stories.how_to_pages import dialog
from docs.from_code.pictures.stories.real_log import REAL_LOG
from docs.from_code.pictures.stories.window_page import nothing_more
from docs.from_code.pictures.story import Step, Story

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from docs.from_code.pictures.stage import Stage


def menu_of(stage: Stage, action: str) -> QMenu:
    """Return the menu that has an action, by its id."""
    entry: QAction = stage.window.actions_by_id[action]
    return next(each for each in entry.associatedObjects() if isinstance(each, QMenu))


def _open_menu(stage: Stage) -> None:
    menu = menu_of(stage, "optimize")
    menu.popup(stage.window.mapToGlobal(stage.window.rect().center() / 4))


def _menu(stage: Stage) -> QWidget:
    return menu_of(stage, "optimize")


def _words(stage: Stage) -> None:
    stage.activate(0)


REFERENCE = (
    Story("reference/menus.md", "five-jobs", (Step("menu", _open_menu, shows=_menu),)),
    Story(
        "reference/keys.md",
        "five-jobs",
        (Step("keys", lambda stage: stage.choose("shortcuts"), shows=dialog),),
    ),
    Story(
        "reference/policies.md",
        "five-jobs",
        (Step("policies", lambda stage: stage.choose("add_scenario"), shows=dialog),),
    ),
    Story(
        "reference/logs.md",
        str(REAL_LOG),
        (Step("import-report", lambda stage: stage.choose("import_report"), shows=dialog),),
        needs=REAL_LOG,
    ),
    Story(
        "reference/files.md",
        "five-jobs",
        (Step("export", lambda stage: stage.choose("export_picture"), shows=dialog),),
    ),
    Story(
        "reference/glossary.md",
        "wikitrends",
        (
            Step(
                "words",
                _words,
                numbered=(
                    lambda stage: stage.header(0),
                    lambda stage: stage.header(0).makespan,
                    lambda stage: stage.header(0).bar,
                    lambda stage: stage.view(0),
                    lambda stage: stage.window.charts.stack.axes[0],
                ),
            ),
        ),
        (1200, 700),
    ),
    Story("reference/samples.md", "three-pools", (Step("sample-pools", nothing_more),), (1000, 640)),
)
