"""What the user has agreed to run: contents of files, by path, and changes in folders of their own.

Trust is in the content of a file and of all its helpers (their SHA-256). A content that was agreed to runs
again wherever it lies, also after the next start. Any other content is asked about, but for two: what was
saved in the editor pane over a content that was agreed to, and changes of such files in a folder of which the
user has said that they trust what they edit there.
"""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from core.files.atomic import replace_file
from core.files.private_files import make_private_file, make_private_folder
from core.model.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.policies.user_files.source import PolicySource
    from explorer.session.settings import WindowSettings

MAX_COPIES = 50
MAX_COPY_BYTES = 200_000
"""Of a policy file with its helpers; of longer ones it is remembered only that they were agreed to."""
ENDING = ".trusted.json"


class Trust:
    """Remembers what was agreed to, in the settings and in a private folder.

    Attributes
    ----------
    is_off : whether what was agreed to before this window counts for nothing
    """

    def __init__(self, settings: WindowSettings, folder: Path) -> None:
        self._settings, self._copies = settings, _Copies(folder)
        self.is_off = False
        self._known: set[tuple[Path, bytes]] = set()
        self._folders: set[Path] = set()

    def agree(self, source: PolicySource, *, with_folder: bool = False) -> None:
        """Note that the user agreed to run a file with its helpers, and perhaps edits in its folder."""
        folder = source.path.parent
        if with_folder:
            self._folders.add(folder)
        else:
            self._folders.discard(folder)
        if with_folder or not self.is_off:
            self._settings.trust_edits_in(folder, with_folder)
        self._remember(source)

    def may_run(self, source: PolicySource) -> bool:
        """Whether a file may run with its helpers; one that may is remembered from then on."""
        is_known = {(file.path, _hash(file.data)) for file in source.files} <= self._known
        was_known = not self.is_off and source.digest in self._settings.trusted_policies
        may_run = is_known or was_known or self._is_edited_there(source)
        if may_run:
            self._remember(source)
        return may_run

    def note_saved(self, path: Path, before: bytes, after: bytes) -> None:
        """Note what the user saved in the editor pane: their edits of what they trust are trusted."""
        if (path, _hash(before)) in self._known:
            self._known.add((path, _hash(after)))

    def trusts_edits_in(self, folder: Path) -> bool:
        """Whether changes of files in this folder run that were agreed to once."""
        is_kept = str(folder) in self._settings.folders_of_own_edits
        return folder in self._folders or (is_kept and not self.is_off)

    def last(self, path: Path) -> Mapping[Path, bytes]:
        """Return the contents of a policy file and its helpers that ran last; empty if unknown."""
        return self._copies.of(path) or {}

    def _is_edited_there(self, source: PolicySource) -> bool:
        ran_here = any(path == source.path for path, _ in self._known)
        ran = ran_here or (not self.is_off and self._copies.of(source.path) is not None)
        return ran and self.trusts_edits_in(source.path.parent)

    def _remember(self, source: PolicySource) -> None:
        self._known |= {(file.path, _hash(file.data)) for file in source.files}
        self._settings.trust_policy(source.digest)
        self._copies.keep(source)


def _hash(data: bytes) -> bytes:
    return sha256(data).digest()


class _Copies:
    """The contents that ran last, by the path of the policy file: what changes are shown against."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._latest: dict[Path, dict[Path, bytes]] = {}

    def keep(self, source: PolicySource) -> None:
        """Keep a content; one that cannot be written is kept as long as the window is open."""
        files = {file.path: file.data for file in source.files}
        if sum(map(len, files.values())) > MAX_COPY_BYTES:
            files = {}
        if self.of(source.path) == files:
            return
        self._latest[source.path] = files
        texts = {str(path): data.decode("utf-8", "surrogateescape") for path, data in files.items()}
        place = self._place(source.path)
        with suppress(OSError, InputError):
            make_private_folder(self._folder)
            make_private_file(place)
            replace_file(place, json.dumps({"path": str(source.path), "files": texts}).encode())
            kept = sorted(self._folder.glob(f"*{ENDING}"), key=lambda file: file.stat().st_mtime)
            for file in kept[:-MAX_COPIES]:
                file.unlink()

    def of(self, path: Path) -> dict[Path, bytes] | None:
        """Return the files that were kept of a policy file, none of too long ones; None if unknown."""
        if path not in self._latest:
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):  # none, or damaged
                content = json.loads(self._place(path).read_bytes())
                if content["path"] == str(path):
                    self._latest[path] = {
                        Path(name): text.encode("utf-8", "surrogateescape")
                        for name, text in content["files"].items()
                    }
        return self._latest.get(path)

    def _place(self, path: Path) -> Path:
        name = sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return self._folder / f"{name}{ENDING}"
