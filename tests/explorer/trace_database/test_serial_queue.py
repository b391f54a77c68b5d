"""SerialQueue are all run, in their order, whatever becomes of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.trace_database.serial_queue import SerialQueue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_all_are_done_in_their_order(qtbot: QtBot) -> None:
    errands, heard = SerialQueue(), []
    errands.done.connect(heard.append)
    errands.failed.connect(lambda error: heard.append(type(error).__name__))
    for number in (1, 2, 0, 4):
        errands.do(lambda number=number: 12 // number)
    assert errands.is_busy
    qtbot.waitUntil(lambda: not errands.is_busy)
    assert heard == [12, 6, "ZeroDivisionError", 3]
