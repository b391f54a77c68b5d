"""How thorough random tests are, for all folders."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from core.policies import critical
from core.policies.composing import kernel
from core.policies.own_policies import OWN_POLICIES
from core.policies.user_files.policy_process import PROCESSES
from tests import random_tests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.policies.policy import Policy


@pytest.fixture(autouse=True)
def _own_policies_forgotten() -> Iterator[None]:
    """Take back what a test registered: policies of files live as long as the process."""
    before = dict(OWN_POLICIES)
    yield
    OWN_POLICIES.clear()
    OWN_POLICIES.update(before)


@pytest.fixture(scope="session", autouse=True)
def _policy_files_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let one process run the policy files of all tests: it reads the folders that it was started for."""
    PROCESSES.let_read([tmp_path_factory.getbasetemp()])


@pytest.fixture(scope="session", autouse=True)
def _policies_of_tests_are_kept() -> Iterator[None]:
    """Keep the compiled code of policies in tests of core, as that of our own; others stand for programs."""
    of_ours = kernel._is_from_a_file

    def is_from_a_file(policy: type[Policy]) -> bool:
        is_of_tests = policy.__module__.startswith("tests.core.") and policy.__qualname__ == policy.__name__
        return is_of_tests or of_ours(policy)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_is_from_a_file", is_from_a_file)
        yield


@pytest.fixture(autouse=True, scope="module")
def _old_objects_set_aside() -> None:
    """Let Python's own collector look through what a module made: all other objects are a million."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--thorough`."""
    parser.addoption(
        "--thorough", action="store_true", help="slow random tests try ten times as many examples"
    )


LONG = (
    "test_monkey",
    "test_oracle",
    "test_docs",
    "test_every_tab",
    "test_every_policy",
    "test_words_of_applications",
    "test_selection_trees",
    "test_policy_file",
    "test_policy_template",
    "test_forecast_in_window",
    "test_cookbook",
    "test_planning_anew",
    "test_window",
    "test_verify",
    "test_check",
    "test_objectives",
    "test_writing_lessons",
    "test_every_lesson",
    "test_policy_process",
    "test_tutorials",
    "test_environment",
    "test_narrow_details",
    "test_scan_window",
    "test_packaging",
    "test_app",
    "test_search_wishes",
    "test_forecast",
    "test_given_up",
    "test_search_quality",
    "test_command_line",
    "test_architecture",
    "test_slot_worths",
    "test_every_sentence",
    "test_best_rest",
    "test_damage",
    "test_kernel_cache",
)
"""Begun first, the longest in front, so that at the end no process waits for another one.

But for the first, which counts the documents and schedules in its process: other files keep some.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files that take longest first; each runs in one process."""
    items.sort(key=lambda item: LONG.index(item.path.stem) if item.path.stem in LONG else len(LONG))


MAX_NEW_OBJECTS = 10_000
"""When so many are new, Python's own collector looks through them: at its 700 that is a twelfth of a run.

Fewer than `core.model.in_parts.MAX_YOUNG`, beyond which what is set aside between modules comes back.
"""


def pytest_configure(config: pytest.Config) -> None:
    """Note the option before any test is read; the policy `optimized` searches a moment only."""
    gc.set_threshold(MAX_NEW_OBJECTS)
    critical.MAX_STEPS = critical.MIN_STEPS = 4
    random_tests.is_thorough = config.getoption("--thorough")
    drawn = 300 if random_tests.is_thorough else 20
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("ours", patient, max_examples=drawn)
    settings.register_profile("ci", patient, max_examples=drawn, derandomize=True)
    settings.load_profile("ours")
