"""What is computed before a run: estimates, Johnson's order, fewest slots, balanced pools.

Works on workload and cluster; where trials are needed, the caller says how to run one.
No policy and no engine belongs here.
"""
