"""What a process of policy files may have, and the sentence for one that ended without an answer."""

from __future__ import annotations

import os
import re
import signal
from operator import itemgetter
from typing import TYPE_CHECKING

from core.model.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.errors import SourcePlace
    from core.policies.user_files.source import PolicySource, SourceFile

GIB = 1 << 30
MAX_GIB = 4
TIMEOUT = "Timeout ("
"""Begins what Python writes of a process that gave no sign of activity."""
CRASHES = {
    "SIGSEGV": "crashed (segmentation fault)",
    "SIGBUS": "crashed (bus error)",
    "SIGFPE": "crashed (division of whole numbers)",
    "SIGILL": "crashed (illegal instruction)",
    "SIGABRT": "was aborted by a library that it uses, perhaps for want of memory",
    "SIGKILL": "was killed by the system, most likely for want of memory",
}


def most_bytes() -> int:
    """Return how many bytes a process of policy files may have: half of the machine's, 4 GiB at most."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return MAX_GIB * GIB
    return min(MAX_GIB * GIB, machine // 2)


def end_of_process(
    code: int | None, trace: str, seconds: float, sources: Sequence[PolicySource]
) -> PolicyError:
    """Return what a policy did that its process ended.

    Parameters
    ----------
    code : the exit code, negative for a signal; None if it had to be killed
    trace : what the process wrote about where it was
    seconds : how long it might give no sign of activity
    sources : the files that took part; the innermost whose line is found is blamed, else the last one
    """
    places = (_place(file, trace) for source in sources for file in source.files)
    nowhere = (0, sources[-1].place()) if sources else (0, None)
    _, place = min(filter(None, places), default=nowhere, key=itemgetter(0))
    if code is None or trace.startswith(TIMEOUT):
        silent = f"the policy did not answer for {seconds:g} s and was stopped"
        return PolicyError(f"{silent}; see that its functions come to an end", place)
    if code >= 0:
        return PolicyError(
            f"the policy ended its process (exit code {code}); let its functions return", place
        )
    name = signal.Signals(-code).name
    return PolicyError(f"the policy {CRASHES.get(name, f'was ended by {name}')}", place)


def _place(file: SourceFile, trace: str) -> tuple[int, SourcePlace] | None:
    """Return where a trace, which begins with the innermost, names a file first, and that line of it."""
    found = re.search(rf'File "{re.escape(str(file.path))}", line (\d+)', trace)
    return None if found is None else (found.start(), file.place(int(found[1])))
