"""What is remembered comes back in another start; nonsense in the file means the default."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.measures.job_classes import ClassedBy
from explorer.document.view_state import Arrangement, RowHeights, RowsBy, StagesAbove, ThemeChoice
from explorer.session.settings import (
    MAX_CLUSTERS,
    MAX_RECENT_FILES,
    MAX_SCREENS,
    MAX_TABLES,
    WindowSettings,
    settings_file,
)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "slotscope.ini"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("last_document", Path("/data/ümlaut, and comma.slotscope")),
        ("last_document", None),
        ("theme", ThemeChoice.DARK),
        ("colour_by", ClassedBy.USER),
        ("arrangement", Arrangement.SIDE_BY_SIDE),
        ("rows", RowsBy.POOL),
        ("stages", StagesAbove.FOLDED),
    ],
)
def test_it_comes_back(file, name, value):
    settings = WindowSettings(file)
    setattr(settings, name, value)
    settings.sync()
    assert getattr(WindowSettings(file), name) == value


def test_each_size_of_screen_has_its_layout(file):
    settings = WindowSettings(file)
    small, large = {"window": [0, 0, 800, 600], "panels": {}}, {"window": [0, 0, 1600, 1000]}
    settings.keep_layout("1366x768", small)
    settings.keep_layout("1920x1080", large)
    settings.sync()
    settings = WindowSettings(file)
    assert settings.layout("1366x768") == small
    assert settings.layout("1920x1080") == large
    assert settings.layout("800x600") == {}
    for width in range(2 * MAX_SCREENS):
        settings.keep_layout(f"{width}x1", {})
    assert settings.layout("1366x768") == {}


def test_each_cluster_has_its_logs(file, tmp_path):
    settings = WindowSettings(file)
    logs = (tmp_path / "one, or two.json", tmp_path / "folder")
    settings.keep_logs_of("8 map slots", logs)
    settings.keep_logs_of("9 map slots", [])
    settings.sync()
    settings = WindowSettings(file)
    assert settings.logs_of("8 map slots") == logs
    assert settings.logs_of("9 map slots") == settings.logs_of("none") == ()
    for slots in range(2 * MAX_CLUSTERS):
        settings.keep_logs_of(f"{slots} containers", logs)
    assert settings.logs_of("8 map slots") == ()


def test_a_layout_for_all_screens_of_an_earlier_version_is_found(file):
    file.write_text('[window]\nlayout="{\\"is_maximized\\": true}"\n')
    settings = WindowSettings(file)
    assert settings.layout("1366x768") == {"is_maximized": True}
    settings.keep_layout("1366x768", {"is_maximized": False})
    assert settings.layout("1366x768") == {"is_maximized": False}


def test_at_first_all_is_default(file):
    settings = WindowSettings(file)
    assert settings.recent_files == ()
    assert settings.last_document is None
    assert settings.layout("1366x768") == {}
    assert (settings.theme, settings.colour_by) == (ThemeChoice.SYSTEM, ClassedBy.BEST)
    assert settings.arrangement == Arrangement.STACKED
    assert settings.rows == RowsBy.SLOT
    assert settings.row_heights == RowHeights.FITTED


def test_nonsense_means_the_default(file):
    file.write_text("[view]\ntheme=mauve\ncolour_by=1, 2\n[files]\nrecent={\n[window]\nlayout=[[%%\n")
    settings = WindowSettings(file)
    assert settings.theme == ThemeChoice.SYSTEM
    assert settings.colour_by == ClassedBy.BEST
    assert settings.recent_files == ()
    assert settings.layout("1366x768") == {}


@pytest.mark.parametrize(
    "text",
    [
        "[view]\ntheme=@Variant(\\0\\0\\0\\x1f\\x1)\n",
        '[view]\ntheme=dark, "@ByteArray(x)"\n',
        "[view]\ntheme=dark\n" + "#" * 2_000_000,
    ],
)
def test_qt_builds_nothing_from_what_stands_in_the_file(file, text):
    file.write_text(text)
    settings = WindowSettings(file)
    assert settings.theme == ThemeChoice.SYSTEM
    assert file.with_suffix(".damaged").read_text() == text
    settings.theme = ThemeChoice.DARK
    settings.sync()
    assert WindowSettings(file).theme == ThemeChoice.DARK


def test_a_pipe_in_the_place_of_settings_stops_nothing(file):
    os.mkfifo(file)
    assert WindowSettings(file).layout("1366x768") == {}


@pytest.mark.parametrize("text", ["9" * 5000, "-1e999", "[" * 100_000, "\\0"])
def test_numbers_and_lists_of_any_size_stop_nothing(file, text):
    file.write_text(
        f"[time]\nsweep={text}\n[files]\nrecent={text}\n[window]\nlayout={text}\nlayouts={text}\n"
    )
    settings = WindowSettings(file)
    assert settings.sweep in (None, -1)
    assert settings.recent_files == ()
    assert settings.layout("1366x768") == {}


def test_recent_files_are_few_unique_and_the_latest_is_first(file):
    settings = WindowSettings(file)
    for number in range(MAX_RECENT_FILES + 3):
        settings.add_recent_file(Path(f"/data/{number}.slotscope"))
    settings.add_recent_file(Path("/data/5.slotscope"))
    settings.sync()
    recent = WindowSettings(file).recent_files
    assert len(recent) == MAX_RECENT_FILES
    assert recent[:2] == (Path("/data/5.slotscope"), Path("/data/12.slotscope"))


def test_the_default_file_is_in_the_configuration(qapp, tmp_path):
    assert settings_file().is_relative_to(tmp_path)
    WindowSettings().theme = ThemeChoice.LIGHT


def test_columns_of_tables_come_back_and_are_forgotten(file):
    settings = WindowSettings(file)
    columns = 'job=@Name(x),"start=a, ümlaut",end=%,unit=s'
    settings.keep_columns("digest", columns)
    settings.sync()
    settings = WindowSettings(file)
    assert settings.put_aside is None, "no name of a column looks like a value that Qt builds"
    assert settings.columns_of("digest") == columns
    for number in range(MAX_TABLES):
        settings.keep_columns(f"{number}", "job=a")
    assert settings.columns_of("digest") == ""
    settings.keep_columns("7", "")
    assert (settings.columns_of("7"), settings.columns_of("8")) == ("", "job=a")
    settings.keep_columns("8", "x" * 10_000)
    assert settings.columns_of("8") == ""
