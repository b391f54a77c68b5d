"""Edits of a plan that has pools: it follows the jobs and the cluster, and its pools with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.partition_edits import fitted_to_cluster, fitted_to_jobs, with_job_name
from core.model.plan import Plan

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload


def plan_of_jobs(plan: Plan, workload: Workload) -> Plan:
    """Return the plan of those of its jobs that a workload has; new ones come last, in the last pool."""
    jobs = tuple(job for job in plan.jobs if job.name in workload.job_index)
    return Plan(jobs, plan.partition and fitted_to_jobs(plan.partition, workload))


def plan_on_cluster(plan: Plan, workload: Workload, cluster: Cluster) -> Plan:
    """Return the plan on a cluster of another size: its pools get slots in proportion."""
    if plan.partition is None:
        return plan
    return replace(plan, partition=fitted_to_cluster(plan.partition, workload, cluster))


def plan_with_job_name(plan: Plan, old: str, new: str) -> Plan:
    """Return the plan with a job renamed."""
    jobs = tuple(replace(job, name=new) if job.name == old else job for job in plan.jobs)
    return Plan(jobs, plan.partition and with_job_name(plan.partition, old, new))
