"""Slotscope from Python: open, simulate, compare and optimise MapReduce and Spark schedules.

It calls what the command line calls, so that both give the same numbers; it needs neither Qt nor a display.

>>> import slotscope
>>> schedule = slotscope.simulate("five-jobs", "johnson")
>>> schedule.makespan
47.0
>>> schedule.jobs[["job", "start", "end"]].head(2)
  job  start   end
0  J1    3.0  13.0
1  J2    0.0   5.0

What stands first is a workload: the name of a sample (``slotscope samples`` lists them), the path of a
workload document, of a log or of a folder of logs, or what `open` and `generate` return. A policy is the id
of one (``slotscope policies``), a class of your own that derives from `slotscope.Policy`, or a policy file.

===================  ======================================================================================
`open`, `generate`   a workload: from a file, a log or a sample; or drawn from a family of the literature
`simulate`           one policy: a `ScheduleResult`, with the frames `tasks`, `jobs` and `slots`
`compare`            several policies beside one another: a `ComparisonResult`, with the frame `table`
`optimize`           the best schedule that a search finds, and how much better any could be
`fewest`             the fewest slots with which all ends by a time, and the proof that fewer cannot
`study`              thousands of simulations from one document, as a frame
`fidelity`           how far simulations of a log are from what really happened
`Environment`        a workload that a program schedules step by step, to learn how;
                     `gymnasium_environment` is the same for Gymnasium, if that is installed
===================  ======================================================================================

All times are seconds. What goes wrong is raised as `SlotscopeError`, whose message is a sentence: what,
where and what to do. ``help(slotscope.simulate)`` shows the arguments, with examples.
"""

import core

if getattr(core, "MARKER", "") != "slotscope-core":
    raise ImportError(
        f"the package 'core' found at {core.__file__} is not Slotscope's; another installed package took its "
        "name. Install Slotscope in an environment of its own."
    )

from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyFault, SlotscopeError
from core.model.parameters import Parameter
from core.model.workload import Workload
from core.policies.policy import Policy
from slotscope.environment import Environment, gymnasium_environment
from slotscope.questions import BestResult, fewest, optimize
from slotscope.runs import compare, simulate
from slotscope.schedules import ComparisonResult, ScheduleResult
from slotscope.studies import FidelityResult, fidelity, study
from slotscope.workloads import generate, open

__all__ = [
    "BestResult",
    "Cluster",
    "ComparisonResult",
    "Environment",
    "FidelityResult",
    "InputError",
    "Parameter",
    "Policy",
    "PolicyFault",
    "ScheduleResult",
    "SlotscopeError",
    "Workload",
    "compare",
    "fewest",
    "fidelity",
    "generate",
    "gymnasium_environment",
    "open",
    "optimize",
    "simulate",
    "study",
]
