"""What is said of a search whose code is still being compiled: what that costs, and what comes then."""

from __future__ import annotations

COST = "once: 45 to 75 s of a processor, minutes where others use it"
"""Measured for all code of searches where nothing of it is in the cache."""
IN_WINDOW = f"The search is being compiled, {COST}; the foot of the window says how far. {{}}"
THEN_BEGINS = IN_WINDOW.format("It begins then.")
THEN_ANEW = IN_WINDOW.format("It begins anew then.")
THEN_ASK = IN_WINDOW.format("Ask again then.")
ON_COMMAND_LINE = f"compiling the search first, {COST}; the time to search begins after that"
