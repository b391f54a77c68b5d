"""Which application a job is a run of: its title without the dates and numbers of the single run."""

from __future__ import annotations

import re

NUMBER = "#"
"""Stands for a date or a running number."""
_RUNNING = re.compile(r"[0-9]{4,}(?:[-_:./ ]?[0-9]+)*")


def application_of(title: str) -> str:
    """Return the title with every number of four and more digits replaced, with what hangs on to it.

    "Demux_20090309_14_59" and "Demux_20090310_02_10" are runs of "Demux_#"; short numbers stay, as "L9.pig"
    and "L10.pig" are two applications. A job without a title is a run of nothing known: "".
    """
    return _RUNNING.sub(NUMBER, title)
