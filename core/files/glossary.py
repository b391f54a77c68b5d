"""The words of the manual, docs/reference/glossary.md: the one place that defines the terms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from core.files.json_text import read_bytes
from core.files.resources import manual_path

_ROW = re.compile(r"^\| \*\*(?P<term>[^*]+)\*\* \| (?P<meaning>.+) \|$", re.MULTILINE)
_ALSO = {
    "slowstart": "slow start",
    "filler": "waits for maps",
    "deadline": "late",
    "response time": "response",
    "idle slot": "idle",
    "borrowed slot": "borrowed",
    "lower bound": "bound",
}
"""What else a term is called."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means, a phrase without markup."""

    name: str
    meaning: str

    @property
    def sentence(self) -> str:
        """Both, as a tip shows them."""
        return f"{self.name.capitalize()}: {self.meaning}."


@cache
def glossary() -> tuple[Term, ...]:
    """Return all terms in the order of the manual; raises InputError where its file is missing."""
    text = read_bytes(manual_path("reference", "glossary.md")).decode("utf-8")
    return tuple(Term(found["term"], found["meaning"].replace("*", "")) for found in _ROW.finditer(text))


@cache
def _finder() -> tuple[re.Pattern[str], dict[str, Term]]:
    forms: dict[str, Term] = {}
    for term in glossary():
        for name in filter(None, (term.name, _ALSO.get(term.name, ""))):
            forms |= {name.lower(): term, _plural(name).lower(): term}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    pattern = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in longest_first)
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE), forms


def _plural(name: str) -> str:
    if name.endswith("s"):
        return name
    if name.endswith(("history", "policy", "entry", "frequency")):
        return f"{name[:-1]}ies"
    return f"{name}s"


def terms_in(text: str) -> tuple[Term, ...]:
    """Return the terms that a text uses, in the order in which they come, each once; plurals count."""
    pattern, forms = _finder()
    found = (forms[re.sub(r"\s+", " ", match[0].lower())] for match in pattern.finditer(text))
    return tuple(dict.fromkeys(found))


MAX_TERMS = 3
"""Terms that one tip explains."""


def with_terms(text: str, tip: str = "") -> str:
    """Return a tip to which the meaning of the terms in a text is added, each in a line of its own."""
    known = tip.lower()
    terms = [term.sentence for term in terms_in(text)[:MAX_TERMS] if term.meaning.lower() not in known]
    return "\n".join(filter(None, (tip, *terms)))
