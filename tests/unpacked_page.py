"""Reads a page as its script does, value by value: a twin that shares no code with what packs."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def part(text: str, name: str) -> str:
    """Return what stands in the element of this id."""
    found = re.search(f'<script type="[a-z/]+" id="{name}">(.*?)</script>', text, re.S)
    assert found is not None
    return found[1]


def facts_of(text: str) -> dict[str, Any]:
    """Return the facts of a page."""
    facts: dict[str, Any] = json.loads(part(text, "facts"))
    return facts


def columns_of(text: str) -> list[dict[str, list[int]]]:
    """Return the columns of each run, by name."""
    return packed_columns(facts_of(text)["runs"], part(text, "data"))


def packed_columns(facts: list[dict[str, Any]], data: str) -> list[dict[str, list[int]]]:
    """Return the columns of runs with these facts, by name."""
    raw, at, runs = zlib.decompress(base64.b64decode(data), -15), 0, []
    for run in facts:
        columns: dict[str, list[int]] = {}
        for name, count, width, least in run["columns"]:
            block = raw[at : at + count * width]
            at += count * width
            columns[name] = [
                sum(block[plane * count + i] << 8 * plane for plane in range(width)) + least
                for i in range(count)
            ]
        runs.append(columns)
    assert at == len(raw), "nothing is left over"
    return runs


def tasks_of(columns: dict[str, list[int]]) -> list[tuple[int, int, int, int, int]]:
    """Return row, code, start, body and end of each task, in ticks."""
    tasks, shuffles, place = [], iter(columns["shuffle"]), 0
    for row, count in enumerate(columns["rows"]):
        time = 0
        for i in range(place, place + count):
            start = time + columns["gap"][i]
            time = start + columns["length"][i]
            code = columns["code"][i]
            tasks.append((row, code, start, start + (next(shuffles) if code & 1 else 0), time))
        place += count
    assert next(shuffles, None) is None
    return tasks
