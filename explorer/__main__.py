"""`slotscope`, or `python -m explorer`: the command line, and the window when no command is given."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; returns the exit code."""
    import core

    if getattr(core, "MARKER", "") != "slotscope-core":
        sys.stderr.write(
            f"slotscope: error: the package 'core' found at {core.__file__} is not Slotscope's; another "
            "installed package took its name. Install Slotscope in an environment of its own.\n"
        )
        return 1
    from explorer.cli.run import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
