"""Bytes that are no proper JSON are refused with a place and a reason."""

from __future__ import annotations

import gzip
import os
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from core.files import json_text
from core.files.json_text import parse_json, path_text, read_bytes, walk
from core.model.errors import MAX_PROBLEMS, DocumentError, InputError
from core.model.number_text import grouped
from tests.gzipped import gzip_of
from tests.lines_run import lines_run

if TYPE_CHECKING:
    from pathlib import Path


def refusal(data: bytes) -> str:
    """Return the message with which data are refused."""
    with pytest.raises(DocumentError) as caught:
        parse_json(data, "x.json")
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "value"),
    [(b"[1, 2.5]", [1, 2.5]), (b"\xef\xbb\xbf{}", {}), (gzip_of(b'"a"'), "a"), (b"\n 3 \r\n", 3)],
)
def test_json_is_read_with_mark_or_gzip(data: bytes, value: Any) -> None:
    assert parse_json(data, "x.json") == value


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (gzip_of(b""), "the file is empty"),
        (b"{", "line 1, column 2 is the end of the file; not valid JSON"),
        (b"{'a': 1}", "line 1, column 2 is \"'a': 1}\"; not valid JSON"),
        (b'{\n"a": 1,\n}', "line 3, column 1"),
        (b'{"a": 1} 2', "not valid JSON: extra data"),
        (b"<html>", "not valid JSON"),
        (b'["\xff"]', "byte 2 is 0xff; the text is not UTF-8"),
        ('["a"]'.encode("utf-16"), "the text is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (
            b'{"a":' * 100_000,
            "levels of lists and objects inside one another or more; there may be 64 at most",
        ),
        (b"[" + b"[]," * 9_000_000, f"{grouped(8_000_000)} at most in a document; split it"),
        (b"[" + b"7" * 5000 + b"]", "a number has too many digits"),
        (gzip_of(b"[" + b"[]," * 9_000_000), "unpacks to more than 100 times its size"),
        (b"\x1f\x8b", "ends too early"),
        (b"\x1f\x8bxxxxxxxxxxxxxxxx", "gzip file is damaged"),
        (gzip_of(b"[1]" * 100)[:-9], "ends too early; it was cut off"),
        (gzip_of(b"[1]")[:-5] + b"12345", "gzip file is damaged"),
    ],
)
def test_what_is_not_json_gets_a_sentence(data: bytes, words: str) -> None:
    message = refusal(data)
    assert words in message
    assert message.startswith("x.json: ")
    assert "Traceback" not in message


def test_repeated_keys_are_refused_where_they_stand() -> None:
    message = refusal(b'{"a": [{"b": 1, "c": 2, "b": 3}], "d": {}, "d": {}}')
    assert "x.json: a[0].b: this key stands there twice" in message
    assert "x.json: d: this key" in message


def test_numbers_that_json_does_not_know_are_refused_where_they_stand() -> None:
    message = refusal(b'{"a": [1, NaN], "b": Infinity, "c": -Infinity}')
    assert "a[1] is nan; not a number that JSON knows" in message
    assert "b is inf" in message
    assert "c is -inf" in message


def test_problems_are_counted_up_to_the_limit() -> None:
    message = refusal(b"[" + b"NaN," * 1000 + b"1]")
    assert message.count("not a number") == MAX_PROBLEMS
    assert f"only the first {MAX_PROBLEMS} problems are listed" in message


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_document_that_unpacks_to_too_much_is_refused(pack: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "MAX_DOCUMENT_BYTES", 2**20)
    assert parse_json(pack(b"1" + b" " * (2**20 - 1)), "x.json") == 1
    if pack is gzip.compress:
        assert "at most 1 MiB once unpacked" in refusal(pack(b" " * (2**20 + 1)))


class TestReadBytes:
    def refusal(self, path: object) -> str:
        with pytest.raises(InputError) as caught:
            read_bytes(str(path))
        return str(caught.value)

    def test_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"abc")
        assert read_bytes(tmp_path / "a") == b"abc"

    def test_a_missing_file(self, tmp_path: Path) -> None:
        assert "a.json' does not exist; check its name" in self.refusal(tmp_path / "a.json")

    def test_a_folder(self, tmp_path: Path) -> None:
        assert "is a folder; choose a file in it" in self.refusal(tmp_path)

    def test_a_file_of_somebody_else(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # The superuser may read everything, so the refusal is played.
        def deny(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(json_text, "_open_regular", deny)
        assert "may not be read; ask its owner" in self.refusal(tmp_path / "a")

    def test_a_pipe_is_refused_without_waiting(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert "it is not a regular file" in self.refusal(tmp_path / "pipe")

    def test_an_endless_device(self) -> None:
        assert "it is not a regular file" in self.refusal("/dev/zero")

    def test_an_impossible_name(self) -> None:
        assert "cannot be read: embedded null byte" in self.refusal("a\0b")
        assert "cannot be read: file name too long" in self.refusal("a" * 300)

    def test_a_file_that_is_too_large(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(json_text, "MAX_DOCUMENT_BYTES", 2**20)
        (tmp_path / "a").write_bytes(b" " * (2**20 + 1))
        assert "at most 1 MiB" in self.refusal(tmp_path / "a")


def test_paths_are_written_as_people_do() -> None:
    assert path_text(("jobs", 3, "maps", "durations", 7)) == "jobs[3].maps.durations[7]"
    assert path_text(()) == "document"
    assert path_text(("a b", "<x>\n")) == "'a b'.'<x>\\n'"
    assert len(path_text(("k" * 10_000,))) < 60


def test_a_walk_yields_values_in_document_order() -> None:
    document = {"a": [1, {"b": 2}], "c": 3}
    assert [path for path, _ in walk(document)] == [(), ("a",), ("a", 0), ("a", 1), ("a", 1, "b"), ("c",)]


def first_three(document: Any) -> list[Any]:
    return list(islice(walk(document), 3))


def test_a_walk_takes_no_more_steps_than_it_is_asked_for():
    few, many = (lines_run(partial(first_three, [[0.0] * count])) for count in (10, 10_000))
    assert few == many
