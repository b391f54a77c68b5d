"""What a process of policy files may have, and the sentence for one that ended without an answer."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

from core.model.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.policies.user_files.source import PolicySource

GIB = 1 << 30
MOST_GIB = 4
TIMEOUT = "Timeout ("
"""Begins what Python writes of a process that gave no sign of life."""
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
        return MOST_GIB * GIB
    return min(MOST_GIB * GIB, machine // 2)


def end_of_process(
    code: int | None, trace: str, seconds: float, sources: Sequence[PolicySource]
) -> PolicyError:
    """Return what a policy did that its process ended.

    Parameters
    ----------
    code : the exit code, negative for a signal; None if it had to be killed
    trace : what the process wrote about where it was
    seconds : how long it might give no sign of life
    sources : the files that took part; the one whose line is found is blamed, else the last one
    """
    lines = ((source, _line(source, trace)) for source in sources)
    found = next(((source, line) for source, line in lines if line), None)
    place = None if not sources else sources[-1].place() if found is None else found[0].place(found[1])
    if code is None or trace.startswith(TIMEOUT):
        return PolicyError(f"the policy did not answer for {seconds:g} s and was stopped", place)
    if code >= 0:
        return PolicyError(
            f"the policy ended its process (exit code {code}); let its functions return", place
        )
    name = signal.Signals(-code).name
    return PolicyError(f"the policy {CRASHES.get(name, f'was ended by {name}')}", place)


def _line(source: PolicySource, trace: str) -> int:
    """Return the innermost line of a file that a trace names, 0 for none."""
    found = re.search(rf'File "{re.escape(str(source.path))}", line (\d+)', trace)
    return int(found[1]) if found else 0
