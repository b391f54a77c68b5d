"""The address of a server as people type it or copy it from a browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from core.model.errors import InputError, shorten

DEFAULT_PORTS = {"http": 80, "https": 443}
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
MAX_ADDRESS = 2000
"""Letters of an address."""
PAGES = ("api", "ws", "cluster", "jobhistory", "history", "applicationhistory", "tez-ui")
"""How the pages of such servers begin; a browser shows them behind the address of the server itself."""
_HOST = re.compile(r"[A-Za-z0-9_.:-]{1,253}\Z")
_PATH = re.compile(r"[A-Za-z0-9_.~%/-]*\Z")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is.

    Attributes
    ----------
    scheme : http or https
    host, port : its name or number, and its port
    path : what stands before its own paths, as a gateway has it; "" or "/gateway/spark"
    """

    scheme: str
    host: str
    port: int
    path: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it is this machine: what is sent there travels over no network."""
        return self.host in LOCAL_HOSTS

    @property
    def place(self) -> str:
        """Host and port, as sentences and files name the server."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.place}{self.path}"


def is_address(text: str) -> bool:
    """Whether a text names a server rather than a file."""
    return text.lower().startswith(("http://", "https://"))


def parse_address(text: str) -> Address:
    """Return the address that a text is; without a scheme it is one of http.

    The page of a server, as a browser shows it, stands for the server: what follows is left out.

    Raises
    ------
    InputError
        it is no address, or holds a name and a password, which are not repeated
    """
    given = text.strip()
    given = given if "://" in given else f"http://{given}"
    try:
        parts = urlsplit(given[:MAX_ADDRESS])
        port = parts.port
    except ValueError:
        raise InputError(f"{_shown(text)}: it is no address; give one like http://host:18080") from None
    if parts.username is not None or parts.password is not None:
        raise InputError(
            f"{parts.hostname}: leave name and password out of the address; a token is given by the variable "
            "SLOTSCOPE_TOKEN or typed when it is wanted"
        )
    if parts.scheme not in DEFAULT_PORTS:
        raise InputError(f"{_shown(text)}: an address begins with http:// or https://")
    if not _HOST.match(parts.hostname or "") or port == 0 or not _PATH.match(parts.path):
        raise InputError(f"{_shown(text)}: it is no address; give one like http://host:18080")
    return Address(parts.scheme, parts.hostname or "", port or DEFAULT_PORTS[parts.scheme], _path(parts))


def _path(parts: SplitResult) -> str:
    """Return the path of the server itself, without those of its pages."""
    names: list[str] = []
    for name in parts.path.split("/"):
        if name in PAGES:
            break
        names += [name] if name else []
    return "".join(f"/{name}" for name in names)


def _shown(text: str) -> str:
    """Return an address for a sentence, without what may be a name and a password."""
    return shorten(text.strip().rpartition("@")[2])
