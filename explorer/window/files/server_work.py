"""What a thread does for opening from servers: fetches logs of applications and reads them."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from core.servers.attach import import_from
from explorer.window.files.document_work import OpenedDocument, new_document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from core.servers.attach import Fetched
    from explorer.dialogs.server_query import ServerQuery


def open_applications(
    query: ServerQuery, folder: Path, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> OpenedDocument:
    """Open the logs of applications as one document; only what is new comes into the folder.

    The errors are those of `core.servers.attach.import_from`.
    """
    began = perf_counter()
    imported, fetched, _ = import_from(
        query.addresses, query.wanted, folder, query.token, progress=progress, should_stop=should_stop
    )
    return OpenedDocument(
        new_document(imported.workload, imported.report),
        report=imported.report,
        logs=fetched.paths,
        again=partial(open_applications, query, folder),
        marks={},
        seconds=perf_counter() - began,
        said=_said(fetched),
    )


def _said(fetched: Fetched) -> str:
    count, same = len(fetched.paths), len(fetched.paths) - fetched.news
    logs = f"{count} log{'s' * (count != 1)} of the server"
    lost = len(fetched.problems)
    failed = f"; {lost} could not be fetched, as the report says" if lost else ""
    return f"{logs}: {fetched.news} fetched now, {same} unchanged{failed}"
