"""The keys of the panels, for the list of shortcuts: (where, keys, what they do)."""

from __future__ import annotations

KEY_HELP: tuple[tuple[str, str, str], ...] = (
    ("Jobs panel", "F2 or double click", "Edit a cell; durations are a number or a list such as 4, 5, 6"),
    ("Jobs panel", "Insert", "Add a job"),
    ("Jobs panel", "Ctrl+D", "Duplicate the selected jobs"),
    ("Jobs panel", "Delete", "Delete the selected jobs"),
    ("Jobs panel", "Alt+Up, Alt+Down", "Serve the selected jobs earlier or later"),
    ("Pools panel", "F2 or double click", "Edit a name, a number of slots or a setting"),
    ("Pools panel", "Insert, Delete", "Add a pool, or remove the selected one"),
    ("Scenario cards", "Left, Right", "Go to the neighbour and make it the active scenario"),
    ("Scenario cards", "Enter", "Choose the policy and its parameters"),
    ("Scenario cards", "F2 or double click", "Rename the scenario"),
    ("Scenario cards", "Shift+Left, Shift+Right", "Move the scenario"),
    ("Scenario cards", "Delete", "Remove the scenario"),
)
