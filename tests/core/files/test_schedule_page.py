"""The HTML of a page: whole, alone in the world, and with nothing of a name taken for markup."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from core.files.html_report import ReportTable
from core.files.lesson_page import LESSON_MODULES, lesson_html
from core.files.resources import resource_path
from core.files.schedule_page import MODULES, page_html, write_page
from core.files.study_page import STUDY_MODULES, study_html
from tests.unpacked_page import facts_of

if TYPE_CHECKING:
    from pathlib import Path

VOID = ("meta", "input", "img")
INJECTIONS = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "</title><b>x",
    "<!--<script>",
    "%%SCRIPT%% %%DATA%% %%",
    "\"'&amp;\u2028\u202e\x00",
    "]]>",
)


class PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not any(name.startswith("on") or name == "style" for name, _ in attrs), "the policy forbids it"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "td":
            self.cells.append(data)


def page(name: str = "Five jobs") -> str:
    table = ReportTable(name, name, ("scenario", name), ((name, "1"),))
    return page_html(name, name, [table], [name], {"jobs": [name], name: {"a": [name]}}, "QUJD")


def test_a_page_is_whole_html() -> None:
    reader = PageReader()
    reader.feed(page())
    assert reader.open == []
    assert reader.cells == ["Five jobs", "1"]
    assert "%%" not in page()


@pytest.mark.parametrize("name", INJECTIONS)
def test_names_are_text_wherever_they_stand(name: str) -> None:
    """The page has the same elements, whatever the names in it are, and its facts are those given."""
    plain, own = PageReader(), PageReader()
    plain.feed(page())
    own.feed(page(name))
    assert own.open == []
    assert own.seen == plain.seen
    assert "<script>alert" not in page(name)
    assert "onerror=alert(1)>" not in page(name)
    if name.isprintable():
        assert facts_of(page(name))["jobs"] == [name]


def test_what_cannot_be_seen_is_written_out() -> None:
    assert "\u202e" not in page("\u202eevil")
    assert "\u202e" not in facts_of(page("\u202eevil"))["jobs"][0]


def test_nothing_is_loaded_and_only_these_texts_run() -> None:
    text = page()
    assert not re.search(r"https?:|url\(|@import|\bfetch\(|XMLHttpRequest|innerHTML|\beval\(", text)
    policy = re.search('content="(default-src [^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none';")
    for tag, source in (("script", "script-src"), ("style", "style-src")):
        inside = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.S)
        assert len(inside) == 1
        digest = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert f"{source} 'sha256-{digest}'" in policy[1]


def test_every_module_is_in_the_page() -> None:
    folder = resource_path("page")
    pages = {
        MODULES: page(),
        LESSON_MODULES: lesson_html("Five jobs", "", {}),
        STUDY_MODULES: study_html("Five jobs", "", {}, {}, (), "", ()),
    }
    every = {name for modules in pages for name in modules}
    assert {each.relative_to(folder).as_posix() for each in folder.rglob("*.js")} == every
    for name in every:
        text = (folder / name).read_text("utf-8")
        assert all(text in written for modules, written in pages.items() if name in modules)
        assert text.startswith("// "), "says what it is for"
        assert len(text.splitlines()) <= 400


def test_a_page_is_written_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    write_page(page("\ud800"), path)
    assert path.read_bytes().startswith(b"<!doctype html>")
    assert list(tmp_path.iterdir()) == [path]
