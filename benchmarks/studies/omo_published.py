"""What 004 publishes of its experiments: numbers of its tables and text; its bars have none."""

from __future__ import annotations

SLOWSTART = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
TABLE_2 = {1: (309, 307, 311, 312, 320, 336), 3: (291, 259, 275, 272, 283, 317)}
TABLE_3 = {1: (287, 277, 278, 299, 306, 316), 3: (255, 234, 262, 310, 335, 358)}
"""Seconds of one and of three Terasort jobs, on typed slots and on containers."""

NOT_SAID = "–"
GAINS = {
    "TeraSort": ("7 %", "12 %", "24 %", "7 %", "26 %", "29 %"),
    "SequenceCount": ("7 %", "16 %", "24 %", "7 %", "26 %", "29 %"),
    "WordCount": ("7 %", "28 %", "16 %", "7 %", "26 %", "29 %"),
    "InvertedIndex": ("7 %", "28 %", "16 %", "7 %", "26 %", "29 %"),
    "HistogramMovies": ("7 %", "28 %", "16 %", "7 %", "26 %", "29 %"),
    "Classification": ("7 %", "28 %", "16 %", "7 %", "26 %", "29 %"),
    "A": ("12 %", "18 %", "20 %", "11 %", "26 %", "29 %"),
    "B": ("12 %", "16 %", "21 %", "11 %", "26 %", "29 %"),
}
"""How much shorter: FRESH than Fair-1, Lazy Start than the best Fair and than FRESH, Batch Finish than FRESH,
OMO than the best Fair and than FRESH. Where the text gives a mean over several sets, each of them has it."""

TABLE_6 = {2: 1583, 4: 1490, 6: 1464, 8: 1481}
"""Makespan in seconds by gigabytes that a task asks for."""

TABLE_7 = {"Fair-0.05": 1885, "Fair-1": 2258, "FRESH": 2037, "OMO": 1238}

SCALES = {
    "C": ("12 jobs, 20 GB", "1"),
    "D": ("12 jobs, 30 GB", "1.6"),
    "E": ("12 jobs, 40 GB", "2.1"),
    "F": ("18 jobs, 20 GB", "linear"),
    "G": ("24 jobs, 20 GB", "linear"),
}
"""Sets of Figure 14: what they are, and how their makespans compare with Set C's."""
