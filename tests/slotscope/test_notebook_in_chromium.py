"""What a notebook shows of a result is drawn by a real Chromium, inside the frame that it stands in."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QImage

import slotscope
from core.charts.class_colours import LIGHT_HUES
from tests.browser import MISSING, Browser, chromium

if TYPE_CHECKING:
    from pathlib import Path

MAX_SECONDS = 20


@pytest.mark.skipif(chromium() is None, reason=MISSING)
def test_the_frame_draws_its_charts(tmp_path: Path) -> None:
    """The colours of five jobs are in the picture, which needs its script to run inside the frame."""
    beside = slotscope.compare("five-jobs", ["fifo", "johnson"])
    page, picture = tmp_path / "notebook.html", tmp_path / "picture.png"
    page.write_text(f"<!doctype html><meta charset=utf-8><body>{beside._repr_html_()}", encoding="utf-8")
    with Browser(1000, 800) as browser:
        browser.call("Page.navigate", {"url": page.as_uri()})
        browser.wait_for("document.readyState === 'complete' && document.querySelector('iframe')")
        until, seen = time.monotonic() + MAX_SECONDS, set[int]()
        while not seen.issuperset(LIGHT_HUES[:5]) and time.monotonic() < until:
            browser.picture(picture)
            image = QImage(str(picture)).convertToFormat(QImage.Format.Format_RGB32)
            seen = {
                image.pixel(x, y) & 0xFFFFFF
                for y in range(0, image.height(), 4)
                for x in range(0, image.width(), 2)
            }
        assert seen.issuperset(LIGHT_HUES[:5])
        assert browser.messages == []
