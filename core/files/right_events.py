"""What is right of the events of a cluster among which the schema has found some broken."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from core.files.json_text import Path
    from core.model.errors import Problem

HERE = ("cluster", "events")
PLACE = re.compile(r"(cluster\.events\.list\[)(\d+)\](\..*)?")


class RightEvents(NamedTuple):
    """Events without those that are broken.

    Attributes
    ----------
    document : what is right; None where too much is broken to judge the rest
    places : where each event that is left stands in the document
    is_whole : whether no event is left out, so that their order can be judged
    """

    document: dict[str, Any] | None
    places: Sequence[int]
    is_whole: bool

    def said(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return problems of the cluster with the places that events have in the document.

        What happens to a node in turn is not judged where an event is left out.
        """
        found = []
        for each in problems:
            at = PLACE.fullmatch(each.where)
            if at is None:
                found.append(each)
            elif self.is_whole or at[3] != ".kind":
                where = f"{at[1]}{self.places[int(at[2])]}]{at[3] or ''}"
                found.append(replace(each, where=where))
        return found


def right_events(document: Any, broken: Collection[Path]) -> RightEvents:
    """Return what is right of the events of a cluster.

    Parameters
    ----------
    document : the events as they stand in the document
    broken : the places of all that the schema has found in the whole document
    """
    inside = [path[len(HERE) :] for path in broken if path[: len(HERE)] == HERE]
    if not isinstance(document, dict) or any(path[:1] in ((), ("nodes",)) for path in inside):
        return RightEvents(None, (), False)
    listed = document.get("list", ())
    bad = {path[1] for path in inside if path[0] == "list" and path[1:]}
    keys = {path[0] for path in inside if path[0] != "list" or not path[1:]}
    places = [] if "list" in keys else [place for place in range(len(listed)) if place not in bad]
    right = {key: value for key, value in document.items() if key not in keys}
    if "list" in right:
        right["list"] = [listed[place] for place in places]
    return RightEvents(right, places, not inside)
