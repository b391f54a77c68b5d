"""What is wanted of servers, and listing it in a thread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.servers.attach import attached

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.servers.attach import ListedApplications
    from core.servers.server import WantedApplications


@dataclass(frozen=True)
class ServerQuery:
    """What is wanted of which servers.

    Attributes
    ----------
    addresses : of the servers
    wanted : which of their applications
    token : who asks; kept as long as the document is open, and nowhere else
    """

    addresses: tuple[str, ...]
    wanted: WantedApplications
    token: str = field(default="", repr=False)


def list_applications(
    query: ServerQuery, _progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> ListedApplications:
    """Return what servers list; the errors are those of `core.servers.attach.attached`."""
    with attached(query.addresses, query.token, should_stop=should_stop) as servers:
        return servers.listing(query.wanted)
