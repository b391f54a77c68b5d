"""Whether the policy files of a study may run: asked once for each content, and then remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from core.policies.user_files.source import PolicySource


class PolicyConsent(Protocol):
    """What the user has agreed to run, and the question."""

    def may_run_all(self, sources: Sequence[PolicySource]) -> bool:
        """Whether all of these were agreed to."""

    def ask_for_all(
        self, sources: Sequence[PolicySource], then: Callable[[], object], parent: QWidget
    ) -> None:
        """Show each of these that was not agreed to; do something once all are."""


class NoConsent:
    """In a window that has no place for the question: only studies without policy files run."""

    def may_run_all(self, sources: Sequence[PolicySource]) -> bool:
        """Whether there are none."""
        return not sources

    def ask_for_all(
        self, sources: Sequence[PolicySource], then: Callable[[], object], parent: QWidget
    ) -> None:
        """Go on where there are none, and do nothing where there are."""
        if not sources:
            then()
