"""Where the trace library lies when nobody names another place: in the application's data folder."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

FILE = "library.sqlite"
APPLICATION = "slotscope"


def default_library() -> Path:
    """Return the file of the user's own library, which may not be there yet.

    It is the folder that Qt names for application data, found without Qt for the command line.
    """
    return _data_folder(sys.platform) / APPLICATION / FILE


def _data_folder(platform: str) -> Path:
    if platform == "win32":
        return Path(os.environ.get("APPDATA") or _home() / "AppData" / "Roaming")
    if platform == "darwin":
        return _home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or _home() / ".local" / "share")


def _home() -> Path:
    """Return the user's folder; that of temporary files for users without one, as in some containers."""
    home = os.path.expanduser("~")
    return Path(tempfile.gettempdir() if home == "~" else home)
