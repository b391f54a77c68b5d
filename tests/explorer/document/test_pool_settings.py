"""Settings of pools that sharing policies read: typed, checked, one step each, undone."""

from __future__ import annotations

import pytest

from core.model.errors import InputError
from core.model.number_text import grouped
from core.model.pool import Pool
from explorer.document.edited_fields import POOL_FIELDS

FIELD = {field.id: field for field in POOL_FIELDS}


@pytest.fixture
def shared(editor):
    """Jobs J1 and J2 are in pools of their own, the others in the default one."""
    editor.edit_job(0, "pool", "red")
    editor.edit_job(1, "pool", "blue")
    return editor


def names(editor):
    return editor.document.workload.pools


@pytest.mark.parametrize(
    ("field", "typed", "value", "shown"),
    [
        ("weight", "2.5", 2.5, "2.5"),
        ("min_map_slots", "7", 7, "7"),
        ("min_reduce_slots", " 0 ", 0, "0"),
        ("capacity", "40", 0.4, "40 %"),
        ("capacity", "12.5 %", 0.125, "12.5 %"),
        ("max_capacity", "80%", 0.8, "80 %"),
        ("spending_rate", "3", 3.0, "3"),
        ("budget", "1e6", 1e6, grouped(1_000_000)),
    ],
)
def test_a_setting_is_typed_shown_and_undone(shared, field, typed, value, shown):
    before = shared.document.state
    shared.edit_pool("blue", FIELD[field], typed)
    pool = next(p for p in shared.document.workload.pool_settings if p.name == "blue")
    assert getattr(pool, field) == value
    assert FIELD[field].shown(pool, pool) == shown
    assert FIELD[field].write(pool, FIELD[field].text(pool)) == pool
    shared.undo_stack.undo()
    assert shared.document.state == before


def test_empty_texts_mean_an_equal_part_and_no_limit(shared):
    for field in ("capacity", "budget"):
        shared.edit_pool("red", FIELD[field], "0.5")
        shared.edit_pool("red", FIELD[field], "  ")
    assert shared.document.workload.pool_settings[0] == Pool("red")
    every = shared.document.workload.every_pool[0]
    assert FIELD["capacity"].shown(Pool("red"), every) == "33.33 %"
    assert FIELD["budget"].shown(Pool("red"), every) == "no limit"


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("weight", "heavy", "pool red: Weight is 'heavy'; give a number"),
        ("weight", "", "pool red: Weight is ''; give a number"),
        ("weight", "-1", "weight is -1.0; give a number above 0"),
        ("min_map_slots", "1.5", "give a whole number"),
        ("capacity", "lots", "give a number, or nothing for equal part"),
        ("capacity", "140", "a guaranteed capacity is a fraction from 0 to 1"),
        ("max_capacity", "0", "the maximum is a fraction above 0"),
        ("budget", "nan", "give a number, or nothing for no limit"),
    ],
)
def test_what_makes_no_sense_is_refused(shared, field, typed, sentence):
    steps = shared.undo_stack.count()
    with pytest.raises(InputError) as caught:
        shared.edit_pool("red", FIELD[field], typed)
    assert sentence in str(caught.value)
    assert shared.undo_stack.count() == steps


def test_guaranteed_parts_cannot_be_more_than_all(shared):
    shared.edit_pool("red", FIELD["capacity"], "70")
    with pytest.raises(InputError, match="add up to at most 1"):
        shared.edit_pool("blue", FIELD["capacity"], "40")


def test_pools_stay_where_they_are_whatever_is_set(shared):
    assert names(shared) == ("red", "blue", "default")
    shared.edit_pool("default", FIELD["weight"], "3")
    shared.edit_pool("blue", FIELD["weight"], "2")
    assert names(shared) == ("red", "blue", "default")


def test_a_new_name_goes_into_settings_and_jobs_in_one_step(shared):
    shared.edit_pool("blue", FIELD["weight"], "2")
    before = shared.document.state
    shared.rename_pool("blue", " Night ")
    assert names(shared) == ("red", "Night", "default")
    assert shared.document.workload.jobs[1].pool == "Night"
    assert shared.document.workload.pool_settings[1] == Pool("Night", weight=2.0)
    assert (
        shared.undo_stack.undoText() == "Rename pool blue to  Night "
        or "Night" in shared.undo_stack.undoText()
    )
    shared.undo_stack.undo()
    assert shared.document.state == before


@pytest.mark.parametrize(
    ("name", "sentence"), [("red", "another pool is called 'red'"), (" ", "needs a name")]
)
def test_names_that_cannot_be(shared, name, sentence):
    with pytest.raises(InputError, match=sentence):
        shared.rename_pool("blue", name)


def test_pools_are_added_and_removed(shared):
    shared.add_pool()
    shared.add_pool()
    assert names(shared) == ("red", "blue", "default", "pool 4", "pool 5")
    shared.remove_pool("pool 4")
    assert names(shared) == ("red", "blue", "default", "pool 5")
    shared.undo_stack.undo()
    assert names(shared) == ("red", "blue", "default", "pool 4", "pool 5")


def test_a_pool_with_jobs_only_loses_its_settings(shared):
    shared.edit_pool("blue", FIELD["weight"], "2")
    shared.remove_pool("blue")
    assert shared.undo_stack.undoText() == "Forget the settings of pool blue"
    assert names(shared) == ("red", "blue", "default")
    assert shared.document.workload.every_pool[1].weight == 1.0


def test_typing_of_one_setting_is_one_step_until_it_is_left(shared):
    steps = shared.undo_stack.count()
    shared.edit_pool("red", FIELD["weight"], "2")
    shared.edit_pool("red", FIELD["weight"], "3")
    assert shared.undo_stack.count() == steps + 1
    shared.end_gesture()
    shared.edit_pool("red", FIELD["weight"], "4")
    assert shared.undo_stack.count() == steps + 2
