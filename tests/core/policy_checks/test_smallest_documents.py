"""What is found is written as a session that opens where it shows, and as its workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.files.session_document import read_session
from core.files.workload_document import read_workload
from core.model.errors import InputError
from core.model.schedule import PolicyChoice
from core.policies.own_policies import register_policy
from core.policies.user_files.policy_file import load_policy_file
from core.policy_checks.evidence import CHECKS, CheckResult, CheckVerdict, Evidence, PolicyReport
from core.policy_checks.random_workloads import random_workload
from core.policy_checks.smallest_documents import write_smallest

if TYPE_CHECKING:
    from pathlib import Path


def test_the_policy_is_a_scenario_and_the_cursor_stands_where_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from core.policies.policy import Policy\nclass Mine(Policy): pass\n")
    register_policy("mine", load_policy_file(path))
    workload = random_workload(1, 4)
    evidence = Evidence("J1 waits.", workload, 2.5, "J1", ("Nobody knows why.",))
    results = (
        CheckResult(CHECKS[0], CheckVerdict.PASSED, "All is well."),
        CheckResult(CHECKS[3], CheckVerdict.FOUND, "J1 waits.", evidence),
    )
    written = write_smallest(PolicyReport(PolicyChoice("mine"), results, 3, 1), tmp_path / "found")
    assert [each.name for each in written] == ["idle.slotscope", "idle.workload.json"]
    session = read_session(written[0])
    assert [each.choice.id for each in session.state.scenarios] == [str(path)]
    assert session.layout["view"] == {"cursor": [2.5, 0], "selected_job": "J1"}
    assert session.state.cluster == workload.cluster
    again = read_workload(written[1])
    assert (again.jobs, again.cluster) == (workload.jobs, workload.cluster)
    assert again.description.startswith("J1 waits.\nNobody knows why.\n")
    with pytest.raises(InputError, match="cannot be made"):
        write_smallest(PolicyReport(PolicyChoice("fifo"), results, 3, 1), path / "below")
