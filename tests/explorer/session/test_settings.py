"""What is remembered comes back in another start; nonsense in the file means the default."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray

from explorer.document.view_state import Arrangement, PaletteMode, RowsBy, ThemeChoice
from explorer.session.settings import MOST_RECENT_FILES, WindowSettings, settings_file


@pytest.fixture
def file(tmp_path):
    return tmp_path / "slotscope.ini"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("last_document", Path("/data/ümlaut, and comma.slotscope")),
        ("last_document", None),
        ("geometry", QByteArray(b"\x00\x01binary\xff")),
        ("window_state", QByteArray(b"state")),
        ("theme", ThemeChoice.DARK),
        ("palette", PaletteMode.VIVID),
        ("arrangement", Arrangement.SIDE_BY_SIDE),
        ("rows", RowsBy.POOL),
    ],
)
def test_it_comes_back(file, name, value):
    settings = WindowSettings(file)
    setattr(settings, name, value)
    settings.sync()
    assert getattr(WindowSettings(file), name) == value


def test_at_first_all_is_default(file):
    settings = WindowSettings(file)
    assert settings.recent_files == ()
    assert settings.last_document is None
    assert settings.geometry.isEmpty()
    assert (settings.theme, settings.palette) == (ThemeChoice.SYSTEM, PaletteMode.SAFE)
    assert settings.arrangement == Arrangement.STACKED
    assert settings.rows == RowsBy.SLOT


def test_nonsense_means_the_default(file):
    file.write_text("[view]\ntheme=mauve\npalette=1, 2\n[files]\nrecent={\n[window]\ngeometry=%%%\n")
    settings = WindowSettings(file)
    assert settings.theme == ThemeChoice.SYSTEM
    assert settings.palette == PaletteMode.SAFE
    assert settings.recent_files == ()
    assert isinstance(settings.geometry, QByteArray)


def test_recent_files_are_few_unique_and_the_latest_is_first(file):
    settings = WindowSettings(file)
    for number in range(MOST_RECENT_FILES + 3):
        settings.add_recent_file(Path(f"/data/{number}.slotscope"))
    settings.add_recent_file(Path("/data/5.slotscope"))
    settings.sync()
    recent = WindowSettings(file).recent_files
    assert len(recent) == MOST_RECENT_FILES
    assert recent[:2] == (Path("/data/5.slotscope"), Path("/data/12.slotscope"))


def test_the_default_file_is_in_the_configuration(qapp, tmp_path):
    assert settings_file().is_relative_to(tmp_path)
    WindowSettings().theme = ThemeChoice.LIGHT
