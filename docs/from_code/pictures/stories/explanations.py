"""Pictures of the pages that explain: the papers, fidelity, proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.from_code.pictures.stories.how_to_pages import dialog
from docs.from_code.pictures.stories.real_log import REAL_LOG
from docs.from_code.pictures.stories.window_page import nothing_more
from docs.from_code.pictures.story import Step, Story
from explorer.dialogs.fidelity_dialog import FidelityDialog
from explorer.document.view_state import ThemeChoice

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from docs.from_code.pictures.stage import Stage

SMALL = (1000, 560)
INSTANT = 40.0
"""Seconds at which shared scans are looked at."""


def _fidelity(stage: Stage) -> None:
    stage.choose("fidelity")
    picture = _fidelity_dialog(stage)
    assert isinstance(picture, FidelityDialog)
    stage.wait_until(lambda: not picture.is_checking, "how far off simulations are")
    stage.let_think()


def _fidelity_dialog(stage: Stage) -> QWidget:
    return stage.find(FidelityDialog)


def _certificate(stage: Stage) -> None:
    stage.activate(1)
    stage.choose("optimize")
    panel = stage.window.optimize.panel
    panel.more.seconds.setValue(1.0)
    stage.click(panel.start_button)
    stage.wait_until(lambda: not panel.run.is_running, "the search to end")
    stage.wait_until(panel.proof_button.isVisible, "the certificate")
    stage.click(panel.proof_button)


def show_scans(stage: Stage) -> None:
    """Open the window of shared scans at an instant at which many share."""
    stage.window.scans.resize(1200, 740)
    stage.choose("shared_scans")
    stage.wait_until(lambda: stage.window.scans.stories, "the shared scans")
    stage.window.scans.time.look_at(INSTANT)


def _chart(page: str, sample: str, picture: str, theme: ThemeChoice = ThemeChoice.LIGHT) -> Story:
    return Story(f"explanation/{page}.md", sample, (Step(picture, nothing_more),), SMALL, theme)


EXPLANATIONS = (
    Story(
        "explanation/fidelity.md",
        str(REAL_LOG),
        (Step("fidelity", _fidelity, shows=_fidelity_dialog),),
        needs=REAL_LOG,
    ),
    Story("explanation/certificates.md", "five-jobs", (Step("certificate", _certificate, shows=dialog),)),
    _chart("paper-000-makespan", "five-jobs-pools", "two-pools"),
    _chart("paper-001-deadlines", "three-pools", "deadlines", ThemeChoice.DARK),
    _chart("paper-001-runs", "wikitrends", "waves"),
    _chart("paper-002-dynamic-slots", "dynamic-slots", "dynamic-slots"),
    Story(
        "explanation/paper-003-shared-scans.md",
        "ten-scans",
        (Step("shared-scans", show_scans, shows=lambda stage: stage.window.scans),),
    ),
    _chart("paper-004-overlap", "wordcount", "overlap"),
    _chart("benchmarks", "facebook", "facebook-dark", ThemeChoice.DARK),
)
