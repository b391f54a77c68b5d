"""``python -m docs.from_code.pictures``: perform the stories of the manual and draw its pictures at 2x."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docs.from_code.pictures.story import Story

FOLDER = Path(__file__).resolve().parents[2] / "pictures"
SCALE = 2
"""Pixels of a picture for one of the window, in each direction."""
SCREEN = {
    "name": "screen",
    "x": 0,
    "y": 0,
    "width": 1920 * SCALE,
    "height": 1200 * SCALE,
    "logicalDpi": 96,
    "logicalBaseDpi": 96,
    "dpr": 1,
}
"""What the offscreen display is."""


def main() -> int:
    """Draw the pictures of all stories, or of those whose page has a word in its name; exit code 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="WORD", default="", help="pages with this in their names")
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, default=FOLDER, help="where to, instead of docs/pictures"
    )
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        _use_screen(Path(folder))
        from docs.from_code.pictures.performing import draw
        from docs.from_code.pictures.stories import STORIES

        for number, story in enumerate(each for each in STORIES if asked.only in each.page):
            if not _can_be_told(story):
                continue
            for path in draw(story, asked.out, Path(folder) / str(number)):
                sys.stdout.write(f"{path} {path.stat().st_size // 1000} kB\n")
                sys.stdout.flush()
    return 0


def _can_be_told(story: Story) -> bool:
    if story.needs is None or story.needs.exists():
        return True
    sys.stdout.write(f"{story.page}: {story.needs} is not here, so its pictures stay as they are\n")
    return False


def _use_screen(folder: Path) -> None:
    """Give Qt a display that is large enough and magnified, before it is loaded."""
    file = folder / "screen.json"
    file.write_text(json.dumps({"screens": [SCREEN]}))
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"
    os.environ["QT_SCALE_FACTOR"] = str(SCALE)
    os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(folder)


if __name__ == "__main__":
    sys.exit(main())
