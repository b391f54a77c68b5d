"""What a veil hides leaves the window in no file."""

from __future__ import annotations

from explorer.window.lessons.lesson_steps import REVEALING

TELL_NOTHING = ("export_picture", "export_workload", "export_plan", "export_packed")
"""Pictures have the veil; the others have jobs and settings, and no times."""


def test_no_export_tells_what_is_veiled(window):
    ids = {window.actions_by_id[name]: name for name in window.actions_by_id}
    exports = [ids[action] for action in window.menus.menus["export"].actions() if action in ids]
    assert set(exports) - set(TELL_NOTHING) <= set(REVEALING)
    window.view_state.veil.hide_from(12.0)
    enabled = [name for name in exports if window.actions_by_id[name].isEnabled()]
    assert set(enabled) <= set(TELL_NOTHING)
    window.view_state.veil.lift()
    assert window.actions_by_id["export_page"].isEnabled()
