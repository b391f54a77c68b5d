"""What no cluster can change, as commands say it of a sample whose driver thinks."""

from tests.explorer.cli.test_command_line import error_of, words_of

LIMIT = "because Read sales, Join customers, 2 jobs and Write report follow one another."


def test_no_number_of_slots_ends_by_a_time_that_the_driver_thinks_longer(capsys):
    found = words_of(capsys, "fewest", "spark-application", "--until", "30", "--steps", "1")
    assert "No number of containers ends by 0:30, even if no task has to wait." in found
    assert "No cluster makes this faster than 1 min 05" in found
    assert f"40 s of it the driver thinks, {LIMIT}" in found


def test_with_many_slots_the_bound_is_the_limit(capsys):
    found = words_of(capsys, "simulate", "spark-application", "--containers", "200")
    assert LIMIT in found
    assert "think time on the way to the end 40 s" in found


def test_a_task_of_a_stage_is_explained(capsys):
    found = words_of(capsys, "explain", "spark-application", "--task", "Count regions.0.1")
    assert "Count regions arrived, 14 s after Join customers had ended: so long the driver thought." in found
    wrong = error_of(capsys, "explain", "spark-application", "--task", "Count regions.9.1")
    assert "Count regions has stages 0 to" in wrong
