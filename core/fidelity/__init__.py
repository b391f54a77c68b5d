"""How well a simulation repeats what a cluster really did: replay, overheads, stalls of hosts.

Works on workloads with an execution history.
No log format and no window belongs here.
"""
