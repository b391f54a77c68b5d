"""What a server answers, as a phrase for a sentence."""

from __future__ import annotations

import json
import re
from contextlib import suppress

from core.logs.logged_job import one_line

MAX_TOLD = 500
"""Letters of an error that are repeated; what is longer is a page."""
MAX_LOOKED_AT = 1 << 16
_TITLE = re.compile(rb"<title[^>]*>([^<]{1,200})<", re.IGNORECASE)


def answer_text(kind: str, body: bytes) -> str:
    """Return what an answer is, as a phrase."""
    if title := _TITLE.search(body[:MAX_LOOKED_AT]):
        return f"a page “{one_line(title[1].decode('utf-8', 'replace'))}”"
    return f"content of type {one_line(kind)}" if body else "nothing"


def error_text(body: bytes) -> str:
    """Return what an error says, behind a colon, if that is short."""
    if title := _TITLE.search(body):
        return f": {one_line(title[1].decode('utf-8', 'replace'))}"
    said = "" if b"<" in body or len(body) > MAX_TOLD else _said(body)
    return f": {said}" if said else ""


def _said(body: bytes) -> str:
    """Return the message of an error: a line of text, or the one in JSON."""
    text = body.decode("utf-8", "replace").strip()
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        found = value.get("RemoteException", value) if isinstance(value, dict) else {}
        message = found.get("message", "") if isinstance(found, dict) else ""
        return one_line(message) if isinstance(message, str) else ""
    return one_line(text)


def size_text(size: int) -> str:
    """Return a size in bytes with its unit."""
    return f"{size >> 30} GiB" if size >= 1 << 30 else f"{size / (1 << 20):g} MiB"
