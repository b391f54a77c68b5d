"""What a story is: steps of a user in one window, each with its picture, its numbers and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.document.view_state import ThemeChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PIL import Image
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QWidget

    from docs.from_code.pictures.stage import Stage

    Action = Callable[[Stage], object]
    """What a user does."""
    Place = Callable[[Stage], QWidget | QRect]
    """A widget, or a rectangle in pixels of the shown widget."""


@dataclass(frozen=True)
class Step:
    """One step and the picture of what comes of it.

    Attributes
    ----------
    picture : its file's name, without folder and ending
    do : what a user does
    numbered : what has a number in the picture, from 1; the page explains them in a list below it
    shows : the widget that is drawn; None for the window
    figures : what the page says in figures, as this step computes them: "47 s"
    film : the frames of a film of what is shown, which stands beside the picture as .webp
    """

    picture: str
    do: Action
    numbered: tuple[Place, ...] = ()
    shows: Callable[[Stage], QWidget] | None = None
    figures: Callable[[Stage], tuple[str, ...]] | None = None
    film: Callable[[Stage], Iterator[Image.Image]] | None = None


@dataclass(frozen=True)
class Story:
    """Steps in one window.

    Attributes
    ----------
    page : the page that tells it, below docs
    document : the name of a sample, or a file
    steps : in their order
    size : of the window, in pixels
    theme : of the window
    needs : a file without which it cannot be performed, as real logs are not everywhere; its pictures stay
    """

    page: str
    document: str
    steps: tuple[Step, ...]
    size: tuple[int, int] = (1200, 720)
    theme: ThemeChoice = ThemeChoice.LIGHT
    needs: Path | None = None
