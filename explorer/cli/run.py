"""Run one command: exit 0 done, 1 a failure of ours, 2 bad input; errors as sentences on stderr."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError, SlotscopeError
from explorer.cli.parser import COMMANDS, build_parser, refuse_word

if TYPE_CHECKING:
    from collections.abc import Sequence

# Which module runs which command: imported only when asked for, so that `policies` starts fast.
MODULES = {
    "simulate": "simulating",
    "compare": "simulating",
    "explain": "explaining",
    "fidelity": "checking",
    "scans": "sharing",
    "render": "rendering",
    "export": "exporting",
    "import": "importing",
    "library": "trace_library",
    "generate": "generating",
    "deadlines": "generating",
    "fit": "fitting",
    "scale": "scaling",
    "policies": "listing",
    "samples": "listing",
    "bench": "benching",
}


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments and return the exit code."""
    try:
        return _dispatch(list(arguments))
    except InputError as error:
        _say(str(error))
        return 2
    except SlotscopeError as error:
        _say(str(error))
        return 2 if getattr(error, "place", None) else 1  # a place is in a file that the user can mend
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while closing it
        return 1
    except Exception as error:
        if os.environ.get("SLOTSCOPE_DEBUG"):
            raise
        _say(f"a failure of ours: {type(error).__name__}: {error} (SLOTSCOPE_DEBUG=1 shows where)")
        return 1


def _dispatch(arguments: list[str]) -> int:
    words = [word for word in arguments if not word.startswith("-")]
    if words and words[0] not in COMMANDS:
        return _open_window(words)
    options = build_parser().parse_args(arguments)
    if options.version:
        from importlib.metadata import version

        sys.stdout.write(f"slotscope {version('slotscope')}\n")
        return 0
    if options.command is None:
        return _open_window([])
    module = import_module(f"explorer.cli.{MODULES[options.command]}")
    code: int = getattr(module, options.command.replace("import", "import_logs"))(options)
    return code


def _open_window(words: list[str]) -> int:
    for word in words:
        if not Path(word).exists() and not _is_sample(word):
            refuse_word(word)
    if not _has_display():
        from explorer.cli.rendering import first_picture

        return first_picture(words)
    from explorer.app import open_window

    return open_window(words)


def _is_sample(word: str) -> bool:
    from core.files.open_workload import samples

    return any(sample.name == word for sample in samples())


def _has_display() -> bool:
    """Whether Qt can open a window; without a display it would abort."""
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")) or (
        sys.platform in ("darwin", "win32")
    )


def _say(message: str) -> None:
    for line in message.splitlines() or [message]:
        sys.stderr.write(f"slotscope: error: {line}\n")
