"""What is returned can be kept and shared: its fields stay as they are."""

from __future__ import annotations

from tests.frozen_values import changeable


def test_no_field_can_be_set() -> None:
    assert changeable("core.planning") == []
