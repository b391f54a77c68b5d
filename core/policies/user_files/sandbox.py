"""What the process of policy files may reach: files to read, and nothing else, where the system allows that.

Landlock, which Linux has since 5.13, takes rights from a process and from all that it starts, for good: files
beside those named here, writing anywhere, programs, and, where the kernel knows these, the network and
signals to other processes. Elsewhere a policy file may do whatever its user may do, and is said to.

Source: Linux kernel documentation, Landlock: unprivileged access control (userspace API).
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import sysconfig
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls; the same numbers on every processor."""
QUERY_VERSION, PATH_BENEATH = 1, 1
SET_NO_NEW_PRIVILEGES = 38
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
OF_FILES = WRITE_FILE | READ_FILE
"""Kinds of access that a file can have which is no folder."""
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many kinds of access to files each version knows that knows more than the one before."""
NETWORK_VERSION, NETWORK_RIGHTS = 4, 0b11
"""Binding and connecting of TCP."""
SCOPE_VERSION, SCOPES = 6, 0b11
"""Sockets without a name in the file system, and signals, of processes outside."""
LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/etc/ld.so.cache")
LOOKED_AT = (
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
    "/usr/share/zoneinfo",
    "/dev/null",
    "/dev/urandom",
)
"""What libraries read of the machine."""


@cache
def landlock_version() -> int:
    """Return which version of Landlock this system has; 0 for none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, _system_call(CREATE_RULESET, None, 0, QUERY_VERSION))


def what_is_possible() -> str:
    """Return in a few sentences what a policy file can do that runs, as the question of trust shows it."""
    version = landlock_version()
    if version == 0:
        return (
            "A policy file is a program, and this system cannot confine it: when it runs it can do whatever "
            "you can do on this computer, also read, change and send your files."
        )
    network = "send data over the network by UDP" if version >= NETWORK_VERSION else "use the network"
    return (
        "A policy file is a program. This system confines it: it can read the installed packages and the "
        "folders of the policy files that run, and write nowhere but where their compiled code is kept. It "
        f"can start no other program. It can still {network}, and use the processor and memory."
    )


def confine(reads: Iterable[str], writes: Iterable[str]) -> bool:
    """Take from this process, for good, what a policy does not need; whether the system could.

    Parameters
    ----------
    reads : files and folders that may be read, with all in them, beside the installed packages
    writes : those that may be written as well
    """
    version = landlock_version()
    if version == 0:
        return False
    known = max(step for step in FILE_RIGHTS if step <= version)
    rights = (1 << FILE_RIGHTS[known]) - 1
    network = [NETWORK_RIGHTS] if version >= NETWORK_VERSION else []
    scopes = [SCOPES] if version >= SCOPE_VERSION else []
    attributes = struct.pack(f"{1 + len(network + scopes)}Q", rights, *network, *scopes)
    ruleset = _system_call(CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    try:
        for path in {*reads, *_installed()}:
            _allow(ruleset, path, READ_FILE | READ_FOLDER)
        for path in writes:
            _allow(ruleset, path, rights & ~EXECUTE)
        may_not_rise = _libc().prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
        return may_not_rise and _system_call(RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _installed() -> set[str]:
    """Return what Python, its packages and the system's libraries lie in, and what they look at."""
    ours = Path(__file__).resolve().parents[3]
    own = [str(ours / name) for name in ("core", "explorer", "slotscope", "resources", "sample_workloads")]
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()]
    return {*own, *python, *LIBRARIES, *LOOKED_AT, *(path for path in sys.path if path)}


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Allow some kinds of access to a folder and all in it, or to a file; nothing where there is none."""
    with suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            beneath = struct.pack("=Qi", rights if os.path.isdir(path) else rights & OF_FILES, place)
            _system_call(ADD_RULE, ruleset, PATH_BENEATH, beneath, 0)
        finally:
            os.close(place)


def _system_call(number: int, *given: int | bytes | None) -> int:
    """Return what a system call returns; -1 where it fails."""
    arguments = [ctypes.c_long(each) if isinstance(each, int) else each for each in given]
    answer: int = _libc().syscall(ctypes.c_long(number), *arguments)
    return answer


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
