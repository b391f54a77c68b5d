"""The addresses of this machine that phones of the same network may reach, without sending anything."""

from __future__ import annotations

import ipaddress
import socket
import sys
from contextlib import closing, suppress
from typing import NamedTuple

ELSEWHERE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): what would be sent there shows which own address comes first."""
ASK_ADDRESS = {"linux": 0x8915, "darwin": 0xC0206921}
"""The request SIOCGIFADDR of systems that answer it: the address of a network interface by its name."""


class LocalAddress(NamedTuple):
    """An IPv4 address, and the name of its network interface; empty where systems do not say it."""

    address: str
    interface: str = ""


def local_addresses() -> tuple[LocalAddress, ...]:
    """Return the addresses, that of the usual way out first; none without a network."""
    found = {each.address: each for each in (*_own_name(), *_interfaces())}
    usual = _usual()
    if usual and usual not in found:
        found[usual] = LocalAddress(usual)
    ordered = sorted(found.values(), key=lambda each: (each.address != usual, each.interface, each.address))
    return tuple(each for each in ordered if _is_reachable(each.address))


def _is_reachable(address: str) -> bool:
    known = ipaddress.IPv4Address(address)
    return not (known.is_loopback or known.is_link_local or known.is_unspecified)


def _usual() -> str:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as out, suppress(OSError):
        out.connect(ELSEWHERE)  # of datagrams: looks the way up, and sends nothing
        return str(out.getsockname()[0])
    return ""


def _own_name() -> list[LocalAddress]:
    with suppress(OSError):
        return [LocalAddress(each) for each in socket.gethostbyname_ex(socket.gethostname())[2]]
    return []


def _interfaces() -> list[LocalAddress]:
    request = ASK_ADDRESS.get(sys.platform)
    if request is None:
        return []
    from fcntl import ioctl

    found = []
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
        for _number, name in socket.if_nameindex():
            with suppress(OSError):  # one without an address
                reply = ioctl(asked.fileno(), request, name.encode()[:15].ljust(256, b"\0"))
                found.append(LocalAddress(socket.inet_ntoa(reply[20:24]), name))
    return found
