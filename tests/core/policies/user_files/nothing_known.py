"""One side of the talk with a policy's process, as it is before anything was sent."""

from __future__ import annotations

from typing import Any

from core.policies.user_files.data_codec import BadData


class NothingKnown:
    """Knows nothing by a number, and remembers nothing."""

    def number_of(self, _thing: Any) -> int | None:
        """Return that the other side does not know it."""
        return None

    def numbered(self, _thing: Any) -> int:
        """Return that it cannot be referred to later."""
        return -1

    def recall(self, number: int) -> Any:
        """Refuse every number."""
        raise BadData(f"nothing is known under {number}")

    def keep(self, thing: Any, _number: int) -> Any:
        """Return the thing."""
        return thing
