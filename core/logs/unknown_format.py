"""Say what a file that no reader recognises looks like, so that the user knows what to do instead."""

from __future__ import annotations

import re
from typing import NamedTuple


class _Look(NamedTuple):
    """A kind of file: a pattern that its beginning matches, and what to call it."""

    pattern: re.Pattern[bytes]
    text: str


def _look(pattern: bytes, text: str) -> _Look:
    return _Look(re.compile(pattern, re.DOTALL), text)


# the first that matches is named; packings and precise formats come before general shapes
_LOOKS = (
    _look(rb"\A\s*\Z", "an empty file"),
    _look(rb"\A\x28\xb5\x2f\xfd", "data packed with zstd; unpack it first"),
    _look(rb"\A\x04\x22\x4d\x18", "data packed with lz4; unpack it first"),
    _look(rb"\ABZh[1-9]", "data packed with bzip2; unpack it first"),
    _look(rb"\A\xfd7zXZ\0", "data packed with xz; unpack it first"),
    _look(rb"\APK\x03\x04", "a zip archive; unpack it first"),
    _look(rb"\A\x1f\x8b", "gzip inside gzip; unpack it once"),
    _look(rb"\A.{257}ustar", "a tar archive; unpack it first"),
    _look(rb"\A\s*\{\s*\"format\"\s*:\s*\"slotscope-session\"", "a Slotscope session; open it in the window"),
    _look(
        rb"\A\s*\{\s*\"format\"\s*:\s*\"slotscope-",
        "a Slotscope workload document; open it, do not import it",
    ),
    _look(
        rb"\A\s*\{(?=.{0,200}\"name\"\s*:)(?=.{0,400}\"children\"\s*:)",
        "a Rumen cluster topology (racks and hosts, no jobs); give the job trace that belongs to it",
    ),
    _look(rb"\A.{0,4000}Avro-Binary", "an MRv2 job history in binary Avro; only those in JSON can be read"),
    _look(
        rb"\A\s*\{(?=.{0,400}\"rack\"\s*:)(?=.{0,400}\"nodes\"\s*:)",
        "the nodes of the YARN load simulator (no jobs); give the jobs that belong to them",
    ),
    _look(
        rb"\A\s*\{(?=.{0,4000}\"(?:job_classes|num_jobs)\"\s*:)(?=.{0,4000}\"workloads\"\s*:)",
        "what the YARN load simulator draws random jobs from, and no recorded jobs",
    ),
    _look(
        rb"\A\s*\{.{0,4000}\"propertyMap\"\s*:",
        "configurations of jobs; give the files of the jobs and their tasks",
    ),
    _look(rb"\A\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<configuration", "a Hadoop configuration"),
    _look(rb"\A\s*<", "an XML or HTML file"),
    _look(rb"\A[^\n]*\0", "binary data"),
    _look(
        rb"\A\s*\{.*\"jobs\"\s*:\s*\[",
        'a workload document without its header; begin it with {"format": "slotscope-workload", "version": 1',
    ),
    _look(rb"\A\s*[\[{]", "JSON of another kind"),
    _look(rb"\A[^\n\t]*\t", "a table separated by tabs"),
    _look(rb"\A[^\n,]*,[^\n]*,", "a table separated by commas"),
)


def looks_like(head: bytes) -> str:
    """Return what the file's beginning looks like, as a phrase."""
    head = head.removeprefix(b"\xef\xbb\xbf")
    for look in _LOOKS:
        if look.pattern.match(head):
            return look.text
    return "text of an unknown kind"
