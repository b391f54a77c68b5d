"""Which policy files may run: those whose content people agreed to, and their later edits in this window.

Trust is in a content (its SHA-256), wherever it lies, and is remembered from start to start. When people
agree to a file, they also agree to follow it: what they save at its path until the window closes runs at
once, and is remembered as well. A content that is only known from an earlier start is run, but its edits
are asked about once more: nobody has agreed to follow that file today.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.policies.user_files.source import PolicySource
    from explorer.session.settings import Settings


class Trust:
    """What people have agreed to run."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._followed: set[str] = set()

    def agree(self, source: PolicySource) -> None:
        """Note that people agreed to run this content, and to follow its file."""
        self._followed.add(str(source.path))
        self._settings.trust_policy(source.digest)

    def may_run(self, source: PolicySource) -> bool:
        """Whether a content may run; one that is followed is remembered from now on."""
        if source.digest in self._settings.trusted_policies:
            return True
        if str(source.path) not in self._followed:
            return False
        self._settings.trust_policy(source.digest)
        return True
