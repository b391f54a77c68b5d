"""``python -m explorer.warm_up``: compile everything Slotscope needs into the cache, once per version.

The window starts it in a process of its own. It takes a minute or two, and nothing when the cache is there.
"""

from __future__ import annotations

import sys

from core.engine.jit import compiled_is_ready, mark_ready


def main() -> int:
    """Compile what is missing; exit code 0."""
    if not compiled_is_ready():
        # imported here, as they take a while and are not needed when nothing is missing
        from explorer.gantt.raster import raster
        from explorer.simulation.warm_up import load_engine

        load_engine()
        raster.warm_up()
        mark_ready()
    return 0


if __name__ == "__main__":
    sys.exit(main())
