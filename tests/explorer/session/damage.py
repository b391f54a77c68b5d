"""Change single bytes of a session or of the settings and open what comes of it in a window.

    python -m tests.explorer.session.damage session 200

Each change ends in a window or in a sentence; anything else ends this process, which is why it is one of its
own. Changes are drawn from a seed; with more than there are bytes, each byte is changed once. Processes
may share the changes: ``settings 1000000 2/8`` makes the second eighth of them.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent

from core.files.samples import load_sample
from core.files.session_document import Session, session_from_bytes, session_to_bytes
from core.model.errors import InputError
from explorer.app import WindowSession, make_application
from explorer.document.view_state import ThemeChoice
from explorer.session.settings import WindowSettings
from explorer.window.files.document_work import OpenedDocument, new_document
from explorer.window.frame.layout import arrange, layout_of, screen_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication


BYTES = [0, 10, *range(32, 127), 0x80, 0xFF]
"""Mostly letters and signs: what is no text at all is soon refused."""


Share = tuple[int, int, int]
"""How many changes there are, which part of them to make, counted from 1, and of how many parts."""


def changes(data: bytes, share: Share) -> Iterator[bytes]:
    """Yield the data with one byte changed, at some places or at all."""
    count, part, parts = share
    drawn = random.Random(f"10 {part}")
    for place in sorted(random.Random(10).sample(range(len(data)), min(count, len(data))))[part - 1 :: parts]:
        other = drawn.choice([byte for byte in BYTES if byte != data[place]])
        yield data[:place] + bytes([other]) + data[place + 1 :]


def open_sessions(application: QApplication, folder: Path, share: Share) -> tuple[int, int]:
    """Open changed sessions one after the other; return how many opened, and how many were refused."""
    window = WindowSession(application, WindowSettings(folder / "settings.ini")).window
    window.show()
    state = new_document(load_sample("five-jobs"))
    usual, opened, refused = layout_of(window), 0, 0
    for data in changes(session_to_bytes(Session(state, usual, "/data/week.slotscope")), share):
        try:
            session = session_from_bytes(data, "week.slotscope")
        except InputError as error:
            refused += bool(str(error))
        else:
            window.files.show(OpenedDocument(session.state, layout=session.layout))
            application.processEvents()
            arrange(window, usual)
            opened += 1
        application.processEvents()
    window.close()
    return opened, refused


def start_with_settings(application: QApplication, folder: Path, share: Share) -> tuple[int, int]:
    """Start windows with changed settings; return how many there were."""
    file = folder / "settings.ini"
    settings = WindowSettings(file)
    window = WindowSession(application, settings).window
    settings.keep_layout(screen_of(window), layout_of(window))
    settings.theme, settings.sweep = ThemeChoice.DARK, 20
    settings.add_recent_file(folder / "week, the first.slotscope")
    window.close()
    settings.sync()
    started = 0
    for number, data in enumerate(changes(file.read_bytes(), share)):
        changed = folder / f"{number}.ini"
        changed.write_bytes(data)
        window = WindowSession(application, WindowSettings(changed)).window
        window.show()
        application.processEvents()
        window.close()
        window.deleteLater()
        application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        changed.unlink()
        started += 1
    return started, 0


def main() -> None:
    """Open and tell."""
    kind, count = sys.argv[1], int(sys.argv[2])
    part, parts = map(int, (*sys.argv[3:], "1/1")[0].split("/"))
    with tempfile.TemporaryDirectory() as name:
        for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = name
        act = {"session": open_sessions, "settings": start_with_settings}[kind]
        opened, refused = act(make_application(), Path(name), (count, part, parts))
    sys.stdout.write(f"{opened} opened, {refused} refused with a sentence\n")


if __name__ == "__main__":
    main()
