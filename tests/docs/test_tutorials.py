"""Every tutorial can be performed as its page tells it, and its figures are those that come out."""

from __future__ import annotations

import re
from functools import partialmethod
from typing import TYPE_CHECKING

import pytest

from docs.from_code.pictures.performing import performed
from docs.from_code.pictures.stage import SETTLE_MS, THINK_MS, Stage
from docs.from_code.pictures.stories import TUTORIALS
from docs.from_code.pictures.stories.policy_tutorial import BETTER, FIRST
from docs.from_code.tables import MANUAL
from tests.explorer import window_fixtures

if TYPE_CHECKING:
    from pathlib import Path

    from docs.from_code.pictures.story import Story


@pytest.fixture
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a user go on as soon as the window is quiet: only pictures need a time of rest."""

    def settle(stage: Stage, at_most_ms: int = SETTLE_MS) -> None:
        window_fixtures.settle(stage.window, at_most_ms)
        stage.wait_until(lambda: not stage.window.runner.is_busy, "the simulations")
        window_fixtures.settle(stage.window, at_most_ms)

    monkeypatch.setattr(Stage, "settle", settle)
    monkeypatch.setattr(Stage, "let_think", partialmethod(settle, THINK_MS))


@pytest.mark.usefixtures("_no_waiting")
@pytest.mark.parametrize("story", TUTORIALS, ids=lambda story: story.page)
def test_a_tutorial_is_performed_and_its_figures_come_out(
    story: Story, tmp_path: Path, qapp, monkeypatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    page = (MANUAL / story.page).read_text("utf-8")
    for step, stage in performed(story, tmp_path):
        assert stage.window.messages.isHidden(), f"{step.picture}: {stage.window.messages.message.sentence}"
        section = page.partition(f"/{step.picture}.png)")[2].partition("\n## ")[0]
        for figure in step.figures(stage) if step.figures else ():
            assert figure in section, (
                f"{step.picture} says {figure}, and its section of {story.page} does not"
            )
        for place in step.numbered:
            assert place(stage) is not None


def test_the_texts_of_the_policy_are_those_that_are_performed() -> None:
    page = (MANUAL / "tutorials" / "your-first-policy.md").read_text("utf-8")
    assert re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) == [FIRST, BETTER]
