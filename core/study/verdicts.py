"""What is known of published numbers that do not come out here: the table of docs/explanation/verdicts.md.

Three grades. *Impossible for any durations*: a bound forbids it whatever the tasks last. *Impossible for
these durations*: a bound forbids it for the jobs that are drawn here. *Not found*: nothing that was tried
gives it, and nothing known forbids it. Each comes with the command that computes its numbers again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from core.files.json_text import read_bytes
from core.files.resources import manual_path

_ROW = re.compile(r"^\| (?P<paper>\d{3}) \| (?P<rest>.+) \|$", re.MULTILINE)
_LABEL = re.compile(r"(Figure|Table)s? ([\d\w]+(?:(?:, | and | to )\d+\w?)*)")


@dataclass(frozen=True, slots=True)
class PublishedVerdict:
    """One published number, or some of one figure.

    Attributes
    ----------
    paper : "000" to "004"
    where : in the words of published-numbers.md: "Figure 11b, 10 jobs: BalancedPools under Johnson"
    published : what is printed
    grade : "impossible for any durations", "impossible for these durations" or "not found"
    because : the bound, or what was tried, as a phrase
    command : computes it again
    """

    paper: str
    where: str
    published: str
    grade: str
    because: str
    command: str

    @property
    def sentence(self) -> str:
        """Grade and reason, as one sentence."""
        return f"{self.grade.capitalize()}: {self.because}."


@cache
def verdicts() -> tuple[PublishedVerdict, ...]:
    """Return all verdicts in the order of the manual; raises InputError where its page is missing."""
    text = read_bytes(manual_path("explanation", "verdicts.md")).decode("utf-8")
    cells = ((found["paper"], *found["rest"].split(" | ")) for found in _ROW.finditer(text))
    return tuple(PublishedVerdict(*map(_plain, row)) for row in cells)


def _plain(cell: str) -> str:
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell).replace("`", "").replace("*", "")


def verdicts_of(source: str) -> tuple[PublishedVerdict, ...]:
    """Return those about a figure by its source: "004, Figures 9 and 13" is about Figure 9 and Figure 13.

    "000, Figure 13" is about Figures 13a to 13c, too.
    """
    paper, wanted = source[:3], _labels(source)
    return tuple(
        each
        for each in verdicts()
        if each.paper == paper
        and any(own == other or own.rstrip("abc") == other for own in _labels(each.where) for other in wanted)
    )


def _labels(text: str) -> set[str]:
    """Return the figures and tables that a text names, each as "Figure 9" or "Table 7"."""
    found = ((kind, re.findall(r"\d+\w?", numbers)) for kind, numbers in _LABEL.findall(text))
    return {f"{kind} {number}" for kind, numbers in found for number in numbers}
