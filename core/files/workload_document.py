"""Workload documents, ``*.workload.json``: read and write them; the format is in the published schema."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from core.files.atomic import packed_for, replace_file
from core.files.document_header import SESSION_FORMAT, WORKLOAD_FORMAT, check_header, formats_in
from core.files.json_text import parse_json, read_bytes
from core.files.workload_reading import workload_from_version_1
from core.files.workload_writing import document_text, workload_to_json

if TYPE_CHECKING:
    from core.model.workload import Workload

__all__ = [
    "is_workload_document",
    "read_workload",
    "workload_from_bytes",
    "workload_from_json",
    "workload_to_json",
    "write_workload",
]

READERS = {1: workload_from_version_1}
"""How each version of the format is read; old versions stay."""


def is_workload_document(data: bytes) -> bool:
    """Whether a file's bytes claim to be a workload document; it may still break rules."""
    formats = formats_in(data)
    return WORKLOAD_FORMAT in formats and SESSION_FORMAT not in formats


def read_workload(path: str | os.PathLike[str]) -> Workload:
    """Read a workload document, gzipped or not.

    Raises
    ------
    InputError
        the file cannot be read
    DocumentError
        the document breaks rules; all of them are listed
    """
    return workload_from_bytes(read_bytes(path), os.path.basename(os.fspath(path)))


def workload_from_bytes(data: bytes, name: str) -> Workload:
    """Build the workload in a file's bytes; `name` says in messages which file it is."""
    return workload_from_json(parse_json(data, name), name)


def workload_from_json(document: Any, name: str) -> Workload:
    """Build the workload of a document that is a JSON value already."""
    version = check_header(document, name, WORKLOAD_FORMAT, READERS)
    return READERS[version](document, name)


def write_workload(workload: Workload, path: str | os.PathLike[str]) -> None:
    """Write a workload document in one step, gzipped when the name ends in .gz."""
    text = document_text(workload_to_json(workload))
    replace_file(path, packed_for(path, text.encode()))
