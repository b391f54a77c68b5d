"""What the fields of the cluster panel are called and mean, and what studies call them."""

from __future__ import annotations

SHUFFLE_SENTENCES = {
    "simmr": "A reduce that starts before its job's last map needs the first shuffle after that map ends; "
    "one that starts later needs the typical shuffle.",
    "overlap": "As SimMR, but a reduce that starts early has to shuffle for at least the typical shuffle "
    "from its own start.",
    "mumak": "There is no shuffle at all: a reduce works as soon as its job's last map has ended.",
}
STAGE_SHUFFLE_SENTENCES = {
    "simmr": "A task that starts before all that it waits for has ended needs its first shuffle after that; "
    "one that starts later needs its typical shuffle.",
    "overlap": "As SimMR, but a task that starts early has to shuffle for at least its typical shuffle "
    "from its own start.",
    "mumak": "There is no shuffle at all: a task works as soon as all that it waits for has ended.",
}
"""Where jobs have other stages than maps and reduces."""

FIELDS = (
    (
        "Slots",
        "Kind of slots",
        "Slots for one kind of task each, containers that run every task, or nodes with memory and cores",
    ),
    ("Map slots", "Map slots", "How many maps run at once (slots)"),
    ("Reduce slots", "Reduce slots", "How many reduces run at once (slots)"),
    ("Containers", "Containers", "How many tasks run at once, of whatever kind"),
    (
        "Executor",
        "Slots of an executor",
        "How many of the containers one executor has: its cores / the cores of a task. 0: not known",
    ),
    (
        "Nodes",
        "Nodes",
        "How many nodes, with how much memory and how many cores each, such as 8x16GB,8; "
        "other sizes follow after a +",
    ),
    ("Map asks for", "Map asks for", "Memory and cores of a map's container: 1GB,1"),
    ("Reduce asks for", "Reduce asks for", "Memory and cores of a reduce's container: 2GB,1"),
    (
        "Contention",
        "Contention",
        "Speed of each map on a node as a part of full speed: alone, of each of two, of three and so "
        "on; the last holds for more. 1, 1, 1, 0.5: four maps take twice as long. Empty: full speed",
    ),
    (
        "A reduce counts as",
        "A reduce counts as",
        "As how many maps a reduce counts in the contention of its node while it runs; 0: reduces do not "
        "slow maps",
    ),
    (
        "Slowstart",
        "Slowstart",
        "Part of a job's maps that must be done before its reduces may take slots, 0 to 100 %",
    ),
    ("Shuffle", "Shuffle model", "What a shuffle costs when it overlaps with the tasks that it waits for"),
)
"""Label, accessible name and tooltip of each field."""
VARIED = (
    "map_slots",
    "reduce_slots",
    "containers",
    "",
    "nodes",
    "map_request",
    "reduce_request",
    "contention",
    "reduce_load",
    "slowstart",
    "shuffle_model",
)
"""What studies call the fields below the kind of slots; empty for one that they do not vary."""
