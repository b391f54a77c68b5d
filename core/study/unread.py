"""What of a study's document could not be read, so that the rest can be judged without guessing at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from core.study.study import Study


@dataclass(frozen=True, slots=True)
class Unread:
    """Values that could not be read.

    Attributes
    ----------
    places : their paths, as problems have them; nothing is said of these, nor of what depends on them
    """

    places: frozenset[str] = frozenset()

    def covers(self, where: str) -> bool:
        """Whether a value could not be read."""
        return any(_is_inside(where, place) for place in self.places)

    def touches(self, where: str) -> bool:
        """Whether a value, or a part of it, could not be read."""
        return self.covers(where) or any(_is_inside(place, where) for place in self.places)

    def may_set(self, study: Study, names: Collection[str]) -> bool:
        """Whether something that could not be read may set one of these fields."""
        if self.covers("axes") or any(self.touches(f"base.{name}") for name in names):
            return True
        return any(
            self.touches(f"axes[{place}].fields")
            or any(not each.endswith(".label") for each in self._inside(f"axes[{place}].settings"))
            or (bool(set(names) & set(axis.fields)) and self.touches(f"axes[{place}].values"))
            for place, axis in enumerate(study.axes)
        )

    def hides_points(self, axis: str) -> bool:
        """Whether the points of an axis, by its path, are not all known."""
        return any(self.touches(f"{axis}.{key}") for key in ("fields", "values", "range", "settings"))

    def _inside(self, where: str) -> list[str]:
        return [place for place in self.places if _is_inside(place, where)]


ALL_READ = Unread()


def _is_inside(place: str, other: str) -> bool:
    return place == other or place.startswith((f"{other}.", f"{other}["))
