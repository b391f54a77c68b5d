from __future__ import annotations

import pytest

from core.model.errors import InputError
from core.servers.address import is_address, parse_address


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("http://spark:18080", "http://spark:18080"),
        (" spark:18080 ", "http://spark:18080"),
        ("HTTPS://Spark.Example.com/", "https://spark.example.com:443"),
        ("http://spark:18080/history/app-1/jobs/?a=b#c", "http://spark:18080"),
        ("http://rm:8088/cluster/apps/RUNNING", "http://rm:8088"),
        ("http://jhs:19888/jobhistory", "http://jhs:19888"),
        (
            "https://gate/gateway/one/sparkhistory/api/v1/applications",
            "https://gate:443/gateway/one/sparkhistory",
        ),
        ("http://[::1]:18080", "http://[::1]:18080"),
    ],
)
def test_what_is_typed_or_copied_from_a_browser_is_an_address(typed: str, address: str) -> None:
    assert str(parse_address(typed)) == address


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "it is no address"),
        ("http://", "it is no address"),
        ("spark:port", "it is no address"),
        ("spark:99999", "it is no address"),
        ("http://spark:0", "it is no address"),
        ("http://a b", "it is no address"),
        ("http://[::1", "it is no address"),
        ("ftp://spark", "begins with http:// or https://"),
        ("file:///etc/passwd", "begins with http:// or https://"),
        ("http://spark/a\r\nX: y", "it is no address"),
    ],
)
def test_what_is_no_address_is_a_sentence(typed: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        parse_address(typed)


@pytest.mark.parametrize(
    "typed", ["http://ann:secret@spark:18080", "ann:secret@spark", "x://ann:secret@spark:a"]
)
def test_a_password_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_address(typed)
    assert "secret" not in str(caught.value)
    assert "ann" not in str(caught.value)


def test_files_are_no_addresses() -> None:
    assert is_address("http://spark:18080")
    assert is_address("HTTPS://spark")
    assert not is_address("http/log")
    assert not is_address("/tmp/http:")
