"""Where the user's own data are kept: the folder that Qt names for application data, found without Qt."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

APPLICATION = "slotscope"


def data_folder() -> Path:
    """Return the folder of what Slotscope keeps for its user, which may not be there yet."""
    return _data_of_all(sys.platform) / APPLICATION


def _data_of_all(platform: str) -> Path:
    if platform == "win32":
        return Path(os.environ.get("APPDATA") or _home() / "AppData" / "Roaming")
    if platform == "darwin":
        return _home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or _home() / ".local" / "share")


def _home() -> Path:
    """Return the user's folder; that of temporary files for users without one, as in some containers."""
    home = os.path.expanduser("~")
    return Path(tempfile.gettempdir() if home == "~" else home)
